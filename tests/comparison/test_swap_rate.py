"""Swap rates against their definition, counted pair by pair in fractions."""

from __future__ import annotations

import math
import tarfile
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.comparison.reliability import swap_rate as module
from adjudge.comparison.reliability.swap_rate import Fit, SwapRate, fit_curve, sizes_for, swap_rate
from adjudge.core.errors import DataError, SpecError
from adjudge.core.judged import Floats, Ints
from adjudge.core.scores import Column, Scores
from adjudge.formats.scores import read_scores
from recorder import Recorder

ARCHIVE = Path(__file__).resolve().parents[3] / "shared" / "data" / "score-matrices.tar.xz"


def scores_of(matrix: list[list[float]] | Floats, better: str = "high") -> Scores:
    values = np.array(matrix, float)[:, :, None]
    systems = tuple("ABCDEFGH"[: len(values)])
    return Scores(values, systems, tuple(map(str, range(values.shape[1]))), (Column("ap", "ap", better=better),))


def counted_slowly(
    hundredths: list[list[int]], sizes: tuple[int, ...], trials: int, width: Fraction, bins: int, seed: int
) -> tuple[list[list[int]], list[list[int]]]:
    rng = np.random.default_rng(seed)
    comparisons = [[0] * bins for _ in sizes]
    swaps = [[0] * bins for _ in sizes]
    for row, n in enumerate(sizes):
        for _ in range(trials):
            dealt = rng.permuted(np.arange(len(hundredths[0]))[None, :], axis=1)[0].tolist()
            for a, b in combinations(hundredths, 2):
                one, other = (
                    Fraction(sum(a[t] - b[t] for t in chosen), 100 * n) for chosen in (dealt[:n], dealt[n : 2 * n])
                )
                place = min(math.floor(abs(one) / width), bins - 1)
                comparisons[row][place] += 1
                swaps[row][place] += one * other < 0
    return comparisons, swaps


