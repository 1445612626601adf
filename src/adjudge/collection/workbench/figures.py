"""How far people agree, decision by decision: what the page of agreement shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ..qa.agreement import alpha, kappa
from .board import Board
from .events import ANSWERED, CLEAR, DIRECTNESS_OF, LABEL, TOTALITY_OF, label_of

MOST_PAIRS = 10
NAMES = {
    CLEAR: "clear and not broad",
    ANSWERED: "answered by the documents",
    LABEL: "prelude, query or neither",
    "micro-topic": "micro-topic of a query sentence",
    TOTALITY_OF: "totality",
    DIRECTNESS_OF: "directness",
}


@dataclass(frozen=True)
class AgreementRow:
    """One kind of decision."""

    name: str
    items: int
    """Decided by two people or more."""
    alike: int
    """By all in the same way."""
    alpha: float
    kappas: tuple[tuple[float, int], ...]
    """Cohen's kappa and the number of items of each pair, in the order of the pairs."""


@dataclass(frozen=True)
class Figures:
    threads: int
    pairs: tuple[tuple[str, str], ...]
    more_pairs: int
    rows: tuple[AgreementRow, ...]


def figures(board: Board) -> Figures:
    """Agreement over all threads that two people or more have finished."""
    units: dict[str, list[dict[str, str]]] = {kind: [] for kind in NAMES}
    threads = 0
    for thread in board.candidates:
        if board.untouched(thread):
            continue
        threads += len(board.finished(thread)) > 1
        for item, by_name in board.compared(thread):
            if item.kind != LABEL:
                units[item.kind].append(by_name)
                continue
            units[LABEL].append({name: label_of(value)[0] for name, value in by_name.items()})
            asked = {name: value for name, value in by_name.items() if label_of(value)[1]}
            if len(asked) > 1:
                units["micro-topic"].append(asked)
    names = sorted({name for some in units.values() for by_name in some for name in by_name})
    pairs = tuple(combinations(names, 2))
    rows = tuple(_row(NAMES[kind], some, pairs[:MOST_PAIRS]) for kind, some in units.items() if some)
    return Figures(threads, pairs[:MOST_PAIRS], max(0, len(pairs) - MOST_PAIRS), rows)


def _row(name: str, units: list[dict[str, str]], pairs: tuple[tuple[str, str], ...]) -> AgreementRow:
    kappas = []
    for first_name, other in pairs:
        both = [
            (by_name[first_name], by_name[other]) for by_name in units if first_name in by_name and other in by_name
        ]
        first, second = [a for a, _ in both], [b for _, b in both]
        kappas.append((kappa(first, second), len(both)))
    alike = sum(len(set(by_name.values())) == 1 for by_name in units)
    overall = alpha([list(by_name.values()) for by_name in units])
    return AgreementRow(name, len(units), alike, overall, tuple(kappas))
