"""Candidates for a c-word: the words of the lexicon that have the most letter trigrams in common with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .loops import chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

SLACK = 3
"""Bytes that a candidate may be longer or shorter."""


@dataclass(frozen=True, eq=False)
class Trigrams:
    """The words that have each trigram, the shorter ones first; a word is padded with # at both ends.

    Candidates are ranked by Dice's coefficient 2 |A ∩ B| / (|A| + |B|) of the sets of trigrams; ties go to the word
    with the lower number, which is the more frequent one. A word without a trigram in common is no candidate.
    """

    codes: npt.NDArray[np.uint32]
    begins: npt.NDArray[np.int64]
    postings: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]

    @classmethod
    def of(cls, words: Sequence[bytes]) -> Trigrams:
        """The trigrams of words, which are numbered as they come."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        blob = np.frombuffer(b"#" + b"##".join(words) + b"##", np.uint8).astype(np.uint32)
        codes = blob[:-2] << 16 | blob[1:-1] << 8 | blob[2:]
        # A padded word is two bytes longer than the word and has as many trigrams as the word has bytes.
        owner = np.repeat(np.arange(len(words)), lengths)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        start = np.cumsum(lengths + 2) - (lengths + 2)
        own = codes[np.repeat(start, lengths) + within].astype(np.int64)
        rank = np.empty(len(words), np.int64)
        rank[np.argsort(lengths, kind="stable")] = np.arange(len(words))
        keys = np.unique(own << 32 | rank[owner])
        grams, begins = np.unique(keys >> 32, return_index=True)
        postings = np.argsort(lengths, kind="stable")[keys & 0xFFFFFFFF]
        return cls(
            grams.astype(np.uint32),
            np.append(begins, len(keys)).astype(np.int64),
            postings.astype(np.int32),
            np.bincount(postings, minlength=len(words)).astype(np.int32),
            lengths.astype(np.int32),
        )

    def candidates(self, words: Sequence[bytes], most: int = 200, *, slack: int = SLACK) -> npt.NDArray[np.int32]:
        """A row for each word with the numbers of its best candidates, the best first; -1 where there are no more."""
        offsets: npt.NDArray[Any] = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, words), np.int64, len(words)), out=offsets[1:])
        out = np.empty((len(words), most), np.int32)
        columns = self.codes, self.begins, self.postings, self.sizes, self.lengths
        chosen.candidates(b"".join(words), offsets, *columns, slack, out)
        return out
