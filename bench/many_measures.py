"""Thirty measures of ir_measures in one go, from files on disk, start-up included: adjudge beside ir_measures.

    python bench/many_measures.py                # one run of 1,000 × 1,000: a million lines
    python bench/many_measures.py --topics 50

Both get the same names (adjudge with names="ir_measures"). The last lines show what a second level costs: ten measures
at one level, and twenty at two.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

from data import make
from scoring import timed

NAMES = (
    *("AP", "AP@100", "AP(rel=2)", "AP(judged_only=True)", "RR", "RR(rel=2)", "RR(judged_only=True)", "P@5", "P@10"),
    *("P(rel=2)@10", "P(judged_only=True)@10", "R@10", "R@100", "R@1000", "R(rel=2)@100", "Rprec", "Rprec(rel=2)"),
    *("Bpref", "Bpref(rel=2)", "nDCG", "nDCG@10", "nDCG@100", "nDCG(judged_only=True)@10", "SetP", "SetR", "SetF"),
    *("Success@1", "Success(rel=2)@5", "infAP", "NumRelRet"),
)
TEN = ("ap", "rr", "p@5", "p@10", "recall@10", "recall@100", "rprec", "bpref", "success@5", "set_f")

IR_MEASURES = """
import sys, ir_measures
wanted = [ir_measures.parse_measure(name) for name in sys.argv[1].split(";")]
qrels = list(ir_measures.read_trec_qrels(sys.argv[2]))
run = list(ir_measures.read_trec_run(sys.argv[3]))
ir_measures.calc(wanted, qrels, run)
"""

ADJUDGE = """
import sys, adjudge
scores = adjudge.measure(sys.argv[2], sys.argv[3], sys.argv[1].split(";"), names="ir_measures")
scores.summary()
"""

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench")
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    qrels, (run,) = make(options.folder, options.topics, 1000)
    files = [str(qrels), str(run)]
    two = [f"{name}(rel=2)" for name in TEN]
    commands = {
        "adjudge, 30 measures": [sys.executable, "-c", ADJUDGE, ";".join(NAMES), *files],
        "adjudge, 10 measures": [sys.executable, "-c", ADJUDGE, ";".join(TEN), *files],
        "adjudge, 10 at 2 levels": [sys.executable, "-c", ADJUDGE, ";".join([*TEN, *two]), *files],
    }
    if importlib.util.find_spec("ir_measures"):
        commands["ir_measures, 30"] = [sys.executable, "-c", IR_MEASURES, ";".join(NAMES), *files]
    best = dict.fromkeys(commands, (float("inf"), float("inf")))
    for _ in range(options.repeat):
        for name, command in commands.items():
            seconds, megabytes = timed(command)
            best[name] = min(best[name][0], seconds), min(best[name][1], megabytes)
    ours = best["adjudge, 30 measures"][0]
    print(f"one run of {options.topics:,} × 1,000, best of {options.repeat}")
    for name, (seconds, megabytes) in best.items():
        print(f"  {name:<24} {seconds:8.3f} s {megabytes:7.0f} MB   {seconds / ours:5.1f} × the time of 30 measures")
