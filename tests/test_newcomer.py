"""The eleven tasks of a newcomer: the notebook runs, a task takes three lines at most, and the page counts them."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import adjudge

DOCS = Path(__file__).resolve().parents[1] / "docs"
MOST = 3


def cells() -> list[dict[str, Any]]:
    notebook = json.loads((DOCS / "notebooks" / "newcomer.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_notebook(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the cells one after the other as a kernel does; the names that they leave, and what the last lines show."""
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"__name__": "__main__"}
    shown: list[Any] = []
    for cell in cells():
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, cell["id"], "exec"), names)  # noqa: S102  our own notebook
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), cell["id"], "eval"), names))  # noqa: S307
    return names | {"shown": shown}


def check(names: dict[str, Any]) -> None:
    assert set(names["scores"].systems) == {"bm25", "lm", "tfidf"}
    assert {d.b for d in names["result"].differences} == {"tfidf"}
    assert "<svg" in Path("differences.svg").read_text(encoding="utf-8")
    assert names["tuned"].page.is_file()
    assert names["fused"].name == "rrf"
    assert names["alike"][0].found.items == 36
    assert Path("results/report.html").is_file()
    for value in names["shown"]:
        if isinstance(value, adjudge.Scores | adjudge.Comparisons):
            assert "<table" in value._repr_html_()


@pytest.mark.slow
def test_the_notebook_runs_on_the_built_in_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRANFIELD", raising=False)
    check(run_notebook(tmp_path, monkeypatch))


@pytest.mark.slow
def test_the_notebook_runs_on_cranfield(
    classic_collections: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRANFIELD", str(classic_collections / "cran"))
    check(run_notebook(tmp_path, monkeypatch))


def tasks(page: str) -> list[tuple[str, int, int]]:
    """The title of each task, and the lines that it takes here and in the other library; imports do not count."""
    found = []
    for match in re.finditer(r"^## (\d+\. [^\n]*)\n(.*?)(?=^## )", page, re.DOTALL | re.MULTILINE):
        blocks = [re.search(rf"```{kind}\n(.*?)```", match[2], re.DOTALL) for kind in ("python", "py")]
        ours, theirs = (block[1] if block else "" for block in blocks)
        own = [line[4:] for line in ours.splitlines() if line.startswith((">>> ", "... "))]
        counted = [[line for line in lines if line.strip() and not line.startswith(("from ", "import "))]
                   for lines in (own, theirs.splitlines())]  # fmt: skip
        found.append((match[1], len(counted[0]), len(counted[1])))
    return found


def test_each_task_takes_three_lines_and_the_page_counts_them() -> None:
    page = (DOCS / "newcomer.md").read_text(encoding="utf-8")
    counted = tasks(page)
    assert len(counted) == 11
    for title, ours, theirs in counted:
        assert 1 <= ours <= MOST, title
        assert f"| {title} | {ours} | {theirs} |" in page
    assert f"| all | {sum(t[1] for t in counted)} | {sum(t[2] for t in counted)} |" in page


def test_each_task_of_the_notebook_takes_three_lines() -> None:
    notebook = json.loads((DOCS / "notebooks" / "newcomer.ipynb").read_text(encoding="utf-8"))["cells"]
    titles = [n for n, cell in enumerate(notebook) if "".join(cell["source"]).startswith("## ")]
    assert len(titles) == 11
    for start, end in zip(titles, [*titles[1:], len(notebook)], strict=True):
        sources = ["".join(cell["source"]) for cell in notebook[start + 1 : end]]
        smallest = min(len([line for line in source.splitlines() if line.strip()]) for source in sources)
        assert smallest <= MOST
