"""The measures written as slowly as their definitions read: one topic, one ranking, plain Python.

A ranking is a list of grades in rank order: None outside the pool, -1 in the pool but not judged. ``pool`` holds the
grades of all judged documents of the topic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

Ranking = list[int | None]


@dataclass(frozen=True)
class Case:
    ranking: Ranking
    pool: list[int]
    level: int = 1
    version: int = 10
    size: int = 0
    top_of_all: int = 0

    @property
    def relevant(self) -> list[bool]:
        return [g is not None and g >= max(self.level, 0) for g in self.ranking]

    @property
    def R(self) -> int:
        return sum(g >= self.level for g in self.pool)

    @property
    def N(self) -> int:
        return sum(g < self.level for g in self.pool)


def near(found: float, expected: float, rel: float, least: float) -> bool:
    """As ``found == pytest.approx(expected, rel=rel, abs=least, nan_ok=True)``, which takes longer than to measure."""
    if found == expected:
        return True
    if math.isinf(expected):
        return False
    return abs(found - expected) <= max(rel * abs(expected), least) or (math.isnan(found) and math.isnan(expected))


def condensed(c: Case) -> Case:
    """Without the unjudged documents."""
    return replace(c, ranking=[g for g in c.ranking if g is not None and g >= 0])


def cut(c: Case, k: int) -> Case:
    return replace(c, ranking=c.ranking[:k])


def precision(c: Case, k: int) -> float:
    return sum(c.relevant[:k]) / k


def ap(c: Case, k: int = 10**9) -> float:
    ranks = [r for r, rel in enumerate(c.relevant, 1) if rel and r <= k]
    return sum(precision(c, r) for r in ranks) / c.R if c.R else 0.0


def yaap(c: Case) -> float:
    s = sum(precision(c, r) for r, rel in enumerate(c.relevant, 1) if rel)
    return math.log((1 + s) / (1 + c.R - s))


def first(c: Case) -> int | None:
    return next((r for r, rel in enumerate(c.relevant, 1) if rel), None)


def rr(c: Case, k: int = 10**9) -> float:
    r = first(c)
    return 1 / r if r is not None and r <= k else 0.0


def rank(c: Case, miss: int = 1000) -> float:
    r = first(c)
    return max(miss, len(c.ranking)) if r is None else r


def recall(c: Case, k: int = 10**9) -> float:
    return sum(c.relevant[:k]) / c.R if c.R else 0.0


def success(c: Case, k: int) -> float:
    return float(any(c.relevant[:k]))


def relative_p(c: Case, k: int) -> float:
    return sum(c.relevant[:k]) / min(k, c.R) if c.R else 0.0


def rprec(c: Case, multiple: float = 1.0) -> float:
    cutoff = math.floor(multiple * c.R + 0.9)
    return sum(c.relevant[:cutoff]) / cutoff if c.R and cutoff else 0.0


def bpref(c: Case) -> float:
    total, worse = 0.0, 0
    for grade, rel in zip(c.ranking, c.relevant, strict=True):
        if rel:
            total += 1 - (min(worse, c.R) / min(c.N, c.R) if worse else 0)
        elif grade is not None and grade >= 0:
            worse += 1
    return total / c.R if c.R else 0.0


def infap(c: Case, eps: float = 1e-5) -> float:
    total = 0.0
    for i, rel in enumerate(c.relevant):
        if rel:
            above = c.ranking[:i]
            pooled = sum(g is not None for g in above)
            rels = sum(c.relevant[:i])
            seen = sum(g is not None and g >= 0 for g in above)
            total += 1.0 if i == 0 else 1 / (i + 1) + i / (i + 1) * pooled / i * (rels + eps) / (seen + 2 * eps)
    return total / c.R if c.R else 0.0


def iprec(c: Case, k: float, rounding: str = "judged") -> float:
    exact = k * c.R
    up = rounding == "up" or (rounding == "judged" and c.version == 9)
    need = math.floor(exact + 0.9) if up else math.floor(exact) + (exact - math.floor(exact) >= 0.5)
    if need > sum(c.relevant):
        return 0.0
    at = [(sum(c.relevant[:r]), precision(c, r)) for r in range(1, len(c.ranking) + 1) if c.relevant[r - 1]]
    return max((p for found, p in at if found >= need), default=0.0)


def eleven_point(c: Case, recalls: tuple[float, ...] = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)) -> float:
    return sum(iprec(c, r) for r in recalls) / len(recalls)


def set_p(c: Case) -> float:
    return sum(c.relevant) / len(c.ranking) if c.ranking else 0.0


def set_f(c: Case, x: float = 1.0, k: int | None = None) -> float:
    p, r = set_p(c) if k is None else precision(c, k), recall(c, k or 10**9)
    return (x + 1) * p * r / (r + x * p) if p and r else 0.0


def set_map(c: Case) -> float:
    return set_p(c) * recall(c)


def set_relative_p(c: Case) -> float:
    best = min(len(c.ranking), c.R)
    return sum(c.relevant) / best if best else 0.0


def utility(c: Case, prices: tuple[float, float, float, float] = (1, -1, 0, 0)) -> float:
    hit, ret = sum(c.relevant), len(c.ranking)
    counts = (hit, ret - hit, c.R - hit, c.size + hit - ret - c.R)
    return sum(p * n for p, n in zip(prices, counts, strict=True))


def judged(c: Case, k: int = 10**9) -> float:
    seen = [g is not None and g >= 0 for g in c.ranking[:k]]
    return sum(seen) / len(seen) if seen else 0.0


def unj(c: Case, k: int) -> float:
    return sum(g is None or g < 0 for g in c.ranking[:k]) / k


def keep(c: Case, rel: int) -> Case:
    """Grades below rel gain nothing, and count as judged all the same."""
    raised = [g if g is None or g < 0 or g >= rel else 0 for g in c.ranking]
    return replace(c, ranking=raised, pool=[g if g >= rel else 0 for g in c.pool], level=rel)


def gain(grade: int | None, gains: str | dict[int, float] = "grade") -> float:
    if grade is None or grade < 0:
        return 0.0
    if isinstance(gains, dict):
        return gains.get(grade, float(grade))
    return 2.0**grade - 1 if gains == "exp" else float(grade)


def best(c: Case, gains: str | dict[int, float] = "grade") -> list[float]:
    return sorted((g for g in (gain(grade, gains) for grade in c.pool) if g > 0), reverse=True)


def dcg_of(values: list[float]) -> float:
    return sum(v / math.log2(r + 1) for r, v in enumerate(values, 1))


def dcg(c: Case, k: int = 10**9, gains: str | dict[int, float] = "grade") -> float:
    return dcg_of([gain(g, gains) for g in c.ranking[:k]])


def ideal_dcg(c: Case, k: int = 10**9, gains: str | dict[int, float] = "grade") -> float:
    return dcg_of(best(c, gains)[:k])


def ndcg(c: Case, k: int = 10**9, gains: str | dict[int, float] = "grade") -> float:
    ideal = ideal_dcg(c, k, gains)
    return dcg(c, k, gains) / ideal if ideal else 0.0


def ndcg_rel(c: Case) -> float:
    ideal = best(c)
    at = [ndcg(c, r) for r, g in enumerate(c.ranking, 1) if gain(g) > 0]
    at += [ndcg(c)] * (len(ideal) - len(at))
    return sum(at) / len(at) if at else 0.0


def rndcg(c: Case) -> float:
    ideal = best(c)
    ends = [i for i in range(1, len(ideal) + 1) if i == len(ideal) or ideal[i] != ideal[i - 1]]
    at = [ndcg(c, end) for end in ends]
    if ideal and len(c.ranking) > len(ideal) + 1:
        at.append(ndcg(c))
    return sum(at) / len(at) if at and c.R else 0.0


def bing(c: Case) -> float:
    total = 0.0
    for i, rel in enumerate(c.relevant):
        if rel:
            total += 1 / math.log2(2 + i - sum(c.relevant[:i]))
    return total / c.R if c.R else 0.0


def g(c: Case) -> float:
    ideal = best(c)
    total = 0.0
    for r in range(1, len(c.ranking) + 1):
        cost = sum(max(v, 1.0) for v in ideal[:r]) + max(0, r - len(ideal))
        own = sum(gain(x) for x in c.ranking[:r])
        total += gain(c.ranking[r - 1]) / math.log2(2 + cost - own) if gain(c.ranking[r - 1]) else 0.0
    return total / sum(ideal) if ideal else 0.0


def rbp(c: Case, p: float = 0.9, top: int | None = None, k: int = 10**9) -> float:
    scale = top or max([1, *c.pool])
    total = 0.0
    for i, grade in enumerate(c.ranking[:k]):
        share = float(c.relevant[i]) if top == 0 else min(1.0, max(grade or 0, 0) / scale)
        total += share * p**i
    return (1 - p) * total


def unscaled_rbp(c: Case, p: float = 0.9) -> float:
    return (1 - p) * sum((g or 0) * p**i for i, g in enumerate(c.ranking) if c.relevant[i])


def rbp_residual(c: Case, p: float = 0.9, tail: str = "always") -> float:
    unknown = [i for i, grade in enumerate(c.ranking) if grade is None or grade < 0]
    if not unknown and tail == "unjudged":
        return 0.0
    return (1 - p) * sum(p**i for i in unknown) + p ** len(c.ranking)


def err(c: Case, k: int = 10**9, top: int | None = None) -> float:
    scale = top or max(1, c.top_of_all)
    total, reach = 0.0, 1.0
    for r, grade in enumerate(c.ranking[:k], 1):
        stop = (2 ** min(max(grade or 0, 0), scale) - 1) / 2**scale
        total += reach * stop / r
        reach *= 1 - stop
    return total


def ideal_ranking(c: Case, rel: int = 1) -> Ranking:
    return [*sorted((grade for grade in c.pool if grade >= rel), reverse=True)]


def nerr(c: Case, k: int = 10**9, top: int | None = None) -> float:
    best = err(replace(c, ranking=ideal_ranking(c)), k, top)
    return err(c, k, top) / best if best else 0.0


def expected_rank(c: Case, k: int = 10**9, top: int | None = None, miss: int = 1000) -> float:
    scale = top or max(1, c.top_of_all)
    total, reach = 0.0, 1.0
    for r, grade in enumerate(c.ranking[:k], 1):
        stop = (2 ** min(max(grade or 0, 0), scale) - 1) / 2**scale
        total += reach * stop * r
        reach *= 1 - stop
    return total + reach * max(miss, len(c.ranking))


def accuracy(c: Case, k: int = 10**9, missing: float = 0.0) -> float:
    shown = c.relevant[:k]
    pairs = [(a, b) for i, a in enumerate(shown) for b in shown[i + 1 :] if a != b]
    if not any(shown):
        return missing
    return sum(a for a, _ in pairs) / len(pairs) if pairs else 1.0


def compat(c: Case, p: float = 0.95, normalize: bool = True) -> float:
    """Documents are numbers: those of the ranking by their rank, others from 10,000 on."""
    graded = {i: g for i, g in enumerate(c.ranking) if g is not None and g > 0}
    left = list(c.pool)
    for grade in c.ranking:
        if grade is not None and grade >= 0:
            left.remove(grade)
    graded |= {10_000 + i: g for i, g in enumerate(left) if g > 0}
    ideal = sorted(graded, key=lambda d: (-graded[d], d))

    def rbo(ranking: list[int], depth: int) -> float:
        overlaps = [len(set(ranking[:d]) & set(ideal[:d])) / d for d in range(1, depth + 1)]
        weights = [p**i for i in range(depth)]
        return sum(w * o for w, o in zip(weights, overlaps, strict=True)) / sum(weights)

    depth = max(len(c.ranking), len(ideal))
    if not ideal or not depth:
        return 0.0
    score = rbo(list(range(len(c.ranking))), depth)
    return score / rbo(ideal, depth) if normalize else score


Chance = Callable[[int, list[float], list[float]], float]
"""C of a rank, from the gains and costs of the whole ranking."""


def cwl(
    c: Case,
    go_on: Chance,
    figure: str = "eu",
    *,
    gains: Callable[[int], float] | None = None,
    costs: Callable[[int], float] | None = None,
    unjudged: tuple[float, float] = (0.0, 1.0),
    depth: int = 1000,
    weights: Callable[[list[float]], list[float]] | None = None,
) -> float:
    """One figure of the C/W/L framework; gains are grades as shares of the highest of all unless told otherwise."""
    top = max(1, c.top_of_all)
    known = (c.ranking + [None] * depth)[:depth]
    of = gains or (lambda grade: grade / top)
    gain = [unjudged[0] if g is None or g < 0 else of(g) for g in known]
    cost = [unjudged[1] if g is None or g < 0 or costs is None else costs(g) for g in known]
    if weights is None:
        chances = [go_on(r, gain, cost) for r in range(1, depth + 1)]
        reached = [1.0]
        for chance in chances[:-1]:
            reached.append(reached[-1] * chance)
        w = [x / sum(reached) for x in reached]
    else:
        raw = weights(cost)
        w = [x / sum(raw) for x in raw]
        chances = [w[i + 1] / w[i] if i + 1 < depth and w[i] else 0.0 for i in range(depth)]
        reached = [1.0]
        for chance in chances[:-1]:
            reached.append(reached[-1] * chance)
    last = [x * (1 - chance) for x, chance in zip(reached, chances, strict=True)]
    if figure == "ed":
        return 1 / w[0]
    what = gain if figure in {"eu", "etu"} else cost
    if figure in {"eu", "ec"}:
        return sum(a * b for a, b in zip(w, what, strict=True))
    return sum(a * sum(what[: i + 1]) for i, a in enumerate(last) if a)


def residual(c: Case, go_on: Chance, figure: str = "eu", depth: int = 1000) -> float:
    return cwl(c, go_on, figure, unjudged=(1.0, 1.0), depth=depth) - cwl(c, go_on, figure, depth=depth)


def by_gain(chance: Callable[[int, float], float]) -> Chance:
    """C from the rank and what was gained as far as there."""
    return lambda r, gain, cost: chance(r, sum(gain[:r]))


def ap_chance(r: int, gain: list[float], cost: list[float]) -> float:
    here, ahead = (sum(g / i for i, g in enumerate(gain, 1) if i >= first) for first in (r, r + 1))
    return ahead / here if ahead else 0.0


def bpm_chance(target: float, budget: float, hb: float = 0.0, hc: float = 0.0) -> Chance:
    def chance(r: int, gain: list[float], cost: list[float]) -> float:
        for i in range(1, r + 1):
            moved = sum(g - 0.5 for g in gain[: i - 1])
            if sum(gain[:i]) >= target + hb * moved or sum(cost[:i]) >= budget + hc * moved:
                return 0.0
        return 1.0

    return chance


def read_before(cost: list[float]) -> list[float]:
    return [sum(cost[:i]) for i in range(len(cost))]


DEPTH = 12
"""How far the slow user models look: all ranks that random rankings have, and some behind."""

USER_MODELS: dict[str, Callable[[Case], float]] = {
    "cwl_p@3": lambda c: cwl(c, lambda r, g, k: float(r < 3), depth=DEPTH),
    "cwl_p@3(figure=etu)": lambda c: cwl(c, lambda r, g, k: float(r < 3), "etu", depth=DEPTH),
    "cwl_rbp(p=0.7)": lambda c: cwl(c, lambda r, g, k: 0.7, depth=DEPTH),
    "cwl_rbp(p=0.7, residual=true)": lambda c: residual(c, lambda r, g, k: 0.7, depth=DEPTH),
    "cwl_rbp(p=0.7, rel=2, figure=etu)": lambda c: cwl(
        c, lambda r, g, k: 0.7, "etu", gains=lambda grade: float(grade >= 2), depth=DEPTH
    ),
    "cwl_rr": lambda c: cwl(c, by_gain(lambda r, y: float(y == 0)), depth=DEPTH),
    "cwl_rr(figure=ed)": lambda c: cwl(c, by_gain(lambda r, y: float(y == 0)), "ed", depth=DEPTH),
    "cwl_ap": lambda c: cwl(c, ap_chance, depth=DEPTH),
    "cwl_ap(figure=etu)": lambda c: cwl(c, ap_chance, "etu", depth=DEPTH),
    "sdcg@4": lambda c: cwl(c, lambda r, g, k: math.log2(r + 1) / math.log2(r + 2) * (r < 4), depth=DEPTH),
    "insq(T=2)": lambda c: cwl(c, lambda r, g, k: ((r + 3) / (r + 4)) ** 2, depth=DEPTH),
    "inst(T=2)": lambda c: cwl(c, by_gain(lambda r, y: ((r + 3 - y) / (r + 4 - y)) ** 2), depth=DEPTH),
    "inst(T=2, residual=true, figure=ed)": lambda c: residual(
        c, by_gain(lambda r, y: ((r + 3 - y) / (r + 4 - y)) ** 2), "ed", DEPTH
    ),
    "inst(T=1, min_rel=1, max_rel=3)": lambda c: cwl(
        c,
        by_gain(lambda r, y: ((r + 1 - y) / (r + 2 - y)) ** 2),
        gains=lambda grade: (min(max(grade, 1), 3) - 1) / 2,
        depth=DEPTH,
    ),
    "bpm@4(T=0.6)": lambda c: cwl(c, bpm_chance(0.6, 4), depth=DEPTH),
    "bpm@4(T=0.6, hb=0.5, hc=0.25, figure=etc)": lambda c: cwl(c, bpm_chance(0.6, 4, 0.5, 0.25), "etc", depth=DEPTH),
    "bpm@7(T=2, costs=[0:1, 1:2.5, 2:3, 3:0.5], max_cost=2, figure=ec)": lambda c: cwl(
        c, bpm_chance(2, 7), "ec", costs=lambda g: (1, 2.5, 3, 0.5)[g], unjudged=(0.0, 2.0), depth=DEPTH
    ),
    "tbg(halflife=3)": lambda c: cwl(
        c, bpm_chance(1, 1), depth=DEPTH, weights=lambda cost: [2 ** (-t / 3) for t in read_before(cost)]
    ),
    "tbg(halflife=3, figure=etu)": lambda c: cwl(
        c, bpm_chance(1, 1), "etu", depth=DEPTH, weights=lambda cost: [2 ** (-t / 3) for t in read_before(cost)]
    ),
    "u_measure(L=5)": lambda c: cwl(
        c,
        bpm_chance(1, 1),
        depth=DEPTH,
        weights=lambda cost: [max(0.0, 1 - t / 5) * (i < DEPTH - 1) for i, t in enumerate(read_before(cost))],
    ),
    "nerr8@4": lambda c: cwl(c, lambda r, g, k: (1 - g[r - 1]) * (r < 4), depth=DEPTH),
    "nerr9@4": lambda c: cwl(c, lambda r, g, k: r / (r + 1) * (1 - g[r - 1]) * (r < 4), depth=DEPTH),
    "nerr10(p=0.8)": lambda c: cwl(c, lambda r, g, k: 0.8 * (1 - g[r - 1]), depth=DEPTH),
    "nerr11(T=0.5)": lambda c: cwl(c, lambda r, g, k: (r / (r + 1)) ** 2 * (1 - g[r - 1]), depth=DEPTH),
    "ift(T=1, b1=0.5, R1=2)": lambda c: cwl(
        c, by_gain(lambda r, y: 1 - 1 / (1 + 0.5 * math.exp((1 - y) * 2))), depth=DEPTH
    ),
    "ift(T=1, A=0.3, R2=3)": lambda c: cwl(
        c,
        by_gain(lambda r, y: (1 - 1 / (1 + 0.9 * math.exp(1 - y))) / (1 + 0.9 * math.exp((0.3 - y / r) * 3))),
        depth=DEPTH,
    ),
}


DEFINITIONS: dict[str, Callable[[Case], float]] = {
    "ap": ap,
    "ap@3": lambda c: ap(c, 3),
    "yaap": yaap,
    "rr": rr,
    "rr@2": lambda c: rr(c, 2),
    "rank": rank,
    "rank(miss=5)": lambda c: rank(c, 5),
    "p@3": lambda c: precision(c, 3),
    "recall@3": lambda c: recall(c, 3),
    "success@2": lambda c: success(c, 2),
    "relative_p@4": lambda c: relative_p(c, 4),
    "rprec": rprec,
    "rprec(multiple=1.7)": lambda c: rprec(c, 1.7),
    "bpref": bpref,
    "infap": infap,
    "iprec@0": lambda c: iprec(c, 0),
    "iprec@0.3": lambda c: iprec(c, 0.3),
    "iprec@0.5": lambda c: iprec(c, 0.5),
    "iprec@1": lambda c: iprec(c, 1),
    "iprec@0.3(rounding=up)": lambda c: iprec(c, 0.3, "up"),
    "iprec@0.3(rounding=half)": lambda c: iprec(c, 0.3, "half"),
    "eleven_point": eleven_point,
    "eleven_point(recalls=[0.2, 0.5, 0.8])": lambda c: eleven_point(c, (0.2, 0.5, 0.8)),
    "set_p": set_p,
    "set_recall": recall,
    "set_f": set_f,
    "set_f(x=3)": lambda c: set_f(c, 3),
    "set_f(beta=3)": lambda c: set_f(c, 9),
    "set_f@4": lambda c: set_f(c, 1, 4),
    "set_map": set_map,
    "set_relative_p": set_relative_p,
    "utility": utility,
    "utility(prices=[2, -1, -0.5, 0.1])": lambda c: utility(c, (2, -1, -0.5, 0.1)),
    "num_q": lambda _: 1,
    "num_ret": lambda c: len(c.ranking),
    "num_rel": lambda c: c.R,
    "num_rel_ret": lambda c: sum(c.relevant),
    "num_rel_ret@3": lambda c: sum(c.relevant[:3]),
    "num_nonrel_judged_ret": lambda c: sum(x is not None and 0 <= x < c.level for x in c.ranking),
    "judged": judged,
    "judged@4": lambda c: judged(c, 4),
    "unj@4": lambda c: unj(c, 4),
    "dcg": dcg,
    "dcg@2": lambda c: dcg(c, 2),
    "ideal_dcg@3": lambda c: ideal_dcg(c, 3),
    "ideal_dcg": ideal_dcg,
    "ndcg": ndcg,
    "ndcg@4": lambda c: ndcg(c, 4),
    "ndcg@4(gains=exp)": lambda c: ndcg(c, 4, "exp"),
    "ndcg(gains=[0:0.5, 1:3, 2:9])": lambda c: ndcg(c, gains={0: 0.5, 1: 3, 2: 9}),
    "ndcg_rel": ndcg_rel,
    "rndcg": rndcg,
    "bing": bing,
    "g": g,
    "rbp": rbp,
    "rbp(p=0.5)": lambda c: rbp(c, 0.5),
    "rbp(top=2)": lambda c: rbp(c, top=2),
    "rbp(p=0.8, top=0)": lambda c: rbp(c, 0.8, 0),
    "rbp(p=0.8, rel=2, cutoff=3)": lambda c: rbp(replace(c, level=2), 0.8, 0, 3),
    "rbp(p=0.8, scaled=false)": lambda c: unscaled_rbp(c, 0.8),
    "rbp_residual": rbp_residual,
    "rbp_residual(p=0.5, tail=unjudged)": lambda c: rbp_residual(c, 0.5, "unjudged"),
    "err": err,
    "err@3": lambda c: err(c, 3),
    "err@5(top=4)": lambda c: err(c, 5, 4),
    "nerr": nerr,
    "nerr@2(top=3)": lambda c: nerr(c, 2, 3),
    "expected_rank": expected_rank,
    "expected_rank@3(top=4, miss=7)": lambda c: expected_rank(c, 3, 4, 7),
    "accuracy": accuracy,
    "accuracy@4(missing=skip)": lambda c: accuracy(c, 4, math.nan),
    "compat": compat,
    "compat(p=0.6, normalize=false)": lambda c: compat(c, 0.6, False),
    **{
        f"{spec.removesuffix(')')}{', ' if spec.endswith(')') else '('}depth={DEPTH})": slow
        for spec, slow in USER_MODELS.items()
    },
}
