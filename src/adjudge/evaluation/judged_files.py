"""A run file becomes a judged run without being held: its lines are read, ranked and judged block by block."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.judged import JudgedRun, RankedRun, judged_entries, ordinal
from ..core.kernel import native
from ..core.note import Note
from ..core.strings import decode, encode
from ..formats.ir_metadata import read_header
from ..formats.rank_check import contradiction
from ..formats.raw_file import header_separator, looks_like_json, looks_like_parquet
from ..formats.source import NamedPath, open_source
from .judged_lines import JudgedLines, JudgmentTables, judge_lines

if TYPE_CHECKING:
    from ..core.judging import Judging
    from ..core.qrels import Qrels


def judge_file(given: Any, qrels: Qrels, name: str | None, judging: Judging) -> JudgedRun | None:
    """The judged run of a file of TREC lines; None for all else, and for files with an error in them.

    They are read whole by :func:`adjudge.formats.runs.read_run`, which says what is wrong.
    """
    if native("lines") is None or not isinstance(given, str | os.PathLike) or not os.path.isfile(given):
        return None  # a pipe can be read only once, so it is read whole
    source = open_source(given)
    try:
        if header_separator(source) or looks_like_json(source) or looks_like_parquet(source):
            return None
        judged = judge_lines(source, pool_of(qrels), single=judging.trec_version == 9)
        if judged is None:
            return None
        called = name or (given.run_name if isinstance(given, NamedPath) else None)
        named = called or (decode(judged.tag) if judged.tag else source.stem)
        notes = (*read_header(source)[1], *contradiction(source, named))
    finally:
        source.close()
    if judged.tied:
        notes = (*notes, Note.of("topics_all_tied", named, topics=judged.tied))
    return judged_entries(ranked(judged, named, notes), qrels, judging)


def pool_of(qrels: Qrels) -> JudgmentTables:
    """Judgments as the loop that judges takes them."""
    strings = qrels.documents
    columns = strings.data, strings.starts, strings.lengths, qrels.grades, qrels.offsets
    return JudgmentTables([encode(topic) for topic in qrels.topics], columns, qrels.index)


def ranked(judged: JudgedLines, name: str, notes: tuple[Note, ...]) -> RankedRun:
    """What was judged block by block, as arrays."""
    counts = np.frombuffer(judged.counts, np.int32)
    topic = np.repeat(np.arange(len(counts)), counts)
    places = np.frombuffer(judged.firsts, np.int64)[topic] + ordinal(topic, len(counts)) - 1
    ranks, grades = (np.frombuffer(column, np.int32) for column in (judged.ranks, judged.grades))
    topics = [decode(name) for name in judged.topics]
    retrieved = np.frombuffer(judged.retrieved, np.int64)
    if not len(places):
        ranks = grades = np.zeros(0, np.int32)
    return RankedRun(name, topics, retrieved, topic, ranks[places], grades[places], notes)
