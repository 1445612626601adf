"""One call of every compiled entry that is as it should be, small enough to be broken in every place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from adjudge.core.kernel import native
from adjudge.noise.channel import Channel, Rule
from adjudge.systems.parts.correction.word_choice import Trigrams
from adjudge.systems.parts.deciphering.likeness import StringGrams
from adjudge.systems.parts.deciphering.observed_strings import ObservedVocabulary
from adjudge.systems.parts.deciphering.reach_walk import ReplacementTables
from adjudge.systems.parts.double_dot import DoubleDots, patterns

Path = tuple[int, ...]
"""The way to an argument that may stand within tuples."""


class Call(NamedTuple):
    """The arguments of an entry; arrays are fresh, so that a loop may write to them."""

    job: str
    entry: str
    arguments: Callable[[], tuple[Any, ...]]
    elastic: tuple[Path, ...] = ()
    """Arrays that may be shorter: what they lack is then missing from the result, and nothing else."""
    endless: tuple[Path, ...] = ()
    """Numbers that say how long to work; a large one is no mistake."""

    def __call__(self, arguments: tuple[Any, ...]) -> Any:
        return getattr(native(self.job), self.entry)(*arguments)

    @property
    def name(self) -> str:
        return f"{self.job}.{self.entry}"


def text(raw: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(raw, np.uint8).copy()


def ints(*values: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array(values, np.int32)


def longs(*values: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array(values, np.int64)


LINE = b"1 Q0 d1 1 2.5 tag\n"
IDS = text(b"abcd"), longs(0, 1, 2, 3), ints(1, 1, 1, 1)


def index() -> tuple[Any, ...]:
    return *(column.copy() for column in IDS), longs(0, 2, 4), np.zeros(8, np.int32), longs(0, 4, 8), 0, 2


def judge() -> tuple[Any, ...]:
    tables = index()
    native("judging").index(*tables)
    run = *(column.copy() for column in IDS), np.array([1.0, 2.0, 4.0, 3.0]), longs(0, 2, 4), ints(0, 1)
    judged = *(column.copy() for column in IDS), ints(0, 1, 2, -1), longs(0, 2, 4), tables[4], tables[5]
    out = np.zeros(4, np.int32), np.zeros(4, np.int32), longs(0, 2, 4), np.zeros(2, np.int32)
    return *run, *judged, *out, False, 0, 2


def dominated() -> tuple[Any, ...]:
    return ints(2, 0, 1), ints(1, 3), ints(3, 1), np.zeros(2, np.int32), 3


def top() -> tuple[Any, ...]:
    return np.array([1.0, 3.0, 2.0]), longs(0, 2, 1), ints(2, 0, 1), np.zeros(3, np.int64)


def scan() -> tuple[Any, ...]:
    columns = np.zeros(1, np.int64), np.zeros(1, np.int32), np.zeros(1)
    return text(LINE), 0, len(LINE), (4, 5, 6, 1, 0), np.zeros(len(LINE), np.uint8), 0, *columns, 0


def table(raw: bytes, *layout: Any) -> tuple[Any, ...]:
    columns = np.zeros(2, np.int64), np.zeros(2, np.int32), np.zeros(2)
    return text(raw), 0, len(raw), *layout, np.zeros(len(raw), np.uint8), *columns


def gaps() -> tuple[Any, ...]:
    spans = np.array([[0, 2], [4, 6]], np.int32)
    return np.arange(60, 66, dtype=np.uint32), longs(0, 6), longs(0, 2), spans, np.zeros(2, np.uint8)


def largest() -> tuple[Any, ...]:
    sums = np.array([[0.5, -0.25], [0.0, 1.0]])
    return sums, sums**2 + 1, 2, 3, 1e-12, np.array([0, 1], np.uint8), np.zeros(2), np.zeros((2, 2))


def signed_ranks() -> tuple[Any, ...]:
    return np.array([0.5, 0.25, 0.25, 0.25]), np.full(4, 1e12), 2, longs(0), longs(1), 1e-11, 1, np.zeros(4)


def slots() -> tuple[Any, ...]:
    texts = text(b"balloon ballon"), longs(0, 8), longs(7, 14)
    return *texts, text(b"balloon"), 1, 0, np.zeros(2, np.int64)


def gathered() -> tuple[Any, ...]:
    values = ints(4, 7, 9), np.array([1, 2, 3], np.uint8)
    return longs(1, 0), longs(2, 1), *values, longs(0, 1), np.zeros(3, np.int32), np.zeros(3, np.uint8)


def gathered_bytes() -> tuple[Any, ...]:
    return longs(1, 0), longs(2, 1), np.array([1, 2, 3], np.uint8), longs(0, 1), np.zeros(3, np.uint8)


def differing() -> tuple[Any, ...]:
    words, strings = (np.array(codes, np.uint32) for codes in ((65, 98, 99, 100), (97, 101, 102, 100)))
    return (
        words,
        longs(0, 4),
        words.copy(),
        strings,
        longs(0, 4),
        np.array([65 << 32 | 97], np.uint64),
        np.zeros(1, np.int64),
    )


def inverted() -> tuple[Any, ...]:
    return ints(1, 0, 1), longs(0, 1, 3), ints(0, 2, 4), 2, 1


def split() -> tuple[Any, ...]:
    counts, spans = np.zeros(2, np.int64), np.zeros((3, 2), np.int32)
    return ("one é", "two t_ree"), 0, text(b"_"), text(bytes(256)), 255, np.zeros(3, np.int32), counts, spans, None


def renumber() -> tuple[Any, ...]:
    spans = ints(0, 1, 2, 3, 0, 1)
    out = np.zeros(3, np.int32), np.zeros(3, np.int64), np.zeros(3, np.int32), np.zeros(6, np.int32)
    return ints(1, -1), ints(0, 1, 0), longs(0, 2, 3), ints(0, 1, 0), spans, *out


def strings() -> tuple[Any, ...]:
    return native("numbering").vocabulary(0), text(b"abb"), longs(0, 1, 3), np.zeros(2, np.int32), 1


def in_order() -> tuple[Any, ...]:
    known = native("numbering").vocabulary(0)
    native("numbering").number(known, text(b"abb"), longs(0, 1, 3), np.zeros(2, np.int32), 0)
    return known, text(b"\x01\x00")


def add() -> tuple[Any, ...]:
    terms = ((ints(0, 2), np.array([1.0, 2.0]), 0.5, 1), (ints(2), np.array([3.0]), 1.0, 2))
    return terms, 3, np.zeros(3, np.int64), np.zeros(3), np.zeros(3)


def counted() -> tuple[Any, ...]:
    return ints(1, -1, 0, 1), longs(0, 1, 3), np.zeros(3, np.int64)


def pruned() -> tuple[Any, ...]:
    one = ints(0, 2), np.array([1.0, 2.0]), 0.5, 1, ints(2), np.array([2.0])
    terms = (one, (ints(2), np.array([3.0]), 1.0, 2, ints(2), np.array([3.0])))
    room = np.zeros(6, np.int32), np.zeros(6), np.zeros(3, np.int64)
    packed = np.array([1, 1, 0b10, 0b11], np.uint8), 4, 2, 1.0, 1, longs(0), ints(2), np.array([0.9])
    queries = (terms, 0.0, 1.0), (terms[:1], 1.0, 2.0), ((packed,), 0.0, 1.0)
    return queries, ints(0, 1, 2), np.zeros(3, np.uint8), None, np.ones(1), 2, *room


def run_lines() -> tuple[Any, ...]:
    documents = text(b"d1d22"), longs(0, 2), ints(2, 3)
    return (b"1", b"2"), longs(0, 1, 2), longs(1, 0), *documents, np.array([0.5, 1e-9]), b"tag"


def weighed() -> tuple[Any, ...]:
    from adjudge.index.packed_postings import pack

    raw, ends = pack(ints(0, 2), ints(3, 1), longs(0, 2))
    out = np.zeros(2, np.int32), np.zeros(2), longs(0), np.zeros(1, np.int32), np.zeros(1)
    return raw.copy(), 0, int(ends[-1]), 2, None, np.array([0, 1, 2], np.uint16), np.ones(3), *out


def saturated() -> tuple[Any, ...]:
    lengths, norms = np.array([2, 1, 0], np.uint16), np.array([0.5, 1.0, 1.5])
    return ints(0, 2), ints(3, 1), None, lengths, norms, np.zeros(2), np.zeros(1, np.int32), np.zeros(1)


def answer() -> tuple[Any, ...]:
    terms = ((ints(0, 2), np.array([1.0, 2.0]), 0.5, 1), (ints(2), np.array([3.0]), 1.0, 2))
    out = np.zeros((2, 2), np.int32), np.zeros((2, 2)), np.zeros(2, np.int64)
    return ((terms, 0.0, 1.0), (terms[:1], 1.0, 2.0)), np.zeros(3), ints(2, 0, 1), 2, *out


def walk() -> tuple[Any, ...]:
    rows, table = np.zeros((2, 3), np.uint16), np.zeros((1, 22, 23), np.uint8)
    shapes, breaks, after = np.zeros(2, np.uint8), np.array([2, 0, 1], np.uint8), np.zeros(1, np.uint8)
    return ints(0, 1, 0), rows, shapes, breaks, table, after, np.arange(22, dtype=np.uint8), np.zeros(3, np.uint8)


def labels() -> tuple[Any, ...]:
    scores, edges, transitions = (np.zeros(shape, np.float32) for shape in ((2, 5, 3), (2, 3), (3, 3)))
    return ints(0, 1, 0), longs(1, 3), scores, edges, transitions, np.zeros(3, np.uint8)


def sequences(*, weighted: bool) -> tuple[Any, ...]:
    weights, lengths = longs(1, 5) if weighted else None, np.array([2, 1], np.uint8)
    return native("tally").new(2), ints(1, 2, 0), longs(0, 1), lengths, ints(0, 1, 2), weights, ints(0, 0)


def filled() -> tuple[Any, ...]:
    table, *rest = sequences(weighted=True)
    native("tally").add(table, *rest)
    return table, np.zeros((2, 2), np.int32), np.zeros(2, np.int64)


def channel() -> Channel:
    return Channel((Rule("rn", "m", 0.1, 2.0), Rule("i", "l", 0.05, 1.0), Rule("", "-", 0.01, 1.0)), "abcilmnr-")


def tables() -> tuple[Any, ...]:
    return tuple(buffer.copy() for buffer in channel().tables.buffers)


def ranked() -> tuple[Any, ...]:
    return tables(), ["bam"], ["barn", "bar"], ints(1, 0, -1), np.zeros(2, np.int32), np.zeros(2)


def reached() -> tuple[Any, ...]:
    sums = np.array([1.0, -2.0, 0.5, 3.0, 0.0, 1.0])
    return sums, 2, longs(0, 1), longs(1, 2), np.array([1.5, 2.0]), longs(0, 0)


def expect() -> tuple[Any, ...]:
    room = np.zeros((256, 256)), np.zeros((2, 256)), np.zeros(len(channel().tables.numbered))
    return tables(), ["barn", "a"], ["bam", "b"], np.ones(2), *room


def spans() -> tuple[Any, ...]:
    places, concepts = longs(0, 3, 1), ints(0, 1, 1)
    return longs(0, 2, 3), places, concepts, np.arange(4.0), np.ones(2), 0.5, 0, np.zeros(2), 0, 2


@cache
def dot_tables() -> tuple[Any, ...]:
    """Made once: a table has an item for every character that there is."""
    parts = DoubleDots.of([patterns(["red"]), patterns(["balloon"])]).groups[0][1]
    assert parts is not None
    return parts


def dots() -> tuple[Any, ...]:
    parts = dot_tables()
    out = np.zeros((2, 2), np.int64), np.zeros(2, np.int64)
    return ("the red", "balloon"), tuple(part.copy() for part in parts), 2, True, *out


def known(word: bytes) -> tuple[Any, ...]:
    """A table of the correction's lexicon with one word in it."""
    from adjudge.systems.parts.correction.slow_correction import hash_of

    hashes, numbers = np.zeros(4, np.uint64), np.zeros(4, np.int32)
    hashes[hash_of(word) & 3], numbers[hash_of(word) & 3] = hash_of(word), 7
    return hashes, numbers


