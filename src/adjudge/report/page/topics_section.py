"""Show topics: two systems topic by topic, the distribution of values, and the hardest topics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...core.english import figure, signed
from ...core.judged import Floats
from ...experiment.findings import DocumentExtract, Findings, VersionFindings
from ...experiment.observations import prominent_systems
from ...words import captions
from ...words.omissions import more_relevant, other_documents, topics_far_apart
from ...words.table_captions import no_relevant_document
from ..figures import PAPER, Figure, distribution_figure, scatter_figure, topic_bars_figure
from ..figures.series import slot_of
from .grade_marks import badge
from .parts import (
    Room,
    Section,
    each_version,
    measure_name,
    plot,
    scroll_box,
    section,
    spoken,
    table,
    version_label,
)
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
"""Topics in the table below the charts; of more, those with the largest differences."""

DRAWN = 1500
"""Topics in the charts before the script runs; the script draws all."""

CHARS = 200
"""Characters of a question that are shown."""


SQUARE = 560.0
"""The width of a scatter plot on the page."""


def topics_section(findings: Findings, room: Room) -> Section:
    view = findings.first
    pair = view.main_pair
    if pair is None:
        return section("topics", "Topic by topic", tag("p", captions.single_system()))
    a, b = pair
    how_bars, how_points = (captions.reading_of_topics(c, DRAWN, len(view.topics)) for c in ("bars", "points"))
    bars, points = partial(draw_bars, findings), partial(draw_scatter, findings)
    where, values = spoken(captions.leads(view, a, b), view), rows(findings, view, a, b)
    block = section(
        "topics",
        "Topic by topic",
        choosers(findings),
        plot(bars, pair_sentence(view, a, b), how_bars, values, id="pair-bars", name="topic-differences"),
        plot(points, where, how_points, id="pair-scatter", name="topic-scatter", wide=SQUARE),
    )
    room.needed(block.html)
    return block


def draw_bars(findings: Findings, width: float = PAPER) -> Figure:
    """The differences of the two systems that are shown first."""
    view, topics, (first, second), about = _pair_values(findings)
    gaps = first - second
    title = f"{shorten_middle(view.main)} of {shorten_middle(about['a'])} minus {shorten_middle(about['b'])} per topic"
    return topic_bars_figure(topics, gaps, title=title, width=width, **about)


def draw_scatter(findings: Findings, width: float = 480.0) -> Figure:
    """The values of the two systems that are shown first."""
    view, topics, (first, second), about = _pair_values(findings)
    title = f"{shorten_middle(view.main)} of {shorten_middle(about['a'])} against {shorten_middle(about['b'])}"
    return scatter_figure(topics, first, second, title=title, width=width, **about)


def _pair_values(findings: Findings) -> tuple[VersionFindings, list[str], tuple[Floats, Floats], dict[str, Any]]:
    view = findings.first
    a, b = view.main_pair or (view.best, view.best)
    first, second = view.values[view.place[a]], view.values[view.place[b]]
    drawn = drawn_topics(first - second)
    topics = [view.topics[t] for t in drawn]
    about: dict[str, Any] = {"a": a, "b": b, "measure": view.main, "better": view.column.better}
    about["texts"] = texts(findings, view) if len(drawn) == len(view.topics) else None
    prominent = prominent_systems(findings)
    about["slots"] = (slot_of(prominent, a), slot_of(prominent, b))
    return view, topics, (first[drawn], second[drawn]), about


def drawn_topics(gaps: Floats) -> list[int]:
    """All topics; of more than a screen can show so many, spread evenly over the sorted differences."""
    if len(gaps) <= DRAWN:
        return list(range(len(gaps)))
    order = np.argsort(gaps, kind="stable")
    places = np.unique(np.linspace(0, len(gaps) - 1, DRAWN).round().astype(np.int64))
    return sorted(int(t) for t in order[places])


def texts(findings: Findings, view: VersionFindings) -> dict[str, str]:
    """The questions of the topics, as far as they are known."""
    return {topic: beginning_of(findings.question(topic), CHARS) for topic in view.topics if findings.question(topic)}


def pair_sentence(view: VersionFindings, a: str, b: str) -> Html:
    """Topics won, tied and lost; the script makes the same sentence for other pairs."""
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
    return disclosure("The values of every topic", note, scroll_box(html, "Values of every topic", class_="long"))


def choosers(findings: Findings) -> Html:
    """Lists to choose from; the script fills them with the systems and measures whose values it has."""

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
"""Values up to which each is drawn with the text of its topic."""


def distribution_section(findings: Findings, room: Room) -> Section:
    def make(view: VersionFindings) -> Html | None:
        how = captions.reading_of_distribution(view.values.size <= LARGEST)
        caption = spoken(captions.distribution(view), view)
        return plot(partial(draw_distribution, findings, view), caption, how, name="distribution")

    return section("distribution", "Distribution over topics", each_version(findings, room, "distributions", make))


def draw_distribution(findings: Findings, view: VersionFindings, width: float = PAPER) -> Figure:
    return distribution_figure(
        view.systems,
        view.values,
        topics=view.topics,
        measure=view.main,
        better=view.column.better,
        texts=texts(findings, view) if view.values.size <= LARGEST else None,
        baseline=view.baseline,
        selected=prominent_systems(findings),
        width=width,
        title=f"Values of {shorten_middle(view.main)} over topics",
    )


TOPICS = 8
GROUPS = 6
"""Different first documents shown for a topic: those that most systems chose."""
TARGETS = 3
EXTRACT = 220
QUESTION = 600


def hardest_section(findings: Findings, room: Room) -> Section | None:
    view = findings.first
    means = view.topic_means
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
    means = [(other, _mean(other, name)) for other in findings.parts]
    figures = ", ".join(figure(mean, 3) for _, mean in means[:1])
    across = None
    if findings.several:
        parts: list[object] = []
        for other, mean in means[1:5]:
            parts += ["; ", name_element(version_label(other), 24), f" {figure(mean, 3)}"]
        across = join_children(parts)
    return tag(
        "article",
        tag("h3", name_element(name), " ", tag("bdi", question, class_="question") if question else None),
        tag(
            "p", "Mean ", measure_name(view.column), f" {captions.over_systems(view)} {figures}", across, class_="note"
        ),
        targets(findings, name),
        firsts(findings, view, t),
        class_="topic",
    )


def _mean(view: VersionFindings, topic_: str) -> float:
    if topic_ not in view.topics:
        return float("nan")
    return float(view.topic_means[view.topics.index(topic_)])


def targets(findings: Findings, name: str) -> Html | None:
    wanted = findings.relevant.get(name, ())
    if not wanted:
        return tag("p", no_relevant_document(), class_="note")
    more = more_relevant(len(wanted) - TARGETS) if len(wanted) > TARGETS else None
    label = "The relevant document" if len(wanted) == 1 else f"{len(wanted):,} relevant documents"
    if not any(target in findings.extracts for target in wanted[:TARGETS]):
        return tag("p", tag("span", f"{label}: ", class_="label"), phrase(wanted, 4), class_="targets")
    documents = [document(findings, target) for target in wanted[:TARGETS]]
    return join_children(
        [tag("p", label, class_="label"), list_of([*documents, *([more] if more else [])], class_="documents")]
    )


def document(findings: Findings, name: str) -> Html:
    """A document by its id, with its title and its first words where they are known."""
    return document_element(name, findings.extracts.get(name, DocumentExtract("", "")))


def document_element(name: str, extract: DocumentExtract) -> Html:
    """The same of an extract."""
    title, words = extract
    text = beginning_of(words.removeprefix(name), EXTRACT)  # many documents begin with their own id
    return join_children(
        [
            name_element(name),
            join_children([" ", tag("bdi", beginning_of(title, EXTRACT), class_="title")]) if title else None,
            join_children([" ", tag("bdi", text, class_="extract")]) if text else None,
        ]
    )


def firsts(findings: Findings, view: VersionFindings, t: int) -> Html | None:
    """The documents ranked first, those of most systems first, each with the systems that chose it."""
    lists = view.lists.get(view.topics[t])
    if lists is None:
        return None
    chosen: dict[str, list[str]] = {}
    for s in view.order:
        chosen.setdefault(lists[s][0] if lists[s] else "", []).append(view.systems[s])
    ordered = sorted(chosen.items(), key=lambda pair: -len(pair[1]))
    rows = []
    for name, systems in ordered[:GROUPS]:
        what = document(findings, name) if name else tag("em", "nothing retrieved")
        mark = badge(findings, view.topics[t], name) if name else None
        rows.append(tag("li", tag("div", mark, " ", what), tag("div", phrase(systems, 8), class_="by")))
    hidden = len(ordered) - GROUPS
    if hidden > 0:
        rows.append(tag("li", other_documents(hidden), class_="note"))
    return join_children([tag("p", "Ranked first", class_="label"), tag("ul", rows, class_="firsts")])
