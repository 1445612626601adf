"""The better system of each group, as Figure 3 of the Confusion Track's paper shows one for each team.

After Kantor & Voorhees, The TREC-5 Confusion Track (2000), section 4: of a team's systems the one is shown whose curve
dominates those of the others. Of one team no curve did, and the paper shows its better effort all the same; here that
is the system with the highest mean reciprocal rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...core.errors import SpecError, did_you_mean
from .characteristic import Axis, Effort, dominance
from .ranks import KnownItem


class DominantSystem(NamedTuple):
    """The system that stands for a group."""

    group: str
    system: str
    dominates: bool
    """Whether its curve is nowhere below those of the others of its group; else it has the highest MRR of them."""


def dominant_systems(
    item: KnownItem,
    groups: Mapping[str, Sequence[str]],
    axis: Axis = "work",
    effort: Effort = "inclusive",
) -> tuple[DominantSystem, ...]:
    """The better system of each group, in the order of the systems; a system of no group is a group of its own."""
    whole = complete_groups(item.systems, groups)
    above = {(pair.first, pair.second) for pair in dominance(item, axis, effort) if pair.relation in ">="}
    above |= {(pair.second, pair.first) for pair in dominance(item, axis, effort) if pair.relation in "<="}
    mrr = dict(zip(item.systems, item.mrr.tolist(), strict=True))
    chosen = []
    for group, members in whole.items():
        over_all = [s for s in members if all((s, other) in above for other in members if other != s)]
        best = over_all[0] if over_all else max(members, key=lambda system: mrr[system])
        chosen.append(DominantSystem(group, best, bool(over_all)))
    places = {system: place for place, system in enumerate(item.systems)}
    return tuple(sorted(chosen, key=lambda one: places[one.system]))


def complete_groups(systems: Sequence[str], groups: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The groups, checked, and each system that is in none of them as a group under its own name."""
    home: dict[str, str] = {}
    for group, members in groups.items():
        if not members:
            raise SpecError(f"group {group} has no system")
        for system in members:
            if system not in systems:
                raise SpecError(f"group {group}: no system {system!r} here{did_you_mean(system, list(systems))}")
            if system in home:
                raise SpecError(f"system {system} is in the groups {home[system]} and {group}")
            home[system] = group
    alone = [system for system in systems if system not in home]
    for system in alone:
        if system in groups:
            raise SpecError(f"group {system} has the name of a system that is not in it")
    return {**{group: tuple(members) for group, members in groups.items()}, **{system: (system,) for system in alone}}
