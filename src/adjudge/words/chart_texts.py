"""What a chart shows, in words: for those who cannot see it, and in the line below it."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.english import listing, quantity
from .speech import sentence

COLUMNS, ABSENT = 12, 3
"""Names in a text."""


@sentence
def coloured(shown: int, systems: int) -> str:
    """That not every system has a colour of its own."""
    return f"{shown} of {systems} systems are coloured"


@sentence
def boxes(*, dotted: bool) -> str:
    """Distributions over topics."""
    ends = "dot for each topic" if dotted else "line from 5 % to 95 %"
    box = "box from the first to the third quartile, line at the median, diamond at the mean"
    return f"A row for each system, the best median first: {box}, {ends}."


@sentence
def means_over_versions(systems: int, versions: Sequence[str], measure: str) -> str:
    """Means on versions of the documents."""
    lines = f"A line for each of {quantity(systems, 'system')} over {', '.join(versions)}"
    return f"{lines}: {measure or 'mean'} with intervals."


@sentence
def steps(systems: int, questions: int, remark: str) -> str:
    """Operating characteristics, with what the line below them says."""
    curves = f"A step curve for each of {quantity(systems, 'system')}"
    text = f"{curves}: how many of {quantity(questions, 'item')} are found by an effort."
    return f"{text} {remark}." if remark else text


@sentence
def ranks(systems: int, columns: Sequence[str], moved: int) -> str:
    """Ranks under several averages."""
    under = ", ".join(columns[:COLUMNS])
    lines = f"A line for each of {quantity(systems, 'system')} through its rank under each of {under}"
    return f"{lines}; {moved:,} of them change rank."


@sentence
def precision_lines(systems: int) -> str:
    """Recall and precision."""
    lines = f"A line for each of {quantity(systems, 'system')}"
    return f"{lines}: interpolated precision against recall; higher is better."


@sentence
def sides_of_diagonal(a: str, b: str, won: int, lost: int, *, low: bool) -> str:
    """Who is better on which side; ``low`` where low values are good."""
    first, second = ("below", "above") if low else ("above", "below")
    return f"{first} the diagonal: {a} better on {won}; {second}: {b} better on {lost}"


@sentence
def points(a: str, b: str, topics: int, won: int, lost: int) -> str:
    """Two systems, a point a topic."""
    return f"A point for each of {quantity(topics, 'topic')}: {a} is better on {won:,}, {b} on {lost:,}."


@sentence
def bars(a: str, b: str, topics: int, won: int, lost: int, level: int) -> str:
    """Two systems, a bar a topic."""
    ahead = f"{a} is better on {quantity(won, 'topic')}, {b} on {lost:,}"
    return f"{quantity(topics, 'bar')}, sorted: {ahead}, level on {level:,}."


@sentence
def difference_drawn(measure: str, a: str, b: str, topics: int, missing: int) -> str:
    """What a bar is, and how many topics have none."""
    without = f"; {missing:,} without a value for both" if missing else ""
    return f"{measure or 'value'} of {a} − {b}, {quantity(topics, 'topic')}{without}"


@sentence
def coefficients(orders: int, coefficient: str) -> str:
    """A matrix of rank correlations."""
    return f"{orders:,} × {orders:,} coefficients {coefficient}; the stronger the colour, the further from 0."


@sentence
def told_apart(apart: int, pairs: int, test: str) -> str:
    """How many pairs a matrix tells apart."""
    return f"{apart:,} of {quantity(pairs, 'pair')} are told apart at 5 %" + (f" ({test})" if test else "")


@sentence
def nameless(remark: str) -> str:
    """The same for a matrix that has no room for names."""
    return f"{remark}. Rows and columns are the systems, best first; names are shown on hover."


@sentence
def triangles(remark: str) -> str:
    """A matrix of significant differences."""
    signs = "a triangle up where the row is better, down where it is worse, larger for smaller p"
    return f"Rows against columns: {signs}, a dot where they cannot be told apart. {remark}."


@sentence
def means(systems: int, versions: Sequence[str], labelled: int) -> str:
    """Means with intervals, a row a system."""
    rows = f"A row for each of {quantity(systems, 'system')}, best first: its mean and the interval of it"
    text = f"{rows}, for {', '.join(versions)}." if versions else f"{rows}."
    thin = f" {quantity(labelled, 'system has', 'systems have')} a label, the rest are thin rows."
    return text + (thin if labelled < systems else "")


@sentence
def never_worth_reading(systems: Sequence[str]) -> str:
    """Systems that a chart of worth does not show."""
    return f"Not worth the reading at any of these prices: {listing(systems, ABSENT)}"


@sentence
def worth(systems: int, leaders: Sequence[str]) -> str:
    """What systems are worth, for every price."""
    lines = f"Worth of {quantity(systems, 'system')} against v/c"
    return f"{lines}; worth most are, from small v/c to great, {listing(leaders)}."
