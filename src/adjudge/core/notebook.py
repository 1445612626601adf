"""Values as HTML for notebooks: small tables in which everything from data is text and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from html import escape

SHOWN = 20
"""Rows of a table; a line below it says how many more there are."""

LONGEST = 200
"""Characters of a cell; longer ones are cut and have their whole text on hover."""


@lru_cache(maxsize=4096)
def visible(text: str) -> str:
    """One line in which every character can be seen: control characters, surrogates and marks of direction escaped.

    >>> visible("a\\tb\\x00")
    'a b\\\\x00'
    """
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


def escaped(text: str) -> str:
    """For HTML and XML, in text and in attributes.

    >>> escaped('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return escape(visible(text), quote=True)


def cell(value: object) -> str:
    """A value as a cell shows it: four decimals, none for whole numbers, nothing for what is missing."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return "" if math.isnan(value) else "∞" if value > 0 else "−∞"
        value += 0.0  # no minus before a zero
        whole = value == round(value) and abs(value) < 1e15
        plain = whole or 1e-3 <= abs(value) < 1e9
        return (f"{value:,.0f}" if whole else f"{value:.4f}" if plain else f"{value:.3g}").replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)


def html_table(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    labels: int = 1,
    total: int | None = None,
    caption: str = "",
    best: frozenset[tuple[int, int]] = frozenset(),
    notes: Sequence[str] = (),
    shown: int | None = SHOWN,
) -> str:
    """An HTML table of the first rows; ``labels`` columns hold names, the others numbers, ``best`` cells are bold.

    ``total`` is how many rows there are if not all are given; ``shown`` None shows all.
    """
    kept = rows if shown is None else rows[:shown]
    said = f'<caption style="text-align:left">{escaped(caption)}</caption>' if caption else ""
    heads = "".join(f'<th scope="col"{_way(c, labels)}>{escaped(head)}</th>' for c, head in enumerate(header))
    body = "".join(
        "<tr>" + "".join(_cell(value, c, labels, (r, c) in best) for c, value in enumerate(row)) + "</tr>"
        for r, row in enumerate(kept)
    )
    more = (len(rows) if total is None else total) - len(kept)
    below = [*([f"{more:,} more {'row' if more == 1 else 'rows'}"] if more > 0 else []), *notes]
    table = f"<table>{said}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return table + "".join(f"<p>{escaped(line)}</p>" for line in below)


def _way(column: int, labels: int) -> str:
    return f' style="text-align:{"left" if column < labels else "right"}"'


def _cell(value: object, column: int, labels: int, strong: bool) -> str:
    text = visible(cell(value))
    hover = f' title="{escape(text, quote=True)}"' if len(text) > LONGEST else ""
    short = escape(text if len(text) <= LONGEST else text[:LONGEST] + "…", quote=True)
    return f"<td{_way(column, labels)}{hover}>{f'<strong>{short}</strong>' if strong else short}</td>"
