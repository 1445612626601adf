"""Verbs on runs and judgments: trec_eval's figures, known items, fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..comparison.known_item import ranks
from ..comparison.known_item.characteristic import Axis, Effort
from ..comparison.known_item.complementarity import Complementarity
from ..comparison.known_item.prediction import Prediction
from ..comparison.known_item.study import Study, study_items
from ..core.arguments import listed
from ..core.errors import SpecError
from ..core.judging import USUAL, Judging
from ..core.kernel import on_threads
from ..core.likes import PathLike, QrelsLike, RunLike, RunsLike, Seed, TopicsLike, generator_of
from ..core.progress import SILENT, Listener
from ..core.run import Run
from ..core.topic import queries_of
from ..evaluation.measuring import named_runs
from ..evaluation.trec_evaluation import TrecEvaluation, evaluate
from ..formats.chunks import collapse_of
from ..formats.runs import read_run
from ..formats.topics import read_topics
from ..systems.parts import fusing

if TYPE_CHECKING:
    from .search_verbs import IndexLike


def trec_eval(
    qrels: QrelsLike,
    run: RunLike,
    measures: str | Sequence[str] = ("official",),
    *,
    judged_by: str = "qrels",
    topic: str | None = None,
    zscores: PathLike | None = None,
    level: int = USUAL.level,
    depth: int | None = USUAL.depth,
    judged_only: bool = USUAL.judged_only,
    complete: bool = USUAL.complete,
    trec_version: int = USUAL.trec_version,
    collection_size: int = USUAL.collection_size,
) -> TrecEvaluation:
    """Evaluate a run as the program trec_eval does it; ``result.text()`` is what it prints, byte for byte.

    Args:
        qrels: the judgments; preferences must be a file.
        run: the run.
        measures: measures as trec_eval names them, with parameters after a point (``P.5,10``), or sets such as
            ``official`` and ``all_trec``.
        judged_by: what the judgments are: qrels, prefs, qrels_prefs or qrels_jg.
        topic: the only topic that counts.
        zscores: a file of means and deviations on which the values are put.
        level: the lowest grade that counts as relevant.
        depth: only the first so many documents of a topic count.
        judged_only: drop unjudged documents first.
        complete: average over all judged topics; those without results count as empty lists.
        trec_version: 10, or 9 for 32-bit scores, its rounding and its measures.
        collection_size: how many documents there are, for utility.

    >>> trec_eval({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "map").text().split()
    ['map', 'all', '0.5000']
    """
    judging = Judging(level, depth, judged_only, complete, trec_version, collection_size)
    return evaluate(qrels, run, listed(measures), judging, judged_by=judged_by, topic=topic, zscores=zscores)


def collapse(
    run: RunLike,
    keep: str = "max",
    *,
    separator: str = "",
    pattern: str = "",
    table: Mapping[str, str] | PathLike | None = None,
    name: str | None = None,
    progress: Listener = SILENT,
) -> Run:
    """Collapse a run of chunks into one of documents, each of which occurs once in a topic.

    Args:
        run: a run of chunks, or one that has documents more than once.
        keep: the score of a document: that of the ``first`` of its chunks that were retrieved, the ``max`` of theirs or
            the ``sum``.
        separator: the document's id is what stands before the last of these in the id of a chunk.
        pattern: a regular expression that matches the whole id; its first group is the document's.
        table: {chunk: document}, or a file with lines of chunk and document; a chunk that is not in it is an error.
        name: of the run that is made.
        progress: hears how many lines became how many documents.

    >>> collapse({"1": {"a#1": 3.0, "b#1": 2.0, "a#2": 1.0}}, "sum", separator="#").to_dict()
    {'1': {'a': 4.0, 'b': 2.0}}
    """
    how = collapse_of(keep, separator, pattern, table)
    read = read_run(run, name=name, chunks=True)
    documents = read if how is None else how(read)
    for note in documents.notes:
        progress.note(note)
    return documents


def known_item(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    axis: Axis = "work",
    effort: Effort = "inclusive",
    values: Sequence[float] = (),
    samples: int = 1000,
    seed: Seed = 0,
    length: int | None = None,
    any_target: bool = False,
    level: int = USUAL.level,
    depth: int | None = USUAL.depth,
    trec_version: int = USUAL.trec_version,
    progress: Listener = SILENT,
) -> Study:
    """Evaluate known-item search: what each system finds, for how much reading, and which system dominates which.

    Args:
        qrels: judgments with one relevant document for each topic.
        runs: runs, as :func:`measure` takes them.
        axis: what curves are compared over: ``work`` or ``rank``.
        effort: whether a find costs the round it is made in (``inclusive``) or only those before it (``prior``).
        values: ratios v/c of what an item is worth to what reading costs, to show the systems' values for.
        samples: bootstrap samples of the questions, 0 for none.
        seed: a whole number or a generator.
        length: what a miss costs; the length of the list if none is given.
        any_target: allow several relevant documents: the one that is ranked best counts.
        level: the lowest grade that counts as relevant.
        depth: lists are cut there (1000).
        trec_version: 9 compares the scores of documents as 32-bit floats.
        progress: hears how far it is.

    >>> known_item({"1": {"a": 1}}, {"mine": {"1": {"b": 2.0, "a": 1.0}}}, samples=0).mrr.tolist()
    [0.5]
    """
    item = ranks.known_item(
        qrels,
        runs,
        length=length,
        any_target=any_target,
        judging=Judging(level=level, depth=depth, trec_version=trec_version),
        progress=progress,
    )
    return study_items(item, axis=axis, effort=effort, ratios=values, samples=samples, seed=seed, progress=progress)


def complementarity(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    within: int = 10,
    any_target: bool = False,
    level: int = USUAL.level,
    depth: int = 1000,
    trec_version: int = USUAL.trec_version,
    progress: Listener = SILENT,
) -> Complementarity:
    """Show which known items one system finds and others miss, and what the best choice among systems would give.

    Args:
        qrels: judgments with one relevant document for each topic.
        runs: two runs or more, as :func:`measure` takes them.
        within: an item counts as found down to this rank.
        any_target: allow several relevant documents: the one that is ranked best counts.
        level: the lowest grade that counts as relevant.
        depth: lists are cut there.
        trec_version: 9 compares the scores of documents as 32-bit floats.
        progress: hears of every run.

    >>> runs = {"a": {"1": {"x": 1.0}, "2": {"y": 1.0}}, "b": {"1": {"y": 1.0}, "2": {"z": 1.0}}}
    >>> complementarity({"1": {"x": 1}, "2": {"z": 1}}, runs).oracle
    1.0
    """
    item = ranks.known_item(
        qrels,
        runs,
        length=depth,  # what a miss costs plays no part here
        any_target=any_target,
        judging=Judging(level=level, depth=depth, trec_version=trec_version),
        progress=progress,
    )
    return Complementarity(item, within)


def predict(
    index: IndexLike,
    topics: TopicsLike,
    qrels: QrelsLike,
    runs: RunsLike,
    predictors: str | Sequence[str] | None = None,
    *,
    fields: str | Sequence[str] = ("title",),
    permutations: int = 20_000,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: Seed = 0,
    any_target: bool = False,
    level: int = USUAL.level,
    depth: int = 1000,
    trec_version: int = USUAL.trec_version,
    progress: Listener = SILENT,
) -> Prediction:
    """Test query performance predictors: do they tell before retrieval which system will do well on a question?

    Args:
        index: the index of the documents that the runs searched.
        topics: the questions.
        qrels: judgments with one relevant document for each topic.
        runs: runs, as :func:`measure` takes them.
        predictors: specs of predictors; the usual ones if none are named.
        fields: the parts of a topic that are the query: title, description, narrative.
        permutations: random orders for p, 0 for none.
        samples: bootstrap samples for intervals, 0 for none.
        confidence: of the intervals.
        seed: a whole number or a generator.
        any_target: allow several relevant documents: the one that is ranked best counts.
        level: the lowest grade that counts as relevant.
        depth: lists are cut there.
        trec_version: 9 compares the scores of documents as 32-bit floats.
        progress: hears how far it is.

    >>> predict("fr94.index", "topics.txt", "qrels.txt", ["a.run", "b.run"]).conclusion()  # doctest: +SKIP
    """
    from ..comparison.known_item.prediction import keep_asked
    from ..comparison.known_item.prediction import predict as test_predictors
    from ..index.predictor import DEFAULT, QueryTerms
    from ..index.predictor import predictors as registered
    from .search_verbs import open_index

    wanted = {
        str(component): component for component in map(registered.parse, listed(predictors or DEFAULT, "predictors"))
    }
    opened = open_index(index)
    queries = queries_of(read_topics(topics), listed(fields, "fields"), "topics")
    judging = Judging(level=level, depth=depth, trec_version=trec_version)
    ranked = ranks.known_item(qrels, runs, length=depth, any_target=any_target, judging=judging, progress=progress)
    item = keep_asked(ranked, queries, "topics")
    seen = QueryTerms.of([queries[question] for question in item.questions], opened)
    return test_predictors(
        item,
        {name: predictor(seen) for name, predictor in wanted.items()},
        generator_of(seed),
        permutations=permutations,
        samples=samples,
        confidence=confidence,
        progress=progress,
    )


def fuse(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    *,
    constant: float = fusing.CONSTANT,
    k: int = 1000,
    name: str = "",
    progress: Listener = SILENT,
) -> Run:
    """Fuse runs into one: reciprocal rank fusion, CombSUM or CombMNZ.

    Args:
        runs: two runs or more, in a list or as {name: run}.
        method: ``rrf`` adds 1/(constant + rank), ``combsum`` adds scores brought to the range from 0 to 1 in each
            topic, ``combmnz`` multiplies that by the number of runs that have the document.
        constant: of rrf.
        k: how many documents of a topic are kept.
        name: of the run that is made; the method if none is given.
        progress: hears which runs lack a topic that another one has.

    >>> fuse([{"1": {"x": 2.0, "y": 1.0}}, {"1": {"y": 9.0, "z": 8.0}}]).to_dict()["1"]["y"]
    0.03252247488101534
    """
    named = list(named_runs(runs))
    if method != "rrf" and constant != fusing.CONSTANT:
        raise SpecError(f"constant is for rrf, and {method} has none")
    read = on_threads(lambda given: read_run(given[1], name=given[0]), named)
    fused = fusing.fuse(read, method, constant=constant, k=k, name=name or method)
    for note in fusing.topics_lacking(read, fused.topics):
        progress.note(note)
    return fused
