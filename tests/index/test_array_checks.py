"""Arrays of an index that somebody made up, with checksums that fit: refused when the index is opened."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.core.errors import ConflictError, DataError
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.index_files import KIND, MANIFEST
from adjudge.storage.digest import crc32
from adjudge.storage.zstd import ZstdError, pack, unpack
from slow_weightings import PLAIN, collection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build(collection(["a b", "a" + " a" * 300, "b c d"]), tmp_path, analyzer=PLAIN, positions=True, texts=True)
    return tmp_path


def forge(folder: Path, name: str, change: Callable[[Any], Any]) -> None:
    """Put another array in the place of one, and a manifest that says so."""
    body = KIND.read(folder / MANIFEST)
    entry, path = body["files"][name], folder / body["data"] / name
    changed = change(np.fromfile(path, entry["dtype"]))
    changed.tofile(path)
    body["files"][name] = {"dtype": changed.dtype.str, "items": len(changed), "crc32": crc32(path.read_bytes())}
    KIND.write(folder / MANIFEST, body)


def put(place: int, value: int) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("offsets", put(1, 1000), "does not ascend from 0 to"),
        ("offsets", put(0, 1), "does not ascend from 0 to"),
        ("offsets", put(2, 2), "a term has no postings"),
        ("offsets", lambda array: array[:-1], "4 numbers instead of 5"),
        ("offsets", lambda array: np.array([0, 4, 4, 5, 6], array.dtype), "a term has no postings"),
        ("postings", lambda array: array.astype("<i8"), "items of '<i8'"),
        ("postings", lambda array: array.astype("<f4"), "items of '<f4'"),
        ("posting_offsets", put(-1, 10**6), "does not ascend from 0 to"),
        ("posting_offsets", lambda array: array[:-1], "4 numbers instead of 5"),
        ("cf", put(0, 5), "does not add up to 306"),
        ("lengths", put(0, 2**32 - 1), "does not add up to 306"),
        ("distinct", put(0, 0), "does not add up to 6"),
        ("distinct", lambda array: array[[2, 0, 1]], "more different terms than terms"),
        ("id_order", put(0, 3), "there are only 3 documents"),
        ("id_order", put(0, -1), "there are only 3 documents"),
        ("id_order", put(0, 1), "a document occurs twice"),
        ("id_offsets", put(-1, 99), "does not ascend from 0 to"),
        ("term_offsets", put(1, 99), "does not ascend from 0 to"),
        ("position_offsets", put(1, 2**31), "does not ascend from 0 to"),
        ("text_blocks", put(-1, 10**6), "does not ascend from 0 to"),
        ("text_firsts", put(-1, 7), "does not ascend from 0 to 3"),
        ("text_sizes", lambda array: array[:-1], "5 numbers instead of 6"),
    ],
)
def test_an_array_that_cannot_be(folder: Path, name: str, change: Callable[[Any], Any], why: str) -> None:
    Index.open(folder)
    forge(folder, name, change)
    with pytest.raises(DataError, match=re.escape(why)) as caught:
        Index.open(folder)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(
            ("data", "../elsewhere"),
            ("data", "/etc"),
            ("data", 5),
            ("documents", -1),
            ("documents", "3"),
            ("terms", 1.5),
        ),
        *(("tokens", 2**70), ("positions", 1), ("texts", "yes"), ("analyzer", None)),
    ],
)
def test_a_manifest_that_cannot_be(folder: Path, key: str, value: object) -> None:
    body = KIND.read(folder / MANIFEST)
    KIND.write(folder / MANIFEST, body | {key: value})
    with pytest.raises(DataError, match=f"damaged: {key} is "):
        Index.open(folder)


@pytest.mark.parametrize("entry", [{"dtype": "O"}, {"dtype": None}, {"items": -1}, {"items": 2**70}, {"crc32": "x"}])
def test_an_entry_that_cannot_be(folder: Path, entry: dict[str, object]) -> None:
    body = KIND.read(folder / MANIFEST)
    body["files"]["postings"] |= entry
    KIND.write(folder / MANIFEST, body)
    with pytest.raises(DataError, match="damaged: postings has "):
        Index.open(folder)


def test_an_analyzer_that_is_none(folder: Path) -> None:
    body = KIND.read(folder / MANIFEST)
    KIND.write(folder / MANIFEST, body | {"analyzer": "words|nonsense"})
    with pytest.raises(DataError, match="no filter 'nonsense'"):
        _ = Index.open(folder).analyzer


def test_a_term_that_is_no_text(folder: Path) -> None:
    forge(folder, "terms", put(0, 255))
    with pytest.raises(DataError, match="terms: damaged: term 0 is not UTF-8"):
        Index.open(folder).name(0)


def test_no_more_is_unpacked_than_there_should_be() -> None:
    assert unpack(pack(b"x" * 5000), 5000) == b"x" * 5000
    for packed, size in ((pack(b"x" * 5000), 4999), (pack(b"x"), 2), (pack(b"x") + pack(b"x" * 10**6), 1)):
        with pytest.raises(ZstdError):
            unpack(packed, size)


@pytest.mark.parametrize("what", ["manifest.json", "the folder of its arrays", "terms"])
def test_links_out_of_an_index_are_not_followed(folder: Path, what: str, tmp_path_factory: Any) -> None:
    data = folder / Index.open(folder).manifest.data
    path = {"manifest.json": folder / MANIFEST, "terms": data / "terms"}.get(what, data)
    away = tmp_path_factory.mktemp("elsewhere") / "x"
    path.rename(away)
    path.symlink_to(away)
    before = away.read_bytes() if away.is_file() else b""
    with pytest.raises(ConflictError, match="a link that leads out of the folder: remove it"):
        Index.open(folder)
    if what == "manifest.json":
        with pytest.raises(ConflictError, match="a link that leads out of the folder: remove it"):
            build(collection(["x"]), folder, analyzer=PLAIN)
        assert away.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("what", ["manifest.json", "terms"])
def test_a_pipe_is_not_waited_for(folder: Path, what: str) -> None:
    data = folder / Index.open(folder).manifest.data
    path = folder / MANIFEST if what == "manifest.json" else data / what
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ConflictError, match="neither a file nor a folder: remove it"):
        Index.open(folder)
