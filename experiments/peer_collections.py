"""The collections of experiments/scanned_peers.py: scans, made-up scans, mixtures and clean text, with questions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from confidences import drawn, known_items
from fr94_sample import write_sample
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
OCRAD = {
    "cran": (1.692, 1.906, 2.22),
    "med": (1.696, 1.913, 2.236),
    "cisi": (1.717, 1.925, 2.236),
    "cacm": (1.719, 1.932, 2.251),
}
"""By how much pages are reduced for about 5, 10 and 20 % of wrong characters. The first and the last are those of
experiments/scanned_collections.py; between them lies what ``adjudge noise calibrate`` found for Cranfield (10.06 %),
and for the others the same share of the way."""
TITLES = {"cran": "Cranfield", "med": "MED", "cisi": "CISI", "cacm": "CACM"}
TESSERACT = (4.33, 4.65, 5.0)
"""The same for tesseract, from twelve documents of Cranfield at six factors, for all collections."""
LEVELS = (5, 10, 20)
SAMPLE = 200
"""Documents of a small collection that are read, for tesseract takes half a second for a page."""
WHOLE = frozenset({"cran"})
"""What ocrad reads from end to end."""
KNOWN = 300
"""Questions of two or three words on a small collection, of each kind."""
SEED = 24
WORDS = {"auto23": "2–3 words", "auto58": "5–8 words"}
EVERY = 40
"""Of FR94, one document of so many is in the sample, beside those that answer a question."""
LANGUAGES = (("de", "fr"), ("de", "fr", "en-periodical"))
"""Scans that are put into one index."""


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
    true: Callable[[], Path] | None = None
    """The same documents as they truly read, where the version is one scan."""


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
    """Scans that nobody here made, their true texts, mixtures of both, and several languages together."""

    def case(name: str, kind: str, version: str, make: Callable[[], Path], of: str, which: str) -> Case:
        places, true = (folder / of / f"{which}.tsv", folder / of / f"{which}.qrels"), folder / of / "true.jsonl"
        chosen_on, told = of in CHOSEN_ON, (lambda: true) if kind == "real scans" else None
        return Case(f"{name}, {WORDS[which]}", kind, version, make, *places, chosen_on=chosen_on, true=told)

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
    for some in LANGUAGES:
        for which, words in WORDS.items():
            make = once(work / "mixed" / f"{'-'.join(some)}.jsonl", lambda some=some: _together(folder, some))
            places = _questions_together(folder, some, which, work / "mixed")
            chosen_on = bool(CHOSEN_ON & set(some))
            yield Case(f"{' and '.join(some)}, {words}", "mixed", "-".join(some), make, *places, chosen_on=chosen_on)


def _half(true: Path, scan: Path) -> Iterator[Document]:
    """Every other document as it truly reads."""
    for number, (clean, read_) in enumerate(
        zip(adjudge.read_documents(true), adjudge.read_documents(scan), strict=True)
    ):
        yield clean if number % 2 else read_


def _together(folder: Path, some: Sequence[str]) -> Iterator[Document]:
    for name in some:
        for document in adjudge.read_documents(folder / name / "ocr.jsonl"):
            yield document._replace(id=f"{name}:{document.id}")


def _questions_together(folder: Path, some: Sequence[str], which: str, work: Path) -> tuple[Path, Path]:
    work.mkdir(parents=True, exist_ok=True)
    topics, judgments = (work / f"{'-'.join(some)}-{which}.{ending}" for ending in ("tsv", "qrels"))
    asked, judged = [], []
    for name in some:
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
    asked = {"36 known questions": questions(known, folder), "125 fresh questions": questions(fresh, folder)}
    wanted = frozenset(d for _, path in asked.values() for _, d, _ in adjudge.read_qrels(path).rows())

    def make(version: str) -> Path:
        return write_sample(fr94, EVERY, wanted, folder)[version]

    for version in ("true", "5 %", "20 %"):
        kind, told = ("clean", None) if version == "true" else ("made scans", partial(make, "true"))
        for name, (topics, judgments) in asked.items():
            places, own = (Path(topics), Path(judgments)), partial(make, version)
            yield Case(f"FR94 {version}, {name}", kind, f"fr94-{version}", own, *places, true=told)


Asked = tuple[str, str, Path, Path]
"""What questions are, their measure, topics and judgments."""


@dataclass(frozen=True)
class Small:
    """A small collection, or some of its documents, with the kinds of questions on it."""

    name: str
    true: Callable[[], Path]
    asked: tuple[Asked, ...]

    def cases(self, what: str, kind: str, version: str, make: Callable[[], Path]) -> Iterator[Case]:
        told = self.true if kind == "made scans" else None
        for which, measure, topics, judgments in self.asked:
            yield Case(f"{self.name}, {what}, {which}", kind, version, make, topics, judgments, measure, true=told)


def classics(folder: Path, work: Path) -> Iterator[Case]:
    """Cranfield, CISI, MED and CACM, true and as two engines read them, half true, and read by both engines."""
    for name in TITLES:
        whole, some = _whole(name, folder, work), _some(name, folder, work)
        own, label = (whole, name) if name in WHOLE else (some, f"{name}-some")
        yield from own.cases("true", "clean", f"{label}-true", own.true)
        scans = {}
        for engine, of, short, factors in (
            ("ocrad", own, label, OCRAD[name]),
            ("tesseract", some, f"{name}-some", TESSERACT),
        ):
            for level, factor in zip(LEVELS, factors, strict=True):
                made = work / "read" / f"{short}-{engine}-{level}"
                scans[engine, level] = _reading(of.true, engine, factor, made)
                yield from of.cases(f"{engine} {level} %", "made scans", made.name, scans[engine, level])
        made = work / "mixed" / f"{label}-half-clean.jsonl"
        half = once(made, lambda true=own.true, scan=scans["ocrad", 20]: _half(true(), scan()))
        yield from own.cases("half clean, half ocrad 20 %", "mixed", made.stem, half)
        made = work / "mixed" / f"{name}-two-engines.jsonl"
        one, other = scans["ocrad", 20], scans["tesseract", 20]
        both = once(made, lambda one=one, other=other: _two_engines(one(), other()))
        yield from some.cases("half ocrad 20 %, half tesseract 20 %", "mixed", made.stem, both)


def _whole(name: str, folder: Path, work: Path) -> Small:
    documents, queries, judged = (folder / name / file for file in CLASSIC[name])
    work.mkdir(parents=True, exist_ok=True)
    topics, judgments = classic_questions(name, queries, judged, work)
    return Small(TITLES[name], lambda: documents, _asked(name, documents, topics, judgments, work))


def _some(name: str, folder: Path, work: Path) -> Small:
    """A relevant document of each topic, as far as they go, and others at random; topics that have one among them."""
    label = f"{name}-{SAMPLE}"
    topics, judgments, path = work / f"{label}.tsv", work / f"{label}.qrels", work / "some" / f"{label}.jsonl"
    if not path.exists():
        every = list(adjudge.read_documents(folder / name / CLASSIC[name][0]))
        kept = _sample(every, work / f"{name}.qrels")
        rows = [row for row in adjudge.read_qrels(work / f"{name}.qrels").rows() if row[1] in kept]
        found = {topic for topic, _, grade in rows if grade > 0}
        lines = [f"{t.id}\t{t.title}\n" for t in adjudge.read_topics(work / f"{name}.tsv") if t.id in found]
        topics.write_text("".join(lines), encoding="utf-8")
        rated = [f"{topic} 0 {document} {grade}\n" for topic, document, grade in rows if topic in found]
        judgments.write_text("".join(rated), encoding="utf-8")
        once(path, lambda: (document for document in every if document.id in kept))()
    asked = _asked(label, path, topics, judgments, work)
    return Small(f"{SAMPLE} of {TITLES[name]}", lambda: path, asked)


def _sample(every: Sequence[Document], judgments: Path) -> frozenset[str]:
    relevant: dict[str, list[str]] = {}
    texts = {document.id for document in every if document.text.strip()}
    for topic, document, grade in adjudge.read_qrels(judgments).rows():
        if grade > 0 and document in texts:
            relevant.setdefault(topic, []).append(document)
    draw, kept = random.Random(SEED), dict[str, None]()  # noqa: S311  a drawing
    for topic in draw.sample(sorted(relevant), len(relevant)):
        kept[draw.choice(sorted(relevant[topic]))] = None
    kept |= dict.fromkeys(document.id for document in drawn(every, len(every)))
    return frozenset(list(kept)[:SAMPLE])


def _asked(label: str, documents: Path, topics: Path, judgments: Path, work: Path) -> tuple[Asked, ...]:
    """Topics that people judged, neighbouring words of documents, and words from anywhere in documents."""
    near, far = (_known(f"{label}-{kind}", documents, work, near=kind == "known") for kind in ("known", "scattered"))
    return ("topics", "ap", topics, judgments), ("known items", "rr", *near), ("scattered words", "rr", *far)


def _known(label: str, documents: Path, work: Path, *, near: bool) -> tuple[Path, Path]:
    """Words of the true text, as experiments/confidences.py draws them, of as many documents as it can."""
    topics, judgments = work / f"{label}.tsv", work / f"{label}.qrels"
    if not judgments.exists():
        every = list(adjudge.read_documents(documents))
        some = drawn(every, len(every))
        asked, each = known_items(some, 1, near=near), 1
        while len(asked) < KNOWN:
            each += 1
            asked = known_items(some, each, near=near)
        asked = asked[:KNOWN]
        topics.write_text("".join(f"{n}\t{text}\n" for n, (text, _) in enumerate(asked)), encoding="utf-8")
        judgments.write_text("".join(f"{n} 0 {name} 1\n" for n, (_, name) in enumerate(asked)), encoding="utf-8")
    return topics, judgments


def _two_engines(one: Path, other: Path) -> Iterator[Document]:
    """Every other document as the one engine read it; the other engine read some of the documents only."""
    others = {document.id: document for document in adjudge.read_documents(other)}
    both = Chosen(adjudge.read_documents(one), others.__contains__)
    for number, document in enumerate(both):
        yield others[document.id] if number % 2 else document


def _reading(true: Callable[[], Path], engine: str, factor: float, folder: Path) -> Callable[[], Path]:
    def make() -> Path:
        scanner = Scanner(scan=Scan(factor=factor), engine=engines.parse(engine))
        return Path(read(adjudge.read_documents(true()), scanner, folder))

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
        told = None if version == "true" else versions["true"]
        yield Case(f"built-in, {version}", kind, f"built-in-{version}", make, *places, true=told)
