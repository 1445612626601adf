"""The words that a c-word may have been, and those of them that make the most probable sentence.

Candidates are the words of the lexicon with the most letter trigrams in common; bigrams of words choose among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .word_lexicon import CLASSES, CWORD, CodedTokens, CorrectionLexicon, loops

if TYPE_CHECKING:
    from collections.abc import Sequence

Array = npt.NDArray[Any]

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
        loops.candidates(b"".join(words), offsets, *columns, slack, out)
        return out


ADDED = 0.5
"""What is added to the count of every word, so that none is impossible."""


@dataclass(frozen=True, eq=False)
class Bigrams:
    """P(w | v) = λ c(v, w) / c(v) + (1 - λ) (c(w) + 0.5) / Σ (c + 0.5), where v is the word before w.

    Sentences begin after <s> and end before </s>; numbers are one word, and so are all words that are not in the
    lexicon. What follows a word that was never seen depends on the second part alone.
    """

    begins: Array
    nexts: Array
    pairs: Array
    base: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float64]

    @classmethod
    def of(cls, lexicon: CorrectionLexicon, share: float = 0.8) -> Bigrams:
        """The bigrams of a lexicon; ``share`` is λ."""
        counts = np.asarray(lexicon.arrays["counts"], np.float64)
        base = (1 - share) * (counts + ADDED) / (counts.sum() + ADDED * len(counts))
        scale = np.divide(share, counts, out=np.zeros(len(counts)), where=counts > 0)
        arrays = lexicon.arrays
        return cls(arrays["begins"], arrays["nexts"], arrays["pairs"], base, scale)

    def best(self, tokens: CodedTokens, rows: Array, candidates: Array, scores: Array) -> npt.NDArray[np.int32]:
        """The word of every token: its own where the lexicon has it, and for c-words the candidate of the best way.

        ``rows`` leads from each c-word to its row of candidates, whose end is filled up with -1, and of their
        log P(observed | candidate). A c-word without candidates stays: it is <unknown>.
        """
        ids = tokens.ids.copy()
        words = len(self.base) - len(CLASSES)
        ids[ids < CWORD] = words
        at = np.flatnonzero(ids == CWORD)
        empty = candidates[rows[at], 0] < 0 if len(at) else np.zeros(0, bool)
        ids[at[empty]] = words + CLASSES.index("<unknown>")
        out = np.empty(len(ids), np.int32)
        keep = max(1, candidates.shape[1])
        loops.viterbi(
            ids, tokens.lasts, np.ascontiguousarray(rows, np.int32), candidates, scores, keep,
            self.begins, self.nexts, self.pairs, self.base, self.scale, out,
        )  # fmt: skip
        return out
