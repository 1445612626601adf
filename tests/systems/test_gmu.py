"""GMU's system, with the worked example of the specification and a slow definition."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from adjudge.core.document import Document, InMemory
from adjudge.systems.parts.version import Version
from adjudge.systems.system import TRACK, systems

TEXTS = ["solar power florida", "solar eclipse", "power plant florida florida", "coupon bonds"]


def version(folder: Path, texts: list[str] = TEXTS) -> Version:
    return Version("true", InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def scores(spec: str, folder: Path, question: str, texts: list[str] = TEXTS) -> dict[str, float]:
    run = systems.parse(spec).run(version(folder, texts), {"q": question})
    return dict(zip(run.documents, run.scores.tolist(), strict=True))


def grams(text: str) -> list[str]:
    words = [f"_{word}_" for word in text.split()]
    return [w[i : i + 4] for w in words for i in range(max(1, len(w) - 3))]


def test_the_cosines_of_the_specification(tmp_path: Path) -> None:
    found = scores("gmu(drop=0)", tmp_path, "solar florida")
    assert found == {k: pytest.approx(v, abs=5e-5) for k, v in (("d0", 0.8452), ("d1", 0.2390), ("d2", 0.5721))}


def test_the_most_common_grams_are_dropped(tmp_path: Path) -> None:
    index = version(tmp_path).index(systems.parse("gmu").analyzer)  # type: ignore[attr-defined]
    assert index.most_frequent(2) == ["_flo", "flor"]


def test_feedback_of_the_specification(tmp_path: Path) -> None:
    found = scores("gmu(feedback=true, drop=0, documents=2, terms=3)", tmp_path, "solar")
    assert found == {"d0": pytest.approx(0.4394, abs=5e-5), "d1": pytest.approx(0.6835, abs=5e-5)}


def test_the_cosine_is_that_of_the_slow_definition(tmp_path: Path) -> None:
    texts = ["a tale of two cities", "two tales retold", "city of tales", "retold retold cities"]
    drop = 3
    from adjudge.text.analyzer import Analyzer

    words = Analyzer.parse("words|lower|stop(smart)")
    bags = [Counter(grams(" ".join(words.terms(text)))) for text in texts]
    total = sum(bags, Counter[str]())
    common = {g for g, _ in sorted(total.items(), key=lambda item: (-item[1], item[0]))[:drop]}
    df = Counter(g for bag in bags for g in bag)

    def vector(bag: Counter[str]) -> dict[str, float]:
        return {g: n * math.log(len(texts) / df[g]) for g, n in bag.items() if g in df and g not in common}

    def length(vector: dict[str, float]) -> float:
        return math.sqrt(sum(v * v for v in vector.values()))

    q = vector(Counter(grams("retold cities")))
    expected = {}
    for i, bag in enumerate(bags):
        d = vector(bag)
        dot = sum(q[g] * d.get(g, 0.0) for g in q)
        if set(q) & set(d):
            expected[f"d{i}"] = pytest.approx(dot / length(q) / length(d))
    assert scores(f"gmu(drop={drop})", tmp_path, "retold cities", texts) == expected


def test_the_names_of_the_track_are_systems() -> None:
    assert [str(systems.parse(TRACK[name])) for name in ("gmu961", "gmu962")] == ["gmu", "gmu(feedback=true)"]
