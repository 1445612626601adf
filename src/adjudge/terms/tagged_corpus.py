"""A corpus with parts of speech on disk: what was tagged once is not tagged again.

The corpus is cut into batches. What comes of a batch is kept in a file that is named after the content of its texts and
the tagger, so work that was killed goes on where it was, and other documents cannot be mistaken for these. All that is
counted afterwards is counted from these files, batch by batch, as often as it takes, in little memory.
"""

from __future__ import annotations

import zipfile
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.document import Document, Documents, batches
from ..core.errors import ConflictError, DataError
from ..core.progress import SILENT, Listener
from ..storage.access import writing
from ..storage.digest import Digest
from ..storage.replace import replace_file
from ..text.tagging.tagger import Tagger
from .forms import in_lower_case
from .singular import singular
from .word_columns import Tagged, tag_texts, usable

if TYPE_CHECKING:
    from concurrent.futures import Future

Integers = npt.NDArray[Any]
"""Hears of documents and bytes read so far."""
BATCH = 4_000_000
"""Characters that are tagged at a time."""
FORMAT = 1
"""Of the files of batches; another number makes them anew."""
AHEAD = 3
NONE = -1
CODEC = ("utf-8", "surrogatepass")
COLUMNS = ("types", "documents", "ids", "offsets", "tags", "breaks")


