"""Topics: read from TREC SGML (``<top>``), XML, TSV, JSONL and the classic collections; written as all but the last."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any

from ..core.arguments import is_file, is_frame, wrong_type
from ..core.errors import ConflictError, DataError, SpecError, at
from ..core.likes import TopicsLike
from ..core.topic import Topic
from .classic_collections import read_smart_topics
from .nested import parse_json
from .source import Source, open_source

SGML_TOPIC = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)
FIELDS = "num|dom|title|desc|smry|narr|con|fac|nat|time|def|query|prelude"
SGML_FIELD = re.compile(rf"<({FIELDS})>(.*?)(?=<(?:{FIELDS})>|\Z)", re.DOTALL | re.IGNORECASE)
LABELS = {
    "num": r"\s*(?:Number|Topic)\s*:?\s*",
    "title": r"\s*Topic\s*:\s*",
    "desc": r"\s*Description\s*:\s*",
    "narr": r"\s*Narrative\s*:\s*",
}

CLASSIC = re.compile(rb"\s*\.I\s*[0-9]|\s*[0-9]+[ \t\r]*\n(?:.*\n)*?[ \t]*/[ \t\r]*(?:\n|\Z)")
"""How the queries of the classic collections begin; no other topics have a line that is just a number, or a slash."""

ID = ("id", "num", "number", "topic", "topic_id", "query_id", "qid", "_id")
TITLE = ("title", "query", "text")
DESCRIPTION = ("description", "desc", "question")
NARRATIVE = ("narrative", "narr")


def read_topics(source: TopicsLike | Source) -> list[Topic]:
    """Read topics: the information needs that systems answer.

    Args:
        source: a path (``-`` is standard input) or an open binary file with TREC's <top>, XML, lines of id, tab and
            text, JSON lines or the queries of a classic collection; or a list of Topic, {topic: text}, or a pandas or
            polars frame with an id and a title or query.

    >>> read_topics({"1": "solar power"})
    [Topic(id='1', title='solar power', description='', narrative='', sentences=())]
    """
    if not is_file(source) and not isinstance(source, Source):
        return _distinct(list(_given(source)), "topics")
    opened = open_source(source)
    if CLASSIC.match(opened.whole()):
        return read_smart_topics(opened)
    try:
        text = opened.whole().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise DataError(f"{opened.name}: not UTF-8 at byte {error.start}: convert it") from None
    if "\0" in text:
        raise DataError(at(opened.name, text.count("\n", 0, text.index("\0")) + 1, "a NUL character"))
    topics = list(_parse(opened, text))
    return _distinct(topics, opened.name)


def _distinct(topics: list[Topic], name: str) -> list[Topic]:
    if not topics:
        raise DataError(f"{name}: no topic found")
    seen: dict[str, int] = {}
    for place, topic in enumerate(topics, 1):
        if topic.id in seen:
            raise ConflictError(f"{name}: topic {topic.id} occurs twice, as number {seen[topic.id]} and {place}")
        seen[topic.id] = place
    return topics


def _given(source: Any) -> Iterator[Topic]:
    """Topics that are in memory: {id: text}, a frame, or values."""
    if is_frame(source):
        rows = source.to_dicts() if hasattr(source, "to_dicts") else source.to_dict("records")
        for number, row in enumerate(rows, 1):
            yield _topic({str(k).lower(): v for k, v in row.items()}, f"topics: row {number}")
        return
    if isinstance(source, Mapping):
        for id_, text in source.items():
            if not isinstance(text, str):
                raise wrong_type(f"the text of topic {id_}", text, "a string")
            yield Topic(str(id_), _clean(text))
        return
    if isinstance(source, Topic) or not isinstance(source, Iterable):
        raise wrong_type("topics", source)
    for topic in source:
        if not isinstance(topic, Topic):
            raise wrong_type("topics", topic)
        yield topic


def _parse(source: Source, text: str) -> Iterator[Topic]:
    start = text.lstrip()
    if start.startswith("{"):  # a question in JSON may speak of <top>
        return _jsonl(source, text)
    # a question in TSV may speak of it too, but no line of TSV begins with it
    if re.search(r"<top>" if start.startswith("<") else r"^[ \t]*<top>", text, re.IGNORECASE | re.MULTILINE):
        return _sgml(source, text)
    if start.startswith("<"):
        return _xml(source, text)
    return _tsv(source, text)


def _clean(text: str) -> str:
    return " ".join(text.split())


def _sgml(source: Source, text: str) -> Iterator[Topic]:
    opened, closed = len(re.findall(r"<top>", text, re.I)), len(re.findall(r"</top>", text, re.I))
    if opened != closed:
        raise DataError(f"{source.name}: {opened} <top> but {closed} </top>")
    for match in SGML_TOPIC.finditer(text):
        fields: dict[str, str] = {}
        for field in SGML_FIELD.finditer(match[1]):
            name = field[1].lower()
            body = re.sub(r"</?[a-zA-Z][^>]*>", " ", field[2])
            body = re.sub(r"\A" + LABELS[name], "", body) if name in LABELS else body
            fields[name] = _clean(unescape(body))
        if not fields.get("num"):
            line = text.count("\n", 0, match.start()) + 1
            raise DataError(at(source.name, line, "a topic without <num>"))
        yield Topic(fields["num"], fields.get("title", ""), fields.get("desc", ""), fields.get("narr", ""))


def _xml(source: Source, text: str) -> Iterator[Topic]:
    from xml.etree import ElementTree

    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DataError(f"{source.name}: a document type or entity declaration is not allowed in topics")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  declarations were refused above
    except ElementTree.ParseError as error:
        raise DataError(at(source.name, error.position[0], f"not well-formed XML: {error.msg}")) from None
    place = 0
    for element in root.iter():
        if element.tag.lower() in {"topic", "top", "query"} and (len(element) or element.attrib):
            place += 1
            fields = {key.lower(): value for key, value in element.attrib.items()}
            fields |= {child.tag.lower(): "".join(child.itertext()) for child in element}
            yield _topic(fields, f"{source.name}: topic number {place}")


def _jsonl(source: Source, text: str) -> Iterator[Topic]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            record = parse_json(Source(f"{source.name}:{number}", line.encode()))
            if not isinstance(record, dict):
                raise DataError(at(source.name, number, "not a JSON object", line))
            yield _topic({str(k).lower(): v for k, v in record.items()}, f"{source.name}:{number}")


def _tsv(source: Source, text: str) -> Iterator[Topic]:
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    header: list[str] = []
    if lines and lines[0][1].split("\t")[0].strip().lower() in ID:
        header = [word.strip().lower() for word in lines.pop(0)[1].split("\t")]
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) < 2 or not fields[0].strip():
            raise DataError(at(source.name, number, "expected a topic id, a tab and the text", line))
        if header:
            if len(fields) != len(header):
                raise DataError(at(source.name, number, f"{len(header)} columns expected, {len(fields)} found", line))
            yield _topic(dict(zip(header, fields, strict=True)), f"{source.name}:{number}")
        else:
            padded = [_clean(field) for field in fields] + ["", ""]
            yield Topic(padded[0], padded[1], padded[2], padded[3])


def _topic(fields: dict[str, Any], place: str) -> Topic:
    def pick(names: tuple[str, ...]) -> str:
        for name in names:
            value = fields.get(name)
            if value is None or value == "":
                continue
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise DataError(f"{place}: {name} is {repr(value)[:50]}, not text")
            return _clean(str(value))
        return ""

    if not pick(ID):
        raise DataError(f"{place}: a topic without an id (one of {', '.join(ID)})")
    sentences = fields.get("sentences") or []
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
        raise DataError(f"{place}: sentences are {repr(sentences)[:50]}, not a list of texts")
    return Topic(pick(ID), pick(TITLE), pick(DESCRIPTION), pick(NARRATIVE), tuple(sentences))


ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".trec": "sgml", ".sgml": "sgml", ".xml": "xml", ".tsv": "tsv"}
FORMS = ("title", "description", "narrative", "sentences")
"""What a topic may have beside its id."""
TAGS = {"title": "title", "description": "desc", "narrative": "narr", "sentences": "query"}


def write_topics(
    topics: Sequence[Topic],
    path: str | os.PathLike[str],
    layout: str = "",
    forms: Sequence[str] = (),
    extra: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Write topics as JSONL, which :func:`read_topics` reads back whole, or as TREC SGML, XML or TSV.

    SGML has the sentences as one text, which is not read back; XML and TSV have no place for them.

    Args:
        topics: the topics.
        path: the file; .gz and so on packs.
        layout: jsonl, sgml, xml or tsv; without it the ending of the path says which: .jsonl, .ndjson, .trec, .sgml,
            .xml or .tsv.
        forms: those of title, description, narrative and sentences that every topic gets; without them the title, and
            what any of the topics has.
        extra: further fields of TREC's SGML by topic id.

    >>> write_topics(read_topics({"1": "solar power"}), "topics.jsonl")  # doctest: +SKIP
    """
    from .writing import PACKERS, write

    if not layout:
        target = Path(path)
        ending = Path(target.stem).suffix if target.suffix in PACKERS else target.suffix
        layout = ENDINGS.get(ending.lower(), "")
        if not layout:
            raise SpecError(f"{path}: topics are written as {', '.join(ENDINGS)}: name the file so, or give a layout")
    write(path, topics_text(topics, layout, forms, extra).encode("utf-8", "replace"))


