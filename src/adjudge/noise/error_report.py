"""How wrong a degraded corpus is: error rates with intervals, and the most frequent confusions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.document import Documents
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from .error_rates import Confusion, ErrorCounter, ErrorRates
from .pairing import DocumentPairs


class Total(NamedTuple):
    """A figure of all documents together, with its bootstrap interval."""

    name: str
    figure: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class ErrorReport(Result):
    """Error rates of characters and words, by document and in total, and what is confused with what."""

    rates: ErrorRates
    totals: tuple[Total, ...]
    """cer, wer, intact and, if words were asked for, asked."""
    confusions: tuple[Confusion, ...]
    confidence: float
    unpaired: int
    """True documents without a degraded one."""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        shown = ", ".join(f"{total.name} {total.figure:.4f}" for total in self.totals)
        return f"ErrorReport({len(self.rates.ids):,} documents: {shown})"

    @property
    def cer(self) -> float:
        """The character error rate of all documents together."""
        return self.rates.total_cer

    @property
    def wer(self) -> float:
        """The word error rate of all documents together."""
        return self.rates.total_wer


def report_errors(
    true: Documents,
    degraded: Documents,
    rng: np.random.Generator,
    *,
    case: bool = True,
    asked: Sequence[str] = (),
    confusions: int = 20,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> ErrorReport:
    """Compare true documents with what became of them, matched by id."""
    counter, pairs = ErrorCounter(case=case, asked=asked), DocumentPairs(true, degraded)
    with progress.work("compare_texts", total=true.size, unit="bytes") as step:
        for pair in pairs:
            counter.add(pair.id, pair.true, pair.observed)
            step.reach(true.read, documents=len(counter.rows))
    rates = counter.rates()
    figures = {"cer": rates.total_cer, "wer": rates.total_wer, "intact": rates.intact_share}
    if rates.asked.sum():
        figures["asked"] = rates.asked_share
    totals = tuple(
        Total(name, figure, *rates.interval(rng, of=name, confidence=confidence)) for name, figure in figures.items()
    )
    notes = (*true.notes, *degraded.notes)
    return ErrorReport(rates, totals, tuple(counter.confusions(confusions)), confidence, pairs.unpaired, notes)
