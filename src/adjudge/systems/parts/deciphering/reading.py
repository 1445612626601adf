"""All that is known of a degraded text before a question is asked: strings, errors, words; made once and kept."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import AdjudgeError, DataError
from ....index.index import Index
from ....noise.channel.model import Channel
from ....text.stemming import stemmed
from ....text.stopwords import words_of
from ..version import Version
from .calibration import Calibration
from .lexicon import PLAIN, SIGNS, Lexicon, estimated
from .symbols import letters_of
from .tables import Tables
from .vocabulary import CAPITALS, Vocabulary

FORMAT = 3
ARRAYS = (
    *("letters", "offsets", "numbers", "places", "expected", "explained"),
    *("begins", "strings", "chances", "lengths"),
)
COMMON = "smart"
"""The list of words that are true for sure."""
MANY = ((5e6, 5), (5e5, 3))
"""From so many words of text on, only strings that occur so often teach; below, those that occur twice."""
TEACHING = 30
"""Characters of a string that teaches, at most."""


@dataclass(frozen=True, eq=False)
class Reading:
    """An index of chunks, its strings, the error channel of the text, and its true words."""

    index: Index
    vocabulary: Vocabulary
    channel: Channel
    lexicon: Lexicon
    lengths: npt.NDArray[np.float64]
    """The expected number of words of each document that are no stop words."""

    @classmethod
    def of(cls, version: Version) -> Reading:
        """What is known of a version; made when first asked for, and kept."""
        index = version.index(f"{_tokenizer(version)}|lower")
        folder = version.kept("reading", f"format {FORMAT} of {index.manifest.analyzer}")
        made = cls._opened(folder, index)
        if made is None:
            version.progress("learning the errors of the text")
            made = cls.made(index)
            shutil.rmtree(folder, ignore_errors=True)
            made._write(version.folder, folder)
        return made

    @classmethod
    def made(cls, index: Index) -> Reading:
        """The same from an index alone."""
        counts = index.arrays["cf"].astype(np.float64)
        offsets = index.arrays["term_offsets"].astype(np.int64)
        vocabulary = Vocabulary.of(index.arrays["terms"].tobytes(), offsets, counts)
        counts = counts[vocabulary.numbers]
        plain, common = _plain(vocabulary), _common(vocabulary, index)
        channel = _calibration(vocabulary, counts, plain, common).channel()
        lexicon = estimated(vocabulary, counts, Tables.of(channel), plain, common)
        return cls(index, vocabulary, channel, lexicon, _lengths(index, vocabulary, lexicon, plain, common))

    # -- what it knows ------------------------------------------------------------------------------------------------

    @cached_property
    def tables(self) -> Tables:
        return Tables.of(self.channel)

    @cached_property
    def counts(self) -> npt.NDArray[np.float64]:
        """Occurrences of every string."""
        return np.asarray(self.index.arrays["cf"].astype(np.float64)[self.vocabulary.numbers])

    @cached_property
    def plain(self) -> npt.NDArray[np.bool_]:
        """Which strings are of letters only."""
        return _plain(self.vocabulary)

    @cached_property
    def common(self) -> frozenset[int]:
        """Places of words that are true for sure."""
        return frozenset(_common(self.vocabulary, self.index).tolist())

    @cached_property
    def words(self) -> list[str]:
        """The words of the lexicon."""
        return self.vocabulary.texts(self.lexicon.places)

    @cached_property
    def families(self) -> dict[str, list[int]]:
        """The words of the lexicon, by their numbers in it, for each stem."""
        made: dict[str, list[int]] = {}
        for number, stem in enumerate(stemmed(self.words, "porter")):
            made.setdefault(stem, []).append(number)
        return made

    @property
    def rate(self) -> float:
        """The share of letters that are read wrongly, estimated: of all letters as often as they are written."""
        from .calibration import copied

        counts, lengths = self.counts[self.lexicon.places], self.vocabulary.lengths[self.lexicon.places]
        if not counts.sum():
            return float("nan")
        whole = copied(self.tables, self.vocabulary)[self.lexicon.places] ** (1 / np.maximum(lengths, 1))
        weights = self.lexicon.expected * lengths
        return float(1 - (whole * weights).sum() / weights.sum()) if weights.sum() else float("nan")

    def place(self, term: str) -> int:
        """The place of a string in the vocabulary, -1 if it does not occur."""
        number = self.index.number(term)
        return number if number < 0 else int(self._places[number])

    @cached_property
    def _places(self) -> npt.NDArray[Any]:
        places = np.empty(len(self.vocabulary), np.int64)
        places[self.vocabulary.numbers] = np.arange(len(places))
        return places

    # -- keeping ------------------------------------------------------------------------------------------------------

    def _write(self, beside: Path, folder: Path) -> None:
        """Into a folder of another name first, so that a killed job leaves no half of it."""
        from ....noise.channel.files import save

        work = Path(tempfile.mkdtemp(prefix=".reading-", dir=beside))
        try:
            v, x = self.vocabulary, self.lexicon
            explained = x.explained.astype(np.float32)
            columns: tuple[npt.NDArray[Any], ...] = (
                *(v.letters, v.offsets, v.numbers, x.places, x.expected, explained),
                *(x.begins, x.strings, x.chances, self.lengths),
            )
            for name, column in zip(ARRAYS, columns, strict=True):
                np.save(work / f"{name}.npy", column)
            save(self.channel, str(work / "channel.json"))
            about = {"format": FORMAT, "terms": self.index.manifest.terms, "alphabet": v.alphabet}
            (work / "reading.json").write_text(json.dumps(about) + "\n")
            work.chmod(0o755)
            work.rename(folder)
        except OSError as error:
            raise DataError(f"{folder}: cannot be written: {error.strerror or error}") from None
        finally:
            shutil.rmtree(work, ignore_errors=True)

    @classmethod
    def _opened(cls, folder: Path, index: Index) -> Reading | None:
        """What is kept; None if nothing is, or not all of it, or if it is of another index."""
        from ....noise.channel.files import load

        try:
            about = json.loads((folder / "reading.json").read_bytes())
            arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in ARRAYS}
            channel = load(str(folder / "channel.json"))
            vocabulary = Vocabulary(arrays["letters"], arrays["offsets"], arrays["numbers"], about["alphabet"])
            terms = about["terms"]
        except (OSError, ValueError, EOFError, KeyError, TypeError, AdjudgeError):
            return None
        lexicon, lengths = Lexicon(*(arrays[name] for name in ARRAYS[3:-1])), arrays["lengths"]
        if terms != index.manifest.terms or len(lengths) != len(index) or not _fits(vocabulary, lexicon):
            return None
        return cls(index, vocabulary, channel, lexicon, lengths)


def _fits(vocabulary: Vocabulary, lexicon: Lexicon) -> bool:
    """Whether no number points outside of the arrays."""
    strings, words = len(vocabulary), len(lexicon.places)
    kinds = vocabulary.letters.dtype == np.uint8 and vocabulary.offsets.dtype == np.int64
    fits = kinds and strings == len(vocabulary.numbers) == len(lexicon.explained)
    fits = fits and words == len(lexicon.expected) == len(lexicon.begins) - 1
    fits = fits and len(lexicon.strings) == len(lexicon.chances)
    if not fits:
        return False
    for offsets, size in ((vocabulary.offsets, len(vocabulary.letters)), (lexicon.begins, len(lexicon.strings))):
        if offsets[0] or offsets[-1] != size or bool((np.diff(offsets) < 0).any()):
            return False
    numbers = (vocabulary.numbers, lexicon.places, lexicon.strings)
    return all(0 <= int(n.min(initial=0)) <= int(n.max(initial=0)) < max(strings, 1) for n in numbers)


def _tokenizer(version: Version) -> str:
    """How the text is cut: by the signs that stand for letters in it, which a look at the documents tells."""
    path = version.kept("signs", f"format {FORMAT}")
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


def _lengths(
    index: Index,
    vocabulary: Vocabulary,
    lexicon: Lexicon,
    plain: npt.NDArray[np.bool_],
    common: npt.NDArray[np.int64],
) -> npt.NDArray[np.float64]:
    """Lengths as they are where stop words are left out: each string is left out as far as it is one."""
    numbers = np.flatnonzero(np.isin(lexicon.places, common))
    word, string, chance = lexicon.corruptions(numbers)
    stopped = np.bincount(string, chance * lexicon.expected[numbers][word], minlength=len(vocabulary))
    share = stopped / (lexicon.explained + np.where(plain, PLAIN, SIGNS))
    single = np.flatnonzero(vocabulary.lengths == 1)
    also = [text in words_of(COMMON) for text in vocabulary.texts(single)]
    share[single[np.array(also, np.bool_)]] = 1.0
    kept = np.empty(len(vocabulary))
    kept[vocabulary.numbers] = np.clip(1 - share, 0.0, 1.0)
    lengths = np.zeros(len(index))
    for first, last, documents, tf in index.pieces():
        df: npt.NDArray[Any] = np.diff(index.arrays["offsets"][first : last + 1].astype(np.int64))
        lengths += np.bincount(documents, tf * np.repeat(kept[first:last], df), minlength=len(index))
    return lengths


def _calibration(
    vocabulary: Vocabulary, counts: npt.NDArray[Any], plain: npt.NDArray[np.bool_], common: npt.NDArray[np.int64]
) -> Calibration:
    """The strings that teach: not too rare, no single characters, and nothing with a figure in it."""
    total = counts.sum()
    least = next((often for size, often in MANY if total >= size), 2)
    wordlike = vocabulary.all_of(~vocabulary.marks("".join(c for c in vocabulary.alphabet if c.isnumeric())))
    lengths = vocabulary.lengths
    wanted = wordlike & (counts >= least) & (lengths > 1) & (lengths <= TEACHING)
    wanted[common] = True
    places = np.flatnonzero(wanted)
    return Calibration(vocabulary.part(places), counts[places], plain[places], np.searchsorted(places, common))
