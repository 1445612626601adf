"""adjudge: a laboratory for information-retrieval experiments.

>>> import adjudge
>>> scores = adjudge.measure(qrels, runs, ["ap", "ndcg@10"])  # doctest: +SKIP
>>> adjudge.compare(scores, baselines="bm25").to_latex()  # doctest: +SKIP
>>> hits = adjudge.search(adjudge.index("docs.jsonl"), "solar power")  # doctest: +SKIP

There is a verb for every command, named as the command. It takes paths, frames of pandas and polars, dicts and values
of adjudge, and returns a value with ``to_polars()``, ``to_pandas()``, ``to_dict()`` and, where there is a chart,
``plot()``. The rooms of the library are attributes: ``adjudge.correlation.tau_b``. docs/python-api.md lists all names.

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from . import (
        averages,
        cluster,
        collection,
        comparison,
        correlation,
        evaluation,
        formats,
        measures,
        noise,
        pools,
        storage,
        systems,
        terms,
        testing,
        text,
        weighting,
        words,
    )
    from .comparison.comparisons import Comparisons
    from .core.collapse import Collapse
    from .core.document import Document, Documents
    from .core.errors import (
        AdjudgeError,
        ConflictError,
        DataError,
        FileAccessError,
        MissingExtraError,
        MissingFileError,
        SpecError,
        UnknownNameError,
        WrongTypeError,
    )
    from .core.judged import JudgedRun, judge
    from .core.likes import DocumentsLike, PathLike, QrelsLike, RunLike, RunsLike, ScoresLike, Seed, TopicsLike
    from .core.nuggets import NuggetAssignments
    from .core.qrels import Qrels
    from .core.run import Run
    from .core.sampled import SampledQrels
    from .core.scores import Scores
    from .core.span_judgments import SpanQrels
    from .core.subtopics import SubtopicQrels
    from .core.topic import Topic
    from .evaluation.measuring import measure
    from .experiment.regression_gate import guard
    from .formats.chunks import read_collapse
    from .formats.documents import read_documents
    from .formats.documents.document_writing import write_documents
    from .formats.nuggets import read_nuggets
    from .formats.preferences import read_judgment_groups, read_preferences
    from .formats.qrels import read_qrels, write_qrels
    from .formats.rankings import read_ranking
    from .formats.runs import read_run, write_run
    from .formats.sampled_qrels import read_sampled_qrels, write_sampled_qrels
    from .formats.scores import read_scores, write_scores
    from .formats.spans import read_spans, write_spans
    from .formats.subtopics import read_subtopics, write_subtopics
    from .formats.topics import read_topics, write_topics
    from .index.building import build as build_index
    from .index.index import Index
    from .index.searching import Searcher
    from .noise.channel.model import Channel
    from .pools.judging_queue import JudgingQueue
    from .pools.pool_files import open_pool
    from .pools.pooled_pairs import Pool
    from .report.figures.figure import Figure
    from .terms.term_files import read_terms, write_terms
    from .terms.terms import Terms
    from .text.analyzer import Analyzer
    from .verbs.collection_verbs import (
        collect_agreement,
        collect_candidates,
        collect_check,
        collect_events,
        collect_export,
        collect_formulas,
        collect_import_cumtc,
        collect_sentences,
        collect_serve,
    )
    from .verbs.desk_verbs import pool_judgments, pool_serve
    from .verbs.estimate_verbs import estimate, pool_gaps
    from .verbs.experiment_verbs import PlanLike, confusion, demo, history, read_plan, report, run, write_example
    from .verbs.file_verbs import check, convert, qrels_diff, qrels_map, qrels_merge, qrels_sample
    from .verbs.judge_verbs import pool_judge
    from .verbs.lookup_verbs import components
    from .verbs.noise_verbs import (
        ChannelLike,
        calibrate,
        correct,
        corrupt,
        degrade,
        error_rates,
        estimate_errors,
        learn_channel,
        read_channel,
        write_channel,
    )
    from .verbs.plan_verbs import judgments_needed
    from .verbs.pool_export_verbs import pool_export
    from .verbs.pool_verbs import PoolLike, pool, pool_again, pool_next
    from .verbs.run_verbs import collapse, complementarity, fuse, known_item, predict, trec_eval
    from .verbs.score_verbs import (
        average,
        boost_halves,
        compare,
        compare_judges,
        correlate,
        discriminative_power,
        equivalence,
        nuggets,
        pseudo_judgments,
        rank_groups,
        sensitivity,
        swap_rate,
        topics_needed,
    )
    from .verbs.search_verbs import (
        IndexLike,
        add_to_index,
        explain,
        index,
        merge_index,
        prepare_system,
        remove_from_index,
        retrieve,
        search,
        serve,
        verify_index,
    )
    from .verbs.system_verbs import SystemsLike, experiment, tune
    from .verbs.term_verbs import apply_terms, extract_terms, technical_terms
    from .verbs.verdict_verbs import FactorsLike, compare_topic, factor_effects

__all__ = [
    "AdjudgeError",
    "Analyzer",
    "Channel",
    "ChannelLike",
    "Collapse",
    "Comparisons",
    "ConflictError",
    "DataError",
    "Document",
    "Documents",
    "DocumentsLike",
    "FactorsLike",
    "Figure",
    "FileAccessError",
    "Index",
    "IndexLike",
    "JudgedRun",
    "JudgingQueue",
    "MissingExtraError",
    "MissingFileError",
    "NuggetAssignments",
    "PathLike",
    "PlanLike",
    "Pool",
    "PoolLike",
    "Qrels",
    "QrelsLike",
    "Run",
    "RunLike",
    "RunsLike",
    "SampledQrels",
    "Scores",
    "ScoresLike",
    "Searcher",
    "Seed",
    "SpanQrels",
    "SpecError",
    "SubtopicQrels",
    "SystemsLike",
    "Terms",
    "Topic",
    "TopicsLike",
    "UnknownNameError",
    "WrongTypeError",
    "__version__",
    "add_to_index",
    "apply_terms",
    "average",
    "averages",
    "boost_halves",
    "build_index",
    "calibrate",
    "check",
    "cluster",
    "collapse",
    "collect_agreement",
    "collect_candidates",
    "collect_check",
    "collect_events",
    "collect_export",
    "collect_formulas",
    "collect_import_cumtc",
    "collect_sentences",
    "collect_serve",
    "collection",
    "compare",
    "compare_judges",
    "compare_topic",
    "comparison",
    "complementarity",
    "components",
    "confusion",
    "convert",
    "correct",
    "correlate",
    "correlation",
    "corrupt",
    "degrade",
    "demo",
    "discriminative_power",
    "equivalence",
    "error_rates",
    "estimate",
    "estimate_errors",
    "evaluation",
    "experiment",
    "explain",
    "extract_terms",
    "factor_effects",
    "formats",
    "fuse",
    "guard",
    "history",
    "index",
    "judge",
    "judgments_needed",
    "known_item",
    "learn_channel",
    "measure",
    "measures",
    "merge_index",
    "noise",
    "nuggets",
    "open_pool",
    "pool",
    "pool_again",
    "pool_export",
    "pool_gaps",
    "pool_judge",
    "pool_judgments",
    "pool_next",
    "pool_serve",
    "pools",
    "predict",
    "prepare_system",
    "pseudo_judgments",
    "qrels_diff",
    "qrels_map",
    "qrels_merge",
    "qrels_sample",
    "rank_groups",
    "read_channel",
    "read_collapse",
    "read_documents",
    "read_judgment_groups",
    "read_nuggets",
    "read_plan",
    "read_preferences",
    "read_qrels",
    "read_ranking",
    "read_run",
    "read_sampled_qrels",
    "read_scores",
    "read_spans",
    "read_subtopics",
    "read_terms",
    "read_topics",
    "remove_from_index",
    "report",
    "retrieve",
    "run",
    "search",
    "sensitivity",
    "serve",
    "storage",
    "swap_rate",
    "systems",
    "technical_terms",
    "terms",
    "testing",
    "text",
    "topics_needed",
    "trec_eval",
    "tune",
    "verify_index",
    "weighting",
    "words",
    "write_channel",
    "write_documents",
    "write_example",
    "write_qrels",
    "write_run",
    "write_sampled_qrels",
    "write_scores",
    "write_spans",
    "write_subtopics",
    "write_terms",
    "write_topics",
]

_ROOMS = (
    "averages",
    "cluster",
    "collection",
    "comparison",
    "correlation",
    "evaluation",
    "formats",
    "measures",
    "noise",
    "pools",
    "storage",
    "systems",
    "terms",
    "testing",
    "text",
    "weighting",
    "words",
)
"""Folders of the package that are attributes without being imported first."""

_HOMES = {
    "read_nuggets": "formats.nuggets",
    "nuggets": "verbs.score_verbs",
    "NuggetAssignments": "core.nuggets",
    "write_spans": "formats.spans",
    "read_spans": "formats.spans",
    "SpanQrels": "core.span_judgments",
    "read_collapse": "formats.chunks",
    "Collapse": "core.collapse",
    "AdjudgeError": "core.errors",
    "ConflictError": "core.errors",
    "DataError": "core.errors",
    "FileAccessError": "core.errors",
    "MissingExtraError": "core.errors",
    "MissingFileError": "core.errors",
    "SpecError": "core.errors",
    "UnknownNameError": "core.errors",
    "WrongTypeError": "core.errors",
    "JudgedRun": "core.judged",
    "judge": "core.judged",
    "DocumentsLike": "core.likes",
    "PathLike": "core.likes",
    "QrelsLike": "core.likes",
    "RunLike": "core.likes",
    "RunsLike": "core.likes",
    "ScoresLike": "core.likes",
    "Seed": "core.likes",
    "TopicsLike": "core.likes",
    "Qrels": "core.qrels",
    "Run": "core.run",
    "Scores": "core.scores",
    "Topic": "core.topic",
    "Comparisons": "comparison.comparisons",
    "Channel": "noise.channel.model",
    "Figure": "report.figures.figure",
    "Terms": "terms.terms",
    "read_preferences": "formats.preferences",
    "read_judgment_groups": "formats.preferences",
    "read_qrels": "formats.qrels",
    "write_qrels": "formats.qrels",
    "read_ranking": "formats.rankings",
    "read_run": "formats.runs",
    "write_run": "formats.runs",
    "SubtopicQrels": "core.subtopics",
    "read_scores": "formats.scores",
    "read_subtopics": "formats.subtopics",
    "write_scores": "formats.scores",
    "write_subtopics": "formats.subtopics",
    "read_topics": "formats.topics",
    "write_topics": "formats.topics",
    "read_terms": "terms.term_files",
    "write_terms": "terms.term_files",
    "measure": "evaluation.measuring",
    "Analyzer": "text.analyzer",
    "Document": "core.document",
    "Documents": "core.document",
    "Index": "index.index",
    "Searcher": "index.searching",
    "build_index": "index.building:build",
    "guard": "experiment.regression_gate",
    "equivalence": "verbs.score_verbs",
    "compare_judges": "verbs.score_verbs",
    "rank_groups": "verbs.score_verbs",
    "topics_needed": "verbs.score_verbs",
    "judgments_needed": "verbs.plan_verbs",
    "read_documents": "formats.documents",
    "write_documents": "formats.documents.document_writing",
    "average": "verbs.score_verbs",
    "boost_halves": "verbs.score_verbs",
    "compare": "verbs.score_verbs",
    "correlate": "verbs.score_verbs",
    "discriminative_power": "verbs.score_verbs",
    "pseudo_judgments": "verbs.score_verbs",
    "sensitivity": "verbs.score_verbs",
    "swap_rate": "verbs.score_verbs",
    "collapse": "verbs.run_verbs",
    "complementarity": "verbs.run_verbs",
    "fuse": "verbs.run_verbs",
    "known_item": "verbs.run_verbs",
    "predict": "verbs.run_verbs",
    "trec_eval": "verbs.run_verbs",
    "IndexLike": "verbs.search_verbs",
    "explain": "verbs.search_verbs",
    "index": "verbs.search_verbs",
    "prepare_system": "verbs.search_verbs",
    "retrieve": "verbs.search_verbs",
    "search": "verbs.search_verbs",
    "serve": "verbs.search_verbs",
    "add_to_index": "verbs.search_verbs",
    "merge_index": "verbs.search_verbs",
    "remove_from_index": "verbs.search_verbs",
    "verify_index": "verbs.search_verbs",
    "ChannelLike": "verbs.noise_verbs",
    "calibrate": "verbs.noise_verbs",
    "correct": "verbs.noise_verbs",
    "corrupt": "verbs.noise_verbs",
    "degrade": "verbs.noise_verbs",
    "error_rates": "verbs.noise_verbs",
    "estimate_errors": "verbs.noise_verbs",
    "learn_channel": "verbs.noise_verbs",
    "read_channel": "verbs.noise_verbs",
    "write_channel": "verbs.noise_verbs",
    "apply_terms": "verbs.term_verbs",
    "extract_terms": "verbs.term_verbs",
    "technical_terms": "verbs.term_verbs",
    "FactorsLike": "verbs.verdict_verbs",
    "compare_topic": "verbs.verdict_verbs",
    "factor_effects": "verbs.verdict_verbs",
    "PlanLike": "verbs.experiment_verbs",
    "confusion": "verbs.experiment_verbs",
    "history": "verbs.experiment_verbs",
    "demo": "verbs.experiment_verbs",
    "read_plan": "verbs.experiment_verbs",
    "report": "verbs.experiment_verbs",
    "run": "verbs.experiment_verbs",
    "write_example": "verbs.experiment_verbs",
    "SystemsLike": "verbs.system_verbs",
    "experiment": "verbs.system_verbs",
    "tune": "verbs.system_verbs",
    "components": "verbs.lookup_verbs",
    "check": "verbs.file_verbs",
    "convert": "verbs.file_verbs",
    "qrels_diff": "verbs.file_verbs",
    "qrels_map": "verbs.file_verbs",
    "qrels_merge": "verbs.file_verbs",
    "qrels_sample": "verbs.file_verbs",
    "PoolLike": "verbs.pool_verbs",
    "estimate": "verbs.estimate_verbs",
    "pool": "verbs.pool_verbs",
    "pool_again": "verbs.pool_verbs",
    "pool_export": "verbs.pool_export_verbs",
    "pool_gaps": "verbs.estimate_verbs",
    "pool_judge": "verbs.judge_verbs",
    "pool_judgments": "verbs.desk_verbs",
    "pool_serve": "verbs.desk_verbs",
    "pool_next": "verbs.pool_verbs",
    "read_sampled_qrels": "formats.sampled_qrels",
    "write_sampled_qrels": "formats.sampled_qrels",
    "JudgingQueue": "pools.judging_queue",
    "Pool": "pools.pooled_pairs",
    "open_pool": "pools.pool_files",
    "SampledQrels": "core.sampled",
    "collect_agreement": "verbs.collection_verbs",
    "collect_candidates": "verbs.collection_verbs",
    "collect_check": "verbs.collection_verbs",
    "collect_events": "verbs.collection_verbs",
    "collect_export": "verbs.collection_verbs",
    "collect_formulas": "verbs.collection_verbs",
    "collect_import_cumtc": "verbs.collection_verbs",
    "collect_sentences": "verbs.collection_verbs",
    "collect_serve": "verbs.collection_verbs",
}
"""Where a name lives: the module, and after a colon what it is called there, if otherwise."""


def _load(name: str) -> object:
    module, _, there = _HOMES[name].partition(":")
    return getattr(import_module(f".{module}", __name__), there or name)


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    if name in _VERBAL_ROOMS:  # importing the room makes it the attribute, and it can be called
        return import_module(f".{name}", __name__)
    return _load(name)


def __dir__() -> list[str]:
    return __all__


class _VerbalRoom(ModuleType):
    """A room that has the name of a verb: ``adjudge.index(documents)`` calls it, and it has its modules."""

    def __call__(self, *arguments: object, **options: object) -> object:
        return self.__wrapped__(*arguments, **options)  # type: ignore[operator]

    @property
    def __wrapped__(self) -> object:
        return _load(self.__name__.rpartition(".")[2])

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return f"{self.__wrapped__.__doc__}\n\n    The room of this name: {self.__dict__['__doc__']}"

    @property
    def __signature__(self) -> object:
        from inspect import signature

        return signature(self.__wrapped__)  # type: ignore[arg-type]


_VERBAL_ROOMS = {"components", "experiment", "index", "report"}
"""Rooms that have the name of a verb: whichever is asked for first, the verb is called and the room has its modules."""


class _FrontDoor(ModuleType):
    """This package: the import system makes rooms its attributes, and those that have the name of a verb callable."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _VERBAL_ROOMS and type(value) is ModuleType:
            value.__class__ = _VerbalRoom
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _FrontDoor
