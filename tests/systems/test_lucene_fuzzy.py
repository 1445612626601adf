"""The real Lucene's fuzzy queries as a system."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

import lucene
from adjudge.core.errors import MissingExtraError
from adjudge.systems.parts import lucene_library
from adjudge.systems.system import systems
from peer_checks import answers, bears_hostile_texts, bm25, edits, version_of

pytestmark = pytest.mark.lucene

WORDS = ["solar", "so1ar", "sloar", "solaris", "power", "powcr", "pwoer", "tower", "wind", "plants", "plonts", "mill"]
DRAWN = random.Random(24)
SPLIT = [DRAWN.choices(WORDS, k=4) for _ in range(40)]  # Lucene keeps lengths in a byte, in which 4 is exact
TEXTS = [" ".join(text) for text in SPLIT]
ASKED = ["solar", "power", "plants"]


@pytest.fixture(autouse=True)
def java() -> None:
    lucene.java()


@pytest.mark.parametrize(("edit", "prefix"), [(0, 0), (1, 0), (2, 0), (2, 2)])
def test_scores(edit: int, prefix: int, tmp_path: Path) -> None:
    expected: dict[str, Any] = {}
    for number, text in enumerate(SPLIT):
        score = 0.0
        for asked in ASKED:
            for word in {word for word in text if word[:prefix] == asked[:prefix]}:
                far = edits(asked, word)
                if far <= edit:
                    score += (1 - far / min(len(asked), len(word))) * bm25(SPLIT, word, text)
        expected |= {f"d{number}": pytest.approx(score, rel=1e-5)} if score else {}
    spec = f"lucene_fuzzy(edits={edit}, prefix={prefix})"
    assert answers(spec, TEXTS, " ".join(ASKED), tmp_path) == expected


def test_only_so_many_words_are_looked_for(tmp_path: Path) -> None:
    found = answers("lucene_fuzzy(expansions=1)", TEXTS, "solar", tmp_path)
    assert found.keys() == {f"d{n}" for n, text in enumerate(SPLIT) if "solar" in text}


def test_hostile_texts(tmp_path: Path) -> None:
    bears_hostile_texts("lucene_fuzzy", tmp_path)


def test_without_lucene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = systems.parse("lucene_fuzzy")
    assert system.missing() == ""
    with monkeypatch.context() as patch:
        patch.setenv(lucene_library.PLACES, str(tmp_path))
        line = "lucene_fuzzy needs Lucene 4.10: apt-get install liblucene4.10-java, or name the folder of its jars in "
        assert system.missing() == f"{line}ADJUDGE_LUCENE"
        with pytest.raises(MissingExtraError, match="needs Lucene"):
            system.run(version_of(TEXTS, tmp_path / "work"), {"q": "solar"})
    monkeypatch.setitem(sys.modules, "jpype", None)
    assert system.missing() == "lucene_fuzzy needs JPype1: pip install 'adjudge[peers]'"
