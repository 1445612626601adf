"""``trec_eval -Z``: values as deviations from the mean of a reference set of runs, in standard deviations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core.errors import DataError, at
from ..core.strings import decode
from ..formats.source import open_source
from ._trec_topics import Evaluation

MISSING = -1_000_000.0
"""What trec_eval prints for a measure and topic that the reference does not have."""


def read_zscores(path: str) -> dict[tuple[str, str], tuple[float, float]]:
    """{(topic, measure): (mean, standard deviation)} from lines ``topic measure mean deviation``."""
    source = open_source(path)
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for number, line in enumerate(source.whole().split(b"\n"), 1):
        fields = [decode(word) for word in line.split()]
        if not fields:
            continue
        try:
            topic, measure, mean, deviation = fields
            found[topic, measure] = float(mean), float(deviation)
        except ValueError:
            raise DataError(at(source.name, number, "expected topic, measure, mean and deviation", line)) from None
    return found


def standardised(result: Evaluation, reference: dict[tuple[str, str], tuple[float, float]]) -> Evaluation:
    values = result.values.copy()
    for i, line in enumerate(result.lines):
        if line.name in {"num_q", "runid"}:
            continue
        raw = np.log(np.maximum(values[:, i], 1e-5)) if line.average == "gm" else values[:, i].copy()
        for t, topic in enumerate(result.topics):
            mean, deviation = reference.get((topic, line.label), (np.nan, np.nan))
            if deviation:
                score = (raw[t] - mean) / deviation
                values[t, i] = MISSING if np.isnan(score) else score
            else:
                values[t, i] = 0.0 if raw[t] == mean else MISSING
    return replace(result, values=values, transformed=True)