def words() -> tuple[Any, ...]:
    room = (np.zeros(3, kind) for kind in (np.int32, np.int32, np.uint64, np.int32, np.uint8))
    return text(b"one twq. three"), *known(b"one"), *room


def candidates() -> tuple[Any, ...]:
    grams = Trigrams.of([b"one", b"two", b"tone"])
    columns = (grams.codes, grams.begins, grams.postings, grams.sizes, grams.lengths)
    return text(b"onetw"), longs(0, 3, 5), *(column.copy() for column in columns), 3, np.zeros((2, 2), np.int32)


def sentence() -> tuple[Any, ...]:
    tokens = ints(0, -1, 1), np.array([0, 0, 1], np.uint8), ints(0, 0, 0), ints(0, 1), np.zeros((1, 2))
    model = longs(0, 1, 2, 2, 2, 2), ints(1, 0), np.array([3, 4], np.uint32), np.full(5, 0.2), np.full(5, 0.1)
    return *tokens, 2, *model, np.zeros(3, np.int32)


def gather() -> tuple[Any, ...]:
    postings = ints(0, 2, 1), ints(1, 300, 2)
    strings = longs(0, 2), longs(2, 3), np.array([1.0, 0.0]), np.array([0.5, 1.0])
    return *postings, *strings, np.full(3, 0.5), np.zeros(3), np.ones(3), np.zeros(3, np.int32)


