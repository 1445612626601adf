"""How errors come in bursts: some pages and some words are read much worse than others.

Independent errors would spoil more words than real ones do at the same character error rate. The multipliers of pages
are estimated from the error rates of the pages of the training texts; those of words are those of a log-normal
distribution whose width is found by simulation, so that as many words come through as did in training, together with
the factor that makes the character error rate the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..alignment import Alignment, align, distance, plain
from ..error_rates import intact_words
from .model import Bursts, Channel
from .sampler import Sampler, codes_of, sampler_of
from .sampling import degrade_text

Floats = npt.NDArray[np.float64]

PAGE = 2000
PAGES = 32
WORDS = 15
WIDEST = 4.0
ENOUGH = 200_000
"""Characters of training text that are simulated."""

NEAR = 0.005
"""The simulated character error rate comes this near, relative to the true one."""

MOST = 100.0
"""No gain is higher."""

GAINS = (0.05, 0.2, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)


def with_bursts(channel: Channel, aligned: list[Alignment], seed: int) -> Channel:
    """The channel with multipliers of pages and words and with the curve from multipliers to error rates."""
    pages = page_multipliers(channel, aligned)
    trial = Trial.of(aligned, seed)
    gain = 1.0

    def too_many_intact(width: float) -> float:
        """With the gain that keeps the error rate right: nearly proportional, so a few corrections are enough."""
        nonlocal gain
        for _ in range(5):
            rate, intact = trial.outcome(_with(channel, pages, width, gain))
            if abs(rate - trial.true_cer) < NEAR * trial.true_cer:
                break
            # A text of a few words may come through unharmed by chance, which is no reason for a gain without end.
            gain = min(gain * trial.true_cer / max(rate, 1e-9), MOST)
        return intact - trial.true_intact

    width = _crossing(too_many_intact, 0.0, WIDEST)
    too_many_intact(width)
    fitted = _with(channel, pages, width, gain)
    rates = [trial.cer(fitted, g) for g in GAINS]
    highest = np.maximum.accumulate([0.0, *rates])
    curve = tuple((g, float(rate)) for g, rate, below in zip(GAINS, rates, highest, strict=False) if rate > below)
    return replace(fitted, curve=curve, about={**channel.about, "intact": trial.true_intact, "width": width})


def _with(channel: Channel, pages: tuple[float, ...], width: float, gain: float) -> Channel:
    """Word multipliers: the middles of equally probable parts of a log-normal distribution with mean ``gain``."""
    from scipy.special import ndtri

    words = np.exp(width * ndtri((np.arange(WORDS) + 0.5) / WORDS))
    words *= gain / words.mean()
    bursts = Bursts(PAGE, pages, tuple(words.tolist()), (1 / WORDS,) * WORDS)
    changed = replace(channel, bursts=bursts)
    changed.__dict__.update(
        {name: channel.__dict__[name] for name in ("tables", "sampler") if name in channel.__dict__}
    )
    return changed


def page_multipliers(channel: Channel, aligned: list[Alignment], page: int = PAGE) -> tuple[float, ...]:
    """How much more or less is wrong on a page than its characters let expect, as equally probable values.

    The part of the spread that chance alone explains is taken out.
    """
    sampler = sampler_of(channel)
    seen: list[Floats] = []
    expected: list[Floats] = []
    for alignment in aligned:
        size = len(alignment.true)
        if size < page // 2:
            continue
        number = max(1, round(size / page))
        edges = np.linspace(0, size, number + 1).astype(int)
        edits = np.zeros(size + 1)
        for region in alignment.regions:
            edits[region.start] += region.edits
        sums = np.concatenate(([0.0], np.cumsum(edits)))
        hopes = np.concatenate(([0.0], np.cumsum(_expected_edits(sampler, alignment.true))))
        seen.append(np.diff(sums[edges]))
        expected.append(np.diff(hopes[edges]))
    if not seen:
        return (1.0,)
    observed, hoped = np.concatenate(seen), np.concatenate(expected)
    if len(observed) < 8 or not observed.sum():
        return (1.0,)
    hoped *= observed.sum() / hoped.sum()
    ratios = observed / np.maximum(hoped, 1e-9)
    spread = float(np.average((ratios - 1) ** 2, weights=hoped))
    chance = 2.0 * len(hoped) / float(hoped.sum())  # errors of two edits on average, coming by chance
    real = np.sqrt(max(0.0, 1 - chance / spread)) if spread > 0 else 0.0
    order = np.argsort(ratios)
    share = (np.cumsum(hoped[order]) - hoped[order] / 2) / hoped.sum()
    values = np.interp((np.arange(PAGES) + 0.5) / PAGES, share, 1 + real * (ratios[order] - 1))
    values = np.maximum(values, 0)
    return tuple((values / values.mean()).tolist())


def _expected_edits(sampler: Sampler, text: str) -> Floats:
    return sampler.expected_edits(codes_of(text))


@dataclass(frozen=True, eq=False)
class Trial:
    """A sample of the training texts, page behind page, and what became of them in truth."""

    text: str
    true_cer: float
    true_intact: float
    seed: int

    @classmethod
    def of(cls, aligned: list[Alignment], seed: int) -> Trial:
        """Pages spread over the training set, ``ENOUGH`` characters of them; the truth is that of the whole set.

        Error rates of pages differ so much that those of a sample would be off by more than the fit may be.
        """
        parts = [alignment.true[at : at + PAGE] for alignment in aligned for at in range(0, len(alignment.true), PAGE)]
        order = np.random.default_rng(seed).permutation(len(parts))
        sizes = np.cumsum([len(parts[number]) for number in order.tolist()])
        texts = [parts[number] for number in order[: int(np.searchsorted(sizes, ENOUGH)) + 1].tolist()]
        edits = sum(alignment.edits for alignment in aligned)
        intact = np.concatenate([intact_words(alignment).intact for alignment in aligned])
        true_intact = float(intact.mean()) if len(intact) else 0.0
        return cls("".join(texts), edits / sum(len(alignment.true) for alignment in aligned), true_intact, seed)

    def _draw(self, channel: Channel, gain: float) -> str:
        """All multipliers of pages equally often: no luck of the draw in the fit."""
        rng = np.random.default_rng(self.seed)
        pages = np.resize(np.array(channel.bursts.pages), len(self.text) // channel.bursts.page + 1)
        rng.shuffle(pages)
        return degrade_text(channel, sampler_of(channel), self.text, rng, gain, pages)

    def cer(self, channel: Channel, gain: float = 1.0) -> float:
        """The character error rate of the simulated text."""
        true, observed = plain(self.text), plain(self._draw(channel, gain))
        return distance(true, observed) / len(true)

    def outcome(self, channel: Channel) -> tuple[float, float]:
        """The character error rate and the share of intact words of the simulated text."""
        alignment = align(self.text, self._draw(channel, 1.0))
        return alignment.edits / len(alignment.true), float(intact_words(alignment).intact.mean())


def _crossing(excess: Callable[[float], float], low: float, high: float, *, steps: int = 7) -> float:
    """Where an increasing function, known with some noise, crosses 0; the nearer end when it does not."""
    below = excess(low)
    if below >= 0:
        return low
    above = excess(high)
    if above <= 0:
        return high
    middle = low
    for _ in range(steps):
        middle = low + (high - low) * min(max(-below / (above - below), 0.2), 0.8)
        value = excess(middle)
        if abs(value) < 0.002:
            break
        if value < 0:
            low, below = middle, value
        else:
            high, above = middle, value
    return middle
