"""NC-value: C-value with what the words next to a candidate say.

    NC(a) = 0.8 · C(a) + 0.2 · Σ over context words w of f_a(w) · t(w) / n

Context words of a are the nouns, adjectives and verbs right before and right after it, f_a(w) is how often w is that,
t(w) with how many of the n best terms by C-value w is seen. The sum is over all occurrences of a, so no table of terms
and context words is needed: one pass over the corpus counts t, another one adds up.

Paper: Frantzi, Ananiadou, Mima, Automatic recognition of multi-word terms: the C-value/NC-value method (2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..text.tagging.tagger import Tag
from .candidates import Coding, Spans
from .tagged_corpus import TaggedBatch, TaggedCorpus
from .tally import Tally, lengths_of

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
TOP = 200
SHARE = 0.8
CONTEXT = np.zeros(len(Tag), bool)
CONTEXT[[Tag.N, Tag.A, Tag.V]] = True


def neighbours(batch: TaggedBatch, spans: Spans, lower: Integers) -> tuple[Integers, Integers]:
    """The keys of the words before and after each stretch, -1 where there is none or it is no context word."""
    keys = np.append(lower, -1)[batch.words]
    keys = np.where(CONTEXT[batch.tags], keys, -1)
    end = spans.starts + spans.lengths
    before = np.where(batch.breaks[spans.starts] == 0, keys[spans.starts - 1], -1)
    inside = end < len(keys)
    end = np.where(inside, end, 0)
    after = np.where(inside & (batch.breaks[end] == 0), keys[end], -1)
    return before, after


class Keys(NamedTuple):
    """The keys of all forms of terms, and the class of each."""

    forms: Tally
    class_of: Integers

    @classmethod
    def of(cls, rows: Integers, classes: Integers, singular: Integers) -> Keys:
        """From rows of words in lower case, -1 where one is shorter."""
        forms = Tally(max(1, rows.shape[1]))
        starts = np.arange(len(rows), dtype=np.int64) * rows.shape[1]
        numbers = forms.add(rows.ravel(), starts, lengths_of(rows), last=singular)
        class_of = np.full(len(forms), -1, np.int64)
        class_of[numbers] = classes
        return cls(forms, class_of)


def nc_values(corpus: TaggedCorpus, coding: Coding, keys: Keys, values: Floats, best: Integers) -> Floats:
    """NC-values of classes with these C-values, NaN where that is NaN; ``best`` says which are the best terms."""
    vocabulary = corpus.vocabulary
    lower, singular = vocabulary.lower, vocabulary.singular
    pairs = np.zeros(0, np.int64)
    size = len(singular) + 1
    for batch in corpus:
        classes, both = occurrences(batch, coding, keys, lower, singular, lower)
        own = best[classes]
        pairs = np.union1d(pairs, pairs_of(classes[own], [words[own] for words in both], size))
    weights = np.bincount(pairs % size, minlength=size)
    weights[-1] = 0  # of no word
    sums = np.zeros(len(values))
    for batch in corpus:
        classes, both = occurrences(batch, coding, keys, lower, singular, lower)
        sums += sums_of(classes, both, weights, len(values))
    return with_contexts(values, sums, int(best.sum()))


def occurrences(
    batch: TaggedBatch, coding: Coding, keys: Keys, table: Integers, last: Integers, lower: Integers
) -> tuple[Integers, tuple[Integers, Integers]]:
    """The class of each term in a batch, and the keys of the words before and after it.

    ``table`` has for each word of the vocabulary the number that it has in ``keys``, ``last`` the one as a last word.
    """
    spans = coding.spans(batch)
    ids = np.append(table, -1).astype(np.int32)[batch.words]
    classes = np.append(keys.class_of, -1)[keys.forms.find(ids, *spans, last=last)]
    real = classes >= 0
    return classes[real], neighbours(batch, Spans(spans.starts[real], spans.lengths[real]), lower)


def pairs_of(classes: Integers, both: Sequence[Integers], size: int) -> Integers:
    """The pairs of a class and a context word, each once, as one number: class · size + word."""
    some = [
        classes[fine].astype(np.int64) * size + words[fine] for words in both if len(fine := np.flatnonzero(words >= 0))
    ]
    return np.unique(np.concatenate(some)) if some else np.zeros(0, np.int64)


def sums_of(classes: Integers, both: Sequence[Integers], weights: Integers, number: int) -> Floats:
    """The weights of context words added up for each of so many classes; the last weight, 0, is that of no word.

    They are whole numbers, so that it does not matter how the corpus is cut into batches.
    """
    sums = np.zeros(number)
    for words in both:
        sums += np.bincount(classes, weights[words], number)
    return sums


def with_contexts(values: Floats, sums: Floats, number: int) -> Floats:
    """NC-values by C-values, the sums of the weights of context words, and how many terms are the best."""
    return SHARE * values + (1 - SHARE) * (sums / max(number, 1))
