"""Large collections of short documents: adjudge beside tantivy, building, asking, and how both grow.

    python bench/large_collections.py --sizes 2000000             # fr94.tar.xz from ../shared/data gives the sentences
    python bench/large_collections.py --sizes 250000,500000,1000000,2000000
    python bench/large_collections.py --sizes 10000000 --without tantivy

A document is one to five sentences of the Federal Register, drawn with a seed; documents lie in one file of JSON
lines, some 350 bytes each. Both tools index words in lower case without SMART's stop words, stemmed, and store ids;
tantivy reads the lines by Python's json. Queries are 200 pieces of 2 to 5 words of such sentences, and 100 of 2 to 4
of the 300 most frequent words that are no stop words. Each is asked by itself, for the best 10 and the best 1,000, by
a process of its own for each depth: "cold" is the first time (the files are in the memory of the system), "warm" the
second. Seconds by the clock and of the processor; memory is the peak of the process with its children. adjudge's
answers are also compared with those of adding up everything, to the last bit.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from retrieval import size, unpacked, watched
from retrieval_tools import WORDS, _tantivy, stop_words

DEPTHS = (10, 1000)
SOURCES = 60
"""Files of the Federal Register from which sentences are taken."""
SENTENCE = re.compile(r"[A-Z][^.<>]{20,300}\.")
MODEL = "bm25(k1=1.2, b=0.75)"


def sentences(work: Path) -> list[str]:
    """Different sentences of the Federal Register, in order."""
    from adjudge.formats.documents import read_documents

    files = sorted(path for path in unpacked(work).rglob("fr9*") if path.is_file())
    some = [files[i] for i in np.linspace(0, len(files) - 1, min(SOURCES, len(files))).round().astype(int)]
    found = (" ".join(text.split()) for file in some for d in read_documents(file) for text in SENTENCE.findall(d.text))
    return list(dict.fromkeys(found))


def generate(path: Path, documents: int, texts: list[str]) -> None:
    """So many documents in one file; the first ones are those of a smaller collection."""
    rng = np.random.default_rng(1994)
    packed = [json.dumps(text)[1:-1] for text in texts]
    with path.open("w") as file:
        for first in range(0, documents, 10_000):
            number = min(10_000, documents - first)
            lengths = rng.integers(1, 6, 10_000)[:number].tolist()
            drawn = iter(rng.integers(0, len(packed), 50_000).tolist())
            for d, length in enumerate(lengths, first):
                body = " ".join(packed[next(drawn)] for _ in range(length))
                file.write(f'{{"id": "d{d:08}", "text": "{body}"}}\n')


def make_queries(texts: list[str]) -> list[str]:
    rng = np.random.default_rng(27)
    stop, made = set(stop_words()), list[str]()
    for i in rng.integers(0, len(texts), 200).tolist():
        words = re.findall(r"[a-z]{2,}", texts[i].lower())
        length = int(rng.integers(2, 6))
        first = int(rng.integers(0, max(1, len(words) - length + 1)))
        made.append(" ".join(words[first : first + length]))
    counts = Counter(word for text in texts for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in stop)
    common = [word for word, _ in counts.most_common(300)]
    made += [" ".join(rng.choice(common, int(rng.integers(2, 5)), replace=False)) for _ in range(100)]
    return made


# -- what runs in a process of its own ---------------------------------------------------------------------------------


def asked(ask: Callable[[str], Any], queries: list[str]) -> dict[str, Any]:
    """Seconds for each query, by the clock and of the processor, the first and the second time."""
    times: dict[str, list[float]] = {}
    for turn in ("cold", "warm"):
        clock, work = list[float](), list[float]()
        for query in queries:
            begin, used = time.perf_counter(), time.process_time()
            ask(query)
            clock.append(time.perf_counter() - begin)
            work.append(time.process_time() - used)
        times |= {turn: clock, f"{turn} work": work}
    return times


def adjudge_build(documents: Path, index: Path, queries: list[str], depth: int) -> dict[str, Any]:
    del queries, depth
    from adjudge.formats.documents import read_documents
    from adjudge.index.building import build

    build(read_documents(documents), index, analyzer=WORDS)
    return {}


def tantivy_build(documents: Path, index: Path, queries: list[str], depth: int) -> dict[str, Any]:
    del queries, depth
    import tantivy

    writer = _tantivy(index).writer(heap_size=512_000_000)
    with documents.open() as lines:
        for line in lines:
            record = json.loads(line)
            writer.add_document(tantivy.Document(id=record["id"], text=record["text"]))
    writer.commit()
    writer.wait_merging_threads()
    return {}


def adjudge_ask(documents: Path, index: Path, queries: list[str], depth: int) -> dict[str, Any]:
    del documents
    from adjudge.index.index import Index
    from adjudge.index.searching import Searcher

    begin = time.perf_counter()
    searcher = Searcher(Index.open(index), MODEL)
    searcher.search(["zzzz"], depth)
    opened = time.perf_counter() - begin
    return asked(lambda query: list(searcher.search([query], depth)[0].ids), queries) | {"open": opened}


def adjudge_same(documents: Path, index: Path, queries: list[str], depth: int) -> dict[str, Any]:
    """How many answers differ if documents are left out."""
    del documents
    from adjudge.index.index import Index
    from adjudge.index.searching import Searcher

    opened = Index.open(index)
    both = [Searcher(opened, MODEL, pruned=pruned).search(queries, depth) for pruned in (True, False)]
    return {"differ": sum(list(one) != list(two) for one, two in zip(*both, strict=True))}


def adjudge_ways(documents: Path, index: Path, queries: list[str], depth: int) -> dict[str, Any]:
    """Warm seconds of the processor with documents left out and without."""
    del documents
    from adjudge.index.index import Index
    from adjudge.index.searching import Searcher

    opened = Index.open(index)
    seconds = {}
    for pruned in (True, False):
        searcher = Searcher(opened, MODEL, pruned=pruned)
        times = asked(lambda query, searcher=searcher: searcher.search([query], depth), queries)  # type: ignore[misc]
        seconds[str(pruned)] = times["warm work"]
    return seconds


def tantivy_ask(documents: Path, index: Path, queries: list[str], depth: int) -> dict[str, Any]:
    del documents
    begin = time.perf_counter()
    opened = _tantivy(index)
    searcher = opened.searcher()
    begun = time.perf_counter() - begin

    def ask(query: str) -> list[str]:
        parsed, _ = opened.parse_query_lenient(query, ["text"])
        hits = searcher.search(parsed, depth, count=False).hits
        return [searcher.doc(address)["id"][0] for _, address in hits]

    return asked(ask, queries) | {"open": begun}


# -- the whole ---------------------------------------------------------------------------------------------------------


def one(tool: str, work: Path, index: str, depth: int = 10) -> tuple[float, float, float, dict[str, Any]]:
    """Seconds, processor seconds, megabytes of a tool, and what it says."""
    command = [sys.executable, __file__, "--tool", tool, "--index", str(work / index), "--depth", str(depth)]
    seconds, processor, peak, out = watched([*command, "--folder", str(work)])
    return seconds, processor, peak, json.loads(out.splitlines()[-1])


def line(times: list[float]) -> str:
    milliseconds = [1000 * float(np.percentile(times, q)) for q in (50, 99)]
    return f"median {milliseconds[0]:8.2f} ms, 99 % {milliseconds[1]:8.2f} ms"


def measure(work: Path, documents: int, tools: list[str], ways: bool) -> dict[str, float]:
    """Everything at one size; the figures of adjudge that growth is fitted to."""
    figures: dict[str, float] = {}
    for tool in tools:
        shutil.rmtree(work / tool, ignore_errors=True)
        seconds, processor, peak, _ = one(f"{tool}_build", work, tool)
        disk = size(work / tool)
        what = f"{seconds:8.1f} s, {processor:8.1f} s CPU, {peak:7,.0f} MB memory, {disk:8.1f} MB on disk"
        print(f"{documents:>10,} {tool:<8} build     {what}", flush=True)
        if tool == "adjudge":
            figures |= {"build CPU": processor, "build memory": peak, "disk": disk}
    for depth in DEPTHS:
        for tool in tools:
            _, _, peak, times = one(f"{tool}_ask", work, tool, depth)
            for turn in ("cold", "warm"):
                text = f"clock {line(times[turn])}; CPU {line(times[f'{turn} work'])}"
                print(f"{documents:>10,} {tool:<8} {turn} {depth:>5}  {text}; {peak:,.0f} MB", flush=True)
                if tool == "adjudge":
                    figures[f"{turn} top {depth}"] = float(np.median(times[f"{turn} work"]))
            print(f"{documents:>10,} {tool:<8} opened in {times['open']:.2f} s", flush=True)
        if "adjudge" in tools:
            _, _, _, said = one("adjudge_same", work, "adjudge", depth)
            print(f"{documents:>10,} top {depth}: {said['differ']} answers differ from those of adding up", flush=True)
    for depth in (10, 30, 100, 300, 1000, 3000) if ways else ():
        _, _, _, said = one("adjudge_ways", work, "adjudge", depth)
        print(f"{documents:>10,} top {depth:>5}: left out {line(said['True'])}; all {line(said['False'])}", flush=True)
    return figures


def main(options: argparse.Namespace) -> None:
    work = options.folder
    work.mkdir(parents=True, exist_ok=True)
    texts = sentences(work)
    (work / "queries.json").write_text(json.dumps(make_queries(texts)))
    tools = [tool for tool in ("adjudge", "tantivy") if tool not in options.without]
    every: dict[int, dict[str, float]] = {}
    for documents in options.sizes:
        generate(work / "documents.jsonl", documents, texts)
        every[documents] = measure(work, documents, tools, options.ways)
    (work / "documents.jsonl").unlink()
    if len(every) > 1 and "adjudge" in tools:
        xs = np.log(list(every))
        for name in next(iter(every.values())):
            ys = np.log([max(figures[name], 1e-9) for figures in every.values()])
            print(f"growth of {name:<16} with documents to the power of {np.polyfit(xs, ys, 1)[0]:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers: Callable[[str], list[int]] = lambda text: [int(number) for number in text.split(",")]  # noqa: E731
    parser.add_argument("--sizes", type=numbers, default=[2_000_000], metavar="N,…", help="numbers of documents")
    parser.add_argument("--without", nargs="*", default=[], choices=("adjudge", "tantivy"))
    parser.add_argument("--ways", action="store_true", help="compare leaving documents out with adding up, by depth")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-bench-large")
    parser.add_argument("--tool", help=argparse.SUPPRESS)
    parser.add_argument("--index", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--depth", type=int, default=10, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.tool:
        asked_for = json.loads((given.folder / "queries.json").read_text())
        print(json.dumps(globals()[given.tool](given.folder / "documents.jsonl", given.index, asked_for, given.depth)))
    else:
        main(given)
