"""Digests: what tells one content from another, and what tells that it was damaged.

There is one algorithm for names and fingerprints, BLAKE2b, in three sizes. They are written into files and names of
caches, so none of them may change. CRC-32 finds damage, where files are large and nobody means harm. SHA-256 is where
others expect it: the content security policy of a page, and what the workbench keeps of secrets.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any, Literal

BRIEF, NAME, WHOLE = 6, 8, 16
"""Bytes of a digest: within a text, in the name of a file, and where two contents must never be taken for one."""
PIECE = 1 << 22


class Digest:
    """A digest of content that comes in pieces.

    >>> whole = Digest()
    >>> whole.add(b"solar ")
    >>> whole.add(b"power")
    >>> whole.hex == digest_bytes(b"solar power")
    True
    """

    def __init__(self, begin: bytes = b"", size: int = WHOLE) -> None:
        from hashlib import blake2b

        self._state = blake2b(begin, digest_size=size)

    def add(self, data: bytes) -> None:
        """Some more bytes."""
        self._state.update(data)

    def add_counted(self, data: bytes) -> None:
        """Some more bytes after their number, so that it matters where one piece ends and the next begins."""
        self._state.update(b"%d " % len(data))
        self._state.update(data)

    @property
    def hex(self) -> str:
        return self._state.hexdigest()

    @property
    def bytes(self) -> bytes:
        return self._state.digest()


def digest_bytes(data: bytes, size: int = WHOLE) -> str:
    """A digest in hexadecimal digits.

    >>> digest_bytes(b"solar power", NAME)
    'd38c39da3d59cd30'
    """
    return Digest(data, size).hex


def digest_text(text: str, size: int = WHOLE) -> str:
    """The digest of a text, which may have half a surrogate pair in it."""
    return digest_bytes(text.encode("utf-8", "surrogatepass"), size)


def digest_texts(*texts: str) -> str:
    """One digest of several texts, in their order: the name of what was made of them."""
    state = Digest()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        state.add(len(data).to_bytes(8, "little") + data)
    return state.hex


def digest_number(data: bytes, size: int, order: Literal["big", "little"] = "big") -> int:
    """A digest as a whole number, below 256 to the power of its size: for ranks and seeds."""
    return int.from_bytes(Digest(data, size).bytes, order)


def digest_file(path: str | os.PathLike[str], size: int = WHOLE) -> str:
    """The digest of a file, which is read piece by piece."""
    state = Digest(size=size)
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            state.add(piece)
    return state.hex


def crc32(data: Any, start: int = 0) -> int:
    """The CRC-32 of bytes or a buffer; ``start`` is that of what came before."""
    return zlib.crc32(data, start)


def crc32_file(path: str | os.PathLike[str]) -> int:
    """The CRC-32 of a file, which is read piece by piece."""
    crc = 0
    with Path(path).open("rb") as file:
        while piece := file.read(PIECE):
            crc = zlib.crc32(piece, crc)
    return crc


def sha256(data: bytes) -> bytes:
    """The SHA-256 of bytes."""
    from hashlib import sha256 as digest

    return digest(data).digest()
