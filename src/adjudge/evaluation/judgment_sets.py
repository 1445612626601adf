"""Sets of judgments put together, compared, sampled and mapped to other grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.english import quantity
from ..core.errors import ConflictError, DataError, SpecError
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.sampled import SampledQrels

RULES = ("refuse", "first", "last", "highest", "lowest")


class JudgmentConflict(NamedTuple):
    """A document that two sets of judgments give different grades."""

    topic: str
    document: str
    first: int
    second: int
    source: str
    """The set that has the second grade."""


@dataclass(frozen=True)
class MergedQrels(Result):
    """Judgments of several sets as one, and where the sets contradict each other."""

    qrels: Qrels
    conflicts: tuple[JudgmentConflict, ...]
    same: int
    """Judgments that several sets have alike."""


@dataclass(frozen=True)
class QrelsDifference(Result):
    """Two sets of judgments beside each other."""

    first: str
    second: str
    same: int
    changed: tuple[JudgmentConflict, ...]
    only_first: tuple[tuple[str, str, int], ...]
    only_second: tuple[tuple[str, str, int], ...]


def merge_qrels(sets: Sequence[tuple[str, Qrels]], rule: str = "refuse") -> MergedQrels:
    """One set of judgments made of several.

    Where two of them contradict each other ``rule`` decides: refuse (an error), first, last, highest or lowest. The
    conflicts are in the result in any case.
    """
    if rule not in RULES:
        raise SpecError(f"what decides in a conflict is {', '.join(RULES)}, not {rule!r}")
    merged: dict[tuple[str, str], int] = {}
    conflicts: list[JudgmentConflict] = []
    same = 0
    for name, qrels in sets:
        for topic, document, given in qrels.rows():
            grade, key = int(given), (topic, document)
            before = merged.setdefault(key, grade)
            if before == grade:
                same += name != sets[0][0]
                continue
            conflicts.append(JudgmentConflict(topic, document, before, grade, name))
            if rule in ("last", "highest", "lowest"):
                merged[key] = {"last": grade, "highest": max(before, grade), "lowest": min(before, grade)}[rule]
    if conflicts and rule == "refuse":
        one = conflicts[0]
        raise ConflictError(
            f"{one.source}: {one.document} of topic {one.topic} has grade {one.second}, and {one.first} before:"
            f" {quantity(len(conflicts), 'conflict')}: say which grade counts, {', '.join(RULES[1:])}"
        )
    topics, documents = [topic for topic, _ in merged], [document for _, document in merged]
    qrels = Qrels.of_columns(topics, documents, np.array(list(merged.values())))
    return MergedQrels(qrels, tuple(conflicts), same)


def compare_qrels(first: tuple[str, Qrels], second: tuple[str, Qrels]) -> QrelsDifference:
    """What two sets of judgments have alike, differently, and alone."""
    (name_a, a), (name_b, b) = first, second
    ours = {(topic, document): int(grade) for topic, document, grade in a.rows()}
    theirs = {(topic, document): int(grade) for topic, document, grade in b.rows()}
    both = [key for key in ours if key in theirs]
    changed = tuple(JudgmentConflict(*key, ours[key], theirs[key], name_b) for key in both if ours[key] != theirs[key])
    return QrelsDifference(
        name_a,
        name_b,
        len(both) - len(changed),
        changed,
        tuple((*key, grade) for key, grade in ours.items() if key not in theirs),
        tuple((*key, grade) for key, grade in theirs.items() if key not in ours),
    )


def sample_qrels(qrels: Qrels, share: float, rng: np.random.Generator) -> SampledQrels:
    """A random share of the judgments of each topic, 2 at least; the others stay as documents that nobody judged."""
    if not 0 < share <= 1:
        raise SpecError(f"the share must be above 0 and at most 1, not {share:g}")
    grades = np.full(len(qrels), -1, np.int32)
    for t in range(len(qrels.topics)):
        rows = np.arange(int(qrels.offsets[t]), int(qrels.offsets[t + 1]))
        rows = rows[qrels.grades[rows] >= 0]
        count = min(len(rows), max(2, round(share * len(rows))))
        chosen = rng.choice(rows, count, replace=False) if count else rows
        grades[chosen] = qrels.grades[chosen]
    strata = np.ones(len(qrels), np.int32)
    return SampledQrels.of_rows(qrels.topics, qrels.offsets, qrels.documents, grades, strata)


def draw_topics(qrels: Qrels, count: int, rng: np.random.Generator) -> Qrels:
    """All judgments of so many topics, drawn at random of those that have some."""
    sizes = np.diff(qrels.offsets)
    pooled = np.flatnonzero(sizes)
    if not 2 <= count <= len(pooled):
        raise SpecError(f"2 to {len(pooled):,} of {quantity(len(pooled), 'topic')} can be judged whole, not {count:,}")
    chosen = np.sort(rng.permutation(pooled)[:count])
    rows = np.flatnonzero(np.isin(np.repeat(np.arange(len(sizes)), sizes), chosen))
    topics = tuple(qrels.topics[t] for t in chosen.tolist())
    offsets = np.concatenate([[0], np.cumsum(sizes[chosen])]).astype(np.int64)
    drawn = Qrels(topics, offsets, qrels.documents.take(rows), qrels.grades[rows])
    for topic, document, grade in drawn.rows():
        if grade < 0:
            raise DataError(f"topic {topic} is not judged whole: document {document} has no grade")
    return drawn


def map_grades(qrels: Qrels, grades: Mapping[int, int], *, keep: bool = False) -> Qrels:
    """The judgments with other grades; one that is not mapped is an error, or kept."""
    known = sorted({int(grade) for grade in qrels.grades.tolist()})
    missing = [grade for grade in known if grade not in grades]
    if missing and not keep:
        raise DataError(f"grade {missing[0]} is not mapped: the judgments have {', '.join(map(str, known))}")
    unused = [grade for grade in grades if grade not in known]
    if unused:
        raise DataError(f"no judgment has grade {unused[0]}: they have {', '.join(map(str, known))}")
    table = {grade: grades.get(grade, grade) for grade in known}
    mapped = np.array([table[int(grade)] for grade in qrels.grades.tolist()], np.int32)
    return Qrels(qrels.topics, qrels.offsets, qrels.documents, mapped, qrels.repeated)
