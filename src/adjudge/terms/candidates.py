"""Candidates: the sequences of words that a linguistic filter lets pass, counted over a corpus and put into classes.

Every stretch of tokens that matches is a candidate, those within others too. Candidates are counted as they are
written, in shards by their first word: a shard is counted by a pass over the tagged corpus, and small enough for
memory. All forms of a class begin with the same word, so a shard has whole classes, and rare ones are dropped there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.errors import SpecError
from ..core.kernel import THREADS, together
from ..core.progress import SILENT, Listener
from ..text.tagging.tagger import Tag
from .forms import in_lower_case, parts_of
from .linguistic_filter import CODES, OTHER, LinguisticFilter, P
from .tagged_corpus import TaggedBatch, TaggedCorpus, TermVocabulary
from .tally import Tally, compiled, lengths_of, stretches

Integers = npt.NDArray[Any]
SHARD = 40_000_000
"""Tokens of the corpus for each shard; of the Federal Register a shard has 3 million different candidates."""
WORTHWHILE = 4_000_000
"""Tokens from which on every thread has a shard of its own."""
STOP_LIST = ("such", "same", "other", "following", "certain", "given", "several", "many", "case", "fact")
MOST_WORDS = 12


class Spans(NamedTuple):
    """Stretches of tokens: where each begins, and how many words it has."""

    starts: Integers
    lengths: Integers


def spans_of(
    codes: Integers, breaks: Integers, linguistic: LinguisticFilter, shortest: int = 2, longest: int = 6
) -> Spans:
    """The stretches of tokens that a filter lets pass, in the order of their starts, the longer ones of a start first.

    ``codes`` has the kind of each token (none, N, A, P), ``breaks`` what stands before it: none may lie within.
    """
    following, accepts = linguistic.table
    at = np.flatnonzero(codes)
    state = following[1, codes[at]]
    at, state = at[state > 0], state[state > 0]
    starts, lengths = [], []
    for length in range(1, longest + 1):
        if length >= shortest:
            ends = at[accepts[state]]
            starts.append(ends)
            lengths.append(np.full(len(ends), length, np.uint8))
        inside = at + length < len(codes)
        at, state = at[inside], state[inside]
        state = np.where(breaks[at + length] == 0, following[state, codes[at + length]], 0)
        at, state = at[state > 0], state[state > 0]
    start = np.concatenate(starts) if starts else np.zeros(0, np.int64)
    length_ = np.concatenate(lengths) if lengths else np.zeros(0, np.uint8)
    order = np.argsort(start * 256 - length_.astype(np.int64), kind="stable")
    return Spans(start[order].astype(np.int64), length_[order])


@dataclass(frozen=True)
class Rules:
    """What may be a candidate."""

    linguistic: LinguisticFilter
    shortest: int = 2
    longest: int = 6
    frequent: int = 100
    """So many of the most frequent nouns and adjectives are stop words."""
    stop_list: tuple[str, ...] = STOP_LIST
    merge_dashes: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest <= MOST_WORDS:
            raise SpecError(f"a term has 1 to {MOST_WORDS} words, not {self.shortest} to {self.longest}")
        if self.frequent < 0:
            raise SpecError(f"the number of frequent stop words must be 0 or more, not {self.frequent}")

    @property
    def listed_words(self) -> frozenset[str]:
        """The words of the stop list in lower case."""
        return frozenset(in_lower_case(self.stop_list))


class Coding:
    """The kinds of tokens for a filter: stop words are none, and of the prepositions only those of the filter count."""

    def __init__(self, rules: Rules, vocabulary: TermVocabulary, stopped: frozenset[str]) -> None:
        self.rules = rules
        lower, names = vocabulary.lower, list(vocabulary.keys)
        wanted = rules.linguistic.words
        is_p = np.fromiter((name in wanted for name in names), bool, len(names))
        is_stop = np.fromiter((name in stopped for name in names), bool, len(names))
        self.preposition = np.append(is_p[lower] if len(lower) else np.zeros(0, bool), False)
        self.stop = np.append((is_stop & ~is_p)[lower] if len(lower) else np.zeros(0, bool), True)

    def __call__(self, batch: TaggedBatch) -> Integers:
        """The kind of each token; the number -1 looks at the end of the tables, where nothing is allowed."""
        codes = CODES[batch.tags]
        codes[self.stop[batch.words]] = OTHER
        codes[(codes == P) & ~self.preposition[batch.words]] = OTHER
        return codes

    def spans(self, batch: TaggedBatch) -> Spans:
        """The candidates of a batch."""
        return spans_of(self(batch), batch.breaks, self.rules.linguistic, self.rules.shortest, self.rules.longest)


def stop_words(corpus: TaggedCorpus, rules: Rules) -> frozenset[str]:
    """The words of the list and the most frequent nouns and adjectives of the corpus, in lower case."""
    listed = rules.listed_words
    if not rules.frequent:
        return listed
    vocabulary = corpus.vocabulary
    lower, names = vocabulary.lower, list(vocabulary.keys)
    counts = np.zeros(len(names), np.int64)
    for batch in corpus:
        counts += nouns(batch, lower, len(names))
    some = [int(i) for i in np.flatnonzero(counts)]
    some.sort(key=lambda i: (-int(counts[i]), names[i]))
    return listed | {names[i] for i in some[: rules.frequent]}


def nouns(batch: TaggedBatch, lower: Integers, number: int) -> Integers:
    """How often each of so many keys is a noun or an adjective in a batch."""
    words = batch.words[((batch.tags == Tag.N) | (batch.tags == Tag.A)) & (batch.words >= 0)]
    return np.bincount(lower[words], minlength=number) if len(words) else np.zeros(number, np.int64)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Classes of candidates with their frequencies, and the forms of each.

    Rows of words have -1 where they are shorter. ``classes`` are numbers of ``names``, ``forms`` of ``written``.
    """

    names: Sequence[str]
    written: Sequence[str]
    classes: Integers
    frequencies: Integers
    forms: Integers
    form_frequencies: Integers
    class_of: Integers
    """The class of each form."""
    singular: Integers
    """The number of the singular of each of the names."""
    stopped: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.classes)

    def name(self, number: int) -> str:
        """The name of a class."""
        return " ".join([self.names[word] for word in self.classes[number].tolist() if word >= 0])


