"""Verbs on pools: make one, ask what is next, export judgments, ask judges, what is missing, estimates."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..comparison.pool_gaps import DEPTHS, PoolGaps, find_gaps
from ..comparison.sampled_estimates import DEFAULT, Estimates, estimate_from_sample, estimate_from_topics
from ..core.arguments import listed
from ..core.english import listing, plural, quantity
from ..core.errors import DataError, SpecError
from ..core.judging import USUAL, Judging
from ..core.likes import DocumentsLike, PathLike, QrelsLike, RunsLike, TopicsLike
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.result import Result
from ..core.sampled import SampledQrels
from ..evaluation.measuring import named_runs
from ..formats.documents import read_documents
from ..formats.qrels import read_qrels, write_qrels
from ..formats.qrels_lines import has_qrels_lines
from ..formats.runs import read_run
from ..formats.sampled_qrels import has_five_columns, read_sampled_qrels, write_sampled_qrels
from ..formats.source import open_source
from ..formats.topics import read_topics
from ..formats.writing import first_unwritable
from ..index.index import Index
from ..judging_desk.desk_serving import desk_judgments
from ..pools.judge_files import JudgeAnswer, read_judgments
from ..pools.judge_program import JudgeOutcome, JudgeProgram, ask_judge, join_answers
from ..pools.judging_queue import JudgingQueue
from ..pools.pool_files import is_pool, open_pool, pool_topics, read_definition, write_pool
from ..pools.pool_making import join_runs, make_pool, unknown_documents, without_documents
from ..pools.pooled_pairs import Budget, JudgingPair, Pool, PoolDefinition
from ..pools.pooling import poolings
from ..pools.priority import priorities

SAMPLES = ("uniform", "stratified")
RANDOM = "random_order"
BLANKS = re.compile(rb"[ \t\r\n\v\f\0]")
FORMS = ("qrels", "sample_eval", "statap")
UNKNOWN = ("refuse", "drop")
PoolLike = Pool | str | os.PathLike[str]
"""A pool, or the folder of a project that has one."""


def pool(
    runs: RunsLike,
    output: PathLike | None = None,
    *,
    pooling: str | None = None,
    topics: TopicsLike | None = None,
    documents: DocumentsLike | Index | None = None,
    priority: str = "",
    topic_budget: int | None = None,
    budget: int | None = None,
    seed: int | None = None,
    join: bool = False,
    unknown: str = "refuse",
    progress: Listener = SILENT,
) -> Pool:
    """Pool runs: which documents of which topics are to be judged, in which order, and how likely each was drawn.

    Args:
        runs: runs, as :func:`measure` takes them.
        output: the folder of a project, where the pool goes; nothing is written without it.
        pooling: the way it is made: ``depth@100`` (which is the default), ``fused@100``, ``uniform(share=0.1)``,
            ``stratified(…)``.
        topics: the topics that count; those of the runs if none are given.
        documents: the collection, an index or documents: a pooled document that it does not have is an error.
        priority: the order of judging, such as ``max_mean`` or ``move_to_front``; by default max_mean, and for samples
            random_order.
        topic_budget: how many documents of a topic may be judged; all if None.
        budget: how many may be judged in all.
        seed: of what is drawn, 0 if none is given.
        join: whether the runs join the pool that is in the folder. It keeps pooling and seed, and others are refused;
            a priority or budgets that are given take the place of those it has. Without runs only these change.
        unknown: refuse, or drop documents that the collection does not have, with a note.
        progress: hears how far it is, and what was left out.

    >>> pool({"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "z": 1.0}}}, pooling="depth@1")
    Pool(depth@1: 2 runs, 1 topics, 2 of 2 pairs to judge)
    """
    if unknown not in UNKNOWN:
        raise SpecError(f"unknown may be {' or '.join(UNKNOWN)}, not {unknown!r}")
    component = poolings.parse(pooling or "depth@100")
    known = None if topics is None else read_topics(topics)
    named = list(named_runs(runs))
    where = os.fspath(documents) if isinstance(documents, str | os.PathLike) else ""
    if join:
        if output is None:
            raise SpecError("runs join the pool of a project: give its folder")
        before = open_pool(Path(output))
        definition = before.definition
        _refuse_other_settings(definition, None if pooling is None else str(component), seed)
        limits = Budget(
            definition.budget.per_topic if topic_budget is None else topic_budget,
            definition.budget.total if budget is None else budget,
        )
        order = str(priorities.parse(priority)) if priority else definition.priority
        if order == RANDOM != definition.priority:
            raise SpecError(
                f"the pool was made to be judged in the order {definition.priority}, and what was judged so is no"
                f" random sample: {RANDOM} needs a pool of its own"
            )
        changed = (limits, order) != (definition.budget, definition.priority)
        before = replace(before, definition=replace(definition, budget=limits, priority=order))
        ids = [topic.id for topic in known] if known else _topics_given(Path(output))
        made = before if changed and not named else join_runs(before, named, topics=ids, progress=progress)
        where = where or (before.definition.documents if named else "")  # what is pooled already was looked for then
    else:
        if output is not None and is_pool(Path(output)):
            raise DataError(
                f"{os.fspath(output)}: there is a pool: join (--join) adds runs to it, another folder begins anew"
            )
        made = make_pool(
            named,
            str(component),
            topics=None if known is None else [topic.id for topic in known],
            priority=priority or (RANDOM if component.name in SAMPLES else "max_mean"),
            budget=Budget(topic_budget, budget),
            seed=seed or 0,
            documents=os.path.abspath(where) if where else "",
            progress=progress,
        )
    given = documents if documents is not None else (where or None)
    if given is not None:
        made = _known_only(made, document_ids(given), unknown, progress)
    _note_estimates(made, progress)
    _note_ids(made, progress)
    if output is not None:
        write_pool(made, Path(output), known or ())
    return made


def _refuse_other_settings(definition: PoolDefinition, pooling: str | None, seed: int | None) -> None:
    """An error if runs that join are to be pooled otherwise than the pool was."""
    for name, given, has in (("pooling", pooling, definition.pooling), ("seed", seed, definition.seed)):
        if given is not None and given != has:
            raise SpecError(f"runs join a pool as it was made, with {name} {has}, not {given}: leave it out")


def _note_estimates(made: Pool, progress: Listener) -> None:
    """Say that a budget ends the judging of a sample where its order is not random."""
    definition = made.definition
    sampled = poolings.parse(definition.pooling).name in SAMPLES
    budget = sum(definition.budget.shares(made.sizes.tolist()))
    if sampled and definition.priority != RANDOM and budget < int(made.drawn.sum()):
        progress.note(Note.of("budget_not_random", priority=definition.priority, budget=budget))


def _note_ids(made: Pool, progress: Listener) -> None:
    """Say which ids TREC's files cannot hold, before anything was judged."""
    kinds: dict[str, Iterable[str]] = {"topic": made.topics}
    if BLANKS.search(made.documents.data.data):
        kinds["document"] = made.documents
    for kind, names in kinds.items():
        if (name := first_unwritable(names, first=kind == "topic")) is not None:
            progress.note(Note.of("ids_not_trec", id_kind=kind, first=name))


def pool_again(
    definition: PathLike,
    output: PathLike | None = None,
    *,
    runs: RunsLike | None = None,
    documents: DocumentsLike | Index | None = None,
    progress: Listener = SILENT,
) -> Pool:
    """Make a pool again from its definition: the same pairs, drawn by the same seed, in the same columns.

    Args:
        definition: definition.json of an export, or the folder of a project.
        output: the folder of the new project; nothing is written without it.
        runs: where runs are now, by name, if they do not lie where they were.
        documents: the collection, if it does not lie where it was.
        progress: hears how far it is.

    >>> pool_again("judgments/definition.json", "again")  # doctest: +SKIP
    """
    place = Path(definition)
    made_by, topics = read_definition(place)
    moved = {} if runs is None else {read_run(source, name=name).name: source for name, source in named_runs(runs)}
    pooled = [run.name for run in made_by.runs]
    if strange := [name for name in moved if name not in pooled]:
        raise DataError(
            f"no run of the pool is named {strange[0]}: say which it is, NAME=FILE, of {listing(pooled, 5)}"
        )
    if output is not None and is_pool(Path(output)):
        raise DataError(f"{os.fspath(output)}: there is a pool: take another folder")
    made: Pool | None = None
    for wave in sorted({run.wave for run in made_by.runs}):
        own = [(run.name, moved.get(run.name, run.source)) for run in made_by.runs if run.wave == wave]
        for name, source in own:
            if isinstance(source, str) and not os.path.isfile(source):
                raise DataError(f"{source or name}: run {name} is not there any more: say where it is, {name}=FILE")
        if made is None:
            made = make_pool(
                own, made_by.pooling, topics=topics, priority=made_by.priority, budget=made_by.budget,
                seed=made_by.seed, documents=made_by.documents, progress=progress,
            )  # fmt: skip
        else:
            made = join_runs(made, own, topics=topics, progress=progress)
    if made is None:
        raise DataError(f"{place}: the definition has no run")
    for before, now in zip(made_by.runs, made.definition.runs, strict=True):
        if before.digest != now.digest:
            raise DataError(f"{now.source or now.name}: not the run that was pooled: its digest is another one")
    given = documents if documents is not None else (made_by.documents or None)
    if given is not None:
        made = _known_only(made, document_ids(given), "drop", progress)
    made = replace(made, definition=replace(made.definition, runs=made_by.runs))
    if output is not None:
        write_pool(made, Path(output), pool_topics(place) if (place / "topics.jsonl").is_file() else ())
    return made


def _topics_given(folder: Path) -> list[str] | None:
    """The topics that the project was begun with, if it was with some."""
    return [topic.id for topic in pool_topics(folder)] if (folder / "topics.jsonl").is_file() else None


def _known_only(made: Pool, known: Collection[str], unknown: str, progress: Listener) -> Pool:
    missing = unknown_documents(made, known)
    if not missing:
        return made
    topic, document = missing[0]
    ids = {document for _, document in missing}
    if unknown == "refuse":
        row = made.row_of(topic, document)
        holders = [] if row is None else [made.runs[r] for r in _holders(made, topic, row)]
        pairs = f"{len(missing):,} of {int(made.drawn.sum()):,} pairs"
        raise DataError(
            f"{holders[0] if holders else 'pool'}: document {document} of topic {topic} is not in the collection;"
            f" {pairs} have such a document"
        )
    progress.note(Note.of("documents_not_pooled", count=len(ids), first=document))
    return without_documents(made, ids)


def _holders(made: Pool, topic: str, row: int) -> list[int]:
    part = made.topic_pool(topic)
    return sorted(set(part.entry_runs[part.entries_of(row - part.first)].tolist()))


def _index_of(documents: Any) -> Index | None:
    """The index that is meant; None if these are documents."""
    if isinstance(documents, Index):
        return documents
    if isinstance(documents, str | os.PathLike) and os.path.isdir(documents):
        try:
            return Index.open(documents)
        except DataError:
            return None
    return None


def document_ids(documents: Any) -> Collection[str]:
    """The ids of all documents of a collection, an index or documents."""
    opened = _index_of(documents)
    return set(opened.ids) if opened is not None else {document.id for document in read_documents(documents)}


def document_texts(documents: Any, wanted: Collection[str]) -> Callable[[Sequence[str]], Mapping[str, str]]:
    """What gives the texts of documents by their ids; those of files are read once."""
    opened = _index_of(documents)
    if opened is None:
        held = {document.id: document.text for document in read_documents(documents) if document.id in wanted}
        return lambda ids: {id_: held[id_] for id_ in ids if id_ in held}
    index = opened
    numbers = {id_: number for number, id_ in enumerate(index.ids) if id_ in wanted}
    return lambda ids: {id_: index.document(numbers[id_]).text for id_ in ids if id_ in numbers}


class NextPairs(tuple[JudgingPair, ...], Result):
    """Pairs that are to be judged next, in this order."""

    __slots__ = ()


def _opened(project: PoolLike) -> Pool:
    return project if isinstance(project, Pool) else open_pool(Path(project))


def pool_next(
    project: PoolLike,
    judgments: QrelsLike | None = None,
    *,
    topic: str | None = None,
    count: int = 10,
    priority: str | None = None,
    level: int = 1,
    store: str | None = None,
    progress: Listener = SILENT,
) -> NextPairs:
    """Say which pairs of a pool are to be judged next, after the judgments that there are.

    Args:
        project: a pool, or the folder of a project.
        judgments: what was judged so far, in the order of judging; what was judged at the desk of the project if None.
        topic: only pairs of this topic; else the topics that are least done come first.
        count: how many pairs, as if none of them were relevant before all are judged.
        priority: another order than that of the pool.
        level: the lowest grade that counts as relevant.
        store: where the judgments of the desk are; the project's own store if none is named.
        progress: hears of judgments that are not of the pool.

    >>> both = pool({"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "z": 1.0}}}, priority="rank_order")
    >>> [pair.document for pair in pool_next(both, {"1": {"y": 1}})]
    ['x', 'z']
    """
    queue = JudgingQueue(_opened(project), priority, level=level)
    if judgments is None and not isinstance(project, Pool):
        judgments = desk_judgments(Path(project), store)
    if judgments is not None:
        outside = queue.judge_all(read_qrels(judgments))
        if outside:
            progress.note(Note.of("judgments_outside_pool", "judgments", count=outside))
    pairs: list[JudgingPair] = []
    while len(pairs) < count:
        pair = queue.next(topic, busy=[(each.topic, each.document) for each in pairs])
        if pair is None:
            break
        pairs.append(pair)
    return NextPairs(pairs)


def pool_export(
    project: PoolLike,
    judgments: QrelsLike | None = None,
    output: PathLike | None = None,
    *,
    form: str = "sample_eval",
    as_sample: bool = False,
    store: str | None = None,
    progress: Listener = SILENT,
) -> SampledQrels:
    """Put the judgments of a pool together with its strata and probabilities, and write them.

    Args:
        project: a pool, or the folder of a project.
        judgments: what was judged; what was judged at the desk of the project if None.
        output: the file; nothing is written without it.
        form: sample_eval (topic, 0, document, stratum, grade), statap (topic, document, grade, stratum, probability),
            or qrels, in which a document of the pool that was not judged has the grade -1.
        as_sample: whether what is judged is a random sample of each stratum, though not all that was drawn is judged
            and the order of the pool is not random_order. Without it such judgments are refused as a sample: the
            likeliest documents were judged first, and estimates would be far too high.
        store: where the judgments of the desk are; the project's own store if none is named.
        progress: hears of judgments that are not of the sample, of pairs without a grade, and of grades below -1,
            which become 0.

    >>> both = pool({"a": {"1": {"x": 2.0, "y": 1.0}}}, pooling="uniform@2(share=1)")
    >>> pool_export(both, {"1": {"x": 1, "y": 0}}).probabilities.tolist()
    [1.0, 1.0]
    """
    if form not in FORMS:
        raise SpecError(f"form may be {', '.join(FORMS)}, not {form!r}")
    made = _opened(project)
    at_desk = judgments is None
    if judgments is None and not isinstance(project, Pool):
        judgments = desk_judgments(Path(project), store)
    if judgments is None:
        raise DataError("nothing was judged yet: adjudge pool serve has people judge, or give judgments")
    given = read_qrels(judgments).to_dict()
    frame = np.flatnonzero(made.probabilities > 0)
    drawn = made.drawn.tolist()
    topic = np.repeat(np.arange(len(made.topics)), np.diff(made.offsets))[frame]
    grades = np.full(len(made), -1, np.int32)
    taken = low = aside = 0
    for row, (name, document, _) in enumerate(made.rows()):
        grade = given.get(name, {}).get(document) if drawn[row] else None
        if grade is not None:
            taken, low, aside = taken + 1, low + (grade < -1), aside + (grade == -1)
            grades[row] = 0 if grade < -1 else grade  # judged and worse than not relevant is not unjudged
    if not (grades >= 0).any():
        raise DataError("no pair of the pool is judged")
    order, whole = made.definition.priority, int(made.drawn.sum())
    judged = taken if at_desk else taken - aside  # at the desk −1 is "cannot tell", in a file it is "not judged"
    if judged < whole and order != RANDOM and not as_sample:
        lack = f"{whole - judged:,} of {quantity(whole, 'pair')} {plural(whole - judged, 'is', 'are')}"
        left = f"{lack} not judged yet, and {order} has others judged first"
        if form != "qrels":
            raise DataError(
                f"{left}: what is judged is no random sample, and estimates from it would be wrong; judge the rest,"
                " or take the form qrels for plain judgments (as_sample, --as-sample, if it is one after all)"
            )
        progress.note(Note.of("judged_not_at_random", "judgments", left=whole - judged, whole=whole, priority=order))
    if aside and at_desk:
        progress.note(Note.of("pairs_without_grade", "judgments", count=aside))
    if outside := sum(map(len, given.values())) - taken:
        progress.note(Note.of("judgments_outside_sample", "judgments", count=outside))
    if low:
        progress.note(Note.of("grades_raised", "judgments", count=low))
    counts = np.bincount(topic, minlength=len(made.topics))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    documents = made.documents.take(frame)
    sample = SampledQrels.of_rows(made.topics, offsets, documents, grades[frame], made.strata[frame])
    if output is not None and form == "qrels":
        write_qrels(Qrels(sample.topics, sample.offsets, sample.documents, sample.grades), output)
    elif output is not None:
        write_sampled_qrels(sample, output, form)
    return sample


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
    if answers is not None:
        if command:
            raise SpecError("a command, or answers made elsewhere: give one of them")
        given = _answers_elsewhere(os.fspath(answers), name)
        joined = join_answers(folder, name, given, source=os.fspath(answers), prompt=prompt, version=version)
        if outside := sum(made.row_of(answer.topic, answer.document) is None for answer in given):
            progress.note(Note.of("judgments_outside_pool", name, count=outside))
        path = folder / "judges" / f"{name}.jsonl"
        return JudgeOutcome(name, path, len(given), len(given) - joined, joined)
    program = JudgeProgram(name, tuple(command), prompt, version, rate, ahead, limit)
    pairs = [
        (own, document)
        for (own, document, _), drawn, known in zip(
            made.rows(), made.drawn.tolist(), (made.probabilities > 0).tolist(), strict=True
        )
        if (drawn or (whole and known)) and (topic is None or own == topic)
    ]
    if topic is not None:
        made.topic_number(topic)
    pairs = pairs[:most]
    source = documents if documents is not None else made.definition.documents or None
    if source is None:
        raise DataError(f"{folder}: the pool was made without documents: give them")
    texts = document_texts(source, {document for _, document in pairs})
    topics = {each.id: each for each in pool_topics(folder)}
    return ask_judge(program, pairs, topics, texts, folder, progress=progress)


def _answers_elsewhere(path: str, name: str) -> tuple[JudgeAnswer, ...]:
    """Judgments that one judge made elsewhere: lines of JSON, or judgments in any other format."""
    source = open_source(path)
    if not has_qrels_lines(source, as_answers=True):
        return tuple(JudgeAnswer(*row) for row in read_qrels(source).rows())
    known = read_judgments(source, name)
    if len(known) > 1:
        raise DataError(f"{path}: judgments of {', '.join(known)}: one judge at a time, please")
    return next(iter(known.values())).answers


def pool_gaps(
    qrels: QrelsLike,
    runs: RunsLike,
    measure: str = "ap",
    *,
    depth: int = 100,
    depths: Sequence[int] = DEPTHS,
    groups: Mapping[str, str] | None = None,
    level: int = USUAL.level,
    progress: Listener = SILENT,
) -> PoolGaps:
    """Show what judgments lack: unjudged documents, what runs lose if they had not been pooled, ranks that could be.

    Args:
        qrels: the judgments.
        runs: two runs or more, as :func:`measure` takes them.
        measure: by which runs are ranked; rbp and the C/W/L measures have residuals, which make bands and ranges.
        depth: how far down the runs were pooled.
        depths: where the share of unjudged documents is looked at.
        groups: {group: pattern of names of runs}, which are left out together; each run its own without it.
        level: the lowest grade that counts as relevant.
        progress: hears how far it is.

    >>> runs = {"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"z": 2.0, "y": 1.0}}}
    >>> pool_gaps({"1": {"x": 1, "y": 1}}, runs).rows[0].rank_without
    1
    """
    judging = replace(USUAL, level=level)
    return find_gaps(
        qrels, runs, measure, depth=depth, depths=depths, groups=groups, judging=judging, progress=progress
    )


def estimate(
    qrels: QrelsLike | SampledQrels,
    runs: RunsLike,
    measures: str | Sequence[str] = DEFAULT,
    *,
    machine: QrelsLike | None = None,
    level: int = USUAL.level,
    confidence: float = 0.95,
    progress: Listener = SILENT,
) -> Estimates:
    """Estimate mean measures from few judgments, with intervals; a machine that judged more may help.

    Args:
        qrels: judgments of a random sample of the pool in five columns (:func:`pool_export`); or, with a machine, plain
            judgments of some of the topics, which were chosen at random.
        runs: runs, as :func:`measure` takes them.
        measures: specs of measures. From a sample of documents: p@k, recall@k, ap, ndcg, dcg, rbp and xinfap, with a
            machine p@k, dcg and rbp; from some of the topics: all that are means.
        machine: judgments of a machine: of the whole pool, or of all topics.
        level: the lowest grade that counts as relevant.
        confidence: of the intervals.
        progress: hears how far it is.

    >>> human = {"1": {"x": 1}, "2": {"y": 0, "x": 1}}
    >>> machine = {"1": {"x": 1}, "2": {"y": 1, "x": 1}, "3": {"x": 0, "y": 1}}
    >>> runs = {"a": {t: {"x": 2.0, "y": 1.0} for t in "123"}}
    >>> round(estimate(human, runs, "p@2", machine=machine).rows[0].estimate.value, 3)
    0.417
    """
    if not 0 < confidence < 1:
        raise SpecError(f"confidence must lie between 0 and 1, not {confidence}")
    judging = Judging(level=level)
    specs = listed(measures)
    is_path = isinstance(qrels, str | os.PathLike) and os.fspath(qrels) != "-"
    if isinstance(qrels, SampledQrels) or (is_path and has_five_columns(qrels)):  # type: ignore[arg-type]
        sample = read_sampled_qrels(qrels)
        return estimate_from_sample(
            sample, runs, specs, machine=machine, judging=judging, confidence=confidence, progress=progress
        )
    if machine is None:
        raise SpecError("plain judgments have no strata: give a sample in five columns, or the judgments of a machine")
    return estimate_from_topics(qrels, machine, runs, specs, judging=judging, confidence=confidence, progress=progress)
