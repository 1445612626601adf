from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.judged import Floats
from ..core.measure import TrecName
from ..core.preferences import JudgedPreferences, PreferenceMeasure
from ..core.spec import require


@dataclass(frozen=True)
class PrefsCount(PreferenceMeasure):
    """Number of preferences of all judgment groups, or of those that the ranking agrees with.

    Formula: a count; the figure over topics is the sum.

    Parameters: ``which`` ``possible`` all preferences; ``fulfilled`` those whose preferred document is ranked before
    the other, or retrieved when the other is not; ``fulfilled_ret`` those of them with both retrieved.

    No value: always defined.

    Paper: trec_eval's own (Buckley 2008).

    Example: a > b, a > c, b > c; retrieved c, a: possible 3, fulfilled 1 (a > b), fulfilled_ret 0.
    """

    name: ClassVar[str] = "prefs_count"
    average: ClassVar[str] = "sum"
    better: ClassVar[str] = ""
    positional: ClassVar[str] = "which"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (
        TrecName("prefs_num_prefs_poss"),
        TrecName("prefs_num_prefs_ful", fixed=(("which", "fulfilled"),)),
        TrecName("prefs_num_prefs_ful_ret", fixed=(("which", "fulfilled_ret"),)),
    )

    which: str = "possible"

    def __post_init__(self) -> None:
        fine = self.which in {"possible", "fulfilled", "fulfilled_ret"}
        require(self, "which", fine, "be possible, fulfilled or fulfilled_ret")

    def values(self, judged: JudgedPreferences) -> Floats:
        counts = judged.possible if self.which == "possible" else judged.fulfilled
        return judged.sum(counts[:, 0] if self.which == "fulfilled_ret" else counts.sum(axis=1))
