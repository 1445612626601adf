"""``adjudge predict``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.document import Document, InMemory
from adjudge.index.building import build

TEXTS = ["solar power florida", "solar eclipse", "power plant florida florida", "coupon bonds", "treasury bonds"]
TOPICS = "1\tsolar power\n2\teclipse\n3\tflorida plant power\n4\tcoupon\n5\ttreasury bonds bonds\n9\tnobody asks\n"
QRELS = "".join(f"{q} 0 d{q - 1} 1\n" for q in range(1, 6))
FAST = ("--permutations", "200", "--samples", "50")


def run(name: str, ranks: list[int]) -> str:
    return "".join(
        f"{q} Q0 {f'd{q - 1}' if k == rank else f'x{k}'} {k} {100 - k} {name}\n"
        for q, rank in enumerate(ranks, 1)
        for k in range(1, 11)
    )


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build(InMemory(Document(f"d{i}", t) for i, t in enumerate(TEXTS)), tmp_path / "index", analyzer="words|lower")
    texts = {"topics": TOPICS, "qrels": QRELS, "A": run("A", [1, 2, 3, 4, 5]), "B": run("B", [2, 1, 5, 1, 2])}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["predict", "index", "topics", "qrels", *arguments]) == 0
    return capsys.readouterr().out


def test_the_page(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = out(capsys, "A", "B", "-p", "length", "--rows", "2", *FAST)
    lines = page.splitlines()
    assert lines[0].split() == ["predictor", "with", "tau_b", "95%", "p", "corrected"]
    assert lines[1].startswith("length     B")
    assert "1 more correlation: --rows 3 or --format json" in page
    assert "B       A      0.6400" in page
    assert "p from 200 permutations, corrected after Holm for 3 correlations and 1 choice." in page
    assert (
        "No predictor correlates significantly with a system or with the difference of two systems: none of 3" in page
    )
    assert page == out(capsys, "A", "B", "-p", "length", "--rows", "2", *FAST)


def test_json_and_csv(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(out(capsys, "A", "B", "-f", "json", *FAST))
    assert data["questions"] == 5
    assert data["values"]["length"] == {"1": 2, "2": 1, "3": 3, "4": 1, "5": 3}
    assert len(data["correlations"]) == 10 * 3
    assert len(data["choices"]) == 10
    assert {choice["better"] for choice in data["choices"]} == {"B"}
    rows = list(csv.DictReader(io.StringIO(out(capsys, "A", "B", "-f", "csv", *FAST))))
    assert [float(row["tau_b"]) for row in rows] == [row["tau"] for row in data["correlations"]]
    assert list(rows[0]) == ["predictor", "system", "against", "tau_b", "low", "high", "p", "corrected"]


def test_undefined_figures_are_null(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "C").write_text(run("C", [1, 1, 1, 1, 1]))
    arguments = ("C", "-p", "scs", "--permutations", "0", "--samples", "0")
    data = json.loads(out(capsys, *arguments, "-f", "json"))
    assert data["correlations"][0]["tau"] is None
    assert data["correlations"][0]["p"] is None
    assert out(capsys, *arguments, "-f", "csv").splitlines()[1] == "scs,C,,,,,,"
    assert "was tested: p-values need permutations" in out(capsys, *arguments)


def test_forms_of_a_file(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending, sign in ((".md", "| predictor |"), (".tex", "\\toprule"), (".csv", "predictor,system")):
        assert out(capsys, "A", "B", *FAST, "-o", f"out{ending}") == ""
        assert sign in Path(f"out{ending}").read_text("utf-8")


def test_questions_that_are_left_out_are_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "topics").write_text("1\tsolar power\n2\teclipse\n3\tzzz\n5\tbonds\n")
    assert main(["predict", "index", "topics", "qrels", "A", "B", "-p", "ictf,scs", *FAST]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "note: topics: no text for topic 4, skipped",
        "note: topic 3: no value of ictf, scs, skipped for all predictors",
        "note: 200 permutations are few for 6 correlations: no corrected p below 0.06",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index", "topics", "qrels", "A", "-p", "clarity"], "no predictor 'clarity'"),
        (["index", "topics", "qrels", "A", "-p", ","], "no predictor was named"),
        (["nothing", "topics", "qrels", "A"], "nothing: "),
        (["index", "nothing", "qrels", "A"], "nothing: "),
        (["index", "topics", "nothing", "A"], "nothing: "),
        (["index", "topics", "qrels", "nothing"], "nothing: "),
        (["index", "-", "-", "A"], "standard input can be read only once"),
        (["index", "topics", "qrels", "A", "-o", "A"], "A: is an input, and would be overwritten"),
        (["index", "topics", "qrels", "A", "-o", "index/out"], "output must not be inside the index folder"),
        (["index", "topics", "qrels", "A", "--permutations", "-1"], "must be a whole number from 0"),
        (["index", "topics", "qrels", "A", "--interval", "2"], "must lie between 0 and 1"),
        (["index", "topics", "qrels", "A", "--field", "narrative"], "no topic has a narrative"),
        (["index", "other", "qrels", "A"], "other: has no topic that is judged"),
        (["index", "few", "qrels", "A"], "at least 3 questions"),
    ],
)
def test_wrong_input(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    (files / "other").write_text("77\tsolar\n")
    (files / "few").write_text("1\tsolar\n2\teclipse\n")
    assert main(["predict", *arguments]) == 2
    error = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("note: ")]
    assert len(error) == 1
    assert message in error[0]
