"""Tokens of many texts as columns: every different token once, and numbers for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of text ``t`` are ``ids[offsets[t] : offsets[t + 1]]``, numbers of ``types``.

    Filters work on types: lower case, stop words and stems are decided once for each different token of a batch.
    """

    types: Sequence[str]
    ids: Numbers
    offsets: npt.NDArray[np.int64]
    given_places: Numbers | None = None
    """The place of each token among all tokens of its text; None if no filter dropped any."""
    spans: npt.NDArray[np.int32] | None = None
    """Where each token begins and ends in its text, in characters, one row a token; only if asked for."""

    @cached_property
    def places(self) -> Numbers:
        """The place of each token among all tokens of its text, from 0; a filter that dropped tokens left gaps."""
        if self.given_places is not None:
            return self.given_places
        places = np.arange(self.offsets[-1], dtype=np.int32)
        places -= np.repeat(self.offsets[:-1], np.diff(self.offsets)).astype(np.int32)
        return places

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, text: int) -> list[str]:
        """The tokens of one text as strings."""
        return [self.types[i] for i in self.ids[self.offsets[text] : self.offsets[text + 1]].tolist()]
