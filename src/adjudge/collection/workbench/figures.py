"""How far people agree, decision by decision: what the page of agreement shows.

Decisions are counted by who said what, so that a change to one thread changes a few counts. Threads are dealt to fifty
groups; leaving out a group at a time tells how sure a coefficient is (a jackknife over threads, for decisions on one
thread hang together).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from threading import Lock
from zlib import crc32

from ..qa.agreement import kappa_of
from .board import Board
from .events import ADDED, ANSWERED, CLEAR, CONFIRMED, DIRECTNESS_OF, LABEL, TOTALITY_OF, label_of

MOST_PAIRS = 10
GROUPS = 50
MICRO_TOPIC = "micro-topic"
NAMES = {
    CLEAR: "clear and not broad",
    ANSWERED: "answered by the documents",
    CONFIRMED: "confirmed by the asker",
    LABEL: "prelude, query or neither",
    MICRO_TOPIC: "micro-topics of a query sentence",
    ADDED: "documents added by hand",
    TOTALITY_OF: "totality",
    DIRECTNESS_OF: "directness",
}
UNCOUNTED = frozenset({MICRO_TOPIC, ADDED})
"""Kinds whose confusions say little: numbers, and documents that somebody did not think of."""

Pattern = tuple[tuple[str, str], ...]
"""(name, value) of everybody who decided on an item."""
Counted = dict[str, Counter[Pattern]]
"""{kind: how many items were decided so}."""


@dataclass(frozen=True)
class DecisionConfusion:
    """How often two people said this and that of one item, whoever they were."""

    values: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """Symmetric: a pair that differs stands in two cells."""


@dataclass(frozen=True)
class AgreementRow:
    """One kind of decision."""

    name: str
    items: int
    """Decided by two people or more."""
    alike: int
    """By all in the same way."""
    alpha: float
    interval: tuple[float, float]
    """95 % of alpha; NaN where it is not defined."""
    kappas: tuple[tuple[float, int], ...]
    """Cohen's kappa and the number of items of each pair, in the order of the pairs."""
    confusion: DecisionConfusion | None


@dataclass(frozen=True)
class Figures:
    threads: int
    pairs: tuple[tuple[str, str], ...]
    more_pairs: int
    rows: tuple[AgreementRow, ...]


def figures(board: Board) -> Figures:
    """Agreement over all threads that two people or more have finished, for who asks once."""
    return AgreementTally(board).figures()


