"""Topics that are judged whole: the same ones again, after the sample, in a file of their own, and no leak."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.core.errors import DataError, SpecError
from adjudge.judging_desk.desk_serving import open_book
from adjudge.judging_desk.judgment_files import datasheet_text, judgment_lines
from adjudge.judging_desk.turns import Turns
from adjudge.pools.pool_files import open_pool
from adjudge.pools.pooled_pairs import Pool
from adjudge.pools.whole_topics import whole_topics
from recorder import Recorder

STRATIFIED = "stratified(depths=[3, 30], shares=[1, 0.25])"


def random_runs(count: int = 3, topics: int = 8, depth: int = 30, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        f"r{r}": {
            str(t): {f"d{d}": float(-i) for i, d in enumerate(rng.permutation(50)[:depth])} for t in range(topics)
        }
        for r in range(count)
    }


def grade(topic: str, document: str) -> int:
    return int(document[1:]) * (1 + int(topic)) % 5 % 3


def judged(pool: Pool, left: int = 0) -> dict[str, dict[str, int]]:
    """What the queue hands out, judged; but for the last ones."""
    queue = adjudge.JudgingQueue(pool)
    pairs = []
    while (pair := queue.next()) is not None:
        queue.judge(pair.topic, pair.document, grade(pair.topic, pair.document))
        pairs.append(pair)
    found: dict[str, dict[str, int]] = {}
    for pair in pairs[: len(pairs) - left]:
        found.setdefault(pair.topic, {})[pair.document] = grade(pair.topic, pair.document)
    return found


@pytest.mark.parametrize("pooling", ["uniform@30(share=0.2)", STRATIFIED])
@pytest.mark.parametrize(("priority", "budget"), [("", None), ("max_mean", None), ("", 5)])
def test_nothing_leaks_into_the_sample(tmp_path: Path, pooling: str, priority: str, budget: int | None) -> None:
    """The sample is the same to the byte as that of a pool in which no topic is judged whole."""
    settings: Any = {"pooling": pooling, "priority": priority, "topic_budget": budget, "seed": 3}
    plain = adjudge.pool(random_runs(), **settings)
    pool = adjudge.pool(random_runs(), whole_topics=3, **settings)
    adjudge.pool_export(plain, judged(plain), tmp_path / "plain.txt")
    sample = adjudge.pool_export(pool, judged(pool), tmp_path / "sampled.txt", whole=tmp_path / "whole.qrels")
    assert (tmp_path / "sampled.txt").read_bytes() == (tmp_path / "plain.txt").read_bytes()
    whole = adjudge.read_qrels(tmp_path / "whole.qrels")
    assert whole.topics == pool.whole_topics
    assert all(whole.to_dict()[t][d] == grade(t, d) for t, d, _ in whole.rows())
    assert sorted(whole.to_dict()[whole.topics[0]]) == sorted(
        document for topic, document, _ in pool.rows() if topic == whole.topics[0]
    )
    result = adjudge.estimate(tmp_path / "sampled.txt", random_runs(), "ap", whole=tmp_path / "whole.qrels")
    assert (result.whole_topics, result.topics) == (3, 8)
    assert sample == adjudge.read_sampled_qrels(tmp_path / "sampled.txt")


def test_topics_are_drawn_by_seed_and_id_alone() -> None:
    topics = [str(t) for t in range(100)]
    chosen = whole_topics(topics, 10, 1)
    assert len(chosen) == 10
    assert set(whole_topics(topics[::-1], 10, 1)) == set(chosen)
    assert set(chosen) < set(whole_topics(topics, 20, 1))
    assert whole_topics(topics, 10, 2) != chosen
    counts = dict.fromkeys(topics, 0)
    for seed in range(2000):
        for topic in whole_topics(topics, 10, seed):
            counts[topic] += 1
    assert max(abs(count - 200) for count in counts.values()) < 4 * (2000 * 0.1 * 0.9) ** 0.5


def test_runs_that_join_and_pools_made_again_have_the_same_topics(tmp_path: Path) -> None:
    runs = random_runs(4)
    for name, run in runs.items():
        adjudge.write_run(adjudge.read_run(run, name=name), tmp_path / f"{name}.run")
    files = [tmp_path / f"{name}.run" for name in runs]
    first = adjudge.pool(files[:2], tmp_path / "p", pooling=STRATIFIED, whole_topics=3, seed=5)
    joined = adjudge.pool(files[2:], tmp_path / "p", join=True)
    assert joined.whole_topics == first.whole_topics == open_pool(tmp_path / "p").whole_topics
    again = adjudge.pool_again(tmp_path / "p", tmp_path / "again")
    assert again.whole_topics == first.whole_topics
    assert (again.to_judge == joined.to_judge).all()
    assert again.to_polars()["to_judge"].to_list() == again.to_judge.tolist()
    more = adjudge.pool([], tmp_path / "p", join=True, whole_topics=5)
    assert set(more.whole_topics) > set(first.whole_topics)
    assert (more.drawn == joined.drawn).all()


def test_the_sample_of_all_topics_comes_before_the_rest_of_some() -> None:
    pool = adjudge.pool(random_runs(), pooling=STRATIFIED, whole_topics=2)
    assert pool.to_judge.sum() > pool.drawn.sum()
    queue = adjudge.JudgingQueue(pool)
    flags, topics = [], []
    while (pair := queue.next()) is not None:
        flags.append(bool(pool.drawn[pair.number]))
        topics.append(pair.topic)
        queue.judge(pair.topic, pair.document, 1)
    assert flags == sorted(flags, reverse=True)
    assert sum(flags) == pool.drawn.sum()
    assert len(flags) == pool.to_judge.sum() == queue.shares.sum()
    assert set(topics[sum(flags) :]) == set(pool.whole_topics)
    assert all(queue.progress(topic).left == 0 for topic in pool.topics)
    whole = pool.whole_topics[0]
    rest = next(row for row in range(len(pool)) if pool.pair(row).topic == whole and not pool.drawn[row])
    drawn = next(row for row in range(len(pool)) if pool.pair(row).topic == whole and pool.drawn[row])
    for row in (rest, drawn):
        assert queue.take_back(whole, pool.documents[row])
    expected = [pool.documents[row] for row in (drawn, rest)]
    for document in expected:
        assert queue.next(whole) == queue.next()
        assert queue.next(whole).document == document  # type: ignore[union-attr]
        queue.judge(whole, document, 0)
    assert queue.next(whole) is None


def test_pairs_in_hands_and_set_aside_do_not_stop_a_topic() -> None:
    pool = adjudge.pool(random_runs(topics=2), pooling=STRATIFIED, whole_topics=2)
    queue = adjudge.JudgingQueue(pool)
    own = [pool.pair(row) for row in range(len(pool)) if pool.pair(row).topic == "0" and pool.drawn[row]]
    for pair in own[:-2]:
        queue.judge("0", pair.document, 1)
    queue.judge("0", own[-2].document, -1)
    assert queue.next("0") == own[-1]
    other = queue.next("0", busy=[("0", own[-1].document)])
    assert other is not None
    assert not pool.drawn[other.number]
    assert queue.done("0")[0] is False
    queue.judge("0", own[-1].document, -1)
    assert queue.done("0")[0] is True


def test_budgets_are_of_the_sample() -> None:
    pool = adjudge.pool(random_runs(), pooling="uniform@30(share=0.4)", whole_topics=2, topic_budget=4)
    sample, every = pool.shares(pool.definition.budget)
    assert sample.tolist() == [4] * 8
    assert every.sum() == 4 * 6 + sum(int(pool.sizes[pool.position[topic]]) for topic in pool.whole_topics)
    assert sum(map(len, judged(pool).values())) == every.sum()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    pool = adjudge.pool(random_runs(), pooling=STRATIFIED, whole_topics=2, seed=3)
    every = judged(pool)
    target: Any = {"output": tmp_path / "s.txt", "whole": tmp_path / "w.qrels"}
    first, second = pool.whole_topics
    rest = [d for d in every[second] if not pool.drawn[pool.row_of(second, d) or 0]]
    fewer = {**every, second: {d: g for d, g in every[second].items() if d not in rest[:2]}}
    size = len(every[second])
    with pytest.raises(
        DataError, match=rf"^topic {second} is to be judged whole, and 2 of its {size} pairs have no gr"
    ):
        adjudge.pool_export(pool, fewer, **target)
    unsure = {**every, first: {**every[first], rest[0]: -1}, second: {**every[second], rest[0]: -1}}
    if rest[0] in every[first]:
        with pytest.raises(DataError, match=r"1 of its \d+ pairs has no grade \(and 1 more topic\)$"):
            adjudge.pool_export(pool, unsure, **target)
    other = next(topic for topic in pool.topics if topic not in pool.whole_topics)
    unfinished = {**every, other: dict(list(every[other].items())[1:])}
    with pytest.raises(DataError, match=r"^1 pair of the sample is not judged yet: topics that are judged whole"):
        adjudge.pool_export(pool, unfinished, **target)
    assert not list(tmp_path.iterdir())
    adjudge.pool_export(pool, unfinished, as_sample=True, **target)
    heard = Recorder()
    adjudge.pool_export(pool, every, tmp_path / "s.txt", progress=heard)
    assert [note.kind for note, _ in heard.notes] == ["whole_topics_left"]
    heard = Recorder()
    adjudge.pool_export(pool, every, progress=heard, **target)
    assert not heard.notes
    with pytest.raises(SpecError, match="take a file each"):
        adjudge.pool_export(pool, every, tmp_path / "s.txt", whole=tmp_path / "s.txt")
    plain = adjudge.pool(random_runs(), pooling=STRATIFIED)
    with pytest.raises(SpecError, match=r"^no topic of the pool is judged whole: make it with whole_topics"):
        adjudge.pool_export(plain, every, **target)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {"pooling": "depth@10", "whole_topics": 2},
            r"whole topics go with a sample \(uniform or stratified\): depth@10",
        ),
        ({"pooling": STRATIFIED, "whole_topics": 1}, "1 topic judged whole would not do: at least 2 are needed"),
        ({"pooling": STRATIFIED, "whole_topics": 9}, "9 topics cannot be judged whole: there are 8"),
        ({"pooling": STRATIFIED, "whole_topics": -1}, "must be a whole number of at least 0, not -1"),
        ({"pooling": STRATIFIED, "whole_topics": 2.5}, "must be a whole number of at least 0, not 2.5"),
    ],
)
def test_numbers_of_whole_topics_that_mean_nothing(settings: Any, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        adjudge.pool(random_runs(), **settings)


def test_a_topic_without_a_document_is_never_judged_whole() -> None:
    topics = [adjudge.Topic(str(t), "x") for t in range(12)]
    pool = adjudge.pool(random_runs(), pooling=STRATIFIED, whole_topics=8, topics=topics)
    assert set(pool.whole_topics) == {str(t) for t in range(8)}
    sample = adjudge.pool_export(pool, judged(pool))
    assert len(sample.topics) == 8  # as in the file


def test_documents_that_the_collection_lacks_are_looked_for_in_the_whole_pool() -> None:
    """Of topics that are judged whole the others count too, and topics must be alike."""
    runs = random_runs()
    pool = adjudge.pool(runs, pooling=STRATIFIED)
    row = int(np.flatnonzero(~pool.drawn)[0])
    known = {f"d{d}": "" for d in range(50)}
    del known[pool.documents[row]]
    heard = Recorder()
    texts = [adjudge.Document(id_, "x") for id_ in known]
    kept = adjudge.pool(runs, pooling=STRATIFIED, whole_topics=3, documents=texts, unknown="drop", progress=heard)
    assert not kept.probabilities[row]
    assert not kept.to_judge[[d == pool.documents[row] for d in kept.documents]].any()


def test_the_desk_tells_which_topics_are_judged_whole(tmp_path: Path) -> None:
    runs = random_runs(2, topics=4, depth=8)
    pool = adjudge.pool(runs, tmp_path / "p", pooling="uniform@8(share=0.3)", whole_topics=2, documents=None)
    assert "whole" in (tmp_path / "p" / "pool.json").read_text()
    from adjudge.collection.workbench.store.open_store import open_store
    from adjudge.judging_desk.desk_rules import DeskRules
    from adjudge.judging_desk.judgment_book import JudgmentBook

    with open_store(str(tmp_path / "p" / "store.sqlite")) as store:
        book = JudgmentBook(store, pool, DeskRules())
        turns = Turns(book)
        drawn: list[tuple[bool, str]] = []
        while (pair := turns.next("Ada", drawn[-1][1] if drawn else None)) is not None:
            row = pool.row_of(*pair)
            assert row is not None
            drawn.append((bool(pool.drawn[row]), pair[0]))
            book.judge("Ada", pair, 1)
    flags = [flag for flag, _ in drawn]
    assert flags == sorted(flags, reverse=True)
    assert len(flags) == pool.to_judge.sum()
    with open_book(tmp_path / "p") as again:
        sheet, lines = datasheet_text(again, "p"), judgment_lines(again)
    named = ", ".join(pool.whole_topics)
    assert f"2 of 4 topics, drawn at random, are to be judged whole beside the sample: {named};" in sheet
    assert "0 pairs that are to be judged have no judgment" in sheet
    assert lines.count('"whole_topic": true') == sum(
        map(int, pool.sizes[[t in pool.whole_topics for t in pool.topics]])
    )
    assert lines.count('"drawn": true') == pool.drawn.sum()
    adjudge.pool_export(tmp_path / "p", output=tmp_path / "s.txt", whole=tmp_path / "w.qrels")
    assert adjudge.read_qrels(tmp_path / "w.qrels").topics == pool.whole_topics


def test_judgments_that_are_there_are_sampled_with_whole_topics(tmp_path: Path) -> None:
    qrels = {str(t): {f"d{d}": (d * t) % 3 for d in range(20)} for t in range(9)}
    plain = adjudge.qrels_sample(qrels, share=0.3, seed=4)
    sample = adjudge.qrels_sample(qrels, share=0.3, seed=4, whole_topics=3, whole=tmp_path / "w.qrels")
    assert sample == plain
    whole = adjudge.read_qrels(tmp_path / "w.qrels")
    assert len(whole.topics) == 3
    assert all(whole.to_dict()[topic] == qrels[topic] for topic in whole.topics)
    lacking: Any = ({"whole_topics": 3}, {"whole": tmp_path / "x"})
    for settings in lacking:
        with pytest.raises(SpecError, match="take their number"):
            adjudge.qrels_sample(qrels, **settings)
    with pytest.raises(SpecError, match="2 to 9 of 9 topics can be judged whole, not 10"):
        adjudge.qrels_sample(qrels, whole_topics=10, whole=tmp_path / "x")
    with pytest.raises(DataError, match="topic 1 is not judged whole: document d3 has no grade"):
        adjudge.qrels_sample({**qrels, "1": {"d3": -1, "d4": 1}}, whole_topics=9, whole=tmp_path / "x")
