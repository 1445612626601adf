"""Manifests that are whole, and all the ways in which they are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudge.core.errors import DataError
from adjudge.storage.digest import crc32
from adjudge.storage.manifest import ManifestKind, checksums, damaged_files

KIND = ManifestKind("adjudge index", 3, "index", "build it again")
OPEN = KIND._replace(signed=False, name="adjudge noise", what="noise job")


@pytest.mark.parametrize("kind", [KIND, OPEN])
def test_what_was_written_is_read(kind: ManifestKind, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    kind.write(path, {"analyzer": "wörds", "files": {"a": 1}})
    assert kind.read(path) == {"analyzer": "wörds", "files": {"a": 1}}
    assert kind.is_at(path)
    assert not ManifestKind("other", 1, "other", "").is_at(path)
    assert not kind.is_at(tmp_path / "none")
    data = json.loads(path.read_bytes())
    assert list(data)[:2] == ["kind", "version"]
    assert ("crc32" in data) is kind.signed


def test_damage_gives_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    KIND.write(path, {"documents": 7})
    good = path.read_text()
    wrong = json.loads(good)
    for text, why in (
        (good[: len(good) // 2], "damaged: not JSON: .*: build it again"),
        ("", "damaged: not JSON"),
        ("[" * 100_000, "damaged: not JSON"),
        ("[]", "not the manifest of an index$"),
        ("{}", "not the manifest of an index$"),
        (json.dumps(wrong | {"kind": "adjudge noise"}), "not the manifest of an index$"),
        (json.dumps(wrong | {"version": 4}), "the index has version 4, this program reads 3: build it again$"),
        (json.dumps(wrong | {"documents": 8}), "damaged: its checksum is wrong: build it again$"),
        (json.dumps({k: v for k, v in wrong.items() if k != "crc32"}), "damaged: its checksum is wrong"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=f"^{path}: {why}") as caught:
            KIND.read(path)
        assert "\n" not in str(caught.value)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="damaged: not JSON"):
        KIND.read(path)
    path.unlink()
    with pytest.raises(DataError, match=r"manifest\.json: cannot be read: No such file or directory"):
        KIND.read(path)
    path.mkdir()
    with pytest.raises(DataError, match=r"manifest\.json: cannot be read: Is a directory"):
        KIND.read(path)


def test_a_killed_writer_leaves_the_old_manifest(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    KIND.write(path, {"documents": 7})
    (tmp_path / ".manifest.json.adjudge-new").write_text('{"kind": "adj')
    assert KIND.read(path) == {"documents": 7}
    KIND.write(path, {"documents": 8})
    assert [p.name for p in tmp_path.iterdir()] == ["manifest.json"]


def test_checksums_of_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"solar")
    (tmp_path / "b").write_bytes(b"")
    stated = checksums(tmp_path)
    assert stated == {"a": crc32(b"solar"), "b": 0}
    assert list(damaged_files(tmp_path, stated)) == []
    (tmp_path / "a").write_bytes(b"solas")
    (tmp_path / "b").unlink()
    assert list(damaged_files(tmp_path, stated)) == ["a", "b"]
