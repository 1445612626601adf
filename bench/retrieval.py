"""Indexing the Federal Register and asking it 1,000 questions: adjudge beside bm25s and tantivy.

    python bench/retrieval.py                       # fr94.tar.xz from ../shared/data, 401 MB of SGML
    python bench/retrieval.py --sample 48           # 48 of its 480 files
    python bench/retrieval.py --documents FOLDER --repeat 5

Every tool runs in a process of its own, in turn, start-up included, and the best of several times counts; memory is the
peak of the process with its children, CPU the seconds of all cores together. All index words in lower case without
SMART's stop words, by Porter's stems; each has a tokenizer of its own (bm25s drops words of one letter, tantivy's stems
are those of Porter's second stemmer). adjudge's reader extracts the text for all three, and its time alone is shown.
tantivy stores the ids and keeps no positions, as the others do. Queries are pieces of sentences of the documents, 3 to
12 words, seeded. "first" is the first call for all queries, with what is compiled or loaded on the way; "again" is the
second.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

import numpy as np

from retrieval_tools import DEPTH, Phases

ARCHIVE = Path(__file__).resolve().parents[2] / "shared" / "data" / "fr94.tar.xz"
TOOLS = str(Path(__file__).with_name("retrieval_tools.py"))
LOOKS = 0.02
"""Seconds between two looks at the memory of a process, at least."""
SHARE = 50
"""A look may take one part in so many of the time."""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it, sources would be compiled at every start


def timed(tool: str, documents: Path, index: Path, queries: Path) -> tuple[float, float, Phases]:
    """Seconds and peak megabytes of one process, and what it says of itself."""
    command = [sys.executable, TOOLS, tool, str(documents), str(index), str(queries)]
    seconds, processor, peak, out = watched(command)
    return seconds, peak, json.loads(out.splitlines()[-1]) | {"cpu": processor}


def watched(command: list[str]) -> tuple[float, float, float, bytes]:
    """Seconds, processor seconds and peak megabytes of a process with its children, and what it printed."""
    with tempfile.TemporaryFile() as out:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out)
        with PeakMemory(process.pid) as peak:
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"failed: {' '.join(command)}")
        out.seek(0)
        return seconds, usage.ru_utime + usage.ru_stime, peak.bytes / 2**20, out.read()


class PeakMemory(threading.Thread):
    """Looks at the memory of a process and its children while it runs.

    To count the pages of several processes takes milliseconds of the processor, which those that are timed need: so it
    looks the less often the longer a look takes, and uses at most a fiftieth of a core.
    """

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process, self.bytes = process, 0
        self._over = threading.Event()

    def run(self) -> None:
        import psutil

        pause = LOOKS
        while not self._over.wait(pause):
            begin = time.perf_counter()
            with contextlib.suppress(psutil.Error, OSError):  # it or a child may just have ended
                self.bytes = max(self.bytes, memory(psutil.Process(self.process)))
            pause = max(LOOKS, SHARE * (time.perf_counter() - begin))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self.join()


def memory(process: Any) -> int:
    """Bytes of a process and its children, a page that they share counted once; alone, its peak so far."""
    children = process.children()
    if children:
        return sum(each.memory_full_info().pss for each in (process, *children))
    # not ru_maxrss, which begins with the size of the process that started this one
    found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process.pid}/status").read_text())
    return 1024 * int(found[1]) if found else 0


def size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def best(tools: dict[str, str], work: Path, documents: Path, repeat: int) -> dict[str, tuple[float, float, Phases]]:
    """The quickest go of each tool, tools taking turns; a tool's index is the folder after the colon."""
    found: dict[str, tuple[float, float, Phases]] = {}
    for _ in range(repeat):
        for tool, name in tools.items():
            index = work / name
            if not tool.endswith(("search", "threads")):
                shutil.rmtree(index, ignore_errors=True)
            seconds, megabytes, said = timed(tool, documents, index, work / "queries.json")
            before = found.get(tool)
            if before:
                said |= {key: min(said[key], before[2][key]) for key in ("first", "again", "cpu") if key in said}
                seconds, megabytes = min(seconds, before[0]), min(megabytes, before[1])
            found[tool] = seconds, megabytes, said
    return found


def unpacked(work: Path) -> Path:
    """The Federal Register, unpacked into a folder if it is not there yet."""
    documents = work / "fr94"
    if not documents.exists():
        if not ARCHIVE.exists():
            raise SystemExit(f"{ARCHIVE.name} is not beside this checkout and --documents was not given")
        with tarfile.open(ARCHIVE) as tar:
            tar.extractall(work, filter="data")
    return documents


def sampled(documents: Path, work: Path, files: int) -> Path:
    every = sorted(path for path in documents.rglob("fr9*") if path.is_file())
    folder = work / f"sample-{files}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for i in np.linspace(0, len(every) - 1, min(files, len(every))).round().astype(int):
        shutil.copy(every[i], folder)
    return folder


def main(options: argparse.Namespace) -> None:
    work = options.folder
    work.mkdir(parents=True, exist_ok=True)
    documents = options.documents or unpacked(work)
    if options.sample:
        documents = sampled(documents, work, options.sample)
    (work / "queries.json").write_text("[]")
    asked_for = timed("queries", documents, work, work / "queries.json")[2]["queries"]
    (work / "queries.json").write_text(json.dumps(asked_for))
    indexing = {"read": "none", "adjudge_index": "adjudge", "adjudge_grams": "grams"}
    indexing |= {"bm25s_index": "bm25s", "tantivy_index": "tantivy"}
    made = best(indexing, work, documents, options.repeat)
    ours = made["adjudge_index"][0]
    print(f"indexing {size(documents):,.0f} MB, {made['read'][2]['documents']:,} documents, best of {options.repeat}")
    for tool, (seconds, megabytes, said) in made.items():
        disk = "" if tool == "read" else f"{size(work / indexing[tool]):8.1f} MB on disk"
        ratio = f"{seconds / ours:6.2f} × adjudge's time"
        print(f"  {tool:<16} {seconds:8.2f} s ({said['cpu']:6.1f} s CPU) {ratio} {megabytes:7,.0f} MB memory {disk}")
    searching = {"adjudge_search": "adjudge", "bm25s_search": "bm25s", "bm25s_threads": "bm25s"}
    asked = best(searching | {"tantivy_search": "tantivy"}, work, documents, options.repeat)
    truth = asked["adjudge_search"][2]["answers"]
    print(f"\n{len(truth):,} queries, top {DEPTH:,}, best of {options.repeat}")
    for tool, (seconds, megabytes, said) in asked.items():
        both = [(set(a), set(b)) for a, b in zip(truth, said["answers"], strict=True) if a]
        shared = np.mean([len(a & b) / len(a) for a, b in both])
        phases = f"first {said['first']:7.3f} s, again {said['again']:7.3f} s"
        print(f"  {tool:<16} {phases}, process {seconds:7.2f} s {megabytes:7,.0f} MB, {shared:.0%} of our top 10")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, help="a folder of TREC SGML; unpacked from the archive if not given")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench-retrieval")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many of the files, evenly spread")
    parser.add_argument("--repeat", type=int, default=3)
    main(parser.parse_args())
