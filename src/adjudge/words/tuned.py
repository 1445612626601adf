"""Say what tuning gained on topics it had not seen, and what it would have claimed."""

from __future__ import annotations

import numpy as np

from ..comparison.cross_tuning import Tuning
from ..core.english import figure, listing, quantity
from .speech import sentence

EDGES = 3


@sentence
def tuning_conclusion(tuning: Tuning) -> str:
    """Give the gain of tuning for the first reported measure, how sure it is, and the optimism of the plain claim."""
    m = 0
    t = _trained_on(tuning, m)
    gain = f"{figure_with_sign(tuning.gain[t, m])} {tuning.measures[m]}"
    ends = f"{figure_with_sign(tuning.low[t, m])} to {figure_with_sign(tuning.high[t, m])}"
    share = f"{tuning.confidence:.0%} interval {ends}"
    what = f"Tuning {tuning.system} on {tuning.train[t]}"
    if not tuning.changed(t):
        lead = f"{what} keeps the default in every fold, so nothing is gained."
    else:
        verdict = {
            1: "tuning helps",
            0: "this is not more than chance could give",
            -1: "tuning does harm",
        }[tuning.verdict(t, m)]
        lead = f"{what} changes the figure by {gain} on topics it was not tuned on ({share}): {verdict}."
    claim = figure_with_sign(tuning.claimed[t, m])
    excess = figure_with_sign(tuning.optimism[t, m])
    claimed = f"On the topics that it was chosen on, the best setting would have claimed {claim}"
    return f"{lead} {claimed}; {excess} of that is optimism."


@sentence
def tuning_choices(tuning: Tuning) -> str:
    """Say how often the folds agreed on a setting."""
    parts = []
    for t, measure in enumerate(tuning.train):
        settings, counts = np.unique(tuning.chosen[t], return_counts=True)
        top = int(counts.argmax())
        name = _point(tuning, int(settings[top]))
        parts.append(f"{measure}: {name} in {counts[top]} of {quantity(tuning.folds, 'fold')}")
    return f"Most often chosen: {'; '.join(parts)}."


@sentence
def tuning_best_training(tuning: Tuning) -> str:
    """Say which measure to train on for each measure that is reported."""
    parts = []
    for m, measure in enumerate(tuning.measures):
        best = int(tuning.gain[:, m].argmax())
        level = [tuning.train[t] for t in range(len(tuning.train)) if tuning.gain[t, m] == tuning.gain[best, m]]
        parts.append(f"{measure} from {listing(level, 4)} ({figure_with_sign(tuning.gain[best, m])})")
    return f"The largest gain by each measure comes from training on: {'; '.join(parts)}."


@sentence
def tuning_edges(tuning: Tuning) -> str:
    """Say which parameters end at the edge of what was tried; empty if none does."""
    edges = []
    for t, measure in enumerate(tuning.train):
        names = [f"{name} = {value}" for name, value in _edges(tuning, int(tuning.best[t]))]
        if names:
            edges.append(f"{listing(names, EDGES)} (trained on {measure})")
    if not edges:
        return ""
    return f"At the edge of the values that were tried, so better ones may lie beyond: {'; '.join(edges)}."


@sentence
def tuning_method(tuning: Tuning) -> str:
    """Say how the figures were made."""
    tried = f"{quantity(len(tuning.settings), 'setting')} ({tuning.search} search)"
    return (
        f"{tried}, {quantity(len(tuning.topics), 'topic')} in {quantity(tuning.folds, 'fold')} (seed {tuning.seed}). "
        "Every topic is answered by the setting that is best on the topics of the other folds. Intervals: bootstrap "
        "over topics, widened because the folds share training topics."
    )


@sentence
def tuning_reading() -> str:
    """Explain how the chart of gains is read."""
    return (
        "One row for each measure trained on and each measure reported. The dot is the gain over the default on "
        "topics that the setting was not chosen on, the line its interval; the hollow diamond is the gain that would "
        "have been claimed if settings were chosen and judged on the same topics."
    )


@sentence
def tuning_chart(tuning: Tuning) -> str:
    """Describe the chart of gains."""
    rows = len(tuning.train) * len(tuning.measures)
    return f"{quantity(rows, 'row')}: gain of tuning with its interval, and the gain that would have been claimed."


def _trained_on(tuning: Tuning, m: int) -> int:
    """The measure itself if it was trained on, otherwise the first."""
    return tuning.train.index(tuning.measures[m]) if tuning.measures[m] in tuning.train else 0


def _point(tuning: Tuning, setting: int) -> str:
    point = tuning.points[setting]
    if setting == tuning.default and not point:
        return "the default"
    return ", ".join(f"{name}={value}" for name, value in point.items()) or tuning.settings[setting]


def _edges(tuning: Tuning, setting: int) -> list[tuple[str, object]]:
    """Parameters of a setting whose value is the lowest or the highest number that was tried."""
    edges = []
    for name, value in tuning.points[setting].items():
        tried = {point[name] for point in tuning.points if name in point}
        numbers = [v for v in tried if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(numbers) > 1 and value in (min(numbers), max(numbers)):
            edges.append((name, value))
    return edges


def figure_with_sign(value: float) -> str:
    """A difference as people read it, with its sign."""
    text = figure(abs(float(value)))
    return text if text == figure(0.0) else f"{'+' if value > 0 else '−'}{text}"
