"""Tuning as tables: trained on one measure, judged by another."""

from __future__ import annotations

from ..comparison.cross_tuning import Tuning
from ..core.english import rounded
from ..words.tuned import tuning_best_training, tuning_choices, tuning_edges, tuning_method
from .text_table import TextTable, lines_of

DIGITS = 4


def gains_table(tuning: Tuning, digits: int = DIGITS) -> TextTable:
    """A row for each measure trained on and each reported: figures, gain with interval, claim and optimism."""
    header = ["trained on", "judged by", "default", "tuned", "gain", "95% low", "high", "claimed", "optimism"]
    header[5] = f"{tuning.confidence * 100:g}% low"
    rows, exact = [], []
    for row in tuning.rows():
        names = [str(row["trained_on"]), str(row["measure"])]
        figures = [float(row[name]) for name in ("default", "tuned", "gain", "low", "high", "claimed", "optimism")]
        signed = [f"{value:+.{digits}f}" for value in figures[2:]]
        star = "*" if row["low"] > 0 or row["high"] < 0 else " "
        signed[0] += star
        rows.append([*names, *(rounded(value, digits) for value in figures[:2]), *signed])
        exact.append([*names, *figures])
    return TextTable(header, rows, 2, exact=exact)


def matrix_table(tuning: Tuning, digits: int = DIGITS) -> TextTable:
    """Trained on (rows) × judged by (columns): the figure of the tuned system, and of the default."""
    header = ["trained on", *tuning.measures]
    labels = [*tuning.train, "(default)"]
    columns = [[*tuning.tuned[:, m].tolist(), float(tuning.base[m])] for m in range(len(tuning.measures))]
    return TextTable.of_numbers(header, labels, columns, digits=digits, better="")


def as_text(tuning: Tuning, form: str, *, colour: bool = False) -> str:
    """The matrix, the gains, and what they come to."""
    if form == "csv":
        return gains_table(tuning).csv()
    sentences = [tuning.conclusion(), *notes_on(tuning)]
    pages = [matrix_table(tuning).form(form, colour=colour), gains_table(tuning).form(form, colour=colour)]
    return "\n".join([*pages, lines_of(sentences, form)])


def notes_on(tuning: Tuning) -> list[str]:
    """What a reader should know beside the conclusion."""
    best = tuning_best_training(tuning) if len(tuning.train) > 1 else ""
    return [text for text in (best, tuning_choices(tuning), tuning_edges(tuning), tuning_method(tuning)) if text]