def topics_text(
    topics: Sequence[Topic],
    layout: str,
    forms: Sequence[str] = (),
    extra: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """The text that :func:`write_topics` writes.

    >>> topics_text([Topic("1", "AC < DC")], "jsonl")
    '{"id": "1", "title": "AC < DC"}\\n'
    >>> print(topics_text([Topic("1", "AC < DC")], "sgml"), end="")
    <top>
    <num> Number: 1
    <title> AC &lt; DC
    </top>
    """
    if unknown := [form for form in forms if form not in FORMS]:
        raise SpecError(f"a topic has no {', '.join(unknown)}: only {', '.join(FORMS)}")
    forms = forms or ("title", *(form for form in FORMS[1:] if any(getattr(topic, form) for topic in topics)))
    if layout == "jsonl":
        return "".join(_json_line(topic, forms) for topic in topics)
    if layout == "sgml":
        return "".join(_sgml_top(topic, forms, (extra or {}).get(topic.id, {})) for topic in topics)
    if layout in {"xml", "tsv"}:
        if "sentences" in forms:
            first = next((topic.id for topic in topics if topic.sentences), topics[0].id if topics else "")
            raise DataError(f"topic {first} has sentences, for which {layout.upper()} has no place: write JSONL")
        return _xml_text(topics, forms) if layout == "xml" else _tsv_text(topics, forms)
    raise SpecError(f"topics are written as {', '.join(dict.fromkeys(ENDINGS.values()))}, not {layout!r}")


NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


def _xml_text(topics: Sequence[Topic], forms: Sequence[str]) -> str:
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n']
    for topic in topics:
        texts = {form: getattr(topic, form) for form in forms}
        if NOT_XML.search("".join([topic.id, *texts.values()])):
            raise DataError(f"topic {topic.id!r} has a character that XML cannot hold: write JSONL")
        parts.append(f'<topic number="{escape(topic.id)}">\n')
        parts += [f"<{form}>{escape(text, quote=False)}</{form}>\n" for form, text in texts.items()]
        parts.append("</topic>\n")
    return "".join([*parts, "</topics>\n"])


def _tsv_text(topics: Sequence[Topic], forms: Sequence[str]) -> str:
    """Lines of id and title; with more than that, or an id that looks like a header, a header names the columns."""
    alone = tuple(forms) == ("title",) and not (topics and topics[0].id.lower() in ID)
    lines: list[tuple[str, ...]] = [] if alone else [("id", *forms)]
    for topic in topics:
        row = (topic.id, *(getattr(topic, form) for form in forms))
        if any(sign in part for part in row for sign in "\t\r\n"):
            raise DataError(f"topic {topic.id!r} has a tab or a line break, which would be read as the end of it")
        lines.append(row)
    return "".join("\t".join(line) + "\n" for line in lines)


def _json_line(topic: Topic, forms: Sequence[str]) -> str:
    record = {"id": topic.id} | {form: getattr(topic, form) for form in forms}
    line = json.dumps(record, ensure_ascii=False)
    if "sentences" in forms:
        # people who ask on a web site may speak of <top>, by which programs tell TREC's topics from others
        line = line.replace("<", "\\u003c")
    return line + "\n"


def _sgml_top(topic: Topic, forms: Sequence[str], extra: Mapping[str, str]) -> str:
    from .documents.document_writing import refuse_trec_id

    refuse_trec_id(topic.id, "topic")
    own = {TAGS[form]: getattr(topic, form) for form in forms if form != "sentences"}
    asked = {TAGS["sentences"]: " ".join(topic.sentences)} if "sentences" in forms else {}
    fields = own | dict(extra) | asked
    lines = [f"<{tag}> {escape(text, quote=False)}" for tag, text in fields.items()]
    after = "\n" if len(fields) > 1 else ""  # topics of several fields are set apart
    return "\n".join(["<top>", f"<num> Number: {topic.id}", *lines, "</top>"]) + "\n" + after
