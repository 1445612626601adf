"""What was judged, as files: qrels that all agree on, qrels of each assessor, and all judgments with who made them.

FOLDER/
  qrels.txt         what is agreed or settled; qrels.json if an id cannot stand in a line of TREC
  by/NAME.qrels     the grades of each assessor: adjudge judges by/*.qrels runs/* compares them; or by/NAME.json
  judgments.jsonl   every judgment that stands, with assessor, time, note and evidence
  events.jsonl      all events, those that were taken back too
  definition.json   what the pool was made by: adjudge pool again makes the same pool
  datasheet.md      what, who, how many, when, how far people agree, and what is missing
  unresolved.jsonl  pairs on which people differ, and pairs of which nobody could tell; they have no grade
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from ..collection.workbench.events import event_line
from ..core.qrels import Qrels
from ..core.result import Result
from ..formats.qrels import qrels_text
from ..formats.writing import first_unwritable, to_json, trec_text
from ..pools.pool_files import definition_text
from ..storage.access import writing
from ..storage.replace import write_bytes
from .desk_datasheet import pool_datasheet
from .judgment_book import ASIDE, DIFFERING, JudgmentBook


@dataclass(frozen=True)
class DeskExport(Result):
    """What was exported."""

    qrels: Qrels
    assessors: tuple[str, ...]
    differing: int
    """Pairs on which people differ and that nobody has settled: they have no grade."""
    set_aside: int
    """Pairs of which nobody could tell."""
    outside: int
    """Judgments of pairs that are not in the pool any more."""
    bad: int
    """Events that cannot be read and are set aside."""
    not_trec: str
    """Why judgments go to files of JSON: the first id that cannot stand in a line of TREC; nothing if all can."""


def summarise(book: JudgmentBook) -> DeskExport:
    """What an export has, without writing it."""
    states = [outcome.state for _, outcome in book.outcomes()]
    qrels = book.qrels()
    return DeskExport(
        qrels,
        book.assessors,
        states.count(DIFFERING),
        states.count(ASIDE),
        sum(book.outside.values()),
        len(book.bad),
        not_trec(qrels),
    )


def not_trec(qrels: Qrels) -> str:
    """The first id of judgments that cannot stand in a line of TREC, with what it is of; nothing if all can."""
    topic = first_unwritable(qrels.topics, first=True)
    if topic is not None:
        return f"topic {topic!r}"
    document = first_unwritable(qrels.documents)
    return "" if document is None else f"document {document!r}"


def judgment_file(qrels: Qrels, name: str, ending: str) -> tuple[str, bytes]:
    """The name and the content of a file of judgments: TREC's lines, or JSON if an id cannot stand in one."""
    if not_trec(qrels):
        return f"{name}.json", to_json(qrels.to_dict())
    return f"{name}.{ending}", trec_text(qrels_text(qrels))


def write_judgments(book: JudgmentBook, folder: Path, name: str = "judgments") -> DeskExport:
    """Write all files of an export, of a project of that name; those of an earlier one are replaced."""
    book.refresh()
    summary = summarise(book)
    again = all((folder / file).exists() for file in ("judgments.jsonl", "events.jsonl"))
    with writing(folder):
        (folder / "by").mkdir(parents=True, exist_ok=True)
    _write_qrels(summary.qrels, folder, "qrels", "txt", again)
    for who, file in file_names(book.assessors).items():
        if any(each.grade is not None for each in book.judgments(who)):
            _write_qrels(book.qrels(who), folder / "by", file, "qrels", again)
    for file, text in (
        ("judgments.jsonl", judgment_lines(book)),
        ("events.jsonl", "".join(map(event_line, book.store.events()))),
        ("unresolved.jsonl", unresolved_lines(book)),
        ("definition.json", definition_text(book.pool)),
        ("datasheet.md", pool_datasheet(book, name)),
    ):
        write_bytes(folder / file, text.encode("utf-8", "surrogatepass"))
    return summary


def _write_qrels(qrels: Qrels, folder: Path, name: str, ending: str, again: bool) -> None:
    file, content = judgment_file(qrels, name, ending)
    write_bytes(folder / file, content)
    if again:  # what the earlier export called otherwise goes with it
        other = folder / (f"{name}.{ending}" if file.endswith(".json") else f"{name}.json")
        with writing(other):
            other.unlink(missing_ok=True)


def file_names(people: Collection[str]) -> dict[str, str]:
    """A name of a file for each person; two people never share one."""
    names: dict[str, str] = {}
    for who in people:
        plain = re.sub(r"[^\w.-]+", "_", who).strip("._") or "assessor"
        taken = {each.casefold() for each in names.values()}
        names[who] = next(
            name for name in chain([plain], (f"{plain}-{n}" for n in count(2))) if name.casefold() not in taken
        )
    return names


def judgment_lines(book: JudgmentBook) -> str:
    """Every judgment that stands, with strata and probabilities of the pool, as lines of JSON."""
    return _lines(each.record() | _drawn(book, each.topic, each.document) for each in book.judgments())


def unresolved_lines(book: JudgmentBook) -> str:
    """Pairs without a grade, with what people say, as lines of JSON."""
    rows: list[dict[str, object]] = []
    for (topic, document), outcome in book.outcomes():
        if outcome.grade is None:
            said = {who: each.record()["grade"] for who, each in book.people((topic, document)).items()}
            rows.append({"topic": topic, "document": document, "state": outcome.state, "judgments": said})
    return _lines(rows)


def _drawn(book: JudgmentBook, topic: str, document: str) -> dict[str, object]:
    row = book.pool.row_of(topic, document)
    if row is None:
        return {"pooled": False}
    return {"stratum": int(book.pool.strata[row]), "probability": float(book.pool.probabilities[row])}


def _lines(records: Iterable[dict[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
