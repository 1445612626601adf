"""Words as runs of letters and digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..splitting import SplittingRule
from ..tokenizer import RuleTokenizer

BLANKS = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)
RULE = SplittingRule("words", "[A-Za-z0-9]+", r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*+", blanks=BLANKS)


@dataclass(frozen=True)
class WordTokenizer(RuleTokenizer):
    """Words are the longest runs of letters and digits; everything else, the underscore too, separates them.

    Formula: [A-Za-z0-9]+ in ASCII; in other texts [L N][L N M]*, Unicode's letters, numbers, and the marks on them.

    Example: ``O'Reilly's x_1, Calabi-Yau`` → ``O Reilly s x 1 Calabi Yau``.
    """

    name: ClassVar[str] = "words"

    def rule(self) -> SplittingRule:
        return RULE
