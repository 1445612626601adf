"""Comments in the sources of the library: prose about the same things, but no docstring and so no document.

They are what a lexicon can be made of without having seen the documents that are searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.document import Document
from .docstrings import NOT_TEXT, fold_spaces, words
from .library import Library, LibrarySource

LEAST = 8
"""Words that a run of comment lines must have; what is shorter is mostly code or a rule of dashes."""

PARTS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''(?:[^\\]|\\.)*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|(?P<comment>\#[^\n]*)",
    re.DOTALL,
)
"""Strings, which may have a # in them, and comments."""


def comments(library: Library, searched: frozenset[str]) -> Iterator[Document]:
    """Runs of comment lines in all modules, each text once, and none of the texts that are searched."""
    seen = set(searched)
    for source in library.sources([]):  # what cannot be read was reported with the docstrings
        for line, text in _runs(source):
            key = fold_spaces(text)
            if words(text) >= LEAST and key not in seen:
                seen.add(key)
                yield Document(f"{source.module}:{line}", text)


def _runs(source: LibrarySource) -> Iterator[tuple[int, str]]:
    """The line on which each run of whole-line comments begins, and its text."""
    text = source.raw.decode("utf-8", "replace").replace("\r\n", "\n")
    line = start = last = 0
    place = 0
    run: list[str] = []
    for match in PARTS.finditer(text):
        comment = match["comment"]
        if comment is None or text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip():
            continue
        line += text.count("\n", place, match.start())
        place = match.start()
        if run and line != last + 1:
            yield start + 1, _join(run)
            run = []
        start = line if not run else start
        run.append(comment)
        last = line
    if run:
        yield start + 1, _join(run)


def _join(run: list[str]) -> str:
    text = "\n".join(comment.lstrip("#").strip() for comment in run)
    return NOT_TEXT.sub(" ", text).strip() if "\ufffd" not in text else ""
