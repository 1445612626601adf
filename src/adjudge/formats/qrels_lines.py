"""Judgments as lines of JSON, an object a line: as judges that are programs answer, and as other tools write them.

{"topic": "7", "document": "d3", "grade": 2, "probability": 0.9, "judge": "model"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..core.english import listing
from ..core.errors import DataError, at
from .nested import GRADE, NAN, SCORE, bad_numbers, folded_columns, parse_json, pick_column, why_no_identifier
from .raw_file import DOCUMENT, TOPIC, fold_word, looks_like_json
from .source import RunColumns, Source

GRADES = tuple(name for name in GRADE if name not in SCORE)
"""What a grade is called here; lines with a score are those of a run."""
JUDGE = ("judge", "who", "assessor")
HEAD = 65536
"""Bytes in which the first line has to end."""


def has_qrels_lines(source: Source, *, as_answers: bool = False) -> bool:
    """Whether a file has objects of JSON, one a line, with a topic, a document and a grade.

    ``as_answers`` asks whether they have just these names, as answers of judges do.
    """
    if not looks_like_json(source):
        return False
    head = bytes(source.text[source.begin : source.begin + HEAD]).lstrip()
    try:
        record = json.loads(head.split(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    if as_answers:
        return {"topic", "document", "grade"} <= set(record)
    names = {fold_word(name) for name, value in record.items() if not isinstance(value, Mapping | list)}
    return all(names & set(known) for known in (TOPIC, DOCUMENT, GRADES))


def read_qrels_lines(source: Source) -> RunColumns:
    """The columns of judgments in lines of JSON, of one judge."""
    topics: list[str] = []
    documents: list[str] = []
    grades: list[float] = []
    places: list[tuple[int, bytes]] = []
    judges: dict[str, None] = {}
    picked: dict[tuple[str, ...], tuple[str, str, str]] = {}
    for number, line, record in _records(source):
        keys = tuple(record)
        if keys not in picked:
            names = folded_columns(keys, f"{source.name}:{number}")
            kinds = (("topic", TOPIC), ("document", DOCUMENT), ("grade", GRADES))
            topic_at, document_at, grade_at = (
                pick_column(names, kind, known, f"{source.name}:{number}") for kind, known in kinds
            )
            picked[keys] = topic_at, document_at, grade_at
        topic_at, document_at, grade_at = picked[keys]
        for kind, value in (("topic", record[topic_at]), ("document", record[document_at])):
            if why := why_no_identifier(value, kind):
                raise DataError(at(source.name, number, why, line))
        value = record[grade_at]
        whole = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1 << 53
        grade = float(value) if whole else NAN
        if bad_numbers(np.array([grade]), True)[0]:
            raise DataError(at(source.name, number, f"the grade is {repr(value)[:50]}, not a whole number", line))
        topics.append(str(record[topic_at]))
        documents.append(str(record[document_at]))
        grades.append(grade)
        places.append((number, line))
        judges |= {record[name]: None for name in JUDGE if isinstance(record.get(name), str)}
    if len(judges) > 1:
        raise DataError(f"{source.name}: judgments of {listing(list(judges), 3)}: one judge at a time")

    def place(row: int, why: str) -> str:
        return at(source.name, places[row][0], why, places[row][1])

    return RunColumns(topics, documents, np.array(grades).astype(np.int32), None, place)


def _records(source: Source) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        if line.strip():
            record = parse_json(Source(f"{source.name}:{number}", line))
            if not isinstance(record, dict):
                raise DataError(at(source.name, number, "not a JSON object", line))
            yield number, line, record
