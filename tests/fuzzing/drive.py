"""Fuzzing with many inputs: ``PYTHONPATH=tests python -m fuzzing.drive --inputs 1000000 --seed 1``.

Inputs are tried in processes of their own, one after the other in each, which take one block of inputs after another; a
process that ends, takes too long over one input or too much memory is a crash or a hang, is noted, and another goes on
behind it. What is wrong is listed with
target, seed and number; ``--save`` puts the inputs into the corpus that the tests replay.

With ``--ledger FILE`` every block of inputs that was tried becomes a line of that file, and blocks that are in it are
not tried again: a million inputs can be tried in several sittings, and ``--report`` adds them up.
"""

from __future__ import annotations

import argparse
import json
import math
import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from fuzzing.attempt import SANITIZED, attempt, empty, make, no_waiting, room
from fuzzing.targets import BY_NAME, TARGETS

LIMIT = 10.0
"""Seconds that an input may take; on a busy machine the processor's, which the process itself counts."""
PATIENCE = 12
"""So many times the limit may pass on the clock."""
MEMORY = 4 << 30
BLOCK = 2500
"""Inputs that are a line of the ledger."""
CORPUS = Path(__file__).parent / "corpus"
STATE = struct.Struct("<qq")
FINE = {"accepted", "refused"}


class Block(NamedTuple):
    """Some inputs of one target."""

    target: str
    first: int
    last: int


def work(state_path: str) -> None:
    """Try the blocks that come in, a line each, and say before each input which one it is."""
    with open(state_path, "r+b") as file:
        state = mmap.mmap(file.fileno(), STATE.size)
    with no_waiting(), room() as folder:
        for done, line in enumerate(sys.stdin):
            name, seed, first, last = json.loads(line)
            target, began = BY_NAME[name], processor_seconds()
            for number in range(first, last):
                STATE.pack_into(state, 0, number, done)
                before = processor_seconds()
                outcome = attempt(target, make(target, seed, number, folder))
                took = processor_seconds() - before
                if took > LIMIT:
                    outcome = f"slow: {took:.0f} s"
                sys.stdout.write(json.dumps([number, outcome]) + "\n")
                empty(folder)
            sys.stdout.write(json.dumps(["seconds", processor_seconds() - began]) + "\n")
            sys.stdout.flush()
            STATE.pack_into(state, 0, last, done + 1)


def processor_seconds() -> float:
    """Of this process, and of those that it has started and that have ended."""
    return sum(os.times()[:4])


class Worker:
    """A process that tries one block after another; loading what it needs takes as long as a thousand inputs."""

    def __init__(self) -> None:
        handle, self.state_path = tempfile.mkstemp(prefix="adjudge-fuzz-")
        os.write(handle, STATE.pack(-1, 0))
        os.close(handle)
        self.output, self.complaints = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  see close
        command = [sys.executable, "-m", "fuzzing.drive", "--work", self.state_path]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=self.output, stderr=self.complaints, text=True
        )
        self.read = self.asked = 0

    def ask(self, block: Block, seed: int) -> None:
        assert self.process.stdin is not None
        self.asked += 1
        with suppress(BrokenPipeError):  # it has ended, which its exit code tells
            self.process.stdin.write(json.dumps([block.target, seed, block.first, block.last]) + "\n")
            self.process.stdin.flush()

    def state(self) -> tuple[int, int]:
        """The number of the input that it tries, and how many blocks it has done."""
        number, done = STATE.unpack(Path(self.state_path).read_bytes())
        return int(number), int(done)

    def lines(self) -> list[bytes]:
        """What it has said since it was last asked."""
        self.output.seek(self.read)
        said = self.output.read()
        self.read += len(said)
        return said.splitlines()

    def complaint(self) -> str:
        """What a sanitizer said before it ended."""
        self.complaints.seek(0)
        text = self.complaints.read().decode("utf-8", "replace")
        said = re.search(r"(AddressSanitizer: .*|runtime error: .*)", text)
        place = re.search(r"#\d+ \S+ in (\w+) .*?(\w+\.c:\d+)", text)
        return f" {said[1][:200]} {' '.join(place.groups()) if place else ''}" if said else ""

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.output.close()
        self.complaints.close()
        os.unlink(self.state_path)


