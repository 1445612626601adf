"""Name grades of relevance."""

from __future__ import annotations

from .speech import sentence


@sentence
def grade_text(grade: int | None, level: int, *, graded: bool) -> str:
    """Name a grade: ``relevant``, ``not relevant``, ``unjudged``, with the number where there are several."""
    if grade is None:
        return "unjudged"
    text = "relevant" if grade >= level else "not relevant"
    return f"{text} ({grade})" if graded else text
