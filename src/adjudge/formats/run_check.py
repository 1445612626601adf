"""A run looked at as the script of an organiser does: all that is wrong with it, with the line, not the first only."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..core.errors import DataError, FileAccessError, MissingFileError
from ..core.result import Result
from ..core.strings import decode
from .source import open_source

TAG = re.compile(rb"[A-Za-z0-9_.+-]{1,24}")
"""What a tag may be: TREC asks for letters, digits and a few signs, and no more than 24 of them."""
WHOLE = re.compile(rb"[+-]?\d+")
GRAVE = {
    *("columns", "number", "rank", "second_column", "tag", "tags", "duplicate", "order", "rank_twice"),
    *("unknown_topic", "unknown_document", "too_many", "empty", "apart", "unreadable"),
}
"""Kinds for which a run is refused; the others are worth knowing."""


@dataclass(frozen=True)
class RunIssue:
    """Something about a run: what kind of thing, where, and the facts of it."""

    kind: str
    line: int = 0
    topic: str = ""
    document: str = ""
    count: int = 0
    text: str = ""

    @property
    def grave(self) -> bool:
        """Whether a run with it is refused."""
        return self.kind in GRAVE


@dataclass(frozen=True)
class RunCheck(Result):
    """What was found in a run."""

    source: str
    tag: str
    lines: int
    topics: int
    issues: tuple[RunIssue, ...]

    @property
    def fine(self) -> bool:
        """Whether the run can be accepted."""
        return not any(issue.grave for issue in self.issues)


def check_run(
    source: Any,
    *,
    topics: Collection[str] | None = None,
    documents: Collection[str] | None = None,
    most: int = 1000,
    least: int = 1,
) -> RunCheck:
    """Look at a run in TREC's six columns, with the topics and documents that there are, if they are known."""
    try:
        opened = open_source(source)
    except (MissingFileError, FileAccessError):
        raise
    except DataError as error:  # empty or damaged: the run is refused, and others are looked at all the same
        name = os.fspath(source) if isinstance(source, str | os.PathLike) else "stream"
        why = str(error).removeprefix(f"{name}: ")
        return RunCheck(name, "", 0, 0, (RunIssue("unreadable", text=why),))
    try:
        checker = _Checker(topics, documents, most, least)
        for number, line in enumerate(opened.whole().split(b"\n"), 1):
            checker.look_at(number, line)
    finally:
        opened.close()
    issues = tuple(sorted(checker.end(), key=lambda issue: (issue.line == 0, issue.line)))
    return RunCheck(opened.name, decode(checker.tag), checker.lines, len(checker.counts), issues)


class _Checker:
    def __init__(
        self, topics: Collection[str] | None, documents: Collection[str] | None, most: int, least: int
    ) -> None:
        self.topics, self.documents, self.most, self.least = topics, documents, most, least
        self.tag, self.lines = b"", 0
        self.issues: list[RunIssue] = []
        self.counts: dict[bytes, int] = {}
        self.seen: dict[tuple[bytes, bytes], int] = {}
        self.ranks: dict[tuple[bytes, int], int] = {}
        self.rows: dict[bytes, list[tuple[int, float, int]]] = {}
        self.tied: dict[bytes, int] = {}
        self.previous = b""

    def add(self, kind: str, line: int = 0, **facts: Any) -> None:
        self.issues.append(RunIssue(kind, line, **facts))

    def look_at(self, number: int, line: bytes) -> None:
        fields = line.split()
        if not fields:
            return
        self.lines += 1
        if len(fields) != 6:
            self.add("columns", number, count=len(fields), text=decode(line[:80].strip()))
            return
        topic, second, document, rank, score, tag = fields
        name, id_ = decode(topic), decode(document)
        if second.upper() != b"Q0":
            self.add("second_column", number, text=decode(second))
        if not TAG.fullmatch(tag):
            self.add("tag", number, text=decode(tag))
        if self.tag and tag != self.tag:
            self.add("tags", number, text=decode(tag))
        self.tag = self.tag or tag
        if topic != self.previous and topic in self.counts:
            self.add("apart", number, topic=name)
        self.previous = topic
        self.counts[topic] = self.counts.get(topic, 0) + 1
        if self.counts[topic] == 1 and self.topics is not None and name not in self.topics:
            self.add("unknown_topic", number, topic=name)
        if self.documents is not None and id_ not in self.documents:
            self.add("unknown_document", number, topic=name, document=id_)
        before = self.seen.setdefault((topic, document), number)
        if before != number:
            self.add("duplicate", number, topic=name, document=id_, count=before)
        self._figures(number, topic, rank, score)

    def _figures(self, number: int, topic: bytes, rank: bytes, score: bytes) -> None:
        name = decode(topic)
        try:
            value = float(score)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.add("number", number, text=decode(score))
            return
        if not WHOLE.fullmatch(rank) or not 0 <= int(rank) < 10**9:
            self.add("rank", number, text=decode(rank))
            return
        place = int(rank)
        before = self.ranks.setdefault((topic, place), number)
        if before != number:
            self.add("rank_twice", number, topic=name, count=before, text=decode(rank))
            return
        self.rows.setdefault(topic, []).append((place, value, number))

    def end(self) -> Iterator[RunIssue]:
        """All issues, with those that only the whole run shows."""
        if not self.lines:
            self.add("empty")
        for topic, rows in self.rows.items():
            name = decode(topic)
            ordered = sorted(rows)
            for (_, high, _), (place, low, line) in pairwise(ordered):
                if low > high:
                    self.add("order", line, topic=name, text=str(place))
            scores = [score for _, score, _ in rows]
            if ties := len(scores) - len(set(scores)):
                self.add("ties", topic=name, count=ties)
        for topic, count in self.counts.items():
            if count > self.most:
                self.add("too_many", topic=decode(topic), count=count)
            if count < self.least:
                self.add("too_few", topic=decode(topic), count=count)
        if self.topics is not None and self.lines:
            own = {decode(topic) for topic in self.counts}
            for name in self.topics:
                if name not in own:
                    self.add("missing_topic", topic=name)
        yield from self.issues
