"""How far unjudged documents could raise a figure: by hand, by every judgment there could be, and on the page."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.comparison.residual_bands import bands_of, possible_ranks, residual_of
from adjudge.core.judging import Judging
from adjudge.core.measure import measures

RUNS = {"one": ["a", "u", "b"], "two": ["v", "a", "b"], "three": ["b", "c", "a"]}
QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 0\n1 0 d 1\n2 0 a 1\n2 0 b 0\n2 0 c 0\n2 0 d 1\n"
MODELS = (
    "bpm@3",
    "cwl_p@3",
    "cwl_rbp",
    "cwl_rr",
    "ift",
    "insq",
    "inst(T=2)",
    "nerr8@3",
    "nerr10",
    "sdcg@3",
    "rbp(p=0.5)",
)


def write_plan(folder: Path, measured: list[str], runs: list[str]) -> Path:
    (folder / "runs").mkdir(parents=True)
    for name in runs:
        lines = [f"{t} Q0 {d} {r} {9 - r} x" for t in (1, 2) for r, d in enumerate(RUNS[name], 1)]
        (folder / "runs" / f"{name}.run").write_text("\n".join(lines) + "\n")
    (folder / "qrels.txt").write_text(QRELS)
    (folder / "plan.toml").write_text(
        f'judgments = "qrels.txt"\nruns = "runs/*.run"\nmeasures = {json.dumps(measured)}\n'
    )
    return folder / "plan.toml"


def section_of(folder: Path) -> str:
    """The text of the section, tags taken away; empty if there is none."""
    found = re.search(r'(?s)<section id="unjudged".*?</section>', (folder / "report.html").read_text())
    return " ".join(re.sub(r"(?s)<title>.*?</title>|<[^>]*>", " ", found[0]).split()) if found else ""


def test_page_and_files_have_the_figures_made_by_hand(tmp_path: Path) -> None:
    """With p = 0.5 the ranks weigh 1/2, 1/4, 1/8, and 1/8 lies behind the three documents."""
    by_hand = {"one": (1 / 2, 7 / 8), "two": (1 / 4, 7 / 8), "three": (1 / 8, 1 / 4)}
    adjudge.run(write_plan(tmp_path, ["ap", "rbp(p=0.5)", "cwl_rbp(p=0.5)"], list(RUNS)), tmp_path / "results")
    kept = json.loads((tmp_path / "results" / "verdicts.json").read_text())["versions"]["runs"]["bands"]
    assert list(kept) == ["rbp(p=0.5)", "cwl_rbp(p=0.5)"]
    for own in kept.values():
        assert {name: (row["mean"], row["high"]) for name, row in own.items()} == {
            name: pytest.approx(ends, abs=1e-9) for name, ends in by_hand.items()
        }
        ranks = {name: [row["rank"], *row["possible_ranks"]] for name, row in own.items()}
        assert ranks == {"one": [1, 1, 2], "two": [2, 1, 2], "three": [3, 2, 3]}
    text = section_of(tmp_path / "results")
    assert "one 1 0.5000 0.8750 1 to 2" in text
    assert "three 3 0.1250 0.2500 2 to 3" in text
    again = adjudge.report(tmp_path / "results", tables=tmp_path / "tables", figures=tmp_path / "figures")
    assert again.findings is not None
    assert [each.measure for each in again.findings.first.bands] == list(kept)
    assert "0.8750" in (tmp_path / "tables" / "unjudged.md").read_text()
    assert (tmp_path / "figures" / "unjudged-measure2.svg").exists()


def test_one_system_and_none(tmp_path: Path) -> None:
    adjudge.run(write_plan(tmp_path / "one", ["rbp(p=0.5)"], ["one"]), tmp_path / "alone")
    assert "of one would be 0.8750 instead of 0.5000." in section_of(tmp_path / "alone")
    adjudge.run(write_plan(tmp_path / "none", ["ap", "cwl_ap"], ["one", "two"]), tmp_path / "without")
    assert section_of(tmp_path / "without") == ""


def test_measures_without_a_bound_have_no_residual() -> None:
    without = ["ap", "cwl_ap", "rbp(scaled=false)", "rbp(cutoff=10)", "inst(judged_only=true)", "inst(figure=etu)"]
    assert [spec for spec in without if residual_of(measures.parse(spec)) is not None] == []
    assert residual_of(measures.parse("rbp"), Judging(judged_only=True)) is None


def test_no_judgment_leads_out_of_a_band() -> None:
    """All ways to judge four unjudged documents of six, each as a topic of its own."""
    documents, known = [f"d{n}" for n in range(6)], {"d1": 1, "d4": 0}
    specs = [spec.replace(")", ", depth=12)") if "(" in spec else f"{spec}(depth=12)" for spec in MODELS[:-1]]
    specs.append(MODELS[-1])
    residuals = [str(residual_of(measures.parse(spec))) for spec in specs]
    rest = [name for name in documents if name not in known]
    qrels = {
        str(n): {**known, "elsewhere": 1, **dict(zip(rest, grades, strict=True))}
        for n, grades in enumerate(product((0, 1), repeat=len(rest)))
    }
    qrels["none"] = {**known, "elsewhere": 1}
    ranking = {name: float(9 - n) for n, name in enumerate(documents)}
    scores = adjudge.measure(qrels, {"x": dict.fromkeys(qrels, ranking)}, [*specs, *residuals])
    values, count = scores.values[0], len(specs)
    start = values[scores.topics.index("none")]
    assert (values[:, :count] >= start[:count] - 1e-12).all()
    assert (values[:, :count] <= start[:count] + start[count:] + 1e-12).all()


def test_ties_and_systems_without_values() -> None:
    ranks = possible_ranks(np.array([0.5, 0.5, 0.2]), np.array([0.5, 0.6, 0.5]))
    assert [own.tolist() for own in ranks] == [[1, 1, 3], [1, 1, 1], [2, 1, 3]]
    found = bands_of("m", ["a", "b"], np.array([[0.5, np.nan], [0.1, 0.3]]), np.zeros((2, 2)))
    assert found is not None
    assert [row.system for row in found.rows] == ["b"]
    assert bands_of("m", ["a"], np.full((1, 2), np.nan), np.zeros((1, 2))) is None
