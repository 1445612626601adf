"""The search page under ten readers at once: how long a question takes through HTTP, on pages with boxes and fields.

    python bench/serving.py fr94/ work/ --pages 1000000
    python bench/serving.py fr94/ work/ --pages 100000 --system decipher --channel ocrad-5

The documents are cut into pages of 250 words (--words), again and again from another word on until there are enough;
each word has a box, each page a year, a place and a folder. With --channel the errors of OCR are made in the documents
first, in a third of the words that are needed. The index stays in the work folder and is used again. With --times each
of its pages is there so many times, which takes seconds where building takes many minutes. Every question is asked
once, three words that stand together on a page, so nothing is answered from memory; readers ask without pausing, from
a process of their own on the same machine, and every tenth question is narrowed by a year. Printed are size, time to
build, milliseconds of a question (median, 95th and 99th percentile), and the processor time of server and readers,
which says what the same would take on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

import adjudge
from adjudge.core.document import Document, Documents
from adjudge.core.scanned_page import ScannedPage
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.index_files import Writer, narrow
from adjudge.index.packed_postings import pack
from adjudge.systems.parts.kept import keep
from adjudge.systems.system import find_system

PLACES = ("Rome", "Paris", "Vienna", "Lisbon", "Oslo")


class Pages(Documents):
    """Real text cut into pages."""

    def __init__(self, source: str, work: Path, pages: int, words: int, channel: str | None) -> None:
        self.pages, self.words = pages, words
        self.documents: Documents = adjudge.read_documents(source)
        if channel is not None:
            read = work / f"{channel}.jsonl"
            if not read.exists():
                part = Path(f"{read}.part")
                degrade(self.documents, part, channel, pages * words // 3)
                part.replace(read)
            self.documents = adjudge.read_documents(read)

    def __iter__(self) -> Iterator[Document]:
        made, shift = 0, 0
        while made < self.pages:
            for document in self.documents:
                words = document.text.split()[shift:]
                for first in range(0, max(1, len(words) - self.words // 2), self.words):
                    if made == self.pages:
                        return
                    yield self._page(made, words[first : first + self.words])
                    made += 1
            shift += 37

    def _page(self, number: int, words: list[str]) -> Document:
        id_ = f"box{number // 2000:04}/p{number:07}"
        text = " ".join(words)
        lengths = np.fromiter(map(len, words), np.int32, len(words))
        ends = np.cumsum(lengths + 1, dtype=np.int32) - 1
        place = np.arange(len(words), dtype=np.int32)
        left, top = 100 + (place % 10) * 180, 100 + (place // 10) * 90
        boxes = np.stack([left, top, left + lengths * 12, top + 40], axis=1)
        sure = (60 + lengths % 40).astype(np.uint8)
        page = ScannedPage(str(number), "", 2000, 2900, ends - lengths, ends, boxes, sure)
        fields = (("year", str(1850 + number % 90)), ("place", PLACES[number % 5]))
        return Document(id_, text, "", (page,), fields)


def copies(source: Path, target: Path, times: int) -> None:
    """Write an index in which every page of another is there so many times, under other ids.

    Postings, texts, boxes and fields are as long as those of so many pages; the vocabulary is that of the source.
    """
    index, count = Index.open(source), len(Index.open(source))
    arrays, manifest = index.arrays, index.manifest
    data = target / manifest.data
    data.mkdir(parents=True)
    writer = Writer(data)
    offsets = arrays["offsets"].astype(np.int64)
    df = np.diff(offsets)
    # Copies of a term's postings stand behind each other, each with documents further on.
    at = np.repeat(times * offsets[:-1], df) + np.arange(manifest.postings) - np.repeat(offsets[:-1], df)
    step = np.repeat(df, df)
    documents, tf, _ = index.postings_of(np.arange(manifest.terms))
    columns = {"documents": documents, "tf": tf}
    if manifest.certainty:
        columns["certainty"] = arrays["certainty"]
    for name, column in columns.items():
        whole = np.empty(times * len(at), column.dtype)
        for copy in range(times):
            whole[at + copy * step] = column + (copy * count if name == "documents" else 0)
        columns[name] = whole
    packed, ends_of = pack(columns["documents"], columns["tf"], times * offsets)
    writer.array("postings", packed)
    writer.array("posting_offsets", narrow(ends_of))
    if manifest.certainty:
        writer.array("certainty", columns["certainty"])
    writer.array("offsets", narrow(times * offsets))
    writer.array("cf", narrow(times * arrays["cf"].astype(np.int64)))
    for name in (
        "terms",
        "term_offsets",
        "field_values",
        "field_value_offsets",
        "field_firsts",
    ):
        writer.array(name, np.asarray(arrays[name]))
    for name in ("lengths", "distinct", "text_sizes", "page_sizes", "field_codes", "texts", "pages"):
        writer.array(name, np.tile(arrays[name], times))
    for name in ("text_blocks", "text_firsts", "page_blocks", "page_firsts", "field_offsets"):
        ends = arrays[name].astype(np.int64)
        more = (ends[1:] + copy * ends[-1] for copy in range(times))
        writer.array(name, narrow(np.concatenate([ends[:1], *more])))
    ids = np.array([f"box{n // 2000:04}/p{n:07}" for n in range(times * count)], "S")
    writer.array("ids", ids.view(np.uint8))
    writer.array("id_offsets", narrow(np.arange(len(ids) + 1) * ids.itemsize))
    writer.array("id_order", np.arange(len(ids), dtype=np.int32))
    grown = {name: times * getattr(manifest, name) for name in ("documents", "postings", "tokens")}
    replace(manifest, **grown, files=writer.finish()).write(target)


def degrade(documents: Documents, target: Path, channel: str, words: int) -> None:
    """Write documents as OCR leaves them, until there are so many words."""
    from adjudge.noise.channel.channel_files import channel_of
    from adjudge.noise.channel.channel_noise import ChannelNoise

    noise, written = ChannelNoise(channel_of(channel), None, 1), 0
    with target.open("w") as out:
        for document in documents:
            if document.text:
                text = noise.degrade(document).text
                out.write(json.dumps({"id": document.id, "text": text}) + "\n")
                written += len(text.split())
            if written >= words:
                break


def questions_of(index: Index, count: int) -> list[list[tuple[str, str]]]:
    """Three words that stand together on a page, each question once."""
    draw = random.Random(1)
    questions: dict[str, list[tuple[str, str]]] = {}
    while len(questions) < count:
        words = index.document(draw.randrange(len(index))).text.split()
        at = draw.randrange(max(1, len(words) - 3))
        three = " ".join(words[at : at + 3])
        if index.analyzer.terms(three):
            year = [("f.year", str(draw.randrange(1850, 1940)))] if len(questions) % 10 == 9 else []
            questions[three] = [("q", three), *year]
    return list(questions.values())


def read(port: int, questions: list[list[tuple[str, str]]], clients: int, path: str) -> tuple[list[float], float]:
    """Milliseconds of every question, and seconds of processor time that the readers took."""
    waiting, times, lock = list(questions), list[float](), threading.Lock()

    def reader() -> None:
        talk = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while True:
            with lock:
                if not waiting:
                    break
                asked = waiting.pop()
            began = time.perf_counter()
            talk.request("GET", f"{path}?{urlencode(asked)}")
            answer = talk.getresponse()
            answer.read()
            took = 1000 * (time.perf_counter() - began)
            if answer.status != 200:
                raise SystemExit(f"{answer.status} for {asked}")
            with lock:
                times.append(took)
        talk.close()

    threads = [threading.Thread(target=reader) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, time.process_time()


def processor_time(process: int) -> float:
    """Seconds of a process and of those that it started and that still run."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    stat = (Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[11:13] for each in (process, *children))
    return sum(int(ticks) for pair in stat for ticks in pair) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("work", type=Path)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=250, help="words of a page")
    parser.add_argument("--times", type=int, default=1, help="each page so many times (without --system)")
    parser.add_argument("--system")
    parser.add_argument("--channel")
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--questions", type=int, default=1000)
    options = parser.parse_args()
    name = f"{options.pages}x{options.words}-{options.system or 'plain'}-{options.channel or 'clean'}"
    folder = options.work / f"{name}.index"
    options.work.mkdir(parents=True, exist_ok=True)
    if not folder.exists():
        pages, began = (
            Pages(options.documents, options.work, options.pages, options.words, options.channel),
            time.perf_counter(),
        )
        if options.system:
            keep(find_system(options.system), pages, folder)
        else:
            build(pages, folder, texts=True)
        print(f"{options.pages:,} pages: {time.perf_counter() - began:.0f} s to build")
    if options.times > 1:
        name = f"{options.times}x{name}"
        once, folder = folder, options.work / f"{name}.index"
        if not folder.exists():
            copies(once, folder, options.times)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    from adjudge.search_page.catalogue import Catalogue

    questions = questions_of(Catalogue(folder).index, options.questions + 50)
    command = [sys.executable, "-m", "adjudge", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            port = int(server.stderr.readline().split("127.0.0.1:")[1].split("/")[0])
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                pool.apply(read, (port, questions[:50], options.clients, "/search"))  # what is made once
                one, before = pool.apply(read, (port, questions[50:150], 1, "/search"))
                begun = processor_time(server.pid)
                many, after = pool.apply(read, (port, questions[150:], options.clients, "/search"))
                server_time = 1000 * (processor_time(server.pid) - begun) / len(many)
                reader_time = 1000 * (after - before) / len(many)
        finally:
            server.terminate()
    for clients, times in ((1, one), (options.clients, many)):
        middle, high, highest = np.percentile(times, [50, 95, 99])
        print(f"{name}: {size / 1e6:,.0f} MB; {clients} reader(s), {len(times)} questions: "
              f"median {middle:.0f} ms, 95 % {high:.0f} ms, 99 % {highest:.0f} ms")  # fmt: skip
    cores, whole = os.cpu_count() or 1, server_time + reader_time
    mean = options.clients * whole / cores
    print(f"processor time of a question: server {server_time:.1f} ms, reader {reader_time:.1f} ms")
    print(f"that alone makes {mean:.0f} ms on average with {options.clients} readers on {cores} free cores")


if __name__ == "__main__":
    main()
