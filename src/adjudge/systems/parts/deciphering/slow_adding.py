"""What adding.c and stretching.c do, in Python: the oracle of the tests."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def gather(
    documents: Array,
    tf: Array,
    begins: Array,
    ends: Array,
    exact: Array,
    weights: Array,
    beliefs: Array,
    sums: Array,
    absent: Array,
    reached: Array,
) -> tuple[int, float, float]:
    """Expected frequencies of some strings; as ``adding.c`` has it."""
    order: dict[int, None] = {}
    for begin, end, sure, weight in zip(begins.tolist(), ends.tolist(), exact.tolist(), weights.tolist(), strict=True):
        for place in range(begin, end):
            document = int(documents[place])
            if not 0 <= document < len(sums):
                sums[list(order)], absent[list(order)] = 0.0, 1.0
                raise IndexError("a document that is not there")
            belief = float(beliefs[document if len(beliefs) > 1 else 0])
            counts = sure * (1 - belief) + weight * belief
            if counts > 0:
                order[document] = None
                sums[document] += counts * int(tf[place])
                absent[document] *= math.pow(1 - counts, int(tf[place])) if counts < 1 else 0.0
    reached[: len(order)] = list(order)
    df = sum(min(float(sums[document]), 1.0) for document in order)
    return len(order), df, sum(1 - float(absent[document]) for document in order)


def add(
    sums: Array,
    absent: Array,
    documents: Array,
    many: int,
    norms: Array,
    factor: float,
    scores: Array,
    every: Array,
    before: int,
) -> int:
    """Scores from expected frequencies; as ``adding.c`` has it."""
    for document in documents[:many].tolist():
        if scores[document] == 0:
            every[before] = document
            before += 1
        scores[document] += factor * (sums[document] / (sums[document] + norms[document]))
        sums[document], absent[document] = 0.0, 1.0
    return before


def add_doubtful(
    sums: Array,
    absent: Array,
    documents: Array,
    many: int,
    norms: Array,
    times: float,
    odds: float,
    repeats: float,
    scores: Array,
    every: Array,
    before: int,
) -> int:
    """Scores from expected frequencies and the chance that a word is not there; as ``adding.c`` has it."""
    for document in documents[:many].tolist():
        if scores[document] == 0:
            every[before] = document
            before += 1
        present = 1 - float(absent[document])
        often = max(1 + repeats * (float(sums[document]) / present - 1), 1.0) if present > 0 else 1.0
        scores[document] += times * math.log1p(odds * present) * (often / (often + norms[document]))
        sums[document], absent[document] = 0.0, 1.0
    return before


def ask(
    documents: Array,
    tf: Array,
    offsets: Array,
    words: Array,
    exact: Array,
    weights: Array,
    beliefs: Array,
    more: Array,
    expected: Array,
    pairs: Array,
    pairs_of: Array,
    times: Array,
    repeats: Array,
    groups: Array | None,
    rarity: float,
    norms: Array,
    sums: Array,
    absent: Array,
    found: Array,
    scores: Array,
    every: Array,
    present: Array,
    bounds: Array,
    to: Array,
    given: Array,
) -> int:
    """The scores of all words of a question; as ``adding.c`` has it."""
    before = bounds[0] = 0
    for word, (first, last) in enumerate(itertools.pairwise(words.tolist())):
        strings = offsets[first:last], offsets[first + 1 : last + 1], exact[first:last], weights[first:last]
        try:
            many, _, there = gather(documents, tf, *strings, beliefs, sums, absent, found)
        except IndexError:
            scores[every[:before]] = 0.0
            raise
        for begin, end in itertools.pairwise(pairs[pairs_of[word] : pairs_of[word + 1] + 1].tolist()):
            some = more[begin:end]
            times_more = expected[begin:end] * beliefs[some if len(beliefs) > 1 else 0]
            new = some[(sums[some] == 0) & (times_more > 0)]
            found[many : many + len(new)] = new
            many += len(new)
            left = absent[some] * (1 - np.minimum(times_more, 1.0))
            there += float((absent[some] - left).sum())
            sums[some] += times_more
            absent[some] = left
        present[word] = there
        odds = (len(sums) - there + 0.5) / (there + 0.5) / rarity
        many_before = int(bounds[word])
        for at, document in enumerate(found[:many].tolist()):
            often = float(repeats[0 if groups is None else groups[document]])
            one, own = np.array([document], np.int32), np.zeros_like(scores)
            copies = sums.copy(), absent.copy()
            add_doubtful(*copies, one, 1, norms, 1.0, odds, often, own, np.zeros(1, np.int32), 0)
            to[many_before + at], given[many_before + at] = document, own[document]
            before = add_doubtful(sums, absent, one, 1, norms, float(times[word]), odds, often, scores, every, before)
        bounds[word + 1] = many_before + many
    return before


def give(documents: Array, given: Array, scores: Array, every: Array) -> int:
    """Scores from what words give to documents; as ``adding.c`` has it."""
    before = 0
    for document, value in zip(documents.tolist(), given.tolist(), strict=True):
        if scores[document] == 0:
            every[before] = document
            before += 1
        scores[document] += value
    return before


def stretches(
    slots: Array,
    places: Array,
    chances: Array,
    bounds: Array,
    times: Array,
    odds: Array,
    firsts: Array,
    half: int,
    company: float,
    best: Array,
    where: Array,
) -> None:
    """Where the words of a question stand closest; as ``stretching.c`` has it."""
    best[:], where[:] = 0.0, 0
    words = len(bounds) - 1
    present: dict[tuple[int, int], list[float]] = {}
    for word, (begin, end) in enumerate(itertools.pairwise(bounds.tolist())):
        absent: dict[tuple[int, int], float] = {}
        for k in range(begin, end):
            slot, cell = int(slots[k]), int(places[k]) // half
            if cell + 1 >= firsts[slot + 1] - firsts[slot]:
                raise ValueError("stretches: places: a place beyond the stretches of its document")
            for stretch in (cell, cell + 1):
                absent[slot, stretch] = absent.get((slot, stretch), 1.0) * (1 - min(float(chances[k]), 1.0))
        for key, missing in absent.items():
            present.setdefault(key, [0.0] * words)[word] = 1 - missing
    for slot, stretch in sorted(present):
        there, score, total = present[slot, stretch], 0.0, 0.0
        for p in there:
            total += p  # in this order, which sum() of later Pythons does not keep to
        for word, p in enumerate(there):
            more = company * ((total - p) / (words - 1)) if words > 1 else 0.0
            score += float(times[word]) * math.log1p(float(odds[word]) * ((1 + more) * p / (1 + more * p)))
        if score > best[slot]:
            best[slot], where[slot] = score, stretch
