"""Errors that corrected pages show: pairs of a word and the string that it became."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ....noise.channel.model import Channel
from .counting import Counted, Floats, edged, first_channel

WordPairs = Mapping[tuple[str, str], float]
"""How often a word, as it truly reads, became a string."""


class KnownPairs(NamedTuple):
    """Pairs of corrected pages as errors are counted from them."""

    words: list[str]
    """With first and last letters of their own."""
    strings: list[str]
    weights: Floats
    wrong: float
    """The share of words that are read wrongly."""

    @classmethod
    def of(cls, pairs: WordPairs, alphabet: str, loudest: float) -> KnownPairs:
        """Pairs with characters beyond the alphabet teach nothing; no word counts more than ``loudest``."""
        known = set(alphabet)
        some = {pair: times for pair, times in pairs.items() if known.issuperset(pair[0] + pair[1])}
        loud: dict[str, float] = {}
        for (word, _), times in some.items():
            loud[word] = loud.get(word, 0.0) + times
        weights = [times * min(1.0, loudest / loud[word]) for (word, _), times in some.items()]
        right = sum(times for (word, string), times in some.items() if word == string)
        share = 1 - right / sum(some.values()) if some else 0.0
        return cls([edged(word) for word, _ in some], [string for _, string in some], np.array(weights), share)

    def counted(self, channel: Channel, support: int | None) -> Counted:
        """Their errors by a channel, those of several characters that so many words have included."""
        counted = Counted(channel, self.words, self.strings, self.weights)
        if support is not None:
            counted.propose(support)
        return counted

    def channel(self, alphabet: str, rounds: int, support: int) -> Channel:
        """The channel of these pairs alone."""
        channel = first_channel(alphabet)
        for done in range(rounds if self.words else 0):
            channel = self.counted(channel, support if done else None).channel()
        return channel
