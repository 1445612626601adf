from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.average import Zeros
from ...core.judged import Floats
from ...core.spec import is_number, require


@dataclass(frozen=True)
class Add(Zeros):
    """Add a small number to every value, and take it away from the figure again.

    Formula: before: x + ε; after: figure − ε (equation 3 of the paper, the missing ε of its logarithm put in).

    Parameters: ``eps`` ε > 0 (1e-5). Figures made with different ε cannot be compared.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 4.1.

    Example: 0, 0.5, 5e-6 under log with ε = 1e-5 → 0.000412.
    """

    name: ClassVar[str] = "add"
    positional: ClassVar[str] = "eps"
    always: ClassVar[tuple[str, ...]] = ("eps",)

    eps: float = 1e-5

    def __post_init__(self) -> None:
        require(self, "eps", is_number(self.eps) and self.eps > 0, "be above 0")

    def before(self, values: Floats) -> Floats:
        return values + self.eps

    def after(self, figures: Floats) -> Floats:
        return figures - self.eps
