"""Readings of what a paper leaves open, screened on a sample of a corpus: which of them comes near the paper's figures?

    python experiments/readings.py fr94/ work/ --factor 1.668 --factor 2.236 \\
        --chosen-on known.tsv --reported-on fr94-questions.tsv -s ETHFR94N -s ETHFR94P -s "eth(slots=true, unit=words)"

Questions are lines of id, question and target, divided by tabs. The sample has all targets, the ten best documents of
BM25 for each question, and others drawn at random, in all --size documents. Targets go through OCR at both levels
(ocrad, at the factors that `adjudge noise calibrate` found for 5 % and 20 % of wrong characters), the rest through the
channels that come with the package. Every system then runs on the versions, and mean reciprocal ranks are shown for
each file of questions, with 95 % intervals (bootstrap over questions): choose by the first, report the second.
Every step is kept in the folder and is not done again.

    python experiments/readings.py fr94/ work/ --scanned --size 55630 …

With --scanned every document goes through OCR, and none through a channel. That takes long, so it is done in parts,
each at both levels, with pages that are printed once (scan_at_factors.py): the targets and their rivals, then so many
at a time in the order in which they were drawn. A smaller sample is thus contained in a larger one, and what was
scanned for it is not scanned again. With the size of the corpus, or more, it is the whole corpus; no text is left for
--lexicon then, and CLARIT takes the corpus as --outside with clarit(folds=2).
Its versions are in a folder of their own, scanned-SIZE, which rutgers_lines.py and anu_spans.py can read.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scan_at_factors import FactorScanner, readings_of

import adjudge
from adjudge.cli._terminal import Terminal, experiment_listener
from adjudge.core.document import Chosen, Document, Documents
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import run
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.noise.channel import Channel, ChannelNoise
from adjudge.noise.degrader import Degrader
from adjudge.noise.degrading import degrade
from adjudge.noise.pages.scanning import Scan
from adjudge.noise.scanner import Scanner
from adjudge.report.text_table import FORMS, TextTable

LEVELS = {"5 %": "ocrad-5", "20 %": "ocrad-20"}
NEAR = 10
LARGEST = 6000
"""No document of a sample of this size is in the text outside of it."""
PART = 1500
"""Documents drawn at random that are scanned before others are."""
TIMEOUT = 600.0
"""Seconds for a page: a job that has the processor only when nobody else wants it may wait long for it."""
SAMPLES = 10_000
"""Of the questions, for the intervals."""

Questions = dict[str, tuple[str, str]]
Floats = npt.NDArray[np.float64]


def read(path: Path) -> Questions:
    rows = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]
    return {name: (question, target) for name, question, target in rows}


def write(documents: Documents, wanted: set[str], path: Path) -> Documents:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with DocumentWriter(path) as writer:
            for document in Chosen(documents, wanted.__contains__):
                writer.add(document)
    return adjudge.read_documents(path)


def rivals(documents: Documents, questions: Questions, folder: Path) -> tuple[set[str], int]:
    """The targets and the best documents of BM25 for each question, and how many documents there are."""
    path = folder / "rivals.json"
    if not path.exists():
        index = adjudge.build_index(documents, folder / "index")
        hits = adjudge.Searcher(index, "bm25").search([question for question, _ in questions.values()], NEAR)
        names = sorted({target for _, target in questions.values()} | {name for found in hits for name in found.ids})
        path.write_text(json.dumps({"documents": len(index.ids), "rivals": names}), encoding="utf-8")
    known = json.loads(path.read_text(encoding="utf-8"))
    return set(known["rivals"]), known["documents"]


def chosen(documents: Documents, questions: Questions, size: int, seed: int, folder: Path) -> list[str]:
    """The targets and their rivals, then others in the order in which they were drawn."""
    wanted, _ = rivals(documents, questions, folder)
    others = sorted({document.id for document in documents} - wanted)
    drawn = np.random.default_rng(seed).permutation(len(others))[: max(0, size - len(wanted))]
    return [*sorted(wanted), *(others[i] for i in drawn.tolist())]


def sample(documents: Documents, questions: Questions, size: int, seed: int, folder: Path) -> Documents:
    """The targets, their rivals and others, in the order of the corpus."""
    path = folder / "true.jsonl.zst"
    if path.exists():
        return adjudge.read_documents(path)
    return write(documents, set(chosen(documents, questions, size, seed, folder)), path)


def done(documents: Documents, degrader: Degrader, folder: Path) -> Documents:
    with Terminal().work("version", folder.name) as step:
        degrade(documents, degrader, folder, progress=step.inside)
    return adjudge.read_documents(folder / "documents.jsonl.zst")


def version(true: Documents, targets: set[str], level: str, factor: float, seed: int, folder: Path) -> Path:
    """A degraded sample: the targets as OCR reads them, the rest by the channel."""
    path = folder / f"{level}.jsonl.zst"
    if not path.exists():
        simulated = done(true, ChannelNoise(Channel.shipped(level), seed=seed), folder / f"{level}-simulated")
        targeted = write(true, targets, folder / "targets.jsonl")
        scanner = Scanner(scan=Scan(factor=factor), seed=seed)
        scanned = {document.id: document for document in done(targeted, scanner, folder / f"{level}-read")}
        with DocumentWriter(path) as writer:
            for document in simulated:
                writer.add(scanned.get(document.id, document))
    return path


def outside(documents: Documents, questions: Questions, characters: int, seed: int, folder: Path) -> str:
    """A file of so many characters of the corpus that are in no sample: the documents drawn last."""
    path = folder / f"outside-{characters}.jsonl.zst"
    if not path.exists():
        order = chosen(documents, questions, sys.maxsize, seed, folder)
        length = {document.id: len(document.text) for document in documents}
        ends = np.cumsum([length[name] for name in reversed(order)])
        many = int(np.searchsorted(ends, characters)) + 1
        some = set(order[-many:])
        if len(order) - many < LARGEST:
            raise SystemExit(f"there are no {characters:,} characters outside of a sample of {LARGEST:,} documents")
        write(documents, some, path)
    return str(path)


def scanned(documents: Documents, questions: Questions, options: argparse.Namespace) -> Path:
    """The folder of a sample of which every document went through OCR at both levels."""
    folder: Path = options.work / f"scanned-{options.size}"
    if (folder / "true.jsonl.zst").exists():
        return folder
    names = chosen(documents, questions, options.size, options.seed, options.work)
    near = len(rivals(documents, questions, options.work)[0])
    starts = [0, *range(near, len(names), PART), len(names)]
    read_so_far: dict[str, dict[str, Document]] = {level: {} for level in LEVELS.values()}
    for number, part in enumerate(set(names[a:b]) for a, b in pairwise(starts)):
        true = write(documents, part, options.work / "parts" / f"{number}.jsonl.zst")
        scanner = FactorScanner(Scanner(seed=options.seed, timeout=TIMEOUT), tuple(options.factor))
        for document in done(true, scanner, options.work / "parts" / f"{number}-read"):
            for level, read_at in zip(LEVELS.values(), readings_of(document), strict=True):
                read_so_far[level][document.id] = read_at
    folder.mkdir(exist_ok=True)
    shutil.copy(options.work / "rivals.json", folder)
    for level, found in read_so_far.items():
        with DocumentWriter(folder / f"{level}.jsonl.zst") as writer:
            for document in Chosen(documents, found.__contains__):
                writer.add(found[document.id])
    write(documents, set(names), folder / "true.jsonl.zst")
    return folder


def ranks(
    paths: dict[str, Path], sets: list[Questions], systems: list[str], folder: Path, lexicon: str, named: str
) -> list[Floats]:
    """Reciprocal ranks, systems × questions: for each set of questions those of all versions."""
    every = {name: row for questions in sets for name, row in questions.items()}
    topics, judgments = folder / "topics.tsv", folder / "qrels.txt"
    topics.write_text("".join(f"{name}\t{question}\n" for name, (question, _) in every.items()), encoding="utf-8")
    judgments.write_text("".join(f"{name} 0 {target} 1\n" for name, (_, target) in every.items()), encoding="utf-8")
    versions = {name: str(path) for name, path in paths.items()}
    plan = Plan(str(topics), str(judgments), versions, tuple(systems), outside=lexicon, aligned=40, training=100)
    with experiment_listener() as progress:
        results = run(plan, folder / named, progress=progress)
    columns = []
    for questions in sets:
        for version in paths:
            judged = {name: {target: 1} for name, (_, target) in questions.items()}
            scores = adjudge.measure(judged, [results.run(version, s) for s in systems], ["rr"], complete=True)
            columns.append(scores.values[:, :, 0])
    return columns


def with_intervals(values: Floats, form: str) -> list[str]:
    """The mean of each row, with a 95 % interval over the questions, which are drawn alike for all rows."""
    questions = values.shape[1]
    drawn = np.random.default_rng(0).multinomial(questions, np.full(questions, 1 / questions), SAMPLES)
    low, high = np.quantile(values @ drawn.T / questions, [0.025, 0.975], axis=1)
    return [
        f"{mean:{form}} ({a:{form}} to {b:{form}})" for mean, a, b in zip(values.mean(axis=1), low, high, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("work", type=Path)
    parser.add_argument("--factor", type=float, action="append", required=True, help="for 5 %%, then for 20 %%")
    parser.add_argument("--chosen-on", type=Path, required=True)
    parser.add_argument("--reported-on", type=Path, required=True)
    parser.add_argument("-s", "--system", dest="systems", action="append", required=True)
    parser.add_argument("--against", help="one of the systems: the differences from it too, with intervals (paired)")
    parser.add_argument("--outside", default="", help="clean text for CLARIT's lexicon; each has results of its own")
    parser.add_argument("--lexicon", type=int, help="so many characters of the corpus outside of the sample instead")
    parser.add_argument("--results", default="results", help="folder in the work folder for the runs (results)")
    parser.add_argument("--size", type=int, default=LARGEST)
    parser.add_argument("--scanned", action="store_true", help="every document by OCR, in parts, none by a channel")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    if options.against and options.against not in options.systems:
        parser.error(f"--against {options.against}: not among the systems")
    options.work.mkdir(parents=True, exist_ok=True)
    sets = [read(options.chosen_on), read(options.reported_on)]
    every = {**sets[0], **sets[1]}
    targets = {target for _, target in every.values()}
    documents = adjudge.read_documents(options.documents)
    folder = scanned(documents, every, options) if options.scanned else options.work
    paths = {"true": folder / "true.jsonl.zst"}
    paths |= {name: folder / f"{level}.jsonl.zst" for name, level in LEVELS.items()}
    if not options.scanned:
        true = sample(documents, every, options.size, options.seed, folder)
        for level, factor in zip(LEVELS.values(), options.factor, strict=True):
            version(true, targets, level, factor, options.seed, folder)
    lexicon = options.outside
    if options.lexicon:
        lexicon = outside(documents, every, options.lexicon, options.seed, options.work)
    columns = ranks(paths, sets, options.systems, folder, lexicon, options.results)
    header = ["MRR", *(f"{len(questions)} questions: {name}" for questions in sets for name in paths)]
    tables = [[with_intervals(values, ".3f") for values in columns]]
    if options.against:
        own = options.systems.index(options.against)
        tables.append([with_intervals(values - values[own], "+.3f") for values in columns])
    for table in tables:
        rows = [[system, *cells] for system, *cells in zip(options.systems, *table, strict=True)]
        print(TextTable(header, rows, 1).form(options.format))
        header[0] = f"less {options.against}"


if __name__ == "__main__":
    main()
