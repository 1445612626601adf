"""Which documents there are: a list of ids, found again however a post writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...core.errors import DataError, at
from ...formats.source import open_source
from .citations import ARCHIVES, trim

ENDING = re.compile(r"(?:\.(?:xhtml|html?|xml|txt|tex|pdf|json|gz))+$", re.IGNORECASE)
PAGE = r"(?:https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/|arxiv[:._-])?"
"""What may stand before an id of arXiv."""
NEW = re.compile(PAGE + r"(\d{4}[._]\d{4,5})(?:v(\d{1,3}))?", re.IGNORECASE)
OLD = re.compile(
    rf"{PAGE}({'|'.join(sorted(ARCHIVES, key=len, reverse=True))})"
    r"(?:\.[A-Z-]{2,8})?[/_:-]?(\d{7})(?:v(\d{1,3}))?",
    re.IGNORECASE,
)
DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)", re.IGNORECASE)

KNOWN = re.compile(rf"\d{{4}}\.\d{{4,5}}|(?:{'|'.join(sorted(ARCHIVES))})/\d{{7}}|10\.\d{{4,9}}/.+")
"""What a folded id of arXiv or a DOI looks like."""


def fold_id(id_: str) -> tuple[str, int]:
    """An id as citations have it, and its version, 0 if it has none.

    >>> fold_id("math.AG_0406343v3.xhtml"), fold_id("arXiv:0704.0001"), fold_id("DOI:10.1145/ABC"), fold_id("page 7")
    (('math/0406343', 3), ('0704.0001', 0), ('10.1145/abc', 0), ('page 7', 0))
    """
    bare = ENDING.sub("", id_) or id_
    if (match := NEW.fullmatch(bare)) is not None:
        return match[1].replace("_", "."), int(match[2] or 0)
    if (match := OLD.fullmatch(bare)) is not None:
        return f"{match[1].lower()}/{match[2]}", int(match[3] or 0)
    if (match := DOI.fullmatch(id_)) is not None:
        return trim(match[1]).lower(), 0
    return id_, 0


class Corpus:
    """The ids of a corpus. Of several versions of one document the last one is cited."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids: dict[str, tuple[int, str]] = {}
        self.size = self.versions = 0
        self.odd: list[str] = []
        """Those that look neither like an id of arXiv nor like a DOI: only patterns of one's own can cite them."""
        for id_ in ids:
            key, version = fold_id(id_)
            before = self._ids.get(key)
            self.size += 1
            if not KNOWN.fullmatch(key):
                self.odd.append(id_)
            if before is not None and before[1] != id_:
                self.versions += 1
            if before is None or version > before[0]:
                self._ids[key] = (version, id_)

    def find(self, document: str) -> str | None:
        """The id of a cited document in the corpus; None if it is not there."""
        id_ = self._ids.get(document)
        return None if id_ is None else id_[1]


def read_corpus(source: Any) -> Corpus:
    """A corpus from a list of its ids, one a line."""
    opened = open_source(source)
    try:
        lines = opened.whole().decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise DataError(f"{opened.name}: not UTF-8 at byte {error.start}") from None
    ids = [line.strip() for line in lines if line.strip()]
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise DataError(at(opened.name, number, "an id with a blank in it: one id a line", line))
    if not ids:
        raise DataError(f"{opened.name}: no id in it")
    return Corpus(ids)
