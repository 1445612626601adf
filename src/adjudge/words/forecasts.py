"""Say whether choosing among systems helps, and whether the choice can be predicted."""

from __future__ import annotations

import math

from ..comparison.known_item.choosing import NEGLIGIBLE
from ..comparison.known_item.complementarity import SAME, Complementarity
from ..comparison.known_item.prediction import Prediction
from ..comparison.verdict import ALPHA
from ..core.english import p_text, plural, quantity
from .speech import sentence


@sentence
def complementarity_conclusion(result: Complementarity) -> str:
    """Say what the best possible choice of a system for each question would give."""
    best, single = result.item.systems[result.best], float(result.item.mrr[result.best])
    lead = f"The best choice of system for each question has MRR {result.oracle:.4f}"
    if result.oracle <= single + SAME:
        return f"{lead}, no more than {best} alone: no other system is better on any question."
    lucky = f"; with failures at random it would be {result.independent:.4f}"
    return f"{lead}, {best} alone has {single:.4f}{lucky}."


@sentence
def prediction_conclusion(result: Prediction) -> str:
    """Say whether a predictor correlates with a system, and whether choosing by it gains anything."""
    asked = f"{quantity(len(result.links), 'correlation')} over {quantity(len(result.item.questions), 'question')}"
    if not result.permutations:
        return f"None of {asked} was tested: p-values need permutations."
    sure = [link for link in result.links if link.p <= ALPHA]
    if sure:
        top = max(sure, key=lambda link: abs(link.tau))
        text = f"Of {asked} {len(sure):,} {plural(len(sure), 'has', 'have')} a corrected p of {ALPHA} or less, "
        text += f"the largest tau_b {top.tau:.2f} of {top.predictor} with {top.outcome}"
    else:
        top = max(result.links, key=lambda link: -1.0 if math.isnan(link.tau) else abs(link.tau))
        text = "No predictor correlates significantly with a system or with the difference of two systems: none of "
        text += f"{asked} has a corrected p of {ALPHA} or less"
        if not math.isnan(top.tau):
            text += f", the largest tau_b is {top.tau:.2f} of {top.predictor} with {top.outcome}"
    return f"{text}.{_choices(result)}"


def _choices(result: Prediction) -> str:
    best = result.best_choice
    if best is None:
        return ""
    if best.chosen <= best.always + NEGLIGIBLE:
        return " Choosing the system by a predictor never beats the better of the two systems."
    case = (
        f"{best.predictor} between {best.better} and {best.other}: MRR {best.chosen:.4f} instead of {best.always:.4f}"
    )
    gained = [choice for choice in result.choices if choice.chosen > choice.always and choice.p <= ALPHA]
    if not gained:
        return f" Choosing by a predictor gains most with {case}, which is not significant (p = {p_text(best.p)})."
    return f" Choosing by a predictor gains in {len(gained):,} of {len(result.choices):,} cases, most with {case}."


@sentence
def coverage(result: Complementarity) -> str:
    """Say how many items all systems, exactly one and none of them find."""
    counts, items = result.by_systems.tolist(), quantity(len(result.item.questions), "item")
    found = f"{counts[-1]:,} by all systems, {counts[1]:,} by exactly one, {counts[0]:,} by none"
    return f"Of {items}, found down to rank {result.within:,}: {found}."


@sentence
def reading_of_finds(within: int) -> str:
    """Say how the matrix of items is read that one system finds and another does not."""
    return f"Items that the system of the row finds down to rank {within:,} and that of the column does not."


@sentence
def reading_of_correlations() -> str:
    """Say how the matrix of correlations is read."""
    return "Rank correlation of reciprocal ranks over the questions; empty where all ranks of one system are equal."


@sentence
def how_tested(result: Prediction) -> str:
    """Over what the correlations are, and where intervals and p come from."""
    how = [f"tau_b over {quantity(len(result.item.questions), 'question')}"]
    if result.samples:
        how.append(f"intervals from {quantity(result.samples, 'bootstrap sample')} of them")
    if result.permutations:
        tested = f"{quantity(len(result.links), 'correlation')} and {quantity(len(result.choices), 'choice')}"
        how.append(f"p from {quantity(result.permutations, 'permutation')}, corrected after Holm for {tested}")
    return f"{', '.join(how)}."


@sentence
def smallest_detectable(tau: float) -> str:
    """The smallest correlation that so few questions can show."""
    return f"With this number of questions and comparisons only a tau_b of about {tau:.2f} or more is significant."


@sentence
def rule_of_choice() -> str:
    """Say how a predictor chooses between two systems."""
    rule = "A choice is by a threshold on the predictor, learned from all other questions"
    return f"{rule}; the column always has the better of the two systems."
