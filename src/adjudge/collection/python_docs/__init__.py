"""Known-item search in Python's own documentation: a test collection that every Python brings along.

Documents are the docstrings of the installed standard library, some five thousand, read from its sources when they are
asked for; nothing of them is kept in this package. The 49 questions were written for adjudge in the manner of the
TREC-5 Confusion Track: each describes one document in the words of somebody who has seen it once. Their targets exist
from Python 3.11 to 3.14; documents differ a little from one Python to the next, and so will figures.

    library.py     where the sources are, and which are left out
    parsing.py     docstrings and imports of a source, which is never run
    compiled.py    docstrings of modules written in C
    naming.py      the public name of each
    docstrings.py  documents
    comments.py    text of the same kind that is not searched
    questions.tsv  question and target
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.document import Document, Documents, InMemory
from ...core.errors import DataError
from ...core.note import Note
from ...core.topic import Topic
from .comments import comments
from .docstrings import Extract, extract, fold_spaces
from .library import Library, installed_library

if TYPE_CHECKING:
    from ...core.qrels import Qrels

__all__ = ["PythonDocs", "Question", "collection", "documents", "judgments", "outside", "questions", "topics", "write"]

FILES = ("documents.jsonl.zst", "topics.jsonl", "qrels.txt", "outside.jsonl.zst")
"""What :func:`write` makes."""


@dataclass(frozen=True)
class Question:
    """What is asked, and the one document that answers it."""

    id: str
    text: str
    target: str


class ExtractedDocuments(InMemory):
    """Documents, with what could not be read or asked."""

    def __init__(self, documents: tuple[Document, ...], notes: tuple[Note, ...] = ()) -> None:
        super().__init__(documents)
        self._notes = notes

    @property
    def notes(self) -> tuple[Note, ...]:
        return self._notes


@dataclass(frozen=True, eq=False)
class PythonDocs:
    """Documents, and the questions whose targets are among them."""

    library: Library
    extract: Extract
    questions: tuple[Question, ...]
    notes: tuple[Note, ...]
    """Files that could not be read, and questions that were left out because this Python lacks their target."""

    @property
    def documents(self) -> Documents:
        return ExtractedDocuments(self.extract.documents, self.notes)

    @property
    def topics(self) -> list[Topic]:
        return [Topic(question.id, question.text) for question in self.questions]

    @property
    def judgments(self) -> Qrels:
        from ...formats.qrels import read_qrels

        return read_qrels({question.id: {question.target: 1} for question in self.questions})

    @property
    def outside(self) -> Documents:
        """Comments, and docstrings of private names: none of them is a document that is searched."""
        searched = frozenset(fold_spaces(each.text.removeprefix(each.title)) for each in self.extract.documents)
        known = searched | {fold_spaces(each.text) for each in self.extract.private}
        return ExtractedDocuments((*self.extract.private, *comments(self.library, known)))

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write what ``adjudge`` commands take; each file is there whole or not at all."""
        from ...formats.documents.document_writing import DocumentWriter
        from ...formats.qrels import write_qrels
        from ...formats.topics import write_topics

        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{target}: cannot be made: {error.strerror}") from None
        for name, documents in ((FILES[0], self.documents), (FILES[3], self.outside)):
            with DocumentWriter(target / name) as writer:
                for document in documents:
                    writer.add(document)
        write_topics(self.topics, target / FILES[1])
        write_qrels(self.judgments, target / FILES[2])


def questions() -> tuple[Question, ...]:
    """All questions, whether or not this Python has their targets."""
    text = (files(__name__) / "questions.tsv").read_text(encoding="utf-8")
    rows = []
    for line in text.splitlines()[1:]:
        id_, question, target = line.split("\t")
        rows.append(Question(id_, question, target))
    return tuple(rows)


def collect(library: Library, extracted: Extract, asked: tuple[Question, ...]) -> PythonDocs:
    """The collection that questions make with documents; a question without its target is skipped and reported."""
    known = {document.id for document in extracted.documents}
    answerable = tuple(question for question in asked if question.target in known)
    missing = tuple(
        Note.of("target_not_in_library", question.id, target=question.target)
        for question in asked
        if question.target not in known
    )
    if not answerable:
        raise DataError(f"{library.root}: none of the {len(asked)} questions has its target in this library")
    return PythonDocs(library, extracted, answerable, (*extracted.notes, *missing))


@cache
def collection() -> PythonDocs:
    """The collection of the Python that runs; made once in a process, in about two seconds."""
    library = installed_library()
    return collect(library, extract(library), questions())


def documents() -> Documents:
    """Docstrings of the standard library by public name; ``notes`` tells what was left out."""
    return collection().documents


def topics() -> list[Topic]:
    """The questions as titles of topics."""
    return collection().topics


def judgments() -> Qrels:
    """One target for each question."""
    return collection().judgments


def outside() -> Documents:
    """Text of the same kind that is not searched, for lexica: comments, and docstrings of private names."""
    return collection().outside


def write(folder: str | os.PathLike[str]) -> PythonDocs:
    """Write documents.jsonl.zst, topics.jsonl, qrels.txt and outside.jsonl.zst into a folder, made if need be."""
    whole = collection()
    whole.write(folder)
    return whole
