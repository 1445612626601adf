"""What stands between tokens: tokenizers drop punctuation, but no term reaches over a comma or into the next sentence.

The characters between two tokens (a gap) are read by ``tagging.c``; :func:`kind_of_gap` says the same in patterns,
and takes over where the extension was not built. Whether a period ends a sentence depends on the words around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError
from ...core.kernel import native
from ..splitting import offsets_of
from ..tokens import Tokens
from .closed import ABBREVIATIONS, CLOSED
from .tagger import Breaks

compiled: Any = native("tagging")

JOINED, PHRASE, SENTENCE = 0, 1, 2
"""Before a token: nothing that separates, punctuation, the beginning of a sentence."""
PERIOD, STOP, LINE = 3, 4, 5
"""Gaps that end a sentence or not: a period and blanks, other stops, nothing but the end of a line."""

BLANK = "\x00-\x08\x0b-\x20\x7f\xa0\xad\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff"
DASH = "\\-\u2010-\u2013\u2212"
KINDS = (
    (SENTENCE, re.compile(rf"\u2029|[\n\x85\u2028][\t{BLANK}]*[\n\x85\u2028]")),
    (PERIOD, re.compile(rf"\A\.[\t\n\x85\u2028{BLANK}]+\Z")),
    (STOP, re.compile(rf"(?s)\A[^.?!]*[.?!].*?[\t\n\x85\u2028{BLANK}]")),
    # Columns of a table; blanks that begin or end a line are no columns.
    (
        PHRASE,
        re.compile(rf"(?<![\t\n\x85\u2028{BLANK}])(?=[{BLANK}]*\t|[{BLANK}]{{3}})[\t{BLANK}]++(?![\n\x85\u2028])"),
    ),
    (LINE, re.compile(rf"\A[\t{BLANK}]*[\n\x85\u2028][\t{BLANK}]*\Z")),
    (JOINED, re.compile(rf"\A['’{DASH}]?[\t\n\x85\u2028{BLANK}]*\Z")),
)


@lru_cache(maxsize=4096)
def kind_of_gap(gap: str) -> int:
    """What the characters between two tokens are.

    A blank line begins a sentence. A hyphen or an apostrophe right after a word joins it to the next (Calabi-Yau,
    Euler's); so do blanks and the end of a line. Three blanks or a tab within a line separate columns.
    """
    return next((kind for kind, pattern in KINDS if pattern.search(gap)), PHRASE)


def gaps_in_python(texts: Sequence[str], tokens: Tokens, out: Breaks) -> None:
    """The kind of the gap before each token; the definition."""
    if tokens.spans is None:
        return
    for text, first, last in zip(texts, tokens.offsets[:-1].tolist(), tokens.offsets[1:].tolist(), strict=True):
        spans = tokens.spans[first:last].tolist()
        for place in range(1, last - first):
            gap = text[spans[place - 1][1] : spans[place][0]]
            # Books of rubbish between two words are not worth remembering.
            out[first + place] = kind_of_gap(gap) if len(gap) < 16 else kind_of_gap.__wrapped__(gap)


def breaks_of(texts: Sequence[str], tokens: Tokens) -> Breaks:
    """What stands before each token: 0 nothing that separates, 1 punctuation, 2 it is the first of a sentence.

    ``tokens`` are those of the texts, made with ``spans=True``. A period ends a sentence if the next token begins with
    no small letter. After an abbreviation (``Prop. 3``, ``U.S. Code``, ``J. Smith``) it ends one only before a capital
    that begins a common word (``The``), and else is as good as not there. So is the end of a line: a title ends there,
    and a sentence that begins with a common word.
    """
    if tokens.spans is None:
        raise DataError("breaks need to know where tokens stand: make the tokens with spans=True")
    if len(texts) != len(tokens):
        raise DataError(f"{len(texts)} texts but tokens of {len(tokens)}")
    kinds = np.zeros(len(tokens.ids), np.uint8)
    if compiled is None:
        gaps_in_python(texts, tokens, kinds)
    else:
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
        spans = np.ascontiguousarray(tokens.spans, np.int32)
        compiled.gaps(codes, offsets_of([len(text) for text in texts]), tokens.offsets, spans, kinds)
    _ends(tokens, kinds)
    begins = tokens.offsets[:-1]
    kinds[begins[begins < tokens.offsets[1:]]] = SENTENCE
    return kinds


def _ends(tokens: Tokens, kinds: Breaks) -> None:
    """Decide, in place, which periods and other stops end a sentence."""
    at = np.flatnonzero(kinds >= PERIOD)
    if not len(at):
        return
    after, which = _flags(tokens, at)
    next_word, kind = after[which], kinds[at]
    before, which = _abbreviations(tokens, at - 1)
    short = before[which] & (kind == PERIOD)
    opens = next_word >= COMMON
    after_period = np.where(short, np.where(opens, SENTENCE, JOINED), np.where(next_word == SMALL, PHRASE, SENTENCE))
    kinds[at] = np.where(kind == LINE, np.where(next_word == OPENING, SENTENCE, JOINED), after_period)


SMALL, OTHER, COMMON, OPENING = range(4)
"""Words after a gap: with a small letter, without; common words in capitals (or one letter), with one capital."""


def _flags(tokens: Tokens, at: npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[Any]]:
    """What the tokens there are as words after a gap."""
    some, which = np.unique(tokens.ids[at], return_inverse=True)
    return np.array([_flag(tokens.types[i]) for i in some.tolist()], np.uint8), which


def _flag(word: str) -> int:
    if word[:1].islower():
        return SMALL
    if word.lower() not in CLOSED and word not in {"Let", "Suppose"}:
        return OTHER
    return OPENING if word[1:].islower() else COMMON


def _abbreviations(tokens: Tokens, at: npt.NDArray[Any]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]:
    """Are the tokens there abbreviations: known ones, initials, letters with periods between them?"""
    some, which = np.unique(tokens.ids[at], return_inverse=True)
    words = [tokens.types[i] for i in some.tolist()]
    initial = [len(w) == 1 and w.isupper() for w in words]
    dotted = [re.fullmatch(r"[^\W\d_](?:\.[^\W\d_])+", w) is not None for w in words]
    known = [w.lower() in ABBREVIATIONS for w in words]
    return np.array(initial, bool) | np.array(dotted, bool) | np.array(known, bool), which
