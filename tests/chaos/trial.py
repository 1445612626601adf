"""One disturbed job: what it leaves, and whether a second go makes the whole of it."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from chaos.jobs import Job

SITE = Path(__file__).parent / "site"
RANDOM_NAME = re.compile(r"(adjudge-(?:data|made)-|work/survey-)[0-9a-f]{8,32}")
"""Names that are drawn, or made of the place where a trial is done."""
MEASURED = re.compile(r"#(\w*seconds|megabytes|memory|answered|prepared|places#\w+|\w*per_second)$")
"""Figures of a machine that is busy."""
PATIENCE = 600.0
"""Seconds after which a command hangs."""
TEMPORARY = "tmp"
"""The folder for temporary files, within that of the trial, so that they are seen."""

Snapshot = dict[str, Any]
"""A digest for each file; of JSON all values, by their places."""


@dataclass(frozen=True)
class Whole:
    """What a job makes if nothing happens, what differs from one time to the next, and how long it takes."""

    inputs: Path
    made: Snapshot
    varying: frozenset[str]
    seconds: float
    changes: int
    """Changes of files, as the hook counts them in the process with the most."""


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CHAOS", "PYTEST", "COV_"))}
    paths = os.pathsep.join([str(SITE), *filter(None, [kept.get("PYTHONPATH", "")])])
    temporary = folder / TEMPORARY
    with suppress(OSError):
        temporary.mkdir(exist_ok=True)
    return kept | {"PYTHONPATH": paths, "TMPDIR": str(temporary), "TERM": "dumb", **more}


def start(command: tuple[str, ...], folder: Path, **more: str) -> subprocess.Popen[bytes]:
    """A command in a session of its own, so that all that it starts can be ended with it."""
    return subprocess.Popen(
        [sys.executable, "-m", "adjudge", *command],
        cwd=folder,
        env=environment(folder, **more),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Exit code and what was said."""
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        end(process)
        return -1, "hangs"
    return process.returncode, said.decode("utf-8", "replace")


def end(process: subprocess.Popen[bytes], *, alone: bool = False) -> None:
    """Kill a command, with all that it has started or without."""
    with suppress(ProcessLookupError):
        if alone:
            os.kill(process.pid, signal.SIGKILL)
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=30)


def snapshot(folder: Path) -> Snapshot:
    """All files below a folder but temporary ones; random names are made the same."""
    files: Snapshot = {}
    for path in sorted(folder.rglob("*")):
        name = RANDOM_NAME.sub(r"\1*", path.relative_to(folder).as_posix())
        if name.partition("/")[0] == TEMPORARY:
            continue
        if path.is_dir():
            files[name] = "a folder"
        elif path.suffix == ".json":
            try:
                files |= _values(json.loads(RANDOM_NAME.sub(r"\1*", path.read_text())), name)
            except ValueError:
                files[name] = "not JSON"
        else:  # parts of an index are folders with random names, and files of the same names
            same = str(files.get(name, "")).split()
            files[name] = " ".join(sorted([*same, sha256(path.read_bytes()).hexdigest()]))
    return files


def _values(value: Any, place: str) -> Snapshot:
    if isinstance(value, dict) and value:
        return {k: v for name, inner in value.items() for k, v in _values(inner, f"{place}#{name}").items()}
    if isinstance(value, list) and value:
        return {k: v for n, inner in enumerate(value) for k, v in _values(inner, f"{place}#{n}").items()}
    return {} if MEASURED.search(place) else {place: value}


def differences(whole: Whole, found: Snapshot) -> list[str]:
    """What is missing, too much or other than it should be."""
    fixed = {name: value for name, value in whole.made.items() if name not in whole.varying}
    wrong = [f"missing: {name}" for name in fixed if name not in found]
    wrong += [
        f"left behind: {name}" for name in found if name not in whole.made and name.partition("#")[0] not in whole.made
    ]
    return wrong + [f"other: {name}" for name, value in fixed.items() if name in found and found[name] != value]


