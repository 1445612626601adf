"""What known-item systems are worth, in words: break-even points, ranges of prices, and what a study comes to."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..comparison.known_item.characteristic import dominance
from ..comparison.known_item.study import Study
from ..comparison.known_item.value import BreakEven, Interval, partition
from ..core.english import listing, number, plural, quantity
from .speech import sentence


@sentence
def study_conclusion(study: Study) -> str:
    """Whether one system dominates, and what that means for its worth."""
    item, systems = study.item, study.item.systems
    if len(systems) == 1:
        items, work = int(item.found[0]), int(item.work[0])
        return f"{systems[0]} finds {items:,} of {len(item.questions):,} items for {work:,} documents read."
    pairs = dominance(item, study.axis, study.effort)
    parts = partition(item)
    above = dict.fromkeys(systems, 0)
    for pair in pairs:
        above[pair.first] += pair.relation == ">"
        above[pair.second] += pair.relation == "<"
    best = max(systems, key=lambda system: above[system])
    two = len(systems) == 2
    if above[best] == len(systems) - 1:
        beaten = next(system for system in systems if system != best) if two else "all others"
        lead = f"{best} dominates {beaten} by {study.axis}{_share(study, best)}"
        if item.length is not None:
            return f"{lead}, so no other is worth more whatever v and c are."
        if len(parts) == 1 and parts[0].best == (best,):
            return f"{lead}, and is worth most for all v and c above 0."
        return f"{lead}, but misses cost unequally, and {prices(parts)}."
    if all(pair.relation == "=" for pair in pairs):
        lead = f"All curves are the same by {study.axis}"
    else:
        lead = f"{'Neither system dominates the other' if two else 'No system dominates all others'} by {study.axis}"
    if len(parts) == 1:
        return f"{lead}; {prices(parts)}."
    candidates = list(dict.fromkeys(system for part in parts for system in part.best))
    return f"{lead}: which of {', '.join(candidates)} is best depends on what an item is worth, v/c."


def _share(study: Study, best: str) -> str:
    if study.bootstrap is None:
        return ""
    place = study.item.systems.index(best)
    shares = [share for other, share in enumerate(study.bootstrap.dominates[study.axis][place]) if other != place]
    each = "" if len(shares) == 1 else "each of them in at least "
    return f" ({each}{min(shares):.1%} of the samples)"


@sentence
def prices(parts: Sequence[Interval]) -> str:
    """Who is worth most at which v/c, as part of a sentence: ``up to v/c = 400 A is worth most, above it B``."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        text = f"{_are(first.best)} worth most for all v and c above 0"
    else:
        text = f"up to v/c = {number(first.high)} {_are(first.best)} worth most, "
        text += "".join(f"from there to {number(part.high)} {listing(part.best)}, " for part in parts[1:-1])
        text += f"above it {listing(last.best)}"
    before: set[str] = set()
    for part in parts:
        extra = [system for system in part.level if system not in before.union(part.best)]
        if extra:
            text += f"; at exactly {number(part.low)} {_are(extra)} level with the best"
        before = set(part.best)
    return text


@sentence
def prices_sentence(parts: Sequence[Interval]) -> str:
    """The same as a sentence of its own; a sentence that begins with the name of a system keeps it as it is."""
    text = prices(parts)
    return f"{text if len(parts) == 1 else f'{text[:1].upper()}{text[1:]}'}."


def _are(systems: Sequence[str]) -> str:
    return f"{listing(systems)} {plural(len(systems), 'is', 'are')}"


@sentence
def break_even(even: BreakEven) -> str:
    """Which of two systems is worth more, and up to what price."""
    other = even.second if even.above == even.first else even.first
    if not even.above:
        return f"{even.first} and {even.second} are level whatever v and c are."
    if even.below:
        return f"{even.below} is worth more than {even.above} up to v/c = {number(even.at)}, less above it."
    if even.at == 0:
        return f"{even.above} is worth more than {other} as soon as v is above 0."
    why = "it finds as many for less reading" if math.isnan(even.at) else "it finds more for less reading"
    return f"{even.above} is worth more than {other} for all v and c above 0: {why}."


@sentence
def dominance_signs() -> str:
    """What the signs of the matrix of systems mean."""
    return "Row against column: > dominates, < is dominated, × crosses, = the same curve."


@sentence
def resampling(samples: int, seed: int | None) -> str:
    """Where intervals and shares come from, and what a share is not."""
    drawn = "" if seed is None else f", seed {seed}"
    how = f"{quantity(samples, 'sample')} of the questions{drawn}"
    return f"Intervals and shares: {how}. A share is a bootstrap probability, not a p-value."


@sentence
def worth_explained() -> str:
    """What v and c are, beside the slider that moves them."""
    return "Finding an item is worth v, reading a document costs c. Move v/c and see who is best."
