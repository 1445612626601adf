from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ..filter import Filter, Image
from ..stopwords import words_of


@dataclass(frozen=True)
class Stop(Filter):
    """Drops stop words: words too frequent to say what a text is about.

    Formula: a token that stands in the list is dropped; the others keep their places. The lists are in lower case: put
    ``lower`` before. An apostrophe in the list stands for ' and ’; ``words`` cuts there, so ``don't`` leaves ``don``.

    Parameters: ``words``, the name of a list or a file with a word a line, # before comments (smart). smart: SMART's,
    571 entries and 570 words, for ``would`` stands in it twice; lucene: Lucene's 33.

    Paper: smart as printed by Lewis, Yang, Rose and Li, RCV1: a new benchmark collection (JMLR 2004), appendix 11.

    Example: ``a list of the words`` → ``list words`` at places 1 and 4.
    """

    name: ClassVar[str] = "stop"
    positional: ClassVar[str] = "words"
    always: ClassVar[tuple[str, ...]] = ("words",)

    words: str = "smart"

    def __post_init__(self) -> None:
        # A list that is not there is found out now and not after an hour of reading documents.
        words_of(self.words)

    @cached_property
    def _stopped(self) -> frozenset[str]:
        words = words_of(self.words)
        return words | {word.replace("'", "’") for word in words}

    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        stopped = self._stopped
        return [None if word in stopped else word for word in types]
