"""Judge against judge: kappa of statsmodels, alpha of Krippendorff's example, rankings, the command, wrong input."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

import adjudge
from adjudge.cli import main
from adjudge.comparison.judge_agreement import weighted_kappa
from adjudge.core.errors import DataError, SpecError

EXAMPLE = ("1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .")
"""Krippendorff (2011): four observers, twelve units, missing values."""


def judges_of(*rows: str) -> dict[str, dict[str, dict[str, int]]]:
    return {
        name: {"q": {f"d{i}": int(grade) for i, grade in enumerate(row.split()) if grade != "."}}
        for name, row in zip("ABCDEF", rows, strict=False)
    }


def noisy(seed: int, share: float, topics: int = 12) -> dict[str, dict[str, int]]:
    """Judgments of one truth with some grades drawn anew."""
    truth, rng = np.random.default_rng(0), np.random.default_rng(seed)
    grades = truth.integers(0, 3, (topics, 20))
    grades = np.where(rng.random(grades.shape) < share, rng.integers(0, 3, grades.shape), grades)
    return {f"t{t}": {f"d{d}": int(g) for d, g in enumerate(row)} for t, row in enumerate(grades)}


def test_krippendorffs_example() -> None:
    result = adjudge.compare_judges(judges_of(*EXAMPLE), samples=5)
    values = {scale: round(each.value, 3) for scale, each in result.alpha.items()}
    assert values == {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}
    assert len(result.pairs) == 6
    assert result.grades == (1, 2, 3, 4, 5)
    assert math.isnan(result.alpha["nominal"].low), "no interval from one topic"


@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappa_is_that_of_statsmodels(weights: str, theirs: str | None) -> None:
    table = np.random.default_rng(1).integers(0, 20, (4, 4))
    expected = cohens_kappa(table, wt=theirs, return_results=True)["kappa"]
    assert weighted_kappa(table.astype(float), weights) == pytest.approx(expected)


def test_counts_by_hand() -> None:
    first = {"1": {"a": 1, "b": 0, "c": 1}, "2": {"d": 0}}
    second = {"1": {"a": 1, "b": 1, "x": 0}, "3": {"y": 1}}
    (pair,) = adjudge.compare_judges({"A": first, "B": second}, samples=5).pairs
    assert (pair.topics, pair.common, pair.only_a, pair.only_b) == (1, 2, 2, 2)
    assert pair.confusion == ((0, 1), (0, 1))
    assert pair.agreement.value == 0.5
    assert pair.overlap.value == 0.5
    assert pair.kappa["none"].value == 0
    assert pair.by_grade == {0: 0.0, 1: 2 / 3}


def test_agreement_by_topic_and_by_grade(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By hand; the topics sum up to the whole, and those of least agreement come first."""
    people = {"1": {"a": 2, "b": 0, "c": 1, "d": 0}, "2": {"e": 1, "f": 2}, "3": {"g": 0}, "4": {"h": 1}}
    model = {"1": {"a": 2, "b": 1, "c": 1, "d": 0}, "2": {"e": 0, "f": 1}, "3": {"g": 0}, "5": {"h": 1}}
    (pair,) = adjudge.compare_judges({"people": people, "model": model}, samples=5).pairs
    assert [(each.topic, each.common, each.agreement) for each in pair.by_topic] == [
        ("2", 2, 0.0),
        ("1", 4, 0.75),
        ("3", 1, 1.0),
    ]
    assert [each.overlap for each in pair.by_topic][:2] == [0.5, 2 / 3]
    assert pair.by_topic[1].kappa == pytest.approx((0.75 - 5 / 16) / (1 - 5 / 16))
    assert math.isnan(pair.by_topic[2].overlap)
    assert math.isnan(pair.by_topic[2].kappa)
    assert sum(each.common * each.agreement for each in pair.by_topic) == pair.common * pair.agreement.value
    assert pair.by_grade == {0: 2 * 2 / (3 + 3), 1: 2 * 1 / (2 + 3), 2: 2 * 1 / (2 + 1)}
    files = [tmp_path / "people.qrels", tmp_path / "model.qrels"]
    for file, judged in zip(files, (people, model), strict=True):
        lines = [f"{t} 0 {d} {grade}\n" for t, own in judged.items() for d, grade in own.items()]
        file.write_text("".join(lines))
    assert main(["judges", *map(str, files), "--samples", "5"]) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["0", "2", "1", "0", "0.667"] in shown
    assert ["people", "and", "model", "agree", "least", "on", "topic"] in [words[:7] for words in shown]
    assert ["2", "2", "0.000", "0.500", "-0.333"] in shown


