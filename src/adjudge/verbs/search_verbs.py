"""Verbs on documents and indexes: index, search, retrieve, explain."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.arguments import listed, type_name
from ..core.document import Documents
from ..core.energy import EnergyMeter
from ..core.errors import DataError, SpecError, WrongTypeError
from ..core.likes import DocumentsLike, PathLike, TopicsLike
from ..core.progress import SILENT, Listener
from ..core.run import Run
from ..core.topic import queries_of
from ..formats.documents import read_documents
from ..formats.documents.document_reading import DocumentFiles
from ..formats.documents.scan_reading import ScanFiles
from ..formats.ir_metadata import describe_run, resources_of
from ..formats.topics import read_topics
from ..index.building import DEFAULT, MEMORY, build
from ..index.explanation import Explanation
from ..index.index import Index
from ..index.index_changes import add_documents, remove_documents
from ..index.index_changes import merge_index as merge_parts_of
from ..index.searching import Searcher
from ..noise.page_reading import engine_reader
from ..report.search_results import PAGE, SearchAnswer, answer_of, found_by
from ..storage.access import is_within
from ..systems.parts.kept import Kept, is_kept, keep, open_kept, refuse, refuse_change, verify_kept
from ..systems.system import find_system
from ..text.analyzer import Analyzer
from ..weighting.scheme import Weighting

IndexLike = Index | Kept | str | os.PathLike[str]
"""An index, a system with what it prepared, or the path of the folder of either."""

WEIGHTING = "bm25"
PAGES = ".pages"
"""Ends the name of the file beside an index that keeps what was read of scanned pages."""


def index(
    documents: DocumentsLike,
    folder: PathLike | None = None,
    *,
    analyzer: str = DEFAULT,
    positions: bool = False,
    texts: bool = True,
    layout: str | None = None,
    unit: str = "page",
    ocr: str | None = None,
    memory: int = MEMORY,
    progress: Listener = SILENT,
) -> Index:
    """Index documents for searching with any retrieval model.

    Args:
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        folder: where the index goes, replacing one that is there when the new one is whole; without a folder it is a
            temporary one that is removed with the index.
        analyzer: a tokenizer and filters, such as ``words|lower|stop(smart)|porter``.
        positions: store where in a document each term stands.
        texts: store the documents too, so that searches show titles and snippets.
        layout: what the files hold, if it is not to be seen from their content.
        unit: what becomes a document where pages were scanned: page, document (a METS, a PDF or a folder), file.
        ocr: the spec of an engine that reads images of pages without text, such as ``tesseract(language=deu)``.
        memory: bytes of postings that are held before they go to disk.
        progress: hears how far it is.

    >>> len(index({"d1": "solar power", "d2": "wind power"}))
    2
    """
    Analyzer.parse(analyzer)  # before a large collection is looked through
    read = read_scans(documents, folder, layout, unit, ocr, progress)
    how: dict[str, Any] = {"analyzer": analyzer, "positions": positions, "texts": texts, "memory": memory}
    if folder is None:
        scratch = tempfile.TemporaryDirectory(prefix="adjudge-index-")
        built = build(read, Path(scratch.name) / "index", progress=progress, **how)
        weakref.finalize(built, scratch.cleanup)
        return built
    refuse_places(folder, documents, read)
    return build(read, folder, progress=progress, **how)


def prepare_system(
    system: str,
    documents: DocumentsLike,
    folder: PathLike,
    *,
    layout: str | None = None,
    unit: str = "page",
    ocr: str | None = None,
    progress: Listener = SILENT,
) -> Kept:
    """Let a system prepare documents in a folder, so that :func:`search` and :func:`retrieve` ask it.

    Args:
        system: the spec of a system that answers queries one by one, such as ``decipher`` for scanned text.
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        folder: a new or empty folder, or one that a system prepared before.
        layout: what the files hold, if it is not to be seen from their content.
        unit: what becomes a document where pages were scanned: page, document (a METS, a PDF or a folder), file.
        ocr: the spec of an engine that reads images of pages without text.
        progress: hears how far it is.

    >>> prepare_system("decipher", "scanned.jsonl", "scanned.index")  # doctest: +SKIP
    """
    component = find_system(system)
    refuse(component)
    read = read_scans(documents, folder, layout, unit, ocr, progress)
    refuse_places(folder, documents, read)
    return keep(component, read, folder, progress=progress)


def read_scans(
    documents: DocumentsLike,
    folder: PathLike | None = None,
    layout: str | None = None,
    unit: str = "page",
    ocr: str | None = None,
    progress: Listener = SILENT,
) -> Documents:
    """The documents; files of scanned pages are read first, and what was read is kept beside the folder of the index.

    So a job that was interrupted goes on where it was, and a later one reads only what is new. The file beside the
    folder may be deleted: then all pages are read again.
    """
    store = None if folder is None else f"{os.fspath(folder).rstrip(os.sep)}{PAGES}"
    reader = None if ocr is None else engine_reader(ocr)
    read = read_documents(documents, layout, unit=unit, ocr=reader, store=store)
    if isinstance(read, ScanFiles):
        if folder is not None:
            refuse_places(folder, documents, read)
        read.take_in(progress)
    return read


def refuse_places(folder: PathLike, given: Any, documents: Any) -> None:
    """An error if an index would lie among the documents, or documents lie in the folder of the index."""
    sources = given if isinstance(given, list | tuple) else [given]
    for source in sources:
        if isinstance(source, str | os.PathLike) and os.path.isdir(source) and is_within(folder, source):
            where = f"{os.fspath(folder)}: the index must not be inside the input folder"
            raise DataError(f"{where} {os.fspath(source)}")
    inside = os.path.join(os.path.realpath(folder), "")
    for file in documents.files if isinstance(documents, DocumentFiles | ScanFiles) else ():
        if file.handle is None and os.path.realpath(file.path).startswith(inside):
            raise DataError(f"{file.path}: input must not be inside the index folder {os.fspath(folder)}")


def add_to_index(
    index: Index | PathLike,
    documents: DocumentsLike,
    *,
    new: bool = False,
    layout: str | None = None,
    unit: str = "page",
    ocr: str | None = None,
    memory: int = MEMORY,
    progress: Listener = SILENT,
) -> Index:
    """Add documents to an index, behind those that are there; it is then as if all had been indexed at once.

    An index that is open stays as it was: go on with the one that is returned.

    Args:
        index: an index, or the folder of one.
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        new: leave out documents whose ids are in the index; otherwise one is an error.
        layout: what the files hold, if it is not to be seen from their content.
        unit: what becomes a document where pages were scanned: page, document (a METS, a PDF or a folder), file.
        ocr: the spec of an engine that reads images of pages without text.
        memory: bytes of postings that are held before they go to disk.
        progress: hears how far it is.

    >>> len(add_to_index(index({"d1": "solar power"}), {"d2": "wind power"}))
    2
    """
    folder = _to_change(index)
    read = read_scans(documents, folder, layout, unit, ocr, progress)
    refuse_places(folder, documents, read)
    return _instead(index, add_documents(folder, read, new=new, memory=memory, progress=progress))


def remove_from_index(index: Index | PathLike, ids: str | Sequence[str]) -> Index:
    """Remove documents from an index; it is then as if they had never been there.

    An index that is open stays as it was: go on with the one that is returned.

    Args:
        index: an index, or the folder of one.
        ids: the documents; one that is not in the index is an error, and nothing is changed.

    >>> len(remove_from_index(index({"d1": "solar power", "d2": "wind power"}), "d1"))
    1
    """
    return _instead(index, remove_documents(_to_change(index), listed(ids, "ids")))


def merge_index(index: Index | PathLike) -> Index:
    """Make one part of all parts of an index to which documents were added, or from which some were removed.

    Nothing that is found changes. The files are those of an index that was built at once.

    Args:
        index: an index, or the folder of one.

    >>> len(merge_index(add_to_index(index({"d1": "solar power"}), {"d2": "wind power"})))
    2
    """
    return _instead(index, merge_parts_of(_to_change(index)))


def _to_change(index: Index | PathLike) -> Path:
    """The folder of an index that is to be changed."""
    if isinstance(index, Index):
        return index.folder
    if not isinstance(index, str | os.PathLike):
        raise WrongTypeError(f"index must be an Index or the path of one, not {type_name(index)}")
    refuse_change(index)
    return Path(index)


def _instead(before: object, after: Index) -> Index:
    """The index as it is now; the former one, with which a temporary folder may go, lives as long."""
    if isinstance(before, Index) and before is not after:
        weakref.finalize(after, len, (before,))
    return after


def verify_index(index: IndexLike) -> None:
    """Compare every file of an index with its checksum; damage is a DataError that names the file.

    Args:
        index: an index, or the folder of one or of a system.

    >>> verify_index(index({"d1": "solar power"}))
    """
    if isinstance(index, Kept):
        raise WrongTypeError("index must be the folder of the system, which is verified file by file")
    if not isinstance(index, Index) and is_kept(index):
        verify_kept(index)
    else:
        open_index(index).verify()


def search(
    index: IndexLike, query: str, k: int = 10, *, weighting: str | Weighting = WEIGHTING, width: int = PAGE
) -> SearchAnswer:
    """Search an index: the best documents for a query, with titles and snippets where texts are stored.

    Args:
        index: an index, or the folder of one or of a system.
        query: words.
        k: how many documents.
        weighting: the spec of a retrieval model, such as ``bm25(k1=1.2, b=0.75)``.
        width: snippets fill two lines of a page so wide.

    >>> [hit.document for hit in search(index({"d1": "solar power", "d2": "wind"}), "solar")]
    ['d1']
    """
    if not isinstance(query, str):
        raise WrongTypeError(f"query must be a string, not {type_name(query)}: retrieve takes several topics")
    asked = answerer_of(index, weighting)
    if isinstance(asked, Kept):
        return found_by(asked.answerer, str(asked.system), query, asked.answerer.search(query, k), width)
    return answer_of(asked, query, asked.search([query], k)[0], width)


def retrieve(
    index: IndexLike,
    topics: TopicsLike | Mapping[str, Mapping[str, float]],
    *,
    weighting: str | Weighting = WEIGHTING,
    k: int = 1000,
    fields: str | Sequence[str] = ("title",),
    name: str | None = None,
    metadata: bool = False,
    progress: Listener = SILENT,
) -> Run:
    """Retrieve documents for a set of topics, as a run that can be evaluated; topics that find nothing are left out.

    Args:
        index: an index, or the folder of one or of a system.
        topics: a file, a list of Topic, {topic: text}, {topic: {term: weight}}, or a frame with an id and a title.
        weighting: the spec of a retrieval model, such as ``dirichlet(mu=1000)``.
        k: how many documents for a topic.
        fields: the parts of a topic that are the query: title, description, narrative.
        name: of the run; the spec of the model if none is given.
        metadata: describe in ``run.metadata`` how the run was made, for :func:`write_run` to write as a header.
        progress: hears of every topic, and why one finds nothing.

    >>> retrieve(index({"d1": "solar power", "d2": "wind"}), {"1": "solar"}).to_dict()["1"].keys()
    dict_keys(['d1'])
    """
    asked = answerer_of(index, weighting)
    queries: Mapping[str, Any]
    if isinstance(topics, Mapping) and topics and all(isinstance(query, Mapping) for query in topics.values()):
        queries = {str(topic): query for topic, query in topics.items()}
    else:
        queries = queries_of(read_topics(topics), listed(fields, "fields"))  # type: ignore[arg-type]
    with EnergyMeter() as meter:
        if isinstance(asked, Kept):
            run = asked.run(queries, k, name, progress=progress)
        else:
            usual = "".join(str(weighting).split())
            run = asked.run(queries, k, usual if name is None else name, progress=progress)
    if not metadata:
        return run
    described = describe_run(
        run.name,
        system=str(asked.system if isinstance(asked, Kept) else weighting),
        depth=k,
        analyzer="" if isinstance(asked, Kept) else str(asked.index.analyzer),
        data={"test collection": {"number of topics": len(queries)}},
        resources=resources_of(meter),
    )
    return replace(run, metadata=described)


def explain(
    index: IndexLike, query: str | Mapping[str, float], document: str, *, weighting: str | Weighting = WEIGHTING
) -> Explanation:
    """Explain the score of a document for a query: term by term, as a tree that adds up.

    Args:
        index: an index, or the folder of one or of a system.
        query: words, or {term: weight}.
        document: the id of a document.
        weighting: the spec of a retrieval model.

    >>> explain(index({"d1": "solar power", "d2": "wind"}), "solar", "d1").value > 0
    True
    """
    asked = answerer_of(index, weighting)
    if isinstance(asked, Kept):
        return asked.answerer.explain(str(query), document)
    return asked.explain(query, document)


def serve(
    index: Index | PathLike,
    *,
    weighting: str = WEIGHTING,
    images: PathLike | None = None,
    host: str = "127.0.0.1",
    port: int = 8310,
    token: str = "",
    public: bool = False,
) -> None:
    """Search an index in a browser, on this machine, until interrupted: see ``adjudge serve``.

    Args:
        index: an index with texts, or the folder of one or of a system.
        weighting: the spec of a retrieval model; a system has its own.
        images: the folder of the page images, if they no longer lie where they were indexed.
        host: the address to listen on; others than this machine need a token, or public.
        port: the port to listen on; 0 takes a free one.
        token: what visitors have to enter, at least 16 characters.
        public: whether everybody who reaches the server may read everything.

    >>> serve("archive.index")  # doctest: +SKIP
    """
    from ..search_page.search_serving import check_token, open_catalogue, search_page
    from ..web.place import Place, listen
    from ..web.place import serve as answer

    place = Place(host, port)
    catalogue = open_catalogue(index.folder if isinstance(index, Index) else index, weighting)
    checked = check_token(token, "token") if token else ""
    application = search_page(catalogue, place, images=images, token=checked, public=public)
    with listen(place) as bound:
        answer(application, bound, place)


def open_index(index: IndexLike) -> Index:
    """The index itself, or the one in a folder."""
    if isinstance(index, Index):
        return index
    if isinstance(index, Kept) or not isinstance(index, str | os.PathLike):
        raise WrongTypeError(f"index must be an Index or the path of one, not {type_name(index)}")
    return Index.open(index)


def answerer_of(index: IndexLike, weighting: str | Weighting = WEIGHTING) -> Searcher | Kept:
    """What answers queries: an index seen through a retrieval model, or a system with what it prepared."""
    folder = index if isinstance(index, str | os.PathLike) else None
    system = index if isinstance(index, Kept) else open_kept(folder) if folder and is_kept(folder) else None
    if system is None:
        return Searcher(open_index(index), weighting)
    if str(weighting) != WEIGHTING:
        where = "" if folder is None else f"{os.fspath(folder)}: "
        raise SpecError(f"{where}{system.system} has a weighting of its own, so no --weighting")
    return system
