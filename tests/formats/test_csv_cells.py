"""Cells of CSV that a spreadsheet would take for formulas."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from adjudge.collection.qa.spill import Losses
from adjudge.formats.scores import read_scores, write_scores
from adjudge.formats.writing import DECIMAL, FORMULA_SIGNS, csv_cell, plain_cell
from adjudge.report.text_table import TextTable
from adjudge.terms.term_files import read_terms, write_terms
from adjudge.terms.terms import Term, Terms

EVIL = '=HYPERLINK("http://evil","x")'


@pytest.mark.parametrize("text", [EVIL, "+1+1", "-a", "@x", "\tx", "'", "'a", "a", "", "-0.5", "1e5"])
def test_a_cell_comes_back_as_it_was(text: str) -> None:
    cell = csv_cell(text)
    assert plain_cell(cell) == text
    assert (cell != text) == (text in {EVIL, "+1+1", "-a", "@x", "\tx"})


def test_a_table_has_no_formulas() -> None:
    table = TextTable((EVIL, "value"), [[EVIL, "-0.5"], ["a", "1"]], exact=[(EVIL, -0.5), ("a", 1.0)])
    rows = list(csv.reader(io.StringIO(table.form("csv"))))
    assert rows == [[f"'{EVIL}", "value"], [f"'{EVIL}", "-0.5"], ["a", "1.0"]]


def test_what_was_dropped_has_no_formulas(tmp_path: Path) -> None:
    with Losses(tmp_path / "dropped.csv") as losses:
        losses.add("kind", EVIL)
    assert list(csv.reader((tmp_path / "dropped.csv").read_text().splitlines()))[1][3] == f"'{EVIL}"


def test_scores_and_terms_are_read_back(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("system,topic,value\n'=a,1,0.5\nb,1,1\n")
    assert read_scores(scores).systems == ("=a", "b")
    matrix = tmp_path / "matrix.csv"
    matrix.write_text("topic,'=a,b\n1,0.5,1\n")
    assert read_scores(matrix).systems == ("=a", "b")
    terms = Terms.of([Term("-form", 2, 1.0, float("nan"), {"-form": 2})], "x")
    write_terms(terms, tmp_path / "terms.csv")
    assert "'-form," in (tmp_path / "terms.csv").read_text()
    assert list(read_terms(tmp_path / "terms.csv").names) == ["-form"]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_scores_that_are_written_have_no_formulas(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"scores.{ending}"
    names = [EVIL, "+1+1", "@x", "plain", "-0.5"]
    scores = read_scores({name: {"-t": 0.5, "2": -0.25} for name in names})
    write_scores(scores, path)
    rows = list(csv.reader(path.read_text().splitlines(), delimiter="\t" if ending == "tsv" else ","))
    assert not [cell for row in rows for cell in row if cell.startswith(FORMULA_SIGNS) and not DECIMAL.fullmatch(cell)]
    again = read_scores(path)
    assert again.systems == scores.systems
    assert again.topics == scores.topics
    assert again.values.tolist() == scores.values.tolist()
