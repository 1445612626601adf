"""What was judged, as files: qrels that all agree on, qrels of each assessor, and all judgments with who made them.

FOLDER/
  qrels.txt         what is agreed or settled; qrels.json if an id cannot stand in a line of TREC
  by/NAME.qrels     the grades of each assessor: adjudge judges by/*.qrels runs/* --common; or by/NAME.json
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
from .judgment_book import ASIDE, DIFFERING, SETTLED, JudgmentBook

JUDGMENTS, UNRESOLVED, EVENTS = "judgments.jsonl", "unresolved.jsonl", "events.jsonl"
DEFINITION, DATASHEET = "definition.json", "datasheet.md"


@dataclass(frozen=True)
class DeskExport(Result):
    """What was exported."""

    qrels: Qrels
    assessors: tuple[str, ...]
    judgments: int
    """What the assessors said of pairs of the pool: a pair that two people judged has two judgments."""
    differing: int
    """Pairs on which people differ and that nobody has settled: they have no grade."""
    set_aside: int
    """Pairs of which nobody could tell."""
    unsure: int
    """Pairs of which an adjudicator could not tell."""
    outside: int
    """Judgments of pairs that are not in the pool any more."""
    bad: int
    """Events that cannot be read and are set aside."""
    not_trec: str
    """Why judgments go to files of JSON: the first id that cannot stand in a line of TREC; nothing if all can."""


def summarise(book: JudgmentBook) -> DeskExport:
    """What an export has, without writing it."""
    outcomes = dict(book.outcomes())
    states = [outcome.state for outcome in outcomes.values()]
    qrels = book.qrels()
    return DeskExport(
        qrels,
        book.assessors,
        sum(len(book.people(pair)) for pair in outcomes),
        states.count(DIFFERING),
        states.count(ASIDE),
        sum(outcome.state == SETTLED and outcome.grade is None for outcome in outcomes.values()),
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
    again = all((folder / file).exists() for file in (JUDGMENTS, EVENTS))
    with writing(folder):
        (folder / "by").mkdir(parents=True, exist_ok=True)
    _write_qrels(summary.qrels, folder, "qrels", "txt", again)
    files = grade_files(book)
    for who, name_of in file_names(book.everybody).items():
        if who in files:
            _write_qrels(book.qrels(who), folder / "by", name_of, "qrels", again)
        elif again:  # what this person has taken back since
            _remove(folder / "by" / f"{name_of}.qrels", folder / "by" / f"{name_of}.json")
    for file, text in (
        (JUDGMENTS, judgment_lines(book)),
        (EVENTS, "".join(map(event_line, book.store.events()))),
        (UNRESOLVED, unresolved_lines(book)),
        (DEFINITION, definition_text(book.pool)),
        (DATASHEET, datasheet_text(book, name)),
    ):
        write_bytes(folder / file, text.encode("utf-8", "surrogatepass"))
    return summary


def datasheet_text(book: JudgmentBook, name: str) -> str:
    """The datasheet of a project of that name, with the files that an export has."""
    graded = any(outcome.grade is not None for _, outcome in book.outcomes())
    agreed = [judgment_file(book.qrels(), "qrels", "txt")[0]] if graded else []
    by = [f"by/{file}" for file in grade_files(book).values()]
    return pool_datasheet(book, name, [*agreed, JUDGMENTS, UNRESOLVED, EVENTS, DEFINITION, *by])


def grade_files(book: JudgmentBook) -> dict[str, str]:
    """{assessor: file with the grades}, of those who have given a grade to a pair of the pool."""
    files = {}
    for who, name in file_names(book.everybody).items():
        if any(each.grade is not None and book.outcome((each.topic, each.document)) for each in book.judgments(who)):
            files[who] = f"{name}.{'json' if not_trec(book.qrels(who)) else 'qrels'}"
    return files


def _write_qrels(qrels: Qrels, folder: Path, name: str, ending: str, again: bool) -> None:
    file, content = judgment_file(qrels, name, ending)
    write_bytes(folder / file, content)
    if again:  # what the earlier export called otherwise goes with it
        _remove(folder / (f"{name}.{ending}" if file.endswith(".json") else f"{name}.json"))


def _remove(*files: Path) -> None:
    for file in files:
        with writing(file):
            file.unlink(missing_ok=True)


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
    pool = book.pool
    facts: dict[str, object] = {"stratum": int(pool.strata[row]), "probability": float(pool.probabilities[row])}
    if pool.whole_topics:
        facts |= {"drawn": bool(pool.drawn[row]), "whole_topic": topic in pool.whole_topics}
    return facts


def _lines(records: Iterable[dict[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
