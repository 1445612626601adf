"""Words, with gaps wherever no noun phrase goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...core.errors import MissingExtraError, SpecError
from ..tagging.breaks import JOINED, breaks_of
from ..tagging.tagger import Breaks, Tag, Tagger, Tags, taggers
from ..tokenizer import Tokenizer
from ..tokens import Tokens
from .words import WordTokenizer


@dataclass(frozen=True)
class NounPhraseTokenizer(Tokenizer):
    """The tokens of ``words``; those of one noun phrase stand side by side, and there is a gap between all others.

    Formula: a noun phrase is the longest run of adjectives and nouns that ends in a noun, without punctuation between
    them: (A|N)*N. A token stands one place behind the token before it if both are of one phrase, two places otherwise.
    So ``pairs`` behind it makes phrases and sub-phrases within noun phrases, and none across them.

    Parameters: ``tagger``, which gives the parts of speech (lexicon; adjudge terms lists them).

    Paper: the phrases of Evans, Zhai, Noun-phrase analysis in unrestricted text for information retrieval (ACL 1996),
    CLARIT's, as far as neighbouring words go.

    Example: noun_phrases|lower|stop(smart)|pairs: ``The new solar panels heat water`` → ``solar solar+panels panels
    heat water``; *new* is a stop word, and *heat* a verb.
    """

    name: ClassVar[str] = "noun_phrases"
    positional: ClassVar[str] = "tagger"

    tagger: str = "lexicon"

    def __post_init__(self) -> None:
        if not isinstance(self.tagger, str):
            raise SpecError(f"noun_phrases: tagger must be the spec of a tagger, not {self.tagger!r}")
        _tagger(self.tagger)

    def __call__(self, texts: Sequence[str], spans: bool = False) -> Tokens:
        tokens = WordTokenizer()(texts, spans=True)
        breaks = breaks_of(texts, tokens)
        inside = _continues(_tagger(self.tagger)(tokens, breaks), breaks)
        return Tokens(
            tokens.types, tokens.ids, tokens.offsets, _places(inside, tokens), tokens.spans if spans else None
        )

    def missing(self) -> str:
        """What is not installed that the tagger needs, in a line; empty if nothing is."""
        try:
            _tagger(self.tagger).version()
        except MissingExtraError as error:
            return str(error)
        return ""


@lru_cache(maxsize=8)
def _tagger(spec: str) -> Tagger:
    """One for all batches, because it keeps what it looked up."""
    return taggers.parse(spec)


def _continues(tags: Tags, breaks: Breaks) -> npt.NDArray[np.bool_]:
    """Whether a token is of the same noun phrase as the token before it."""
    n = len(tags)
    nominal = (tags == Tag.N) | (tags == Tag.A)
    follows = np.zeros(n, bool)
    follows[1:] = nominal[1:] & nominal[:-1] & (breaks[1:] == JOINED)
    # A run may end in adjectives, which belong to no phrase: the last noun of each run is where its phrase ends.
    run = np.cumsum(~follows) - 1
    last = np.full(run[-1] + 1 if n else 0, -1)
    nouns = np.flatnonzero(tags == Tag.N)
    np.maximum.at(last, run[nouns], nouns)
    inside: npt.NDArray[np.bool_] = follows & (np.arange(n) <= last[run])
    return inside


def _places(inside: npt.NDArray[np.bool_], tokens: Tokens) -> npt.NDArray[np.int32]:
    """One place on within a phrase, two places on elsewhere; every text begins with place 0."""
    places = np.cumsum(np.where(inside, 1, 2))
    counts = np.diff(tokens.offsets)
    begins = tokens.offsets[:-1][counts > 0]
    places -= np.repeat(places[begins], counts[counts > 0])
    return places.astype(np.int32)
