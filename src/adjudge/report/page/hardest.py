"""The hardest topics: what was asked, what should have been found, and what each system put first."""

from __future__ import annotations

import numpy as np

from ...core.english import quantity
from .markup import Html, joined, listed, named, phrase, started, tag
from .parts import Room, Section, section
from .subject import Subject, View, figure, mean_of, measure_name

TOPICS = 8
GROUPS = 6
"""Different first documents shown for a topic; those that most systems chose."""
TARGETS = 3
EXTRACT = 220
QUESTION = 600


def hardest_section(subject: Subject, room: Room) -> Section | None:
    view = subject.first
    level = view.direction * mean_of(view.values.T)
    known = np.flatnonzero(~np.isnan(level))
    if not len(known):
        return None
    order = known[np.argsort(level[known], kind="stable")]
    made = [room.take(topic(subject, view, int(t)), "hard topics") for t in order[:TOPICS]]
    nothing = int((level[known] == 0).sum()) if view.direction > 0 else 0
    lead = tag(
        "p",
        f"The {min(TOPICS, len(order))} topics of {len(view.topics):,} with the lowest ",
        *(measure_name(view.column), " over all systems"),
        *([" on ", named(view.version)] if subject.several else []),
        f", lowest first; on {quantity(nothing, 'topic')} no system has anything above 0."
        if nothing
        else ", lowest first.",
    )
    if view.direction < 0:
        lead = tag(
            "p", "The topics with the highest ", measure_name(view.column), " over all systems, where low is good."
        )
    return section("hardest", "The hardest topics", lead, *made)


def topic(subject: Subject, view: View, t: int) -> Html:
    name = view.topics[t]
    question = started(subject.question(name), QUESTION)
    means = [(other.version, _mean(other, name)) for other in subject.views]
    figures = ", ".join(figure(mean, 3) for _, mean in means[:1])
    across = None
    if subject.several:
        parts: list[object] = []
        for version, mean in means[1:5]:
            parts += ["; ", named(version, 24), f" {figure(mean, 3)}"]
        across = joined(parts)
    return tag(
        "article",
        tag("h3", named(name), " ", tag("bdi", question, class_="question") if question else None),
        tag("p", "Mean ", measure_name(view.column), f" {figures}", across, class_="note"),
        targets(subject, name),
        firsts(subject, view, t),
        class_="topic",
    )


def _mean(view: View, topic_: str) -> float:
    if topic_ not in view.topics:
        return float("nan")
    return float(mean_of(view.values[:, view.topics.index(topic_)]))


def targets(subject: Subject, name: str) -> Html | None:
    wanted = subject.findings.relevant.get(name, ())
    if not wanted:
        return tag("p", "No relevant document is known.", class_="note")
    more = f"and {len(wanted) - TARGETS} more" if len(wanted) > TARGETS else None
    label = "Target" if len(wanted) == 1 else "Relevant"
    if not any(subject.findings.extracts.get(one) for one in wanted[:TARGETS]):
        return tag("p", tag("span", f"{label} ", class_="label"), phrase(wanted, 4), class_="targets")
    documents = [document(subject, one) for one in wanted[:TARGETS]]
    return joined(
        [tag("p", label, class_="label"), listed([*documents, *([more] if more else [])], class_="documents")]
    )


def document(subject: Subject, name: str) -> Html:
    words = subject.findings.extracts.get(name, "")
    text = started(words.removeprefix(name), EXTRACT)  # many documents begin with what they are called
    return joined([named(name), joined([" ", tag("bdi", text, class_="extract")]) if text else None])


def firsts(subject: Subject, view: View, t: int) -> Html | None:
    """The documents put first, those of most systems first, each with the systems that chose it."""
    chosen: dict[str, list[str]] = {}
    for s in view.order:
        row = view.finding.first[s] if s < len(view.finding.first) else ()
        chosen.setdefault(row[t] if t < len(row) else "", []).append(view.systems[s])
    wanted = set(subject.findings.relevant.get(view.topics[t], ()))
    ordered = sorted(chosen.items(), key=lambda pair: -len(pair[1]))
    rows = []
    for name, systems in ordered[:GROUPS]:
        what = document(subject, name) if name else tag("em", "nothing")
        hit = tag("span", "✓ relevant", class_="hit") if name in wanted else None
        rows.append(tag("li", tag("div", what, " ", hit), tag("div", phrase(systems, 8), class_="by")))
    hidden = len(ordered) - GROUPS
    if hidden > 0:
        rows.append(tag("li", f"and {quantity(hidden, 'other document')}", class_="note"))
    return joined([tag("p", "Put first", class_="label"), tag("ul", rows, class_="firsts")])
