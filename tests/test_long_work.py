"""Every long work says what it does: tasks begin, get on and end, and have failed if the work has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

import corpus
from adjudge import measure
from adjudge.collection.qa.formulas import convert
from adjudge.collection.qa.project import Project
from adjudge.collection.qa.thread_candidates import CandidateSettings as Sought
from adjudge.collection.qa.thread_candidates import find_candidates
from adjudge.comparison.known_item.prediction import predict
from adjudge.comparison.known_item.question_bootstrap import bootstrap
from adjudge.comparison.known_item.ranks import known_item
from adjudge.comparison.reliability.discriminative_power import discriminative_power
from adjudge.comparison.reliability.pseudo_judgments import pseudo_judgments
from adjudge.comparison.reliability.swap_rate import swap_rate
from adjudge.core.document import Documents
from adjudge.core.note import Fact
from adjudge.core.progress import Listener, Task
from adjudge.correlation.uncertainty import correlate
from adjudge.experiment.inputs import survey
from adjudge.formats.documents import read_documents
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.noise.degrading import degrade
from adjudge.noise.random_noise import RandomNoise
from adjudge.systems.parts.correction.word_lexicon import make
from adjudge.systems.parts.kept import keep
from adjudge.systems.parts.version import Version
from adjudge.systems.system import systems
from adjudge.terms.extraction import TermSettings, extract
from adjudge.terms.term_index import write_term_index
from collection.dump_of import small
from recorder import Recorder

ANALYZER = "words|lower"
JUDGMENTS = {str(topic): {"a": 1} for topic in range(12)}
RUNS = {
    name: {topic: {"a": float(places[int(topic)]), "b": 2.0, "c": 1.0} for topic in JUDGMENTS}
    for name, places in (("one", [3] * 12), ("two", [3, 1.5] * 6), ("three", [1.5, 3, 0.5] * 4))
}

Work = Callable[[Documents, Path, Listener], object]


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def searched(documents: Documents, folder: Path, progress: Listener) -> object:
    index = build(documents, folder / "index", analyzer=ANALYZER)
    return Searcher(index).run(corpus.questions(5), progress=progress)


def indexed_terms(documents: Documents, folder: Path, progress: Listener) -> object:
    return write_term_index(documents, extract(documents).terms, folder / "terms.parquet", progress=progress)


def predicted(documents: Documents, folder: Path, progress: Listener) -> object:
    item = known_item(JUDGMENTS, RUNS)
    length = {"length": np.arange(len(item.questions), dtype=float)}
    return predict(item, length, rng(), permutations=99, samples=99, progress=progress)


WORKS: dict[str, tuple[Work, list[str]]] = {
    "index": (lambda d, f, p: build(d, f / "i", analyzer=ANALYZER, batch=1000, progress=p), ["index"]),
    "version": (lambda d, f, p: Version("true", d, f, p).index(ANALYZER), ["index"]),
    "keep": (lambda d, f, p: keep(systems.parse("bm25"), d, f / "kept", progress=p), ["keep", "index"]),
    "decipher": (
        lambda d, f, p: systems.parse("decipher").answerer(Version("true", d, f, p)),
        ["find_signs", "index", "learn_errors"],
    ),
    "search": (searched, ["search"]),
    "survey": (lambda d, f, p: survey(d, "here", f, p), ["look_through"]),
    "degrade": (
        lambda d, f, p: degrade(d, RandomNoise(0.1), f / "out", workers=1, progress=p),
        ["look_through", "degrade", "write"],
    ),
    "lexicon": (lambda d, f, p: make(d, f / "lexicon", progress=p), ["count_words", "count_pairs"]),
    "extract": (lambda d, f, p: extract(d, TermSettings(nc=True), progress=p), ["tag", "count_terms", "contexts"]),
    "term index": (indexed_terms, ["index_terms"]),
    "measure": (lambda d, f, p: measure(JUDGMENTS, RUNS, ["ap"], progress=p), ["judge"]),
    "known item": (lambda d, f, p: known_item(JUDGMENTS, RUNS, progress=p), ["judge"]),
    "bootstrap": (
        lambda d, f, p: bootstrap(known_item(JUDGMENTS, RUNS), rng(), progress=p),
        ["bands", "resample"],
    ),
    "predict": (predicted, ["resample", "permute"]),
    "correlate": (
        lambda d, f, p: correlate(
            [1, 2, 3, 4], [2, 1, 3, 4], "tau_b", samples=99, permutations=99, rng=rng(), progress=p
        ),
        ["resample", "permute"],
    ),
    "swap rate": (
        lambda d, f, p: swap_rate(measure(JUDGMENTS, RUNS, ["rr"]), "rr", trials=9, rng=rng(), progress=p),
        ["draw_topics"],
    ),
    "power": (
        lambda d, f, p: discriminative_power(
            measure(JUDGMENTS, RUNS, ["rr", "p@1"]), ["rr", "p@1"], test="t", rng=rng(), progress=p
        ),
        ["test_pairs"],
    ),
    "pseudo-judgments": (lambda d, f, p: pseudo_judgments(RUNS, trials=9, rng=rng(), progress=p), ["draw_judgments"]),
    "candidates": (
        lambda d, f, p: find_candidates(small(f / "dump"), Project(f / "project"), Sought(), progress=p),
        ["scan_posts", "collect_threads", "read_comments", "read_links", "read_votes"],
    ),
    "formulas": (
        lambda d, f, p: convert([("x", False), ("y", True)], "latex2mathml", progress=p),
        ["convert_formulas"],
    ),
}
SUDDEN = {"keep", "contexts", "find_signs", "learn_errors"}
"""Tasks that begin and end and tell nothing in between."""


@pytest.fixture
def documents(tmp_path: Path) -> Documents:
    return read_documents(corpus.written(corpus.documents(60), tmp_path / "texts"))


def done(name: str, documents: Documents, folder: Path, progress: Listener) -> None:
    if name == "formulas":
        pytest.importorskip("latex2mathml")
    WORKS[name][0](documents, folder / "work", progress)


@pytest.mark.parametrize("name", WORKS)
def test_tasks_begin_get_on_and_end(name: str, documents: Documents, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    heard = Recorder()
    done(name, documents, tmp_path, heard)
    assert heard.kinds() == WORKS[name][1]
    assert not any(heard.ended.values())
    for task in heard.begun:
        if task.kind not in SUDDEN:
            assert heard.reached[task], task.kind
            assert task.unit
            if task.unit not in {"bytes", ""}:
                assert heard.reached[task][-1][0] == task.total


class Failing(Recorder):
    """Stops the work at the first that it says, as Ctrl-C does."""

    def reach(self, task: Task, done: int, facts: Mapping[str, Fact]) -> None:
        super().reach(task, done, facts)
        raise KeyboardInterrupt


@pytest.mark.parametrize("name", WORKS)
def test_work_that_is_stopped_has_failed(name: str, documents: Documents, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    heard = Failing()
    with pytest.raises(KeyboardInterrupt):
        done(name, documents, tmp_path, heard)
    assert not heard.open
    (stopped,) = [task for task, reached in heard.reached.items() if reached]
    assert [heard.ended[task] for task in stopped.path] == [True] * len(stopped.path)
