"""Say whether a run passes the gate against its baseline."""

from __future__ import annotations

from ..comparison.noninferiority import FAIL, PASS, UNDECIDED, GuardedMeasure, GuardResult
from ..core.english import figure, listing, p_value, quantity, signed
from .speech import sentence


@sentence
def verdict_word(verdict: str) -> str:
    """The verdict in a cell of a table."""
    return {PASS: "pass", FAIL: "FAIL", UNDECIDED: "cannot tell"}[verdict]


@sentence
def guard_result_conclusion(result: GuardResult) -> str:
    """The verdict, then a sentence for every measure that it rests on."""
    return " ".join([guard_verdict(result), *map(guarded_measure, _deciding(result), [result] * len(result.measures))])


def _deciding(result: GuardResult) -> list[GuardedMeasure]:
    return [each for each in result.measures if each.verdict == result.verdict]


@sentence
def guard_verdict(result: GuardResult) -> str:
    """Say whether the run passes, in one sentence."""
    if result.left_out:
        cannot = "cannot be compared" if len(result.left_out) == 1 else "can be compared"
        who = listing(result.left_out) if len(result.left_out) == 1 else f"neither {' nor '.join(result.left_out)}"
        return f"No verdict: {who} {cannot}, because too few of the judged topics are answered."
    names = listing([each.measure for each in _deciding(result)], 5)
    if result.verdict == FAIL:
        return f"{result.run} fails: it is worse than {result.baseline} by more than is tolerated on {names}."
    if result.verdict == PASS:
        return f"{result.run} passes: it is not worse than {result.baseline} by more than is tolerated on {names}."
    what = f"{result.run} is worse than {result.baseline} by more than is tolerated on {names}"
    return f"Cannot tell with {quantity(result.topics, 'topic')} whether {what}."


@sentence
def guarded_measure(each: GuardedMeasure, result: GuardResult) -> str:
    """Give the evidence for the verdict on one measure, and the topics it would take where it is undecided."""
    if each.baseline == each.run and each.spread == 0:
        return f"{each.measure}: the same value on every topic."
    level = f"{1 - result.alpha:.0%} confidence"
    seen = f"{each.measure}: difference {signed(each.difference)}, tolerance {figure(each.tolerance)}"
    low, high = signed(each.low), signed(each.high)
    if each.verdict == UNDECIDED:
        return f"{seen}; the true difference lies above {low} and below {high} ({level} each). {_topics(each, result)}"
    passed = each.verdict == PASS
    bound = f"above {low}" if passed == (each.direction > 0) else f"below {high}"
    p = each.p_not_worse if passed else each.p_worse_corrected
    return f"{seen}; the true difference lies {bound} ({level}, {p_value(p)})."


def _topics(each: GuardedMeasure, result: GuardResult) -> str:
    power = f"with {result.power:.0%} power"
    if each.topics_needed is None:
        text = "If the true difference is the one seen here, no number of topics would decide"
    else:
        decision = "pass" if each.gain > -each.tolerance else "fail"
        text = f"If it is the one seen here, about {each.topics_needed:,} topics would let the run {decision} ({power})"
    if each.topics_if_equal is not None:
        needed = max(each.topics_if_equal, 2)
        enough = "these are enough" if needed <= result.topics else f"about {needed:,} are needed"
        return f"{text}; to let a run pass that is as good as its baseline {enough}."
    if each.tolerance == 0:
        return f"{text}; with a tolerance of 0 a run that is only as good as its baseline can never pass."
    return f"{text}."


@sentence
def how_guarded(result: GuardResult) -> str:
    """Say which test at which level, and what was corrected."""
    corrected = ""
    if len(result.measures) > 1:
        corrected = f"; p of failing corrected by {result.correction} for {len(result.measures)} measures"
    topics = quantity(result.topics, "topic")
    return f"{topics}; {result.test} test, one-sided at {result.alpha:.0%} for passing and for failing{corrected}."
