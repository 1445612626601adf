"""Runs of chunks become runs of documents: what a document is worth of which several chunks were retrieved.

A chunk (a passage, a segment) has an id of its own, from which its document follows: by a separator (``d7#3``), by a
pattern, or by a table. A run may also name the document itself, once for each of its chunks. Judgments are of
documents, so a ranking in which a document stands twice would gain twice; here it gets one score and one rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .errors import DataError, SpecError, did_you_mean
from .judging import KEEPS
from .note import Note
from .run import Run
from .strings import Strings, decode, encode

if TYPE_CHECKING:
    import numpy.typing as npt

RULES = ("separator", "pattern", "parents")
"""How the document of a chunk is known; without one the ids are those of documents."""

NUMBER = re.compile(rb"(\d+)")


@dataclass(frozen=True, eq=False, repr=False)
class ChunkRun(Run):
    """A run in which a document may occur more than once in a topic; a :class:`Collapse` makes a run of it."""

    def refuse_repeated(self, source: str) -> None:
        """Nothing is refused."""


@dataclass(frozen=True)
class Collapse:
    """How chunks become documents.

    >>> from adjudge.core.run import Run
    >>> run = Run.of_columns(["1"] * 3, ["a#1", "b#1", "a#2"], np.array([3.0, 2.0, 1.0]))
    >>> Collapse("sum", separator="#")(run).to_dict()
    {'1': {'a': 4.0, 'b': 2.0}}
    """

    keep: str = "max"
    """The score of a document: that of the ``first`` of its chunks that were retrieved, as they stand in the document,
    the ``max`` or the ``sum`` of theirs."""
    separator: str = ""
    """The document's id is what stands before the last of these; an id without one is that of a document."""
    pattern: str = ""
    """A regular expression that matches the whole id; its first group, or the one named document, is the document's."""
    parents: Mapping[str, str] | None = field(default=None, hash=False)
    """{chunk: document}; a chunk that is not in it is an error."""
    source: str = "the table of chunks"
    """What messages call the table."""

    def __post_init__(self) -> None:
        if self.keep not in KEEPS:
            raise SpecError(
                f"collapse keeps {', '.join(KEEPS)}, not {self.keep!r}{did_you_mean(self.keep, list(KEEPS))}"
            )
        given = [name for name in RULES if getattr(self, name)]
        if len(given) > 1:
            raise SpecError(f"the document of a chunk is known by one rule: {' or '.join(given)}")
        for name in ("separator", "pattern"):
            if not isinstance(getattr(self, name), str):
                raise SpecError(f"{name} must be a text, not {getattr(self, name)!r}")
        if self.parents is not None and not self.parents:
            raise DataError(f"{self.source}: empty: no chunk is in it")
        if self.pattern and not self._expression.groups:
            raise SpecError(f"pattern {self.pattern!r} has no group: put the document's id in parentheses, (.*)_[0-9]+")

    @property
    def _expression(self) -> re.Pattern[bytes]:
        try:
            return re.compile(encode(self.pattern))
        except (re.error, RecursionError, OverflowError) as error:
            raise SpecError(f"pattern {self.pattern!r} is no regular expression: {error}") from None

    def __call__(self, run: Run) -> Run:
        """The run of documents; ties between documents are broken as in every run, by their ids."""
        parents, unmarked = self._documents(run)
        codes, firsts, counts = _groups(run, parents)
        if self.keep == "sum":
            scores = np.bincount(codes, weights=run.scores, minlength=len(firsts)).astype(float, copy=False)
        elif self.keep == "max":
            scores = np.full(len(firsts), -np.inf)
            np.maximum.at(scores, codes, run.scores)
        else:
            scores = run.scores[self._first_chunks(run, codes, firsts)]
        offsets = np.zeros(len(run.topics) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        facts: dict[str, Any] = {"lines": len(run), "documents": len(firsts), "keep": self.keep, "unmarked": unmarked}
        negative = self.keep == "sum" and bool((run.scores < 0).any())
        notes = (*run.notes, Note.of("chunks_collapsed", run.name, **facts, negative=negative))
        whole = Run(run.topics, offsets, parents.take(firsts), scores, run.name, notes, run.metadata)
        return whole.validate(run.name)

    def documents_of(self, chunks: Iterable[str]) -> frozenset[str]:
        """The documents of chunks; one that is not in the table has none."""
        if self.parents is not None:
            return frozenset(self.parents[chunk] for chunk in chunks if chunk in self.parents)
        ids = Strings.of(list(chunks))
        if self.separator:
            ids, _ = _before(ids, encode(self.separator))
        elif self.pattern:
            ids, _ = self._matches(ids)
        return frozenset(ids)

    def _documents(self, run: Run) -> tuple[Strings, int]:
        """The document of every line, and how many ids are no chunk's."""
        if self.separator:
            documents, unmarked = _before(run.documents, encode(self.separator))
            what = f"contains {self.separator!r}"
        elif self.pattern:
            documents, unmarked = self._matches(run.documents)
            what = f"matches {self.pattern!r}"
        else:
            return (run.documents if self.parents is None else self._looked_up(run, self.parents)), 0
        if unmarked and unmarked == len(run):
            raise DataError(f"{run.name}: no document id {what}, so none is a chunk's: the first is {run.documents[0]}")
        return documents, unmarked

    def _matches(self, ids: Strings) -> tuple[Strings, int]:
        expression = self._expression
        group: str | int = "document" if "document" in expression.groupindex else 1
        unmarked = 0
        documents: list[str] = []
        for raw in _raw(ids):
            match = expression.fullmatch(raw)
            document = match[group] if match else None
            unmarked += not document
            documents.append(decode(document or raw))
        return Strings.of(documents), unmarked

    def _looked_up(self, run: Run, parents: Mapping[str, str]) -> Strings:
        documents = []
        for topic, chunk, _ in run.rows():
            if chunk not in parents:
                raise DataError(f"{run.name}: chunk {chunk} of topic {topic} has no document in {self.source}")
            documents.append(parents[chunk])
        return Strings.of(documents)

    def _first_chunks(self, run: Run, codes: npt.NDArray[np.int64], firsts: npt.NDArray[np.int64]) -> Any:
        """Of every document the line of the chunk that comes first in it: by the table, else by the numbers in ids."""
        order = {} if self.parents is None else {chunk: i for i, chunk in enumerate(self.parents)}
        best = firsts.copy()
        several = np.bincount(codes, minlength=len(firsts)) > 1
        keys: dict[int, Any] = {}
        for row in np.flatnonzero(several[codes]).tolist():
            chunk = run.documents[row]
            code, key = int(codes[row]), order[chunk] if order else _natural(encode(chunk))
            if code not in keys or key < keys[code]:
                keys[code], best[code] = key, row
        return best

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From settings by name, as a plan has them."""
        known = ("keep", *RULES)
        for name in given:
            if name not in (*known, "source"):
                raise SpecError(f"collapse has no setting {name!r}{did_you_mean(str(name), list(known))}")
        return cls(**given)


def _raw(ids: Strings) -> list[bytes]:
    data = ids.data.tobytes()
    ends = ids.starts + ids.lengths
    return [data[start:end] for start, end in zip(ids.starts.tolist(), ends.tolist(), strict=True)]


def _natural(raw: bytes) -> tuple[tuple[int, int, bytes], ...]:
    """What ids are ordered by: numbers in them as numbers, so that chunk 9 stands before chunk 10."""
    parts = NUMBER.split(raw)
    return tuple((1, int(part), b"") if i % 2 else (0, 0, part) for i, part in enumerate(parts))


def _before(ids: Strings, separator: bytes) -> tuple[Strings, int]:
    """What stands before the last separator of each id, and how many have none; an empty rest is none."""
    data, width = ids.data, len(separator)
    here = np.ones(max(0, len(data) - width + 1), bool)
    for i, byte in enumerate(separator):
        here &= data[i : len(data) - width + 1 + i] == byte
    places = np.flatnonzero(here)
    last = np.searchsorted(places, ids.starts + ids.lengths - width, "right") - 1
    found = places[np.maximum(last, 0)] if len(places) else np.zeros(len(ids), np.int64)
    marked = (last >= 0) & (found > ids.starts)
    lengths = np.where(marked, found - ids.starts, ids.lengths).astype(np.int32)
    return Strings(data, ids.starts, lengths), int((~marked).sum())


def _groups(run: Run, documents: Strings) -> tuple[Any, Any, Any]:
    """Of every line the number of its topic's document; the first line of each, and how many a topic has."""
    raw = _raw(documents)
    codes = np.empty(len(raw), np.int64)
    firsts: list[int] = []
    counts = np.zeros(len(run.topics), np.int64)
    for t in range(len(run.topics)):
        begin, end = int(run.offsets[t]), int(run.offsets[t + 1])
        seen: dict[bytes, int] = {}
        base = len(firsts)
        for row in range(begin, end):
            code = seen.setdefault(raw[row], len(seen))
            if base + code == len(firsts):
                firsts.append(row)
            codes[row] = base + code
        counts[t] = len(seen)
    return codes, np.array(firsts, np.int64), counts
