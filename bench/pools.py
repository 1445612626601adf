"""Pools: 500 runs of 250 topics to depth 100, and a queue over 2 million pairs.

python bench/pools.py [--runs 500] [--topics 250] [--depth 100]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from adjudge.pools.judging_queue import JudgingQueue
from adjudge.pools.pool_files import open_pool, write_pool
from adjudge.pools.pool_making import make_pool


def write_runs(folder: Path, runs: int, topics: int, depth: int) -> list[tuple[str | None, str]]:
    """Runs of TREC lines; about 8,000 different documents a topic are pooled from 500 runs."""
    rng = np.random.default_rng(0)
    files: list[tuple[str | None, str]] = []
    for r in range(runs):
        lines = []
        for t in range(topics):
            ids = np.unique((rng.pareto(0.45, depth * 2) * 40).astype(np.int64) % 200_000)
            ids = rng.permutation(ids)[:depth]
            lines += [f"{t + 1} Q0 doc-{t}-{d:07d} {p + 1} {depth - p} run{r}\n" for p, d in enumerate(ids.tolist())]
        path = folder / f"run{r}"
        path.write_text("".join(lines))
        files.append((f"run{r}", str(path)))
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("runs", 500), ("topics", 250), ("depth", 100)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        files = write_runs(Path(scratch), options.runs, options.topics, options.depth)
        start, begun = time.perf_counter(), time.process_time()
        pool = make_pool(files, f"depth@{options.depth}")
        pooled, spent = time.perf_counter(), time.process_time() - begun
        write_pool(pool, Path(scratch) / "project")
        written = time.perf_counter()
        print(pool)
        print(f"pool {pooled - start:.1f} s ({spent:.1f} s of processor time), written {written - pooled:.1f} s")
        again = open_pool(Path(scratch) / "project")
        opened = time.perf_counter()
        print(f"opened {opened - written:.2f} s")
        for priority in ("max_mean", "hedge"):
            queue = JudgingQueue(again, priority)
            times, rng = [], np.random.default_rng(1)
            for _ in range(300):
                begin = time.perf_counter()
                pair = queue.next(str(rng.integers(1, options.topics + 1)))
                if pair is not None:
                    queue.judge(pair.topic, pair.document, int(rng.random() < 0.2))
                times.append(1000 * (time.perf_counter() - begin))
            first, last = np.quantile(times, [0.5, 0.99])
            print(f"{priority}: next and judge, median {first:.1f} ms, 99 of 100 below {last:.1f} ms")
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
