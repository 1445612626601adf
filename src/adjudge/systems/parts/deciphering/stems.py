"""The strings of a vocabulary by the stems that they have as they are written: all that counts in clean text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ....storage.digest import crc32
from ....text.stemming import stemmed

Integers = npt.NDArray[Any]
Names = Callable[[Integers], list[str]]
PIECE = 200_000
"""Strings that are stemmed together."""


@dataclass(frozen=True, eq=False)
class Stems:
    """Places of strings in the order of the checksums of their stems: a stem is looked up in a few steps."""

    keys: npt.NDArray[np.uint32]
    places: npt.NDArray[np.int32]

    @classmethod
    def of(cls, names: Names, chosen: npt.NDArray[np.bool_]) -> Stems:
        """The stems of the strings that are chosen; ``names`` gives strings by their places."""
        places = np.flatnonzero(chosen)
        keys = np.empty(len(places), np.uint32)
        for start in range(0, len(places), PIECE):
            texts = names(places[start : start + PIECE])
            keys[start : start + PIECE] = [_key(stem) for stem in stemmed(texts, "porter")]
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], places[order].astype(np.int32))

    def having(self, stem: str, names: Names) -> dict[int, str]:
        """The strings with a stem by their places, ascending."""
        key = np.array([_key(stem)], np.uint32)
        low, high = np.searchsorted(self.keys, key)[0], np.searchsorted(self.keys, key, "right")[0]
        places = np.sort(self.places[low:high]).astype(np.int64)
        texts = names(places)
        # Another stem may have the same checksum.
        rows = zip(places.tolist(), texts, stemmed(texts, "porter"), strict=True)
        return {place: text for place, text, other in rows if other == stem}


def _key(stem: str) -> int:
    return crc32(stem.encode("utf-8", "surrogatepass"))
