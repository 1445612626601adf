"""Starting the judging desk of a pool, and reading what was judged at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..collection.workbench.serving import web_settings
from ..collection.workbench.store.open_store import ELSEWHERE, STORE, open_store, store_of
from ..collection.workbench.store.store import Store
from ..core.errors import DataError, at
from ..core.qrels import Qrels
from ..core.visible import visible
from ..pools.judging_queue import SET_ASIDE
from ..pools.pool_files import open_pool, pool_topics
from ..pools.pooled_pairs import Pool
from ..web.place import Place
from .desk_documents import DeskDocuments
from .desk_rules import DeskRules, read_rules
from .judgment_book import JudgmentBook, qrels_of
from .pair_assignments import PAIRS, line_of


def judging_desk(
    folder: Path,
    store: Store,
    place: Place,
    name: str = "",
    adjudicators: Sequence[str] = (),
    documents: DeskDocuments | None = None,
    rules: DeskRules | None = None,
) -> Any:
    """The application of a pool as it is served at a place; bound elsewhere than loopback it asks for tokens."""
    pool = open_pool(folder)
    _refuse_ids(folder, pool)
    agreed = read_rules(folder, pool.position) if rules is None else rules
    _refuse_pairs(folder, agreed, pool)
    wanted = 2 if agreed.several else 1  # where one person judges a pair, all may export
    settings = web_settings(store, place, name, wanted, adjudicators, documents)
    from ..collection.workbench.web.visitors import without_paths
    from .desk_pages import DeskPages
    from .desk_site import desk_application
    from .turns import Turns

    if documents is not None:
        documents = replace(
            documents,
            find=without_paths(documents.find),
            pages=without_paths(documents.pages),
            search=without_paths(documents.search),
        )
    book = JudgmentBook(store, pool, agreed)
    pages = DeskPages(folder.resolve().name, book, Turns(book), pool_topics(folder), documents)
    return desk_application(folder, book, pages, settings)


def _refuse_ids(folder: Path, pool: Pool) -> None:
    """An error if an id cannot go to a browser and come back: an assessor would meet a pair that cannot be judged."""
    try:
        pool.documents.data.tobytes().decode()  # a million ids at once
        bad = next((topic for topic in pool.topics if not _is_text(topic)), None)
    except UnicodeDecodeError:
        bad = next((id_ for id_ in (*pool.topics, *pool.documents) if not _is_text(id_)), None)
    if bad is not None:
        raise DataError(f"{folder}: the id {visible(bad)!r} is not UTF-8, and no browser can send it back")


def _refuse_pairs(folder: Path, rules: DeskRules, pool: Pool) -> None:
    """An error if somebody has a pair that nobody would ever be given."""
    for topic, documents in rules.pairs.people.items():
        for document, names in documents.items():
            row = pool.row_of(topic, document)
            if row is None or not pool.to_judge[row]:
                where = "is not in the pool" if row is None else "was not drawn for judging"
                why = f"document {document} of topic {topic}, for {names[0]}, {where}"
                line = line_of(folder / PAIRS, topic, document)
                raise DataError(at(str(folder / PAIRS), line, why))


def _is_text(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)


@contextmanager
def open_book(folder: Path, store: str | None = None) -> Iterator[JudgmentBook]:
    """What was judged at the desk of a project."""
    pool = open_pool(folder)
    with open_store(store_of(folder, store), create=False) as opened:
        book = JudgmentBook(opened, pool, read_rules(folder, pool.position))
        book.refresh()
        yield book


def desk_judgments(folder: Path, store: str | None = None) -> Qrels | None:
    """What the desk has come to, in the order of judging; -1 where people differ or cannot tell; None if empty."""
    if not _has_store(folder, store):
        return None
    with open_book(folder, store) as book:
        rows = [(*pair, SET_ASIDE if each.grade is None else each.grade) for pair, each in book.outcomes()]
    return qrels_of(rows, "judgments of the desk") if rows else None


def heard_at_desk(folder: Path, store: str | None = None) -> Qrels | None:
    """What the order of judging has heard: where people differ, what the first says who could tell; None if nothing."""
    if not _has_store(folder, store):
        return None
    with open_book(folder, store) as book:
        heard = {topic: book.queue.grades(topic) for topic in book.pool.topics}
    rows = [(topic, document, grade) for topic, grades in heard.items() for document, grade in grades.items()]
    return qrels_of(rows, "judgments of the desk") if rows else None


def _has_store(folder: Path, store: str | None) -> bool:
    return store is not None or (folder / STORE).is_file() or (folder / ELSEWHERE).is_file()
