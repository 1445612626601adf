"""Cutting texts at the matches of a rule and numbering the different tokens: the one place where that is done.

Texts that are pure ASCII have patterns of their own, which the standard library matches faster. Whatever replaces
:func:`tokens_of` for them must give the same columns; ``tests/uax29.py`` defines what the rules mean in ASCII.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from .tokens import Numbers, Tokens

compiled: Any = native("splitting")

COMPILED = {"words": 0, "standard": 1, "standard(dashes=true)": 2}
"""Rules that ``splitting.c`` knows, and its numbers for them."""

Spans = npt.NDArray[np.int32]


@dataclass(frozen=True)
class SplittingRule:
    """What is a token: a pattern for ASCII texts, one for all texts, and the length at which tokens are cut."""

    name: str
    """The name by which a compiled tokenizer knows the rule."""
    ascii: str
    unicode: str
    longest: int = 0
    """Longer tokens are cut and the rest is looked at anew; 0 for no limit."""
    blanks: bytes = b""
    """If no character of an ASCII text both joins and separates: a table for ``translate`` that makes blanks of what
    separates. Cutting at blanks is four times as fast as matching."""
    letters: bytes = b""
    """Characters of ASCII that are letters, too, where ``words`` has letters and digits only."""
    core: str = ""
    """What a token must hold, a character; the scan of a token that is cut may start right before it."""

    @cached_property
    def for_ascii(self) -> Any:
        return re.compile(self.ascii)

    @cached_property
    def for_unicode(self) -> Any:
        import regex

        return regex.compile(self.unicode, regex.VERSION1)

    def pattern(self, text: str) -> Any:
        return self.for_ascii if text.isascii() else self.for_unicode

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text."""
        if not text.isascii():
            return [token for _, part in parts(text) for token in self._tokens(part)]
        return self._tokens(text)

    def _tokens(self, text: str) -> list[str]:
        if self.blanks and text.isascii():
            return text.encode("ascii").translate(self.blanks).decode("ascii").split()
        words: list[str] = self.pattern(text).findall(text)
        return words

    def matches(self, text: str) -> list[tuple[str, tuple[int, int]]]:
        """The tokens of one text, and where each begins and ends."""
        return [
            (match[0], (at + match.start(), at + match.end()))
            for at, part in parts(text)
            for match in self.pattern(part).finditer(part)
        ]


BLANK = re.compile(r"[\x00-\x20]")


def parts(text: str) -> Iterator[tuple[int, str]]:
    """A text cut into parts that are pure ASCII and others in turn, with the place of each: one é must not slow a book
    down. The others are whole words between blanks or control characters, which join nothing."""
    at = 0
    for place in () if text.isascii() else _others(text):
        if place < at:  # in the word of the one before
            continue
        # A control character other than these may stand before the word: then a little more goes with it.
        begin = max(text.rfind(blank, at, place) for blank in " \n\t") + 1 or at
        end = BLANK.search(text, place + 1)
        stop = len(text) if end is None else end.start()
        yield at, text[at:begin]
        yield begin, text[begin:stop]
        at = stop
    yield at, text[at:]


def _others(text: str) -> list[int]:
    """The places of the characters that are not ASCII; patterns look for them ten times as slowly."""
    try:
        codes: npt.NDArray[Any] = np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    places: list[int] = np.flatnonzero(codes > 127).tolist()
    return places


def number_types(tokens: Iterable[str], n: int) -> tuple[list[str], Numbers]:
    """Every different token once, in the order in which they come, and the number of each token."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    ids = np.fromiter(map(numbers.__getitem__, tokens), np.int32, n)
    return list(numbers), ids


def offsets_of(counts: Sequence[int] | npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where each text begins among all tokens, and where the last one ends."""
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


class Vocabulary:
    """Types that keep their numbers from batch to batch: what is decided for a type is decided once. For one thread."""

    def __init__(self) -> None:
        self.types: list[str] = []
        self.handle = compiled.vocabulary()


