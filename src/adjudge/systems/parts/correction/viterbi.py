"""The most probable words of a sentence: bigrams of words, and for each c-word its candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .lexicon import CLASSES, CorrectionLexicon
from .loops import chosen
from .tokens import CWORD, CodedTokens

Array = npt.NDArray[Any]
ADDED = 0.5
"""What is added to the count of every word, so that none is impossible."""


@dataclass(frozen=True, eq=False)
class Bigrams:
    """P(w | v) = λ c(v, w) / c(v) + (1 - λ) (c(w) + 0.5) / Σ (c + 0.5), where v is the word before w.

    Sentences begin after <s> and end before </s>; numbers are one word, and so are all words that are not in the
    lexicon. What follows a word that was never seen is told by the second part alone.
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
        chosen.viterbi(
            ids, tokens.lasts, np.ascontiguousarray(rows, np.int32), candidates, scores, keep,
            self.begins, self.nexts, self.pairs, self.base, self.scale, out,
        )  # fmt: skip
        return out