class AgreementTally:
    """Counts what people said, and counts anew only the threads that changed."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._seen = 0
        self._of: dict[str, list[tuple[str, Pattern]]] = {}
        self._known: dict[Pattern, Pattern] = {}
        self._groups: list[Counted] = [{kind: Counter() for kind in NAMES} for _ in range(GROUPS)]
        self._made: tuple[int, Figures] | None = None
        self._lock = Lock()

    def figures(self) -> Figures:
        with self._lock:  # two requests at once must not count a thread twice
            length = len(self.board.changed)
            if self._made is None or self._made[0] != length:
                for thread in dict.fromkeys(self.board.changed[self._seen : length]):
                    self._count(thread)
                self._seen = length
                self._made = (length, _figures(len(self._of), self._groups))
            return self._made[1]

    def _count(self, thread: str) -> None:
        group = self._groups[crc32(thread.encode("utf-8", "replace")) % GROUPS]
        for kind, pattern in self._of.pop(thread, ()):
            group[kind][pattern] -= 1
            if not group[kind][pattern]:
                del group[kind][pattern]
        if len(self.board.finished(thread)) < 2:
            return
        said = [(kind, self._known.setdefault(pattern, pattern)) for kind, pattern in _patterns(self.board, thread)]
        for kind, pattern in said:
            group[kind][pattern] += 1
        self._of[thread] = said


def _patterns(board: Board, thread: str) -> Iterator[tuple[str, Pattern]]:
    for item, by_name in board.compared(thread):
        if item.kind != LABEL:
            yield item.kind, tuple(sorted(by_name.items()))
            continue
        yield LABEL, tuple(sorted((name, label_of(value)[0]) for name, value in by_name.items()))
        asked = {name: value for name, value in by_name.items() if label_of(value)[1]}
        if len(asked) > 1:
            yield MICRO_TOPIC, tuple(sorted(asked.items()))


def _figures(threads: int, groups: list[Counted]) -> Figures:
    whole = {kind: sum((group[kind] for group in groups), Counter()) for kind in NAMES}
    names = sorted({name for counts in whole.values() for pattern in counts for name, _ in pattern})
    pairs = tuple(combinations(names, 2))
    rows = tuple(
        _row(kind, whole[kind], [group[kind] for group in groups], pairs[:MOST_PAIRS]) for kind in NAMES if whole[kind]
    )
    return Figures(threads, pairs[:MOST_PAIRS], max(0, len(pairs) - MOST_PAIRS), rows)


def _row(
    kind: str, counts: Counter[Pattern], groups: list[Counter[Pattern]], pairs: tuple[tuple[str, str], ...]
) -> AgreementRow:
    alike = sum(number for pattern, number in counts.items() if len({value for _, value in pattern}) == 1)
    return AgreementRow(
        NAMES[kind],
        counts.total(),
        alike,
        AlphaParts.of(counts).alpha,
        _interval(groups),
        tuple(_kappa(counts, *pair) for pair in pairs),
        None if kind in UNCOUNTED else _confusion(counts),
    )


def _kappa(counts: Mapping[Pattern, int], first: str, second: str) -> tuple[float, int]:
    both: Counter[tuple[str, str]] = Counter()
    for pattern, number in counts.items():
        said = dict(pattern)
        if first in said and second in said:
            both[said[first], said[second]] += number
    return kappa_of(both), both.total()


@dataclass(frozen=True)
class AlphaParts:
    """What Krippendorff's alpha is made of; that of several groups is the sum of theirs."""

    observed: float
    values: Counter[str]

    @classmethod
    def of(cls, counts: Mapping[Pattern, int]) -> AlphaParts:
        observed, values = 0.0, Counter[str]()
        for pattern, number in counts.items():
            here = Counter(value for _, value in pattern)
            size = len(pattern)
            observed += number * (size * size - sum(n * n for n in here.values())) / (size - 1)
            for value, n in here.items():
                values[value] += n * number
        return cls(observed, values)

    def without(self, group: AlphaParts) -> AlphaParts:
        return AlphaParts(self.observed - group.observed, self.values - group.values)

    @property
    def alpha(self) -> float:
        total = self.values.total()
        expected = total * total - sum(n * n for n in self.values.values())
        return math.nan if not expected else 1 - (total - 1) * self.observed / expected


def _interval(groups: list[Counter[Pattern]]) -> tuple[float, float]:
    """95 % of alpha by leaving out one group of threads at a time."""
    from scipy.special import stdtrit

    spreads = [AlphaParts.of(counts) for counts in groups if counts]
    whole = AlphaParts(sum(each.observed for each in spreads), sum((each.values for each in spreads), Counter()))
    without = [whole.without(each).alpha for each in spreads]
    number = len(without)
    if number < 3 or any(map(math.isnan, without)):
        return math.nan, math.nan
    mean = math.fsum(without) / number
    variance = (number - 1) / number * math.fsum((value - mean) ** 2 for value in without)
    reach = float(stdtrit(number - 1, 0.975)) * math.sqrt(variance)
    return max(-1.0, whole.alpha - reach), min(1.0, whole.alpha + reach)


def _confusion(counts: Mapping[Pattern, int]) -> DecisionConfusion:
    cells: Counter[tuple[str, str]] = Counter()
    for pattern, number in counts.items():
        for (_, one), (_, other) in combinations(pattern, 2):
            cells[one, other] += number
            if one != other:
                cells[other, one] += number
    order = {value: n for n, value in enumerate(ORDER)}
    values = sorted({value for pair in cells for value in pair}, key=lambda value: (order.get(value, 99), value))
    return DecisionConfusion(tuple(values), tuple(tuple(cells[one, other] for other in values) for one in values))


ORDER = ("yes", "no", "prelude", "query", "neither", "total", "partial", "unrelated", "direct", "indirect")
