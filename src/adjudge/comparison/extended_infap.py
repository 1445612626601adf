"""Extended inferred average precision of one topic, from a stratified sample of its pool.

Paper: Yilmaz, Kanoulas, Aslam, A simple and efficient sampling method for estimating AP and NDCG (SIGIR 2008).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .sampled_cells import UNRANKED

Ints = npt.NDArray[np.int64]
EPSILON = 1e-5


def extended_infap(strata: Ints, sampled: npt.NDArray[np.bool_], human: Ints, rank: Ints, level: int) -> float:
    """xinfAP; strata are numbered from 0, and grades count where a document is in the sample."""
    sizes = np.bincount(strata).astype(float)
    taken = np.bincount(strata[sampled], minlength=len(sizes)).astype(float)
    order = np.argsort(rank, kind="stable")
    order = order[rank[order] < UNRANKED]
    own, stratum, place = sampled[order], strata[order], rank[order].astype(float)
    relevant = own & (human[order] >= level)
    above = np.zeros((len(sizes), 3, len(order)))
    for s in range(len(sizes)):
        for kind, flags in enumerate((stratum == s, (stratum == s) & own, (stratum == s) & relevant)):
            above[s, kind] = np.cumsum(flags) - flags
    with np.errstate(divide="ignore", invalid="ignore"):
        share = above[:, 0] * (above[:, 2] + EPSILON) / (above[:, 1] + 2 * EPSILON)
    precision = np.where(place == 1, 1.0, (1 + share.sum(axis=0)) / place)
    everything = sampled & (human >= level)
    weight = np.divide(sizes, taken, out=np.zeros(len(sizes)), where=taken > 0)
    number = float(weight[strata[everything]].sum())
    total = float((precision[relevant] * weight[stratum[relevant]]).sum())
    return total / number if number else 0.0
