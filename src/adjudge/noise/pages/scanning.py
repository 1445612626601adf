"""Scanning: a page of ink becomes a picture of one bit a dot, which may be reduced to fewer dots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import SpecError
from ...core.kernel import native
from ...core.spec import is_number
from .glyphs import INK, Bytes, below

Bits = npt.NDArray[np.bool_]

Counts = npt.NDArray[Any]

STRIP = 96
"""Rows that are worked on at a time."""

UNITS = 255
"""A factor is taken as a fraction whose numerator is at most this, so that sums of weights fit in a byte."""


@dataclass(frozen=True)
class Scan:
    """What the scanner does to a page.

    ``skew`` in degrees: each page is turned by an angle drawn uniformly up to this to either side. ``blur``: sigma of
    a Gaussian in dots. ``noise``: standard deviation of what is added to each dot's grey, black being 0 and white 255.
    ``threshold``: what is darker becomes ink. ``factor``: the scanned page is then reduced so many times, by area.
    """

    skew: float = 0.3
    blur: float = 1.0
    noise: float = 18.0
    threshold: float = 180.0
    factor: float = 1.0

    def __post_init__(self) -> None:
        for field, least, most in (
            ("skew", 0, 3),
            ("blur", 0, 10),
            ("noise", 0, 255),
            ("threshold", 1, 255),
            ("factor", 1, 16),
        ):
            value = getattr(self, field)
            if not (is_number(value) and least <= value <= most):
                raise SpecError(f"scan: {field} must lie between {least} and {most}, not {value}")

    def angle(self, rng: np.random.Generator) -> float:
        """The angle of one page in degrees."""
        return float(rng.uniform(-1.0, 1.0)) * self.skew

    def expose(self, ink: Bytes, rng: np.random.Generator) -> Bits:
        """The page in one bit a dot, True for ink, after noise and threshold.

        A dot of grey g becomes ink with the probability that g plus Gaussian noise stays below the threshold, dots
        independently of each other. A random byte decides for nearly every dot; where the byte equals the first eight
        bits of the probability, 53 more bits do.
        """
        first, rest = darkening(self.noise, self.threshold)
        white = float(first[0] + rest[0]) / 256
        page = np.empty(ink.shape, dtype=np.bool_)
        expose = _exposed if native("pages") is None or not ink.size else _exposed_by_loops
        for top in range(0, len(ink), STRIP):
            strip, bits = ink[top : top + STRIP], page[top : top + STRIP]
            # Most of a page is paper. Where a strip has no ink from some column on, the few dots that turn black there
            # are drawn by their number, which is binomial, and their places.
            end = expose(strip, bits, first, rest, rng)
            blank = strip.shape[0] * (strip.shape[1] - end)
            if blank and (count := rng.binomial(blank, white)):
                rows, columns = np.divmod(rng.choice(blank, count, replace=False, shuffle=False), strip.shape[1] - end)
                bits[rows, end + columns] = True
        return page


def _exposed(strip: Bytes, bits: Bits, first: bytes, rest: npt.NDArray[np.float64], rng: np.random.Generator) -> int:
    """Every dot up to the last column with ink decided by a random byte, and by more where that is not enough.

    The dots beyond it become paper; the number of that column and those before it.
    """
    inked = np.flatnonzero(np.maximum.reduce(strip, axis=0))
    end = int(inked[-1]) + 1 if len(inked) else 0
    flat = np.ascontiguousarray(strip[:, :end]).reshape(-1)
    shares = np.frombuffer(flat.tobytes().translate(first), dtype=np.uint8)
    drawn = _random_bytes(flat.size, rng)
    dense = drawn < shares
    undecided = np.flatnonzero(drawn == shares)
    dense[undecided] = rng.random(len(undecided)) < rest[flat[undecided]]
    bits[:, :end] = dense.reshape(len(strip), end)
    bits[:, end:] = False
    return end


def _exposed_by_loops(
    strip: Bytes, bits: Bits, first: bytes, rest: npt.NDArray[np.float64], rng: np.random.Generator
) -> int:
    """The same by the compiled loops."""
    loops, strip = native("pages"), np.ascontiguousarray(strip)
    end: int = loops.inked_end(strip, strip.shape[1])
    drawn = _random_bytes(len(strip) * end, rng)
    places = np.empty(drawn.size, np.int64)
    count = loops.darken(strip, strip.shape[1], end, first, drawn, bits.view(np.uint8), places)
    undecided = places[:count]
    bits.reshape(-1)[undecided] = rng.random(count) < rest[strip.reshape(-1)[undecided]]
    return end


def _random_bytes(many: int, rng: np.random.Generator) -> Bytes:
    return rng.bit_generator.random_raw(-(-many // 8)).view(np.uint8)[:many]


@lru_cache(maxsize=16)
def darkening(noise: float, threshold: float) -> tuple[bytes, npt.NDArray[np.float64]]:
    """The probability that a dot with so much ink becomes black: its first eight bits, and what is left of it."""
    grey = 255.0 * (1.0 - np.minimum(np.arange(256), INK) / INK)
    chance = below((threshold - grey) / noise) * 256.0 if noise > 0 else np.where(grey < threshold, 256.0, 0.0)
    whole = np.minimum(np.floor(chance), 255.0)
    return whole.astype(np.uint8).tobytes(), chance - whole


def ratio(factor: float) -> Fraction:
    """The fraction that stands for a factor: exact where its numerator is at most 255, else the nearest such."""
    exact = Fraction(str(factor))
    if exact.numerator <= UNITS:
        return exact
    return exact.limit_denominator(math.floor(UNITS / factor))


def reduce(page: Bits, factor: float) -> Bits:
    """The page with so many times fewer dots each way; a dot is ink where ink covers at least half of its area.

    Parts of dots beyond the last whole one at the right and lower edges are left out.
    """
    step = ratio(factor)
    if step == 1:
        return page
    a, b = step.numerator, step.denominator
    dots = np.ascontiguousarray(page).view(np.uint8)
    small = np.empty((len(page) * b // a, page.shape[1] * b // a), dtype=np.bool_)
    if not small.size:
        return small
    loops = native("pages")
    if loops is not None:
        loops.reduce(dots, page.shape[1], a, b, small.view(np.uint8))
        return small
    down, tall = shares(page.shape[0], step)
    across, wide = shares(page.shape[1], step)
    half = -(-(a**2) // 2)
    # A strip at a time stays in the processor's cache, which makes this two to three times as fast.
    for top in range(0, len(small), STRIP):
        rows = slice(top, top + STRIP)
        summed = _weighted_sums(dots, down[:, rows], tall[:, rows].astype(np.uint8))
        summed = _weighted_sums(np.ascontiguousarray(summed.T), across, wide.astype(np.uint16))
        small[rows] = (summed >= half).T
    return small


def shares(dots: int, step: Fraction) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """For each dot of the small page (a column): which dots of the large one it covers, and how much of each.

    Shares are in units of one over the step's denominator and add up to its numerator.
    """
    a, b = step.numerator, step.denominator
    starts = np.arange(dots * b // a) * a
    at = starts // b + np.arange(-(-a // b) + 1)[:, None]
    share = np.maximum(np.minimum((at + 1) * b, starts + a) - np.maximum(at * b, starts), 0)
    used = share.any(axis=1)
    return np.minimum(at[used], dots - 1), share[used]


def _weighted_sums(dots: Counts, at: npt.NDArray[np.intp], share: Counts) -> Counts:
    """Sums of rows, weighted."""
    total: Counts = dots[at[0]] * share[0][:, None]
    for rows, weights in zip(at[1:], share[1:], strict=True):
        total += dots[rows] * weights[:, None]
    return total
