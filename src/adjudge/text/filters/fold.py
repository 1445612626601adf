"""Characters without accents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..token_filter import Filter, Image


@dataclass(frozen=True)
class FoldFilter(Filter):
    """Characters without their accents, ligatures and other compatibility forms taken apart.

    Formula: Unicode's normal form NFKD without the marks (category Mn), what is left composed again (NFC). Letters that
    are no base letter with a mark (ø, ł, ß, æ) stay. A token of nothing but marks is dropped.

    Example: ``café ﬁn Ångström`` → ``cafe fin Angstrom``.
    """

    name: ClassVar[str] = "fold"
    aliases: ClassVar[tuple[str, ...]] = ("ascii_folding", "asciifolding")

    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        return [word if word.isascii() else _fold(word) for word in types]


def _fold(word: str) -> str | None:
    from unicodedata import category, normalize

    return normalize("NFC", "".join([c for c in normalize("NFKD", word) if category(c) != "Mn"])) or None