def tokens_of(
    texts: Sequence[str], rule: SplittingRule, spans: bool = False, vocabulary: Vocabulary | None = None
) -> Tokens:
    """The tokens that a rule finds in a batch of texts. With a vocabulary, their types are its types, if that is quick:
    else the vocabulary is of no more use."""
    if compiled is not None and rule.name in COMPILED:
        tokenized = _split_quickly(texts, rule, spans, vocabulary or Vocabulary())
        if tokenized is not None:
            return tokenized
    words: list[str] = []
    counts: list[int] = []
    places: list[tuple[int, int]] = []
    for text in texts:
        if spans:
            matches = rule.matches(text)
            tokens = [token for token, _ in matches]
            places += [span for _, span in matches]
        else:
            tokens = rule.tokens(text)
        words += tokens
        counts.append(len(tokens))
    types, ids = number_types(words, len(words))
    if rule.longest and any(len(word) > rule.longest for word in types):
        words, counts, places = _cut(words, counts, places, rule)
        types, ids = number_types(words, len(words))
    offsets = offsets_of(counts)
    columns = np.array(places, np.int32).reshape(-1, 2) if spans else None
    return Tokens(types, ids, offsets, spans=columns)


def _split_quickly(texts: Sequence[str], rule: SplittingRule, spans: bool, vocabulary: Vocabulary) -> Tokens | None:
    """The same with the kernel for all that is ASCII; None if a token is too long, which only the patterns can cut."""
    pieces: list[str] = []
    of_text: list[int] = []
    begins: list[int] = []
    others: list[str] = []
    at_others: list[tuple[int, int]] = []
    after: list[int] = []
    for text in texts:
        before = len(pieces)
        for place, (at, part) in enumerate(parts(text)):
            if place % 2:  # between two pieces of ASCII
                matches = list(rule.pattern(part).finditer(part))
                others += [match[0] for match in matches]
                at_others += [(at + match.start(), at + match.end()) for match in matches]
                after += [len(pieces)] * len(matches)
            else:
                pieces.append(part)
                begins.append(at)
        of_text.append(len(pieces) - before)
    if rule.longest and any(len(token) > rule.longest for token in others):
        return None
    data = "".join(pieces).encode("ascii")
    ids = np.empty(len(data) // 2 + len(pieces) + 1, np.int32)
    counts = np.zeros(len(pieces), np.int64)
    places = np.empty((len(ids), 2), np.int32) if spans else None
    ends = offsets_of([len(piece) for piece in pieces])
    how = COMPILED[rule.name], rule.letters, rule.longest
    fresh = compiled.split(data, ends, *how, ids, counts, places, vocabulary.handle)
    if fresh is None:
        return None
    vocabulary.types += fresh
    starts = offsets_of(counts)
    n = int(starts[-1])
    ids, columns = ids[:n].copy(), None if places is None else places[:n].copy()
    if columns is not None and any(begins):
        columns += np.repeat(np.array(begins, np.int32), counts)[:, None]
    if others:
        raw = [token.encode("utf-8", "surrogatepass") for token in others]
        numbers = np.empty(len(raw), np.int32)
        vocabulary.types += compiled.number(
            vocabulary.handle, b"".join(raw), offsets_of([len(r) for r in raw]), numbers
        )
        ids = np.insert(ids, starts[after], numbers).astype(np.int32)
        if columns is not None:
            columns = np.insert(columns, starts[after], np.array(at_others, np.int32), axis=0)
        counts += np.bincount(np.array(after) - 1, minlength=len(pieces))
    offsets = offsets_of(counts)[offsets_of(of_text)]
    return Tokens(vocabulary.types, ids, offsets, spans=columns)


def _cut(
    words: list[str], counts: list[int], places: list[tuple[int, int]], rule: SplittingRule
) -> tuple[list[str], list[int], list[tuple[int, int]]]:
    """The same tokens with the long ones cut."""
    tokens: list[str] = []
    new_counts: list[int] = []
    spans: list[tuple[int, int]] = []
    at = 0
    for size in counts:
        before = len(tokens)
        for i in range(at, at + size):
            word, begin = words[i], places[i][0] if places else 0
            parts = pieces(word, rule) if len(word) > rule.longest else [(0, len(word))]
            tokens += [word[start:end] for start, end in parts]
            if places:
                spans += [(begin + start, begin + end) for start, end in parts]
        at += size
        new_counts.append(len(tokens) - before)
    return tokens, new_counts, spans


def pieces(word: str, rule: SplittingRule) -> list[tuple[int, int]]:
    """Where the pieces of a long token are: each is what the rule finds if it sees only so many characters."""
    match: Callable[..., Any] = rule.pattern(word).match
    import regex

    core = regex.compile(rule.core, regex.VERSION1)
    parts, at = [], 0
    while at < len(word):
        first = core.search(word, at)
        if first is None:
            break
        # A scanner that sees no letter or digit within its reach goes on by one character, so it comes to stand here.
        at = max(at, first.end() - rule.longest)
        piece = match(word[at : at + rule.longest])
        if piece is not None:
            parts.append((at, at + piece.end()))
        at += piece.end() if piece else 1
    return parts
