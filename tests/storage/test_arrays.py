"""Arrays from files that may be damaged or somebody else's."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.errors import DataError, MissingFileError
from adjudge.storage.arrays import ascends, read_array, within
from adjudge.storage.manifest import damaged_files


def test_an_array_comes_back(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(5))
    assert read_array(tmp_path / "a.npy", np.int64).tolist() == [0, 1, 2, 3, 4]
    assert read_array(tmp_path / "a.npy", np.int64, mapped=False).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "array", [np.arange(5, dtype=np.int32), np.zeros((2, 2), np.int64), np.zeros(3), np.zeros((), np.int64)]
)
def test_another_type_or_shape_is_refused(tmp_path: Path, array: np.ndarray) -> None:
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(DataError, match="a damaged array"):
        read_array(tmp_path / "a.npy", np.int64)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (tmp_path / "pwned",)

    np.save(tmp_path / "a.npy", np.array([Evil()], object), allow_pickle=True)
    (tmp_path / "b.npy").write_bytes(pickle.dumps(Evil()))
    for name in ("a.npy", "b.npy"):
        with pytest.raises(DataError, match="a damaged array"):
            read_array(tmp_path / name, np.int64)
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("header", [b"{'descr': '<i8', 'fortran_order': False, 'shape': (", b"(" * 200, b"\xff" * 20])
def test_a_damaged_header_is_one_line(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "a.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(DataError, match=r"a damaged array: [^\n]+$"):
        read_array(path, np.int64)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        read_array(tmp_path / "a.npy", np.int64)


def test_order_and_bounds() -> None:
    assert ascends(np.array([0, 2, 2, 5]), 5)
    assert not ascends(np.array([0, 3, 2, 5]), 5)
    assert not ascends(np.array([1, 5]), 5)
    assert not ascends(np.array([], int), 0)
    assert within(np.array([0, 4]), 5)
    assert not within(np.array([-1]), 5)
    assert not within(np.array([5]), 5)
    assert within(np.array([], int), 0)


def test_a_manifest_names_files_of_its_own_folder_only(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    assert list(damaged_files(tmp_path / "folder", {"../secret": 0, str(tmp_path / "secret"): 0})) == [
        "../secret",
        str(tmp_path / "secret"),
    ]
