"""The table of the Confusion Track and what stands behind it, for every version of a corpus."""

from __future__ import annotations

from collections.abc import Mapping

from ..experiment.track import Track, TrackVersion
from ..words.outcomes import questions_asked, result_on_version
from . import comparison as pairs_report
from .known_item_data import as_json as study_json
from .known_item_data import curves_text
from .known_item_text import as_text as study_text
from .text_table import TextTable, json_text, lines_of
from .track_figures import paper_figures

PAIRS = 20


def mrr_table(track: Track, digits: int = 4) -> TextTable:
    """Mean reciprocal ranks: a row for each system, a column for each version, the best of each marked."""
    names = list(_first(track).item.systems)
    columns = [o.item.mrr.tolist() for o in track.versions.values()]
    return TextTable.of_numbers(["MRR", *track.versions], names, columns, digits=digits, better="high")


def found_table(track: Track) -> TextTable:
    """Count the items that each system found, with the bootstrap interval of its mean reciprocal rank."""
    names = list(_first(track).item.systems)
    header = ["found"]
    columns: list[list[object]] = []
    for version, outcome in track.versions.items():
        header += [version, "MRR low", "high"]
        columns.append(outcome.item.found.tolist())
        resamples = outcome.study.bootstrap
        ends: list[list[object]] = [[float("nan")] * len(names)] * 2 if resamples is None else resamples.mrr.T.tolist()
        columns.extend(ends)
    exact = [[name, *(column[i] for column in columns)] for i, name in enumerate(names)]
    rows = [[str(c) if not isinstance(c, float) else f"{c:.3f}" for c in row] for row in exact]
    return TextTable(header, rows, 1, exact=exact)


def cost_table(track: Track) -> TextTable:
    """Seconds to prepare and to answer, and the peak of memory."""
    names = list(_first(track).item.systems)
    header = ["cost"]
    for version in track.versions:
        header += [f"{version}: prepare s", "answer s", "MB"]
    exact: list[list[object]] = []
    for name in names:
        row: list[object] = [name]
        for outcome in track.versions.values():
            record = outcome.records[name]
            row += [record.prepared, record.answered, record.memory]
        exact.append(row)
    rows = [[f"{c:.1f}" if isinstance(c, float) else str(c) for c in row] for row in exact]
    return TextTable(header, rows, 1, exact=exact)


def as_text(track: Track, form: str, *, colour: bool) -> str:
    """The tables, and what each version comes to in words."""
    if form == "csv":
        return mrr_table(track).csv()
    if form == "json":
        return as_json(track)
    tables = [mrr_table(track), found_table(track), cost_table(track)]
    pages = [table.form(form, colour=colour) for table in tables]
    lines = [questions_asked(len(_first(track).item.questions))]
    for version, outcome in track.versions.items():
        lines += [
            result_on_version(version, result) for result in (outcome.study, outcome.comparison) if result is not None
        ]
    pages.append(lines_of([*lines, *map(str, track.notes)], form))
    return "\n".join(pages)


def as_json(track: Track) -> str:
    data = {
        version: {
            "mrr": dict(zip(o.item.systems, o.item.mrr.tolist(), strict=True)),
            "found": dict(zip(o.item.systems, o.item.found.tolist(), strict=True)),
            "questions": list(o.item.questions),
            "ranks": dict(zip(o.item.systems, o.item.ranks.tolist(), strict=True)),
            "seconds": {name: [r.prepared, r.answered] for name, r in o.records.items()},
            "megabytes": {name: r.memory for name, r in o.records.items()},
            "told": {name: list(map(str, r.notes)) for name, r in o.records.items() if r.notes},
            "conclusion": o.study.conclusion(),
        }
        for version, o in track.versions.items()
    }
    return json_text({"versions": data, "notes": list(map(str, track.notes))})


def track_files(track: Track, folders: Mapping[str, str]) -> dict[str, bytes]:
    """Everything as files by their paths: the tables, and for each version curves, the paper's figures, dominance and
    significance."""
    files = {
        f"confusion.{ending}": as_text(track, form, colour=False)
        for form, ending in (("table", "txt"), ("md", "md"), ("latex", "tex"), ("csv", "csv"), ("json", "json"))
    }
    for version, outcome in track.versions.items():
        inner = f"versions/{folders[version]}"
        files[f"{inner}/known-item.txt"] = study_text(outcome.study, "table", PAIRS, colour=False)
        files[f"{inner}/known-item.json"] = study_json(outcome.study)
        files[f"{inner}/curves.csv"] = curves_text(outcome.study, "csv")
        for name, figure in paper_figures(outcome.study).items():
            files[f"{inner}/{name}.svg"] = figure.svg()
        if outcome.comparison is not None:
            text = pairs_report.as_text(outcome.comparison, "table", 4, PAIRS, colour=False)
            files[f"{inner}/significance.txt"] = text
            files[f"{inner}/significance.json"] = pairs_report.as_json(outcome.comparison)
    return {name: text.encode() for name, text in files.items()}


def _first(track: Track) -> TrackVersion:
    return next(iter(track.versions.values()))
