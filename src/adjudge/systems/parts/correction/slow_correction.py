"""What ``correction.c`` does, in Python: slow, without a compiler, and the second opinion in the tests."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]

SENTENCE = 200
CWORD, OTHER = -1, -2

BLANK = rb"\x00-\x20\x7f"
BOUND = rb"(?:[-/()\";:,&@%]|\xc2[\xa0-\xbf]|\xe2[\x80\x81][\x80-\xbf])"
WORD = rb"0-9A-Za-z|~^\\\x80-\xff"
BETWEEN = re.compile(BOUND + rb"|[" + BLANK + rb"]")
RUN = re.compile(rb"[" + WORD + rb"]+")
SENTENCE_END = re.compile(rb"[.?!][\"')\]]*[" + BLANK + rb"]|\n[" + BLANK + rb"]*\n|\n\n")
LETTER = re.compile(rb"[A-Za-z\xc0-\xff]")
EDGE = re.compile(rb"[_\[\]{}<>*#$+=]+")
EDGE_END = re.compile(rb"[_\[\]{}<>*#$+=]+\Z")
CHARACTER = re.compile(rb"[^\x80-\xbf]")


def hash_of(word: bytes) -> int:
    """FNV-1a of 64 bits, its upper half mixed into the lower; never 0."""
    h = 0xCBF29CE484222325
    for byte in word.lower():
        h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return (h ^ (h >> 32)) or 1


def wordlike(word: bytes) -> bool:
    """Two letters or more, and at least half of the characters."""
    letters = len(LETTER.findall(word))
    return letters >= 2 and 2 * letters >= len(CHARACTER.findall(word))


Span = tuple[int, int]


def _strip(text: bytes, begin: int, end: int) -> Span | None:
    runs = [match.span() for match in RUN.finditer(text, begin, end)]
    return (runs[0][0], runs[-1][1]) if runs else None


def _resolve(text: bytes, begin: int, end: int, known: dict[int, int] | None) -> Iterator[tuple[int, int, int]]:
    """The tokens of a chunk without blanks: where each begins and ends, and its number."""
    whole, chunk = _strip(text, begin, end), (begin, end)
    if whole is None:
        return
    begin, end = whole
    if known is None:
        yield begin, end, CWORD if wordlike(text[begin:end]) else OTHER
    elif (number := known.get(hash_of(text[begin:end]), CWORD)) >= 0:
        yield begin, end, number
    else:
        at = chunk[0]
        for part in text[slice(*chunk)].split(b"."):
            yield from _piece(text, at, at + len(part), known)
            at += len(part) + 1


def _piece(text: bytes, begin: int, end: int, known: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    whole, low, high = _strip(text, begin, end), begin, end
    if whole is None:
        return
    begin, end = whole
    number = known.get(hash_of(text[begin:end]), CWORD)
    if number >= 0:
        yield begin, end, number
        return
    parts = [match.span() for match in RUN.finditer(text, begin, end)]
    numbers = [known.get(hash_of(text[b:e]), CWORD) for b, e in parts]
    marked = sum(e - b for b, e in parts) < end - begin
    whole_parts = not any(_too_short(text, begin, b, e, end) for b, e in parts)
    known_parts = all(n >= 0 or not wordlike(text[b:e]) for n, (b, e) in zip(numbers, parts, strict=True))
    if marked and whole_parts and known_parts:
        for n, (b, e) in zip(numbers, parts, strict=True):
            yield b, e, n if n >= 0 else OTHER
    elif wordlike(text[begin:end]):
        before, after = EDGE_END.search(text[low:begin]), EDGE.match(text[end:high])
        yield begin - _few(before), end + _few(after), CWORD
    else:
        yield begin, end, OTHER


def _too_short(text: bytes, low: int, begin: int, end: int, high: int) -> bool:
    beside = text[max(low, begin - 1) : begin] + text[end : min(end + 1, high)]
    return end - begin < 3 and bool(LETTER.search(text[begin:end])) and b"'" not in beside


def _few(match: re.Match[bytes] | None) -> int:
    return len(match[0]) if match and len(match[0]) <= 2 else 0


def split(
    text: bytes, table: Array, numbers: Array, starts: Array, ends: Array, hashes: Array, ids: Array, lasts: Array
) -> int:
    """Fills the columns of the text's tokens and says how many there are."""
    known = None
    if len(table):
        known = {h: n for h, n in zip(table.tolist(), numbers.tolist(), strict=True) if h}
    at, spans = 0, []
    for match in BETWEEN.finditer(text):
        spans.append((at, match.start()))
        at = match.end()
    spans.append((at, len(text)))
    tokens = [token for begin, end in spans for token in _resolve(text, begin, end, known)]
    since = 0
    for k, (begin, end, number) in enumerate(tokens):
        starts[k], ends[k], ids[k] = begin, end, number
        hashes[k] = hash_of(text[begin:end])
        since += 1
        # A blank may be where the next token begins to be looked for, not where it begins: the gap holds them all.
        over = k + 1 == len(tokens) or since >= SENTENCE or SENTENCE_END.search(text, end, tokens[k + 1][0])
        lasts[k] = bool(over)
        since = 0 if over else since
    return len(tokens)


