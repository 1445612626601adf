"""What an average over topics is."""

from __future__ import annotations

from .judged import Floats
from .registry import Registry
from .spec import Component


class Average(Component):
    """Called with the values of the topics (last axis) it gives one figure; topics without a value are NaN."""

    def __call__(self, values: Floats) -> Floats:
        raise NotImplementedError


averages: Registry[Average] = Registry("average", "adjudge.averages", Average)
