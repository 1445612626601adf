"""Verbs on pools: make one, let runs join it, make it again, ask what is judged next."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from ..core.english import listing, plural, quantity
from ..core.errors import DataError, SpecError
from ..core.likes import DocumentsLike, PathLike, QrelsLike, RunsLike, TopicsLike
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..evaluation.measuring import named_runs
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..formats.topics import read_topics
from ..formats.writing import first_unwritable
from ..index.index import Index
from ..judging_desk.desk_serving import heard_at_desk
from ..pools.judging_queue import JudgingQueue
from ..pools.pool_files import is_pool, open_pool, pool_topics, read_definition, write_pool
from ..pools.pool_making import join_runs, make_pool, unknown_documents, without_documents
from ..pools.pooled_pairs import Budget, JudgingPair, Pool, PoolDefinition
from ..pools.pooling import poolings
from ..pools.priority import priorities
from ..pools.whole_topics import check_whole_topics
from .document_sources import document_ids

SAMPLES = ("uniform", "stratified")
RANDOM = "random_order"
BLANKS = re.compile(rb"[ \t\r\n\v\f\0]")
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
    whole_topics: int | None = None,
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
        whole_topics: how many topics, drawn at random, are judged whole beside a sample of all of them: they make
            estimates of ap, ndcg and recall unbiased (``whole`` of :func:`estimate`). Budgets are of the sample.
        join: whether the runs join the pool that is in the folder. It keeps pooling and seed, and others are refused;
            a priority, budgets or whole topics that are given take the place of those it has. Without runs only these
            change.
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
        whole = definition.whole_topics if whole_topics is None else whole_topics
        settled = replace(definition, budget=limits, priority=order, whole_topics=whole)
        changed, before = settled != definition, replace(before, definition=settled)
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
            whole_topics=whole_topics or 0,
            progress=progress,
        )
    given = documents if documents is not None else (where or None)
    if given is not None:
        made = _known_only(made, document_ids(given), unknown, progress)
    _check_whole(made)
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


def _check_whole(made: Pool) -> None:
    """An error if topics are to be judged whole and that means nothing."""
    count, pooling = made.definition.whole_topics, made.definition.pooling
    if count < 0 or isinstance(count, bool) or not isinstance(count, int):
        raise SpecError(f"whole_topics must be a whole number of at least 0, not {count!r}")
    if count and poolings.parse(pooling).name not in SAMPLES:
        raise SpecError(f"whole topics go with a sample ({' or '.join(SAMPLES)}): {pooling} has all judged that counts")
    if count:
        check_whole_topics(count, len(made.pooled_topics))


def _note_estimates(made: Pool, progress: Listener) -> None:
    """Say that a budget ends the judging of a sample where its order is not random."""
    definition = made.definition
    sampled = poolings.parse(definition.pooling).name in SAMPLES
    budget = int(made.shares(definition.budget)[0].sum())
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
                seed=made_by.seed, documents=made_by.documents, whole_topics=made_by.whole_topics, progress=progress,
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
    (topic, document), whole = missing[0], int((made.probabilities > 0).sum())
    ids = {document for _, document in missing}
    if unknown == "refuse":
        row = made.row_of(topic, document)
        holders = [] if row is None else [made.runs[r] for r in _holders(made, topic, row)]
        pairs = f"{len(missing):,} of {quantity(whole, 'pair')} {plural(len(missing), 'has', 'have')}"
        raise DataError(
            f"{holders[0] if holders else 'pool'}: document {document} of topic {topic} is not in the collection;"
            f" {pairs} such a document"
        )
    if len(missing) == whole:
        raise DataError(f"no pooled document is in the collection, such as {document} of topic {topic}: it is another")
    progress.note(Note.of("documents_not_pooled", count=len(ids), first=document))
    return without_documents(made, ids)


def _holders(made: Pool, topic: str, row: int) -> list[int]:
    part = made.topic_pool(topic)
    return sorted(set(part.entry_runs[part.entries_of(row - part.first)].tolist()))


class NextPairs(tuple[JudgingPair, ...], Result):
    """Pairs that are to be judged next, in this order."""

    __slots__ = ()


def opened_pool(project: PoolLike) -> Pool:
    """The pool that is meant."""
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
        progress: hears of judgments that are not of the pool, and that nothing is left.

    >>> both = pool({"a": {"1": {"x": 2.0, "y": 1.0}}, "b": {"1": {"y": 2.0, "z": 1.0}}}, priority="rank_order")
    >>> [pair.document for pair in pool_next(both, {"1": {"y": 1}})]
    ['x', 'z']
    """
    queue = JudgingQueue(opened_pool(project), priority, level=level)
    if judgments is None and not isinstance(project, Pool):
        judgments = heard_at_desk(Path(project), store)
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
    if not pairs and count > 0:
        progress.note(Note.of("nothing_to_judge", topic=topic or ""))
    return NextPairs(pairs)