def posting_lists() -> tuple[Any, ...]:
    return ints(0, 2, 1), ints(1, 300, 2), longs(0, 2, 3), np.zeros(28, np.uint8), np.zeros(3, np.int64)


def packed_lists() -> tuple[Any, ...]:
    data = np.frombuffer(bytes([1, 9, 2, 0, 86, 2, 1, 1, 1, 1]), np.uint8).copy()
    return data, longs(0, 6), longs(6, 10), longs(0, 2, 3), 3, np.zeros(3, np.int32), np.zeros(3, np.int32)


def scores() -> tuple[Any, ...]:
    gathered = np.array([1.0, 0.0, 2.0]), np.array([0.0, 1.0, 0.25]), ints(0, 2), 2, np.ones(3)
    return *gathered, 1.5, np.zeros(3), np.zeros(3, np.int32), 0


def question() -> tuple[Any, ...]:
    strings = ints(0, 2, 1), ints(1, 300, 2), longs(0, 2, 3), longs(0, 1, 2), np.array([1.0, 0.0]), np.array([0.5, 1.0])
    pairs = longs(0, 1), np.array([0.5, 2.0]), longs(0, 1, 2), longs(0, 2, 2)
    how = np.ones(2), np.array([0.4, 0.9]), np.array([0, 1, 0], np.uint8), 0.5, np.ones(3)
    room = np.zeros(3), np.ones(3), np.zeros(3, np.int32), np.zeros(3), np.zeros(3, np.int32), np.zeros(2)
    return *strings, np.full(3, 0.5), *pairs, *how, *room, np.zeros(3, np.int64), np.zeros(5, np.int32), np.zeros(5)


