"""Fuzzing with many inputs: ``PYTHONPATH=tests python -m fuzzing.drive --inputs 1000000 --seed 1``.

Inputs are tried in processes of their own, one after the other in each; a process that ends or takes too long over one
input is a crash or a hang, is noted, and another goes on behind it. What is wrong is listed with target, seed and
number; ``--save`` puts the inputs into the corpus that the tests replay.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from fuzzing.attempt import attempt, make
from fuzzing.targets import BY_NAME, TARGETS

LIMIT = 10.0
"""Seconds that an input may take; on a busy machine the processor's, which the process itself counts."""
PATIENCE = 6
"""So many times the limit may pass on the clock."""
MEMORY = 4 << 30
CORPUS = Path(__file__).parent / "corpus"
STATE = struct.Struct("<q")


def work(name: str, seed: int, first: int, last: int, state_path: str) -> None:
    """Try some inputs, and say before each which one it is."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    target = BY_NAME[name]
    with open(state_path, "r+b") as file:
        state = mmap.mmap(file.fileno(), STATE.size)
    for number in range(first, last):
        STATE.pack_into(state, 0, number)
        began = time.process_time()
        with tempfile.TemporaryDirectory(prefix="adjudge-fuzz-") as folder:
            outcome = attempt(target, make(target, seed, number, Path(folder)))
        if time.process_time() - began > LIMIT:
            outcome = f"slow: {time.process_time() - began:.0f} s"
        print(json.dumps([number, outcome]), flush=True)
    STATE.pack_into(state, 0, last)


class Job:
    """A range of inputs of one target, tried by one process after another."""

    def __init__(self, name: str, seed: int, first: int, last: int) -> None:
        self.name, self.seed, self.at, self.last = name, seed, first, last
        handle, self.state_path = tempfile.mkstemp(prefix="adjudge-fuzz-")
        os.write(handle, STATE.pack(first))
        os.close(handle)
        self.outcomes: Counter[str] = Counter()
        self.wrong: dict[int, str] = {}
        self.seen, self.since = first - 1, time.monotonic()
        self.start()

    def start(self) -> None:
        self.output = tempfile.TemporaryFile()  # noqa: SIM115  closed by the system with the process
        arguments = [self.name, str(self.seed), str(self.at), str(self.last), self.state_path]
        command = [sys.executable, "-m", "fuzzing.drive", "--work", *arguments]
        self.process = subprocess.Popen(command, stdout=self.output, stderr=subprocess.DEVNULL)

    def poll(self) -> bool:
        """Whether it goes on."""
        code = self.process.poll()
        (number,) = STATE.unpack(Path(self.state_path).read_bytes())
        if code is None:
            if number != self.seen:
                self.seen, self.since = number, time.monotonic()
            if time.monotonic() - self.since < LIMIT * PATIENCE:
                return True
            self.process.kill()
            self.process.wait()
            self._count()
            self.wrong[number] = "hang"
        else:
            self._count()
            if code != 0:
                self.wrong[number] = f"crash: exit code {code}"
        self.at = number + 1
        if (code == 0 or self.at >= self.last) or len(self.wrong) > 100:
            os.unlink(self.state_path)
            return False
        Path(self.state_path).write_bytes(STATE.pack(self.at - 1))
        self.start()
        return True

    def _count(self) -> None:
        self.output.seek(0)
        for line in self.output.read().splitlines():
            if not line.startswith(b"["):
                continue
            number, outcome = json.loads(line)
            self.outcomes[outcome if outcome in {"accepted", "refused"} else "wrong"] += 1
            if outcome not in {"accepted", "refused"}:
                self.wrong[number] = outcome
        self.output.close()


def fuzz(names: list[str], inputs: int, seed: int, workers: int) -> dict[str, Job]:
    """Share inputs out to targets and targets to processes."""
    each = -(-inputs // len(names))
    waiting, running, done = list(names), list[Job](), dict[str, Job]()
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(Job(waiting.pop(0), seed, 0, each))
        time.sleep(0.05)
        for job in list(running):
            if not job.poll():
                running.remove(job)
                done[job.name] = job
                counted = ", ".join(f"{n:,} {what}" for what, n in sorted(job.outcomes.items()))
                print(f"{job.name:20} {counted}", flush=True)
                for number, why in sorted(job.wrong.items())[:12]:
                    print(f"    {job.name} {seed} {number}: {why}", flush=True)
    return done


def save(name: str, seed: int, number: int) -> Path | None:
    """Keep an input for the tests; folders are kept by tests of their own."""
    with tempfile.TemporaryDirectory() as folder:
        path = make(BY_NAME[name], seed, number, Path(folder))
        if not path.is_file():
            return None
        target = CORPUS / name / f"{seed}-{number}"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        return target


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        name, seed, first, last, state = sys.argv[2:]
        work(name, int(seed), int(first), int(last), state)
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("targets", nargs="*", help="readers to fuzz (default: all)")
    parser.add_argument("--inputs", type=int, default=20_000, help="inputs, shared out evenly")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--save", action="store_true", help="keep inputs that show a defect in the corpus")
    arguments = parser.parse_args()
    done = fuzz(arguments.targets or [t.name for t in TARGETS], arguments.inputs, arguments.seed, arguments.workers)
    total: Counter[str] = Counter()
    for job in done.values():
        total += job.outcomes
        if arguments.save:
            for number in job.wrong:
                save(job.name, arguments.seed, number)
    defects = sum(len(job.wrong) for job in done.values())
    print(
        f"{total.total():,} inputs: {total['accepted']:,} accepted, {total['refused']:,} refused, {defects:,} defects"
    )
    return 1 if defects else 0


if __name__ == "__main__":
    raise SystemExit(main())
