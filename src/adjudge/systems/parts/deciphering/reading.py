"""All that is known of a degraded text before a question is asked: strings, errors, words; made once and kept."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.errors import AdjudgeError
from ....index.index import Index
from ....noise.channel.model import Channel
from ....storage.arrays import ascends, read_array, within
from ....storage.manifest import ManifestKind, checksums, damaged_files
from ....storage.replace import replace_folder, write_bytes
from ....text.stopwords import words_of
from ..version import Aids, Version
from .aids import LearningAids
from .both_ways import both_ways
from .counting import first_channel
from .letter_signs import letters_of
from .likeness import StringGrams, places_of, unknown
from .observed_strings import CAPITALS, FINALS, Heads, ObservedVocabulary, Stems
from .own_errors import UNKNOWN, LearnedErrors, TeachingStrings, learn_errors, own_shares, wrong_neighbours
from .reach_walk import COLUMNS, ReplacementTables

STOPPED = "smart"
"""The words that do not count for the length of a document, which are those of bm25."""
CLEAN = 0.0004
"""The figure of :func:`wrong_neighbours` below which nothing is wrong."""
AIDED = 0.02
"""The share of wrong words above which a text is not clean if aids tell of them, whatever it looks like."""
BELIEVED = 0.01, 0.99
"""What an engine says of its words is not believed beyond these."""
DOUBT = 10.0
"""By so much an engine's word may speak for a string or against it."""
HEEDED = 4.0
"""What an engine says counts by so many times the share of wrong words among the frequent ones, so in full where a
quarter of those is wrong, and about half of all words: where little is wrong, most of what it doubts is right."""
TRUST = 3
"""The power of the share of right words with which strings are believed to be words of their own."""
FREQUENT = 1e-4
"""The share of the text of a string that words may be joined with."""
MANIFEST = "reading.json"
KIND = ManifestKind("adjudge reading", 18, "reading", "index the documents again")
STRINGS: dict[str, type] = {"letters": np.uint8, "offsets": np.int64, "numbers": np.int32}
STEMS: dict[str, type] = {"stem_keys": np.uint32, "stem_places": np.int32}
GRAMS: dict[str, type] = {
    "gram_keys": np.uint32,
    "gram_starts": np.int64,
    "gram_ranks": np.int32,
    "gram_marks": np.uint32,
    "gram_by_rank": np.int32,
    "gram_firsts": np.int64,
}
FIGURES: dict[str, type] = {"otherwise": np.float32, "lengths": np.float64}
HEADS: dict[str, type] = {
    "head_begins": np.int32,
    "head_characters": np.uint8,
    "head_below": np.int32,
    "head_tails": np.uint64,
    "head_bounds": np.int64,
}
CHANNEL = {f"channel_{name}": kind for name, kind in COLUMNS.items()}
LETTERS = 255
"""Characters of an alphabet, at most: 0 is that of all others."""
TABLES = ("channel_single", "channel_edges")
"""Arrays of two dimensions."""


@dataclass(frozen=True)
class Learning:
    """What is learned of a text, and from what."""

    signs: bool = True
    """Whether other characters may stand for letters."""
    errors: bool = True
    """Whether errors are distinguished, or only a rate is assumed."""
    both: bool = True
    """Whether errors are gone through in both directions, where no aid tells which way they go."""
    certainty: bool = True
    """Whether counts what the engine says of its words."""

    def __str__(self) -> str:
        parts = f"signs={self.signs} errors={self.errors} both={self.both} certainty={self.certainty}"
        return f"format {KIND.version} {parts}"


