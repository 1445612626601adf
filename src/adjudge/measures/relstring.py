from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..core.judged import JudgedRun
from ..core.measure import TextMeasure, TrecName

if TYPE_CHECKING:
    import numpy.typing as npt

NOT_POOLED, NOT_JUDGED, HIGH = "-", ".", ">"


@dataclass(frozen=True)
class RelString(TextMeasure):
    """Relevance string: the grades of the first k documents, one character each.

    Formula: a digit for grades 0 to 9, ``>`` for higher ones, ``-`` for a document outside the pool, ``.`` for one that
    is in the pool but was not judged.

    Parameters: ``k`` the length (10).

    No value: nothing retrieved gives the empty string. It has no figure over topics.

    Paper: trec_eval's relstring.

    Example: grade 2, unpooled, grade 0, pooled but unjudged: 2-0.
    """

    name: ClassVar[str] = "relstring"
    group: ClassVar[str] = "counts"
    trec_eval: ClassVar[tuple[TrecName, ...]] = (TrecName("relstring"),)

    k: int = 10

    def describe(self, judged: JudgedRun) -> npt.NDArray[np.str_]:
        length = np.minimum(judged.num_ret, self.k)
        width = int(length.max(initial=0))
        cells = np.full((len(judged.topics), width), NOT_POOLED)
        cells[np.arange(width) >= length[:, None]] = ""
        near = judged.rank <= self.k
        digits = np.array([*"0123456789", HIGH, NOT_JUDGED])
        cells[judged.topic[near], judged.rank[near] - 1] = digits[np.minimum(judged.grade[near], 10)]
        return np.array(["".join(row) for row in cells.tolist()], dtype=np.str_)
