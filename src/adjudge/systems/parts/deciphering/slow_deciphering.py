"""What reach.c, forms.c, halves.c, nearness.c and successors.c do, in Python: the oracle of the tests."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

FLOOR, FORGOTTEN, DEEPEST = 0.02, 1e-4, 96
CLIPPED, SYMBOLS, ALIKE = 256, 64, 253

Array = npt.NDArray[Any]
Step = tuple[int, int, bytes, float]
"""From and to which character of the word, what was observed, with which chance."""


def steps_of(word: bytes, tables: tuple[Array, ...]) -> tuple[list[Step], list[Step], Array]:
    """What a word can do outside of single characters, its deletions, and the chances of single characters."""
    single, edges, sources, starts, totals, targets, sizes, chances = tables
    groups = {int(source): k for k, source in enumerate(sources)}
    steps: list[Step] = []
    deletions: list[Step] = []
    ones = np.zeros((len(word), 256))
    for i in range(len(word) + 1):
        total = float(edges[2, word[i]]) if i < len(word) else 0.0
        for size in range(4):
            source = word[i : i + size]
            if len(source) < size or 0 in source:
                break
            group = groups.get(sum(code << 8 * k for k, code in enumerate(source)))
            if group is None:
                continue
            total += float(totals[group]) if size > 1 else 0.0
            for r in range(int(starts[group]), int(starts[group + 1])):
                target = int(targets[r]).to_bytes(4, "little")[: int(sizes[r])]
                (steps if target else deletions).append((i, i + size, target, float(chances[r])))
        if i < len(word):
            deletions.append((i, i + 1, b"", float(edges[0, word[i]])))
            ones[i] = single[word[i]]
            if word[i]:
                ones[i, word[i]] = max(1 - total, FLOOR)
    return steps, deletions, ones


def reach(letters: Array, offsets: Array, *rest: Any) -> tuple[bytes, bytes, bytes]:
    """The strings that words may have become, with their probabilities, and how many each word has."""
    *tables, words, ends, least, _many = rest[6:]  # heads only save time
    tables[1] = np.asarray(tables[1]).reshape(3, 256)
    tables[0] = np.asarray(tables[0]).reshape(256, 256)
    raw, bounds = bytes(letters), np.asarray(offsets).tolist()
    strings = [raw[a:b] for a, b in itertools.pairwise(bounds)]
    reached: list[int] = []
    chances: list[float] = []
    counts: list[int] = []
    for k, floor in enumerate(np.asarray(least).tolist()):
        before = len(reached)
        walk = _Walk(bytes(words)[int(ends[k]) : int(ends[k + 1])], tuple(tables), floor)
        for number, string in enumerate(strings):
            chance = walk(string)
            if chance >= floor:
                reached.append(number)
                chances.append(chance)
        counts.append(len(reached) - before)
    return np.array(reached, np.int32).tobytes(), np.array(chances).tobytes(), np.array(counts, np.int64).tobytes()


class _Walk:
    """The rows of the prefixes of one string after the other; what two strings begin with is looked at once."""

    def __init__(self, word: bytes, tables: tuple[Array, ...], least: float) -> None:
        self.steps, self.deletions, self.ones = steps_of(word, tables)
        self.insertion, self.least, self.size = tables[1][1], least, len(word)
        first = np.zeros(self.size + 1)
        first[0] = 1.0
        for start, end, _, chance in self.deletions:
            first[end] += first[start] * chance
        self.rows, self.path, self.dead = [first], b"", False

    def __call__(self, string: bytes) -> float:
        if len(string) > DEEPEST:
            return 0.0
        shared = 0
        while shared < min(len(string), len(self.path)) and string[shared] == self.path[shared]:
            shared += 1
        if self.dead and shared == len(self.path):
            return 0.0
        self.path, self.rows, self.dead = string[:shared], self.rows[: shared + 1], False
        for depth in range(shared, len(string)):
            self.path = string[: depth + 1]
            if not self._alive(depth):
                self.dead = True
                return 0.0
        return float(self.rows[len(string)][-1])

    def _alive(self, depth: int) -> bool:
        path, rows = self.path, self.rows
        row = rows[depth] * self.insertion[path[depth]]
        row[1:] += rows[depth][:-1] * self.ones[:, path[depth]]
        for start, end, target, chance in self.steps:
            if path.endswith(target):
                row[end] += rows[depth + 1 - len(target)][start] * chance
        for start, end, _, chance in self.deletions:
            row[end] += row[start] * chance
        row[row < FORGOTTEN * self.least] = 0.0
        rows.append(row)
        begun = sum(
            rows[depth + 1 - k][start] * chance
            for start, _, target, chance in self.steps
            for k in range(1, len(target))
            if k <= depth + 1 and path.endswith(target[:k])
        )
        return bool(row.sum() + begun >= self.least)


def weigh(
    letters: Array,
    offsets: Array,
    numerals: Array,
    often: Array,
    otherwise: Array,
    near: Array,
    kinds: Array,
    shared: Array,
    near_bounds: Array,
    glued: Array,
    reached: Array,
    chances: Array,
    reached_bounds: Array,
    family: Array,
    family_bounds: Array,
    itself: Array,
    sizes: Array,
    numeric: Array,
    by_grams: Array,
    floors: Array,
    by_edits: Array,
    unseen: float,
    half: float,
    kin: float,
    rounds: int,
) -> tuple[bytes, bytes, bytes, bytes]:
    """How surely strings stand for words; as ``forms.c`` has it."""
    columns: tuple[list[Array], list[Array], list[Array]] = ([], [], [])
    for word in range(len(itself)):
        like = slice(int(near_bounds[word]), int(near_bounds[word + 1]))
        read = slice(int(reached_bounds[word]), int(reached_bounds[word + 1]))
        members = family[int(family_bounds[word]) : int(family_bounds[word + 1])]
        own, not_alike = int(itself[word]), kinds[like] != ALIKE
        parts = [near[like][not_alike], reached[read], members, np.array([own] if own >= 0 else [], np.int32)]
        strings, place = np.unique(np.concatenate(parts), return_inverse=True)
        ends, chance = np.cumsum([len(part) for part in parts]), np.zeros(len(strings))
        by_kind = np.where(kinds[like] < ALIKE, by_edits[np.minimum(kinds[like], ALIKE - 1)], glued[like])
        chance[place[: ends[0]]] += by_kind[not_alike]
        chance[place[ends[0] : ends[1]]] += chances[read]
        if numeric[word]:
            chance[_all_of(numerals, letters, offsets, strings)] = 0.0  # another number is no misreading
        is_own = strings == own
        weights = _posterior(chance, often[strings], otherwise[strings].astype(np.float64), is_own, unseen, rounds)
        if by_grams[word] > 0:
            length = np.maximum(offsets[near[like] + 1] - offsets[near[like]], sizes[word])
            share = shared[like] / length
            counts = by_grams[word] * share * (share >= half)
            if numeric[word]:
                counts[_all_of(numerals, letters, offsets, near[like])] = 0.0
            strings, weights = _at_least(strings, weights, near[like][counts > 0], counts[counts > 0])
        number, at = np.full(len(strings), -1), np.searchsorted(strings, members)
        number[at] = np.where(members == own, 0, np.cumsum(members != own))
        weights[at] = np.maximum(weights[at], kin)
        kept = (weights >= floors[word]) | (number >= 0)
        for column, values in zip(columns, (strings, weights, number), strict=True):
            column.append(values[kept])
    made = [np.concatenate([np.zeros(0), *column]) for column in columns]
    kinds_of = zip(made, (np.int32, np.float64, np.int32), strict=True)
    one, two, three = (column.astype(kind).tobytes() for column, kind in kinds_of)
    return one, two, three, np.array([len(values) for values in columns[0]], np.int64).tobytes()


def _posterior(chance: Array, often: Array, otherwise: Array, is_own: Array, unseen: float, rounds: int) -> Array:
    """P(word | string); the word as it is written is the word, and is expected ``unseen`` times more."""
    expected, weights = float(often[is_own].sum()) + unseen, np.zeros(len(chance))
    for _ in range(rounds):
        weights = chance * expected / (chance * expected + otherwise + 1e-300)
        weights[is_own] = 1.0
        expected = float((weights * often).sum()) + unseen
    return weights


def _all_of(wanted: Array, letters: Array, offsets: Array, strings: Array) -> Array:
    """Whether all characters of strings are wanted."""
    bounds = zip(offsets[strings].tolist(), offsets[strings + 1].tolist(), strict=True)
    return np.array([bool(wanted[letters[begin:end]].all()) for begin, end in bounds], np.bool_)


def _at_least(strings: Array, weights: Array, others: Array, least: Array) -> tuple[Array, Array]:
    """Strings with their weights, and others with what each counts at least."""
    every = np.union1d(strings, others)
    more = np.zeros(len(every))
    more[np.searchsorted(every, strings)] = weights
    np.maximum.at(more, np.searchsorted(every, others), least)
    return every, more


def meet(
    documents: Array, tf: Array, offsets: Array, ones: Array, others: Array, lengths: Array, *figures: float
) -> tuple[bytes, bytes, bytes, bytes]:
    """Pairs of strings that may be halves of words: how many documents each has, these, how often and how likely."""
    company, words, likely = figures
    lists = [dict(zip(documents[a:b].tolist(), tf[a:b].tolist(), strict=True)) for a, b in itertools.pairwise(offsets)]
    counts, rows = [], []
    for one, two in zip(ones.tolist(), others.tolist(), strict=True):
        rare, other = sorted((lists[one], lists[two]), key=lambda each: sum(each.values()))
        both = [document for document in rare if document in other]
        rate = -(company * sum(other.values()) / words)
        by_chance = {document: -math.expm1(rate * float(lengths[document])) for document in rare}
        share = (len(both) - float(np.sum(list(by_chance.values())))) / (len(rare) + 1)
        found = [(d, min(rare[d], other[d]), share / (share + (1 - share) * by_chance[d])) for d in both if share > 0]
        rows += [row for row in found if row[2] >= likely]
        counts.append(sum(row[2] >= likely for row in found))
    kinds = np.int64, np.float64, np.float64
    where, often, likely_so = (np.array([row[k] for row in rows], kind).tobytes() for k, kind in enumerate(kinds))
    return np.array(counts, np.int64).tobytes(), where, often, likely_so


def _grams(string: bytes) -> list[int]:
    padded = b"\0" + string + b"\0"
    return [padded[i] << 16 | padded[i + 1] << 8 | padded[i + 2] for i in range(len(string))]


def grams(letters: Array, offsets: Array) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]:
    """The strings with each gram; as ``nearness.c`` has it."""
    raw, having = bytes(letters), dict[int, list[int]]()
    bounds = list(enumerate(itertools.pairwise(np.asarray(offsets).tolist())))
    bounds.sort(key=lambda string: min(string[1][1] - string[1][0], CLIPPED))
    for rank, (_, (begin, end)) in enumerate(bounds):
        for gram in _grams(raw[begin:end]):
            having.setdefault(gram, []).append(rank)
    keys = sorted(having)
    starts = np.zeros(len(keys) + 1, np.int64)
    np.cumsum([len(having[key]) for key in keys], out=starts[1:])
    ranks = [rank for key in keys for rank in having[key]]
    lengths = [min(end - begin, CLIPPED) for _, (begin, end) in bounds]
    firsts = np.searchsorted(np.array(lengths, np.int64), np.arange(CLIPPED + 2))
    ordered = b"".join(raw[begin:end] for _, (begin, end) in bounds)
    lists = starts.tobytes(), np.array(ranks, np.int32).tobytes(), ordered
    by_rank = np.array([number for number, _ in bounds], np.int32)
    return np.array(keys, np.uint32).tobytes(), *lists, by_rank.tobytes(), firsts.astype(np.int64).tobytes()


def _edits(one: bytes, other: bytes) -> int:
    """Edits between a word and a string; 0 is like no other character."""
    row = list(range(len(one) + 1))
    for j, b in enumerate(other, 1):
        above, row[0] = row[0], j
        for i, a in enumerate(one, 1):
            above, row[i] = row[i], min(row[i] + 1, row[i - 1] + 1, above + (a != b or a == 0))
    return row[-1]


def near(
    letters: Array,
    offsets: Array,
    keys: Array,
    starts: Array,
    ranks: Array,
    _ordered: Array,
    by_rank: Array,
    _firsts: Array,
    words: Array,
    word_offsets: Array,
    least: Array,
    edits: Array,
    loose: Array,
    shortest: Array,
    longest: Array,
    joined: Array,
    _room: Array,
) -> tuple[bytes, bytes, bytes, bytes]:
    """The strings that are like words; as ``nearness.c`` has it, in the order in which it meets them."""
    raw, bounds = bytes(letters), np.asarray(offsets).tolist()
    place = {int(key): k for k, key in enumerate(keys)}
    columns: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
    for k, (begin, end) in enumerate(itertools.pairwise(np.asarray(word_offsets).tolist())):
        word, shared = bytes(words)[begin:end], dict[int, int]()
        for gram in dict.fromkeys(_grams(word)):
            at = place.get(gram)
            if at is not None:
                for string in dict.fromkeys(by_rank[ranks[int(starts[at]) : int(starts[at + 1])]].tolist()):
                    shared[string] = shared.get(string, 0) + 1
        before = len(columns[0])
        for string, times in shared.items():
            of = raw[bounds[string] : bounds[string + 1]]
            kind, there = -1, min(int(shortest[k]), len(word)) <= len(of) <= longest[k]
            longer = joined[k] and len(of) > len(word) + 1 and times + 1 >= len(word)
            within = there and times >= least[k] and abs(len(of) - len(word)) <= edits[k]
            if within and (n := _edits(word, of)) <= edits[k]:
                kind = n
            elif longer and of.startswith(word):
                kind = 254
            elif longer and of.endswith(word):
                kind = 255
            elif there and loose[k] and times * len(word) > (int(loose[k]) - 1) * max(len(word), len(of)):
                kind = ALIKE
            if kind >= 0:
                for column, value in zip(columns, (string, kind, times), strict=False):
                    column.append(value)
        columns[3].append(len(columns[0]) - before)
    types = zip(columns, (np.int32, np.uint8, np.uint8, np.int64), strict=True)
    one, two, three, four = (np.array(column, kind).tobytes() for column, kind in types)
    return one, two, three, four


def places(letters: Array, offsets: Array, words: Array, word_offsets: Array, found: Array) -> None:
    """Where words are among strings; as ``nearness.c`` has it."""
    raw, text = bytes(letters), bytes(words)
    strings = [raw[begin:end] for begin, end in itertools.pairwise(np.asarray(offsets).tolist())]
    for k, (begin, end) in enumerate(itertools.pairwise(np.asarray(word_offsets).tolist())):
        at = bisect.bisect_left(strings, text[begin:end])
        found[k] = at if at < len(strings) and strings[at] == text[begin:end] else -1


def _contexts(letters: Array, offsets: Array, symbols: Array) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    """The symbols of each string and its end, with the two before each."""
    raw = np.asarray(symbols)[np.asarray(letters)].tolist()
    for k, (begin, end) in enumerate(itertools.pairwise(np.asarray(offsets).tolist())):
        text = [0, 0, *raw[begin:end], 0]
        yield k, list(zip(text, text[1:], text[2:], strict=False))


def count(
    letters: Array, offsets: Array, symbols: Array, weights: Array, single: Array, pairs: Array, table: Array
) -> None:
    """How often symbols follow each other; as ``successors.c`` has it."""
    for k, contexts in _contexts(letters, offsets, symbols):
        for earlier, before, symbol in contexts:
            single[symbol] += weights[k]
            pairs[before, symbol] += weights[k]
            table[earlier, before, symbol] += weights[k]


def add_up(letters: Array, offsets: Array, symbols: Array, table: Array, begins: Array, ends: Array) -> None:
    """Sums over the symbols of strings; as ``successors.c`` has it."""
    total, items = 0.0, table.tolist()
    for k, contexts in _contexts(letters, offsets, symbols):
        begins[k] = total
        for earlier, before, symbol in contexts:
            total += items[earlier][before][symbol]
        ends[k] = total
