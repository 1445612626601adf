"""Scanning: noise, threshold and reduction, against their definitions written slowly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from adjudge.core.errors import SpecError
from adjudge.noise.pages.glyphs import INK
from adjudge.noise.pages.scanning import Scan, ratio, reduce, shares


def exposed_slowly(scan: Scan, ink: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """The definition: grey plus Gaussian noise on every dot of the page, below the threshold."""
    grey = 255.0 * (1 - np.minimum(ink, INK) / INK)
    return np.asarray(grey + rng.normal(0, scan.noise, ink.shape) < scan.threshold)


def reduced_slowly(page: npt.NDArray[np.bool_], step: Fraction) -> npt.NDArray[np.bool_]:
    """The definition: the area of ink in each square, by overlaps of intervals, in exact arithmetic."""
    tall, wide = (int(n / step) for n in page.shape)
    small = np.zeros((tall, wide), dtype=np.bool_)
    for i in range(tall):
        for j in range(wide):
            area = Fraction(0)
            for y in range(int(i * step), min(page.shape[0], int((i + 1) * step) + 1)):
                high = min(Fraction(y + 1), (i + 1) * step) - max(Fraction(y), i * step)
                for x in range(int(j * step), min(page.shape[1], int((j + 1) * step) + 1)):
                    across = min(Fraction(x + 1), (j + 1) * step) - max(Fraction(x), j * step)
                    if page[y, x] and high > 0 and across > 0:
                        area += high * across
            small[i, j] = area * 2 >= step**2
    return small


@pytest.mark.parametrize("scan", [Scan(), Scan(noise=40, threshold=120), Scan(noise=5, threshold=250)], ids=str)
def test_noise_is_distributed_as_its_definition_says(scan: Scan) -> None:
    # Every level of ink 200,000 times, and paper to the right of it, which is exposed in another way.
    levels = np.repeat(np.arange(0, 70, 3, dtype=np.uint8), 400)
    ink = np.concatenate([np.tile(levels, (500, 1)), np.zeros((500, 4000), np.uint8)], axis=1)
    ours = scan.expose(ink, np.random.default_rng(1))
    theirs = exposed_slowly(scan, ink, np.random.default_rng(2))
    for level in [*range(0, 70, 3), -1]:
        here = np.zeros(ink.shape[1], dtype=bool)
        here[len(levels) :] = level == -1
        here[: len(levels)] = levels == level
        n, a, b = 500 * here.sum(), ours[:, here].sum(), theirs[:, here].sum()
        p = (a + b) / (2 * n)
        assert abs(int(a) - int(b)) <= 5 * np.sqrt(2 * n * p * (1 - p)) + 3, level


def test_noise_is_independent_from_dot_to_dot() -> None:
    half = np.full((400, 1001), round(INK * 75 / 255), dtype=np.uint8)
    bits = Scan().expose(half, np.random.default_rng(3)).astype(float) - 0.5
    bits -= bits.mean()
    for one, other in ((bits[:, 1:], bits[:, :-1]), (bits[1:], bits[:-1]), (bits[:, 8:], bits[:, :-8])):
        assert abs((one * other).mean() / bits.var()) < 5 / np.sqrt(one.size)


def test_without_noise_the_threshold_alone_decides() -> None:
    ink = np.arange(80, dtype=np.uint8)[None, :].repeat(100, axis=0)
    page = Scan(noise=0, threshold=128).expose(ink, np.random.default_rng(0))
    assert np.array_equal(page, exposed_slowly(Scan(noise=0, threshold=128), ink, np.random.default_rng(0)))


def test_the_same_seed_gives_the_same_page() -> None:
    ink = np.random.default_rng(5).integers(0, 64, (300, 200)).astype(np.uint8)
    one, same, other = (Scan().expose(ink, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    angles = [Scan(skew=0.4).angle(np.random.default_rng(seed)) for seed in range(300)]
    assert -0.4 <= min(angles) < -0.35
    assert 0.35 < max(angles) <= 0.4


@settings(max_examples=60, deadline=None)
@given(
    nps.arrays(np.bool_, st.tuples(st.integers(1, 24), st.integers(1, 24))),
    st.sampled_from([1.25, 1.45, 1.5, 2.0, 2.2, 3.0, 1.3333, 2.71828, 4.15, 7.5]),
)
def test_reduction_is_by_exact_area(page: npt.NDArray[np.bool_], factor: float) -> None:
    assert np.array_equal(reduce(page, factor), reduced_slowly(page, ratio(factor)))


def test_a_page_of_several_strips_is_reduced_as_one() -> None:
    page = np.random.default_rng(0).random((300, 45)) < 0.5
    assert np.array_equal(reduce(page, 2.2), reduced_slowly(page, Fraction(11, 5)))
    assert reduce(page, 1.0) is page
    assert reduce(page[::2], 2).shape == (75, 22)


@given(st.floats(1, 16))
def test_factors_as_fractions(factor: float) -> None:
    step = ratio(factor)
    assert 1 <= step.numerator <= 255
    assert abs(float(step) / factor - 1) < 0.005
    at, share = shares(500, step)
    assert (share.sum(axis=0) == step.numerator).all()
    assert at.max(initial=0) < 500


def test_usual_factors_are_exact() -> None:
    assert ratio(1.45) == Fraction(29, 20)
    assert ratio(2.2) == Fraction(11, 5)
    assert ratio(2) == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("skew", 4),
        ("skew", -1),
        ("blur", -1),
        ("noise", float("nan")),
        ("threshold", 0),
        ("factor", 0.5),
        ("factor", 99),
    ],
)
def test_scans_outside_their_domain(field: str, value: float) -> None:
    with pytest.raises(SpecError, match=f"scan: {field} must lie between"):
        Scan(**{field: value})


@given(
    ink=nps.arrays(
        np.uint8, st.tuples(st.integers(1, 120), st.integers(1, 70)), elements=st.sampled_from([0, 0, 9, 40, 70])
    ),
    noise=st.sampled_from([0.0, 18.0, 120.0]),
    factor=st.sampled_from([1.0, 1.668, 2.236, 3.7, 9.0]),
)
@settings(deadline=None, max_examples=60)
def test_compiled_loops_make_the_same_page_dot_by_dot(ink: npt.NDArray[np.uint8], noise: float, factor: float) -> None:
    def page() -> npt.NDArray[np.bool_]:
        return Scan(noise=noise).expose(ink, np.random.default_rng(7))

    with pytest.MonkeyPatch.context() as patch:
        quick = page()
        small = reduce(quick, factor)
        patch.setattr("adjudge.noise.pages.scanning.native", lambda job: None)
        assert np.array_equal(quick, page())
        assert np.array_equal(small, reduce(quick, factor))


def test_a_page_whose_rows_are_not_side_by_side_is_exposed_as_its_copy() -> None:
    wide = np.random.default_rng(5).integers(0, 64, (200, 300)).astype(np.uint8)
    part = wide[10:150, 20:250]
    one, other = (Scan().expose(ink, np.random.default_rng(3)) for ink in (part, part.copy()))
    assert np.array_equal(one, other)
