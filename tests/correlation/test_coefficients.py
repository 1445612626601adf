"""Every coefficient against the paper, ircor, scipy, its slow definition, and the mean over all ways to break ties."""

from __future__ import annotations

import csv
import functools
import itertools
import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from adjudge import correlation
from adjudge.core import fallback, kernel
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.correlation.coefficient import coefficients
from adjudge.correlation.rankings import dominated, group_ties, paired

close = pytest.approx

# -- the paper ------------------------------------------------------------------------------------------------------

TRUE = [1, 2, 3, 4, 5, 6]
UNTIED = [2, 3, 1, 4, 6, 5]
TIED = [2, 4, 1, 4, 6, 4]
OTHER = [1, 2, 3.5, 3.5, 5, 6]
BROKEN = (
    [2, 3, 1, 4, 6, 5],
    [2, 3, 1, 5, 6, 4],
    [2, 4, 1, 3, 6, 5],
    [2, 4, 1, 5, 6, 3],
    [2, 5, 1, 3, 6, 4],
    [2, 5, 1, 4, 6, 3],
)


@pytest.mark.parametrize(
    ("name", "x", "y", "expected", "digits"),
    [
        ("tau", TRUE, UNTIED, 0.6, 12),
        ("tau_ap", TRUE, UNTIED, 0.32, 12),
        ("tau_a", TRUE, TIED, 0.4, 12),
        ("tau_ap_a", TRUE, TIED, 0.209, 3),
        ("tau_b", OTHER, TIED, 0.386, 3),
        ("tau_ap_ties", OTHER, TIED, 0.12, 12),
        ("tau_ap_ties", TIED, OTHER, 0.16, 12),
        ("tau_ap_b", OTHER, TIED, 0.14, 12),
        ("tau_ap_ties(sign=true)", OTHER, TIED, 0.22, 12),
        ("tau_ap_ties(sign=true)", TIED, OTHER, 0.34, 12),
        ("tau_ap_b(sign=true)", OTHER, TIED, 0.28, 12),
        ("tau_ap_symmetric", TRUE, UNTIED, 0.42, 12),
    ],
)
def test_numbers_of_the_paper(name: str, x: list[float], y: list[float], expected: float, digits: int) -> None:
    assert round(coefficients.parse(name)(paired(x, y, ranks=True)), digits) == expected


def test_permutations_of_the_paper() -> None:
    taus = [correlation.tau(TRUE, y, ranks=True) for y in BROKEN]
    assert [round(t, 3) for t in taus] == [0.6, 0.467, 0.467, 0.333, 0.333, 0.2]
    aps = [correlation.tau_ap(TRUE, y, ranks=True) for y in BROKEN]
    assert [round(t, 3) for t in aps] == [0.32, 0.22, 0.253, 0.153, 0.22, 0.087]
    assert sum(aps) / 6 == close(0.20888888888, abs=1e-10)
    pair = paired(OTHER, TIED, ranks=True)
    assert (pair.concordant, pair.discordant) == (8, 3)
    assert math.sqrt(pair.x.decided * pair.y.decided) == close(12.961, abs=5e-4)


# -- the expectations of ircor's own tests ----------------------------------------------------------------------------

SETS = {
    1: (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    ),
    2: (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    ),
    3: (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
    ),
}
COARSE = {
    1: ([0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1.0], [0.8, 0.4, 0.8, 1.0, 0.7, 0.1, 0.4, 0.5, 0.6, 1.0]),
    2: ([0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4], [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1.0, 0.6]),
    3: ([0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1.0, 0.4], [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0.0, 0.2]),
}
# coefficient, ties in x, ties in y, both directions, figures of the three sets
IRCOR = [
    ("tau", False, False, True, (0.9111, 0.2889, -0.6889)),
    ("tau_a", False, False, True, (0.9111, 0.2889, -0.6889)),
    ("tau_a", False, True, False, (0.8889, 0.3333, -0.6222)),
    ("tau_b", False, False, True, (0.9111, 0.2889, -0.6889)),
    ("tau_b", True, True, True, (0.9398, 0.3765, -0.6510)),
    ("tau_ap", False, False, False, (0.8519, 0.2504, -0.6971)),
    ("tau_ap_a", False, False, False, (0.8519, 0.2504, -0.6971)),
    ("tau_ap_a", False, True, False, (0.7454, 0.2692, -0.5558)),
    ("tau_ap_b", False, False, False, (0.8333, 0.2880, -0.6680)),
    ("tau_ap_b", True, True, True, (0.7321, 0.2970, -0.7047)),
]


