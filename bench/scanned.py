"""What decipher costs beside a plain index of stems: time and size to prepare, time to answer, on one version.

    python bench/scanned.py ocr20.jsonl.zst questions.tsv work/
    python bench/scanned.py ocr20.jsonl.zst questions.tsv work/ --prepare 3 --passes 7 --system "decipher(least=0.1)"
    python bench/scanned.py ocr20.jsonl.zst questions.tsv work/ --growth b.jsonl.zst c.jsonl.zst d.jsonl.zst

Ratios to bm25 of the same run, which takes turns with the others so that a busy minute hits all; the goals are at most
2 for the time of preparing and at most 5 for answering. Preparing is the best of several times, into an empty
folder; without --prepare what is in the folder is used. A question is asked in every pass, and the best of its times
counts; then come median and 95th percentile over questions. "new" asks an answerer that has met none of the words
before (the files are in memory), "known" one that has.

--growth prepares and asks a quarter and a half of the documents, all of them, and twice and four times as many, which
are the same documents in other versions; each size in a process of its own, whose peak of memory is shown.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np

import adjudge
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import find_system

BASE = "bm25"
COLUMNS = ("prepare s", "cpu s", "MB", "new: median ms", "p95", "mean", "known: median ms", "p95", "mean")


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def processor_time() -> float:
    """Seconds of this process and of the workers that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def prepared(spec: str, options: argparse.Namespace) -> tuple[Version, list[float]]:
    """A version with all that a system needs; seconds, processor seconds and megabytes."""
    folder = Path(options.work) / spec
    version, system = Version(spec, adjudge.read_documents(options.documents), folder), find_system(spec)
    took = []
    for _ in range(options.prepare):
        shutil.rmtree(folder, ignore_errors=True)
        began, before = time.perf_counter(), processor_time()
        system.prepare(version, Aids())
        took.append((time.perf_counter() - began, processor_time() - before))
    system.prepare(version, Aids())
    best = np.min(took, axis=0).tolist() if took else [np.nan, np.nan]
    return version, [*best, size(folder) / 1e6]


def asked(
    spec: str, version: Version, questions: list[str], depth: int, clock: Callable[[], float]
) -> tuple[list[float], list[float]]:
    """Milliseconds of each question, of words that are new and of words that are known."""
    answerer = find_system(spec).answerer(version)
    answerer.search("", depth)
    for word in ("warming", "up"):  # norms and what else is made once
        answerer.search(word, depth)
    both = []
    for _ in range(2):
        times = []
        for question in questions:
            began = clock()
            answerer.search(question, depth)
            times.append(1000 * (clock() - began))
        both.append(times)
    return both[0], both[1]


def growth(options: argparse.Namespace) -> None:
    """The table for more and more documents, smallest first: the peak of memory is that of the largest so far."""
    files = [options.documents, *options.growth]
    sizes = [0.25, 0.5, *(2**k for k in range(len(files).bit_length()))]
    many = sum(1 for _ in adjudge.read_documents(options.documents))
    for share in sizes:
        place = Path(options.work) / f"{share:g}-times"
        place.mkdir(parents=True, exist_ok=True)
        path = place / "documents.jsonl.zst"
        with DocumentWriter(path) as writer:
            for number, file in enumerate(files[: max(1, int(share))]):
                for document in islice(adjudge.read_documents(file), int(many * min(1, share))):
                    writer.add(adjudge.Document(f"{number}-{document.id}", document.text, document.title))
        command = [sys.executable, __file__, str(path), options.topics, str(place), "--cpu", "--prepare", "1"]
        done = subprocess.run([*command, "--passes", "2"], capture_output=True, text=True, check=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"\n{share:g} × {many:,} documents, peak of memory {peak:,.0f} MB\n{done.stdout}", end="", flush=True)
        shutil.rmtree(place)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("topics")
    parser.add_argument("work")
    parser.add_argument("--prepare", type=int, default=0, metavar="N")
    parser.add_argument("--passes", type=int, default=5, metavar="N")
    parser.add_argument("--depth", type=int, default=1000, metavar="N")
    parser.add_argument("--cpu", action="store_true", help="processor time of answers, for a busy machine")
    parser.add_argument("--system", action="append", metavar="SPEC")
    parser.add_argument("--growth", nargs="+", metavar="FILE", help="other versions of the documents: how cost grows")
    options = parser.parse_args()
    if options.growth:
        growth(options)
        return
    topics = adjudge.read_topics(options.topics)
    questions = [question for topic in topics if (question := topic.title or topic.description)]
    specs = [BASE, *(options.system or ["decipher"])]
    versions, figures = {}, {}
    for spec in specs:
        versions[spec], figures[spec] = prepared(spec, options)
    clock = time.process_time if options.cpu else time.perf_counter
    times = {spec: np.full((2, len(questions)), np.inf) for spec in specs}
    for _ in range(options.passes):
        for spec in specs:
            times[spec] = np.minimum(times[spec], asked(spec, versions[spec], questions, options.depth, clock))
    kind = "processor" if options.cpu else "clock"
    print(f"{len(questions)} questions, best of {options.passes}, depth {options.depth}, time by the {kind}")
    print(f"{'':<24}" + "".join(f"{column:>18}" for column in COLUMNS))
    for spec in specs:
        for ms in times[spec]:
            figures[spec] += [float(np.median(ms)), float(np.quantile(ms, 0.95)), float(ms.mean())]
        print(f"{spec:<24}" + "".join(f"{value:18.2f}" for value in figures[spec]))
    for spec in specs[1:]:
        ratios = np.array(figures[spec]) / np.array(figures[BASE])
        print(f"{'ratio: ' + spec:<24}" + "".join(f"{value:18.2f}" for value in ratios))


if __name__ == "__main__":
    main()
