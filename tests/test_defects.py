"""The list of defects is true, and those that no other test is about are gone."""

from __future__ import annotations

import ast
import html
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main

HERE = Path(__file__).parent
DEFECTS = tomllib.loads((HERE / "defects.toml").read_text())
EXAMPLE = Path(adjudge.__file__).parent / "example"


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("number", DEFECTS)
def test_every_defect_has_a_test_or_a_reason(number: str) -> None:
    defect = DEFECTS[number]
    assert set(defect) <= {"what", "tests", "note"}
    assert defect["what"]
    assert defect["tests"] or defect.get("note"), "neither a test nor a reason"
    for test in defect["tests"]:
        file, _, name = test.partition("::")
        assert name in functions_of(HERE / file), f"there is no test {test}"


def test_no_defect_is_missing() -> None:
    letters = {"A": 16, "C": 8, "D": 15, "E": 12, "F": 3}
    for letter, last in letters.items():
        known = {int(found[1]) for number in DEFECTS if (found := re.match(rf"{letter}(\d+)\b", number))}
        assert known == set(range(1, last + 1))
    assert {f"F frictions {number}" for number in range(1, 14)} <= set(DEFECTS)


def plan_in(folder: Path, more: str = "") -> Path:
    """Twelve relevant documents, of which one run has the last on top and the other none there."""
    qrels = "".join(f"{topic} 0 d{number:02d} 1\n" for topic in (1, 2, 3) for number in range(1, 13))
    runs = {"a": ["d12", "x1", "d01"], "b": ["x1", "x2", "d03"]}
    (folder / "qrels.txt").write_text(qrels)
    (folder / "runs").mkdir()
    for name, documents in runs.items():
        lines = [
            f"{topic} Q0 {document} {rank} {9 - rank} {name}\n"
            for topic in (1, 2, 3)
            for rank, document in enumerate(documents, 1)
        ]
        (folder / "runs" / f"{name}.run").write_text("".join(lines))
    plan = folder / "plan.toml"
    plan.write_text(f'judgments = "qrels.txt"\nruns = "runs"\nmeasures = ["ap", "rr"]\nsamples = 100\n{more}')
    return plan


def test_all_relevant_documents_are_marked_and_counted(tmp_path: Path) -> None:
    assert main(["run", str(plan_in(tmp_path)), "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "report.html").read_text()
    hardest = page[page.index('id="hardest"') :]
    assert "12 relevant documents" in hardest
    shown = re.findall(
        r"<li[^>]*>(?:(?!</li>).)*d12(?:(?!</li>).)*</li>|<td[^>]*>(?:(?!</td>).)*d12(?:(?!</td>).)*</td>", hardest
    )
    assert shown, "the document that a run puts first is not shown"
    assert all("relevant" in html.unescape(each) for each in shown), "a relevant document without its mark"


def test_a_bold_name_is_given_the_room_it_needs() -> None:
    from adjudge.report.figures.wording import BOLD, fit_label, longest_label, wide

    names = ["bm25_baseline", "x"]
    room = longest_label(names, "bm25_baseline")
    assert room == pytest.approx(wide("bm25_baseline", 12) * BOLD)
    assert BOLD > 1
    assert fit_label("bm25_baseline", room, bold=True) == "bm25_baseline"
    assert fit_label("bm25_baseline", room * 0.9, bold=True) != "bm25_baseline"


def test_a_file_is_no_index(capsys: pytest.CaptureFixture[str]) -> None:
    path = EXAMPLE / "documents.jsonl"
    assert main(["search", str(path), "solar"]) == 2
    assert capsys.readouterr().err == f"{path}: no such index\n"


def test_what_a_plan_came_to_is_one_line(tmp_path: Path) -> None:
    came = adjudge.run(plan_in(tmp_path), tmp_path / "out")
    assert "\n" not in repr(came)
    assert len(repr(came)) < 300 + len(str(tmp_path))


def test_a_plan_says_how_runs_are_judged(tmp_path: Path) -> None:
    from adjudge.experiment.plan import Plan

    plan = Plan.read(plan_in(tmp_path, "complete = false\njudged_only = true\ntrec_version = 9\ndepth = 2\n"))
    judging = plan.analysis.judging
    assert (judging.complete, judging.judged_only, judging.trec_version) == (False, True, 9)


def test_the_column_of_systems_is_called_system(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [str(EXAMPLE / name) for name in ("lexical.run", "fused.run")]
    assert main(["average", str(EXAMPLE / "qrels.txt"), *runs, "-m", "ap", "-f", "csv"]) == 0
    assert capsys.readouterr().out.startswith("system,")


def test_an_old_session_is_told_apart_from_a_new_server() -> None:
    from adjudge.web.sessions import LASTS, Signer

    now = [0.0]
    signer = Signer(clock=lambda: now[0])
    cookie = signer.write(signer.new("Ada"))
    assert signer.read(cookie) is not None
    now[0] = LASTS + 1.0
    assert signer.read(cookie) is None, "whoever asks then is told that the session has ended"
