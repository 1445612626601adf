"""A lexicon with word and bigram counts, made of clean text and kept on disk; and the tokens of a text that it knows.

The text must not be that which is corrected: CLARIT took the Federal Register of 1988 and 1989 to correct that of
1994. Where such text cannot be had, other documents of the same kind do, if they are no part of the corpus searched.

A token is a run of characters without blanks and without ``- / ( ) " ; : , & @ %`` and such marks outside ASCII; other
marks stay inside (``sect!on``) and are taken off its ends. ``| ~ ^ \\``, which true text hardly has and OCR puts where
a letter was, count as characters of words. Where the lexicon does not have the whole token, it is cut at full stops
(``end.The``), and at other marks if all its parts are then known or no words; a letter or two are no such part
(``s_te``) unless they stand at an apostrophe.

What the lexicon does not have is a c-word if it looks like a word: two letters or more, and at least half of its
characters letters. All else, numbers above all, is never corrected. One or two of ``_ [ ] { } < > * # $ + =`` at its
ends go with a c-word, for they may be what became of a letter (``[ransport``).

A sentence ends where ``. ? !``, quotes or brackets after them, and a blank come; at an empty line; after 200 tokens.

Words are distinguished by a hash of 64 bits of their bytes, ASCII letters in lower case: for ten million different
words the chance that two of them are taken for one is a few in a million.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.document import Document, Documents, batches
from ....core.errors import ConflictError, DataError
from ....core.kernel import native
from ....core.progress import SILENT, Listener
from ....storage.arrays import ascends, read_array, within
from ....storage.digest import Digest
from ....storage.manifest import ManifestKind
from ....storage.replace import replace_folder
from . import slow_correction

compiled: Any = native("correction")
loops: Any = compiled or slow_correction

Array = npt.NDArray[Any]

# -- tokens -----------------------------------------------------------------------------------------------------------

CWORD, OTHER = -1, -2
"""What takes the place of a word's number: a word that the lexicon does not have, and what is no word."""

