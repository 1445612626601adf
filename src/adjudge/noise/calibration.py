"""Calibration: by how much must pages be reduced for an engine to get so many characters wrong?

A sample of pages is scanned once, and the same pages are then read at one factor after the other: first in coarse
steps until the error rate passes the target, then by bisection. Rates of a few pages are noisy and need not grow at
every step, so what is found is a factor that was tried, with the rate that was measured there and its interval.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..core.document import Document, Documents
from ..core.errors import DataError, SpecError
from ..core.progress import SILENT, Listener
from ..core.result import Result
from .crew import Crew
from .degrader import Degraded, Degrader
from .pages.typesetting import PageLayout, typeset
from .scanner import Scanner

LADDER = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 16.0)
"""Factors that are tried until the rate passes the target."""
CLOSE = 0.01
"""Bisection ends when the rate is so near the target, as a share of it …"""
NARROW = 1.002
"""… or when the factors on either side of it differ so little."""
SAMPLES = 2000

EXPECTED = 14
"""Factors that are tried for one target, about."""


class Page(NamedTuple):
    """One page of a document, its number counted from 0."""

    document: str
    number: int
    lines: list[str]


@dataclass(frozen=True)
class Measurement:
    """What was read at one factor: edits and characters of each page that could be read."""

    factor: float
    edits: tuple[int, ...]
    characters: tuple[int, ...]
    failures: tuple[str, ...] = ()

    @property
    def cer(self) -> float:
        """The character error rate of all pages together."""
        return sum(self.edits) / sum(self.characters)

    def interval(self, rng: np.random.Generator, confidence: float = 0.95) -> tuple[float, float]:
        """A bootstrap interval of the rate, pages drawn with replacement; NaN for fewer than two pages."""
        edits, characters = np.array(self.edits), np.array(self.characters)
        if len(edits) < 2:
            return math.nan, math.nan
        drawn = rng.integers(0, len(edits), (SAMPLES, len(edits)))
        rates = edits[drawn].sum(axis=1) / characters[drawn].sum(axis=1)
        low, high = np.quantile(rates, [(1 - confidence) / 2, (1 + confidence) / 2])
        return float(low), float(high)


@dataclass(frozen=True)
class Calibrated:
    """The factor that came nearest to a target, and what was measured there."""

    engine: str
    target: float
    factor: float
    cer: float
    low: float
    high: float
    pages: int
    evaluations: int
    """Factors that were tried for all targets together."""
    unreached: str = ""
    """Why the target cannot be reached, if it cannot; the factor is then the one that comes nearest."""
    failures: tuple[str, ...] = ()
    """Pages that could not be read at this factor; they do not count."""
    curve: tuple[tuple[float, float], ...] = ()
    """All factors that were tried, with their rates."""


@dataclass(frozen=True)
class Calibrations(Result, Sequence[Calibrated]):
    """The factor for each engine and each target error rate."""

    rows: tuple[Calibrated, ...]
    confidence: float

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        return self.rows[key]

    def __iter__(self) -> Iterator[Calibrated]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def unreached(self) -> bool:
        """Whether a target cannot be reached."""
        return any(row.unreached for row in self.rows)


def sample_pages(documents: Documents, layout: PageLayout, pages: int, rng: np.random.Generator) -> list[Page]:
    """So many pages from all over the corpus, in one pass: a page each of documents drawn by their length.

    So every page has about the same chance. A corpus with fewer documents gives several pages of each.
    """
    if pages < 1:
        raise SpecError(f"a sample needs 1 page or more, not {pages}")
    from heapq import heappush, heappushpop

    heap: list[tuple[float, int, Document]] = []  # the largest keys u^(1/weight), as logarithms (Efraimidis, Spirakis)
    for place, document in enumerate(documents):
        if document.text.strip():
            key = -float(rng.exponential()) / len(document.text)
            if len(heap) < pages:
                heappush(heap, (key, place, document))
            else:
                heappushpop(heap, (key, place, document))
    if not heap:
        raise DataError("no document has a text: nothing to calibrate with")
    chosen: list[Page] = []
    several = len(heap) < pages
    for _, _, document in sorted(heap, key=lambda item: item[1]):
        own = [Page(document.id, n, lines) for n, lines in enumerate(typeset(document.text, layout)) if any(lines)]
        chosen += own if several else [own[int(rng.integers(len(own)))]]
    if len(chosen) > pages:
        chosen = [chosen[n] for n in np.sort(rng.choice(len(chosen), pages, replace=False))]
    return chosen


@lru_cache(maxsize=256)
def _scan(scanner: Scanner, document: str, number: int, lines: tuple[str, ...]) -> tuple[Any, int]:
    """A page at full size and its width, a bit a dot: bytes would be eight times as many."""
    page = scanner.page(document, number, list(lines))
    return np.packbits(page, axis=1), page.shape[1]


@dataclass(frozen=True)
class _Reader(Degrader):
    """Reads single pages, each at the factor that its title says beside the document and the number of the page."""

    scanner: Scanner

    def degrade(self, document: Document) -> Degraded:
        from .engines.engine import PageFailure

        of, number, factor = json.loads(document.title)
        packed, width = _scan(self.scanner, of, number, tuple(document.text.split("\n")))
        page = np.unpackbits(packed, axis=1, count=width).view(np.bool_)
        try:
            return Degraded(document.id, self.scanner.read(page, factor))
        except PageFailure as failure:
            return Degraded(document.id, "", 1, (str(failure),))

    @property
    def settings(self) -> dict[str, object]:
        return self.scanner.settings


class Bench:
    """Sampled pages that worker processes read at any factor; what was measured is kept."""

    def __init__(self, crew: Crew, engine: str, pages: Sequence[Page]) -> None:
        self.crew, self.engine, self.pages = crew, engine, pages
        self.measured: dict[float, Measurement] = {}

    def measure(self, factor: float) -> Measurement:
        """Read all pages at a factor."""
        if factor not in self.measured:
            for n, page in enumerate(self.pages):
                title = json.dumps([page.document, page.number, factor])
                self.crew.give(n, Document(str(n), "\n".join(page.lines), title))
            read = sorted((self.crew.take() for _ in self.pages), key=lambda done: done.number)
            self.measured[factor] = self._count(factor, [done.result for done in read])
        return self.measured[factor]

    def _count(self, factor: float, read: Sequence[Degraded]) -> Measurement:
        from .error_rates import character_errors

        failures, counts = [], []
        for page, result in zip(self.pages, read, strict=True):
            if result.failures:
                failures.append(f"{page.document}, page {page.number + 1}: {result.failures[0]}")
            else:
                counts.append(character_errors("\n".join(page.lines), result.text))
        if not counts:
            raise DataError(f"{self.engine}: no page could be read at factor {factor:g}: {failures[0]}")
        edits, characters = zip(*counts, strict=True)
        return Measurement(factor, edits, characters, tuple(failures))


def search(measure: Callable[[float], float], target: float) -> Iterator[float]:
    """The factors to try for a target, coarse steps first; ends when the target is met or is known to be missed."""
    below = above = math.nan
    for factor in LADDER:
        yield factor
        if measure(factor) >= target:
            above = factor
            break
        below = factor
    if math.isnan(below) or math.isnan(above):
        return
    while above / below > NARROW and min(abs(measure(f) - target) for f in (below, above)) > CLOSE * target:
        middle = round(math.sqrt(below * above), 3)
        if not below < middle < above:
            return
        yield middle
        if measure(middle) >= target:
            above = middle
        else:
            below = middle


def calibrate(
    documents: Documents,
    scanner: Scanner,
    targets: Sequence[float],
    *,
    pages: int = 30,
    rng: np.random.Generator,
    confidence: float = 0.95,
    workers: int = 2,
    progress: Listener = SILENT,
) -> list[Calibrated]:
    """The factor for each target error rate; ``scanner`` says layout, scan, engine and seed, its own factor is idle.

    ``progress`` hears of every factor that is tried, and its rate.
    """
    if not targets:
        raise SpecError("no target error rate")
    for target in targets:
        if not 0 < target < 1:
            raise SpecError(f"a target error rate lies between 0 and 1, not {target}")
    scanner.require()  # an engine that is not there is found out before the corpus is read
    chosen = sample_pages(documents, scanner.layout, pages, rng)
    expected = EXPECTED * len(targets)
    with (
        progress.work("calibrate", str(scanner.engine), expected, "factors") as step,
        Crew(_Reader(scanner), workers) as crew,
    ):
        bench = Bench(crew, str(scanner.engine), chosen)

        def rate(factor: float) -> float:
            return bench.measure(factor).cer

        for target in targets:
            for factor in search(rate, target):
                new = factor not in bench.measured
                cer = rate(factor)
                if new:  # there may be more of them than one expects
                    step.reach(min(len(bench.measured), expected), factor=factor, rate=cer)
    return [_nearest(bench, target, rng, confidence) for target in targets]


def _nearest(bench: Bench, target: float, rng: np.random.Generator, confidence: float) -> Calibrated:
    tried = sorted(bench.measured.values(), key=lambda trial: trial.factor)
    best = min(tried, key=lambda trial: (abs(trial.cer - target), trial.factor))
    unreached = ""
    if tried[0].cer > target and tried[0].cer - target > CLOSE * target:
        best = tried[0]
        unreached = f"already {best.cer:.2%} wrong at factor 1: use a higher dpi, a larger size or a cleaner scan"
    elif tried[-1].cer < target and best.cer < target * (1 - CLOSE):
        unreached = f"at most {max(trial.cer for trial in tried):.2%} wrong up to factor {tried[-1].factor:g}"
    return Calibrated(
        bench.engine,
        target,
        best.factor,
        best.cer,
        *best.interval(rng, confidence),
        len(best.edits),
        len(tried),
        unreached,
        best.failures,
        tuple((trial.factor, trial.cer) for trial in tried),
    )
