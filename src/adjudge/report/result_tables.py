"""Every result as columns for a frame: what ``to_polars()`` and ``to_pandas()`` give; result_data.py has plain data.

Functions are found by the name of the class, as in notebook.py: importing the classes would load every room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..comparison.comparisons import Comparisons
    from ..comparison.cross_tuning import Tuning
    from ..comparison.equivalence import Equivalence
    from ..comparison.factor_effects import FactorEffects
    from ..comparison.judge_agreement import JudgeComparison
    from ..comparison.judging_plan import JudgingPlan
    from ..comparison.known_item.complementarity import Complementarity
    from ..comparison.known_item.prediction import Prediction
    from ..comparison.known_item.ranks import KnownItem
    from ..comparison.known_item.study import Study
    from ..comparison.noninferiority import GuardResult
    from ..comparison.rank_groups import RankGroups
    from ..comparison.reliability.discriminative_power import DiscriminativePowers
    from ..comparison.reliability.pseudo_judgments import PseudoJudgments
    from ..comparison.reliability.swap_rate import SwapRate
    from ..comparison.scale.halves import BoostedHalves
    from ..comparison.scale.sensitivity import Sensitivity
    from ..comparison.topic_design import TopicDesign
    from ..comparison.verdict import Comparison, Difference
    from ..core.table import Table
    from ..correlation.ranking_pairs import Correlations
    from ..evaluation.averaging import Averages
    from ..evaluation.trec_evaluation import TrecEvaluation
    from ..experiment.results_history import ResultsHistory
    from ..experiment.topic_rankings import TopicRankings
    from ..index.explanation import Explanation
    from ..index.searching import Hits
    from ..noise.calibration import Calibrations
    from ..noise.error_report import ErrorReport
    from ..noise.ocr_quality import QualityEstimate
    from ..terms.terms import Terms
    from .text_table import TextTable

Columns = dict[str, list[Any]]


def columns_of(value: Any) -> Columns:
    """A value as the columns of a table."""
    make: Callable[[Any], Columns] | None = made_for(COLUMNS, value)
    if make is None:
        raise TypeError(f"there is no table of {type(value).__name__}")
    return make(value)


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    """Columns as a list of rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def made_for(known: Mapping[str, Any], value: Any) -> Any:
    """What is known under the name of the class of a value, or of a class that it comes from; None if nothing is."""
    return next((known[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in known), None)


def _columns(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Columns:
    listed = [list(row) for row in rows]
    return {name: [row[place] for row in listed] for place, name in enumerate(header)}


# -- what systems retrieve and what is relevant -----------------------------------------------------------------------


def _table(table: Table) -> Columns:
    kind = "score" if table.numbers.dtype.kind == "f" else "grade"
    return {"topic": table.topic_column(), "document": list(table.documents), kind: table.numbers.tolist()}


def _hits(hits: Hits) -> Columns:
    ids, scores = list(hits.ids), hits.scores.tolist()
    return {"rank": list(range(1, len(ids) + 1)), "document": ids, "score": scores}


def _answer(answer: Any) -> Columns:
    rows = [[hit.rank, hit.document, hit.score, hit.title.text, hit.snippet.text] for hit in answer.hits]
    columns = _columns(["rank", "document", "score", "title", "snippet"], rows)
    return columns if answer.texts else {name: columns[name] for name in ("rank", "document", "score")}


def _explanation(tree: Explanation) -> Columns:
    return _columns(["depth", "description", "value"], tree.lines())


# -- comparing --------------------------------------------------------------------------------------------------------


def _comparison(result: Comparison) -> Columns:
    figure = dict(zip(result.systems, result.figures.tolist(), strict=True))
    rows = []
    for d in result.differences:
        tests = zip(result.tests, d.raw, d.p, strict=True)
        rows.append(
            {
                "measure": result.measure,
                "system": d.a,
                "against": d.b,
                "figure": figure[d.a],
                "figure_against": figure[d.b],
                "difference": d.difference,
                "low": d.low,
                "high": d.high,
                "effect": d.effect,
                "wins": d.wins,
                "ties": d.ties,
                "losses": d.losses,
            }
            | {name: p for test, raw, own in tests for name, p in ((f"p_raw {test}", raw), (f"p {test}", own))}
            | _pair_coverage(result, d)
        )
    header = list(rows[0]) if rows else ["measure", "system", "against"]
    return {name: [row[name] for row in rows] for name in header}


def _pair_coverage(result: Comparison, d: Difference) -> dict[str, float]:
    """What the judgments cover of both runs, where there are runs."""
    if not result.coverage:
        return {}
    a, b = result.coverage[d.a], result.coverage[d.b]
    answered = {"answered": a.answered, "answered_against": b.answered}
    return answered | {f"judged@{a.depth}": a.judged, f"judged@{a.depth}_against": b.judged}


def _comparisons(result: Comparisons) -> Columns:
    every = [_comparison(comparison) for comparison in result]
    return {name: [cell for own in every for cell in own[name]] for name in every[0]}


def _averages(result: Averages) -> Columns:
    rows = [
        [system, measure, average, float(result.figures[s, m, a])]
        for s, system in enumerate(result.systems)
        for m, measure in enumerate(result.measures)
        for a, average in enumerate(result.averages)
    ]
    return _columns(["system", "measure", "average", "figure"], rows)


def _sensitivity(result: Sensitivity) -> Columns:
    rows = [
        [row.transformation, row.swapped, system, figure, row.order.index(s) + 1]
        for row in result.rows
        for s, (system, figure) in enumerate(zip(result.systems, row.figures.tolist(), strict=True))
    ]
    return _columns(["transformation", "pairs_turned", "system", "figure", "rank"], rows)


def _halves(result: BoostedHalves) -> Columns:
    rows = [
        [system, row.average, row.before, row.all, row.low, row.high]
        for system, own in result.rows.items()
        for row in own
    ]
    return _columns(["system", "average", "before", "all", "lower_half", "upper_half"], rows)


def _correlations(result: Correlations) -> Columns:
    names = ["value", "low", "high", "p", "items", "concordant", "discordant", "tied", "samples", "permutations"]
    rows = [[x, y, c.coefficient, *(getattr(c, name) for name in names)] for x, y, c in result]
    return _columns(["x", "y", "coefficient", *names], rows)


def _powers(result: DiscriminativePowers) -> Columns:
    header = ["measure", "test", "alpha", "significant", "pairs", "share", "required", "spread"]
    return _columns(header, ([getattr(power, name) for name in header] for power in result))


def _swaps(result: SwapRate) -> Columns:
    from .reliability import swap_rows

    table = swap_rows(result)
    return _columns(list(table.header), table.exact or [])


def _pseudo(result: PseudoJudgments) -> Columns:
    from .reliability import pseudo_table

    table = pseudo_table(result, 4)
    return _columns(list(table.header), table.exact or [])


# -- known items ------------------------------------------------------------------------------------------------------


def _known_item(item: KnownItem) -> Columns:
    rows = [
        [system, question, int(rank) or None, int(length)]
        for s, system in enumerate(item.systems)
        for question, rank, length in zip(item.questions, item.ranks[s], item.lengths[s], strict=True)
    ]
    return _columns(["system", "question", "rank", "length"], rows)


def _study(study: Study) -> Columns:
    from .known_item_data import figures

    rows = list(figures(study))
    return {name: [row[name] for row in rows] for name in rows[0]}


def _complementarity(result: Complementarity) -> Columns:
    item = result.item
    columns = (item.mrr.tolist(), result.found.tolist(), result.alone.tolist(), result.ahead.tolist())
    return {"system": list(item.systems)} | dict(
        zip(("mrr", "found", "alone", "ahead"), map(list, columns), strict=True)
    )


def _prediction(result: Prediction) -> Columns:
    names = ["predictor", "system", "against", "tau", "low", "high", "raw", "p"]
    return _columns(names, ([getattr(link, name) for name in names] for link in result.links))


# -- scanned text, terms, collections, experiments --------------------------------------------------------------------


def _errors(result: ErrorReport) -> Columns:
    from .noise_tables import documents_table

    header, rows = documents_table(result.rates)
    return _columns(header, rows)


def _quality(result: QualityEstimate) -> Columns:
    from .quality_table import HEADER, quality_rows

    return _columns(HEADER, quality_rows(result))


def _calibrations(result: Calibrations) -> Columns:
    names = ["engine", "target", "factor", "cer", "low", "high", "pages", "unreached"]
    return _columns(names, ([getattr(one, name) for name in names] for one in result))


def _terms(terms: Terms) -> Columns:
    columns: Columns = {
        "term": list(terms.names),
        "frequency": terms.frequencies.tolist(),
        "c_value": terms.c_values.tolist(),
    }
    if terms.nc_values is not None:
        columns["nc_value"] = terms.nc_values.tolist()
    forms = list(terms.forms)
    ends = terms.offsets.tolist()
    return columns | {"forms": [forms[a:b] for a, b in pairwise(ends)]}


def _trec(result: TrecEvaluation) -> Columns:
    """The lines of trec_eval: measure, topic (all for the figure over topics), value."""
    numbers = [(i, line) for i, line in enumerate(result.lines) if line.measure is not None and not line.text]
    rows = [
        [line.label, topic, float(result.values[t, i])]
        for t, topic in enumerate(result.topics)
        for i, line in numbers
        if line.per_topic
    ]
    rows += [[line.label, "all", result.figure(i)] for i, line in numbers]
    return _columns(["measure", "topic", "value"], rows)


def _records(result: Any) -> Columns:
    """One row for each record of a list of dataclasses or named tuples."""
    rows = [row._asdict() if hasattr(row, "_asdict") else asdict(row) for row in result]
    return {name: [plain(row[name]) for row in rows] for name in (rows[0] if rows else {})}


def _facts(value: Any) -> Columns:
    """One row with what a value says of itself."""
    names = [field.name for field in fields(value)] if is_dataclass(value) else list(value._fields)
    return {name: [plain(getattr(value, name))] for name in names}


def _counts(value: Any) -> Columns:
    """What and how many, one row each."""
    return _columns(["what", "number"], value.counted())


def _findings(execution: Any) -> Columns:
    """The values of every system on every version: from the findings, or from the file that they were written to."""
    frame = execution.frame()
    return {name: frame[name].to_list() for name in frame.columns}


def _track(track: Any) -> Columns:
    rows = [
        [version, system, float(mrr), int(found)]
        for version, part in track.versions.items()
        for system, mrr, found in zip(part.item.systems, part.item.mrr, part.item.found, strict=True)
    ]
    return _columns(["version", "system", "mrr", "found"], rows)


def _boosting(boosting: Any) -> Columns:
    rows = [
        [weighting, topic.topic, topic.before, topic.after, topic.difference]
        for weighting, gain in boosting.gains.items()
        for topic in gain.topics
    ]
    return _columns(["weighting", "topic", "plain", "boosted", "difference"], rows)


def plain(value: Any) -> Any:
    """A value as JSON and frames hold it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, Path):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner) for inner in value]
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _rank_groups(result: RankGroups) -> Columns:
    from .groups_text import groups_table

    return _of_text_table(groups_table(result))


def _equivalence(result: Equivalence) -> Columns:
    from .equivalence_table import equivalence_table

    return _of_text_table(equivalence_table(result))


def _factor_effects(result: FactorEffects) -> Columns:
    from .factor_table import effects_table

    return _of_text_table(effects_table(result))


def _topic_rankings(result: TopicRankings) -> Columns:
    from .topic_text import topic_table

    return _of_text_table(topic_table(result))


def _history(result: ResultsHistory) -> Columns:
    from .history_text import history_table

    return _of_text_table(history_table(result))


def _topic_design(design: TopicDesign) -> Columns:
    from .design_table import design_table

    return _of_text_table(design_table(design))


def _judging_plan(plan: JudgingPlan) -> Columns:
    from .design_table import plan_table

    return _of_text_table(plan_table(plan))


def _judges(result: JudgeComparison) -> Columns:
    from .judges_table import pairs_of_judges

    return _of_text_table(pairs_of_judges(result))


def _guard(result: GuardResult) -> Columns:
    from .guard_text import guard_table

    return _of_text_table(guard_table(result))


def _of_text_table(table: TextTable) -> Columns:
    rows = table.exact or table.rows
    return {name: [row[c] for row in rows] for c, name in enumerate(table.header)}


def _tuning(tuning: Tuning) -> Columns:
    rows = tuning.rows()
    return {name: [row[name] for row in rows] for name in rows[0]}


def _pool(pool: Any) -> Columns:
    columns: Columns = {"topic": pool.topic_column(), "document": list(pool.documents), "rank": pool.numbers.tolist()}
    columns |= {"runs": pool.counts.tolist(), "stratum": pool.strata.tolist()}
    columns |= {"probability": pool.probabilities.tolist(), "drawn": pool.drawn.tolist()}
    return columns | {"to_judge": pool.to_judge.tolist()}


def _sampled(sample: Any) -> Columns:
    return _table(sample) | {"stratum": sample.strata.tolist(), "probability": sample.probabilities.tolist()}


def _pool_gaps(result: Any) -> Columns:
    from .pool_tables import gaps_table

    return _of_text_table(gaps_table(result))


def _estimates(result: Any) -> Columns:
    from .pool_tables import estimates_columns

    return estimates_columns(result)


def _run_check(result: Any) -> Columns:
    rows = [[i.kind, i.grave, i.line, i.topic, i.document, i.count, i.text] for i in result.issues]
    return _columns(["kind", "grave", "line", "topic", "document", "count", "text"], rows)


def _merged(result: Any) -> Columns:
    return _table(result.qrels)


def _qrels_difference(result: Any) -> Columns:
    rows: list[list[Any]] = [[c.topic, c.document, c.first, c.second] for c in result.changed]
    rows += [[topic, document, grade, None] for topic, document, grade in result.only_first]
    rows += [[topic, document, None, grade] for topic, document, grade in result.only_second]
    return _columns(["topic", "document", "first", "second"], rows)


COLUMNS: dict[str, Callable[[Any], Columns]] = {
    "Pool": _pool,
    "SampledQrels": _sampled,
    "NextPairs": _records,
    "PoolGaps": _pool_gaps,
    "Estimates": _estimates,
    "RunCheck": _run_check,
    "ConvertedFile": _facts,
    "JudgeOutcome": _facts,
    "MergedQrels": _merged,
    "QrelsDifference": _qrels_difference,
    "RankGroups": _rank_groups,
    "JudgeComparison": _judges,
    "TopicDesign": _topic_design,
    "JudgingPlan": _judging_plan,
    "ResultsHistory": _history,
    "TopicRankings": _topic_rankings,
    "FactorEffects": _factor_effects,
    "Equivalence": _equivalence,
    "GuardResult": _guard,
    "Table": _table,
    "Hits": _hits,
    "SearchAnswer": _answer,
    "Explanation": _explanation,
    "Comparison": _comparison,
    "Comparisons": _comparisons,
    "Averages": _averages,
    "Sensitivity": _sensitivity,
    "BoostedHalves": _halves,
    "Correlation": _facts,
    "Correlations": _correlations,
    "DiscriminativePower": _facts,
    "DiscriminativePowers": _powers,
    "SwapRate": _swaps,
    "PseudoJudgments": _pseudo,
    "KnownItem": _known_item,
    "Study": _study,
    "Complementarity": _complementarity,
    "Prediction": _prediction,
    "ErrorReport": _errors,
    "QualityEstimate": _quality,
    "Calibrations": _calibrations,
    "Corruptions": _records,
    "JobOutcome": _facts,
    "Terms": _terms,
    "TrecEvaluation": _trec,
    "Agreements": _records,
    "CandidateReport": _counts,
    "Export": _counts,
    "Conversion": _records,
    "QuestionSentences": _records,
    "CollectionImport": _records,
    "Execution": _findings,
    "Tuning": _tuning,
    "Track": _track,
    "TermBoosting": _boosting,
}
"""The columns of a value, by the name of its class."""
