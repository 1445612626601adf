"""Stems, by the algorithms of the Snowball project."""

from __future__ import annotations

import re
from collections.abc import Sequence

HALF = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs, which the library cannot take."""


def languages() -> list[str]:
    import Stemmer

    return sorted(Stemmer.algorithms())


def stems_of(words: Sequence[str], language: str) -> list[str]:
    """The stem of each word; the word itself where nothing is left, as of Porter's s, or where it is no Unicode."""
    import Stemmer

    # A stemmer is not safe to share between threads and costs nothing to make. Its cache is of no use here, because
    # every word comes once in a batch.
    known = [word if word.isascii() or not HALF.search(word) else "" for word in words]
    stems: list[str] = Stemmer.Stemmer(language, 0).stemWords(known)
    return [stem or word for stem, word in zip(stems, words, strict=True)]
