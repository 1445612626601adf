"""NC-value: C-value with what the words next to a candidate say.

    NC(a) = 0.8 · C(a) + 0.2 · Σ over context words w of f_a(w) · t(w) / n

Context words of a are the nouns, adjectives and verbs right before and right after it, f_a(w) is how often w is that,
t(w) with how many of the n best terms by C-value w is seen. The sum is over all occurrences of a, so no table of terms
and context words is needed: one pass over the corpus counts t, another one adds up.

Paper: Frantzi, Ananiadou, Mima, Automatic recognition of multi-word terms: the C-value/NC-value method (2000).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..text.tagging.tagger import Tag
from .candidates import Coding, Spans
from .corpus import Batch, TaggedCorpus
from .tally import Tally

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
TOP = 200
SHARE = 0.8
CONTEXT = np.zeros(len(Tag), bool)
CONTEXT[[Tag.N, Tag.A, Tag.V]] = True


def neighbours(batch: Batch, spans: Spans, lower: Integers) -> tuple[Integers, Integers]:
    """The keys of the words before and after each stretch, -1 where there is none or it is no context word."""
    keys = np.append(lower, -1)[batch.words]
    keys = np.where(CONTEXT[batch.tags], keys, -1)
    end = spans.starts + spans.lengths
    before = np.where(batch.breaks[spans.starts] == 0, keys[spans.starts - 1], -1)
    inside = end < len(keys)
    end = np.where(inside, end, 0)
    after = np.where(inside & (batch.breaks[end] == 0), keys[end], -1)
    return before, after


def nc_values(
    corpus: TaggedCorpus, coding: Coding, terms: Tally, class_of: Integers, values: Floats, best: Integers
) -> Floats:
    """NC-values of classes with these C-values, NaN where that is NaN; ``best`` says which are the best terms.

    ``terms`` has the keys of all forms, ``class_of`` the class of each.
    """
    vocabulary = corpus.vocabulary
    lower, singular = vocabulary.lower, vocabulary.singular
    of = np.append(class_of, -1)

    def occurrences(batch: Batch) -> tuple[Integers, tuple[Integers, Integers]]:
        spans = coding.spans(batch)
        keys = np.append(lower, -1).astype(np.int32)[batch.words]
        classes = of[terms.find(keys, *spans, last=singular)]
        real = classes >= 0
        return classes[real], neighbours(batch, Spans(spans.starts[real], spans.lengths[real]), lower)

    pairs = np.zeros(0, np.int64)
    size = np.int64(len(singular) + 1)
    for batch in corpus:
        classes, both = occurrences(batch)
        some = [
            classes[fine].astype(np.int64) * size + words[fine]
            for words in both
            if len(fine := np.flatnonzero((words >= 0) & best[classes]))
        ]
        pairs = np.unique(np.concatenate([pairs, *some]))
    number = int(best.sum())
    weights = np.bincount(pairs % size, minlength=int(size))
    weights[-1] = 0  # of no word
    sums = np.zeros(len(values))
    for batch in corpus:
        classes, both = occurrences(batch)
        for words in both:
            sums += np.bincount(classes, weights[words], len(values))
    # Whole numbers are added up, so that it does not matter how the corpus is cut into batches.
    return SHARE * values + (1 - SHARE) * (sums / max(number, 1))