@cache
def whole(job: Job) -> Whole:
    """Prepare a job, and do it twice undisturbed; the first time changes of files are counted."""
    folder = Path(tempfile.mkdtemp(prefix="adjudge-chaos-"))
    inputs = folder / "inputs"
    inputs.mkdir()
    job.prepare(inputs)
    if job.before:
        code, said = finish(start(job.before, inputs))
        assert code == 0, f"{job.name}: {said}"
    shutil.rmtree(inputs / TEMPORARY, ignore_errors=True)
    made, seconds = [], 0.0
    counted = Path(tempfile.mkdtemp(prefix="adjudge-chaos-counted-"))
    for number in range(2):
        place = fresh(inputs, folder / str(number))
        count = {"CHAOS_COUNT": f"{counted}/", "CHAOS_FOLDER": str(place.resolve())} if number == 0 else {}
        began = time.monotonic()
        code, said = finish(start(job.command, place, **count))
        seconds = time.monotonic() - began
        assert code == 0, f"{job.name}: {said}"
        made.append(snapshot(place))
        shutil.rmtree(place)
    first, second = made
    varying = {name for name in first.keys() | second.keys() if first.get(name, ()) != second.get(name, ())}
    changes = max((path.stat().st_size for path in counted.iterdir()), default=1)
    shutil.rmtree(counted)
    return Whole(inputs, first, frozenset(varying), seconds, changes)


