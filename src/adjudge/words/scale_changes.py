"""Say what averaging on another scale does to the order of systems."""

from __future__ import annotations

import math

from ..comparison.scale.sensitivity import ALPHA, Sensitivity, Swap, Untried
from ..core.english import listing, plural, quantity
from .speech import sentence

EFFECTS = {
    "power": "low values count more",
    "power up": "high values count more",
    "log": "low values count more",
    "logit": "values near 0 and 1 count more",
    "arcsine": "values near 0 and 1 count a little more",
    "rank": "only the order of values counts",
    "zscore": "every topic is scaled by the spread of the systems on it",
    "standard": "every topic is scaled by the spread of the systems on it",
}
"""The effect of each family of transformations."""

FAMILIES = {"power up": "power", "standard": "standardising", "zscore": "z-score"}
"""Families of transformations by the names that they have in sentences."""

RIVALS = 3


@sentence
def sensitivity_conclusion(result: Sensitivity) -> str:
    """Say whether the order depends on the scale."""
    if result.pairs == 0:
        return "All systems have the same mean, so no scale can reverse their order."
    best, second = result.systems[result.order[0]], result.systems[result.order[1]]
    if result.stable == result.pairs:
        if len(result.systems) == 2 and result.tied:
            return f"{best} is ahead of {second} on the mean and ties with it on some of the other scales tried."
        if len(result.systems) == 2:
            return f"{best} is ahead of {second} on every scale tried."
        ties = f" ({result.tied:,} {plural(result.tied, 'ties', 'tie')} on some)" if result.tied else ""
        pairs = "The only pair of systems with different means keeps its order"
        if result.pairs > 1:
            pairs = f"All {result.pairs:,} pairs of systems with different means keep their order"
        return f"{pairs} on every scale tried{ties}."
    rivals = result.rivals
    lead = f"{best} has the best mean" + (
        f", but on some other scale {listing(rivals, RIVALS)} {plural(len(rivals), 'overtakes', 'overtake')} it"
        if rivals
        else ", and no other system overtakes it on any other scale tried"
    )
    depends, reverse = result.pairs - result.stable, result.contradicted
    if result.pairs == 1:
        return f"{lead}; {'both orders are significant' if reverse else 'no significant difference reverses'}."
    text = f"{lead}. The order of {depends:,} of {quantity(result.pairs, 'pair')} of systems depends on the scale"
    if not reverse:
        return f"{text}; in none of them does a significant difference reverse."
    return f"{text}; in {reverse:,} of them both orders are significant."


@sentence
def change(swap: Swap) -> str:
    """Say who leads on the mean, who on which other scale, and whether both differences are significant."""
    return f"{_place(swap)}; {significance(swap)}"


@sentence
def significance(swap: Swap) -> str:
    """Give the result of the t test for both differences."""
    return {
        (True, True): "both differences are significant",
        (True, False): "only the first difference is significant",
        (False, True): "only the second difference is significant",
        (False, False): "neither difference is significant",
    }[swap.p < ALPHA, swap.p_turned < ALPHA]


def _place(swap: Swap) -> str:
    lead, effect = f"{swap.leader} leads on the mean, {swap.other}", EFFECTS[swap.family]
    family = FAMILIES.get(swap.family, swap.family)
    if not swap.parameter:
        return f"{lead} under the {family} transformation, where {effect}"
    if swap.everywhere:
        return f"{lead} under every {family} transformation tried, where {effect}"
    further = "above" if swap.family == "power up" else "below"
    end = f"or {further}" if math.isnan(swap.until) else f"to {swap.until:.3g}"
    return f"{lead} when {effect} ({family} transformation, {swap.parameter} {swap.at:.3g} {end})"


@sentence
def untried(family: Untried, measure: str) -> str:
    """Say why a family of transformations was not tried."""
    if not family.domain:
        return f"{family.family}: values above {family.largest:g} would lose their differences"
    where = f"{measure} of {family.system} on topic {family.topic} is {family.value:g}"
    return f"{family.family}: values must {family.domain}, and {where}"


@sentence
def not_tried(family: Untried, measure: str) -> str:
    """Say it as a sentence of its own."""
    return f"Not tried: {untried(family, measure)}."
