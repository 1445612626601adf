"""Describe charts in words: the text for readers who cannot see a chart, and the line below it."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.english import listing, quantity
from .speech import sentence

COLUMNS, ABSENT = 12, 3
"""Names in a text."""


@sentence
def coloured(shown: int, systems: int) -> str:
    """Say that not every system has a colour of its own."""
    return f"{shown} of {systems} systems are coloured"


@sentence
def lines_drawn(drawn: int, systems: int) -> str:
    """Say that not every system has a line."""
    return f"{drawn} of {systems} systems are drawn; ranks and reversed pairs are counted over all {systems}"


@sentence
def boxes(*, dotted: bool) -> str:
    """Describe the distribution of values over topics."""
    ends = "one dot per topic" if dotted else "a line from the 5th to the 95th percentile"
    box = "a box from the first to the third quartile, a line at the median, a diamond at the mean"
    return f"One row per system, the best mean first: {box}, {ends}."


@sentence
def means_over_versions(systems: int, versions: Sequence[str], measure: str) -> str:
    """Describe means on versions of the documents."""
    lines = f"One line for each of {quantity(systems, 'system')} over {', '.join(versions)}"
    return f"{lines}: {measure or 'mean'} with intervals."


@sentence
def steps(systems: int, questions: int, remark: str) -> str:
    """Describe operating characteristics, with what the line below them says."""
    curves = f"One step curve for each of {quantity(systems, 'system')}"
    text = f"{curves}: how many of {quantity(questions, 'item')} are found with how much reading."
    return f"{text} {remark}." if remark else text


@sentence
def better_of_groups(dominant: Sequence[tuple[str, str]], best: Sequence[tuple[str, str]]) -> str:
    """Say which system stands for each group: one that dominates the others, or one with the highest MRR."""
    parts = [
        f"{listing([f'{system} of {group}' for group, system in some])} {why}"
        for some, why in ((dominant, "by dominance"), (best, "by mean reciprocal rank, since no curve dominates"))
        if some
    ]
    return f"Of each group one system: {'; '.join(parts)}" if parts else ""


@sentence
def error_lines(measures: int) -> str:
    """Describe error rates of measures over the size of topic sets."""
    lines = f"One line for each of {quantity(measures, 'measure')}"
    return (
        f"{lines}: the share of comparisons that contradict the majority, over the number of topics; lower is better."
    )


@sentence
def histogram(systems: int, measure: str) -> str:
    """Describe histograms of values over topics."""
    return (
        f"One histogram for each of {quantity(systems, 'system')}: topics by their value of {measure or 'a measure'}."
    )


@sentence
def ranks(systems: int, columns: Sequence[str], moved: int) -> str:
    """Describe ranks under several averages."""
    under = ", ".join(columns[:COLUMNS])
    lines = f"Ranks of {quantity(systems, 'system')} under each of {under}"
    return f"{lines}; {moved:,} of them change rank."


@sentence
def precision_lines(systems: int) -> str:
    """Describe curves of recall and precision."""
    lines = f"One line for each of {quantity(systems, 'system')}"
    return f"{lines}: interpolated precision against recall; higher is better."


@sentence
def sides_of_diagonal(a: str, b: str, won: int, lost: int, *, low: bool) -> str:
    """Say which system is better on which side; ``low`` where low values are good."""
    first, second = ("below", "above") if low else ("above", "below")
    return f"{first} the diagonal: {a} better on {won:,}; {second}: {b} better on {lost:,}"


@sentence
def points(a: str, b: str, topics: int, won: int, lost: int) -> str:
    """Describe two systems with one point per topic."""
    return f"One point for each of {quantity(topics, 'topic')}: {a} is better on {won:,}, {b} on {lost:,}."


@sentence
def bars(a: str, b: str, topics: int, won: int, lost: int, ties: int) -> str:
    """Describe two systems with one bar per topic."""
    ahead = f"{a} is better on {quantity(won, 'topic')}, {b} on {lost:,}"
    return f"{quantity(topics, 'bar')}, sorted: {ahead}, and they tie on {ties:,}."


@sentence
def difference_drawn(measure: str, a: str, b: str, topics: int, missing: int) -> str:
    """Say what a bar is, and how many topics have none."""
    without = f"; {missing:,} without a value for both" if missing else ""
    return f"{measure or 'value'} of {a} − {b}, {quantity(topics, 'topic')}{without}"


@sentence
def coefficients(orders: int, coefficient: str) -> str:
    """Describe a matrix of rank correlations."""
    return f"{orders:,} × {orders:,} coefficients {coefficient}; the stronger the colour, the further from 0."


@sentence
def significant_pairs(significant: int, pairs: int, test: str) -> str:
    """Count the pairs that differ significantly."""
    differ = "differs" if significant == 1 else "differ"
    return f"{significant:,} of {quantity(pairs, 'pair')} {differ} significantly at 5%" + (f" ({test})" if test else "")


@sentence
def nameless(remark: str) -> str:
    """Say the same for a matrix that has no room for names."""
    return f"{remark}. Rows and columns are the systems, best first; names are shown on hover."


@sentence
def triangles(remark: str) -> str:
    """Describe a matrix of significant differences."""
    signs = "a triangle up where the row is better, down where it is worse, larger for smaller p"
    return f"Rows against columns: {signs}, a dot where the difference is not significant. {remark}."


@sentence
def means(systems: int, versions: Sequence[str], labelled: int) -> str:
    """Describe means with intervals, one row per system."""
    rows = f"One row for each of {quantity(systems, 'system')}, best first: its mean and the interval of the mean"
    text = f"{rows}, for {', '.join(versions)}." if versions else f"{rows}."
    thin = f" {quantity(labelled, 'system has', 'systems have')} a label, the rest are thin rows."
    return text + (thin if labelled < systems else "")


@sentence
def bands(systems: int, measure: str) -> str:
    """Describe figures with what unjudged documents could add."""
    rows = f"One row for each of {quantity(systems, 'system')}, best first: a dot at its mean {measure}"
    return f"{rows}, and a line up to what it would be if all unjudged documents had full gain."


@sentence
def never_worth_reading(systems: Sequence[str]) -> str:
    """Name the systems that a chart of value does not show."""
    return f"Not worth the reading at any of these prices: {listing(systems, ABSENT)}"


@sentence
def worth(systems: int, leaders: Sequence[str]) -> str:
    """Describe the value of systems at every price of reading."""
    lines = f"Value of {quantity(systems, 'system')} against v/c"
    return f"{lines}; from small v/c to large the most valuable are {listing(leaders)}."


@sentence
def rank_intervals(systems: int) -> str:
    """Describe a leaderboard with intervals of ranks."""
    lines = "a line from the best to the worst rank that it may have, a dot at its place by the average"
    return f"One row for each of {quantity(systems, 'system')}, the best first: {lines}."


@sentence
def rank_hover(name: str, ranks: tuple[int, int], alone: tuple[int, int] | None, letters: str) -> str:
    """Say which ranks a system may have."""
    text = f"{name}: rank {_ranks(ranks)}"
    if alone is not None:
        text += f", alone {_ranks(alone)}"
    return f"{text}, letters {letters}" if letters else text


def _ranks(ranks: tuple[int, int]) -> str:
    return str(ranks[0]) if ranks[0] == ranks[1] else f"{ranks[0]} to {ranks[1]}"


@sentence
def critical_distance(systems: int, distance: float) -> str:
    """Describe a critical-distance diagram."""
    bars = f"bars join those that differ by less than the critical distance {distance:.2f}"
    return f"Mean ranks of {quantity(systems, 'system')} over topics on a line; {bars}."


@sentence
def mean_rank_hover(name: str, rank: float) -> str:
    """Say what the mean rank of a system is."""
    return f"{name}: mean rank {rank:.2f}"


@sentence
def effort_lines(count: int) -> str:
    """Describe the lines of relevant documents over judgments."""
    return (
        f"Share of the relevant documents found over the share of the pool judged, {count:,} lines, one for each order."
    )
