"""Stability: how often a measure orders two systems differently on other sets of topics, and how often it ties them.

After Buckley & Voorhees, *Evaluating evaluation measure stability* (SIGIR 2000); the Robust tracks compared GMAP with
other measures by such an analysis, as section 4.4 of Robertson's *On GMAP* tells. Sets of n topics are drawn again and
again. On each of them a pair of systems is tied if their figures differ by less than ``fuzziness`` of the larger one;
else one of them is ahead. The order that most sets give is taken for the true one: the error rate is the sum over pairs
of the rarer order, divided by all comparisons, ties included.

A measure with many ties makes few errors, so both shares belong together. Measures on different scales can be compared
by them, which swap rates by the size of the difference cannot do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.average import averages
from ...core.errors import DataError, SpecError
from ...core.judged import Floats
from ...core.result import Result

MOST = 1000
"""Systems: every pair is looked at in every trial."""


@dataclass(frozen=True, eq=False)
class Stability(Result):
    """Error rates and ties by figure (rows) and size of the sets of topics (columns)."""

    figures: tuple[str, ...]
    systems: int
    topics: int
    sizes: tuple[int, ...]
    trials: int
    fuzziness: float
    errors: Floats
    """The share of comparisons that go against the majority of the sets."""
    ties: Floats
    """The share of comparisons in which neither system is ahead."""


def stability(
    values: Mapping[str, tuple[npt.ArrayLike, str]],
    *,
    sizes: Sequence[int],
    trials: int = 1000,
    fuzziness: float = 0.05,
    rng: np.random.Generator,
) -> Stability:
    """Error rates and ties of several figures of the same systems and topics, on the same sets of topics.

    ``values``: by the name of a figure, systems × topics and the spec of an average: ``{"MAP": (ap, "mean"), "GMAP":
    (ap, "gm")}``. Sets have no topic twice; two sets may share topics.
    """
    arrays = {name: _checked(name, cells) for name, (cells, _) in values.items()}
    if not arrays:
        raise SpecError("no figure was given")
    shapes = {array.shape for array in arrays.values()}
    if len(shapes) > 1:
        raise DataError(f"figures must be of the same systems and topics, not {' and '.join(map(str, sorted(shapes)))}")
    ((systems, topics),) = shapes
    if not 2 <= systems <= MOST:
        raise DataError(f"from 2 to {MOST:,} systems are needed, not {systems:,}")
    chosen = tuple(sorted(set(sizes)))
    if not chosen or chosen[0] < 1 or chosen[-1] > topics:
        raise SpecError(f"sizes must be from 1 to the {topics:,} topics, not {', '.join(map(str, sizes)) or 'none'}")
    if trials < 1:
        raise SpecError(f"trials must be at least 1, not {trials}")
    if not 0 <= fuzziness < 1:
        raise SpecError(f"fuzziness must lie in [0, 1), not {fuzziness:g}")
    by = {name: averages.parse(spec) for name, (_, spec) in values.items()}
    for name, average in by.items():
        if average.outside(arrays[name]).any():
            raise DataError(f"{name}: values under {average} must {average.domain()}")
    upper, lower = np.triu_indices(systems, 1)
    errors, ties = np.zeros((len(arrays), len(chosen))), np.zeros((len(arrays), len(chosen)))
    for column, size in enumerate(chosen):
        ahead = np.zeros((len(arrays), 2, len(upper)), np.int64)
        for _ in range(trials):
            drawn = rng.permutation(topics)[:size]
            for row, (name, array) in enumerate(arrays.items()):
                figures = np.ravel(by[name](array[:, drawn]))
                a, b = figures[upper], figures[lower]
                # Equal figures are tied without any fuzziness, and so are those that differ by rounding alone.
                apart = np.abs(a - b) > np.maximum(fuzziness, 1e-12) * np.maximum(np.abs(a), np.abs(b))
                ahead[row, 0] += apart & (a > b)
                ahead[row, 1] += apart & (a < b)
        compared = trials * len(upper)
        errors[:, column] = ahead.min(axis=1).sum(axis=1) / compared
        ties[:, column] = 1 - ahead.sum(axis=(1, 2)) / compared
    return Stability(tuple(arrays), systems, topics, chosen, trials, fuzziness, errors, ties)


def _checked(name: str, cells: npt.ArrayLike) -> Floats:
    try:
        array = np.array(cells, float)
    except (TypeError, ValueError):
        raise DataError(f"{name}: values must be numbers") from None
    if array.ndim != 2 or not array.size:
        raise DataError(f"{name}: values must be systems × topics, not {array.shape}")
    if not np.isfinite(array).all():
        raise DataError(f"{name}: a system has no value for a topic")
    return array
