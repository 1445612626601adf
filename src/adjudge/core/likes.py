"""What verbs and readers accept: values of adjudge, paths, frames of pandas and polars, dicts.

One union for each kind of data, so that an editor and a type checker know what an argument may be. What a value at run
time is, is decided where it is read (formats/), and an argument that is none of these is refused by
:func:`wrong_type` with one sentence that names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, SupportsFloat, TypeAlias, runtime_checkable

import numpy as np

from .collapse import Collapse
from .document import Document, Documents
from .errors import SpecError, WrongTypeError
from .qrels import Qrels
from .run import Run
from .scores import Scores
from .span_judgments import SpanQrels
from .subtopics import SubtopicQrels
from .topic import Topic


@runtime_checkable
class Frame(Protocol):
    """A data frame of pandas or polars."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""


class Readable(Protocol):
    """An open file, or what can be read as one."""

    def read(self) -> bytes | str:
        """All that is left of it."""


PathLike = str | os.PathLike[str]
"""The path of a file or folder."""

FileLike = str | os.PathLike[str] | Readable
"""A path, ``-`` for standard input, or an open binary file."""

RunLike = Run | FileLike | Mapping[Any, Mapping[Any, SupportsFloat]] | Frame
"""One run: a Run, a file, {topic: {document: score}}, or a frame with topic, document and score."""

RunsLike = RunLike | Sequence[RunLike] | Mapping[str, RunLike]
"""One run, a list of runs, or {name: run}."""

QrelsLike = Qrels | FileLike | Mapping[Any, Mapping[Any, SupportsFloat]] | Frame
"""Judgments: a Qrels, a file, {topic: {document: grade}}, or a frame with topic, document and grade."""

SubtopicsLike = SubtopicQrels | Mapping[Any, Mapping[Any, Mapping[Any, SupportsFloat]]]
"""Subtopic judgments in memory: a SubtopicQrels, or {topic: {subtopic: {document: grade}}}."""

SpansLike = SpanQrels | Mapping[Any, Mapping[Any, Sequence[Sequence[int]]]]
"""Judgments of spans in memory: a SpanQrels, or {topic: {document: [(from, to), (from, to, grade)]}}."""

CollapseLike = Collapse | str | Mapping[str, Any]
"""How chunks become documents: ``max``, ``first`` or ``sum``, settings by name, or a Collapse."""

ScoresLike = Scores | FileLike | Mapping[Any, Mapping[Any, Any]] | Frame
"""Scores: a Scores, a file, {system: {topic: value}}, or a frame (system, topic, measure, value)."""

TopicsLike = FileLike | Iterable[Topic] | Mapping[Any, str] | Frame
"""Topics: a file, a list of Topic, {topic: text}, or a frame with an id and a title or query."""

DocumentsLike = Documents | FileLike | Iterable[Document] | Sequence[Any] | Mapping[Any, str] | Frame
"""Documents: Documents, a file, folder or pattern, a list of these, {id: text}, or a frame with an id and a text."""

Measures = str | Sequence[str]
"""The specs of measures, ``["ap", "ndcg@10"]``, or one of them."""

Seed: TypeAlias = "int | np.random.Generator"
"""A whole number, or a generator of numpy that is drawn from."""

EXPECTED = {
    "run": "a Run, a path, {topic: {document: score}} or a frame with topic, document and score",
    "runs": "a run, a list of runs or {name: run}",
    "qrels": "a Qrels, a path, {topic: {document: grade}} or a frame with topic, document and grade",
    "scores": "what adjudge.measure returns, a path, {system: {topic: value}} or a frame with system, topic, "
    "measure and value",
    "topics": "a path, a list of Topic, {topic: text} or a frame with an id and a title or query",
    "documents": "a path, a list of Document, {id: text} or a frame with an id and a text",
    "file": "a path or an open binary file",
}
"""What an argument may be, in words, by the kind of data."""


def wrong_type(argument: str, given: object, kind: str = "") -> WrongTypeError:
    """The error for an argument of a type that means nothing: one sentence that says what it may be."""
    return WrongTypeError(f"{argument} must be {EXPECTED.get(kind or argument, kind)}, not {type_name(given)}")


def type_name(given: object) -> str:
    """What a value is, as an error message calls it."""
    names = {Run: "a run", Qrels: "judgments", Scores: "scores", type(None): "None"}
    for kind, name in names.items():
        if isinstance(given, kind):
            return name
    return f"{type(given).__name__} ({given!r:.60})" if isinstance(given, str | int | float) else type(given).__name__


def is_frame(given: object) -> bool:
    """Whether it is a data frame of pandas or polars."""
    return type(given).__name__ == "DataFrame" and type(given).__module__.split(".")[0] in {"polars", "pandas"}


def is_file(given: object) -> bool:
    """Whether it is a path or an open file."""
    return isinstance(given, str | os.PathLike) or hasattr(given, "read")


def listed(given: str | Iterable[str], argument: str = "measures") -> list[str]:
    """A list of specs, also of one; each once, in their order.

    >>> listed("ap"), listed(["ap", "rr", "ap"])
    (['ap'], ['ap', 'rr'])
    """
    specs = [given] if isinstance(given, str) else None
    if specs is None:
        try:
            specs = list(given)
        except TypeError:
            raise WrongTypeError(
                f"{argument} must be a list of strings such as ['ap'], not {type_name(given)}"
            ) from None
    for spec in specs:
        if not isinstance(spec, str):
            raise WrongTypeError(f"{argument} must be strings such as 'ndcg@10', not {type_name(spec)}")
    return list(dict.fromkeys(specs))


def generator_of(seed: Seed) -> np.random.Generator:
    """The generator that a seed stands for: the one that was given, or a new one from a whole number."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(number_of(seed))


def number_of(seed: Seed) -> int:
    """A whole number for what draws by itself; a generator gives the next one that it draws."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise WrongTypeError(f"seed must be a whole number or a numpy Generator, not {type_name(seed)}")
    if seed < 0:
        raise SpecError(f"seed must be 0 or more, not {seed}")
    return int(seed)
