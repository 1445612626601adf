"""Small files evaluated without arrays: loading numpy takes longer than reading, judging and measuring fifty topics.

The compiled loops that read, rank and judge large runs do it here too, over arrays of the standard library, and each
measure says which loop gives its values (``Measure.loop``); tests compare them to the last bit. Whatever is not a plain
file of TREC lines that can be evaluated so gives None, and goes the way of all others, errors included.
"""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..core.average import averages
from ..core.errors import AdjudgeError
from ..core.judging import USUAL, Judging
from ..core.kernel import native
from ..core.measure import GEOMETRIC_MEAN, Measure
from ..core.note import Note
from ..core.scores import Column
from ..core.strings import decode, encode
from ..core.table import slots_for
from ..formats.classic_collections import looks_like_smart_qrels
from ..formats.rank_check import contradiction
from ..formats.source import (
    NamedPath,
    Source,
    header_separator,
    looks_like_json,
    looks_like_parquet,
    open_source,
)
from ..formats.trec_columns import QRELS, RUN, Shape
from .score_columns import all_notes, columns, distinct_names, judging_notes
from .trec_lines import Line, requested_lines

GEOMETRIC = "gm"
AVERAGES = ("mean", "sum", GEOMETRIC_MEAN)
LARGEST = 16 << 20
"""Bytes of a file from which on arrays pay off."""

Loops = Sequence[tuple[str, float]]


class Lines(NamedTuple):
    """The lines of a file: topics with the rows of each, ids of documents in one piece, and numbers."""

    topics: list[bytes]
    offsets: Any
    ids: Any
    starts: Any
    lengths: Any
    numbers: Any
    tag: bytes | None

    @property
    def sizes(self) -> list[int]:
        return [after - before for before, after in zip(self.offsets, self.offsets[1:], strict=False)]


class Judgments(NamedTuple):
    """Judgments with hash tables of their documents, as the loop that judges takes them."""

    lines: Lines
    grades: Any
    slots: Any
    slot_offsets: Any
    position: dict[bytes, int]


