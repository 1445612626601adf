"""Components of systems as factors: statsmodels is asked for every figure, and bad designs are refused in one line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import AnovaRM, anova_lm

import adjudge
from adjudge.cli import main
from adjudge.comparison.factor_effects import factor_effects
from adjudge.core.errors import AdjudgeError, ConflictError, DataError, SpecError
from adjudge.core.scores import Column, Scores
from adjudge.experiment.system_factors import factors_of_specs
from adjudge.formats.factors import read_factors

LEVELS = {"stem": ("none", "porter", "snow"), "rank": ("bm25", "lm"), "stop": ("no", "yes")}


def grid(*names: str, without: Sequence[int] = ()) -> dict[str, dict[str, str]]:
    points = list(product(*(LEVELS[name] for name in names)))
    return {f"s{i}": dict(zip(names, p, strict=True)) for i, p in enumerate(points) if i not in without}


def scores_of(table: dict[str, dict[str, str]], topics: int = 7, seed: int = 0, better: str = "high") -> Scores:
    values = np.random.default_rng(seed).random((len(table), topics, 1))
    values[0] += 0.3
    names = tuple(f"t{i}" for i in range(topics))
    return Scores(values, tuple(table), names, (Column("ap", "ap", better=better),))


def frame_of(scores: Scores, table: dict[str, dict[str, str]]) -> pd.DataFrame:
    rows = [
        {**table[system], "topic": topic, "y": scores.values[s, t, 0]}
        for s, system in enumerate(scores.systems)
        for t, topic in enumerate(scores.topics)
    ]
    return pd.DataFrame(rows)


def label(name: str) -> str:
    return ":".join(f"C({factor}, Sum)" for factor in name.split(" × "))


@pytest.mark.parametrize(
    ("table", "interactions", "terms"),
    [
        (grid("stem", "rank"), 2, ["stem", "rank", "stem × rank"]),
        (grid("stem", "rank"), 1, ["stem", "rank"]),
        (grid("stem", "rank", without=[1]), 1, ["stem", "rank"]),
        (
            grid("stem", "rank", "stop"),
            3,
            ["stem", "rank", "stop", "stem × rank", "stem × stop", "rank × stop", "stem × rank × stop"],
        ),
        (grid("stem", "rank", "stop", without=[2, 7]), 2, ["stem", "rank", "stop"]),
    ],
)
def test_figures_are_those_of_statsmodels(
    table: dict[str, dict[str, str]], interactions: int, terms: list[str]
) -> None:
    scores = scores_of(table)
    result = factor_effects(scores, "ap", table, interactions=interactions)
    if len(table) < 12 and interactions < 3:
        assert [effect.name for effect in result.effects][: len(terms)] == terms
    asked = [effect.name for effect in result.effects]
    formula = "y ~ C(topic, Sum) + " + " + ".join(map(label, asked))
    expected = anova_lm(ols(formula, frame_of(scores, table)).fit(), typ=3)
    for effect in result.effects:
        row = expected.loc[label(effect.name)]
        assert effect.freedom == row["df"]
        assert effect.squares == pytest.approx(row["sum_sq"], abs=1e-9)
        assert effect.f == pytest.approx(row["F"], rel=1e-9)
        assert effect.p == pytest.approx(row["PR(>F)"], abs=1e-9)
        df, f = row["df"], row["F"]
        assert effect.omega == pytest.approx(df * (f - 1) / (df * (f - 1) + scores.values.size), abs=1e-9)
    assert result.error_squares == pytest.approx(expected.loc["Residual", "sum_sq"], abs=1e-9)
    assert result.error_freedom == expected.loc["Residual", "df"]
    assert result.topic_squares == pytest.approx(expected.loc["C(topic, Sum)", "sum_sq"], abs=1e-9)
    values = scores.values[:, :, 0]
    assert result.total_squares == pytest.approx(((values - values.mean()) ** 2).sum())


def test_over_topics_they_are_those_of_repeated_measures() -> None:
    table = grid("stem", "rank", "stop")
    scores = scores_of(table, topics=9)
    result = factor_effects(scores, "ap", table, interactions=3)
    expected = AnovaRM(frame_of(scores, table), "y", "topic", within=["stem", "rank", "stop"]).fit().anova_table
    for effect in result.effects:
        row = expected.loc[effect.name.replace(" × ", ":")]
        assert effect.topic_f == pytest.approx(row["F Value"], rel=1e-9)
        if effect.freedom == 1:  # nothing to correct
            assert effect.topic_p == pytest.approx(row["Pr > F"], abs=1e-9)
            assert effect.epsilon == pytest.approx(1)


def test_the_epsilon_of_greenhouse_and_geisser() -> None:
    """From the double-centred covariance of the levels, as textbooks have it."""
    table = grid("stem", "rank")
    scores = scores_of(table, topics=11)
    effect = factor_effects(scores, "ap", table)["stem"]
    means = scores.values[:, :, 0].reshape(3, 2, 11).mean(axis=1)
    covariance = np.cov(means)
    centred = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None] + covariance.mean()
    epsilon = np.trace(centred) ** 2 / (2 * (centred**2).sum())
    assert effect.epsilon == pytest.approx(epsilon)
    assert effect.topic_p == pytest.approx(stats.f.sf(effect.topic_f, 2 * epsilon, 20 * epsilon))


@pytest.mark.parametrize("better", ["high", "low"])
def test_levels_by_tukeys_test(better: str) -> None:
    table = grid("stem", "rank")
    scores = scores_of(table, topics=8, better=better)
    values = scores.values[:, :, 0].reshape(3, 2, 8)
    means = dict(zip(LEVELS["stem"], values.mean(axis=(1, 2)), strict=True))
    pooled, over = (factor_effects(scores, "ap", table, error=error) for error in ("pooled", "topics"))
    best = [row.level for row in pooled.levels if row.factor == "stem"]
    assert best == sorted(means, key=lambda level: means[level], reverse=better == "high")
    assert {row.level: row.mean for row in over.levels if row.factor == "stem"} == pytest.approx(means)
    error = np.sqrt(pooled.error_squares / pooled.error_freedom / 16)
    half = stats.studentized_range.ppf(0.95, 3, pooled.error_freedom) * error
    for pair in pooled.differences[:3]:
        gap = means[pair.a] - means[pair.b]
        expected = stats.studentized_range.sf(abs(gap) / error, 3, pooled.error_freedom)
        assert (pair.difference, pair.p) == pytest.approx((gap, expected), abs=1e-5)
        assert (pair.low, pair.high) == pytest.approx((gap - half, gap + half), abs=1e-4)
    rank = next(pair for pair in over.differences if pair.factor == "rank")
    ranks = values.mean(axis=0)
    assert rank.p == pytest.approx(stats.ttest_rel(ranks[0], ranks[1]).pvalue, abs=1e-5)


def test_marginal_means_of_an_unbalanced_grid() -> None:
    table = grid("stem", "rank", without=[1])
    scores = scores_of(table)
    result = factor_effects(scores, "ap", table, interactions=1)
    fit = ols("y ~ C(topic, Sum) + C(stem, Sum) + C(rank, Sum)", frame_of(scores, table)).fit()
    effects = [fit.params["C(stem, Sum)[S.none]"], fit.params["C(stem, Sum)[S.porter]"]]
    expected = dict(zip(LEVELS["stem"], fit.params["Intercept"] + np.array([*effects, -sum(effects)]), strict=True))
    assert {row.level: row.mean for row in result.levels if row.factor == "stem"} == pytest.approx(expected)


def test_all_tied_and_no_error_at_all() -> None:
    table = grid("stem", "rank")
    column = (Column("ap", "ap"),)
    flat = Scores(np.full((6, 4, 1), 0.3), tuple(table), tuple("abcd"), column)
    result = factor_effects(flat, "ap", table)
    assert {effect.p for effect in result.effects} == {effect.topic_p for effect in result.effects} == {1.0}
    assert {row.letters for row in result.levels} == {("a",)}
    assert "No significant effect" in result.conclusion()
    steps = np.repeat([0.1, 0.2, 0.4], 2)[:, None] + np.arange(4) / 8
    result = factor_effects(Scores(steps[:, :, None], tuple(table), tuple("abcd"), column), "ap", table)
    assert (result["stem"].p, result["stem"].topic_p, result["stem"].omega) == (0.0, 0.0, 1.0)
    assert result["rank"].p == 1.0
    assert result.to_dict()["effects"][0]["name"] == "stem"


def test_bad_designs_are_refused() -> None:
    table = grid("stem", "rank")
    scores = scores_of(table)
    same = {name: {**row, "again": row["rank"]} for name, row in table.items()}
    with pytest.raises(DataError, match=r"again varies together with stem and rank"):
        factor_effects(scores, "ap", same)
    with pytest.raises(DataError, match="the factors of s1, s2, s3 and 2 more are not given"):
        factor_effects(scores, "ap", {"s0": table["s0"]})
    with pytest.raises(DataError, match="do not differ in any factor"):
        factor_effects(scores, "ap", {name: {"x": "1"} for name in table})
    with pytest.raises(DataError, match="s3 has no stem"):
        factor_effects(scores, "ap", {**table, "s3": {"rank": "lm"}})
    with pytest.raises(DataError, match="at least 2 topics"):
        factor_effects(scores_of(table, topics=1), "ap", table)
    with pytest.raises(SpecError, match="topics or pooled"):
        factor_effects(scores, "ap", table, error="none")
    with pytest.raises(SpecError, match="1 or more factors"):
        factor_effects(scores, "ap", table, interactions=0)
    more = {**{name: {**row, "index": "one"} for name, row in table.items()}, "other": {"stem": "x", "rank": "y"}}
    notes = [str(note) for note in factor_effects(scores, "ap", more).notes]
    assert notes == [
        "index is one for all systems: it is no factor of theirs",
        "factors: other is not among the systems",
    ]


def test_components_from_specs() -> None:
    specs = ["bm25(k1=0.9)", "bm25(k1=1.2)", "bm25(analyzer=words|lower)", "bm25(k1=1.2, analyzer=words|lower)"]
    table = factors_of_specs({spec: spec for spec in specs})
    assert table[specs[3]] == {"k1": "1.2", "analyzer": "words|lower"}
    assert table[specs[2]] == {"k1": "0.9", "analyzer": "words|lower"}
    mixed = factors_of_specs({"a": "bm25", "b": "weighted(by=dirichlet(mu=500))", "c": "dirichlet(analyzer=words)"})
    assert mixed["b"] == {"system": "dirichlet(mu=500)", "analyzer": "words|lower|stop(smart)|porter"}
    assert mixed["c"]["analyzer"] == "words"
    own = factors_of_specs({"x": "python(of=a:b, settings='{\"n\": 1}')", "y": "python(of=a:b, settings='{\"n\": 2}')"})
    assert own == {"x": {"n": "1"}, "y": {"n": "2"}}
    with pytest.raises(DataError, match="myrun: its components cannot be told from its name"):
        factors_of_specs({"myrun": "myrun", "bm25": "bm25"})
    with pytest.raises(DataError, match="do not differ"):
        factors_of_specs({"a": "bm25", "b": "bm25(k1=0.9)"})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("system\na\n", "factors.csv:1: factors need a column system"),
        ("a,b\n1,2\n", "no column with the names of the systems"),
        ("system,x\na,1\na,2\n", "factors.csv:3: the system a has two rows"),
        ("system,x\na\n", "factors.csv:2: 1 columns, and the header has 2"),
        ("system,x\n,1\n", "a row without a system"),
        ("system,x\n", "no row in it"),
        ("[1]", "factors need a column system"),
        ('{"a": 1}', "the factors of a must be"),
    ],
)
def test_bad_tables_of_factors(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "factors.csv"
    path.write_text(text)
    with pytest.raises(AdjudgeError, match=why.replace("{", r"\{")) as error:
        read_factors(path)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, DataError | ConflictError)


def test_the_command_and_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = grid("stem", "rank")
    scores = scores_of(table)
    adjudge.write_scores(scores, "scores.csv")
    lines = ["system,stem,rank", *(f"{name},{row['stem']},{row['rank']}" for name, row in table.items())]
    Path("factors.csv").write_text("\n".join(lines))
    assert main(["factors", "scores.csv", "--factors", "factors.csv"]) == 0
    out = capsys.readouterr().out
    assert "stem × rank" in out
    assert "6 systems, 7 topics; factors stem (3 levels) and rank (2 levels)" in out
    assert main(["factors", "scores.csv", "--factors", "factors.csv", "-o", "out.json"]) == 0
    result = adjudge.factor_effects("scores.csv", factors="factors.csv")
    assert result.to_dict() == json.loads(Path("out.json").read_text())
    assert adjudge.factor_effects(scores, factors=pd.read_csv("factors.csv")).to_dict() == result.to_dict()
    assert result.to_polars()["effect"].to_list() == ["stem", "rank", "stem × rank", "topics", "error", "total"]
    assert "stem × rank" in result._repr_html_()
    for form in ("md", "latex", "html", "csv"):
        assert main(["factors", "scores.csv", "--factors", "factors.csv", "-f", form, "--pairs", "1"]) == 0
        assert "porter" in capsys.readouterr().out or form == "csv"
    assert main(["factors", "scores.csv"]) == 2
    assert "its components cannot be told from its name" in capsys.readouterr().err
    assert main(["factors", "scores.csv", "--of-version", "x"]) == 2
