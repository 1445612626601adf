"""Scoring runs from files on disk, start-up included: adjudge beside trec_eval, pytrec_eval (its code) and others.

    python bench/scoring.py                    # 50 topics, 1,000 topics, 100 runs, a million rows in other formats
    python bench/scoring.py --large            # 10,000 topics × 1,000 documents as well: ten million lines
    python bench/scoring.py --growth           # how time and memory grow from one to eight million lines
    python bench/scoring.py --huge             # 10,000 × 10,000 lines of 98 bytes, almost 10 GB: adjudge alone
    python bench/scoring.py --small            # 50 topics and nothing else
    python bench/scoring.py --processor        # processor time in place of the clock, for a machine that is not quiet
    python bench/scoring.py --repeat 5 --trec-eval ~/trec_eval/trec_eval

Nine measures, per topic: map, recip_rank, P_10, ndcg, ndcg_cut_10, Rprec, bpref, recall_1000, gm_map. Every tool runs
in a process of its own, in turn, and the best of several times counts; memory is the peak of the process. A peer that
is not installed is left out; trec_eval is looked for on the PATH.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from data import make, make_wide

TREC_EVAL = "trec_eval (C)"
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


def trec_options() -> list[str]:
    """The nine measures as trec_eval is asked for them."""
    cut = {"P_10": "P.10", "ndcg_cut_10": "ndcg_cut.10", "recall_1000": "recall.1000"}
    return ["-q", *(word for name in NAMES for word in ("-m", cut.get(name, name)))]


def commands(qrels: Path, runs: list[Path], trec_eval: str | None = None) -> dict[str, list[str]]:
    files = [str(qrels), *map(str, runs)]
    names = ",".join(NAMES)
    made = {
        "adjudge measure": [
            *(sys.executable, "-m", "adjudge", "measure", *files, "-m", names),
            *("--per-topic", "--format", "trec"),
        ],
        "adjudge (library)": [sys.executable, "-c", ADJUDGE, names, *files],
    }
    if len(runs) == 1:
        made["adjudge trec_eval"] = [sys.executable, "-m", "adjudge", "trec_eval", *trec_options(), *files]
        if trec_eval is not None:
            made[TREC_EVAL] = [trec_eval, *trec_options(), *files]
    if importlib.util.find_spec("pytrec_eval"):
        made["pytrec_eval"] = [sys.executable, "-c", PYTREC_EVAL, names, *files]
    if importlib.util.find_spec("ir_measures"):
        made["ir_measures"] = [sys.executable, "-c", IR_MEASURES, names, *files]
    return made


os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it, sources would be compiled at every start

BY_PROCESSOR = "--processor" in sys.argv


def timed(command: list[str]) -> tuple[float, float]:
    """Seconds and peak megabytes of one process; seconds of processor time if that was asked for."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        message = process.stderr.read().decode() if process.stderr else ""
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:3]} failed: {message}")
    return usage.ru_utime + usage.ru_stime if BY_PROCESSOR else seconds, usage.ru_maxrss / 1024


Best = dict[str, tuple[float, float]]
"""{tool: (seconds, megabytes)}"""


def best_of(tools: dict[str, list[str]], repeat: int) -> Best:
    """Each tool in turn, as often as that; the best time and the least memory of each."""
    best: Best = {}
    for _ in range(repeat):
        for name, command in tools.items():
            seconds, megabytes = timed(command)
            known = best.get(name, (math.inf, math.inf))
            best[name] = min(known[0], seconds), min(known[1], megabytes)
    return best


def compare(title: str, tools: dict[str, list[str]], repeat: int) -> None:
    print(f"\n{title}, best of {repeat}", flush=True)
    best = best_of(tools, repeat)
    peers = [peer for peer in (TREC_EVAL, "pytrec_eval") if peer in best]
    for name, (seconds, megabytes) in best.items():
        ratios = "".join(f"   {best[peer][0] / seconds:5.2f} × as fast as {peer}" for peer in peers)
        print(f"  {name:<18} {seconds:8.3f} s {megabytes:7.0f} MB{ratios}", flush=True)


