from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.judged import Floats, Ints, ratio
from ..core.measure import TrecName
from ..core.preferences import JudgedPreferences, PreferenceMeasure
from ..core.spec import require


@dataclass(frozen=True)
class PrefsAvgJGRnonrel(PreferenceMeasure):
    """prefs_avgjg with as many nonrelevant documents as relevant ones in each group, so that their number is no matter.

    Formula: 1/G Σ_g F_g / N_g. A group with R relevant (level above 0) and N nonrelevant documents, N ≤ R, gets R − N
    nonrelevant documents more, ranked last: r(R − N) more fulfilled preferences, r the relevant documents retrieved,
    and R(R − N) more possible ones. If N > R, only the nonrelevant documents ranked first, R of them, are kept.

    Parameters: ``scope`` ``all``, or ``ret`` to count only preferences with both documents retrieved; R and N are then
    counts of retrieved documents.

    No value: N_g = 0 in any group gives 0 for the topic, whatever the other groups say, as in trec_eval.

    Paper: trec_eval's own (Buckley 2008), whose program is followed where it differs from its description:
    with N > R in a group of one sub-group it also counts every nonrelevant document as preferred to each of the R kept
    ones (R·N pairs more, itself among them); with ``ret``, N ≤ R adds R_all(R − N) possible preferences, R_all
    including relevant documents not retrieved, and N > R in a group of several sub-groups keeps R_all nonrelevant ones.

    Example: a, b relevant, x nonrelevant; ranked a, x, b: a > x is fulfilled, b > x is not, and R − N = 1 document more
    is behind both: (1 + 2) / (2 + 2) = 0.75.
    """

    name: ClassVar[str] = "prefs_avgjg_rnonrel"
    positional: ClassVar[str] = "scope"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (
        TrecName("prefs_avgjg_Rnonrel"),
        TrecName("prefs_avgjg_Rnonrel_ret", fixed=(("scope", "ret"),)),
    )

    scope: str = "all"

    def __post_init__(self) -> None:
        require(self, "scope", self.scope in {"all", "ret"}, "be all or ret")

    def values(self, judged: JudgedPreferences) -> Floats:
        if self.scope == "ret":
            R, N = judged.num_rel_ret, judged.num_nonrel_ret
            fulfilled, possible, trimmed = judged.fulfilled[:, 0], judged.possible[:, 0], judged.trimmed[:, :2]
        else:
            R, N = judged.num_rel, judged.num_nonrel
            fulfilled, possible = judged.fulfilled.sum(axis=1), judged.possible.sum(axis=1)
            trimmed = judged.trimmed[:, 2:]
        few, lacking = N <= R, np.maximum(R - N, 0)
        own = np.where(judged.single, R, 0)
        F = np.where(few, fulfilled + judged.num_rel_ret * lacking, trimmed[:, 0] + _before(own, judged.num_nonrel_ret))
        P = np.where(few, possible + judged.num_rel * lacking, trimmed[:, 1] + own * N)
        undefined = judged.sum(P == 0) > 0
        return np.where(undefined, 0.0, ratio(judged.sum(ratio(F, P)), judged.num_groups))


def _before(judged: Ints, retrieved: Ints) -> Ints:
    """Pairs of a retrieved nonrelevant document and a kept one ranked after it: 0 + 1 + 2 + … over the kept ones, no
    more at each than were retrieved."""
    low = np.minimum(judged, retrieved + 1)
    return np.asarray(low * (low - 1) // 2 + (judged - low) * retrieved)
