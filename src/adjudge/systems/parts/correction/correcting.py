"""Correcting OCR text: every word that the lexicon does not have becomes the word that fits it and its sentence best.

The corrected corpus is a folder with ``documents.jsonl.zst``, made by the same resumable job on both cores that
degrades documents (``noise/degrading.py``), for a corrector is a degrader that goes the other way.

CLARIT had no aligned sample to learn a channel from. A sample of the version itself is corrected with what is believed
of errors beforehand, the corrections are taken for true, the errors are counted anew, and that is done once more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappush, heapreplace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ....core.document import Document, Documents
from ....core.errors import DataError
from ....core.note import Note
from ....core.progress import SILENT, Listener
from ....noise.channel import channel_of
from ....noise.channel.model import Channel
from ....noise.degrader import Degraded, Degrader
from ....storage.digest import NAME, digest_number, digest_text
from .word_choice import Bigrams, Trigrams
from .word_lexicon import CWORD, CodedTokens, CorrectionLexicon, encode, make, split

Array = npt.NDArray[Any]

PLAIN = Channel((), "abcdefghijklmnopqrstuvwxyz0123456789'._-", substitution=0.04, deletion=0.005, insertion=0.005)
"""What is believed of errors before anything is learned: a character comes through with 0.95, any of 40 others takes
its place with 0.04 together, it vanishes with 0.005, and another comes in with 0.005."""

TOKENS, CWORDS, UNCHANGED = Note.of("tokens"), Note.of("cwords"), Note.of("cwords_unchanged")
"""What is counted of a text that is corrected."""

REMEMBERED = 1_000_000
"""C-words whose candidates are kept in memory by each process, about 250 bytes each."""


@dataclass(frozen=True)
class Corrector(Degrader):
    """What corrects: a lexicon on disk, a channel, and how many candidates are looked at.

    For each different c-word the ``candidates`` words with the most trigrams in common are ranked by
    log P(c-word | word) under the channel, along the best path; the first ``keep`` of them go into the sentence, where
    ``share`` is the weight of the bigrams against the frequency of single words. The channel sees lower case.
    """

    task: ClassVar[str] = "correct"

    lexicon: str
    """The folder of the lexicon; processes map it and share it."""
    channel: Channel = PLAIN
    candidates: int = 200
    keep: int = 10
    share: float = 0.8

    @classmethod
    def build(
        cls,
        clean: Documents,
        folder: str | os.PathLike[str],
        *,
        channel: str | None = None,
        least: int = 2,
        progress: Listener = SILENT,
        **settings: Any,
    ) -> Corrector:
        """A corrector with a lexicon of clean text, which is made in the folder, and a channel if one is named.

        Words that occur less than ``least`` times are left out; ``settings`` are further ones of the corrector.
        """
        own = PLAIN if channel is None else channel_of(channel)
        lexicon = make(clean, folder, least=least, progress=progress)
        return cls(str(lexicon.folder), own, **settings)

    def calibrate(self, documents: Documents, rounds: int = 2) -> Corrector:
        """The corrector with the channel that it learns in some rounds from its own corrections of the documents."""
        return replace(self, channel=calibrate_channel(sample(documents), self, rounds)) if rounds else self

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_tools"}

    @property
    def settings(self) -> dict[str, object]:
        """All that determines the corrected text."""
        return {
            "corrector": 1,
            "lexicon": CorrectionLexicon.open(self.lexicon).fingerprint,
            "channel": channel_fingerprint(self.channel),
            "candidates": self.candidates,
            "keep": self.keep,
            "share": self.share,
        }

    @cached_property
    def _tools(self) -> _Tools:
        return _Tools(self)

    def degrade(self, document: Document) -> Degraded:
        """The document with its c-words corrected; everything else stands as it stood."""
        text, notes = self.correct_text(document.text)
        return Degraded(document.id, text, notes=notes)

    def correct_text(self, text: str) -> tuple[str, dict[Note, int]]:
        """A corrected text, and how many tokens, c-words and c-words without a candidate there were."""
        tokens, at, chosen = self.words(text)
        words, count = self._tools.lexicon.words, len(self._tools.lexicon)
        pieces, done, unchanged = [], 0, 0
        ends = zip(tokens.starts[at].tolist(), tokens.ends[at].tolist(), chosen.tolist(), strict=True)
        raw = tokens.text
        for start, end, number in ends:
            if number < count:
                pieces += [raw[done:start], match_case(words[number], raw[start:end])]
                done = end
            else:
                unchanged += 1
        pieces.append(raw[done:])
        notes = {TOKENS: len(tokens.ids), CWORDS: len(at), UNCHANGED: unchanged}
        return b"".join(pieces).decode("utf-8", "surrogatepass"), {k: n for k, n in notes.items() if n}

    def words(self, text: str) -> tuple[CodedTokens, Array, Array]:
        """The tokens of a text, which of them are c-words, and the number of the word that each c-word becomes."""
        tools = self._tools
        tokens = split(encode(text), tools.lexicon.table)
        at = np.flatnonzero(tokens.ids == CWORD)
        if not len(at):
            return tokens, at, np.zeros(0, np.int32)
        hashes, first, place = np.unique(tokens.hashes[at], return_index=True, return_inverse=True)
        candidates, scores = tools.of(hashes.tolist(), [tokens.word(row) for row in at[first].tolist()])
        rows = np.full(len(tokens.ids), -1, np.int32)
        rows[at] = place
        return tokens, at, tools.bigrams.best(tokens, rows, candidates, scores)[at]


class _Tools:
    """What a process has of a corrector: the lexicon, its trigrams, and the candidates of c-words seen before."""

    def __init__(self, corrector: Corrector) -> None:
        self.corrector = corrector
        self.lexicon = CorrectionLexicon.open(corrector.lexicon)
        self.bigrams = Bigrams.of(self.lexicon, corrector.share)
        self.trigrams = Trigrams.of(self.lexicon.words)
        self.names = [word.decode("utf-8", "replace") for word in self.lexicon.words]
        self.rows: dict[int, int] = {}
        self.room = 1024
        self.known = np.empty((self.room, corrector.keep), np.int32)
        self.scores = np.empty((self.room, corrector.keep))

    def of(self, hashes: list[int], words: list[bytes]) -> tuple[Array, Array]:
        """The candidates of different c-words, the most probable first, and their log probabilities."""
        keep = self.corrector.keep
        candidates, scores = np.empty((len(words), keep), np.int32), np.empty((len(words), keep))
        rows = [self.rows.get(h, -1) for h in hashes]
        at = np.array(rows)
        have, new = np.flatnonzero(at >= 0), np.flatnonzero(at < 0)
        candidates[have], scores[have] = self.known[at[have]], self.scores[at[have]]
        if len(new):
            asked = [words[i] for i in new.tolist()]
            rows_of = self.trigrams.candidates(asked, self.corrector.candidates)
            strings = [word.decode("utf-8", "replace") for word in asked]
            ranked = self.corrector.channel.most_probable_of(strings, self.names, rows_of, keep)
            candidates[new], scores[new] = ranked
            self._remember([hashes[i] for i in new.tolist()], candidates[new], scores[new])
        return candidates, scores

    def _remember(self, hashes: list[int], candidates: Array, scores: Array) -> None:
        if len(self.rows) + len(hashes) > REMEMBERED:
            self.rows.clear()
        hashes, candidates, scores = hashes[:REMEMBERED], candidates[:REMEMBERED], scores[:REMEMBERED]
        begin = len(self.rows)
        end = begin + len(hashes)
        while self.room < end:
            self.room *= 2
        if self.room > len(self.known):
            for name in ("known", "scores"):
                old = getattr(self, name)
                more = np.empty((self.room, self.corrector.keep), old.dtype)
                more[:begin] = old[:begin]
                setattr(self, name, more)
        self.known[begin:end], self.scores[begin:end] = candidates, scores
        self.rows.update(zip(hashes, range(begin, end), strict=True))


def match_case(word: bytes, observed: bytes) -> bytes:
    """A word in the case of what was observed: all capitals, a capital first, or neither.

    >>> match_case(b"modern", b"MODCRN"), match_case(b"modern", b"Modcrn"), match_case(b"modern", b"m0DCRN")
    (b'MODERN', b'Modern', b'modern')
    """
    if observed.isupper():
        return word.upper()
    return word.capitalize() if observed[:1].isupper() else word


def channel_fingerprint(channel: Channel) -> str:
    """What tells a channel from others."""
    from ....noise.channel.channel_files import dumps

    return digest_text(dumps(channel))


def correct(
    documents: Documents,
    corrector: Corrector,
    folder: str | os.PathLike[str],
    *,
    workers: int = 2,
    progress: Listener = SILENT,
) -> Documents:
    """The corrected documents, from the folder if they are there; a job that was killed goes on where it was.

    What is made is the same with any number of workers.
    """
    from ....formats.documents.produced import MANIFEST
    from ....noise.degrading import degrade

    target = Path(folder)
    if not (target / MANIFEST).exists():
        outcome = degrade(documents, corrector, target, workers=workers, formats=("jsonl.zst",), progress=progress)
        if outcome.failed_documents:
            progress.note(Note.of("documents_uncorrected", f"{target}/failures.csv", count=outcome.failed_documents))
    return read_corrected(target)


def read_corrected(folder: str | os.PathLike[str]) -> Documents:
    """The documents of a folder that :func:`correct` has made."""
    from ....formats.documents.document_reading import read_documents

    path = Path(folder) / "documents.jsonl.zst"
    if not path.exists():
        raise DataError(f"{folder}: no corrected documents there")
    return read_documents(path, "jsonl")


# -- self-calibration -------------------------------------------------------------------------------------------------

SAMPLE = 200
"""Documents that are looked at."""
PIECE = 10_000
"""Characters of a document, from its beginning."""


def sample(documents: Documents, size: int = SAMPLE) -> list[str]:
    """The beginnings of documents from all over the corpus: those whose ids have the lowest checksums.

    No document without a text is taken, and the same documents come out whatever their order.
    """
    chosen: list[tuple[int, str, str]] = []
    for document in documents:
        if not document.text.strip():
            continue
        entry = -rank(document.id), document.id, document.text[:PIECE]
        if len(chosen) < size:
            heappush(chosen, entry)
        elif entry[:2] > chosen[0][:2]:
            heapreplace(chosen, entry)
    return [text for _, _, text in sorted(chosen, reverse=True)]


def rank(id_: str) -> int:
    """A checksum of an id, below 2**64: the documents with the lowest are the sample."""
    return digest_number(encode(id_), NAME)


def calibrate_channel(texts: list[str], corrector: Corrector, rounds: int = 2) -> Channel:
    """The channel after some rounds of correcting the texts and learning from that, 0 for the corrector's own.

    Where nothing can be learned because no word needs a correction, the channel stays as it is.
    """
    from ....noise.channel.learning import learn

    for done in range(rounds):
        pairs = list(_pairs(texts, corrector))
        if not any(true != observed for true, observed in pairs):
            break
        about: dict[str, object] = {"self-calibrated": done + 1, "texts": len(texts)}
        try:
            channel = learn(pairs, bursts=False, about=about)
        except DataError:
            break
        corrector = replace(corrector, channel=channel)
    return corrector.channel


def _pairs(texts: list[str], corrector: Corrector) -> Iterator[tuple[str, str]]:
    """Corrections and what was observed, in the lower case in which the channel sees them."""
    for text in texts:
        yield corrector.correct_text(text)[0].lower(), text.lower()
