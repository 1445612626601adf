"""What a tagger is: it gives every token of a batch its part of speech."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError, MissingExtraError
from ...core.registry import Registry
from ..part import AnalyzerPart
from ..tokens import Tokens

Tags = npt.NDArray[np.uint8]
Breaks = npt.NDArray[np.uint8]


class Tag(IntEnum):
    """The parts of speech that filters for technical terms tell apart; numbers are places in ``LETTERS``."""

    X = 0
    """Anything else: pronouns, conjunctions, ``to``, symbols, foreign words, letters that stand for things."""
    N = 1
    """A noun, proper names too."""
    A = 2
    """An adjective; participles where they stand before a noun as adjectives do."""
    P = 3
    """A preposition or a subordinating conjunction, as Penn's IN; whoever wants ``of`` alone asks for the word."""
    V = 4
    """A verb in any form, modals too."""
    D = 5
    """A determiner or a possessive pronoun."""
    M = 6
    """A number in digits or words."""
    R = 7
    """An adverb."""


LETTERS = "".join(tag.name for tag in Tag)


class Tagger(AnalyzerPart, ABC):
    """Called with the tokens of a batch, capitals as in the text, it gives a :class:`Tag` for each token."""

    @abstractmethod
    def tag(self, tokens: Tokens, breaks: Breaks) -> Tags:
        """The tags of tokens with what stands before each; every text begins with a new sentence."""

    @abstractmethod
    def version(self) -> str:
        """What the tags come from, and its version; a MissingExtraError that says what to install if it is missing."""

    def available(self) -> bool:
        """Is what the tagger needs installed?"""
        try:
            return bool(self.version())
        except MissingExtraError:
            return False

    def __call__(self, tokens: Tokens, breaks: Breaks | None = None) -> Tags:
        """A tag for each token. Without ``breaks`` (see :func:`breaks_of`) each text is a sentence without punctuation.

        The tags of a text depend on nothing but the text, so batches can be cut anywhere between texts.
        """
        n = len(tokens.ids)
        own = np.zeros(n, np.uint8) if breaks is None else np.array(breaks, np.uint8)
        if own.shape != (n,):
            raise DataError(f"{type(self).name}: {n} tokens need as many breaks, not {own.size}")
        begins = tokens.offsets[:-1]
        own[begins[begins < tokens.offsets[1:]]] = 2
        return self.tag(tokens, own)


def letters(tags: Tags) -> str:
    """Tags as a text of one letter each: ``DANVX``."""
    return np.frombuffer(LETTERS.encode(), np.uint8)[tags].tobytes().decode()


taggers: Registry[Tagger] = Registry("tagger", "adjudge.text.tagging.taggers", Tagger)
