"""adjudge: a laboratory for information-retrieval experiments.

>>> import adjudge
>>> scores = adjudge.measure(qrels, runs, ["ap", "ndcg@10"])  # doctest: +SKIP
>>> index = adjudge.build_index(adjudge.read_documents("docs.jsonl"), "docs.index")  # doctest: +SKIP
>>> hits = adjudge.Searcher(index, "bm25").search(["solar power"])[0]  # doctest: +SKIP

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from .comparison.compare import compare
    from .comparison.known_item.ranks import known_item
    from .core.document import Document, Documents
    from .core.errors import AdjudgeError, ConflictError, DataError, MissingExtraError, SpecError
    from .core.judged import JudgedRun, judge
    from .core.qrels import Qrels
    from .core.run import Run
    from .core.scores import Scores
    from .core.subtopics import SubtopicQrels
    from .core.topic import Topic
    from .evaluation.measuring import measure
    from .experiment.regression_gate import guard
    from .formats.documents import read_documents
    from .formats.qrels import read_qrels, write_qrels
    from .formats.runs import read_run, write_run
    from .formats.subtopics import read_subtopics, write_subtopics
    from .formats.topics import read_topics, write_topics
    from .index.building import build as build_index
    from .index.index import Index
    from .index.searching import Searcher
    from .text.analyzer import Analyzer

__all__ = [
    "AdjudgeError",
    "Analyzer",
    "ConflictError",
    "DataError",
    "Document",
    "Documents",
    "Index",
    "JudgedRun",
    "MissingExtraError",
    "Qrels",
    "Run",
    "Scores",
    "Searcher",
    "SpecError",
    "SubtopicQrels",
    "Topic",
    "__version__",
    "build_index",
    "compare",
    "guard",
    "judge",
    "known_item",
    "measure",
    "read_documents",
    "read_qrels",
    "read_run",
    "read_subtopics",
    "read_topics",
    "write_qrels",
    "write_run",
    "write_subtopics",
    "write_topics",
]

_HOMES = {
    "AdjudgeError": "core.errors",
    "ConflictError": "core.errors",
    "DataError": "core.errors",
    "MissingExtraError": "core.errors",
    "SpecError": "core.errors",
    "JudgedRun": "core.judged",
    "judge": "core.judged",
    "Qrels": "core.qrels",
    "Run": "core.run",
    "Scores": "core.scores",
    "Topic": "core.topic",
    "read_qrels": "formats.qrels",
    "write_qrels": "formats.qrels",
    "read_run": "formats.runs",
    "write_run": "formats.runs",
    "SubtopicQrels": "core.subtopics",
    "read_subtopics": "formats.subtopics",
    "write_subtopics": "formats.subtopics",
    "read_topics": "formats.topics",
    "write_topics": "formats.topics",
    "measure": "evaluation.measuring",
    "Analyzer": "text.analyzer",
    "Document": "core.document",
    "Documents": "core.document",
    "Index": "index.index",
    "Searcher": "index.searching",
    "build_index": "index.building:build",
    "compare": "comparison.compare",
    "guard": "experiment.regression_gate",
    "known_item": "comparison.known_item.ranks",
    "read_documents": "formats.documents",
}
"""Where a name lives: the module, and after a colon what it is called there, if otherwise."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    module, _, there = _HOMES[name].partition(":")
    return getattr(import_module(f".{module}", __name__), there or name)


def __dir__() -> list[str]:
    return __all__