def fresh(inputs: Path, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(inputs, place, symlinks=True)
    return place


# -- disturbances ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What happened in a trial: how the job was disturbed, and what was wrong afterwards."""

    how: str
    hit: bool
    """Whether the job was ended or failed by it."""
    wrong: tuple[str, ...]
    temporary: int = 0
    """Temporary files that are left over after the second go."""
    kills: int = 0
    """How often kill -9 met a process at work."""


def kill_trial(job: Job, rng: random.Random) -> Outcome:
    """Kill a job one to three times, at moments or before changes of files; then let it end."""
    known = whole(job)
    with work_folder(known) as folder:
        how, kills, wrong = [], 0, list[str]()
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            if rng.random() < 0.6:
                number = rng.randint(1, max(2, known.changes))
                how.append(f"before change {number}")
                code, said = finish(
                    start(job.command, folder, CHAOS_KILL=str(number), CHAOS_FOLDER=str(folder.resolve()))
                )
                kills += code == -signal.SIGKILL
            else:
                after, alone = known.seconds * rng.uniform(0.1, 1.0), rng.random() < 0.3
                how.append(f"after {after:.2f} s{' alone' if alone else ''}")
                process = start(job.command, folder)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(after)
                kills += process.poll() is None
                end(process, alone=alone)
                code, said = process.returncode, ""
            if code not in {0, -signal.SIGKILL}:
                wrong.append(f"exit code {code} before the kill: {said[-300:]}")
            if job.alive:
                code, said = finish(start(job.alive, folder))
                if code:
                    wrong.append(f"what was there before cannot be used: {said[-300:]}")
        wrong += second_go(job, known, folder)
        return Outcome("; ".join(how), kills > 0, tuple(wrong), _temporary(folder), kills)


def second_go(job: Job, known: Whole, folder: Path) -> list[str]:
    """Give the command again: what is wrong with what it makes."""
    code, said = finish(start(job.command, folder))
    for _ in range(20):  # a child of the killed process may hold its lock for a moment
        if code != 2 or "another" not in said:
            break
        time.sleep(0.3)
        code, said = finish(start(job.command, folder))
    if code:
        return [f"exit code {code}: {said[-500:]}"]
    return differences(known, snapshot(folder))


def _temporary(folder: Path) -> int:
    return sum(path.is_file() for path in (folder / TEMPORARY).rglob("*"))


def fault_trial(job: Job, rng: random.Random, kind: str) -> Outcome:
    """Let a job meet a fault of the machine: it ends well or with one line; without the fault it comes to its end."""
    known = whole(job)
    with work_folder(known, tiny=kind == "full") as folder:
        with suppress(OSError):
            (folder / TEMPORARY).mkdir(exist_ok=True)
        if kind == "full":
            spare = rng.randint(4, 400) << 10
            fill = _fill(folder, spare)
            code, said = finish(start(job.command, folder))
            fill.unlink()
            how = f"{spare >> 10} KB left on the disk"
        elif kind == "read-only":
            with read_only(folder):
                code, said = finish(start(job.command, folder))
            how = kind
        elif kind == "clock":
            off = rng.choice((-(10**9), 10**9, 86400, -86400))
            code, said = finish(start(job.command, folder, CHAOS_CLOCK=str(off)))
            how = f"clock off by {off} s"
        else:
            limit = {
                "fsize": rng.randint(1, 200) << 10,
                "nofile": rng.randint(12, 48),
                "as": rng.randint(100, 1200) << 20,
            }
            how = f"{kind} {limit[kind]}"
            code, said = finish(start(job.command, folder, CHAOS_LIMIT=f"{kind}:{limit[kind]}"))
        wrong = [] if decent(code, said) else [f"exit code {code}: {said[-700:]}"]
        if job.alive:
            ready, words = finish(start(job.alive, folder))
            if ready:
                wrong.append(f"what was there before cannot be used: {words[-300:]}")
        wrong += second_go(job, known, folder)
        return Outcome(how, code != 0, tuple(wrong), _temporary(folder))


def decent(code: int, said: str) -> bool:
    """Whether a command ended as commands may end: well, or with a line that says why.

    Libraries end the process where there is no memory; they say so, and nobody can do better.
    """
    if code == -signal.SIGABRT and "memory allocation" in said:
        return True
    return code in {0, 2, 3} and "Traceback" not in said


def race_trial(job: Job, rng: random.Random) -> Outcome:
    """The same command twice at once, the second a little later: one does it, or both do; nothing is mixed up."""
    known = whole(job)
    with work_folder(known) as folder:
        late = known.seconds * rng.uniform(0, 0.9)
        first = start(job.command, folder)
        time.sleep(late)
        second = start(job.command, folder)
        ends = [finish(first), finish(second)]
        wrong = [f"exit code {code}: {said[-300:]}" for code, said in ends if not decent(code, said)]
        if all(code for code, _ in ends):
            wrong.append("neither of the two came to its end")
        wrong += second_go(job, known, folder)
        return Outcome(
            f"a second one {late:.2f} s later", any(code for code, _ in ends), tuple(wrong), _temporary(folder)
        )


@contextmanager
def work_folder(known: Whole, *, tiny: bool = False) -> Iterator[Path]:
    """A fresh folder with the inputs; a tiny one has a disk of its own."""
    with tempfile.TemporaryDirectory(prefix="adjudge-chaos-", ignore_cleanup_errors=True) as name:
        place = Path(name).resolve() / "disk"
        place.mkdir()
        if tiny:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", place], check=True, capture_output=True)
        try:
            yield Path(shutil.copytree(known.inputs, place / "work", symlinks=True))
        finally:
            if tiny:
                subprocess.run(["umount", "-l", place], check=False, capture_output=True)


def _fill(folder: Path, spare: int) -> Path:
    """A file that leaves so many bytes of the disk."""
    path = folder.parent / "filler"
    free = shutil.disk_usage(folder).free
    path.write_bytes(bytes(max(0, free - spare)))
    return path


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing can be written into a folder, not by root either."""
    subprocess.run(["mount", "--bind", folder, folder], check=True, capture_output=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True, capture_output=True)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=False, capture_output=True)


@cache
def may_mount() -> bool:
    """Whether this process may make disks of its own."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
            done = subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False
        if done:
            subprocess.run(["umount", "-l", folder], check=False, capture_output=True)
        return done


FAULTS = ("full", "read-only", "fsize", "nofile", "as", "clock")
MOUNTED = {"full", "read-only"}


def trial(job: Job, rng: random.Random, kind: str) -> Outcome:
    if kind == "kill":
        return kill_trial(job, rng)
    if kind == "race":
        return race_trial(job, rng)
    return fault_trial(job, rng, kind)


def to_json(number: int, job: Job, kind: str, outcome: Outcome) -> Mapping[str, Any]:
    """What a ledger has of a trial."""
    told = {"how": outcome.how, "hit": outcome.hit, "wrong": list(outcome.wrong), "temporary": outcome.temporary}
    told["kills"] = outcome.kills
    return {"number": number, "job": job.name, "kind": kind, **told}
