"""Say what known-item systems are worth: break-even points, ranges of prices, and the conclusion of a study."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..comparison.known_item.characteristic import dominance
from ..comparison.known_item.study import Study
from ..comparison.known_item.value import BreakEven, Interval, partition
from ..core.english import listing, number, plural, quantity
from .speech import sentence

REACH = {"work": "For every amount of reading", "rank": "At every depth"}
"""Where curves are compared, by axis."""


@sentence
def study_conclusion(study: Study) -> str:
    """Say whether one system dominates, and what that means for its value."""
    item, systems = study.item, study.item.systems
    if len(systems) == 1:
        items, read = int(item.found[0]), quantity(int(item.work[0]), "document")
        return f"{systems[0]} finds {items:,} of {quantity(len(item.questions), 'item')} for {read} read."
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
        lead = f"{REACH[study.axis]} {best} finds at least as many items as {beaten}{_share(study, best)}"
        if item.length is not None:
            return f"{lead}, so no other system is worth more, whatever a hit is worth (v) and reading costs (c)."
        if len(parts) == 1 and parts[0].best == (best,):
            return f"{lead}, and has the highest value whatever a hit is worth (v) and reading costs (c)."
        return f"{lead}, but misses do not cost the same in all systems: {prices(parts)}."
    if all(pair.relation == "=" for pair in pairs):
        lead = f"{REACH[study.axis]} {'both' if two else 'all'} systems find the same number of items"
    else:
        which, others = ("Neither system", "the other") if two else ("No system", "all others")
        lead = f"{which} finds at least as many items as {others} {REACH[study.axis].lower()}"
    if len(parts) == 1:
        only = f"{listing(parts[0].best)} {plural(len(parts[0].best), 'has', 'have')} the highest value"
        return f"{lead}; {only} whatever a hit is worth (v) and reading costs (c)."
    candidates = list(dict.fromkeys(system for part in parts for system in part.best))
    worth = "what a hit is worth compared with the cost of reading a document (v/c)"
    return f"{lead}: which of {listing(candidates)} has the highest value depends on {worth}."


def _share(study: Study, best: str) -> str:
    if study.bootstrap is None:
        return ""
    place = study.item.systems.index(best)
    shares = [share for other, share in enumerate(study.bootstrap.dominates[study.axis][place]) if other != place]
    each = "" if len(shares) == 1 else "each of them in at least "
    return f" ({each}{min(shares):.1%} of the samples)"


@sentence
def prices(parts: Sequence[Interval]) -> str:
    """Say who has the highest value at which v/c: ``up to v/c = 400 A has the highest value, above it B``."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        text = f"{_have(first.best)} the highest value for all v and c above 0"
    else:
        text = f"up to v/c = {number(first.high)} {_have(first.best)} the highest value, "
        text += "".join(f"from there to {number(part.high)} {listing(part.best)}, " for part in parts[1:-1])
        text += f"above it {listing(last.best)}"
    before: set[str] = set()
    for part in parts:
        extra = [system for system in part.level if system not in before.union(part.best)]
        if extra:
            text += (
                f"; at exactly {number(part.low)} {listing(extra)} {plural(len(extra), 'ties', 'tie')} with the best"
            )
        before = set(part.best)
    return text


@sentence
def prices_sentence(parts: Sequence[Interval]) -> str:
    """Say it as a sentence of its own; one that begins with the name of a system keeps it as it is."""
    text = prices(parts)
    return f"{text if len(parts) == 1 else f'{text[:1].upper()}{text[1:]}'}."


def _have(systems: Sequence[str]) -> str:
    return f"{listing(systems)} {plural(len(systems), 'has', 'have')}"


@sentence
def break_even(even: BreakEven) -> str:
    """Say which of two systems has the higher value, and up to what price."""
    other = even.second if even.above == even.first else even.first
    if not even.above:
        return f"{even.first} and {even.second} have the same value whatever v and c are."
    if even.below:
        return f"{even.below} is worth more than {even.above} up to v/c = {number(even.at)}, less above it."
    if even.at == 0:
        return f"{even.above} is worth more than {other} as soon as v is above 0."
    why = "it finds as many for less reading" if math.isnan(even.at) else "it finds more for less reading"
    return f"{even.above} is worth more than {other} for all v and c above 0: {why}."


@sentence
def dominance_signs() -> str:
    """Explain the signs of the matrix of systems."""
    return "Row against column: > dominates, < is dominated, × crosses, = the same curve."


@sentence
def resampling(samples: int, seed: int | None) -> str:
    """Say how intervals and shares were made, and what a share is not."""
    drawn = "" if seed is None else f", seed {seed}"
    how = f"{quantity(samples, 'sample')} of the questions{drawn}"
    return f"Intervals and shares: {how}. A share is a bootstrap probability, not a p-value."


@sentence
def worth_explained() -> str:
    """Explain v and c beside the slider that moves them."""
    text = "A found item is worth v, reading a document costs c, so a system is worth v × found − c × read."
    return f"{text} Move v/c to see which system is best."
