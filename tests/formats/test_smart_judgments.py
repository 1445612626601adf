"""Judgments of the classic collections are known by their content."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.errors import DataError
from adjudge.formats.classic_collections import read_smart_qrels
from adjudge.formats.qrels import read_qrels

FORMS = {
    "cranfield": ("1 184 2 \n1 29 -1\n2 12 4\n", {"1": {"184": 3, "29": 1}, "2": {"12": 1}}),
    "cisi": ("     1     28\t0\t0.000000\n     2     35\t0\t0.000000\n", {"1": {"28": 1}, "2": {"35": 1}}),
    "cacm": ("01 1410  0 0\n01 1572  0 0\n", {"1": {"1410": 1, "1572": 1}}),
    "med": ("1 0 13 1\n1 0 14 0\n", {"1": {"13": 1, "14": 0}}),
    "npl": ("1\n 1239 1502\n /\n2\n 12\n /\n", {"1": {"1239": 1, "1502": 1}, "2": {"12": 1}}),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_known(form: str, tmp_path: Path) -> None:
    text, expected = FORMS[form]
    (tmp_path / "qrels").write_text(text)
    assert read_qrels(tmp_path / "qrels").to_dict() == expected


@pytest.mark.parametrize("text", ["1 184 2\n1 29 1\n", "1 184\n", "1 2 3 4 5\n", "7\n"])
def test_what_may_mean_something_else_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(text)
    with pytest.raises(DataError):
        read_qrels(tmp_path / "qrels")


def test_lines_of_trec_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 0 1\n1 0 7 0\n")
    assert read_qrels(tmp_path / "qrels").to_dict() == {"1": {"0": 1, "7": 0}}


def test_commands_take_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cranqrel").write_text(FORMS["cranfield"][0])
    (tmp_path / "a.run").write_text("1 Q0 184 1 2 x\n2 Q0 12 1 2 x\n")
    assert main(["measure", str(tmp_path / "cranqrel"), f"mine={tmp_path / 'a.run'}", "-m", "rr"]) == 0
    assert "mine" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["cran/cranqrel", "cisi/CISI.REL", "cacm/qrels.text", "npl/rlv-ass", "med/MED.REL"])
def test_the_files_themselves(classic_collections: Path, name: str) -> None:
    path = classic_collections / name
    assert read_qrels(path) == read_smart_qrels(path)
