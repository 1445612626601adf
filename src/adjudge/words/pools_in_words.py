"""What pools lack and what samples say, in words."""

from __future__ import annotations

import math

from ..comparison.pool_gaps import PoolGaps
from ..comparison.sampled_estimates import Estimates, MeasureEstimate
from ..core.english import listing, percent, plural, quantity
from .speech import sentence

NAMED = 3


@sentence
def pool_gaps_conclusion(result: PoolGaps) -> str:
    """How much was not judged, who depends on having been pooled, and which ranks are sure."""
    parts = []
    for k in result.rows[0].unjudged:
        shares = {row.run: row.unjudged[k] for row in result.rows if not math.isnan(row.unjudged[k])}
        worst = max(shares, key=lambda name: shares[name], default=None)
        if worst is not None and shares[worst]:
            top = f"the documents that {worst} puts first" if k == 1 else f"the first {k} documents of {worst}"
            parts.append(f"Of {top} nobody judged {percent(shares[worst])}, the most of all.")
        elif worst is not None:
            top = "documents that a run puts first" if k == 1 else f"of the first {k} documents of every run"
            parts.append(f"All {top} are judged.")
    who = "its group" if result.grouped else "it"
    falls = sorted((row for row in result.rows if row.fall > 0), key=lambda row: -row.fall)[:NAMED]
    if falls:
        named = [f"from rank {row.rank} to {row.rank_without}" for row in falls]
        parts.append(f"Had {who} not been pooled, {falls[0].run} would fall {named[0]}.")
        if others := [f"{row.run} {way}" for row, way in zip(falls[1:], named[1:], strict=True)]:
            parts[-1] = f"{parts[-1][:-1]}; likewise {listing(others)}."
    else:
        parts.append(f"No run would lose a rank by {result.measure} had {who} not been pooled.")
    if result.residual:
        sure = sum(row.best_rank == row.worst_rank for row in result.rows)
        count = f"{sure} of {quantity(len(result.rows), 'run')} {plural(sure, 'has', 'have')}" if sure else "No run has"
        parts.append(f"{count} a rank by {result.measure} that no further judgment can change.")
    return " ".join(parts)


@sentence
def estimates_conclusion(result: Estimates) -> str:
    """What was estimated from what, and what the machine judge would have changed."""
    if result.design == "documents":
        basis = f"{quantity(result.judged_pairs, 'judgment')} of a pool of {quantity(result.pairs, 'document')}"
        if result.whole_topics:
            whole = f"{result.whole_topics:,} of them judged whole"
            basis = f"a sample of {quantity(result.topics, 'topic')}, {whole}: {basis}"
    else:
        basis = f"{result.judged_topics} of {quantity(result.topics, 'topic')} judged by people"
    text = f"Estimated from {basis}; intervals of {percent(result.confidence)} are over other samples like this one."
    if result.by_model:
        text += f" Those of {listing(list(result.by_model))} come from a model of all topics and may hold less often."
    return f"{text} {machine_would_change(result)}" if result.machine else text


@sentence
def machine_would_change(result: Estimates) -> str:
    """What the machine judge alone would have made of it."""
    measure = result.rows[0].measure
    own = [row for row in result.rows if row.measure == measure]
    outside = [row for row in own if not row.estimate.low <= row.machine <= row.estimate.high]
    swaps = [
        (a.system, b.system) for a in own for b in own if a.estimate.value > b.estimate.value and a.machine < b.machine
    ]
    if outside:
        worst = max(outside, key=lambda row: abs(row.bias))
        first = f"By {measure} the machine judge alone would have {_overstate(worst)}"
        more = f", and {quantity(len(outside) - 1, 'other system')} beyond doubt too" if len(outside) > 1 else ""
        text = f"{first}{more}"
    else:
        text = f"By {measure} the machine judge alone would have said nothing that people contradict"
    if len(own) < 2:
        return f"{text}."
    if not swaps:
        return f"{text}; it would have put the systems in the same order."
    named = [f"{b} above {a}" for a, b in swaps[:NAMED]]
    return f"{text}; it would have put {listing(named)}{_more(len(swaps))}."


def _overstate(row: MeasureEstimate) -> str:
    verb = "overstated" if row.bias > 0 else "understated"
    return f"{verb} {row.system} by {abs(row.bias):.3f} ({row.machine:.3f} for {row.estimate.value:.3f})"


def _more(count: int) -> str:
    return f", and turned {quantity(count - NAMED, 'more pair')}" if count > NAMED else ""
