"""Whether differences matter, in words."""

from __future__ import annotations

from ..comparison.equivalence import BETTER, EQUIVALENT, WORSE, Equivalence
from ..core.english import quantity
from .speech import sentence


@sentence
def equivalence_conclusion(result: Equivalence) -> str:
    """How many pairs are decided, and how."""
    count = {name: sum(pair.verdict == name for pair in result.pairs) for name in (BETTER, EQUIVALENT, WORSE)}
    decided = f"{count[BETTER]} better, {count[EQUIVALENT]} practically equivalent, {count[WORSE]} worse"
    undecided = len(result.pairs) - sum(count.values())
    region = f"differences of up to {result.rope:g} do not matter"
    return f"{quantity(len(result.pairs), 'pair')} on {result.measure}: {decided}, {undecided} undecided ({region})."


@sentence
def how_decided(result: Equivalence) -> str:
    """What it takes for a verdict."""
    topics = quantity(result.topics, "topic")
    if result.probabilities:
        return f"{topics}; {result.method}, posterior probabilities; decided from {1 - result.alpha:.0%} on."
    bare = result.correction == "none" or len(result.pairs) == 1
    corrected = "" if bare else f", corrected by {result.correction}"
    return f"{topics}; {result.method}, p of one-sided tests{corrected}; decided below {result.alpha:g}."
