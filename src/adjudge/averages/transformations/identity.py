from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.average import Transformation
from ...core.judged import Floats


@dataclass(frozen=True)
class IdentityTransform(Transformation):
    """The scale as it is: its mean is the arithmetic mean.

    Formula: f(x) = x.

    Paper: Robertson, On GMAP and other transformations (CIKM 2006), section 2.3.

    Example: 0.25 → 0.25.
    """

    name: ClassVar[str] = "identity"

    def forward(self, values: Floats) -> Floats:
        return values

    def inverse(self, values: Floats) -> Floats:
        return values
