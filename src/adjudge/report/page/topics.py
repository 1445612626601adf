"""Two systems, topic by topic: sorted bars and a scatter of the same values, for any two systems on request."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.english import quantity
from ...core.judged import Floats
from ..figures import Figure, scatter_figure, topic_bars_figure
from .markup import Html, disclosed, joined, named, shortened, started, tag
from .parts import Room, Section, plot, scrolled, section, table
from .subject import Subject, View, default_pair, figure, mean_of, p_value, signed, test_name

LISTED = 300
"""Topics in the table below the charts; of more those far from level."""

DRAWN = 1500
"""Topics in the charts of the page as it is; the script draws all."""

CHARS = 200
"""Of a question that are shown."""


def topics_section(subject: Subject, room: Room) -> Section:
    view = subject.first
    pair = default_pair(view)
    if pair is None:
        said = "There is one system only, so there is nothing to set it against."
        return section("topics", "Topic by topic", tag("p", said))
    a, b = pair
    one, other = view.values[view.place[a]], view.values[view.place[b]]
    bars, points = pair_drawn(subject)
    how_bars = (
        "A bar a topic, sorted by the difference: above the line the first system has the higher value, below it the "
        "second. Many small bars are a habit, a few tall ones an accident that other topics may not repeat."
    )
    how_points = (
        "A point a topic: on the diagonal both systems are level; "
        "far from it one of them fails where the other does not."
    )
    if len(view.topics) > DRAWN:
        few = f" The chart draws and counts {DRAWN:,} of {len(view.topics):,} topics, evenly from the sorted ones."
        how_bars, how_points = how_bars + few, how_points + few
    made = section(
        "topics",
        "Topic by topic",
        choosers(subject),
        plot(bars, found(view, a, b, one, other), how_bars, rows(subject, view, a, b, one, other), id="pair-bars"),
        plot(points, extremes(view, a, b, one, other), how_points, id="pair-scatter"),
    )
    room.needed(made.html)
    return made


def pair_drawn(subject: Subject) -> tuple[Figure, ...]:
    """Bars and scatter of the two systems that are shown first; none if there is one system."""
    view = subject.first
    pair = default_pair(view)
    if pair is None:
        return ()
    a, b = pair
    one, other = view.values[view.place[a]], view.values[view.place[b]]
    kept = drawn_topics(one - other)
    topics = [view.topics[t] for t in kept]
    about: dict[str, Any] = {"a": a, "b": b, "measure": view.main, "better": view.column.better}
    about["texts"] = texts(subject, view) if len(kept) == len(view.topics) else None
    who = f"{shortened(view.main)} of {shortened(a)}"
    return (
        topic_bars_figure(topics, (one - other)[kept], title=f"{who} minus {shortened(b)}, topic by topic", **about),
        scatter_figure(topics, one[kept], other[kept], title=f"{who} against {shortened(b)}", **about),
    )


def drawn_topics(gaps: Floats) -> list[int]:
    """All topics; of more than can be told apart on a screen so many, evenly from the sorted differences."""
    if len(gaps) <= DRAWN:
        return list(range(len(gaps)))
    order = np.argsort(gaps, kind="stable")
    places = np.unique(np.linspace(0, len(gaps) - 1, DRAWN).round().astype(np.int64))
    return sorted(int(t) for t in order[places])


def texts(subject: Subject, view: View) -> dict[str, str]:
    """What was asked, as far as it is known."""
    return {topic: started(subject.question(topic), CHARS) for topic in view.topics if subject.question(topic)}


def found(view: View, a: str, b: str, one: Floats, other: Floats) -> Html:
    """Won, level, lost; the same sentence is made by the script for other pairs."""
    gaps = view.direction * (one - other)
    won, lost = int((gaps > 0).sum()), int((gaps < 0).sum())
    known = int((~np.isnan(gaps)).sum())
    mean = float(mean_of(one - other))
    text = [
        *(named(a), f" is better on {won}, level on {known - won - lost} and worse on {lost} of "),
        *(f"{quantity(known, 'topic')} than ", named(b), f"; mean difference {signed(mean)}"),
    ]
    pair = view.pairs.get((a, b))
    comparison = view.finding.comparison
    test = f", {p_value(pair[0].p[0])} ({test_name(comparison)})" if pair and comparison else ""
    return joined([*text, f"{test}."])


def extremes(view: View, a: str, b: str, one: Floats, other: Floats) -> Html:
    gaps = view.direction * (one - other)
    if np.isnan(gaps).all():
        return joined(["The two have no value on the same topic."])
    top, low = int(np.nanargmax(gaps)), int(np.nanargmin(gaps))
    made: list[object] = []
    for place, ahead, behind in ((top, a, b), (low, b, a)):
        if (gaps[place] > 0) == (place == top) and gaps[place] != 0:
            mine, yours = (one, other) if ahead == a else (other, one)
            made += [
                *(named(ahead), " is furthest ahead of ", named(behind), " on topic ", named(view.topics[place])),
                f" ({figure(float(mine[place]))} against {figure(float(yours[place]))}). ",
            ]
    return joined(made or ["The two are level on every topic."])


def rows(subject: Subject, view: View, a: str, b: str, one: Floats, other: Floats) -> Html:
    """The values behind the charts."""
    gaps = one - other
    order = np.argsort(np.where(np.isnan(gaps), np.inf, -view.direction * gaps), kind="stable")
    cut = len(order) > LISTED
    kept = [*order[: LISTED // 2], *order[-LISTED // 2 :]] if cut else list(order)
    body = (
        (
            named(view.topics[t]),
            tag("bdi", started(subject.question(view.topics[t]), CHARS)),
            *(figure(float(x)) for x in (one[t], other[t])),
            signed(float(gaps[t])),
        )
        for t in kept
    )
    made = table(["topic", "question", named(a, 24), named(b, 24), "difference"], body, labels=2, id="pair-data")
    note = tag("p", f"The {LISTED} topics of {len(order):,} on which they differ most.", class_="note") if cut else None
    return disclosed("The values, topic by topic", note, scrolled(made, "Values topic by topic", class_="long"))


def choosers(subject: Subject) -> Html:
    """Lists to choose from; the script fills them with what it has the values of."""

    def one(name: str, label: str) -> Html:
        return tag("label", tag("span", label), tag("select", id=name))

    return tag(
        "form",
        one("pair-a", "System"),
        one("pair-b", "against"),
        one("pair-measure", "on"),
        one("pair-version", "version") if subject.several else None,
        class_="choosers needs-js",
        id="pair",
        aria_label="Systems to compare",
    )
