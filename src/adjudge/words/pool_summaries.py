"""What commands on pools, judges and judgments have done, in a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.english import plural, quantity
from .speech import sentence

if TYPE_CHECKING:
    from ..evaluation.judgment_sets import JudgmentConflict, QrelsDifference
    from ..pools.judge_program import JudgeOutcome
    from ..pools.pooled_pairs import Pool


@sentence
def pool_summary(pool: Pool, folder: str) -> str:
    """How large a pool is."""
    chosen = int(pool.to_judge.sum())
    size = f"{quantity(chosen, 'pair')} to judge"
    if chosen < len(pool):
        size += f" of {len(pool):,}"
    if pool.whole_topics:
        size += f", all of {quantity(len(pool.whole_topics), 'topic')}"
    budget = pool.definition.budget
    limits = [
        *([f"{budget.per_topic:,} a topic"] if budget.per_topic else []),
        *([f"{budget.total:,} in all"] if budget.total else []),
    ]
    more = f", no more than {' and '.join(limits)}{' of the sample' * bool(pool.whole_topics)}" if limits else ""
    what = f"{quantity(len(pool.runs), 'run')}, {quantity(len(pool.topics), 'topic')}, {pool.definition.pooling}"
    return f"{folder}: {what}: {size}{more}, in the order {pool.definition.priority}"


@sentence
def judge_summary(outcome: JudgeOutcome) -> str:
    """What came of asking a judge."""
    were = plural(outcome.before, "was", "were")
    before = f", {outcome.before:,} {were} answered before" if outcome.before else ""
    return f"{outcome.path}: {quantity(outcome.answered, 'new answer')} for {quantity(outcome.asked, 'pair')}{before}"


@sentence
def conversion_summary(kind: str, count: int, path: str) -> str:
    """What was written."""
    units = {"run": "row", "qrels": "judgment", "topics": "topic", "documents": "document"}
    return f"{path}: {quantity(count, units[kind])}"


@sentence
def conflict_line(conflict: JudgmentConflict) -> str:
    """Two grades for one document."""
    where = f"{conflict.document} of topic {conflict.topic}"
    return f"{conflict.source}: {where} has grade {conflict.second}, and {conflict.first} before"


@sentence
def conflicts_decided(count: int, rule: str) -> str:
    """How many judgments contradicted each other, and what became of them."""
    return f"{quantity(count, 'conflict')}: the {rule} grade counts"


@sentence
def difference_summary(result: QrelsDifference) -> str:
    """How far two sets of judgments differ."""
    alone = f"{len(result.only_first):,} only in {result.first}, {len(result.only_second):,} only in {result.second}"
    return f"{result.same:,} the same, {len(result.changed):,} with another grade, {alone}"


@sentence
def desk_open(pool: Pool, address: str) -> str:
    """Say where the judging desk is, and how it is stopped."""
    number = int(pool.shares(pool.definition.budget)[1].sum())
    return f"{quantity(number, 'pair')} to judge at {address} (Ctrl+C to stop)"


@sentence
def texts_not_at_hand(source: str, missing: Sequence[tuple[str, str]]) -> str:
    """Documents that can be judged by their ids alone."""
    topic, document = missing[0]
    pairs = quantity(len(missing), "pooled document")
    return f"{source}: {pairs} cannot be shown, the first is {document} of topic {topic}"


@sentence
def desk_export_summary(
    folder: str,
    graded: int,
    judgments: int,
    assessors: int,
    *,
    differing: int = 0,
    set_aside: int = 0,
    unsure: int = 0,
    outside: int = 0,
    bad: int = 0,
    not_trec: str = "",
) -> str:
    """What an export has, and what it lacks."""
    basis = f"{quantity(judgments, 'judgment')} by {quantity(assessors, 'assessor')}"
    parts = [f"{folder}: {quantity(graded, 'pair')} with a grade, from {basis}"]
    if differing:
        parts.append(f"{quantity(differing, 'pair')} without a grade because people differ")
    if set_aside:
        parts.append(f"{quantity(set_aside, 'pair')} of which nobody could tell")
    if unsure:
        parts.append(f"{quantity(unsure, 'pair')} of which an adjudicator could not tell")
    if outside:
        gone = plural(outside, "a pair that is", "pairs that are")
        parts.append(f"{quantity(outside, 'judgment')} of {gone} not in the pool")
    if bad:
        parts.append(f"{quantity(bad, 'event')} that cannot be read")
    if not_trec:
        parts.append(f"{not_trec} cannot stand in a line of TREC, so that judgments are in qrels.json")
    return "; ".join(parts)
