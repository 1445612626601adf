"""Character n-grams of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...core.spec import require
from ..grams import Grams, character, grams_of, require_length, require_pad, sliding
from ..splitting import Spans
from ..token_filter import Filter, map_types
from ..tokens import Tokens


@dataclass(frozen=True)
class NgramFilter(Filter):
    """Character n-grams of the tokens, inside each padded token or across them.

    Formula: all windows of n characters over pad w pad, for each token w; if that is no longer than n, it is one gram.
    With ``cross`` the windows slide over pad w₁ pad w₂ … pad, all tokens that are left of the text.

    Parameters: ``n``, 1 to 100 (4); ``pad``, the character at both ends and between tokens, ``blank`` for a blank,
    ``none`` for none (_); ``cross``, whether grams reach from one token into the next (false). A gram has the place of
    the token that it begins in.

    Paper: grams inside words, stop words removed first: GMU in the TREC-5 Confusion Track; across words: ETH there.

    Example: words|ngrams(4): ``red balloon`` → ``_red red_ _bal ball allo lloo loon oon_``; cross adds ``ed_b d_ba``.
    """

    name: ClassVar[str] = "ngrams"
    positional: ClassVar[str] = "n"
    always: ClassVar[tuple[str, ...]] = ("n",)

    n: int = 4
    pad: str | None = "_"
    cross: bool = False

    def __post_init__(self) -> None:
        require_length(self, self.n)
        require_pad(self, self.pad, optional=True)
        require(self, "cross", isinstance(self.cross, bool), "be true or false")

    def __call__(self, types: Sequence[str]) -> Sequence[tuple[str, ...]]:
        pad = character(self.pad)
        return grams_of((f"{pad}{word}{pad}" for word in types), self.n)

    @property
    def by_type(self) -> bool:
        return not self.cross

    def apply(self, tokens: Tokens) -> Tokens:
        return self._across(tokens) if self.cross else map_types(tokens, self(tokens.types))

    def _across(self, tokens: Tokens) -> Tokens:
        pad = character(self.pad)
        names = tokens.types
        words = [names[i] for i in tokens.ids.tolist()]
        texts = [
            pad.join(["", *words[begin:end], ""]) if end > begin else ""
            for begin, end in pairwise(tokens.offsets.tolist())
        ]
        grams = sliding(texts, self.n)
        # A pad goes with the token after it, the pad at the end of a text with the token before it.
        sizes = np.fromiter(map(len, names), np.int64, len(names))[tokens.ids] + len(pad)
        sizes[tokens.offsets[1:][np.diff(tokens.offsets) > 0] - 1] += len(pad)
        places = np.repeat(tokens.places, sizes)[grams.begins]
        spans = None if tokens.spans is None else self._spans(tokens, sizes, texts, grams)
        return Tokens(grams.types, grams.ids, grams.offsets, places, spans)

    def _spans(self, tokens: Tokens, sizes: npt.NDArray[np.int64], texts: Sequence[str], grams: Grams) -> Spans:
        """From the beginning of the token that a gram begins in to the end of the one that it ends in."""
        spans = tokens.spans if tokens.spans is not None else np.empty((0, 2), np.int32)
        pad = len(character(self.pad))
        owner = np.repeat(np.arange(len(tokens.ids)), sizes)
        starts = np.flatnonzero(grams.begins)
        ends = np.repeat(np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts))), np.diff(grams.offsets))
        # A gram that ends in a pad ends in the token before it, so the owner is asked for one character earlier.
        last = np.clip(np.minimum(starts + self.n, ends) - 1 - pad, starts, None)
        return np.stack([spans[owner[starts], 0], spans[owner[last], 1]], axis=1)
