"""Plain files evaluated without arrays: loading numpy takes longer than reading, judging and measuring fifty topics.

The compiled loops that read, rank and judge do it here over arrays of the standard library, block by block
(judged_lines.py), and measures have loops of their own (plain_names.py, native/measuring.c); tests compare them to the
last bit. Whatever is not a plain file of TREC lines that can be evaluated so gives None, and goes the way of all
others, errors included.
"""

from __future__ import annotations

import math

from ..core.encoding import decode, encode
from ..core.kernel import THREADS, native, parts_for, together
from ..formats.raw_file import RawFile, open_raw
from .judged_lines import JudgedLines, JudgmentTables, judge_lines, read_pool, zeros
from .plain_names import FLOOR, PlainColumn, PlainLine

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..core.note import Note
    from .plain_names import Loop

FEW_RUNS = 4
"""Runs for which a second thread does not pay off; each may have threads of its own if it is large."""
MANY = 2000
"""Topics for which a second thread pays off."""


class PlainRun:
    """A run that was judged and measured: topics in byte order, a row of values for each."""

    def __init__(self, name: str, topics: tuple[str, ...], values: list[Sequence[float]]) -> None:
        self.name, self.topics, self.values = name, topics, values
        self.without_relevant: tuple[str, ...] = ()
        self.without_judgments: tuple[str, ...] = ()
        self.missing: tuple[str, ...] = ()
        self.notes: tuple[Note, ...] = ()


class PlainScores:
    """What a table of scores is made from, without arrays: as :class:`Scores`, of which it has what tables ask for."""

    texts: Mapping[str, Any] = {}

    def __init__(
        self,
        systems: Sequence[str],
        topics: Sequence[str],
        columns: Sequence[PlainColumn],
        rows: Sequence[dict[str, Sequence[float]]],
        notes: Sequence[Note] = (),
    ) -> None:
        self.systems, self.topics, self.columns = tuple(systems), tuple(topics), tuple(columns)
        self.rows = rows
        """For each system {topic: values}."""
        self.notes = tuple(notes)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def row(self, system: int, topic: int) -> Sequence[float]:
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


class PlainEvaluation:
    """What trec_eval's lines are printed from, without arrays: as :class:`TrecEvaluation`."""

    texts: Mapping[int, Any] = {}
    unprinted: frozenset[str] = frozenset()
    standardised = False

    def __init__(self, run: str, topics: Sequence[str], lines: Sequence[PlainLine], rows: list[list[float]]) -> None:
        self.run, self.topics, self.lines, self.rows = run, tuple(topics), tuple(lines), rows

    def figure(self, i: int) -> float:
        """The figure over the topics of a line."""
        return figure_of(self.lines[i].average, [row[i] for row in self.rows])


def figure_of(average: str, values: list[float]) -> float:
    """The figure over topics, as the average of that name makes it, to the last bit."""
    if average.startswith("gm"):
        return math.exp(figure_of("mean", [math.log(max(value, FLOOR)) for value in values]))
    total = 0.0
    for value in values:  # one by one: sum() of later Pythons is more exact than trec_eval
        total += value
    return total if average == "sum" else total / len(values)


