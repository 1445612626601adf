"""Verbs of the judging desk: serve it, and export what was judged at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.errors import DataError
from ..core.likes import PathLike
from ..formats.documents import read_documents
from ..judging_desk.desk_rules import read_rules
from ..judging_desk.desk_serving import judging_desk, open_book, store_of
from ..judging_desk.judgment_files import DeskExport, summarise, write_judgments
from ..pools.pool_files import open_pool
from ..pools.pooled_pairs import Pool
from .collection_verbs import indexed_documents


def pooled_documents(source: PathLike, pool: Pool) -> Callable[[str], tuple[str, str] | None]:
    """Title and text of a document of a pool by its id, from an index with texts or from files of documents.

    A source that has none of the documents to be judged is an error: it is another collection.
    """
    wanted = {document for document, drawn in zip(pool.documents, pool.drawn.tolist(), strict=True) if drawn}
    found = indexed_documents(source)
    if found is None:
        held = {each.id: (each.title, each.text) for each in read_documents(source) if each.id in wanted}
        found = held.get
    if wanted and all(found(id_) is None for id_ in wanted):
        raise DataError(f"{source}: has none of the documents of the pool, such as {min(wanted)}")
    return found


def missing_documents(source: Callable[[str], tuple[str, str] | None], pool: Pool) -> list[tuple[str, str]]:
    """(topic, document) of the pairs to be judged whose text is not at hand."""
    drawn = pool.drawn.tolist()
    rows = ((topic, document) for topic, document, _ in pool.rows())
    return [pair for pair, to_judge in zip(rows, drawn, strict=True) if to_judge and source(pair[1]) is None]


def pool_serve(
    project: PathLike,
    *,
    documents: PathLike | None = None,
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
        store: where judgments go; the project's own store if none is named.
        people: judges of a document that is in the overlap; as desk.toml of the project says, or 2.
        overlap: the share of documents that so many people judge; as desk.toml says, or 0.
        host: the address to listen on; others than this machine need tokens, see the command.
        port: the port to listen on; 0 takes a free one.
        name: who works here; the browser asks without it.
        adjudicators: who may settle disagreements and export.

    >>> pool_serve("project", name="Ada")  # doctest: +SKIP
    """
    from ..collection.workbench.store.open_store import open_store
    from ..web.place import Place, listen, serve

    folder = Path(project)
    pool = open_pool(folder)
    rules = read_rules(folder, pool.position, people=people, overlap=overlap)
    source = documents or pool.definition.documents or None
    with open_store(store_of(folder, store)) as opened:
        place = Place(host, port, (), None, None, False)
        texts = None if source is None else pooled_documents(source, pool)
        application = judging_desk(folder, opened, place, name, adjudicators, texts, rules)
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
        return summarise(book) if output is None else write_judgments(book, Path(output))
