"""Measures of diversity and novelty against ndeval's definitions written slowly, and reading subtopic judgments."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.measure import measures
from adjudge.core.subtopics import SubtopicMeasure, SubtopicQrels

Judgments = dict[str, dict[str, dict[str, int]]]
Covers = list[set[str]]
"""A ranking: the subtopics that each document is relevant for."""

documents = st.sampled_from([f"d{i}" for i in range(8)])
subtopic_qrels = st.dictionaries(
    st.sampled_from(["1", "2"]),
    st.dictionaries(
        st.sampled_from(["a", "b", "c", "d"]),
        st.dictionaries(documents, st.integers(-1, 3), min_size=1, max_size=6),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
)
runs = st.dictionaries(
    st.sampled_from(["1", "2", "3"]), st.dictionaries(documents, st.integers(0, 5).map(float), min_size=1), min_size=1
)


class Slow:
    """One topic, in plain Python."""

    def __init__(self, judged: dict[str, dict[str, int]], run: dict[str, float], level: int, judged_only: bool) -> None:
        self.grades: dict[str, dict[str, int]] = {}
        for subtopic, grades in judged.items():
            for document, grade in grades.items():
                if grade >= 0:
                    self.grades.setdefault(document, {})[subtopic] = grade
        self.level = level
        order = sorted(run, key=lambda d: (run[d], d), reverse=True)
        self.order = [d for d in order if not judged_only or d in self.grades]
        self.subtopics = sorted({s for grades in self.grades.values() for s, g in grades.items() if g >= level})

    def covers(self, document: str) -> set[str]:
        return {s for s, grade in self.grades.get(document, {}).items() if grade >= self.level}

    @property
    def ranking(self) -> Covers:
        return [self.covers(d) for d in self.order]

    def ideal(self, alpha: float) -> Covers:
        """ndeval's: the document that gains most comes next, among equals the last in byte order."""
        left, worth, chosen = sorted(self.grades), dict.fromkeys(self.subtopics, 1.0), []
        while left:
            best = max(left, key=lambda d: (sum(worth[s] for s in self.subtopics if s in self.covers(d)), d))
            left.remove(best)
            chosen.append(self.covers(best))
            for s in self.covers(best):
                worth[s] *= 1 - alpha
        return chosen

    def novelty(self, ranking: Covers, alpha: float, k: int, discount: Callable[[int], float]) -> float:
        total, worth = 0.0, dict.fromkeys(self.subtopics, 1.0)
        for r, covered in enumerate(ranking[:k], 1):
            for s in covered:
                total += worth[s] * discount(r)
                worth[s] *= 1 - alpha
        return total

    def share(self, k: int, alpha: float, discount: Callable[[int], float]) -> float:
        best = self.novelty([set(self.subtopics)] * k, alpha, k, discount)
        return self.novelty(self.ranking, alpha, k, discount) / best if best else 0.0

    def normalised(self, k: int, alpha: float, discount: Callable[[int], float]) -> float:
        best = self.novelty(self.ideal(alpha), alpha, k, discount)
        return self.novelty(self.ranking, alpha, k, discount) / best if best else 0.0

    def nrbp(self, alpha: float, beta: float) -> float:
        total = self.novelty(self.ranking, alpha, 10**9, lambda r: beta ** (r - 1))
        return total * (1 - (1 - alpha) * beta) / len(self.subtopics) if self.subtopics else 0.0

    def p_ia(self, k: int) -> float:
        return sum(map(len, self.ranking[:k])) / k / len(self.subtopics) if self.subtopics else 0.0

    def ap_ia(self) -> float:
        values = []
        for s in self.subtopics:
            ranks = [r for r, covered in enumerate(self.ranking, 1) if s in covered]
            everything = sum(s in self.covers(d) for d in self.grades)
            values.append(sum(i / r for i, r in enumerate(ranks, 1)) / everything)
        return sum(values) / len(values) if values else 0.0

    def st_recall(self, k: int) -> float:
        return len(set().union(*self.ranking[:k])) / len(self.subtopics) if self.subtopics else 0.0

    def d_sharp_ndcg(self, k: int, gamma: float) -> float:
        def gain(document: str) -> float:
            of = (grade for grade in self.grades.get(document, {}).values() if grade >= self.level)
            return sum(of) / len(self.subtopics)

        if not self.subtopics:
            return 0.0
        best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(map(gain, self.grades), reverse=True)[:k], 1))
        own = sum(gain(d) / math.log2(r + 1) for r, d in enumerate(self.order[:k], 1))
        return gamma * self.st_recall(k) + (1 - gamma) * (own / best if best else 0.0)


def log_discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