class TextFigures(NamedTuple):
    """What is known of the text as a whole."""

    wrong: float
    """The share of words that are read wrongly, of the frequent ones."""
    neighbours: float
    """How often frequent words have strings beside them that differ by a character; see :func:`wrong_neighbours`."""

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong, beyond doubt."""
        return not self.neighbours >= CLEAN


@dataclass(frozen=True, eq=False)
class Reading:
    """An index of chunks, its strings with their grams, the error channel of the text, and its figures."""

    index: Index
    vocabulary: ObservedVocabulary
    channel: Channel
    tables: ReplacementTables
    grams: StringGrams
    otherwise: npt.NDArray[np.float32]
    """How often each string is expected as a word that nobody knows, or as a word of its own."""
    lengths: npt.NDArray[np.float64]
    """TeachingStrings of each document that are no stop words."""
    figures: TextFigures
    stems: Stems

    @classmethod
    def of(cls, version: Version, learning: Learning | None = None, aids: Aids | None = None) -> Reading:
        """What is known of a version; made when first asked for, and kept."""
        learning = learning or Learning()
        letters = _letters(version, learning) if learning.signs else ()
        index = version.index(f"{_tokenizer(letters)}|lower|letterforms", positions=True)
        known = LearningAids.of(aids, letters) if aids is not None else LearningAids()
        folder = version.folder_for("reading", f"{learning} aids={known} of {index.manifest.analyzer}")
        former = read_parts(folder, index)
        if former is not None:
            return former
        with version.work("learn_errors"):
            reading = cls.learn(index, learning, known)
        if letters and reading.signs_are_signs(letters, learning):
            write_bytes(_signs(version, learning), b"[]\n")
            version.forget(index.manifest.analyzer, positions=True)
            return cls.of(version, learning, aids)
        write_parts(reading, folder)
        return reading

    @classmethod
    def learn(cls, index: Index, learning: Learning | None = None, aids: LearningAids | None = None) -> Reading:
        """The same from an index alone."""
        learning, aids = learning or Learning(), aids or LearningAids()
        counts = index.arrays["cf"].astype(np.float64)
        offsets = index.arrays["term_offsets"].astype(np.int64)
        vocabulary = ObservedVocabulary.of(index.arrays["terms"].tobytes(), offsets, counts)
        counts, plain = counts[vocabulary.numbers], _plain(vocabulary)
        strings = TeachingStrings(vocabulary, counts, StringGrams.of(vocabulary), unknown(vocabulary, counts), plain)
        neighbours = wrong_neighbours(strings)
        errors = LearnedErrors(first_channel(vocabulary.alphabet), 0.0)
        if learning.errors:
            errors = learn_errors(strings, aids.pairs, aids.lexicon)
            if aids and errors.wrong > AIDED:
                neighbours = float(np.fmax(neighbours, CLEAN))
            if learning.both and not aids:
                errors = errors._replace(channel=both_ways(errors.channel))
        own = own_shares(strings, aids.lexicon) * np.maximum(counts - 1, 0.0)
        otherwise = (1 - errors.wrong) ** TRUST * (UNKNOWN * strings.unknown + own)
        if learning.certainty:
            otherwise *= _certainty(index, vocabulary, counts) ** min(1.0, HEEDED * errors.wrong)
        signs = "".join(c for c in vocabulary.alphabet if not (c.isnumeric() or _is_letter(c)))
        written = vocabulary.all_of(~vocabulary.marks(signs))
        stops = _stop_places(index, vocabulary)
        written[stops] = False
        stems = Stems.of(partial(_names, index, vocabulary), written)
        return cls(
            *(index, vocabulary, errors.channel, ReplacementTables.of(errors.channel), strings.grams),
            *(otherwise.astype(np.float32), _lengths(index, vocabulary.numbers[stops].tolist())),
            *(TextFigures(errors.wrong, neighbours), stems),
        )

    # -- what it knows ------------------------------------------------------------------------------------------------

    def signs_are_signs(self, letters: tuple[int, ...], learning: Learning) -> bool:
        """Whether what looked like letters is none: the text is clean, or no error that was learned writes them."""
        signs = set(map(chr, letters))
        written = not learning.errors or any(signs.intersection(rule.target) for rule in self.channel.rules)
        return not written or self.figures.clean

    def counts_of(self, strings: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Occurrences of some strings."""
        return np.asarray(self.often[strings])

    @cached_property
    def often(self) -> npt.NDArray[np.float64]:
        """Occurrences of all strings."""
        return np.asarray(self.index.arrays["cf"][self.vocabulary.numbers], np.float64)

    @cached_property
    def numerals(self) -> npt.NDArray[np.uint8]:
        """For each number of a character, whether it is a numeral."""
        characters = "".join(c for c in self.vocabulary.alphabet if c.isnumeric())
        return self.vocabulary.marks(characters).astype(np.uint8)

    @property
    def wrong(self) -> float:
        """The share of words that are read wrongly."""
        return self.figures.wrong

    @cached_property
    def words(self) -> float:
        """Strings of all documents that are no stop words."""
        return float(self.lengths.sum())

    @cached_property
    def frequent(self) -> dict[str, float]:
        """The most frequent strings, with their shares of the text."""
        shares = self.often / max(float(self.index.arrays["cf"].astype(np.float64).sum()), 1.0)
        places = np.flatnonzero(shares >= FREQUENT)
        return dict(zip(self.names(places), shares[places].tolist(), strict=True))

    def names(self, strings: npt.NDArray[Any]) -> list[str]:
        """Some strings as they stand in the text, with the characters that the vocabulary does not tell apart."""
        return _names(self.index, self.vocabulary, strings)

    def place(self, term: str) -> int:
        """The place of a string in the vocabulary, -1 if it does not occur."""
        return self.places([term])[0]

    def places(self, terms: Sequence[str]) -> list[int]:
        """The places of some strings."""
        coded = [self.vocabulary.encode(term) for term in terms]
        found = places_of(self.vocabulary, coded)
        for k, code in enumerate(coded):
            if 0 in code:  # which the vocabulary does not tell from others
                number = self.index.number(terms[k])
                found[k] = number if number < 0 else int(self._places[number])
        return found

    @cached_property
    def _places(self) -> npt.NDArray[Any]:
        places = np.empty(len(self.vocabulary), np.int64)
        places[self.vocabulary.numbers] = np.arange(len(places))
        return places


