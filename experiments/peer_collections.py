"""The collections of experiments/scanned_peers.py: scans, made-up scans, mixtures and clean text, with questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scanned_collections import CLASSIC, classic_questions, questions, read

import adjudge
from adjudge.collection import python_docs
from adjudge.core.document import Chosen, Document, Documents
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.noise.channel import Channel, ChannelNoise
from adjudge.noise.degrading import degrade
from adjudge.noise.engines.engine import engines
from adjudge.noise.pages.scanning import Scan
from adjudge.noise.scanner import Scanner

CHOSEN_ON = frozenset({"en-periodical", "de"})
"""Where the parameters of the peers were chosen."""
FACTORS = {
    ("cran", "ocrad"): (1.692, 1.906, 2.22),
    ("med", "ocrad"): (1.696, 1.913, 2.236),
    ("cisi", "ocrad"): (1.717, 1.925, 2.236),
    ("cacm", "ocrad"): (1.719, 1.932, 2.251),
    ("med", "tesseract"): (4.25, 4.6, 5.04),
    ("cran", "tesseract"): (4.25, 4.6, 5.04),
}
"""By how much pages are reduced for about 5, 10 and 20 % of wrong characters. The first and the last are those of
experiments/scanned_collections.py; between them lies what ``adjudge noise calibrate`` found for Cranfield by ocrad
(10.06 %), and for the others the same share of the way."""
LEVELS = (5, 10, 20)
WORDS = {"auto23": "2–3 words", "auto58": "5–8 words"}
NEAR, EVERY = 10, 10
"""Of FR94: so many documents near each question, and one of so many of the others."""


@dataclass(frozen=True)
class Case:
    """Questions on one version of some documents; the version is made when it is asked for."""

    name: str
    kind: str
    """The table that it belongs to."""
    version: str
    """The name of its documents: cases with the same one share what systems make of them."""
    make: Callable[[], Path]
    topics: Path
    judgments: Path
    measure: str = "rr"
    chosen_on: bool = False
    """Whether parameters of the peers were chosen on it."""


def once(path: Path, documents: Callable[[], Iterator[Document]]) -> Callable[[], Path]:
    """What writes documents into a file, unless they are there."""

    def make() -> Path:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with DocumentWriter(path) as writer:
                for document in documents():
                    writer.add(document)
        return path

    return make


def simulated(documents: Callable[[], Documents], channel: str, folder: Path) -> Callable[[], Path]:
    """What degrades documents by a shipped channel, unless that was done."""

    def make() -> Path:
        if not (folder / "manifest.json").exists():
            degrade(documents(), ChannelNoise(Channel.shipped(channel)), folder, workers=1)
        return folder / "documents.jsonl.zst"

    return make


def real_scans(folder: Path, work: Path) -> Iterator[Case]:
    """Scans that nobody here made, their true texts, mixtures of both, and two languages together."""

    def case(name: str, kind: str, version: str, make: Callable[[], Path], of: str, which: str) -> Case:
        places = folder / of / f"{which}.tsv", folder / of / f"{which}.qrels"
        return Case(f"{name}, {WORDS[which]}", kind, version, make, *places, chosen_on=of in CHOSEN_ON)

    for name in ("en-periodical", "de", "en-monograph", "fr"):
        for which in WORDS:
            scan, true = folder / name / "ocr.jsonl", folder / name / "true.jsonl"
            yield case(name, "real scans", f"{name}-scan", lambda path=scan: path, name, which)
            yield case(f"{name}, true", "clean", f"{name}-true", lambda path=true: path, name, which)
    for name in ("en-periodical", "de", "fr"):
        for which in WORDS:
            path = work / "mixed" / f"{name}-half-clean.jsonl"
            make = once(path, lambda name=name: _half(folder / name / "true.jsonl", folder / name / "ocr.jsonl"))
            yield case(f"{name}, half clean", "mixed", f"{name}-half-clean", make, name, which)
    for pair in (("de", "fr"), ("en-periodical", "fr")):
        label = " and ".join(pair)
        for which, words in WORDS.items():
            make = once(work / "mixed" / f"{'-'.join(pair)}.jsonl", lambda pair=pair: _both(folder, pair))
            places = _both_questions(folder, pair, which, work / "mixed")
            yield Case(
                f"{label}, {words}", "mixed", "-".join(pair), make, *places,
                chosen_on=bool(CHOSEN_ON & set(pair)),
            )  # fmt: skip


def _half(true: Path, scan: Path) -> Iterator[Document]:
    """Every other document as it truly reads."""
    for number, (clean, read_) in enumerate(
        zip(adjudge.read_documents(true), adjudge.read_documents(scan), strict=True)
    ):
        yield clean if number % 2 else read_


def _both(folder: Path, pair: tuple[str, ...]) -> Iterator[Document]:
    for name in pair:
        for document in adjudge.read_documents(folder / name / "ocr.jsonl"):
            yield document._replace(id=f"{name}:{document.id}")


def _both_questions(folder: Path, pair: tuple[str, ...], which: str, work: Path) -> tuple[Path, Path]:
    work.mkdir(parents=True, exist_ok=True)
    topics, judgments = (work / f"{'-'.join(pair)}-{which}.{ending}" for ending in ("tsv", "qrels"))
    asked, judged = [], []
    for name in pair:
        asked += [f"{name}:{t.id}\t{t.title}\n" for t in adjudge.read_topics(folder / name / f"{which}.tsv")]
        rows = adjudge.read_qrels(folder / name / f"{which}.qrels").rows()
        judged += [f"{name}:{topic} 0 {name}:{document} {grade}\n" for topic, document, grade in rows]
    topics.write_text("".join(asked), encoding="utf-8")
    judgments.write_text("".join(judged), encoding="utf-8")
    return topics, judgments


def federal_register(fr94: Path, known: Path, fresh: Path, work: Path) -> Iterator[Case]:
    """A sample of the Federal Register with the known and the fresh questions, simulated by the shipped channels."""
    folder = work / "fr94"
    folder.mkdir(parents=True, exist_ok=True)
    asked = {"36 questions": questions(known, folder), "125 questions": questions(fresh, folder)}
    true = once(folder / "true.jsonl.zst", lambda: _sample(fr94, [Path(t) for t, _ in asked.values()],
                [Path(j) for _, j in asked.values()], folder))  # fmt: skip
    versions = {"true": true}
    for level in (5, 20):
        versions[f"{level} %"] = simulated(
            lambda: adjudge.read_documents(true()), f"ocrad-{level}", folder / f"ocrad-{level}"
        )
    for version, make in versions.items():
        for name, (topics, judgments) in asked.items():
            kind = "clean" if version == "true" else "made scans"
            yield Case(f"FR94 {version}, {name}", kind, f"fr94-{version}", make, Path(topics), Path(judgments))


def _sample(fr94: Path, topics: list[Path], judgments: list[Path], folder: Path) -> Iterator[Document]:
    documents = adjudge.read_documents(fr94)
    index = adjudge.build_index(documents, folder / "whole-index")
    wanted = {document for path in judgments for _, document, _ in adjudge.read_qrels(path).rows()}
    asked = [topic.title for path in topics for topic in adjudge.read_topics(path)]
    wanted |= {i for hits in adjudge.Searcher(index, "bm25").search(asked, NEAR) for i in hits.ids}
    wanted |= set(list(index.ids)[::EVERY])
    yield from Chosen(documents, wanted.__contains__)


def classics(folder: Path, work: Path) -> Iterator[Case]:
    """Cranfield, CISI, MED and CACM, true and as two engines read them, and read by both of them."""
    for name, (documents, queries, judged) in CLASSIC.items():
        work.mkdir(parents=True, exist_ok=True)
        places = classic_questions(name, folder / name / queries, folder / name / judged, work)
        source = folder / name / documents
        yield Case(f"{name}, true", "clean", f"{name}-true", lambda source=source: source, *places, measure="ap")
        scans = {}
        for (of, engine), factors in FACTORS.items():
            for level, factor in zip(LEVELS, factors, strict=True) if of == name else ():
                made = work / "read" / f"{name}-{engine}-{level}"
                scans[engine, level] = made
                make = _reading(source, engine, factor, made)
                yield Case(f"{name}, {engine} {level} %", "made scans", made.name, make, *places, measure="ap")
        if ("tesseract", 20) in scans:
            parts = [scans[engine, 20] / "documents.jsonl.zst" for engine in ("ocrad", "tesseract")]
            make = once(work / "mixed" / f"{name}-two-engines.jsonl", lambda parts=parts: _half(*parts))
            yield Case(f"{name}, two engines 20 %", "mixed", f"{name}-two-engines", make, *places, measure="ap")


def _reading(source: Path, engine: str, factor: float, folder: Path) -> Callable[[], Path]:
    def make() -> Path:
        scanner = Scanner(scan=Scan(factor=factor), engine=engines.parse(engine))
        return Path(read(adjudge.read_documents(source), scanner, folder))

    return make


def built_in(work: Path) -> Iterator[Case]:
    """Python's own documentation, true and simulated by the shipped channels."""
    folder = work / "built-in"
    if not (folder / "qrels.txt").exists():
        python_docs.write(folder)
    true = folder / "documents.jsonl.zst"
    versions: Mapping[str, Callable[[], Path]] = {
        "true": lambda: true,
        **{f"{n} %": simulated(lambda: adjudge.read_documents(true), f"ocrad-{n}", folder / f"{n}") for n in (5, 20)},
    }
    for version, make in versions.items():
        kind, places = "clean" if version == "true" else "made scans", (folder / "topics.jsonl", folder / "qrels.txt")
        yield Case(f"built-in, {version}", kind, f"built-in-{version}", make, *places)
