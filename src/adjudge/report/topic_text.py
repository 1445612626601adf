"""Two rankings of a topic as people and scripts want to see them."""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap
from typing import Any

from ..core.visible import visible
from ..experiment.ranked_lists import ListedDocument
from ..experiment.topic_rankings import TopicRankings
from ..words.relevance_grades import grade_text
from ..words.topic_comparison import missed_line, movement
from .search_results import PAGE
from .text_table import BOLD, FAINT, PLAIN, TextTable, json_text, lines_of

NARROWEST = 24
"""Characters of a column on a terminal."""
LINES = 2
"""Lines of first words of a document."""


def topic_table(result: TopicRankings) -> TextTable:
    """A row for each document of each list."""
    header = ["system", "rank", "document", "grade", "beside", "title", "first words"]
    rows, exact = [], []
    for system, documents in zip(result.systems, result.lists, strict=True):
        for row in documents:
            texts = [row.extract.title, row.extract.words]
            rows.append([system, str(row.rank), row.document, _grade(row, result), movement(row), *texts])
            exact.append([system, row.rank, row.document, row.grade, row.beside, *texts])
    if not any(row[5] or row[6] for row in rows):
        header, rows, exact = header[:5], [row[:5] for row in rows], [row[:5] for row in exact]
    return TextTable(header, rows, len(header), exact=exact)


def _grade(row: ListedDocument, result: TopicRankings) -> str:
    return grade_text(row.grade, result.level, graded=result.graded)


def as_text(result: TopicRankings, form: str, *, colour: bool = False, width: int = PAGE) -> str:
    """In one of the forms of a table; for people two columns."""
    if form == "json":
        return json_text(as_data(result))
    if form == "csv":
        return topic_table(result).csv()
    if form == "html":
        return topic_table(result).html() + "\n"
    lines = lines_of([line for line in (result.conclusion(), missed_line(result)) if line], form)
    if form != "table":
        return f"{topic_table(result).form(form)}\n{lines}"
    title = f"{visible(result.topic)}  {visible(result.question)}".strip()
    return "\n".join([title, "", *_columns(result, width, colour=colour), "", visible_lines(lines)])


def visible_lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _columns(result: TopicRankings, width: int, *, colour: bool) -> list[str]:
    """Both lists beside each other, so many characters wide."""
    own = max(NARROWEST, (width - 3) // 2)
    heads = [_padded(visible(name), own, BOLD if colour else "") for name in result.systems]
    lines = [f"{heads[0]} │ {heads[1]}".rstrip()]
    for pair in zip_longest(*result.lists):
        blocks = [_block(row, result, own, colour=colour) if row else [] for row in pair]
        for left, right in zip_longest(*blocks, fillvalue=("", "")):
            cells = [_padded(text, own, style) for text, style in (left, right)]
            lines.append(f"{cells[0]} │ {cells[1]}".rstrip())
    return lines


def _padded(text: str, width: int, style: str) -> str:
    shown = text if len(text) <= width else f"{text[: width - 1]}…"
    return (f"{style}{shown}{PLAIN}" if style else shown) + " " * (width - len(shown))


def _block(row: ListedDocument, result: TopicRankings, width: int, *, colour: bool) -> list[tuple[str, str]]:
    """The lines of one document, each with its style: rank, id, grade and movement, then title and first words."""
    good = row.grade is not None and row.grade >= result.level
    head = f"{row.rank:>3} {visible(row.document)}  {_grade(row, result)}  {movement(row)}"
    lines = [(head, BOLD if colour and good else "")]
    indent = " " * 4
    if row.extract.title:
        lines.append((indent + visible(row.extract.title), ""))
    words = wrap(visible(row.extract.words), max(10, width - len(indent)))[:LINES]
    return [*lines, *((indent + line, FAINT if colour else "") for line in words)]


def as_data(result: TopicRankings) -> dict[str, Any]:
    """All facts, for a script."""
    return {
        "topic": result.topic,
        "question": result.question,
        "systems": list(result.systems),
        "depth": result.depth,
        "level": result.level,
        "values": {name: list(both) for name, both in result.values.items()},
        "relevant": result.relevant,
        "shared": result.shared,
        "unjudged": list(result.unjudged),
        "lists": {
            system: [
                {
                    "rank": row.rank,
                    "document": row.document,
                    "grade": row.grade,
                    "beside": row.beside,
                    "title": row.extract.title,
                    "words": row.extract.words,
                }
                for row in rows
            ]
            for system, rows in zip(result.systems, result.lists, strict=True)
        },
        "missed": [
            {"document": each.document, "grade": each.grade, "ranks": list(each.ranks), "title": each.extract.title}
            for each in result.missed
        ],
        "missed_more": result.missed_more,
        "notes": list(map(str, result.notes)),
        "conclusion": result.conclusion(),
    }
