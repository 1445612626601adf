"""The tokens of a text, where they stand, and which words of a lexicon they are.

A token is a run of characters without blanks and without ``- / ( ) " ; : , & @ %`` and such marks outside ASCII; other
marks stay inside (``sect!on``) and are taken off its ends. ``| ~ ^ \\``, which true text hardly has and OCR puts where
a letter was, count as characters of words. Where the lexicon does not have the whole token, it is cut at full stops
(``end.The``), and at other marks if all its parts are then known or no words; a letter or two are no such part
(``s_te``) unless they stand at an apostrophe.

What the lexicon does not have is a c-word if it looks like a word: two letters or more, and at least half of its
characters letters. All else, numbers above all, is never corrected. One or two of ``_ [ ] { } < > * # $ + =`` at its
ends go with a c-word, for they may be what became of a letter (``[ransport``).

A sentence ends where ``. ? !``, quotes or brackets after them, and a blank come; at an empty line; after 200 tokens.

Words are told apart by a hash of 64 bits of their bytes, ASCII letters in lower case: for ten million different
words the chance that two of them are taken for one is a few in a million.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .loops import chosen

CWORD, OTHER = -1, -2
"""What takes the place of a word's number: a word that the lexicon does not have, and what is no word."""

Numbers = npt.NDArray[np.int32]
Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Words by their hashes: an open table whose size is a power of two, 0 where it is empty."""

    hashes: Hashes
    numbers: Numbers

    @classmethod
    def of(cls, hashes: Hashes) -> TokenTable:
        """A table in which the k-th hash leads to k."""
        size = 1 << max(4, (2 * len(hashes)).bit_length())
        table, numbers = np.zeros(size, np.uint64), np.full(size, CWORD, np.int32)
        left = np.arange(len(hashes), dtype=np.int32)
        at = (hashes & np.uint64(size - 1)).astype(np.int64)
        while len(left):  # all that find their place free take it at once; the first of several that want it wins
            free = table[at] == 0
            places, first = np.unique(at[free], return_index=True)
            rows = np.flatnonzero(free)[first]
            table[places], numbers[places] = hashes[left[rows]], left[rows]
            rest = np.ones(len(left), bool)
            rest[rows] = False
            left, at = left[rest], (at[rest] + 1) & (size - 1)
        return cls(table, numbers)


NOTHING = TokenTable(np.zeros(0, np.uint64), np.zeros(0, np.int32))
"""No lexicon yet: every token is one whole."""


@dataclass(frozen=True, eq=False)
class CodedTokens:
    """Columns, one row a token: where it begins and ends in bytes, its hash, its word, whether its sentence ends."""

    text: bytes
    starts: Numbers
    ends: Numbers
    hashes: Hashes
    ids: Numbers
    lasts: npt.NDArray[np.uint8]

    def word(self, row: int) -> bytes:
        """A token as the lexicon would have it: its ASCII letters in lower case."""
        return self.text[self.starts[row] : self.ends[row]].lower()


def encoded(text: str) -> bytes:
    """The bytes that tokens are found in."""
    return text.encode("utf-8", "surrogatepass")


def split(text: bytes, table: TokenTable = NOTHING) -> CodedTokens:
    """The tokens of a text."""
    room = len(text) // 2 + 1  # a token and what separates it from the next take two bytes at least
    starts, ends, ids = (np.empty(room, np.int32) for _ in range(3))
    hashes, lasts = np.empty(room, np.uint64), np.empty(room, np.uint8)
    count = chosen.split(text, table.hashes, table.numbers, starts, ends, hashes, ids, lasts)
    # Copies, so that a few tokens do not keep the room for many.
    return CodedTokens(text, *(column[:count].copy() for column in (starts, ends, hashes, ids, lasts)))  # type: ignore[arg-type]
