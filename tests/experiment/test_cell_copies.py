"""Cells as copies of a process: streams and exit codes of their own, and a way without copies when there are none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.child_process import end, listen
from adjudge.experiment import process
from adjudge.experiment.cell_copies import LOST, CopyMaker, possible
from adjudge.experiment.process import Processes
from recorder import Recorder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.processes,
    pytest.mark.skipif(not possible(), reason="no copies of processes on this system"),
]


@pytest.fixture
def maker() -> Iterator[CopyMaker]:
    made = CopyMaker()
    yield made
    made.close()


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def close(copy: Any) -> None:
    for stream in (copy.stdin, copy.stdout, copy.stderr):
        stream.close()


def test_a_copy_has_streams_and_an_exit_code_of_its_own(maker: CopyMaker, tmp_path: Path) -> None:
    missing = tmp_path / "no request \N{SNOWMAN}"
    copies = [maker.start(str(missing)) for _ in range(3)]
    for copy in copies:
        assert copy is not None
        ending = listen(copy, lambda stream: None)
        assert ending.code == 1
        assert "FileNotFoundError" in ending.stderr
        assert str(missing) in ending.stderr
        assert copy.wait() == 1, "and again"
    assert len({copy.pid for copy in copies if copy}) == 3


def test_a_copy_has_a_session_of_its_own(maker: CopyMaker, tmp_path: Path) -> None:
    request = tmp_path / "request"
    os.mkfifo(request)  # the copy waits until somebody writes into it
    copy = maker.start(str(request))
    assert copy is not None
    assert os.getsid(copy.pid) == copy.pid, "it can be ended with all that it starts"
    request.write_text("no request")
    assert listen(copy, lambda stream: None).code == 1


def test_a_copy_that_is_ended_says_by_what(maker: CopyMaker, tmp_path: Path) -> None:
    waits = tmp_path / "pipe"
    os.mkfifo(waits)  # reading the request takes for ever
    copy = maker.start(str(waits))
    assert copy is not None
    with pytest.raises(subprocess.TimeoutExpired):
        copy.wait(0.05)
    end(copy)
    assert copy.wait() == -signal.SIGKILL
    close(copy)


def test_without_the_process_that_makes_copies_there_is_another_way(tmp_path: Path) -> None:
    waits = tmp_path / "pipe"
    os.mkfifo(waits)
    with Processes() as cells:
        first = cells._start(str(waits))
        maker = cells._copies
        assert maker is not None
        maker._process.kill()
        maker._process.wait()
        assert first.wait() == LOST, "nobody can tell how it ended"
        end(first)
        close(first)
        assert maker.start(str(waits)) is None
        assert "FileNotFoundError" in cells.run(tmp_path / "nothing", Recorder())


def test_a_copy_ends_with_the_process_of_the_experiment(tmp_path: Path) -> None:
    waits, code = tmp_path / "pipe", (
        "import sys; from adjudge.experiment.cell_copies import CopyMaker; "
        "copy = CopyMaker().start(sys.argv[1]); print(copy.pid, flush=True); sys.stdin.read()"
    )  # fmt: skip
    os.mkfifo(waits)
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code, str(waits)], stdin=pipe, stdout=pipe) as job:
        assert job.stdout is not None
        pid = int(job.stdout.readline())
        assert lives(pid)
        job.kill()
    until = time.monotonic() + 60
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not lives(pid)


def test_cells_are_started_by_themselves_where_no_copies_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "possible", lambda: False)
    with Processes() as cells:
        assert "FileNotFoundError" in cells.run(tmp_path / "nothing", Recorder())
        assert cells._copies is None