def test_the_45_expectations_of_ircor() -> None:
    checked = 0
    for name, x_ties, y_ties, both, figures in IRCOR:
        for number, figure in enumerate(figures, 1):
            x = (COARSE if x_ties else SETS)[number][0]
            y = (COARSE if y_ties else SETS)[number][1]
            for first, second in [(x, y), (y, x)] if both else [(x, y)]:
                assert getattr(correlation, name)(first, second) == close(figure, abs=5e-5), (name, number)
                checked += 1
    assert checked == 45


# -- slow definitions -----------------------------------------------------------------------------------------------


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def relation(scores: Sequence[float], i: int, j: int, within: float) -> int:
    """+1 if i is clearly above j."""
    gap = scores[i] - scores[j]
    return sign(gap) if abs(gap) >= within * (1 - 1e-9) else 0


def slow(name: str, x: Sequence[float], y: Sequence[float], within: float = 0.0) -> float:
    n = len(x)
    pairs = list(itertools.combinations(range(n), 2))
    agree = {
        (i, j): relation(x, i, j, within) * relation(y, i, j, within) for i in range(n) for j in range(n) if i != j
    }
    if name in {"tau", "tau_a"}:
        return sum(agree[p] for p in pairs) / len(pairs)
    if name == "tau_b":
        untied = [sum(relation(side, i, j, within) != 0 for i, j in pairs) for side in (x, y)]
        return sum(agree[p] for p in pairs) / math.sqrt(untied[0] * untied[1]) if all(untied) else math.nan
    if name == "tau_real_ties":
        return 2 * sum(relation(x, i, j, 0) == relation(y, i, j, 0) for i, j in pairs) / len(pairs) - 1
    if name.startswith("tau_ap_b"):
        other = name.replace("_b", "_ties")
        return (slow(other, x, y, within) + slow(other, y, x, within)) / 2
    parts = []
    for i in range(n):
        rivals = [j for j in range(n) if relation(y, j, i, within) > 0]
        if not rivals:
            continue
        if name == "tau_ap_ties(sign=true)":
            parts.append(sum(agree[i, j] for j in rivals) / len(rivals))
        else:
            parts.append(2 * sum(agree[i, j] > 0 for j in rivals) / len(rivals) - 1)
    return sum(parts) / len(parts) if parts else math.nan


def traversals(y: Sequence[float]) -> list[tuple[int, ...]]:
    """All orders of the items from best to worst that respect the order of y."""
    return [
        order
        for order in itertools.permutations(range(len(y)))
        if all(y[a] >= y[b] for a, b in itertools.pairwise(order))
    ]


scores = st.lists(st.integers(0, 6).map(float), min_size=2, max_size=9)
two = scores.flatmap(
    lambda x: st.tuples(st.just(x), st.lists(st.integers(0, 6).map(float), min_size=len(x), max_size=len(x)))
)
few = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6)


def same(ours: float, theirs: float) -> bool:
    return (math.isnan(ours) and math.isnan(theirs)) or ours == close(theirs, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tau_b", "tau_ap_ties", "tau_ap_b", "tau_ap_ties(sign=true)", "tau_ap_b(sign=true)"])
@given(two, st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5]))
def test_agreement_is_its_slow_definition_with_any_threshold(
    name: str, data: tuple[list[float], list[float]], within: float
) -> None:
    x, y = data
    assert same(coefficients.parse(name)(paired(x, y, within=within)), slow(name, x, y, within))