DEFINITIONS: dict[str, Callable[[Slow], float]] = {
    "alpha_dcg@3": lambda s: s.share(3, 0.5, log_discount),
    "alpha_dcg@5(alpha=0.3)": lambda s: s.share(5, 0.3, log_discount),
    "alpha_ndcg@3": lambda s: s.normalised(3, 0.5, log_discount),
    "alpha_ndcg@20(alpha=1)": lambda s: s.normalised(20, 1.0, log_discount),
    "err_ia@1": lambda s: s.share(1, 0.5, lambda r: 1 / r),
    "err_ia@4": lambda s: s.share(4, 0.5, lambda r: 1 / r),
    "nerr_ia@4": lambda s: s.normalised(4, 0.5, lambda r: 1 / r),
    "nrbp": lambda s: s.nrbp(0.5, 0.5),
    "nrbp(alpha=0.1, beta=0.8)": lambda s: s.nrbp(0.1, 0.8),
    "nnrbp": lambda s: s.normalised(10**9, 0.5, lambda r: 0.5 ** (r - 1)),
    "nnrbp(beta=0.995)": lambda s: s.normalised(10**9, 0.5, lambda r: 0.995 ** (r - 1)),
    "p_ia@3": lambda s: s.p_ia(3),
    "ap_ia": lambda s: s.ap_ia(),
    "st_recall": lambda s: s.st_recall(10**9),
    "st_recall@2": lambda s: s.st_recall(2),
    "d_sharp_ndcg@3": lambda s: s.d_sharp_ndcg(3, 0.5),
    "d_sharp_ndcg@3(gamma=0.2)": lambda s: s.d_sharp_ndcg(3, 0.2),
}


def has_judgment(judged: Judgments) -> bool:
    return any(g >= 0 for of_topic in judged.values() for grades in of_topic.values() for g in grades.values())


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(subtopic_qrels, runs, st.integers(1, 2), st.booleans())
def test_every_measure(judged: Judgments, run: dict[str, dict[str, float]], level: int, judged_only: bool) -> None:
    kept = [t for t in judged if has_judgment({t: judged[t]})]
    if not set(kept) & set(run):
        return
    scores = adjudge.measure(judged, {"x": run}, list(DEFINITIONS), level=level, judged_only=judged_only)
    assert set(scores.topics) == set(kept) & set(run)
    more = "judged_only=true" if judged_only else f"rel={level}"
    asked = {spec: f"{spec[:-1]}, {more})" if spec.endswith(")") else f"{spec}({more})" for spec in DEFINITIONS}
    again = adjudge.measure(judged, {"x": run}, list(asked.values()), level=level)
    for topic in scores.topics:
        slow = Slow(judged[topic], run[topic], level, judged_only)
        for spec, definition in DEFINITIONS.items():
            assert scores["x", topic, spec] == pytest.approx(definition(slow), rel=1e-12, abs=1e-12), (spec, topic)
            assert again["x", topic, asked[spec]] == scores["x", topic, spec]
            assert -1e-12 <= scores["x", topic, spec] <= 1 + 1e-12 or "ndcg" in spec or spec.startswith("nn"), spec


def test_every_measure_of_the_registry_has_a_slow_definition() -> None:
    covered = {measures.parse(spec).name for spec in DEFINITIONS}
    assert covered == {cls.name for cls in measures.all() if issubclass(cls, SubtopicMeasure)}


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(documents, st.integers(0, 1), min_size=2), st.dictionaries(documents, st.floats(0, 9), min_size=1)
)
def test_one_subtopic_gives_the_plain_measure(grades: dict[str, int], run: dict[str, float]) -> None:
    pairs = {
        "ap_ia": "ap",
        "p_ia@3": "p@3",
        "st_recall@3": "success@3",
        "alpha_ndcg@3(alpha=0)": "ndcg@3",
        "d_sharp_ndcg@3(gamma=0)": "ndcg@3",
        "nrbp(alpha=0, beta=0.7)": "rbp(p=0.7, rel=1)",
        "nerr_ia@3": "nerr@3(top=1)",
    }
    diverse = adjudge.measure({"q": {"only": grades}}, {"x": {"q": run}}, list(pairs)).mean()["x"]
    plain = adjudge.measure({"q": grades}, {"x": {"q": run}}, list(pairs.values())).mean()["x"]
    for one, other in pairs.items():
        assert diverse[one] == pytest.approx(plain[other], rel=1e-12, abs=1e-12), one


LINES = "1 1 a 1\n1 2 a 0\n1 2 b 2\n1 3 c -1\n2 1 a 1\n"
JUDGED = {"1": {"1": {"a": 1}, "2": {"a": 0, "b": 2}, "3": {"c": -1}}, "2": {"1": {"a": 1}}}


