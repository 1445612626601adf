"""Captions of the page: what each chart shows, and how it is read.

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
    SPOKEN,
    Changed,
    OtherLeaders,
    average_leaders,
    furthest_leads,
    losses,
    precision_leaders,
    quartiles,
    tally,
    widest_topic,
    zero_topics,
)
from .headlines import CLEAN, average_name, on_version
from .scale_changes import sensitivity_conclusion
from .speech import MeasureName, Name, Strong, named_list, sentence
from .verdicts import first_test

READING = {
    "critical-distance": (
        "Each system hangs on its mean rank over topics; 1, at the left, is best. Systems joined by a bar have mean "
        "ranks that differ by less than the critical distance, so Nemenyi's test does not tell them apart."
    ),
    "systems": (
        "A dot is the mean over the topics; the line is its 95% bootstrap interval: of 100 such intervals, each from "
        "other topics of the same kind, about 95 hold the mean over all such topics. Intervals of two systems may "
        "overlap although one is better on nearly every topic; the signs show the result of the paired test."
    ),
    "bars": (
        "One bar per topic, sorted by the difference: above the line the first system has the higher value, below it "
        "the second. Many small bars suggest a consistent effect; a few tall ones may be due to these topics."
    ),
    "points": (
        "One point per topic: on the diagonal both systems have the same value; "
        "far from it one of them fails where the other does not."
    ),
    "scales": (
        "One line per system: its rank under each average, the best at the top. A mean assumes that differences count "
        "the same everywhere on the scale. Squares give high values more weight; roots, the geometric and the harmonic "
        "mean give low values more. Where lines cross, the conclusion depends on that choice. The numbers above the "
        "columns count the pairs of systems whose order is reversed compared with the mean."
    ),
    "agreement": (
        "Each cell is Kendall's rank correlation τ_b between the orders in which two measures rank the systems: 1 is "
        "the same order, 0 is no relation, −1 is the reverse order."
    ),
    "recall": (
        "Interpolated precision at a recall is the highest precision at that recall or a higher one, averaged over "
        "topics. The left shows what a reader sees first, the right what it takes to find everything."
    ),
    "work": (
        "All lists are read in parallel, one document of each per round; a reader stops when the item is found. "
        "The vertical axis counts the items found, the horizontal axis the documents read by all readers together. A "
        "curve that is nowhere below another is at least as good whatever an item is worth, if misses cost the same."
    ),
    "rank": "The same items against the depth of reading: how many are found among the first documents of their lists.",
    "worth": (
        "To the right an item is worth more, compared with the cost of reading a document; the strip below the chart "
        "shows which system has the highest value where."
    ),
}


@sentence
def reading(chart: str) -> str:
    """Explain how a chart is read."""
    return READING[chart]


@sentence
def reading_of_topics(chart: str, drawn: int, topics: int) -> str:
    """Explain how bars or points are read, and say if not all topics are drawn."""
    few = f" The chart shows and counts {drawn:,} of {topics:,} topics, spread evenly over the sorted ones."
    return READING[chart] + (few if topics > drawn else "")


@sentence
def reading_of_distribution(every_dot: bool) -> str:
    """Explain how boxes are read, with or without a dot for each topic."""
    ends = "the whiskers end at the 5th and the 95th percentile"
    return (
        "Systems are in the order of their means, as in the other charts. The box holds the middle half of the topics, "
        f"the line in it is the median, the diamond the mean; {'every dot is a topic' if every_dot else ends}. A mean "
        "far from the median is driven by a few topics."
    )


@sentence
def reading_of_significance(part: VersionFindings) -> str:
    """Explain how the matrix of pairs is read."""
    test = "" if part.comparison is None else first_test(part.comparison)
    return (
        f"Row against column, best system first: a triangle where the two differ significantly at {ALPHA:.0%} "
        f"({test}), larger for smaller p, pointing up where the row is better; a dot where they do not. A difference "
        "is significant if one as large would be rare between two systems that are equally good."
    )


@sentence
def reading_of_versions(*, by_errors: bool, noisy: bool) -> str:
    """Explain how the chart of versions is read."""
    across = "the share of wrong characters" if by_errors else "the versions in their order"
    flat = "noise does not hurt" if noisy else "does the same on all of them"
    return (
        f"The horizontal axis shows {across}, the vertical axis the mean of each system with its 95% interval. "
        f"A flat line is a system that {flat}."
    )


@sentence
def reading_of_characteristic(study: Study, axis: Axis) -> str:
    """Explain how an operating characteristic is read."""
    boot = study.bootstrap
    if boot is None:
        return READING[axis]
    share = f"{boot.confidence:.0%} of {boot.samples:,} samples of the questions"
    return f"{READING[axis]} Bands: {share} lie inside, at each place."


@sentence
def range_of_systems(part: VersionFindings) -> list[str]:
    """Give the best and the worst mean, and count the systems that do not differ from the best or the baseline."""
    best, worst = part.order[0], part.order[len(part.ranked) - 1]
    top = figure(float(part.means[best]))
    if len(part.ranked) == 1:
        return [Name(part.best), " reaches a mean ", MeasureName(part.main), f" of {top}."]
    span = ["Mean ", MeasureName(part.main), f" goes from {top} (", Name(part.best)]
    span += [f") to {figure(float(part.means[worst]))} (", Name(part.systems[worst]), ")"]
    span += [" among the systems compared"] if len(part.ranked) < len(part.systems) else []
    if part.comparison is None:
        return [*span, "."]
    others = [system for system in part.systems if system != part.reference and part.verdict(system) is not None]
    if not others:
        return [*span, "."]
    close = sum(part.verdict(system) == 0 for system in others)
    who = ["the best system"] if part.reference == part.best else ["the baseline ", Name(part.reference)]
    if len(others) == 1:
        does = "does not differ" if close else "differs"
        return [*span, "; ", Name(others[0]), f" {does} significantly from ", *who, "."]
    if close in {0, len(others)}:
        lot = f"none of the {len(others)} other systems differs" if close else f"all {len(others)} other systems differ"
        return [*span, f"; {lot} significantly from ", *who, "."]
    do = plural(close, "does", "do")
    return [*span, f"; {close:,} of the {len(others)} other systems {do} not differ significantly from ", *who, "."]


@sentence
def separation(part: VersionFindings) -> list[str]:
    """Count significant pairs; name the smallest significant difference and the largest that is not."""
    comparison = part.comparison
    if comparison is None:
        return []
    total, significant = len(comparison.differences), comparison.significant
    if total == 1:
        pair = comparison.differences[0]
        does = "differ" if significant else "do not differ"
        return [Name(pair.a), " and ", Name(pair.b), f" {does} significantly on ", MeasureName(part.main), "."]
    share = f"{len(significant):,} of {quantity(total, 'pair')} ({percent(len(significant) / total)})"
    text = [f"{share} {plural(len(significant), 'differs', 'differ')} significantly on ", MeasureName(part.main)]
    if significant:
        least = min(significant, key=lambda d: abs(d.difference))
        text += [f"; the smallest significant difference is {figure(abs(least.difference), 3)} ("]
        text += [Name(least.a), " and ", Name(least.b), ")"]
    if significant and comparison.undecided:
        most = max(comparison.undecided, key=lambda d: abs(d.difference))
        text += [f", the largest that is not significant is {figure(abs(most.difference), 3)} ("]
        text += [Name(most.a), " and ", Name(most.b), ")"]
    return [*text, "."]


@sentence
def distribution(part: VersionFindings) -> list[str]:
    """Describe the best system's middle half of topics, and name the topic on which the systems differ most."""
    if all(quartiles(part, system) is None for system in part.systems):
        return ["No system has a value of ", MeasureName(part.main), "."]
    own = quartiles(part, part.best)
    if own is None:
        return [Name(part.best), " has no value of ", MeasureName(part.main), "."]
    if len(part.topics) == 1:
        return [
            "There is one topic, so every distribution is a single value; ",
            Name(part.best),
            f" has {plain(own.mean)}.",
        ]
    half = f"have {plain(own.low)}" if own.low == own.high else f"lie between {plain(own.low)} and {plain(own.high)}"
    text = ["For ", Name(part.best), f" half of the topics {half}; "]
    text += [f"its median is {plain(own.median)}, its mean {plain(own.mean)}."]
    zero, widest = zero_topics(part), widest_topic(part)
    if zero:
        return [*text, f" On {quantity(zero, 'topic')} every system has 0."]
    if widest is None or widest[1] == 0:
        return text
    return [*text, " The systems differ most on topic ", Name(widest[0]), f", by {plain(widest[1])}."]


