"""Technical terms as people and scripts want to see them."""

from __future__ import annotations

import json
import math

from ..core.english import rounded
from ..terms.terms import Term, Terms
from .text_table import TextTable

SHOWN = 4
"""Forms of a term in a table; CSV and JSON have all."""


def terms_text(terms: Terms, top: int, form: str, digits: int, *, colour: bool) -> str:
    """The best terms in one of the forms of a table: rank, class, forms, frequency, values."""
    nc = terms.nc_values is not None
    rows, exact = [], []
    for rank, term in enumerate(terms[:top], 1):
        values = [term.c_value, term.nc_value] if nc else [term.c_value]
        rows.append([str(rank), term.name, _few(term), str(term.frequency), *(rounded(v, digits) for v in values)])
        forms: object = json.dumps(term.forms, ensure_ascii=False) if form == "csv" else term.forms
        numbers = [None if math.isnan(value) else value for value in values]
        exact.append([rank, term.name, forms, term.frequency, *numbers])
    header = ["rank", "class", "forms", "frequency", "c_value", *(["nc_value"] if nc else [])]
    return TextTable(header, rows, 3, exact=exact).form(form, colour=colour)


def _few(term: Term) -> str:
    few = list(term.forms.items())[:SHOWN]
    more = f", {len(term.forms) - SHOWN} more" if len(term.forms) > SHOWN else ""
    return ", ".join(f"{form} {number}" for form, number in few) + more
