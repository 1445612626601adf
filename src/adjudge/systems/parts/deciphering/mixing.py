"""How often each true word was written, from how often each string was observed.

The observed counts are a mixture: string t comes from word u with P(t | u), so n(t) ≈ Σ P(t | u) · N(u) + what stands
for itself. N is found by expectation maximisation (in astronomy the iteration of Richardson and Lucy): every string is
shared out to the words in proportion to how well each explains it, and the shares are the new N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[Any]
FASTER = 1.7
"""The exponent of a step. 1 is plain expectation maximisation; up to 2 the way is the same and shorter."""
GONE = 1e-3
"""Words that are expected less often than this are none."""
FADING = (0.6, 0.4, 0.25, 0.15, 0.1)
"""The share of a word's own count that others must explain for it to be dropped, falling: of two words that explain
each other the one that is explained better goes first, and then nothing explains the other."""


def matrix(rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]) -> csr_matrix:
    """P(string | word), a row for each string and a column for each word."""
    from scipy.sparse import csr_matrix

    return csr_matrix((values, (rows, columns)), shape)


def shared_out(p: csr_matrix, counts: Floats, start: Floats, own: Floats, rounds: int) -> Floats:
    """The expected number of each word; ``own`` is what stands for itself among each string."""
    transposed = p.T.tocsr()
    expected = start.copy()
    for done in range(rounds):
        step = transposed @ (counts / (p @ expected + own))
        expected = expected * step ** (FASTER if done < rounds - 2 else 1.0)
        expected[expected < GONE] = 0.0
    return expected


def faded(
    p: csr_matrix, counts: Floats, start: Floats, own: Floats, places: Integers, lasting: npt.NDArray[np.bool_]
) -> Floats:
    """The same without words that others explain: ``places`` says which string each word is, ``kept`` which stay."""
    expected, itself = start.copy(), np.asarray(p[places].diagonal(), np.float64)
    rows = p[places]
    for share in FADING:
        expected = shared_out(p, counts, expected, own, 10)
        by_others = rows @ expected - itself * expected
        stays = ((by_others < share * counts[places]) | lasting) & (expected > 0)
        expected = np.where(stays, np.maximum(expected, counts[places]), 0.0)
    return expected
