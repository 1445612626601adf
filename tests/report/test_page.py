"""The page as text: well-formed, complete, small, the same every time, and proof against what it shows."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import page_findings
from adjudge.comparison.matrix import mean_of_known
from adjudge.core.english import figure, p_value, plain, signed
from adjudge.core.errors import DataError
from adjudge.core.scores import Column, Scores
from adjudge.experiment.findings import Findings
from adjudge.report.page import figures, page, tables
from adjudge.report.page.data import content, safe_json, scale_of
from adjudge.report.page.parts import without_repetition
from adjudge.report.page.safe_markup import (
    Html,
    beginning_of,
    clean,
    join_children,
    name_element,
    phrase,
    shorten_middle,
    tag,
)
from adjudge.report.page.topics_section import DRAWN, drawn_topics
from page_findings import HOSTILE

SECTIONS = [
    *("systems", "compared", "groups", "topics", "lists", "distribution", "scales", "known-item", "agreement", "noise"),
    *("significance", "hardest", "provenance", "definitions", "notes"),
]
VOID = {"meta", "link", "input", "br", "col"}


class Reader(HTMLParser):
    """Elements with their attributes, the text, and whether everything that is opened is closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.parts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())


def read(text: str) -> Reader:
    made = Reader()
    made.feed(text)
    made.close()
    assert made.open == []
    return made


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture(scope="module")
def noisy() -> str:
    return page(page_findings.noisy())


