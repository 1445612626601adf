"""A page over several folders of results: the history of a figure, what changed in the plan, two of them compared."""

from __future__ import annotations

import os
from functools import partial
from urllib.parse import quote

from ...experiment.completed_runs import PAGE
from ...experiment.results_history import ResultsHistory, ResultsStep
from ...words.history_in_words import change_in_words, changes_heading, step_in_words, topics_of_step
from ...words.table_captions import history_explained, step_explained
from ..figures.figure import Figure
from ..history_text import folders_table, history_figure, history_table, losers_line, step_table
from ..text_table import TextTable
from .assembly import whole_page
from .data import data_block
from .parts import Section, plot, scroll_box, section, table
from .provenance import portable
from .safe_markup import Html, beginning_of, disclosure, join_children, list_of, name_element, tag

TITLE = "History of results"
CHANGES = 200
"""Changes of one step that are listed."""
LONGEST = 400


def history_page(result: ResultsHistory, place: str = "") -> str:
    """One HTML file; links lead to the page of each folder, relative to the folder ``place`` that it will be in."""
    sections = [
        section("history", f"{result.measure} over folders", _chart(result), _shown(history_table(result), "History")),
        section("folders", "Folders", _folders(result, place)),
        *_steps(result),
        *_notes(result),
    ]
    first = tag(
        "header",
        tag("p", "adjudge report", class_="eyebrow"),
        tag("h1", TITLE),
        tag("p", beginning_of(result.conclusion(), 1500), class_="lead", id="finding"),
        class_="opening",
        id="top",
    )
    return whole_page(TITLE, first, sections, data_block({"systems": [], "versions": [], "topics": [], "pair": []}))


def _chart(result: ResultsHistory) -> Html:
    return plot(
        partial(_draw, result), step_in_words(result.steps[-1], result.measure), history_explained(), name="history"
    )


def _draw(result: ResultsHistory, width: float) -> Figure:
    return history_figure(result, width=width)


def _shown(made: TextTable, label: str) -> Html:
    rows = [[name_element(row[0]), *row[1:]] for row in made.rows]
    header = [made.header[0], *(name_element(cell, 30) for cell in made.header[1:])]
    return scroll_box(table(header, rows, labels=made.labels, class_="sortable"), label)


def _folders(result: ResultsHistory, place: str) -> Html:
    made = folders_table(result)
    rows = []
    for entry, row in zip(result.entries, made.rows, strict=True):
        target = os.path.relpath(os.path.join(entry.folder, PAGE), place or os.curdir).replace(os.sep, "/")
        there = os.path.isfile(os.path.join(entry.folder, PAGE))
        name = name_element(row[0])
        rows.append([tag("a", name, href=quote(target)) if there else name, name_element(row[1], 80), *row[2:]])
    return scroll_box(table(made.header, rows, labels=2), "Folders")


def _steps(result: ResultsHistory) -> list[Section]:
    """The last step whole, and those before it to be opened."""
    last, earlier = result.steps[-1], result.steps[:-1][::-1]
    blocks = [section("last", f"{last.before} → {last.after}", _step(last, result.measure))]
    if earlier:
        closed = [disclosure(f"{step.before} → {step.after}", _step(step, result.measure)) for step in earlier]
        blocks.append(section("earlier", "Earlier steps", join_children(closed)))
    return blocks


def _step(step: ResultsStep, measure: str) -> Html:
    few = [beginning_of(_portable(change_in_words(change)), LONGEST) for change in step.changes[:CHANGES]]
    hidden = len(step.changes) - len(few)
    more = [f"{hidden:,} more"] if hidden > 0 else []
    return join_children(
        [
            tag("p", beginning_of(step_in_words(step, measure), 1500), class_="found"),
            tag("h3", "What changed"),
            tag("p", changes_heading(step)),
            list_of([*few, *more]) if few else None,
            tag("h3", "What it did") if step.systems else None,
            _shown(step_table(step), "Differences of systems") if step.systems else None,
            tag("p", step_explained(), class_="how") if step.systems else None,
            list_of([beginning_of(line, LONGEST) for line in [topics_of_step(step), *losers_line(step)] if line]),
        ]
    )


def _portable(text: str) -> str:
    """A sentence without the folders of the machine."""
    return " ".join(portable(word) for word in text.split(" "))


def _notes(result: ResultsHistory) -> list[Section]:
    if not result.notes:
        return []
    return [section("notes", "Notes", list_of([beginning_of(str(note), 1000) for note in result.notes[:CHANGES]]))]
