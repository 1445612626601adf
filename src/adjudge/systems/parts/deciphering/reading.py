"""All that is known of a degraded text before a question is asked: strings, errors, words; made once and kept."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....index.index import Index
from ....noise.channel.model import Channel
from ....storage.replace import write_bytes
from ....text.stopwords import words_of
from ..version import Version
from . import keeping
from .calibration import Calibration, first_channel
from .documents import DocumentFigures, figures, stop_places
from .lexicon import TrueLexicon, estimated
from .stems import Stems
from .symbols import letters_of
from .tables import ReplacementTables
from .vocabulary import CAPITALS, ObservedVocabulary

COMMON = "smart"
"""The list of words that are true for sure."""
MANY = ((5e6, 5), (5e5, 3))
"""From so many words of text on, only strings that occur so often teach; below, all of them."""
TEACHING = 30
"""Characters of a string that teaches, at most."""


@dataclass(frozen=True)
class Learning:
    """What is learned of a text: with all parts on, everything."""

    signs: bool = True
    """Whether other characters may stand for letters."""
    errors: bool = True
    """Whether errors are told apart, or only a rate is assumed."""

    def __str__(self) -> str:
        return f"format {keeping.KIND.version} signs={self.signs} errors={self.errors}"


@dataclass(frozen=True, eq=False)
class Reading:
    """An index of chunks, its strings, the error channel of the text, its true words, and figures of documents."""

    index: Index
    vocabulary: ObservedVocabulary
    channel: Channel
    tables: ReplacementTables
    lexicon: TrueLexicon
    figures: DocumentFigures
    stems: Stems

    @classmethod
    def of(cls, version: Version, learning: Learning | None = None) -> Reading:
        """What is known of a version; made when first asked for, and kept."""
        learning = learning or Learning()
        letters = _letters(version, learning) if learning.signs else ()
        index = version.index(f"{_tokenizer(letters)}|lower")
        folder = version.kept("reading", f"{learning} of {index.manifest.analyzer}")
        former = keeping.opened(folder, index.manifest.terms, len(index))
        if former is not None:
            return cls(index, *former)
        with version.work("learn_errors"):
            reading = cls.made(index, learning)
        if letters and reading.signs_are_signs(letters, learning):
            write_bytes(_signs(version, learning), b"[]\n")
            version.forget(index.manifest.analyzer)
            return cls.of(version, learning)
        parts = reading.vocabulary, reading.channel, reading.tables, reading.lexicon, reading.figures, reading.stems
        keeping.write(parts, folder)
        return reading

    @classmethod
    def made(cls, index: Index, learning: Learning | None = None) -> Reading:
        """The same from an index alone."""
        counts = index.arrays["cf"].astype(np.float64)
        offsets = index.arrays["term_offsets"].astype(np.int64)
        vocabulary = ObservedVocabulary.of(index.arrays["terms"].tobytes(), offsets, counts)
        counts = counts[vocabulary.numbers]
        plain, common = _plain(vocabulary), _common(vocabulary, index)
        learned = learning is None or learning.errors
        if learned:
            channel = _calibration(vocabulary, counts, plain, common).channel()
        else:
            channel = first_channel(vocabulary.alphabet)
        tables = ReplacementTables.of(channel)
        lexicon = estimated(vocabulary, counts, tables, plain, common)
        documents = figures(index, vocabulary, lexicon, plain, common)
        if not learned:
            documents = replace(documents, known=1.0)  # too few common words are known again, in their language too
        signs = "".join(c for c in vocabulary.alphabet if not (c.isnumeric() or _is_letter(c)))
        written = vocabulary.all_of(~vocabulary.marks(signs))
        written[stop_places(index, vocabulary)] = False
        stems = Stems.of(partial(_names, index, vocabulary), written)
        return cls(index, vocabulary, channel, tables, lexicon, documents, stems)

    # -- what it knows ------------------------------------------------------------------------------------------------

    def signs_are_signs(self, letters: tuple[int, ...], learning: Learning) -> bool:
        """Whether what looked like letters is none: the text is clean, or no error that was learned writes them."""
        signs = set(map(chr, letters))
        written = not learning.errors or any(signs.intersection(rule.target) for rule in self.channel.rules)
        return not written or not self.figures.beliefs.any()

    def counts_of(self, strings: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Occurrences of some strings."""
        return np.asarray(self.index.arrays["cf"][self.vocabulary.numbers[strings]].astype(np.float64))

    @cached_property
    def common(self) -> frozenset[str]:
        """Words that are true for sure."""
        return words_of(COMMON)

    @cached_property
    def words(self) -> list[str]:
        """The words of the lexicon."""
        return self.vocabulary.texts(self.lexicon.places)

    @property
    def rate(self) -> float:
        """The share of characters that are read wrongly, estimated; not a number where there are no words."""
        return self.figures.rate

    def names(self, strings: npt.NDArray[Any]) -> list[str]:
        """Some strings as they stand in the text, with the characters that the vocabulary does not tell apart."""
        return _names(self.index, self.vocabulary, strings)

    def place(self, term: str) -> int:
        """The place of a string in the vocabulary, -1 if it does not occur."""
        number = self.index.number(term)
        return number if number < 0 else int(self._places[number])

    @cached_property
    def _places(self) -> npt.NDArray[Any]:
        places = np.empty(len(self.vocabulary), np.int64)
        places[self.vocabulary.numbers] = np.arange(len(places))
        return places


