"""Identifiers as a column: millions of strings in one array of bytes.

A Python list of ten million document ids takes a gigabyte and a second to make; here it is a slice of one buffer. The
buffer may have gaps: string ``i`` is ``data[starts[i] : starts[i] + lengths[i]]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .columns import column, read_only
from .encoding import CODEC, ERRORS, decode, encode
from .errors import DataError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["CodedStrings", "Strings", "decode", "encode"]


@dataclass(frozen=True, eq=False, repr=False)
class Strings(Sequence[str]):
    """An immutable column of strings."""

    data: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int32]

    def __post_init__(self) -> None:
        for name, kind in (("data", np.uint8), ("starts", np.int64), ("lengths", np.int32)):
            object.__setattr__(self, name, read_only(column(getattr(self, name), kind, f"strings: {name}")))
        if len(self.starts) != len(self.lengths):
            raise DataError(f"strings: {len(self.starts):,} starts and {len(self.lengths):,} lengths")

    def __repr__(self) -> str:
        few = ", ".join(repr(self[i]) for i in range(min(3, len(self))))
        return f"Strings({few}{', …' if len(self) > 3 else ''}: {len(self):,})"

    @classmethod
    def of(cls, texts: Sequence[str]) -> Strings:
        whole = "".join(texts)
        plain = whole.isascii()  # then characters are bytes
        lengths = np.fromiter(map(len, texts if plain else map(encode, texts)), np.int32, len(texts))
        starts = np.zeros(len(texts), np.int64)
        np.cumsum(lengths[:-1], out=starts[1:])
        return cls(np.frombuffer(encode(whole) or b"\0", np.uint8), starts, lengths)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, i):  # type: ignore[no-untyped-def]
        if isinstance(i, slice):
            return Strings(self.data, self.starts[i], self.lengths[i])
        start = int(self.starts[i])
        return decode(self.data[start : start + int(self.lengths[i])].tobytes())

    def take(self, rows: npt.NDArray[np.intp]) -> Strings:
        return Strings(self.data, self.starts[rows], self.lengths[rows])

    def __iter__(self) -> Iterator[str]:
        data = self.data.data
        for start, length in zip(self.starts.tolist(), self.lengths.tolist(), strict=True):
            yield str(data[start : start + length], CODEC, ERRORS)


@dataclass(frozen=True, eq=False, repr=False)
class CodedStrings(Sequence[str]):
    """A column in which few strings occur often, as topics do: each once, and its number for every row."""

    names: tuple[str, ...]
    codes: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, i):  # type: ignore[no-untyped-def]
        return [self.names[code] for code in self.codes[i]] if isinstance(i, slice) else self.names[self.codes[i]]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.codes.tolist())
