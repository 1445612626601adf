"""The collections of experiments/scanned.py: documents true and degraded, questions, judgments, what is held out."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import adjudge
from adjudge.cli._terminal import Terminal
from adjudge.core.document import Documents
from adjudge.experiment.plan import Noise, Plan
from adjudge.formats.classic_collections import read_smart_qrels, read_smart_topics
from adjudge.noise.degrading import degrade
from adjudge.noise.engines.engine import engines
from adjudge.noise.pages.scanning import Scan
from adjudge.noise.scanner import Scanner

CLASSIC = {
    "cran": ("cran.all.1400", "cran.qry", "cranqrel"),
    "cisi": ("CISI.ALL", "CISI.QRY", "CISI.REL"),
    "med": ("MED.ALL", "MED.QRY", "MED.REL"),
    "cacm": ("cacm.all", "query.text", "qrels.text"),
}
FACTORS = {
    ("cran", "ocrad"): {"5 %": 1.692, "20 %": 2.22},
    ("cisi", "ocrad"): {"5 %": 1.717, "20 %": 2.236},
    ("med", "ocrad"): {"5 %": 1.696, "20 %": 2.236},
    ("cacm", "ocrad"): {"5 %": 1.719, "20 %": 2.251},
    ("med", "tesseract"): {"5 %": 4.25, "20 %": 5.04},
}
"""By how much pages are reduced: for 5.5 % and 20.5 % of wrong characters by ``adjudge noise calibrate``, with
tesseract as for the Federal Register (docs/noise.md)."""
CHANNELS = {"channel 5 %": "ocrad-5", "channel 20 %": "ocrad-20"}


@dataclass(frozen=True)
class Collection:
    """Questions on versions of documents; ``held`` tells of a topic whether no decision may look at it."""

    name: str
    topics: str
    judgments: str
    versions: Mapping[str, str | Noise]
    held: Callable[[str], bool]
    measure: str = "ap"
    outside: str = ""
    work: str = ""
    """The folder for what is made of the documents, where collections have the same ones."""
    built_in: bool = False

    def plan(self, systems: tuple[str, ...]) -> Plan:
        if self.built_in:
            return Plan(collection="python-docs", systems=systems)
        return Plan(self.topics, self.judgments, dict(self.versions), systems, outside=self.outside)


def classic(name: str, folder: Path, work: Path, channels: Mapping[str, Path]) -> Collection:
    """A small collection: by real engines where factors are known, by the shipped channels, and by others given."""
    documents, queries, judged = (folder / name / file for file in CLASSIC[name])
    topics, judgments = classic_questions(name, queries, judged, work)
    versions: dict[str, str | Noise] = {"true": str(documents)}
    for (of, engine), factors in FACTORS.items():
        for level, factor in factors.items() if of == name else ():
            made = work / "read" / f"{name}-{engine}-{level.partition(' ')[0]}"
            scanner = Scanner(scan=Scan(factor=factor), engine=engines.parse(engine))
            versions[f"{engine} {level}"] = read(adjudge.read_documents(documents), scanner, made)
    versions |= {version: Noise(channel=channel) for version, channel in CHANNELS.items()}
    versions |= {version: Noise(channel=str(path.resolve())) for version, path in channels.items()}
    return Collection(name, str(topics), str(judgments), versions, lambda _: name in {"cisi", "med"})


def classic_questions(name: str, queries: Path, judged: Path, work: Path) -> tuple[Path, Path]:
    """Topics and judgments of a small collection, those topics that have a relevant document."""
    topics, judgments = work / f"{name}.tsv", work / f"{name}.qrels"
    relevant = read_smart_qrels(judged)
    asked = {topic for topic, _, grade in relevant.rows() if grade > 0}
    lines = [f"{t.id}\t{' '.join(t.title.split())}\n" for t in read_smart_topics(queries) if t.id in asked]
    topics.write_text("".join(lines), encoding="utf-8")
    rows = [f"{topic} 0 {document} {grade}\n" for topic, document, grade in relevant.rows() if topic in asked]
    judgments.write_text("".join(rows), encoding="utf-8")
    return topics, judgments


def read(documents: Documents, scanner: Scanner, folder: Path) -> str:
    """Documents as an engine reads them; a job that was killed goes on, and one that is finished is not done again."""
    if not (folder / "manifest.json").exists():
        with Terminal().work("version", folder.name) as step:
            degrade(documents, scanner, folder, progress=step.inside, workers=1)
    return str(folder / "documents.jsonl.zst")


def questions(path: Path, work: Path) -> tuple[str, str]:
    """Topics and judgments from lines of id, question and the one document that answers it."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    topics, judgments = work / f"{path.stem}.tsv", work / f"{path.stem}.qrels"
    topics.write_text("".join(f"{row[0]}\t{row[1]}\n" for row in rows), encoding="utf-8")
    judgments.write_text("".join(f"{row[0]} 0 {row[2]} 1\n" for row in rows), encoding="utf-8")
    return str(topics), str(judgments)


def federal(
    fr94: Path, scanned: Path, known: Path, fresh: Path, robust: Path, work: Path, wanted: Container[str]
) -> Iterator[Collection]:
    """The Federal Register with the known questions, the fresh ones, and those of TREC's Robust track."""
    versions: dict[str, str | Noise] = {
        "true": str(fr94),
        "5 %": str(scanned / "ocrad-5.jsonl.zst"),
        "20 %": str(scanned / "ocrad-20.jsonl.zst"),
    }
    plain = Collection("", "", "", versions, lambda _: False, "rr", str(fr94), "fr94-work")
    if "known" in wanted:
        topics, judgments = questions(known, work)
        yield replace(plain, name="known", topics=topics, judgments=judgments)
    topics, judgments = questions(fresh, work)
    new = replace(plain, name="fresh", topics=topics, judgments=judgments, held=lambda _: True)
    if "fresh" in wanted:
        yield new
    if "robust" in wanted:
        judged, relevant = work / "robust.qrels", adjudge.read_qrels(robust / "qrels.robust04.fr94.txt")
        some = {topic for topic, _, grade in relevant.rows() if grade > 0}
        rows = [f"{topic} 0 {document} {grade}\n" for topic, document, grade in relevant.rows() if topic in some]
        judged.write_text("".join(rows), encoding="utf-8")
        asked = str(robust / "topics.robust04.txt")
        even = replace(plain, name="robust", topics=asked, judgments=str(judged), measure="ap")
        yield replace(even, held=lambda topic: int(topic or 1) % 2 == 0)
