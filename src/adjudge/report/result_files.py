"""Make the files of the folder of results from findings: scores, verdicts, tables and the page.

RESULTS/
  report.html          the page
  results.txt          the main table and the findings in words; also .md, .tex, .csv
  scores.parquet       version, system, topic, measure, value
  verdicts.json        figures, intervals, tests, sensitivity, curves of every version, with all digits
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..comparison.matrix import coverage_by_system
from ..core.english import quantity
from ..experiment.completed_runs import PAGE, SCORES, TABLES, VERDICTS
from ..experiment.findings import Findings, Single, VersionFindings
from ..formats.writing import to_parquet
from ..words.headlines import certainty, headline
from ..words.outcomes import conclusion
from . import comparison, groups_text, known_item_data, sensitivity_text
from .pool_tables import bands_data
from .text_table import TextTable, json_text, lines_of


def result_files(findings: Findings) -> dict[str, bytes]:
    """Make all files, by name."""
    from .page import page

    files = {
        SCORES: scores_parquet(findings),
        VERDICTS: json_text(verdicts(findings)).encode(),
        PAGE: page(findings).encode(),
    }
    return files | {name: as_text(findings, form).encode("utf-8", "replace") for form, name in TABLES.items()}


def scores_parquet(findings: Findings) -> bytes:
    """One row for each version, system, topic and measure that has a value."""
    columns: dict[str, list[Any]] = {name: [] for name in ("version", "system", "topic", "measure", "value")}
    for name, part in findings.versions.items():
        frame = part.scores.to_polars()
        columns["version"] += [name] * len(frame)
        for column in ("system", "topic", "measure", "value"):
            columns[column] += frame[column].to_list()
    return to_parquet(columns)


def verdicts(findings: Findings) -> dict[str, Any]:
    """Collect all conclusions for scripts."""
    return {
        "title": findings.title,
        "conclusions": [conclusion(concluded) for concluded in findings.conclusions],
        "documents": findings.documents,
        "versions": {name: _verdict(part) for name, part in findings.versions.items()},
        "notes": list(map(str, findings.notes)),
        **({"tuning": findings.tuning.to_dict()} if findings.tuning is not None else {}),
    }


def _verdict(part: VersionFindings) -> dict[str, Any]:
    scores = part.scores
    names = [column.name for column in scores.columns]
    means = part.figures["mean"]
    return {
        "main": part.main,
        "topics": list(scores.topics),
        "measures": [{"name": c.name, "measure": c.measure, "better": c.better} for c in scores.columns],
        "systems": {
            system: {
                measure: {
                    "mean": float(means[s, m]),
                    "interval": part.intervals[s, m].tolist(),
                    **{by: float(figures[s, m]) for by, figures in part.figures.items() if by != "mean"},
                }
                for m, measure in enumerate(names)
            }
            for s, system in enumerate(scores.systems)
        },
        "comparison": comparison.as_data(part.comparison) if part.comparison else None,
        "groups": groups_text.as_data(part.groups) if part.groups else None,
        "bands": {bands.measure: bands_data(bands) for bands in part.bands},
        "sensitivity": sensitivity_text.as_data(part.sensitivity) if part.sensitivity else None,
        "known_item": known_item_data.as_data(part.study) if part.study else None,
        "precision_at_recall": dict(zip(scores.systems, part.precision.tolist(), strict=True)),
        "agreement": {
            a: dict(zip(names, row, strict=True)) for a, row in zip(names, part.agreement.tolist(), strict=True)
        },
        "errors": part.errors._asdict() if part.errors else None,
        "coverage": {name: each._asdict() for name, each in coverage_by_system(scores).items()},
        "left_out": list(part.left_out),
        "notes": list(map(str, part.notes)),
    }


def main_table(findings: Findings, digits: int = 4) -> TextTable:
    """The main measure of each system on each version; with one version, all measures."""
    versions = list(findings.versions.values())
    if len(versions) == 1:
        return _measures_table(versions[0], digits)
    names = list(dict.fromkeys(name for part in versions for name in part.scores.systems))
    columns, header = [], []
    for part in versions:
        place = {name: s for s, name in enumerate(part.scores.systems)}
        column = [c.name for c in part.scores.columns].index(part.main)
        figures = part.figures["mean"][:, column].tolist()
        columns.append([figures[place[name]] if name in place else float("nan") for name in names])
        header.append(part.version)
    way = next(c.better for c in versions[0].scores.columns if c.name == versions[0].main)
    return TextTable.of_numbers([versions[0].main, *header], names, columns, digits=digits, better=way)


def _measures_table(part: VersionFindings, digits: int) -> TextTable:
    from ..core.english import rounded
    from .text_table import best_of

    scores, means = part.scores, part.figures["mean"]
    order = part.order if part.comparison else range(len(scores.systems))
    main = [c.name for c in scores.columns].index(part.main)
    places = [main, *(m for m in range(len(scores.columns)) if m != main)]
    exact: list[list[object]] = []
    for s in order:
        low, high = part.intervals[s, main].tolist()
        exact.append([scores.systems[s], float(means[s, main]), low, high, *(float(means[s, m]) for m in places[1:])])
    rows = [[str(row[0]), *(rounded(float(str(cell)), digits) for cell in row[1:])] for row in exact]
    header = ["system", part.main, "95% low", "high", *(scores.columns[m].name for m in places[1:])]
    columns = [[float(str(row[c])) for row in exact] for c in range(1, len(header))]
    better = [scores.columns[main].better, "", "", *(scores.columns[m].better for m in places[1:])]
    return TextTable(header, rows, 1, best_of(columns, better, rows), exact)


def as_text(findings: Findings, form: str, *, colour: bool = False) -> str:
    """The main table, then what was found, in one of the forms of a table."""
    table = main_table(findings)
    if form == "csv":
        return table.csv()
    return "\n".join([table.form(form, colour=colour), lines_of(list(lines_of_findings(findings)), form)])


def lines_of_findings(findings: Findings) -> Iterator[str]:
    """What was found, a sentence at a time."""
    part = next(iter(findings.versions.values()))
    count = len(part.scores.topics)
    what = quantity(count, "topic")
    if findings.documents:
        what += f", {quantity(findings.documents, 'document')}"
    yield f"{what}; intervals: bootstrap over topics."
    yield f"{''.join(headline(findings))} {''.join(certainty(findings))}".rstrip()
    yield from (conclusion(each) for each in findings.conclusions if not isinstance(each.basis, Single))
    notes = dict.fromkeys((*findings.notes, *(n for f in findings.versions.values() for n in f.notes)))
    yield from (f"note: {line}" for line in notes)
