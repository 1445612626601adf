"""Say how far a test collection can be relied on."""

from __future__ import annotations

import math

import numpy as np

from ..comparison.reliability.discriminative_power import DiscriminativePower
from ..comparison.reliability.pseudo_judgments import PseudoJudgments
from ..comparison.reliability.swap_rate import ENOUGH, SwapRate
from ..core.english import listing, plural, quantity
from .speech import sentence

NAMES = 5


@sentence
def swap_rate_conclusion(result: SwapRate, rate: float = 0.05) -> str:
    """Say what the largest sets of topics say, and what the curves make of it for all topics."""
    *_, last, whole = result.thresholds(rate)
    if not result.comparisons[:, 1:].any() and not result.swaps.any():
        return f"The systems hardly differ in {result.measure}, whatever the topics: so nothing can swap."
    few = bool((result.comparisons[-1] < ENOUGH).all())
    most, topics = f"{rate * 100:g}%", f"With {last.topics} topics"
    if few:
        text = f"{topics} no bin has {ENOUGH} comparisons, too few to say which difference is safe"
    elif math.isnan(last.difference):
        text = f"{topics} no difference in {result.measure} is safe: the largest that occur often enough swap in more "
        text += f"than {most} of cases"
    else:
        text = f"{topics} a difference of {last.difference:.6g} in {result.measure} swaps in {last.rate:.1%} of cases, "
        text += f"and no larger one in more than {most}"
    if all(math.isnan(fit.a) for fit in result.fits):
        return f"{text}; the rates cannot be extrapolated to all {whole.topics} topics."
    if math.isnan(whole.difference):
        none_safe = math.isnan(last.difference) and not few
        then = "no difference is safe either" if none_safe else "it is unknown which difference is safe"
        return f"{text}; {then}, extrapolated to all {whole.topics} topics."
    return f"{text}; extrapolated to all {whole.topics} topics: {whole.difference:.6g} swaps in {whole.rate:.1%}."


@sentence
def pseudo_judgments_conclusion(result: PseudoJudgments) -> str:
    """Say how the ranking without judgments compares with the one under them."""
    ranks = result.true_ranks
    if ranks is None:
        first = [system for system, rank in zip(result.systems, result.ranks, strict=True) if rank == 1]
        rank = plural(len(first), "ranks", "rank")
        lead = f"{listing(first, NAMES)} {rank} the documents that many systems find highest"
        return f"{lead}; whether those documents are relevant is not known."
    best = [int(s) for s in np.flatnonzero(ranks == 1)]
    names = listing([result.systems[s] for s in best], NAMES)
    places = " and ".join(str(rank) for rank in sorted({int(result.ranks[s]) for s in best}))
    where = f"{names}, best by the judgments, at rank {places} of {len(result.systems)} without them"
    tau, tau_ap = result.correlation(), result.correlation("tau_ap_b")
    if math.isnan(tau):
        return f"Kendall's tau_b with the ranking under the judgments is not defined, one ties all; {where}."
    return f"Kendall's tau_b with the ranking under the judgments is {tau:.3f} (tau_ap_b {tau_ap:.3f}); {where}."


@sentence
def power(result: DiscriminativePower) -> str:
    """Give the share of pairs that differ significantly by a measure."""
    differ = "differs" if result.pairs == 1 else "differ"
    text = f"{result.share:.1%} of {quantity(result.pairs, 'pair')} {differ} significantly by {result.measure}"
    text += f" at {result.alpha:g}"
    needed = (
        ""
        if math.isnan(result.required)
        else f"; a difference of {result.required:.2g} would be significant for every pair"
    )
    return f"{text} ({result.test}){needed}."


@sentence
def reading_of_swaps(result: SwapRate) -> str:
    """Say what the shares of swaps are of, and what a column holds."""
    systems = len(result.systems)
    of = f"{quantity(result.trials, 'trial')} × {quantity(systems * (systems - 1) // 2, 'pair')}"
    by = f"by the difference in {result.measure} on the first set"
    return f"Swaps in % of {of}, {by}; a column goes up to the head of the next."


@sentence
def extrapolation(topics: int) -> str:
    """Say how rates are carried on to all topics, and how far that can be trusted."""
    curve = f"extrapolated to all {topics} topics by a·exp(−b·topics), where a column is one bin"
    return f"fit: {curve}; it is an optimistic estimate."
