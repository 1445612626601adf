"""Comparisons as papers print them: averages by system and measure, with marks of significance."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from ..comparison.comparisons import Comparisons
from ..comparison.verdict import ALPHA, Comparison
from ..core.english import p_text, rounded
from ..core.errors import SpecError
from ..core.visible import visible
from ..words.judged_share import coverage_summary
from ..words.verdicts import letters_read, symbols_read
from .notebook import escape
from .result_tables import columns_of
from .text_table import TextTable, best_of, latex_text, lines_of

MARKS = ("letters", "symbols")
FORMS = ("table", "md", "latex", "html")
SYMBOLS = {1: "▲", -1: "▼"}
LATEX = {"▲": r"\blacktriangle", "▼": r"\blacktriangledown"}


def paper_table_of(
    result: Comparisons, form: str, *, digits: int = 4, marks: str = "letters", p_values: bool = False
) -> str:
    """The table in LaTeX, Markdown, HTML or plain text, and below it how the marks are read."""
    if form not in FORMS:
        raise SpecError(f"a table for a paper is {', '.join(FORMS)}, not {form!r}")
    rows = marked_rows(result, digits, marks)
    letters = letters_of(result) if marks == "letters" else {}
    order = result[0].order()
    header = ["system", *(_heading(comparison) for comparison in result)]
    names = [result.systems[s] for s in order]
    labels = [f"({letters[name]}) {name}" if letters else name for name in names]
    figures = [[float(comparison.figures[s]) for s in order] for comparison in result]
    plain = [[label, *(rounded(column[r], digits) for column in figures)] for r, label in enumerate(labels)]
    ways = ["high" if comparison.direction > 0 else "low" for comparison in result]
    best = best_of(figures, ways, plain)
    cells = [[MarkedFigure(label), *rows[r]] for r, label in enumerate(labels)]
    how = result[0]
    read = (letters_read if letters else symbols_read)(how, bold=form != "table")
    lines = [line for line in (read, coverage_summary(how.coverage)) if line]
    if form == "latex":
        text = _latex(header, cells, best) + "".join(f"% {visible(line)}\n" for line in lines)
    elif form == "html":
        text = _html(header, cells, best) + "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    else:
        shown = [[_shown(cell, form, (r, c) in best) for c, cell in enumerate(row)] for r, row in enumerate(cells)]
        text = f"{TextTable(header, shown, 1).form(form)}\n{lines_of(lines, form)}"
    return text + (_pairs(result, form) if p_values else "")


def as_paper_text(result: Comparisons, form: str, *, digits: int = 4, marks: str = "letters") -> str:
    """The table with raw and corrected p of the pairs below it; as CSV the pairs alone, with all digits."""
    if form != "csv":
        return paper_table_of(result, form, digits=digits, marks=marks, p_values=True)
    columns = columns_of(result)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return TextTable(list(columns), [], 3, exact=rows).csv()


class MarkedFigure:
    """What stands in a cell, and the marks of significance beside it."""

    def __init__(self, figure: str, marks: str = "") -> None:
        self.figure, self.marks = figure, marks


def _shown(cell: MarkedFigure, form: str, strong: bool) -> str:
    """A cell in plain text or Markdown: the best figure of a column in bold where there is bold."""
    figure = f"**{cell.figure}**" if strong and form == "md" else cell.figure
    return f"{figure} {cell.marks}".rstrip()


def letters_of(result: Comparisons) -> dict[str, str]:
    """A letter for each system, by its place on the first measure: a, b, … z, aa, ab, …"""
    names = [result.systems[s] for s in result[0].order()]
    letters = {}
    for place, name in enumerate(names):
        first, second = divmod(place, len(ascii_lowercase))
        letters[name] = (ascii_lowercase[first - 1] if first else "") + ascii_lowercase[second]
    return letters


def marked_rows(result: Comparisons, digits: int, marks: str) -> list[list[MarkedFigure]]:
    """The figures with their marks, systems by the first measure."""
    if marks not in MARKS:
        raise SpecError(f"marks are {' or '.join(MARKS)}, not {marks!r}")
    if marks == "symbols" and len(result.baselines) != 1:
        raise SpecError("symbols mark what is better or worse than one baseline: give one, or take letters")
    letters = letters_of(result) if marks == "letters" else {}
    return [[_cell(comparison, s, digits, letters) for comparison in result] for s in result[0].order()]


def _cell(comparison: Comparison, system: int, digits: int, letters: dict[str, str]) -> MarkedFigure:
    name = comparison.systems[system]
    beaten, sign = [], ""
    for d in comparison.significant:
        if name not in {d.a, d.b}:
            continue
        ahead = d.a if d.favours[0] > 0 else d.b
        other = d.b if name == d.a else d.a
        if letters and ahead == name:
            beaten.append(letters[other])
        elif not letters and other == comparison.baselines[0]:
            sign = SYMBOLS[1 if ahead == name else -1]
    separator = "" if all(len(letter) == 1 for letter in beaten) else ","
    ordered = sorted(beaten, key=lambda letter: (len(letter), letter))
    return MarkedFigure(
        rounded(float(comparison.figures[system]), digits), separator.join(ordered) if letters else sign
    )


def _heading(comparison: Comparison) -> str:
    return comparison.measure if comparison.scale == "mean" else f"{comparison.measure} ({comparison.scale})"


def _latex(header: Sequence[str], rows: Sequence[Sequence[MarkedFigure]], best: frozenset[tuple[int, int]]) -> str:
    def cell(value: MarkedFigure, strong: bool) -> str:
        figure = latex_text(value.figure)
        figure = rf"\textbf{{{figure}}}" if strong else figure
        marks = LATEX.get(value.marks, "")
        if marks:
            return f"{figure}$^{{{marks}}}$"
        return rf"{figure}$^{{\mathrm{{{value.marks}}}}}$" if value.marks else figure

    lines = [
        rf"\begin{{tabular}}{{l{'l' * (len(header) - 1)}}}",
        r"\toprule",
        " & ".join(map(latex_text, header)) + r" \\",
        r"\midrule",
    ]
    for r, row in enumerate(rows):
        lines.append(" & ".join(cell(value, (r, c) in best) for c, value in enumerate(row)) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _html(header: Sequence[str], rows: Sequence[Sequence[MarkedFigure]], best: frozenset[tuple[int, int]]) -> str:
    def cell(value: MarkedFigure, strong: bool) -> str:
        figure = escape(value.figure)
        marks = f"<sup>{escape(value.marks)}</sup>" if value.marks else ""
        return f"<td>{f'<strong>{figure}</strong>' if strong else figure}{marks}</td>"

    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in header)
    body = "".join(
        "<tr>" + "".join(cell(value, (r, c) in best) for c, value in enumerate(row)) + "</tr>\n"
        for r, row in enumerate(rows)
    )
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def pairs_of(result: Comparisons) -> TextTable:
    """Raw p beside corrected p of every pair; a star marks what is significant after correction."""
    header = ["measure", "system", "against", "difference", "low", "high"]
    for test in result[0].tests:
        header += [f"p {test}", f"p {test} corrected"]
    rows = [
        [comparison.measure, d.a, d.b, f"{d.difference:+.4f}", rounded(d.low, 4), rounded(d.high, 4)]
        + [cell for raw, p in zip(d.raw, d.p, strict=True) for cell in (p_text(raw), p_text(p) + _star(p))]
        for comparison in result
        for d in comparison.differences
    ]
    return TextTable(header, rows, 3)


def _star(p: float) -> str:
    return "*" if p < ALPHA else ""


def _pairs(result: Comparisons, form: str) -> str:
    table = pairs_of(result)
    return "\n" + (table.html() + "\n" if form == "html" else table.form(form))
