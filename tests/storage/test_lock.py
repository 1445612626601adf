"""The lock on a folder: two processes contend for it, one is killed, one removes it while another waits."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import ConflictError, DataError
from adjudge.storage import lock
from adjudge.storage.lock import LOCK, locked

HOLDER = """
import sys, time
from adjudge.storage.lock import locked
with locked(sys.argv[1], sys.argv[2]):
    print("held", flush=True)
    time.sleep(float(sys.argv[3]))
"""

COUNTER = """
import sys
from pathlib import Path
from adjudge.storage.lock import locked
folder = Path(sys.argv[1])
for _ in range(50):
    with locked(folder / "work", wait=True):
        count = folder / "count"
        seen = int(count.read_text())
        count.write_text(str(seen + 1))
"""


def holder(folder: Path, name: str = LOCK, seconds: float = 60) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder), name, str(seconds)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_is_refused_until_the_first_ends_or_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    with holder(folder) as process:
        with (
            pytest.raises(ConflictError, match=r"folder: another build is under way$"),
            locked(folder, busy="another build is under way"),
        ):
            pytest.fail("two at a time")
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (folder / LOCK).exists(), "killed, so nothing was tidied up"
        with locked(folder):
            (folder / "result").touch()
    assert [path.name for path in folder.iterdir()] == ["result"]


def test_two_threads_of_one_process_are_two(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(ConflictError, match="another adjudge is at work there"), locked(tmp_path):
        pytest.fail("two at a time")


def test_who_waits_gets_it_when_it_is_free(tmp_path: Path) -> None:
    with holder(tmp_path, seconds=0.5):
        with locked(tmp_path, wait=True):
            assert (tmp_path / LOCK).exists()
        assert not (tmp_path / LOCK).exists()


def test_many_that_wait_are_never_two_at_a_time(tmp_path: Path) -> None:
    """Each removes the lock and its folder at the end, while the others wait for what is no longer there."""
    (tmp_path / "count").write_text("0")
    processes = [subprocess.Popen([sys.executable, "-c", COUNTER, str(tmp_path)]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    assert (tmp_path / "count").read_text() == "200"
    assert not list((tmp_path / "work").glob("*")), "empty, if the last one did not make it, or not there"


def test_a_lock_that_was_removed_while_one_waited_is_no_lock(tmp_path: Path) -> None:
    path, entered = tmp_path / LOCK, threading.Event()

    def wait() -> None:
        with locked(tmp_path, wait=True):
            entered.set()
            time.sleep(0.3)

    with locked(tmp_path):
        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.1)
        path.unlink()
        path.touch()
        handle = lock.take(path)
        assert handle is not None
    try:
        assert not entered.wait(0.2), "the lock that it waited for is gone, and the new one is held"
    finally:
        lock.release(handle)
    waiting.join(10)
    assert entered.is_set()


def test_what_was_made_for_nothing_is_removed(tmp_path: Path) -> None:
    with locked(tmp_path / "a" / "b", "work/lock"):
        assert (tmp_path / "a" / "b" / "work" / "lock").exists()
    assert not (tmp_path / "a").exists()
    with pytest.raises(RuntimeError), locked(tmp_path / "a" / "b", "work/lock"):
        raise RuntimeError
    assert not (tmp_path / "a").exists()
    (tmp_path / "a").mkdir()
    with locked(tmp_path / "a"):
        pass
    assert (tmp_path / "a").exists(), "it was there before"


def test_a_folder_is_looked_at_before_anything_is_put_into_it(tmp_path: Path) -> None:
    def check(folder: Path) -> None:
        assert folder.is_dir()
        raise DataError(f"{folder}: no place for this")

    with pytest.raises(DataError, match="no place"), locked(tmp_path / "a", check=check):
        pytest.fail("refused")
    assert not list((tmp_path / "a").iterdir())


def test_what_is_no_folder_or_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"file: not a folder$"), locked(tmp_path / "file"):
        pytest.fail("no folder")
    with pytest.raises(DataError, match="below: cannot be written: Not a directory"), locked(tmp_path / "file/below"):
        pytest.fail("no folder")
    with pytest.raises(DataError, match="/proc/none: cannot be written"), locked("/proc/none"):
        pytest.fail("no folder")


def test_a_forked_child_does_not_hold_the_lock_of_its_parent(tmp_path: Path) -> None:
    code = """
import os, sys, time
from adjudge.storage.lock import locked
with locked(sys.argv[1]):
    if os.fork() == 0:
        print("held", flush=True)
        time.sleep(60)
        os._exit(0)
    time.sleep(60)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait()
        with locked(tmp_path):
            pass
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.parametrize("without", ["fcntl", "locks"])
def test_where_there_are_no_locks_the_work_goes_on(
    without: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without == "fcntl":
        monkeypatch.setitem(sys.modules, "fcntl", None)
    else:

        def refuse(*_: Any) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr("fcntl.flock", refuse)
    with locked(tmp_path / "x"), locked(tmp_path / "x"):
        (tmp_path / "x" / "result").touch()
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["result"]
