"""All that is known of a degraded text before a question is asked: strings, errors, words; made once and kept."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ....index.index import Index
from ....noise.channel.model import Channel
from ....text.stopwords import words_of
from ..version import Version
from . import keeping
from .calibration import Calibration, first_channel
from .documents import Figures, figures, stop_places
from .lexicon import Lexicon, estimated
from .stems import Stems
from .symbols import letters_of
from .tables import Tables
from .vocabulary import CAPITALS, Vocabulary

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
        return f"format {keeping.FORMAT} signs={self.signs} errors={self.errors}"


@dataclass(frozen=True, eq=False)
class Reading:
    """An index of chunks, its strings, the error channel of the text, its true words, and figures of documents."""

    index: Index
    vocabulary: Vocabulary
    channel: Channel
    tables: Tables
    lexicon: Lexicon
    figures: Figures
    stems: Stems

    @classmethod
    def of(cls, version: Version, learning: Learning | None = None) -> Reading:
        """What is known of a version; made when first asked for, and kept."""
        learning = learning or Learning()
        index = version.index(f"{_tokenizer(version) if learning.signs else 'chunks'}|lower")
        folder = version.kept("reading", f"{learning} of {index.manifest.analyzer}")
        kept = keeping.opened(folder, index.manifest.terms, len(index))
        if kept is not None:
            return cls(index, *kept)
        version.progress("learning the errors of the text")
        made = cls.made(index, learning)
        shutil.rmtree(folder, ignore_errors=True)
        parts = made.vocabulary, made.channel, made.tables, made.lexicon, made.figures, made.stems
        keeping.write(parts, version.folder, folder)
        return made

    @classmethod
    def made(cls, index: Index, learning: Learning | None = None) -> Reading:
        """The same from an index alone."""
        counts = index.arrays["cf"].astype(np.float64)
        offsets = index.arrays["term_offsets"].astype(np.int64)
        vocabulary = Vocabulary.of(index.arrays["terms"].tobytes(), offsets, counts)
        counts = counts[vocabulary.numbers]
        plain, common = _plain(vocabulary), _common(vocabulary, index)
        if learning is None or learning.errors:
            channel = _calibration(vocabulary, counts, plain, common).channel()
        else:
            channel = first_channel(vocabulary.alphabet)
        tables = Tables.of(channel)
        lexicon = estimated(vocabulary, counts, tables, plain, common)
        documents = figures(index, vocabulary, lexicon, plain, common)
        written = vocabulary.all_of(vocabulary.marks("".join(c for c in vocabulary.alphabet if c.isalnum())))
        written[stop_places(index, vocabulary)] = False
        return cls(index, vocabulary, channel, tables, lexicon, documents, Stems.of(vocabulary, written))

    # -- what it knows ------------------------------------------------------------------------------------------------

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

    def place(self, term: str) -> int:
        """The place of a string in the vocabulary, -1 if it does not occur."""
        number = self.index.number(term)
        return number if number < 0 else int(self._places[number])

    @cached_property
    def _places(self) -> npt.NDArray[Any]:
        places = np.empty(len(self.vocabulary), np.int64)
        places[self.vocabulary.numbers] = np.arange(len(places))
        return places


def _tokenizer(version: Version) -> str:
    """How the text is cut: by the signs that stand for letters in it, which a look at the documents tells."""
    path = version.kept("signs", f"format {keeping.FORMAT}")
    try:
        letters = tuple(map(int, json.loads(path.read_bytes())))
    except (OSError, ValueError, TypeError):
        letters = letters_of(version.documents)
        path.write_text(json.dumps(letters) + "\n")
    return f"chunks(letters=[{' '.join(map(str, letters))}])" if letters else "chunks"


def _plain(vocabulary: Vocabulary) -> npt.NDArray[np.bool_]:
    letters = "".join(c for c in vocabulary.alphabet if c.isalpha() and c not in CAPITALS)
    return vocabulary.all_of(vocabulary.marks(letters))


def _common(vocabulary: Vocabulary, index: Index) -> npt.NDArray[np.int64]:
    """The places of the common words that occur."""
    words = sorted(word for word in words_of(COMMON) if word.isalpha() and len(word) > 1)
    numbers = np.array([n for n in map(index.number, words) if n >= 0], np.int64)
    return np.flatnonzero(np.isin(vocabulary.numbers, numbers))


def _calibration(
    vocabulary: Vocabulary, counts: npt.NDArray[Any], plain: npt.NDArray[np.bool_], common: npt.NDArray[np.int64]
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
