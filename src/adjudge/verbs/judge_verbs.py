"""Verbs on judges that are programs, or that judged elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import DataError, SpecError
from ..core.likes import DocumentsLike, PathLike
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..formats.qrels import read_qrels
from ..formats.qrels_lines import has_qrels_lines
from ..formats.source import open_source
from ..index.index import Index
from ..judging_desk.desk_rules import read_rules
from ..pools.judge_files import JudgeAnswer, read_judgments
from ..pools.judge_program import JudgeOutcome, JudgeProgram, ask_judge, join_answers
from ..pools.pool_files import open_pool, pool_topics
from .document_sources import document_texts

MOST_NAMED = 5
"""Grades beyond the scale that a note names."""


def pool_judge(
    project: PathLike,
    name: str,
    command: Sequence[str] = (),
    *,
    answers: PathLike | None = None,
    documents: DocumentsLike | Index | None = None,
    prompt: str = "",
    version: str = "",
    topic: str | None = None,
    whole: bool = False,
    most: int | None = None,
    rate: float = 0.0,
    ahead: int = 8,
    limit: float = 300.0,
    progress: Listener = SILENT,
) -> JudgeOutcome:
    """Have a program judge the pairs of a pool, or let judgments made elsewhere join as those of a named judge.

    Args:
        project: the folder of a project that has a pool.
        name: of the judge; its answers are in judges/NAME.jsonl of the project.
        command: a program and its arguments: it reads pairs as lines of JSON and answers in lines of JSON.
        answers: a file with judgments that were made elsewhere, instead of a command: lines of JSON as a program
            answers, or any other format of judgments.
        documents: where the texts are; what the pool was made with if None.
        prompt: what the judge is told; it is handed on with every pair, and kept.
        version: of the judge; answers of another version need another name.
        topic: only pairs of this topic.
        whole: whether pairs of the pool that were not drawn for people are asked too: estimates from a sample take a
            machine that judged all of them.
        most: no more than so many pairs, in the order of the pool.
        rate: pairs a minute at most; 0 for as many as it can.
        ahead: pairs that it gets before it answers the first of them.
        limit: seconds without an answer after which it is ended.
        progress: hears how far it is.

    >>> pool_judge("project", "model", ["python", "judge.py"], prompt="Is it relevant?")  # doctest: +SKIP
    """
    folder = Path(project)
    made = open_pool(folder)
    scale = [each.grade for each in read_rules(folder, made.position).grades]
    if answers is not None:
        if command:
            raise SpecError("a command, or answers made elsewhere: give one of them")
        given = _answers_elsewhere(os.fspath(answers), name)
        outside = sum(made.row_of(answer.topic, answer.document) is None for answer in given)
        if outside == len(given):
            first = f"document {given[0].document} of topic {given[0].topic}"
            raise DataError(f"{os.fspath(answers)}: no judgment is of the pool, such as that of {first}")
        joined = join_answers(folder, name, given, source=os.fspath(answers), prompt=prompt, version=version)
        if outside:
            progress.note(Note.of("judgments_outside_pool", name, count=outside))
        _tell_other_grades(name, given, scale, progress)
        path = folder / "judges" / f"{name}.jsonl"
        return JudgeOutcome(name, path, len(given), len(given) - joined, joined)
    program = JudgeProgram(name, tuple(command), prompt, version, rate, ahead, limit)
    pairs = [
        (own, document)
        for (own, document, _), wanted, known in zip(
            made.rows(), made.to_judge.tolist(), (made.probabilities > 0).tolist(), strict=True
        )
        if (wanted or (whole and known)) and (topic is None or own == topic)
    ]
    if topic is not None:
        made.topic_number(topic)
    pairs = pairs[:most]
    source = documents if documents is not None else made.definition.documents or None
    if source is None:
        raise DataError(f"{folder}: the pool was made without documents: give them")
    texts = document_texts(source, {document for _, document in pairs})
    topics = {each.id: each for each in pool_topics(folder)}
    outcome = ask_judge(program, pairs, topics, texts, folder, progress=progress)
    if outcome.answered:
        kept = read_judgments(outcome.path, name)[name].answers
        _tell_other_grades(name, kept, scale, progress)
    return outcome


def _tell_other_grades(name: str, answers: Sequence[JudgeAnswer], scale: Sequence[int], progress: Listener) -> None:
    """A note on answers whose grade people at the desk could not give: they are kept as they are."""
    other = [answer.grade for answer in answers if answer.grade >= 0 and answer.grade not in scale]
    if other:
        grades = sorted(set(other))
        more = max(0, len(grades) - MOST_NAMED)
        facts = {"count": len(other), "grades": grades[:MOST_NAMED], "more": more, "scale": list(scale)}
        progress.note(Note.of("grades_outside_scale", name, **facts))


def _answers_elsewhere(path: str, name: str) -> tuple[JudgeAnswer, ...]:
    """Judgments that one judge made elsewhere: lines of JSON, or judgments in any other format."""
    source = open_source(path)
    if not has_qrels_lines(source, as_answers=True):
        return tuple(JudgeAnswer(*row) for row in read_qrels(source).rows())
    known = read_judgments(source, name)
    if len(known) > 1:
        raise DataError(f"{path}: judgments of {', '.join(known)}: one judge at a time, please")
    return next(iter(known.values())).answers
