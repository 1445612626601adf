"""Do boosted technical terms help? Plain and boosted systems on the same documents, and where terms gain or lose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..comparison.gains import CORRECTION, TEST, Gain, gains
from ..core.errors import DataError, SpecError
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..core.topic import Topic
from ..formats.documents import read_documents
from ..formats.topics import read_topics, write_topics
from ..formats.writing import write
from ..systems.bm25 import BM25System
from ..systems.lucene import Lucene
from ..systems.parts.version import Version
from ..systems.system import systems
from ..systems.technical_terms import TechnicalTerms, TermUse
from ..terms.attribution import attribution_of
from ..weighting.scheme import weightings
from .analysis import findings_of
from .completed_runs import CompletedRuns, lock_results
from .plan import FIELDS, AnalysisSettings, Plan
from .running import CellError, Execution, Reporter, conclude, run_in

VERSION = "documents"
SENTENCES = "sentences"
QUESTIONS = "questions.jsonl"
WEIGHTINGS = ("lucene_classic", "bm25")
ANALYZERS = {
    "lucene_classic": "standard(dashes=true)|lower",
    "bm25": "standard(dashes=true)|lower|stop(smart)|porter",
}
"""Of the plain and the boosted system alike. The paper's keeps stop words and does not stem; that of BM25 is its usual
one, but for words that are not cut at underscores and dashes."""
MEASURE = "ap"
MEASURES = (MEASURE, "ndcg@10", "p@10", "rr", "rprec", "recall@1000")


class Models(NamedTuple):
    """A weighting, and the systems that use it on plain and on boosted texts, by their names in the plan."""

    weighting: str
    plain: str
    boosted: str


class PartialGain(NamedTuple):
    """Gain of the questions with a term, or of those without one."""

    with_terms: bool
    topics: int
    mean: float


@dataclass(frozen=True)
class TermBoosting(Result):
    """Results of boosted terms for each weighting, and what explains them."""

    gains: Mapping[str, Gain]
    """By weighting."""
    uses: Mapping[str, Sequence[TermUse]]
    """The terms of each question."""
    relevant: Mapping[str, int]
    """The number of relevant documents of each topic."""
    terms: int
    """How many are known."""
    notes: tuple[Note, ...] = ()

    def parts(self, gain: Gain) -> list[PartialGain]:
        """Gains of questions with a term and of questions without one, as far as there are any."""
        parts = []
        for with_terms in (True, False):
            own = [topic.difference for topic in gain.topics if bool(self.uses.get(topic.topic)) is with_terms]
            if own:
                parts.append(PartialGain(with_terms, len(own), float(np.mean(own))))
        return parts


BoostingReporter = Callable[[TermBoosting], Mapping[str, bytes]]
"""Turns what boosting did into files by their names in the folder of results."""


def models(weighting: str, system: TechnicalTerms) -> Models:
    """The plain and the boosted system of a weighting; ``system`` says how terms are found and boosted."""
    scheme = weightings.parse(weighting)
    if scheme.name not in WEIGHTINGS:
        raise SpecError(f"no system weights plain words by {scheme.name}: take {' or '.join(WEIGHTINGS)}")
    analyzer = ANALYZERS[scheme.name]
    parsed = systems.parse(str(scheme)) if scheme.name == BM25System.name else None
    plain = replace(parsed, analyzer=analyzer) if isinstance(parsed, BM25System) else Lucene(analyzer=analyzer)
    return Models(str(scheme), str(plain), str(replace(system, weighting=str(scheme), analyzer=analyzer)))


def conduct_term_boosting(
    documents: str,
    topics: str,
    judgments: str,
    folder: str | Path,
    reporter: Reporter,
    boosting_reporter: BoostingReporter,
    *,
    system: TechnicalTerms,
    schemes: Sequence[str] = WEIGHTINGS,
    field: str | None = None,
    depth: int = 1000,
    level: int = 1,
    workers: int = 1,
    progress: Listener = SILENT,
) -> tuple[Execution, TermBoosting]:
    """Run plain and boosted systems, and write what is written of any plan and what is written of boosting.

    ``field`` is what of a topic is asked: its sentences, if there are any, and else its title, unless it is named.
    """
    place, pairs = Path(folder), [models(weighting, system) for weighting in schemes]
    if len({pair.weighting for pair in pairs}) < len(pairs):
        raise SpecError("a weighting is named twice")
    if system.terms:
        attribution_of(system.terms, system.most)  # terms that cannot be used are an error before the work
    plan = Plan(
        topics=_topics_file(topics, field, place),
        judgments=judgments,
        versions={VERSION: documents},
        systems=tuple(name for pair in pairs for name in (pair.plain, pair.boosted)),
        depth=depth,
        title="Technical terms",
        field=field if field in FIELDS else "title",
        analysis=AnalysisSettings(
            measures=MEASURES,
            main=MEASURE,
            baselines=tuple(pair.plain for pair in pairs),
            tests=(TEST,),
            correction=CORRECTION,
            level=level,
        ),
    )
    with lock_results(place):
        try:
            results = run_in(plan, place, workers=workers, progress=progress)
        except CellError as error:
            raise one_reason(error, documents) from None
        execution = conclude(results, reporter, progress)
        findings = execution.findings or findings_of(results, progress)
        boosted = replace(system, weighting=pairs[0].weighting, analyzer=_analyzer(pairs[0]))
        version = _version(results)
        terms = len(boosted.find_terms(version))
        if not terms:
            raise DataError(f"{documents}: {_why_no_term(results, pairs)}: nothing to boost")
        relevant = _relevant(results)
        compared = gains(findings.versions[VERSION].scores, [(pair.plain, pair.boosted) for pair in pairs], MEASURE)
        boosting = TermBoosting(
            gains={pair.weighting: gain for pair, gain in zip(pairs, compared, strict=True)},
            uses=boosted.term_uses(version, results.questions, relevant),
            relevant={topic: len(relevant_ids) for topic, relevant_ids in relevant.items()},
            terms=terms,
            notes=_notes(results, pairs),
        )
        for name, data in boosting_reporter(boosting).items():
            write(place / name, data)
    return execution, boosting


def _analyzer(pair: Models) -> str:
    return ANALYZERS[weightings.parse(pair.weighting).name]


def _topics_file(path: str, field: str | None, folder: Path) -> str:
    """The file of the questions: one in the folder if they are made of the sentences of topics."""
    topics = read_topics(path)
    has_sentences = any(sentence.strip() for topic in topics for sentence in topic.sentences)
    if field == SENTENCES and not has_sentences:
        raise DataError(f"{path}: no topic has sentences")
    if not has_sentences or field in FIELDS:
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be written: {error.strerror}") from None
    write_topics([Topic(topic.id, topic.query) for topic in topics], folder / QUESTIONS)
    return str(folder / QUESTIONS)


def one_reason(error: CellError, documents: str) -> Exception:
    """The error of several systems that failed for one reason, such as a tagger that is not installed."""
    reasons = {failure.why for failure in error.failures}
    return DataError(f"{documents}: {reasons.pop()}") if len(reasons) == 1 else error


def _why_no_term(results: CompletedRuns, pairs: Sequence[Models]) -> str:
    """Find the reason why there is no term in the notes of the system that looked for them."""
    notes = [note for pair in pairs for note in results.records[VERSION][pair.boosted].notes]
    return next((note["why"] for note in notes if note.kind == "no_term"), "no multi-word term")


def _version(results: CompletedRuns) -> Version:
    """The documents with what the systems made of them."""
    work = results.folder / "work" / results.inputs[f"documents of {VERSION}"]
    return Version(VERSION, read_documents(results.places[VERSION]), work)


def _relevant(results: CompletedRuns) -> dict[str, list[str]]:
    relevant: dict[str, list[str]] = {}
    for topic, document, grade in results.judgments().rows():
        if grade >= results.analysis.level:
            relevant.setdefault(topic, []).append(document)
    return relevant


def _notes(results: CompletedRuns, pairs: Sequence[Models]) -> tuple[Note, ...]:
    """Collect the notes on the collection and on terms that do not occur, each once."""
    records = results.records[VERSION]
    absent = [note for pair in pairs for note in records[pair.boosted].notes if note.kind == "terms_absent"]
    return tuple(dict.fromkeys((*results.notes, *absent)))
