"""The documents that an index keeps, as documents that can be gone through."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import Document, Documents
from ..core.errors import DataError
from .index import Index


class StoredDocuments(Documents):
    """The documents of an index in their order, with their pages."""

    def __init__(self, index: Index) -> None:
        if not index.manifest.texts:
            raise DataError(f"{index.folder}: built without texts")
        self.index = index
        self._done = 0

    def __iter__(self) -> Iterator[Document]:
        for number in range(len(self.index)):
            self._done = number + 1
            yield self.index.document(number)._replace(pages=self.index.pages(number))

    @property
    def size(self) -> int:
        return len(self.index)

    @property
    def read(self) -> int:
        return self._done

    @property
    def source(self) -> str:
        return self.index.manifest.source
