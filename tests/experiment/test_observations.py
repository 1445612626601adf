"""What is seen in findings, by counting again."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import page_findings
from adjudge.experiment.findings import Findings
from adjudge.experiment.observations import (
    common_systems,
    furthest_leads,
    has_flat_precision,
    losses,
    other_leaders,
    precision_leaders,
    quartiles,
    tally,
    widest_topic,
    zero_topics,
)


@pytest.fixture(scope="module")
def noisy() -> Findings:
    return page_findings.noisy()


def test_two_systems_topic_by_topic(noisy: Findings) -> None:
    found = noisy.first
    rows = {system: found.values[found.place[system]].tolist() for system in found.systems}
    for a, b in (("alpha", "beta"), ("gamma", "alpha")):
        gaps = [x - y for x, y in zip(rows[a], rows[b], strict=True)]
        counted = tally(found, a, b)
        assert counted.won == sum(gap > 0 for gap in gaps)
        assert counted.lost == sum(gap < 0 for gap in gaps)
        assert counted.topics == len(found.topics)
        assert counted.difference == pytest.approx(sum(gaps) / len(gaps))
        leads = furthest_leads(found, a, b)
        assert leads is not None
        for lead in leads:
            gap = max(gaps) if lead.ahead == a else -min(gaps)
            assert lead.value - lead.other == pytest.approx(gap)
    assert furthest_leads(found, "alpha", "alpha") == []


def test_how_values_lie(noisy: Findings) -> None:
    found = noisy.first
    own = quartiles(found, "beta")
    assert own is not None
    assert own.mean == pytest.approx(found.means[found.place["beta"]])
    assert own.low <= own.median <= own.high
    widest = widest_topic(found)
    assert widest is not None
    spread = np.ptp(found.values, axis=0)
    assert widest[0] == found.topics[int(spread.argmax())]
    assert widest[1] == pytest.approx(spread.max())
    assert zero_topics(found) == sum((column == 0).all() for column in found.values.T)
    nothing = page_findings.broken(*[math.nan] * len(found.topics)).first
    assert quartiles(nothing, "gamma") is None


def test_from_the_first_version_to_the_worst(noisy: Findings) -> None:
    lost = losses(noisy)
    assert common_systems(noisy) == list(noisy.systems)
    worst = min(noisy.parts[1:], key=lambda part: part.means.mean())
    assert lost.version == worst.version
    changes = {s: worst.means[worst.place[s]] - noisy.first.means[noisy.first.place[s]] for s in noisy.systems}
    assert lost.most is not None
    assert lost.least is not None
    assert lost.most.system == min(changes, key=lambda s: changes[s])
    assert lost.least.system == max(changes, key=lambda s: changes[s])
    assert lost.gains == (max(changes.values()) > 0)


def test_who_has_the_highest_curve_and_who_leads_by_other_measures(noisy: Findings) -> None:
    found = noisy.first
    assert has_flat_precision(found)
    crossing = np.array([np.linspace(0.9, 0.1, 11), np.linspace(0.6, 0.4, 11), np.zeros(11)])
    turned = replace(found, precision=crossing)
    assert precision_leaders(turned) == [("0", "alpha"), ("0.6", "beta")]
    assert precision_leaders(replace(found, precision=np.zeros((3, 11)))) == []
    others = other_leaders(found)
    assert others.measures == len(found.scores.columns) - 1
    for leader, names in others.leaders.items():
        for name in names:
            column = found.scores.measures.index(name)
            figures = found.figures["mean"][:, column]
            best = figures.min() if found.scores.columns[column].better == "low" else figures.max()
            assert figures[found.place[leader]] == best