@given(few)
def test_accuracy_is_the_mean_over_all_ways_to_break_ties(data: list[tuple[int, int]]) -> None:
    y = [float(b) for _, b in data]
    x = [float(a) for a in np.argsort([a for a, _ in data], kind="stable").argsort()]
    orders = traversals(y)
    untied = [{item: -place for place, item in enumerate(order)} for order in orders]
    ways = [[float(scores[i]) for i in range(len(y))] for scores in untied]
    assert correlation.tau_a(x, y) == close(sum(slow("tau", x, w) for w in ways) / len(ways), abs=1e-12)
    assert correlation.tau_ap_a(x, y) == close(sum(slow("tau_ap", x, w) for w in ways) / len(ways), abs=1e-12)


@given(few)
def test_real_ties(data: list[tuple[int, int]]) -> None:
    x, y = [float(a) for a, _ in data], [float(b) for _, b in data]
    assert correlation.tau_real_ties(x, y) == close(slow("tau_real_ties", x, y), abs=1e-12)
    figures = []
    for order in traversals(y):
        right = [
            sum(relation(x, j, i, 0) == relation(y, j, i, 0) for j in order[:place]) / place
            for place, i in enumerate(order)
            if place
        ]
        figures.append(2 * sum(right) / len(right) - 1)
    assert correlation.tau_ap_real_ties(x, y) == close(sum(figures) / len(figures), abs=1e-12)
    assert correlation.tau_real_ties(x, x) == 1
    assert correlation.tau_ap_real_ties(x, x) == close(1)


@given(two)
def test_against_scipy(data: tuple[list[float], list[float]]) -> None:
    x, y = data
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(correlation.tau_b(x, y))
        assert math.isnan(correlation.spearman(x, y))
        return
    assert correlation.tau_b(x, y) == close(float(scipy.stats.kendalltau(x, y).statistic), abs=1e-12)
    assert correlation.spearman(x, y) == close(float(scipy.stats.spearmanr(x, y).statistic), abs=1e-12)
    assert correlation.weighted_tau(x, y) == close(float(scipy.stats.weightedtau(x, y).statistic), abs=1e-12)
    assert correlation.weighted_tau(x, y, weigher="equal") == close(correlation.tau_b(x, y), abs=1e-12)


def test_large_rankings_are_the_slow_definition_too() -> None:
    rng = np.random.default_rng(5)
    x = rng.permutation(700).astype(float)
    y = np.round(x + rng.normal(0, 100, 700), -1)
    above = y[:, None] < y[None, :]
    pivots = above.any(axis=1)
    good = (above & (x[:, None] < x[None, :])).sum(axis=1)[pivots] / above.sum(axis=1)[pivots]
    assert correlation.tau_ap_ties(x, y) == close(2 * good.mean() - 1, abs=1e-12)
    broken = [correlation.tau_ap(x, y + rng.random(700) * 1e-3) for _ in range(300)]
    assert correlation.tau_ap_a(x, y) == close(np.mean(broken), abs=5 * float(np.std(broken)) / math.sqrt(300))
    assert correlation.weighted_tau(x, y) == close(float(scipy.stats.weightedtau(x, y).statistic), abs=1e-12)


