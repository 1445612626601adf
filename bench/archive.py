"""Many scanned pages: how fast ALTO is read and indexed, what a page takes on disk, and how fast a server answers.

    python bench/archive.py true.jsonl --pages 50000 --folder /tmp/archive
    python bench/archive.py true.jsonl --pages 50000 --folder /tmp/archive --serve http://127.0.0.1:8400

Pages are passages of the documents given, with errors drawn from the channel ocrad-20 at 5 %, set in lines of about ten
words, a thousand pages to a zip. With --serve a server that runs there (adjudge serve FOLDER/archive.index --port 8400)
is asked by ten clients at once.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import quoteattr

import numpy as np

from adjudge.core.document import Document
from adjudge.formats.documents import read_documents
from adjudge.index.index import Index
from adjudge.noise.channel import ChannelNoise, channel_of

WORDS, LINE, BOX = 400, 10, 1000
CLIENTS, QUESTIONS = 10, 500


def passages(path: str, copies: int = 3) -> list[list[str]]:
    """The words of the documents, with errors, several times with other ones."""
    documents = list(read_documents(path))
    noises = [ChannelNoise(channel_of("ocrad-20"), rate=0.05, seed=seed) for seed in range(copies)]
    return [noise.degrade(Document(d.id, d.text)).text.split() for noise in noises for d in documents]


def alto(words: list[str], rng: np.random.Generator) -> str:
    sure = rng.integers(50, 98, len(words)).tolist()
    jitter = rng.integers(0, 6, (len(words), 2)).tolist()
    lines, at = [], 0
    for row in range(0, len(words), LINE):
        left, strings = 200, []
        for word, (dx, dy), wc in zip(
            words[row : row + LINE], jitter[row : row + LINE], sure[row : row + LINE], strict=True
        ):
            width = 22 * len(word) + dx
            place = f'HPOS="{left}" VPOS="{200 + 5 * row + dy}" WIDTH="{width}" HEIGHT="{36 + dy}"'
            strings.append(f'<String ID="s{at}" {place} WC="0.{wc}" CONTENT={quoteattr(word)}/><SP/>')
            left += width + 20
            at += 1
        lines.append(f"<TextLine>{''.join(strings)}</TextLine>")
    block = f"<TextBlock>{''.join(lines)}</TextBlock>"
    page = f'<Page WIDTH="2600" HEIGHT="3600"><PrintSpace>{block}</PrintSpace></Page>'
    return f'<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#"><Layout>{page}</Layout></alto>'


def make(folder: Path, texts: list[list[str]], pages: int) -> None:
    rng = np.random.default_rng(1)
    folder.mkdir(parents=True)
    for box in range(0, pages, BOX):
        with zipfile.ZipFile(folder / f"box{box // BOX:05}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for number in range(box, min(box + BOX, pages)):
                words: list[str] = []
                while len(words) < WORDS:
                    words += texts[int(rng.integers(len(texts)))]
                archive.writestr(f"{number:08}.xml", alto(words[:WORDS], rng))


def index(scans: Path, target: Path) -> tuple[float, float]:
    """Seconds by the clock, and of processor time with all processes that took part."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "adjudge", "index", str(scans), "-o", str(target)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sizes(target: Path, pages: int) -> dict[str, float]:
    manifest = Index.open(target).manifest
    parts = {"texts": ("text",), "boxes and confidences": ("page",)}
    of = {what: sum(f.bytes for n, f in manifest.files.items() if n.startswith(p)) for what, p in parts.items()}
    whole = sum(file.bytes for file in manifest.files.values())
    of["postings and the rest"] = whole - sum(of.values())
    of["store of pages beside the index"] = Path(f"{target}.pages").stat().st_size
    return {what: size / pages for what, size in of.items()}


def ask(address: str, texts: list[list[str]]) -> list[float]:
    """Seconds of questions of three words, by ten clients at once."""
    place = urlsplit(address)
    rng = np.random.default_rng(2)
    chosen = [texts[int(at)] for at in rng.integers(len(texts), size=QUESTIONS)]
    questions = [" ".join(rng.choice([w for w in words if len(w) > 3] or words, 3)) for words in chosen]

    def one(question: str) -> float:
        began = time.monotonic()
        connection = http.client.HTTPConnection(place.netloc, timeout=60)
        connection.request("GET", f"/search?q={quote(question)}")
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{answer.status} for {question!r}")
        return time.monotonic() - began

    with ThreadPoolExecutor(CLIENTS) as clients:
        return list(clients.map(one, questions))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--serve", metavar="URL")
    options = parser.parse_args()
    scans, target = options.folder / "scans", options.folder / "archive.index"
    texts = passages(options.documents)
    if options.serve:
        times = np.array(ask(options.serve, texts))
        print(json.dumps({f"p{p}": round(float(np.percentile(times, p)), 4) for p in (50, 95, 99)}))
        return
    if scans.exists():
        shutil.rmtree(scans)
    make(scans, texts, options.pages)
    seconds, processor = index(scans, target)
    print(f"{options.pages:,} pages: {seconds:.1f} s, {options.pages / seconds:,.0f} pages/s", end=", ")
    print(f"{processor:.1f} s of processor time, {1000 * processor / options.pages:.2f} ms a page")
    for what, size in sizes(target, options.pages).items():
        print(f"  {size:,.0f} bytes a page: {what}")
    extra = scans / "later.zip"
    with zipfile.ZipFile(extra, "w") as archive:
        for number, words in zip(range(100), itertools.cycle(texts), strict=False):
            archive.writestr(f"{number}.xml", alto(words, np.random.default_rng(number)))
    seconds, processor = index(scans, target)
    print(f"100 pages more: {seconds:.1f} s, {processor:.1f} s of processor time")


if __name__ == "__main__":
    main()
