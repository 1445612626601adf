"""The one door through which a value asks the rooms above how it is shown.

A value holds facts. When somebody prints a note, asks a result for its conclusion or looks at it in a notebook, the
sentence or the table comes from the rooms ``words`` and ``report``, which import this one and not the other way round.
So they are looked up by name, when they are needed, and nowhere else in the lower rooms.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from typing import Any


def sentence_of(note: Any) -> str:
    """The sentence for a note."""
    text: str = import_module("adjudge.words.notes").sentence(note)
    return text


def conclusion_of(result: Any, **asked: Any) -> str:
    """What a result comes to, in a sentence or two."""
    text: str = import_module("adjudge.words.conclusions").conclusion_of(result, **asked)
    return text


def html_of(value: Any) -> str:
    """A value as HTML for a notebook."""
    text: str = import_module("adjudge.report.notebook").html_of(value)
    return text


def columns_of(value: Any) -> dict[str, list[Any]]:
    """A value as the columns of a table."""
    columns: dict[str, list[Any]] = import_module("adjudge.report.result_tables").columns_of(value)
    return columns


def data_of(value: Any) -> dict[str, Any]:
    """A value as plain data, as JSON holds it."""
    data: dict[str, Any] = import_module("adjudge.report.result_data").data_of(value)
    return data


def chart_of(value: Any, kind: str, **options: Any) -> Any:
    """A chart of a value."""
    return import_module("adjudge.report.result_charts").chart_of(value, kind, **options)


def charts_of(value: Any) -> list[str]:
    """The names of the charts that a value has."""
    names: list[str] = import_module("adjudge.report.result_charts").charts_of(value)
    return names


def paper_table_of(value: Any, form: str, **options: Any) -> str:
    """A result as a table for a paper, in LaTeX, Markdown or HTML."""
    text: str = import_module("adjudge.report.paper_tables").paper_table_of(value, form, **options)
    return text


def trec_text_of(evaluation: Any, **options: Any) -> str:
    """What trec_eval prints of an evaluation."""
    text: str = import_module("adjudge.report.trec_output").trec_text(evaluation, **options)
    return text
