"""Verbs on files: check a run, convert, and put judgments together."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.document import Document
from ..core.errors import DataError, SpecError
from ..core.likes import DocumentsLike, PathLike, QrelsLike, Seed, TopicsLike, generator_of
from ..core.note import Note
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.sampled import SampledQrels
from ..evaluation.judgment_sets import (
    MergedQrels,
    QrelsDifference,
    compare_qrels,
    draw_topics,
    map_grades,
    merge_qrels,
    sample_qrels,
)
from ..formats.delimited_writing import separator_of, write_table
from ..formats.documents import read_documents
from ..formats.documents.document_writing import DocumentWriter
from ..formats.qrels import read_qrels, write_qrels
from ..formats.qrels_lines import has_qrels_lines
from ..formats.run_check import RunCheck, check_run
from ..formats.runs import has_run_lines, read_run, write_run
from ..formats.sampled_qrels import write_sampled_qrels
from ..formats.source import open_source
from ..formats.topics import read_topics, write_topics
from ..formats.writing import refuse_foreign_ending
from ..index.index import Index
from .document_sources import document_ids, index_of

KINDS = ("run", "qrels", "topics", "documents")


def check(
    run: PathLike,
    *,
    qrels: QrelsLike | None = None,
    topics: TopicsLike | None = None,
    documents: DocumentsLike | Index | None = None,
    most: int = 1000,
    least: int = 1,
) -> RunCheck:
    """Check a run as the script of an organiser does: all that is wrong with it, and not the first thing only.

    Args:
        run: a file of TREC's six columns.
        qrels: judgments: their topics are the topics, if none are given.
        topics: the topics that there are.
        documents: the collection, an index or documents: others are unknown.
        most: how many documents of a topic are allowed.
        least: how many are asked for.

    >>> check("mine.run", topics="topics.txt").fine  # doctest: +SKIP
    """
    if least < 0 or most < 1:
        raise SpecError(f"documents of a topic: least must be 0 or more and most 1 or more, not {least:,} and {most:,}")
    if least > most:
        raise SpecError(f"at least {least:,} documents of a topic and at most {most:,}: no number is both")
    known: Collection[str] | None = None
    if topics is not None:
        known = {topic.id: None for topic in read_topics(topics)}
    elif qrels is not None:
        known = dict.fromkeys(read_qrels(qrels).topics)
    ids = None if documents is None else document_ids(documents)
    return check_run(run, topics=known, documents=ids, most=most, least=least)


@dataclass(frozen=True)
class ConvertedFile(Result):
    """A file that was written in another format."""

    kind: str
    path: Path
    count: int
    """Rows, topics or documents."""
    notes: tuple[Note, ...] = ()
    """What was met in reading documents, and what the new format has no place for."""


def convert(source: PathLike, output: PathLike, *, kind: str = "", layout: str | None = None) -> ConvertedFile:
    """Convert a file to another format: runs, judgments, topics and documents, as the ending of the output says.

    Args:
        source: what is read, in any format in which it can be read; documents from an index with texts, too.
        output: what is written: runs and judgments as .json, .parquet, .csv, .tsv or else TREC lines (.jsonl, .xml and
            .html are refused); topics as .jsonl, .trec (.sgml), .xml or .tsv; documents as .jsonl, .trec (.sgml), .tsv
            or .parquet; .gz and so on packs.
        kind: run, qrels, topics or documents; if empty it is seen from the content, where that is possible.
        layout: of documents, if it is not to be seen from their content.

    >>> convert("mine.run", "mine.parquet").count  # doctest: +SKIP
    """
    kind = kind or kind_of(source)
    if kind not in KINDS:
        raise SpecError(f"a file holds {', '.join(KINDS)}, not {kind!r}")
    if layout is not None and kind != "documents":
        raise SpecError(f"layout is for documents, and {os.fspath(source)} holds {kind}")
    _refuse_same(source, output)
    separator = separator_of(output)
    if kind in {"run", "qrels"}:
        refuse_foreign_ending(output)
    if kind == "run":
        run = read_run(source)
        write_table(run, output, separator) if separator else write_run(run, output)
        return ConvertedFile(kind, Path(output), len(run))
    if kind == "qrels":
        qrels = read_qrels(source)
        write_table(qrels, output, separator) if separator else write_qrels(qrels, output)
        return ConvertedFile(kind, Path(output), len(qrels))
    if kind == "topics":
        topics = read_topics(source)
        write_topics(topics, output)
        return ConvertedFile(kind, Path(output), len(topics))
    index = index_of(source)
    if index is not None:
        if layout is not None:
            raise SpecError(f"layout is for files of documents, and {os.fspath(source)} is an index")
        if not index.manifest.texts:
            raise DataError(f"{os.fspath(source)}: built without texts: adjudge index --texts keeps them")
        return _written(map(index.document, range(len(index.ids))), output)
    documents = read_documents(source, layout)
    done = _written(documents, output)
    return replace(done, notes=(*documents.notes, *done.notes))


def _written(documents: Iterable[Document], output: PathLike) -> ConvertedFile:
    with DocumentWriter(output) as writer:
        for document in documents:
            writer.add(document)
    return ConvertedFile("documents", Path(output), writer.documents, writer.notes)


def _refuse_same(source: PathLike, output: PathLike) -> None:
    both = os.path.exists(source) and os.path.exists(output)
    if both and os.path.samefile(source, output):
        raise SpecError(f"{os.fspath(output)}: is what is read, and would be overwritten")


def kind_of(source: PathLike) -> str:
    """Whether a file holds a run, judgments, topics or documents; an error if that cannot be seen."""
    if os.path.isdir(source):
        return "documents"
    if has_run_lines(source):
        return "run"
    opened = open_source(source)
    try:
        if has_qrels_lines(opened):
            return "qrels"
        head = bytes(opened.text[opened.begin : opened.begin + 65536])
    finally:
        opened.close()
    words = next((line.split() for line in head.splitlines() if line.strip() and not line.startswith(b"#")), [])
    if len(words) == 4 and words[3].lstrip(b"-+").isdigit():
        return "qrels"
    low = head.lower()
    for mark, kind in ((b"<top>", "topics"), (b"<topics", "topics"), (b"<doc>", "documents")):
        if mark in low:
            return kind
    kinds = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
    raise SpecError(f"{os.fspath(source)}: its content does not tell what it holds: say which kind (--kind): {kinds}")


def _named(sets: Sequence[QrelsLike] | Mapping[str, QrelsLike]) -> list[tuple[str, Qrels]]:
    given: list[tuple[str, Any]] = (
        list(sets.items())
        if isinstance(sets, Mapping)
        else [
            (os.fspath(each) if isinstance(each, str | os.PathLike) else f"set {n}", each)
            for n, each in enumerate(sets, 1)
        ]
    )
    if len(given) < 2:
        raise SpecError("at least two sets of judgments are needed")
    return [(name, read_qrels(each)) for name, each in given]


def qrels_merge(
    sets: Sequence[QrelsLike] | Mapping[str, QrelsLike], output: PathLike | None = None, *, conflict: str = "refuse"
) -> MergedQrels:
    """Merge sets of judgments into one; where they contradict each other somebody must say which grade counts.

    Args:
        sets: two sets of judgments or more, in a list or as {name: judgments}.
        output: the file; nothing is written without it.
        conflict: refuse (an error that names the first conflict), first, last, highest or lowest; the conflicts are in
            the result in any case.

    >>> merged = qrels_merge([{"1": {"a": 1}}, {"1": {"a": 2, "b": 0}}], conflict="highest")
    >>> merged.qrels.to_dict(), len(merged.conflicts)
    ({'1': {'a': 2, 'b': 0}}, 1)
    """
    merged = merge_qrels(_named(sets), conflict)
    if output is not None:
        write_qrels(merged.qrels, output)
    return merged


def qrels_diff(first: QrelsLike, second: QrelsLike) -> QrelsDifference:
    """Compare two sets of judgments: what they have alike, differently, and alone.

    Args:
        first: judgments.
        second: other judgments.

    >>> qrels_diff({"1": {"a": 1, "b": 0}}, {"1": {"a": 2}}).changed[0].second
    2
    """
    one, two = _named([first, second])
    return compare_qrels(one, two)


def qrels_sample(
    qrels: QrelsLike,
    output: PathLike | None = None,
    *,
    share: float = 0.1,
    seed: Seed = 0,
    form: str = "sample_eval",
    whole_topics: int = 0,
    whole: PathLike | None = None,
) -> SampledQrels:
    """Draw a random share of the judgments of each topic; the others stay as documents that nobody judged.

    Args:
        qrels: the judgments.
        output: the file; nothing is written without it.
        share: how much of each topic is kept, above 0 and at most 1.
        seed: a whole number or a generator.
        form: sample_eval or statap (five columns), or qrels, in which the others have the grade -1, as infAP wants it.
        whole_topics: how many topics, drawn at random, are kept whole in a file of their own; the sample is the same.
        whole: that file, as :func:`estimate` takes it.

    >>> qrels_sample({"1": {"a": 1, "b": 0, "c": 2, "d": 0}}, share=0.5).probabilities.tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    if bool(whole_topics) != (whole is not None):
        raise SpecError("topics that are kept whole take their number (whole_topics) and a file (whole)")
    refuse_one_file(output, whole)
    given, rng = read_qrels(qrels), generator_of(seed)
    sample = sample_qrels(given, share, rng)
    if whole is not None:
        write_qrels(draw_topics(given, whole_topics, rng), whole)
    if output is not None and form == "qrels":
        write_qrels(Qrels(sample.topics, sample.offsets, sample.documents, sample.grades), output)
    elif output is not None:
        write_sampled_qrels(sample, output, form)
    return sample


def refuse_one_file(output: PathLike | None, whole: PathLike | None) -> None:
    """An error if a sample and the topics that are judged whole would go to one file."""
    if output is not None and whole is not None and os.path.realpath(output) == os.path.realpath(whole):
        raise SpecError(f"{os.fspath(whole)}: the sample and the topics that are judged whole take a file each")


def qrels_map(
    qrels: QrelsLike, grades: Mapping[int, int], output: PathLike | None = None, *, keep: bool = False
) -> Qrels:
    """Map the grades of judgments to others; a grade that is not mapped is an error.

    Args:
        qrels: the judgments.
        grades: {grade: new grade}.
        output: the file; nothing is written without it.
        keep: whether grades that are not mapped stay as they are.

    >>> qrels_map({"1": {"a": 2, "b": 0}}, {2: 1, 0: 0}).to_dict()
    {'1': {'a': 1, 'b': 0}}
    """
    mapped = map_grades(read_qrels(qrels), grades, keep=keep)
    if output is not None:
        write_qrels(mapped, output)
    return mapped