def given() -> tuple[Any, ...]:
    return ints(0, 2), np.array([0.5, 1.5]), np.zeros(3), np.zeros(3, np.int32)


def doubtful_scores() -> tuple[Any, ...]:
    return *scores()[:6], 20.0, 0.5, *scores()[6:]


def stretches() -> tuple[Any, ...]:
    occurrences = ints(0, 1, 0), ints(3, 45, 20), np.array([0.5, 1.0, 0.25])
    words = longs(0, 2, 3), np.ones(2), np.array([20.0, 30.0])
    return *occurrences, *words, longs(0, 3, 7), 20, 5.0, np.zeros(2), np.zeros(2, np.int64)


def term_places() -> tuple[Any, ...]:
    raw = np.frombuffer(bytes([3, 200, 1, 9, 0, 4]), np.uint8).copy()
    return ints(0, 2, 1), ints(2, 1, 2), longs(0, 2, 3), raw, longs(0, 4), longs(4, 6), ints(0, -1, 1)


def halves() -> tuple[Any, ...]:
    """Two strings that stand together in two of three documents."""
    postings = ints(0, 2, 0, 1, 2), ints(1, 1, 2, 1, 1), longs(0, 2, 5), longs(0), longs(1)
    return *postings, np.full(3, 4.0), 2.0, 100.0, 0.2