def test_intervals_hold_the_figure_and_are_those_of_the_seed() -> None:
    judges = {"A": noisy(1, 0.2), "B": noisy(2, 0.2)}
    one, two = (adjudge.compare_judges(judges, samples=200, seed=3) for _ in range(2))
    assert one == two
    for estimate in (one.pairs[0].agreement, *one.pairs[0].kappa.values(), *one.alpha.values()):
        assert estimate.low < estimate.value < estimate.high


def test_one_judge_twice() -> None:
    same = noisy(1, 0.0)
    result = adjudge.compare_judges({"first": same, "again": same}, samples=20)
    assert result.pairs[0].kappa["quadratic"].value == 1
    assert result.alpha["interval"].value == 1
    level = adjudge.compare_judges({"A": {"1": {"a": 1}}, "B": {"1": {"a": 1}}}, samples=5)
    assert math.isnan(level.pairs[0].kappa["none"].value), "nothing to differ in"
    assert "has no value" in level.conclusion()


def test_rankings_under_two_judges() -> None:
    truth, strict = noisy(1, 0.0), {t: {d: int(g == 2) for d, g in row.items()} for t, row in noisy(1, 0.0).items()}
    good = {t: {d: float(g) for d, g in row.items()} for t, row in truth.items()}
    picky = {t: {d: float(g == 2) + float(g == 0) / 2 for d, g in row.items()} for t, row in truth.items()}
    rng = np.random.default_rng(5)
    blind = {t: {d: float(rng.random()) for d in row} for t, row in truth.items()}
    result = adjudge.compare_judges(
        {"people": truth, "model": strict}, {"good": good, "picky": picky, "blind": blind}, samples=50
    )
    (change,) = result.rankings
    assert change.ranks["good"] == (1, 1)
    assert change.ranks["picky"][1] <= change.ranks["picky"][0]
    assert [each.coefficient for each in change.correlations] == ["tau_b", "tau_ap_b"]
    assert change.correlations[1].low < change.correlations[1].value <= change.correlations[1].high
    assert list(change.topics.values()) == sorted(change.topics.values(), reverse=True)
    for system, run in (("good", good), ("picky", picky), ("blind", blind)):
        expected = [adjudge.measure(qrels, {"r": run}, ["ap"]).mean()["r"]["ap"] for qrels in (truth, strict)]
        assert change.means[system] == pytest.approx(expected)


def test_a_judge_who_favours_a_group() -> None:
    """The model calls relevant what its own run puts first, on every topic."""
    truth = noisy(1, 0.0)
    own = {t: {d: float((hash_of(d) * 13) % 97) for d in row} for t, row in truth.items()}
    other = {t: {d: float((hash_of(d) * 29) % 89) for d in row} for t, row in truth.items()}
    model = {t: dict(row) for t, row in truth.items()}
    for topic, ranking in own.items():
        for document in sorted(ranking, key=lambda d: -ranking[d])[:5]:
            model[topic][document] = 2
    judges, runs = {"people": truth, "model": model}, {"llm-a": own, "bm25": other}
    result = adjudge.compare_judges(judges, runs, group="llm-*", samples=100)
    favour = result.rankings[0].favour
    assert favour is not None
    assert favour.low > 0
    assert "model favours llm-a over the others" in result.conclusion()
    back = adjudge.compare_judges(judges, runs, group=["bm25"], samples=100).rankings[0].favour
    assert back is not None
    assert back.value == pytest.approx(-favour.value)
    for wrong in ("x*", "*"):
        with pytest.raises(SpecError, match="a group is favoured over others"):
            adjudge.compare_judges(judges, runs, group=wrong, samples=10)


