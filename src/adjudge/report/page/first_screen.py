"""The first screen: what was found, how sure that is, and what would change it."""

from __future__ import annotations

from ...comparison.known_item.study import Study
from ...comparison.known_item.value import partition
from ...comparison.scale.sensitivity import Sensitivity
from ...core.english import figure, quantity
from ...experiment.findings import Findings, VersionFindings
from ...experiment.observations import other_leaders
from ...words import captions
from ...words.outcomes import conclusion, single
from ...words.verdicts import first_test
from ...words.worth import prices_sentence
from .parts import SENTENCE, measure_name, spoken
from .safe_markup import Html, beginning_of, disclosure, join_children, list_of, tag

FIRST = 6
"""Findings under the first one; more can be opened."""


def opening(findings: Findings) -> Html:
    lead, others = conclusions(findings)
    return tag(
        "header",
        tag("p", "adjudge report", class_="eyebrow"),
        tag("h1", beginning_of(findings.title, 200) or "Experiment"),
        tag("p", lead, class_="lead"),
        list_of(others[:FIRST], class_="conclusions") if others else None,
        disclosure("Further findings", list_of(others[FIRST:], class_="conclusions")) if others[FIRST:] else None,
        tag(
            "div",
            tag("div", tag("h2", "How sure is that?"), *how_sure(findings)),
            tag("div", tag("h2", "What would change it?"), list_of(changes(findings))),
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
        return beginning_of(_fallback(findings.first), SENTENCE), []
    others = [other for other in concluded[1:] if not isinstance(other.basis, Sensitivity | Study)]
    return beginning_of(conclusion(concluded[0]), SENTENCE), [
        beginning_of(conclusion(other), SENTENCE) for other in others
    ]


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
    if view.comparison is None or not view.comparison.differences:
        return [tag("p", captions.untested(view))]
    pair = captions.main_pair(view)
    return [*([tag("p", spoken(pair, view))] if pair else []), tag("p", captions.share_told_apart(view))]


def changes(findings: Findings) -> list[object]:
    """Another measure, another scale, another version, another price: who would lead then."""
    view, others = findings.first, other_leaders(findings.first)
    items: list[object] = []
    if others.measures and len(view.systems) > 1:
        items.append(_paragraph_with_heading("Another measure.", spoken(captions.other_measures(view, others), view)))
    if view.sensitivity is not None:
        items.append(_paragraph_with_heading("Another scale.", beginning_of(view.sensitivity.conclusion(), SENTENCE)))
    if findings.several:
        what = "Noise." if any(part.errors for part in findings.parts) else "Another version."
        items.append(_paragraph_with_heading(what, spoken(captions.other_versions(findings), findings)))
    if view.study is not None and len(view.systems) > 1:
        study, ranges = view.study, partition(view.study.item)
        more = f" {prices_sentence(ranges)}" if len(ranges) > 1 else ""
        items.append(
            _paragraph_with_heading("What an item is worth.", beginning_of(f"{study.conclusion()}{more}", SENTENCE))
        )
    return items


def _paragraph_with_heading(heading: str, text: object) -> Html:
    return join_children([tag("b", heading), " ", text])
