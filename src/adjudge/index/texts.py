"""Stored texts and pages: what belongs to a document in compressed blocks, so that one is read without the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.document import Document
from ..core.errors import DataError
from .index_files import IndexColumn, Writer, narrow
from .inversion import sums

BLOCK = 1 << 16
CODEC = ("utf-8", "surrogatepass")


class BlockWriter:
    """Takes a few strings of bytes for each document in order and writes blocks; no files if all were empty."""

    def __init__(self, writer: Writer, name: str, parts: int) -> None:
        from ..storage.zstd import Packer

        self.writer, self.packer, self.name, self.parts = writer, Packer(), name, parts
        self.blocks: IndexColumn | None = None
        self.packed: list[int] = []
        self.counts: list[int] = []
        self.sizes: list[tuple[int, ...]] = []
        self.waiting: list[bytes] = []
        self.documents = self.held = 0

    def add(self, *parts: bytes) -> None:
        self.sizes.append(tuple(map(len, parts)))
        self.waiting.extend(parts)
        self.documents += 1
        self.held += sum(self.sizes[-1])
        if self.held >= BLOCK:
            self._flush()

    def _flush(self) -> None:
        if self.blocks is None:
            self.blocks = self.writer.column(f"{self.name}s", np.uint8)
        block = np.frombuffer(self.packer.pack(b"".join(self.waiting)), np.uint8)
        self.blocks.append(block)
        self.packed.append(len(block))
        self.counts.append(self.documents)
        self.waiting, self.documents, self.held = [], 0, 0

    def close(self, *, needed: bool = True) -> bool:
        """Write the rest; whether there is anything."""
        if self.documents and (needed or self.held or self.packed):
            self._flush()
        if self.blocks is None:
            return False
        self.writer.array(f"{self.name}_blocks", narrow(sums(np.array(self.packed, np.int64))))
        self.writer.array(f"{self.name}_firsts", narrow(sums(np.array(self.counts, np.int64))))
        self.writer.array(f"{self.name}_sizes", narrow(np.array(self.sizes, np.int64).reshape(-1)))
        return True


def block_arrays(name: str) -> tuple[str, str, str, str]:
    """The names of the four arrays that a :class:`BlockWriter` writes."""
    return f"{name}s", f"{name}_blocks", f"{name}_firsts", f"{name}_sizes"


def read_parts(place: str, arrays: Sequence[npt.NDArray[Any]], document: int, parts: int) -> list[bytes]:
    """The strings of bytes of a document, from the four arrays that were written."""
    block = int(np.searchsorted(arrays[2], document, "right")) - 1
    raw, ends = _read_block(place, arrays, block, parts)
    at = parts * (document - int(arrays[2][block]))
    return [raw[start:end] for start, end in pairwise(ends[at : at + parts + 1].tolist())]


def every_record(place: str, arrays: Sequence[npt.NDArray[Any]], parts: int) -> Iterator[list[bytes]]:
    """The same for all documents, one after the other; each block is unpacked once."""
    for block in range(len(arrays[1]) - 1):
        raw, ends = _read_block(place, arrays, block, parts)
        bounds = ends.tolist()
        for at in range(0, len(bounds) - 1, parts):
            yield [raw[start:end] for start, end in pairwise(bounds[at : at + parts + 1])]


def _read_block(
    place: str, arrays: Sequence[npt.NDArray[Any]], block: int, parts: int
) -> tuple[bytes, npt.NDArray[np.int64]]:
    """A block, and where each string in it begins and the last one ends."""
    from ..storage.zstd import ZstdError, unpack, unpacked_size

    packed_blocks, blocks, firsts, sizes = arrays
    first, last = int(firsts[block]), int(firsts[block + 1])
    ends = sums(sizes[parts * first : parts * last].astype(np.int64))
    packed = packed_blocks[int(blocks[block]) : int(blocks[block + 1])].tobytes()
    try:
        if unpacked_size(packed) != ends[-1]:  # before so much memory is taken
            raise DataError(f"{place}: damaged: block {block} is not as long as contents")
        raw = unpack(packed, int(ends[-1]))
    except ZstdError as error:
        raise DataError(f"{place}: damaged: {error}") from None
    return raw, ends


class TextWriter(BlockWriter):
    """Takes documents in order and writes their titles and texts."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer, "text", 2)

    def add_documents(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self.add(document.title.encode(*CODEC), document.text.encode(*CODEC))


def read_text(place: str, arrays: Sequence[npt.NDArray[Any]], document: int) -> tuple[str, str]:
    """Title and text of a document, from the four arrays that were written."""
    title, text = read_parts(place, arrays, document, 2)
    try:
        return title.decode(*CODEC), text.decode(*CODEC)
    except UnicodeDecodeError as error:
        raise DataError(f"{place}: damaged: {error}") from None
