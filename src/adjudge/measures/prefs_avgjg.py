from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.measure import TrecName
from ..core.preferences import SCOPES, JudgedPreferences, PreferenceMeasure
from ..core.spec import require


@dataclass(frozen=True)
class PrefsAvgJG(PreferenceMeasure):
    """Share of the preferences of a judgment group that the ranking agrees with, averaged over groups.

    Formula: 1/G Σ_g F_g / N_g, over the G groups of the topic; F_g and N_g as in prefs_simp, of one group. An assessor
    with many preferences weighs no more than one with few.

    Parameters: ``scope`` which preferences count: ``all``; ``imp`` those with at least one document retrieved; ``ret``
    those with both.

    No value: a group with N_g = 0 adds 0 and is counted in G.

    Paper: trec_eval's own (Buckley 2008).

    Example: one group says a > b, another b > a, b > c and a > c; ranked a, b, c: (1/1 + 2/3) / 2 = 0.8333.
    """

    name: ClassVar[str] = "prefs_avgjg"
    positional: ClassVar[str] = "scope"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (
        TrecName("prefs_avgjg"),
        TrecName("prefs_avgjg_ret", fixed=(("scope", "ret"),)),
        TrecName("prefs_avgjg_imp", fixed=(("scope", "imp"),)),
    )

    scope: str = "all"

    def __post_init__(self) -> None:
        require(self, "scope", self.scope in SCOPES, "be all, imp or ret")

    def values(self, judged: JudgedPreferences) -> Floats:
        columns = SCOPES[self.scope]
        fulfilled, possible = judged.fulfilled[:, :columns], judged.possible[:, :columns]
        return ratio(judged.sum(ratio(fulfilled.sum(axis=1), possible.sum(axis=1))), judged.num_groups)
