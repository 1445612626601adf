"""The words of a question that say what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ...core.note import Note

if TYPE_CHECKING:
    from ...text.analyzer import Analyzer


SHOWN = 5
"""Words of a question that a note names."""


@lru_cache(maxsize=1)
def _analyzers() -> tuple[Analyzer, Analyzer]:
    from ...text.analyzer import Analyzer

    return Analyzer.parse("standard|lower|stop(smart)"), Analyzer.parse("words|stop(smart)")


def content_words(text: str) -> list[str]:
    """The words in lower case, stop words left out, each word once, in the order of the question.

    SMART's list has words with an apostrophe, so it is asked before words are cut there, and once more after that:
    don't leaves nothing, and not don.

    >>> content_words("Don't sell the farmer's Red balloon, the red one!")
    ['sell', 'farmer', 'red', 'balloon']
    """
    whole, cut = _analyzers()
    return list(dict.fromkeys(cut.terms(" ".join(whole.terms(text)))))


def nothing_found(words: Sequence[str]) -> Note:
    """Why a question of these words finds no document."""
    if not words:
        return Note.of("query_empty")
    return Note.of("query_not_indexed", terms=words[:SHOWN], others=len(words[SHOWN:]))
