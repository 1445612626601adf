"""Re-attribution: the frequency of a term's words goes to the term, and the text is generated anew from the vector.

As in Table 4 of Stathopoulos & Teufel: from "a Riemannian manifold is a smooth manifold" the terms leave the vector
(a, 2) (riemannian_manifold, 1) (is, 1) (smooth_manifold, 1), and the text is that with terms boosted: every token as
often as its frequency says, in the order in which they first stand there.

The longest terms are taken from left to right, none overlaps another: the number of tokens that the text had is that of
the words in the vector, each term counted by its words, and no frequency is negative. If all terms are taken, nested
ones too, each takes 1 from the frequency of each of its words, which stops at 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.document import Document, Documents, batches
from ..core.errors import DataError, SpecError
from ..core.note import Note
from ..core.spec import is_number
from .forms import JOIN, in_lower_case
from .matching import POLICIES, Matcher, Matches
from .terms import Terms
from .word_columns import TextWords, words_of

Integers = npt.NDArray[Any]
EMISSIONS = ("text", "plus_one", "double_all")
BATCH = 4_000_000
MOST = 1000
"""A larger boost is a mistake, and fills disks."""


class Vectors(NamedTuple):
    """Term vectors of a batch of texts: text t has the entries from ``offsets[t]`` to ``offsets[t + 1]``.

    Entries stand in the order in which their tokens first stand in the text.
    """

    types: Sequence[str]
    ids: Integers
    frequencies: Integers
    technical: npt.NDArray[np.bool_]
    """Whether an entry is a term."""
    offsets: Integers

    def of(self, text: int) -> dict[str, int]:
        """One vector."""
        own, counts = slice(int(self.offsets[text]), int(self.offsets[text + 1])), Counter[str]()
        for i, frequency in zip(self.ids[own].tolist(), self.frequencies[own].tolist(), strict=True):
            counts[self.types[i]] += frequency  # a word of the text may look like the token of a term
        return dict(counts)


@dataclass(frozen=True)
class Emission:
    """How texts are generated from vectors.

    ``text``: terms so many times as ``boost`` says, rounded and at least once, other words once. ``plus_one``: every
    token once more than its frequency, which is what the last row of Table 4 shows. ``double_all``: everything twice,
    for comparison. ``surface``: capitals and plurals as they stand in the text, and not lower case and the class.
    ``keep_words``: the words of a term keep their frequencies beside it; the paper takes these away.
    """

    emission: str = "text"
    boost: float = 2.0
    policy: str = "longest"
    surface: bool = False
    keep_words: bool = False

    def __post_init__(self) -> None:
        if self.emission not in EMISSIONS:
            raise SpecError(f"the emission must be one of {', '.join(EMISSIONS)}, not {self.emission!r}")
        if self.policy not in POLICIES:
            raise SpecError(f"the policy must be {' or '.join(POLICIES)}, not {self.policy!r}")
        if not is_number(self.boost) or not 0 < self.boost <= MOST:
            raise SpecError(f"the boost must be above 0 and at most {MOST}, not {self.boost}")
        if self.emission != "text" and self.boost != 2:
            raise SpecError(f"a boost is for the emission text; {self.emission} has its own way")

    def times(self, vectors: Vectors) -> Integers:
        """How often each entry is written."""
        if self.emission == "plus_one":
            return vectors.frequencies + 1
        if self.emission == "double_all":
            return vectors.frequencies * 2
        boosted = np.maximum(1, np.floor(vectors.frequencies * float(self.boost) + 0.5).astype(np.int64))
        return np.where(vectors.technical, boosted, vectors.frequencies)


def vectors_of(words: TextWords, matches: Matches, tokens: Sequence[str], emission: Emission) -> Vectors:
    """The vectors of texts after re-attribution; ``tokens`` are those of the terms."""
    stream = words.tokens
    types = list(stream.types) if emission.surface else in_lower_case(stream.types)
    numbers: dict[str, int] = {}
    table = np.fromiter((numbers.setdefault(word, len(numbers)) for word in types), np.int64, len(types))
    ids = table[stream.ids] if len(types) else np.zeros(0, np.int64)
    plain = len(numbers)
    used = np.repeat(matches.starts - _before(matches.lengths), matches.lengths) + np.arange(int(matches.lengths.sum()))
    text_of = np.repeat(np.arange(len(stream)), np.diff(stream.offsets))
    if emission.surface:
        forms: dict[str, int] = {}
        written = (JOIN.join([types[i] for i in stream.ids[s : s + n].tolist()]) for s, n in _pairs(matches))
        terms = np.fromiter((forms.setdefault(form, len(forms)) for form in written), np.int64, len(matches.starts))
        names = list(forms)
    else:
        some, terms = np.unique(matches.terms, return_inverse=True)
        names = [tokens[i] for i in some.tolist()]
    size = np.int64(plain + len(names) + 1)
    # Each occurrence as text and token in one number; where it stands decides the order.
    if emission.policy == "longest" or emission.keep_words:
        rest = np.ones(len(ids), bool)
        rest[used] = emission.keep_words
        left = np.flatnonzero(rest)
        word_keys, word_at = text_of[left] * size + ids[left], left
        lost = np.zeros(0, np.int64)
    else:
        word_keys, word_at = text_of * size + ids, np.arange(len(ids))
        lost = text_of[used] * size + ids[used]
    term_keys = text_of[matches.starts] * size + plain + terms
    keys, first, counts = _group(np.concatenate([word_keys, term_keys]), np.concatenate([word_at, matches.starts]))
    if len(lost):
        gone, times = np.unique(lost, return_counts=True)
        counts[np.searchsorted(keys, gone)] -= times
        keep = counts > 0
        keys, first, counts = keys[keep], first[keep], counts[keep]
    of = keys // size
    ids = keys - of * size
    # Terms that begin where a word stands come before it, the longer ones first.
    longest = np.zeros(len(keys), np.int64)
    np.maximum.at(longest, np.searchsorted(keys, term_keys), matches.lengths.astype(np.int64))
    rank = 255 - longest  # a word has 255: it is no match
    order = np.lexsort((ids, rank, first, of))
    offsets = np.searchsorted(of[order], np.arange(len(stream) + 1))
    technical = (ids >= plain)[order]
    return Vectors([*numbers, *names], ids[order], counts[order], technical, offsets)


def _before(lengths: Integers) -> Integers:
    return np.cumsum(lengths, dtype=np.int64) - lengths


def _pairs(matches: Matches) -> Iterator[tuple[int, int]]:
    return zip(matches.starts.tolist(), matches.lengths.tolist(), strict=True)


def _group(keys: Integers, at: Integers) -> tuple[Integers, Integers, Integers]:
    """Every different key, the least of its places, and how often it occurs."""
    order = np.lexsort((at, keys))
    keys, at = keys[order], at[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)])
    return keys[starts], at[starts], np.diff(starts, append=len(keys))


class Attribution:
    """Terms and an emission, ready to be applied to texts."""

    def __init__(self, terms: Terms, emission: Emission | None = None) -> None:
        self.terms, self.emission = terms, emission or Emission()

    @cached_property
    def matcher(self) -> Matcher:
        """Made when the first text comes: an index may be there already."""
        return Matcher.of(self.terms)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts after re-attribution."""
        words = words_of(texts)
        return vectors_of(words, self.matcher.find(words, self.emission.policy), self.matcher.tokens, self.emission)

    def texts(self, texts: Sequence[str]) -> list[str]:
        """The texts generated anew."""
        return list(generate_texts(self.vectors(texts), self.emission))

    def queries(self, topics: Mapping[str, str]) -> dict[str, str]:
        """Questions by topic, treated as documents are."""
        return dict(zip(topics, self.texts(list(topics.values())), strict=True))

    def terms_in(self, text: str) -> dict[str, int]:
        """Which terms a text has and how often, the most frequent first; what a topic gained or lost by."""
        words = words_of([text])
        matches = self.matcher.find(words, self.emission.policy)
        counts = Counter(self.matcher.tokens[i] for i in matches.terms.tolist())
        return dict(counts.most_common())


