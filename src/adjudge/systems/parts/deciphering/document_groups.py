"""Groups of documents with errors of their own: several languages, presses and engines in one collection.

Groups are found (``group_finding.py``), or a field of the documents tells them. Each has its own strings, channel and
figures; groups in the same language are learned together, for they have the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.errors import DataError
from ....index.index import Index
from ..version import Version
from .aids import LearningAids
from .group_finding import LEAST, MOST, Groups, families, find_groups
from .observed_strings import ObservedVocabulary
from .own_errors import LearnedErrors, TeachingStrings, learn_together
from .reading import Learning, Reading, teaching_strings


def groups_of(version: Version, index: Index, learning: Learning) -> Groups:
    """The groups of a text, given or found; one if nobody asks for more."""
    if learning.by:
        return groups_of_values(field_values(version, index, learning.by), index.statistics.lengths)
    return find_groups(index) if learning.groups else np.zeros(len(index), np.uint8)


def field_values(version: Version, index: Index, name: str) -> list[str]:
    """The value of a field of each document, empty if it has none; an index without texts has no fields."""
    documents = (index.document(n) for n in range(len(index))) if index.manifest.texts else iter(version.documents)
    found: dict[str, str] = {}
    for document in documents:
        values = [value for field, value in document.fields if field == name]
        if len(values) > 1:
            raise DataError(f"groups of documents by their field {name}: {document.id} has several values")
        found[document.id] = values[0] if values else ""
    if not any(found.values()):
        raise DataError(f"groups of documents by their field {name}: no document has it")
    return [found[id_] for id_ in index.ids]


def groups_of_values(values: Sequence[str], lengths: npt.NDArray[Any]) -> Groups:
    """Documents with the same value are a group; those of small groups, and without a value, are one more."""
    names, codes = np.unique(np.array(values, np.str_), return_inverse=True)
    sizes = np.bincount(codes, lengths, minlength=len(names))
    order = [code for code in np.argsort(-sizes, kind="stable").tolist() if sizes[code] >= LEAST and names[code]]
    numbers = np.zeros(len(names), np.uint8)
    numbers[order[: MOST - 1]] = np.arange(1, len(order[: MOST - 1]) + 1)
    return _dense(numbers[codes])


def _dense(groups: Groups) -> Groups:
    """The same with numbers from 0 on, none left out."""
    return np.asarray(np.unique(groups, return_inverse=True)[1], np.uint8)


def counts_by_group(index: Index, groups: Groups) -> npt.NDArray[np.float64]:
    """How often each term occurs in the documents of each group: a row a group."""
    many, terms = int(groups.max(initial=0)) + 1, index.manifest.terms
    counts, offsets = np.zeros((many, terms)), index.arrays["offsets"].astype(np.int64)
    for first, last, documents, tf in index.pieces():
        own = np.repeat(np.arange(last - first), np.diff(offsets[first : last + 1]))
        keys = groups[documents] * np.int64(last - first) + own
        counts[:, first:last] = np.bincount(keys, tf, minlength=many * (last - first)).reshape(many, -1)
    return counts


def with_groups(reading: Reading, groups: Groups, learning: Learning, aids: LearningAids) -> Reading:
    """What is known of a text, and the same of each group of its documents."""
    if groups.max(initial=0) == 0:
        return reading
    counts = counts_by_group(reading.index, groups)
    parts = [_strings_of(reading, row) for row in counts]
    learned: list[LearnedErrors | None] = [None for _ in parts]
    for family in families(reading.index, groups) if learning.errors else ():
        whole = parts[family[0]] if len(family) == 1 else _strings_of(reading, counts[family].sum(axis=0))
        found = learn_together([parts[number] for number in family], aids.pairs, aids.lexicon, whole)
        for number, errors in zip(family, found, strict=True):
            learned[number] = errors
    made = []
    for number, (strings, own) in enumerate(zip(parts, learned, strict=True)):
        documents = groups == number
        lengths = np.where(documents, reading.lengths, 0.0)
        made.append(Reading.of_errors(reading.index, strings, lengths, own, learning, aids, documents))
    return replace(reading, groups=tuple(made), group_of=groups)


def _strings_of(reading: Reading, counts: npt.NDArray[np.float64]) -> TeachingStrings:
    """The strings that some documents have, whose terms occur so often in them."""
    whole = reading.vocabulary
    there = np.flatnonzero(counts[whole.numbers])
    some = whole.part(there)
    vocabulary = ObservedVocabulary(some.letters, some.offsets, whole.numbers[there], whole.alphabet)
    return teaching_strings(vocabulary, counts[vocabulary.numbers])
