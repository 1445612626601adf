"""Capitals: which words are written in them, and which sentences as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .tagger import Breaks, Tags

SENTENCE, CAPITALS = 2, 2
LEAST, SHARE = 3, (3, 5)
"""A sentence is in capitals if it has three words in capitals or more, and they are three fifths of its words."""


def shape_of(word: str) -> int:
    """2 for a word in capitals, 1 for another word, 0 for letters, numbers and signs."""
    return 0 if len(word) < 2 or not word[0].isalpha() else CAPITALS if word.isupper() else 1


def shapes_of(types: Sequence[str]) -> Tags:
    return np.fromiter(map(shape_of, types), np.uint8, len(types))


def in_capitals(ids: npt.NDArray[np.int32], shapes: Tags, breaks: Breaks) -> npt.NDArray[np.bool_]:
    """For each token: does it stand in a sentence in capitals?"""
    begins = np.flatnonzero(breaks == SENTENCE)
    if not len(begins) or begins[0]:
        begins = np.insert(begins, 0, 0)
    if not len(ids):
        return np.zeros(0, bool)
    own = shapes[ids]
    capitals = np.add.reduceat((own == CAPITALS).astype(np.int64), begins)
    words = np.add.reduceat((own > 0).astype(np.int64), begins)
    shouted = (capitals >= LEAST) & (SHARE[1] * capitals >= SHARE[0] * words)
    return np.repeat(shouted, np.diff(np.append(begins, len(ids))))
