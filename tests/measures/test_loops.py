"""The compiled loops of measures give the values of their definitions to the last bit, small files the same output."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from adjudge.cli import _plain, main
from adjudge.core import measure as core_measure
from adjudge.core.average import averages
from adjudge.core.judging import Judging
from adjudge.core.kernel import native
from adjudge.core.measure import measures
from adjudge.core.scores import Column
from adjudge.evaluation.measuring import measure
from adjudge.evaluation.plain_files import PlainScores, evaluate_plain, scores_of_plain
from adjudge.evaluation.plain_names import (
    CUT,
    CUTOFFS,
    FLOOR,
    OFFICIAL,
    ORDER,
    TREC_CUT,
    TREC_WHOLE,
    WHOLE,
    plain_column,
    plain_columns,
    plain_lines,
)
from adjudge.evaluation.score_columns import DEFAULT
from adjudge.evaluation.trec_evaluation import evaluate
from adjudge.evaluation.trec_lines import SETS, requested_lines
from adjudge.report.score_table import as_text
from adjudge.report.trec_output import trec_text

pytestmark = pytest.mark.skipif(native("measuring") is None, reason="no C compiler when the package was installed")

PARAMETERS = {
    "ap": ["", "@3", "@1000"],
    "iprec": ["@0", "@0.1", "@0.35", "@0.5", "@1"],
    "ndcg": ["", "@1", "@4", "@100"],
    "num_rel_ret": ["", "@2"],
    "p": ["@1", "@5", "@30"],
    "recall": ["@1", "@7", "@1000"],
    "rprec": ["", "(multiple=0.2)", "(multiple=1.6)"],
    "rr": ["", "@2"],
    "success": ["@1", "@10"],
}
WITH_LOOPS = [name for name in measures.names if measures.get(name).compiled is not None]
SPECS = [name + more for name in WITH_LOOPS for more in PARAMETERS.get(name, [""])]
LINES = ["official", "ndcg", "ndcg_cut", "recall", "success", "set_P", "set_recall", "map_cut", "gm_map", "gm_bpref"]
PLAIN = [
    *WHOLE,
    *TREC_WHOLE,
    *(f"{name}@{k}" for name in CUT for k in (1, 3, 1000)),
    *(f"{name}_{k}" for name in TREC_CUT for k in (1, 7, 1000)),
    *("gm_map", "gm_ndcg@10", "gm_P_5", "iprec_at_recall_0.00", "iprec_at_recall_0.30", "gm_iprec_at_recall_1.00"),
]
"""Names of measures that are in the table of plain ones."""


def plain_scores(qrels: str, runs: list[str], specs: list[str], judging: Judging) -> PlainScores:
    columns = plain_columns(specs)
    assert columns is not None
    named = [("tag", runs[0])] if len(runs) == 1 else [(run, run) for run in runs]
    scores = scores_of_plain(qrels, named, columns, level=judging.level, complete=judging.complete)
    assert scores is not None
    return scores


def draw_files(seed: int, folder: Path, *, topics: int = 8) -> tuple[str, str]:
    """Judgments and a run with ties, negative grades, unjudged documents, topics that only one of them has."""
    draw = random.Random(seed)
    judged = [f"t{t}" for t in range(topics)]
    retrieved = [topic for topic in judged if draw.random() < 0.8] + ["z9", "t0" if draw.random() < 0.1 else "a1"]
    draw.shuffle(judged)
    draw.shuffle(retrieved)
    qrels = [
        f"{topic} 0 d{d} {draw.choice([-1, 0, 0, 1, 1, 2, 3])}"
        for topic in judged
        for d in draw.sample(range(40), draw.randrange(1, 25))
    ]
    run = [
        f"{topic} Q0 d{d} 1 {draw.choice([draw.random(), round(draw.random(), 1)])!r} tag"
        for topic in dict.fromkeys(retrieved)
        for d in draw.sample(range(40), draw.randrange(1, 40))
    ]
    (folder / "qrels").write_text("\n".join(qrels) + "\n")
    (folder / "run").write_text("\n".join(run) + draw.choice(["", "\n"]))
    return str(folder / "qrels"), str(folder / "run")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("judging", [Judging(), Judging(level=2, complete=True), Judging(level=-1)], ids=str)
def test_values_figures_and_notes_are_those_of_the_definitions(seed: int, judging: Judging, tmp_path: Path) -> None:
    qrels, run = draw_files(seed, tmp_path)
    specs = PLAIN
    small = plain_scores(qrels, [run], specs, judging)
    scores = measure(qrels, [run], specs, judging=judging)
    assert small.systems == scores.systems
    assert small.topics == scores.topics
    assert [Column(c.name, c.measure, c.average, c.better) for c in small.columns] == list(scores.columns)
    assert [list(small.row(0, t)) for t in range(len(small.topics))] == scores.values[0].tolist()
    assert small.summary() == scores.summary()
    assert small.per_topic("tag") == scores.per_topic("tag")
    assert small.notes == scores.notes
    for form in ("table", "trec", "csv", "json", "md", "latex"):
        assert as_text(small, form, per_topic=True) == as_text(scores, form, per_topic=True)
    lines = plain_lines(LINES)
    assert lines is not None
    trec = evaluate_plain(qrels, run, lines, level=judging.level, complete=judging.complete)
    assert trec is not None
    expected = trec_text(evaluate(qrels, run, LINES, judging), per_topic=True)
    assert trec_text(trec, per_topic=True) == expected


def test_several_runs_of_which_each_lacks_topics(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    qrels, run = draw_files(1, tmp_path / "one")
    _, other = draw_files(2, tmp_path / "two")
    small = plain_scores(qrels, [run, other], ["ap", "num_ret"], Judging())
    scores = measure(qrels, [run, other], ["ap", "num_ret"])
    assert small.systems == scores.systems == (run, other)
    assert as_text(small, "csv", per_topic=True) == as_text(scores, "csv", per_topic=True)
    assert as_text(small, "table") == as_text(scores, "table")


PLAIN_QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
PLAIN_RUN = "1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n2 Q0 c 1 1.0 x\n"


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (PLAIN_QRELS, "# a comment\n" + PLAIN_RUN),
        (PLAIN_QRELS, "1 Q0 a 1 2.0 x\n2 Q0 c 1 1.0 x\n1 Q0 b 2 1.0 x\n"),
        (PLAIN_QRELS, "1 Q0 a 1 2.0 x\n1 Q0 a 2 1.0 x\n"),
        (PLAIN_QRELS, "1 Q0 a 1 nan x\n"),
        (PLAIN_QRELS, "1 Q0 a 1\n"),
        (PLAIN_QRELS, "9 Q0 a 1 1 x\n"),
        (PLAIN_QRELS, '{"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1}}\n'),
        (PLAIN_QRELS + "1 0 a 1\n", PLAIN_RUN),
        (PLAIN_QRELS + "1 0 a 2\n", PLAIN_RUN),
        ("1 0 a 1\n2 0 c 1\n1 0 b 0\n", PLAIN_RUN),
        ("1 1 0 0\n2 3 0 0\n", PLAIN_RUN),
        ("", PLAIN_RUN),
    ],
)
def test_what_is_not_plain_goes_the_way_of_all_others(
    qrels: str, run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qrels").write_text(qrels)
    (tmp_path / "run").write_text(run)
    words = ["measure", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "ap"]
    code = main(words)
    printed = capsys.readouterr()
    monkeypatch.setattr(_plain, "evaluate", lambda _: None)
    assert (main(words), capsys.readouterr()) == (code, printed)


@pytest.mark.parametrize("spec", ["ap(tail=worst)", "p(rel=2)@5", "ndcg(gains=exp)", "rprec(cutoff=3)", "err@20"])
def test_parameters_that_a_loop_does_not_know(spec: str) -> None:
    assert measures.parse(spec).loop() is None


def test_every_loop_belongs_to_a_measure_and_is_compared() -> None:
    assert set(PARAMETERS) <= set(WITH_LOOPS)
    for spec in SPECS:
        assert measures.parse(spec).loop() is not None, spec
    needs_a_number = {name for name in WITH_LOOPS if measures.get(name).compiled and name not in PARAMETERS}
    assert not needs_a_number


@pytest.mark.parametrize("spec", PLAIN)
def test_plain_names_mean_what_the_measures_say(spec: str) -> None:
    """The table is no second definition: column and loop are those of the measure."""
    plain = plain_column(spec)
    assert plain is not None
    column, measure = measures.column(spec)
    assert Column(plain.name, plain.measure, plain.average, plain.better) == column
    assert plain.loop == measure.loop()


NOT_PLAIN = [
    "MAP",
    "p",
    "P",
    "p@0",
    "p@05",
    "p@1.5",
    "ndcg_10",
    "rbp",
    "ap(rel=2)",
    "recall",
    "bpref@5",
    "iprec@0.1",
    "",
]


@pytest.mark.parametrize("spec", NOT_PLAIN)
def test_other_names_are_asked_of_the_measures(spec: str) -> None:
    assert plain_column(spec) is None


def test_plain_lines_are_those_of_trec_eval() -> None:
    for words in (["official"], list(ORDER), ["P.5,100,7", "ndcg_cut.10", "P"], ["official", "P.10"], ["runid"]):
        lines = plain_lines(words)
        assert lines is not None
        expected = requested_lines(words, 10)
        facts = [(x.name, x.label, x.average, x.whole, x.text, x.per_topic) for x in lines]
        assert facts == [(x.name, x.label, x.average, x.whole, x.text, x.per_topic) for x in expected]
        assert [x.loop for x in lines] == [None if x.measure is None else x.measure.loop() for x in expected]
    for word in ("P.5,5", "P.", "map.3", "official.5", "ndcg_cut.1.5", "all_trec", "Map", "iprec_at_recall.0.1"):
        assert plain_lines([word]) is None


def test_what_the_table_has_in_common_with_the_measures() -> None:
    assert CUTOFFS == core_measure.CUTOFFS
    assert averages.parse("gm").floor == FLOOR  # type: ignore[attr-defined]
    assert _plain.DEFAULT == DEFAULT
    assert set(WITH_LOOPS) == {*WHOLE, *CUT, "iprec"}
    assert SETS["official"] == OFFICIAL
