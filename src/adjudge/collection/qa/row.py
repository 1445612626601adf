"""One row of a dump: its numbers without unpacking the rest, or all that it has."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...core.errors import quote_line

NAME = rb"[A-Za-z_:][\w:.-]*+"
ATTRIBUTE = re.compile(rb"\s++(" + NAME + rb""")\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")
REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|(\w{1,32}));")
CONTROL = re.compile("[\x00-\x1f]")
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def normalise(raw: bytes) -> bytes:
    """Attributes with double quotes and single blanks, so that :func:`number` finds them."""
    parts = []
    for name, double, single in ATTRIBUTE.findall(raw):
        parts.append(b' %s="%s"' % (name, double or single.replace(b'"', b"&quot;")))
    return b"".join(parts)


def number_reader(name: str) -> Callable[[bytes], int]:
    """A function that gives the number (from 1) that a row has by this name; 0 without it, -1 if it is no number."""
    begin = b' %s="' % name.encode()

    def number(row: bytes) -> int:
        place = row.find(begin)
        if place < 0:
            return 0
        first = place + len(begin)
        end = row.find(b'"', first)
        value = row[first:end] if end >= 0 else b""  # a damaged row may end before
        return int(value) if value.isdigit() and len(value) < 19 and int(value) else -1

    return number


HEAD = re.compile(rb' Id="(\d{1,18})" PostTypeId="(\d{1,9})"')
_ID, _TYPE = number_reader("Id"), number_reader("PostTypeId")


def head(row: bytes) -> tuple[int, int]:
    """Id and PostTypeId of a post, as :func:`number_reader` gives them, quicker where they stand as dumps have them."""
    match = HEAD.match(row)
    if match is not None and (id_ := int(match[1])) and (kind := int(match[2])):
        return id_, kind
    return _ID(row), _TYPE(row)


def attributes(row: bytes, report: Callable[[str], None]) -> dict[str, str]:
    """{name: value} of a row; what XML does not allow is reported."""
    values: dict[str, str] = {}
    for raw_name, double, single in ATTRIBUTE.findall(row):
        name, raw = raw_name.decode("ascii"), double or single
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "replace")
            report(f"{name} has bytes that are not UTF-8: replaced by \ufffd")
        if name in values:
            report(f"{name} occurs twice in one row: the first is kept")
            continue
        values[name] = unescape(text, lambda why, name=name: report(f"{name} has {why}"))  # type: ignore[misc]
    return values


def unescape(text: str, report: Callable[[str], None]) -> str:
    """Text without references. White space becomes a blank as XML says, unless it was written as a reference."""
    text = text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " ")
    if CONTROL.search(text):
        report("control characters: replaced by \ufffd")
        text = CONTROL.sub("\ufffd", text)
    if "&" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        if match[3] is not None:
            if match[3] not in NAMED:
                report(f"an entity that XML does not have, kept as it is: {quote_line(match[0])}")
            return NAMED.get(match[3], match[0])
        code = int(match[1], 16) if match[1] else int(match[2])
        allowed = code in {9, 10, 13} or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
        if not allowed:
            report(f"a reference to no character, replaced by \ufffd: {quote_line(match[0])}")
        return chr(code) if allowed else "\ufffd"

    return REFERENCE.sub(character, text)
