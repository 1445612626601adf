"""Collections made of others."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.document import Chosen, Document, Documents, InMemory, Joined, batches


class Counted(Documents):
    """Three documents of ten bytes each, and how far it was read."""

    def __init__(self, names: str) -> None:
        self.names, self.done = names, 0

    def __iter__(self) -> Iterator[Document]:
        self.done = 0
        for name in self.names:
            self.done += 10
            yield Document(name, f"text of {name}")

    @property
    def size(self) -> int:
        return 10 * len(self.names)

    @property
    def read(self) -> int:
        return self.done


def test_chosen_documents_stream_again_and_again() -> None:
    chosen = Chosen(Counted("abc"), lambda name: name != "b")
    for _ in range(2):
        assert [document.id for document in chosen] == ["a", "c"]
    assert (chosen.size, chosen.read) == (30, 30)


def test_joined_documents_come_one_collection_after_the_other() -> None:
    joined = Joined([Counted("ab"), InMemory([Document("x", "y")]), Counted("c")])
    for _ in range(2):
        assert [document.id for document in joined] == ["a", "b", "x", "c"]
    assert joined.size == 30
    assert joined.read == 30
    stream = iter(joined)
    for _ in range(3):
        next(stream)
    assert 20 <= joined.read <= 30, "the first collection is behind us"


def test_batches_have_at_least_one_document() -> None:
    sizes = [[d.id for d in batch] for batch in batches(InMemory(Document(n, "x" * 10) for n in "abcd"), 20)]
    assert sizes == [["a", "b"], ["c", "d"]]
    assert [len(b) for b in batches(InMemory(Document(n, "x" * 50) for n in "ab"), 20)] == [1, 1]
