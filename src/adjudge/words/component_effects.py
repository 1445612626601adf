"""What components of systems do to scores, in words."""

from __future__ import annotations

from ..comparison.factor_effects import LARGE, MEDIUM, SMALL, TOPICS, FactorEffect, FactorEffects
from ..core.english import listing, p_value, quantity
from .speech import sentence


@sentence
def effect_size(omega: float) -> str:
    """The size of an effect in a word."""
    sizes = ((LARGE, "large"), (MEDIUM, "medium"), (SMALL, "small"))
    return next((word for least, word in sizes if omega >= least), "negligible")


@sentence
def factor_effects_conclusion(result: FactorEffects) -> str:
    """Which components matter, the strongest first; then what cannot be told from chance."""
    significant = [effect for effect in result.effects if result.decides(effect) < result.alpha]
    strongest = sorted(significant, key=lambda effect: -effect.omega)
    rest = [effect.name for effect in result.effects if effect not in significant]
    parts = []
    if strongest:
        named = listing([_effect(effect, result) for effect in strongest])
        parts.append(f"On {result.measure} a significant effect has {named}.")
        best = [row for row in result.levels if row.factor == strongest[0].name]
        if best:
            levels = listing([row.level for row in best if set(row.letters) & set(best[0].letters)], 4)
            parts.append(f"Best {strongest[0].name}: {levels}.")
    if rest:
        parts.append(f"No significant effect: {listing(rest)}.")
    return " ".join(parts)


def _effect(effect: FactorEffect, result: FactorEffects) -> str:
    size = f"{effect_size(effect.omega)}: ω² {max(0.0, effect.omega):.3f}"
    return f"{effect.name} ({size}, {p_value(result.decides(effect))})"


@sentence
def how_analysed(result: FactorEffects) -> str:
    """What was fitted, and what decides."""
    factors = listing([f"{name} ({len(levels)} levels)" for name, levels in result.factors.items()])
    data = f"{quantity(len(result.systems), 'system')}, {quantity(result.topics, 'topic')}; factors {factors}"
    over = "the effect's own variation over topics (F over topics, corrected by Greenhouse and Geisser)"
    error = over if result.error == TOPICS else "all that the model does not explain (F)"
    return f"{data}. Significant at {result.alpha:.0%} against {error}; levels by Tukey's HSD."