def trigrams(word: bytes) -> set[int]:
    """The letter trigrams of a word with # at both ends, as numbers."""
    padded = b"#" + word + b"#"
    return {padded[i] << 16 | padded[i + 1] << 8 | padded[i + 2] for i in range(len(word))}


def candidates(
    blob: bytes,
    offsets: Array,
    codes: Array,
    begins: Array,
    postings: Array,
    sizes: Array,
    lengths: Array,
    slack: int,
    out: Array,
) -> None:
    """Fills a row for each word with the numbers of its candidates, the best first, then -1."""
    places = {code: k for k, code in enumerate(codes.tolist())}
    out[:] = -1
    for row in range(len(offsets) - 1):
        word = blob[offsets[row] : offsets[row + 1]]
        own = trigrams(word) if len(word) <= 255 else set()
        counts: Counter[int] = Counter()
        for code in own & places.keys():
            counts.update(postings[begins[places[code]] : begins[places[code] + 1]].tolist())
        dice = {
            number: 2.0 * shared / (len(own) + int(sizes[number]))
            for number, shared in counts.items()
            if abs(int(lengths[number]) - len(word)) <= slack
        }
        best = sorted(dice, key=lambda number: (-dice[number], number))[: out.shape[1]]
        out[row, : len(best)] = best


def viterbi(
    ids: Array,
    lasts: Array,
    rows: Array,
    cand: Array,
    score: Array,
    keep: int,  # noqa: ARG001  for the compiled one
    begins: Array,
    nexts: Array,
    counts: Array,
    base: Array,
    scale: Array,
    out: Array,
) -> None:
    """Fills the word of each token: its own, or of its candidates the one on the best way through the sentence."""
    begin, finish = len(base) - 3, len(base) - 2

    def transition(before: int, following: int) -> float:
        row = nexts[begins[before] : begins[before + 1]]
        at = bisect_left(row, following)
        chance = float(base[following])
        if at < len(row) and row[at] == following:
            chance += float(scale[before]) * int(counts[begins[before] + at])
        return math.log(chance)

    ways: list[tuple[float, int, tuple[int, ...]]] = [(0.0, begin, ())]  # sum, last word, words since a fixed one

    def settle(t: int, following: int) -> None:
        if ways[0][2]:
            best = max(ways, key=lambda way: way[0] + transition(way[1], following))
            out[t - len(best[2]) : t] = best[2]

    for t in range(len(ids)):
        if ids[t] >= 0:
            settle(t, int(ids[t]))
            out[t] = ids[t]
            ways = [(0.0, int(ids[t]), ())]
        else:
            own = [(int(w), float(s)) for w, s in zip(cand[rows[t]], score[rows[t]], strict=True) if w >= 0]
            new = []
            for word, chance in own:
                best = max(ways, key=lambda way: way[0] + transition(way[1], word))
                new.append((best[0] + transition(best[1], word) + chance, word, (*best[2], word)))
            ways = new
        if lasts[t] or t + 1 == len(ids):
            settle(t + 1, finish)
            ways = [(0.0, begin, ())]
