"""Passes over the documents of a partition for technical terms: tagged, counted and looked at as on one machine.

Every pass is a function of the documents alone, and what it emits is added up: how documents are cut into partitions
and batches, and how often one is gone through again, does not matter. A partition may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.document import batches as cut
from ..terms.candidates import Coding, Grouping, nouns
from ..terms.extraction import TermSettings
from ..terms.forms import in_lower_case
from ..terms.ncvalue import Keys, occurrences, pairs_of, sums_of
from ..terms.tagged_corpus import BATCH, CODEC, TaggedBatch, TermVocabulary
from ..terms.tally import Tally, lengths_of
from ..terms.word_columns import tag_texts
from .arrow import Batches
from .document_tables import Streamed

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast

Integers = npt.NDArray[Any]
FORMS = 1_000_000
"""So many different forms are counted in memory before they are handed on: some hundred bytes each."""
ROWS = 20_000
"""Rows that go back to Spark at a time."""
TAGGED = "types binary, ids binary, tags binary, breaks binary"
COUNTED = "class string, form string, size int, frequency bigint"
WORDS = "word string, frequency bigint"
PAIRS = "word string, class int"
SUMS = "class int, total bigint"


class Raw(NamedTuple):
    """Tagged texts, whose words have numbers within these texts only."""

    types: Sequence[str]
    ids: Integers
    tags: npt.NDArray[np.uint8]
    breaks: npt.NDArray[np.uint8]

    def batch(self, vocabulary: TermVocabulary) -> TaggedBatch:
        """The same with numbers of a vocabulary, into which words come that are new."""
        numbers = vocabulary.add(self.types)
        words = numbers[self.ids] if len(numbers) else self.ids
        return TaggedBatch([], words, self.tags, self.breaks, np.array([0, len(words)]))


@dataclass(frozen=True)
class Pass:
    """A pass over documents, or over texts that were tagged before."""

    settings: TermSettings
    fresh: bool
    """Whether the rows are documents."""

    def raw(self, batches: Batches) -> Iterator[Raw]:
        """The tagged texts of a partition, some at a time."""
        if not self.fresh:
            yield from _unpack(batches)
            return
        tagger = self.settings.parse_tagger()
        for some in cut(Streamed(batches), BATCH):
            data = tag_texts([document.text for document in some], tagger)
            yield Raw(data.tokens.types, data.tokens.ids, data.tags, data.breaks)


@dataclass(frozen=True)
class Tagging(Pass):
    """What is tagged once for several passes."""

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for raw in self.raw(batches):
            types = "".join(f"{word}\n" for word in raw.types).encode(*CODEC)
            columns = (types, raw.ids.astype(np.int32).tobytes(), raw.tags.tobytes(), raw.breaks.tobytes())
            yield pa.RecordBatch.from_pydict(
                {name: [column] for name, column in zip(("types", "ids", "tags", "breaks"), columns, strict=True)}
            )


def _unpack(batches: Batches) -> Iterator[Raw]:
    for batch in batches:
        for row in range(batch.num_rows):
            types, ids, tags, breaks = (batch.column(n)[row].as_py() for n in ("types", "ids", "tags", "breaks"))
            yield Raw(
                types.decode(*CODEC).split("\n")[:-1],
                np.frombuffer(ids, np.int32),
                np.frombuffer(tags, np.uint8),
                np.frombuffer(breaks, np.uint8),
            )


@dataclass(frozen=True)
class Nouns(Pass):
    """How often each word is a noun or an adjective."""

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for raw in self.raw(batches):
            vocabulary = TermVocabulary()
            batch = raw.batch(vocabulary)
            counts = nouns(batch, vocabulary.lower, len(vocabulary.keys))
            some = np.flatnonzero(counts)
            names = pa.array(list(vocabulary.keys), pa.string()).take(pa.array(some))
            yield from _slice(word=names, frequency=pa.array(counts[some], pa.int64()))


@dataclass(frozen=True)
class Counting(Pass):
    """Candidates with their classes; how many tokens there are comes as a candidate without a name."""

    stopped: frozenset[str]
    most: int = FORMS

    def __call__(self, batches: Batches) -> Batches:
        rules, tokens = self.settings.rules(), 0
        vocabulary, tally = TermVocabulary(), Tally(rules.longest)
        for raw in self.raw(batches):
            batch = raw.batch(vocabulary)
            tokens += len(batch.words)
            tally.add(batch.words, *Coding(rules, vocabulary, self.stopped).spans(batch))
            if len(tally) > self.most:
                yield from self._emit(tally, vocabulary)
                vocabulary, tally = TermVocabulary(), Tally(rules.longest)
        yield from self._emit(tally, vocabulary)
        yield from _count_rows([None], [None], [0], [tokens])

    def _emit(self, tally: Tally, vocabulary: TermVocabulary) -> Batches:
        import pyarrow as pa

        forms, counts = tally.content()
        grouping = Grouping(vocabulary, self.settings.merge_dashes)
        written, names = pa.array(list(vocabulary.words), pa.string()), pa.array(grouping.names, pa.string())
        for begin in range(0, len(forms), ROWS):
            some = slice(begin, begin + ROWS)
            classes = grouping.classes(forms[some])
            yield from _count_rows(
                join_words(classes, names),
                join_words(forms[some], written),
                lengths_of(classes).astype(np.int32),
                counts[some],
            )


def join_words(rows: Integers, names: pa.Array) -> pa.Array:
    """Rows of the numbers of words as texts with single blanks between words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = [names.take(pa.array(column, pa.int32(), mask=column < 0)) for column in rows.T.astype(np.int32)]
    return pc.binary_join_element_wise(*columns, " ", null_handling="skip")


