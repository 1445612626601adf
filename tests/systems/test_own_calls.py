"""Code of one's own: how it is called, and what its answers may be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import AdjudgeError
from adjudge.core.run import Run
from adjudge.systems.parts.own_calls import Asked, one_line, run_of_code
from adjudge.systems.parts.own_code import Target, digest_code

DOCUMENTS = InMemory([Document("d1", "solar power"), Document("d2", "wind power")])
ASKED = Asked({"q1": "solar", "q2": "wind"}, DOCUMENTS, Path(), 10)


class Results(NamedTuple):
    """As bm25s returns them."""

    documents: Any
    scores: Any


class Hit:
    def __init__(self, docid: str, score: float) -> None:
        self.docid, self.score = docid, score


def answers(**given: Any) -> dict[str, dict[str, float]]:
    return run_of_code(given.pop("code"), ASKED._replace(**given)).to_dict()


BOTH = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}}


@pytest.mark.parametrize(
    "code",
    [
        lambda query: ["d1", "d2"],
        lambda q: [("d1", 2), ("d2", 1)],
        lambda text: {"d2": 1.0, "d1": 2.0},
        lambda query: [{"_id": "d1", "_score": 2.0}, {"_id": "d2", "_score": 1.0}],
        lambda query: [{"docno": "d1", "score": 2.0}, {"docno": "d2", "score": 1.0}],
        lambda query: [Hit("d1", 2.0), Hit("d2", 1.0)],
        lambda query: np.array(["d1", "d2"]),
        lambda queries: [["d1", "d2"] for _ in queries],
        lambda queries: {"q1": ["d1", "d2"], "q2": ["d1", "d2"]},
        lambda queries: (iter(["d1", "d2"]) for _ in queries),
        lambda queries: Results(np.array([["d1", "d2"]] * 2), np.array([[2.0, 1.0]] * 2, np.float32)),
        lambda topics: {topic: ["d1", "d2"] for topic in topics},
        lambda topics: Run.of_columns(["q1", "q1", "q2", "q2"], ["d1", "d2"] * 2, np.array([2.0, 1.0] * 2)),
    ],
)
def test_answers_of_many_shapes(code: Callable[..., Any]) -> None:
    assert answers(code=code) == BOTH


def test_annotations_and_settings_say_what_is_taken() -> None:
    def each(x: str) -> list[str]:
        return [f"d{len(x)}"]

    def together(x: list[str]) -> list[list[str]]:
        return [["d1"] for _ in x]

    def by_topic(x: dict[str, str]) -> dict[str, list[str]]:
        return {topic: ["d2"] for topic in x}

    assert answers(code=each) == {"q1": {"d5": 1.0}, "q2": {"d4": 1.0}}
    assert answers(code=together) == {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
    assert answers(code=by_topic) == {"q1": {"d2": 1.0}, "q2": {"d2": 1.0}}
    assert answers(code=lambda x: [x], each=True) == {"q1": {"solar": 1.0}, "q2": {"wind": 1.0}}


def test_documents_depth_folder_and_settings_come_by_name(tmp_path: Path) -> None:
    def search(query: str, documents: InMemory, k: int, folder: Path, boost: float = 1.0, **more: Any) -> Any:
        assert folder == tmp_path
        assert more == {"extra": 1}
        return [(d.id, boost * k) for d in documents if query in d.text]

    given = {"settings": {"boost": 3, "extra": 1}, "folder": tmp_path}
    assert answers(code=search, **given) == {"q1": {"d1": 30.0}, "q2": {"d2": 30.0}}


class Prepared:
    """A class with prepare and answer."""

    def __init__(self, boost: float = 1.0) -> None:
        self.boost, self.texts = boost, dict[str, str]()

    def prepare(self, documents: InMemory) -> None:
        self.texts = {document.id: document.text for document in documents}

    def answer(self, query: str) -> dict[str, float]:
        return {i: self.boost for i, text in self.texts.items() if query in text}


def test_a_class_is_made_prepared_and_asked() -> None:
    assert answers(code=Prepared, settings={"boost": 2.0}) == {"q1": {"d1": 2.0}, "q2": {"d2": 2.0}}
    assert answers(code=Prepared(3.0)) == {"q1": {"d1": 3.0}, "q2": {"d2": 3.0}}


def test_bm25s_through_an_adapter_of_three_lines() -> None:
    bm25s = pytest.importorskip("bm25s")

    def search(queries: list[str], documents: InMemory) -> Any:
        retriever = bm25s.BM25(corpus=[d.id for d in documents])
        retriever.index(bm25s.tokenize([d.text for d in documents], show_progress=False), show_progress=False)
        return retriever.retrieve(bm25s.tokenize(queries, show_progress=False), k=2, show_progress=False)

    run = answers(code=search)
    assert max(run["q1"], key=lambda d: run["q1"][d]) == "d1"
    assert max(run["q2"], key=lambda d: run["q2"][d]) == "d2"


def test_a_transformer_gets_and_gives_frames() -> None:
    pandas = pytest.importorskip("pandas")

    class Transformer:
        def transform(self, topics: Any) -> Any:
            assert list(topics.columns) == ["qid", "query"]
            return pandas.DataFrame({"qid": topics["qid"], "docno": "d2", "score": 1.5, "rank": 0})

    assert answers(code=Transformer()) == {"q1": {"d2": 1.5}, "q2": {"d2": 1.5}}


def test_none_and_empty_lists_find_nothing() -> None:
    assert answers(code=lambda query: None if query == "solar" else []) == {}
    assert answers(code=lambda queries: [None, ["d1"]]) == {"q2": {"d1": 1.0}}


def nowhere(x: object) -> list[str]:
    return [str(x)]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (lambda query: 7, "topic q1: the answer is 7, not a ranked list"),
        (lambda query: "d1", "topic q1: the answer is 'd1', not a ranked list"),
        (lambda query: [("d1", "high")], "topic q1: the score of document d1 is 'high', not a number"),
        (lambda query: [3.5], "topic q1: 3.5 is neither an id nor an id with a score"),
        (lambda query: {"d1": float("nan")}, "the score of document d1 in topic q1 is nan, not a finite number"),
        (lambda query: ["d1", "d1"], "document d1 occurs twice in topic q1"),
        (lambda queries: ["d1"], "1 ranked lists for 2 questions"),
        (lambda queries: "garbage", "the answer to all questions is 'garbage', not a ranked list for each"),
        (nowhere, "the first parameter of nowhere must be query (one text), queries (a list of texts) or topics"),
        (lambda query, model: [], "needs model, which is not given"),
        (lambda *, k: [], "takes no question"),
        (7, "int is neither a function nor an object with answer or transform"),
    ],
)
def test_what_is_wrong_is_one_line(code: Any, why: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        run_of_code(code, ASKED)
    assert why in str(caught.value)


def test_what_code_raises_is_told_with_its_place() -> None:
    def search(query: str) -> list[str]:
        raise KeyError("no\nmodel")

    with pytest.raises(KeyError) as caught:
        run_of_code(search, ASKED)
    assert one_line(caught.value).startswith("raised KeyError: 'no\\nmodel' (test_own_calls.py:")


def test_the_content_of_code_is_its_own_and_that_of_what_it_imports(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "search.py").write_text("from .words import split\nimport json\n")
    (package / "words.py").write_text("def split(): ...\n")
    (package / "other.py").write_text("")
    target = Target.parse("pack.search:split")
    first = digest_code(target, tmp_path)
    (package / "other.py").write_text("changed = 1\n")
    assert digest_code(target, tmp_path) == first
    (package / "words.py").write_text("def split(): return 1\n")
    second = digest_code(target, tmp_path)
    assert second != first
    (package / "__init__.py").write_text("# counts: it is run too\n")
    assert digest_code(target, tmp_path) != second