@given(st.integers(1, 200), st.integers(0, 2**32 - 1))
def test_the_kernel_counts_and_so_does_its_twin(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.permutation(n)[: int(rng.integers(0, n + 1))].astype(np.int32)
    until = np.sort(rng.integers(0, len(places) + 1, 2 * n)).astype(np.int32)
    below = rng.integers(0, n + 1, 2 * n).astype(np.int32)
    expected = [int((places[:u] < b).sum()) for u, b in zip(until, below, strict=True)]
    assert dominated(places, until, below, n).tolist() == expected
    for module in filter(None, (kernel.native("ranks"), fallback)):
        out = np.empty(len(until), np.int32)
        module.dominated(places, until, below, out, n)
        assert out.tolist() == expected


# -- rank-biased overlap ----------------------------------------------------------------------------------------------

COLOURS = (
    ["red", {"blue", "green"}, "yellow", "pink"],
    [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"],
)


@pytest.mark.parametrize(("ties", "expected"), [("a", 0.6922853), ("w", 0.7068257), ("b", 0.7207131)])
def test_rbo_of_its_authors(ties: str, expected: float) -> None:
    for x, y in (COLOURS, COLOURS[::-1]):
        assert correlation.rbo(x, y, p=0.95, ties=ties) == close(expected, abs=5e-8)


def parsed(text: str) -> list[str | tuple[str, ...]]:
    found = re.findall(r"\(([^)]*)\)|(\S+)", text)
    return [tuple(group.split()) if group else single for group, single in found]


def test_rbo_of_its_authors_on_their_test_vectors(score_matrices: Path) -> None:
    checked = 0
    with (score_matrices / "sigir2024-rbo" / "rbo" / "test.csv").open() as file:
        for row in itertools.islice(csv.DictReader(file), 3000):
            for ties in "wab":
                ours = correlation.rbo(parsed(row["x"]), parsed(row["y"]), p=float(row["p"]), ties=ties)
                assert ours == close(float(row[f"{ties}.ext"]), abs=1e-12), (row["x"], row["y"], ties)
                checked += 1
    assert checked == 9000


def slow_rbo(x: Sequence[float], y: Sequence[float], p: float, ties: str) -> float:
    n = len(x)

    def part(scores: Sequence[float], item: int, depth: int) -> float:
        top = sum(s > scores[item] for s in scores)
        size = sum(s == scores[item] for s in scores)
        if ties == "w":
            return float(top < depth)
        return min(1.0, max(0.0, (depth - top) / size))

    total = 0.0
    agreement = 0.0
    for depth in range(1, n + 1):
        a, b = ([part(side, i, depth) for i in range(n)] for side in (x, y))
        shared = sum(i * j for i, j in zip(a, b, strict=True))
        norm = {"a": depth, "w": (sum(a) + sum(b)) / 2, "b": math.sqrt(sum(i * i for i in a) * sum(j * j for j in b))}
        agreement = shared / norm[ties]
        total += agreement * p**depth
    return (1 - p) / p * total + agreement * p**n


@given(two, st.sampled_from(["a", "b", "w"]), st.floats(0.05, 0.99))
def test_rbo_is_its_slow_definition(data: tuple[list[float], list[float]], ties: str, p: float) -> None:
    x, y = data
    assert correlation.rbo(x, y, p=p, ties=ties) == close(slow_rbo(x, y, p, ties), abs=1e-12)
    if ties in "bw":
        assert correlation.rbo(x, x, p=p, ties=ties) == close(1)


@pytest.mark.slow
@given(few.filter(lambda data: len(data) < 6))
def test_rbo_a_is_the_mean_over_all_ways_to_break_ties(data: list[tuple[int, int]]) -> None:
    x, y = [float(a) for a, _ in data], [float(b) for _, b in data]
    ways = [(one, other) for one in traversals(x) for other in traversals(y)]
    figures = [rbo_of_places(tuple(map(one.index, other))) for one, other in ways]
    assert correlation.rbo(x, y, p=0.8) == close(sum(figures) / len(figures), abs=1e-12)
    one, other = ways[len(ways) // 2]
    named = correlation.rbo([str(i) for i in one], [str(i) for i in other], p=0.8)
    assert figures[len(ways) // 2] == named, "whatever the items are called"


@functools.cache
def rbo_of_places(places: tuple[int, ...]) -> float:
    """RBO of a list and its items in another order: thousands of ways to break ties are a few orders."""
    return correlation.rbo([str(i) for i in range(len(places))], [str(i) for i in places], p=0.8)


def test_rbo_of_different_lists() -> None:
    assert correlation.rbo(["a", "b"], ["c", "d"]) == 0
    assert correlation.rbo({"a": 2, "b": 1}, {"a": 2, "b": 1, "c": 0}) == close(1)
    long = [str(i) for i in range(100)]
    assert correlation.rbo(long, [*long[:3], "x", *long[4:50]], p=0.5) > 0.9
    assert math.isnan(correlation.rbo([], []))


# -- ties by threshold ------------------------------------------------------------------------------------------------


def test_thresholds_are_not_transitive_and_every_resolution_says_what_it_makes_of_it() -> None:
    steps = [0.30, 0.27, 0.24, 0.21]  # neighbours are tied within 0.05, the ends are not
    assert group_ties(np.array(steps), 0.05, "leader").tolist() == [0.30, 0.30, 0.24, 0.24]
    assert group_ties(np.array(steps), 0.05, "chain").tolist() == [0.30] * 4
    other = [4.0, 3.0, 2.0, 1.0]
    assert correlation.tau_b(other, steps, within=(0.0, 0.05)) == close(3 / math.sqrt(6 * 3))
    assert correlation.tau_a(other, steps, within=(0.0, 0.05), resolve="leader") == close(4 / 6)
    assert correlation.tau_a(other, steps, within=(0.0, 0.05), resolve="chain") == 0
    with pytest.raises(DataError, match="needs ties that make groups"):
        correlation.tau_ap_a(other, steps, within=(0.0, 0.05))


def test_a_difference_of_the_threshold_is_a_difference() -> None:
    assert 0.30 - 0.25 < 0.05, "in doubles"
    assert correlation.tau_b([2, 1], [0.30, 0.25], within=0.05) == 1
    assert math.isnan(correlation.tau_b([2, 1], [0.30, 0.2501], within=(0, 0.05)))
    assert group_ties(np.array([0.30, 0.25]), 0.05, "chain").tolist() == [0.30, 0.25]
    assert group_ties(np.array([0.30, 0.25]), 0.05, "leader").tolist() == [0.30, 0.25]
    assert correlation.tau_b([2, 1], [math.inf, 1]) == 1
    with pytest.raises(DataError, match="infinite scores cannot be tied by a threshold"):
        correlation.tau_b([2, 1], [math.inf, 1], within=0.1)


def test_a_threshold_below_the_spacing_of_doubles() -> None:
    large = [1e9, 2e9, 3e9, 4e9]
    assert correlation.tau_b(large, large, within=1e-8) == 1
    assert correlation.tau_b([v * 1e8 for v in large], [1, 2, 3, 4], within=(1.0, 0.0)) == 1
    assert correlation.tau_ap_a(large, large, within=1e-8, resolve="leader") == close(1)


def test_rankings_of_other_libraries() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    assert correlation.tau_b(pandas.Series({"a": 1, "b": 2, "c": 3}), pandas.Series({"c": 3, "b": 2, "a": 1})) == 1
    assert correlation.tau_b(pandas.Series([1, 2, 3]), polars.Series([1.0, 3.0, 2.0])) == close(1 / 3)
    assert correlation.tau_b(np.array(["a", "b"]), polars.Series(["b", "a"])) == -1
    assert correlation.tau_b([1, 2], [1, 2], within=[np.float32(0.5), 0]) == 1
    with pytest.raises(DataError, match="masked"):
        correlation.tau_b(np.ma.array([1, 2, 3], mask=[False, True, False]), [1, 2, 3])
    with pytest.raises(DataError, match="above 2"):
        correlation.tau_b([2**60, 2**60 + 1], [1, 2])
    with pytest.raises(DataError, match="holds ids and 3"):
        correlation.tau_b(["a", 3], ["a", "b"])
    with pytest.raises(SpecError, match="tau_b has no parameter 'sign'"):
        correlation.tau_b([1, 2], [1, 2], sign=True)


# -- input ------------------------------------------------------------------------------------------------------------


def test_the_same_ranking_in_every_form() -> None:
    expected = correlation.tau_ap_b([3, 2, 2, 1], [1, 4, 3, 2])
    assert correlation.tau_ap_b([1, 2, 2, 4], [4, 1, 2, 3], ranks=True) == expected
    ids = ["a", ("b", "c"), "d"], ["b", "c", "d", "a"]
    assert correlation.tau_ap_b(*ids) == expected
    assert correlation.tau_ap_b({"a": 3, "b": 2, "c": 2, "d": 1}, {"d": 2, "c": 3, "b": 4, "a": 1}) == expected
    assert correlation.tau_ap_b(ids[0], {"d": 2, "c": 3, "b": 4, "a": 1}) == expected
    assert correlation.tau_ap_b(np.array([3, 2, 2, 1]), (1, 4, 3, 2)) == expected


@pytest.mark.parametrize("name", coefficients.names)
def test_undefined_and_refused(name: str) -> None:
    coefficient = getattr(correlation, name)
    if name != "rbo":
        assert math.isnan(coefficient([1], [1]))
        assert math.isnan(coefficient([], []))
    with pytest.raises(DataError, match="of one length are compared, not of 2 and 3"):
        coefficient([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="y has no value \\(NaN\\) at place 2"):
        coefficient([1, 2], [1, math.nan])
    with pytest.raises(DataError, match="not an array of 2 dimensions"):
        coefficient([[1, 2]], [[1, 2]])
    with pytest.raises(DataError, match="numbers, or of ids"):
        coefficient([1, "b"], [1, 2])
    for named in (["a", "b"], {"a": 1, "b": 2}):
        with pytest.raises(DataError, match="one ranking names its items and the other is numbers alone"):
            coefficient(named, [1, 2])
    with pytest.raises(ConflictError, match="y has a twice"):
        coefficient(["a", "b"], ["a", "a"])
    with pytest.raises(DataError, match="not one string"):
        coefficient("ab", "ba")
    if name != "rbo":
        with pytest.raises(DataError, match="not in the second ranking: b and 1 more items"):
            coefficient(["a", "b", "c"], ["a"])
    with pytest.raises(SpecError, match="within must be 0 or a positive number"):
        coefficient([1, 2], [1, 2], within=-1)
    with pytest.raises(SpecError, match="resolve must be one of"):
        coefficient([1, 2], [1, 2], resolve="magic")


@pytest.mark.parametrize(
    ("name", "x_ties", "y_ties"),
    [
        ("tau", "refused", "refused"),
        ("tau_ap", "refused", "refused"),
        ("tau_ap_symmetric", "refused", "refused"),
        ("tau_a", "refused", 0.0),
        ("tau_ap_a", "refused", 0.0),
        ("tau_b", math.nan, math.nan),
        ("tau_ap_ties", -1.0, math.nan),
        ("tau_ap_b", math.nan, math.nan),
        ("spearman", math.nan, math.nan),
        ("weighted_tau", math.nan, math.nan),
        ("tau_real_ties", -1.0, -1.0),
    ],
)
def test_all_tied(name: str, x_ties: float | str, y_ties: float | str) -> None:
    tied, untied = [1.0] * 4, [4.0, 3.0, 2.0, 1.0]
    for arguments, expected in (((tied, untied), x_ties), ((untied, tied), y_ties)):
        if isinstance(expected, str):
            with pytest.raises(DataError, match=f"{name} is not defined with ties"):
                getattr(correlation, name)(*arguments)
        else:
            assert same(getattr(correlation, name)(*arguments), expected)


def test_names() -> None:
    assert set(coefficients.names) <= set(dir(correlation))
    assert correlation.tau_ap_b.__name__ == "tau_ap_b"
    assert "equation 11" in (correlation.tau_ap_b.__doc__ or "")
    with pytest.raises(AttributeError, match="no attribute 'tau_z'"):
        correlation.tau_z  # noqa: B018
    with pytest.raises(SpecError, match="sign must be true or false"):
        coefficients.parse("tau_ap_b(sign=maybe)")
    with pytest.raises(SpecError, match="p must lie between 0 and 1, not 1"):
        coefficients.parse("rbo(1)")
