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
from itertools import accumulate, count
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.kernel import native
from .tokens import Numbers, Tokens

compiled: Any = native("splitting")
numbering: Any = native("numbering")

COMPILED = {"words": 0, "standard": 1, "standard(dashes=true)": 2}
"""Rules that ``splitting.c`` knows, and its numbers for them."""

KNOWN = 0x3000
"""The characters before this one are told apart by the kernel if they are not ASCII: signs of most scripts' texts."""

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

    @cached_property
    def separators(self) -> bytes:
        """For each of the first characters of Unicode 1 if it is no part of a token, where that is all there is to know
        of a character that is not ASCII; else nothing."""
        if COMPILED.get(self.name) != 0:
            return b""
        after_a_letter = self.for_unicode.findall(" ".join("a" + chr(code) for code in range(KNOWN)))
        joined = {ord(token[1]) for token in after_a_letter if len(token) == 2}
        return bytes(code not in joined for code in range(KNOWN))

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
    if isinstance(counts, list):  # of which numpy would make an array first
        return np.fromiter(accumulate(counts, initial=0), np.int64, len(counts) + 1)
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


class Vocabulary:
    """Types that keep their numbers from batch to batch: what is decided for a type is decided once. For one thread.

    With ``images``, which gives one string for each of some tokens, and for those in ASCII their lower case, types are
    these.
    """

    def __init__(self, images: Callable[[list[str]], Sequence[Any]] | None = None) -> None:
        self.types: list[str] = []
        self.images = images
        self.handle = numbering.vocabulary(images is not None)

    def numbers(self, tokens: Sequence[str]) -> Numbers:
        """The numbers of tokens, new ones included."""
        if self.images is not None:
            different = list(dict.fromkeys(tokens))
            image_of = dict(zip(different, self.images(different), strict=True))
            tokens = [image_of[token] for token in tokens]
        raw = [token.encode("utf-8", "surrogatepass") for token in tokens]
        numbers = np.empty(len(raw), np.int32)
        self.types += numbering.number(self.handle, b"".join(raw), offsets_of([len(r) for r in raw]), numbers, True)
        return numbers


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
    ids = np.empty(sum(map(len, texts)) // 2 + len(texts) + 1, np.int32)
    counts = np.zeros(len(texts), np.int64)
    places = np.empty((len(ids), 2), np.int32) if spans else None
    separators = b"" if all(map(str.isascii, texts)) else rule.separators
    how = COMPILED[rule.name], rule.letters, separators, rule.longest
    answer = compiled.split(tuple(texts), *how, ids, counts, places, vocabulary.handle)
    if answer is None:
        return None
    fresh, raw = answer
    vocabulary.types += fresh
    n = int(counts.sum())
    ids, columns = ids[:n], None if places is None else places[:n].copy()
    if raw:
        between = np.frombuffer(raw, np.int64).reshape(-1, 4)
        others = _other_tokens(texts, rule, between)
        if rule.longest and any(len(token) > rule.longest for token in others.tokens):
            return None
        if others.tokens:
            ids = np.insert(ids, others.before, vocabulary.numbers(others.tokens)).astype(np.int32)
            if columns is not None:
                columns = np.insert(columns, others.before, np.array(others.spans, np.int32), axis=0)
            counts += np.bincount(others.texts, minlength=len(counts))
    return Tokens(vocabulary.types, ids, offsets_of(counts), spans=columns)


class _Others(NamedTuple):
    """Tokens of parts of texts that are not ASCII."""

    tokens: list[str]
    spans: list[tuple[int, int]]
    texts: list[int]
    """The text of each token."""
    before: list[int]
    """How many tokens of ASCII stand before each token, in all texts."""


def _other_tokens(texts: Sequence[str], rule: SplittingRule, parts: npt.NDArray[np.int64]) -> _Others:
    """The tokens of parts, each with its text, begin, end, and the number of tokens before it. Many parts are the same,
    as a sign for a section is."""
    others = _Others([], [], [], [])
    known: dict[str, list[tuple[str, int, int]]] = {}
    for text, begin, end, before in parts.tolist():
        part = texts[text][begin:end]
        found = known.get(part)
        if found is None:
            matches = rule.pattern(part).finditer(part)
            found = known[part] = [(match[0], match.start(), match.end()) for match in matches]
        for token, first, last in found:
            others.tokens.append(token)
            others.spans.append((begin + first, begin + last))
            others.texts.append(text)
            others.before.append(before)
    return others


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
