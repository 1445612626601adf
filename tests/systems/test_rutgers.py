"""Rutgers' system: the worked example of the specification, streaming, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import SpecError
from adjudge.systems import rutgers
from adjudge.systems.parts.content import content_words
from adjudge.systems.parts.double_dot import matches, patterns
from adjudge.systems.parts.leaders import Leaders
from adjudge.systems.parts.version import Version
from adjudge.systems.system import TRACK, systems
from recorder import heard
from slow_track import rutgers_score, wrapped

TEXTS = ["the red balloon\n\nnothing here\n", "the rcd balloon", "", "zzz\nzzz", "Red\nred red"]


def version(folder: Path, texts: list[str] = TEXTS) -> Version:
    return Version("true", InMemory(Document(f"d{i}", text) for i, text in enumerate(texts)), folder)


def scores(spec: str, folder: Path, question: str, texts: list[str] = TEXTS) -> dict[str, float]:
    run = systems.parse(spec).run(version(folder, texts), {"q": question})
    return dict(zip(run.documents, run.scores.tolist(), strict=True))


def test_the_document_of_the_specification(tmp_path: Path) -> None:
    by_start = scores("rutgers(width=none, count=starts)", tmp_path, "the red balloon")
    assert by_start == {"d0": 10.0, "d1": 17.0, "d4": 4.5}
    assert scores("rutgers", tmp_path, "red balloon") == {"d0": 9.5, "d1": 16.0, "d4": 3.0}
    assert scores("rutgers(width=72)", tmp_path, "red balloon") == {"d0": 18.0, "d1": 16.0, "d4": 3.0}


def test_short_words_may_be_left_out(tmp_path: Path) -> None:
    assert scores("rutgers(width=none, count=starts, min_literal=3)", tmp_path, "red balloon") == {
        "d0": 8.0,
        "d1": 16.0,
    }


def test_the_score_is_the_mean_of_the_slow_definition(tmp_path: Path) -> None:
    texts = ["saltwater crocodile\nsalt", "crocodiles\n\nsaltwatcr", "salty\nwater\ncroc"]
    wanted = patterns(content_words("saltwater crocodiles"))
    expected = {}
    for i, text in enumerate(texts):
        lines = [line for line in text.split("\n") if line.strip()]
        expected[f"d{i}"] = sum(matches(line, pattern) for line in lines for pattern in wanted) / len(lines)
    spec = "rutgers(width=none, count=starts)"
    assert scores(spec, tmp_path, "saltwater crocodiles", texts) == pytest.approx(expected)


# -- the paper's words in regular expressions, for every reading -------------------------------------------------------

PAGES = [
    "Theft data on the Chevrolet Corsica\nand of other cars\n\nfor the year",
    "thcft of a chevro1et in Corsica, Corsica\nnothing to see here",
    "a bond, a coupon and a treasury: zero\ncoupon treasury bonds, zero red tape",
    "red\nred data red data\nr ed",
]


@pytest.mark.parametrize("count", ["starts", "binary"])
@pytest.mark.parametrize("mean", ["lines", "matching"])
@pytest.mark.parametrize("width", [None, 20])
def test_every_reading_is_what_the_paper_tells(tmp_path: Path, count: str, mean: str, width: int | None) -> None:
    spec = f"rutgers(count={count}, mean={mean}, width={'none' if width is None else width})"
    for question in ("theft data on the Chevrolet Corsica", "red zero coupon bonds"):
        options = {"binary": count == "binary", "matching": mean == "matching", "width": width}
        expected = {f"d{i}": rutgers_score(page, question, **options) for i, page in enumerate(PAGES)}  # type: ignore[arg-type]
        found = scores(spec, tmp_path, question, PAGES)
        assert found == pytest.approx({name: score for name, score in expected.items() if score})


def test_lines_set_anew_do_not_depend_on_those_of_the_text(tmp_path: Path) -> None:
    question = "theft data on the Chevrolet Corsica"
    words = " ".join(PAGES).split()
    texts = ["\n".join(" ".join(words[i : i + n]) for i in range(0, len(words), n)) for n in (1, 4, 9, len(words))]
    found = scores("rutgers(width=72)", tmp_path, question, texts)
    expected = rutgers_score(" ".join(words), question, binary=True, matching=False, width=72)
    assert found == pytest.approx(dict.fromkeys(("d0", "d1", "d2", "d3"), expected))
    own = scores("rutgers", tmp_path, question, texts)
    assert own["d0"] < own["d1"] < own["d2"] < own["d3"]


def test_text_that_is_set_anew_has_lines_of_the_width() -> None:
    text = "a document " + "x" * 30 + " with words\n\nand   blanks of every kind\n"
    assert rutgers.set_anew(text, 20).split("\n") == wrapped(text, 20)
    assert rutgers.set_anew(" \n", 20) == ""


def test_batches_and_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"line {i}\nred ball{'o' * (i % 7)}n\n" * (i % 5 + 1) for i in range(200)]
    specs = ("rutgers", "rutgers(mean=matching, width=72)", "rutgers(width=20, count=starts)")
    whole = [scores(spec, tmp_path, "red balloon", texts) for spec in specs]
    monkeypatch.setattr(rutgers, "BATCH", 50)
    assert [scores(spec, tmp_path, "red balloon", texts) for spec in specs] == whole


def test_the_best_k_are_cut_in_the_order_of_ids(tmp_path: Path) -> None:
    run = systems.parse("rutgers").run(version(tmp_path, ["red"] * 30), {"q": "red"}, k=4)
    assert list(run.documents) == ["d9", "d8", "d7", "d6"]


def test_questions_that_find_nothing_are_noted_and_left_out(tmp_path: Path) -> None:
    said: list[str] = []
    topics = {"stop": "what is the", "none": "quixotry", "red": "red", "digit": "7"}
    run = systems.parse("rutgers").run(heard(version(tmp_path), said), topics)
    assert run.topics == ("red",)
    assert said == [
        "topic stop: no gram is left in the question",
        "topic digit: no gram is left in the question",
        "topic none: no document matches a gram of the question",
    ]
    assert not len(systems.parse("rutgers").run(version(tmp_path), {"stop": "what is the"}))


def test_one_document_and_empty_documents(tmp_path: Path) -> None:
    assert scores("rutgers", tmp_path, "red", ["red"]) == {"d0": 3.0}
    assert not len(scores("rutgers", tmp_path, "red", ["", "\n"]))


@pytest.mark.parametrize(
    "spec", ["rutgers(n=1)", "rutgers(n=10)", "rutgers(gap=9)", "rutgers(count=lines)", "rutgers(min_literal=0)"]
)
def test_parameters_have_domains(spec: str) -> None:
    with pytest.raises(SpecError, match="must"):
        systems.parse(spec)


def test_the_name_of_the_track_is_this_system() -> None:
    assert str(systems.parse(TRACK["rutcf"])) == "rutgers"
    for spec in ("rutgers(n=4, gap=1)", "rutgers(count=starts, min_literal=3)"):
        assert str(systems.parse(spec)) == spec


ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30)


@given(ROWS, st.integers(1, 4), st.integers(1, 5))
def test_leaders_are_the_best_of_all(rows: list[tuple[int, int]], k: int, batch: int) -> None:
    ids = [f"é{i}" for i in range(len(rows))]
    table = np.array(rows, float).reshape(len(rows), 2)
    leaders = Leaders(2, k)
    for start in range(0, len(rows), batch):
        leaders.add(ids[start : start + batch], table[start : start + batch])
    for question in range(2):
        every = sorted(((table[i, question], ids[i]) for i in range(len(rows)) if table[i, question]), reverse=True)
        assert leaders.best(question) == [(document, score) for score, document in every[:k]]
