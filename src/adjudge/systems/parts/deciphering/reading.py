"""All that is known of a degraded text before a question is asked: strings, errors, words; made once and kept."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....index.index import Index
from ....index.inversion import sums
from ....noise.channel.model import Channel
from ....storage.manifest import ManifestKind
from ....text.stopwords import words_of
from .aids import LearningAids
from .both_ways import both_ways
from .counting import first_channel
from .likeness import StringGrams, places_of, unknown
from .observed_strings import CAPITALS, FINALS, ObservedVocabulary, Stems
from .own_errors import UNKNOWN, LearnedErrors, TeachingStrings, learn_together, own_shares, wrong_neighbours
from .reach_walk import ReplacementTables

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
KIND = ManifestKind("adjudge reading", 23, "reading", "index the documents again")


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
    groups: bool = True
    """Whether documents are told apart that have other errors."""
    by: str = ""
    """The field of documents whose values tell them apart, if one does."""

    def __str__(self) -> str:
        parts = f"signs={self.signs} errors={self.errors} both={self.both} certainty={self.certainty}"
        groups = f"groups={self.groups} by={self.by!r}"
        return f"format {KIND.version} {parts} {groups}"


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


class DocumentPart(NamedTuple):
    """Some of the documents, as a mark for each of all, and how often each string that they have occurs in them."""

    documents: npt.NDArray[np.bool_]
    often: npt.NDArray[np.float64]
    """By its place in the vocabulary of the part."""


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
    part: DocumentPart | None = None
    """Which documents all this is about; None: all."""
    groups: tuple[Reading, ...] = ()
    """The same of each group of documents that has errors of its own; none if there is but one."""
    group_of: npt.NDArray[np.uint8] | None = None
    """The group of each document, if there are groups."""
    order: npt.NDArray[np.uint8] | None = None
    """The strings of all documents in their order, as ``document_strings.py`` has them, where that is of use."""

    @classmethod
    def learn(cls, index: Index, learning: Learning | None = None, aids: LearningAids | None = None) -> Reading:
        """What an index tells, all of it as one group."""
        learning, aids = learning or Learning(), aids or LearningAids()
        counts = index.arrays["cf"].astype(np.float64)
        offsets = index.arrays["term_offsets"].astype(np.int64)
        vocabulary = ObservedVocabulary.of(index.arrays["terms"].tobytes(), offsets, counts)
        strings = teaching_strings(vocabulary, counts[vocabulary.numbers])
        errors = learn_together([strings], aids.pairs, aids.lexicon)[0] if learning.errors else None
        lengths = _lengths(index, vocabulary.numbers[_stop_places(index, vocabulary)].tolist())
        return cls.of_errors(index, strings, lengths, errors, learning, aids)

    @classmethod
    def of_errors(
        cls,
        index: Index,
        strings: TeachingStrings,
        lengths: npt.NDArray[np.float64],
        learned: LearnedErrors | None,
        learning: Learning,
        aids: LearningAids,
        documents: npt.NDArray[np.bool_] | None = None,
    ) -> Reading:
        """All that follows from strings and errors, None for no more than a rate; of some documents, if these are
        marked."""
        vocabulary, counts = strings.vocabulary, strings.counts
        errors, neighbours = (
            learned or LearnedErrors(first_channel(vocabulary.alphabet), 0.0),
            wrong_neighbours(strings),
        )
        if errors.told > AIDED and not neighbours >= CLEAN:
            # The text shows nothing, so that only the aids know how much is wrong.
            errors, neighbours = errors._replace(wrong=errors.told), CLEAN
        if learned is not None and learning.both and not aids:
            errors = errors._replace(channel=both_ways(errors.channel))
        own = own_shares(strings, aids.lexicon) * np.maximum(counts - 1, 0.0)
        otherwise = (1 - errors.wrong) ** TRUST * (UNKNOWN * strings.unknown + own)
        if learning.certainty:
            otherwise *= _certainty(index, vocabulary, counts) ** min(1.0, HEEDED * errors.wrong)
        signs = "".join(c for c in vocabulary.alphabet if not (c.isnumeric() or _is_letter(c)))
        written = vocabulary.all_of(~vocabulary.marks(signs))
        written[_stop_places(index, vocabulary)] = False
        stems = Stems.of(partial(_names, index, vocabulary), written)
        part = None if documents is None else DocumentPart(documents, counts)
        return cls(
            *(index, vocabulary, errors.channel, ReplacementTables.of(errors.channel), strings.grams),
            *(otherwise.astype(np.float32), lengths, TextFigures(errors.wrong, neighbours), stems, part),
        )

    # -- what it knows ------------------------------------------------------------------------------------------------

    def signs_are_signs(self, letters: tuple[int, ...], learning: Learning) -> bool:
        """Whether what looked like letters is none: the text is clean, or no error that was learned writes them."""
        signs = set(map(chr, letters))
        every = self.groups or (self,)
        rules = (rule for group in every for rule in group.channel.rules)
        written = not learning.errors or any(signs.intersection(rule.target) for rule in rules)
        return not written or all(group.figures.clean for group in every)

    def counts_of(self, strings: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Occurrences of some strings."""
        return np.asarray(self.often[strings])

    @cached_property
    def often(self) -> npt.NDArray[np.float64]:
        """Occurrences of all strings."""
        return _occurrences(self.index, self.vocabulary) if self.part is None else self.part.often

    def postings_of(self, terms: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        """Documents and frequencies of some terms in the documents that this is about, and where those of each begin
        and end."""
        documents, tf, offsets = self.index.postings_of(terms)
        if self.part is None:
            return documents, tf, offsets
        wanted = self.part.documents[documents]
        return documents[wanted], tf[wanted], sums(wanted)[offsets]

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
        shares = self.often / max(float(self.often.sum()), 1.0)
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
                found[k] = number if number < 0 else int(self.term_places[number])
        return found

    @cached_property
    def term_places(self) -> npt.NDArray[np.int32]:
        """The place of each term of the index, -1 for those that this is not about."""
        places = np.full(self.index.manifest.terms, -1, np.int32)
        places[self.vocabulary.numbers] = np.arange(len(self.vocabulary.numbers))
        return places


def _occurrences(index: Index, vocabulary: ObservedVocabulary) -> npt.NDArray[np.float64]:
    return np.asarray(index.arrays["cf"][vocabulary.numbers], np.float64)


def _names(index: Index, vocabulary: ObservedVocabulary, places: npt.NDArray[Any]) -> list[str]:
    rows = zip(vocabulary.texts(places), vocabulary.numbers[places].tolist(), strict=True)
    return [index.name(number) if "?" in text else text for text, number in rows]


def _is_letter(character: str) -> bool:
    """A letter, or a mark on one."""
    return character.isalpha() or unicodedata.category(character)[0] == "M"


def teaching_strings(vocabulary: ObservedVocabulary, counts: npt.NDArray[np.float64]) -> TeachingStrings:
    """What errors are learned from: strings that occur so often."""
    grams, plain = StringGrams.of(vocabulary), _plain(vocabulary)
    return TeachingStrings(vocabulary, counts, grams, unknown(vocabulary, counts), plain)


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
