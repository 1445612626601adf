"""Patterns of the user: how a site's posts name the documents of a corpus.

A file of patterns is TOML:

    [[pattern]]
    name = "wikipedia"
    regex = 'https?://en\\.wikipedia\\.org/wiki/(?P<page>[^\\s?#]+)'
    document = "{page}"
    in = ["href", "text"]
    lower = false

``document`` is the id of the cited document; {page} is the group of that name, {0} all that matched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import ConflictError, DataError, SpecError

PATIENCE = 2.0
"""Seconds that a pattern may take on one text: some take longer than the universe."""
PLACES = ("text", "href")
SLOT = re.compile(r"\{(\w*)\}")
FIELDS = {"name", "regex", "document", "in", "lower"}
TAKEN = ("arxiv", "doi")


@dataclass(frozen=True)
class Pattern:
    """A regular expression and the id of the document that a match of it names."""

    name: str
    regex: str
    document: str = "{0}"
    places: tuple[str, ...] = PLACES
    lower: bool = False

    @cached_property
    def compiled(self) -> Any:
        import regex

        return regex.compile(self.regex)

    def validate(self, place: str) -> Pattern:
        import regex

        try:
            groups = set(self.compiled.groupindex) | {str(n) for n in range(self.compiled.groups + 1)}
        except (regex.error, RecursionError) as error:
            raise SpecError(f"{place}: pattern {self.name}: not a regular expression: {error}") from None
        for slot in SLOT.findall(self.document):
            if slot not in groups:
                raise SpecError(f"{place}: pattern {self.name}: document has {{{slot}}}, regex has no such group")
        if not self.document.strip():
            raise SpecError(f"{place}: pattern {self.name}: document is empty")
        return self

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """(document, begin, end) of each match."""
        try:
            for match in self.compiled.finditer(text, timeout=PATIENCE):
                values = {**match.groupdict(), **{str(n): match[n] for n in range(self.compiled.groups + 1)}}
                document = SLOT.sub(lambda slot, values=values: values[slot[1]] or "", self.document).strip()  # type: ignore[misc]
                if document:
                    yield (document.lower() if self.lower else document), match.start(), match.end()
        except TimeoutError:
            raise SpecError(
                f"pattern {self.name} takes more than {PATIENCE:g} s on one text: make it simpler"
            ) from None
        except (MemoryError, RecursionError):
            raise SpecError(f"pattern {self.name} takes more memory than there is: make it simpler") from None


def read_patterns(path: str | Path) -> tuple[Pattern, ...]:
    """The patterns of a file."""
    import tomllib

    try:
        with open(path, "rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # also a whole number of thousands of digits
        raise DataError(f"{path}: not TOML: {error}") from None
    records = content.get("pattern")
    if not isinstance(records, list) or not records or set(content) != {"pattern"}:
        raise DataError(f"{path}: expected [[pattern]] tables and nothing else")
    patterns: dict[str, Pattern] = {}
    for number, record in enumerate(records, 1):
        pattern = _pattern(record, f"{path}: pattern {number}")
        if pattern.name in patterns or pattern.name in TAKEN:
            raise ConflictError(f"{path}: the name {pattern.name!r} is taken")
        patterns[pattern.name] = pattern.validate(str(path))
    return tuple(patterns.values())


def _pattern(record: Any, place: str) -> Pattern:
    if not isinstance(record, dict):
        raise DataError(f"{place}: not a table")
    if unknown := sorted(set(record) - FIELDS):
        raise DataError(f"{place}: no field {unknown[0]!r}: there are {', '.join(sorted(FIELDS))}")
    name, expression, document = (record.get(key) for key in ("name", "regex", "document"))
    if not isinstance(name, str) or not re.fullmatch(r"[\w-]{1,40}", name):
        raise DataError(f"{place}: name must be a word, not {name!r}")
    if not isinstance(expression, str) or not expression:
        raise DataError(f"{place}: regex must be a text, not {expression!r}")
    places = record.get("in", list(PLACES))
    places = [places] if isinstance(places, str) else places
    if not isinstance(places, list) or not places or any(place_name not in PLACES for place_name in places):
        raise DataError(f"{place}: in must be of {', '.join(PLACES)}, not {places!r}")
    lower = record.get("lower", False)
    if not isinstance(lower, bool) or not isinstance(document, str | None):
        raise DataError(f"{place}: lower must be true or false and document a text")
    return Pattern(name, expression, "{0}" if document is None else document, tuple(places), lower)