class TermVocabulary:
    """The words that may be part of a term, numbered: as they are written, and in lower case as they are compared."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.keys: dict[str, int] = {}
        self._lower: list[int] = []
        self._singular: list[int] = []

    def add(self, words: Sequence[str]) -> Integers:
        """The number of each word, -1 for those that can be no part of a term."""
        fresh = [word for word in words if word not in self.words]
        fresh = [word for word, fine in zip(fresh, usable(fresh), strict=True) if fine]
        for word, lower in zip(fresh, in_lower_case(fresh), strict=True):
            self.words[word] = len(self.words)
            self._lower.append(self.key(lower))
        return self.numbers(words)

    def numbers(self, words: Sequence[str]) -> Integers:
        """The numbers of words as they are written; -1 for those that are not there."""
        known = self.words
        return np.fromiter((known.get(word, NONE) for word in words), np.int32, len(words))

    def key(self, lower: str) -> int:
        """The number of a word in lower case, and of its singular, made if need be."""
        number = self.keys.get(lower)
        if number is None:
            number = self.keys[lower] = len(self.keys)
            self._singular.append(number)
            stem = singular(lower)
            if stem != lower:
                self._singular[number] = self.key(stem)
        return number

    @property
    def lower(self) -> Integers:
        """The key of each word."""
        return np.array(self._lower, np.int32)

    @property
    def singular(self) -> Integers:
        """The key of the singular of each key."""
        return np.array(self._singular, np.int32)


@dataclass(frozen=True, eq=False)
class TaggedBatch:
    """Some documents of a corpus: their ids, and for each token the number of its word, its tag, what is before it."""

    documents: list[str]
    words: Integers
    """Numbers of the vocabulary, -1 for tokens that can be no part of a term."""
    tags: npt.NDArray[np.uint8]
    breaks: npt.NDArray[np.uint8]
    offsets: Integers


class _Made(NamedTuple):
    path: Path
    types: Sequence[str]
    tokens: int
    kept: bool


class TaggedCorpus:
    """The batches of a corpus, read from disk whenever they are gone through."""

    def __init__(
        self, files: list[Path], numbers: list[Integers], vocabulary: TermVocabulary, counts: CorpusCounts
    ) -> None:
        self.files, self.numbers, self.vocabulary, self.counts = files, numbers, vocabulary, counts

    def __len__(self) -> int:
        return len(self.files)

    def __iter__(self) -> Iterator[TaggedBatch]:
        return (self.batch(i) for i in range(len(self.files)))

    def batch(self, number: int) -> TaggedBatch:
        """One batch."""
        read = _read(self.files[number])
        if read is None:
            raise DataError(f"{self.files[number]}: damaged while it was in use: start anew")
        numbers = self.numbers[number]
        words = numbers[read["ids"]] if len(numbers) else read["ids"]
        return TaggedBatch(_names(read), words, read["tags"], read["breaks"], read["offsets"])

    def remove(self) -> None:
        """Delete the files."""
        for path in self.files:
            path.unlink(missing_ok=True)


@dataclass
class CorpusCounts:
    """How much there is."""

    documents: int = 0
    tokens: int = 0
    characters: int = 0
    kept: int = 0
    """Batches that had been tagged before."""


def tag_corpus(
    documents: Documents,
    tagger: Tagger,
    folder: Path,
    *,
    progress: Listener = SILENT,
    batch: int = BATCH,
) -> TaggedCorpus:
    """Tag documents into a folder; what is there from work that was killed is used again."""
    from concurrent.futures import ThreadPoolExecutor

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    settings = f"{FORMAT} {tagger} {tagger.version()}"
    corpus = TaggedCorpus([], [], TermVocabulary(), CorpusCounts())
    seen: set[str] = set()
    waiting: deque[Future[_Made]] = deque()

    def work(some: list[Document]) -> _Made:
        path = folder / f"{_key(some, settings)}.npz"
        read = _read(path)
        if read is not None:
            return _Made(path, _unpack(read["types"]), len(read["ids"]), True)
        data = tag_texts([document.text for document in some], tagger)
        _write(path, [document.id for document in some], data)
        return _Made(path, data.tokens.types, len(data.tokens.ids), False)

    def take() -> None:
        done = waiting.popleft().result()
        corpus.files.append(done.path)
        corpus.numbers.append(corpus.vocabulary.add(done.types))
        corpus.counts.tokens += done.tokens
        corpus.counts.kept += done.kept
        step.reach(documents.read, documents=corpus.counts.documents)

    with ThreadPoolExecutor(1, "tagger") as pool, progress.work("tag", str(tagger), documents.size, "bytes") as step:
        try:
            for some in batches(documents, batch):
                for document in some:
                    if document.id in seen:
                        raise ConflictError(f"document {document.id} occurs twice")
                    seen.add(document.id)
                corpus.counts.documents += len(some)
                corpus.counts.characters += sum(len(document.text) for document in some)
                waiting.append(pool.submit(work, some))
                if len(waiting) >= AHEAD:
                    take()
            while waiting:
                take()
        finally:
            pool.shutdown(cancel_futures=True)
    return corpus


def _key(documents: list[Document], settings: str) -> str:
    total = Digest(settings.encode())
    for document in documents:
        for part in (document.id, document.text):
            total.add_counted(part.encode("utf-8", "surrogatepass"))
    return total.hex


def _write(path: Path, documents: list[str], data: Tagged) -> None:
    """What is in its place is whole; its checksums are compared when it is read."""
    import json

    columns = {
        "types": np.frombuffer("".join(f"{word}\n" for word in data.tokens.types).encode(*CODEC), np.uint8),
        "documents": np.frombuffer(json.dumps(documents).encode(), np.uint8),
        "ids": data.tokens.ids,
        "offsets": data.tokens.offsets,
        "tags": data.tags,
        "breaks": data.breaks,
    }
    with replace_file(path, durable=False) as file:
        np.savez(file, **columns)  # type: ignore[arg-type]


def _read(path: Path) -> dict[str, Integers] | None:
    """The columns of a batch that is whole; None if there is none, or if it is damaged: it has checksums."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in COLUMNS}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None


def _unpack(types: Integers) -> list[str]:
    return types.tobytes().decode(*CODEC).split("\n")[:-1]


def _names(columns: dict[str, Integers]) -> list[str]:
    import json

    names: list[str] = json.loads(columns["documents"].tobytes())
    return names