def count(
    corpus: TaggedCorpus,
    rules: Rules,
    *,
    least: int = 2,
    shard: int = SHARD,
    progress: Listener = SILENT,
) -> Candidates:
    """The candidates of a corpus that occur at least so often."""
    vocabulary = corpus.vocabulary
    stopped = stop_words(corpus, rules)
    grouping = Grouping(vocabulary, rules.merge_dashes)
    coding = Coding(rules, vocabulary, stopped)
    threads = THREADS if compiled is not None and corpus.counts.tokens >= WORTHWHILE else 1
    shards = max(threads, -(-corpus.counts.tokens // shard))
    of_word = grouping.shards(shards)
    parts: list[CandidateShard | None] = [None] * shards
    waiting = list(range(shards))[::-1]
    with progress.work("count_terms", total=shards, unit="passes") as step:

        def work(_: int) -> None:
            while waiting:
                try:
                    number = waiting.pop()  # atomic
                except IndexError:
                    return
                parts[number] = _one_shard(corpus, coding, grouping, of_word if shards > 1 else None, number, least)
                step.advance()

        together(work, threads)
    return _put_together([part for part in parts if part is not None], grouping, vocabulary, stopped)


class CandidateShard(NamedTuple):
    """The candidates of one shard."""

    classes: Integers
    frequencies: Integers
    forms: Integers
    form_frequencies: Integers
    class_of: Integers


def _one_shard(
    corpus: TaggedCorpus, coding: Coding, grouping: Grouping, of_word: Integers | None, number: int, least: int
) -> CandidateShard:
    tally = Tally(coding.rules.longest)
    for batch in corpus:
        spans = coding.spans(batch)
        if of_word is not None:
            own = of_word[batch.words[spans.starts]] == number
            spans = Spans(spans.starts[own], spans.lengths[own])
        tally.add(batch.words, *spans)
    return grouping.part(*tally.content(), least)


class Grouping:
    """From forms to classes: lower case, the last word in the singular, and words cut at dashes if these are merged."""

    def __init__(self, vocabulary: TermVocabulary, merge_dashes: bool) -> None:
        self.merge = merge_dashes
        names = list(vocabulary.keys)
        parts = [[vocabulary.key(part) for part in parts_of(name)] for name in names] if merge_dashes else []
        self.names = list(vocabulary.keys)
        self.lower, self.singular = vocabulary.lower, vocabulary.singular
        self.sizes = np.array([len(some) for some in parts], np.int64)
        self.begins = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        self.flat = np.array([part for some in parts for part in some], np.int32)

    def shards(self, number: int) -> Integers:
        """The shard of each word if a candidate begins with it; -1 looks at the last place, which is no shard.

        Forms of a class share it: the first word of a term of one word is its last one too, which has a plural.
        """
        first = self.lower
        if self.merge and len(first):
            first = self.flat[self.begins[first]]
        first = self.singular[first]
        mixed = (first.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
        return np.append((mixed % np.uint64(number)).astype(np.int32), np.int32(-1))

    def classes(self, forms: Integers) -> Integers:
        """The row of the class of each form."""
        lengths = lengths_of(forms).astype(np.int64)
        rows = np.where(forms >= 0, self.lower[forms] if len(self.lower) else forms, -1).astype(np.int32)
        every = np.arange(len(rows))
        rows[every, lengths - 1] = self.singular[rows[every, lengths - 1]]
        if not self.merge:
            return rows
        flat = rows[rows >= 0]
        sizes = self.sizes[flat]
        of_row = np.repeat(np.repeat(every, lengths), sizes)
        target = np.repeat(self.begins[flat] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        words = self.flat[target + np.arange(len(target))]
        width = np.bincount(of_row, minlength=len(rows))
        keys = np.full((len(rows), int(width.max(initial=1))), -1, np.int32)
        place = np.arange(len(words)) - np.repeat(np.cumsum(width) - width, width)
        keys[of_row, place] = words
        return keys

    def part(self, forms: Integers, counts: Integers, least: int) -> CandidateShard:
        """Forms put into classes, those left out that are rarer than ``least``."""
        rows = self.classes(forms) if len(forms) else forms
        tally = Tally(max(1, rows.shape[1]))
        class_of = tally.add(*stretches(rows), weights=counts)
        classes, frequencies = tally.content()
        keep = frequencies >= least
        renumbered = np.where(keep, np.cumsum(keep) - 1, -1).astype(np.int32)
        own = keep[class_of] if len(class_of) else np.zeros(0, bool)
        return CandidateShard(classes[keep], frequencies[keep], forms[own], counts[own], renumbered[class_of[own]])


def _put_together(
    parts: Sequence[CandidateShard], grouping: Grouping, vocabulary: TermVocabulary, stopped: Iterable[str]
) -> Candidates:
    width = max((part.classes.shape[1] for part in parts), default=1)
    classes = [np.pad(p.classes, ((0, 0), (0, width - p.classes.shape[1])), constant_values=-1) for p in parts]
    before = np.cumsum([0, *(len(part.classes) for part in parts)])
    class_of = [part.class_of + int(offset) for part, offset in zip(parts, before[:-1], strict=True)]
    return Candidates(
        grouping.names,
        list(vocabulary.words),
        np.concatenate(classes),
        np.concatenate([part.frequencies for part in parts]),
        np.concatenate([part.forms for part in parts]),
        np.concatenate([part.form_frequencies for part in parts]),
        np.concatenate(class_of),
        grouping.singular,
        frozenset(stopped),
    )
