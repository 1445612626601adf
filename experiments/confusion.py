"""The Confusion Track on a whole corpus: part of it through real OCR, the rest through the channel learned from that.

    python experiments/confusion.py fr94/ questions.tsv qrels.txt work/ --factor 1.668 --factor 2.236

Through OCR (ocrad, at the factors that `adjudge noise calibrate` found for 5 % and 20 % of wrong characters) go the
targets of the questions, their near neighbours, and so many other documents drawn at random; all others are degraded
by the channels that come with the package. Then `adjudge confusion` runs all systems on the three versions. Neighbours
are the 20 best documents of BM25 for each question and the 30 best for the beginning of each target.

Every step is kept in the folder and is not done again; a step that was killed goes on.
"""

from __future__ import annotations

import argparse
import shutil
from itertools import islice
from pathlib import Path

import numpy as np

import adjudge
from adjudge.cli import main as command
from adjudge.cli._terminal import Terminal
from adjudge.core.document import Chosen, Documents
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.noise.channel import Channel, ChannelNoise
from adjudge.noise.degrader import Degrader
from adjudge.noise.degrading import degrade
from adjudge.noise.pages.scanning import Scan
from adjudge.noise.scanner import Scanner

LEVELS = ("ocrad-5", "ocrad-20")
NAMES = ("true", "5 %", "20 %")
SYSTEMS = (
    *("rutcf", "anu5con", "gmu961", "gmu962", "clarit(folds=2)", "clarit(folds=2, feedback=true)"),
    *("ETHFR94N", "ETHFR94P", "lucene", "bm25"),
)
BEGINNING = 150


def chosen(documents: Documents, options: argparse.Namespace) -> Path:
    """The documents for OCR, in a file of their own."""
    path: Path = options.work / "chosen.jsonl"
    if path.exists():
        return path
    questions = {topic.id: topic.title for topic in adjudge.read_topics(options.topics)}
    targets = {document for _, document, grade in adjudge.read_qrels(options.judgments).rows() if grade > 0}
    index = adjudge.build_index(documents, options.work / "index")
    searcher = adjudge.Searcher(index, "bm25")
    beginnings = [" ".join(d.text.split()[:BEGINNING]) for d in Chosen(documents, targets.__contains__)]
    near = {i for hits in searcher.search(list(questions.values()), 20) for i in hits.ids}
    near |= {i for hits in searcher.search(beginnings, 30) for i in hits.ids}
    others = sorted(set(index.ids) - near - targets)
    drawn = np.random.default_rng(options.seed).permutation(len(others))[: options.others]
    wanted = targets | near | {others[i] for i in drawn.tolist()}
    with DocumentWriter(path) as writer:
        for document in Chosen(documents, wanted.__contains__):
            writer.add(document)
    return path


def degraded(documents: Documents, degrader: Degrader, folder: Path) -> Documents:
    """The documents of a job, done now or before."""
    with Terminal().work("version", folder.name) as step:
        degrade(documents, degrader, folder, progress=step.inside)
    return adjudge.read_documents(folder / "documents.jsonl.zst")


def version(documents: Documents, picked: Path, level: str, factor: float, options: argparse.Namespace) -> Path:
    """One degraded version of the whole corpus, in its order."""
    path: Path = options.work / f"{level}.jsonl.zst"
    if path.exists():
        return path
    real = adjudge.read_documents(picked)
    ids = frozenset(document.id for document in real)
    scanned = degraded(real, Scanner(scan=Scan(factor=factor), seed=options.seed), options.work / f"{level}-read")
    rest = Chosen(documents, lambda name: name not in ids)
    noise = ChannelNoise(Channel.shipped(level), seed=options.seed)
    made = {True: iter(scanned), False: iter(degraded(rest, noise, options.work / f"{level}-simulated"))}
    with DocumentWriter(path) as writer:
        for document in documents:
            (one,) = islice(made[document.id in ids], 1)
            if one.id != document.id:
                raise SystemExit(f"{path}: {one.id} in the place of {document.id}")
            writer.add(one)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("topics")
    parser.add_argument("judgments")
    parser.add_argument("work", type=Path)
    parser.add_argument("--factor", type=float, action="append", required=True, help="for 5 %%, then for 20 %%")
    parser.add_argument("--others", type=int, default=5000, metavar="N", help="documents by OCR beside the near ones")
    parser.add_argument("--systems", action="append", help="may be repeated (the track's, lucene and bm25)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if len(options.factor) != len(LEVELS):
        parser.error(f"--factor is wanted {len(LEVELS)} times: for {' and for '.join(LEVELS)}")
    options.work.mkdir(parents=True, exist_ok=True)
    documents = adjudge.read_documents(options.documents)
    picked = chosen(documents, options)
    shutil.rmtree(options.work / "index", ignore_errors=True)
    paths = [
        version(documents, picked, level, factor, options) for level, factor in zip(LEVELS, options.factor, strict=True)
    ]
    arguments = [options.documents, *map(str, paths), options.topics, options.judgments]
    for name in NAMES:
        arguments += ["--name", name]
    for system in options.systems or SYSTEMS:
        arguments += ["--systems", system]
    return command(["confusion", *arguments, "-o", str(options.work / "results"), "--outside", options.documents])


if __name__ == "__main__":
    raise SystemExit(main())
