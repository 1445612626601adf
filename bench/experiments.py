"""How long a plan takes, page included: 36 runs of TREC-COVID's first round, 129 systems that are made up, the demo.

    python bench/experiments.py
    python bench/experiments.py --covid trec-covid-round1/

Each plan is one command, start-up included. TREC-COVID's runs are read from a folder with ``runs/``, topics and
judgments; without it that plan is left out. The peer is ranx comparing the same runs, which makes no page: one measure,
the paired t test.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COMMAND = [sys.executable, "-m", "adjudge"]
RANX = """
import sys, glob
from ranx import Qrels, Run, compare
qrels = Qrels.from_file(sys.argv[1], kind="trec")
runs = [Run.from_file(path, kind="trec") for path in sorted(glob.glob(sys.argv[2]))]
for number, run in enumerate(runs):
    run.name = str(number)
compare(qrels, runs, ["map"], make_comparable=True, stat_test="student", rounding_digits=4)
"""


def timed(command: list[str]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - began
    return spent, "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["failed"])[-1]


def made_up(folder: Path, systems: int, topics: int, seed: int = 0) -> None:
    """Runs of systems of different quality: 30 relevant documents a topic among 1,000."""
    rng = np.random.default_rng(seed)
    (folder / "runs").mkdir(parents=True)
    with open(folder / "qrels.txt", "w", encoding="ascii") as out:
        for topic in range(topics):
            out.writelines(f"{topic} 0 d{document} {int(document < 30)}\n" for document in range(60))
    for system in range(systems):
        lift = 3 * system / systems
        with open(folder / "runs" / f"system-{system:03}.run", "w", encoding="ascii") as out:
            for topic in range(topics):
                scores = rng.normal(size=1000)
                scores[:30] += lift * rng.random()
                order = np.argsort(-scores)[:100]
                out.writelines(f"{topic} Q0 d{d} {r} {scores[d]:.6f} s\n" for r, d in enumerate(order.tolist(), 1))


def planned(folder: Path, runs: str, judgments: str, topics: str = "") -> Path:
    path = folder / "plan.toml"
    lines = [f"judgments = {judgments!r}", f"runs = {runs!r}"] + ([f"topics = {topics!r}"] if topics else [])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def report(what: str, folder: Path, plan: Path) -> None:
    out = folder / "out"
    first, wrong = timed([*COMMAND, "run", str(plan), "-o", str(out)])
    again, _ = timed([*COMMAND, "run", str(plan), "-o", str(out)])
    size = (out / "report.html").stat().st_size / 1e6 if not wrong else float("nan")
    print(f"| {what} | {first:.1f} s | {again:.1f} s | {size:.2f} MB |{' ' + wrong if wrong else ''}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--covid", type=Path, help="the folder of TREC-COVID's first round")
    options = parser.parse_args()
    print("| plan | first time | again | page |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.covid:
            (folder / "covid").mkdir()
            data = options.covid.resolve()
            judgments, topics = (str(next(data.glob(pattern))) for pattern in ("qrels*", "topics*"))
            plan = planned(folder / "covid", f"{data}/runs", judgments, topics)
            report("36 runs of TREC-COVID", folder / "covid", plan)
            spent, wrong = timed([sys.executable, "-c", RANX, judgments, f"{data}/runs/*"])
            print(f"| the same in ranx: one measure, one test, no page | {spent:.1f} s | | | {wrong}")
        made_up(folder / "many", 129, 50)
        plan = planned(folder / "many", "runs", "qrels.txt")
        report("129 systems × 50 topics", folder / "many", plan)
        out = folder / "demo"
        first, wrong = timed([*COMMAND, "demo", "-o", str(out)])
        again, _ = timed([*COMMAND, "demo", "-o", str(out)])
        size = (out / "report.html").stat().st_size / 1e6 if not wrong else float("nan")
        print(f"| the demo | {first:.1f} s | {again:.1f} s | {size:.2f} MB |{' ' + wrong if wrong else ''}")


if __name__ == "__main__":
    main()
