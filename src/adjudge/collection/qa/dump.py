"""Rows of a dump: ``<row Id="1" …/>``, one record each, from files of any size in bounded memory.

A parser of XML stops at the first damaged byte, and takes four times as long. Rows are found by a pattern instead that
accepts what XML allows of a row and nothing else: what does not fit is reported with file and line, and reading goes
on at the next row. Declarations of a document type are refused, so no entity means anything but the five of XML.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ...core.errors import DataError, MissingFileError, at, quote_line
from ...formats.documents.locations import File
from ...formats.documents.streams import Meter, streams
from .row import NAME, normalise

LONGEST = 16 << 20
"""A row with more bytes is not kept in memory: sites allow thirty thousand characters."""

FILES = {"posts": "Posts.xml", "comments": "Comments.xml", "postlinks": "PostLinks.xml", "votes": "Votes.xml"}
PACKED = ("", ".xz", ".gz", ".zst", ".bz2")

ROW = re.compile(rb'\s*+<row((?: \w++="[^"]*+")*+) ?/>\s*+')
"""As dumps have it; < in a value, which XML forbids, is looked for afterwards, because that is five times as fast."""
ODD_ROW = re.compile(
    rb"\s*+<row((?:\s++" + NAME + rb"""\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+)\s*+(/?)>(?:\s*+</row\s*+>)?"""
)
ROOT = re.compile(rb"\s*+<(" + NAME + rb")\s*+(/?)>")
END = re.compile(rb"\s*+</(" + NAME + rb")\s*+>")
SKIPPED = re.compile(rb"\s*+(?:<\?.*?\?>|<!--.*?-->)", re.DOTALL)
ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)""")
NEXT = re.compile(rb"<row[\s/>]|</?(?:posts|comments|postlinks|votes)\s*+>|<[?!]")
BLANKS = re.compile(rb"\s*+")
NEWLINE = b"\n"

INSIDE = "a row inside another row: taken as a row of its own"

Report = Callable[[str, str], None]
"""Called with the place (file:line) and the reason."""


