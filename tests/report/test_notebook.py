"""What values look like in a notebook: small tables in which data is text."""

from __future__ import annotations

import math
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.core.visible import visible_line as visible
from adjudge.report.notebook import cell, escape, html_table
from adjudge.report.text_table import TextTable

EVIL = '<img src=x onerror="alert(1)">'


class Seen(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert {name for name, _ in attrs} <= {"style", "scope", "title"}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


ALLOWED = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "strong"}


def seen(html: str) -> list[str]:
    page = Seen(html)
    assert set(page.tags) <= ALLOWED
    html.encode()
    ElementTree.fromstring(f"<div>{html}</div>")  # noqa: S314
    return page.texts


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), max_size=4), st.text(), st.text())
def test_everything_is_text(rows: list[list[str]], head: str, caption: str) -> None:
    texts = seen(html_table([head, "x"], rows, caption=caption, notes=[caption]))
    for row in rows:
        for value in row:
            shown = visible(value)
            assert not shown or (shown if len(shown) <= 200 else shown[:200] + "…") in "".join(texts)


def test_cells() -> None:
    given_values = (0.25, 3.0, -1.5, math.nan, math.inf, 12345, 1e-7, "x", -0.0)
    assert [cell(v) for v in given_values] == ["0.2500", "3", "−1.5000", "", "∞", "12,345", "1e−07", "x", "0"]
    assert escape("a\x00<") == "a\\x00&lt;"


def test_first_rows_and_how_many_more() -> None:
    rows = [[f"s{n}", float(n)] for n in range(50)]
    texts = seen(html_table(["system", "ap"], rows))
    assert "30 more rows" in texts
    assert "s19" in texts
    assert "s20" not in texts
    assert "1 more row" in seen(html_table(["a"], [["x"]], total=2))
    assert "s49" in seen(html_table(["system", "ap"], rows, shown=None))


def test_long_cells_are_cut_and_whole_on_hover() -> None:
    html = html_table(["a"], [["y" * 1000]])
    assert "y" * 1000 in html
    assert "y" * 200 + "…" in seen(html)


def test_scores() -> None:
    scores = adjudge.measure({"q1": {"d": 1}, "q2": {"d": 1}}, {EVIL: {"q1": {"d": 2.0, "e": 1.0}}}, ["ap", "gm_map"])
    texts = seen(scores._repr_html_())
    assert EVIL in texts
    assert "ap" in texts


def test_scores_whose_average_has_no_value() -> None:
    scores = adjudge.measure({"q1": {"d": 1}}, {"s": {"q1": {"e": 1.0}}}, ["ap", "rr"])
    assert "0" in seen(scores._repr_html_())


def test_runs_and_judgments() -> None:
    documents = [EVIL, "d2", *(f"d{n}" for n in range(30))]
    run = adjudge.Run.of_columns(["q1"] * 2 + ["q2"] * 30, documents, np.arange(32.0))
    texts = seen(run._repr_html_())
    assert EVIL in texts
    assert "q2" in texts
    assert "22 more rows" in texts
    qrels = adjudge.Qrels.of_columns(["q1", "q1"], ["d", "e"], np.array([1, 0], np.int32))
    assert "grade" in seen(qrels._repr_html_())


def test_verdicts() -> None:
    from adjudge.comparison.known_item.ranks import KnownItem
    from adjudge.comparison.known_item.study import Study
    from adjudge.comparison.scale.sensitivity import sensitivity

    topics = [f"q{n}" for n in range(6)]
    qrels = {t: {"d": 1} for t in topics}
    runs = {
        EVIL: {t: {"d": 2.0, "e": 1.0} for t in topics},
        "b": {t: {"d": 1.0 if n % 2 else 9.0, "e": 5.0} for n, t in enumerate(topics)},
    }
    scores = adjudge.measure(qrels, runs, ["rr"])
    found = adjudge.compare(scores, "rr")
    assert EVIL in seen(found._repr_html_())
    assert any("pairs" in text or EVIL in text for text in seen(sensitivity(scores, "rr")._repr_html_()))
    item = KnownItem.of_ranks({EVIL: [1, 2, None], "B": [2, 3, 5]}, length=10)
    assert "found of 3" in seen(item._repr_html_())
    assert any("finds at least as many items" in text for text in seen(Study(item)._repr_html_()))


def test_tables_of_reports() -> None:
    table = TextTable(["system", "ap"], [[EVIL, "0.5"], *[["b", "0.1"]] * 30], best=frozenset({(0, 1)}))
    texts = seen(table.html())
    assert EVIL in texts
    assert texts.count("b") == 30
    assert "<strong>0.5</strong>" in table.html()
    assert "11 more rows" in seen(table._repr_html_())


@pytest.mark.parametrize("value", [0.1, 1, "x"])
def test_numbers_stand_right_and_names_left(value: object) -> None:
    html = html_table(["a", "b"], [["n", value]])
    assert html.count("text-align:left") == 2
    assert html.count("text-align:right") == 2
