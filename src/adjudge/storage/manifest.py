"""Manifests: small JSON files that say what a folder holds, written when all the rest is there.

    {"kind": "adjudge index", "version": 1, …, "crc32": 1234567890}

The kind tells the manifests of different rooms apart, the version those of different releases. The checksum is that of
the manifest itself; the checksums of the files that it lists are among the rest, as each kind has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import DataError
from .access import reading, refuse_links
from .digest import crc32, crc32_file
from .replace import write_bytes


class ManifestKind(NamedTuple):
    """What the manifests of a room are called, and what is wrong if one is of another release."""

    name: str
    """Stands in the file: ``adjudge index``."""
    version: int
    what: str
    """What the folder holds, for messages: ``index``."""
    remedy: str
    """What to do if it is of no use: ``build it again``."""
    signed: bool = True
    """Whether it has its own checksum; those that are written for people and scripts have none."""

    def to_bytes(self, body: Mapping[str, Any]) -> bytes:
        """The text of a manifest."""
        signed = {"kind": self.name, "version": self.version, **body}
        if self.signed:
            signed["crc32"] = _own_checksum(signed)
        return (json.dumps(signed, indent=1, ensure_ascii=True) + "\n").encode()

    def write(self, path: Path, body: Mapping[str, Any], *, durable: bool = True) -> None:
        """Put a manifest in its place in one step."""
        refuse_links(path.parent, [path.name])
        write_bytes(path, self.to_bytes(body), durable=durable)

    def read(self, path: Path) -> dict[str, Any]:
        """What a manifest says, without kind, version and checksum; one clear line if it is damaged or another's."""
        refuse_links(path.parent, [path.name])
        with reading(path):
            data = path.read_bytes()
        try:
            body = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}: damaged: not JSON: {error}: {self.remedy}") from None
        if not isinstance(body, dict) or body.pop("kind", None) != self.name:
            article = "an" if self.what[0] in "aeio" else "a"
            raise DataError(f"{path}: not the manifest of {article} {self.what}")
        if (version := body.pop("version", None)) != self.version:
            raise DataError(
                f"{path}: the {self.what} has version {version}, this program reads {self.version}: {self.remedy}"
            )
        if self.signed:
            stated = body.pop("crc32", None)
            if stated != _own_checksum({"kind": self.name, "version": version, **body}):
                raise DataError(f"{path}: damaged: its checksum is wrong: {self.remedy}")
        return body

    def peek(self, path: Path) -> dict[str, Any] | None:
        """What a manifest of this kind says, of whatever version; None if there is none that can be read."""
        if not path.is_file():  # a pipe would never come to its end
            return None
        try:
            body = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        return body if isinstance(body, dict) and body.get("kind") == self.name else None

    def is_at(self, path: Path) -> bool:
        """Whether a manifest of this kind is there, of whatever version and in whatever state."""
        return path.is_file() and f'"{self.name}"'.encode() in path.read_bytes()


def _own_checksum(body: Mapping[str, Any]) -> int:
    return crc32(json.dumps(body, sort_keys=True).encode())


def checksums(folder: Path) -> dict[str, int]:
    """The CRC-32 of every file in a folder, by name."""
    return {path.name: crc32_file(path) for path in sorted(folder.iterdir()) if path.is_file()}


def damaged_files(folder: Path, stated: Mapping[str, int]) -> Iterable[str]:
    """The names of files that are missing or have another checksum than a manifest states."""
    for name, crc in stated.items():
        path = folder / name
        if Path(name).name != name or not path.is_file() or crc32_file(path) != crc:
            yield name
