"""Search engines of other people: what they index of a version, kept in its folder, and what they answer, as a run.

An engine numbers the documents as they come and knows nothing of their ids. It is handed the words of a question that
say what it is about, one by one, so nothing in a question can be taken for the engine's query syntax.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...core.errors import DataError
from ...core.run import Run
from ...storage.replace import replace_folder
from ..system import Topics
from .content import content_words, nothing_found
from .version import Version

IDS = "ids.json"

Hit = tuple[int, float]
"""The number of a document, and its score."""


class EngineIndex(NamedTuple):
    """What an engine made of a version: a folder of its own, and the ids of the documents by their numbers."""

    folder: Path
    ids: list[str]


def acceptable_text(text: str) -> str:
    """A text that every engine takes whole: NUL, at which some stop and which others refuse, is a blank, and what is no
    Unicode character becomes a question mark.

    >>> acceptable_text("solar\\0power \\udcff")
    'solar power ?'
    """
    if "\0" in text:
        text = text.replace("\0", " ")
    return text.encode("utf-8", "replace").decode("utf-8")


def numbered_texts(version: Version, ids: list[str]) -> Iterator[tuple[int, str]]:
    """The documents of a version with their numbers, as engines take them; the ids are added to a list."""
    with version.progress.work("index", total=version.documents.size, unit="bytes") as step:
        before = 0
        for number, document in enumerate(version.documents):
            ids.append(document.id)
            yield number, acceptable_text(document.text)
            step.advance(version.documents.read - before)
            before = version.documents.read
    if not ids:
        raise DataError("no documents to index")


def engine_index(
    version: Version, kind: str, settings: str, build: Callable[[Path, Iterable[tuple[int, str]]], None]
) -> EngineIndex:
    """The index of an engine under some settings; built when first asked for, and kept."""
    folder = version.folder_for(kind, settings)
    with suppress(OSError, ValueError):  # there is none, or it is damaged: it is made again
        return EngineIndex(folder, json.loads((folder / IDS).read_bytes()))
    version.refuse_complete()
    ids: list[str] = []
    with replace_folder(folder, durable=False) as new:
        build(new, numbered_texts(version, ids))
        (new / IDS).write_text(json.dumps(ids), encoding="ascii")
    return EngineIndex(folder, ids)


def run_of_engine(
    version: Version, topics: Topics, ids: Sequence[str], ask: Callable[[list[str]], Sequence[Hit]], name: str
) -> Run:
    """What an engine answers when it is asked for the words of each question; what finds nothing is noted."""
    asked: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    with version.progress.work("search", total=len(topics), unit="topics") as step:
        for topic, question in topics.items():
            words = content_words(acceptable_text(question))
            hits = ask(words) if words else ()
            if not hits:
                step.note(nothing_found(words).about(topic))
            asked += [topic] * len(hits)
            documents += [ids[number] for number, _ in hits]
            scores += [score for _, score in hits]
            step.advance(name=topic)
    return Run.of_columns(asked, documents, np.array(scores), name=name) if asked else Run.empty(name)