def generate_texts(vectors: Vectors, emission: Emission) -> Iterator[str]:
    """Texts in which every token of a vector stands as often as the emission says.

    They are made one by one: with a large boost a batch of them does not fit into memory.
    """
    times, names = emission.times(vectors), vectors.types
    for begin, end in pairwise(vectors.offsets.tolist()):
        own = zip(vectors.ids[begin:end].tolist(), times[begin:end].tolist(), strict=True)
        yield "".join([f"{names[i]} " * often for i, often in own])[:-1]


class DeltaDocuments(Documents):
    """Documents generated anew, made one batch after the other whenever they are gone through."""

    def __init__(self, documents: Documents, attribution: Attribution, *, batch: int = BATCH) -> None:
        self.documents, self.attribution, self.batch = documents, attribution, batch
        self.occurrences: int | None = None
        """Terms that the last whole pass has found, each as often as it was taken; None before that."""

    def __iter__(self) -> Iterator[Document]:
        matches = 0
        for document, number in self.with_counts():
            matches += number
            yield document
        self.occurrences = matches

    def with_counts(self) -> Iterator[tuple[Document, int]]:
        """Each document with the number of terms that were found in it."""
        for some in batches(self.documents, self.batch):
            vectors = self.attribution.vectors([document.text for document in some])
            before = np.concatenate([[0], np.cumsum(vectors.frequencies * vectors.technical)])[vectors.offsets]
            texts = generate_texts(vectors, self.attribution.emission)
            for document, text, number in zip(some, texts, np.diff(before).tolist(), strict=True):
                yield Document(document.id, text), number

    @property
    def size(self) -> int:
        return self.documents.size

    @property
    def read(self) -> int:
        return self.documents.read

    @property
    def notes(self) -> tuple[Note, ...]:
        absent = (terms_absent(self.attribution.terms),) if self.occurrences == 0 else ()
        return (*self.documents.notes, *absent)


def terms_absent(terms: Terms) -> Note:
    """What there is to know if no term occurs in any document."""
    return Note.of("terms_absent", terms=len(terms))


def attribution_of(
    path: str, most: int | None, emission: Emission | None = None, terms: Terms | None = None
) -> Attribution:
    """What the terms of a file do to texts; terms that cannot be used are reported before the work."""
    from .term_files import read_terms

    terms = read_terms(path) if terms is None else terms
    attribution = Attribution(terms[:most] if most else terms, emission)
    try:
        attribution.matcher  # noqa: B018
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    return attribution
