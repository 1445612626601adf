"""The table of the Confusion Track and what stands behind it, for every version of a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..comparison.known_item.ranks import KnownItem
from ..comparison.known_item.study import Study
from ..comparison.verdict import Comparison
from ..experiment.cell import Record
from ..formats.writing import write
from . import comparison as pairs_report
from .known_item import as_text as study_text
from .known_item_data import as_json as study_json
from .known_item_data import curves_text
from .table import Table, json_text, said

PAIRS = 20


@dataclass(frozen=True)
class Outcome:
    """What was found on one version."""

    study: Study
    comparison: Comparison | None
    """None if there is one system only."""
    records: Mapping[str, Record]

    @property
    def item(self) -> KnownItem:
        return self.study.item


def mrr_table(outcomes: Mapping[str, Outcome], digits: int = 4) -> Table:
    """Mean reciprocal ranks: a row for each system, a column for each version, the best of each marked."""
    names = list(next(iter(outcomes.values())).item.systems)
    columns = [o.item.mrr.tolist() for o in outcomes.values()]
    return Table.of_numbers(["MRR", *outcomes], names, columns, digits=digits, better="high")


def found_table(outcomes: Mapping[str, Outcome]) -> Table:
    """How many of the items each system found, and the bootstrap interval of its mean reciprocal rank."""
    names = list(next(iter(outcomes.values())).item.systems)
    header = ["found"]
    columns: list[list[object]] = []
    for version, outcome in outcomes.items():
        header += [version, "MRR low", "high"]
        columns.append(outcome.item.found.tolist())
        made = outcome.study.bootstrap
        ends: list[list[object]] = [[float("nan")] * len(names)] * 2 if made is None else made.mrr.T.tolist()
        columns.extend(ends)
    exact = [[name, *(column[i] for column in columns)] for i, name in enumerate(names)]
    rows = [[str(c) if not isinstance(c, float) else f"{c:.3f}" for c in row] for row in exact]
    return Table(header, rows, 1, exact=exact)


def cost_table(outcomes: Mapping[str, Outcome]) -> Table:
    """Seconds to prepare and to answer, and the peak of memory."""
    names = list(next(iter(outcomes.values())).item.systems)
    header = ["cost"]
    for version in outcomes:
        header += [f"{version}: prepare s", "answer s", "MB"]
    exact: list[list[object]] = []
    for name in names:
        row: list[object] = [name]
        for outcome in outcomes.values():
            record = outcome.records[name]
            row += [record.prepared, record.answered, record.memory]
        exact.append(row)
    rows = [[f"{c:.1f}" if isinstance(c, float) else str(c) for c in row] for row in exact]
    return Table(header, rows, 1, exact=exact)


def as_text(outcomes: Mapping[str, Outcome], notes: Sequence[str], form: str, *, colour: bool) -> str:
    """The tables, and what each version comes to in words."""
    if form == "csv":
        return mrr_table(outcomes).csv()
    if form == "json":
        return as_json(outcomes, notes)
    tables = [mrr_table(outcomes), found_table(outcomes), cost_table(outcomes)]
    pages = [table.form(form, colour=colour) for table in tables]
    questions = len(next(iter(outcomes.values())).item.questions)
    lines = [f"{questions} questions. Intervals: bootstrap over questions."]
    for version, outcome in outcomes.items():
        lines.append(f"{version}: {outcome.study.conclusion()}")
        if outcome.comparison is not None:
            lines.append(f"{version}: {outcome.comparison.conclusion()}")
    pages.append(said([*lines, *notes], form))
    return "\n".join(pages)


def as_json(outcomes: Mapping[str, Outcome], notes: Sequence[str]) -> str:
    data = {
        version: {
            "mrr": dict(zip(o.item.systems, o.item.mrr.tolist(), strict=True)),
            "found": dict(zip(o.item.systems, o.item.found.tolist(), strict=True)),
            "questions": list(o.item.questions),
            "ranks": dict(zip(o.item.systems, o.item.ranks.tolist(), strict=True)),
            "seconds": {name: [r.prepared, r.answered] for name, r in o.records.items()},
            "megabytes": {name: r.memory for name, r in o.records.items()},
            "told": {name: list(r.notes) for name, r in o.records.items() if r.notes},
            "conclusion": o.study.conclusion(),
        }
        for version, o in outcomes.items()
    }
    return json_text({"versions": data, "notes": list(notes)})


def write_all(outcomes: Mapping[str, Outcome], notes: Sequence[str], folder: Path, names: Mapping[str, str]) -> None:
    """Everything as files: the tables, and for each version curves, dominance and significance."""
    for form, ending in (("table", "txt"), ("md", "md"), ("latex", "tex"), ("csv", "csv"), ("json", "json")):
        write(folder / f"confusion.{ending}", as_text(outcomes, notes, form, colour=False).encode())
    for version, outcome in outcomes.items():
        inner = folder / "versions" / names[version]
        inner.mkdir(parents=True, exist_ok=True)
        write(inner / "known-item.txt", study_text(outcome.study, "table", PAIRS, colour=False).encode())
        write(inner / "known-item.json", study_json(outcome.study).encode())
        write(inner / "curves.csv", curves_text(outcome.study, "csv").encode())
        if outcome.comparison is not None:
            text = pairs_report.as_text(outcome.comparison, "table", 4, PAIRS, colour=False)
            write(inner / "significance.txt", text.encode())
            write(inner / "significance.json", pairs_report.as_json(outcome.comparison).encode())
