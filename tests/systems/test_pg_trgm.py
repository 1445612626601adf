"""PostgreSQL's pg_trgm as a system, on a real server."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import DataError
from adjudge.systems.pg_trgm import SERVER
from adjudge.systems.system import systems
from peer_checks import answers, bears_hostile_texts, version_of

WORDS = ["solar", "so1ar", "sloar", "solaris", "power", "powcr", "tower", "wind", "plants", "plonts", "mill"]
DRAWN = random.Random(24)
TEXTS = [" ".join(DRAWN.choices(WORDS, k=DRAWN.randint(1, 6))) for _ in range(40)]
ASKED = ["solar", "power", "plants"]


@pytest.fixture(autouse=True)
def server(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SERVER, postgresql)


def trigrams(word: str) -> set[str]:
    padded = f"  {word} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


def similarity(one: str, other: str) -> float:
    return len(trigrams(one) & trigrams(other)) / len(trigrams(one) | trigrams(other))


@pytest.mark.parametrize("threshold", [None, 0.5, 1.0])
def test_similarity_of_words(threshold: float | None, tmp_path: Path) -> None:
    least = 0.3 if threshold is None else threshold
    expected: dict[str, Any] = {}
    for number, text in enumerate(TEXTS):
        best = [max(similarity(asked, word) for word in text.split()) for asked in ASKED]
        score = sum(value for value in best if value >= least - 1e-6)
        expected |= {f"d{number}": pytest.approx(score, rel=1e-6)} if score else {}
    given = "" if threshold is None else f"(threshold={threshold})"
    assert answers(f"pg_trgm{given}", TEXTS, " ".join(ASKED), tmp_path) == expected


def test_similarity_to_texts(tmp_path: Path) -> None:
    texts = ["a modern farm", "a modem", "wind"]
    assert answers("pg_trgm(by=text)", texts, "modern", tmp_path) == {"d0": 1.0}
    found = answers("pg_trgm(by=text, threshold=0.5)", texts, "modern", tmp_path)
    assert found == {"d0": 1.0, "d1": pytest.approx(4 / 7, rel=1e-6)}


def test_hostile_texts(tmp_path: Path) -> None:
    bears_hostile_texts("pg_trgm", tmp_path)


def test_nothing_is_left_in_the_database(postgresql: str, tmp_path: Path) -> None:
    import psycopg

    answers("pg_trgm", TEXTS, "solar", tmp_path)
    with psycopg.connect(postgresql) as connection:
        named = "SELECT count(*) FROM pg_class WHERE relname LIKE 'adjudge%'"
        assert connection.execute(named).fetchone() == (0,)


def test_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, version = systems.parse("pg_trgm"), version_of(TEXTS, tmp_path)
    monkeypatch.setenv(SERVER, "postgresql://nobody@127.0.0.1:1/nothing")
    with pytest.raises(DataError, match=r"^pg_trgm: PostgreSQL: [^\n]+$"):
        system.run(version, {"q": "solar"})
    monkeypatch.delenv(SERVER)
    assert "needs a PostgreSQL server" in system.missing()
    with pytest.raises(DataError, match="put its address, postgresql://USER@HOST/NAME, into ADJUDGE_POSTGRESQL"):
        system.run(version, {"q": "solar"})
