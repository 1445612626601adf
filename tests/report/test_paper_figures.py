"""The figures of the papers: targets found by rank, by work and by group, and the histogram of the example."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from adjudge.cli import main
from adjudge.comparison.known_item.study import study_items
from adjudge.core.errors import DataError
from adjudge.report.figures import Figure, histogram_figure
from adjudge.report.figures.histogram import bin_counts, bin_edges
from adjudge.report.track_figures import kinds, paper_figures
from known_items import of


def drawn(figure: Figure) -> dict[str, str]:
    """The path of each system as it is drawn, with its colour."""
    marks = re.findall(
        r'<g class="ad-mark" data-system="([^"]*)"[^>]*>.*?<path class="([^"]*)" d="([^"]*)"', figure.body
    )
    return {system: f"{look} {path}" for system, look, path in marks}


STUDY = study_items(
    of(rutcf=[9, 9, None], gmu961=[1, 2, 4], gmu962=[2, 2, None], ETHFR94N=[1, None, None], ETHFR94P=[2, 3, 5]),
    samples=0,
)


def test_all_systems_by_rank_and_by_work_and_one_of_each_team() -> None:
    by_rank, by_work, by_group = paper_figures(STUDY).values()
    assert list(drawn(by_rank)) == list(drawn(by_work)) == list(reversed(STUDY.systems))
    assert set(drawn(by_group)) == {"rutcf", "gmu961", "ETHFR94P"}
    assert "gmu961 of gmu by dominance; ETHFR94P of eth by mean reciprocal rank" in by_group.description
    assert "rank down to which all lists are read" in by_rank.body
    assert "documents read" in by_work.body


def test_a_system_has_the_same_colour_in_all_three() -> None:
    colours = [
        {system: re.search(r"ad-s(\d)", path)[1] for system, path in drawn(figure).items()}  # type: ignore[index]
        for figure in paper_figures(STUDY).values()
    ]
    assert colours[0] == colours[1]
    assert colours[2].items() <= colours[0].items()
    assert len(set(colours[0].values())) == 5


def test_the_curves_are_those_of_readers() -> None:
    # Three lists of ten: gmu961 has read 3 after round 1, 5 after round 2 and 7 after round 4.
    path = drawn(paper_figures(STUDY)["figure-2-by-work"])["gmu961"]
    places = [float(x) for x in re.findall(r"H([\d.]+)V", path)]
    scale = (places[1] - places[0]) / 2
    assert [round((x - 40) / scale) for x in places[:3]] == [3, 5, 7]


def test_kinds() -> None:
    assert kinds(["gmu961", "gmu962", "bm25", "bm25(k1=2)", "clarit(folds=2)", "CLCONF", "mine"]) == {
        "gmu": ["gmu961", "gmu962"],
        "bm25": ["bm25", "bm25(k1=2)"],
        "clarit": ["clarit(folds=2)", "CLCONF"],
        "mine": ["mine"],
    }


def test_as_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 t 1\n2 0 t 1\n")
    Path("A").write_text("1 Q0 t 1 9 A\n2 Q0 t 1 9 A\n")
    Path("B").write_text("1 Q0 t 1 9 B\n2 Q0 x 1 9 B\n")
    command = ["known-item", "qrels", "A", "B", "--samples", "0", "--figures", "out/figures"]
    assert main([*command, "--group", "team=A,B"]) == 0
    figures = sorted(path.name for path in Path("out/figures").iterdir())
    assert figures == ["figure-1-by-rank.svg", "figure-2-by-work.svg", "figure-3-by-group.svg"]
    third = Path("out/figures/figure-3-by-group.svg").read_text()
    assert 'data-system="A"' in third
    assert 'data-system="B"' not in third
    for wrong, why in (
        (["--group", "team=A,C"], "no system 'C' here"),
        (["--group", "team"], "must be NAME=RUN,RUN"),
        (["--group", "team=A", "--group", "team=B"], "given twice"),
    ):
        capsys.readouterr()
        assert main([*command, *wrong]) == 2
        assert why in capsys.readouterr().err
    assert main(["known-item", "qrels", "A", "--group", "x=A"]) == 2
    assert "--group needs --figures" in capsys.readouterr().err
    assert main(["known-item", "qrels", "A", "--figures", "A"]) == 2
    assert "A: cannot be made" in capsys.readouterr().err


def test_the_histogram_of_the_example() -> None:
    values = [0, 0, 0, 0.01, 0.1, 0.3, 0.3, 0.7, 0.99, 1.0]
    counts = bin_counts(np.array(values), bin_edges(0, 1, 10)).tolist()
    assert counts == [4, 1, 0, 2, 0, 0, 0, 1, 0, 2], "an edge counts above it, and 1 in the last bin"
    figure = histogram_figure(["example"], [values], measure="ap")
    assert [int(many) for many in re.findall(r'data-system="example" data-value="(\d+)"', figure.body)] == counts


@pytest.mark.parametrize(("low", "high"), [(-3.0, 7.0), (0.0, 1.5), (2.0, 2.0), (-1.0, -1.0), (0.0, 1e-9)])
def test_bins_hold_every_value_wherever_they_lie(low: float, high: float) -> None:
    values = np.linspace(low, high, 50)
    edges = bin_edges(low, high, 10)
    assert edges[0] <= low
    assert edges[-1] >= high
    assert np.allclose(np.diff(edges), edges[1] - edges[0])
    assert bin_counts(np.append(values, np.nan), edges).sum() == 50


def test_too_many_histograms_are_refused() -> None:
    with pytest.raises(DataError, match="room for the histograms of 12 systems, not of 13"):
        histogram_figure([str(i) for i in range(13)], np.zeros((13, 2)))


def test_histogram_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("topic,example\n1,0.05\n2,0.5\n3,0.55\n")
    assert (
        main(["sensitivity", str(table), "-m", "ap", "--halves", "0.05", "--histogram", str(tmp_path / "h.svg")]) == 0
    )
    assert 'data-value="2" data-low="0.5" data-high="0.6"' in (tmp_path / "h.svg").read_text()
    assert main(["sensitivity", str(table), "-m", "ap", "--histogram", str(table)]) == 2
    assert "would be overwritten" in capsys.readouterr().err
