"""Two rankings of the same items, ready to be compared.

A ranking may be given as scores (higher is better), as ranks (1 is best), as {id: score}, or as ids from the best to
the worst, tied ones together in a tuple or set. What becomes of it is a :class:`Side`: an order, and for each item how
many are clearly above and clearly below it. Ties are all that is neither; so ties by threshold need no second way of
counting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core import fallback
from ..core.columns import read_only
from ..core.errors import ConflictError, DataError, SpecError
from ..core.judged import Floats
from ..core.kernel import native

Places = npt.NDArray[np.int32]

loops: Any = native("ranks") or fallback

RESOLUTIONS = ("pairs", "leader", "chain")
ROUNDING = 1e-9
"""So much below the threshold, relatively, a difference still reaches it: 0.30 − 0.25 is not quite 0.05 in doubles."""


@dataclass(frozen=True, eq=False)
class Side:
    """One ranking of n items. Items are numbered as they were given."""

    scores: Floats
    """Higher is better."""
    order: Places
    """Items from the best to the worst."""
    above: Places
    """How many items are clearly above each item: the first so many of the order."""
    below: Places
    """How many are clearly below: the last so many of the order."""
    transitive: bool = True
    """Return whether ties make groups: a tied with b and b with c means a tied with c."""

    @classmethod
    def of(cls, scores: Floats, within: float = 0.0) -> Side:
        falling = -scores
        order = np.argsort(falling)  # not stable, which is faster: nothing depends on the order of ties
        falling = falling[order]
        margin = within * (1.0 - ROUNDING)
        above, below = np.empty(len(scores), np.int32), np.empty(len(scores), np.int32)
        new = np.ones(len(scores), bool)
        new[1:] = falling[1:] != falling[:-1]
        group = np.cumsum(new) - 1
        starts = np.flatnonzero(new)
        ends = np.append(starts[1:], len(scores))
        first, last = starts[group], ends[group]
        if within:  # a threshold below the spacing of doubles must not put an item above itself
            first = np.minimum(first, np.searchsorted(falling, falling - margin, "right"))
            last = np.maximum(last, np.searchsorted(falling, falling + margin, "left"))
        above[order] = first
        below[order] = len(scores) - last
        return cls(scores, order.astype(np.int32), above, below, transitive=not within)

    def __len__(self) -> int:
        return len(self.order)

    @cached_property
    def place(self) -> Places:
        """Place of each item in the order, from 0."""
        places = np.empty(len(self), np.int32)
        places[self.order] = np.arange(len(self), dtype=np.int32)
        return places

    @cached_property
    def size(self) -> Places:
        """Size of the group of ties of each item, itself included."""
        return (len(self) - self.above - self.below).astype(np.int32)

    @cached_property
    def decided(self) -> int:
        """Pairs of items that are not tied."""
        return int(self.above.sum(dtype=np.int64))

    @property
    def has_ties(self) -> bool:
        return self.decided < len(self) * (len(self) - 1) // 2


@dataclass(frozen=True, eq=False)
class RankingPair:
    """Two rankings of the same items: x the truth or the other observer, y the one that is traversed."""

    x: Side
    y: Side
    shared: tuple[Places, Places] | None = None
    """If they do not rank the same items: the numbers in x and in y of the items that both rank."""

    def __len__(self) -> int:
        return len(self.x)

    def swap_sides(self) -> RankingPair:
        return RankingPair(self.y, self.x)

    @cached_property
    def agreeing(self) -> Places:
        """For each item, how many of those clearly above it in y are clearly above it in x."""
        return _count(self, self.x.above)

    @cached_property
    def opposed(self) -> Places:
        """For each item, how many of those clearly above it in y are clearly below it in x."""
        return (self.y.above - _count(self, len(self) - self.x.below)).astype(np.int32)

    @cached_property
    def concordant(self) -> int:
        return int(self.agreeing.sum(dtype=np.int64))

    @cached_property
    def discordant(self) -> int:
        return int(self.opposed.sum(dtype=np.int64))


def _count(pair: RankingPair, below: npt.NDArray[Any]) -> Places:
    order = pair.y.order
    counts = dominated(pair.x.place[order], pair.y.above[order], below[order], len(pair))
    out = np.empty(len(pair), np.int32)
    out[order] = counts
    return out


def dominated(places: npt.NDArray[Any], until: npt.NDArray[Any], below: npt.NDArray[Any], room: int) -> Places:
    """Count the first ``until`` places that are smaller than ``below``, for each question; ``until`` must not fall."""
    asked = [np.ascontiguousarray(column, np.int32) for column in (places, until, below)]
    out = np.empty(len(until), np.int32)
    loops.dominated(*asked, out, room)
    return out


# -- from what people have -------------------------------------------------------------------------------------------


def paired(
    x: Any,
    y: Any,
    *,
    ranks: bool = False,
    within: float | Sequence[float] = 0.0,
    resolve: str = "pairs",
    different: bool = False,
) -> RankingPair:
    """Two rankings of the same items, from scores (or ``ranks``, 1 is best), {id: score} or ids from best to worst.

    ``within``: items that differ by less are tied, one number or one for each ranking. Such ties need not be
    transitive. ``resolve`` says what is made of them: ``pairs`` asks only whether two items are tied, whatever a third
    one says; ``leader`` goes down from the best item and opens a group when an item is not tied with the first of the
    group; ``chain`` puts everything in one group that is joined by a chain of ties. ``different`` allows rankings by id
    that do not hold the same items.
    """
    margins = tuple(within) if isinstance(within, Sequence) else (within, within)
    if len(margins) != 2 or not all(isinstance(m, Real) and math.isfinite(m) and m >= 0 for m in margins):
        raise SpecError(f"within must be 0 or a positive number, or one for each ranking, not {within}")
    if resolve not in RESOLUTIONS:
        raise SpecError(f"resolve must be one of {', '.join(RESOLUTIONS)}, not {resolve!r}")
    first, second, shared = _scores(x, y, ranks=ranks, different=different)
    if max(margins) and not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise DataError("infinite scores cannot be tied by a threshold")
    return RankingPair(_side(first, float(margins[0]), resolve), _side(second, float(margins[1]), resolve), shared)


def _side(scores: Floats, within: float, resolve: str) -> Side:
    if not within or resolve == "pairs":
        return Side.of(scores, within)
    return Side.of(group_ties(scores, within, resolve))


def group_ties(scores: Floats, within: float, resolve: str) -> Floats:
    """Scores in which everything that the threshold ties is equal, by leader or by chain."""
    if not len(scores):
        return scores
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    margin = within * (1.0 - ROUNDING)
    if resolve == "chain":
        new = np.concatenate([[True], falling[:-1] - falling[1:] >= margin])
    else:
        new = np.zeros(len(scores), bool)
        start = 0
        while start < len(scores):
            new[start] = True
            start = max(start + 1, int(np.searchsorted(-falling, margin - falling[start], "left")))
    levels = np.empty(len(scores))
    levels[order] = falling[np.flatnonzero(new)][np.cumsum(new) - 1]
    return levels


Shared = tuple[Places, Places] | None


def _scores(x: Any, y: Any, *, ranks: bool, different: bool) -> tuple[Floats, Floats, Shared]:
    x, y = _plain(x), _plain(y)
    named = [isinstance(side, Mapping) or _of_ids(side) for side in (x, y)]
    if all(named):
        return _by_id(_by_name(x, "x", ranks=ranks), _by_name(y, "y", ranks=ranks), different=different)
    if any(named):
        raise DataError("one ranking names its items and the other is numbers alone")
    first, second = _vector(x, "x", ranks=ranks), _vector(y, "y", ranks=ranks)
    if len(first) != len(second):
        raise DataError(f"two rankings of one length are compared, not of {len(first)} and {len(second)}")
    return first, second, None


def _by_name(ranking: Any, name: str, *, ranks: bool) -> dict[Any, float]:
    if not isinstance(ranking, Mapping):
        return positions(ranking, name)
    return dict(zip(ranking, _vector(list(ranking.values()), name, ranks=ranks).tolist(), strict=True))


def _by_id(x: dict[Any, float], y: dict[Any, float], *, different: bool) -> tuple[Floats, Floats, Shared]:
    if not different:
        for these, other, where in ((x, y, "second"), (y, x, "first")):
            lacking = [item for item in these if item not in other]
            if lacking:
                more = f" and {len(lacking) - 1} more items" if len(lacking) > 1 else ""
                why = f"not in the {where} ranking: {lacking[0]}{more}"
                raise DataError(f"two rankings of the same items are compared; {why}")
        return np.array(list(x.values()), float), np.array([y[item] for item in x], float), None
    if x.keys() == y.keys():
        return np.array(list(x.values()), float), np.array([y[item] for item in x], float), None
    number = {item: i for i, item in enumerate(y)}
    both = [(i, number[item]) for i, item in enumerate(x) if item in number]
    shared = np.array(both, np.int32).reshape(-1, 2)
    return np.array(list(x.values()), float), np.array(list(y.values()), float), (shared[:, 0], shared[:, 1])


def _plain(ranking: Any) -> Any:
    """What people's libraries have as what we know: a series with an index is {id: score}, an array of words a list."""
    index = getattr(ranking, "index", None)
    if hasattr(ranking, "to_dict") and index is not None and type(index).__name__ != "RangeIndex":
        return ranking.to_dict()
    if isinstance(ranking, np.ma.MaskedArray) and np.ma.is_masked(ranking):
        raise DataError("a ranking with masked values: leave them out")
    if hasattr(ranking, "dtype") and hasattr(ranking, "__len__") and not isinstance(ranking, Sequence):
        listed = ranking.to_list() if hasattr(ranking, "to_list") else np.asarray(ranking).tolist()
        return listed if listed and isinstance(listed[0], str) else ranking
    return ranking


