"""Words of scanned text, in which other characters may stand for letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from ...core.errors import SpecError
from ..splitting import SplittingRule
from ..tokenizer import RuleTokenizer


@dataclass(frozen=True)
class ChunkTokenizer(RuleTokenizer):
    """Words are the longest runs of letters, digits and the characters that are given; everything else separates them.

    Formula: as ``words``, with the characters ``letters`` among the letters.

    Parameters: ``letters``, code points of characters that an OCR engine writes where it could not read a letter, as
    in [91, 95] for the bracket and the underscore ([]: none, the same as ``words``).

    Example: with [91, 95], ``Regis[er of wi_e-land`` → ``Regis[er of wi_e land``.
    """

    name: ClassVar[str] = "chunks"

    letters: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        given = self.letters
        if not isinstance(given, tuple) or not all(isinstance(code, int) and 32 < code <= 0x10FFFF for code in given):
            raise SpecError(f"chunks: letters must be code points of characters, as in [91, 95], not {given}")
        if any(chr(code).isspace() or 0xD800 <= code < 0xE000 for code in given) or len(set(given)) < len(given):
            raise SpecError(f"chunks: letters must be different characters and no blanks, not {given}")

    def rule(self) -> SplittingRule:
        return _rule(self.letters)


@lru_cache(maxsize=16)
def _rule(letters: tuple[int, ...]) -> SplittingRule:
    also = "".join(re.escape(chr(code)) for code in letters)
    plain = "".join(re.escape(chr(code)) for code in letters if code < 128)
    letters_and_digits = {code for code in range(128) if chr(code).isalnum()} | {code for code in letters if code < 128}
    blanks = bytes(code if code in letters_and_digits else ord(" ") for code in range(128)) + bytes(128)
    return SplittingRule(
        "words",
        f"[A-Za-z0-9{plain}]+",
        rf"[\p{{L}}\p{{N}}{also}][\p{{L}}\p{{N}}\p{{M}}{also}]*+",
        blanks=blanks,
        letters=bytes(code for code in letters if code < 128),
    )
