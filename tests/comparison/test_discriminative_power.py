"""Discriminative power: how many pairs a measure tells apart, and the difference that takes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from adjudge.cli import main
from adjudge.comparison.reliability.discriminative_power import discriminative_power, required_difference
from adjudge.core.errors import SpecError
from adjudge.core.scores import Column, Scores
from adjudge.formats.scores import read_scores

RNG = np.random.default_rng


def table(noise: tuple[float, ...] = (0.02, 0.4)) -> Scores:
    rng = RNG(0)
    level = np.linspace(0.2, 0.6, 6)[:, None] + rng.normal(0, 0.1, (1, 25))
    values = np.stack([level + rng.normal(0, own, (6, 25)) for own in noise], axis=2)
    names = tuple(f"m{i}" for i in range(len(noise)))
    columns = tuple(Column(name, name) for name in names)
    return Scores(values, tuple("abcdef"), tuple(map(str, range(25))), columns)


def test_a_measure_with_less_noise_tells_more_apart() -> None:
    precise, noisy = discriminative_power(table(), ["m0", "m1"], rng=RNG(1))
    assert precise.pairs == noisy.pairs == 15
    assert precise.share == 1
    assert noisy.share < 0.5
    assert precise.required < noisy.required
    assert precise.spread == pytest.approx(0.4, abs=0.05)
    assert (np.diff(noisy.p) >= 0).all()
    assert noisy.significant == int((noisy.p < 0.05).sum())


def test_measures_see_the_same_draws() -> None:
    twice = discriminative_power(table((0.1, 0.1)), ["m0", "m0"], rng=RNG(1))
    assert twice[0].p.tolist() == twice[1].p.tolist()
    assert twice[0].required == twice[1].required


def test_the_required_difference_is_its_slow_definition() -> None:
    values = table().values[:, :, 1]
    pairs = np.array([(0, 1), (0, 2), (1, 2), (3, 5)])
    drawn = RNG(9).spawn(1)[0].integers(0, 25, (200, 25))
    edges = []
    for a, b in pairs.tolist():
        gaps = values[a] - values[b]
        again = (gaps - gaps.mean())[drawn]
        t = np.abs(again.mean(axis=1)) / again.std(axis=1)
        edges.append(abs(again.mean(axis=1)[np.argsort(-t, kind="stable")[9]]))
    assert required_difference(values, pairs, 0.05, 200, RNG(9)) == pytest.approx(max(edges))
    assert math.isnan(required_difference(values, pairs, 0.001, 200, RNG(9)))
    same = np.repeat(values[:1], 3, axis=0)
    assert math.isnan(required_difference(same, np.array([(0, 1), (1, 2)]), 0.05, 200, RNG(9))), "nothing differs"


def test_other_tests() -> None:
    (found,) = discriminative_power(table(), ["m0"], test="t", rng=RNG(0))
    assert found.share == 1
    assert math.isnan(found.required)
    with pytest.raises(SpecError, match="alpha must lie between 0 and 1"):
        discriminative_power(table(), ["m0"], alpha=0, rng=RNG(0))


def test_on_a_track(score_matrices: Path) -> None:
    folder = score_matrices / "sigir2019-statistical" / "data"
    found = {}
    for name in ("ap", "p10", "rr"):
        path = folder / f"adhoc8_{name}.csv"
        if path.exists():
            scores = read_scores(path, measure=name)
            (found[name],) = discriminative_power(scores, [name], rng=RNG(0))
    assert found["ap"].share == pytest.approx(0.72, abs=0.02)
    assert found["ap"].share > found["p10"].share > found["rr"].share, "as Sakai and others found"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = table()
    path = tmp_path / "scores.csv"
    scores.to_polars().write_csv(path)
    assert main(["discriminative-power", str(path), "--samples", "300"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[1].split()[:4] == ["m0", "15", "of", "15"]
    assert "100.0% of 15 pairs differ significantly by m0 at 0.05 (bootstrap(samples=300))" in text
    assert main(["discriminative-power", str(path), "-m", "m1", "--test", "tukey(200)", "-f", "json"]) == 0
    (data,) = json.loads(capsys.readouterr().out)
    assert data["required_difference"] is None
    assert len(data["p"]) == data["pairs"] == 15
    assert main(["discriminative-power", str(path), "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("measure,significant,pairs,share")
    assert main(["discriminative-power", str(path), "--samples", "9", "--test", "t"]) == 2
    assert "--samples belongs to the bootstrap" in capsys.readouterr().err
