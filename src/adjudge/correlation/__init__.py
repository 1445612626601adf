"""Rank correlation: how alike two rankings of the same items are, with ties treated as they are meant.

>>> from adjudge.correlation import tau_ap_b
>>> round(tau_ap_b([6, 5, 3.5, 3.5, 2, 1], [5, 3, 6, 3, 1, 3]), 2)
0.14

Each coefficient of ``coefficients/`` is a function here, called with two score vectors (higher is better; x the truth
or the other observer, y the one that is traversed), with ``ranks=True`` two rank vectors (1 is best), two dicts {id:
score}, or two lists of ids from best to worst; ``within=0.05`` ties what differs by less. Parameters of the coefficient
go by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.errors import SpecError
from ..core.spec import parameters as _parameters
from .coefficient import coefficients as _known
from .rankings import paired

__all__ = ["paired"]


def __getattr__(name: str) -> Callable[..., float]:
    if name.startswith("_") or (canonical := _known.name_of(name)) is None:
        raise AttributeError(f"module 'adjudge.correlation' has no attribute {name!r}")

    def coefficient(
        x: Any,
        y: Any,
        *,
        ranks: bool = False,
        within: float | tuple[float, float] = 0.0,
        resolve: str = "pairs",
        **parameters: Any,
    ) -> float:
        cls = _known.get(canonical)
        for parameter in parameters:
            if parameter not in {field.name for field in _parameters(cls)}:
                raise SpecError(f"{name} has no parameter {parameter!r}")
        component = cls(**parameters)
        return component(component.paired(x, y, ranks=ranks, within=within, resolve=resolve))

    coefficient.__name__ = coefficient.__qualname__ = name
    coefficient.__doc__ = _known.get(canonical).__doc__
    globals()[name] = coefficient
    return coefficient


def __dir__() -> list[str]:
    return sorted([*__all__, *_known.names])
