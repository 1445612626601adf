"""The three figures of the Confusion Track's paper, drawn of any known-item study.

Kantor & Voorhees (2000), section 4: Figure 1 has all systems by the rank down to which lists are read, Figure 2 by the
documents read in all, and Figure 3 only the better system of each group. Axes are linear and there are no bands, as in
the paper; the page of an experiment draws the same curves on a logarithmic axis, with bands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..comparison.known_item.characteristic import Axis, curves
from ..comparison.known_item.dominant import dominant_systems
from ..comparison.known_item.study import Study
from ..systems.system import TRACK
from ..words.chart_texts import better_of_groups
from .figures import PAPER, Figure, characteristic_figure

NAMES = ("figure-1-by-rank", "figure-2-by-work", "figure-3-by-group")


def paper_figures(
    study: Study, groups: Mapping[str, Sequence[str]] | None = None, *, width: float = PAPER
) -> dict[str, Figure]:
    """Figures 1 to 3 by name; without groups, systems of one kind are a group, as the teams of the track were."""
    shown = dominant_systems(study.item, kinds(study.systems) if groups is None else groups, "work", study.effort)
    better = [one.system for one in shown]
    remark = better_of_groups(
        [(one.group, one.system) for one in shown if one.group != one.system and one.dominates],
        [(one.group, one.system) for one in shown if not one.dominates],
    )
    titles = [
        "Targets found against the rank down to which lists are read",
        "Targets found against the documents read",
        "Targets found against the documents read, the better system of each group",
    ]
    axes: list[tuple[Axis, Sequence[str], str]] = [
        ("rank", study.systems, ""),
        ("work", study.systems, ""),
        ("work", better, remark),
    ]
    return {
        name: _figure(study, axis, systems, title, text, width)
        for name, title, (axis, systems, text) in zip(NAMES, titles, axes, strict=True)
    }


def kinds(systems: Sequence[str]) -> dict[str, list[str]]:
    """Systems by what they are: gmu961 and gmu962 are both gmu, bm25 and bm25(k1=2) both bm25."""
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(TRACK.get(system, system).partition("(")[0], []).append(system)
    return groups


def _figure(study: Study, axis: Axis, systems: Sequence[str], title: str, remark: str, width: float) -> Figure:
    steps = {curve.system: curve for curve in curves(study.item, study.effort)}
    own = [steps[system] for system in systems]
    return characteristic_figure(
        systems,
        [curve.work if axis == "work" else curve.rounds for curve in own],
        [curve.found for curve in own],
        questions=len(study.questions),
        ends=[curve.end[1 if axis == "work" else 0] for curve in own],
        axis=axis,
        # A system has the colour in Figure 3 that it has in the others.
        slots=list(study.systems),
        remark=remark,
        width=width,
        title=title,
    )
