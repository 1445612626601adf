"""A table of strings, as text for a terminal, Markdown, LaTeX or CSV."""

from __future__ import annotations

import math

from ..core.english import rounded
from ..core.kernel import native
from ..core.visible import visible

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

FORMS = ("table", "csv", "json", "md", "latex")

BOLD, PLAIN, FAINT = "\x1b[1m", "\x1b[0m", "\x1b[2m"


class TextTable:
    """Header and cells; ``labels`` columns on the left hold names, the others numbers; ``best`` cells are bold."""

    __slots__ = ("best", "exact", "header", "keys", "labels", "rows")

    def __init__(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        labels: int = 1,
        best: frozenset[tuple[int, int]] = frozenset(),
        exact: Sequence[Sequence[object]] | None = None,
        keys: Sequence[str] | None = None,
    ) -> None:
        self.header, self.rows, self.labels = header, rows, labels
        self.best = best
        """(row, column) of the cells to mark."""
        self.exact = exact
        """The same cells for scripts, numbers with all their digits; the strings if there is nothing better."""
        self.keys = keys
        """The names of the columns for scripts, where they differ from the header for people."""

    def having(self, **changes: Any) -> TextTable:
        """The same but for these."""
        return TextTable(**{name: getattr(self, name) for name in self.__slots__} | changes)

    @classmethod
    def of_numbers(
        cls,
        header: Sequence[str],
        labels: Sequence[str],
        columns: Sequence[Sequence[float]],
        *,
        digits: int,
        better: str | Sequence[str],
    ) -> TextTable:
        """A label and numbers in each row, the best of each column marked; kept whole for CSV and JSON."""
        rows = [[label, *(rounded(c[r], digits) for c in columns)] for r, label in enumerate(labels)]
        exact = [[label, *(c[r] for c in columns)] for r, label in enumerate(labels)]
        ways = [better] * len(columns) if isinstance(better, str) else better
        return cls(header, rows, 1, best_of(columns, ways, rows), exact)

    def form(self, name: str, *, colour: bool = False) -> str:
        """Format it in one of the FORMS."""
        if name == "csv":
            return self.csv()
        if name == "json":
            return self.json()
        if name == "md":
            return self.markdown()
        return self.latex() if name == "latex" else self.text(colour=colour)

    def visible(self) -> TextTable:
        """The same for people to read: names from data cannot steer a terminal or break a line."""
        rows = [[visible(cell) for cell in row] for row in self.rows]
        return self.having(header=[visible(head) for head in self.header], rows=rows)

    def text(self, *, colour: bool = False) -> str:
        """Aligned columns; on a terminal the best value of a column is bold. A star is for significance only."""
        shown = self.visible()
        header, rows = shown.header, shown.rows
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        lines = [self._line(header, widths, colour and FAINT, set(), colour=colour)]
        for r, row in enumerate(rows):
            marked = {c for c in range(len(row)) if (r, c) in self.best}
            lines.append(self._line(row, widths, "", marked, colour=colour))
        return "\n".join(lines) + "\n"

    def _line(
        self, cells: Sequence[str], widths: Sequence[int], style: str | bool, marked: set[int], *, colour: bool
    ) -> str:
        parts = []
        for c, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            padded = cell.ljust(width) if c < self.labels else cell.rjust(width)
            parts.append(f"{BOLD}{padded}{PLAIN}" if colour and c in marked else padded)
        line = "  ".join(parts).rstrip()
        return f"{style}{line}{PLAIN}" if style else line

    def markdown(self) -> str:
        def row(cells: Sequence[str]) -> str:
            return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

        shown = self.visible()
        header, rows = shown.header, shown.rows
        rule = ["---" if c < self.labels else "---:" for c in range(len(header))]
        lines = [row(header), row(rule)]
        for r, cells in enumerate(rows):
            lines.append(row([f"**{cell}**" if (r, c) in self.best else cell for c, cell in enumerate(cells)]))
        return "\n".join(lines) + "\n"

    def latex(self) -> str:
        """A tabular for the booktabs package."""
        shown = self.visible()
        header, rows = shown.header, shown.rows
        columns = "l" * self.labels + "r" * (len(header) - self.labels)
        lines = [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", self._latex_row(header, set()), "\\midrule"]
        for r, cells in enumerate(rows):
            lines.append(self._latex_row(cells, {c for c in range(len(cells)) if (r, c) in self.best}))
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"

    @staticmethod
    def _latex_row(cells: Sequence[str], marked: set[int]) -> str:
        safe = [latex_text(cell) for cell in cells]
        return " & ".join(f"\\textbf{{{cell}}}" if c in marked else cell for c, cell in enumerate(safe)) + r" \\"

    def html(self) -> str:
        """A table element for a page or a notebook, everything escaped."""
        from .notebook import html_table

        return html_table(self.header, self.rows, labels=self.labels, best=self.best, shown=None)

    def _repr_html_(self) -> str:
        from .notebook import html_table

        return html_table(self.header, self.rows, labels=self.labels, best=self.best)

    def csv(self) -> str:
        import csv
        import io

        from ..formats.writing import csv_cell

        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(csv_cell, self.keys or self.header))
        writer.writerows(
            [["" if _missing(cell) else csv_cell(cell) for cell in row] for row in self.exact or self.rows]
        )
        return out.getvalue()

    def json(self) -> str:
        """A list of objects, one for each row."""
        return json_text([dict(zip(self.keys or self.header, row, strict=True)) for row in self.exact or self.rows])


SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\^{}",
    "<": "$<$",
    ">": "$>$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "–": "--",
    "…": r"\ldots{}",
}
"""What LaTeX takes for a command, as it is printed."""


def latex_text(text: str) -> str:
    """Text with nothing in it that LaTeX takes for a command.

    >>> latex_text("bm25_k1 & 5 %")
    'bm25\\\\_k1 \\\\& 5 \\\\%'
    """
    return "".join(SPECIAL.get(c, c) for c in visible(text))


def _missing(cell: object) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def json_text(data: object) -> str:
    """Data as JSON: null for NaN and infinity, which JSON does not have; names that are not UTF-8 are escaped."""
    from json.encoder import encode_basestring, encode_basestring_ascii

    kernel = native("json_text")
    written: str | None = None if kernel is None else kernel.indented(data)
    if written is not None:
        return written + "\n"
    text = _indented(data, "\n", encode_basestring)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _indented(data, "\n", encode_basestring_ascii)
    return text + "\n"


def _indented(data: object, line: str, quoted: Callable[[str], str]) -> str:
    """What Python's json writes with ``indent=1``, in half of its time; the pairs of many systems are a million lines.

    ``line`` ends a line and indents the next.
    """
    inner = f"{line} "
    if isinstance(data, dict):
        if not data:
            return "{}"
        parts = [f"{quoted(k if type(k) is str else _key(k))}: {_scalar(v, quoted) or _indented(v, inner, quoted)}"
                 for k, v in data.items()]  # fmt: skip
        return f"{{{inner}{f',{inner}'.join(parts)}{line}}}"
    if isinstance(data, list | tuple):
        if not data:
            return "[]"
        parts = [_scalar(value, quoted) or _indented(value, inner, quoted) for value in data]
        return f"[{inner}{f',{inner}'.join(parts)}{line}]"
    if written := _scalar(data, quoted):
        return written
    import json

    return json.dumps(data)


def _scalar(data: object, quoted: Callable[[str], str]) -> str:
    """A text or a number as JSON; empty if it is something else."""
    if isinstance(data, float):
        return float.__repr__(data) if math.isfinite(data) else "null"
    if isinstance(data, str):
        return quoted(data)
    return int.__repr__(data) if isinstance(data, int) and not isinstance(data, bool) else ""


def _key(key: object) -> str:
    """The name of a value; json has other ones for what is no text."""
    import json

    return key if isinstance(key, str) else str(next(iter(json.loads(json.dumps({key: 0})))))


def lines_of(sentences: Sequence[str], form: str) -> str:
    """Lines between tables: a list in Markdown, comments in LaTeX."""
    before = "% " if form == "latex" else "- " if form == "md" and len(sentences) > 1 else ""
    # a name with a line break in it would end the comment
    shown = map(visible, sentences) if form == "latex" else sentences
    return "".join(f"{before}{sentence}\n" for sentence in shown)


def best_of(
    columns: Sequence[Sequence[float]], better: Sequence[str], rows: Sequence[Sequence[str]]
) -> frozenset[tuple[int, int]]:
    """The cells with the best number of each column, all of them if several look the same in the rows as shown.

    ``better`` is high, low or '' for each column; none is best where there is one row.
    """
    marked = set()
    for c, (column, way) in enumerate(zip(columns, better, strict=True), 1):
        numbers = [number for number in column if not math.isnan(number)]
        if way and numbers and len(rows) > 1:
            top = list(column).index(max(numbers) if way == "high" else min(numbers))
            marked |= {(r, c) for r, row in enumerate(rows) if row[c] == rows[top][c]}
    return frozenset(marked)
