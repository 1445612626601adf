"""The first screen: what was found, how sure that is, and what would change it."""

from __future__ import annotations

import numpy as np

from ...comparison.known_item.study import Study
from ...comparison.known_item.value import partition
from ...comparison.matrix import mean_of_known
from ...comparison.scale.sensitivity import Sensitivity
from ...comparison.verdict import ALPHA
from ...core.english import figure, interval, p_value, percent, quantity, signed
from ...experiment.findings import Findings, VersionFindings
from ...words.outcomes import conclusion, single
from ...words.verdicts import first_test
from ...words.worth import prices_sentence
from .markup import Html, disclosed, joined, listed, named, phrase, shortened, started, tag
from .parts import SENTENCE, measure_name

FIRST = 6
"""Findings under the first one; more can be opened."""


def opening(findings: Findings) -> Html:
    lead, others = conclusions(findings)
    return tag(
        "header",
        tag("p", "adjudge report", class_="eyebrow"),
        tag("h1", started(findings.title, 200) or "Experiment"),
        tag("p", lead, class_="lead"),
        listed(others[:FIRST], class_="conclusions") if others else None,
        disclosed("Further findings", listed(others[FIRST:], class_="conclusions")) if others[FIRST:] else None,
        tag(
            "div",
            tag("div", tag("h2", "How sure is that?"), *how_sure(findings)),
            tag("div", tag("h2", "What would change it?"), listed(changes(findings))),
            class_="doubts",
        ),
        facts(findings),
        class_="opening",
        id="top",
    )


def conclusions(findings: Findings) -> tuple[str, list[str]]:
    """The first, and the others without those that are told again under what would change it."""
    concluded = findings.conclusions
    if not concluded:
        return started(_fallback(findings.first), SENTENCE), []
    others = [other for other in concluded[1:] if not isinstance(other.basis, Sensitivity | Study)]
    return started(conclusion(concluded[0]), SENTENCE), [started(conclusion(other), SENTENCE) for other in others]


def facts(findings: Findings) -> Html:
    """What was compared with what, in a line of figures."""
    view = findings.first
    rows: list[tuple[str, object]] = [
        ("systems", f"{len(findings.systems):,}"),
        ("topics", f"{len(findings.topics):,}"),
        ("documents", f"{findings.documents:,}" if findings.documents else None),
        ("versions", f"{len(findings.parts):,}" if findings.several else None),
        ("compared on", measure_name(view.column)),
        ("test", view.comparison and first_test(view.comparison)),
    ]
    return tag("dl", [tag("div", tag("dt", key), tag("dd", value)) for key, value in rows if value], class_="facts")


def _fallback(view: VersionFindings) -> str:
    """What can be said where nobody has concluded anything."""
    mean, topics = figure(float(view.means[view.order[0]])), quantity(len(view.topics), "topic")
    return single(view.best, mean, view.main, len(view.systems), topics)


def how_sure(findings: Findings) -> list[Html]:
    view = findings.first
    comparison = view.comparison
    if comparison is None or not comparison.differences:
        why = "one system" if len(view.systems) < 2 else "one topic" if len(view.topics) < 2 else "incomplete scores"
        return [tag("p", f"Nothing was tested: with {why} there is no pair of systems to compare on the same topics.")]
    items = []
    pair = view.main_pair
    tested = view.pairs.get(pair) if pair else None
    if pair is not None and tested is not None:
        difference, way = tested
        ends = sorted((way * difference.low, way * difference.high))
        told_apart = "told apart" if difference.p[0] < ALPHA else "not told apart"
        items.append(
            tag(
                "p",
                named(pair[0]),
                " against ",
                named(pair[1]),
                ": ",
                tag("strong", signed(way * difference.difference)),
                f" {shortened(view.main)}, {comparison.level:.0%} interval {interval(ends)}, "
                f"{p_value(difference.p[0])} ({first_test(comparison)}): {told_apart}. ",
                f"Won {difference.wins if way > 0 else difference.losses}, level {difference.ties}, "
                f"lost {difference.losses if way > 0 else difference.wins} of {quantity(comparison.topics, 'topic')}.",
            )
        )
    known = [d for d in comparison.differences if d.p[0] < ALPHA]
    total = len(comparison.differences)
    items.append(
        tag(
            "p",
            f"Of {quantity(total, 'pair')} {len(known):,} ({percent(len(known) / total)}) "
            f"can be told apart at {ALPHA:.0%} with {quantity(comparison.topics, 'topic')}. "
            "Other topics could have been asked: intervals and p say how much that matters.",
        )
    )
    return items


def changes(findings: Findings) -> list[object]:
    """Another measure, another scale, another version, another price: who would lead then."""
    view = findings.first
    items: list[object] = [another_measure(view)]
    if view.sensitivity is not None:
        items.append(joined([tag("b", "Another scale."), " ", started(view.sensitivity.conclusion(), SENTENCE)]))
    what = "Noise" if any(other.errors for other in findings.parts) else "Another version"
    others = [(other.version, other.best) for other in findings.parts[1:] if other.best != view.best]
    if others:
        parts = [joined([named(best), " leads on ", named(version)]) for version, best in others[:4]]
        rest = f" and so on for {len(others) - 4} more versions" if len(others) > 4 else ""
        items.append(joined([tag("b", f"{what}."), " ", *_with_commas(parts), rest, "."]))
    elif findings.several:
        names = phrase([other.version for other in findings.parts[1:]], 4)
        items.append(joined([tag("b", f"{what}."), " No: ", named(view.best), " leads on ", names, " as well."]))
    if view.study is not None and len(view.systems) > 1:
        study, ranges = view.study, partition(view.study.item)
        more = f" {prices_sentence(ranges)}" if len(ranges) > 1 else ""
        items.append(
            joined([tag("b", "What an item is worth."), " ", started(f"{study.conclusion()}{more}", SENTENCE)])
        )
    return [item for item in items if item]


def another_measure(view: VersionFindings) -> Html | None:
    """Which measures put another system first."""
    scores = view.scores
    leaders: dict[str, list[Html]] = {}
    asked = 0
    for m, column in enumerate(scores.columns):
        figures = _figures(view, m)
        if column.name == view.main or not column.better or np.isnan(figures).all():
            continue
        asked += 1
        top = np.nanmax(figures) if column.better == "high" else np.nanmin(figures)
        level = [system for system, mean in zip(scores.systems, figures.tolist(), strict=True) if mean == top]
        if view.best not in level:
            leaders.setdefault(level[0], []).append(measure_name(column))
    if not asked or len(view.systems) < 2:
        return None
    lead = tag("b", "Another measure.")
    if not leaders:
        return joined([lead, f" No: all {asked} others put ", named(view.best), " first as well."])
    count = sum(map(len, leaders.values()))
    parts = [joined([named(system), " by ", *_with_commas(by[:4])]) for system, by in list(leaders.items())[:3]]
    more = " …" if len(leaders) > 3 or any(len(by) > 4 for by in leaders.values()) else "."
    share = f" {count} of {asked} others put another system first: "
    return joined([lead, share, *_with_commas(parts, "; "), more])


def _figures(view: VersionFindings, m: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    table = view.figures.get("mean")
    column = mean_of_known(view.scores.values[:, :, m]) if table is None else np.asarray(table)[:, m]
    return np.asarray(column, np.float64)


def _with_commas(parts: list[Html], mark: str = ", ") -> list[object]:
    pieces: list[object] = []
    for place, part in enumerate(parts):
        pieces += [mark if place else "", part]
    return pieces
