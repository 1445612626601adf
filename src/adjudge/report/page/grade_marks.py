"""Grades of documents as small marks: relevant, judged and not relevant, unjudged."""

from __future__ import annotations

from ...experiment.findings import Findings
from ...words.relevance_grades import grade_text
from .safe_markup import Html, tag


def grade_of(findings: Findings, topic: str, document: str) -> int | None:
    """The grade of a document, None if nobody judged it."""
    known = findings.grades.get(topic)
    if known is not None:
        return known.get(document)
    return findings.level if document in findings.relevant.get(topic, ()) else None


def badge(findings: Findings, topic: str, document: str) -> Html:
    """A mark with the grade of a document; green where it is relevant."""
    return grade_mark(grade_of(findings, topic, document), findings.level, graded=is_graded(findings))


def grade_mark(grade: int | None, level: int, *, graded: bool) -> Html:
    """A mark with a grade."""
    kind = "none" if grade is None else "hit" if grade >= level else "miss"
    return tag("span", grade_text(grade, level, graded=graded), class_=f"grade {kind}")


def is_graded(findings: Findings) -> bool:
    """Return whether relevant documents have different grades, so that a grade says more than relevant or not."""
    return len({g for known in findings.grades.values() for g in known.values() if g >= findings.level}) > 1
