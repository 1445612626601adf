"""Runs become a pool, and more runs join one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arguments import is_file
from ..core.english import some
from ..core.errors import ConflictError, DataError, SpecError
from ..core.kernel import THREADS
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.run import Run
from ..core.strings import Strings, encode
from ..formats.runs import read_run
from ..storage.digest import Digest, digest_file, digest_number
from .pair_table import PairTable, first_rows
from .pooled_pairs import Budget, Pool, PoolDefinition, PooledRun
from .pooling import PoolFrame, Pooling, poolings
from .priority import priorities

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int32]
CHANCES = 8
"""Bytes of a digest that are a number from 0 to 1."""


class _Lists(NamedTuple):
    """The first documents of a run: topics, how many of each, and their ids in rank order."""

    run: PooledRun
    topics: tuple[str, ...]
    counts: Ints
    documents: Strings


def make_pool(
    runs: Sequence[tuple[str | None, Any]],
    pooling: str = "depth@100",
    *,
    topics: Collection[str] | None = None,
    priority: str = "rank_order",
    budget: Budget | None = None,
    seed: int = 0,
    documents: str = "",
    whole_topics: int = 0,
    progress: Listener = SILENT,
) -> Pool:
    """A pool of runs, given as (name or None, run or file); only the ``topics`` count, if there are any.

    Runs are read one after the other and forgotten, so that hundreds of them fit in memory.
    """
    if not runs:
        raise SpecError("a pool takes at least one run")
    component, order = poolings.parse(pooling), priorities.parse(priority)
    definition = PoolDefinition(str(component), (), seed, str(order), budget or Budget(), documents, whole_topics)
    return _pooled(component, definition, None, runs, topics, progress)


def join_runs(
    pool: Pool,
    runs: Sequence[tuple[str | None, Any]],
    *,
    topics: Collection[str] | None = None,
    progress: Listener = SILENT,
) -> Pool:
    """The pool with more runs. What was judged stays judged: pairs are known by topic and document.

    A sample is drawn again with the same seed: a pair keeps its chance, so that it is drawn again unless the new pairs
    of its stratum take its place. The probabilities are those of the new pool.
    """
    if not runs:
        raise SpecError("no run to join the pool")
    known = topics if topics is not None else None
    return _pooled(poolings.parse(pool.definition.pooling), pool.definition, pool, runs, known, progress)


def _pooled(
    component: Pooling,
    definition: PoolDefinition,
    before: Pool | None,
    runs: Sequence[tuple[str | None, Any]],
    topics: Collection[str] | None,
    progress: Listener,
) -> Pool:
    table, place = PairTable(), dict[str, int]()
    if topics is not None:
        place = {topic: t for t, topic in enumerate(topics)}
    names = [] if before is None else list(before.runs)
    pooled = list(definition.runs)
    columns: list[tuple[Ints, Shorts]] = [] if before is None else _lists_again(before, table, place)
    wave = 1 + max((run.wave for run in pooled), default=0)
    with progress.work("pool", total=len(runs), unit="runs") as step:
        for lists in _read(runs, component.reach, topics, progress):
            if lists.run.name in names:
                raise ConflictError(f"two runs of the pool are named {lists.run.name!r}: give names, NAME=FILE")
            codes = np.array([place.setdefault(topic, len(place)) for topic in lists.topics], np.int64)
            numbers = table.number(lists.documents, np.repeat(codes, lists.counts).astype(np.int32))
            counts = np.zeros(len(place), np.int64)
            counts[codes] = lists.counts
            begins = np.cumsum(lists.counts) - lists.counts
            order = np.argsort(codes, kind="stable")
            if (order[1:] < order[:-1]).any():  # the run has its topics in an order of its own
                pieces = [numbers[begins[i] : begins[i] + lists.counts[i]] for i in order.tolist()]
                numbers = np.concatenate(pieces)
            columns.append((counts, numbers))
            names.append(lists.run.name)
            pooled.append(replace(lists.run, wave=wave))
            step.advance(name=lists.run.name)
    missing = [topic for topic, t in place.items() if not any(t < len(c) and c[t] for c, _ in columns)]
    if missing:
        progress.note(Note.of("topics_without_pool", topics=missing))
    return _assemble(table, list(place), columns, names, component, replace(definition, runs=tuple(pooled)))


def _lists_again(pool: Pool, table: PairTable, place: dict[str, int]) -> list[tuple[Ints, Shorts]]:
    """The lists of a pool that is there, put into a new table under the same numbers."""
    for topic in pool.topics:
        place.setdefault(topic, len(place))
    codes = np.array([place[topic] for topic in pool.topics], np.int64)
    width = len(pool.runs)
    table.number(pool.documents, np.repeat(codes, np.diff(pool.offsets)).astype(np.int32))
    sizes = np.diff(pool.list_offsets).reshape(len(pool.topics), width)
    columns = []
    for run in range(width):
        begins = pool.list_offsets[np.arange(len(pool.topics)) * width + run]
        order = np.argsort(codes, kind="stable")
        pieces = [pool.list_pairs[int(begins[t]) : int(begins[t] + sizes[t, run])] for t in order.tolist()]
        counts = np.zeros(len(place), np.int64)
        counts[codes] = sizes[:, run]
        columns.append((counts, np.concatenate(pieces) if pieces else np.zeros(0, np.int32)))
    return columns


def _read(
    runs: Sequence[tuple[str | None, Any]], depth: int, topics: Collection[str] | None, progress: Listener
) -> Iterator[_Lists]:
    """The first documents of each run, in the order of the runs, read by threads a few ahead."""
    known = None if topics is None else frozenset(topics)

    def read(item: tuple[str | None, Any]) -> tuple[_Lists, Note | None]:
        name, source = item
        run = read_run(source, name=name)
        path = os.fspath(source) if is_file(source) and not hasattr(source, "read") else ""
        return _first_documents(run, path, depth, known)

    with ThreadPoolExecutor(THREADS) as workers:
        ahead = 2 * THREADS
        waiting = deque(workers.submit(read, item) for item in runs[:ahead])
        for item in [*runs[ahead:], *[None] * ahead]:
            if not waiting:
                break
            lists, note = waiting.popleft().result()
            if item is not None:
                waiting.append(workers.submit(read, item))
            if note is not None:
                progress.note(note)
            yield lists


def _first_documents(run: Run, path: str, depth: int, known: frozenset[str] | None) -> tuple[_Lists, Note | None]:
    other = [] if known is None else [topic for topic in run.topics if topic not in known]
    if known is not None and run.topics and len(other) == len(run.topics):
        ours = some(sorted(known))
        raise DataError(f"{path or run.name}: a run of other topics: it has {some(run.topics)}, the pool {ours}")
    run.refuse_repeated(path or run.name)
    rows, offsets = first_rows(run, depth)
    counts = np.diff(offsets)
    kept = np.array([known is None or topic in known for topic in run.topics], bool)
    if other:
        rows = rows[np.repeat(kept, counts)]
    pooled = PooledRun(run.name, path, digest_file(path) if path not in ("", "-") else _digest_of(run))
    lists = _Lists(
        pooled,
        tuple(topic for topic, own in zip(run.topics, kept.tolist(), strict=True) if own),
        counts[kept],
        run.documents.take(rows),
    )
    return lists, Note.of("topics_not_pooled", run.name, topics=other) if other else None


def _digest_of(run: Run) -> str:
    """The digest of a run that is not a file."""
    state = Digest()
    for topic, document, score in run.rows():
        state.add_counted(encode(topic))
        state.add_counted(encode(document))
        state.add_counted(repr(score).encode())
    return state.hex


def _assemble(
    table: PairTable,
    topics: list[str],
    columns: list[tuple[Ints, Shorts]],
    names: list[str],
    component: Pooling,
    definition: PoolDefinition,
) -> Pool:
    """Pairs sorted by topic, and lists that lie together by topic."""
    of_topic = table.topics
    order = np.argsort(of_topic, kind="stable")
    offsets = np.zeros(len(topics) + 1, np.int64)
    np.cumsum(np.bincount(of_topic, minlength=len(topics)), out=offsets[1:])
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    sizes = np.zeros((len(topics), len(columns)), np.int64)
    for r, (counts, _) in enumerate(columns):
        sizes[: len(counts), r] = counts
    list_offsets = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes.ravel(), out=list_offsets[1:])
    list_pairs = np.empty(int(list_offsets[-1]), np.int32)
    list_ranks = np.empty(len(list_pairs), np.int32)
    begins = list_offsets[:-1].reshape(sizes.shape)
    for r, (_, numbers) in enumerate(columns):
        own = sizes[:, r]
        ranks = np.arange(len(numbers)) - np.repeat(np.cumsum(own) - own, own)
        target = np.repeat(begins[:, r], own) + ranks
        list_pairs[target] = place[numbers]
        list_ranks[target] = ranks + 1
    best = np.full(len(order), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(best, list_pairs, list_ranks)
    documents = table.documents().take(order)
    frame = PoolFrame(
        offsets, best, list_pairs, list_ranks, lambda: pair_chances(topics, offsets, documents, definition.seed)
    )
    draw = component.draw(frame)
    return Pool(
        topics=tuple(topics),
        offsets=offsets,
        documents=documents,
        numbers=best,
        runs=tuple(names),
        list_offsets=list_offsets,
        list_pairs=list_pairs,
        strata=draw.strata,
        probabilities=draw.probabilities,
        drawn=draw.drawn,
        definition=definition,
    )


def pair_chances(topics: Sequence[str], offsets: Ints, documents: Strings, seed: int) -> npt.NDArray[np.float64]:
    """A number from 0 to 1 for each pair, by seed, topic and document alone, so that it is the same in every pool."""
    chances = np.empty(len(documents))
    ids = iter(documents)
    for t, topic in enumerate(topics):
        head = f"{seed} ".encode() + encode(topic) + b"\0"
        for row in range(int(offsets[t]), int(offsets[t + 1])):
            chances[row] = digest_number(head + encode(next(ids)), CHANCES)
    return chances / 2.0 ** (8 * CHANCES)


def unknown_documents(pool: Pool, known: Collection[str]) -> list[tuple[str, str]]:
    """(topic, document) of the pairs that could be drawn whose document the collection does not have."""
    return [
        (topic, document)
        for (topic, document, _), possible in zip(pool.rows(), (pool.probabilities > 0).tolist(), strict=True)
        if possible and document not in known
    ]


def without_documents(pool: Pool, unknown: Collection[str]) -> Pool:
    """The pool in which these documents are never judged."""
    gone = np.fromiter((document in unknown for document in pool.documents), bool, len(pool))
    drawn, probabilities = pool.drawn & ~gone, np.where(gone, 0.0, pool.probabilities)
    return replace(pool, drawn=drawn, probabilities=probabilities)
