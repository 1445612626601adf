"""Search in scanned text: decipher beside other systems on collections, true and degraded.

    python experiments/scanned.py work/ fr94-5=ocr5.jsonl.zst:questions.tsv:qrels.txt cranfield=cran/:cran.qry:cran.rel
    python experiments/scanned.py work/ cran=cran/:cran.qry:cran.rel --channel ocrad-20 --half even

A collection is NAME=DOCUMENTS:TOPICS:JUDGMENTS. With --channel, its documents are degraded by that channel first (a
name or a file; --rate asks for another character error rate). Every system runs on what is then there and sees nothing
else. The table has MAP (for known items that is the mean reciprocal rank), with the difference to the first system and
its p value (randomisation test over topics), the seconds to prepare and those to answer a question; --half odd or even
takes every other topic only, since parameters are chosen on one half of the topics and figures told of the other.

Everything made is kept in the folder and not made again.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import adjudge
from adjudge.core.document import Documents
from adjudge.noise.channel import Channel, ChannelNoise
from adjudge.noise.degrading import degrade
from adjudge.systems import named
from adjudge.systems.parts.version import Aids, Version

SYSTEMS = ("bm25", "decipher", "eth(n=4)")
SAMPLES = 100_000


def collection(given: str) -> tuple[str, str, str, str]:
    """Name, documents, topics and judgments of a collection."""
    name, _, rest = given.partition("=")
    parts = rest.split(":")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"{given!r} is not NAME=DOCUMENTS:TOPICS:JUDGMENTS")
    return name, parts[0], parts[1], parts[2]


def documents_of(source: str, name: str, options: argparse.Namespace) -> Documents:
    """The documents of a collection, degraded if that is asked for."""
    documents = adjudge.read_documents(source)
    if options.channel is None:
        return documents
    folder = options.work / f"{name}-degraded"
    degrade(documents, ChannelNoise(Channel.shipped(options.channel), options.rate, options.seed), folder)
    return adjudge.read_documents(folder / "documents.jsonl.zst")


def p_value(differences: np.ndarray, rng: np.random.Generator) -> float:
    """Two-sided, by random signs."""
    signs = rng.integers(0, 2, (SAMPLES, len(differences))) * 2 - 1
    means = np.abs(signs @ differences)
    return float((1 + (means >= abs(differences.sum()) - 1e-12).sum()) / (SAMPLES + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("collections", nargs="+", type=collection)
    parser.add_argument("--channel")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--half", choices=("odd", "even"))
    parser.add_argument("-s", "--system", action="append")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    for name, source, topics, judgments in options.collections:
        qrels = adjudge.read_qrels(judgments)
        relevant = {topic for topic, _, grade in qrels.rows() if grade > 0}
        known = [topic for topic in adjudge.read_topics(topics) if topic.id in relevant]
        if options.half:
            known = known[options.half == "even" :: 2]
        questions = {topic.id: topic.title or topic.description for topic in known}
        version = Version(name, documents_of(source, name, options), options.work / f"{name}-made")
        first = None
        for spec in options.system or SYSTEMS:
            system, began = named(spec), time.perf_counter()
            system.prepare(version, Aids())
            ready = time.perf_counter()
            run = system.answer(version, questions, Aids())
            done = time.perf_counter()
            scores = adjudge.measure(qrels, run, ["ap"])
            values = {t: v["ap"] for t, v in scores.per_topic(scores.systems[0]).items()}
            column = np.array([values.get(topic, 0.0) for topic in questions])
            told = ""
            if first is None:
                first = column
            else:
                told = f"  {column.mean() - first.mean():+.4f}  p {p_value(column - first, rng):.4f}"
            cost = f"{ready - began:8.1f} s {1000 * (done - ready) / len(questions):8.1f} ms"
            print(f"{name:<16}{spec:<24}{len(questions):5} {column.mean():.4f}{cost}{told}", flush=True)


if __name__ == "__main__":
    main()
