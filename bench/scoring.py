"""Scoring runs from files on disk, start-up included: adjudge beside pytrec_eval (trec_eval's own code) and others.

    python bench/scoring.py                 # 50 topics, 1,000 topics, 100 runs
    python bench/scoring.py --large         # 10,000 topics × 1,000 documents as well: ten million lines
    python bench/scoring.py --repeat 5

Nine measures, per topic: map, recip_rank, P_10, ndcg, ndcg_cut_10, Rprec, bpref, recall_1000, gm_map. Every tool runs
in a process of its own, in turn, and the best of several times counts; memory is the peak of the process. A peer that
is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from data import make

NAMES = ("map", "recip_rank", "P_10", "ndcg", "ndcg_cut_10", "Rprec", "bpref", "recall_1000", "gm_map")

PYTREC_EVAL = """
import sys, pytrec_eval
names = sys.argv[1].split(",")
with open(sys.argv[2]) as file:
    qrels = pytrec_eval.parse_qrel(file)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(names))
for path in sys.argv[3:]:
    with open(path) as file:
        run = pytrec_eval.parse_run(file)
    values = evaluator.evaluate(run)
    for name in names:
        pytrec_eval.compute_aggregated_measure(name, [row[name] for row in values.values()])
"""

IR_MEASURES = """
import sys, ir_measures
from ir_measures import AP, RR, P, nDCG, Rprec, Bpref, R
wanted = [AP, RR, P @ 10, nDCG, nDCG @ 10, Rprec, Bpref, R @ 1000]
qrels = list(ir_measures.read_trec_qrels(sys.argv[2]))
evaluator = ir_measures.evaluator(wanted, qrels)
for path in sys.argv[3:]:
    run = list(ir_measures.read_trec_run(path))
    values = list(evaluator.iter_calc(run))
"""

ADJUDGE = """
import sys, adjudge
scores = adjudge.measure(sys.argv[2], sys.argv[3:], sys.argv[1].split(","))
scores.summary()
"""


def commands(qrels: Path, runs: list[Path]) -> dict[str, list[str]]:
    files = [str(qrels), *map(str, runs)]
    names = ",".join(NAMES)
    made = {
        "adjudge (library)": [sys.executable, "-c", ADJUDGE, names, *files],
        "adjudge (command)": [
            *(sys.executable, "-m", "adjudge", "measure", *files, "-m", names),
            *("--per-topic", "--format", "trec"),
        ],
    }
    if importlib.util.find_spec("pytrec_eval"):
        made["pytrec_eval"] = [sys.executable, "-c", PYTREC_EVAL, names, *files]
    if importlib.util.find_spec("ir_measures"):
        made["ir_measures"] = [sys.executable, "-c", IR_MEASURES, names, *files]
    return made


def timed(command: list[str]) -> tuple[float, float]:
    """Seconds and peak megabytes of one process."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        message = process.stderr.read().decode() if process.stderr else ""
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:3]} failed: {message}")
    return seconds, usage.ru_maxrss / 1024


def compare(title: str, files: tuple[Path, list[Path]], repeat: int) -> None:
    print(f"\n{title}, best of {repeat}")
    tools = commands(*files)
    best: dict[str, tuple[float, float]] = {}
    for _ in range(repeat):
        for name, command in tools.items():
            seconds, megabytes = timed(command)
            known = best.get(name, (float("inf"), float("inf")))
            best[name] = min(known[0], seconds), min(known[1], megabytes)
    peer = best.get("pytrec_eval", (float("nan"),))[0]
    for name, (seconds, megabytes) in best.items():
        print(f"  {name:<18} {seconds:8.3f} s {megabytes:7.0f} MB   {peer / seconds:5.1f} × as fast as pytrec_eval")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    compare("one run of 50 × 1,000", make(options.folder, 50, 1000), options.repeat)
    compare("one run of 1,000 × 1,000", make(options.folder, 1000, 1000), options.repeat)
    compare("100 runs of 50 × 1,000", make(options.folder, 50, 1000, runs=100), options.repeat)
    if options.large:
        compare("one run of 10,000 × 1,000", make(options.folder, 10_000, 1000), max(1, options.repeat // 2))
