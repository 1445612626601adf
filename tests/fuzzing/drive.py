"""Fuzzing with many inputs: ``PYTHONPATH=tests python -m fuzzing.drive --inputs 1000000 --seed 1``.

Inputs are tried in processes of their own, one after the other in each; a process that ends, takes too long over one
input or too much memory is a crash or a hang, is noted, and another goes on behind it. What is wrong is listed with
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
from pathlib import Path
from typing import Any, NamedTuple

from fuzzing.attempt import SANITIZED, attempt, make, no_waiting
from fuzzing.targets import BY_NAME, TARGETS

LIMIT = 10.0
"""Seconds that an input may take; on a busy machine the processor's, which the process itself counts."""
PATIENCE = 12
"""So many times the limit may pass on the clock."""
MEMORY = 4 << 30
BLOCK = 2500
"""Inputs that one process tries before the next takes over."""
CORPUS = Path(__file__).parent / "corpus"
STATE = struct.Struct("<q")
FINE = {"accepted", "refused"}


class Block(NamedTuple):
    """Some inputs of one target."""

    target: str
    first: int
    last: int


def work(name: str, seed: int, first: int, last: int, state_path: str) -> None:
    """Try some inputs, and say before each which one it is."""
    target = BY_NAME[name]
    with open(state_path, "r+b") as file:
        state = mmap.mmap(file.fileno(), STATE.size)
    for number in range(first, last):
        STATE.pack_into(state, 0, number)
        with no_waiting(), tempfile.TemporaryDirectory(prefix="adjudge-fuzz-") as folder:
            path = make(target, seed, number, Path(folder))
            began = time.process_time()
            outcome = attempt(target, path)
            took = time.process_time() - began
        if took > LIMIT:
            outcome = f"slow: {took:.0f} s"
        print(json.dumps([number, outcome]), flush=True)
    STATE.pack_into(state, 0, last)


class Job:
    """A block of inputs, tried by one process after another."""

    def __init__(self, block: Block, seed: int) -> None:
        self.block, self.seed, self.at = block, seed, block.first
        handle, self.state_path = tempfile.mkstemp(prefix="adjudge-fuzz-")
        os.write(handle, STATE.pack(block.first))
        os.close(handle)
        self.outcomes: Counter[str] = Counter()
        self.wrong: dict[int, str] = {}
        self.seen, self.since = block.first - 1, time.monotonic()
        self.start()

    def start(self) -> None:
        self.output = tempfile.TemporaryFile()  # noqa: SIM115  closed when the process has ended
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115
        arguments = [self.block.target, str(self.seed), str(self.at), str(self.block.last), self.state_path]
        command = [sys.executable, "-m", "fuzzing.drive", "--work", *arguments]
        self.process = subprocess.Popen(command, stdout=self.output, stderr=self.complaints)

    def poll(self) -> bool:
        """Whether it goes on."""
        code = self.process.poll()
        (number,) = STATE.unpack(Path(self.state_path).read_bytes())
        if code is None:
            if number != self.seen:
                self.seen, self.since = number, time.monotonic()
            why = "hang" if time.monotonic() - self.since > LIMIT * PATIENCE else ""
            why = why or ("memory beyond all limits" if _resident(self.process.pid) > MEMORY else "")
            if not why:
                return True
            self.process.kill()
            self.process.wait()
            self._count()
            self.wrong[number] = why
        else:
            said = self._count()
            if code != 0:
                self.wrong[number] = f"crash: exit code {code}{said}"
        self.at = number + 1
        if code == 0 or self.at >= self.block.last or len(self.wrong) > 100:
            os.unlink(self.state_path)
            return False
        Path(self.state_path).write_bytes(STATE.pack(self.at - 1))
        self.seen, self.since = number, time.monotonic()
        self.start()
        return True

    def _count(self) -> str:
        """Count what the process has tried; what a sanitizer said before it ended."""
        self.output.seek(0)
        for line in self.output.read().splitlines():
            if not line.startswith(b"["):
                continue
            number, outcome = json.loads(line)
            self.outcomes[outcome if outcome in FINE else "wrong"] += 1
            if outcome not in FINE:
                self.wrong[number] = outcome
        self.complaints.seek(0)
        text = self.complaints.read().decode("utf-8", "replace")
        said = re.search(r"(AddressSanitizer: .*|runtime error: .*)", text)
        place = re.search(r"#\d+ \S+ in (\w+) .*?(\w+\.c:\d+)", text)
        self.output.close()
        self.complaints.close()
        return f" {said[1][:200]} {' '.join(place.groups()) if place else ''}" if said else ""

    def line(self) -> dict[str, Any]:
        """What the ledger has of it."""
        return {
            **self.block._asdict(),
            "seed": self.seed,
            "sanitized": SANITIZED,
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


def fuzz(wanted: list[Block], seed: int, workers: int, ledger: Path | None) -> list[dict[str, Any]]:
    """Try blocks in several processes; those of the ledger are known."""
    lines = [line for line in read_ledger(ledger) if line["seed"] == seed]
    known = {Block(line["target"], line["first"], line["last"]) for line in lines}
    waiting, running = [block for block in wanted if block not in known], list[Job]()
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(Job(waiting.pop(0), seed))
        time.sleep(0.05)
        for job in list(running):
            if job.poll():
                continue
            running.remove(job)
            lines.append(job.line())
            if ledger is not None:
                with ledger.open("a") as file:
                    file.write(json.dumps(lines[-1]) + "\n")
            counted = ", ".join(f"{n:,} {what}" for what, n in sorted(job.outcomes.items()))
            print(f"{job.block.target:20} from {job.block.first:,}: {counted}", flush=True)
            for number, why in sorted(job.wrong.items())[:12]:
                print(f"    {job.block.target} {seed} {number}: {why}", flush=True)
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
    seeds = ", ".join(str(seed) for seed in sorted({line["seed"] for line in lines}))
    rows.append(
        f"{tried:,} inputs of seed {seeds}, {total['sanitized']:,} of them under AddressSanitizer: "
        f"{total['accepted']:,} accepted, {total['refused']:,} refused, {total['defects']:,} defects"
    )
    return "\n".join(rows)


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        name, seed, first, last, state = sys.argv[2:]
        work(name, int(seed), int(first), int(last), state)
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("targets", nargs="*", help="readers to fuzz (default: all)")
    parser.add_argument("--inputs", type=int, default=20_000, help="inputs, shared out by what they cost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--ledger", type=Path, help="file with a line for every block that was tried; they are kept")
    parser.add_argument("--report", action="store_true", help="add up the ledger, and try nothing")
    parser.add_argument("--save", action="store_true", help="keep inputs that show a defect in the corpus")
    arguments = parser.parse_args()
    if arguments.report:
        print(summary(read_ledger(arguments.ledger)))
        return 0
    wanted = list(blocks(arguments.targets or [t.name for t in TARGETS], arguments.inputs))
    lines = fuzz(wanted, arguments.seed, arguments.workers, arguments.ledger)
    print(summary(lines))
    wrong = [(line["target"], line["seed"], int(number)) for line in lines for number in line["defects"]]
    for one in wrong if arguments.save else ():
        save(*one)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
