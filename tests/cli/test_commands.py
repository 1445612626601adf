"""The commands as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

import adjudge
from adjudge.cli import commands, main, overview
from adjudge.cli.components import explanation
from adjudge.components import registries

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n"
GOOD = "1 Q0 a 1 2.0 good\n1 Q0 b 2 1.0 good\n2 Q0 a 1 1.0 good\n"
POOR = "1 Q0 b 1 2.0 poor\n1 Q0 a 2 1.0 poor\n2 Q0 a 1 1.0 poor\n7 Q0 a 1 1.0 poor\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels": QRELS, "good": GOOD, "poor": POOR}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


BOARD = {"ndcg@10": "ndcg@10", "p@5": "p@5", "rbp(p=0.5)": "RBP(p=.5)", "bpref": "bpref", "map": "MAP"}


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["measure", *arguments]) == 0
    return capsys.readouterr().out


def test_a_table_with_the_best_marked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "qrels", "good", "poor", "-m", "ap,rr", "-m", "num_ret") == (
        "system      ap      rr  num_ret\ngood    1.0000  1.0000        3\npoor    0.7500  0.7500        3\n"
    )


def test_what_is_left_out_is_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "qrels", "poor", "-m", "ap"]) == 0
    assert capsys.readouterr().err == "note: poor: no judgment for topic 7, skipped\n"


def test_per_topic(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "-q", "qrels", "poor", "-m", "ap", "-m", "relstring@3", "--digits", "2").splitlines() == [
        "topic    ap  relstring@3",
        "1      0.50           01",
        "2      1.00            2",
        "all    0.75",
    ]
    both = out(capsys, "-q", "qrels", "good", "poor", "-m", "ap")
    assert both.splitlines()[0].split() == ["system", "topic", "ap"]
    assert len(both.splitlines()) == 7


def test_machine_formats(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["qrels", "good", "poor", "-m", "ap", "-m", "gm_map", "--format"]
    rows = list(csv.DictReader(io.StringIO(out(capsys, *base, "csv"))))
    assert rows[1] == {"system": "poor", "ap": "0.75", "gm_map": rows[1]["gm_map"]}
    assert float(rows[1]["gm_map"]) == pytest.approx(0.5**0.5)
    rows = list(csv.DictReader(io.StringIO(out(capsys, *base, "csv", "--per-topic"))))
    assert rows[-2] == {"system": "poor", "topic": "1", "ap": "0.5", "gm_map": "0.5"}
    data = json.loads(out(capsys, *base, "json", "-q"))
    assert data["figures"]["poor"]["ap"] == 0.75
    assert data["topics"]["poor"]["1"]["ap"] == 0.5
    assert data["measures"]["gm_map"] == {"measure": "ap", "average": "gm(floor=1e-05)"}
    assert data["notes"][1] == "poor: no judgment for topic 7, skipped"
    assert data["notes"][0] == "gm_map: the geometric mean, gm(floor=1e-05): values below the floor are raised to it"
    trec = out(capsys, *base, "trec", "-q")
    assert trec.splitlines()[0] == "runid                 \tall\tgood"
    assert "ap                    \t1\t0.5000\n" in trec
    assert "**1.0000**" in out(capsys, *base, "md")
    assert r"\textbf{1.0000}" in out(capsys, *base, "latex")
    assert r"gm\_map" in out(capsys, *base, "latex")


def test_output_files_are_replaced_whole_or_not_at_all(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = files / "scores.parquet"
    assert out(capsys, "qrels", "good", "-m", "ap", "-q", "-o", "scores.parquet") == ""
    assert pl.read_parquet(target).rows() == [("good", "1", "ap", 1.0), ("good", "2", "ap", 1.0)]
    assert out(capsys, "qrels", "good", "-m", "ap", "-f", "parquet", "-o", "scores.parquet") == ""
    assert pl.read_parquet(target).rows() == [("good", "ap", 1.0)]
    before = target.read_bytes()
    (files / "bad").write_text("1 Q0 a 1 x bad\n")
    assert main(["measure", "qrels", "bad", "-o", "scores.parquet"]) == 2
    assert target.read_bytes() == before
    assert main(["measure", "qrels", "good", "-o", "nowhere/scores.csv"]) == 2
    assert "nowhere/scores.csv: cannot be written: No such file or directory" in capsys.readouterr().err
    assert sorted(p.name for p in files.iterdir()) == ["bad", "good", "poor", "qrels", "scores.parquet"]


def test_runs_with_the_same_tag_go_by_their_paths(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "again").write_text(GOOD)
    data = json.loads(out(capsys, "qrels", "good", "again", "poor", "-f", "json"))
    assert list(data["figures"]) == ["good", "again", "poor"]
    assert main(["measure", "qrels", "good", "good"]) == 2
    assert "two runs are named 'good'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels"], "the following arguments are required: run"),
        (["qrels", "good", "-m", "app"], "no measure 'app', did you mean ap"),
        (["qrels", "good", "-m", ","], "no measure was named"),
        (["qrels", "good", "-f", "xml"], "invalid choice: 'xml'"),
        (["qrels", "good", "-f", "parquet"], "give --output FILE"),
        (["-", "-"], "standard input can be read only once"),
        (["qrels", "nowhere"], "nowhere: no such file"),
        ([".", "good"], ".: a folder, not a file"),
        (["qrels", "good", "-M", "0"], "depth must be at least 1"),
        (["qrels", "good", "--nonsense"], "unrecognized arguments: --nonsense"),
        (
            ["qrels", "qrels"],
            "qrels:1: a run has at least 6 columns (topic Q0 document rank score tag), this line has 4",
        ),
        (["good", "good"], "good:1: a qrels has 4 columns (topic iteration document grade), this line has 6"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["measure", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_measures_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures"]) == 0
    listing = capsys.readouterr().out
    for name in ("ap[@k]", "ndcg[@k]", "p@k", "bpref", "err[@k]", "relstring[@k]"):
        assert f"\n{name} " in "\n" + listing
    assert main(["measures", "ndcg"]) == 0
    text = capsys.readouterr().out
    for part in (
        "ndcg[@k]: Normalised",
        "Formula:",
        "Paper:",
        "Example:",
        "gains=grade",
        "In trec_eval: ndcg, ndcg_cut_k",
    ):
        assert part in text
    assert main(["measures", "map_cut_10"]) == 0
    assert capsys.readouterr().out.startswith("ap[@k]: Average precision")
    assert main(["measures", "MRR"]) == 0
    assert "Also known as: MRR" in capsys.readouterr().out
    assert main(["measures", "ndgc"]) == 2


def test_measures_explains_every_component(capsys: pytest.CaptureFixture[str]) -> None:
    for registry in registries():
        for name in registry.names:
            assert explanation(name).count(registry.get(name).summary()) == 1, (registry.kind, name)
    for name, beginning in (("gruut", "gruut: "), ("adjective_noun", "adjective_noun: "), ("jsonl", "jsonl: JSON")):
        assert main(["measures", name]) == 0
        assert capsys.readouterr().out.startswith(beginning)


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for name in commands():
        with suppress(SystemExit):  # argparse leaves this way
            assert main([name, "--help"]) == 0
        assert f"adjudge {name}" in capsys.readouterr().out
        assert name in overview()


def test_the_entry_point(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert main(["--help"]) == 0
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.endswith(f"adjudge {adjudge.__version__}\n")
    assert main(["mesure"]) == 2
    assert capsys.readouterr().err == "no command 'mesure', did you mean measure or measures?\n"
    done = subprocess.run([sys.executable, "-m", "adjudge", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"adjudge {adjudge.__version__}\n"


def test_a_reader_that_stops_early(files: Path) -> None:
    command = f"{sys.executable} -m adjudge measure qrels good -q -f trec | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert done.stdout.startswith("runid")
    assert done.stderr == ""


def test_the_leaderboard_of_trec_covid(trec_covid: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All 36 runs, five measures, four digits; the figures were made with trec_eval 9."""
    runs = sorted(map(str, (trec_covid / "runs").iterdir()))
    arguments = ["-m", "ndcg@10,p@5,rbp(p=0.5),bpref,map", "-c", "--as", "9", "-f", "csv"]
    figures = csv.DictReader(io.StringIO(out(capsys, str(trec_covid / "qrels.covid-round1.txt"), *runs, *arguments)))
    with (trec_covid / "leaderboard.csv").open() as file:
        board = {row["run"]: row for row in csv.DictReader(file)}
    compared = 0
    for row in figures:
        for ours, theirs in BOARD.items():
            assert f"{float(row[ours]):.4f}" == board[row["system"]][theirs], (row["system"], ours)
            compared += 1
    assert compared == 36 * 5


