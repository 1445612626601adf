"""Digests: their values are in files that people have, so they are written down here."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

from adjudge.storage.digest import (
    BRIEF,
    NAME,
    WHOLE,
    Digest,
    crc32,
    crc32_file,
    digest_bytes,
    digest_file,
    digest_number,
    digest_text,
    digest_texts,
    sha256,
)


def test_values_never_change(tmp_path: Path) -> None:
    assert digest_bytes(b"solar power", BRIEF) == "4adcdaad6591"
    assert digest_bytes(b"solar power", NAME) == "d38c39da3d59cd30"
    assert digest_bytes(b"solar power") == hashlib.blake2b(b"solar power", digest_size=16).hexdigest()
    assert (BRIEF, NAME, WHOLE) == (6, 8, 16)
    assert digest_text("Käse \ud800") == digest_bytes("Käse ".encode() + b"\xed\xa0\x80")
    assert digest_texts("a", "bä") == "e45e2a7ac3d02025e0ea58c629cb65a9"
    assert digest_texts("ab", "ä") != digest_texts("a", "bä")
    assert digest_number(b"doc", NAME) == 17880624836484702264
    assert digest_number(b"doc", NAME, "little").to_bytes(8, "little").hex() == digest_bytes(b"doc", NAME)
    path = tmp_path / "large"
    path.write_bytes(b"solar" * 2_000_000)
    assert digest_file(path) == digest_bytes(path.read_bytes())
    assert crc32_file(path) == zlib.crc32(path.read_bytes())
    assert crc32(b"power", crc32(b"solar ")) == zlib.crc32(b"solar power")
    assert sha256(b"x") == hashlib.sha256(b"x").digest()


def test_pieces_are_counted_or_not() -> None:
    plain, counted, other = Digest(b"solar "), Digest(), Digest()
    plain.add(b"power")
    assert plain.hex == digest_bytes(b"solar power") == plain.bytes.hex()
    for part in (b"ab", b"c"):
        counted.add_counted(part)
    for part in (b"a", b"bc"):
        other.add_counted(part)
    assert counted.hex == digest_bytes(b"2 ab1 c")
    assert counted.hex != other.hex
