"""Letters in the form in which they are typed today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..token_filter import Filter


@dataclass(frozen=True)
class LetterformsFilter(Filter):
    """Letters that old print has in another form become the letters that they are: a long s is an s, a ligature two.

    Formula: Unicode's normal form NFKC of every letter, and with a small e above it (U+0364), as German print of the
    eighteenth century has it, a, o and u become ä, ö and ü. Accents stay, and so do digits and signs.

    Example: ``ſo ﬁnden fuͤr`` → ``so finden für``.
    """

    name: ClassVar[str] = "letterforms"
    ascii: ClassVar[str] = "same"

    def __call__(self, types: Sequence[str]) -> Sequence[str]:
        return [word if word.isascii() else _plain(word) for word in types]


ABOVE = {"a\u0364": "ä", "o\u0364": "ö", "u\u0364": "ü"}


def _plain(word: str) -> str:
    from unicodedata import category, normalize

    for old, new in ABOVE.items():
        word = word.replace(old, new)
    whole = normalize("NFC", word)
    return "".join([normalize("NFKC", c) if category(c)[0] == "L" else c for c in whole])