def test_all_sections_are_there_in_order_and_linked(noisy: str) -> None:
    made = read(noisy)
    sections = [attributes["id"] for name, attributes in made.elements if name == "section"]
    assert sections == SECTIONS
    links = [attributes["href"] for name, attributes in made.elements if name == "a" and "href" in attributes]
    assert links[1 : len(SECTIONS) + 2] == ["#top", *(f"#{name}" for name in SECTIONS)]
    ids = [attributes["id"] for _, attributes in made.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for link in links:
        if str(link).startswith("#"):
            assert str(link)[1:] in ids


@pytest.mark.slow
def test_links_lead_to_the_files_beside_the_page(noisy: str) -> None:
    made = read(noisy)
    links = {str(attributes["href"]) for name, attributes in made.elements if name == "a" and "href" in attributes}
    beside = {link for link in links if not link.startswith("#")}
    assert {"scores.parquet", "verdicts.json", "results.csv", "plan.json", "provenance.json", "judgments.txt"} <= beside
    runs = {path for named in page_findings.noisy().runs.values() for path in named.values()}
    assert runs <= beside
    assert not any(re.match(r"[a-z]+:|/|\.\.", link) for link in beside), "relative, within the folder"
    bare = read(page(replace(page_findings.known_items(), runs={})))
    assert all(str(a["href"]).startswith("#") for n, a in bare.elements if n == "a")


def test_the_finding_comes_first(noisy: str) -> None:
    text = read(noisy).text
    parts = ("Known items", "has the highest mean reciprocal rank (MRR)", "How sure is that?", "Mean rr goes")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "On version 5 % (5.0% of the characters are wrong) alpha, the best system on the clean text, keeps" in text
    lead = re.search(r'<p class="lead".*?</p>', noisy, re.DOTALL)
    assert lead is not None
    for term in ("tau", "τ", "holm", "randomisation", "p =", "p <"):
        assert term not in lead[0], "the first paragraph needs no statistics"


def test_what_would_change_the_finding_is_not_said_twice_on_the_first_screen() -> None:
    findings = page_findings.known_items()
    first = findings.versions["true"]
    assert first.sensitivity is not None
    assert first.study is not None
    text = read(page(findings)).text
    text = text[: text.index("compared on")]
    for result in (first.sensitivity, first.study):
        assert text.count(result.conclusion().rstrip(".")) == 1, result.conclusion()


def test_each_figure_has_a_finding_and_says_how_it_is_read(noisy: str) -> None:
    plots = re.findall(r'<figure class="plot.*?</figure>', noisy, re.DOTALL)
    assert len(plots) == 4 + 3 * 9
    for one in plots:
        assert re.search(r'<p class="found">.{20,}?</p>', one, re.DOTALL), one[-500:]
        assert re.search(r'<p class="how">.{40,}?</p>', one, re.DOTALL)
        assert one.count('role="img"') == one.count("<svg") == 2, "one for wide screens, one for narrow ones"


def test_the_same_findings_give_the_same_bytes(noisy: str) -> None:
    assert page(page_findings.noisy()) == noisy


def test_nothing_is_loaded_and_only_what_is_in_the_page_may_run(noisy: str) -> None:
    made = read(noisy)
    policy = next(a["content"] for n, a in made.elements if n == "meta" and a.get("http-equiv") is not None)
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for kind, name in (("style", "style-src"), ("script", "script-src")):
        bodies = re.findall(rf"<{kind}>(.*?)</{kind}>", noisy, re.DOTALL)
        assert len(bodies) == 1
        digest = base64.b64encode(hashlib.sha256(bodies[0].encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    for name, attributes in made.elements:
        assert name not in {"link", "iframe", "img", "object", "embed", "base"}
        assert "style" not in attributes, (name, attributes)
        assert not any(key.startswith("on") or key in {"src", "action", "xlink:href"} for key in attributes)
        assert not re.match(r"\w+:|//", str(attributes.get("href", "#")))
    assert not re.search(
        r"\b(fetch|XMLHttpRequest|eval|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b", noisy
    )


def test_labels_and_controls_are_accessible(noisy: str) -> None:
    made = read(noisy)
    ids = {attributes["id"] for _, attributes in made.elements if "id" in attributes}
    for name, attributes in made.elements:
        for key in ("aria-labelledby", "aria-describedby"):
            assert attributes.get(key, next(iter(ids))) in ids
        if name in {"input", "select"}:
            assert re.search(rf'<label[^>]*>(?:(?!</label>).)*id="{attributes["id"]}"', noisy, re.DOTALL)
        if "scroll" in str(attributes.get("class", "")).split():
            assert attributes["tabindex"] == "0"
            assert attributes["aria-label"]
    assert made.elements[0] == ("html", {"lang": "en"})
    assert sum(name == "h1" for name, _ in made.elements) == 1
    assert sum(name == "main" for name, _ in made.elements) == 1


def test_names_of_measures_have_their_definitions(noisy: str) -> None:
    made = read(noisy)
    tips = {attributes.get("title") for name, attributes in made.elements if name == "abbr"}
    assert any("reciprocal" in str(tip).lower() for tip in tips)
    assert "Low values are good." in made.text


def test_the_table_has_figures_intervals_and_marks() -> None:
    findings = page_findings.noisy()
    text = page(findings)
    rows = re.findall(r'<tr data-system="(\w+)">(.*?)</tr>', text, re.DOTALL)
    assert sorted(name for name, _ in rows) == ["alpha", "beta", "gamma"]
    assert [name for name, _ in rows] == list(findings.systems)
    for name, row in rows:
        for view in findings.parts:
            s = view.place[name]
            assert f'data-v="{view.means[s]:.12g}"' in row
            low, high = view.intervals[s, 0]
            assert f"{figure(low, 3)} to {figure(high, 3)}" in row
    for name, row in rows:
        told = [view.verdict(name) for view in findings.parts]
        assert re.findall("[▲≈▼]", row) == [{1: "▲", 0: "≈", -1: "▼"}[one] for one in told if one is not None]
        assert [one is None for one in told] == [view.best == name for view in findings.parts]


@pytest.mark.slow
def test_the_values_in_the_page_are_those_of_the_scores() -> None:
    findings = page_findings.noisy()
    data = data_of(page(findings))
    for version, finding in zip(data["versions"], findings.versions.values(), strict=True):
        for m, measure in enumerate(version["measures"]):
            own = measure["values"]
            own = version["measures"][own]["values"] if isinstance(own, int) else own
            values = np.array(own, float) / measure["scale"]
            rows = [finding.scores.systems.index(data["systems"][s]) for s in version["systems"]]
            assert np.allclose(values, finding.scores.values[rows, :, m], atol=0.5001 / measure["scale"])
            assert np.allclose(measure["means"], finding.scores.values[rows, :, m].mean(axis=1), rtol=1e-5)
        item = finding.study and finding.study.item
        assert item is not None
        assert version["study"]["found"] == item.found.tolist()
        assert version["study"]["work"] == item.work.tolist()


def test_what_marks_say_stands_once_if_both_charts_say_the_same() -> None:
    wide = Html('<svg><title>all</title><g data-value="1"><title>a: 1</title></g><rect><title>b</title></rect></svg>')
    narrow = Html(
        '<svg><title>all</title><g data-system="a" data-value="1"><title>a: 1</title></g><i><title>b</title></i>'
    )
    short = without_repetition(narrow, wide)
    assert short == '<svg><title>all</title><g data-system="a"><title/></g><i><title/></i>'
    assert without_repetition(wide, Html(wide.replace("a: 1", "a: 2"))) == wide, "they say something else"
    text = page(page_findings.noisy())
    drawn = re.findall(r'<div class="scroll canvas (wide|narrow)".*?<svg.*?</svg>', text, re.DOTALL)
    assert drawn.count("wide") == drawn.count("narrow")
    assert text.count("<title/>") > 100


# -- hostile data ------------------------------------------------------------------------------------------------------


def test_mark_up_in_the_data_is_text() -> None:
    text = page(page_findings.hostile())
    raw = text.encode("utf-8")
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", raw)
    made = read(text)
    names = {name for name, _ in made.elements}
    assert "img" not in names
    assert sum(name == "script" for name, _ in made.elements) == 2
    assert not any(key.startswith("on") for _, attributes in made.elements for key in attributes)
    for part in HOSTILE[:3]:
        assert part in made.text
    assert "&lt;b&gt; &amp;" in made.text  # entities in the data are text as well
    assert "\\x00zero, \\udc80 and \\ud800" in made.text
    assert "alert('data')" in json.dumps(data_of(text))


def test_the_data_block_cannot_be_left() -> None:
    nasty = {"a": "</script><!-- \u2028 & <", "b": [1, None, 0.5]}
    text = safe_json(nasty)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == nasty


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_becomes_a_text_node(text: str) -> None:
    made = tag("p", text, title=text)
    made.encode("utf-8")
    reader = read(made)
    assert [name for name, _ in reader.elements] == ["p"]
    assert "".join(reader.parts) == clean(text)
    assert reader.elements[0][1]["title"] == clean(text)
    assert clean(clean(text)) == clean(text)
    assert json.loads(safe_json(clean(text))) == clean(text)


@given(st.text(max_size=200), st.integers(12, 80))
def test_shortened_names_keep_both_ends(text: str, most: int) -> None:
    made, whole = shorten_middle(text, most), clean(text)
    assert len(made) <= most
    if len(whole) <= most:
        assert made == whole
    else:
        head, tail = made.split("…")[0], made.rsplit("…", 1)[-1]
        assert whole.startswith(head) or "…" in whole
        assert whole.endswith(tail)
    assert len(beginning_of(text, most)) <= most


def test_phrases_name_few() -> None:
    assert read(phrase(["A"])).text == "A"
    assert read(phrase(["A", "B", "C"])).text == "A, B and C"
    assert read(phrase([str(n) for n in range(9)], 4)).text == "0, 1, 2 and 6 more"
    assert phrase([]) == ""
    assert name_element("x" * 70).startswith('<bdi class="name" title="xxx')
    assert join_children(["<", Html("<b>"), None, [">", 3]]) == "&lt;<b>&gt;3"


@pytest.mark.slow
def test_names_as_long_as_a_book() -> None:
    text = page(page_findings.known_items(tuple(letter * 50_000 for letter in "abc")))
    assert len(text.encode()) < 5_000_000
    read(text)


# -- little and much ---------------------------------------------------------------------------------------------------


def test_one_system_and_one_topic() -> None:
    text = page(page_findings.alone())
    made = read(text)
    assert "only reaches" in made.text
    assert "Nothing was tested: a comparison needs at least two systems" in made.text
    assert "there is nothing to compare topic by topic" in made.text
    assert "nan" not in made.text.lower().split()


def test_one_topic_and_two_systems() -> None:
    made = read(page(page_findings.known_items(("a", "b"), ("t",))))
    assert "a test needs at least two topics" in made.text


@pytest.mark.slow
def test_a_rival_that_does_the_same_everywhere_is_no_rival() -> None:
    findings = page_findings.known_items(("a", "b", "c"))
    first = findings.versions["true"]
    study = first.study
    assert study is not None
    ranks = study.item.ranks.copy()
    ranks[1] = ranks[0]
    made = page_findings.of_ranks("true", ("a", "b", "c"), first.scores.topics, ranks)
    assert replace(findings, versions={"true": made}).first.main_pair == ("a", "c")
    ranks[2] = ranks[0]
    made = page_findings.of_ranks("true", ("a", "b", "c"), first.scores.topics, ranks)
    same = replace(findings, versions={"true": made})
    assert same.first.main_pair == ("a", "b")
    assert "tie on every topic" in read(page(same)).text


def test_no_version_and_no_system_are_refused() -> None:
    findings = page_findings.known_items()
    with pytest.raises(DataError, match="no version"):
        page(replace(findings, versions={}))
    first = findings.versions["true"]
    empty = Scores(np.empty((0, 3, 1)), (), ("a", "b", "c"), (Column("rr", "rr"),))
    with pytest.raises(DataError, match="no system"):
        page(replace(findings, versions={"true": replace(first, scores=empty)}))
    with pytest.raises(DataError, match="main measure"):
        page(replace(findings, versions={"true": replace(first, main="ap")}))


def test_values_that_are_missing_are_dashes_and_null() -> None:
    findings = page_findings.known_items()
    first = findings.versions["true"]
    values = first.scores.values.copy()
    values[1, 2, 0] = np.nan
    values[:, :, 3] = np.nan
    values[0, 0, 1] = np.inf
    scores = Scores(values, first.scores.systems, first.scores.topics, first.scores.columns)
    means = first.figures["mean"].copy()
    means[:, 3] = np.nan
    broken = replace(
        first,
        scores=scores,
        figures={"mean": means},
        comparison=None,
        sensitivity=None,
        study=None,
        agreement=np.full((4, 4), np.nan),
        precision=np.full((3, 11), np.nan),
        intervals=np.full((3, 4, 2), np.nan),
        lists={},
    )
    text = page(replace(findings, versions={"true": broken}, relevant={}))
    made = read(text)
    sections = [attributes["id"] for name, attributes in made.elements if name == "section"]
    assert not {"scales", "known-item", "agreement", "recall-precision", "noise", "significance"} & set(sections)
    assert "the scores are incomplete" in made.text
    assert data_of(text)["versions"][0]["measures"][0]["values"][1][2] is None
    assert "NaN" not in json.dumps(data_of(text))


@pytest.mark.parametrize("better", ["high", "low", ""])
@pytest.mark.parametrize(
    "values",
    [(math.inf,), (math.inf, -math.inf), (math.nan,) * 12, (1e308,) * 12, (0.0,) * 12, (-5.0,) * 12, (1e-300,) * 12],
)
def test_values_that_measures_should_not_give(values: tuple[float, ...], better: str) -> None:
    findings = page_findings.broken(*values, better=better)
    text = page(findings)
    read(text)
    data_of(text)
    assert figures(findings)
    for table in tables(findings).values():
        json.loads(table.form("json"))


def test_versions_may_have_other_systems_and_topics() -> None:
    one = page_findings.known_items(("a", "b", "c"), ("1", "2", "3", "4"))
    two = page_findings.known_items(("b", "c", "d"), ("2", "3", "4", "5"), seed=4)
    versions = {"true": one.versions["true"], "late": replace(two.versions["true"], version="late")}
    text = page(replace(one, versions=versions))
    data = data_of(text)
    assert sorted(data["systems"]) == ["a", "b", "c", "d"]
    assert data["topics"] == ["1", "2", "3", "4", "5"]
    assert data["versions"][0]["topics"] == [0, 1, 2, 3]
    assert data["versions"][1]["topics"] == [1, 2, 3, 4]
    assert {data["systems"][s] for s in data["versions"][1]["systems"]} == {"b", "c", "d"}


@pytest.fixture(scope="module")
def large() -> Findings:
    return page_findings.large()


@pytest.mark.slow
def test_129_systems_stay_under_five_megabytes(large: Findings) -> None:
    text = page(large)
    assert len(text.encode()) < 5_000_000
    made = read(text)
    assert "Find a system" in made.text
    assert "Left out to keep this page under 5 MB" in made.text
    assert len(re.findall(r"<tr data-system=", text)) == 129
    data = data_of(text)
    assert len(data["systems"]) == 129
    assert len(data["versions"][0]["measures"]) >= 2
    assert "too large for the page" not in made.text


@pytest.mark.slow
def test_what_is_left_out_follows_the_rule() -> None:
    findings = page_findings.large(3, 20_000, 4, 2)
    left: list[str] = []
    data = content(findings, left)
    assert len(data["systems"]) == 3
    assert [m["name"] for m in data["versions"][0]["measures"]] == ["ap", "p@10"]
    assert left == [
        "values of 2 measures in the charts of two systems",
        "questions after 25 characters",
    ]
    assert data["pair"] == [0, 1]


def test_topics_beyond_what_a_screen_shows_are_drawn_evenly() -> None:
    gaps = np.random.default_rng(0).normal(size=5000)
    kept = drawn_topics(gaps)
    assert len(kept) == DRAWN
    assert {int(gaps.argmin()), int(gaps.argmax())} <= set(kept)
    assert abs(np.median(gaps[kept]) - np.median(gaps)) < 0.02
    assert drawn_topics(gaps[:100]) == list(range(100))


# -- numbers, tables, figures ------------------------------------------------------------------------------------------


def test_figures_as_people_read_them() -> None:
    numbers = (0.12344, -0.5, 12.3456, 1234.4, 0.0, math.nan, math.inf, -math.inf, -0.00001, -2.5e7)
    shown = ["0.1234", "−0.5000", "12.35", "1234", "0.0000", "–", "∞", "−∞", "0.0000", "−2.5e+07"]
    assert [figure(x) for x in numbers] == shown
    assert signed(0.25) == "+0.2500"
    assert signed(-0.25) == "−0.2500"
    assert signed(0.0) == "0.0000"
    assert plain(1.0) == "1"
    assert plain(0.25) == "0.250"
    assert p_value(0.00001) == "p < 0.0001"
    assert p_value(0.0312) == "p = 0.031"
    assert p_value(math.nan) == "no p"


@given(st.lists(st.lists(st.one_of(st.floats(-1e6, 1e6), st.just(math.nan)), min_size=3, max_size=3), min_size=1))
def test_means_of_what_is_known(rows: list[list[float]]) -> None:
    for row, mean in zip(rows, mean_of_known(np.array(rows)).tolist(), strict=True):
        known = [x for x in row if not math.isnan(x)]
        assert math.isnan(mean) if not known else math.isclose(mean, sum(known) / len(known), abs_tol=1e-6)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=20))
def test_values_keep_four_digits(values: list[float]) -> None:
    array = np.array(values)
    scale = scale_of(array)
    assert scale > 0
    known = array[np.isfinite(array)]
    if len(known) and 1e-290 < np.abs(known).max() < 1e290:
        assert np.abs(np.rint(known * scale) / scale - known).max() <= np.abs(known).max() * 6e-4
        assert np.abs(known * scale).max() < 1e9


def test_tables_for_papers() -> None:
    findings = page_findings.noisy()
    made = tables(findings)
    assert list(made) == ["systems", *(f"{name}-{n}" for n in (1, 2, 3) for name in ("measures", "pairs", "groups"))]
    assert list(tables(page_findings.known_items())) == ["systems", "measures", "pairs", "groups"]
    for table in made.values():
        assert len(set(table.header)) == len(table.header)
        assert all(len(row) == len(table.header) for row in table.rows)
        assert "\\begin{tabular}" in table.form("latex")
        assert len(json.loads(table.form("json"))) == len(table.rows)
    exact = json.loads(made["systems"].form("json"))[0]
    first = findings.versions["true"]
    place = first.scores.systems.index(exact["system"])
    assert exact["rr true"] == first.figures["mean"][place, 0]
    assert exact["low true"] == first.intervals[place, 0, 0]
    assert len(made["pairs-1"].rows) == 3
    assert made["systems"].form("latex").isascii()


def test_tables_of_hostile_names_keep_their_lines() -> None:
    for table in tables(page_findings.hostile()).values():
        assert len(table.form("md").splitlines()) == len(table.rows) + 2
        table.form("md").encode("utf-8")
        table.form("latex").encode("utf-8")


def test_figures_for_papers() -> None:
    made = figures(page_findings.noisy())
    assert all(re.fullmatch(r"[a-z-]+(-\d)?", name) for name in made)
    assert {"systems", "topic-differences", "topic-scatter", "noise", "value-2", "significance-3"} <= set(made)
    assert len(made) == 4 + 3 * 9
    assert "recall-precision-1" not in made, "flat with one relevant document per topic"
    alone = figures(page_findings.alone())
    assert "systems" in alone
    assert "noise" not in alone
    assert all(drawn.svg().startswith("<?xml") for drawn in alone.values())
