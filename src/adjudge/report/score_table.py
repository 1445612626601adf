"""Scores as people and scripts want them: table, trec_eval's lines, CSV, JSON, Markdown, LaTeX, Parquet."""

from __future__ import annotations

import math

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..core.scores import Column, Scores
    from ..evaluation.plain_files import PlainScores
    from ..evaluation.plain_names import PlainColumn
    from .text_table import TextTable

    ScoreRows = Scores | PlainScores

FORMATS = ("table", "trec", "csv", "json", "md", "latex", "parquet")
EXACT = -1
"""Instead of a number of digits: as many as the number has."""


def as_text(scores: ScoreRows, form: str, *, per_topic: bool = False, digits: int = 4, colour: bool = False) -> str:
    if form == "trec":
        return trec_lines(scores, per_topic=per_topic)
    if form == "json":
        from .text_table import json_text

        return json_text(as_data(scores, per_topic=per_topic))
    table = as_table(scores, per_topic=per_topic, digits=EXACT if form == "csv" else digits)
    return table.form(form, colour=colour)


def score_text(value: float, column: Column | PlainColumn, digits: int) -> str:
    """A figure as it is printed: counts whole, the rest with so many decimals, nothing where there is no value."""
    if math.isnan(value):
        return ""
    if column.average == "sum" and value == int(value):
        return str(int(value))
    from ..core.english import rounded

    return repr(value) if digits == EXACT else rounded(value, digits)


def as_table(scores: ScoreRows, *, per_topic: bool, digits: int) -> TextTable:
    from .text_table import TextTable, best_of

    if not per_topic:
        figures = [list(row.values()) for row in scores.summary().values()]
        rows = [[name, *_cells(scores, row, digits)] for name, row in zip(scores.systems, figures, strict=True)]
        columns = [[row[m] for row in figures] for m in range(len(scores.columns))]
        best = best_of(columns, [column.better for column in scores.columns], rows)
        return TextTable(["system", *scores.measures], rows, 1, best)
    rows = []
    several = len(scores.systems) > 1
    summary = scores.summary()
    for s, system in enumerate(scores.systems):
        for t, topic in enumerate(scores.topics):
            cells = _cells(scores, scores.row(s, t), digits, (s, t))
            if any(cells):
                rows.append([system, topic, *cells] if several or digits == EXACT else [topic, *cells])
        if digits != EXACT:
            figures_of = list(summary[system].values())
            rows.append([*([system] if several else []), "all", *_cells(scores, figures_of, digits)])
    labels = ["system", "topic"] if several or digits == EXACT else ["topic"]
    return TextTable([*labels, *scores.measures], rows, len(labels))


def _cells(scores: ScoreRows, values: Sequence[float], digits: int, place: tuple[int, int] | None = None) -> list[str]:
    cells = []
    columns: Sequence[Column | PlainColumn] = scores.columns
    for column, value in zip(columns, values, strict=True):
        texts = scores.texts.get(column.measure)
        cells.append(
            str(texts[place]) if texts is not None and place is not None else score_text(value, column, digits)
        )
    return cells


def trec_lines(scores: ScoreRows, *, per_topic: bool) -> str:
    """Lines as trec_eval prints them, one block a run, under the names that were asked for."""
    lines: list[str] = []
    columns: Sequence[Column | PlainColumn] = scores.columns
    summary = scores.summary()
    whole = [column.average == "sum" for column in scores.columns]
    for s, system in enumerate(scores.systems):
        lines.append(f"{'runid':<22}\tall\t{system}")
        if per_topic:
            for t, topic in enumerate(scores.topics):
                row = scores.row(s, t)
                for m, column in enumerate(columns):
                    texts = scores.texts.get(column.measure)
                    if texts is not None:
                        lines.append(f"{column.name:<22}\t{topic}\t'{texts[s, t]}'")
                    elif not math.isnan(row[m]):
                        lines.append(trec_line(column.name, topic, row[m], whole=whole[m]))
        for m, value in enumerate(summary[system].values()):
            if not math.isnan(value):
                lines.append(trec_line(columns[m].name, "all", value, whole=whole[m]))
    return "\n".join(lines) + "\n"


def trec_line(name: str, topic: str, value: float, *, whole: bool) -> str:
    return "%-22s\t%s\t%d" % (name, topic, value) if whole else "%-22s\t%s\t%6.4f" % (name, topic, value)  # noqa: UP031


def as_data(scores: ScoreRows, *, per_topic: bool) -> dict[str, Any]:
    """Collect figures by system and measure for JSON, values by topic if wanted, and notes."""

    def finite(row: dict[str, float]) -> dict[str, float]:
        return {name: value for name, value in row.items() if math.isfinite(value)}

    data: dict[str, Any] = {
        "measures": {c.name: {"measure": c.measure, "average": c.average} for c in scores.columns},
        "figures": {system: finite(row) for system, row in scores.summary().items()},
    }
    if per_topic:
        place = {topic: t for t, topic in enumerate(scores.topics)}
        data["topics"] = {
            system: {
                topic: finite(row) | _texts(scores, s, place[topic]) for topic, row in scores.per_topic(system).items()
            }
            for s, system in enumerate(scores.systems)
        }
    return data | {"notes": list(map(str, scores.notes))}


def _texts(scores: ScoreRows, system: int, topic: int) -> dict[str, str]:
    return {c.name: str(scores.texts[c.measure][system, topic]) for c in scores.columns if c.measure in scores.texts}


def as_bytes(scores: Scores, *, per_topic: bool) -> bytes:
    """Parquet: system, (topic,) measure, value."""
    import io

    import polars as pl

    from ..core.encoding import escaped
    from ..core.errors import DataError

    if any(escaped(name) != name for name in (*scores.systems, *scores.topics)):
        raise DataError("a name has bytes that are not UTF-8, which Parquet cannot hold: write CSV or JSON")
    if per_topic:
        frame = scores.to_polars()
    else:
        rows = [(s, m, value) for s, row in scores.summary().items() for m, value in row.items()]
        schema = {"system": pl.String, "measure": pl.String, "value": pl.Float64}
        frame = pl.DataFrame(rows, schema=schema, orient="row")
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()
