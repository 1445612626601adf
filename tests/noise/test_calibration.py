"""Calibration: the search on known curves, the sample of pages, and real pages where an engine is installed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.noise.calibration import CLOSE, LADDER, NARROW, Calibrated, Measurement, calibrate, sample_pages, search
from adjudge.noise.engines.ocrad import Ocrad
from adjudge.noise.pages.typesetting import PageLayout
from adjudge.noise.scanner import Scanner
from degraders import Blind
from recorder import Recorder

SENTENCE = "The committee may amend the modern rules of the corn program when a majority of its members agrees. "
CORPUS = InMemory(Document(f"d{n}", f"{n}. " + SENTENCE * (2 + n % 9)) for n in range(12))


def tried(curve: Callable[[float], float], target: float) -> list[float]:
    return list(search(curve, target))


@given(st.floats(1.05, 12), st.floats(0.5, 8), st.floats(0.01, 0.6))
def test_bisection_finds_the_factor_of_any_growing_curve(middle: float, steepness: float, target: float) -> None:
    def curve(factor: float) -> float:
        return float(1 / (1 + (middle / factor) ** steepness))

    factors = tried(curve, target)
    assert len(factors) == len(set(factors))
    assert len(factors) <= len(LADDER) + 9
    if curve(1.0) >= target:
        assert factors == [1.0]
    elif curve(LADDER[-1]) < target:
        assert factors == list(LADDER)
    else:
        truth = middle / (1 / target - 1) ** (1 / steepness)
        best = min(factors, key=lambda factor: abs(curve(factor) - target))
        assert abs(curve(best) - target) <= CLOSE * target or abs(best - truth) < 0.0011 + truth * (NARROW - 1)


@given(st.dictionaries(st.floats(1, 16).map(lambda f: round(f, 1)), st.floats(0, 1)), st.floats(0.01, 0.99))
def test_a_curve_that_goes_up_and_down_ends_too(noise: dict[float, float], target: float) -> None:
    def curve(factor: float) -> float:
        return noise.get(round(factor, 1), (factor - 1) / 15)

    factors = tried(curve, target)
    assert len(factors) <= len(LADDER) + 12
    assert all(1 <= factor <= 16 for factor in factors)


def test_a_sample_gives_every_page_the_same_chance() -> None:
    layout = PageLayout(lines=2, measure=20)
    corpus = InMemory(Document(f"d{n}", "\n".join(f"{n} line {k}".ljust(20, ".") for k in range(n))) for n in range(9))
    pages = [(f"d{n}", k) for n in range(9) for k in range(math.ceil(n / 2))]
    drawn = Counter[tuple[str, int]]()
    for seed in range(600):
        chosen = sample_pages(corpus, layout, 3, np.random.default_rng(seed))
        assert len(chosen) == len({page.document for page in chosen}) == 3
        drawn.update((page.document, page.number) for page in chosen)
    assert set(drawn) == set(pages)
    shares = np.array([drawn[page] for page in pages]) / 1800
    assert shares.max() < 3 * shares.min()


def test_a_small_corpus_gives_several_pages_of_a_document() -> None:
    layout, rng = PageLayout(lines=2, measure=20), np.random.default_rng(0)
    corpus = InMemory([Document("a", "x\n" * 9 + "y"), Document("b", " \n "), Document("c", "one line")])
    assert [(page.document, page.number) for page in sample_pages(corpus, layout, 50, rng)] == [
        *(("a", n) for n in range(5)),
        ("c", 0),
    ]
    assert len(sample_pages(corpus, layout, 3, rng)) == 3
    with pytest.raises(DataError, match="no document has a text"):
        sample_pages(InMemory([Document("b", " \n ")]), layout, 3, rng)
    with pytest.raises(SpecError, match="1 page or more"):
        sample_pages(corpus, layout, 0, rng)


def test_the_interval_is_the_bootstrap_of_a_ratio_of_sums() -> None:
    measured = Measurement(1.0, (1, 5, 9), (100, 100, 200))
    assert measured.cer == 15 / 400
    low, high = measured.interval(np.random.default_rng(3))
    samples = np.random.default_rng(3).integers(0, 3, (2000, 3)).tolist()
    rates = [sum((1, 5, 9)[d] for d in drawn) / sum((100, 100, 200)[d] for d in drawn) for drawn in samples]
    assert [low, high] == pytest.approx(np.quantile(rates, [0.025, 0.975]))
    assert math.isnan(Measurement(1.0, (1,), (100,)).interval(np.random.default_rng(0))[0])


def calibrated(scanner: Scanner, targets: list[float], **options: int) -> list[Calibrated]:
    return calibrate(CORPUS, scanner, targets, rng=np.random.default_rng(1), **{"pages": 4, **options})  # type: ignore[arg-type]


@pytest.mark.slow
def test_targets_that_cannot_be_reached_are_told() -> None:
    scanner = Scanner(engine=Blind(), layout=PageLayout(dpi=100))
    (high,) = calibrated(scanner, [0.05])
    assert (high.factor, high.evaluations) == (1.0, 1)
    assert high.cer > 0.9
    assert high.unreached.startswith("already ")
    right = InMemory([Document("a", "word"), Document("b", "word")])
    (low,) = calibrate(right, scanner, [0.5], rng=np.random.default_rng(1))
    assert low.unreached == "at most 0.00% wrong up to factor 16"
    assert low.curve == tuple((factor, 0.0) for factor in LADDER)


def test_pages_that_fail_do_not_count_and_are_told() -> None:
    with pytest.raises(DataError, match=r"no page could be read at factor 1: d.*page 1: too small to see"):
        calibrated(Scanner(engine=Blind(10**6)), [0.05])


def test_bad_targets() -> None:
    for wrong in (0.0, 1.0, -0.5, math.nan):
        with pytest.raises(SpecError, match="lies between 0 and 1"):
            calibrated(Scanner(engine=Blind()), [wrong])
    with pytest.raises(SpecError, match="no target"):
        calibrated(Scanner(engine=Blind()), [])


@pytest.mark.ocr
@pytest.mark.skipif(not Ocrad().available(), reason="ocrad is not installed")
def test_real_pages() -> None:
    heard = Recorder()
    found = calibrate(
        CORPUS,
        Scanner(),
        [0.2],
        pages=4,
        rng=np.random.default_rng(1),
        progress=heard,
    )
    (one,) = found
    assert one.unreached == ""
    assert abs(one.cer - 0.2) < 0.04
    assert one.low < one.cer < one.high
    assert one.pages == 4
    steps = list(zip(heard.facts("calibrate", "factor"), heard.facts("calibrate", "rate"), strict=True))
    assert one.evaluations == len(steps) == len(one.curve)
    assert set(steps) == set(one.curve)
    assert one.curve[0][1] < 0.05
    assert calibrated(Scanner(), [0.2], workers=1) == found
