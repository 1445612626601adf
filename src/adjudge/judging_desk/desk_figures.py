"""How far people are, how fast, and how far they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from ..comparison.judge_agreement import JudgeComparison, compare_judges
from ..core.qrels import Qrels
from .judgment_book import JudgmentBook, PairKey, qrels_of
from .judgment_events import PairJudgment

SAMPLES = 200
"""Of topics, for intervals on a page that people wait for."""
RECENT = 100


@dataclass(frozen=True)
class AssessorFigures:
    """One assessor."""

    who: str
    judged: int
    cannot_tell: int
    seconds: float
    """The median of the last hundred judgments; NaN if no time is known."""
    mean: float
    early: float
    """The mean grade of the first half, and of the second. Pools are judged from the best documents down, so that it
    falls; who grew stricter or more tired shows in the two that follow."""
    late: float
    early_agreement: float
    """The share of the first half, and of the second, on which the others who graded the same pair say the same."""
    late_agreement: float


@dataclass(frozen=True)
class AssessorPace:
    """How much somebody has judged and how fast, from counts that are kept: a page with many assessors asks for it."""

    who: str
    judged: int
    cannot_tell: int
    seconds: float
    """The median of the last hundred judgments; NaN if no time is known."""


def assessor_pace(book: JudgmentBook, who: str) -> AssessorPace:
    """How far somebody is."""
    return AssessorPace(who, book.count(who), book.unsure(who), _seconds(book, who))


def _seconds(book: JudgmentBook, who: str) -> float:
    times = [each.seconds for each in book.latest(who, RECENT) if not math.isnan(each.seconds)]
    return median(times) if times else math.nan


def assessor_figures(book: JudgmentBook, who: str) -> AssessorFigures:
    """What somebody has judged, how fast, and whether the grades drift."""
    own = book.judgments(who)
    grades = [each.grade for each in own if each.grade is not None]
    half = len(grades) // 2
    return AssessorFigures(
        who,
        len(own),
        len(own) - len(grades),
        _seconds(book, who),
        fmean(grades) if grades else math.nan,
        fmean(grades[:half]) if half else math.nan,
        fmean(grades[half:]) if half else math.nan,
        _agreement(book, [each for each in own if each.grade is not None][:half]),
        _agreement(book, [each for each in own if each.grade is not None][half:] if half else []),
    )


def _agreement(book: JudgmentBook, own: Sequence[PairJudgment]) -> float:
    """How often others give the grade that one person gave; NaN if nobody else graded these pairs."""
    same = [
        other.grade == each.grade
        for each in own
        for who, other in book.people((each.topic, each.document)).items()
        if who != each.who and other.grade is not None
    ]
    return fmean(same) if same else math.nan


def common_qrels(book: JudgmentBook) -> dict[str, Qrels]:
    """{assessor: grades} on the pairs that two people or more have graded."""
    rows: dict[str, list[tuple[str, str, int]]] = {}
    pairs: dict[PairKey, None] = dict.fromkeys(pair for pair, _ in book.outcomes())
    for pair in pairs:
        graded = {who: each.grade for who, each in book.people(pair).items() if each.grade is not None}
        if len(graded) > 1:
            for who, grade in graded.items():
                rows.setdefault(who, []).append((*pair, grade))
    return {who: qrels_of(own, who) for who, own in sorted(rows.items())}


def agreement_of(book: JudgmentBook) -> tuple[JudgeComparison, ...]:
    """Every two assessors who have graded pairs in common, and all together if each two of more than two have."""
    common = common_qrels(book)
    names = list(common)
    keys = {who: {(topic, document) for topic, document, _ in qrels.rows()} for who, qrels in common.items()}
    meet = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if keys[a] & keys[b]]
    if len(names) > 2 and len(meet) == len(names) * (len(names) - 1) // 2:
        return (compare_judges(common, samples=SAMPLES),)
    return tuple(compare_judges({a: common[a], b: common[b]}, samples=SAMPLES) for a, b in meet)