def near() -> tuple[Any, ...]:
    terms = sorted([b"theft", b"thefl", b"thefts", b"of"])
    vocabulary = ObservedVocabulary.of(b"".join(terms), np.cumsum([0, *map(len, terms)]), np.ones(len(terms)))
    small = [np.array([value], np.uint8) for value in (2, 1, 3)]
    columns = (vocabulary.letters, vocabulary.offsets, *StringGrams.of(vocabulary), text(vocabulary.encode("theft")))
    range_and_joined = [np.array([value], np.uint8) for value in (4, 6, 1)]
    ends = longs(0, 5), *small, *range_and_joined, np.zeros(len(terms), np.uint8)
    return *(np.array(column) for column in columns), *ends


def weighed_strings() -> tuple[Any, ...]:
    """Two words, for which strings were found in every way."""
    strings = text(b"abacab12"), longs(0, 2, 4, 6, 8), np.zeros(256, np.uint8), np.ones(4), np.ones(4, np.float32)
    like = ints(0, 1, 2), text(bytes([1, 253, 254])), text(bytes([2, 1, 2])), longs(0, 2, 3), np.array([0.0, 0.0, 0.1])
    others = ints(1, 3), np.array([0.1, 0.2]), longs(0, 1, 2), ints(0), longs(0, 1, 1), longs(0, -1)
    words = longs(2, 2), text(bytes([0, 1])), np.array([0.1, 0.0]), np.array([0.02, 0.0]), np.ones(253)
    return *strings, *like, *others, *words, 1.5, 0.5, 0.3, 4


def followed() -> tuple[Any, ...]:
    """Two strings, with a symbol for each of their letters."""
    return text(b"abcab"), longs(0, 3, 5), (np.arange(256) % 64).astype(np.uint8)


def looked() -> tuple[Any, ...]:
    terms = sorted([b"the", b"lhe", b"tbe", b"them"])
    vocabulary = ObservedVocabulary.of(b"".join(terms), longs(0, *np.cumsum([len(term) for term in terms])), np.ones(4))
    rules = Rule("t", "l", 0.4, 1.0), Rule("th", "lh", 0.1, 1.0), Rule("e", "", 0.1, 1.0)
    tables = ReplacementTables.of(Channel(rules, vocabulary.alphabet))
    word = tables.encode("them")
    known = text(word), longs(0, len(word)), np.ones(1), ints(1), np.full(1, 0.2), longs(0, 1)
    windows = np.arange(3, dtype=np.uint8), ints(0, 1, 2), longs(0, 2), longs(0, 2), longs(2, 3)
    strings = vocabulary.letters, vocabulary.offsets, np.full(4, 0.1, np.float32), *tables.buffers
    return *strings, *known, *windows, 1, len(vocabulary.alphabet) + 1, 1e-4, 0.02, 100.0


