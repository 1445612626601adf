"""What confidences of an engine are worth to decipher: pages set and degraded here, read by tesseract, and searched.

    python experiments/confidences.py work/ --classic glasgow/
    python experiments/confidences.py work/ --classic glasgow/ --only cran --documents 700
    python experiments/confidences.py work/ --classic glasgow/ --only cran --documents 300 --factor 5.04 --known 3

``--classic`` holds the folders ``med`` and ``cran`` of the small collections. Of each, so many documents are drawn and
set, a page each; the pages are reduced by two factors, and the program tesseract writes hOCR, which is read as
``adjudge index scans/`` reads it, confidences kept. Prints for each collection and factor the character error rate,
mean average precision of bm25 and of decipher without and with confidences, the differences with their 95 % intervals
(paired bootstrap over topics), and how well confidences tell wrong words from right ones. Topics are those with a
relevant document among those drawn. With --known so many questions are asked for each document too, two or three
neighbouring words of its true text, and the reciprocal rank of the document counts. What was read is kept in the
folder: a larger number of documents reads only those that are new. Nothing is tuned here. Confidences pay for topics if
the last line, the mean difference over all topics, each the mean of its factors, has an interval above 0; that was laid
down when 50 documents had been read.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scanned_collections import CLASSIC, classic_questions
from scanned_tables import interval

import adjudge
from adjudge.core.document import Document, InMemory
from adjudge.core.scanned_page import UNKNOWN
from adjudge.noise.alignment import align
from adjudge.noise.engines.engine import bitmap
from adjudge.noise.error_rates import SPACED, ErrorCounter, intact_words
from adjudge.noise.pages.scanning import Scan, reduce
from adjudge.noise.pages.typesetting import PageLayout
from adjudge.noise.scanner import Scanner
from adjudge.systems.parts.version import Aids, Version
from adjudge.systems.system import systems
from adjudge.text.analyzer import Analyzer
from scanned import source

COLLECTIONS = ("med", "cran", "cisi")
FACTORS = (4.25, 5.04)
"""Those of experiments/scanned_collections.py for the fewest and the most errors of tesseract."""
LAYOUT = PageLayout(lines=400)
"""A page is as long as its document, so that a document is a page."""
BATCH = 50
"""Pages in one file of hOCR."""
SEED = 24
WITHOUT, WITH = "decipher(certainty=false)", "decipher"
SYSTEMS = ("bm25", WITHOUT, WITH)
DOUBTED, TRUSTED = 60, 90
"""Confidences below the one are low, and from the other on high."""
Counts = npt.NDArray[np.int64]


def drawn(documents: Sequence[Document], number: int) -> list[Document]:
    """Some of the documents that have a text; a larger number only adds to those of a smaller one."""
    texts = [document for document in documents if document.text.strip()]
    order = np.random.default_rng(SEED).permutation(len(texts))
    return [texts[place] for place in order[:number]]


def read_pages(documents: Sequence[Document], factor: float, folder: Path) -> list[Document]:
    """The documents as tesseract reads them, with its confidences."""
    scans, images = folder / "scans", folder / "images"
    for place in (scans, images):
        place.mkdir(parents=True, exist_ok=True)
    out = []
    for first in range(0, len(documents), BATCH):
        batch = documents[first : first + BATCH]
        made = scans / f"{first:05}-{len(batch):03}.hocr"
        if not made.exists():
            write_hocr(batch, factor, images, made)
        pages = list(adjudge.read_documents(made))
        for document, page in zip(batch, pages, strict=True):
            out.append(page._replace(id=document.id))
    return out


def write_hocr(batch: Sequence[Document], factor: float, images: Path, made: Path) -> None:
    """Set pages, degrade them, and have tesseract read them as one job."""
    scanner, paths = Scanner(layout=LAYOUT, scan=Scan(factor=factor)), []
    for number, document in enumerate(batch):
        ((_, page),) = scanner.pages(document)
        paths.append(images / f"{number:03}.pbm")
        paths[-1].write_bytes(bitmap(reduce(page, factor)))
    listed = images / "pages.txt"
    listed.write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
    command = ["tesseract", str(listed), str(images / "read"), "--psm", "6"]
    command += ["--dpi", str(round(LAYOUT.dpi / factor)), "hocr"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
    (images / "read.hocr").replace(made)


def confidences(true: str, page: Document) -> tuple[list[int], list[bool]]:
    """The confidence of each word that was read, and whether it stands so in the true text."""
    right = intact_words(align(page.text, true)).intact.tolist()
    (scan,) = page.pages
    sure, fine = [], []
    for match, well in zip(SPACED.finditer(page.text), right, strict=True):
        place = int(np.searchsorted(scan.starts, match.start(), "right")) - 1
        if place >= 0 and scan.confidences[place] != UNKNOWN:
            sure.append(int(scan.confidences[place]))
            fine.append(well)
    return sure, fine


def area(right: Counts, wrong: Counts) -> float:
    """The probability that a right word has a higher confidence than a wrong one; equal ones count a half."""
    below = np.cumsum(wrong) - wrong
    return float((right * (below + wrong / 2)).sum() / (right.sum() * wrong.sum()))


def tell_confidences(true: Sequence[Document], read: Sequence[Document]) -> str:
    counter, right, wrong = ErrorCounter(), np.zeros(101, np.int64), np.zeros(101, np.int64)
    for document, page in zip(true, read, strict=True):
        counter.add(document.id, document.text, page.text)
        for sure, fine in zip(*confidences(document.text, page), strict=True):
            (right if fine else wrong)[sure] += 1
    rates = counter.rates()
    every = right + wrong

    def part(which: slice) -> str:
        return f"{wrong[which].sum() / every[which].sum():.1%} of {every[which].sum() / every.sum():.1%}"

    return (
        f"wrong characters {rates.edits.sum() / rates.characters.sum():.1%}, words {wrong.sum() / every.sum():.1%} of "
        f"{every.sum():,}; wrong below {DOUBTED}: {part(slice(DOUBTED))}, between: {part(slice(DOUBTED, TRUSTED))}, "
        f"from {TRUSTED}: {part(slice(TRUSTED, None))}; AUC {area(right, wrong):.3f}"
    )


def precision(version: Version, spec: str, asked: dict[str, str], judgments: Path) -> npt.NDArray[np.float64]:
    """Average precision, topic by topic."""
    run = systems.parse(spec).answer(version, asked, Aids())
    scores = adjudge.measure(adjudge.read_qrels(judgments), run, ["ap"])
    values: dict[str, Any] = scores.per_topic(scores.systems[0])
    return np.array([values[topic]["ap"] if topic in values else 0.0 for topic in asked])


def questions(name: str, folder: Path, work: Path, kept: frozenset[str]) -> tuple[dict[str, str], Path]:
    """The topics with a relevant document among those that are kept, and the judgments on these documents."""
    _, queries, judged = (folder / name / file for file in CLASSIC[name])
    topics, judgments = classic_questions(name, queries, judged, work)
    rows = [row for row in adjudge.read_qrels(judgments).rows() if row[1] in kept]
    some = {topic for topic, _, grade in rows if grade > 0}
    path = work / f"{name}-{len(kept)}.qrels"
    path.write_text("".join(f"{t} 0 {d} {grade}\n" for t, d, grade in rows if t in some), encoding="utf-8")
    return {topic.id: topic.title for topic in adjudge.read_topics(topics) if topic.id in some}, path


def known_items(documents: Sequence[Document], each: int, *, near: bool = True) -> list[tuple[str, str]]:
    """Questions of two or three words of the true text, stop words left out, and the document of each.

    The words are neighbours, or else stand anywhere in the document.
    """
    analyzer, draw, asked = Analyzer.parse("words|lower|stop(smart)"), random.Random(7), []  # noqa: S311  a drawing
    for document in documents:
        words = [word for word in analyzer.terms(document.text) if word.isalpha() and len(word) > 3]
        if len(words) < 8:
            continue
        for _ in range(each):
            many = draw.choice((2, 3))
            at = draw.randrange(len(words) - many)
            chosen = words[at : at + many] if near else draw.sample(words, many)
            asked.append((" ".join(chosen), document.id))
    return asked


def reciprocal_ranks(version: Version, spec: str, asked: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
    """Of the document that each question means, among the first 50."""
    questions = {str(number): question for number, (question, _) in enumerate(asked)}
    run = systems.parse(spec).answer(version, questions, Aids(), k=50)
    ranked: dict[str, list[str]] = {}
    for topic, document, _ in run.rows():
        ranked.setdefault(topic, []).append(document)
    found = ((ranked.get(str(number), []), target) for number, (_, target) in enumerate(asked))
    return np.array([1 / (1 + names.index(target)) if target in names else 0.0 for names, target in found])


def compare(name: str, true: Sequence[Document], options: argparse.Namespace) -> npt.NDArray[np.float64]:
    """The differences that confidences make, topic by topic, in the mean of the factors."""
    asked, judgments = questions(name, options.classic, options.work, frozenset(d.id for d in true))
    made = options.work / name
    clean = Version("true", InMemory(true), made / f"true-{len(true)}")
    on_true = precision(clean, "bm25", asked, judgments)
    print(f"\n{name}: {len(true)} documents, {len(asked)} topics; true text, bm25: {on_true.mean():.3f}")
    gains = []
    for factor in options.factor or FACTORS:
        read = read_pages(true, factor, made / f"{factor}")
        print(f"  factor {factor}: {tell_confidences(true, read)}", flush=True)
        version = Version(f"{factor}", InMemory(read), made / f"{factor}" / f"{source()}-{len(read)}")
        values = {spec: precision(version, spec, asked, judgments) for spec in SYSTEMS}
        for spec, of in values.items():
            print(f"    {spec:26} {of.mean():.4f}  ({interval(of)[0]:.3f} to {interval(of)[1]:.3f})")
        for other in ("bm25", WITHOUT):
            print(f"    with − {other:26} {tell_difference(values[WITH] - values[other])}", flush=True)
        gains.append(values[WITH] - values[WITHOUT])
        if options.known:
            items = known_items(true, options.known)
            ranks = {spec: reciprocal_ranks(version, spec, items) for spec in SYSTEMS}
            means = ", ".join(f"{spec} {of.mean():.4f}" for spec, of in ranks.items())
            print(f"    {len(items)} known items: {means}")
            print(f"    with − {WITHOUT:26} {tell_difference(ranks[WITH] - ranks[WITHOUT])}", flush=True)
    return np.mean(gains, axis=0)


def tell_difference(values: npt.NDArray[np.float64]) -> str:
    low, high = interval(values)
    changed = f"{(values > 0).sum()} better, {(values < 0).sum()} worse"
    return f"{values.mean():+.4f}  ({low:+.4f} to {high:+.4f}); {changed}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--classic", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--only", action="append", choices=COLLECTIONS)
    parser.add_argument("--documents", type=int, default=500, metavar="N", help="of each collection")
    parser.add_argument("--factor", action="append", type=float, help="of reduction (default: both)")
    parser.add_argument("--known", type=int, default=0, metavar="N", help="known items asked for each document")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    gains = []
    for name in options.only or COLLECTIONS:
        documents = list(adjudge.read_documents(options.classic / name / CLASSIC[name][0]))
        gains.append(compare(name, drawn(documents, options.documents), options))
    print(f"\nwith − without, all topics: {tell_difference(np.concatenate(gains))}")


if __name__ == "__main__":
    main()
