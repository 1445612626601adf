"""Measures that are not as they should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.judged import Floats, JudgedRun
from adjudge.core.measure import Measure

NUMBER = 3


@dataclass(frozen=True)
class _Zero(Measure):
    def __call__(self, judged: JudgedRun) -> Floats:
        return np.zeros(len(judged.topics))


@dataclass(frozen=True)
class OurName(_Zero):
    """A measure with a name that is taken."""

    name: ClassVar[str] = "ap"


@dataclass(frozen=True)
class OurAlias(_Zero):
    """A measure with another name of one of ours."""

    name: ClassVar[str] = "mrr"


@dataclass(frozen=True)
class Misnamed(_Zero):
    """A measure that calls itself something else."""

    name: ClassVar[str] = "other"


@dataclass(frozen=True)
class Unfinished(Measure):
    """A measure that measures nothing."""

    name: ClassVar[str] = "unfinished"


@dataclass(frozen=True)
class Greedy(_Zero):
    """A measure that claims a name of ours beside its own."""

    name: ClassVar[str] = "greedy"
    aliases: ClassVar[tuple[str, ...]] = ("nDCG",)
