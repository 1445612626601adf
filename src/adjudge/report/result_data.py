"""Every result as plain data, which is what ``to_dict()`` gives: mostly what its command prints as JSON.

Functions are found by the name of the class, as in result_tables.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .result_tables import columns_of, made_for, plain, rows_of

if TYPE_CHECKING:
    from ..comparison.comparisons import Comparisons
    from ..comparison.equivalence import Equivalence
    from ..comparison.factor_effects import FactorEffects
    from ..comparison.judge_agreement import JudgeComparison
    from ..comparison.judging_plan import JudgingPlan
    from ..comparison.noninferiority import GuardResult
    from ..comparison.rank_groups import RankGroups
    from ..comparison.topic_design import TopicDesign
    from ..experiment.results_history import ResultsHistory
    from ..experiment.topic_rankings import TopicRankings


def data_of(value: Any) -> dict[str, Any]:
    """A value as plain data: what the command prints as JSON, or else the rows of the table."""
    make = made_for(DATA, value)
    data = make(value) if make else rows_of(columns_of(value))
    return data if isinstance(data, dict) else {"rows": data}


def _comparison(value: Any) -> Any:
    from .comparison import as_json

    return json.loads(as_json(value))


def _sensitivity(value: Any) -> Any:
    from .sensitivity_text import as_json

    return json.loads(as_json(value))


def _correlations(value: Any) -> Any:
    from .correlation import as_json

    return json.loads(as_json(value))


def _discriminative_powers(value: Any) -> Any:
    from .reliability import power_json

    return json.loads(power_json(value))


def _swap_rate(value: Any) -> Any:
    from .reliability import swap_json

    return json.loads(swap_json(value, 0.05))


def _pseudo_judgments(value: Any) -> Any:
    from .reliability import pseudo_json

    return json.loads(pseudo_json(value))


def _study(value: Any) -> Any:
    from .known_item_data import as_json

    return json.loads(as_json(value))


def _complementarity(value: Any) -> Any:
    from .complementarity_table import as_json

    return json.loads(as_json(value))


def _prediction(value: Any) -> Any:
    from .prediction_table import as_json

    return json.loads(as_json(value))


def _search_answer(value: Any) -> Any:
    from .search_results import as_json

    return json.loads(as_json(value))


def _calibrations(value: Any) -> Any:
    from .noise_tables import calibration_json

    return json.loads(calibration_json(value))


def _error_report(value: Any) -> Any:
    from .noise_tables import errors_json

    return json.loads(errors_json(value))


def _quality(value: Any) -> Any:
    from .quality_table import quality_json

    return json.loads(quality_json(value))


def _track(value: Any) -> Any:
    from .confusion_table import as_json

    return json.loads(as_json(value))


def _term_boosting(value: Any) -> Any:
    from .boosting_table import as_json

    return json.loads(as_json(value))


def _comparisons(result: Comparisons) -> dict[str, Any]:
    from .comparison import as_data

    return {"comparisons": [json.loads(json.dumps(plain(as_data(comparison)))) for comparison in result]}


def _findings(execution: Any) -> Any:
    return json.loads(execution.text("json"))


def _equivalence(result: Equivalence) -> Any:
    from .equivalence_table import as_data

    return as_data(result)


def _factor_effects(result: FactorEffects) -> Any:
    from .factor_table import as_data

    return as_data(result)


def _topic_rankings(result: TopicRankings) -> Any:
    from .topic_text import as_data

    return as_data(result)


def _history(result: ResultsHistory) -> Any:
    from .history_text import as_data

    return as_data(result)


def _judging_plan(plan: JudgingPlan) -> Any:
    from .design_table import plan_data

    return plan_data(plan)


def _topic_design(design: TopicDesign) -> Any:
    from .design_table import as_data

    return as_data(design)


def _judges(result: JudgeComparison) -> Any:
    from .judges_table import as_data

    return as_data(result)


def _rank_groups(result: RankGroups) -> Any:
    from .groups_text import as_data

    return as_data(result)


def _guard(result: GuardResult) -> Any:
    from .guard_text import as_data

    return as_data(result)


def _pool_gaps(result: Any) -> Any:
    from .pool_tables import gaps_data

    return gaps_data(result)


def _estimates(result: Any) -> Any:
    from .pool_tables import estimates_data

    return estimates_data(result)


DATA: dict[str, Callable[[Any], Any]] = {
    "PoolGaps": _pool_gaps,
    "Estimates": _estimates,
    "RankGroups": _rank_groups,
    "JudgeComparison": _judges,
    "TopicDesign": _topic_design,
    "JudgingPlan": _judging_plan,
    "ResultsHistory": _history,
    "TopicRankings": _topic_rankings,
    "FactorEffects": _factor_effects,
    "Equivalence": _equivalence,
    "GuardResult": _guard,
    "Comparison": _comparison,
    "Comparisons": _comparisons,
    "Sensitivity": _sensitivity,
    "Correlations": _correlations,
    "DiscriminativePowers": _discriminative_powers,
    "SwapRate": _swap_rate,
    "PseudoJudgments": _pseudo_judgments,
    "Study": _study,
    "Complementarity": _complementarity,
    "Prediction": _prediction,
    "SearchAnswer": _search_answer,
    "Calibrations": _calibrations,
    "ErrorReport": _error_report,
    "QualityEstimate": _quality,
    "Execution": _findings,
    "Track": _track,
    "TermBoosting": _term_boosting,
}
"""Plain data of a value, by the name of its class; of others the rows of the table."""
