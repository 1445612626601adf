"""Stored texts: whole documents in compressed blocks, so that one text is read without the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.document import Document
from ..core.errors import DataError
from .index_files import Writer, narrow
from .inversion import sums

BLOCK = 1 << 16
CODEC = ("utf-8", "surrogatepass")


class TextWriter:
    """Takes documents in order and writes blocks."""

    def __init__(self, writer: Writer) -> None:
        from ..storage.zstd import Packer

        self.writer, self.packer = writer, Packer()
        self.blocks = writer.column("texts", np.uint8)
        self.packed: list[int] = []
        self.counts: list[int] = []
        self.sizes: list[tuple[int, int]] = []
        self.waiting: list[bytes] = []
        self.held = 0

    def add(self, documents: Sequence[Document]) -> None:
        for document in documents:
            title, text = document.title.encode(*CODEC), document.text.encode(*CODEC)
            self.sizes.append((len(title), len(text)))
            self.waiting.append(title + text)
            self.held += len(title) + len(text)
            if self.held >= BLOCK:
                self._flush()

    def _flush(self) -> None:
        block = np.frombuffer(self.packer.pack(b"".join(self.waiting)), np.uint8)
        self.blocks.append(block)
        self.packed.append(len(block))
        self.counts.append(len(self.waiting))
        self.waiting, self.held = [], 0

    def close(self) -> None:
        if self.waiting:
            self._flush()
        self.writer.array("text_blocks", narrow(sums(np.array(self.packed, np.int64))))
        self.writer.array("text_firsts", narrow(sums(np.array(self.counts, np.int64))))
        self.writer.array("text_sizes", narrow(np.array(self.sizes, np.int64).reshape(-1)))


def read_text(place: str, arrays: Sequence[npt.NDArray[Any]], document: int) -> tuple[str, str]:
    """Title and text of a document, from the four arrays that were written."""
    from ..storage.zstd import ZstdError, unpack, unpacked_size

    texts, blocks, firsts, sizes = arrays
    block = int(np.searchsorted(firsts, document, "right")) - 1
    first, last = int(firsts[block]), int(firsts[block + 1])
    ends = sums(sizes[2 * first : 2 * last].astype(np.int64))
    packed = texts[int(blocks[block]) : int(blocks[block + 1])].tobytes()
    try:
        if unpacked_size(packed) != ends[-1]:  # before so much memory is taken
            raise DataError(f"{place}: damaged: block {block} is not as long as its texts")
        raw = unpack(packed, int(ends[-1]))
        start, middle, end = ends[2 * (document - first) : 2 * (document - first) + 3].tolist()
        return raw[start:middle].decode(*CODEC), raw[middle:end].decode(*CODEC)
    except (ZstdError, UnicodeDecodeError) as error:
        raise DataError(f"{place}: damaged: {error}") from None
