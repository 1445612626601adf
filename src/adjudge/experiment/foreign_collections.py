"""Collections in the layout of others: a BEIR folder, or an id of ir_datasets.

    collection = "beir:scifact"              # a folder with corpus.jsonl, queries.jsonl and qrels/test.tsv
    collection = "ir_datasets:cranfield"     # pip install 'adjudge[ir-datasets]'

A BEIR folder is read where it is. What ir_datasets gives is written to the folder of results once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.document import Document
from ..core.errors import DataError, MissingExtraError, did_you_mean
from ..core.qrels import Qrels
from ..core.topic import Topic
from ..formats.documents.document_writing import DocumentWriter
from ..formats.qrels import write_qrels
from ..formats.topics import write_topics
from ..formats.writing import write
from .plan import Noise, Plan

BEIR = ("corpus.jsonl", "queries.jsonl")
ENDINGS = ("", ".gz", ".zst")
TEXTS = ("title", "headline", "abstract", "text", "body")
"""Fields of a document of ir_datasets that are its text, if it cannot say by itself."""


def lay_out_foreign(plan: Plan, results: Path) -> Plan:
    """The plan with the files of its collection in place of its name."""
    kind, which = plan.foreign
    files = _beir(plan, which) if kind == "beir" else _ir_datasets(which, results)
    topics, judgments, documents = (str(path.resolve()) for path in files)
    versions = {name: of if isinstance(of, Noise) else documents for name, of in plan.versions.items()}
    return replace(plan, collection="", split="", versions=versions, topics=topics, judgments=judgments)


def _beir(plan: Plan, which: str) -> tuple[Path, Path, Path]:
    folder = plan.path(which)
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder")
    documents, topics = (_one_of(folder, name) for name in BEIR)
    split = plan.split or "test"
    judgments = folder / "qrels" / f"{split}.tsv"
    if not judgments.is_file():
        splits = sorted(path.stem for path in (folder / "qrels").glob("*.tsv"))
        there = f": there is {', '.join(splits)}" if splits else ""
        raise DataError(f"{judgments}: no such file{there}{did_you_mean(split, splits)}")
    return topics, judgments, documents


def _one_of(folder: Path, name: str) -> Path:
    for ending in ENDINGS:
        if (path := folder / f"{name}{ending}").is_file():
            return path
    raise DataError(f"{folder / name}: no such file, and a BEIR folder has {', '.join(BEIR)} and qrels/")


def _ir_datasets(which: str, results: Path) -> tuple[Path, Path, Path]:
    """Write what ir_datasets has under an id; what is there already stays."""
    from .. import __version__

    folder = (results / "collection").resolve()
    files = folder / "topics.jsonl", folder / "qrels.txt", folder / "documents.jsonl.zst"
    stamp, target = f"ir_datasets:{which}, adjudge {__version__}\n".encode(), folder / "made"
    if target.exists() and target.read_bytes() == stamp:
        return files
    dataset = _load(which)
    for part in ("docs", "queries", "qrels"):
        if not getattr(dataset, f"has_{part}")():
            raise DataError(
                f"ir_datasets:{which} has no {part}: name a subset that has documents, queries and judgments"
            )
    folder.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    with DocumentWriter(files[2]) as writer:
        for document in _documents(dataset):
            writer.add(document)
    write_topics([_topic(query) for query in dataset.queries_iter()], files[0])
    rows = [(str(row.query_id), str(row.doc_id), int(row.relevance)) for row in dataset.qrels_iter()]
    if not rows:
        raise DataError(f"ir_datasets:{which} has no judgment")
    topics, documents, grades = zip(*rows, strict=True)
    write_qrels(Qrels.of_columns(topics, documents, np.array(grades, np.int64)), files[1])
    write(target, stamp)  # last: what it stands for is whole
    return files


def _load(which: str) -> Any:
    try:
        import ir_datasets
    except ImportError:
        raise MissingExtraError(f"ir_datasets:{which} needs a library: pip install 'adjudge[ir-datasets]'") from None
    try:
        return ir_datasets.load(which)
    except KeyError:
        known = [str(name) for name in ir_datasets.registry]
        raise DataError(f"ir_datasets has no {which!r}{did_you_mean(which, known)}") from None


def _documents(dataset: Any) -> Iterator[Document]:
    for document in dataset.docs_iter():
        title = str(getattr(document, "title", "") or "")
        if hasattr(document, "default_text"):
            text = document.default_text()
        else:
            text = "\n".join(str(part) for name in TEXTS if (part := getattr(document, name, "")))
        yield Document(str(document.doc_id), text, title)


def _topic(query: Any) -> Topic:
    """The parts of a query that are called as ours are; the text, or what it gives by default, is the title."""
    title = next((str(text) for name in ("title", "text", "query") if (text := getattr(query, name, ""))), "")
    if not title and hasattr(query, "default_text"):
        title = query.default_text()
    description, narrative = (str(getattr(query, name, "") or "") for name in ("description", "narrative"))
    return Topic(
        str(query.query_id), " ".join(title.split()), " ".join(description.split()), " ".join(narrative.split())
    )