@dataclass(frozen=True)
class SmallRun:
    """A run that was judged and measured: topics in byte order, a row of values for each."""

    name: str
    topics: tuple[str, ...]
    values: list[list[float]]
    without_relevant: tuple[str, ...]
    without_judgments: tuple[str, ...]
    missing: tuple[str, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class SmallScores:
    """What a table of scores is made from, without arrays: as :class:`Scores`, of which it has what tables ask for."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[dict[str, list[float]], ...]
    """For each system {topic: values}."""
    notes: tuple[Note, ...] = ()
    texts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def row(self, system: int, topic: int) -> list[float]:
        """The values of a system on a topic, NaN where it has none."""
        return self.rows[system].get(self.topics[topic]) or [math.nan] * len(self.columns)

    def summary(self) -> dict[str, dict[str, float]]:
        """{system: {measure: figure}}, by each measure's own average."""
        return {
            system: {
                column.name: figure_of(column.average, [rows[topic][m] for topic in self.topics if topic in rows])
                for m, column in enumerate(self.columns)
            }
            for system, rows in zip(self.systems, self.rows, strict=True)
        }

    def per_topic(self, system: str) -> dict[str, dict[str, float]]:
        """{topic: {measure: value}} of one system."""
        rows = self.rows[self.systems.index(system)]
        return {topic: dict(zip(self.measures, rows[topic], strict=True)) for topic in self.topics if topic in rows}


@dataclass(frozen=True)
class SmallTrecEvaluation:
    """What trec_eval's lines are printed from, without arrays: as :class:`TrecEvaluation`."""

    run: str
    topics: tuple[str, ...]
    lines: tuple[Line, ...]
    rows: list[list[float]]
    texts: Mapping[int, Any] = field(default_factory=dict)
    unprinted: frozenset[str] = frozenset()
    standardised: bool = False

    def figure(self, i: int) -> float:
        """The figure over the topics of a line."""
        return figure_of(self.lines[i].average, [row[i] for row in self.rows])


def figure_of(average: str, values: list[float]) -> float:
    """The figure over topics, as the average of that name makes it, to the last bit."""
    if average.startswith(GEOMETRIC):
        floor: float = getattr(averages.parse(average), "floor")  # noqa: B009  not every average has one
        return math.exp(figure_of("mean", [math.log(max(value, floor)) for value in values]))
    total = 0.0
    for value in values:  # one by one: sum() of later Pythons is more exact than trec_eval
        total += value
    return total if average == "sum" else total / len(values)


def loops_of(measures: Sequence[Measure], judging: Judging) -> Loops | None:
    """The compiled loops for measures; None if one has none, or if runs are judged in another way than usual."""
    usual = replace(USUAL, level=judging.level, complete=judging.complete, collection_size=judging.collection_size)
    if judging != usual or native("measuring") is None:
        return None
    loops = [measure.loop() for measure in measures]
    return None if None in loops else [loop for loop in loops if loop is not None]


def scores_of_small(
    qrels: Any, runs: Sequence[Any], specs: Sequence[str], judging: Judging, names: str | None = None
) -> SmallScores | None:
    """Scores of small plain files by measures that have loops; None for all else."""
    wanted = columns(specs, names)
    loops = loops_of([component for _, component in wanted], judging)
    if loops is None or any(column.average not in AVERAGES for column, _ in wanted):
        return None
    judgments = read_judgments(qrels)
    if judgments is None:
        return None
    results: list[SmallRun] = []
    for run in runs:
        result = measure_small(run, judgments, loops, judging)
        if result is None:
            return None
        results.append(result)
    if not results:
        return None
    topics = sorted({topic for result in results for topic in result.topics}, key=encode)
    notes = all_notes(
        0,
        [column for column, _ in wanted],
        [result.without_relevant for result in results],
        [tuple(judging_notes(result)) for result in results],
    )
    return SmallScores(
        tuple(distinct_names([result.name for result in results], list(runs))),
        tuple(topics),
        tuple(column for column, _ in wanted),
        tuple(dict(zip(result.topics, result.values, strict=True)) for result in results),
        tuple(notes),
    )


def evaluate_small(
    qrels: Any, run: Any, measures: Sequence[str], judging: Judging, **more: Any
) -> SmallTrecEvaluation | None:
    """A run evaluated as trec_eval does it, if it is a small plain file and the measures have loops; else None."""
    if more:
        return None
    lines = requested_lines(measures, judging.trec_version)
    measured = [i for i, line in enumerate(lines) if line.measure is not None]
    loops = loops_of([line.measure for line in lines if line.measure is not None], judging)
    if loops is None or any(line.text or line.grouped for line in lines):
        return None
    judgments = read_judgments(qrels)
    result = None if judgments is None else measure_small(run, judgments, loops, judging)
    if result is None:
        return None
    rows = []
    for values in result.values:
        row = [0.0] * len(lines)
        for i, value in zip(measured, values, strict=True):
            row[i] = value
        rows.append(row)
    return SmallTrecEvaluation(result.name, result.topics, tuple(lines), rows)


def zeros(kind: str, length: int) -> Any:
    """An array of the standard library, which the compiled loops take as they take numpy's."""
    return array(kind, bytes(length * array(kind).itemsize))


def read_lines(source: Source, shape: Shape) -> Lines | None:
    """The lines of a file that has nothing but lines, topic after topic; None for any other."""
    text, begin = source.text, source.begin
    if text[-1:] != b"\n":
        text = bytes(text) + b"\n"
    loops = native("lines")
    rows = loops.count_lines(text, begin, len(text))
    ids, starts, lengths, numbers = bytearray(len(text)), zeros("q", rows), zeros("i", rows), zeros("d", rows)
    scanned = loops.scan(text, begin, len(text), shape.numbers, ids, begin, starts, lengths, numbers, 0)
    count, topics, firsts, codes, skipped, tag, fault = scanned
    if fault[0] or skipped or not count or len(topics) != len(codes) // array("i").itemsize:
        return None
    offsets = array("q", firsts)
    offsets.append(count)
    return Lines(topics, offsets, ids, starts, lengths, numbers, tag)


def open_plain(path: Any) -> Source | None:
    """A file that may have lines of TREC; None for what is too large or something else."""
    if not isinstance(path, str | os.PathLike) or not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
        return None
    source = open_source(path)
    if header_separator(source) or looks_like_json(source) or looks_like_parquet(source):
        return None
    return source


def read_judgments(path: Any) -> Judgments | None:
    source = open_plain(path)
    if source is None or looks_like_smart_qrels(source):
        return None
    lines = read_lines(source, QRELS)
    if lines is None:
        return None
    slot_offsets = array("q", [0])
    for rows in lines.sizes:
        slot_offsets.append(slot_offsets[-1] + slots_for(rows))
    slots = zeros("i", slot_offsets[-1])
    twice = native("judging").index(
        lines.ids, lines.starts, lines.lengths, lines.offsets, slots, slot_offsets, 0, len(lines.topics)
    )
    if twice is not None:
        return None
    position = {topic: number for number, topic in enumerate(lines.topics)}
    return Judgments(lines, array("i", map(int, lines.numbers)), slots, slot_offsets, position)


LONG = 3
"""Documents of a list in which equal scores are odd, as for :class:`adjudge.core.run.Run`."""


def _odd(source: Source, run: Lines, name: str) -> tuple[Note, ...]:
    """Notes on ranks that contradict scores, and on topics whose documents all have the same score."""
    tied = []
    for topic, first, end in zip(run.topics, run.offsets, run.offsets[1:], strict=False):
        if end - first >= LONG and run.numbers[first] == run.numbers[end - 1]:
            scores = run.numbers[first:end]
            if min(scores) == max(scores):
                tied.append(decode(topic))
    ties = (Note.of("topics_all_tied", name, topics=tied),) if tied else ()
    return (*contradiction(source, name), *ties)


def measure_small(path: Any, judgments: Judgments, loops: Loops, judging: Judging) -> SmallRun | None:
    """One run, read, judged and measured."""
    try:
        source = open_plain(path)
    except AdjudgeError:  # which is said where all runs are looked at
        return None
    run = None if source is None else read_lines(source, RUN)
    if source is None or run is None:
        return None
    judged, number = judgments.lines, len(run.topics)
    compiled = native("judging")
    scratch = zeros("i", slots_for(max(run.sizes)))
    if compiled.index(run.ids, run.starts, run.lengths, run.offsets, scratch, None, 0, number) is not None:
        return None
    which = array("i", [judgments.position.get(topic, -1) for topic in run.topics])
    pools = judged.sizes
    places = array("q", [0])
    for topic, rows in zip(which, run.sizes, strict=True):
        places.append(places[-1] + (min(rows, pools[topic]) if topic >= 0 else 0))
    ranks, grades, counts = zeros("i", places[-1]), zeros("i", places[-1]), zeros("i", number)
    compiled.judge(
        *(run.ids, run.starts, run.lengths, run.numbers, run.offsets, which),
        *(judged.ids, judged.starts, judged.lengths, judgments.grades, judged.offsets),
        *(judgments.slots, judgments.slot_offsets, ranks, grades, places, counts, False, 0, number),
    )
    there = {topic: t for t, topic in enumerate(run.topics) if which[t] >= 0}
    missing = sorted(topic for topic in judged.topics if topic not in there)
    topics = sorted([*there, *(missing if judging.complete else ())])
    if not topics or not there:
        return None
    sizes = run.sizes
    own = [there.get(topic) for topic in topics]
    table = (
        array("q", [0 if t is None else places[t] for t in own]),
        array("i", [0 if t is None else counts[t] for t in own]),
        array("q", [0 if t is None else sizes[t] for t in own]),
        array("i", [judgments.position[topic] for topic in topics]),
    )
    level = max(judging.level, 0)
    values = []
    out = zeros("d", len(topics))
    for name, parameter in (*loops, ("num_rel", math.inf)):
        native("measuring").values(name, parameter, level, *table, ranks, grades, judged.offsets, judgments.grades, out)
        values.append(out.tolist())
    relevant = values.pop()
    names = tuple(decode(topic) for topic in topics)
    named = path.run_name if isinstance(path, NamedPath) else None
    tag = None if run.tag is None else decode(run.tag)
    called = named or tag or source.stem
    return SmallRun(
        name=called,
        notes=_odd(source, run, called),
        topics=names,
        values=[list(row) for row in zip(*values, strict=True)],
        without_relevant=tuple(
            name for name, topic, R in zip(names, topics, relevant, strict=True) if not R and topic in there
        ),
        without_judgments=tuple(decode(topic) for topic in run.topics if topic not in there),
        missing=tuple(decode(topic) for topic in missing),
    )
