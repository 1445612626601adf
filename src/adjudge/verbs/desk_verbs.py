"""Verbs of the judging desk: serve it, and export what was judged at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..core.errors import DataError, SpecError
from ..core.likes import PathLike
from ..core.scanned_page import ScannedPage
from ..formats.documents import read_documents
from ..formats.documents.formula_places import formula_places
from ..index.index import Index
from ..judging_desk.desk_documents import DeskDocuments
from ..judging_desk.desk_rules import read_rules
from ..judging_desk.desk_serving import judging_desk, open_book
from ..judging_desk.judgment_files import DeskExport, summarise, write_judgments
from ..pools.pool_files import open_pool
from ..pools.pooled_pairs import Pool
from .collection_verbs import index_with_texts, texts_of

Ints = npt.NDArray[np.int64]


def pooled_documents(source: PathLike, pool: Pool, images: PathLike | None = None) -> DeskDocuments:
    """The documents of a pool by their ids, from an index with texts or from files of documents.

    A source that has none of the documents to be judged is an error: it is another collection. Images of scanned pages
    are looked for where they were when they were indexed, or below ``images``.
    """
    index = index_with_texts(source)
    if index is None:
        if images is not None:
            raise SpecError(f"{source}: page images go with an index of scanned pages, which this is not")
        wanted = {document for document, drawn in zip(pool.documents, pool.to_judge.tolist(), strict=True) if drawn}
        files = read_documents(source)
        held = {each.id: (each.title, each.text) for each in files if each.id in wanted}
        placed = formula_places(files, {id_: text for id_, (_, text) in held.items()})
        documents = DeskDocuments(
            held.get,
            held.__contains__,
            listed=held,
            search=lambda words: _held_with(held, words),
            formulas=lambda id_: placed.get(id_, ()),
        )
    else:
        documents = _of_index(index, images)
    rows = np.flatnonzero(pool.to_judge)
    if len(rows) and not any(documents.has(pool.documents[int(row)]) for row in rows):
        first = min(pool.documents[int(row)] for row in rows)
        raise DataError(f"{source}: has none of the documents of the pool, such as {first}")
    return documents


def _held_with(held: Mapping[str, tuple[str, str]], words: str) -> Ints:
    """The documents that have all words in title or text, as they are written or as parts of others."""
    wanted = words.casefold().split()
    found = [
        number
        for number, (title, text) in enumerate(held.values())
        if wanted and all(word in whole for whole in (f"{title}\n{text}".casefold(),) for word in wanted)
    ]
    return np.array(found, np.int64)


def _indexed_with(index: Index, words: str) -> Ints:
    """The documents that have all words, compared as the index compares them."""
    terms = {index.number(term) for term in index.analyzer.terms(words)}
    if not terms or -1 in terms:
        return np.zeros(0, np.int64)
    lists = sorted((np.asarray(index.postings(term)[0], np.int64) for term in terms), key=len)
    return reduce(partial(np.intersect1d, assume_unique=True), lists)


def _of_index(index: Index, images: PathLike | None) -> DeskDocuments:
    from ..page_view.scan_images import ScanImages, root_of

    if images is not None and not Path(images).is_dir():
        raise DataError(f"{images}: no such folder")

    def has(id_: str) -> bool:
        try:
            index.document_number(id_)
        except DataError:
            return False
        return True

    def pages(id_: str) -> Sequence[ScannedPage]:
        return index.pages(index.document_number(id_))

    shown = ScanImages(root_of(index.manifest.source, images))
    return DeskDocuments(texts_of(index), has, pages, shown, index.ids, lambda words: _indexed_with(index, words))


def missing_documents(source: DeskDocuments, pool: Pool) -> list[tuple[str, str]]:
    """(topic, document) of the pairs to be judged whose text is not at hand."""
    known: dict[str, bool] = {}
    missing = []
    for t, topic in enumerate(pool.topics):
        first, last = int(pool.offsets[t]), int(pool.offsets[t + 1])
        for document, wanted in zip(pool.documents[first:last], pool.to_judge[first:last].tolist(), strict=True):
            if wanted:
                if document not in known:
                    known[document] = source.has(document)
                if not known[document]:
                    missing.append((topic, document))
    return missing


def pool_serve(
    project: PathLike,
    *,
    documents: PathLike | None = None,
    images: PathLike | None = None,
    store: str | None = None,
    people: int | None = None,
    overlap: float | None = None,
    host: str = "127.0.0.1",
    port: int = 8300,
    name: str = "",
    adjudicators: Sequence[str] = (),
) -> None:
    """Serve the desk at which people judge the documents of a pool in a browser, until it is interrupted.

    Args:
        project: the folder of a project that has a pool.
        documents: an index with texts, or files of documents; what the pool was made with if None.
        images: the folder of page images, if they do not lie where they were indexed.
        store: where judgments go; the project's own store if none is named.
        people: judges of a document that is in the overlap; as desk.toml of the project says, or 2.
        overlap: the share of documents that so many people judge; as desk.toml says, or 0.
        host: the address to listen on; others than this machine need tokens, see the command.
        port: the port to listen on; 0 takes a free one.
        name: who works here; the browser asks without it.
        adjudicators: who may settle disagreements and export.

    >>> pool_serve("project", name="Ada")  # doctest: +SKIP
    """
    from ..collection.workbench.store.open_store import open_store, remember_store, store_of
    from ..web.place import Place, listen, serve

    folder = Path(project)
    pool = open_pool(folder)
    rules = read_rules(folder, pool.position, people=people, overlap=overlap)
    source = documents or pool.definition.documents or None
    with open_store(store_of(folder, store)) as opened:
        place = Place(host, port, (), None, None, False)
        texts = None if source is None else pooled_documents(source, pool, images)
        application = judging_desk(folder, opened, place, name, adjudicators, texts, rules)
        remember_store(folder, store)
        with listen(place) as bound:
            serve(application, bound, place)


def pool_judgments(project: PathLike, output: PathLike | None = None, *, store: str | None = None) -> DeskExport:
    """Export what was judged at the desk of a pool: qrels, those of each assessor, all judgments with who made them.

    Args:
        project: the folder of a project that has a pool.
        output: the folder; nothing is written without it.
        store: where the judgments are; the project's own store if none is named.

    >>> pool_judgments("project", "judgments").qrels  # doctest: +SKIP
    """
    with open_book(Path(project), store) as book:
        return summarise(book) if output is None else write_judgments(book, Path(output), Path(project).resolve().name)
