"""The first screen: which system is best, by how much, how sure that is, and what would change it."""

from __future__ import annotations

from ...comparison.known_item.study import Study
from ...comparison.known_item.value import partition
from ...comparison.scale.sensitivity import Sensitivity
from ...experiment.findings import Findings, LeastAgreement, Single
from ...experiment.observations import other_leaders
from ...words import captions
from ...words.headlines import certainty, headline
from ...words.outcomes import conclusion
from ...words.verdicts import first_test
from ...words.worth import prices_sentence
from .parts import SENTENCE, measure_name, spoken
from .safe_markup import Html, beginning_of, disclosure, join_children, list_of, tag

FIRST = 6
"""Findings under the first one; more can be opened."""


def opening(findings: Findings) -> Html:
    others = conclusions(findings)
    return tag(
        "header",
        tag("p", "adjudge report", class_="eyebrow"),
        tag("h1", beginning_of(findings.title, 200) or "Experiment"),
        tag("p", spoken(headline(findings), findings), class_="lead", id="finding"),
        tag("p", spoken(certainty(findings), findings), class_="answer"),
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


def conclusions(findings: Findings) -> list[str]:
    """The conclusions that neither the first paragraph nor the two columns below it give."""
    first = findings.first
    below = [
        other
        for other in findings.conclusions
        if not isinstance(other.basis, Sensitivity | Study | Single) and other.basis is not first.comparison
    ]
    few = [other for other in below if len(first.systems) > 2 or not isinstance(other.basis, LeastAgreement)]
    return [beginning_of(conclusion(other), SENTENCE) for other in few]


def facts(findings: Findings) -> Html:
    """Summarise what was compared, in a line of figures."""
    view = findings.first
    rows: list[tuple[str, object]] = [
        ("systems", f"{len(findings.systems):,}"),
        ("topics", f"{len(findings.topics):,}"),
        ("documents", f"{findings.documents:,}" if findings.documents else None),
        ("versions", f"{len(findings.parts):,}" if findings.several else None),
        ("compared on", measure_name(view.column)),
        ("test", view.comparison and view.comparison.differences and first_test(view.comparison)),
    ]
    return tag("dl", [tag("div", tag("dt", key), tag("dd", value)) for key, value in rows if value], class_="facts")


def how_sure(findings: Findings) -> list[Html]:
    view = findings.first
    if view.comparison is None or not view.comparison.differences:
        return [tag("p", captions.untested(view))]
    pair = captions.main_pair(view)
    return [*([tag("p", spoken(pair, view))] if pair else []), tag("p", captions.significant_share(view))]


def changes(findings: Findings) -> list[object]:
    """Say which system leads with another measure, another average, on another version, at another price."""
    view, others = findings.first, other_leaders(findings.first)
    items: list[object] = []
    if others.measures and len(view.systems) > 1:
        items.append(_paragraph_with_heading("Another measure.", spoken(captions.other_measures(view, others), view)))
    if view.sensitivity is not None:
        scales = spoken(captions.scales(view), view)
        items.append(_paragraph_with_heading("Another average.", scales))
    if findings.several:
        what = "Noise." if any(part.errors for part in findings.parts) else "Another version."
        items.append(_paragraph_with_heading(what, spoken(captions.other_versions(findings), findings)))
    if view.study is not None and len(view.systems) > 1:
        study, ranges = view.study, partition(view.study.item)
        more = f" {prices_sentence(ranges)}" if len(ranges) > 1 else ""
        items.append(
            _paragraph_with_heading("Another price of reading.", beginning_of(f"{study.conclusion()}{more}", SENTENCE))
        )
    return items


def _paragraph_with_heading(heading: str, text: object) -> Html:
    return join_children([tag("b", heading), " ", text])
