"""Sentences on groups and on components say what the tables beside them say, whatever the scores are."""

from __future__ import annotations

import re

import numpy as np
import pytest

import adjudge
from adjudge.comparison.factor_effects import LARGE, MEDIUM, SMALL
from adjudge.comparison.rank_groups import rank_groups
from adjudge.formats.scores import read_scores
from adjudge.words.component_effects import factor_effects_conclusion, how_analysed
from adjudge.words.standings import how_ranked, rank_groups_conclusion

CASES = [
    (systems, topics, ties, seed)
    for systems in (2, 3, 40, 129)
    for topics in (2, 20)
    for ties in (False, True)
    for seed in ((1,) if systems > 40 else (1, 2))
]


def table(systems: int, topics: int, ties: bool, seed: int) -> dict[str, dict[str, float]]:
    rng = np.random.default_rng([systems, topics, ties, seed])
    values = rng.random((systems, topics)) * 0.3 + np.linspace(0, 0.6, systems)[:, None] * rng.random()
    if ties:
        values = np.round(values * 2) / 2
    return {f"s{n}": {str(t): float(values[n, t]) for t in range(topics)} for n in range(systems)}


@pytest.mark.parametrize(("systems", "topics", "ties", "seed"), CASES)
def test_groups(systems: int, topics: int, ties: bool, seed: int) -> None:
    scores = read_scores(table(systems, topics, ties, seed))
    result = rank_groups(scores, scores.measures[0], samples=100, rng=np.random.default_rng(seed))
    said = rank_groups_conclusion(result)
    lows = [row.system for row in result.rows if row.ranks.low == 1]
    exact = [row for row in result.rows if row.ranks.low == row.ranks.high]
    if len(lows) == 1:
        assert f"{lows[0]} is the best of {systems} systems" in said
    elif len(lows) == systems:
        assert f"Any of the {systems} systems may be the best one" in said
    else:
        assert f"The best of {systems} systems" in said
        assert f"is one of {len(lows)}:" in said
        named = re.findall(r"\bs\d+\b", said.partition(":")[2].partition(";")[0])
        assert named == lows[: len(named)]
    if len(exact) == systems:
        assert "all ranks are known exactly" in said
    elif exact:
        assert f"the rank of {len(exact)} system" in said
    else:
        assert "no rank is known exactly" in said
    letters = {letter for row in result.rows for letter in row.letters}
    assert f"; {len(letters)} letter{'s' if len(letters) != 1 else ''})" in said
    assert how_ranked(result).startswith(f"{topics} topics")
    assert not re.search(r"\b1 (systems|topics|letters)\b|nan|inf\b", said)


@pytest.mark.parametrize("seed", range(12))
def test_components(seed: int) -> None:
    rng = np.random.default_rng(seed)
    stemmers, weights = ["none", "porter", "krovetz"][: 2 + seed % 2], ["0.4", "0.9"]
    factors = {f"{s}-{w}": {"stemmer": s, "k1": w} for s in stemmers for w in weights}
    strength = rng.choice([0.0, 0.02, 0.3], 2)
    values = {
        name: {
            str(t): round(
                float(
                    rng.random() * 0.2
                    + strength[0] * stemmers.index(own["stemmer"])
                    + strength[1] * weights.index(own["k1"])
                ),
                1 if seed % 3 == 0 else 6,
            )
            for t in range(2 + 8 * (seed % 4 > 0))
        }
        for name, own in factors.items()
    }
    result = adjudge.factor_effects(values, factors=factors)
    said = factor_effects_conclusion(result)
    significant = [effect for effect in result.effects if result.decides(effect) < result.alpha]
    none = said.partition("No significant effect: ")[2]
    for effect in result.effects:
        name = re.escape(effect.name)
        assert bool(re.search(rf"{name} \((large|medium|small|negligible): ω² ", said)) == (effect in significant)
        if effect not in significant:
            assert effect.name in none
    for word, least, below in (("large", LARGE, np.inf), ("medium", MEDIUM, LARGE), ("small", SMALL, MEDIUM)):
        for name, omega in re.findall(rf"(\S+) \({word}: ω² ([\d.]+)", said):
            assert least - 0.0005 <= float(omega) <= below + 0.0005, name
    if significant:
        strongest = max(significant, key=lambda effect: effect.omega)
        assert said.index(f"{strongest.name} (") == min(said.index(f"{each.name} (") for each in significant)
    assert how_analysed(result).startswith(f"{len(factors)} systems, {result.topics} topics")
    assert "nan" not in said
