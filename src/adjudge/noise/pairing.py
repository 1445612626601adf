"""True documents beside what became of them, matched by id, neither corpus held in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..core.document import Documents
from ..core.errors import ConflictError, DataError


class DocumentPair(NamedTuple):
    """One document, as it was and as it was read."""

    id: str
    true: str
    observed: str


class DocumentPairs:
    """Pairs in the order of the true documents, which may be more; a degraded one without a true one is an error.

    Where both corpora have the same order only one document of each is held; otherwise those that wait.
    """

    def __init__(self, true: Documents, degraded: Documents) -> None:
        self.true, self.degraded = true, degraded
        self.unpaired = 0
        """True documents without a degraded one, after a pass."""
        self.paired = 0
        """Pairs that a pass has given so far."""

    def __iter__(self) -> Iterator[DocumentPair]:
        missing: set[str] = set()
        for document in self.degraded:
            if document.id in missing:
                raise ConflictError(f"degraded document {document.id} occurs twice")
            missing.add(document.id)
        self.unpaired, self.paired = 0, 0
        waiting, done = dict[str, str](), set[str]()
        stream = iter(self.degraded)
        for document in self.true:
            if document.id in done:
                raise ConflictError(f"true document {document.id} occurs twice")
            if document.id not in missing:
                self.unpaired += 1
                continue
            while document.id not in waiting:
                observed = next(stream, None)
                if observed is None:
                    raise ConflictError("the degraded documents changed while they were read")
                waiting[observed.id] = observed.text
            missing.remove(document.id)
            done.add(document.id)
            self.paired += 1
            yield DocumentPair(document.id, document.text, waiting.pop(document.id))
        if missing:
            raise DataError(f"no true document for {len(missing)} degraded ones, {min(missing)} for example")
