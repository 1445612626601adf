"""Pairs of neighbouring tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import require
from ..splitting import offsets_of
from ..token_filter import Filter, Image
from ..tokens import Tokens


@dataclass(frozen=True)
class PairFilter(Filter):
    """Adds to every token the pair of it and the token right behind it, as simple phrases.

    Formula: tokens u v at places p and p + 1 of a text also give u+v at place p. Where a filter dropped a token
    there is a gap and no pair: put ``stop`` before for pairs of words that are no stop words.

    Parameters: ``alone`` (true), whether the single tokens stay.

    Paper: phrases of adjacent words: Fagan, Automatic phrase indexing for document retrieval (SIGIR 1987).

    Example: words|lower|stop(smart)|pairs: ``the solar power of Florida`` → ``solar solar+power power florida``.
    """

    name: ClassVar[str] = "pairs"

    alone: bool = True

    def __post_init__(self) -> None:
        require(self, "alone", isinstance(self.alone, bool), "be true or false")

    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        """What becomes of a token that stands alone."""
        return list(types) if self.alone else [None] * len(types)

    @property
    def by_type(self) -> bool:
        return False

    def apply(self, tokens: Tokens) -> Tokens:
        ids, places, n = tokens.ids.astype(np.int64), tokens.places, len(tokens.ids)
        joined = np.zeros(n, bool)
        joined[:-1] = places[1:] == places[:-1] + 1
        joined[(tokens.offsets[1:] - 1)[np.diff(tokens.offsets) > 0]] = False  # the last token of each text
        first = np.flatnonzero(joined)
        keys, numbers = np.unique(ids[first] << 32 | ids[first + 1], return_inverse=True)
        names = tokens.types
        rows = zip((keys >> 32).tolist(), (keys & 0xFFFFFFFF).tolist(), strict=True)
        pairs = [f"{names[a]}+{names[b]}" for a, b in rows]
        singles = list(names) if self.alone else []
        times = int(self.alone) + joined
        ends = offsets_of(times)
        token_ids = np.empty(ends[-1], np.int32)
        if self.alone:
            token_ids[ends[:-1]] = ids
        token_ids[ends[first + 1] - 1] = numbers + len(singles)
        spans = None
        if tokens.spans is not None:
            spans = np.repeat(tokens.spans, times, axis=0)
            spans[ends[first + 1] - 1, 1] = tokens.spans[first + 1, 1]
        return Tokens([*singles, *pairs], token_ids, ends[tokens.offsets], np.repeat(places, times), spans)
