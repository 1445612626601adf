"""Find the sentence for a result: which module of this room has it for which kind of result."""

from __future__ import annotations

from importlib import import_module
from typing import Any

SPEAKERS = {
    "Comparison": "verdicts",
    "RankGroups": "standings",
    "Equivalence": "practicality",
    "FactorEffects": "component_effects",
    "TopicRankings": "topic_comparison",
    "ResultsHistory": "history_in_words",
    "TopicDesign": "topic_plans",
    "JudgingPlan": "topic_plans",
    "JudgeComparison": "judges_in_words",
    "GuardResult": "regression",
    "PoolGaps": "pools_in_words",
    "Estimates": "pools_in_words",
    "Sensitivity": "scale_changes",
    "Study": "worth",
    "Complementarity": "forecasts",
    "Prediction": "forecasts",
    "SwapRate": "trust",
    "PseudoJudgments": "trust",
    "Tuning": "tuned",
}
"""The module with the sentence for a result, by the name of its class; it is loaded when it is needed."""


def conclusion_of(result: Any, **asked: Any) -> str:
    """Say what a result comes to, in a sentence or two."""
    kind = type(result).__name__
    function = f"{''.join(f'_{c.lower()}' if c.isupper() else c for c in kind).lstrip('_')}_conclusion"
    text: str = getattr(import_module(f".{SPEAKERS[kind]}", __package__), function)(result, **asked)
    return text