Numbers = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Words by their hashes: an open table whose size is a power of two, 0 where it is empty."""

    hashes: Hashes
    numbers: Numbers

    @classmethod
    def of(cls, hashes: Hashes) -> TokenTable:
        """A table in which the k-th hash leads to k."""
        size = 1 << max(4, (2 * len(hashes)).bit_length())
        table, numbers = np.zeros(size, np.uint64), np.full(size, CWORD, np.int32)
        left = np.arange(len(hashes), dtype=np.int32)
        at = (hashes & np.uint64(size - 1)).astype(np.int64)
        while len(left):  # all that find their place free take it at once; the first of several that want it wins
            free = table[at] == 0
            places, first = np.unique(at[free], return_index=True)
            rows = np.flatnonzero(free)[first]
            table[places], numbers[places] = hashes[left[rows]], left[rows]
            rest = np.ones(len(left), bool)
            rest[rows] = False
            left, at = left[rest], (at[rest] + 1) & (size - 1)
        return cls(table, numbers)


NOTHING = TokenTable(np.zeros(0, np.uint64), np.zeros(0, np.int32))
"""No lexicon yet: every token is one whole."""


@dataclass(frozen=True, eq=False)
class CodedTokens:
    """Columns, one row a token: where it begins and ends in bytes, its hash, its word, whether its sentence ends."""

    text: bytes
    starts: Numbers
    ends: Numbers
    hashes: Hashes
    ids: Numbers
    lasts: npt.NDArray[np.uint8]

    def word(self, row: int) -> bytes:
        """A token as the lexicon would have it: its ASCII letters in lower case."""
        return self.text[self.starts[row] : self.ends[row]].lower()


def encode(text: str) -> bytes:
    """The bytes that tokens are found in."""
    return text.encode("utf-8", "surrogatepass")


def split(text: bytes, table: TokenTable = NOTHING) -> CodedTokens:
    """The tokens of a text."""
    room = len(text) // 2 + 1  # a token and what separates it from the next take two bytes at least
    starts, ends, ids = (np.empty(room, np.int32) for _ in range(3))
    hashes, lasts = np.empty(room, np.uint64), np.empty(room, np.uint8)
    count = loops.split(text, table.hashes, table.numbers, starts, ends, hashes, ids, lasts)
    # Copies, so that a few tokens do not keep the room for many.
    return CodedTokens(text, *(column[:count].copy() for column in (starts, ends, hashes, ids, lasts)))  # type: ignore[arg-type]


# -- the lexicon ------------------------------------------------------------------------------------------------------

LONGEST = 40
"""Longer strings are no words."""
CLASSES = ("<n>", "<s>", "</s>", "<unknown>")
"""What stands in the bigrams beside words, numbered after them: numbers and the like, ends of sentences, and words
that are too rare for the lexicon. The loops count on this order."""
BATCH = 8_000_000
ARRAYS: dict[str, type] = {
    "words": np.uint8,
    "offsets": np.int64,
    "hashes": np.uint64,
    "counts": np.int64,
    "begins": np.int64,
    "nexts": np.int32,
    "pairs": np.uint32,
}
MANIFEST = "lexicon.json"
KIND = ManifestKind("adjudge lexicon", 2, "lexicon", "make it again")
MERGED = 8_000_000
"""Pairs of words that are gathered before equal ones are added up."""


@dataclass(frozen=True, eq=False, repr=False)
class CorrectionLexicon:
    """Words by falling frequency, ties in the order of their bytes; how often each occurs, and each pair of them."""

    folder: Path
    about: dict[str, Any]
    arrays: dict[str, Array]

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> CorrectionLexicon:
        """The lexicon in a folder; its arrays are mapped, and shared by the processes that use it."""
        path = Path(folder)
        if not (path / MANIFEST).exists():
            raise DataError(f"{path}: no lexicon: {MANIFEST} is missing")
        about = KIND.read(path / MANIFEST)
        if not isinstance(about.get("fingerprint"), str):
            raise DataError(f"{path / MANIFEST}: damaged: it has no fingerprint")
        arrays = {name: read_array(path / f"{name}.npy", kind) for name, kind in ARRAYS.items()}
        lexicon = cls(path, about, arrays)
        lexicon._check()
        return lexicon

    def _check(self) -> None:
        a = self.arrays
        sizes = {len(a["offsets"]) - 1, len(a["hashes"]), len(a["counts"]) - len(CLASSES)}
        fine = len(sizes) == 1 and len(a["hashes"]) > 0
        fine = fine and len(a["begins"]) == len(a["counts"]) + 1 and len(a["nexts"]) == len(a["pairs"])
        fine = fine and ascends(a["offsets"], len(a["words"])) and ascends(a["begins"], len(a["nexts"]))
        fine = fine and within(a["nexts"], len(a["counts"])) and int(a["counts"].min()) >= 0
        fine = fine and int(np.diff(a["offsets"]).max()) <= LONGEST
        if not fine:
            raise DataError(f"{self.folder}: a damaged lexicon: its columns do not fit together")

    def __len__(self) -> int:
        return len(self.arrays["hashes"])

    def __repr__(self) -> str:
        return f"<lexicon of {len(self):,} words and {len(self.arrays['nexts']):,} pairs in {self.folder}>"

    @property
    def fingerprint(self) -> str:
        """What tells this lexicon from others."""
        return str(self.about["fingerprint"])

    @cached_property
    def table(self) -> TokenTable:
        """The words by their hashes."""
        return TokenTable.of(np.asarray(self.arrays["hashes"]))

    @cached_property
    def words(self) -> list[bytes]:
        """All words, the most frequent first."""
        blob, offsets = self.arrays["words"].tobytes(), self.arrays["offsets"].tolist()
        return [blob[a:b] for a, b in pairwise(offsets)]

    def numbers(self, tokens: CodedTokens) -> npt.NDArray[np.int32]:
        """The tokens in terms of the bigrams: words by their numbers, all else by that of its class."""
        ids = tokens.ids.copy()
        ids[ids == OTHER] = len(self)
        ids[ids == CWORD] = len(self) + CLASSES.index("<unknown>")
        return ids

    def count(self, word: str) -> int:
        """How often a word, or one of the classes, occurs in the text; 0 if the lexicon does not have it."""
        number = self._number(word)
        return 0 if number < 0 else int(self.arrays["counts"][number])

    def pair(self, word: str, following: str) -> int:
        """How often one word follows the other."""
        a, b = self._number(word), self._number(following)
        if a < 0 or b < 0:
            return 0
        begin, end = (int(at) for at in self.arrays["begins"][a : a + 2])
        at = begin + int(np.searchsorted(self.arrays["nexts"][begin:end], b))
        return int(self.arrays["pairs"][at]) if at < end and self.arrays["nexts"][at] == b else 0

    def _number(self, word: str) -> int:
        if word in CLASSES:
            return len(self) + CLASSES.index(word)
        ids = split(encode(word), self.table).ids
        return int(ids[0]) if len(ids) == 1 else CWORD


@lru_cache(maxsize=4)
def identity(documents: Documents) -> tuple[str, frozenset[str]]:
    """A checksum of all ids and texts, and the ids; remembered, for it takes a look at every document."""
    total, ids = Digest(), set()
    for document in documents:
        _add(total, document)
        ids.add(document.id)
    return total.hex, frozenset(ids)


def _add(total: Digest, document: Document) -> None:
    for part in (document.id, document.text):
        total.add_counted(encode(part))


def make(
    documents: Documents, folder: str | os.PathLike[str], *, least: int = 2, progress: Listener = SILENT
) -> CorrectionLexicon:
    """Count the words and pairs of clean text into a folder, which is there when all is done; words that occur less
    than ``least`` times are left out. The text is gone through twice."""
    target = Path(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    with replace_folder(target) as work:
        arrays, about = _count(documents, least, progress)
        for name, array in arrays.items():
            np.save(work / f"{name}.npy", array)
        KIND.write(work / MANIFEST, about)
    return CorrectionLexicon.open(target)


def _count(documents: Documents, least: int, progress: Listener) -> tuple[dict[str, Array], dict[str, Any]]:
    counts: dict[int, int] = {}
    words: dict[int, bytes] = {}
    total, read, seen = Digest(), 0, set()
    with progress.work("count_words", total=documents.size, unit="bytes") as step:
        for some in batches(documents, BATCH):
            for document in some:
                if document.id in seen:
                    raise ConflictError(f"document {document.id} occurs twice")
                seen.add(document.id)
                _add(total, document)
            read += len(some)
            _count_words(split(_join(some)), counts, words)
            step.reach(documents.read, documents=read)
    chosen = sorted((h for h, n in counts.items() if n >= least), key=lambda h: (-counts[h], words[h]))
    if not chosen:
        raise DataError(f"no lexicon: the clean text has no word that occurs {least} times")
    hashes, blob = np.array(chosen, np.uint64), b"".join(words[h] for h in chosen)
    offsets = np.concatenate([[0], np.cumsum([len(words[h]) for h in chosen])]).astype(np.int64)
    frequencies, begins, nexts, pairs = _count_pairs(documents, TokenTable.of(hashes), len(chosen), progress)
    arrays: dict[str, Array] = {
        "words": np.frombuffer(blob, np.uint8),
        "offsets": offsets,
        "hashes": hashes,
        "counts": frequencies,
        "begins": begins,
        "nexts": nexts,
        "pairs": pairs,
    }
    about: dict[str, Any] = {
        "documents": read,
        "least": least,
        "words": len(chosen),
        "pairs": len(nexts),
        "tokens": int(frequencies.sum()),
        "fingerprint": f"{total.hex}-{least}",
    }
    return arrays, about


def _join(some: list[Document]) -> bytes:
    """Texts of a batch as one; an empty line between two of them ends a sentence."""
    return b"\n\n".join(encode(document.text) for document in some)


def _count_words(tokens: CodedTokens, counts: dict[int, int], words: dict[int, bytes]) -> None:
    """Add the words of a batch; those that look like no word, and what is too long for one, are not counted."""
    rows = np.flatnonzero((tokens.ids == CWORD) & (tokens.ends - tokens.starts <= LONGEST) | _single(tokens))
    hashes, first, times = np.unique(tokens.hashes[rows], return_index=True, return_counts=True)
    for h, row, n in zip(hashes.tolist(), rows[first].tolist(), times.tolist(), strict=True):
        if h in counts:
            counts[h] += n
        else:
            counts[h], words[h] = n, tokens.word(row)


def _single(tokens: CodedTokens) -> npt.NDArray[np.bool_]:
    """Words of one letter, which are in the lexicon for the sake of their bigrams though none is ever corrected."""
    text = np.frombuffer(tokens.text, np.uint8)
    letter = text[tokens.starts] | 0x20 if len(text) else np.zeros(0, np.uint8)
    single: npt.NDArray[np.bool_] = (tokens.ends - tokens.starts == 1) & (letter >= ord("a")) & (letter <= ord("z"))
    return single


def _count_pairs(
    documents: Documents, table: TokenTable, words: int, progress: Listener
) -> tuple[Array, Array, Array, Array]:
    """The second pass: occurrences of all words and classes, and the pairs by their first word."""
    other, begin, end, unknown = range(words, words + len(CLASSES))
    frequencies = np.zeros(words + len(CLASSES), np.int64)
    gathered: list[tuple[Array, Array]] = []
    waiting = read = 0
    with progress.work("count_pairs", total=documents.size, unit="bytes") as step:
        for some in batches(documents, BATCH):
            tokens = split(_join(some), table)
            read += len(some)
            ids = tokens.ids.astype(np.int64)
            ids[ids == OTHER], ids[ids == CWORD] = other, unknown
            last = tokens.lasts.astype(bool)
            before = np.concatenate([[begin], np.where(last[:-1], begin, ids[:-1])]) if len(ids) else ids
            keys = np.concatenate([before << 32 | ids, ids[last] << 32 | end])
            frequencies += np.bincount(ids, minlength=len(frequencies))
            frequencies[[begin, end]] += int(last.sum())
            gathered.append(np.unique(keys, return_counts=True))
            waiting += len(gathered[-1][0])
            if waiting > MERGED:
                gathered = [_add_up(gathered)]
                waiting = 0
            step.reach(documents.read, documents=read)
    keys, times = _add_up(gathered)
    begins = np.searchsorted(keys, np.arange(len(frequencies) + 1) << 32)
    nexts = (keys & 0xFFFFFFFF).astype(np.int32)
    return frequencies, begins.astype(np.int64), nexts, np.minimum(times, 2**32 - 1).astype(np.uint32)


def _add_up(gathered: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    keys, place = np.unique(np.concatenate([k for k, _ in gathered]), return_inverse=True)
    return keys, np.bincount(place, np.concatenate([n for _, n in gathered])).astype(np.int64)
