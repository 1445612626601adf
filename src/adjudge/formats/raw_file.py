"""A file as it is: its bytes, and what the first of them show. Next to nothing is loaded for it."""

from __future__ import annotations

import mmap
import os

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from typing import Any

    from .source import Source

MAPPED = 1 << 20
"""Plain files from this size on are mapped into memory instead of being read."""

BOM = b"\xef\xbb\xbf"

MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
"""With what packed data begins."""

TOPIC = ("topic", "topicid", "qid", "queryid", "topicnumber", "query")
DOCUMENT = ("document", "documentid", "docno", "docid", "doc", "did", "corpusid")
"""Names of columns, white space, case and punctuation apart. PyTerrier has docno beside an internal docid, and the text
of a query beside its qid: then the earlier name counts."""

ENDINGS = (".gz", ".xz", ".zst", ".bz2", ".txt", ".trec", ".run", ".json", ".jsonl", ".parquet", ".csv", ".tsv")


def stem_of(path: str) -> str:
    """The file name without the endings that tell the format."""
    name = os.path.basename(path)
    for ending in ENDINGS:
        name = name.removesuffix(ending) or name
    return name


class RawFile:
    """The bytes of a file and where they begin, a byte order mark left out."""

    __slots__ = ("begin", "text")

    def __init__(self, text: bytes | mmap.mmap) -> None:
        self.text = text
        self.begin = len(BOM) if text[: len(BOM)] == BOM else 0


def open_raw(path: Any) -> RawFile | None:
    """A plain file that may have lines of TREC; None for anything else, errors included.

    What is no regular file is not opened, because a pipe can be read only once.
    """
    if not isinstance(path, str | os.PathLike) or not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            raw = RawFile(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size >= MAPPED else file.read())
    except (OSError, ValueError):
        return None
    packed = any(raw.text[: len(magic)] == magic for magic in MAGIC.values())
    if not raw.text or packed or header_separator(raw) or looks_like_json(raw) or looks_like_parquet(raw):
        return None
    return raw


def drop_pages(text: bytes | mmap.mmap, begin: int, end: int) -> None:
    """Tell the system that this part of a mapped file is done with, so that it does not count as our memory."""
    if isinstance(text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        first = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
        length = end // mmap.PAGESIZE * mmap.PAGESIZE - first
        if length > 0:
            text.madvise(mmap.MADV_DONTNEED, first, length)


def looks_like_json(source: Source | RawFile) -> bool:
    head = bytes(source.text[source.begin : source.begin + 64]).lstrip()
    return head[:1] == b"{" and head[1:].lstrip()[:1] in {b'"', b"}"}


def looks_like_parquet(source: Source | RawFile) -> bool:
    return source.text[:4] == b"PAR1" and source.text[-4:] == b"PAR1"


def header_separator(source: Source | RawFile) -> str | None:
    """Tab or comma, if the first line is a header with a topic and a document column."""
    head = bytes(source.text[source.begin : source.begin + 4096]).split(b"\n")[0].decode("utf-8", "replace")
    for separator in ("\t", ",", ";"):
        words = [fold_word(word) for word in head.strip().split(separator)]
        if len(words) >= 3 and set(words) & set(TOPIC) and set(words) & set(DOCUMENT):
            return separator
    return None


def fold_word(word: str) -> str:
    return word.strip().strip('"').lower().replace("-", "").replace("_", "").replace(" ", "")