def reach() -> tuple[Any, ...]:
    terms = sorted([b"the", b"lhe", b"tbe", b"them", b"thern"])
    offsets = np.cumsum([0, *map(len, terms)])
    vocabulary = ObservedVocabulary.of(b"".join(terms), offsets, np.ones(len(terms)))
    rules = Rule("t", "l", 0.1, 1.0), Rule("th", "lh", 0.1, 1.0), Rule("e", "", 0.1, 1.0)
    laid_out = ReplacementTables.of(Channel(rules, vocabulary.alphabet))
    found = vocabulary.letters, vocabulary.offsets, *vocabulary.heads, *laid_out.buffers, text(laid_out.encode("the"))
    return *(np.array(column) for column in found), longs(0, 3), np.array([1e-4]), 128


def values() -> tuple[Any, ...]:
    by_topic = longs(0, 2), ints(2, 1), longs(5, 3), ints(0, 1)
    return "ndcg", 10.0, 1, *by_topic, ints(1, 3, 2), ints(1, 0, 2), longs(0, 2, 4), ints(1, 0, 2, -1), np.zeros(2)


def first_rows() -> tuple[Any, ...]:
    columns = *(column.copy() for column in IDS), np.array([1.0, 2.0, 4.0, 3.0]), longs(0, 2, 4)
    return *columns, 1, np.zeros(2, np.int64), longs(0, 1, 2)


def number() -> tuple[Any, ...]:
    pairs = np.zeros(4, np.int64), np.zeros(4, np.int32), np.zeros(4, np.int32)
    room = np.zeros(4, np.uint8), *pairs, np.zeros(8, np.int32), np.zeros(4, np.int32)
    return *(column.copy() for column in IDS), ints(0, 0, 1, 1), *room, 0, 0


def glyphs() -> tuple[Any, ...]:
    """A wide and a narrow glyph on a canvas of four rows."""
    ink, places = text(b"\x01\x02\x03\x04\x3f\x3f"), longs(0, 0, 0, 2, 2, 0, 4, 1, -1, 2, 1, 1)
    return np.zeros((4, 5), np.uint8), 5, ink, places, longs(0, 1), longs(0, 3), longs(1, 2), 63


def darkened() -> tuple[Any, ...]:
    shares, bits = (np.arange(256) * 4 % 256).astype(np.uint8), np.zeros(20, np.uint8)
    return np.arange(20, dtype=np.uint8), 10, 9, shares, np.full(18, 8, np.uint8), bits, np.zeros(18, np.int64)


