"""The topics: two systems topic by topic, how values lie over all of them, and the hardest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...comparison.matrix import mean_of_known
from ...core.english import figure, signed
from ...core.judged import Floats
from ...experiment.findings import Findings, VersionFindings
from ...words import captions
from ...words.omissions import more_relevant, other_documents, topics_far_apart
from ...words.table_captions import no_relevant_document
from ..figures import Figure, distribution_figure, scatter_figure, topic_bars_figure
from .parts import Room, Section, each_version, measure_name, plot, scroll_box, section, spoken, table
from .safe_markup import (
    Html,
    beginning_of,
    disclosure,
    join_children,
    list_of,
    name_element,
    phrase,
    shorten_middle,
    tag,
)

LISTED = 300
"""Topics in the table below the charts; of more those far from level."""

DRAWN = 1500
"""Topics in the charts of the page as it is; the script draws all."""

CHARS = 200
"""Of a question that are shown."""


def topics_section(findings: Findings, room: Room) -> Section:
    view = findings.first
    pair = view.main_pair
    if pair is None:
        return section("topics", "Topic by topic", tag("p", captions.single_system()))
    a, b = pair
    bars, points = draw_pair(findings)
    how_bars, how_points = (captions.reading_of_topics(c, DRAWN, len(view.topics)) for c in ("bars", "points"))
    block = section(
        "topics",
        "Topic by topic",
        choosers(findings),
        plot(bars, pair_sentence(view, a, b), how_bars, rows(findings, view, a, b), id="pair-bars"),
        plot(points, spoken(captions.leads(view, a, b), view), how_points, id="pair-scatter"),
    )
    room.needed(block.html)
    return block


def draw_pair(findings: Findings) -> tuple[Figure, ...]:
    """Bars and scatter of the two systems that are shown first; none if there is one system."""
    view = findings.first
    pair = view.main_pair
    if pair is None:
        return ()
    a, b = pair
    first, second = view.values[view.place[a]], view.values[view.place[b]]
    drawn = drawn_topics(first - second)
    topics = [view.topics[t] for t in drawn]
    about: dict[str, Any] = {"a": a, "b": b, "measure": view.main, "better": view.column.better}
    about["texts"] = texts(findings, view) if len(drawn) == len(view.topics) else None
    who = f"{shorten_middle(view.main)} of {shorten_middle(a)}"
    return (
        topic_bars_figure(
            topics, (first - second)[drawn], title=f"{who} minus {shorten_middle(b)}, topic by topic", **about
        ),
        scatter_figure(topics, first[drawn], second[drawn], title=f"{who} against {shorten_middle(b)}", **about),
    )


def drawn_topics(gaps: Floats) -> list[int]:
    """All topics; of more than can be told apart on a screen so many, evenly from the sorted differences."""
    if len(gaps) <= DRAWN:
        return list(range(len(gaps)))
    order = np.argsort(gaps, kind="stable")
    places = np.unique(np.linspace(0, len(gaps) - 1, DRAWN).round().astype(np.int64))
    return sorted(int(t) for t in order[places])


def texts(findings: Findings, view: VersionFindings) -> dict[str, str]:
    """What was asked, as far as it is known."""
    return {topic: beginning_of(findings.question(topic), CHARS) for topic in view.topics if findings.question(topic)}


def pair_sentence(view: VersionFindings, a: str, b: str) -> Html:
    """Won, level, lost; the same sentence is made by the script for other pairs."""
    return spoken(captions.pair(view, a, b), view)


def rows(findings: Findings, view: VersionFindings, a: str, b: str) -> Html:
    """The values behind the charts."""
    first, second = view.values[view.place[a]], view.values[view.place[b]]
    gaps = first - second
    order = np.argsort(np.where(np.isnan(gaps), np.inf, -view.direction * gaps), kind="stable")
    cut = len(order) > LISTED
    list_of = [*order[: LISTED // 2], *order[-LISTED // 2 :]] if cut else list(order)
    body = (
        (
            name_element(view.topics[t]),
            tag("bdi", beginning_of(findings.question(view.topics[t]), CHARS)),
            *(figure(float(x)) for x in (first[t], second[t])),
            signed(float(gaps[t])),
        )
        for t in list_of
    )
    html = table(
        ["topic", "question", name_element(a, 24), name_element(b, 24), "difference"], body, labels=2, id="pair-data"
    )
    note = tag("p", topics_far_apart(LISTED, len(order)), class_="note") if cut else None
    return disclosure("The values, topic by topic", note, scroll_box(html, "Values topic by topic", class_="long"))


def choosers(findings: Findings) -> Html:
    """Lists to choose from; the script fills them with what it has the values of."""

    def one(name: str, label: str) -> Html:
        return tag("label", tag("span", label), tag("select", id=name))

    return tag(
        "form",
        one("pair-a", "System"),
        one("pair-b", "against"),
        one("pair-measure", "on"),
        one("pair-version", "version") if findings.several else None,
        class_="choosers needs-js",
        id="pair",
        aria_label="Systems to compare",
    )


LARGEST = 3000
"""Values of which each is drawn; then the texts of topics are needed, and otherwise not."""


def distribution_section(findings: Findings, room: Room) -> Section:
    def make(view: VersionFindings) -> Html | None:
        how = captions.reading_of_distribution(view.values.size <= LARGEST)
        return plot(draw_distribution(findings, view), spoken(captions.distribution(view), view), how)

    return section("distribution", "Distribution over topics", each_version(findings, room, "distributions", make))


def draw_distribution(findings: Findings, view: VersionFindings) -> Figure:
    return distribution_figure(
        view.systems,
        view.values,
        topics=view.topics,
        measure=view.main,
        better=view.column.better,
        texts=texts(findings, view) if view.values.size <= LARGEST else None,
        baseline=view.baseline,
        title=f"Values of {shorten_middle(view.main)} over topics",
    )


TOPICS = 8
GROUPS = 6
"""Different first documents shown for a topic; those that most systems chose."""
TARGETS = 3
EXTRACT = 220
QUESTION = 600


def hardest_section(findings: Findings, room: Room) -> Section | None:
    view = findings.first
    means = mean_of_known(view.values.T)
    order = [t for t in view.hardest if not np.isnan(means[t])]
    if not order:
        return None
    blocks = [room.take(hard_topic(findings, view, t), "hard topics") for t in order[:TOPICS]]
    nothing = int((means == 0).sum()) if view.direction > 0 else 0
    shown = min(TOPICS, len(order))
    lead = captions.hardest(view, shown=shown, without=nothing, several=findings.several)
    return section("hardest", "The hardest topics", tag("p", spoken(lead, view)), *blocks)


def hard_topic(findings: Findings, view: VersionFindings, t: int) -> Html:
    name = view.topics[t]
    question = beginning_of(findings.question(name), QUESTION)
    means = [(other.version, _mean(other, name)) for other in findings.parts]
    figures = ", ".join(figure(mean, 3) for _, mean in means[:1])
    across = None
    if findings.several:
        parts: list[object] = []
        for version, mean in means[1:5]:
            parts += ["; ", name_element(version, 24), f" {figure(mean, 3)}"]
        across = join_children(parts)
    return tag(
        "article",
        tag("h3", name_element(name), " ", tag("bdi", question, class_="question") if question else None),
        tag("p", "Mean ", measure_name(view.column), f" {figures}", across, class_="note"),
        targets(findings, name),
        firsts(findings, view, t),
        class_="topic",
    )


def _mean(view: VersionFindings, topic_: str) -> float:
    if topic_ not in view.topics:
        return float("nan")
    return float(mean_of_known(view.values[:, view.topics.index(topic_)]))


def targets(findings: Findings, name: str) -> Html | None:
    wanted = findings.relevant.get(name, ())
    if not wanted:
        return tag("p", no_relevant_document(), class_="note")
    more = more_relevant(len(wanted) - TARGETS) if len(wanted) > TARGETS else None
    label = "Target" if len(wanted) == 1 else "Relevant"
    if not any(findings.extracts.get(target) for target in wanted[:TARGETS]):
        return tag("p", tag("span", f"{label} ", class_="label"), phrase(wanted, 4), class_="targets")
    documents = [document(findings, target) for target in wanted[:TARGETS]]
    return join_children(
        [tag("p", label, class_="label"), list_of([*documents, *([more] if more else [])], class_="documents")]
    )


def document(findings: Findings, name: str) -> Html:
    words = findings.extracts.get(name, "")
    text = beginning_of(words.removeprefix(name), EXTRACT)  # many documents begin with what they are called
    return join_children(
        [name_element(name), join_children([" ", tag("bdi", text, class_="extract")]) if text else None]
    )


def firsts(findings: Findings, view: VersionFindings, t: int) -> Html | None:
    """The documents put first, those of most systems first, each with the systems that chose it."""
    chosen: dict[str, list[str]] = {}
    for s in view.order:
        row = view.first[s] if s < len(view.first) else ()
        chosen.setdefault(row[t] if t < len(row) else "", []).append(view.systems[s])
    wanted = set(findings.relevant.get(view.topics[t], ()))
    ordered = sorted(chosen.items(), key=lambda pair: -len(pair[1]))
    rows = []
    for name, systems in ordered[:GROUPS]:
        what = document(findings, name) if name else tag("em", "nothing")
        hit = tag("span", "✓ relevant", class_="hit") if name in wanted else None
        rows.append(tag("li", tag("div", what, " ", hit), tag("div", phrase(systems, 8), class_="by")))
    hidden = len(ordered) - GROUPS
    if hidden > 0:
        rows.append(tag("li", other_documents(hidden), class_="note"))
    return join_children([tag("p", "Put first", class_="label"), tag("ul", rows, class_="firsts")])
