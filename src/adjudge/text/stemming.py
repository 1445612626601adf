"""Stems, by the algorithms of the Snowball project."""

from __future__ import annotations

from collections.abc import Sequence


def languages() -> list[str]:
    import Stemmer

    return sorted(Stemmer.algorithms())


def stemmed(words: Sequence[str], language: str) -> list[str]:
    """The stem of each word."""
    import Stemmer

    # A stemmer is not safe to share between threads and costs nothing to make. Its cache is of no use here, because
    # every word comes once in a batch.
    stems: list[str] = Stemmer.Stemmer(language, 0).stemWords(list(words))
    return stems