matrices = st.tuples(st.integers(2, 4), st.integers(4, 9)).flatmap(
    lambda shape: st.lists(
        st.lists(st.one_of(st.integers(0, 8), st.integers(0, 100)), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@settings(max_examples=60)
@given(matrices, st.sampled_from([(1, 100), (1, 20), (1, 30), (3, 100)]), st.integers(2, 25), st.integers(0, 2**32 - 1))
def test_against_the_definition(matrix: list[list[int]], width: tuple[int, int], bins: int, seed: int) -> None:
    scores = scores_of(np.array(matrix) / 100)
    result = swap_rate(scores, "ap", trials=7, width=width[0] / width[1], bins=bins, rng=np.random.default_rng(seed))
    slow = counted_slowly(matrix, result.sizes, 7, Fraction(*width), bins, seed)
    assert (result.comparisons.tolist(), result.swaps.tolist()) == slow


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = scores_of(np.random.default_rng(1).random((5, 12)))
    whole = swap_rate(scores, "ap", trials=50, rng=np.random.default_rng(2))
    for cells in (1, 70, 10**6):
        monkeypatch.setattr(module, "CELLS", cells)
        cut = swap_rate(scores, "ap", trials=50, rng=np.random.default_rng(2))
        assert np.array_equal(cut.comparisons, whole.comparisons)
        assert np.array_equal(cut.swaps, whole.swaps)


def test_a_rate_known_beforehand() -> None:
    """A is ahead on two topics of four, B on the others: of the three topics left, two say the opposite."""
    result = swap_rate(
        scores_of([[0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5]]),
        "ap",
        sizes=[1],
        trials=20_000,
        rng=np.random.default_rng(0),
    )
    assert result.comparisons.tolist() == [[0] * 20 + [20_000]]
    assert result.overall[0] == pytest.approx(2 / 3, abs=0.01)
    assert np.isnan(result.rates[0, :20]).all(), "where nothing was compared there is no rate"


def test_a_constant_difference_never_swaps() -> None:
    base = np.linspace(0.1, 0.6, 10)
    result = swap_rate(scores_of(np.array([base, base + 0.05])), "ap", trials=200, rng=np.random.default_rng(0))
    assert result.sizes == (1, 5)
    assert result.swaps.sum() == 0
    assert result.comparisons[:, 5].tolist() == [200, 200], "0.05 begins a bin, whatever the rounding"
    assert [t.difference for t in result.thresholds()] == pytest.approx([0.05, 0.05, math.nan], nan_ok=True)
    assert result.conclusion() == (
        "With 5 topics a difference of 0.05 in ap swaps in 0.0% of cases, and no larger one in more than 5%; "
        "the rates cannot be extrapolated to all 10 topics."
    )


def test_level_systems_do_not_swap() -> None:
    """The same values in another order, added up: rounding is no difference."""
    values = [0.1, 0.2, 0.3, 0.7, 0.6, 0.1]
    level = swap_rate(scores_of([values, values]), "ap", trials=50, rng=np.random.default_rng(0))
    assert level.swaps.sum() == 0
    assert (level.comparisons[:, 0] == 50).all()
    low = swap_rate(scores_of([values, values[::-1]], "low"), "ap", trials=50, rng=np.random.default_rng(0))
    high = swap_rate(scores_of([values, values[::-1]]), "ap", trials=50, rng=np.random.default_rng(0))
    assert np.array_equal(low.swaps, high.swaps), "which way is better does not matter"


def test_sizes() -> None:
    assert sizes_for(50) == (1, 5, 10, 15, 20, 25)
    assert sizes_for(43) == (1, 5, 10, 15, 20, 21)
    assert sizes_for(4) == (1, 2)
    assert sizes_for(50, [20, 3, 20]) == (3, 20)
    heard = Recorder()
    swap_rate(scores_of(np.eye(4)), "ap", trials=2, rng=np.random.default_rng(0), progress=heard)
    assert heard.facts("draw_topics", "topics") == [1, 2]


def table(comparisons: list[list[int]], swaps: list[list[int]], sizes: tuple[int, ...], topics: int = 40) -> SwapRate:
    return SwapRate("ap", ("A", "B"), topics, sizes, 1, 0.01, np.array(comparisons), np.array(swaps))


def test_the_smallest_safe_difference() -> None:
    rows = [[1000] * 5, [1000] * 5, [1000, 1000, 99, 1000, 1000]]
    swaps = [[400, 300, 200, 100, 60], [400, 40, 60, 50, 10], [300, 51, 99, 50, 0]]
    result = table(rows, swaps, (1, 5, 10))
    assert [t.difference for t in result.thresholds()[:3]] == pytest.approx([math.nan, 0.03, 0.03], nan_ok=True)
    assert [t.rate for t in result.thresholds()[:3]] == pytest.approx([math.nan, 0.05, 0.05], nan_ok=True)
    assert result.thresholds(0.0599)[0].difference != result.thresholds(0.06)[0].difference == 0.04
    assert result.thresholds(enough=10)[2].difference == 0.03, "a bin above it is worse, the one below does not matter"
    assert result.thresholds(0.3)[2].difference == 0.0
    assert result.merge_bins([0, 1, 4])[0].tolist() == [[1000, 3000, 1000], [1000, 3000, 1000], [1000, 2099, 1000]]
    with pytest.raises(SpecError, match=r"rate must lie in \[0, 1\), not 5"):
        result.thresholds(5)


def test_extrapolation() -> None:
    n = np.array([1, 5, 10, 15, 20])
    exact = [0.5 * np.exp(-0.002 * n), 0.45 * np.exp(-0.06 * n), 0.4 * np.exp(-0.3 * n), 0 * n]
    swaps = np.rint(np.array(exact).T * 10**9).astype(np.int64)
    result = table(np.full(swaps.shape, 10**9).tolist(), swaps.tolist(), tuple(n.tolist()))
    for fit, a, b in zip(result.fits, (0.5, 0.45, 0.4), (0.002, 0.06, 0.3), strict=False):
        assert (fit.a, fit.b) == pytest.approx((a, b), rel=1e-4)
        assert fit.residual < 1e-8
    assert math.isnan(result.fits[3].a), "no swap at all: nothing falls"
    assert result.extrapolate() == pytest.approx(
        [0.5 * math.exp(-0.08), 0.45 * math.exp(-2.4), 0.4 * math.exp(-12), math.nan], nan_ok=True, rel=1e-3
    )
    whole = result.thresholds(0.05)[-1]
    assert (whole.topics, whole.difference, whole.extrapolated) == (40, 0.01, True)
    assert result.conclusion(0.05).endswith("; extrapolated to all 40 topics: 0.01 swaps in 4.1%.")


def test_no_extrapolation() -> None:
    many = np.full(4, 1000)
    assert math.isnan(fit_curve((1, 5, 10, 15), many, np.array([100, 150, 200, 250])).b), "it does not fall"
    assert math.isnan(fit_curve((1, 5, 10, 15), many, np.array([100, 100, 100, 100])).b)
    assert math.isnan(fit_curve((1, 5), many[:2], np.array([300, 100])).b), "through two points goes any curve"
    assert math.isnan(fit_curve((1, 5, 10, 15), np.array([9, 9, 0, 0]), np.array([5, 4, 0, 0])).b)
    once = table([[1000, 1000]] * 3, [[300, 200], [40, 0], [30, 0]], (1, 5, 10))
    assert math.isnan(once.fits[1].b), "seen to swap at one size: it falls, but nobody knows how fast"
    assert once.thresholds(0.05)[-1].difference == 0.0, "and does not stand in the way"
    assert math.isfinite(fit_curve((500, 501, 502), np.full(3, 10**9), np.array([10**8, 1, 0])).a)
    few = table([[10, 10]] * 3, [[5, 4], [4, 3], [3, 1]], (1, 5, 10))
    assert few.conclusion().startswith("With 10 topics no bin has 100 comparisons, too few to say which difference is")
    rising = table([[1000, 1000]] * 3, [[300, 200], [250, 210], [200, 220]], (1, 5, 10))
    assert math.isnan(rising.thresholds(0.1)[-1].difference), "swaps that no curve bounds are not called safe"
    assert rising.conclusion(0.1) == (
        "With 10 topics no difference in ap is safe: the largest that occur often enough swap in more than 10% of "
        "cases; no difference is safe either, extrapolated to all 40 topics."
    )


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(1, 10**6), st.floats(0, 1)), min_size=3, max_size=8), st.integers(0, 2**32 - 1))
def test_no_curve_is_nearer(counts: list[tuple[int, float]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = np.sort(rng.choice(np.arange(1, 60), len(counts), replace=False))
    comparisons = np.array([count for count, _ in counts])
    swaps: Ints = np.array([int(count * share) for count, share in counts])
    fit = fit_curve(sizes.tolist(), comparisons, swaps)
    rates = swaps / comparisons

    def missed(a: float, b: float) -> float:
        return math.sqrt(np.average((a * np.exp(-b * sizes) - rates) ** 2, weights=comparisons))

    if np.count_nonzero(swaps) < 2:
        assert math.isnan(fit.b)
        return
    if math.isnan(fit.b):
        flat = np.average(rates, weights=comparisons)
        assert all(missed(flat * f, b) >= missed(flat, 0) - 1e-9 for f in (1, 1.01) for b in (1e-4, 1e-3))
        return
    assert fit.residual == pytest.approx(missed(fit.a, fit.b), abs=1e-9)
    for _ in range(200):
        a, b = fit.a * rng.uniform(0.8, 1.25), fit.b * rng.uniform(0.5, 2)
        assert missed(a, b) >= fit.residual - 1e-9
        a, b = rng.uniform(0, 1), 10 ** rng.uniform(-5, 1)
        assert missed(a, b) >= fit.residual - 1e-9


def test_against_scipy() -> None:
    from scipy.optimize import curve_fit

    sizes = np.array([1, 5, 10, 15, 20, 25])
    comparisons = np.array([900, 700, 500, 300, 200, 100])
    swaps = np.array([400, 260, 140, 60, 30, 16])
    theirs, _ = curve_fit(
        lambda n, a, b: a * np.exp(-b * n), sizes, swaps / comparisons, (0.5, 0.1), 1 / np.sqrt(comparisons)
    )
    ours = fit_curve(sizes.tolist(), comparisons, swaps)
    assert (ours.a, ours.b) == pytest.approx(tuple(theirs), rel=1e-5)
    assert ours(30) == Fit(ours.a, ours.b, 0.0)(30) == pytest.approx(theirs[0] * math.exp(-30 * theirs[1]), rel=1e-4)


def test_bad_input() -> None:
    rng = np.random.default_rng(0)
    four = np.eye(4)
    with pytest.raises(DataError, match="1 system, A: a comparison needs at least two systems"):
        swap_rate(scores_of(four[:1]), "ap", rng=rng)
    with pytest.raises(DataError, match="at least 4 topics are needed, not 3"):
        swap_rate(scores_of(four[:, :3]), "ap", rng=rng)
    with pytest.raises(DataError, match="A has no ap on topic 0: systems can be compared on the same topics only"):
        swap_rate(scores_of(np.where(four == 1, np.nan, four)), "ap", rng=rng)
    with pytest.raises(DataError, match="ap of A on topic 0 is inf: values up to"):
        swap_rate(scores_of(np.where(four == 1, np.inf, four)), "ap", rng=rng)
    with pytest.raises(SpecError, match="two disjoint sets of 3 topics cannot be had from 4: sizes are 1 to 2"):
        swap_rate(scores_of(four), "ap", sizes=[3], rng=rng)
    with pytest.raises(SpecError, match="no size of topic sets was given"):
        swap_rate(scores_of(four), "ap", sizes=[], rng=rng)
    with pytest.raises(SpecError, match="trials must be at least 1, not 0"):
        swap_rate(scores_of(four), "ap", trials=0, rng=rng)
    with pytest.raises(SpecError, match="bins must be at least 2, not 1"):
        swap_rate(scores_of(four), "ap", bins=1, rng=rng)
    for width in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(SpecError, match="the width of a bin must be above 0"):
            swap_rate(scores_of(four), "ap", width=width, rng=rng)


@pytest.mark.skipif(not ARCHIVE.exists(), reason="score-matrices.tar.xz is not beside this checkout")
def test_a_track_of_trec(tmp_path: Path) -> None:
    """129 systems on 50 topics: with half of them a difference of 0.07 in ap is safe, with five hardly any."""
    with tarfile.open(ARCHIVE) as tar:
        tar.extract("urbano_matrices/sigir2016-correlation/data/adhoc8.csv", tmp_path, filter="data")
    scores = read_scores(next(tmp_path.rglob("adhoc8.csv")), measure="ap")
    result = swap_rate(scores, "ap", trials=300, rng=np.random.default_rng(0))
    assert result.comparisons.sum(axis=1).tolist() == [300 * 129 * 64] * 6
    assert result.overall == pytest.approx([0.34, 0.22, 0.167, 0.142, 0.125, 0.113], abs=0.01)
    assert (np.diff(result.rates[:, 2:], axis=0) <= 0.002).all(), "more topics, fewer swaps"
    assert (np.diff(result.rates[1:], axis=1) <= 0.002).all(), "larger differences, fewer swaps"
    assert [t.difference for t in result.thresholds()][3:] == pytest.approx([0.10, 0.08, 0.07, 0.04], abs=0.0101)
