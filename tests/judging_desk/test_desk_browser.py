"""The judging desk in a real browser: two people judge sixty pairs with the keyboard alone; a third settles them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from adjudge.collection.workbench.store.open_store import open_store
from adjudge.judging_desk.desk_rules import DeskRules
from adjudge.judging_desk.desk_serving import judging_desk, open_book
from adjudge.pools.pool_files import open_pool
from adjudge.verbs.desk_verbs import pooled_documents
from adjudge.web.place import Place, listen
from browser import CONTRAST, Seen
from judging_project import make_pool_project

uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")

PAIRS = 60
"""Documents of one topic: each of two people judges all of them."""
SHOTS = os.environ.get("ADJUDGE_DESK_SHOTS", "")
"""A folder for pictures of the pages, for who wants to look at them."""


UNNAMED = "[...document.querySelectorAll('input:not([type=hidden]), textarea')].filter(e => !e.labels.length).length"


def ada(number: int) -> str:
    return "0123"[number % 4]


def bob(number: int) -> str:
    return "x" if number == 30 else "0" if number in {5, 10} else ada(number)


@contextmanager
def served(project: Path, documents: str = "docs.jsonl") -> Iterator[str]:
    place = Place(port=0)
    with open_store(str(project / "store.sqlite")) as store, listen(place) as bound:
        texts = pooled_documents(project.parent / documents, open_pool(project))
        made = judging_desk(project, store, place, "", ["Carol"], texts, DeskRules(overlap=1.0))
        server = uvicorn.Server(uvicorn.Config(made, log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def seat(browser: Any, address: str, name: str, **options: Any) -> Iterator[Any]:
    """A tab in which somebody has signed in; at the end nothing may have gone wrong behind the reader's back."""
    context = browser.new_context(viewport={"width": 1300, "height": 850}, reduced_motion="reduce", **options)
    tab, seen = context.new_page(), Seen()
    seen.watch(tab)
    tab.goto(f"{address}/")
    tab.wait_for_selector("[name=name]:focus")  # a page takes its focus after it has loaded: letters before it are lost
    tab.keyboard.type(name)
    press(tab, "Enter")
    assert tab.text_content("header .who") == name
    yield tab
    assert seen.errors == []
    assert [url for url in seen.requests if not url.startswith(f"{address}/")] == []
    context.close()


def press(tab: Any, key: str) -> None:
    """A key that leads to another page."""
    with tab.expect_navigation(wait_until="load"):
        tab.keyboard.press(key)


def shown(tab: Any) -> int:
    return int(tab.input_value("[name=document]").removeprefix("d"))


def picture(tab: Any, name: str) -> None:
    if SHOTS:
        tab.screenshot(path=str(Path(SHOTS) / name))


def read_and_undo(tab: Any) -> None:
    """Notes, search and evidence by keys; what was judged is taken back."""
    tab.keyboard.press("m")
    tab.keyboard.type("3 notes are no grades")
    tab.keyboard.press("Escape")
    tab.keyboard.press("/")
    tab.keyboard.type("warm houses")
    assert tab.text_content("#hits") == "1 found"
    tab.keyboard.press("Escape")
    tab.evaluate("getSelection().selectAllChildren(document.querySelector('#text mark'))")
    tab.keyboard.press("e")
    assert tab.input_value("#evidence-text") == "Heat"
    press(tab, "3")
    press(tab, "u")
    assert shown(tab) == 1


def test_sixty_pairs_with_the_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    project = make_pool_project(tmp_path, PAIRS, 1)
    with served(project) as address:
        with seat(browser, address, "Ada") as tab:
            press(tab, "g")
            read_and_undo(tab)
            for number in range(1, PAIRS + 1):
                assert shown(tab) == number
                if number == 3:
                    picture(tab, "judging-desk.png")
                    assert tab.evaluate(CONTRAST)[1] == []
                press(tab, ada(number))
            assert tab.url.endswith("?done=yes")
        with seat(browser, address, "Bob", color_scheme="dark") as tab:
            press(tab, "g")
            tab.set_viewport_size({"width": 400, "height": 800})
            assert tab.evaluate("document.documentElement.scrollWidth") <= 400
            assert tab.evaluate(CONTRAST)[1] == []
            assert tab.evaluate(UNNAMED) == 0
            picture(tab, "judging-desk-narrow.png")
            tab.set_viewport_size({"width": 1300, "height": 850})
            for number in range(1, PAIRS + 1):
                assert shown(tab) == number
                press(tab, bob(number))
        with seat(browser, address, "Carol") as tab:
            assert "Settle 3 disagreements" in str(tab.text_content("main"))
            for number, grade in ((5, "1"), (10, "2"), (30, "3")):
                if number == 5:
                    press(tab, "a")
                assert shown(tab) == number
                press(tab, grade)
            assert tab.url.endswith("/agreement")
            assert "0 disagreements to settle" in str(tab.text_content("main"))
            picture(tab, "judging-desk-agreement.png")
            # By hand: 59 graded by both, 2 of them not alike. Grades 0, 1, 2, 3 of Ada: 15, 15, 14, 15 (30, a 2, is the
            # one that Bob could not tell); of Bob: 17, 14, 13, 15.
            chance = (15 * 17 + 15 * 14 + 14 * 13 + 15 * 15) / 59**2
            assert tab.text_content("[data-same]") == f"{100 * 57 / 59:.1f} %"
            assert tab.text_content("[data-kappa=none]") == f"{(57 / 59 - chance) / (1 - chance):.3f}"
            tab.goto(f"{address}/export")
            with tab.expect_download() as download:
                tab.click("text=qrels.txt")
            settled = {5: 1, 10: 2, 30: 3}
            expected = [f"1 0 d{number} {settled.get(number, int(ada(number)))}" for number in range(1, PAIRS + 1)]
            assert sorted(Path(download.value.path()).read_text().splitlines()) == sorted(expected)
    with open_book(project) as book:
        assert len(book.judgments("Ada")) == len(book.judgments("Bob")) == PAIRS
        assert len(book.store.events()) == 2 * PAIRS + 2 + 3


def test_evidence_and_search_take_a_drawn_formula_for_its_symbols(browser: Any, tmp_path: Path) -> None:
    import adjudge

    fraction = "<math><mfrac><mi>heat</mi><mi>t</mi></mfrac></math>"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "d1.html").write_text(f"<html><body><p>Power is {fraction} by pumps.</p></body></html>")
    (tmp_path / "topics.jsonl").write_text('{"id": "1", "title": "power"}\n', "utf-8")
    project = tmp_path / "project"
    run = {"a": {"1": {"d1": 1.0}}}
    adjudge.pool(run, project, topics=tmp_path / "topics.jsonl", documents=tmp_path / "pages")
    with served(project, "pages") as address, seat(browser, address, "Ada") as tab:
        tab.goto(f"{address}/judge?topic=1&document=d1")
        assert tab.locator("#text .formula mfrac").count() == 1
        tab.evaluate(
            "() => { const range = document.createRange();"
            " range.setStart(document.querySelector('#text mi').firstChild, 2);"
            " range.setEndAfter(document.querySelector('#text .formula').nextSibling);"
            " getSelection().removeAllRanges(); getSelection().addRange(range); }"
        )
        tab.keyboard.press("e")
        assert tab.input_value("#evidence-text") == "heat t by pumps."
        for words, many in (("heat t by", 1), ("heatt", 0), ("is heat", 1), ("pumps", 1)):
            tab.fill("#find", words)
            tab.wait_for_function(f"document.getElementById('hits').textContent === '{many} found'")
