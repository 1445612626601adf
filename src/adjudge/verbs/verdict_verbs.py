"""Verbs that look behind verdicts: which components make the difference, and two rankings of a topic side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..comparison import factor_effects as components_as_factors
from ..comparison.verdict import ALPHA
from ..core.arguments import listed
from ..core.document import Chosen, Document
from ..core.errors import DataError
from ..core.judging import USUAL, Judging
from ..core.likes import DocumentsLike, FileLike, Frame, Measures, QrelsLike, RunsLike, ScoresLike, TopicsLike
from ..core.topic import queries_of
from ..evaluation.measuring import named_runs
from ..evaluation.score_columns import distinct_names
from ..experiment import topic_rankings
from ..experiment.findings import DocumentExtract
from ..experiment.ranked_lists import DEPTH, WORDS, extract_of
from ..experiment.system_factors import read_system_factors
from ..formats.documents import read_documents
from ..formats.qrels import read_qrels
from ..formats.runs import read_run
from ..formats.topics import read_topics
from ..index.building import DEFAULT
from ..index.index import Index
from ..index.index_files import is_index
from ..report.search_results import body_of
from ..report.snippets import snippet
from ..text.analyzer import Analyzer
from .score_verbs import one_of

FactorsLike = FileLike | Mapping[str, Mapping[str, Any]] | Frame
"""The components of systems: a table with a column system, a results folder, or {system: {factor: level}}."""


def factor_effects(
    scores: ScoresLike,
    measure: str | None = None,
    *,
    factors: FactorsLike | None = None,
    interactions: int = 2,
    error: str = components_as_factors.TOPICS,
    alpha: float = ALPHA,
    least_coverage: float = 0.0,
) -> components_as_factors.FactorEffects:
    """Analyse which components of systems make the difference: analysis of variance with components as factors.

    Args:
        scores: what :func:`measure` returns, a path, a frame, or {system: {topic: value}}.
        measure: which of the measures; not needed if there is only one.
        factors: the components of each system: {system: {factor: level}}, a frame or file with a column ``system``, or
            the folder of an experiment; without any the names of the systems are specs such as ``bm25(k1=0.9)``.
        interactions: the most factors of an interaction, 1 for none.
        error: ``topics``, how much an effect varies over topics, or ``pooled``, all that the model does not explain.
        alpha: the level of the decisions.
        least_coverage: systems whose runs answer less than this share of the judged topics are left out.

    >>> values = {"bm25(k1=0.6)": {"1": 0.5, "2": 0.4, "3": 0.6}, "bm25(k1=1.2)": {"1": 0.1, "2": 0.2, "3": 0.1}}
    >>> factor_effects(values)["k1"].freedom
    1
    """
    known, name = one_of(scores, measure)
    return components_as_factors.factor_effects(
        known,
        name,
        read_system_factors(factors, known.systems),
        interactions=interactions,
        error=error,
        alpha=alpha,
        least_coverage=least_coverage,
    )


def compare_topic(
    qrels: QrelsLike,
    runs: RunsLike,
    topic: str,
    measures: Measures = "ap",
    *,
    documents: DocumentsLike | Index | None = None,
    topics: TopicsLike | None = None,
    depth: int = DEPTH,
    judging: Judging = USUAL,
) -> topic_rankings.TopicRankings:
    """Show two rankings of a topic side by side: what moved, grades, what nobody judged, relevant documents missed.

    Args:
        qrels: judgments.
        runs: two runs, as :func:`measure` takes them.
        topic: the id of the topic.
        measures: figures of this topic to show.
        documents: documents, or an index with texts, for titles and for the part of each that has words of the topic.
        topics: questions, to show and to choose that part by.
        depth: how many documents of each ranking are shown.
        judging: how runs are judged; its ``level`` says which grades are relevant.

    >>> runs = {"a": {"1": {"x": 2, "y": 1}}, "b": {"1": {"y": 2, "z": 1}}}
    >>> result = compare_topic({"1": {"x": 1, "y": 0}}, runs, "1")
    >>> [(row.document, row.grade, row.beside) for row in result.lists[1]]
    [('y', 0, 2), ('z', None, None)]
    """
    named = list(named_runs(runs))
    read = [read_run(run) if name is None else read_run(run, name=name) for name, run in named]
    names = distinct_names([run.name for run in read], [run for _, run in named])
    questions = {} if topics is None else queries_of(read_topics(topics))
    return topic_rankings.compare_topic(
        read_qrels(qrels),
        dict(zip(names, read, strict=True)),
        topic,
        listed(measures),
        depth=depth,
        judging=judging,
        questions=questions,
        extracts=None if documents is None else _Extracts(documents, questions.get(topic, "")),
    )


class _Extracts:
    """Titles of documents and the part of each that has most words of a question; its first words without one."""

    def __init__(self, source: Any, question: str) -> None:
        folder = isinstance(source, str | os.PathLike) and is_index(Path(source))
        self.source: Any = Index.open(source) if folder else source
        self.question = question

    def __call__(self, wanted: Sequence[str]) -> Mapping[str, DocumentExtract]:
        return {document.id: self.extract(document) for document in self.documents(wanted)}

    def documents(self, wanted: Sequence[str]) -> list[Document]:
        if not isinstance(self.source, Index):
            return list(Chosen(read_documents(self.source), frozenset(wanted).__contains__))
        if not self.source.manifest.texts:
            raise DataError(f"{self.source.folder}: built without texts: give the documents instead")
        numbers = []
        for name in wanted:
            try:
                numbers.append(self.source.document_number(name))
            except DataError:
                continue  # not in this index, so it has no text to show
        return [self.source.document(number) for number in numbers]

    def extract(self, document: Document) -> DocumentExtract:
        first = extract_of(document)
        if not self.question:
            return first
        analyzer = self.source.analyzer if isinstance(self.source, Index) else Analyzer.parse(DEFAULT)
        terms = analyzer.terms(self.question)
        return first._replace(words=snippet(body_of(document), analyzer, terms, WORDS // 2).text)
