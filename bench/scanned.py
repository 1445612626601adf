"""What decipher costs beside a plain index of stems: time and size to prepare, time to answer, on one version.

    python bench/scanned.py ocr20.jsonl.zst questions.tsv work/

Ratios to bm25 of the same run; the goals are at most 3 for preparing and size and at most 10 for answering. Questions
are asked three times in one process, and the first time counts too: words that come again are remembered.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import adjudge
from adjudge.systems import named
from adjudge.systems.parts.version import Aids, Version


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    source, topics, work = sys.argv[1:4]
    questions = {topic.id: topic.title or topic.description for topic in adjudge.read_topics(topics)}
    figures = {}
    for spec in ("bm25", "decipher"):
        folder = Path(work) / spec
        version = Version(spec, adjudge.read_documents(source), folder)
        system = named(spec)
        start, cpu = time.perf_counter(), time.process_time()
        system.prepare(version, Aids())
        prepared, used = time.perf_counter() - start, time.process_time() - cpu
        times = []
        for _ in range(3):
            start = time.perf_counter()
            system.answer(version, questions, Aids())
            times.append((time.perf_counter() - start) / len(questions))
        figures[spec] = (prepared, used, size(folder) / 1e6, 1000 * times[0], 1000 * min(times))
    print(f"{'':<10}{'prepare s':>12}{'cpu s':>10}{'MB':>10}{'first ms':>10}{'best ms':>10}")
    for spec, row in figures.items():
        print(f"{spec:<10}{row[0]:12.1f}{row[1]:10.1f}{row[2]:10.1f}{row[3]:10.2f}{row[4]:10.2f}")
    ratios = [b / a if a else float("nan") for a, b in zip(*figures.values(), strict=True)]
    print(f"{'ratio':<10}{ratios[0]:12.2f}{ratios[1]:10.2f}{ratios[2]:10.2f}{ratios[3]:10.1f}{ratios[4]:10.1f}")


if __name__ == "__main__":
    main()