@sentence
def over_systems(part: VersionFindings) -> str:
    """Say of which systems a mean is, where some are not compared."""
    return "over all systems" if len(part.ranked) == len(part.systems) else "over the systems compared"


@sentence
def hardest(part: VersionFindings, *, shown: int, without: int, several: bool) -> list[str]:
    """Say which topics are shown as the hardest, and on how many no system has a value above 0."""
    measure = MeasureName(part.main)
    if part.direction < 0:
        return ["The topics with the highest ", measure, f" {over_systems(part)}, where low is good."]
    total = len(part.topics)
    which = (
        "The only topic"
        if total == 1
        else f"All {total} topics, those"
        if shown == total
        else f"The {shown} of {total:,} topics"
    )
    text = [f"{which} with the lowest mean ", measure, f" {over_systems(part)}"] if total > 1 else [f"{which}"]
    text += [" ", *on_version(part.version)] if several else []
    nothing = f"; on {quantity(without, 'topic')} no system has a value above 0" if without else ""
    order = " first" if shown == total > 1 else ", lowest first" if total > 1 else ""
    return [*text, f"{order}{nothing}."]


@sentence
def pair(part: VersionFindings, a: str, b: str) -> list[str]:
    """Count the topics won, tied and lost, and give the test; the script makes the same sentence for other pairs."""
    topics = tally(part, a, b)
    if not topics.topics:
        return ["The two systems have no value on the same topic."]
    text = [
        Name(a),
        " is better than ",
        Name(b),
        f" on {topics.won:,} of {quantity(topics.topics, 'topic')}, ties on ",
    ]
    text += [f"{topics.level:,} and is worse on {topics.lost:,}; the mean difference is {signed(topics.difference)}"]
    compared = part.pairs.get((a, b))
    if compared is None or part.comparison is None or math.isnan(compared[0].p[0]):
        return [*text, "."]
    difference, way = compared
    test, correction = part.comparison.tests[0], part.comparison.corrections[0]
    if correction == "none" or len(part.comparison.differences) == 1:
        tested = f", {p_value(difference.p[0])} ({test})"
    else:
        tested = f", {p_value(difference.raw[0])} before and {p_value(difference.p[0])} after correction for "
        tested += f"{quantity(len(part.comparison.differences), 'pair')} ({test}, {correction})"
    effect = "" if math.isnan(difference.effect) else f"; effect size d = {signed(way * difference.effect, 2)}"
    return [*text, f"{tested}{effect}."]


