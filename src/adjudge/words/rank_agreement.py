"""Say how two rankings of the same items agree."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.english import quantity
from .speech import sentence


@sentence
def ordered_differently(x: str, y: str, items: int, discordant: int, tied: int) -> str:
    """Count the pairs of items that two rankings put in different orders."""
    pairs = items * (items - 1) // 2
    share = f"{discordant:,} of {quantity(pairs, 'pair')} ({discordant / pairs:.1%})"
    return f"{x} and {y} order {share} of {items:,} items differently; {tied:,} are tied."


@sentence
def undefined(coefficients: Sequence[str], items: int) -> str:
    """Say why coefficients have no value."""
    why = "fewer than two items" if items < 2 else "a ranking ties all items"
    return f"No value for {', '.join(coefficients)}: {why}."


@sentence
def intervals(samples: int, over: str, without_value: int) -> str:
    """Say where the intervals come from."""
    left = f", {without_value:,} of them without a value" if without_value else ""
    how = "standard errors, widened for bias," if over == "topics" else "percentiles"
    return f"Intervals: {how} from {quantity(samples, 'bootstrap sample')} of the {over}{left}."


@sentence
def chance(permutations: int) -> str:
    """Say where p comes from."""
    return f"p: two-sided, against {quantity(permutations, 'random order')} of y, not corrected."
