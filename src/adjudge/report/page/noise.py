"""Effectiveness against noise: what is left of each system on the other versions."""

from __future__ import annotations

import math

import numpy as np

from ...core.judged import Floats
from ...correlation import tau_b
from ..figures import Figure, noise_figure
from .markup import Html, joined, named, shortened
from .parts import Room, Section, plot, scrolled, section, table
from .subject import Subject, figure, measure_name, percent, signed
from .systems import baseline_of


def noise_section(subject: Subject, room: Room) -> Section | None:
    drawn = noise_drawn(subject)
    if drawn is None:
        return None
    view = subject.first
    across = "the share of wrong characters" if rates(subject) else "the versions in their order"
    known = any(v.finding.errors for v in subject.views)
    flat = "noise does not hurt" if known else "does the same on all of them"
    how = (
        f"To the right {across}, upwards the mean of each system with its 95 % interval. "
        f"A flat line is a system that {flat}."
    )
    head = ["version", "best system", joined(["its ", measure_name(view.column)]), "wrong characters", "wrong words"]
    rows = [
        [
            *(named(v.version), named(v.best), figure(float(v.means[v.order[0]]))),
            *(percent(float(x)) for x in (v.finding.errors or (math.nan, math.nan))),
        ]
        for v in subject.views
    ]
    made = section(
        "noise",
        "Noise against effectiveness" if known else "From version to version",
        plot(drawn, losses(subject), how),
        scrolled(table(head, rows, labels=2), "Versions"),
    )
    room.needed(made.html)
    return made


def common(subject: Subject) -> list[str]:
    """The systems that all versions have."""
    return [system for system in subject.systems if all(system in view.place for view in subject.views)]


def rates(subject: Subject) -> list[float] | None:
    """The share of wrong characters of each version, if it is known and tells them apart."""
    found = [view.finding.errors for view in subject.views]
    made = [math.nan if errors is None else float(errors.characters) for errors in found]
    return made if all(map(math.isfinite, made)) and len(set(made)) == len(made) else None


def means_of(subject: Subject) -> Floats:
    """systems that all versions have × versions."""
    return np.array([[view.means[view.place[system]] for view in subject.views] for system in common(subject)])


def noise_drawn(subject: Subject) -> Figure | None:
    systems = common(subject)
    if not subject.several or not systems:
        return None
    view = subject.first
    ends = [[v.finding.intervals[v.place[system], v.measure] for v in subject.views] for system in systems]
    return noise_figure(
        *(systems, [v.version for v in subject.views], means_of(subject), np.array(ends)),
        rates=rates(subject),
        measure=view.main,
        better=view.column.better,
        baseline=baseline_of(view),
        title=f"{shortened(view.main)} against the noise of the versions",
    )


def losses(subject: Subject) -> Html:
    """Who loses least and most from the first version to the worst, and whether the order stays."""
    systems, means = common(subject), means_of(subject)
    direction = subject.first.direction
    level = np.where(np.isnan(means), np.inf, direction * means).mean(axis=0)
    worst = int(level[1:].argmin()) + 1
    change = direction * (means[:, worst] - means[:, 0])
    text: list[object] = []
    if not np.isnan(change).all():
        least, most = int(np.nanargmax(change)), int(np.nanargmin(change))
        text += [
            *("From ", named(subject.views[0].version), " to ", named(subject.views[worst].version), " "),
            *(named(systems[most]), f" changes most, {_step(means, most, worst)}"),
        ]
        if len(systems) > 1:
            text += [
                ", ",
                named(systems[least]),
                f" {'least' if change[least] <= 0 else 'gains'}, {_step(means, least, worst)}",
            ]
        text.append(".")
    if len(systems) > 2 and not np.isnan(means).any():
        tau = float(tau_b(means[:, 0], means[:, worst]))
        if not math.isnan(tau):
            text.append(f" The order of the systems agrees by τ_b = {tau:.2f}.")
    return joined(text or [f"{shortened(subject.first.main)} has no value on some version."])


def _step(means: Floats, s: int, worst: int) -> str:
    before, after = float(means[s, 0]), float(means[s, worst])
    share = f" ({signed(100 * (after - before) / abs(before), 2)} %)" if before else ""
    return f"from {figure(before, 3)} to {figure(after, 3)}{share}"
