"""How many topics an experiment needs, in words."""

from __future__ import annotations

from ..comparison.judging_plan import JudgingPlan
from ..comparison.power import MOST_TOPICS
from ..comparison.topic_design import TopicDesign
from ..core.english import figure, percent, quantity
from .speech import sentence


@sentence
def topic_count(number: int | None) -> str:
    """A number of topics in a cell."""
    return f"over {MOST_TOPICS:,}" if number is None else f"{number:,}"


@sentence
def design_question(kind: str, design: TopicDesign) -> str:
    """What each of the three designs asks."""
    gap, power = f"{design.difference:g}", f"{design.power:.0%} power"
    return {
        "t": f"paired t test finds a difference of {gap} between two systems ({power})",
        "anova": f"analysis of variance of {design.systems} systems finds a range of {gap} ({power})",
        "interval": f"{1 - design.alpha:.0%} interval of a difference is {gap} wide",
    }[kind]


@sentence
def topic_design_conclusion(design: TopicDesign) -> str:
    """How many topics it takes, and what the topics of a pilot can show."""
    what = f" in {design.measure}" if design.measure else ""
    needed = f"To find a difference of {design.difference:g}{what} between two systems takes {_topics(design.by_t)}."
    if design.topics is None:
        return needed
    now = f"The {quantity(design.topics, 'topic')} at hand find it with a probability of {percent(design.power_now)}"
    return f"{needed} {now}; with {design.power:.0%} they find differences from {figure(design.detectable, 3)} on."


def _topics(number: int | None) -> str:
    return f"more than {MOST_TOPICS:,} topics" if number is None else quantity(number, "topic")


@sentence
def judging_plan_conclusion(plan: JudgingPlan) -> str:
    """Which depth of the pool takes the fewest judgments, and how sure its figures are."""
    least, deepest = plan.cheapest, plan.rows[-1]
    if least is None:
        return f"At no depth are {MOST_TOPICS:,} topics enough for a t test."
    number = least.design.by_t or 0
    what = f"{quantity(number, 'topic')} with {least.judgments:,.0f} judgments each, {least.total(number):,} in all"
    text = f"Judgments in all are for a t test. Pools to depth {least.depth} take the fewest: {what}."
    if deepest.unjudged > 0:
        text += f" Of the pool to depth {deepest.depth} the pilot has not judged {percent(deepest.unjudged)}."
    return text


@sentence
def variance_line(design: TopicDesign) -> str:
    """Where the variance comes from."""
    source = {"pilot": "of the pilot", "given": "as given"}.get(design.source, f"of {design.source}")
    spread = (2 * design.variance) ** 0.5
    return (
        f"Variance {design.variance:.4g} {source}, without system and topic effects: "
        f"differences of two systems have a standard deviation of {spread:.3f}."
    )