def _count_rows(classes: Any, forms: Any, sizes: Any, counts: Any) -> Batches:
    import pyarrow as pa

    kinds = (pa.string(), pa.string(), pa.int32(), pa.int64())
    given = zip((classes, forms, sizes, counts), kinds, strict=True)
    columns = [column if isinstance(column, pa.Array) else pa.array(column, kind) for column, kind in given]
    yield pa.RecordBatch.from_arrays(columns, ["class", "form", "size", "frequency"])


def _slice(**columns: pa.Array) -> Batches:
    import pyarrow as pa

    whole = pa.RecordBatch.from_arrays(list(columns.values()), list(columns))
    for begin in range(0, whole.num_rows, ROWS):
        yield whole.slice(begin, ROWS)


class Known:
    """Terms that are looked for in the corpus they come from; made ready where they are used, once in a process."""

    def __init__(self, forms: Sequence[str], classes: Integers, number: int) -> None:
        self.forms, self.classes, self.number = forms, classes, number

    @cached_property
    def ready(self) -> tuple[Keys, dict[str, int], Integers]:
        """The keys of forms, the numbers of their words, and those of the singulars, twice."""
        vocabulary = TermVocabulary()
        words = [in_lower_case(form.split(" ")) for form in self.forms]
        rows = np.full((len(words), max(map(len, words), default=1)), -1, np.int32)
        for row, own in zip(rows, words, strict=True):
            row[: len(own)] = [vocabulary.key(word) for word in own]
        singular = vocabulary.singular
        # Behind the words come others that are in no key but have one of them as their singular: they match at the end.
        return Keys.of(rows, self.classes, singular), vocabulary.keys, np.concatenate([singular, singular])

    def table(self, vocabulary: TermVocabulary) -> Integers:
        """The number of each word of a vocabulary."""
        _, numbers, _ = self.ready
        names, ones, size = list(vocabulary.keys), vocabulary.singular, len(numbers)
        own = np.fromiter((numbers.get(name, -1) for name in names), np.int32, len(names))
        if not len(own):
            return own
        other = np.where(own[ones] >= 0, size + own[ones], -1)
        table: Integers = np.where(own >= 0, own, other)[vocabulary.lower]
        return table


@dataclass(frozen=True)
class _Beside(Pass):
    """Passes over the words beside terms."""

    stopped: frozenset[str]
    known: Broadcast[Known]

    def beside(self, batches: Batches) -> Iterator[tuple[TermVocabulary, Integers, tuple[Integers, Integers]]]:
        rules, known = self.settings.rules(), self.known.value
        keys, _, last = known.ready
        for raw in self.raw(batches):
            vocabulary = TermVocabulary()
            batch = raw.batch(vocabulary)
            coding = Coding(rules, vocabulary, self.stopped)
            yield vocabulary, *occurrences(batch, coding, keys, known.table(vocabulary), last, vocabulary.lower)


@dataclass(frozen=True)
class Contexts(_Beside):
    """Which words stand beside which terms."""

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        for vocabulary, classes, both in self.beside(batches):
            size = len(vocabulary.keys) + 1
            pairs = pairs_of(classes, both, size)
            names = pa.array(list(vocabulary.keys), pa.string()).take(pa.array(pairs % size))
            yield from _slice(**{"word": names, "class": pa.array(pairs // size, pa.int32())})


@dataclass(frozen=True)
class Sums(_Beside):
    """The weights of the words beside terms, added up for each term."""

    weights: Broadcast[dict[str, int]]

    def __call__(self, batches: Batches) -> Batches:
        import pyarrow as pa

        weight_of, number = self.weights.value, self.known.value.number
        for vocabulary, classes, both in self.beside(batches):
            weights = np.array([*(weight_of.get(name, 0) for name in vocabulary.keys), 0], np.int64)
            sums = sums_of(classes, both, weights, number)
            some = np.flatnonzero(sums)
            totals = pa.array(sums[some].astype(np.int64), pa.int64())
            yield from _slice(**{"class": pa.array(some, pa.int32()), "total": totals})