def _of_ids(ranking: Any) -> bool:
    if isinstance(ranking, str):
        raise DataError("a ranking of ids is a list of them, not one string")
    return isinstance(ranking, Sequence) and len(ranking) > 0 and isinstance(ranking[0], str | tuple | set | frozenset)


def positions(ranking: Sequence[Any], name: str = "the ranking") -> dict[Any, float]:
    """{id: score} of ids from best to worst; tied ids stand together in a tuple or set."""
    scores: dict[Any, float] = {}
    for entry in ranking:
        if not isinstance(entry, str | tuple | list | set | frozenset):
            raise DataError(f"{name} holds ids and {entry!r}, which is none")
        tied = [entry] if isinstance(entry, str) else list(entry)
        score = -float(len(scores))
        for item in tied:
            if not isinstance(item, str):
                raise DataError(f"{name} holds ids and {item!r}, which is none")
            if item in scores:
                raise ConflictError(f"{name} has {item} twice")
            scores[item] = score
    return scores


def _vector(values: Any, name: str, *, ranks: bool) -> Floats:
    try:
        vector = np.asarray(values, np.float64)
    except OverflowError:
        raise DataError(f"{name} has a whole number that is too large to be compared") from None
    except (TypeError, ValueError):
        raise DataError(f"{name} must be a list of numbers, or of ids from best to worst") from None
    if vector.dtype.kind == "f" and np.abs(vector).max(initial=0.0) > 2**53 and np.asarray(values).dtype.kind in "iuO":
        raise DataError(f"{name} has whole numbers above 2^53, which cannot all be distinguished")
    if vector.ndim != 1:
        raise DataError(f"{name} must be one list of numbers, not an array of {vector.ndim} dimensions")
    if np.isnan(vector).any():
        raise DataError(f"{name} has no value (NaN) at place {int(np.flatnonzero(np.isnan(vector))[0]) + 1}")
    return read_only(-vector if ranks else vector + 0.0)
