"""What an experiment found: for every version the scores of all systems and what is concluded from them.

The page, the figures and ``verdicts.json`` are made from these values and from nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..comparison.known_item.study import Study
from ..comparison.scale.sensitivity import Sensitivity
from ..comparison.verdict import Comparison
from ..core.judged import Floats
from ..core.scores import Scores


class ErrorRates(NamedTuple):
    """How much a version differs from the true text: shares of characters and of words that are wrong."""

    characters: float
    words: float


@dataclass(frozen=True, eq=False)
class Finding:
    """One version of the documents. All arrays follow the order of ``scores.systems`` and ``scores.topics``."""

    version: str
    scores: Scores
    """The measures of the plan for every topic that counts; a topic that a run lacks has what its absence is worth."""
    main: str
    """The measure on which systems are compared; a column of the scores."""
    figures: Mapping[str, Floats]
    """By average (``mean`` first, then those of the plan): systems × measures; NaN where the average has no value."""
    intervals: Floats
    """systems × measures × 2: bootstrap interval of the mean over topics; NaN with fewer than two topics."""
    comparison: Comparison | None
    """All pairs on the main measure; None if there is one system or one topic only."""
    sensitivity: Sensitivity | None
    """What monotone transformations of the main measure do to the order; None as above."""
    study: Study | None
    """Ranks, value and operating characteristics if every topic has one target; otherwise None."""
    precision: Floats
    """systems × 11: interpolated precision at recall 0, 0.1 … 1, mean over topics."""
    agreement: Floats
    """measures × measures: rank correlation (tau_b) between the orders in which measures put the systems."""
    first: tuple[tuple[str, ...], ...]
    """systems × topics: the document that each system put first; empty if it found none."""
    errors: ErrorRates | None = None
    """Against the true text; None if that is not known."""
    notes: tuple[str, ...] = ()


class Step(NamedTuple):
    """A step of the work as it is told in the provenance."""

    what: str
    """Such as ``gmu961 on 5 %``, ``version 20 %``, ``scores``."""
    seconds: float
    megabytes: float
    """Peak of the process that did it."""


@dataclass(frozen=True)
class Provenance:
    """Where the figures come from: enough to make them again."""

    software: Mapping[str, str]
    """adjudge, python, numpy, …: versions."""
    plan: Mapping[str, Any]
    """All settings, defaults included."""
    inputs: Mapping[str, str]
    """Digest of the content of every input: topics, judgments, documents of each version, external runs."""
    systems: Mapping[str, str]
    """The full spec of each system; ``run`` for external ones."""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, eq=False)
class Findings:
    """All versions of an experiment, what was asked, and where it comes from."""

    title: str
    versions: Mapping[str, Finding]
    """By name, the true one first if there is one."""
    questions: Mapping[str, str]
    """The text of each topic; empty for a plan without topics."""
    relevant: Mapping[str, tuple[str, ...]]
    """The relevant documents of each topic, best grade first, ten at most."""
    documents: int
    """How many were searched; 0 if not known."""
    provenance: Provenance
    extracts: Mapping[str, str] = field(default_factory=dict)
    """The first words of documents that are named on the page."""
    notes: tuple[str, ...] = ()
    conclusions: tuple[str, ...] = ()
    """The findings in words, the most important first."""
