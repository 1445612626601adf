"""What other scales do to the order of systems, in words."""

from __future__ import annotations

import math

from ..comparison.scale.sensitivity import ALPHA, Sensitivity, Swap, Untried
from ..core.english import listing
from .speech import sentence

EFFECTS = {
    "power": "the low end counts more",
    "power up": "the high end counts more",
    "log": "the low end counts more",
    "logit": "both ends count more",
    "arcsine": "both ends count a little more",
    "rank": "only the order of values counts",
    "zscore": "topics count by how systems differ on them",
    "standard": "topics count by how systems differ on them",
}
"""What going along a family of transformations means."""

RIVALS = 3


@sentence
def sensitivity_conclusion(result: Sensitivity) -> str:
    """Whether the order depends on the scale."""
    if result.pairs == 0:
        return "All systems have the same mean: there is nothing to turn round."
    best, second = result.systems[result.order[0]], result.systems[result.order[1]]
    if result.stable == result.pairs:
        if len(result.systems) == 2 and result.level:
            return f"{best} is never behind {second} on any scale tried, but level with it on some."
        if len(result.systems) == 2:
            return f"{best} is ahead of {second} on every scale tried."
        level = f" ({result.level} of them are level on some)" if result.level else ""
        return f"All {result.pairs} pairs of systems keep their order on every scale tried{level}."
    rivals = result.rivals
    lead = f"{best} leads on the mean" + (
        f", but not on every scale: {listing(rivals[:RIVALS])} can overtake it"
        if rivals
        else " and is behind on no scale tried"
    )
    return (
        f"{lead}; {result.pairs - result.stable} of {result.pairs} pairs of systems can be turned round by the choice "
        f"of scale, {result.contradicted or 'none'} of them from one significant difference to the opposite one."
    )


@sentence
def change(swap: Swap) -> str:
    """Who leads on the mean, who on another scale and on which, and what the t test says of both differences."""
    return f"{_place(swap)} ({significance(swap)})"


@sentence
def significance(swap: Swap) -> str:
    """What the t test says of the two differences."""
    return {
        (True, True): "both differences are significant",
        (True, False): "only the first difference is significant",
        (False, True): "only the second difference is significant",
        (False, False): "neither difference is significant",
    }[swap.p < ALPHA, swap.p_turned < ALPHA]


def _place(swap: Swap) -> str:
    lead, effect = f"{swap.leader} leads on the mean, {swap.other}", EFFECTS[swap.family]
    if not swap.parameter:
        return f"{lead} under {swap.family}: {effect}"
    if swap.everywhere:
        return f"{lead} under {swap.family} with every {swap.parameter} tried: {effect}"
    end = ("up" if swap.family == "power up" else "down") if math.isnan(swap.until) else f"to {swap.until:.2g}"
    return f"{lead} as soon as {effect}: from {swap.parameter} {swap.at:.2g} {end}"


@sentence
def untried(family: Untried, measure: str) -> str:
    """Why a family of transformations was not tried."""
    if not family.domain:
        return f"{family.family}: values above {family.largest:g} would lose their differences"
    where = f"{measure} of {family.system} on topic {family.topic} is {family.value:g}"
    return f"{family.family}: values must {family.domain}, and {where}"


@sentence
def not_tried(family: Untried, measure: str) -> str:
    """The same as a sentence of its own."""
    return f"Not tried: {untried(family, measure)}."