@sentence
def leads(part: VersionFindings, a: str, b: str) -> list[str]:
    """Name the topics on which either of two systems is furthest ahead."""
    furthest = furthest_leads(part, a, b)
    if furthest is None:
        return ["The two systems have no value on the same topic."]
    text: list[str] = []
    for lead in furthest:
        text += [Name(lead.ahead), " is furthest ahead of ", Name(lead.behind), " on topic ", Name(lead.topic)]
        text += [f" ({figure(lead.value)} against {figure(lead.other)}). "]
    return text or ["The two systems tie on every topic."]


@sentence
def agreement(part: VersionFindings) -> list[str]:
    """Name the two measures that rank the systems most differently."""
    least = part.least_agreement
    if least is None:
        return ["No two measures rank the systems."]
    if least.unanimous:
        return ["All measures rank the systems in the same order."]
    text = [MeasureName(least.first), " and ", MeasureName(least.second), " rank the systems most differently "]
    text += [f"(Kendall's τ_b = {least.tau:.2f})"]
    if least.same:
        text += [f"; {least.same} of {quantity(least.pairs, 'pair')} of measures give the same order"]
    return [*text, f". The mean over all pairs of measures is {least.mean:.2f}."]


@sentence
def merged_measures(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which measures share a row because they have the same values here, but for a constant factor."""
    text: list[str] = []
    for names in groups:
        text += ["; " if text else "One row stands for measures that have the same values here: "]
        for place, name in enumerate(names):
            text += [", " if place and place < len(names) - 1 else " and " if place else "", MeasureName(name)]
    return [*text, "."] if text else []


@sentence
def precision(part: VersionFindings) -> list[str]:
    """Say which system has the highest precision at which recall."""
    leaders = precision_leaders(part)
    if not leaders:
        return ["No system finds a relevant document."]
    if len(part.ranked) == 1:
        row = part.precision[part.ranked[0]]
        first, last = (figure(float(row[place]), 3) for place in (0, -1))
        return [f"Precision falls from {first} to {last}."]
    if len(leaders) == 1:
        return [Name(leaders[0][1]), " has the highest precision at every recall."]
    text = [Name(leaders[0][1]), " has the highest precision at the start"]
    for recall, system in leaders[1:SPOKEN]:
        text += [", ", Name(system), f" from recall {recall} on"]
    return [*text, ", and the lead changes again." if len(leaders) > SPOKEN else "."]


@sentence
def scales(part: VersionFindings) -> list[str]:
    """Say whether the order depends on the scale, and which other averages in the chart put another system first."""
    if part.sensitivity is None:
        return []
    text = [sensitivity_conclusion(part.sensitivity)]
    others = {spec: system for spec, system in average_leaders(part).items() if system != part.best}
    for place, (spec, system) in enumerate(others.items()):
        text += [" " if not place else " and ", Name(system), f" has the best {average_name(spec)}"]
    return [*text, "."] if others else text


@sentence
def versions(findings: Findings) -> list[str]:
    """Name the systems that lose most and least from the first version to the worst, and compare the orders."""
    lost = losses(findings)
    if not lost.compared:
        return ["No system is compared on all versions."]
    text: list[str] = []
    if lost.most is not None:
        start = ["the clean text"] if findings.first.version == CLEAN else [Name(findings.first.version)]
        text += ["From ", *start, " to ", Name(lost.version), " "]
        text += [Name(lost.most.system), f" changes most, {_step(lost.most)}"]
        if lost.least is not None:
            text += [", ", Name(lost.least.system), f" {'gains' if lost.gains else 'least'}, {_step(lost.least)}"]
        text += ["."]
    if not math.isnan(lost.tau):
        text += [f" The two orders of the systems have a rank correlation of τ_b = {lost.tau:.2f}."]
    return text or [Name(findings.first.main), " has no value on some version."]


def _step(change: Changed) -> str:
    before, after = change.before, change.after
    share = f" ({signed(100 * (after - before) / abs(before), 2)} %)" if before else ""
    return f"from {figure(before, 3)} to {figure(after, 3)}{share}"


@sentence
def finds(study: Study, axis: Axis) -> list[str]:
    """Name the systems that find most, and count how the curves lie to each other."""
    items = f" of {quantity(len(study.item.questions), 'item')}"
    if axis == "rank":
        text = ["At rank 1 ", *_most(study, study.leaders(1), items), "; down to rank 10 "]
        text += _most(study, study.leaders(10), "")
    else:
        text = ["By the end ", *_most(study, study.leaders(), items)]
    relations = study.relations(axis)
    if not relations.pairs:
        return [*text, "."]
    if relations.pairs == 1:
        kind = "cross" if relations.crossing else "are the same" if relations.same else "do not cross"
        return [*text, f". The two curves {kind}."]
    has = plural(relations.above, "has", "have")
    text += [f". Of {quantity(relations.pairs, 'pair')} of curves {relations.above:,} {has} "]
    text += [f"one curve above the other and {relations.crossing:,} {plural(relations.crossing, 'crosses', 'cross')}"]
    text += [f"; {relations.same:,} {plural(relations.same, 'is', 'are')} the same"] if relations.same else []
    free = relations.undominated
    if free and len(free) < len(study.item.systems):
        return [*text, ". No curve is above that of ", *named_list(free), "."]
    return [*text, "."]


def _most(study: Study, leaders: tuple[int, tuple[str, ...]], of: str) -> list[str]:
    """Name the systems with the largest count."""
    count, top = leaders
    if len(study.item.systems) == 1:
        return [Name(top[0]), f" finds {count:,}{of}"]
    if len(top) == len(study.item.systems):
        return [f"all systems find {count:,}{of}"]
    return [*named_list(top, 4), f" {plural(len(top), 'finds', 'find')} most, {count:,}{of}"]


@sentence
def untested(part: VersionFindings) -> str:
    """Say why there is no test."""
    if len(part.ranked) < 2:
        return "Nothing was tested: a comparison needs at least two systems."
    if len(part.topics) < 2:
        return "Nothing was tested: a test needs at least two topics."
    return "Nothing was tested: the scores are incomplete, so systems cannot be compared on the same topics."


@sentence
def main_pair(part: VersionFindings) -> list[str]:
    """Compare the best system with its rival: difference, interval, p, topics won and lost."""
    comparison, names = part.comparison, part.main_pair
    compared = part.pairs.get(names) if names else None
    if comparison is None or names is None or compared is None:
        return []
    difference, way = compared
    ends = sorted((way * difference.low, way * difference.high))
    won, lost = (difference.wins, difference.losses) if way > 0 else (difference.losses, difference.wins)
    text = [Name(names[0]), " against ", Name(names[1]), ": ", Strong(signed(way * difference.difference)), " "]
    text += [MeasureName(part.main), f" ({comparison.confidence:.0%} interval {interval(ends)}). "]
    text += [f"It is better on {won:,}, ties on {difference.ties:,} and is worse on {lost:,} of "]
    text += [f"{quantity(comparison.topics, 'topic')}. "]
    if math.isnan(difference.p[0]):
        return [*text, "There is no p-value for this pair."]
    verdict = "significant" if difference.p[0] < ALPHA else "not significant"
    return [
        *text,
        f"The difference is {verdict} at {ALPHA:.0%} ({p_value(difference.p[0])}, {first_test(comparison)}).",
    ]


@sentence
def significant_share(part: VersionFindings) -> str:
    """Count the pairs that differ significantly with these topics."""
    if part.comparison is None:
        return ""
    significant, total = len(part.comparison.significant), len(part.comparison.differences)
    caution = "Other topics could have been chosen: intervals and p-values show how much that matters."
    if total == 1:
        return caution
    return (
        f"{significant:,} of {quantity(total, 'pair')} of systems ({percent(significant / total)}) "
        f"{plural(significant, 'differs', 'differ')} significantly at {ALPHA:.0%} with "
        f"{quantity(part.comparison.topics, 'topic')}. {caution}"
    )


@sentence
def other_measures(part: VersionFindings, others: OtherLeaders) -> list[str]:
    """Say which measures put another system first."""
    leaders = others.leaders
    if not leaders:
        which = "the other measure puts" if others.measures == 1 else f"all {others.measures} other measures put"
        return ["No change: ", which, " ", Name(part.best), " first as well."]
    count = sum(map(len, leaders.values()))
    text = [
        f"{count} of {quantity(others.measures, 'other measure')} {plural(count, 'puts', 'put')} another system first: "
    ]
    for place, (system, by) in enumerate(list(leaders.items())[:3]):
        text += ["; " if place else "", Name(system), " by "]
        for number, measure in enumerate(by[:4]):
            text += [", " if number else "", MeasureName(measure)]
        text += [" and others"] if len(by) > 4 else []
    more = len(leaders) - 3
    return [*text, f"; {quantity(more, 'more system')} by others." if more > 0 else "."]


@sentence
def other_versions(findings: Findings) -> list[str]:
    """Say which systems lead on the other versions."""
    best = findings.first.best
    others = [(part.version, part.best) for part in findings.parts[1:] if part.best != best]
    if not others:
        names = named_list([part.version for part in findings.parts[1:]], 4)
        return ["No change: ", Name(best), " leads on ", *names, " as well."]
    text: list[str] = []
    for place, leader in enumerate(list(dict.fromkeys(leader for _, leader in others))[:4]):
        own = [version for version, other in others if other == leader]
        text += ["; " if place else "", Name(leader), " leads on ", *named_list(own, 4)]
    same = len(findings.parts) - 1 - len(others)
    hidden = len({leader for _, leader in others}) - 4
    more = f"; {quantity(hidden, 'more system')} on others" if hidden > 0 else ""
    rest = f"the other {same:,} versions" if same > 1 else "the other version"
    return [*text, more, *(["; ", Name(best), f" leads on {rest}"] if same else []), "."]


@sentence
def single_system() -> str:
    """Say why no system is compared topic by topic."""
    return "There is only one system, so there is nothing to compare topic by topic."


@sentence
def reading_of_lists(*, all_topics: bool, shown: int, topics: int) -> str:
    """Explain how two ranked lists are read, and which topics have them."""
    text = (
        "The first ten documents of both systems. A grade is what the judgments say; unjudged documents count as not "
        "relevant in most measures, although nobody has looked at them."
    )
    if all_topics:
        return text
    which = "the hardest ones and those on which the systems differ most"
    return f"{text} {shown:,} of {topics:,} topics have their lists here: {which}."


@sentence
def lists_compared(topic: str, a: str, b: str, shared: int, depth: int) -> list[str]:
    """Count the documents that two lists share; the script makes the same sentence for other choices."""
    text = ["On topic ", Name(topic), ", ", Name(a), " and ", Name(b)]
    many = quantity(shared, "document") if shared else "no document"
    return [*text, f" have {many} in common among their first {depth}."]


@sentence
def coverage(part: VersionFindings) -> list[str]:
    """Say which systems left topics out, and how many of the first documents nobody judged."""
    total, text = len(part.topics), list[str]()
    short = [system for system, count in zip(part.systems, part.answered, strict=True) if count < total]
    if part.answered and not short:
        every = "The system" if len(part.systems) == 1 else "Every system"
        text += [f"{every} retrieved documents for {'the only topic' if total == 1 else f'all {total:,} topics'}."]
    elif short:
        text += [*named_list(short, 4), " left topics out: they count as 0 there."]
    shares = [share for share in part.unjudged if not math.isnan(share)]
    if part.study is not None:
        return [*text, " Every topic has one relevant document; all others count as not relevant."]
    if shares and max(shares) == 0:
        text += [" All documents among the first ten were judged."]
    elif shares:
        low, high = percent(min(shares)), percent(max(shares))
        span = f"{high}" if low == high else f"{low} to {high}, depending on the system,"
        text += [f" Of the documents among the first ten {span} were not judged; measures count them as not relevant"]
        text += [
            ", which can put systems at a disadvantage that were not part of the judging."
            if max(shares) >= 0.1
            else "."
        ]
    return text
