"""Stop words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ...core.errors import DataError
from ...core.spec import require
from ..stopwords import lists, words_of
from ..token_filter import Filter, Image


def _digest(words: frozenset[str]) -> str:
    from ...storage.digest import NAME, digest_text

    # The letter keeps a spec from taking digits for a number.
    return "x" + digest_text("\n".join(sorted(words)), NAME)


@dataclass(frozen=True)
class StopFilter(Filter):
    """Drops stop words: words too frequent to say what a text is about.

    Formula: a token that stands in the list is dropped; the others keep their places. The lists are in lower case: put
    ``lower`` before. An apostrophe in the list stands for ' and ’; ``words`` cuts there, so ``don't`` leaves ``don``.

    Parameters: ``words``, the name of a list or a file with a word a line, # before comments (smart). smart: SMART's,
    571 entries and 570 words, for ``would`` stands in it twice; lucene: Lucene's 33. ``digest`` is written by itself
    where the list is a file, and the path in full: a file with other words than the analyzer was made with is refused.

    Paper: smart as printed by Lewis, Yang, Rose and Li, RCV1: a new benchmark collection (JMLR 2004), appendix 11.

    Example: ``a list of the words`` → ``list words`` at places 1 and 4.
    """

    name: ClassVar[str] = "stop"
    aliases: ClassVar[tuple[str, ...]] = ("stopwords",)
    positional: ClassVar[str] = "words"
    always: ClassVar[tuple[str, ...]] = ("words",)

    words: str = "smart"
    digest: str = ""
    _stopped: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())

    def __post_init__(self) -> None:
        # A list that is not there is found out now and not after an hour of reading documents. It is read once: an
        # analyzer stays what it is when the file changes.
        words = words_of(self.words)
        object.__setattr__(self, "_stopped", words | {word.replace("'", "’") for word in words})
        if str(self.words) in lists():
            require(self, "digest", self.digest == "", "be left out with a list by name")
            return
        digest = _digest(words)
        if self.digest not in {"", digest}:
            raise DataError(f"{self.words}: not the stop words that the analyzer was made with: they have changed")
        object.__setattr__(self, "words", os.path.abspath(str(self.words)))
        object.__setattr__(self, "digest", digest)

    def __call__(self, types: Sequence[str]) -> Sequence[Image]:
        stopped = self._stopped
        return [None if word in stopped else word for word in types]
