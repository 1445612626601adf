"""Seeded runs and judgments of any size, written once and kept in a folder outside the repository.

    python bench/data.py --topics 1000 --depth 1000 --runs 1 FOLDER

Each topic has 100 judged documents with grades 0 to 3 (most of them 0, one in fifty "in the pool but not judged"); a
run finds about 60 of them, better ones earlier. Runs are sorted by score within a topic, as most runs are; about one
document in forty shares its score with the one before it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

JUDGED = 100
FOUND = 60
DOCUMENTS = 10_000_000


def document(number: int) -> str:
    return f"doc-{number:08d}"


def write_qrels(path: Path, topics: int, seed: int) -> None:
    rng = np.random.default_rng([seed, 0])
    with path.open("w") as out:
        for topic in range(1, topics + 1):
            pool = rng.choice(DOCUMENTS, JUDGED, replace=False)
            grades = rng.choice([-1, 0, 1, 2, 3], JUDGED, p=[0.02, 0.68, 0.18, 0.08, 0.04])
            out.writelines(f"{topic} 0 {document(d)} {g}\n" for d, g in zip(pool, grades, strict=True))


def pools(path: Path) -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    with path.open() as lines:
        for line in lines:
            topic, _, doc, grade = line.split()
            found.setdefault(topic, []).append((doc, int(grade)))
    return found


def write_run(path: Path, qrels: Path, depth: int, seed: int, name: str) -> None:
    rng = np.random.default_rng([seed, 1])
    with path.open("w") as out:
        for topic, pool in pools(qrels).items():
            judged = rng.permutation(len(pool))[: min(FOUND, depth)]
            others = DOCUMENTS + rng.choice(DOCUMENTS, depth - len(judged), replace=False)
            docs = [document(d) for d in others]
            strength = rng.random(len(docs))
            docs.extend(pool[i][0] for i in judged)
            strength = np.concatenate(
                [strength, rng.random(len(judged)) * (1 + np.array([pool[i][1] for i in judged]) / 3)]
            )
            order = np.argsort(-strength, kind="stable")
            gaps = rng.exponential(0.01, depth)
            gaps[rng.random(depth) < 1 / 40] = 0
            scores = 50 - np.cumsum(gaps)
            out.writelines(
                f"{topic} Q0 {docs[d]} {rank} {score:.6f} {name}\n"
                for rank, (d, score) in enumerate(zip(order, scores, strict=True), 1)
            )


def make(folder: Path, topics: int, depth: int, runs: int = 1, seed: int = 1996) -> tuple[Path, list[Path]]:
    """The files, made unless they are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    qrels = folder / f"qrels-{topics}"
    if not qrels.exists():
        part = qrels.with_suffix(".part")
        write_qrels(part, topics, seed)
        part.rename(qrels)
    paths = []
    for i in range(runs):
        path = folder / f"run-{topics}x{depth}-{i:03d}"
        paths.append(path)
        if not path.exists():
            part = path.with_suffix(".part")
            write_run(part, qrels, depth, seed + i, f"run{i:03d}")
            part.rename(path)
    return qrels, paths


WIDE = b"collection-of-the-bench/volume-000/part-00000000/document-"
"""Before the number of a document in files that are large in bytes too."""


def digits(numbers: np.ndarray, width: int) -> np.ndarray:
    """Numbers as rows of so many decimal digits, in bytes."""
    powers = 10 ** np.arange(width - 1, -1, -1, dtype=np.int64)
    return (numbers[:, None] // powers % 10 + ord("0")).astype(np.uint8)


def make_wide(folder: Path, topics: int, depth: int, seed: int = 1996) -> tuple[Path, list[Path]]:
    """Judgments and one run with lines of 100 bytes, written topic by topic: 10,000 × 10,000 take 10 GB."""
    folder.mkdir(parents=True, exist_ok=True)
    qrels, run = folder / f"wide-qrels-{topics}", folder / f"wide-run-{topics}x{depth}"
    if qrels.exists() and run.exists():
        return qrels, [run]
    rng = np.random.default_rng([seed, 2])
    rank = np.arange(1, depth + 1, dtype=np.int64)
    with qrels.with_suffix(".part").open("wb") as judgments, run.with_suffix(".part").open("wb") as out:
        for topic in range(topics):
            documents = rng.permutation(DOCUMENTS)[:depth] if depth > DOCUMENTS // 100 else _draw(rng, depth)
            pool = rng.choice(documents, min(JUDGED, depth), replace=False)
            grades = rng.integers(0, 3, len(pool))
            name = b"%05d" % topic
            judgments.writelines(name + b" 0 " + WIDE + b"%010d %d\n" % pair for pair in zip(pool, grades, strict=True))
            parts = (name + b" Q0 " + WIDE, digits(documents, 10), b" ", digits(rank, 5), b" 0.")
            columns: list[np.ndarray] = [
                np.tile(np.frombuffer(part, np.uint8), (depth, 1)) if isinstance(part, bytes) else part
                for part in (*parts, digits(10**6 - rank * 7, 6), b" wide\n")
            ]
            out.write(np.concatenate(columns, axis=1).tobytes())
    qrels.with_suffix(".part").rename(qrels)
    run.with_suffix(".part").rename(run)
    return qrels, [run]


def _draw(rng: np.random.Generator, count: int) -> np.ndarray:
    """Different documents in any order, without a permutation of all."""
    drawn = np.unique(rng.integers(0, DOCUMENTS, count + count // 50 + 100))
    return rng.permutation(drawn)[:count]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1996)
    args = parser.parse_args()
    print(make(args.folder, args.topics, args.depth, args.runs, args.seed)[0])
