"""Measures of passages against their definitions written slowly, character by character; reading judgments of spans."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.cli import main
from adjudge.core.errors import AdjudgeError, ConflictError, DataError, SpecError
from adjudge.core.measure import measures
from adjudge.core.span_judgments import SpanMeasure

Judgments = dict[str, dict[str, list[tuple[int, int, int]]]]
Passage = tuple[str, int, int]

places = st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))
judgments = st.dictionaries(
    st.sampled_from(["1", "2"]),
    st.dictionaries(
        st.sampled_from(["a", "b"]),
        st.dictionaries(places, st.integers(0, 2), min_size=1, max_size=4).map(
            lambda spans: [(*place, grade) for place, grade in spans.items()]
        ),
        min_size=1,
    ),
    min_size=1,
)
passages = st.builds("{}:{}-{}".format, st.sampled_from(["a", "b", "c"]), st.integers(0, 3), st.integers(4, 9))
wide = st.builds(lambda d, p: f"{d}:{p[0]}-{p[1]}", st.sampled_from(["a", "b", "c"]), places)
runs = st.dictionaries(
    st.sampled_from(["1", "2", "3"]),
    st.dictionaries(st.one_of(passages, wide), st.integers(0, 5).map(float), min_size=1, max_size=8),
    min_size=1,
)


class Slow:
    """One topic, in plain Python: sets of (document, character)."""

    def __init__(self, judged: dict[str, list[tuple[int, int, int]]], run: dict[str, float], level: int) -> None:
        self.gold = [(d, b, e, g) for d, spans in judged.items() for b, e, g in spans if g >= level]
        order = sorted(run, key=lambda name: (run[name], name), reverse=True)
        self.ranking: list[Passage] = []
        for name in order:
            document, _, span = name.rpartition(":")
            begin, end = map(int, span.split("-"))
            self.ranking.append((document, begin, end))
        self.relevant = {(d, i) for d, b, e, _ in self.gold for i in range(b, e)}

    def read(self, k: int | None = None, chars: int | None = None) -> list[tuple[str, int]]:
        every = [(d, i) for d, b, e in self.ranking[:k] for i in range(b, e)]
        return every[:chars]

    def counts(self, k: int | None, chars: int | None, repeats: bool) -> tuple[int, int, int]:
        read = self.read(k, chars)
        return len(read if repeats else set(read)), len(set(read) & self.relevant), len(self.relevant)

    def p(self, k: int | None = None, chars: int | None = None, repeats: bool = False) -> float:
        retrieved, hits, _ = self.counts(k, chars, repeats)
        return hits / retrieved if retrieved else 0.0

    def recall(self, k: int | None = None, chars: int | None = None) -> float:
        _, hits, relevant = self.counts(k, chars, False)
        return hits / relevant if relevant else 0.0

    def f(self, k: int | None, beta: float) -> float:
        p, r = self.p(k), self.recall(k)
        return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0

    def iou(self, k: int | None = None, repeats: bool = False) -> float:
        retrieved, hits, relevant = self.counts(k, None, repeats)
        return hits / (retrieved + relevant - hits) if relevant else 0.0

    def ap(self, chars: int | None = None) -> float:
        hits, total = 0, 0.0
        for place, character in enumerate(dict.fromkeys(self.read(None, chars)), 1):
            if character in self.relevant:
                hits += 1
                total += hits / place
        return total / len(self.relevant) if self.relevant else 0.0

    def matches(self, iou: float) -> list[tuple[int, int]]:
        """(rank, grade)."""
        free = sorted(self.gold, key=lambda span: (span[1], span[0]))
        rows = []
        for rank, (document, begin, end) in enumerate(self.ranking, 1):
            best, most = None, -1.0
            for span in free:
                if span[0] == document:
                    own, other = set(range(begin, end)), set(range(span[1], span[2]))
                    share = len(own & other) / len(own | other)
                    if own & other and share >= iou and share > most:
                        best, most = span, share
            if best is not None:
                free.remove(best)
                rows.append((rank, best[3]))
        return rows

    def hits(self, iou: float, k: int | None = None) -> list[tuple[int, int]]:
        return [(rank, grade) for rank, grade in self.matches(iou) if k is None or rank <= k]

    def span_ap(self, iou: float) -> float:
        ranks = [rank for rank, _ in self.hits(iou)]
        return sum(i / r for i, r in enumerate(ranks, 1)) / len(self.gold) if self.gold else 0.0

    def span_ndcg(self, iou: float, k: int | None) -> float:
        ideal = sorted((grade for *_, grade in self.gold), reverse=True)[:k]
        best = sum(g / math.log2(r + 1) for r, g in enumerate(ideal, 1))
        return sum(g / math.log2(r + 1) for r, g in self.hits(iou, k)) / best if best else 0.0


DEFINITIONS: dict[str, Callable[[Slow], float]] = {
    "char_p": lambda s: s.p(),
    "char_p@2": lambda s: s.p(2),
    "char_p(chars=7, repeats=true)": lambda s: s.p(None, 7, True),
    "char_recall@3": lambda s: s.recall(3),
    "char_recall(chars=5)": lambda s: s.recall(None, 5),
    "char_f": lambda s: s.f(None, 1.0),
    "char_f@2(beta=2)": lambda s: s.f(2, 2.0),
    "char_iou": lambda s: s.iou(),
    "char_iou@3(repeats=true)": lambda s: s.iou(3, True),
    "char_ap": lambda s: s.ap(),
    "char_ap(chars=9)": lambda s: s.ap(9),
    "span_p@2": lambda s: len(s.hits(0.5, 2)) / 2,
    "span_p@3(iou=0)": lambda s: len(s.hits(0.0, 3)) / 3,
    "span_recall": lambda s: len(s.hits(0.5)) / len(s.gold) if s.gold else 0.0,
    "span_recall@1(iou=0.2)": lambda s: len(s.hits(0.2, 1)) / len(s.gold) if s.gold else 0.0,
    "span_ap": lambda s: s.span_ap(0.5),
    "span_ap(iou=0)": lambda s: s.span_ap(0.0),
    "span_rr(iou=0.1)": lambda s: 1 / s.hits(0.1)[0][0] if s.hits(0.1) else 0.0,
    "span_ndcg": lambda s: s.span_ndcg(0.5, None),
    "span_ndcg@2(iou=0)": lambda s: s.span_ndcg(0.0, 2),
}


@settings(max_examples=40, deadline=None)
@given(judgments, runs, st.integers(1, 2))
def test_every_measure(judged: Judgments, run: dict[str, dict[str, float]], level: int) -> None:
    if not set(judged) & set(run):
        return
    scores = adjudge.measure(judged, {"x": run}, list(DEFINITIONS), level=level)
    for topic in set(judged) & set(run):
        slow = Slow(judged[topic], run[topic], level)
        for spec, definition in DEFINITIONS.items():
            assert scores["x", topic, spec] == pytest.approx(definition(slow), abs=1e-12), spec
            assert -1e-12 <= scores["x", topic, spec] <= 1 + 1e-12


def test_every_measure_of_passages_has_a_definition_here() -> None:
    names = {cls.name for cls in measures.all() if issubclass(cls, SpanMeasure)}
    assert names == {measures.parse(spec).name for spec in DEFINITIONS}


def test_long_documents_are_as_exact() -> None:
    judged = {"1": {"d": [(5_000, 9_000), (70_000, 80_001)]}}
    run = {"1": {"d:0-20000": 3.0, "d:60000-90000": 2.0, "d:8000-61000": 1.0}}
    spans = [(d, b, e, 1) for d, own in judged["1"].items() for b, e in own]
    slow = Slow({"d": [(b, e, g) for _, b, e, g in spans]}, run["1"], 1)
    scores = adjudge.measure(judged, {"x": run}, ["char_ap", "char_f"])
    assert scores["x", "1", "char_ap"] == pytest.approx(slow.ap(), rel=1e-13)
    assert scores["x", "1", "char_f"] == pytest.approx(slow.f(None, 1), rel=1e-13)


def test_how_runs_are_judged() -> None:
    judged = {"1": {"a": [(0, 10)]}, "2": {"a": [(0, 4)]}}
    run = {"1": {"z:0-10": 9.0, "a:0-5": 2.0, "a:5-10": 2.0}, "7": {"a:0-1": 1.0}}
    plain = adjudge.measure(judged, {"x": run}, ["char_recall@1", "span_rr"])
    assert plain.per_topic("x") == {"1": {"char_recall@1": 0.0, "span_rr": 0.5}}
    assert {note.kind for note in plain.notes} == {"topics_unjudged", "topics_missing"}
    assert plain.coverage[0].judged == pytest.approx(2 / 3)
    assert plain.coverage[0].answered == 1
    assert adjudge.measure(judged, {"x": run}, ["char_recall@1"], judged_only=True)["x", "1", "char_recall@1"] == 0.5
    whole = adjudge.measure(judged, {"x": run}, ["char_recall"], complete=True, depth=2)
    assert whole.per_topic("x") == {"1": {"char_recall": 0.5}, "2": {"char_recall": 0.0}}
    nothing = adjudge.measure(judged, {"x": adjudge.Run.empty("x")}, ["char_ap", "span_p@3"], complete=True)
    assert nothing.summary() == {"x": {"char_ap": 0.0, "span_p@3": 0.0}}


def test_passages_of_tables_have_columns_from_and_to(tmp_path: Path) -> None:
    judged = {"1": {"a": [(0, 10)]}}
    columns = {"topic": ["1", "1"], "document": ["a", "a"], "start": [5, 20], "end": [10, 30], "score": [2.0, 1.0]}
    pl.DataFrame(columns).write_csv(tmp_path / "run.csv")
    pl.DataFrame(columns).write_parquet(tmp_path / "run.parquet")
    for run in (tmp_path / "run.csv", tmp_path / "run.parquet", pd.DataFrame(columns)):
        scores = adjudge.measure(judged, run, "char_p@1")
        assert list(scores.values.ravel()) == [1.0]
    (tmp_path / "run.csv").write_text("topic,document,from,to,score\n1,a,x,10,2\n")
    with pytest.raises(DataError, match=r"run\.csv:2: from is not a whole number: '1,a,x,10,2'"):
        adjudge.measure(judged, tmp_path / "run.csv", "char_p@1")


def test_reading_and_writing(tmp_path: Path) -> None:
    meant = adjudge.read_spans({"1": {"a": [(0, 10), (20, 30, 2)]}, "2": {"b": [(5, 6, 0)]}})
    for name in ("spans.txt", "spans.json", "spans.parquet", "spans.txt.gz"):
        adjudge.write_spans(meant, tmp_path / name)
        assert adjudge.read_spans(tmp_path / name) == meant
    frame = pl.DataFrame({"topic": ["1"], "docno": ["a"], "begin": [0], "end": [10]})
    assert (
        adjudge.read_spans(frame)
        == adjudge.read_spans(frame.to_pandas())
        == adjudge.read_spans({"1": {"a": [(0, 10)]}})
    )
    (tmp_path / "spans.tsv").write_text("topic\tdocument\tfrom\tto\tlength\n1\ta\t0\t10\t50\n")
    assert adjudge.read_spans(tmp_path / "spans.tsv").lengths == {"a": 50}
    assert repr(meant) == "SpanQrels(2 topics, 3 spans)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 a 10 10\n", ":1: the span 10-10 of document a has no character: from must be less than to"),
        ("1 a 0 5\n1 a 30 20\n", ":2: the span 30-20 of document a has no character"),
        ("1 a -3 20\n", ":1: the span of document a begins at -3, before its first character"),
        ("1 a 0 60 1 50\n", ":1: the span 0-60 of document a ends beyond the document, which has 50 characters"),
        ("1 a 0 6 1 50\n1 a 7 9 1 51\n", ":2: document a had 50 characters before, now 51"),
        ("1 0 a 1\n", ":1: from is not a whole number"),
        ("1 a 0\n", ":1: a judgment of a span has 4 to 6 columns"),
        ("1 a 0 9 1\n1 a 0 9 2\n", ":2: the span 0-9 of document a was judged 1 before in topic 1, now 2"),
        ("# none\n", ": empty: there is no judgment"),
        ('{"1": {"a": 3}}', ": topic 1 is not of the form"),
        ('{"1": {"a": [[3]]}}', ": a span of document a in topic 1 is [3], not [from, to] or [from, to, grade]"),
        ("topic,document,grade\n1,a,1\n", ": no column from among: topic, document, grade"),
        ("topic,document,from,to\n1,a,9,3\n", ": row 1: the span 9-3 of document a has no character"),
    ],
)
def test_bad_judgments(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "spans").write_text(text)
    with pytest.raises(AdjudgeError) as caught:
        adjudge.read_spans(tmp_path / "spans")
    assert str(caught.value).startswith(f"{tmp_path}/spans{why}")


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ("a", "mine: document a of topic 1 has no span: measures of passages need ids of the form DOCUMENT:FROM-TO"),
        ("a:7-7", "mine: topic 1: the span 7-7 of document a has no character"),
        ("a:40-51", "mine: topic 1: the span 40-51 of document a ends beyond the document, which has 50 characters"),
    ],
)
def test_bad_runs(document: str, why: str) -> None:
    spans = adjudge.read_spans({"1": {"a": [(0, 10)]}}, lengths={"a": 50})
    with pytest.raises(DataError) as caught:
        adjudge.measure(spans, {"mine": {"1": {document: 1.0}}}, "char_p@5")
    assert str(caught.value).startswith(why)


def test_what_does_not_fit() -> None:
    spans, run = adjudge.read_spans({"1": {"a": [(0, 10)]}}), {"1": {"a:0-5": 1.0}}
    with pytest.raises(SpecError, match="char_p needs judgments of spans and ap plain ones"):
        adjudge.measure(spans, run, ["char_p", "ap"])
    with pytest.raises(DataError, match="judgments of spans, where judgments of documents are needed"):
        adjudge.measure(spans, run, "ap")
    with pytest.raises(DataError, match="a measure of passages needs judgments of spans"):
        adjudge.measure(adjudge.read_qrels({"1": {"a": 1}}), run, "char_p")
    with pytest.raises(SpecError, match="collapse makes documents of them"):
        adjudge.measure(spans, run, "char_p", collapse="max")
    with pytest.raises(SpecError, match="needs judgments of spans"):
        measures.parse("span_rr")(adjudge.judge(adjudge.read_run(run), adjudge.read_qrels({"1": {"a": 1}})))
    for spec, why in (("span_rr(iou=2)", "iou must lie between 0 and 1"), ("char_p(chars=0)", "chars must be a whole")):
        with pytest.raises(SpecError, match=why):
            measures.parse(spec)
    with pytest.raises(ConflictError, match="has grades 1 and 2 in topic 1"):
        adjudge.read_spans({"1": {"a": [(0, 1), (0, 1, 2)]}})


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spans.txt").write_text("1 a 0 10\n2 b 5 25 2 60\n")
    for name, lines in {
        "x": "1 Q0 a:0-20 1 1 x\n2 Q0 b:0-30 1 1 x\n",
        "y": "1 Q0 a:0-5 1 1 y\n2 Q0 b:5-30 1 1 y\n",
    }.items():
        Path(f"{name}.run").write_text(lines)
    assert main(["measure", "spans.txt", "x.run", "y.run", "-m", "char_f@5", "-m", "span_ndcg@5", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "system,char_f@5,span_ndcg@5"
    assert main(["compare", "spans.txt", "x.run", "y.run", "-m", "char_recall(chars=10)"]) == 0
    assert main(["guard", "spans.txt", "x.run", "x.run", "-m", "char_f"]) == 0
    Path("y.run").write_text("2 Q0 b:50-61 1 1 y\n")
    capsys.readouterr()
    assert main(["measure", "spans.txt", "y.run", "-m", "char_p"]) == 2
    error: Any = capsys.readouterr().err
    assert error == "y: topic 2: the span 50-61 of document b ends beyond the document, which has 60 characters\n"
