"""Measures that are quotients, from samples of a pool: what a topic has, and what every document does to it.

The numerator is a sum over relevant documents (recall, nDCG) or over pairs of them (average precision). Drawn documents
and pairs count 1 / the probability with which they were drawn (Horvitz, Thompson, JASA 1952), times 1 / the
denominator. Given that a document was drawn, the rest of its stratum is a smaller sample, and so a term has the
1 / denominator that belongs to the documents in it (unseen_relevance.py).

Denominators come from what people say alone. A machine's grades make the estimate more precise: what each document is
expected to change, by what people said of such grades in other topics, is summed over drawn documents and taken away,
and summed over all documents and added. The two differ by chance alone, so that no machine can bias anything (Särndal,
Swensson, Wretman 1992, chapter 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .sampled_cells import CellSample, MeasureParts
from .sampled_numerators import at_ranks
from .unseen_relevance import Denominator, Orders, open_strata

Floats = npt.NDArray[np.float64]


class Quotient(NamedTuple):
    """A topic in every sample."""

    value: Floats
    drawn: Floats
    """Samples × documents above grade 0: what the value had less without it."""
    hit: Floats
    miss: Floats
    """Samples × documents of the pool: what the value has more if it is drawn and relevant, or drawn and not."""
    bias: Floats
    """What the value may have too much or too little, as the model sees it: the root of the mean square."""
    heights: Floats
    slopes: Floats
    """Samples × cells: how the value changes with the parameters of the model."""


class Forecast(NamedTuple):
    """What documents are expected to change, whatever is drawn of this topic."""

    document: Floats
    pool: Floats


@dataclass(frozen=True, eq=False)
class QuotientTopic:
    """A topic with its numerator in terms, sorted by how many documents they have of each open stratum."""

    topic: CellSample
    shape: MeasureParts
    below: Denominator
    usual: float
    """The gain of a relevant document."""

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """The open stratum of each cell; beyond the last one for those that were judged whole."""
        opened = open_strata(self.topic)
        return np.array([opened.index(s) if s in opened else len(opened) for s in self.topic.strata.tolist()], np.int64)

    @cached_property
    def count(self) -> int:
        return len(self.below.strata)

    def _orders(self, *places: int) -> Orders:
        return tuple(sum(place == s for place in places) for s in range(self.count))

    @cached_property
    def gains(self) -> Floats:
        return self.topic.drawn * self.shape.gain(self.topic.grade)[None, :]

    @cached_property
    def _between(self) -> Floats:
        ranks = self.topic.rank
        between = at_ranks(np.maximum(ranks[:, None], ranks[None, :]), self.shape.factor)
        np.fill_diagonal(between, 0.0)
        return between

    @cached_property
    def _outside(self) -> Floats:
        ranks = np.maximum(self.topic.rank[:, None], self.topic.pool_rank[None, :])
        return at_ranks(ranks, self.shape.factor)

    @cached_property
    def _factors(self) -> tuple[Floats, Floats]:
        return tuple(at_ranks(ranks, self.shape.factor) for ranks in (self.topic.rank, self.topic.pool_rank))  # type: ignore[return-value]

    @cached_property
    def _terms(self) -> tuple[dict[Orders, Floats], dict[Orders, Floats]]:
        """By orders, samples × documents: what a unit of gain of a document has in terms, listed ones and the pool."""
        topic, (factors, pool_factors) = self.topic, self._factors
        listed: dict[Orders, Floats] = {}
        pool: dict[Orders, Floats] = {}
        own, pool_own = self.places[topic.cell], self.places[topic.pool_cell]

        def add(to: dict[Orders, Floats], orders: Orders, values: Floats, where: npt.NDArray[np.bool_]) -> None:
            to.setdefault(orders, np.zeros(values.shape))
            to[orders][:, where] += values[:, where]

        for s in range(self.count + 1):
            add(listed, self._orders(s), topic.weight[:, topic.cell] * factors, own == s)
            add(pool, self._orders(s), topic.weight[:, topic.pool_cell] * pool_factors, pool_own == s)
        for cell in range(len(topic.size)) if self.shape.pairs else ():
            members = topic.cell == cell
            if not members.any():
                continue
            weights = topic.pair_weight[:, cell, :]
            partners = (self.gains[:, members] @ self._between[members]) * weights[:, topic.cell]
            outside = (self.gains[:, members] @ self._outside[members]) * weights[:, topic.pool_cell]
            for s in range(self.count + 1):
                orders = self._orders(s, int(self.places[cell]))
                add(listed, orders, partners, own == s)
                add(pool, orders, outside, pool_own == s)
        return listed, pool

    @cached_property
    def numerator(self) -> dict[Orders, Floats]:
        """By orders: the terms added up; a pair is in the terms of both its documents."""
        totals: dict[Orders, Floats] = {}
        topic, own = self.topic, self.places[self.topic.cell]
        for orders, each in self._terms[0].items():
            totals[orders] = (self.gains * each).sum(axis=1)
        if self.shape.pairs:
            alone = self.gains * topic.weight[:, topic.cell] * self._factors[0]
            for s in range(self.count + 1):
                totals[self._orders(s)] = totals[self._orders(s)] + alone[:, own == s].sum(axis=1)
            totals = {orders: total / 2 for orders, total in totals.items()}
        return totals

    def _sum(self, shifts: Orders, cell: int = -1, level: int = -1) -> Floats:
        """The value with other counts of relevant documents, but the same terms."""
        return np.asarray(sum(n * self.below.mean(o, shifts, cell, level) for o, n in self.numerator.items()))

    def quotient(self) -> Quotient:
        """The topic as people judged it."""
        topic, none = self.topic, (0,) * self.count
        value = self._sum(none)
        drawn, hit = np.zeros_like(topic.drawn), np.zeros((len(value), len(topic.pool_cell)))
        for s in range(self.count):
            fewer, more = (tuple(one * (i == s) for i in range(self.count)) for one in (-1, 1))
            for cell, level, which in self._kinds(s):
                less = self._with(self._terms[0], fewer, cell, level)[:, which] * self.shape.gain(topic.grade[which])
                drawn[:, which] = (value - self._sum(fewer, cell, level))[:, None] + less
            within = self.places[topic.pool_cell] == s
            gained = self.usual * self._with(self._terms[1], more)[:, within]
            hit[:, within] = (self._sum(more) - value)[:, None] + gained
        bias, heights, slopes = self.below.leaning()
        total = np.asarray(sum(self.numerator.values()))
        return Quotient(
            value,
            topic.drawn * drawn,
            hit,
            np.zeros_like(hit),
            np.asarray(abs(total) * np.sqrt(bias)),
            total[:, None] * heights,
            total[:, None] * slopes,
        )

    def corrected(self, own: Quotient, predicted: Floats, rates: Floats) -> Quotient:
        """The topic as people judged it, with the help of a machine, whose cells this one has.

        ``predicted`` and ``rates`` have the gain, and the chance to be relevant, of documents by other topics.
        """
        if not (predicted.any() and self.count):
            return own
        topic, change = self.topic, self._forecast(predicted, rates)
        by_drawn = topic.drawn * topic.weight[:, topic.cell] * change.document
        miss = -topic.weight[:, topic.pool_cell] * change.pool
        return own._replace(
            value=own.value - by_drawn.sum(axis=1) + change.document.sum(axis=1),
            drawn=own.drawn - by_drawn,
            hit=own.hit + miss,
            miss=miss,
        )

    def _with(self, terms: dict[Orders, Floats], shifts: Orders, cell: int = -1, level: int = -1) -> Floats:
        return np.asarray(sum(v * self.below.mean(o, shifts, cell, level)[:, None] for o, v in terms.items()))

    def _kinds(self, s: int) -> list[tuple[int, int, npt.NDArray[np.int64]]]:
        """Cells and levels of a stratum with their documents; all in one where grades make no difference."""
        topic, levels = self.topic, self.below.levels
        place = np.searchsorted(levels, topic.grade, side="right") - 1
        inside = (self.places[topic.cell] == s) & (place >= 0)
        if len(levels) == 1:
            return [(-1, -1, np.flatnonzero(inside))]
        pairs = sorted({(int(c), int(p)) for c, p in zip(topic.cell[inside], place[inside], strict=True)})
        return [(c, p, np.flatnonzero(inside & (topic.cell == c) & (place == p))) for c, p in pairs]

    def _forecast(self, predicted: Floats, rates: Floats) -> Forecast:
        """The change by each document of an open stratum, around what other topics and whole strata let expect."""
        topic, (factors, pool_factors) = self.topic, self._factors
        inside = self.places < self.count
        unseen = (rates * topic.size * inside).sum(axis=1)
        usual, more = self.below.at(unseen), self.below.at(unseen + 1)
        gain = (predicted * inside)[:, topic.cell]
        known = self.gains * ~inside[topic.cell]
        listed, pool = (
            np.repeat(factors[None, :], len(gain), axis=0),
            np.repeat(pool_factors[None, :], len(gain), axis=0),
        )
        total = (known * factors).sum(axis=1) + (gain * factors).sum(axis=1)
        if self.shape.pairs:
            both = known + gain
            pairs = both @ self._between
            listed, pool = listed + pairs, pool + both @ self._outside
            total = total + (both * pairs).sum(axis=1) / 2
        chance, loss = gain / self.usual, (total * (more - usual))[:, None]
        pool_gain = (predicted * inside)[:, topic.pool_cell]
        return Forecast(
            gain * listed * more[:, None] + chance * loss, pool_gain * (pool * more[:, None] + loss / self.usual)
        )


def rates_of(topics: Sequence[CellSample], least: int, classes: int) -> list[Floats]:
    """Samples × cells: how likely a document of its class is relevant, from the drawn ones of all other topics."""
    hits, trials = np.zeros((2, len(topics[0].taken), len(topics), classes))
    for t, topic in enumerate(topics):
        hits[:, t, topic.classes], trials[:, t, topic.classes] = topic.counts(least), topic.taken
    others, drawn = (each.sum(axis=1, keepdims=True) - each for each in (hits, trials))
    mean = np.divide(others, drawn, out=np.zeros_like(others), where=drawn > 0)
    return [mean[:, t, topic.classes] for t, topic in enumerate(topics)]
