"""Judgments by others: a crowd, a language model, clicks. Lines of JSON name the judge, the grade and how sure it is.

    {"topic": "7", "document": "d3", "grade": 2, "probability": 0.9, "judge": "model"}

The grade is a whole number, below 0 if the judge cannot tell; probability, how likely the judge holds it that the
document is relevant, may be left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import ConflictError, DataError, at
from ..core.qrels import Qrels
from ..core.spec import is_number
from ..formats.nested import refuse_half_characters, unique_keys
from ..formats.source import Source, open_source


class JudgeAnswer(NamedTuple):
    """What a judge says of a document."""

    topic: str
    document: str
    grade: int
    probability: float | None = None
    note: str = ""


@dataclass(frozen=True)
class NamedJudgments:
    """The judgments of one judge."""

    judge: str
    answers: tuple[JudgeAnswer, ...]

    def qrels(self) -> Qrels:
        """The grades."""
        return Qrels.of_columns(
            [answer.topic for answer in self.answers],
            [answer.document for answer in self.answers],
            np.array([answer.grade for answer in self.answers]),
            self.judge,
        )


def parse_answer(line: bytes, where: str, number: int) -> tuple[JudgeAnswer, str]:
    """An answer and the name of its judge, which may be empty; one line that says what is wrong with it."""
    try:
        record = json.loads(line, object_pairs_hook=lambda pairs: unique_keys(f"{where}:{number}", pairs))
    except ConflictError:
        raise
    except (ValueError, RecursionError):
        raise DataError(at(where, number, "the answer is not JSON", line)) from None
    if not isinstance(record, dict):
        raise DataError(at(where, number, "the answer is not a JSON object", line))
    refuse_half_characters(record, Source(f"{where}:{number}", line))
    texts = {name: _text(record.get(name), name, where, number, line) for name in ("topic", "document")}
    grade = record.get("grade")
    if isinstance(grade, float) and grade.is_integer():
        grade = int(grade)
    if isinstance(grade, bool) or not isinstance(grade, int):
        raise DataError(at(where, number, f"the grade is {repr(grade)[:50]}, not a whole number", line))
    if not -(2**31) <= grade < 2**31:
        raise DataError(at(where, number, f"the grade is {repr(grade)[:50]}, beyond what judgments can hold", line))
    sure = record.get("probability")
    if sure is not None and not (is_number(sure) and 0 <= sure <= 1):
        raise DataError(at(where, number, f"the probability is {repr(sure)[:50]}, not a number from 0 to 1", line))
    judge, note = record.get("judge", ""), record.get("note", "")
    if not isinstance(judge, str) or not isinstance(note, str):
        raise DataError(at(where, number, "judge and note must be texts", line))
    return JudgeAnswer(texts["topic"], texts["document"], grade, None if sure is None else float(sure), note), judge


def _text(value: Any, name: str, where: str, number: int, line: bytes) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        raise DataError(at(where, number, f"the answer has no {name}", line))
    return value


def answer_line(answer: JudgeAnswer, judge: str) -> bytes:
    """An answer as a line of JSON."""
    record: dict[str, Any] = {"topic": answer.topic, "document": answer.document, "grade": answer.grade}
    if answer.probability is not None:
        record["probability"] = answer.probability
    if answer.note:
        record["note"] = answer.note
    return (json.dumps(record | {"judge": judge}, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def read_judgments(source: str | os.PathLike[str] | Source, otherwise: str = "judge") -> Mapping[str, NamedJudgments]:
    """The judgments of each judge in lines of JSON; those without a name go to ``otherwise``."""
    opened = open_source(source)
    try:
        lines = opened.whole().split(b"\n")
    finally:
        opened.close()
    return _by_judge(_answers(lines, opened.name), opened.name, otherwise)


def _answers(lines: Iterable[bytes], name: str) -> Iterator[tuple[int, JudgeAnswer, str]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, *parse_answer(line, name, number)


def _by_judge(
    answers: Iterable[tuple[int, JudgeAnswer, str]], name: str, otherwise: str
) -> Mapping[str, NamedJudgments]:
    judges: dict[str, dict[tuple[str, str], JudgeAnswer]] = {}
    for number, answer, judge in answers:
        own = judges.setdefault(judge or otherwise, {})
        before = own.setdefault((answer.topic, answer.document), answer)
        if before.grade != answer.grade:
            pair = f"{answer.document} of topic {answer.topic}"
            raise ConflictError(
                f"{name}:{number}: {judge or otherwise} gives {pair} both {before.grade} and {answer.grade}"
            )
    if not judges:
        raise DataError(f"{name}: empty: there is no judgment")
    return {judge: NamedJudgments(judge, tuple(own.values())) for judge, own in judges.items()}
