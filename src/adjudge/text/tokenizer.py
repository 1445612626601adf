"""What a tokenizer is: it cuts texts into tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..core.registry import Registry
from .part import AnalyzerPart
from .splitting import SplittingRule, Vocabulary, tokens_of
from .tokens import Tokens


class Tokenizer(AnalyzerPart, ABC):
    """Called with a batch of texts it gives their tokens."""

    @abstractmethod
    def __call__(self, texts: Sequence[str], spans: bool = False) -> Tokens:
        """The tokens of each text in order, and where they stand if asked for."""


class RuleTokenizer(Tokenizer):
    """A tokenizer whose tokens are the matches of a rule."""

    @abstractmethod
    def rule(self) -> SplittingRule:
        """What is a token."""

    def __call__(self, texts: Sequence[str], spans: bool = False, vocabulary: Vocabulary | None = None) -> Tokens:
        return tokens_of(texts, self.rule(), spans, vocabulary)


tokenizers: Registry[Tokenizer] = Registry("tokenizer", "adjudge.text.tokenizers", Tokenizer)
