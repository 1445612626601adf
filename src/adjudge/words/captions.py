"""What the charts and tables of the page show, and how they are read, in words.

A sentence is a list of pieces: names from the data are marked, so that the page can set them apart from its own text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..comparison.known_item.characteristic import Axis
from ..comparison.known_item.study import Study
from ..comparison.verdict import ALPHA
from ..core.english import figure, interval, p_value, percent, plain, plural, quantity, signed
from ..experiment.findings import Findings, VersionFindings
from ..experiment.observations import (
    Changed,
    OtherLeaders,
    furthest_leads,
    has_flat_precision,
    losses,
    precision_leaders,
    quartiles,
    tally,
    widest_topic,
    zero_topics,
)
from .speech import MeasureName, Name, Strong, sentence
from .verdicts import first_test

READING = {
    "systems": (
        "A dot is the mean over the topics, the line its 95 % bootstrap interval: of samples of these topics 95 in 100 "
        "have their mean there. Intervals of two systems may overlap although one is ahead on nearly every topic; the "
        "signs tell what the paired test says."
    ),
    "bars": (
        "A bar a topic, sorted by the difference: above the line the first system has the higher value, below it the "
        "second. Many small bars are a habit, a few tall ones an accident that other topics may not repeat."
    ),
    "points": (
        "A point a topic: on the diagonal both systems are level; "
        "far from it one of them fails where the other does not."
    ),
    "scales": (
        "A line a system, its place under each average, the best on top. Averaging assumes that a difference counts "
        "the same everywhere on the scale: squares let the high end count more, roots and the geometric mean the low "
        "end, the harmonic mean lower still. Lines that cross are conclusions that rest on that choice."
    ),
    "agreement": (
        "Each cell is the rank correlation τ_b between the orders in which two measures put the systems: 1 is the "
        "same order, 0 none in common, −1 the reverse. A measure that agrees with no other measures something else."
    ),
    "recall": (
        "Interpolated precision at a recall is the highest precision at that recall or a higher one; mean over "
        "topics. To the left is what a reader sees first, to the right what it takes to find everything."
    ),
    "work": (
        "All lists are read in parallel, a document of each in a round; a reader stops when the item is found. "
        "Upwards the items found, to the right the documents read by all. A curve that is nowhere below another is at "
        "least as good whatever an item is worth, if misses cost the same."
    ),
    "rank": (
        "The same finds against the depth of reading: how many items are among the first so many documents of their "
        "lists."
    ),
    "worth": "To the right an item becomes worth more against a document read; the strip says who is worth most where.",
}


@sentence
def reading(chart: str) -> str:
    """How a chart is read."""
    return READING[chart]


@sentence
def reading_of_topics(chart: str, drawn: int, topics: int) -> str:
    """How bars or points are read, and that not all topics are drawn."""
    few = f" The chart draws and counts {drawn:,} of {topics:,} topics, evenly from the sorted ones."
    return READING[chart] + (few if topics > drawn else "")


@sentence
def reading_of_distribution(every_dot: bool) -> str:
    """How boxes are read, with or without a dot for each topic."""
    dots = "the whiskers end at the lowest and the highest twentieth of the topics"
    return (
        "The box holds the middle half of the topics, the line in it is the median; "
        f"{'every dot is a topic' if every_dot else dots}. A mean far from the median is made by few topics."
    )


@sentence
def reading_of_significance(part: VersionFindings) -> str:
    """How the matrix of pairs is read."""
    test = "" if part.comparison is None else first_test(part.comparison)
    return (
        f"Row against column, best system first: a triangle where the two differ at {ALPHA:.0%} "
        f"({test}), larger for smaller p, up where the row is better; a dot where they cannot be told apart."
    )


@sentence
def reading_of_versions(*, by_errors: bool, noisy: bool) -> str:
    """How the chart of versions is read."""
    across = "the share of wrong characters" if by_errors else "the versions in their order"
    flat = "noise does not hurt" if noisy else "does the same on all of them"
    return (
        f"To the right {across}, upwards the mean of each system with its 95 % interval. "
        f"A flat line is a system that {flat}."
    )


@sentence
def reading_of_characteristic(study: Study, axis: Axis) -> str:
    """How an operating characteristic is read."""
    boot = study.bootstrap
    if boot is None:
        return READING[axis]
    share = f"{boot.confidence:.0%} of {boot.samples:,} samples of the questions"
    return f"{READING[axis]} Bands: {share} lie inside, at each place."


@sentence
def range_of_systems(part: VersionFindings) -> list[str]:
    """From best to worst, and how many share the top."""
    best, worst = part.order[0], part.order[-1]
    top = figure(float(part.means[best]))
    if len(part.systems) == 1:
        return [Name(part.best), f" reaches {top} ", Name(part.main), "."]
    span = ["Mean ", Name(part.main), f" goes from {top} (", Name(part.best)]
    span += [f") to {figure(float(part.means[worst]))} (", Name(part.systems[worst]), ")"]
    if part.comparison is None:
        return [*span, "."]
    level = [system for system in part.systems if system != part.reference and part.verdict(system) == 0]
    who = "the best" if part.reference == part.best else "the baseline"
    share = f"{quantity(len(level), 'other system')} of {len(part.systems) - 1} cannot be told apart from {who}."
    return [*span, "; ", share]


@sentence
def separation(part: VersionFindings) -> list[str]:
    """How many pairs can be told apart, the smallest difference that can, and the largest that cannot."""
    comparison = part.comparison
    if comparison is None:
        return []
    total, significant = len(comparison.differences), comparison.significant
    share = f"{len(significant):,} of {quantity(total, 'pair')} ({percent(len(significant) / total)})"
    text = [f"{share} can be told apart on ", Name(part.main)]
    if significant:
        least = min(significant, key=lambda d: abs(d.difference))
        text += [f"; the smallest difference among them is {figure(abs(least.difference), 3)} ("]
        text += [Name(least.a), " and ", Name(least.b), ")"]
    if significant and comparison.undecided:
        most = max(comparison.undecided, key=lambda d: abs(d.difference))
        text += [f", the largest that is not is {figure(abs(most.difference), 3)} ("]
        text += [Name(most.a), " and ", Name(most.b), ")"]
    return [*text, "."]


@sentence
def distribution(part: VersionFindings) -> list[str]:
    """The middle half of the topics of the best system, and the topics on which systems are alike or differ most."""
    if all(quartiles(part, system) is None for system in part.systems):
        return ["No system has a value of ", Name(part.main), "."]
    own = quartiles(part, part.best)
    if own is None:
        return [Name(part.best), " has no value of ", Name(part.main), "."]
    half = f"have {plain(own.low)}" if own.low == own.high else f"lie between {plain(own.low)} and {plain(own.high)}"
    text = ["For ", Name(part.best), f" half of the topics {half}; "]
    text += [f"its median is {plain(own.median)}, its mean {plain(own.mean)}."]
    zero, widest = zero_topics(part), widest_topic(part)
    if zero:
        return [*text, f" On {quantity(zero, 'topic')} every system has 0."]
    if widest is None:
        return text
    return [*text, " The systems differ most on topic ", Name(widest[0]), f", by {plain(widest[1])}."]


@sentence
def hardest(part: VersionFindings, *, shown: int, without: int, several: bool) -> list[str]:
    """Which topics are shown as the hardest: so many, and on how many no system has anything."""
    measure = MeasureName(part.main)
    if part.direction < 0:
        return ["The topics with the highest ", measure, " over all systems, where low is good."]
    text = [f"The {shown} topics of {len(part.topics):,} with the lowest ", measure, " over all systems"]
    text += [" on ", Name(part.version)] if several else []
    nothing = f"; on {quantity(without, 'topic')} no system has anything above 0" if without else ""
    return [*text, f", lowest first{nothing}."]


@sentence
def pair(part: VersionFindings, a: str, b: str) -> list[str]:
    """Topics won, level and lost; the script makes the same sentence for other pairs."""
    topics = tally(part, a, b)
    counts = f" is better on {topics.won}, level on {topics.level} and worse on {topics.lost} of "
    text = [Name(a), counts, f"{quantity(topics.topics, 'topic')} than ", Name(b)]
    text += [f"; mean difference {signed(topics.difference)}"]
    compared = part.pairs.get((a, b))
    if compared is None or part.comparison is None:
        return [*text, "."]
    return [*text, f", {p_value(compared[0].p[0])} ({first_test(part.comparison)})."]


@sentence
def leads(part: VersionFindings, a: str, b: str) -> list[str]:
    """Where either of two systems is furthest ahead."""
    furthest = furthest_leads(part, a, b)
    if furthest is None:
        return ["The two have no value on the same topic."]
    text: list[str] = []
    for lead in furthest:
        text += [Name(lead.ahead), " is furthest ahead of ", Name(lead.behind), " on topic ", Name(lead.topic)]
        text += [f" ({figure(lead.value)} against {figure(lead.other)}). "]
    return text or ["The two are level on every topic."]


@sentence
def agreement(part: VersionFindings) -> list[str]:
    """Which measures agree least about the order of the systems."""
    least = part.least_agreement
    if least is None:
        return ["No two measures order the systems."]
    text = [MeasureName(least.first), " and ", MeasureName(least.second), f" agree least, τ_b = {least.tau:.2f}"]
    if least.same:
        text += [f"; {least.same} of {quantity(least.pairs, 'pair')} of measures give the same order"]
    return [*text, f". The mean over all pairs is {least.mean:.2f}."]


@sentence
def precision(part: VersionFindings) -> list[str]:
    """Who has the highest curve at which recall."""
    leaders = precision_leaders(part)
    if not leaders:
        return ["No system finds anything relevant."]
    if has_flat_precision(part):
        return ["The curves are flat, as they are with one relevant document a topic: they say what rr says."]
    if len(part.systems) == 1:
        first, last = (figure(float(part.precision[0, place]), 3) for place in (0, -1))
        return [f"Precision falls from {first} to {last}."]
    if len(leaders) == 1:
        return [Name(leaders[0][1]), " has the highest precision at every recall."]
    text = [Name(leaders[0][1]), " has the highest precision at the start"]
    for recall, system in leaders[1:4]:
        text += [", ", Name(system), f" from recall {recall} on"]
    return [*text, ", and the lead changes again." if len(leaders) > 4 else "."]


@sentence
def versions(findings: Findings) -> list[str]:
    """Who loses least and most from the first version to the worst, and whether the order stays."""
    lost = losses(findings)
    text: list[str] = []
    if lost.most is not None:
        text += ["From ", Name(findings.first.version), " to ", Name(lost.version), " "]
        text += [Name(lost.most.system), f" changes most, {_step(lost.most)}"]
        if lost.least is not None:
            text += [", ", Name(lost.least.system), f" {'gains' if lost.gains else 'least'}, {_step(lost.least)}"]
        text += ["."]
    if not math.isnan(lost.tau):
        text += [f" The order of the systems agrees by τ_b = {lost.tau:.2f}."]
    return text or [Name(findings.first.main), " has no value on some version."]


def _step(change: Changed) -> str:
    before, after = change.before, change.after
    share = f" ({signed(100 * (after - before) / abs(before), 2)} %)" if before else ""
    return f"from {figure(before, 3)} to {figure(after, 3)}{share}"


@sentence
def finds(study: Study, axis: Axis) -> list[str]:
    """Who finds most and at what depth, and how the curves lie to each other."""
    items = f" of {quantity(len(study.item.questions), 'item')}"
    if axis == "rank":
        text = ["At rank 1 ", *_most(study, study.leaders(1), items), ", down to rank 10 "]
        text += _most(study, study.leaders(10), "")
    else:
        text = ["By the end ", *_most(study, study.leaders(), items)]
    relations = study.relations(axis)
    if not relations.pairs:
        return [*text, "."]
    text += [f". Of {quantity(relations.pairs, 'pair')} of curves {relations.above:,} have one above the other, "]
    text += [f"{relations.crossing:,} cross"]
    text += [f" and {relations.same:,} {plural(relations.same, 'is', 'are')} the same"] if relations.same else []
    free = relations.undominated
    if free and len(free) < len(study.item.systems):
        return [*text, ". No curve is above that of ", *named_list(free), "."]
    return [*text, "."]


def _most(study: Study, leaders: tuple[int, tuple[str, ...]], of: str) -> list[str]:
    """The systems with the largest count, and what they do."""
    count, top = leaders
    if len(study.item.systems) == 1:
        return [Name(top[0]), f" has found {count:,}{of}"]
    if len(top) == len(study.item.systems):
        return ["all systems", f" have found {count:,}{of}"]
    return [*named_list(top, 4), f" {plural(len(top), 'has', 'have')} found most, {count:,}{of}"]


def named_list(names: Sequence[str], most: int = 5) -> list[str]:
    """``A`` · ``A and B`` · ``A, B, C and 7 more``: no more than ``most`` parts."""
    parts = [Name(name) for name in (names if len(names) <= most else names[: most - 1])]
    pieces = [*parts, f"{len(names) - most + 1} more"] if len(names) > most else list[str](parts)
    text = pieces[:1]
    for place, piece in enumerate(pieces[1:], 2):
        text += [" and " if place == len(pieces) else ", ", piece]
    return text


@sentence
def untested(part: VersionFindings) -> str:
    """Why there is no test."""
    why = "one system" if len(part.systems) < 2 else "one topic" if len(part.topics) < 2 else "incomplete scores"
    return f"Nothing was tested: with {why} there is no pair of systems to compare on the same topics."


@sentence
def main_pair(part: VersionFindings) -> list[str]:
    """The best system against its rival: difference, interval, p, and topics won."""
    comparison, names = part.comparison, part.main_pair
    compared = part.pairs.get(names) if names else None
    if comparison is None or names is None or compared is None:
        return []
    difference, way = compared
    ends = sorted((way * difference.low, way * difference.high))
    won, lost = (difference.wins, difference.losses) if way > 0 else (difference.losses, difference.wins)
    text = [Name(names[0]), " against ", Name(names[1]), ": ", Strong(signed(way * difference.difference)), " "]
    text += [Name(part.main), f", {comparison.level:.0%} interval {interval(ends)}, {p_value(difference.p[0])} "]
    text += [f"({first_test(comparison)}): {'told apart' if difference.p[0] < ALPHA else 'not told apart'}. "]
    return [*text, f"Won {won}, level {difference.ties}, lost {lost} of {quantity(comparison.topics, 'topic')}."]


@sentence
def share_told_apart(part: VersionFindings) -> str:
    """How many pairs can be told apart with these topics."""
    if part.comparison is None:
        return ""
    significant, total = len(part.comparison.significant), len(part.comparison.differences)
    return (
        f"Of {quantity(total, 'pair')} {significant:,} ({percent(significant / total)}) "
        f"can be told apart at {ALPHA:.0%} with {quantity(part.comparison.topics, 'topic')}. "
        "Other topics could have been asked: intervals and p say how much that matters."
    )


@sentence
def other_measures(part: VersionFindings, others: OtherLeaders) -> list[str]:
    """Which measures put another system first."""
    leaders = others.leaders
    if not leaders:
        return [f"No: all {others.measures} others put ", Name(part.best), " first as well."]
    count = sum(map(len, leaders.values()))
    text = [f"{count} of {others.measures} others put another system first: "]
    for place, (system, by) in enumerate(list(leaders.items())[:3]):
        text += ["; " if place else "", Name(system), " by "]
        for number, measure in enumerate(by[:4]):
            text += [", " if number else "", MeasureName(measure)]
    return [*text, " …" if len(leaders) > 3 or any(len(by) > 4 for by in leaders.values()) else "."]


@sentence
def other_versions(findings: Findings) -> list[str]:
    """Who leads on the other versions."""
    best = findings.first.best
    others = [(part.version, part.best) for part in findings.parts[1:] if part.best != best]
    if not others:
        names = named_list([part.version for part in findings.parts[1:]], 4)
        return ["No: ", Name(best), " leads on ", *names, " as well."]
    text: list[str] = []
    for place, (version, leader) in enumerate(others[:4]):
        text += [", " if place else "", Name(leader), " leads on ", Name(version)]
    return [*text, f" and so on for {len(others) - 4} more versions." if len(others) > 4 else "."]


@sentence
def single_system() -> str:
    """Why nothing is set against anything topic by topic."""
    return "There is one system only, so there is nothing to set it against."