def test_what_is_refused() -> None:
    one = {"1": {"a": 1}}
    with pytest.raises(SpecError, match="at least 2 are needed, not 1"):
        adjudge.compare_judges({"A": one})
    with pytest.raises(DataError, match="A and B judged no document of a topic in common"):
        adjudge.compare_judges({"A": one, "B": {"2": {"a": 1}}})
    with pytest.raises(SpecError, match="samples must be at least 1"):
        adjudge.compare_judges({"A": one, "B": one}, samples=0)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for name, judged in (("people", noisy(1, 0.0)), ("model", noisy(2, 0.3))):
        adjudge.write_qrels(adjudge.read_qrels(judged), tmp_path / f"{name}.qrels")
    runs = {
        s: {t: {d: float((hash_of(t + d) * s) % 97) for d in row} for t, row in noisy(1, 0).items()} for s in (3, 5)
    }
    for number, run in runs.items():
        adjudge.write_run(adjudge.read_run(run, name=f"r{number}"), tmp_path / f"r{number}.run")
    assert main(["judges", "people.qrels", "model.qrels", "r3.run", "r5.run", "--samples", "20"]) == 0
    out = capsys.readouterr().out
    assert "people and model give the same grade to" in out
    assert "By ap people and model rank 2 systems" in out
    assert main(["judges", "people.qrels", "model.qrels", "--samples", "20", "-o", "out.json"]) == 0
    data = json.loads((tmp_path / "out.json").read_text())
    assert data["judges"] == ["people", "model"]
    assert set(data["alpha"]) == {"nominal", "ordinal", "interval"}
    for words, message in (
        (["people.qrels"], "at least 2 are needed"),
        (["people.qrels", "people.qrels"], "is given twice"),
        (["people.qrels", "nowhere.qrels"], "nowhere.qrels: no such file"),
    ):
        assert main(["judges", *words]) == 2
        assert message in capsys.readouterr().err
    result = adjudge.compare_judges({"people": "people.qrels", "model": "model.qrels"}, samples=10)
    assert result.to_polars().shape[0] == 1
    assert result.to_dict()["grades"] == (0, 1, 2) or result.to_dict()["grades"] == [0, 1, 2]
    assert "<table>" in result._repr_html_()


def hash_of(text: str) -> int:
    return sum(ord(c) * (i + 7) for i, c in enumerate(text))


def test_rankings_by_common_documents_differ_by_grades_alone() -> None:
    """Two judges agree on x and y; what each judged alone puts the systems in opposite orders."""
    runs = {"first": {"1": {"p": 3.0, "x": 2.0, "y": 1.0}}, "second": {"1": {"q": 3.0, "x": 2.0, "y": 1.0}}}
    judges = {"a": {"1": {"x": 1, "y": 0, "p": 1}, "2": {"z": 1}}, "b": {"1": {"x": 1, "y": 0, "q": 1, "r": -1}}}
    whole = adjudge.compare_judges(judges, runs, "p@1", samples=10)
    assert whole.rankings[0].ranks == {"first": (1, 2), "second": (2, 1)}
    assert whole.rankings[0].alone == 2, "z is of a topic that b did not judge, r was not judged"
    assert "The rankings also rest on 2 documents that only a or only b judged: --common leaves these out." in (
        whole.conclusion()
    )
    common = adjudge.compare_judges(judges, runs, "p@2", common=True, samples=10)
    assert common.rankings[0].means == {"first": (0.5, 0.5), "second": (0.5, 0.5)}
    assert common.rankings[0].alone == 0
    assert "--common" not in common.conclusion()
    assert common.pairs[0].only_a == 2, "agreement is told of all that they judged"
    with pytest.raises(DataError, match="a and b judged no document of a topic in common"):
        adjudge.compare_judges({"a": {"1": {"x": 1}}, "b": {"1": {"y": 1}}}, runs, common=True)
