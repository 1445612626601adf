"""Tags from a lexicon and a few rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ....core.spec import require
from ...tokens import Tokens
from ..capitals import CAPITALS, shape_of
from ..classes import Class, profile
from ..closed import CLOSED, OWN
from ..guessing import LONGEST, guess
from ..lexicons import PACKAGES, entries, locate_lexicon
from ..rules import DecisionTable, walk
from ..tagger import Breaks, Tagger, Tags

LETTER, NUMBER = profile(Class.OTHER), profile(Class.NUMBER)

MOST_KEPT = 1_000_000
"""Types whose profiles are kept."""


@dataclass(frozen=True)
class LexiconTagger(Tagger):
    """The tag a lexicon gives a word, changed by five rules on the words beside it; unknown words by their endings.

    Formula: class(i) = decide(classes of word i, class(i − 1), first class of word i + 1), from left to right in each
    sentence; ``decide`` in rules.py lists the rules. A capital at the beginning of a sentence, and all capitals of a
    sentence in capitals, are read as small letters. Words with hyphens go by their last part.

    Parameters: ``source``: topia, the Brill tagger's lexicon as topia.termextract has it (94,000 words with all their
    tags); textblob, the same as textblob has it (one tag a word); own, our own list of function words and of
    mathematics, and endings. ``participles``, whether participles before a noun are adjectives (true).

    Paper: Brill, A simple rule-based part of speech tagger (ANLP 1992): the lexicon; the rules are our own.

    Example: ``The function maps a compact set to a bounded set`` → ``D N V D A N X D A N``.
    """

    name: ClassVar[str] = "lexicon"
    positional: ClassVar[str] = "source"

    source: str = "topia"
    participles: bool = True

    def __post_init__(self) -> None:
        require(self, "source", self.source in (*PACKAGES, "own"), f"be {', '.join(PACKAGES)} or own")
        require(self, "participles", isinstance(self.participles, bool), "be true or false")

    def version(self) -> str:
        return "own words" if self.source == "own" else f"{PACKAGES[self.source][0]} {locate_lexicon(self.source)[1]}"

    def tag(self, tokens: Tokens, breaks: Breaks) -> Tags:
        rows, shapes = self._reader.of(tokens.types)
        return walk(tokens.ids, rows, shapes, breaks, self._reader.rules)

    @cached_property
    def _reader(self) -> LexiconReader:
        return LexiconReader(entries(self.source), DecisionTable(self.participles))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.source, self.participles)


class LexiconReader:
    """What a lexicon says of types, kept for the next batch."""

    def __init__(self, lexicon: dict[str, int], rules: DecisionTable) -> None:
        self.lexicon, self.rules = lexicon, rules
        self._kept: dict[str, int] = {}
        """Three rows and a shape, sixteen bits each."""
        self._lock = Lock()

    def of(self, types: Sequence[str]) -> tuple[npt.NDArray[np.uint16], Tags]:
        """Rows in the table of rules (inside a sentence, first, in capitals), and the shape of each type."""
        with self._lock:
            cache = self._kept
            fresh = [word for word in types if word not in cache]
            if len(cache) + len(fresh) > MOST_KEPT:
                cache = self._kept = {}
                fresh = list(types)
            read = [self._profiles(word) for word in fresh]
            numbers = iter(self.rules.rows_of([each for some in read for each in some[:3]]))
            for word, (*_, shape) in zip(fresh, read, strict=True):
                cache[word] = next(numbers) | next(numbers) << 16 | next(numbers) << 32 | shape << 48
        table = np.fromiter(map(cache.__getitem__, types), "<i8", len(types)).view("<u2").reshape(len(types), 4)
        return table[:, :3].astype(np.uint16), table[:, 3].astype(np.uint8)

    def _profiles(self, word: str) -> tuple[int, int, int, int]:
        known = self.lexicon.get
        small = word.lower() if len(word) <= LONGEST else word
        if len(word) == 1:
            # Letters stand for things. A is the article at the beginning of a sentence, I is a pronoun.
            if word.isdigit():
                return NUMBER, NUMBER, NUMBER, 0
            here = LETTER if word not in {"I", small} else CLOSED.get(small, LETTER)
            return here, CLOSED.get(small, here), CLOSED.get(small, here), 0
        exact, shape = known(word), shape_of(word)
        if small == word:
            bits = guess(word, known) if exact is None else exact
            return bits, bits, bits, shape
        if word in OWN:
            return OWN[word], OWN[word], OWN[word], shape
        inside = exact if exact is not None else OWN.get(small)
        if inside is None:
            inside = guess(word, known)
        lowered = known(small)
        if lowered is None:
            lowered = inside if exact is not None else guess(small, known)
        return inside, inside if shape == CAPITALS else lowered, lowered, shape
