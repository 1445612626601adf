"""Jobs that are killed and starved: ``PYTHONPATH=tests python -m chaos.drive --trials 1000 --seed 1``.

Trial N of a seed is a job, a disturbance and a moment. A job may be killed with kill -9, alone or with all that it has
started, at a moment or before a change of a file; it may meet a full disk, a disk that cannot be written, few
descriptors, little memory, a clock that is wrong, or another of its kind. Afterwards the same command makes what it
makes undisturbed, byte for byte, and nothing is left over.

With ``--ledger FILE`` every trial becomes a line, and trials that are in it are not done again.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from chaos.jobs import JOBS, SERVING, Job
from chaos.serving import serving_trial
from chaos.trial import FAULTS, MOUNTED, may_mount, to_json, trial

KINDS = ("kill",) * 14 + FAULTS + ("race",)
"""Two of three trials are kills."""


def draw(seed: int, number: int, jobs: tuple[Job, ...] = JOBS, kinds: tuple[str, ...] = KINDS) -> Any:
    """Job, kind of disturbance and generator of a trial."""
    rng = random.Random(f"chaos {seed} {number}")
    weights = [job.weight for job in jobs]
    job = rng.choices(jobs, weights if any(weights) else None)[0]
    return job, "kill" if job.name == SERVING else rng.choice(kinds), rng


def possible(job: Job, kind: str) -> bool:
    if kind in MOUNTED and not may_mount():
        return False
    return not job.extra or importlib.util.find_spec(job.extra) is not None


def summary(lines: list[dict[str, Any]]) -> str:
    hits = Counter(line["kind"] for line in lines if line["hit"])
    rows = [
        f"{kind:10} {times:,} trials, {hits[kind]:,} of them ended or refused by it"
        for kind, times in Counter(line["kind"] for line in lines).items()
    ]
    wrong = [line for line in lines if line["wrong"]]
    rows += [f"    {line['number']} {line['job']}, {line['kind']}, {line['how']}: {line['wrong'][0]}" for line in wrong]
    left, kills = sum(line["temporary"] for line in lines), sum(line.get("kills", 0) for line in lines)
    done = f"{len(lines):,} trials, {kills:,} kills"
    rows.append(f"{done}: {len(wrong):,} with something wrong, {left:,} temporary files left over")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("jobs", nargs="*", help="jobs to disturb (default: all)")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first trial")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=sorted(set(KINDS)), help="only these disturbances")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no trial after so many")
    parser.add_argument("--report", action="store_true", help="add up the ledger, and try nothing")
    arguments = parser.parse_args()
    ledger, lines = arguments.ledger, list[dict[str, Any]]()
    if ledger is not None and ledger.exists():
        lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    if arguments.report:
        print(summary(lines))
        return 0
    jobs = tuple(job for job in JOBS if not arguments.jobs or job.name in arguments.jobs)
    kinds = tuple(kind for kind in KINDS if not arguments.kind or kind in arguments.kind)
    known = {line["number"] for line in lines if line.get("seed", 1) == arguments.seed}

    until = time.monotonic() + arguments.seconds

    def one(number: int) -> None:
        job, kind, rng = draw(arguments.seed, number, jobs, kinds)
        if number in known or time.monotonic() > until or not possible(job, kind):
            return
        outcome = serving_trial(rng) if job.name == SERVING else trial(job, rng, kind)
        line = {**to_json(number, job, kind, outcome), "seed": arguments.seed}
        lines.append(line)
        if ledger is not None:
            with ledger.open("a") as file:
                file.write(json.dumps(line) + "\n")
        mark = f": {line['wrong'][0]}" if line["wrong"] else ""
        print(f"{number} {line['job']}, {kind}, {line['how']}{mark}", flush=True)

    with ThreadPoolExecutor(arguments.workers) as pool:
        list(pool.map(one, range(arguments.first, arguments.first + arguments.trials)))
    print(summary(lines))
    return 1 if any(line["wrong"] for line in lines) else 0


if __name__ == "__main__":
    raise SystemExit(main())