def _signs(version: Version, learning: Learning) -> Path:
    return version.folder_for("signs", str(learning))


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
    letters = "".join(c for c in vocabulary.alphabet if _is_letter(c) and c not in CAPITALS + FINALS)
    return vocabulary.all_of(vocabulary.marks(letters))


def _stop_places(index: Index, vocabulary: ObservedVocabulary) -> npt.NDArray[np.int64]:
    """The places of the strings that are stop words as they are written."""
    numbers = [n for n in map(index.number, sorted(words_of(STOPPED))) if n >= 0]
    return np.flatnonzero(np.isin(vocabulary.numbers, numbers))


def _lengths(index: Index, stops: Iterable[int]) -> npt.NDArray[np.float64]:
    """Strings of each document that are no stop words, whose numbers are given."""
    lengths = index.statistics.lengths.astype(np.float64)
    for number in stops:
        documents, tf = index.postings(number)
        lengths[documents] -= tf
    return lengths


def _certainty(index: Index, vocabulary: ObservedVocabulary, counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What an engine says of its words: the odds that a string is as it was read, to those of the text as a whole."""
    sure = index.mean_certainty
    if sure is None:
        return np.ones(len(vocabulary))
    sure = np.clip(sure[vocabulary.numbers], *BELIEVED)
    known = ~np.isnan(sure)
    mean = float((sure[known] * counts[known]).sum() / max(counts[known].sum(), 1.0))
    if not 0 < mean < 1:
        return np.ones(len(vocabulary))
    odds = np.where(known, sure / (1 - sure) * (1 - mean) / mean, 1.0)
    return np.asarray(np.clip(odds, 1 / DOUBT, DOUBT), np.float64)


# -- written to a folder and opened again -----------------------------------------------------------------------------


def write_parts(reading: Reading, folder: Path) -> None:
    """Put what is known into a folder in one step; checksums are compared when it is opened."""
    from ....noise.channel.channel_files import save

    vocabulary, stems = reading.vocabulary, reading.stems
    columns: dict[str, npt.NDArray[Any]] = {name: getattr(vocabulary, name) for name in STRINGS}
    columns |= {f"head_{name}": column for name, column in vocabulary.heads._asdict().items()}
    columns |= dict(zip(GRAMS, reading.grams, strict=True))
    columns |= {"stem_keys": stems.keys, "stem_places": stems.places}
    columns |= {"otherwise": reading.otherwise, "lengths": reading.lengths}
    columns |= {f"channel_{name}": column for name, column in reading.tables.columns.items()}
    with replace_folder(folder, durable=False) as work:
        for name, column in columns.items():
            np.save(work / f"{name}.npy", column)
        save(reading.channel, str(work / "channel.json"))
        about = {"alphabet": vocabulary.alphabet, "figures": [f"{figure!r}" for figure in reading.figures]}
        KIND.write(work / MANIFEST, {**about, "files": checksums(work)}, durable=False)


def read_parts(folder: Path, index: Index) -> Reading | None:
    """What is kept; None if nothing is, or not all of it, or if it is of another index."""
    from ....noise.channel.channel_files import load

    try:
        about = KIND.read(folder / MANIFEST)
        if any(damaged_files(folder, about["files"])):
            return None
        arrays = {
            name: read_array(folder / f"{name}.npy", kind, dimensions=2 if name in TABLES else 1)
            for name, kind in (STRINGS | HEADS | GRAMS | STEMS | FIGURES | CHANNEL).items()
        }
        channel = load(str(folder / "channel.json"))
        known = Heads(*(arrays[name] for name in HEADS))
        vocabulary = ObservedVocabulary(
            arrays["letters"], arrays["offsets"], arrays["numbers"], about["alphabet"], known
        )
        tables = ReplacementTables(**{name: arrays[f"channel_{name}"] for name in COLUMNS})
        grams, stems = StringGrams(*(arrays[name] for name in GRAMS)), Stems(*(arrays[name] for name in STEMS))
        figures = TextFigures(*map(float, about["figures"]))
    except (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, AdjudgeError):
        return None
    fits = len(vocabulary.numbers) == index.manifest.terms and tables.fits and _fits(vocabulary, grams, stems)
    if not fits or len(arrays["otherwise"]) != len(vocabulary) or len(arrays["lengths"]) != len(index):
        return None
    return Reading(index, vocabulary, channel, tables, grams, arrays["otherwise"], arrays["lengths"], figures, stems)


def _fits(vocabulary: ObservedVocabulary, grams: StringGrams, stems: Stems) -> bool:
    """Whether no number points outside of the arrays."""
    strings = len(vocabulary)
    fits = _is_alphabet(vocabulary.alphabet) and strings == len(vocabulary.numbers)
    if not fits or len(grams.starts) != len(grams.keys) + 1 or len(stems.keys) != len(stems.places):
        return False
    if len(grams.marks) != strings or len(grams.by_rank) != strings or not ascends(grams.firsts, strings):
        return False
    if not ascends(vocabulary.offsets, len(vocabulary.letters)) or not ascends(grams.starts, len(grams.ranks)):
        return False
    if not within(vocabulary.letters, len(vocabulary.alphabet) + 1) or not _heads_fit(vocabulary.heads, strings):
        return False
    return all(within(n, strings) for n in (vocabulary.numbers, grams.ranks, grams.by_rank, stems.places))


def _is_alphabet(characters: object) -> bool:
    """Whether a byte can number these characters, and no half of a surrogate pair is among them."""
    if not isinstance(characters, str) or len(characters) > LETTERS:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in characters)


def _heads_fit(heads: Heads, strings: int) -> bool:
    """Whether the tree near its root is one of so many strings."""
    size = len(heads.begins)
    fits = all(len(column) == size for column in heads[1:-1]) and ascends(heads.bounds, size)
    return fits and within(heads.begins, max(strings, 1)) and within(heads.below, size + 1)