def _signs(version: Version, learning: Learning) -> Path:
    return version.kept("signs", str(learning))


def _letters(version: Version, learning: Learning) -> tuple[int, ...]:
    """The signs that stand for letters in the text, which a look at the documents tells."""
    path = _signs(version, learning)
    try:
        return tuple(map(int, json.loads(path.read_bytes())))
    except (OSError, ValueError, TypeError):
        with version.work("find_signs"):
            letters = letters_of(version.documents)
        write_bytes(path, f"{json.dumps(letters)}\n".encode())
        return letters


def _tokenizer(letters: tuple[int, ...]) -> str:
    return f"chunks(letters=[{', '.join(map(str, letters))}])" if letters else "chunks"


def _names(index: Index, vocabulary: ObservedVocabulary, places: npt.NDArray[Any]) -> list[str]:
    rows = zip(vocabulary.texts(places), vocabulary.numbers[places].tolist(), strict=True)
    return [index.name(number) if "?" in text else text for text, number in rows]


def _is_letter(character: str) -> bool:
    """A letter, or a mark on one."""
    return character.isalpha() or unicodedata.category(character)[0] == "M"


def _plain(vocabulary: ObservedVocabulary) -> npt.NDArray[np.bool_]:
    letters = "".join(c for c in vocabulary.alphabet if _is_letter(c) and c not in CAPITALS)
    return vocabulary.all_of(vocabulary.marks(letters))


def _common(vocabulary: ObservedVocabulary, index: Index) -> npt.NDArray[np.int64]:
    """The places of the common words that occur."""
    words = sorted(word for word in words_of(COMMON) if word.isalpha() and len(word) > 1)
    numbers = np.array([n for n in map(index.number, words) if n >= 0], np.int64)
    return np.flatnonzero(np.isin(vocabulary.numbers, numbers))


def _calibration(
    vocabulary: ObservedVocabulary,
    counts: npt.NDArray[Any],
    plain: npt.NDArray[np.bool_],
    common: npt.NDArray[np.int64],
) -> Calibration:
    """The strings that teach: not too rare, no single characters, and nothing with a figure in it."""
    total = counts.sum()
    least = next((often for size, often in MANY if total >= size), 1)
    wordlike = vocabulary.all_of(~vocabulary.marks("".join(c for c in vocabulary.alphabet if c.isnumeric())))
    lengths = vocabulary.lengths
    wanted = wordlike & (counts >= least) & (lengths > 1) & (lengths <= TEACHING)
    wanted[common] = True
    places = np.flatnonzero(wanted)
    return Calibration(vocabulary.part(places), counts[places], plain[places], np.searchsorted(places, common))