def start_up() -> dict[str, list[str]]:
    return {"python": [sys.executable, "-c", "pass"], "import numpy": [sys.executable, "-c", "import numpy"]}


def formats(folder: Path, repeat: int) -> None:
    """A million rows as lines of TREC, in CSV, JSON and Parquet: time beside that of the lines."""
    import polars as pl

    from adjudge.formats.runs import read_run, write_run

    qrels, (lines,) = make(folder, 1000, 1000)
    files = {"TREC": lines, **{kind: folder / f"million.{kind}" for kind in ("csv", "json", "parquet")}}
    if not all(path.exists() for path in files.values()):
        run = read_run(lines)
        write_run(run, files["json"])
        write_run(run, files["parquet"])
        pl.read_parquet(files["parquet"]).write_csv(files["csv"])
    print(f"\na million rows in other formats, library, best of {repeat}", flush=True)
    names = ",".join(NAMES)
    tools = {kind: [sys.executable, "-c", ADJUDGE, names, str(qrels), str(path)] for kind, path in files.items()}
    best = best_of(tools, repeat)
    for kind, (seconds, megabytes) in best.items():
        print(
            f"  {kind:<18} {seconds:8.3f} s {megabytes:7.0f} MB   {seconds / best['TREC'][0]:5.2f} × the time of TREC"
        )


def growth(folder: Path, repeat: int, trec_eval: str | None) -> None:
    """One, two, four and eight million lines; the slope is the exponent of size by which time and memory grow."""
    print(f"\ngrowth, best of {repeat}", flush=True)
    sizes = (1, 2, 4, 8)
    found: dict[str, list[tuple[float, float]]] = {}
    for size in sizes:
        tools = commands(*make(folder, 1000 * size, 1000), trec_eval)
        wanted = {name: tools[name] for name in ("adjudge measure", "adjudge (library)", TREC_EVAL) if name in tools}
        for name, figures in best_of(wanted, repeat).items():
            found.setdefault(name, []).append(figures)
    for name, seen in found.items():
        shown = "  ".join(f"{seconds:.3f} s {megabytes:.0f} MB" for seconds, megabytes in seen)
        slopes = [math.log(seen[-1][i] / seen[0][i], sizes[-1]) for i in (0, 1)]
        print(f"  {name:<18} {shown}   slope of time {slopes[0]:.2f}, of memory {slopes[1]:.2f}", flush=True)


def huge(folder: Path) -> None:
    """A hundred million lines, and a tenth of them: memory is that of judgments and blocks."""
    names = ",".join(NAMES)
    print("\nlines of 98 bytes, 10,000 topics, adjudge measure, once each", flush=True)
    for depth in (1000, 10_000):
        qrels, (run,) = make_wide(folder, 10_000, depth)
        command = [sys.executable, "-m", "adjudge", "measure", str(qrels), str(run), "-m", names, "--format", "trec"]
        seconds, megabytes = timed(command)
        size = run.stat().st_size / 1e9
        print(f"  10,000 × {depth:<6,} {size:5.2f} GB {seconds:8.1f} s {megabytes:7.0f} MB", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--trec-eval", default=shutil.which("trec_eval"), help="trec_eval, compiled from its C source")
    for name in ("small", "large", "growth", "huge", "processor"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args()
    peer, repeat = options.trec_eval, options.repeat
    compare("one run of 50 × 1,000", start_up() | commands(*make(options.folder, 50, 1000), peer), repeat)
    if not options.small:
        compare("one run of 1,000 × 1,000", commands(*make(options.folder, 1000, 1000), peer), repeat)
        compare("100 runs of 50 × 1,000", commands(*make(options.folder, 50, 1000, runs=100), peer), repeat)
        formats(options.folder, repeat)
    if options.large:
        large = commands(*make(options.folder, 10_000, 1000), peer)
        compare("one run of 10,000 × 1,000", large, max(1, repeat // 2))
    if options.growth:
        growth(options.folder, max(1, repeat // 2), peer)
    if options.huge:
        huge(options.folder)
