"""adjudge guard: exit codes, forms, GitHub's summary, wrong input."""

from __future__ import annotations

import json
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from adjudge.cli import main


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with as_file(files("adjudge") / "example") as folder:
        for name in ("qrels.txt", "lexical.run", "dense.run", "fused.run"):
            (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("baseline", "run", "code"), [("lexical", "fused", 0), ("fused", "lexical", 1), ("lexical", "dense", 3)]
)
def test_exit_codes(example: Path, baseline: str, run: str, code: int) -> None:
    given = ["guard", "qrels.txt", f"{baseline}.run", f"{run}.run", "-m", "ndcg@10", "--tolerance", "0.01"]
    assert main([*given, "-o", "out.json"]) == code
    data = json.loads((example / "out.json").read_text())
    assert (data["exit_code"], data["verdict"]) == (code, {0: "pass", 1: "fail", 3: "undecided"}[code])
    assert set(data["measures"]["ndcg@10"]["topics"]) == {str(t) for t in range(1, 9)}


def test_the_summary_of_a_job(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guard", "qrels.txt", "fused.run", "le|x<b>=lexical.run", "-m", "ap,rr", "-f", "github"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("## ❌ le|x<b> against fused: FAIL\n\n> [!CAUTION]\n> ")
    assert out.count("<details>") == out.count("</details>") == 2
    rows = [line for line in out.splitlines() if line.startswith("| ")]
    assert any(line.startswith("| ap | FAIL |") for line in rows)


def test_topics_needed_are_printed(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guard", "qrels.txt", "lexical.run", "dense.run", "--tolerance", "5%"]) == 3
    captured = capsys.readouterr()
    assert "about 513 topics would let the run pass (with 80% power)" in captured.out
    assert "dense answers 7 of 8 judged topics" in captured.out


def test_a_run_with_other_topics_gets_no_verdict(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (example / "lexical.run").read_text().splitlines()
    (example / "wrong.run").write_text("".join(f"x{line}\n" for line in lines))
    assert main(["guard", "qrels.txt", "fused.run", "wrong.run"]) == 3
    assert "No verdict: wrong cannot be compared" in capsys.readouterr().out


def test_tables_that_measure_writes_are_baselines(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("old.csv", "old.json", "old.parquet"):
        assert main(["measure", "qrels.txt", "fused.run", "-m", "ap", "--per-topic", "-o", name]) == 0
        assert main(["guard", "qrels.txt", name, "lexical.run", "-f", "csv"]) == 1
    outputs = {line for line in capsys.readouterr().out.splitlines() if line.startswith("ap,")}
    assert len(outputs) == 1
    assert main(["guard", "old.csv", "old.json"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["qrels.txt"], "QRELS, BASELINE and RUN are needed"),
        (["lexical.run", "fused.run"], "judgments are needed to measure a run"),
        (["qrels.txt", "lexical.run", "fused.run", "--tolerance", "much"], "a tolerance is a number"),
        (["qrels.txt", "lexical.run", "fused.run", "--tolerance", "rr=0.1"], "a tolerance for 'rr', which is not"),
        (["qrels.txt", "lexical.run", "fused.run", "--alpha", "0.6"], "alpha lies between 0 and 0.5"),
        (["qrels.txt", "lexical.run", "fused.run", "-m", "app"], "no measure 'app'"),
        (["qrels.txt", "lexical.run", "fused.run", "--test", "z"], "no test 'z'"),
        (["qrels.txt", "lexical.run", "fused.run", "--least-coverage", "2"], "must be a share from 0 to 1"),
        (["qrels.txt", "lexical.run", "nowhere.run"], "nowhere.run: no such file"),
    ],
)
def test_wrong_input(example: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guard", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
