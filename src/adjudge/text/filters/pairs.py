"""Pairs of neighbouring tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...core.spec import is_count, require
from ..splitting import offsets_of
from ..token_filter import Filter, Image
from ..tokens import Tokens


@dataclass(frozen=True)
class PairFilter(Filter):
    """Adds to every token the pair of it and the token right behind it, as simple phrases.

    Formula: tokens u v at places p and p + 1 of a text also give u+v at place p, and with ``longest`` above 2 tokens
    u v w at p, p + 1 and p + 2 also give u+v+w there, and so on. Where a filter dropped a token, or the tokenizer left
    a gap, nothing is joined: put ``stop`` before for pairs of words that are no stop words.

    Parameters: ``alone`` (true), whether the single tokens stay; ``longest`` (2), the tokens of the longest phrase,
    2 to 8.

    Paper: phrases of adjacent words: Fagan, Automatic phrase indexing for document retrieval (SIGIR 1987).

    Example: words|lower|stop(smart)|pairs: ``the solar power of Florida`` → ``solar solar+power power florida``.
    """

    name: ClassVar[str] = "pairs"

    alone: bool = True
    longest: int = 2

    def __post_init__(self) -> None:
        require(self, "alone", isinstance(self.alone, bool), "be true or false")
        require(self, "longest", is_count(self.longest) and 2 <= self.longest <= 8, "be a whole number from 2 to 8")

    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        """What becomes of a token that stands alone."""
        return list(types) if self.alone else [None] * len(types)

    @property
    def by_type(self) -> bool:
        return False

    def apply(self, tokens: Tokens) -> Tokens:
        n = len(tokens.ids)
        names = list(tokens.types)
        """Of the single tokens, and then of the phrases, the shorter ones first."""
        levels = [(np.arange(n), tokens.ids.astype(np.int64))]
        """Where phrases of 1, 2, … tokens begin, and their numbers among the names."""
        joined = _joined(tokens)
        for length in range(2, self.longest + 1):
            begins, numbers = levels[-1]
            longer = joined[begins + length - 2]
            begins, numbers = begins[longer], numbers[longer]
            keys, which = np.unique(numbers << 32 | tokens.ids[begins + length - 1], return_inverse=True)
            levels.append((begins, which + len(names)))
            rows = zip((keys >> 32).tolist(), (keys & 0xFFFFFFFF).tolist(), strict=True)
            names += [f"{names[a]}+{names[b]}" for a, b in rows]
        if not self.alone:
            del levels[0]
        times = np.zeros(n, np.int64)
        for begins, _ in levels:
            times[begins] += 1
        ends = offsets_of(times)
        token_ids = np.empty(ends[-1], np.int32)
        spans = None if tokens.spans is None else np.repeat(tokens.spans, times, axis=0)
        for length, (begins, numbers) in enumerate(levels, 1 if self.alone else 2):
            at = ends[begins] + length - (1 if self.alone else 2)
            token_ids[at] = numbers
            if spans is not None and tokens.spans is not None:
                spans[at, 1] = tokens.spans[begins + length - 1, 1]
        types, first = (names, 0) if self.alone else (names[len(tokens.types) :], len(tokens.types))
        return Tokens(types, token_ids - first, ends[tokens.offsets], np.repeat(tokens.places, times), spans)


def _joined(tokens: Tokens) -> npt.NDArray[np.bool_]:
    """Whether the next token of the same text stands right behind a token."""
    joined = np.zeros(len(tokens.ids), bool)
    joined[:-1] = tokens.places[1:] == tokens.places[:-1] + 1
    joined[(tokens.offsets[1:] - 1)[np.diff(tokens.offsets) > 0]] = False  # the last token of each text
    return joined
