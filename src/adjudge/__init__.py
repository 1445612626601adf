"""adjudge: a laboratory for information-retrieval experiments.

>>> import adjudge
>>> scores = adjudge.measure(qrels, runs, ["ap", "ndcg@10"])  # doctest: +SKIP

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from .core.errors import AdjudgeError, ConflictError, DataError, MissingExtraError, SpecError
    from .core.judged import JudgedRun, judge
    from .core.qrels import Qrels
    from .core.run import Run
    from .core.scores import Scores
    from .core.topic import Topic
    from .formats.qrels import read_qrels, write_qrels
    from .formats.runs import read_run, write_run
    from .formats.topics import read_topics
    from .judging import measure

__all__ = [
    "AdjudgeError",
    "ConflictError",
    "DataError",
    "JudgedRun",
    "MissingExtraError",
    "Qrels",
    "Run",
    "Scores",
    "SpecError",
    "Topic",
    "__version__",
    "judge",
    "measure",
    "read_qrels",
    "read_run",
    "read_topics",
    "write_qrels",
    "write_run",
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
    "read_topics": "formats.topics",
    "measure": "judging",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
