"""Texts as columns of words with what stands between them, and with tags: where everything about terms begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..text.splitting import offsets_of
from ..text.tagging.breaks import breaks_of
from ..text.tagging.tagger import Tagger
from ..text.tokenizers.standard import StandardTokenizer
from ..text.tokens import Tokens
from .forms import JOIN, plain

Integers = npt.NDArray[Any]
TOKENIZER = StandardTokenizer(dashes=True)
"""As in the paper: no stop words are dropped, and dashes join words."""
ENOUGH = re.compile(r"[^\W\d_].*[^\W\d_]", re.DOTALL)
"""A word of a term has two letters: x, 3 and f' are parts of formulas."""
LONGEST = 40
"""Characters of a word of a term: six of them still fit into one token."""


@dataclass(frozen=True, eq=False)
class TextWords:
    """The words of a batch of texts, capitals as they stand there, and what stands before each of them."""

    tokens: Tokens
    breaks: npt.NDArray[np.uint8]
    """0 for a blank, 1 for punctuation, 2 for the end of a sentence; a text begins with 2."""


@dataclass(frozen=True, eq=False)
class Tagged(TextWords):
    """The same with parts of speech."""

    tags: npt.NDArray[np.uint8]


def words_of(texts: Sequence[str]) -> TextWords:
    """The words of texts."""
    clean = [plain(text) for text in texts]
    tokens = _tokens(clean)
    breaks = np.array(breaks_of(clean, tokens), np.uint8)
    begins = tokens.offsets[:-1]
    breaks[begins[begins < tokens.offsets[1:]]] = 2
    return TextWords(Tokens(tokens.types, tokens.ids, tokens.offsets, tokens.given_places), breaks)


def tag_texts(texts: Sequence[str], tagger: Tagger) -> Tagged:
    """The words of texts with their parts of speech."""
    words = words_of(texts)
    return Tagged(words.tokens, words.breaks, tagger(words.tokens, words.breaks))


def _tokens(texts: Sequence[str]) -> Tokens:
    """Tokens with their places in the text; pure ASCII has a quicker way, so such texts go on their own."""
    plain_ones = [i for i, text in enumerate(texts) if text.isascii()]
    if len(plain_ones) in {0, len(texts)}:
        return TOKENIZER(texts, spans=True)
    others = sorted(set(range(len(texts))) - set(plain_ones))
    parts = [TOKENIZER([texts[i] for i in some], spans=True) for some in (plain_ones, others)]
    numbers: dict[str, int] = {}
    columns = [
        np.array([numbers.setdefault(w, len(numbers)) for w in part.types], np.int32)[part.ids] for part in parts
    ]
    counts = np.zeros(len(texts), np.int64)
    for some, part in zip((plain_ones, others), parts, strict=True):
        counts[some] = np.diff(part.offsets)
    offsets = offsets_of(counts)
    ids, spans = np.empty(offsets[-1], np.int32), np.empty((offsets[-1], 2), np.int32)
    for some, part, column in zip((plain_ones, others), parts, columns, strict=True):
        target = np.repeat(offsets[:-1][some] - part.offsets[:-1], np.diff(part.offsets)) + np.arange(len(column))
        ids[target], spans[target] = column, part.spans
    return Tokens(list(numbers), ids, offsets, spans=spans)


def usable(words: Sequence[str]) -> list[bool]:
    """Which words may be part of a term: letters enough, not too long, and whole when they are joined to others."""
    joined = [word for word in words if not word.isascii()]
    whole = dict.fromkeys(joined, True)
    if joined:
        tokens = TOKENIZER([f"{word}{JOIN}{word}" for word in joined])
        whole = dict(zip(joined, (np.diff(tokens.offsets) == 1).tolist(), strict=True))
    return [
        len(word) <= LONGEST and ENOUGH.search(word) is not None and JOIN not in word and whole.get(word, True)
        for word in words
    ]
