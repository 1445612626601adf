"""Cohen's kappa and Krippendorff's alpha against other programs, their definitions, and worked examples."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection.qa.agreement import agreement, agreement_of, alpha, in_words, kappa
from adjudge.collection.qa.assessment import Assessment, Judgment, Label
from adjudge.core.errors import DataError

VALUES = st.sampled_from(["a", "b", "c"])


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1))
def test_kappa_is_that_of_statsmodels(pairs: list[tuple[str, str]]) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa  # slow to load, and every process collects this file

    table = np.zeros((3, 3))
    for one, other in pairs:
        table["abc".index(one), "abc".index(other)] += 1
    mine = kappa([one for one, _ in pairs], [other for _, other in pairs])
    if len(set(pairs)) == 1 and pairs[0][0] == pairs[0][1]:
        assert math.isnan(mine)
    else:
        assert mine == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-12)


def slow_alpha(units: list[list[str | None]]) -> float:
    """1 − D_o/D_e over all ordered pairs, as Krippendorff writes it."""
    said = [[value for value in unit if value is not None] for unit in units]
    said = [unit for unit in said if len(unit) > 1]
    everything = [value for unit in said for value in unit]
    number = len(everything)
    if number < 2 or len(set(everything)) < 2:
        return math.nan
    observed = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in said) / number
    expected = sum(a != b for a, b in permutations(everything, 2)) / (number * (number - 1))
    return 1 - observed / expected


@given(st.lists(st.lists(st.none() | VALUES, max_size=4), max_size=8))
def test_alpha_is_its_definition(units: list[list[str | None]]) -> None:
    assert alpha(units) == pytest.approx(slow_alpha(units), abs=1e-9, nan_ok=True)


def test_worked_examples() -> None:
    assert kappa(["y"] * 25 + ["n"] * 25, ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15) == pytest.approx(0.4)
    # Krippendorff 2011, Computing Krippendorff's Alpha-Reliability: nominal data of four observers, 0.743
    observers = [
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    ]
    rows = [[None if value == "." else value for value in row.split()] for row in observers]
    assert alpha([list(unit) for unit in zip(*rows, strict=True)]) == pytest.approx(0.743, abs=5e-4)


def test_what_is_not_defined_is_nan() -> None:
    assert math.isnan(kappa([], []))
    assert math.isnan(kappa(["a", None], ["a", "b"]))
    assert math.isnan(alpha([["a"], ["b"], []]))
    assert math.isnan(alpha([["a", "a"]]))
    with pytest.raises(DataError, match="2 values of one and 1"):
        kappa(["a", "b"], ["a"])


def test_agreement_and_what_differs() -> None:
    made = agreement(
        "clear", {"1": {"A": "yes", "B": "yes"}, "2": {"A": "yes", "B": "no"}, "3": {"A": "no", "B": None}}
    )
    assert (made.items, made.share) == (2, 0.5)
    assert [one.item for one in made.disagreements] == ["2"]
    assert made.disagreements[0].values == (("A", "yes"), ("B", "no"))
    assert made.kappa == kappa(["yes", "yes"], ["yes", "no"])


def test_assessments_of_two_people() -> None:
    def by(who: str, kind: str, totality: str) -> Assessment:
        micro = 1 if kind == "query" else 0
        return Assessment(
            "7", who, True, True, (Label(1, kind, micro), Label(2, "query", 1)), (Judgment(1, "d", totality, "direct"),)
        )

    found = {one.kind: one for one in agreement_of([by("A", "query", "total"), by("B", "prelude", "partial")])}
    assert found["clear"].share == 1
    assert [one.item for one in found["sentence"].disagreements] == ["7 sentence 1"]
    assert found["micro-topic"].items == 1
    assert [one.item for one in found["totality"].disagreements] == ["7.1 d"]
    assert found["directness"].share == 1
    assert in_words([found["sentence"]]) == "sentence: 50% alike, alpha 0.00 (2 items)"
    assert in_words([found["clear"]]) == "clear: 100% alike, alpha not defined (1 item)"


def test_micro_topics_are_matched_by_their_sentences_and_not_by_their_numbers() -> None:
    def by(who: str, first: int, second: int) -> Assessment:
        labels = (Label(1, "query", first), Label(2, "query", second), Label(3, "query", second))
        judged = (Judgment(first, "d", "total", "direct"), Judgment(second, "d", "partial", "direct"))
        return Assessment("7", who, True, True, labels, judged)

    found = {one.kind: one for one in agreement_of([by("A", 1, 2), by("B", 2, 1)])}
    assert (found["micro-topic"].items, found["micro-topic"].share) == (3, 1)
    assert (found["totality"].items, found["totality"].share) == (2, 1)
    apart = {one.kind: one for one in agreement_of([by("A", 1, 2), by("B", 1, 1)])}
    assert [one.item for one in apart["micro-topic"].disagreements] == ["7 sentence 1"]
