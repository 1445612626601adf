"""Averages over topics, transformations of the scale, and what is done with zeros: what each of them is.

Three axes are never fused: a measure gives values, a transformation changes their scale, an average makes a figure of
them. The geometric mean is the mean under ``log``; GMAP is ``ap`` so averaged.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from .errors import SpecError, did_you_mean
from .judged import Floats
from .registry import Registry
from .spec import Component, Spec, is_number, require

if TYPE_CHECKING:
    import numpy.typing as npt


class Average(Component, ABC):
    """Called with the values of the topics (last axis) it gives one figure; topics without a value are NaN."""

    @abstractmethod
    def __call__(self, values: Floats) -> Floats:
        """A figure for each row of values."""

    def outside(self, values: Floats) -> npt.NDArray[np.bool_]:
        """Which values it is not defined for."""
        return np.zeros(values.shape, bool)

    def domain(self) -> str:
        """What its values must be, in words."""
        return "be any number"


class Zeros(Component, ABC):
    """What is done with zeros before a logarithm, and undone after it."""

    positional: ClassVar[str] = "eps"
    always: ClassVar[tuple[str, ...]] = ("eps",)

    eps: float

    def __post_init__(self) -> None:
        require(self, "eps", is_number(self.eps) and self.eps > 0, "be above 0")

    @abstractmethod
    def before(self, values: Floats) -> Floats:
        """Values that a logarithm can take."""

    def after(self, figures: Floats) -> Floats:
        return figures


class Transformation(Component, ABC):
    """A strictly monotone function of the scale, with its inverse.

    ``low`` and ``high`` bound the values it is defined for, both included.
    """

    low: ClassVar[float] = -math.inf
    high: ClassVar[float] = math.inf
    reversible: ClassVar[bool] = True
    """Whether a mean of transformed values has a place on the original scale."""

    def fit(self, values: Floats) -> Self:
        """The transformation for these values (systems × topics); most do not depend on them."""
        del values
        return self

    @abstractmethod
    def forward(self, values: Floats) -> Floats:
        """Values on the new scale."""

    @abstractmethod
    def inverse(self, values: Floats) -> Floats:
        """Back to the original scale."""


@dataclass(frozen=True)
class TransformedMean(Average):
    """The mean on a transformed scale, brought back to the original one unless ``raw``."""

    transformation: Transformation
    raw: bool = False

    def __str__(self) -> str:
        return str(self.transformation)

    def outside(self, values: Floats) -> npt.NDArray[np.bool_]:
        return (values < self.transformation.low) | (values > self.transformation.high)

    def domain(self) -> str:
        low, high = self.transformation.low, self.transformation.high
        return f"lie between {low:g} and {high:g}" if math.isfinite(high) else f"be {low:g} or more"

    def __call__(self, values: Floats) -> Floats:
        fitted = self.transformation.fit(values)
        figures = averages.parse("mean")(fitted.forward(values))
        return figures if self.raw or not fitted.reversible else fitted.inverse(figures)


class AverageRegistry(Registry[Average]):
    """Averages by name, and the mean under any transformation by the name of the transformation."""

    def make(self, spec: Spec) -> Average:
        if self.own_name(spec.name) is not None:
            return super().make(spec)
        if transformations.own_name(spec.name) is not None or transformations.name_of(spec.name) is not None:
            return TransformedMean(transformations.make(spec))
        if self.name_of(spec.name) is not None:
            return super().make(spec)
        known = [*self.names, *transformations.names]
        raise SpecError(f"no {self.kind} {str(spec)!r}{did_you_mean(spec.name, known)}")


averages = AverageRegistry("average", "adjudge.averages", Average)
transformations: Registry[Transformation] = Registry(
    "transformation", "adjudge.averages.transformations", Transformation
)
zero_treatments: Registry[Zeros] = Registry("treatment of zeros", "adjudge.averages.zeros", Zeros, "zero-treatments")
