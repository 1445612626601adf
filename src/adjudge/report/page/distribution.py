"""How the values of each system lie over the topics."""

from __future__ import annotations

import numpy as np

from ...core.english import quantity
from ..figures import Figure, distribution_figure
from .markup import Html, joined, named, shortened
from .parts import Room, Section, each_version, plot, section
from .subject import Subject, View, plain
from .systems import baseline_of
from .topics import texts

LARGEST = 3000
"""Values of which each is drawn; then the texts of topics are needed, and otherwise not."""


def distribution_section(subject: Subject, room: Room) -> Section:
    def make(view: View) -> Html | None:
        dots = "every dot is a topic"
        if view.values.size > LARGEST:
            dots = "the whiskers end at the lowest and the highest twentieth of the topics"
        how = (
            f"The box holds the middle half of the topics, the line in it is the median; {dots}. "
            "A mean far from the median is made by few topics."
        )
        return plot(distribution_drawn(subject, view), found(view), how)

    return section("distribution", "Distribution over topics", each_version(subject, room, "distributions", make))


def distribution_drawn(subject: Subject, view: View) -> Figure:
    return distribution_figure(
        *(view.systems, view.values),
        topics=view.topics,
        measure=view.main,
        better=view.column.better,
        texts=texts(subject, view) if view.values.size <= LARGEST else None,
        baseline=baseline_of(view),
        title=f"Values of {shortened(view.main)} over topics",
    )


def found(view: View) -> Html:
    """Which topics nobody or everybody does well on, and whose mean hides most."""
    values = view.direction * view.values
    if np.isnan(values).all():
        return joined([f"No system has a value of {shortened(view.main)}."])
    best = view.values[view.order[0]]
    known = best[~np.isnan(best)]
    if not len(known):
        return joined([named(view.best), f" has no value of {shortened(view.main)}."])
    low, middle, high = (float(x) for x in np.quantile(known, [0.25, 0.5, 0.75]))
    mean = float(known.mean())
    half = f"have {plain(low)}" if low == high else f"lie between {plain(low)} and {plain(high)}"
    text = [
        *("For ", named(view.best), f" half of the topics {half}; "),
        f"its median is {plain(middle)}, its mean {plain(mean)}.",
    ]
    complete = ~np.isnan(values).any(axis=0)
    worst = values[:, complete]
    zero = int(((worst == 0).all(axis=0)).sum()) if view.direction > 0 else 0
    if zero:
        text.append(f" On {quantity(zero, 'topic')} every system has 0.")
    elif worst.size and len(view.systems) > 1:
        spread = worst.max(axis=0) - worst.min(axis=0)
        topic = np.flatnonzero(complete)[int(spread.argmax())]
        text += [
            *(" The systems differ most on topic ", named(view.topics[topic])),
            f", by {plain(float(spread.max()))}.",
        ]
    return joined(text)
