"""Character n-grams of whole texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.spec import require
from ..grams import character, require_length, require_pad, sliding
from ..splitting import Spans
from ..tokenizer import Tokenizer
from ..tokens import Tokens

SPACE = re.compile(r"\s")


@dataclass(frozen=True)
class NgramTokenizer(Tokenizer):
    """Character n-grams of the text as it stands, across words, runs of white space as one character.

    Formula: all windows of n characters over pad w₁ pad w₂ … pad, where w are the pieces of the text between white
    space; if that is shorter than n, it is one gram. A text of white space only has none.

    Parameters: ``n``, 1 to 100 (4); ``pad``, the character that stands for white space and at both ends, ``blank`` for
    a blank (_); ``squeeze``, whether a run of white space is one pad, or each character of it, with none added at the
    ends (true).

    Example: ngrams(4): ``red  car`` → ``_red red_ ed_c d_ca _car car_``.
    """

    name: ClassVar[str] = "ngrams"
    positional: ClassVar[str] = "n"
    always: ClassVar[tuple[str, ...]] = ("n",)

    n: int = 4
    pad: str = "_"
    squeeze: bool = True

    def __post_init__(self) -> None:
        require_length(self, self.n)
        require_pad(self, self.pad, optional=False)
        require(self, "squeeze", isinstance(self.squeeze, bool), "be true or false")

    def __call__(self, texts: Sequence[str], spans: bool = False) -> Tokens:
        grams = sliding([self._pad(text) for text in texts], self.n)
        offsets = grams.offsets
        columns = None
        if spans:
            parts = [self._spans(text, n) for text, n in zip(texts, np.diff(offsets).tolist(), strict=True)]
            columns = np.concatenate([np.empty((0, 2), np.int32), *parts])
        return Tokens(grams.types, grams.ids, offsets, spans=columns)

    def _pad(self, text: str) -> str:
        pad = character(self.pad)
        if not self.squeeze:
            return SPACE.sub(pad, text)
        words = text.split()
        return pad.join(["", *words, ""]) if words else ""

    def _spans(self, text: str, n: int) -> Spans:
        """Where each of the n grams of a text begins and ends in it; pads at the ends take no room."""
        if self.squeeze:
            places = []
            for match in re.finditer(r"\S+", text):
                # The pad before a word is the white space right before it, at the beginning of a text none.
                places += [(max(match.start() - 1, 0), match.start())]
                places += [(i, i + 1) for i in range(*match.span())]
            places += [(places[-1][1], min(places[-1][1] + 1, len(text)))] if places else []
        else:
            places = [(i, i + 1) for i in range(len(text))]
        width = min(self.n, len(places))
        table = np.array(places, np.int32).reshape(-1, 2)
        return np.stack([table[:n, 0], table[width - 1 : width - 1 + n, 1]], axis=1) if n else table[:0]
