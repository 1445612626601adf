"""Documents as verbs on pools are given them: an index, or documents in any format."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ..formats.documents import read_documents
from ..index.index import Index
from ..index.index_files import MANIFEST


def index_of(documents: Any) -> Index | None:
    """The index that is meant; None if these are documents. One that cannot be read is an error, and no documents."""
    if isinstance(documents, Index):
        return documents
    if isinstance(documents, str | os.PathLike) and os.path.exists(os.path.join(documents, MANIFEST)):
        return Index.open(documents)
    return None


def document_ids(documents: Any) -> Collection[str]:
    """The ids of all documents of a collection, an index or documents."""
    opened = index_of(documents)
    return set(opened.ids) if opened is not None else {document.id for document in read_documents(documents)}


def document_texts(documents: Any, wanted: Collection[str]) -> Callable[[Sequence[str]], Mapping[str, str]]:
    """What gives the texts of documents by their ids; those of files are read once."""
    opened = index_of(documents)
    if opened is None:
        held = {document.id: document.text for document in read_documents(documents) if document.id in wanted}
        return lambda ids: {id_: held[id_] for id_ in ids if id_ in held}
    index = opened
    numbers = {id_: number for number, id_ in enumerate(index.ids) if id_ in wanted}
    return lambda ids: {id_: index.document(numbers[id_]).text for id_ in ids if id_ in numbers}
