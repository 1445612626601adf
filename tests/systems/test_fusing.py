"""Fusion of runs and of systems, against the formulas written slowly and examples worked by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.core.run import Run
from adjudge.core.strings import Strings, encode
from adjudge.formats.runs import read_run
from adjudge.systems.parts import fusing
from adjudge.systems.parts.fusing import METHODS, fuse, number_ids
from adjudge.systems.parts.version import Aids, Pair, Version
from adjudge.systems.system import System, systems
from recorder import heard

Nested = dict[str, dict[str, float]]

A: Nested = {"q": {"a": 9.0, "b": 5.0, "c": 1.0}}
B: Nested = {"q": {"b": 30.0, "c": 20.0, "d": 10.0}}


def runs(*given: Nested) -> list[Run]:
    return [read_run(one, name=f"r{i}") for i, one in enumerate(given)]


def listed(run: Run) -> dict[str, list[tuple[str, float]]]:
    """Topics with their documents in the order in which the run holds them."""
    made: dict[str, list[tuple[str, float]]] = {topic: [] for topic in run.topics}
    for topic, document, score in run.rows():
        made[topic].append((document, score))
    return made


def by_rank(documents: dict[str, float]) -> list[str]:
    return sorted(documents, key=lambda d: (documents[d], encode(d)), reverse=True)


def slowly(given: list[Nested], method: str, constant: int, k: int) -> dict[str, list[tuple[str, Fraction]]]:
    """The definitions, in exact numbers."""
    made = {}
    for topic in dict.fromkeys(t for run in given for t in run):
        sums: dict[str, Fraction] = {}
        seen: Counter[str] = Counter()
        for run in given:
            own = run.get(topic, {})
            for rank, document in enumerate(by_rank(own), 1):
                if method == "rrf":
                    gets = Fraction(1, constant + rank)
                else:
                    low, high = Fraction(min(own.values())), Fraction(max(own.values()))
                    gets = (Fraction(own[document]) - low) / (high - low) if high > low else Fraction(1)
                sums[document] = sums.get(document, Fraction(0)) + gets
                seen[document] += 1
        if method == "combmnz":
            sums = {document: total * seen[document] for document, total in sums.items()}
        order = sorted(sums, key=lambda d: (sums[d], encode(d)), reverse=True)[:k]
        made[topic] = [(document, sums[document]) for document in order]
    return made


documents = st.sampled_from(["a", "b", "ba", "c", "é", "z9"])
# Quarters, whose differences and quotients by powers of two are exact, so that ties are ties in doubles too.
lists = st.dictionaries(documents, st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1)
given_runs = st.lists(st.dictionaries(st.sampled_from(["1", "2", "3"]), lists, min_size=1), min_size=2, max_size=4)


@pytest.mark.slow
@given(given_runs, st.sampled_from(METHODS), st.sampled_from([0, 1, 60]), st.integers(1, 7))
def test_fusion_is_that_of_the_slow_definition(given: list[Nested], method: str, constant: int, k: int) -> None:
    fused = listed(fuse(runs(*given), method, constant=constant, k=k))
    expected = slowly(given, method, constant, k)
    assert list(fused) == list(expected)
    for topic, rows in expected.items():
        whole = dict(slowly(given, method, constant, 10**6)[topic])
        got = fused[topic]
        assert [score for _, score in got] == pytest.approx([float(score) for _, score in rows])
        assert got == sorted(got, key=lambda row: (row[1], encode(row[0])), reverse=True)
        for document, score in got:  # sums that are equal on paper only may be rounded apart
            assert score == pytest.approx(float(whole[document]))
        assert len({document for document, _ in got}) == len(got)


@given(given_runs, st.sampled_from(METHODS), st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(given: list[Nested], method: str, random: Any) -> None:
    other = list(given)
    random.shuffle(other)
    first, second = listed(fuse(runs(*given), method)), listed(fuse(runs(*other), method))
    assert first == second


def test_reciprocal_ranks_by_hand() -> None:
    fused = listed(fuse(runs(A, B)))
    assert [document for document, _ in fused["q"]] == ["b", "c", "a", "d"]
    assert [score for _, score in fused["q"]] == pytest.approx([1 / 62 + 1 / 61, 1 / 63 + 1 / 62, 1 / 61, 1 / 63])
    assert fuse(runs(A, B)).name == "rrf"


def test_sums_of_scores_by_hand() -> None:
    assert listed(fuse(runs(A, B), "combsum"))["q"] == [("b", 1.5), ("a", 1.0), ("c", 0.5), ("d", 0.0)]
    assert listed(fuse(runs(A, B), "combmnz"))["q"] == [("b", 3.0), ("c", 1.0), ("a", 1.0), ("d", 0.0)]


def test_one_document_and_equal_scores_get_one() -> None:
    alone, level = {"q": {"x": 7.0}}, {"q": {"y": 3.0, "z": 3.0}}
    assert listed(fuse(runs(alone, level), "combsum"))["q"] == [("z", 1.0), ("y", 1.0), ("x", 1.0)]


def test_equal_scores_rank_the_later_id_first() -> None:
    tied, other = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"c": 1.0}}
    assert [d for d, _ in listed(fuse(runs(tied, other), constant=0))["q"]] == ["c", "b", "a"]


def test_the_order_of_rows_in_a_run_does_not_matter() -> None:
    turned = {"q": dict(reversed(A["q"].items()))}
    assert listed(fuse(runs(A, B))) == listed(fuse(runs(turned, B)))


def test_every_topic_of_some_run_is_there_and_lists_are_cut() -> None:
    fused = fuse(runs(A | {"p": {"x": 1.0}}, {"o": {"y": 2.0, "z": 1.0}}), k=1, name="best")
    assert listed(fused) == {"q": [("a", 1 / 61)], "p": [("x", 1 / 61)], "o": [("y", 1 / 61)]}
    assert fused.name == "best"


def test_three_sums_in_another_order_are_a_tie() -> None:
    ranks = {"x": (1, 2, 3), "y": (3, 1, 2), "z": (2, 3, 1)}
    three = [{"q": {d: -float(r[i]) for d, r in ranks.items()}} for i in range(3)]
    fused = listed(fuse(runs(*three)))["q"]
    assert [d for d, _ in fused] == ["z", "y", "x"]
    assert len({score for _, score in fused}) == 1


def test_scores_as_far_apart_as_doubles_can_be() -> None:
    far = {"q": {"a": 1.7e308, "b": 0.0, "c": -1.7e308}}
    near = {"q": {"a": 5e-324, "b": 0.0}}
    assert listed(fuse(runs(far, near), "combsum"))["q"] == [("a", 2.0), ("b", 0.5), ("c", 0.0)]


ids = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5) | st.sampled_from(
    ["a", "a\0", "a\0b", "\0", "ab", "", "\udcff", "x" * fusing.LONGEST, "x" * (fusing.LONGEST - 1)]
)


@given(st.lists(st.lists(ids, min_size=1), min_size=1, max_size=3), st.booleans())
def test_ids_are_numbered_in_the_order_of_their_bytes(columns: list[list[str]], long: bool) -> None:
    if long:
        columns = [*columns, ["y" * (fusing.LONGEST + 1)]]
    numbers, known = number_ids([Strings.of(column) for column in columns])
    expected = sorted({text for column in columns for text in column}, key=encode)
    assert list(known) == expected
    assert [own.tolist() for own in numbers] == [[expected.index(text) for text in column] for column in columns]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"method": "borda"}, "must be rrf, combsum or combmnz, not 'borda'"),
        ({"constant": -1.0}, "constant of fusion must be 0 or more, not -1"),
        ({"constant": float("nan")}, "constant of fusion must be 0 or more"),
        ({"k": 0}, "k must be a whole number of at least 1, not 0"),
    ],
)
def test_wrong_parameters(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        fuse(runs(A, B), **changed)


@pytest.mark.parametrize("count", [0, 1])
def test_one_run_is_not_fused(count: int) -> None:
    with pytest.raises(SpecError, match=f"at least two runs, not {count}"):
        fuse(runs(A)[:count])


# -- the system -------------------------------------------------------------------------------------------------------

TEXTS = ["solar power florida", "solar eclipse", "power plant florida florida", "coupon bonds"]
TOPICS = {"1": "solar florida", "2": "coupon", "3": "zzz of the"}


def version(folder: Path) -> Version:
    return Version("true", InMemory(Document(f"d{i}", text) for i, text in enumerate(TEXTS)), folder)


def test_a_system_of_systems(tmp_path: Path) -> None:
    made = version(tmp_path)
    said: list[str] = []
    fused = systems.parse("fusion(of=[gmu(drop=0), bm25])").run(heard(made, said), TOPICS, k=2)
    members = [systems.parse(spec).run(made, TOPICS) for spec in ("gmu(drop=0)", "bm25")]
    assert listed(fused) == listed(fuse(members, k=2))
    assert fused.name == "fusion(of=[gmu(drop=0), bm25])"
    assert said == [
        "gmu(drop=0): topic 3: no term of the query is indexed: _zzz, zzz_",
        "bm25: topic 3: no term of the query is indexed: zzz",
        "topic 3: no member of the fusion finds a document",
    ]


def test_the_depth_of_the_members_is_not_that_of_the_answer(tmp_path: Path) -> None:
    made = version(tmp_path)
    whole = systems.parse("fusion(of=[lucene, bm25], method=combsum)").run(made, TOPICS)
    first = systems.parse("fusion(of=[lucene, bm25], method=combsum)").run(made, TOPICS, k=1)
    assert listed(first) == {topic: rows[:1] for topic, rows in listed(whole).items()}
    shallow = systems.parse("fusion(of=[lucene, bm25], depth=1)").run(made, TOPICS)
    assert len(listed(shallow)["1"]) <= 2


def test_a_fusion_uses_what_its_members_use() -> None:
    assert systems.parse("fusion(of=[gmu961, bm25])").uses == ()
    assert systems.parse("fusion(of=[gmu961, ETHFR94N])").uses == ("training",)
    both = systems.parse("fusion(of=[anu5con, CLCON, ETHFR94P])").uses
    assert set(both) == {aid for name in ("anu", "clarit", "eth") for aid in systems.get(name).uses}
    assert len(set(both)) == len(both)


class Nosy(System):
    """Answers with the aids that it sees."""

    uses: ClassVar[tuple[str, ...]] = ("training",)

    def __init__(self) -> None:
        self.seen: list[tuple[str, Aids]] = []

    def prepare(self, version: Version, aids: Aids) -> None:
        self.seen.append(("prepare", aids))

    def answer(self, version: Version, topics: Any, aids: Aids, *, k: int = 1000) -> Run:
        self.seen.append(("answer", aids))
        return read_run({topic: {"d0": 1.0} for topic in topics})


def test_a_member_sees_its_own_aids_only(tmp_path: Path) -> None:
    fusion: Any = systems.parse("fusion(of=[anu5con, bm25])")
    one, other = Nosy(), Nosy()
    other.uses = ("aligned",)  # type: ignore[misc]
    fusion.__dict__["members"] = {"one": one, "other": other}
    pair = [Pair("a", "b")]
    fusion.run(version(tmp_path), {"1": "solar"}, Aids(pair, pair, InMemory([])))
    for member, has in ((one, "training"), (other, "aligned")):
        assert [step for step, _ in member.seen] == ["prepare", "answer"]
        for _, aids in member.seen:
            assert [n for n in ("aligned", "training", "outside") if getattr(aids, n) is not None] == [has]


@pytest.mark.parametrize(
    "spec",
    [
        "fusion(of=[gmu961, ETHFR94N])",
        "fusion(of=[gmu, bm25], method=combmnz)",
        "fusion(of=[gmu961, gmu962, lucene], constant=10, depth=50)",
    ],
)
def test_specs_round_trip(spec: str) -> None:
    made = systems.parse(spec)
    assert str(made) == spec
    assert systems.parse(str(made)) == made
    assert hash(systems.parse(str(made))) == hash(made)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fusion", r"incomplete: write fusion\(of=…\)"),
        ("fusion(of=gmu961)", "of must be a list of systems as in"),
        ("fusion(of=[3, 4])", "of must be a list of systems"),
        ("fusion(of=[gmu961])", "of must name two systems or more"),
        ("fusion(of=[gmu961, gmu961])", "of must name each system once"),
        ("fusion(of=[gmu961, gmuu])", "no system 'gmuu', did you mean gmu"),
        ("fusion(of=[gmu, bm25], method=borda)", "method must be one of rrf, combsum, combmnz, not borda"),
        ("fusion(of=[gmu, bm25], constant=-1)", "constant must be 0 or more"),
        ("fusion(of=[gmu, bm25], depth=0)", "depth must be a whole number"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        systems.parse(spec)


def test_a_member_that_cannot_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="training"):
        systems.parse("fusion(of=[ETHFR94N, bm25])").run(version(tmp_path), TOPICS)


def test_a_run_as_large_as_a_track() -> None:
    rng = np.random.default_rng(0)
    large = []
    for _ in range(3):
        topics = [str(t) for t in range(20) for _ in range(500)]
        names = [f"d{d}" for _ in range(20) for d in rng.permutation(5000)[:500].tolist()]
        large.append(Run.of_columns(topics, names, rng.random(len(topics))))
    fused = fuse(large, k=100)
    expected = slowly([run.to_dict() for run in large], "rrf", 60, 100)
    for topic, rows in listed(fused).items():
        assert [d for d, _ in rows][:10] == [d for d, _ in expected[topic]][:10]
        assert [s for _, s in rows] == pytest.approx([float(s) for _, s in expected[topic]])


def test_a_member_that_finds_nothing_leaves_the_others(tmp_path: Path) -> None:
    made = version(tmp_path)
    alone = systems.parse("bm25").run(made, TOPICS)
    fused = systems.parse("fusion(of=[bm25, gmu(drop=100000)])").run(made, TOPICS)
    assert list(fused.documents) == list(alone.documents)
    said: list[str] = []
    assert not len(systems.parse("fusion(of=[bm25, lucene])").run(heard(made, said), {"q": "zzz"}))
    assert said[-1] == "topic q: no member of the fusion finds a document"
