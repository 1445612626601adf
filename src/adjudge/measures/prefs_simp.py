from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.measure import TrecName
from ..core.preferences import SCOPES, JudgedPreferences, PreferenceMeasure
from ..core.spec import require


@dataclass(frozen=True)
class PrefsSimp(PreferenceMeasure):
    """Share of the preferences that the ranking agrees with, all preferences of all groups alike.

    Formula: F / N, N the preferences of all judgment groups, F those of them whose preferred document is ranked before
    the other. A retrieved document is before one that was not; of two that were not, neither is before the other.

    Parameters: ``scope`` which preferences count in F and N: ``all``; ``imp`` those with at least one document
    retrieved; ``ret`` those with both.

    No value: N = 0 gives 0.

    Paper: trec_eval's own (Buckley 2008). With one assessor ``all`` is the rpref and ``imp`` the ppref, both without
    cutoff, of Carterette & Bennett, Evaluation measures for preference judgments, SIGIR 2008.

    Example: a > b, a > c, b > c; retrieved c, a. a > b is fulfilled (b not retrieved), a > c and b > c are not:
    1/3 = 0.3333; with ``ret`` only a > c counts: 0.
    """

    name: ClassVar[str] = "prefs_simp"
    positional: ClassVar[str] = "scope"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (
        TrecName("prefs_simp"),
        TrecName("prefs_simp_ret", fixed=(("scope", "ret"),)),
        TrecName("prefs_simp_imp", fixed=(("scope", "imp"),)),
    )

    scope: str = "all"

    def __post_init__(self) -> None:
        require(self, "scope", self.scope in SCOPES, "be all, imp or ret")

    def values(self, judged: JudgedPreferences) -> Floats:
        columns = SCOPES[self.scope]
        fulfilled, possible = judged.fulfilled[:, :columns], judged.possible[:, :columns]
        return ratio(judged.sum(fulfilled.sum(axis=1)), judged.sum(possible.sum(axis=1)))
