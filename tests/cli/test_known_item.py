"""``adjudge known-item``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli import main

QRELS = "1 0 t 1\n2 0 t 1\n3 0 t 1\n"


def run(name: str, ranks: list[int | None], length: int = 10) -> str:
    lines = [
        f"{q} Q0 {'t' if k == rank else f'd{k}'} {k} {100 - k} {name}\n"
        for q, rank in enumerate(ranks, 1)
        for k in range(1, length + 1)
    ]
    return "".join(lines)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {
        "qrels": QRELS,
        "A": run("A", [1, 2, None]),
        "B": run("B", [2, 3, 5]),
        "short": run("short", [1, 3, None], 5),
        "deep": run("deep", [1, 2, None], 50),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["known-item", *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def test_the_page(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "qrels", "A", "B", "--value", "5", "--samples", "0").splitlines() == [
        "system     MRR  found of 3  mean rank  rank sum  work  value at v/c = 5",
        "A       0.5000           2        1.5         3    13                -3",
        "B       0.3444           3        3.3        10    10                 5",
        "",
        "   by work  1  2",
        "1  A        ·  ×",
        "2  B        ×  ·",
        "",
        "Row against column: > dominates, < is dominated, × crosses, = the same curve.",
        "",
        "first     second  lead changes",
        "A      ×  B       10 to B",
        "",
        "B is worth more than A for all v and c above 0: it finds more for less reading.",
        "",
        "B has the highest value for all v and c above 0.",
        "",
        "Neither system finds at least as many items as the other for every amount of reading; "
        "B has the highest value whatever a hit is worth (v) and reading costs (c).",
    ]


def test_the_page_with_samples(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = out(capsys, "qrels", "A", "B", "--samples", "99", "--value", "5", "--axis", "rank")
    assert "95%" in page
    assert "dominates  is dominated  crosses  same  worth more at 5" in page
    assert "5 to B" in page
    assert "99 samples of the questions, seed 0. A share is a bootstrap probability, not a p-value." in page
    assert page == out(capsys, "qrels", "A", "B", "--samples", "99", "--value", "5", "--axis", "rank", "--seed", "0")
    assert page != out(capsys, "qrels", "A", "B", "--samples", "99", "--value", "5", "--axis", "rank", "--seed", "1")


def test_csv_is_the_main_table(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "qrels", "A", "B", "--value", "5", "--value", "0.5", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["system"] for row in rows] == ["A", "B"]
    assert float(rows[1]["mrr"]) == (1 / 2 + 1 / 3 + 1 / 5) / 3
    assert (rows[0]["work"], rows[0]["value_5"], rows[0]["value_0.5"]) == ("13", "-3.0", "-12.0")
    assert float(rows[0]["mrr_low"]) <= 0.5 <= float(rows[0]["mrr_high"])
    (files / "none").write_text(run("none", [None] * 3))
    text = out(capsys, "qrels", "none", "--samples", "0", "-f", "csv")
    assert next(csv.DictReader(io.StringIO(text)))["mean_rank"] == "", "not defined, and not 0"


def no_constant(word: str) -> Any:
    raise AssertionError(f"{word} is no JSON")


def test_json_has_everything(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "qrels", "A", "B", "--value", "5", "--samples", "200", "-f", "json")
    data = json.loads(text, parse_constant=no_constant)
    assert data["length"] == 10
    assert data["ranks"] == {"A": [1, 2, None], "B": [2, 3, 5]}
    assert data["break_even"][0]["at"] == -3
    assert data["partition"] == [{"low": 0, "high": None, "best": ["B"], "level_at_low": ["B"]}]
    assert [(pair["axis"], pair["relation"]) for pair in data["pairs"]] == [("work", "×"), ("rank", "×")]
    for pair in data["pairs"]:
        shares = [pair[f"share_{what}"] for what in ("dominates", "dominated", "crosses", "same")]
        assert sum(shares) == pytest.approx(1)
        assert 0 <= pair["share_worth_more"]["5"] <= 1
    assert [tuple(p.values())[:5] for p in data["curves"] if p["system"] == "A"] == [
        ("A", 0, 0, 0, 0),
        ("A", 1, 3, 1, 1),
        ("A", 2, 5, 2, 1),
        ("A", 10, 13, 2, 0),
    ]
    late = next(b["late"] for b in data["bands"] if b["system"] == "A" and b["axis"] == "work")
    assert late[-1] is None, "three items may never be found"
    assert data["conclusion"].startswith("Neither system finds at least as many items as the other")


def test_curves_for_plots(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "qrels", "A", "B", "--prior", "--curves", "points.csv")
    rows = list(csv.DictReader(io.StringIO((files / "points.csv").read_text())))
    mine = [(row["round"], row["work"], row["found"], row["hits"]) for row in rows if row["system"] == "A"]
    assert mine == [("0", "0", "0", "0"), ("1", "0", "1", "1"), ("2", "3", "2", "1"), ("10", "13", "2", "0")]
    for row in rows:
        for axis in ("rank", "work"):
            assert 0 <= int(row[f"{axis}_low"]) <= int(row[f"{axis}_high"]) <= 3
    out(capsys, "qrels", "A", "--samples", "0", "--curves", "points.json")
    points = json.loads((files / "points.json").read_text())
    assert points[1] | {"rank_low": None} == points[1]


def test_other_forms_and_many_pairs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    markdown = out(capsys, "qrels", "A", "B", "-f", "md")
    assert "| A | × | B | 10 to B |" in markdown
    latex = out(capsys, "qrels", "A", "B", "-f", "latex")
    assert latex.count(r"\toprule") == 3
    assert "\n% B has the highest value for all v and c above 0.\n" in latex
    (files / "C").write_text(run("C", [4, 4, 4]))
    page = out(capsys, "qrels", "A", "B", "C", "--pairs", "1", "--samples", "0")
    assert "2 more pairs: --pairs 3 or --format json" in page
    assert "A      ×  B" in page
    assert "A      ×  C" not in page
    out(capsys, "qrels", "A", "-o", "page.json", "--samples", "0")
    assert json.loads((files / "page.json").read_text())["systems"][0]["found"] == 2


def test_unequal_lists_are_noted(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["known-item", "qrels", "deep", "short"]) == 0
    printed = capsys.readouterr()
    assert "note: a miss costs from 5 to 50 documents: with unequal lengths dominance does not imply" in printed.err
    assert "but misses do not cost the same in all systems: short has the highest value" in printed.out
    fixed = out(capsys, "qrels", "deep", "short", "--length", "50")
    assert "For every amount of reading deep finds at least as many items as short" in fixed
    assert "so no other system is worth more, whatever a hit is worth (v) and reading costs (c)." in fixed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels", "A", "--value", "-1"], "must be a number of at least 0, not '-1'"),
        (["qrels", "A", "--value", "much"], "must be a number, up to 1e+15, not 'much'"),
        (["qrels", "A", "--samples", "20"], "intervals of 0.95 need at least 39 samples, not 20"),
        (["qrels", "A", "--curves", "points.txt"], "--curves points.txt: must end in .csv or .json"),
        (["qrels", "A", "--curves", "x.csv", "-o", "x.csv"], "x.csv: --curves and --output are the same file"),
        (["qrels", "A", "-o", "x.parquet"], "parquet is not available here"),
        (["qrels", "A", "--length", "1"], "A: the item of question 2 is at rank 2, beyond the 1 documents"),
        (["qrels", "A", "--depth", "0"], "must be a whole number from 1 to"),
        (["qrels", "A", "--level", "2"], "topic 1 has no document of grade 2 or above: there is no known item"),
        (["several", "A"], "topic 1 has 2 documents of grade 1 or above, and a known item is one document"),
        (["-", "-"], "standard input can be read only once"),
        (["qrels", "A", "-o", "A"], "A: is an input, and would be overwritten"),
        (["qrels", "A", "--axis", "time"], "invalid choice: 'time'"),
    ],
)
def test_mistakes(files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    (files / "several").write_text(QRELS + "1 0 d3 1\n")
    assert main(["known-item", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1
    assert printed.out == ""


def test_any_target(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "several").write_text(QRELS + "3 0 d3 1\n")
    assert main(["known-item", "several", "A", "--any-target", "--samples", "0", "-f", "json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "note: topic 3: more than one target, the one ranked best counts\n"
    assert json.loads(printed.out)["ranks"] == {"A": [1, 2, 3]}
