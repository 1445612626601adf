"""Judgments of a sample in five columns: as sample_eval reads them (strata), and as statAP does (probabilities).

    sample_eval   topic  0         document  stratum  grade        −1 for a document of the pool that was not judged
    statAP        topic  document  grade     stratum  probability  judged documents only

Whoever reads the first form takes the probability from the counts of a stratum.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.errors import ConflictError, DataError, SpecError, at
from ..core.sampled import SampledQrels
from ..core.strings import Strings, decode
from .raw_file import looks_like_json, looks_like_parquet
from .source import Source, open_source

FORMS = ("sample_eval", "statap")
COLUMNS = 5


def looks_sampled(source: Source, *, expected: bool = False) -> bool:
    """Whether the first line that is no comment has five columns and ends in a number.

    Where a sample is ``expected`` any line of five columns or more is taken for one, so that its reader says what is
    wrong with it.
    """
    if looks_like_json(source) or looks_like_parquet(source):
        return False
    for line in bytes(source.text[source.begin : source.begin + 65536]).splitlines():
        words = line.split()
        if words and not line.startswith(b"#"):
            return (len(words) == COLUMNS and _number(words[-1]) is not None) or (expected and len(words) >= COLUMNS)
    return False


def read_sampled_qrels(source: Any) -> SampledQrels:
    """Read the judgments of a sample, in one of the two forms with five columns.

    Args:
        source: a path (``-`` is standard input), an open binary file, or judgments of a sample.

    >>> read_sampled_qrels("qrels-sampled.txt")  # doctest: +SKIP
    """
    if isinstance(source, SampledQrels):
        return source
    opened = open_source(source)
    try:
        rows = list(_rows(opened))
    finally:
        opened.close()
    if not rows:
        raise DataError(f"{opened.name}: empty: only comments and blank lines")
    with_probabilities = any(_is_fraction(fields[4]) for _, fields in rows)
    return _of_probabilities(opened, rows) if with_probabilities else _of_strata(opened, rows)


def _rows(source: Source) -> Iterator[tuple[int, list[bytes]]]:
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) != COLUMNS:
            why = f"{COLUMNS} columns expected (topic, 0, document, stratum, grade), {len(fields)} found"
            raise DataError(at(source.name, number, why, line))
        yield number, fields


def _number(word: bytes) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _is_fraction(word: bytes) -> bool:
    value = _number(word)
    return value is not None and (b"." in word or b"e" in word.lower())


def _whole(source: Source, number: int, word: bytes, what: str) -> int:
    try:
        value = int(word)
    except ValueError:
        value = 2**31
    if abs(value) >= 2**31:
        raise DataError(at(source.name, number, f"the {what} must be a whole number", word))
    return value


def _table(
    source: Source, rows: list[tuple[int, list[bytes]]], place: tuple[int, int, int, int]
) -> tuple[tuple[str, ...], Any, Strings, Any, Any, Any]:
    """Topics, offsets, documents, grades, strata and the order in which the rows go."""
    topic_at, document_at, stratum_at, grade_at = place
    codes: dict[bytes, int] = {}
    seen: dict[tuple[bytes, bytes], int] = {}
    topic, grades, strata = [], [], []
    for number, fields in rows:
        key = fields[topic_at], fields[document_at]
        if key in seen:
            raise ConflictError(at(source.name, number, f"the pair was on line {seen[key]} already", b" ".join(fields)))
        seen[key] = number
        topic.append(codes.setdefault(key[0], len(codes)))
        grades.append(_whole(source, number, fields[grade_at], "grade"))
        strata.append(_whole(source, number, fields[stratum_at], "stratum"))
    order = np.argsort(np.array(topic), kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(topic, minlength=len(codes)))]).astype(np.int64)
    documents = Strings.of([decode(rows[i][1][document_at]) for i in order.tolist()])
    return (
        tuple(map(decode, codes)),
        offsets,
        documents,
        np.array(grades, np.int32)[order],
        np.array(strata, np.int32)[order],
        order,
    )


def _of_strata(source: Source, rows: list[tuple[int, list[bytes]]]) -> SampledQrels:
    topics, offsets, documents, grades, strata, _ = _table(source, rows, (0, 2, 3, 4))
    if not (grades >= 0).any():
        raise DataError(f"{source.name}: no document is judged: every grade is negative")
    return SampledQrels.of_rows(topics, offsets, documents, grades, strata)


def _of_probabilities(source: Source, rows: list[tuple[int, list[bytes]]]) -> SampledQrels:
    for number, fields in rows:
        chance = _number(fields[4])
        if chance is None or not 0 < chance <= 1:
            raise DataError(at(source.name, number, "the probability must be above 0 and at most 1", fields[4]))
    topics, offsets, documents, grades, strata, order = _table(source, rows, (0, 1, 3, 2))
    chances = np.array([float(rows[i][1][4]) for i in order.tolist()])
    return SampledQrels(topics, offsets, documents, grades, strata=strata, probabilities=chances)


def sampled_text(sample: SampledQrels, form: str = "sample_eval") -> str:
    """Judgments of a sample as lines of five columns."""
    from .writing import unwritable

    if form not in FORMS:
        raise SpecError(f"a sample is written as {' or '.join(FORMS)}, not {form!r}")
    unwritable(sample.topics, "topic", first=True)
    unwritable(list(sample.documents), "document")
    rows = zip(sample.rows(), sample.strata.tolist(), sample.probabilities.tolist(), strict=True)
    if form == "sample_eval":
        return "".join(f"{topic} 0 {doc} {stratum} {grade}\n" for (topic, doc, grade), stratum, _ in rows)
    return "".join(
        f"{topic} {doc} {grade} {stratum} {chance!r}\n" for (topic, doc, grade), stratum, chance in rows if grade >= 0
    )


def write_sampled_qrels(sample: SampledQrels, path: str | os.PathLike[str], form: str = "sample_eval") -> None:
    """Write the judgments of a sample in five columns.

    Args:
        sample: the judgments.
        path: the file; .gz, .xz, .zst or .bz2 packs.
        form: sample_eval (topic, 0, document, stratum, grade) or statap (topic, document, grade, stratum, probability).

    >>> write_sampled_qrels(sample, "qrels-sampled.txt")  # doctest: +SKIP
    """
    from .writing import trec_text, write

    write(path, trec_text(sampled_text(sample, form)))
