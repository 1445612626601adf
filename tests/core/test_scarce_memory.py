"""Commands under a limit of memory: one line and exit code 2, no hang, nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge
from adjudge.core import scarce_memory

EXAMPLE = Path(adjudge.__file__).parent / "example"

resource = pytest.importorskip("resource", reason="this system has no limits of memory")
if not Path("/proc/self/statm").exists():
    pytest.skip("this system does not say how much memory a process has", allow_module_level=True)


def limited(megabytes: int, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = "import resource, sys; from adjudge.cli import main; "
    code += f"resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20,) * 2); sys.exit(main())"
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("clean", "noisy"):
        text = "the rain in spain falls mainly on the plain".replace("m", "rn" if name == "noisy" else "m")
        lines = [json.dumps({"id": f"d{n}", "text": text}) for n in range(5)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.slow
def test_openblas_is_not_loaded_where_it_would_hang(folder: Path) -> None:
    done = limited(216, folder, "noise", "learn", "clean.jsonl", "noisy.jsonl", "-o", "channel.json")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "not enough memory for this\n")


@pytest.mark.slow
def test_polars_is_not_loaded_in_part(folder: Path) -> None:
    done = limited(300, folder, "measure", str(EXAMPLE / "qrels.txt"), str(EXAMPLE / "lexical.run"), "-o", "s.parquet")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "not enough memory for this\n")


def test_without_a_limit_nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    before = list(sys.meta_path)
    scarce_memory.watch_memory()
    assert sys.meta_path == before
    assert not scarce_memory.is_scarce()


def test_a_thread_that_cannot_start_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from adjudge import cli

    def fails(why: str) -> None:
        def command(_: object) -> int:
            raise RuntimeError(why)

        monkeypatch.setattr(cli, "find_command", lambda words: (command, 1))

    fails("can't start new thread")
    assert cli.main(["noise"]) == 2
    assert capsys.readouterr().err == "not enough memory for this\n"
    fails("another fault")
    with pytest.raises(RuntimeError, match="another fault"):
        cli.main(["noise"])


def test_modules_without_room_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scarce_memory, "room", lambda: 100 << 20)
    finder = scarce_memory._RoomFinder()
    with pytest.raises(MemoryError):
        finder.find_spec("polars")
    finder.find_spec("json")
    assert scarce_memory.is_scarce()
