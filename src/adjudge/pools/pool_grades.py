"""What was judged of a pool: of its sample, and of the topics that are judged whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.english import plural, quantity
from ..core.errors import DataError
from ..core.qrels import Qrels
from .pooled_pairs import Pool
from .priorities.random_order import RandomOrder

Grades = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


class PoolGrades(NamedTuple):
    """What judgments say of the pairs that are to be judged."""

    grades: Grades
    """Of each pair; −1 where it has none."""
    known: Flags
    """Pairs of which something is said, be it that nobody can tell (−1)."""
    raised: int
    """Grades below −1, which are 0 here: judged and worse than not relevant is not unjudged."""

    @classmethod
    def of(cls, pool: Pool, given: Mapping[str, Mapping[str, int]]) -> PoolGrades:
        """The judgments of a pool's pairs; ``given`` is {topic: {document: grade}}."""
        grades, known, raised = np.full(len(pool), -1, np.int32), np.zeros(len(pool), bool), 0
        wanted = pool.to_judge.tolist()
        for row, (topic, document, _) in enumerate(pool.rows()):
            grade = given.get(topic, {}).get(document) if wanted[row] else None
            if grade is not None:
                known[row], raised = True, raised + (grade < -1)
                grades[row] = 0 if grade < -1 else grade
        return cls(grades, known, raised)


def within_budget(pool: Pool, grades: Grades) -> Grades:
    """Grades of a sample without those that the random order has judged after the budget of a topic was spent.

    Of topics that are judged whole more is known, and their samples must be no larger than those of the others.
    """
    kept, shares = grades.copy(), pool.shares(pool.definition.budget)[0]
    for topic, share in zip(pool.topics, shares.tolist(), strict=True):
        part = pool.topic_pool(topic)
        order = part.first + RandomOrder().begin(part).order
        kept[order[grades[order] >= 0][share:]] = -1
    return kept


def unjudged_of_whole(pool: Pool, said: PoolGrades) -> dict[str, int]:
    """How many pairs have no grade, by topic, of the topics that are to be judged whole and are not."""
    missing = {}
    for topic in pool.whole_topics:
        rows = slice(*pool.offsets[pool.position[topic] :][:2].tolist())
        if count := int((pool.to_judge[rows] & (said.grades[rows] < 0)).sum()):
            missing[topic] = count
    return missing


def whole_topic_grades(pool: Pool, said: PoolGrades, settled: Flags, *, as_sample: bool = False) -> Qrels:
    """The judgments of the topics that are judged whole; an error if they or the sample of the others lack some.

    ``settled`` are the pairs of which all is said that ever will be.
    """
    if missing := unjudged_of_whole(pool, said):
        topic, count = next(iter(missing.items()))
        size = quantity(int(pool.sizes[pool.position[topic]]), "pair")
        more = f" (and {quantity(len(missing) - 1, 'more topic')})" if len(missing) > 1 else ""
        has = plural(count, "has", "have")
        raise DataError(f"topic {topic} is to be judged whole, and {count:,} of its {size} {has} no grade{more}")
    done = np.bincount(_topic_numbers(pool)[settled & pool.drawn], minlength=len(pool.topics))
    wanted = pool.shares(pool.definition.budget)[0]
    if (done < wanted).any() and not as_sample:
        left = int(np.maximum(wanted - done, 0).sum())
        raise DataError(
            f"{quantity(left, 'pair')} of the sample {plural(left, 'is', 'are')} not judged yet: topics that are judged"
            " whole correct a sample that is judged in all topics alike (as_sample, --as-sample, if it is so after all)"
        )
    rows = np.flatnonzero(pool.to_judge & np.isin(_topic_numbers(pool), [pool.position[t] for t in pool.whole_topics]))
    offsets = np.concatenate([[0], np.cumsum([pool.sizes[pool.position[topic]] for topic in pool.whole_topics])])
    return Qrels(pool.whole_topics, offsets.astype(np.int64), pool.documents.take(rows), said.grades[rows])


def _topic_numbers(pool: Pool) -> npt.NDArray[np.int64]:
    return np.repeat(np.arange(len(pool.topics)), np.diff(pool.offsets))
