"""XML read element by element, by expat: no document type with entities, no depth without bound, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ...core.errors import DataError

DEEPEST = 200
"""So deep may elements lie in each other; files of pages have a dozen levels."""
Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
ROOT = re.compile(
    rb"\s*+(?:(?:<\?[^>]{0,2000}>|<!--(?:(?!-->).){0,20000}-->|<!DOCTYPE[^>\[]{0,2000}(?:\[[^\]]{0,20000}\]\s*)?>)\s*+)*+"
    rb"<(?:[\w.-]{1,60}:)?([\w.-]{1,60})([^>]{0,5000})",
    re.DOTALL,
)


class _Refusal(Exception):  # noqa: N818  it is turned into a DataError
    """Something that is not read."""


def root_of(head: bytes) -> tuple[str, str]:
    """The name of the outermost element without a prefix, and what stands in its tag; '' if the head is no XML."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head[: len(head) // 2 * 2].decode("utf-16", "replace").encode()
    match = ROOT.match(head)
    return (match[1].decode("ascii", "replace"), match[2].decode("utf-8", "replace")) if match else ("", "")


def local(name: str) -> str:
    """A name without its prefix."""
    return name.rpartition(":")[2]


def read_xml(pieces: Iterable[bytes], place: str, start: Start, end: End, text: Callable[[str], None]) -> None:
    """Call for every element, with its name without a prefix, and for every piece of text; an error names the line."""
    from xml.parsers import expat

    parser: Any = expat.ParserCreate()
    parser.buffer_text = True
    parser.ordered_attributes = False
    depth = 0

    def open_element(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise _Refusal(f"elements lie more than {DEEPEST} deep in each other")
        start(name if ":" not in name else local(name), attributes)

    def close_element(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name if ":" not in name else local(name))

    def refuse(*_: object) -> None:
        raise _Refusal("it declares entities, which are not expanded")

    parser.StartElementHandler, parser.EndElementHandler = open_element, close_element
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = refuse
    try:
        for piece in pieces:
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except _Refusal as refusal:
        raise DataError(f"{place}:{parser.CurrentLineNumber}: {refusal}") from None
    except expat.ExpatError as error:
        raise DataError(f"{place}:{error.lineno}: not well-formed XML: {expat.ErrorString(error.code)}") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows
        raise DataError(f"{place}: cannot be read as XML: {error}") from None
