"""Say what boosted technical terms did."""

from __future__ import annotations

import math

from ..comparison.gains import Gain
from ..comparison.verdict import ALPHA
from ..core.english import p_text, quantity
from ..experiment.term_boosting import PartialGain, TermBoosting
from .speech import sentence


def conclusions_of(boosting: TermBoosting) -> list[str]:
    """Make all sentences on boosted terms, the number of terms first."""
    lines = [terms_of_questions(boosting)]
    for weighting, gain in boosting.gains.items():
        lines += [gain_by_terms(weighting, gain), gains_of_parts(weighting, boosting.parts(gain))]
    return lines


@sentence
def terms_of_questions(boosting: TermBoosting) -> str:
    topics = [topic.topic for topic in next(iter(boosting.gains.values())).topics]
    with_terms = sum(1 for topic in topics if boosting.uses.get(topic))
    known = quantity(boosting.terms, "term")
    return f"{known}; {with_terms:,} of {quantity(len(topics), 'question')} with one or more of them."


@sentence
def gain_by_terms(weighting: str, gain: Gain) -> str:
    if not gain.count(1) and not gain.count(-1):
        return f"{weighting}: boosted terms change no topic."
    if gain.p < ALPHA:
        way = "better" if gain.difference > 0 else "worse"
        return f"{weighting}: boosted terms make it {way}: {gain.difference:+.4f} in MAP, p = {p_text(gain.p)}."
    of = "with one topic nothing can be tested" if math.isnan(gain.p) else f"p = {p_text(gain.p)}"
    return f"{weighting}: the difference of {gain.difference:+.4f} in MAP may be chance: {of}."


@sentence
def gains_of_parts(weighting: str, parts: list[PartialGain]) -> str:
    listed = [
        f"{part.mean:+.4f} on {quantity(part.topics, 'topic')} {'with' if part.with_terms else 'without'} a term"
        for part in parts
    ]
    return f"{weighting}: {', '.join(listed)}."
