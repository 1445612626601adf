"""Error rates over sets of topics, beside the definition of Buckley & Voorhees written slowly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from adjudge.comparison.reliability.stability import stability
from adjudge.core.errors import DataError, SpecError


def slow(cells: np.ndarray, size: int, trials: int, fuzziness: float, rng: np.random.Generator) -> tuple[float, float]:
    """Table 2 of the paper: for each pair |A > B|, |A < B| and |A = B| over the query sets; the lesser of the first two
    counts as errors, and the sum of all three is the number of comparisons."""
    better: dict[tuple[int, int], list[str]] = {pair: [] for pair in combinations(range(len(cells)), 2)}
    for _ in range(trials):
        drawn = rng.permutation(cells.shape[1])[:size].tolist()
        means = [sum(row[t] for t in drawn) / size for row in cells.tolist()]
        for (a, b), seen in better.items():
            large = max(means[a], means[b])
            level = abs(means[a] - means[b]) <= fuzziness * large + 1e-12
            seen.append("=" if level else ">" if means[a] > means[b] else "<")
    every = trials * len(better)
    wrong = sum(min(seen.count(">"), seen.count("<")) for seen in better.values())
    return wrong / every, sum(seen.count("=") for seen in better.values()) / every


@pytest.mark.parametrize("fuzziness", [0.0, 0.05, 0.2])
def test_it_is_the_definition(fuzziness: float) -> None:
    cells = np.random.default_rng(1).random((6, 20)).round(2)
    found = stability(
        {"mean": (cells, "mean")}, sizes=[5], trials=50, fuzziness=fuzziness, rng=np.random.default_rng(7)
    )
    errors, ties = slow(cells, 5, 50, fuzziness, np.random.default_rng(7))
    assert (found.errors[0, 0], found.ties[0, 0]) == pytest.approx((errors, ties))


def test_systems_that_always_differ_make_no_error_and_equal_ones_are_tied() -> None:
    cells = np.array([[0.1] * 9, [0.5] * 9, [0.5] * 9])
    found = stability({"mean": (cells, "mean"), "gm": (cells, "gm")}, sizes=[3, 9], rng=np.random.default_rng(0))
    assert found.errors.tolist() == [[0, 0], [0, 0]]
    assert found.ties == pytest.approx(1 / 3)


def test_with_all_topics_there_is_one_order() -> None:
    cells = np.random.default_rng(2).random((5, 12))
    found = stability({"mean": (cells, "mean")}, sizes=[2, 12], trials=40, fuzziness=0, rng=np.random.default_rng(0))
    assert found.errors[0, 0] > 0
    assert found.errors[0, 1] == 0


def test_the_geometric_mean_sees_what_the_mean_does_not() -> None:
    # One topic in ten is lost: by GMAP that is all that counts, by MAP a little.
    rng = np.random.default_rng(3)
    lost = np.concatenate([rng.uniform(0.4, 0.6, 90), np.zeros(10)])
    steady = rng.uniform(0.35, 0.5, 100)
    cells = np.stack([lost, steady])
    sizes = [40]
    found = stability({"MAP": (cells, "mean"), "GMAP": (cells, "log(eps=1e-5)")}, sizes=sizes, rng=rng)
    assert found.errors[1, 0] < found.errors[0, 0] + found.ties[0, 0]


@pytest.mark.parametrize(
    ("values", "options", "error", "message"),
    [
        ({}, {}, SpecError, "no figure was given"),
        ({"a": ([[1, 2], [3, 4]], "mean"), "b": ([[1], [2]], "mean")}, {}, DataError, "the same systems and topics"),
        ({"a": ([[1, 2]], "mean")}, {}, DataError, "from 2 to 1,000 systems are needed, not 1"),
        ({"a": ([[1, 2], [3, float("nan")]], "mean")}, {}, DataError, "a: a system has no value for a topic"),
        ({"a": ([["x"], ["y"]], "mean")}, {}, DataError, "a: values must be numbers"),
        ({"a": ([1, 2], "mean")}, {}, DataError, "a: values must be systems × topics"),
        ({"a": ([[-1, 2], [3, 4]], "log(eps=1e-5)")}, {}, DataError, "a: values under log"),
        ({"a": ([[1, 2], [3, 4]], "mean")}, {"sizes": [3]}, SpecError, "from 1 to the 2 topics, not 3"),
        ({"a": ([[1, 2], [3, 4]], "mean")}, {"sizes": []}, SpecError, "not none"),
        ({"a": ([[1, 2], [3, 4]], "mean")}, {"trials": 0}, SpecError, "trials must be at least 1"),
        ({"a": ([[1, 2], [3, 4]], "mean")}, {"fuzziness": 1}, SpecError, "fuzziness must lie in"),
    ],
)
def test_bad_input(values: dict, options: dict, error: type[Exception], message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(error, match=message):
        stability(values, **{"sizes": [1], "rng": np.random.default_rng(0), **options})