def scores_of_plain(
    qrels: Any,
    runs: Sequence[tuple[str, Any]],
    columns: Sequence[PlainColumn],
    *,
    level: int = 1,
    complete: bool = False,
) -> PlainScores | None:
    """Scores of plain files, given with the names of their runs, by measures that have loops; None for all else."""
    pool = open_pool(qrels)
    if pool is None or not runs:
        return None
    loops = [column.loop for column in columns]
    parts = min(THREADS, len(runs) // FEW_RUNS + 1)

    def some(part: int) -> list[PlainRun]:
        """Every so manieth run, up to the first that is not plain."""
        own: list[PlainRun] = []
        for name, path in runs[part::parts]:
            result = measure_plain(path, name, pool, loops, level, complete)
            if result is None:
                break
            own.append(result)
        return own

    shares = together(some, parts, arrays=False)
    if sum(map(len, shares)) < len(runs):
        return None
    results = [shares[i % parts][i // parts] for i in range(len(runs))]
    names = [result.name for result in results]
    if len(set(names)) < len(names):
        return None
    topics = sorted({topic for result in results for topic in result.topics}, key=encode)
    rows = [dict(zip(result.topics, result.values, strict=True)) for result in results]
    return PlainScores(names, topics, columns, rows, _notes(columns, results))


def _notes(columns: Sequence[PlainColumn], results: Sequence[PlainRun]) -> Sequence[Note]:
    odd = (run.notes or run.without_relevant or run.without_judgments or run.missing for run in results)
    if not any(odd) and not any(column.average.startswith("gm") for column in columns):
        return ()  # what makes notes takes time to load
    from .score_notes import all_notes, judging_notes

    own = [tuple(judging_notes(run)) for run in results]
    return tuple(all_notes(0, columns, [run.without_relevant for run in results], own))


def evaluate_plain(
    qrels: Any, run: Any, lines: Sequence[PlainLine], *, level: int = 1, complete: bool = False
) -> PlainEvaluation | None:
    """A run evaluated as trec_eval does it, if the files are plain; else None."""
    measured = [(i, line.loop) for i, line in enumerate(lines) if line.loop is not None]
    pool = open_pool(qrels)
    result = pool and measure_plain(run, None, pool, [loop for _, loop in measured], level, complete, odd=False)
    if not result:
        return None
    rows = []
    for values in result.values:
        row = [0.0] * len(lines)
        for (i, _), value in zip(measured, values, strict=True):
            row[i] = value
        rows.append(row)
    return PlainEvaluation(result.name, result.topics, lines, rows)


HEAD = 4096
"""Bytes of judgments in which something shows that they are no lists of numbers, as classic collections have them."""


def open_pool(path: Any) -> JudgmentTables | None:
    """The judgments of a plain file; None for any other."""
    if native("measuring") is None:
        return None
    source = open_raw(path)
    if source is None:
        return None
    words = bytes(source.text[source.begin : source.begin + HEAD]).rpartition(b"\n")[0].split()
    if all(word.lstrip(b"+-").isdigit() or word == b"/" for word in words):
        from ..formats.classic_collections import looks_like_smart_qrels
        from ..formats.source import Source

        if looks_like_smart_qrels(Source(str(path), source.text)):
            return None
    return read_pool(source)


def measure_plain(
    path: Any,
    name: str | None,
    pool: JudgmentTables,
    loops: Sequence[Loop],
    level: int,
    complete: bool,
    *,
    odd: bool = True,
) -> PlainRun | None:
    """One run, read, judged and measured; ``odd`` says whether what is odd about it is looked for."""
    source = open_raw(path)
    if source is None or source.text[source.begin : source.begin + 1] == b"#":
        return None
    run = judge_lines(source, pool)
    if run is None:
        return None
    there = {topic: t for t, topic in enumerate(run.topics) if run.which[t] >= 0}
    missing = sorted(topic for topic in pool.topics if topic not in there)
    topics = sorted([*there, *(missing if complete else ())])
    if not there:
        return None
    values = _values(run, pool, topics, there, (*loops, ("num_rel", math.inf)), max(level, 0))
    relevant = values.pop()
    names = tuple(decode(topic) for topic in topics)
    called = name or (decode(run.tag) if run.tag else None)
    if called is None:
        return None
    result = PlainRun(called, names, list(zip(*values, strict=True)))
    found = zip(names, topics, relevant, strict=True)
    result.without_relevant = tuple(name for name, topic, R in found if not R and topic in there)
    result.without_judgments = tuple(decode(topic) for topic in run.topics if topic not in there)
    result.missing = tuple(decode(topic) for topic in missing)
    if odd:
        result.notes = _odd(source, run, called)
    return result


def _values(
    run: JudgedLines,
    pool: JudgmentTables,
    topics: list[bytes],
    there: dict[bytes, int],
    loops: Sequence[Loop],
    level: int,
) -> list[list[float]]:
    """The values of each loop for each topic."""
    size = len(topics)
    firsts, counts, retrieved, judged = zeros("q", size), zeros("i", size), zeros("q", size), zeros("i", size)
    for place, topic in enumerate(topics):
        judged[place] = pool.position[topic]
        t = there.get(topic)
        if t is not None:
            firsts[place], counts[place], retrieved[place] = run.firsts[t], run.counts[t], run.retrieved[t]
    parts = parts_for(size, MANY)
    cuts = [size * part // parts for part in range(parts + 1)]
    out = [zeros("d", size) for _ in loops]
    measuring = native("measuring")

    def some(part: int) -> None:
        table = [memoryview(column)[cuts[part] : cuts[part + 1]] for column in (firsts, counts, retrieved, judged)]
        for (name, number), values in zip(loops, out, strict=True):
            place = memoryview(values)[cuts[part] : cuts[part + 1]]
            measuring.values(name, number, level, *table, run.ranks, run.grades, pool.offsets, pool.grades, place)

    together(some, parts, arrays=False)
    return [values.tolist() for values in out]


def _odd(source: RawFile, run: JudgedLines, name: str) -> tuple[Note, ...]:
    """Notes on ranks that contradict scores, and on topics whose documents all have the same score."""
    from ..formats.rank_check import contradicted, contradiction

    if not run.tied and contradicted(source) is None:
        return ()
    from ..core.note import Note

    ties = (Note.of("topics_all_tied", name, topics=run.tied),) if run.tied else ()
    return (*contradiction(source, name), *ties)
