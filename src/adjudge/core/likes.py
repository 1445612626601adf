"""What verbs and readers accept: values of adjudge, paths, frames of pandas and polars, dicts.

One union for each kind of data, so that an editor and a type checker know what an argument may be. What a value at run
time is, is decided where it is read (formats/), and an argument that is none of these is refused by
``wrong_type`` (arguments.py) with one sentence that names it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, SupportsFloat, TypeAlias, runtime_checkable

import numpy as np

from .arguments import type_name
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
