"""Estimated quality of OCR as a table: the collection first, then the worst documents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..words.ocr_estimate import estimate_in_words
from .text_table import TextTable, json_text, lines_of

if TYPE_CHECKING:
    from ..noise.ocr_quality import QualityEstimate

HEADER = ["document", "words", "error rate", "low", "high", "confidence"]


def quality_rows(result: QualityEstimate, count: int | None = None) -> list[list[Any]]:
    """Documents with their figures, the worst first."""
    return [
        [
            each.id,
            each.words,
            each.error_rate,
            each.low,
            each.high,
            None if math.isnan(each.confidence) else each.confidence,
        ]
        for each in result.documents[:count]
    ]


def quality_text(result: QualityEstimate, count: int, form: str, digits: int, *, colour: bool) -> str:
    """The worst documents as a table, and what there is to say of all; a CSV file has the table alone."""
    exact = quality_rows(result, count)
    confident = any(row[-1] is not None for row in exact)
    header = HEADER if confident else HEADER[:-1]
    exact = [row[: len(header)] for row in exact]
    rows = [[_shown(value, digits) for value in row] for row in exact]
    table = TextTable(header, rows, exact=exact).form(form, colour=colour)
    return table if form == "csv" else f"{lines_of(estimate_in_words(result), form)}\n{table}"


def _shown(value: Any, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.0f}" if value > 1 else f"{value:.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def quality_json(result: QualityEstimate, count: int | None = None) -> str:
    """The same with all digits."""
    names = ("error_rate", "low", "high", "level", "words_right", "words_right_at_half", "words_right_at_one")
    data: dict[str, object] = {"documents": len(result.documents)} | {name: getattr(result, name) for name in names}
    data["worst"] = [dict(zip(HEADER, row, strict=True)) for row in quality_rows(result, count)]
    return json_text(data)