class Job:
    """A block of inputs, tried by one process, or by several where some are ended."""

    def __init__(self, block: Block, seed: int, worker: Worker) -> None:
        self.block, self.seed, self.at, self.worker = block, seed, block.first, worker
        self.outcomes: Counter[str] = Counter()
        self.wrong: dict[int, str] = {}
        self.seconds = 0.0
        self.start()

    def start(self) -> None:
        self.seen, self.since = -1, time.monotonic()
        self.worker.ask(self.block._replace(first=self.at), self.seed)

    def poll(self) -> bool:
        """Whether it goes on."""
        code = self.worker.process.poll()
        number, done = self.worker.state()
        if done == self.worker.asked:
            self._count()
            return False
        if code is None:
            if number != self.seen:
                self.seen, self.since = number, time.monotonic()
            why = "hang" if time.monotonic() - self.since > LIMIT * PATIENCE else ""
            why = why or ("memory beyond all limits" if _resident(self.worker.process.pid) > MEMORY else "")
            if not why:
                return True
        else:
            why = f"crash: exit code {code}{self.worker.complaint()}"
        number = max(number, self.at)
        self._count()
        self.wrong[number] = why
        self.worker.close()
        self.worker = Worker()
        self.at = number + 1
        if self.at >= self.block.last or len(self.wrong) > 100:
            return False
        self.start()
        return True

    def _count(self) -> None:
        """Count what the process has tried."""
        for line in self.worker.lines():
            if not line.startswith(b"[") or not line.endswith(b"]"):
                continue
            number, outcome = json.loads(line)
            if number == "seconds":
                self.seconds += outcome
                continue
            self.outcomes[outcome if outcome in FINE else "wrong"] += 1
            if outcome not in FINE:
                self.wrong[number] = outcome

    def line(self) -> dict[str, Any]:
        """What the ledger has of it."""
        return {
            **self.block._asdict(),
            "seed": self.seed,
            "sanitized": SANITIZED,
            "seconds": round(self.seconds, 1),
            **{what: self.outcomes[what] for what in sorted(FINE)},
            "defects": {str(number): why for number, why in sorted(self.wrong.items())},
        }


def _resident(process: int) -> int:
    """Bytes of memory that a process has now; 0 where that cannot be known."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def blocks(names: list[str], inputs: int, size: int = BLOCK) -> Iterator[Block]:
    """Inputs shared out to targets by their shares; all targets have their first block before one has its second."""
    whole = sum(BY_NAME[name].share for name in names)
    each = {name: math.ceil(inputs * BY_NAME[name].share / whole) for name in names}
    for first in range(0, max(each.values()), size):
        for name in names:
            if first < each[name]:
                yield Block(name, first, min(first + size, each[name]))


def read_ledger(path: Path | None) -> list[dict[str, Any]]:
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]


def fuzz(
    wanted: list[Block], seed: int, workers: int, ledger: Path | None, seconds: float = math.inf
) -> list[dict[str, Any]]:
    """Try blocks in several processes; those of the ledger are known, and none is begun after so many seconds."""
    lines = [line for line in read_ledger(ledger) if line["seed"] == seed]
    known = {Block(line["target"], line["first"], line["last"]) for line in lines}
    waiting, running, idle = [block for block in wanted if block not in known], list[Job](), list[Worker]()
    until = time.monotonic() + seconds
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(Job(waiting.pop(0), seed, idle.pop() if idle else Worker()))
        time.sleep(0.05)
        for job in list(running):
            if job.poll():
                continue
            running.remove(job)
            idle.append(job.worker)
            lines.append(job.line())
            if ledger is not None:
                with ledger.open("a") as file:
                    file.write(json.dumps(lines[-1]) + "\n")
            counted = ", ".join(f"{n:,} {what}" for what, n in sorted(job.outcomes.items()))
            print(f"{job.block.target:20} from {job.block.first:,}: {counted}", flush=True)
            for number, why in sorted(job.wrong.items())[:12]:
                print(f"    {job.block.target} {seed} {number}: {why}", flush=True)
        if time.monotonic() > until:
            waiting.clear()
    for worker in idle:
        worker.close()
    return lines


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


def summary(lines: list[dict[str, Any]]) -> str:
    """How many inputs were tried, and what came of them, by target and in all."""
    total: Counter[str] = Counter()
    rows = []
    for name in dict.fromkeys(line["target"] for line in lines):
        own = [line for line in lines if line["target"] == name]
        counted = Counter({what: sum(line[what] for line in own) for what in FINE})
        counted["defects"] = sum(len(line["defects"]) for line in own)
        counted["sanitized"] = sum(line["accepted"] + line["refused"] for line in own if line["sanitized"])
        total += counted
        rows.append(
            f"{name:20} " + ", ".join(f"{counted[what]:,} {what}" for what in ("accepted", "refused", "defects"))
        )
    tried = total["accepted"] + total["refused"] + total["defects"]
    seconds = sum(line.get("seconds", 0) for line in lines)
    seeds = ", ".join(str(seed) for seed in sorted({line["seed"] for line in lines}))
    rows.append(
        f"{tried:,} inputs of seed {seeds}, {total['sanitized']:,} of them under AddressSanitizer: "
        f"{total['accepted']:,} accepted, {total['refused']:,} refused, {total['defects']:,} defects; "
        f"{seconds:,.0f} s of processor time"
    )
    return "\n".join(rows)


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2])
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("targets", nargs="*", help="readers to fuzz (default: all)")
    parser.add_argument("--inputs", type=int, default=20_000, help="inputs, shared out by what they cost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--ledger", type=Path, help="file with a line for every block that was tried; they are kept")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no block after so many")
    parser.add_argument("--report", action="store_true", help="add up the ledger, and try nothing")
    parser.add_argument("--save", action="store_true", help="keep inputs that show a defect in the corpus")
    arguments = parser.parse_args()
    if arguments.report:
        print(summary(read_ledger(arguments.ledger)))
        return 0
    wanted = list(blocks(arguments.targets or [t.name for t in TARGETS], arguments.inputs))
    lines = fuzz(wanted, arguments.seed, arguments.workers, arguments.ledger, arguments.seconds)
    print(summary(lines))
    wrong = [(line["target"], line["seed"], int(number)) for line in lines for number in line["defects"]]
    for one in wrong if arguments.save else ():
        save(*one)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
