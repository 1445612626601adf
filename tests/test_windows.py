"""Modules that only Unix has are used where they are there, and nothing needs them to start.

They are taken away from a whole tree of processes, which is as near to Windows as a Unix machine comes.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge
from adjudge.storage.access import read_at, write_at

UNIX = ("fcntl", "grp", "pwd", "resource", "termios")
ATTRIBUTES = {
    "os": "chown fchmod fchown fork forkpty getegid geteuid getgid getloadavg getpgid getpgrp getuid killpg lchown"
    " mkfifo mknod nice posix_fadvise pread preadv pwrite pwritev register_at_fork sched_getaffinity"
    " sched_setaffinity sendfile setpgid setsid statvfs sync sysconf wait3 wait4"
    " O_CLOEXEC O_DIRECTORY O_NOFOLLOW",
    "signal": "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 SIGUSR2 alarm setitimer",
    "select": "epoll poll",
    "socket": "AF_UNIX",
}
"""What only Unix has of modules that are everywhere."""
MAY_ASK = {
    "core/machine.py",
    "experiment/cell_copies.py",
    "storage/access.py",
    "storage/lock.py",
    "web/worker_processes.py",
}
"""Where these are asked for, if they are there; nobody else does."""
SOURCES = Path(adjudge.__file__).parent
BLOCKED = f"""
import multiprocessing, os, select, signal, socket, subprocess, sys
for name in {UNIX!r}:
    sys.modules[name] = None
subprocess.Popen.kill = lambda process: process.send_signal(9)  # ends it as Windows does, by no signal of this name
for module, names in {ATTRIBUTES!r}.items():
    for name in names.split():
        if hasattr(sys.modules[module], name):
            delattr(sys.modules[module], name)
if hasattr(os, "process_cpu_count"):
    os.process_cpu_count = os.cpu_count  # as it is where a process cannot be bound to some of the cores
multiprocessing.set_start_method("spawn")
"""
EVERY = """
import importlib, pkgutil, sys, traceback
import adjudge
import os, signal
assert sys.modules["fcntl"] is None and not hasattr(os, "fork") and not hasattr(signal, "SIGKILL")
failed = []
for module in pkgutil.walk_packages(adjudge.__path__, "adjudge.", lambda name: None):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1].filename
        failed.append(f"{module.name}: {error} in {where}")
print(*failed, sep="\\n")
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of processes in which these modules are missing, and in those that they start."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BLOCKED)
    return os.environ | {"PYTHONPATH": str(tmp_path / "site")}


@pytest.mark.slow
def test_every_module_can_be_imported(elsewhere: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY], env=elsewhere, capture_output=True, text=True, check=True, cwd=SOURCES.parent
    )
    ours = [line for line in done.stdout.splitlines() if str(SOURCES) in line.rpartition(" in ")[2]]
    assert not ours, "libraries may need what they like, but nothing of this package"
    assert len(done.stdout.splitlines()) < 10


@pytest.mark.slow
def test_a_small_experiment(elsewhere: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "docs.tsv").write_text("d1\tsolar power\nd2\twind power\nd3\tsolar wind\n")
    (tmp_path / "topics.tsv").write_text("q1\tsolar power\nq2\twind\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    plan = 'topics = "topics.tsv"\njudgments = "qrels.txt"\nsystems = ["bm25", "lucene"]\n'
    (tmp_path / "plan.toml").write_text(f'{plan}[versions]\ntrue = "docs.tsv"\n')
    command = [sys.executable, "-m", "adjudge"]
    done = subprocess.run(
        [*command, "run", "plan.toml", "-o", "out", "--workers", "2"],
        env=elsewhere,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.html").exists()
    searched = subprocess.run(
        [*command, "index", "docs.tsv", "-o", "idx"], env=elsewhere, cwd=tmp_path, capture_output=True, check=False
    )
    assert searched.returncode == 0, searched.stderr


@pytest.mark.slow
def test_documents_from_a_pipe_through_noise(elsewhere: dict[str, str], tmp_path: Path) -> None:
    """Worker processes, a journal that is read and written at places, and what begins anew where it was ended."""
    lines = "".join(f'{{"id": "d{i}", "text": "solar power in document {i}"}}\n' for i in range(40))
    command = [sys.executable, "-m", "adjudge", "noise", "simulate", "-", "--channel", "ocrad-20", "-o"]
    outputs = []
    for folder, environment in (("there", elsewhere), ("here", None)):
        done = subprocess.run(
            [*command, folder, "--workers", "2"],
            env=environment,
            cwd=tmp_path,
            input=lines.encode(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        outputs.append({path.name: path.read_bytes() for path in (tmp_path / folder).rglob("*.jsonl*")})
    assert outputs[0] == outputs[1] != {}


@pytest.mark.slow
def test_what_only_unix_has_is_asked_for_in_few_places() -> None:
    names = {(module, name) for module, listed in ATTRIBUTES.items() for name in listed.split()}
    named = re.compile("|".join(rf"\b{module}\s*\.\s*{name}\b" for module, name in names))
    for path in SOURCES.rglob("*.py"):
        inner = path.relative_to(SOURCES).as_posix()
        if inner in MAY_ASK or inner.startswith("cluster/"):  # Spark's workers run on Unix
            continue
        text = path.read_text(encoding="utf-8")
        if not named.search(text):  # not in a comment either: nothing to be parsed, which takes long
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in names, f"{inner}:{node.lineno}: {node.value.id}.{node.attr}"


@pytest.mark.parametrize("missing", [False, True])
def test_reading_and_writing_at_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: bool) -> None:
    if missing:
        monkeypatch.delattr(os, "pread")
        monkeypatch.delattr(os, "pwrite")
    handle = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    try:
        assert write_at(handle, b"abcdef", 0) == 6
        assert write_at(handle, memoryview(b"XY"), 2) == 2
        assert read_at(handle, 3, 1) == b"bXY"
        assert read_at(handle, 9, 4) == b"ef"
        assert read_at(handle, 9, 6) == b""
    finally:
        os.close(handle)


@pytest.mark.slow
def test_no_module_imports_them_when_it_is_imported() -> None:
    for path in SOURCES.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not set(named) & set(UNIX), f"{path} imports {named}"
