"""Reading nugget assignments: what the AutoNuggetizer writes, JSON or JSON lines, and plain tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.arguments import is_frame
from ..core.errors import ConflictError, DataError, at
from ..core.nuggets import ASSIGNMENT, IMPORTANCE, Assignment, NuggetAssignments
from .nested import identifier, parse_json
from .raw_file import TOPIC, fold_word
from .source import Source, open_source

SYSTEM = ("system", "run", "runid", "tag")
NUGGET = ("nugget", "nuggetid", "text", "nuggettext")
KINDS = ("importance", "assignment")
COLUMNS = ("system", "topic", "nugget", "importance", "assignment")
START = re.compile(rb"\s*[\[{]")


def read_nuggets(source: Any, *, name: str | None = None) -> NuggetAssignments:
    """Read nugget assignments: which nuggets of a topic the answers of systems have.

    Args:
        source: a path (``-`` is standard input) or an open binary file, packed or not: what ``nuggetizer assign``
            writes (JSON or a JSON object a line, with qid, run_id and nuggets, each with text, importance and
            assignment), or CSV or TSV with the columns system, topic, nugget, importance and assignment, with a header
            or without; or a frame. Importance is vital or okay, an assignment support, partial_support or not_support.
        name: of the system, instead of what the source says; without both, the name of the file.

    >>> read_nuggets("assignments.jsonl").scores().mean()  # doctest: +SKIP
    """
    if isinstance(source, NuggetAssignments):
        return source
    if is_frame(source):
        columns = {str(column): source[column].to_list() for column in source.columns}
        return _of_table(list(columns), list(zip(*columns.values(), strict=True)), "nuggets", name)
    if isinstance(source, list | tuple) and all(isinstance(record, Mapping) for record in source):
        return _of_records([(f"nuggets: record {i}", record) for i, record in enumerate(source, 1)], "nuggets", name)
    opened = open_source(source)
    try:
        return _read(opened, name or getattr(source, "run_name", None))
    finally:
        opened.close()


def looks_like_nuggets(source: Source) -> bool:
    """Whether a file has nugget assignments: JSON with a list of nuggets, or a header with nugget and assignment."""
    head = bytes(source.text[source.begin : source.begin + 65536])
    if START.match(head):
        if b'"nuggets"' not in source.text[:]:
            return False
        text = source.whole().decode("utf-8", "replace").lstrip().removeprefix("[").lstrip()
        try:
            first, _ = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            return False
        return isinstance(first, dict) and isinstance(first.get("nuggets"), list)
    words = {fold_word(word) for word in re.split(r"[\t,;]", head.split(b"\n")[0].decode("utf-8", "replace"))}
    return "assignment" in words and bool(words & set(NUGGET))


def _read(source: Source, name: str | None) -> NuggetAssignments:
    head = bytes(source.text[source.begin : source.begin + 64])
    if START.match(head):
        return _of_records(list(_records(source)), source.name, name or None, source.stem)
    import csv
    import io

    text = source.whole().decode("utf-8", "surrogateescape")
    first = text.split("\n", 1)[0]
    separator = max("\t,;", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise DataError(f"{source.name}: not a table: {error}") from None
    if not rows or not rows[0]:
        raise DataError(at(source.name, 1, "an empty line where the columns or the first assignment should be"))
    words = [fold_word(word) for word in rows[0]]
    header = "assignment" in words
    if not header:
        if len(rows[0]) not in {4, 5}:
            why = f"nugget assignments have 4 or 5 columns ({' '.join(COLUMNS)}), this line has {len(rows[0])}"
            raise DataError(at(source.name, 1, f"{why}: put tabs or commas between them", first))
        rows.insert(0, list(COLUMNS[5 - len(rows[0]) :]))
    numbered = [(number, row) for number, row in enumerate(rows[1:], 2 if header else 1) if row]
    width = len(rows[0])
    for number, row in numbered:
        if len(row) != width:
            raise DataError(at(source.name, number, f"{width} columns are expected, this line has {len(row)}"))
    places = [f"{source.name}:{number}" for number, _ in numbered]
    return _of_table(rows[0], [row for _, row in numbered], source.name, name, source.stem, places)


def _records(source: Source) -> Iterator[tuple[str, Any]]:
    """Place and record: of a whole file that is JSON, or of its lines."""
    lines = [(number, line) for number, line in enumerate(source.whole().split(b"\n"), 1) if line.strip()]
    whole = lines[0][1].lstrip().startswith(b"[") or (len(lines) > 1 and not _is_object(lines[0][1]))
    if whole:
        data = parse_json(source)
        records = data if isinstance(data, list) else [data]
        yield from ((f"{source.name}: record {i}", record) for i, record in enumerate(records, 1))
        return
    for number, line in lines:
        place = f"{source.name}:{number}"
        yield place, parse_json(Source(place, line))


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _of_records(
    records: list[tuple[str, Any]], source: str, name: str | None, otherwise: str = "run"
) -> NuggetAssignments:
    rows: list[Assignment] = []
    answers: dict[tuple[str, str], str] = {}
    for place, record in records:
        if not isinstance(record, Mapping) or not isinstance(record.get("nuggets"), list):
            raise DataError(f"{place}: an answer has qid, run_id and a list of nuggets")
        topic = identifier(record.get("qid", record.get("topic_id")), "qid", place)
        system = name or identifier(record.get("run_id") or otherwise, "run_id", place)
        before = answers.setdefault((system, topic), place)
        if before != place:
            raise ConflictError(f"{place}: the answer of {system} to topic {topic} was there before, at {before}")
        for nugget in record["nuggets"]:
            if not isinstance(nugget, Mapping) or not isinstance(nugget.get("text"), str):
                raise DataError(f"{place}: a nugget has text, importance and assignment, not {nugget!r:.60}")
            labels = (_label(nugget.get(kind), kind, place) for kind in KINDS)
            rows.append(Assignment(system, topic, nugget["text"], *labels))
    return NuggetAssignments.of(rows, answers, source)


def _label(given: Any, kind: str, place: str) -> str:
    known = IMPORTANCE if kind == "importance" else ASSIGNMENT
    word = str(given or "").strip().lower().replace("-", "_").replace(" ", "_")
    if word not in known:
        wanted = ", ".join(dict.fromkeys(known.values()))
        raise DataError(f"{place}: the {kind} of a nugget is {given!r:.40}, not one of {wanted}")
    return known[word]


def _of_table(
    header: list[str],
    rows: list[Any],
    source: str,
    name: str | None,
    otherwise: str = "run",
    places: list[str] | None = None,
) -> NuggetAssignments:
    words = {fold_word(str(word)): i for i, word in enumerate(header)}
    picked: list[int | None] = []
    for kind, names in (
        ("system", SYSTEM), ("topic", TOPIC), ("nugget", NUGGET), ("importance", KINDS[:1]), ("assignment", KINDS[1:])
    ):  # fmt: skip
        column = next((words[word] for word in names if word in words), None)
        if column is None and kind != "system":
            raise DataError(f"{source}: no {kind} column among: {', '.join(map(str, header))}")
        picked.append(column)
    given: dict[tuple[str, str, str], str] = {}
    assigned: list[Assignment] = []
    for number, row in enumerate(rows):
        place = places[number] if places else f"{source}: row {number + 1}"
        system, topic, nugget, importance, assignment = (None if i is None else row[i] for i in picked)
        known = name or (otherwise if system is None else identifier(system, "system", place))
        key = known, identifier(topic, "topic", place), identifier(nugget, "nugget", place)
        before = given.setdefault(key, place)
        if before != place:
            raise ConflictError(f"{place}: nugget {key[2]!r:.40} of topic {key[1]} was there before, at {before}")
        labels = (_label(each, kind, place) for each, kind in zip((importance, assignment), KINDS, strict=True))
        assigned.append(Assignment(*key, *labels))
    return NuggetAssignments.of(assigned, (), source)
