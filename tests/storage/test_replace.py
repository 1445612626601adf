"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudge.core.errors import DataError
from adjudge.storage.access import reading, writing
from adjudge.storage.replace import (
    NewFile,
    is_leftover,
    move_file,
    new_folder,
    replace_file,
    replace_folder,
    scratch_file,
    scratch_folder,
    sweep,
    write_bytes,
)

KILLED_FILE = """
import os, sys
from adjudge.storage.replace import replace_file
with replace_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), 9)
"""
KILLED_FOLDER = """
import os, sys
from adjudge.storage.replace import replace_folder
with replace_folder(sys.argv[1]) as folder:
    (folder / "a").write_text("half")
    os.kill(os.getpid(), 9)
"""


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def run(code: str, *arguments: Path) -> int:
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=False).returncode


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.mark.parametrize("durable", [True, False])
def test_a_file_is_replaced_when_it_is_whole(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    with replace_file(path, durable=durable) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
        assert names(tmp_path) == [".out.txt.adjudge-new", "out.txt"]
    assert path.read_text() == "new"
    with pytest.raises(TypeError), replace_file(path, durable=durable) as file:
        file.writelines([b"half", "text"])  # type: ignore[list-item]
    assert path.read_text() == "new"
    assert names(tmp_path) == ["out.txt"]


@pytest.mark.usefixtures("umask")
def test_rights_are_those_of_the_umask_or_of_what_is_replaced(tmp_path: Path) -> None:
    path, folder = tmp_path / "file", tmp_path / "folder"
    write_bytes(path, b"1")
    assert rights(path) == 0o640
    path.chmod(0o604)
    with replace_file(path) as file:
        assert rights(tmp_path / ".file.adjudge-new") == 0o600, "nobody sees more of the new one than of the old"
        file.write(b"2")
    assert rights(path) == 0o604
    with replace_folder(folder) as work:
        (work / "a").touch()
    assert (rights(folder), rights(folder / "a")) == (0o750, 0o640)
    folder.chmod(0o700)
    with replace_folder(folder) as work:
        pass
    assert (rights(folder), names(folder)) == (0o700, [])
    assert rights(new_folder(tmp_path, "data-")) == 0o750
    (tmp_path / "done").touch()
    move_file(tmp_path / "done", path)
    assert (rights(path), path.read_bytes()) == (0o604, b"")


def test_writing_in_threads_never_changes_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        seen: set[int] = set()
        done = threading.Event()

        def create() -> None:
            number = 0
            while not done.is_set():
                number += 1
                path = tmp_path / f"beside-{number}"
                path.touch()
                seen.add(rights(path))
                path.unlink()

        thread = threading.Thread(target=create)
        thread.start()
        for number in range(200):
            write_bytes(tmp_path / f"out-{number}", b"x", durable=False)
        done.set()
        thread.join()
    finally:
        os.umask(before)
    assert seen == {0o644}


def test_what_a_link_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    real, link = tmp_path / "there" / "real", tmp_path / "link"
    link.symlink_to(real)
    write_bytes(link, b"through the link")
    assert link.is_symlink()
    assert real.read_bytes() == b"through the link"
    folder = tmp_path / "folder"
    folder.symlink_to(tmp_path / "there" / "folder")
    with replace_folder(folder) as work:
        (work / "a").touch()
    assert folder.is_symlink()
    assert names(tmp_path / "there") == ["folder", "real"]


def test_devices_and_pipes_are_written_to(tmp_path: Path) -> None:
    write_bytes("/dev/null", b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    pipe, heard = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    source = tmp_path / "source"
    source.write_bytes(b"through")
    writes: list[Callable[[], None]] = [lambda: write_bytes(pipe, b"through"), lambda: move_file(source, pipe)]
    for write in writes:
        reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
        reader.start()
        write()
        reader.join()
    assert heard == [b"through"] * 2
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    code = "from adjudge.storage.replace import write_bytes; write_bytes('/dev/stdout', b'to a pipe')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"to a pipe"


def test_a_folder_is_replaced_when_it_is_whole(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    for number in range(3):
        with replace_folder(folder) as work:
            (work / "below").mkdir()
            (work / "below" / f"file-{number}").touch()
            assert number == 0 or names(folder / "below") == [f"file-{number - 1}"]
        assert names(folder / "below") == [f"file-{number}"]
        assert names(tmp_path) == ["kept"]
    with pytest.raises(RuntimeError), replace_folder(folder) as work:
        raise RuntimeError
    assert names(folder / "below") == ["file-2"]
    assert names(tmp_path) == ["kept"]


def test_two_that_replace_one_folder_leave_one_of_the_two(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for _ in range(20):
            with replace_folder(tmp_path / "kept", durable=False) as work:
                for name in "ab":
                    (work / name).write_text(str(number))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(tmp_path) == ["kept"]
    assert len({(tmp_path / "kept" / name).read_text() for name in "ab"}) == 1


def test_two_that_write_one_file_leave_one_of_the_two(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with replace_file(path) as first, replace_file(path) as second:
        assert names(tmp_path) == [".out.adjudge-new", ".out.adjudge-new-1"]
        first.write(b"first")
        second.write(b"second")
    assert path.read_bytes() == b"first", "which ended last"
    assert names(tmp_path) == ["out"]


def test_a_killed_writer_leaves_what_was_there_and_the_next_one_tidies_up(tmp_path: Path) -> None:
    path, folder = tmp_path / "out", tmp_path / "kept"
    path.write_text("old")
    folder.mkdir()
    (folder / "a").write_text("old")
    assert run(KILLED_FILE, path) == run(KILLED_FOLDER, folder) == -signal.SIGKILL
    assert path.read_text() == (folder / "a").read_text() == "old"
    assert names(tmp_path) == [".kept.adjudge-new", ".out.adjudge-new", "kept", "out"]
    assert all(map(is_leftover, names(tmp_path)[:2]))
    shutil.copy(tmp_path / ".out.adjudge-new", tmp_path / ".out.adjudge-new-1")
    write_bytes(path, b"new")
    with replace_folder(folder) as work:
        (work / "a").write_text("new")
    assert path.read_text() == (folder / "a").read_text() == "new"
    assert names(tmp_path) == ["kept", "out"]


def test_killed_at_any_moment_no_half_is_left(tmp_path: Path) -> None:
    """Writers that do nothing else are killed again and again."""
    code = """
import sys
from adjudge.storage.replace import replace_folder, write_bytes
print("begun", flush=True)
while True:
    for letter in b"abc":
        write_bytes(sys.argv[1] + "/file", bytes([letter]) * 100_000, durable=False)
        with replace_folder(sys.argv[1] + "/folder", durable=False) as work:
            for name in "xy":
                (work / name).write_bytes(bytes([letter]) * 1000)
"""
    absent = 0
    for attempt in range(12):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.02 + attempt * 0.007)
        process.kill()
        process.wait()
        process.stdout.close()
        if (tmp_path / "file").exists():
            data = (tmp_path / "file").read_bytes()
            assert len(data) == 100_000
            assert len(set(data)) == 1
        if (tmp_path / "folder").exists():
            contents = {(tmp_path / "folder" / name).read_bytes() for name in "xy"}
            assert len(contents) == 1
        else:
            absent += 1
    assert absent < 12
    sweep(tmp_path)
    assert set(names(tmp_path)) <= {"file", "folder"}


def test_sweeping_leaves_what_is_being_written(tmp_path: Path) -> None:
    assert run(KILLED_FILE, tmp_path / "dead") == -signal.SIGKILL
    with replace_file(tmp_path / "living") as file, scratch_folder(tmp_path / "work"):
        file.write(b"x")
        sweep(tmp_path)
        assert names(tmp_path) == [".living.adjudge-new", ".work.adjudge-new"]
    assert names(tmp_path) == ["living"]


def test_without_locks_only_what_is_old_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    fresh, old = tmp_path / ".a.adjudge-new", tmp_path / ".b.adjudge-new"
    fresh.touch()
    old.touch()
    os.utime(old, (0, 0))
    sweep(tmp_path)
    assert names(tmp_path) == [fresh.name]
    write_bytes(tmp_path / "a", b"1")
    assert names(tmp_path) == [fresh.name, "a"]


def test_names_that_are_leftovers() -> None:
    assert is_leftover(".x.adjudge-new")
    assert is_leftover(".x.adjudge-new-12")
    for name in ("x.adjudge-new", ".x.adjudge-newer", ".x", ".adjudge-lock", ".x.adjudge-new.txt"):
        assert not is_leftover(name), name


def test_scratch_is_gone_at_the_end(tmp_path: Path) -> None:
    with scratch_folder(tmp_path / "out") as folder, scratch_file(tmp_path / "spill") as file:
        assert folder.parent == file.parent == tmp_path
        (folder / "part").touch()
        file.write_bytes(b"x")
    assert not names(tmp_path)


def test_a_writer_that_lives_longer_than_a_block(tmp_path: Path) -> None:
    new = NewFile(tmp_path / "out")
    new.file.write(b"x")
    new.abandon()
    assert not names(tmp_path)
    new = NewFile(tmp_path / "out")
    new.file.write(b"x")
    new.commit()
    new.abandon()
    assert names(tmp_path) == ["out"]


def test_names_as_long_as_they_may_be(tmp_path: Path) -> None:
    for name in ("x" * 255, "ä" * 127):
        write_bytes(tmp_path / name, b"x")
    assert len(names(tmp_path)) == 2


@pytest.mark.parametrize("write", [lambda path: write_bytes(path, b"x"), lambda path: replace_folder(path).__enter__()])
def test_where_nothing_can_be_written(write: object, tmp_path: Path) -> None:
    assert callable(write)
    with pytest.raises(DataError, match="nowhere/out: cannot be written: No such file or directory"):
        write(tmp_path / "nowhere" / "out")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="file/out: cannot be written: Not a directory"):
        write(tmp_path / "file" / "out")


def test_a_folder_in_place_of_a_file_and_the_reverse(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="folder: cannot be written: Is a directory"):
        write_bytes(tmp_path / "folder", b"x")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="file: cannot be written: Not a directory"), replace_folder(tmp_path / "file"):
        pass
    assert names(tmp_path) == ["file", "folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_changed(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(DataError, match="out: cannot be written: Permission denied"):
            write_bytes(tmp_path / "out", b"x")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_system_that_may_only_be_read() -> None:
    with pytest.raises(DataError, match="/proc/out: cannot be written"):
        write_bytes("/proc/out", b"x")
    with pytest.raises(DataError, match="/sys/out: cannot be written"):
        write_bytes("/sys/out", b"x")


def test_a_full_device() -> None:
    with pytest.raises(DataError, match="/dev/full: cannot be written: No space left on device"):
        write_bytes("/dev/full", b"x" * 100_000)


def test_a_disk_that_fills_up_changes_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk, so that anybody can run this."""
    path, folder = tmp_path / "out", tmp_path / "kept"
    write_bytes(path, b"old")
    before, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
        with pytest.raises(DataError, match="out: cannot be written: File too large"):
            write_bytes(path, b"x" * 20_000)
        with pytest.raises(DataError, match="kept: cannot be written: File too large"), replace_folder(folder) as work:
            (work / "a").write_bytes(b"x" * 20_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out"]


def test_a_small_disk_that_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("only the superuser mounts disks")
    try:
        write_bytes(disk / "out", b"old")
        with pytest.raises(DataError, match="out: cannot be written: No space left on device"):
            write_bytes(disk / "out", b"x" * 200_000)
        assert (disk / "out").read_bytes() == b"old"
        assert names(disk) == ["out"]
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with pytest.raises(DataError, match="out: cannot be written: Read-only file system"):
            write_bytes(disk / "out", b"new")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_an_error_names_what_was_read_if_that_was_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"^{tmp_path}/in: cannot be read: No such file"), writing(tmp_path / "out"):
        (tmp_path / "in").read_bytes()
    with pytest.raises(DataError, match="out: cannot be written: No such file"), writing(tmp_path / "out"):
        (tmp_path / "out" / "part").write_bytes(b"")
    with pytest.raises(DataError, match="out: cannot be written: full"), writing(tmp_path / "out"):
        raise OSError(28, "full")
    with pytest.raises(DataError, match="in: cannot be read: Is a directory"), reading("in"):
        tmp_path.read_bytes()


def test_durable_means_on_the_disk_before_the_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    sync, put = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        events.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def moved(self: Path, target: Path) -> Path:
        events.append("named")
        return put(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", moved)
    write_bytes(tmp_path / "out", b"x")
    assert events == ["file", "named", "folder"]
    write_bytes(tmp_path / "out", b"x", durable=False)
    assert events == ["file", "named", "folder", "named"]