CALLS = [
    Call("measuring", "values", values),
    Call("measuring", "logarithms", lambda: (np.ones(3), np.zeros(3))),
    Call("lines", "count_lines", lambda: (text(LINE), 0, len(LINE))),
    Call("lines", "scan", scan),
    Call("lines", "topic_end", lambda: (text(LINE + b"2" + LINE[1:]), 0, 2 * len(LINE))),
    Call("lines", "whole", lambda: (np.array([1.0, -2.0]), ints(0, 0))),
    Call("judging", "index", index),
    Call("judging", "judge", judge),
    Call("pooling", "top", first_rows),
    Call("pooling", "number", number),
    Call("packing", "pack", posting_lists),
    Call("packing", "unpack", packed_lists, endless=((4,),)),
    Call("placing", "places", term_places),
    Call("pages", "add_glyphs", glyphs),
    Call("pages", "inked_end", lambda: (np.eye(3, 5, dtype=np.uint8), 5)),
    Call("pages", "darken", darkened),
    Call("pages", "reduce", lambda: (np.ones((5, 10), np.uint8), 10, 5, 3, np.zeros((3, 6), np.uint8))),
    Call("pruning", "answer", pruned),
    Call("gaps", "reached", reached),
    Call("gaps", "largest", largest),
    Call("json_text", "indented", lambda: ({"a": [1, 2.5, None, True], "b": "x\n"},)),
    Call("inverting", "invert", inverted),
    Call("differing", "differing", differing, elastic=((5,),)),
    Call("gathering", "postings", gathered),
    Call("gathering", "bytes", gathered_bytes),
    Call("ranks", "dominated", dominated, endless=((4,),)),
    Call("signed_ranks", "sums", signed_ranks),
    Call("splitting", "split", split, elastic=((2,), (3,))),
    Call("splitting", "renumber", renumber),
    Call("numbering", "number", strings),
    Call("numbering", "in_order", in_order),
    Call("scoring", "add", add),
    Call("scoring", "count", counted, elastic=((1,),)),
    Call("scoring", "top", top, elastic=((3,),)),
    Call("scoring", "answer", answer),
    Call("tables", "delimited", lambda: table(b"1,a,2.5,x\n1,b,1,x\n", (ord(","), 4, 0, 1, 2, 3))),
    Call("tables", "nested", lambda: table(b'{"1": {"a": 2.5, "b": 1}}')),
    Call("tagging", "gaps", gaps),
    Call("tagging", "walk", walk),
    Call("tagging", "viterbi", labels),
    Call("tally", "add", lambda: sequences(weighted=True), elastic=((1,), (4,))),
    Call("tally", "find", lambda: sequences(weighted=False), elastic=((1,), (4,))),
    Call("tally", "fill", filled),
    Call("tally", "choose", lambda: (longs(0, 1, 4), np.array([2, 1, 1], np.uint8), np.zeros(3, np.uint8))),
    Call("marks", "lines", lambda: (b"a<!-- b -->\n<b>\n<c>\nd", b"\n")),
    Call("marks", "tags", lambda: (b"a <b>\n<!c> d",)),
    Call("marks", "entities", lambda: (b"a &lt; b &amp;", {b"lt": b"<", b"amp": b"&"})),
    Call("marks", "documents", lambda: (b"<DOC><docno>1</DOCNO></DOC>", 0), endless=((1,),)),
    Call("marks", "first", lambda: (b"a<b><c>", (b"<c>", b"<b>"))),
    Call("weighing", "saturate", saturated),
    Call("weighing", "weigh", weighed),
    Call("writing", "lines", run_lines),
    Call("channel", "score", lambda: (tables(), "bam", ["barn", "bar"], False, np.zeros(2))),
    Call("channel", "rank", ranked, elastic=((3,),)),
    Call("channel", "expect", expect),
    Call("slots", "count", slots, elastic=((3,),)),
    Call("spans", "score", spans),
    Call("double_dot", "count", dots),
    Call("correction", "split", words, elastic=((0,),)),
    Call("correction", "candidates", candidates),
    Call("correction", "viterbi", sentence),
    Call("adding", "gather", gather),
    Call("adding", "add", scores),
    Call("adding", "add_doubtful", doubtful_scores),
    Call("adding", "ask", question),
    Call("adding", "give", given),
    Call("stretching", "stretches", stretches),
    Call("forms", "weigh", weighed_strings, endless=((24,),)),
    Call("halves", "meet", halves),
    Call("nearness", "grams", lambda: near()[:2]),
    Call("nearness", "near", near),
    Call("nearness", "places", lambda: (*near()[:2], text(b"theft"), longs(0, 5), np.zeros(1, np.int64))),
    Call(
        "successors",
        "count",
        lambda: (*followed(), np.ones(2), np.zeros(64), np.zeros((64, 64)), np.zeros((64, 64, 64))),
    ),
    Call("successors", "add_up", lambda: (*followed(), np.ones((64, 64, 64)), np.zeros(2), np.zeros(2))),
    Call("reach", "reach", reach, elastic=((7,),)),
    Call("closer", "look", looked),
]


def leaves(arguments: tuple[Any, ...], at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every argument, those within tuples too, and the way to it."""
    for place, argument in enumerate(arguments):
        if isinstance(argument, tuple):
            yield from leaves(argument, (*at, place))
        else:
            yield (*at, place), argument


def replaced(arguments: tuple[Any, ...], path: Path, value: Any) -> tuple[Any, ...]:
    """The arguments with another value in one place."""
    first, *rest = path
    value = replaced(arguments[first], tuple(rest), value) if rest else value
    return (*arguments[:first], value, *arguments[first + 1 :])
