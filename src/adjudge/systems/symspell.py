"""BM25 on text that symspellpy corrected word by word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..core.run import Run
from ..core.spec import is_count, require
from ..index.index import Index
from ..index.searching import Searcher
from ..weighting.scheme import weightings
from .parts.peer_packages import missing_module, release
from .parts.version import Aids, Version
from .system import System, Topics

LONGEST = 5
"""Edits that symspellpy is asked to look for, at most: what it keeps of a dictionary grows fast with them."""


@dataclass(frozen=True)
class SymSpellSystem(System):
    """Each unknown word of the documents is replaced by the nearest known one (SymSpell), then bm25 searches.

    Formula: words are the longest runs of letters and digits, in lower case. A word that the dictionary does not have
    becomes the one of the dictionary with the fewest edits, ``distance`` at most, and of these the most frequent; if
    there is none it stays, and so do numbers and words of one or two characters. The weighting bm25(k1, b) on the
    analyzer words|lower|stop(smart)|porter then searches the corrected text. Questions stay as they are.

    Parameters: ``dictionary`` own or english (own): the words that occur ``least`` times or more in the documents
    themselves, or the dictionary that comes with symspellpy; ``least`` (5); ``distance`` from 1 to 5 (2, symspellpy's);
    ``k1`` in [0, 1e9] (0.9) and ``b`` in [0, 1] (0.4), as in the weighting.

    It takes part in a plan only where it is named, since it needs a package that few have.

    No value: a question without an indexed word finds nothing.

    Paper: none; Garbe, SymSpell (2012), in the form of the library symspellpy.

    Example: where modern occurs five times and modcrn once, modcrn is indexed as modern.
    """

    name: ClassVar[str] = "symspell"
    entries: ClassVar[None] = None

    dictionary: str = "own"
    least: int = 5
    distance: int = 2
    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        require(self, "dictionary", self.dictionary in {"own", "english"}, "be own or english")
        require(self, "least", is_count(self.least), "be a whole number, 1 or more")
        good = is_count(self.distance) and self.distance <= LONGEST
        require(self, "distance", good, f"be a whole number from 1 to {LONGEST}")
        self._weighting()

    def _weighting(self) -> str:
        return str(weightings.parse(f"bm25(k1={self.k1!r}, b={self.b!r})"))

    def missing(self) -> str:
        return missing_module("symspellpy", self.name)

    def code(self, home: Path) -> Mapping[str, str]:
        return release("symspellpy")

    def _index(self, version: Version) -> Index:
        from .parts.word_correction import INDEXED, CorrectedWords, Spelling

        least = self.least if self.dictionary == "own" else 0
        spelling = Spelling(self.dictionary, least, self.distance)
        folder = version.folder_for("symspell", f"{spelling} {release('symspellpy')}")
        corrected = CorrectedWords(version, spelling)
        return Version(f"{version.name}, corrected", corrected, folder, version.progress).index(INDEXED)

    def prepare(self, version: Version, aids: Aids) -> None:
        self._index(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        searcher = Searcher(self._index(version), self._weighting())
        return searcher.run(topics, k, name=str(self), progress=version.progress)
