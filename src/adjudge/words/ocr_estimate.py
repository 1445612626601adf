"""Say how good the OCR of a collection is, as far as that can be told without its true text."""

from __future__ import annotations

from typing import Any

from ..core.english import quantity
from .speech import sentence


@sentence
def estimate_in_words(result: Any) -> list[str]:
    """Three lines: the error rate, what it does to words, and what a better scan would gain."""
    lines = [
        f"{quantity(len(result.documents), 'document')}: about {result.error_rate:.1%} of the characters are wrong, "
        f"{result.low:.1%} to {result.high:.1%} with a confidence of {result.level:.0%}",
        f"a search for a word finds about {result.words_right:.0%} of the places where it stands",
    ]
    if result.error_rate > 0.01:
        more = f", and with one character in a hundred wrong {result.words_right_at_one:.0%}"
        lines.append(
            f"with half the errors it would find {result.words_right_at_half:.0%}{more * (result.error_rate > 0.02)}"
        )
    return lines
