"""Every figure, with hostile names, missing values and sizes from one system to many."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import DataError
from adjudge.core.judged import Floats
from adjudge.report.figures import (
    Figure,
    characteristic_figure,
    correlation_matrix_figure,
    distribution_figure,
    noise_figure,
    rank_moves_figure,
    scatter_figure,
    significance_matrix_figure,
    systems_figure,
    topic_bars_figure,
    value_figure,
)
from charts import CHARTS

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    "\"'&<>]]>",
    "\x00\x07\x1b[31m",
    "\ud800\udfff",
    "\u202eright to left",
    "x" * 500,
    "",
    "日本語" * 40,
    "نظام",
    "two\nlines\tand tab",
    "\ufffe\u2028",
    "&amp;",
    "&lt;",
]
ODD = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, 1e308, -1e308, 5e299, 1e-320, 1e-12, 0.3]


def parsed(figure: Figure) -> ElementTree.Element:
    """The file as a reader of XML sees it, checked for what no figure may hold."""
    inline = figure.svg(standalone=False)
    assert "<script" not in inline
    assert not re.search(r"<[^>]* (style|id|on\w+)=|<style", re.sub(r'"[^"]*"', '""', inline))
    assert not re.search(r'\b(x|y|cx|cy|r|d|width|height|x1|x2|y1|y2|transform)="[^"]*(nan|inf)', inline)
    ElementTree.fromstring(inline.encode())  # noqa: S314
    root = ElementTree.fromstring(figure.svg().encode())  # noqa: S314
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title") is not None
    assert root.find(f"{SVG}desc") is not None
    return root


def values_of(systems: int, topics: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).random((systems, topics))


def names_of(count: int, word: str = "run") -> list[str]:
    return [f"{word}{n}" for n in range(count)]


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize("count", [1, 2, 12, 36, 129])
def test_any_number_of_systems(chart: str, count: int) -> None:
    figure = CHARTS[chart](names_of(count), names_of(50, "t"), values_of(count, 50), 720)
    parsed(figure)
    assert figure.title
    assert figure.description
    assert len(figure.body) < (300_000 if chart == "correlation" else 250_000)


@pytest.mark.slow
@pytest.mark.parametrize("chart", CHARTS)
@settings(max_examples=40)
@given(data=st.data())
def test_hostile_names_and_values_stay_inside_and_well_formed(chart: str, data: st.DataObject) -> None:
    anything = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=30))
    names = data.draw(st.lists(anything, min_size=1, max_size=8))
    topics = data.draw(st.lists(anything, max_size=6))
    number = st.one_of(st.sampled_from(ODD), st.floats(-1, 1))
    cells = data.draw(st.lists(number, min_size=len(names) * len(topics), max_size=len(names) * len(topics)))
    width = data.draw(st.sampled_from([200.0, 400.0, 720.0, 1400.0]))
    figure = CHARTS[chart](names, topics, np.array(cells, float).reshape(len(names), len(topics)), width)
    for element in parsed(figure).iter():
        for key, most in (("x", figure.width), ("cx", figure.width), ("y", figure.height), ("cy", figure.height)):
            assert -20 <= float(element.get(key, 0)) <= most + 20


@pytest.mark.parametrize("chart", CHARTS)
def test_the_same_data_gives_the_same_bytes(chart: str) -> None:
    made = [CHARTS[chart](names_of(5), names_of(9, "t"), values_of(5, 9), 500).svg() for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize("chart", CHARTS)
def test_nothing_to_draw_is_said(chart: str) -> None:
    figure = CHARTS[chart](names_of(3), names_of(4, "t"), np.full((3, 4), np.nan), 400)
    texts = " ".join(element.text or "" for element in parsed(figure).iter(f"{SVG}text"))
    if not chart.startswith(("characteristic", "rank")):  # those have finds and no columns here
        assert "no " in texts


def marks(figure: Figure, name: str) -> list[str]:
    return [value for element in parsed(figure).iter() if (value := element.get(f"data-{name}")) is not None]


def test_every_datum_is_a_mark() -> None:
    names, topics, values = names_of(7), names_of(11, "t"), values_of(7, 11)
    assert sorted(marks(systems_figure(names, values[:, 0]), "system")) == sorted(names)
    bars = topic_bars_figure(topics, values[0] - values[1], a="a", b="b")
    assert sorted(marks(bars, "topic")) == sorted(topics)
    assert sorted(map(float, marks(bars, "value"))) == sorted((values[0] - values[1]).tolist())
    points = scatter_figure(topics, values[0], values[1], a="a", b="b")
    assert sorted(marks(points, "topic")) == sorted(topics)
    spread = distribution_figure(names, values, topics=topics)
    assert len(marks(spread, "topic")) == values.size
    assert sorted(marks(spread, "system")) == sorted(names)
    cells = correlation_matrix_figure(names, np.corrcoef(values))
    assert len(marks(cells, "column")) == 49
    pairs = significance_matrix_figure(names, np.full((7, 7), 0.02), np.sign(np.subtract.outer(range(7), range(7))))
    assert len(marks(pairs, "column")) == 42
    assert len(marks(noise_figure(names, ["true", "5 %"], values[:, :2]), "system")) == 7
    assert len(marks(rank_moves_figure(names, ["mean", "gm"], np.tile(np.arange(1, 8.0), (2, 1))), "system")) == 7


def test_marks_say_on_hover_what_they_are() -> None:
    bars = topic_bars_figure(["301", "302"], [0.25, -0.5], a="A", b="B", texts={"301": "foreign <minorities>"})
    hovers = [t.text for t in parsed(bars).iter(f"{SVG}title")]
    assert "301: +0.2500 — foreign <minorities>" in hovers
    assert "302: −0.5000" in hovers


def test_topics_at_the_same_place_are_one_point_that_names_them() -> None:
    figure = scatter_figure(["1", "2", "3"], [1, 1, 0], [1, 1, 0.5], a="A", b="B")
    assert marks(figure, "count") == ["2", "1"]
    assert any("2 topics: 1, 2" in (t.text or "") for t in parsed(figure).iter(f"{SVG}title"))


def test_bars_count_won_level_and_lost_as_the_measure_is_good() -> None:
    high = topic_bars_figure(["1", "2", "3"], [0.3, 0, -0.1], a="A", b="B")
    low = topic_bars_figure(["1", "2", "3"], [0.3, 0, -0.1], a="A", b="B", better="low")
    assert "A is better on 1 topic, B on 1, and they tie on 1" in high.description
    classes = [e.get("class") for e in parsed(low).iter(f"{SVG}rect") if e.get("data-topic")]
    assert classes == ["ad-won", "ad-level", "ad-lost"]
    assert marks(low, "topic") == ["3", "2", "1"]


def test_topics_without_a_value_are_counted_and_not_drawn() -> None:
    figure = topic_bars_figure(["1", "2"], [0.3, np.nan], a="A", b="B")
    assert marks(figure, "topic") == ["1"]
    assert "1 without a value for both" in figure.svg()


def test_systems_are_in_order_and_those_without_a_value_last() -> None:
    figure = systems_figure(["low", "none", "high"], [0.1, np.nan, 0.9], [[0, 0.2], [np.nan, np.nan], [0.8, 1]])
    assert marks(figure, "system") == ["high", "low", "none"]
    assert "no value" in figure.svg()
    assert marks(systems_figure(["a", "b"], [0.1, 0.9], better="low"), "system") == ["a", "b"]


def test_of_many_systems_the_best_and_the_baseline_have_labels() -> None:
    names = names_of(129)
    figure = systems_figure(names, np.linspace(1, 0, 129), baseline="run100", selected=["run77"])
    texts = {element.text for element in parsed(figure).iter(f"{SVG}text")}
    assert {"run0", "run9", "run100", "run77"} <= texts
    assert not {"run10", "run128"} & texts
    assert len(marks(figure, "system")) == 129


def test_long_names_are_short_in_labels_and_whole_on_hover() -> None:
    name = "begin-" + "x" * 500 + "-end"
    root = parsed(systems_figure([name, "b"], [0.1, 0.2]))
    label = next(e for e in root.iter(f"{SVG}text") if (e.find(f"{SVG}title") is not None))
    assert label.findtext(f"{SVG}title") == name
    shown = "".join(label.itertext()).removeprefix(name)
    assert len(shown) < 60
    assert shown.startswith("begin")
    assert shown.endswith("-end")


def test_who_is_worth_most_is_the_upper_envelope() -> None:
    from adjudge.comparison.known_item.ranks import KnownItem
    from adjudge.comparison.known_item.value import partition

    rng = np.random.default_rng(3)
    for _ in range(50):
        ranks = rng.integers(0, 40, (4, 12))
        item = KnownItem.of_ranks({f"s{n}": [int(r) or None for r in row] for n, row in enumerate(ranks)}, length=40)
        with_parts = value_figure(item.systems, item.found, item.work, parts=partition(item))
        assert value_figure(item.systems, item.found, item.work).body == with_parts.body


def test_systems_that_are_worth_nothing_are_named() -> None:
    figure = value_figure(["good", "finds nothing"], [5, 0], [10, 100])
    assert "Not worth the reading at any of these prices: finds nothing" in figure.svg()


def test_pairs_may_be_given_once() -> None:
    p = np.array([[np.nan, 0.001, 0.5], [np.nan] * 3, [np.nan, 0.02, np.nan]])
    ahead = np.array([[0, 1, 1], [0, 0, 0], [0, -1, 0]])
    figure = significance_matrix_figure(["a", "b", "c"], p, ahead)
    assert "2 of 3 pairs differ significantly" in figure.description
    hovers = [t.text for t in parsed(figure).iter(f"{SVG}title")]
    assert "b: worse than a, p = 0.001" in hovers
    assert "b: better than c, p = 0.02" in hovers


def test_curves_and_bands_of_a_known_item_study() -> None:
    from adjudge.comparison.known_item.characteristic import curves
    from adjudge.comparison.known_item.question_bootstrap import bootstrap
    from adjudge.comparison.known_item.ranks import KnownItem

    item = KnownItem.of_ranks({"A": [1, 2, None], "B": [2, 3, 5]}, length=10)
    made = curves(item)
    bands = bootstrap(item, np.random.default_rng(0), samples=100).bands["work"]
    figure = characteristic_figure(
        item.systems,
        [curve.work for curve in made],
        [curve.found for curve in made],
        questions=3,
        ends=[curve.end[1] for curve in made],
        bands=bands,
    )
    assert figure.body.count("ad-band") == 2
    assert marks(figure, "system") == ["B", "A"]
    assert sorted(marks(figure, "value")) == ["2", "3"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: systems_figure(["a"], [1, 2]), "means of a figure must be 1 numbers"),
        (lambda: systems_figure(["a"], ["x"]), "means of a figure must be numbers"),
        (lambda: systems_figure(["a"], [1], [[1, 2, 3]]), "intervals of a figure must be 1 × 2 numbers"),
        (lambda: systems_figure(["a"], [1], width=10), "at least 200 wide"),
        (lambda: systems_figure(["a"], [1], width=float("nan")), "at least 200 wide"),
        (lambda: noise_figure(["a"], ["v"], [[1]], rates=[0, 1]), "1 versions of a figure have 2 error rates"),
        (lambda: characteristic_figure(["a"], [], [], questions=1), "1 systems of a figure have 0 curves"),
        (lambda: value_figure(["a"], [-1], [2]), "must be at least 0"),
        (lambda: characteristic_figure(["a"], [[1]], [[1]], questions=2, bands=[[1]]), "bands of a figure must be"),
    ],
)
def test_what_does_not_fit_is_one_clear_line(make: object, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        make()  # type: ignore[operator]
