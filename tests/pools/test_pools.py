"""Pools: which pairs are in them and how likely each was drawn, more runs that join, files, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.cli import main
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.kernel import native
from adjudge.core.run import Run
from adjudge.core.strings import Strings
from adjudge.pools import pair_table
from adjudge.pools.pair_table import PairTable, SlowLoops, first_rows
from adjudge.pools.pool_files import definition_text, open_pool, pool_topics, write_pool
from adjudge.pools.pool_making import join_runs, make_pool
from adjudge.pools.pooled_pairs import Budget, Pool
from recorder import Recorder

RUNS: dict[str, dict[str, dict[str, float]]] = {
    "one": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"x": 2.0, "y": 1.0}},
    "two": {"1": {"b": 3.0, "d": 2.0, "e": 1.0}, "2": {"y": 5.0, "z": 5.0}},
}


def random_runs(count: int = 6, topics: int = 3, depth: int = 40, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        f"run{r}": {
            str(t): {f"d{d}": float(score) for d, score in enumerate(rng.random(depth * 2) - np.arange(depth * 2) / 60)}
            for t in range(topics)
        }
        for r in range(count)
    }


def judged(pool: Pool) -> set[tuple[str, str]]:
    rows = zip(pool.rows(), pool.drawn.tolist(), strict=True)
    return {(topic, document) for (topic, document, _), drawn in rows if drawn}


def test_a_depth_pool_is_the_union_of_the_first_documents() -> None:
    pool = adjudge.pool(RUNS, pooling="depth@2")
    expected = {("1", d) for d in "abd"} | {("2", d) for d in "xyz"}
    assert judged(pool) == expected
    assert pool.to_dict()["1"] == {"a": 1, "b": 1, "d": 2}
    assert set(pool.probabilities) == {1.0}


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_a_depth_pool_by_its_definition(seed: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    runs = {
        f"r{r}": {
            str(t): {f"d{rng.integers(30)}é": float(rng.integers(4)) for _ in range(rng.integers(1, 20))}
            for t in rng.permutation(4)[: rng.integers(1, 5)]
        }
        for r in range(3)
    }
    expected = set()
    for run in runs.values():
        for topic, documents in run.items():
            order = sorted(documents, key=lambda d: (documents[d], d.encode()), reverse=True)
            expected |= {(topic, document) for document in order[:depth]}
    assert judged(adjudge.pool(runs, pooling=f"depth@{depth}")) == expected


def test_the_compiled_loops_do_what_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    if native("pooling") is None:
        pytest.skip("no C compiler when the package was installed")
    runs = list(random_runs().items())
    quick = make_pool(runs, "depth@9")
    monkeypatch.setattr(pair_table, "loops", SlowLoops)
    slow = make_pool(runs, "depth@9")
    assert list(quick.rows()) == list(slow.rows())
    assert quick.list_pairs.tolist() == slow.list_pairs.tolist()


def test_a_table_grows() -> None:
    table, known = PairTable(), dict[tuple[int, str], int]()
    rng = np.random.default_rng(2)
    for _ in range(5):
        topics = rng.integers(0, 50, 3000).astype(np.int32)
        ids = [f"document-{n}" for n in rng.integers(0, 100, 3000)]
        numbers = table.number(Strings.of(ids), topics)
        for topic, id_, number in zip(topics.tolist(), ids, numbers.tolist(), strict=True):
            assert known.setdefault((topic, id_), number) == number
    assert table.pairs == len(known)
    assert sorted(known.values()) == list(range(len(known)))


def test_ranks_are_those_of_judging() -> None:
    run = Run.of_columns(["q"] * 4, ["a", "b", "c", "d"], np.array([1.0, 2.0, 2.0, 0.0]))
    rows, offsets = first_rows(run, 3)
    assert [run.documents[int(row)] for row in rows] == ["c", "b", "a"]
    assert offsets.tolist() == [0, 3]


def test_a_fused_pool_is_what_fusion_ranks_first() -> None:
    runs = random_runs()
    pool = adjudge.pool(runs, pooling="fused@7(depth=20)")
    cut = {
        name: {t: dict(sorted(own.items(), key=lambda i: -i[1])[:20]) for t, own in run.items()}
        for name, run in runs.items()
    }
    expected = {(topic, document) for topic, document, _ in adjudge.fuse(cut, k=7).rows()}
    assert judged(pool) == expected


def test_probabilities_are_shares_of_strata() -> None:
    pool = adjudge.pool(random_runs(), pooling="stratified(depths=[5, 30], shares=[1, 0.2])", seed=3)
    for topic in range(len(pool.topics)):
        rows = slice(int(pool.offsets[topic]), int(pool.offsets[topic + 1]))
        best, strata = pool.numbers[rows], pool.strata[rows]
        assert (strata == np.where(best <= 5, 1, 2)).all()
        for stratum, share in ((1, 1.0), (2, 0.2)):
            own = strata == stratum
            count = max(2, round(share * own.sum()))
            assert pool.drawn[rows][own].sum() == count
            assert set(pool.probabilities[rows][own]) == {count / own.sum()}


def test_every_pair_is_as_likely_as_its_probability_says() -> None:
    runs = random_runs(count=3, topics=1, depth=15)
    seeds = 150
    counts: Any = np.zeros(0)
    for seed in range(seeds):
        pool = adjudge.pool(runs, pooling="uniform@15(share=0.3)", seed=seed)
        counts = pool.drawn + (counts if len(counts) else 0)
    expected = float(pool.probabilities[0])
    error = (expected * (1 - expected) / seeds) ** 0.5
    assert np.abs(counts / seeds - expected).max() < 4.5 * error


def test_more_runs_join() -> None:
    runs = list(random_runs().items())
    whole = make_pool(runs, "depth@10")
    joined = join_runs(make_pool(runs[:3], "depth@10"), runs[3:])
    assert joined == whole
    assert joined.runs == whole.runs
    assert [run.wave for run in joined.definition.runs] == [1, 1, 1, 2, 2, 2]
    for topic in whole.topics:
        one, two = whole.topic_pool(topic), joined.topic_pool(topic)
        assert [[whole.documents[one.first + int(p)] for p in own] for own in one.lists] == [
            [joined.documents[two.first + int(p)] for p in own] for own in two.lists
        ]


def test_a_sample_keeps_its_pairs_when_runs_join_that_bring_nothing_new() -> None:
    runs = list(random_runs(count=3).items())
    before = make_pool(runs, "uniform@10(share=0.3)", seed=5)
    again = join_runs(before, [("copy", runs[0][1])])
    assert judged(before) == judged(again)


@pytest.mark.parametrize("pooling", ["depth@10", "stratified"])
def test_a_pool_is_written_and_read(tmp_path: Path, pooling: str) -> None:
    pool = adjudge.pool(
        random_runs(), tmp_path / "p", pooling=pooling, topics={"0": "solar", "1": "wind", "2": "water"}, budget=40
    )
    again = open_pool(tmp_path / "p")
    assert again == pool
    assert again.definition == pool.definition
    assert again.drawn.tolist() == pool.drawn.tolist()
    assert again.probabilities.tolist() == pool.probabilities.tolist()
    assert again.list_pairs.tolist() == pool.list_pairs.tolist()
    assert [topic.title for topic in pool_topics(tmp_path / "p")] == ["solar", "wind", "water"]
    write_pool(pool, tmp_path / "p")
    assert len(list((tmp_path / "p").glob("pool-*"))) == 1


def test_a_pool_of_nothing_for_a_topic_is_written_and_read(tmp_path: Path) -> None:
    heard = Recorder()
    adjudge.pool(RUNS, tmp_path / "p", topics={"1": "a", "2": "b", "3": "c"}, progress=heard)
    assert "no run has a document for topic 3" in str(heard.notes[0][0])
    assert open_pool(tmp_path / "p").sizes.tolist()[2] == 0


def test_what_is_wrong_with_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no pool here: adjudge pool RUNS"):
        open_pool(tmp_path)
    adjudge.pool(RUNS, tmp_path)
    with pytest.raises(DataError, match="there is a pool"):
        adjudge.pool(RUNS, tmp_path)
    with pytest.raises(ConflictError, match="two runs of the pool are named 'one'"):
        adjudge.pool({"one": RUNS["one"]}, tmp_path, join=True)
    column = next(tmp_path.glob("pool-*")) / "numbers.npy"
    column.write_bytes(column.read_bytes()[:-1] + b"x")
    with pytest.raises(DataError, match=r"numbers\.npy: missing or damaged"):
        open_pool(tmp_path)


def test_a_run_of_other_topics() -> None:
    with pytest.raises(DataError, match=r"one: a run of other topics: it has 2 topics \(1, 2\), the pool topic 7"):
        adjudge.pool(RUNS, topics={"7": "wind"})
    heard = Recorder()
    assert set(adjudge.pool(RUNS, topics={"1": "wind"}, progress=heard).topics) == {"1"}
    assert str(heard.notes[0][0]) == "one: topic 2 is not among the topics, and not pooled"


def test_a_document_that_is_not_in_the_collection() -> None:
    known = dict.fromkeys("abcdxy", "text")
    with pytest.raises(DataError, match="two: document e of topic 1 is not in the collection; 2 of 8 pairs"):
        adjudge.pool(RUNS, documents=known)
    heard = Recorder()
    pool = adjudge.pool(RUNS, documents=known, unknown="drop", progress=heard)
    assert ("1", "e") not in judged(pool)
    assert "2 pooled documents are not in the collection" in str(heard.notes[0][0])
    index = adjudge.index(known)
    with pytest.raises(DataError, match="document e of topic 1"):
        adjudge.pool(RUNS, documents=index)


@pytest.mark.parametrize("spec", ["depth@0", "stratified(depths=[5, 3])", "stratified(shares=[1])", "uniform(share=0)"])
def test_poolings_that_mean_nothing(spec: str) -> None:
    with pytest.raises(SpecError):
        adjudge.pool(RUNS, pooling=spec)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(1, 200))
def test_a_budget_is_shared_out(sizes: list[int], total: int) -> None:
    shares = Budget(total=total).shares(sizes)
    assert sum(shares) == min(total, sum(sizes))
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    wanting = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    if wanting:
        assert max(wanting) - min(wanting) <= 1
        assert max(shares) - min(wanting) <= 1


def test_budgets_that_mean_nothing() -> None:
    with pytest.raises(SpecError, match=r"the budget \(per topic\) must be"):
        Budget(per_topic=0)


@pytest.mark.parametrize("pooling", ["depth@3", "stratified(depths=[2, 5], shares=[1, 0.4])"])
def test_a_pool_made_again_is_the_same_to_the_byte(tmp_path: Path, pooling: str) -> None:
    rng = np.random.default_rng(7)
    for name in "abc":
        lines = [f"{t} Q0 d{d} 0 {rng.random()} {name}" for t in (1, 2, 3) for d in rng.permutation(20)[:8]]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    (tmp_path / "topics.tsv").write_text("1\tone\n2\ttwo\n")
    files = [str(tmp_path / f"{name}.run") for name in "ab"]
    adjudge.pool(files, tmp_path / "p", pooling=pooling, topics=tmp_path / "topics.tsv", seed=3, budget=9)
    adjudge.pool(tmp_path / "c.run", tmp_path / "p", join=True)
    definition = tmp_path / "definition.json"
    definition.write_text(definition_text(open_pool(tmp_path / "p")))
    for source, place in ((definition, "from-file"), (tmp_path / "p", "from-project")):
        adjudge.pool_again(source, tmp_path / place)
        assert open_pool(tmp_path / place).definition == open_pool(tmp_path / "p").definition
        columns = [sorted(next((tmp_path / folder).glob("pool-*")).iterdir()) for folder in ("p", place)]
        assert [path.name for path in columns[0]] == [path.name for path in columns[1]]
        for before, now in zip(*columns, strict=True):
            assert before.read_bytes() == now.read_bytes(), now.name
    assert (tmp_path / "from-project" / "topics.jsonl").read_bytes() == (tmp_path / "p" / "topics.jsonl").read_bytes()
    (tmp_path / "a.run").rename(tmp_path / "moved.run")
    with pytest.raises(DataError, match="run a is not there any more"):
        adjudge.pool_again(definition, tmp_path / "q")
    made = adjudge.pool_again(definition, tmp_path / "q", runs={"a": tmp_path / "moved.run"})
    assert made == open_pool(tmp_path / "p")
    with pytest.raises(DataError, match="not the run that was pooled"):
        adjudge.pool_again(definition, runs={"a": tmp_path / "b.run"})
    (tmp_path / "no.json").write_text("{}")
    assert main(["pool", "again", str(tmp_path / "no.json"), "-o", str(tmp_path / "r")]) == 2
    assert not (tmp_path / "r").exists()


def test_a_collection_that_has_no_pooled_document_is_another(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no pooled document is in the collection, such as x of topic 1"):
        adjudge.pool({"a": {"1": {"x": 1.0}}}, tmp_path / "p", documents={"z": "text"}, unknown="drop")
    assert not (tmp_path / "p" / "pool.json").exists()


def test_gaps_say_when_everything_is_judged() -> None:
    runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "x": 1.0}}}
    told = adjudge.pool_gaps({"1": {"x": 1, "y": 0}}, runs, depths=(2,)).conclusion()
    assert told.startswith("All of the first 2 documents of every run are judged. ")
    told = adjudge.pool_gaps({"1": {"x": 1}}, runs, depths=(1, 2)).conclusion()
    assert told.startswith(
        "Of the documents that b puts first nobody judged 100%, the most of all. Of the first 2 documents"
    )
