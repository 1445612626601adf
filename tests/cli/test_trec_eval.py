"""``adjudge trec_eval`` byte for byte: trec_eval 10's own expected outputs, and what we do where it fails."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from adjudge.cli import main

PARAMETERS = [
    *("-q", "-miprec_at_recall..10,.20,.25,.75,.50", "-m", "P.5,7,3", "-m", "recall.20,2000"),
    *("-m", "Rprec_mult.5.0,0.2,0.35", "-mutility.2,-1,0,0", "-m", "11pt_avg..25,.5,.75", "-mndcg.1=3,2=9,4=4.5"),
    *("-mndcg_cut.10,20,23.4", "-msuccess.2,5,20"),
]
EXPECTED = [
    ("out.test", [], "qrels.test", "results.test"),
    ("out.comment.test", [], "qrels.comment.test", "results.comment.test"),
    ("out.test", [], "qrels.test.with-comments", "results.test"),
    ("out.test.a", ["-m", "all_trec"], "qrels.test", "results.test"),
    ("out.test.aq", ["-m", "all_trec", "-q"], "qrels.test", "results.test"),
    ("out.test.aqc", ["-m", "all_trec", "-q", "-c"], "qrels.test", "results.trunc"),
    ("out.test.aqcM", ["-m", "all_trec", "-q", "-c", "-M100"], "qrels.test", "results.trunc"),
    ("out.test.aql", ["-m", "all_trec", "-mrelstring.20", "-q", "-l2"], "qrels.rel_level", "results.test"),
    ("out.test.meas_params", PARAMETERS, "qrels.test", "results.test"),
    ("out.test.aqZ", ["-q", "-m", "all_trec", "-Z", "zscores_file"], "qrels.test", "results.test"),
    ("out.test.prefs", ["-m", "all_prefs", "-q", "-R", "prefs"], "prefs.test", "prefs.results.test"),
    ("out.test.prefs", ["-m", "all_prefs", "-q", "-R", "prefs"], "prefs.comment.test", "prefs.results.test"),
    ("out.test.qrels_prefs", ["-m", "all_prefs", "-q", "-R", "qrels_prefs"], "qrels.test", "results.test"),
    ("out.test.qrels_jg", ["-m", "qrels_jg", "-q", "-R", "qrels_jg"], "qrels.123", "results.test"),
]


@pytest.mark.parametrize(("expected", "options", "qrels", "run"), EXPECTED)
def test_expected_output(
    trec_eval_tests: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    expected: str,
    options: list[str],
    qrels: str,
    run: str,
) -> None:
    monkeypatch.chdir(trec_eval_tests)
    assert main(["trec_eval", *options, qrels, run]) == 0
    assert capsys.readouterr().out == (trec_eval_tests / expected).read_text()


QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 x 1\n"
RUN = "1 Q0 b 1 2.0 mine\n1 Q0 a 2 1.0 mine\n2 Q0 a 1 1.0 mine\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["trec_eval", *arguments]) == 0
    return capsys.readouterr().out


def test_a_missing_topic_is_left_out_or_counted(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = out(capsys, "-m", "map", "-m", "num_q", "-m", "gm_map", "qrels", "run")
    assert (
        plain
        == "num_q                 \tall\t2\nmap                   \tall\t0.7500\ngm_map                \tall\t0.7071\n"
    )
    complete = out(capsys, "-c", "-q", "-m", "map", "qrels", "run")
    assert complete.splitlines()[2] == "map                   \t3\t0.0000"
    assert complete.splitlines()[-1] == "map                   \tall\t0.5000"
    nine = out(capsys, "--as", "9", "-c", "-q", "-m", "map", "-m", "num_q", "-m", "num_rel", "qrels", "run")
    assert "\t3\t" not in nine
    assert [line.split("\t")[2] for line in nine.splitlines()[-3:]] == ["3", "2", "0.5000"]


def test_options_in_any_place_and_by_long_name(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = out(capsys, "-q", "-n", "-m", "P.5", "qrels", "run")
    assert expected == "P_5                   \t1\t0.2000\nP_5                   \t2\t0.2000\n"
    assert out(capsys, "qrels", "run", "-qn", "-mP.5") == expected
    assert out(capsys, "--query_eval_wanted", "qrels", "--nosummary", "run", "--measure", "P.5") == expected
    assert out(capsys, "-D", "1.2", "-q", "-n", "-mP.5", "qrels", "run") == expected.splitlines(keepends=True)[1]
    assert out(capsys, "-N", "100", "-m", "utility.0,0,0,1", "qrels", "run") == "utility_0,0,0,1       \tall\t98.5000\n"


def test_standard_input(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert out(capsys, "-m", "map", "qrels", "-") == "map                   \tall\t0.7500\n"


def test_measures_that_only_newer_versions_print(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, old = out(capsys, "-m", "all_trec", "qrels", "run"), out(capsys, "--as=9", "-m", "all_trec", "qrels", "run")
    assert {line.split()[0] for line in new.splitlines()} - {line.split()[0] for line in old.splitlines()} == {
        *("rbp", "rbp_resid", "unj_5", "unj_10", "unj_20")
    }
    extra = out(capsys, *(f"-m{name}" for name in ("yaap", "dcg", "ideal_dcg", "set", "rbp.p=0.5")), "qrels", "run")
    assert "rbp_p=0.5             \tall\t0.3750" in extra


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert "adjudge trec_eval -q -c -M1000 qrels.txt run.txt" in out(capsys, "-h")
    assert main(["trec_eval", "-v"]) == 0
    assert capsys.readouterr().err.startswith("trec_eval version 10.0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels"], "give a file of judgments and a run"),
        (["-x", "qrels", "run"], "option -x not recognized"),
        (["-m", "mapp", "qrels", "run"], "illegal measure 'mapp', did you mean map"),
        (["-m", "P.", "qrels", "run"], "has a point but no parameter"),
        (["-m", "P.5,5", "qrels", "run"], "has a cutoff twice"),
        (["-m", "P.x", "qrels", "run"], "takes numbers, not 'x'"),
        (["-m", "P.-5", "qrels", "run"], "k must be a whole number of documents, 1 or more, not -5"),
        (["-m", "map.5", "qrels", "run"], "takes no parameter"),
        (["-l", "x", "qrels", "run"], "-l takes a whole number"),
        (["-R", "xml", "qrels", "run"], "-R takes qrels or prefs"),
        (["-m", "prefs_simp", "qrels", "run"], "prefs_simp needs -R prefs"),
        (["-m", "map", "-R", "prefs", "qrels", "run"], "map needs -R qrels"),
        (["-Z", "run", "qrels", "run"], "run:1: expected topic, measure, mean and deviation"),
        (["qrels", "nowhere"], "nowhere: no such file"),
        (["-m", "ndcg.1", "qrels", "run"], "gains must be grade, exp or pairs"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["trec_eval", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_nothing_in_common(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "other").write_text("9 Q0 a 1 1 x\n")
    assert main(["trec_eval", "qrels", "other"]) == 2
    assert "no topic in common" in capsys.readouterr().err


def test_two_standards_for_one_value_are_refused(tmp_path: Path) -> None:
    from adjudge.core.errors import ConflictError
    from adjudge.evaluation.trec_evaluation import read_zscores

    path = tmp_path / "z.txt"
    path.write_text("1 map 0.1 0.2\n1 map 0.1 0.2\n")
    assert read_zscores(path) == {("1", "map"): (0.1, 0.2)}
    path.write_text("1 map 0.1 0.2\n1 map 0.5 0.2\n")
    with pytest.raises(ConflictError, match=r"z\.txt:2: map of topic 1 had another standard before"):
        read_zscores(path)


def test_thirty_two_bit_scores(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1.00000002 is more than 1 as a double and the same as a 32-bit float, where the later id then comes first."""
    (files / "run").write_text("1 Q0 a 1 1.00000002 t\n1 Q0 b 2 1 t\n")
    assert out(capsys, "-m", "recip_rank", "qrels", "run").endswith("1.0000\n")
    assert out(capsys, "--as", "9", "-m", "recip_rank", "qrels", "run").endswith("0.5000\n")
