from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats, ratio
from ..core.measure import TrecName
from ..core.preferences import SCOPES, JudgedPreferences, PreferenceMeasure
from ..core.spec import require


@dataclass(frozen=True)
class PrefsPair(PreferenceMeasure):
    """Share of the groups that the ranking agrees with on a pair of documents, averaged over pairs.

    Formula: 1/|P| Σ_{(a,b) ∈ P} n(a,b) / (n(a,b) + n(b,a)), P the pairs that some group has a preference on, a ranked
    before b, n(x,y) the groups that prefer x to y. A pair of which no document was retrieved adds 0.

    Parameters: ``scope`` which pairs are in P: ``all``; ``imp`` those with at least one document retrieved; ``ret``
    those with both.

    No value: no pair gives 0.

    Paper: trec_eval's own (Buckley 2008). The same as prefs_simp if no pair has a preference of two groups.

    Example: two groups say a > b, a third b > a, and one of them b > c; ranked a, b, c: (2/3 + 1) / 2 = 0.8333.
    """

    name: ClassVar[str] = "prefs_pair"
    positional: ClassVar[str] = "scope"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (
        TrecName("prefs_pair"),
        TrecName("prefs_pair_ret", fixed=(("scope", "ret"),)),
        TrecName("prefs_pair_imp", fixed=(("scope", "imp"),)),
    )

    scope: str = "all"

    def __post_init__(self) -> None:
        require(self, "scope", self.scope in SCOPES, "be all, imp or ret")

    def values(self, judged: JudgedPreferences) -> Floats:
        columns = SCOPES[self.scope]
        return ratio(judged.pair_share[:, :columns].sum(axis=1), judged.pairs[:, :columns].sum(axis=1))
