"""Why there is a compiled kernel: what libraries alone reach on the part of the work that every route must do.

    python bench/why_kernel.py

Each route reads the same run and judgments, joins them, puts the documents in order and counts the relevant documents
among the first ten, in a process of its own with start-up included; no measure beyond that. A route that is not faster
than the target (a quarter of pytrec_eval's time for all nine measures) cannot reach it once measures are added.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

from data import make
from scoring import commands, timed

POLARS = """
import sys, polars as pl
text, number, whole = pl.String, pl.Float64, pl.Int32
run = pl.read_csv(sys.argv[2], separator=" ", has_header=False, schema={
    "topic": text, "q0": text, "document": text, "rank": whole, "score": number, "tag": text,
}).select("topic", "document", "score")
qrels = pl.read_csv(sys.argv[1], separator=" ", has_header=False, schema={
    "topic": text, "q0": text, "document": text, "grade": whole,
}).select("topic", "document", "grade")
joined = run.join(qrels, on=["topic", "document"], how="left").sort(
    ["topic", "score", "document"], descending=[False, True, True])
ranked = joined.with_columns(rank=pl.int_range(1, pl.len() + 1).over("topic"))
print(ranked.filter((pl.col("rank") <= 10) & (pl.col("grade") >= 1)).height)
"""

NUMBA_START = "import numba, numpy"

PYTHON = """
import sys
qrels = {}
for line in open(sys.argv[1]):
    topic, _, document, grade = line.split()
    qrels.setdefault(topic, {})[document] = int(grade)
run = {}
for line in open(sys.argv[2]):
    topic, _, document, _, score, _ = line.split()
    run.setdefault(topic, []).append((float(score), document))
print(sum(qrels.get(t, {}).get(d, 0) >= 1 for t, docs in run.items() for _, d in sorted(docs, reverse=True)[:10]))
"""

OURS = """
import sys, adjudge
scores = adjudge.measure(sys.argv[1], [sys.argv[2]], ["p@10"])
print(round(10 * scores.values.sum()))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    qrels, runs = make(options.folder, 1000, 1000)
    files = [str(qrels), str(runs[0])]
    peer = commands(qrels, runs).get("pytrec_eval")
    routes = {
        "pytrec_eval, all nine measures": peer,
        "polars: read, join, sort, rank": [sys.executable, "-c", POLARS, *files],
        "numba: import alone": [sys.executable, "-c", NUMBA_START] if importlib.util.find_spec("numba") else None,
        "Python dicts": [sys.executable, "-c", PYTHON, *files],
        "adjudge, Python kernel": ["env", "ADJUDGE_KERNEL=python", sys.executable, "-c", OURS, *files],
        "adjudge, compiled kernel": [sys.executable, "-c", OURS, *files],
    }
    best = {name: min(timed(c)[0] for _ in range(options.repeat)) for name, c in routes.items() if c is not None}
    print(f"one run of 1,000 × 1,000, best of {options.repeat}")
    for name, seconds in best.items():
        print(f"  {name:<32} {seconds:6.3f} s")
    if peer is not None:
        print(f"  {'target: a quarter of pytrec_eval':<32} {best['pytrec_eval, all nine measures'] / 4:6.3f} s")


if __name__ == "__main__":
    main()
