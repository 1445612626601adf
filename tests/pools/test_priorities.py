"""Orders of judging: by hand, against slow definitions, after undos and restarts, with budgets and assessors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.core.errors import SpecError, UnknownNameError
from adjudge.core.qrels import Qrels
from adjudge.pools.judging_queue import JudgingQueue, replay
from adjudge.pools.pool_making import make_pool
from adjudge.pools.pooled_pairs import Budget, Pool
from adjudge.pools.priorities.move_to_front import MoveToFront
from adjudge.pools.priority import priorities
from recorder import Recorder

ALL = [
    *("rank_order", "random_order", "fused_order", "move_to_front", "hedge", "max_mean", "max_mean(rate=0)"),
    "move_to_front(form=original)",
    *("max_mean(credit=all)", "thompson", "thompson(rate=0.5, credit=all)"),
]


def lists(*orders: str, topic: str = "1") -> Pool:
    """A pool of runs whose documents are letters."""
    runs = [(f"r{n}", {topic: {d: float(-p) for p, d in enumerate(order)}}) for n, order in enumerate(orders)]
    return make_pool(runs, "depth@26")


def order_of(pool: Pool, relevant: str, priority: str) -> str:
    qrels = Qrels.of_columns(
        ["1"] * 26,
        list("abcdefghijklmnopqrstuvwxyz"),
        np.array([c in relevant for c in "abcdefghijklmnopqrstuvwxyz"], int),
    )
    return "".join(pool.documents[int(row)] for row in replay(pool, qrels, priority)["1"])


def random_pool(seed: int = 0, topics: int = 4) -> tuple[Pool, Qrels]:
    rng = np.random.default_rng(seed)
    columns: Any = ([], [], [])
    runs: dict[str, Any] = {f"r{r}": {} for r in range(5)}
    for t in range(topics):
        quality = rng.normal(size=40)
        for r, own in enumerate(runs.values()):
            scores = quality * r / 2 + rng.normal(size=40)
            own[str(t)] = {f"d{d}": float(scores[d]) for d in range(40)}
        for d in range(40):
            for column, value in zip(columns, (str(t), f"d{d}", int(quality[d] > 0.8)), strict=True):
                column.append(value)
    return make_pool(list(runs.items()), "depth@20"), Qrels.of_columns(columns[0], columns[1], np.array(columns[2]))


def test_rank_order() -> None:
    assert order_of(lists("abc", "bde", "cbf"), "", "rank_order") == "bcadef"


def test_fused_order() -> None:
    assert order_of(lists("ab", "cb"), "", "fused_order") == "bac"


def test_hedge_by_hand() -> None:
    """The example of its docstring: a and c are as good as each other, and b is better than neither."""
    pool = lists("ab", "cb")
    assert order_of(pool, "", "hedge") == "acb"
    # After a, which is relevant, its run has weight 3.5 and b has (3.5 + 1) · 0.2 = 0.92; c has 0.55.
    assert order_of(pool, "a", "hedge") == "abc"


def test_move_to_front_stays_while_documents_are_relevant() -> None:
    pool = lists("abcdef", "uvwxyz")
    order = order_of(pool, "abcuvw", "move_to_front")
    assert order in {"abcduvwxefyz", "abcduvwxyezf", "uvwxabcdefyz", "uvwxabcdyezf"} or (
        set(order[:4]) in ({*"abcd"}, {*"uvwx"}) and set(order[4:8]) in ({*"abcd"}, {*"uvwx"})
    )


def slow_fronts(pool: Pool, relevant: str) -> str:
    """Move-to-front as Cormack, Palmer and Clarke describe it: queues of documents, and priorities of runs."""
    part = pool.topic_pool("1")
    chance = part.generator()
    ties = chance.random(part.runs)
    queues = [[pool.documents[part.first + int(pair)] for pair in own] for own in part.lists]
    priority, judged = [0] * part.runs, dict[str, bool]()
    while any(queues):
        run = max((r for r in range(part.runs) if queues[r]), key=lambda r: (priority[r], ties[r]))
        document = queues[run].pop(0)
        fresh = document not in judged
        judged[document] = document in relevant
        priority[run] = 0 if judged[document] else priority[run] - 1
        if fresh and not judged[document]:
            ties = chance.random(part.runs)
    return "".join(judged)


@pytest.mark.parametrize("seed", range(25))
def test_the_original_move_to_front(seed: int) -> None:
    rng = np.random.default_rng(seed)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    pool = lists(*("".join(rng.permutation(letters)[: rng.integers(1, 20)]) for _ in range(5)))
    relevant = "".join(rng.permutation(letters)[: rng.integers(0, 14)])
    assert order_of(pool, relevant, "move_to_front(form=original)") == slow_fronts(pool, relevant)


def test_a_run_that_is_through_never_comes_to_the_front_again() -> None:
    topic = lists("ab").topic_pool("1")
    order = MoveToFront(form="original").begin(topic)
    first, last = topic.lists[0].tolist()
    order.learn(last, False)  # while the first is in somebody's hands
    order.learn(first, True)
    assert order.merit(0) == -math.inf


def test_what_is_set_aside_stops_no_run() -> None:
    queue = JudgingQueue(lists("abcd"), "move_to_front(form=original)")
    queue.judge("1", "a", -1)
    for document in "bcd":
        pair = queue.next("1")
        assert pair is not None
        assert pair.document == document
        queue.judge("1", document, 1)
    with pytest.raises(SpecError, match="form must be one of stepwise, original"):
        priorities.parse("move_to_front(form=mine)")


def slow_max_mean(pool: Pool, relevant: set[str], ties: bool) -> list[set[str]]:
    """The documents that may come next at each step, by the definition."""
    part = pool.topic_pool("1")
    own = [[pool.documents[part.first + int(p)] for p in run] for run in part.lists]
    counts = [[0, 0] for _ in own]
    steps = []
    left = {document for run in own for document in run}
    given = iter(order_of(pool, "".join(relevant), "max_mean"))
    while left:
        heads = {r: next(d for d in run if d in left) for r, run in enumerate(own) if set(run) & left}
        means = {r: (1 + counts[r][0]) / (2 + counts[r][1]) for r in heads}
        best = max(means.values())
        steps.append({heads[r] for r in heads if means[r] == best})
        document = next(given)
        assert document in steps[-1]
        chosen = [r for r in heads if document in own[r]]
        top = max(means[r] for r in chosen)
        winners = [r for r in chosen if means[r] == top]
        if len(winners) == 1 or not ties:
            counts[winners[0]][1] += 1
            counts[winners[0]][0] += document in relevant
        left.discard(document)
    return steps


@pytest.mark.parametrize("relevant", ["", "abu", "uvwxyz", "acuw"])
def test_max_mean_takes_the_run_with_the_best_mean(relevant: str) -> None:
    """Lists without a common document, so that it is known which run gave what."""
    slow_max_mean(lists("abcdef", "uvwxyz", "klmnop"), set(relevant), ties=False)


@pytest.mark.parametrize("priority", ALL)
def test_everything_is_judged_once(priority: str) -> None:
    pool, qrels = random_pool()
    for topic, rows in replay(pool, qrels, priority).items():
        part = pool.topic_pool(topic)
        assert sorted(rows.tolist()) == list(range(part.first, part.first + len(part)))


@pytest.mark.parametrize("priority", ALL)
def test_the_queue_gives_what_the_replay_gives_after_a_restart_too(priority: str) -> None:
    pool, qrels = random_pool(1, topics=2)
    grades = qrels.to_dict()
    expected = {topic: [pool.documents[int(r)] for r in rows] for topic, rows in replay(pool, qrels, priority).items()}
    queue = JudgingQueue(pool, priority)
    for place in range(25):
        pair = queue.next("1")
        assert pair is not None
        assert pair.document == expected["1"][place]
        queue.judge("1", pair.document, grades["1"][pair.document])
        if place % 7 == 3:  # a restart: the same judgments again
            anew = JudgingQueue(pool, priority)
            for document, grade in queue.grades("1").items():
                anew.judge("1", document, grade)
            queue = anew
        if place % 7 == 5:  # an undo, and the same decision again
            queue.take_back("1", pair.document)
            again = queue.next("1")
            assert again is not None
            assert again.document == pair.document
            queue.judge("1", pair.document, grades["1"][pair.document])


def test_relevant_documents_come_earlier_than_by_chance() -> None:
    pool, qrels = random_pool(3, topics=8)
    grades = qrels.to_dict()

    def effort(priority: str) -> float:
        places = [
            place
            for topic, rows in replay(pool, qrels, priority).items()
            for place, row in enumerate(rows.tolist())
            if grades[topic][pool.documents[row]]
        ]
        return float(np.mean(places))

    by_chance = effort("random_order")
    for priority in ("move_to_front", "hedge", "max_mean", "thompson"):
        assert effort(priority) < 0.75 * by_chance


def test_budgets_and_topics_that_are_least_done() -> None:
    pool, _ = random_pool(topics=4)
    queue = JudgingQueue(pool, "rank_order", Budget(total=10))
    order = []
    while (pair := queue.next()) is not None:
        order.append(pair.topic)
        queue.judge(pair.topic, pair.document, 0)
    assert len(order) == 10
    assert sorted(order[:4]) == ["0", "1", "2", "3"]
    assert queue.progress("0").left == 0
    assert JudgingQueue(pool, "rank_order", Budget(per_topic=1)).next("0") is not None


def test_pairs_in_the_hands_of_others_are_not_given_again() -> None:
    queue = JudgingQueue(lists("abc", "bcd"), "rank_order", Budget(per_topic=3))
    busy: list[tuple[str, str]] = []
    for _ in range(3):
        pair = queue.next("1", busy)
        assert pair is not None
        busy.append((pair.topic, pair.document))
    assert len(set(busy)) == 3
    assert queue.next("1", busy) is None
    assert queue.next("1", busy[:2]) is not None


def test_what_nobody_can_judge_is_set_aside() -> None:
    queue = JudgingQueue(lists("abc"), "rank_order", Budget(per_topic=2))
    queue.judge("1", "a", -1)
    progress = queue.progress("1")
    assert (progress.judged, progress.set_aside, progress.left) == (0, 1, 2)
    assert queue.next("1").document == "b"  # type: ignore[union-attr]
    queue.judge("1", "a", 1)
    assert queue.progress("1").relevant == 1
    assert not queue.judge("1", "zebra", 1)
    assert not queue.judge("99", "a", 1)
    with pytest.raises(UnknownNameError, match="no topic '9' in the pool"):
        queue.next("9")


def test_next_pairs_as_a_verb() -> None:
    pairs = adjudge.pool_next(lists("abc", "bde"), {"1": {"b": 1}, "2": {"q": 1}}, priority="rank_order", count=2)
    assert [pair.document for pair in pairs] == ["a", "d"]
    assert pairs.to_polars()["topic"].to_list() == ["1", "1"]


def test_that_nothing_is_left_is_said() -> None:
    heard, whole = Recorder(), {"1": dict.fromkeys("abcde", 1)}
    assert not adjudge.pool_next(lists("abc", "bde"), whole, topic="1", progress=heard)
    assert [str(note) for note, _ in heard.notes] == ["topic 1: nothing is left to judge within the budget of the pool"]


@pytest.mark.parametrize(
    "spec", ["max_mean(rate=2)", "thompson(credit=some)", "hedge(beta=1)", "fused_order(constant=-1)"]
)
def test_priorities_that_mean_nothing(spec: str) -> None:
    with pytest.raises(SpecError):
        priorities.parse(spec)
