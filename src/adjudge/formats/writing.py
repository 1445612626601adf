"""Writing without losing what was there: a temporary file beside the target, then a rename."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..core.errors import DataError, MissingExtraError


def _zstd(data: bytes) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("writing zstd needs zstandard: pip install zstandard") from None
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def _gzip(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, mtime=0)


def _xz(data: bytes) -> bytes:
    import lzma

    return lzma.compress(data)


def _bzip2(data: bytes) -> bytes:
    import bz2

    return bz2.compress(data)


PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": _gzip, ".xz": _xz, ".zst": _zstd, ".bz2": _bzip2}


class _Write:
    """``write(path, data)``: packed if the ending says so, and in one step: a reader sees the old file or the new."""

    def __call__(self, path: str | os.PathLike[str], data: bytes) -> None:
        target = Path(path)
        packer = PACKERS.get(target.suffix)
        packed = packer(data) if packer else data
        try:
            handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        except OSError as error:
            raise DataError(f"{target}: cannot be written: {error.strerror}") from None
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(packed)
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)
            Path(temporary).replace(target)
        except BaseException as error:
            with suppress(OSError):
                Path(temporary).unlink()
            if isinstance(error, OSError):
                raise DataError(f"{target}: cannot be written: {error.strerror}") from None
            raise

    @staticmethod
    def kind(path: str | os.PathLike[str]) -> str:
        """parquet, json or text, from the ending before any packing."""
        target = Path(path)
        suffix = Path(target.stem).suffix if target.suffix in PACKERS else target.suffix
        return {".parquet": "parquet", ".json": "json"}.get(suffix, "text")


write = _Write()


def to_json(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def to_parquet(columns: dict[str, Any]) -> bytes:
    import io

    import polars as pl

    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def unwritable(names: Iterable[str], kind: str, *, first: bool = False) -> None:
    """Refuse names that TREC lines cannot hold: white space in them, none at all, or # or {" where a line begins."""
    for name in names:
        if not name or re.search(r"[ \t\r\n\v\f\0]", name) or (first and name.startswith(("#", '{"'))):
            raise DataError(f"{kind} {name!r} cannot stand in a line of TREC: write JSON or Parquet instead")
