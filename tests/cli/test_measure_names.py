"""Names of measures on the command line: groups, names of other programs, and whose they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.measure import GROUPS, measures


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 2\nq 0 c 0\n")
    (tmp_path / "run").write_text("q Q0 c 1 3 x\nq Q0 a 2 2 x\nq Q0 b 3 1 x\n")
    return [str(tmp_path / "qrels"), str(tmp_path / "run")]


def test_measures_are_listed_by_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures"]) == 0
    listing = capsys.readouterr().out
    places = [listing.index(f"{title}:") for title in GROUPS.values()]
    assert places == sorted(places)
    assert all(f"\n{cls.name}" in listing for cls in measures.all())
    assert {cls.group for cls in measures.all()} == set(GROUPS)


def test_names_are_shown_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures", "--names"]) == 0
    table = capsys.readouterr().out
    for name in ("nDCG, NDCG", "ndcg_burges", "ndcg_cut_k", "INST-T=T", "alpha-nDCG", "r-precision", "recip_rank"):
        assert name in table
    assert main(["measures", "alpha_nDCG"]) == 0
    text = capsys.readouterr().out
    assert "In ir_measures: alpha_nDCG, α_nDCG" in text
    assert "``judged_only``: documents that were judged for no subtopic are dropped" in text


def test_names_of_a_program(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", *files, "--names", "ir_measures", "-m", "ERR@20,SetF(beta=2)", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "system,ERR@20,SetF(beta=2)"
    assert main(["measure", *files, "--names", "trec_eval", "-m", "P.1,2", "-m", "map", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "system,P_1,P_2,map"


def test_a_name_with_two_meanings_is_one_line(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", *files, "-m", "ERR@20"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "in adjudge err@20, in ir_measures err@20(top=4); write one of them, or say whose names they are" in line
    assert main(["measure", *files, "--names", "nobody", "-m", "ap"]) == 2
    assert "no names of 'nobody'" in capsys.readouterr().err
