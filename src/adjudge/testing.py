"""Assertions about runs, for pytest and other test suites.

>>> from adjudge.testing import assert_not_worse
>>> qrels = {"1": {"a": 1}, "2": {"b": 1}}
>>> run = {"1": {"a": 2.0, "x": 1.0}, "2": {"x": 2.0, "b": 1.0}}
>>> assert_not_worse(qrels, run, run, "ap").verdict
'pass'
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from .comparison.noninferiority import FAIL, UNDECIDED, GuardResult
from .core.errors import SpecError
from .experiment.regression_gate import guard
from .report.guard_text import guard_table

DECISIONS = ("fail", "warn", "pass")


class NotEnoughTopicsWarning(UserWarning):
    """The topics cannot tell whether a run is worse than its baseline."""


def assert_not_worse(
    qrels: Any,
    baseline: Any,
    run: Any,
    measures: Sequence[str] | str = "ap",
    *,
    undecided: str = "fail",
    **settings: Any,
) -> GuardResult:
    """Raise an AssertionError if a run is worse than its baseline by more than is tolerated.

    Takes what :func:`adjudge.guard` takes, ``tolerance=0.01`` for example, and returns what that returns. ``undecided``
    says what happens if the topics cannot tell: ``fail`` raises, ``warn`` issues a :class:`NotEnoughTopicsWarning`,
    ``pass`` does neither.
    """
    if undecided not in DECISIONS:
        raise SpecError(f"undecided must be one of {', '.join(DECISIONS)}, not {undecided!r}")
    result = guard(qrels, baseline, run, measures, **settings)
    if result.verdict == FAIL or (result.verdict == UNDECIDED and undecided == "fail"):
        raise AssertionError(f"{result.conclusion()}\n\n{guard_table(result).text()}")
    if result.verdict == UNDECIDED and undecided == "warn":
        warnings.warn(result.conclusion(), NotEnoughTopicsWarning, stacklevel=2)
    return result
