"""The page in a real browser: nothing runs that should not, nothing is asked of the network, and everything works."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import page_findings
from adjudge.comparison.known_item.value import partition
from adjudge.experiment.findings import Findings
from adjudge.report.page import page
from adjudge.report.page.safe_markup import clean
from adjudge.report.page.topics_section import pair_sentence
from browser import CONTRAST, Seen
from page_findings import HOSTILE

WIDTHS = (400, 1400)


Open = Callable[..., AbstractContextManager[tuple[Any, Seen]]]


def point_at(tab: Any, selector: str) -> str:
    """Hold the mouse over the first such mark until its tip is seen; gives its topic."""
    mark = tab.locator(selector).first
    mark.scroll_into_view_if_needed()
    tab.wait_for_timeout(100)  # scrolling hides tips
    tab.mouse.move(1, 1)
    mark.hover(force=True)
    tab.locator("#tip").wait_for(state="visible")
    return str(mark.get_attribute("data-topic"))


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Open:
    """Opens findings as a page; at the end nothing may have gone wrong."""

    @contextmanager
    def run(findings: Findings, *, width: int = 1400, **options: Any) -> Iterator[tuple[Any, Seen]]:
        path = tmp_path / "report.html"
        path.write_text(page(findings), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **options)
        seen = Seen()
        tab = context.new_page()
        seen.watch(tab)
        tab.goto(path.as_uri())
        yield tab, seen
        assert seen.errors == []
        assert set(seen.requests) == {path.as_uri()}
        context.close()

    return run


def test_hostile_data_is_shown_and_does_nothing(opened: Open) -> None:
    with opened(page_findings.hostile()) as (tab, _):
        text = tab.inner_text("body")
        for part in HOSTILE[:3]:
            assert clean(part) in text
        assert tab.locator("img").count() == 0
        assert tab.locator("script").count() == 2
        lists = ("#lists-topic", "#lists-a", "#lists-b", "#lists-version")
        for name in ("#pair-a", "#pair-b", "#pair-measure", "#pair-version", "#worth-version", *lists):
            for place in range(tab.locator(f"{name} option").count()):
                tab.select_option(name, index=place)
        assert HOSTILE[0] in tab.inner_text("#pair-bars")
        assert HOSTILE[0] in tab.inner_text("#worth-list")
        for where in ("#pair-bars", "#pair-scatter", "#distribution"):
            point_at(tab, f"{where} .canvas.wide [data-topic]")
        tab.wait_for_timeout(100)


def test_the_slider_shows_who_is_worth_most(opened: Open) -> None:
    findings = page_findings.noisy()
    item = findings.versions["true"].study.item  # type: ignore[union-attr]
    parts = partition(item)
    assert len(parts) > 1
    leaders = set()
    with opened(findings) as (tab, _):
        tab.focus("#worth-slider")
        for key in ("Home", "ArrowRight", "PageUp", "PageUp", "PageUp", "PageUp", "PageUp", "ArrowLeft", "End"):
            tab.keyboard.press(key)
            ratio = float(tab.input_value("#worth-exact"))
            worth = dict(zip(item.systems, item.value(ratio).tolist(), strict=True))
            rows = tab.eval_on_selector_all("#worth-list li", "rows => rows.map(r => [r.dataset.system, +r.dataset.v])")
            assert dict(rows) == worth
            assert [value for _, value in rows] == sorted(worth.values(), reverse=True)
            best = {system for system, value in worth.items() if value == max(worth.values())}
            shown = tab.locator("#worth-best .name").all_inner_texts()
            assert best == set(shown[: len(best)])
            leaders |= best
            assert tab.get_attribute("#worth-slider", "aria-valuetext").startswith("v/c = ")
        assert leaders >= {system for part in parts for system in part.best}


def test_an_exact_price_and_another_version(opened: Open) -> None:
    findings = page_findings.noisy()
    with opened(findings) as (tab, _):
        tab.select_option("#worth-version", label="20 %")
        for typed in ("37.5", "0", "123456"):
            tab.fill("#worth-exact", typed)
            item = findings.versions["20 %"].study.item  # type: ignore[union-attr]
            worth = dict(zip(item.systems, item.value(float(typed)).tolist(), strict=True))
            rows = tab.eval_on_selector_all("#worth-list li", "rows => rows.map(r => [r.dataset.system, +r.dataset.v])")
            assert dict(rows) == worth
        before = tab.inner_text("#worth-best")
        tab.fill("#worth-exact", "")
        assert tab.inner_text("#worth-best") == before
        end = float(tab.get_attribute("#worth-slider", "max"))
        assert float(tab.input_value("#worth-slider")) == end  # as far as it goes
        tab.fill("#worth-exact", "37.5")
        assert math.isclose(float(tab.input_value("#worth-slider")), math.log10(37.5), abs_tol=0.01)


def test_hover_shows_the_topic(opened: Open) -> None:
    findings = page_findings.noisy()
    with opened(findings) as (tab, _):
        assert not tab.locator("#tip").is_visible()
        for place in ("#pair-bars", "#pair-scatter"):
            topic = point_at(tab, f"{place} .canvas.wide [data-topic]").split()[0]
            assert topic in tab.inner_text("#tip")
        topic = point_at(tab, "#pair-bars .canvas.wide [data-topic]")
        assert findings.questions[topic] in tab.inner_text("#tip")
        box = tab.locator("#tip").bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 1400
        tab.keyboard.press("Escape")
        assert not tab.locator("#tip").is_visible()


def test_choosing_systems_redraws(opened: Open) -> None:
    findings = page_findings.noisy()
    with opened(findings) as (tab, _):
        for version, view in enumerate(findings.parts):
            tab.select_option("#pair-version", index=version)
            for a, b in (("gamma", "alpha"), ("beta", "gamma")):
                tab.select_option("#pair-a", label=a)
                tab.select_option("#pair-b", label=b)
                one, other = (view.values[view.place[name]] for name in (a, b))
                said = re.sub("<[^>]*>", "", pair_sentence(view, a, b))
                assert tab.inner_text("#pair-bars .found") == said
                assert tab.locator("#pair-bars .canvas.wide rect[data-topic]").count() == len(view.topics)
                values = tab.eval_on_selector_all(
                    "#pair-data tbody tr", "rows => rows.map(r => r.cells[4].textContent.replace('−', '-'))"
                )
                assert np.allclose(sorted(map(float, values)), sorted(one - other), atol=1e-4)
        tab.select_option("#pair-measure", label="rank")  # low values are good there
        ranks = findings.parts[-1].scores[:, :, "rank"]
        won = int((ranks[1] < ranks[2]).sum())
        assert f"beta is better than gamma on {won} of" in tab.inner_text("#pair-bars .found")
        assert tab.locator("#pair-bars .canvas.wide rect.ad-won[data-topic]").count() == won
        assert "p" not in tab.inner_text("#pair-bars .found").split()
        tab.select_option("#pair-b", label="beta")
        assert "ties on 12" in tab.inner_text("#pair-bars .found")


def test_missing_and_infinite_values_can_be_chosen(opened: Open) -> None:
    with opened(page_findings.broken(math.nan, math.inf, -math.inf, math.nan)) as (tab, _):
        for a in range(3):
            for b in range(3):
                tab.select_option("#pair-a", index=a)
                tab.select_option("#pair-b", index=b)
                assert "NaN" not in tab.inner_text("#topics")
                assert "Infinity" not in tab.inner_text("#topics")
    with opened(page_findings.broken(*[math.nan] * 12)) as (tab, _):
        tab.select_option("#pair-a", index=2)
        assert "no value on the same topic" in tab.inner_text("#pair-bars")


def test_columns_sort_by_click_and_by_key(opened: Open) -> None:
    findings = page_findings.noisy()
    view = findings.first
    table = "#systems-table"

    def shown(tab: Any) -> list[str]:
        return list(tab.eval_on_selector_all(f"{table} tbody tr", "rows => rows.map(r => r.dataset.system)"))

    with opened(findings) as (tab, _):
        assert shown(tab) == [view.systems[s] for s in view.order]
        buttons = tab.locator(f"{table} thead button")
        buttons.nth(0).click()
        assert shown(tab) == ["alpha", "beta", "gamma"]
        buttons.nth(0).click()
        assert shown(tab) == ["gamma", "beta", "alpha"]
        last = tab.locator(f"{table} thead th").last
        assert last.get_attribute("data-better") == "low"
        buttons.last.focus()
        tab.keyboard.press("Enter")
        assert last.get_attribute("aria-sort") == "ascending"
        assert tab.locator(f"{table} [aria-sort]").count() == 1
        ranks = dict(zip(view.systems, view.figures["mean"][:, 3].tolist(), strict=True))
        assert shown(tab) == sorted(ranks, key=lambda name: ranks[name])
        buttons.nth(1).click()
        assert shown(tab) == [view.systems[s] for s in view.order]


def test_many_systems_can_be_searched_and_fit(opened: Open) -> None:
    with opened(page_findings.large()) as (tab, _):
        assert tab.locator("#systems-table tbody tr:visible").count() == 129
        tab.fill("#systems-filter", "RUN77")
        assert tab.locator("#systems-table tbody tr:visible").count() == 1
        assert tab.inner_text("#systems-shown") == "1 of 129"
        tab.fill("#systems-filter", "")
        box = tab.locator("#systems .long").first
        box.evaluate("box => { box.scrollTop = 900; }")
        head = tab.locator("#systems-table thead th").first.bounding_box()
        assert abs(head["y"] - box.bounding_box()["y"]) < 2  # the header stays
        tab.select_option("#pair-a", index=128)
        assert tab.locator("#pair-bars .canvas.wide rect[data-topic]").count() == 250


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("make", [page_findings.noisy, page_findings.hostile, page_findings.alone])
def test_nothing_is_wider_than_the_screen(opened: Open, width: int, make: Callable[[], Findings]) -> None:
    with opened(make(), width=width) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        for one in ("h1", ".lead", ".facts"):
            box = tab.locator(one).first.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def test_dark_and_light(opened: Open) -> None:
    findings = page_findings.known_items()
    with opened(findings, color_scheme="dark") as (tab, _):
        dark = tab.evaluate(BACKGROUND)
        assert tab.inner_text("#theme") == "Light"
        tab.click("#theme")
        light = tab.evaluate(BACKGROUND)
        assert light != dark
        assert tab.evaluate("getComputedStyle(document.querySelector('svg .ad-text')).fill") != light
        tab.focus("#theme")
        tab.keyboard.press("Enter")
        assert tab.evaluate(BACKGROUND) == dark
    with opened(findings, color_scheme="light") as (tab, _):
        assert tab.evaluate(BACKGROUND) == light
        tab.emulate_media(color_scheme="dark")
        assert tab.evaluate(BACKGROUND) == dark


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_contrast(opened: Open, mode: str) -> None:
    with opened(page_findings.noisy(), color_scheme=mode) as (tab, _):
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        seen, low = tab.evaluate(CONTRAST)
        assert seen > 300
        assert low == []


def test_it_can_be_read_without_javascript(opened: Open) -> None:
    findings = page_findings.noisy()
    with opened(findings, java_script_enabled=False) as (tab, _):
        for name in ("systems", "topics", "distribution", "scales", "known-item", "significance", "hardest", "notes"):
            assert tab.locator(f"#{name} h2").is_visible()
        assert tab.locator(".needs-js:visible").count() == 0
        visible = tab.locator("figure svg:visible").count()
        assert visible == 12
        assert tab.locator("#systems-table tbody tr").count() == 3
        assert "alpha" in tab.inner_text("#systems-table")
        tab.click("#provenance summary >> nth=0")
        assert tab.locator("#provenance table").first.is_visible()


def test_print_is_light_and_whole(opened: Open) -> None:
    with opened(page_findings.large(), color_scheme="dark") as (tab, _):
        tab.emulate_media(media="print")
        assert tab.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
        assert not tab.locator("nav").is_visible()
        assert not tab.locator("#pair").is_visible()
        height = "box => [box.scrollHeight, box.clientHeight]"
        whole, shown = tab.locator("#systems .long").first.evaluate(height)
        assert whole - shown <= 1
        assert len(tab.pdf()) > 10_000


def test_the_keyboard_reaches_everything(opened: Open) -> None:
    with opened(page_findings.noisy()) as (tab, _):
        reached = set()
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.className") == "skip"
        for _ in range(120):
            tab.keyboard.press("Tab")
            reached.add(tab.evaluate("document.activeElement.id"))
        assert {"theme", "pair-a", "pair-b", "pair-measure", "pair-version", "worth-slider", "worth-exact"} <= reached


def test_a_chosen_pair_stands_in_the_address(opened: Open) -> None:
    findings = page_findings.noisy()
    with opened(findings) as (tab, _):
        tab.select_option("#pair-version", label="5 %")
        tab.select_option("#pair-a", label="gamma")
        tab.select_option("#pair-b", label="beta")
        tab.select_option("#pair-measure", label="success@10")
        address, said = tab.url, tab.inner_text("#pair-bars .found")
        assert "#compare?" in address
        tab.goto("about:blank")
        tab.goto(address)
        assert tab.inner_text("#pair-bars .found") == said
        shown = [tab.locator(f"#pair-{name} option:checked").inner_text() for name in ("a", "b", "measure", "version")]
        assert shown == ["gamma", "beta", "success@10", "5 %"]
        assert tab.evaluate("document.querySelector('#topics').getBoundingClientRect().top") < 200
        tab.goto(address.split("#")[0] + "#compare?a=nobody&b=%3Cimg%3E&on=x&version=y")
        tab.reload()
        assert tab.locator("#pair-a option:checked").inner_text() == findings.first.best  # unknown names are ignored


def test_ranked_lists_of_any_topic_and_systems(opened: Open) -> None:
    findings = page_findings.noisy()
    view = findings.parts[1]
    with opened(findings) as (tab, _):
        assert tab.locator("#lists-topic option").count() == len(view.topics)
        tab.select_option("#lists-version", label="5 %")
        tab.select_option("#lists-topic", index=4)
        tab.select_option("#lists-a", label="gamma")
        tab.select_option("#lists-b", label="alpha")
        topic = view.topics[4]
        for column, system in enumerate(("gamma", "alpha")):
            wanted = view.lists[topic][view.place[system]]
            box = tab.locator("#lists-shown .beside > div").nth(column)
            assert box.locator("h4").inner_text() == system
            assert box.locator("li .name").all_inner_texts() == list(wanted)
            known = findings.grades[topic]
            marks = ["unjudged" if d not in known else "relevant" if known[d] else "not relevant" for d in wanted]
            assert box.locator("li .grade").all_inner_texts() == marks
        assert f"On topic {topic}, gamma and alpha have" in tab.inner_text("#lists-shown")
        shown, address = tab.inner_text("#lists-shown"), tab.url
        tab.goto("about:blank")
        tab.goto(address)
        assert tab.inner_text("#lists-shown") == shown


@pytest.mark.parametrize("kind", ["SVG", "PNG"])
def test_a_chart_can_be_saved(browser: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(page(page_findings.known_items()), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(path.as_uri())
    with tab.expect_download() as download:
        tab.locator("#systems .save button", has_text=kind).click()
    assert download.value.suggested_filename == f"systems.{kind.lower()}"
    data = Path(download.value.path()).read_bytes()
    if kind == "PNG":
        assert data.startswith(b"\x89PNG")
        assert int.from_bytes(data[16:20]) == 2080
    else:
        text = data.decode()
        assert text.startswith("<svg")
        assert "var(--" not in text, "colours are written out"
        assert "alpha" in text
    context.close()


def test_narrow_screens_have_charts_of_their_own(opened: Open) -> None:
    findings = page_findings.noisy()
    with opened(findings, width=400) as (tab, _):
        assert tab.locator("figure.both > .canvas.wide:visible").count() == 0
        dots = tab.locator("#systems .canvas.narrow [data-system='alpha'] circle").first
        dots.scroll_into_view_if_needed()
        box = dots.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 400, "the best system is on the screen"
        both = [
            tab.locator(f"#distribution figure > .canvas.{kind} g title").all_text_contents()
            for kind in ("wide", "narrow")
        ]
        assert all(both[1])
        assert both[0] == both[1], "the script fills the titles that stand in the wide chart alone"
        tab.select_option("#pair-a", label="gamma")
        assert tab.locator("#pair-bars .canvas.narrow rect[data-topic]:visible").count() == len(findings.first.topics)
    with opened(findings, width=1400) as (tab, _):
        assert tab.locator(".canvas.narrow:visible").count() == 0
        assert tab.locator("#systems .canvas.wide svg").bounding_box()["width"] > 900


def test_a_system_has_one_colour_in_all_charts(opened: Open) -> None:
    with opened(page_findings.noisy()) as (tab, _):
        for system in ("alpha", "beta", "gamma"):
            fills = {
                tab.locator(f"{where} .canvas.wide [data-system='{system}'] {mark}").first.evaluate(
                    "(mark, kind) => getComputedStyle(mark)[kind]", kind
                )
                for where, mark, kind in (
                    ("#systems", "circle:not(.ad-catch)", "fill"),
                    ("#distribution", ".ad-box", "fill"),
                    ("#scales", "path", "stroke"),
                    ("#noise", "path", "stroke"),
                    ("#known-item", "path", "stroke"),
                )
            }
            assert len(fills) == 1, (system, fills)
        fills = {
            tab.locator(mark).first.evaluate("mark => getComputedStyle(mark).fill")
            for mark in (
                "#systems .canvas.wide [data-system='alpha'] circle",
                "#pair-bars .canvas.wide rect.ad-won[data-topic]",
            )
        }
        assert len(fills) == 1
