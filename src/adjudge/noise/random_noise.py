"""Random noise as TREC-4 made it: characters inserted, deleted and substituted blindly. The cheap control."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.document import Document
from ..core.errors import SpecError
from .degrader import Degraded, Degrader
from .seeding import generator

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:'()- "


@dataclass(frozen=True)
class RandomNoise(Degrader):
    """Each character is hit with probability ``rate``; the three shares say by what, and add up to 1.

    An inserted or substituted character is drawn evenly from ``letters``, never the one it replaces. Line breaks and
    other white space than the blank are left alone, and ``rate`` is that of all other characters.
    """

    rate: float
    insert: float = 1 / 3
    delete: float = 1 / 3
    substitute: float = 1 / 3
    seed: int = 0
    letters: str = LETTERS

    def __post_init__(self) -> None:
        shares = (self.insert, self.delete, self.substitute)
        if not 0 <= self.rate <= 1:
            raise SpecError(f"a rate of random noise lies between 0 and 1, not {self.rate}")
        if any(not 0 <= share <= 1 for share in shares) or not math.isclose(sum(shares), 1, abs_tol=1e-9):
            raise SpecError(f"the shares of insert, delete and substitute add up to 1, not {sum(shares):g}")
        if len(set(self.letters)) < 2 or len(set(self.letters)) != len(self.letters):
            raise SpecError("random noise needs two or more different letters")
        if self.seed < 0:
            raise SpecError(f"a seed is 0 or more, not {self.seed}")

    def degrade(self, document: Document) -> Degraded:
        """The text of the document with errors drawn by the seed and its id."""
        return Degraded(document.id, self.sample(document.text, generator(self.seed, document.id)))

    def sample(self, text: str, rng: np.random.Generator) -> str:
        """A text with random errors."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        letters = np.array([ord(letter) for letter in self.letters], np.uint32)
        drawn = rng.random(len(codes)) / self.rate if self.rate else np.ones(len(codes))
        drawn[(codes >= 9) & (codes <= 13)] = 1.0
        inserted = drawn < self.insert
        deleted = ~inserted & (drawn < self.insert + self.delete)
        substituted = ~inserted & ~deleted & (drawn < 1)
        changed = codes.copy()
        # The letter that is drawn for itself becomes the last one, which the draw leaves out where it could happen.
        place = np.full(0x110000, -1, np.int32) if substituted.any() else np.zeros(0, np.int32)
        if len(place):
            place[letters] = np.arange(len(letters))
            own = place[codes[substituted]]
            pick = rng.integers(0, len(letters) - (own >= 0))
            changed[substituted] = letters[np.where(pick == own, len(letters) - 1, pick)]
        lengths = np.where(deleted, 0, 1 + inserted)
        ends = np.cumsum(lengths)
        result = np.empty(int(ends[-1]) if len(ends) else 0, np.uint32)
        result[ends[~deleted] - 1] = changed[~deleted]
        result[ends[inserted] - 2] = letters[rng.integers(0, len(letters), int(inserted.sum()))]
        return result.tobytes().decode("utf-32-le", "surrogatepass")

    @property
    def settings(self) -> dict[str, object]:
        """All that determines what comes out."""
        shares = {"insert": self.insert, "delete": self.delete, "substitute": self.substitute}
        return {"noise": "random", "rate": self.rate, **shares, "letters": self.letters, "seed": self.seed}