@pytest.mark.parametrize("ending", ["txt", "txt.gz", "json", "parquet"])
def test_judgments_are_written_and_read_back(tmp_path: Path, ending: str) -> None:
    judgments = adjudge.read_subtopics(JUDGED)
    path = tmp_path / f"qrels.{ending}"
    adjudge.write_subtopics(judgments, path)
    assert adjudge.read_subtopics(path) == judgments
    assert repr(judgments) == "SubtopicQrels(2 topics, 3 subtopics, 4 rows)"
    assert judgments.union.to_dict() == {"1": {"a": 1, "b": 2}, "2": {"a": 1}}


def test_judgments_from_lines_and_frames(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    path = tmp_path / "qrels.txt"
    path.write_text(LINES)
    judgments = adjudge.read_subtopics(str(path))
    assert judgments == adjudge.read_subtopics(JUDGED)
    columns = dict(zip(("topic", "subtopic", "document", "grade"), zip(*judgments.rows(), strict=True), strict=True))
    frame = polars.DataFrame({name: list(column) for name, column in columns.items()})
    assert adjudge.read_subtopics(frame) == judgments
    frame.write_csv(tmp_path / "qrels.csv")
    assert adjudge.read_subtopics(tmp_path / "qrels.csv") == judgments


def lines(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_the_wrong_kind_of_judgments_is_refused_in_one_line(tmp_path: Path) -> None:
    run = {"1": {"a": 1.0}}
    plain, diverse = lines(tmp_path / "plain", "1 0 a 1\n1 0 b 0\n"), lines(tmp_path / "diverse", LINES)
    with pytest.raises(DataError, match="plain judgments, column 2 is 0 throughout: a measure of diversity needs subt"):
        adjudge.measure(plain, run, "alpha_ndcg@5")
    rounds = "".join(f"{n % 5} {n % 3 / 2} d{n} 1\n" for n in range(120))
    with pytest.raises(DataError, match="rounds: no document is judged for two subtopics, so column 2 does not look"):
        adjudge.measure(lines(tmp_path / "rounds", rounds), run, "alpha_ndcg@5")
    header = lines(tmp_path / "header", "topic subtopic document grade\n".replace(" ", ",") + rounds.replace(" ", ","))
    assert len(adjudge.read_subtopics(header)) == 120
    with pytest.raises(DataError, match=r"diverse:2: a document judged for 1 and 2 in column 2: subtopic judgments"):
        adjudge.measure(diverse, run, "ap")
    with pytest.raises(DataError, match="plain judgments"):
        adjudge.measure(adjudge.read_qrels(plain), run, "alpha_ndcg@5")
    with pytest.raises(DataError, match="is not of the form"):
        adjudge.measure({"1": {"a": 1}}, run, "alpha_ndcg@5")
    with pytest.raises(DataError, match="subtopic judgments, where plain ones are needed"):
        adjudge.measure(adjudge.read_subtopics(diverse), run, "ap")
    with pytest.raises(SpecError, match="alpha_ndcg@5 needs subtopic judgments and ap plain ones"):
        adjudge.measure(diverse, run, ["ap", "alpha_ndcg@5"])
    with pytest.raises(SpecError, match="needs subtopic judgments"):
        measures.parse("st_recall")(adjudge.judge(adjudge.read_run(run), adjudge.read_qrels(plain)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1 a\n", "has 4 columns"),
        ("1 1 a x\n", "grade is not a whole number"),
        ("# nothing\n", "empty"),
        ("1 1 a -1\n", "there is no judgment"),
        ("1 1 a 1\n1 1 a 2\n", ":2: document a was judged 1 before for subtopic 1 of topic 1, now 2"),
    ],
)
def test_bad_lines(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises((DataError, ConflictError), match=message):
        adjudge.read_subtopics(lines(tmp_path / "q", text))


def test_bad_columns() -> None:
    with pytest.raises(ConflictError, match="has grades 1 and 2 for subtopic s of topic t"):
        SubtopicQrels.of_columns(["t", "t"], ["s", "s"], ["d", "d"], [1, 2])
    with pytest.raises(DataError, match="not of one length"):
        SubtopicQrels.of_columns(["t"], [], ["d"], [1])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alpha_ndcg", "write alpha_ndcg@k"),
        ("alpha_ndcg@0", "k must be"),
        ("alpha_ndcg@5(alpha=2)", "alpha must lie between 0 and 1"),
        ("nrbp(beta=1)", "beta must lie"),
        ("ap_ia(k=3)", "has no parameter 'k'"),
        ("ap_ia(rel=x)", "rel must be a grade"),
    ],
)
def test_bad_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        measures.parse(spec)
