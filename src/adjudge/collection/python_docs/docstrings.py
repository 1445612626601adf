"""Documents made of docstrings.

A document is one docstring: indentation removed, headed by the public name of what it explains, as ``help()`` heads it.
Left out are docstrings of fewer than five words ("Visit a node.") and those that repeat another's word for word: of
these the one with the fewest dots in its name stays, then the shortest, then the first by the alphabet.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from inspect import cleandoc

from ...core.document import Document
from ...core.errors import DataError
from ...core.machine import uncollected
from ...core.note import Note
from .compiled import compiled_modules
from .library import Library
from .naming import private_docstrings, public_names
from .parsing import NOT_PARSED, Module, parse

LEAST = 5
"""Words, of two letters or more, below which a docstring says too little to be looked for."""

WORD = re.compile(r"[^\W\d_]{2,}")
NOT_TEXT = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Extract:
    """What was found in a library."""

    documents: tuple[Document, ...]
    """By id."""
    private: tuple[Document, ...]
    """Docstrings of private names of the same modules, which are not searched."""
    short: int
    """Docstrings with too few words."""
    repeated: int
    """Docstrings that another document has word for word."""
    notes: tuple[Note, ...]
    """What could not be read."""


def extract(library: Library, modules: Iterable[Module] | None = None) -> Extract:
    """The documents of a library's sources and of compiled modules; those of this Python unless others are given."""
    notes: list[Note] = []
    with warnings.catch_warnings(), uncollected():  # a doubtful escape in a file is no affair of those who search it
        warnings.simplefilter("ignore")
        known = _parse(library, notes)
        if not known:
            raise DataError(f"{library.root}: no source of the standard library can be read there")
        for module in compiled_modules(notes) if modules is None else modules:
            known.setdefault(module.name, module)
    named: dict[str, str] = {}
    for id_, docstring, _ in public_names(known):
        named.setdefault(id_, tidy(docstring))
    best: dict[str, str] = {}
    long = [id_ for id_, text in named.items() if words(text) >= LEAST]
    for id_ in sorted(long, key=lambda id_: (id_.count("."), len(id_), id_)):
        best.setdefault(fold_spaces(named[id_]), id_)
    documents = tuple(Document(id_, f"{id_}\n{named[id_]}", id_) for id_ in sorted(best.values()))
    private: dict[str, Document] = {}
    for id_, docstring in private_docstrings(known):
        text = tidy(docstring)
        if words(text) >= LEAST and (key := fold_spaces(text)) not in best:
            private.setdefault(key, Document(id_, text))
    short, repeated = len(named) - len(long), len(long) - len(best)
    return Extract(documents, tuple(sorted(private.values())), short, repeated, tuple(notes))


def _parse(library: Library, notes: list[Note]) -> dict[str, Module]:
    modules: dict[str, Module] = {}
    for source in library.sources(notes):
        try:
            modules[source.module] = parse(source)
        except NOT_PARSED as error:
            notes.append(Note.of("source_not_parsed", str(source.place), why=str(error)))
    return modules


def tidy(docstring: str) -> str:
    """A docstring without its indentation, blanks at the ends of lines, and characters that no page can show.

    >>> tidy("Push item.\\n\\n    Keeps the heap. \\n    ")
    'Push item.\\n\\nKeeps the heap.'
    """
    text = SURROGATE.sub("\ufffd", NOT_TEXT.sub(" ", cleandoc(docstring)))
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


def words(text: str) -> int:
    return len(WORD.findall(text))


def fold_spaces(text: str) -> str:
    """What two texts have in common that differ in white space only."""
    return " ".join(text.split())