def test_inputs_are_never_overwritten(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "qrels", "good", "-o", "qrels"]) == 2
    assert capsys.readouterr().err == "qrels: is an input, and would be overwritten\n"
    assert (files / "qrels").read_text() == QRELS


def test_the_ending_of_the_output_tells_the_format(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "qrels", "good", "-m", "ap", "-o", "s.json")
    assert json.loads((files / "s.json").read_text())["figures"] == {"good": {"ap": 1.0}}
    out(capsys, "qrels", "good", "-m", "ap", "-o", "s.csv")
    assert (files / "s.csv").read_text() == "system,ap\ngood,1.0\n"
    out(capsys, "qrels", "good", "-m", "ap", "-o", "s.txt")
    assert (files / "s.txt").read_text().startswith("system")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["measure", "qrels", "good", "--digits", "-5"], "--digits: must be a whole number from 0 to 17, not '-5'"),
        (["measure", "qrels", "good", "-M", "99999999999999999999"], "depth must be at least 1"),
        (["measure", "qrels", "good", "-m", "judged@99999999999999999999"], "k must be a whole number of documents"),
        (["measure", "qrels", "good", "-m", "relstring@1000000000000"], "k must be a whole number of documents"),
        (["measure", "qrels", "good", "-m", "rprec(multiple=inf)"], "multiple must be above 0"),
        (["measure", "qrels", "good", "-m", "set_f(x=inf)"], "x must be 0 or more"),
        (["measure", "qrels", "good", "-m", "ndcg(gains=[1:nan])"], "gains must be grade, exp or pairs"),
        (["measure", "qrels", "good", "-m", "relstring", "-o", "x.parquet", "-q"], "relstring is text"),
        (["trec_eval", "-m", "P.nan", "qrels", "good"], "P takes numbers, not 'nan'"),
        (["trec_eval", "-m", "P.inf", "qrels", "good"], "P takes numbers, not 'inf'"),
        (["trec_eval", "-M", "99999999999999999999", "qrels", "good"], "-M takes a whole number"),
    ],
)
def test_more_mistakes(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.slow
def test_what_cannot_be_read_is_no_error_of_output(files: Path) -> None:
    command = [sys.executable, "-m", "adjudge"]
    for words in (["measure", "qrels", "-"], ["index", "-", "-o", "idx"]):
        piped = subprocess.run(
            ["sh", "-c", '"$@" </proc/self/mem', "sh", *command, *words], capture_output=True, text=True, check=False
        )
        assert (piped.returncode, piped.stderr) == (2, "stdin: cannot be read: Input/output error\n"), words
    for words in (["measure", "qrels", "/proc/self/mem"], ["index", "/proc/self/mem", "-o", "idx"]):
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr == "/proc/self/mem: cannot be read: Input/output error\n", words
    assert not (files / "idx").exists()


@pytest.mark.slow
def test_closed_and_full_streams(files: Path) -> None:
    adjudge_command = f"{sys.executable} -m adjudge measure"
    for command, message in {
        f"{adjudge_command} qrels good >/dev/full": "output cannot be written: No space left on device",
        f"{adjudge_command} qrels good >&-": "",
        f"{adjudge_command} qrels - <&-": "stdin: ",
        f"{adjudge_command} qrels - </dev/null": "stdin: empty",
        f"PYTHONIOENCODING=ascii {sys.executable} -m adjudge measures rr": "",
    }.items():
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr, command
        assert message in done.stderr, command
        assert done.returncode == (0 if "measures" in command else 2), (command, done)


def test_extreme_grades(capsys: pytest.CaptureFixture[str]) -> None:
    scores = adjudge.measure({"1": {"a": 60, "b": 1}}, {"x": {"1": {"a": 2.0, "b": 1.0}}}, ["err", "ndcg", "rbp"])
    assert scores["x", "1", "err"] == pytest.approx(1.0)
    assert scores["x", "1", "ndcg"] == 1.0
    with pytest.raises(adjudge.DataError, match="exponential gains are for grades up to 1000, not 1100"):
        adjudge.measure({"1": {"a": 1100}}, {"x": {"1": {"a": 2.0}}}, "ndcg(gains=exp)")
    many = {str(t): {f"d{i}": t * 1000 + i for i in range(50)} for t in range(200)}
    run = {str(t): {"d1": 1.0} for t in range(200)}
    assert adjudge.measure(many, {"x": run}, ["num_rel", "ndcg"]).summary()["x"]["num_rel"] == 200 * 50 - 1


@pytest.mark.slow
@pytest.mark.parametrize("words", [["measure"], ["run"], ["noise"], ["collect", "serve"], ["index"]])
def test_garbage_is_collected_while_a_command_works(words: list[str]) -> None:
    module = "adjudge.cli." + "__".join(words)
    code = (
        f"import gc, sys, {module} as command, adjudge.cli\n"
        "command.main = lambda given: print(gc.isenabled(), gc.get_freeze_count() > 0) or 0\n"
        f"sys.argv = ['adjudge', *{words!r}]\n"
        "sys.exit(adjudge.cli.main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"
