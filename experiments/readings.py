"""Readings of what a paper leaves open, screened on a sample of a corpus: which of them comes near the paper's figures?

    python experiments/readings.py fr94/ work/ --factor 1.668 --factor 2.236 \\
        --chosen-on known.tsv --reported-on fr94-questions.tsv -s ETHFR94N -s ETHFR94P -s "eth(slots=true, unit=words)"

Questions are lines of id, question and target, divided by tabs. The sample has all targets, the ten best documents of
BM25 for each question, and others drawn at random, in all --size documents. Targets go through OCR at both levels
(ocrad, at the factors that `adjudge noise calibrate` found for 5 % and 20 % of wrong characters), the rest through the
channels that come with the package. Every system then runs on the versions, and mean reciprocal ranks are shown for
each file of questions, with 95 % intervals (bootstrap over questions): choose by the first, report the second.
Every step is kept in the folder and is not done again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import adjudge
from adjudge.cli._terminal import Terminal, experiment_listener
from adjudge.comparison.overview import bootstrap_intervals
from adjudge.core.document import Chosen, Documents
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
SAMPLES = 10_000
"""Of the questions, for the intervals."""

Questions = dict[str, tuple[str, str]]


def read(path: Path) -> Questions:
    rows = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8")]
    return {name: (question, target) for name, question, target in rows}


def write(documents: Documents, wanted: set[str], path: Path) -> Documents:
    if not path.exists():
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


def sample(documents: Documents, questions: Questions, size: int, seed: int, folder: Path) -> Documents:
    """The targets, their rivals and others, in the order of the corpus."""
    path = folder / "true.jsonl.zst"
    if path.exists():
        return adjudge.read_documents(path)
    wanted, _ = rivals(documents, questions, folder)
    others = sorted({document.id for document in documents} - wanted)
    drawn = np.random.default_rng(seed).permutation(len(others))[: max(0, size - len(wanted))]
    return write(documents, wanted | {others[i] for i in drawn.tolist()}, path)


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


def ranks(
    paths: dict[str, Path], sets: list[Questions], systems: list[str], folder: Path, outside: str, named: str
) -> dict[str, list[str]]:
    """Mean reciprocal ranks by system, with intervals: for each set of questions those of all versions."""
    every = {name: row for questions in sets for name, row in questions.items()}
    topics, judgments = folder / "topics.tsv", folder / "qrels.txt"
    topics.write_text("".join(f"{name}\t{question}\n" for name, (question, _) in every.items()), encoding="utf-8")
    judgments.write_text("".join(f"{name} 0 {target} 1\n" for name, (_, target) in every.items()), encoding="utf-8")
    versions = {name: str(path) for name, path in paths.items()}
    plan = Plan(str(topics), str(judgments), versions, tuple(systems), outside=outside, aligned=40, training=100)
    with experiment_listener() as progress:
        results = run(plan, folder / named, progress=progress)
    table: dict[str, list[str]] = {system: [] for system in systems}
    for questions in sets:
        for version in paths:
            judged = {name: {target: 1} for name, (_, target) in questions.items()}
            scores = adjudge.measure(judged, [results.run(version, s) for s in systems], ["rr"], complete=True)
            intervals = bootstrap_intervals(scores, np.random.default_rng(0), SAMPLES)[:, 0].tolist()
            for system, row, (low, high) in zip(systems, scores.values[:, :, 0], intervals, strict=True):
                table[system].append(f"{row.mean():.3f} ({low:.2f} to {high:.2f})")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents")
    parser.add_argument("work", type=Path)
    parser.add_argument("--factor", type=float, action="append", required=True, help="for 5 %%, then for 20 %%")
    parser.add_argument("--chosen-on", type=Path, required=True)
    parser.add_argument("--reported-on", type=Path, required=True)
    parser.add_argument("-s", "--system", dest="systems", action="append", required=True)
    parser.add_argument("--outside", default="", help="clean text for CLARIT's lexicon; each has results of its own")
    parser.add_argument("--results", default="results", help="folder in the work folder for the runs (results)")
    parser.add_argument("--size", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    sets = [read(options.chosen_on), read(options.reported_on)]
    every = {**sets[0], **sets[1]}
    targets = {target for _, target in every.values()}
    documents = adjudge.read_documents(options.documents)
    true = sample(documents, every, options.size, options.seed, options.work)
    paths = {"true": options.work / "true.jsonl.zst"}
    for (name, level), factor in zip(LEVELS.items(), options.factor, strict=True):
        paths[name] = version(true, targets, level, factor, options.seed, options.work)
    table = ranks(paths, sets, options.systems, options.work, options.outside, options.results)
    header = ["MRR", *(f"{len(questions)} questions: {name}" for questions in sets for name in paths)]
    rows = [[system, *table[system]] for system in options.systems]
    print(TextTable(header, rows, 1).form(options.format), end="")


if __name__ == "__main__":
    main()