class Rows:
    """The rows of one file, again and again. What a row has is in the bytes that are given; see :func:`attributes`."""

    def __init__(self, path: Path, kind: str, report: Report) -> None:
        self.path, self.kind, self.report = path, kind, report
        self.file = File(str(path), path.name, named=True)
        self.meter = Meter()
        self._buffer, self._at, self._lines = b"", 0, 0

    @property
    def size(self) -> int:
        return self.file.size

    @property
    def place(self) -> str:
        """The file and line of the row that was given last."""
        return f"{self.path}:{self._lines + self._buffer.count(NEWLINE, 0, self._at) + 1}"

    def __iter__(self) -> Iterator[bytes]:
        self.meter.read = 0
        self._buffer, self._at, self._lines = b"", 0, 0
        state = _State()
        pieces = self._pieces()
        ended = False
        while not ended:
            piece = next(pieces, None)
            ended = piece is None
            self._lines += self._buffer.count(b"\n", 0, self._at)
            self._buffer = self._buffer[self._at :] + (piece or b"")
            self._at = 0
            yield from self._within(state, ended)
            if len(self._buffer) - self._at > LONGEST:
                self._skip(state)
        self._finish(state)

    def _pieces(self) -> Iterator[bytes]:
        opened = streams(self.file, self.meter)
        first = next(opened, None)
        if first is None:
            raise DataError(f"{self.path}: no file in this archive")
        if first.head[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"\0" in first.head[:64]:
            raise DataError(f"{self.path}: not UTF-8: convert it")
        declared = ENCODING.match(first.head.lstrip())
        if declared is not None and declared[1].lower() not in {b"utf-8", b"utf8", b"us-ascii", b"ascii"}:
            raise DataError(f"{self.path}: encoded as {quote_line(declared[1])}, not UTF-8: convert it")
        yield from first
        if next(opened, None) is not None:
            raise DataError(f"{self.path}: an archive of several files: unpack it")

    def _within(self, state: _State, ended: bool) -> Iterator[bytes]:
        """The whole rows of the buffer; what may go on in the next piece is left."""
        buffer, at_ = self._buffer, 0
        if state.skipping:
            next_tag = NEXT.search(buffer)
            if next_tag is None:
                self._at = max(len(buffer) - 32, 0)
                return
            at_, state.skipping = next_tag.start(), False
        row = ROW.match
        while True:
            # nothing stands outside of the root, and the rows of a good file take this way only
            while state.depth == 1 and (match := row(buffer, at_)) is not None and b"<" not in match[1]:
                at_ = match.end()
                self._at = match.start(1)
                if state.open_rows:
                    self.report(self.place, INSIDE)
                state.rows += 1
                yield match[1]
            self._at = at_ = _after_blanks(buffer, at_)
            if at_ == len(buffer):
                return
            if not (ended or self._complete(at_)):
                return
            match = ODD_ROW.match(buffer, at_)
            if match is not None:
                self._at = match.start(1)
                self._note_nesting(state, match)
                at_ = match.end()
                state.rows += 1
                yield normalise(match[1])
            else:
                at_ = self._other(state, at_, ended)
                if at_ < 0:
                    return

    def _complete(self, at_: int) -> bool:
        """Whether what begins there ends in the buffer, known by the next row or end: a > may stand in a value."""
        start = self._buffer.find(b"<", at_)
        if start < 0:
            return len(self._buffer) - at_ > LONGEST
        return NEXT.search(self._buffer, start + 1) is not None or self._buffer[-64:].rstrip().endswith(b">")

    def _note_nesting(self, state: _State, match: re.Match[bytes]) -> None:
        if state.depth == 0:
            self.report(self.place, f"a row outside of <{self.kind}>")
        opened = not match[2] and not match[0].rstrip().endswith(b"</row>") and not re.search(rb"</row\s*>\Z", match[0])
        if state.open_rows:
            self.report(self.place, INSIDE)
        if opened:
            state.open_rows += 1

    def _other(self, state: _State, at_: int, ended: bool) -> int:
        """Whatever is no row; where to go on, or -1 to wait for more."""
        buffer = self._buffer
        if re.match(rb"\s*+<!(?!--)", buffer[at_ : at_ + 4096]):
            raise DataError(
                at(*self._file_and_line(), "a document type or entity declaration is not allowed in a dump")
            )
        if (match := SKIPPED.match(buffer, at_)) is not None:
            return match.end()
        if not ended and buffer.startswith((b"<!--", b"<?"), at_):
            return -1
        if (match := END.match(buffer, at_)) is not None:
            self._close(state, match[1])
            return match.end()
        if state.depth == 0 and (match := ROOT.match(buffer, at_)) is not None:
            name = match[1].decode("ascii", "replace")
            if name != self.kind:
                raise DataError(at(*self._file_and_line(), f"<{name}>, not <{self.kind}>"))
            if state.closed:
                self.report(self.place, f"another <{self.kind}> after the first has ended")
            state.depth = 0 if match[2] else 1
            state.closed = bool(match[2])
            state.seen = True
            return match.end()
        next_tag = NEXT.search(buffer, at_ + 1)
        if next_tag is None and not ended:
            return -1
        if not state.seen and not state.rows:
            raise DataError(
                at(*self._file_and_line(), f"not a dump: <{self.kind}> expected", buffer[at_ : at_ + 200].strip())
            )
        until = len(buffer) if next_tag is None else next_tag.start()
        why = "cut off in the middle of a row" if next_tag is None else "not a row, left out"
        self.report(self.place, f"{why}: {quote_line(buffer[at_ : min(until, at_ + 200)].strip())}")
        state.cut = next_tag is None
        self._at = until
        return until

    def _close(self, state: _State, name: bytes) -> None:
        if name == b"row" and state.open_rows:
            state.open_rows -= 1
        elif name == self.kind.encode() and state.depth:
            state.depth, state.closed = 0, True
            if state.open_rows:
                self.report(self.place, "a row is not closed")
                state.open_rows = 0
        else:
            self.report(self.place, f"</{name.decode('ascii', 'replace')[:40]}> closes nothing")

    def _file_and_line(self) -> tuple[str, int]:
        path, _, line = self.place.rpartition(":")
        return path, int(line)

    def _skip(self, state: _State) -> None:
        self.report(self.place, f"a row of more than {LONGEST >> 20} MB, left out: {quote_line(self._head())}")
        state.skipping = True
        self._lines += self._buffer.count(b"\n")
        self._buffer, self._at = self._buffer[-32:].replace(b"\n", b" "), 0

    def _head(self) -> bytes:
        return self._buffer[self._at : self._at + 200].strip()

    def _finish(self, state: _State) -> None:
        if not state.seen and not state.rows:
            raise DataError(f"{self.path}: empty" if not self.meter.read else f"{self.path}: no <{self.kind}> in it")
        if state.skipping or (not state.closed and not state.cut):
            self.report(self.place, f"cut off: </{self.kind}> is missing")


def _after_blanks(buffer: bytes, at_: int) -> int:
    match = BLANKS.match(buffer, at_)
    return at_ if match is None else match.end()


class _State:
    """Where in a file we are."""

    def __init__(self) -> None:
        self.depth, self.open_rows, self.rows = 0, 0, 0
        self.seen = self.closed = self.cut = self.skipping = False


def dump_files(where: str | os.PathLike[str]) -> dict[str, Path]:
    """{kind: path} of the files of a dump: those in a folder, or those beside a Posts.xml."""
    given = Path(where)
    folder = given if given.is_dir() else given.parent
    if not given.exists():
        raise MissingFileError(f"{where}: no such file or folder", where)
    try:
        names = {entry.name.lower(): entry for entry in sorted(folder.iterdir()) if entry.is_file()}
    except OSError as error:
        raise DataError(f"{where}: cannot be read: {error.strerror}") from None
    files = {}
    for kind, name in FILES.items():
        present = [names[key] for ending in PACKED if (key := (name + ending).lower()) in names]
        if len(present) > 1 and (kind != "posts" or given.is_dir()):
            raise DataError(f"{folder}: {present[0].name} and {present[1].name}: which one? Take one away")
        if present:
            files[kind] = present[0]
    if not given.is_dir():
        files["posts"] = given
    if "posts" not in files:
        raise DataError(f"{where}: no Posts.xml here")
    return files
