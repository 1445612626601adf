"""The workbench in a real browser: a thread from start to export with the keyboard alone, and a dump that attacks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from adjudge.collection.qa.threads import Candidate
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.serving import workbench
from adjudge.collection.workbench.state import decisions_on
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.web.place import Place, listen
from browser import CONTRAST, Seen
from workbench_people import HEP, JUDGED, LABELS, MATH, accept
from workbench_project import SCRIPT, hostile, make, plain, quintic

uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")

QUINTIC = "14655"
COUNT_KEYS = "self.keysSeen = 0; addEventListener('keyup', () => { self.keysSeen += 1; }, true);"


@dataclass
class Bench:
    """A workbench that answers, and its state."""

    address: str
    board: Board

    def sheet(self, who: str = "Ada", thread: str = QUINTIC, role: str = "assessor") -> dict[Any, str]:
        self.board.refresh()
        return dict(self.board.sheet(thread, role, who).values)


Serve = Callable[..., AbstractContextManager[Bench]]
Open = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def served(tmp_path: Path) -> Serve:
    @contextmanager
    def run(*candidates: Candidate, name: str = "Ada") -> Iterator[Bench]:
        project = make(tmp_path / "project", *(candidates or (quintic(), plain(101), plain(102))))
        place = Place(port=0)
        with open_store(str(project.store_path)) as store, listen(place) as bound:
            made = workbench(project, store, place, name, adjudicators=[name] if name else ())
            server = uvicorn.Server(uvicorn.Config(made, log_level="error", lifespan="off", ws="none"))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
            thread.start()
            try:
                yield Bench(f"http://127.0.0.1:{bound.getsockname()[1]}", Board(store, project.candidates))
            finally:
                server.should_exit = True
                thread.join()

    return run


@pytest.fixture
def opened(browser: Any) -> Open:
    """A tab; at the end nothing may have gone wrong and nothing been asked of anybody else."""

    @contextmanager
    def run(
        bench: Bench,
        path: str = "/",
        *,
        width: int = 1400,
        expected: str | None = None,
        deciding: Callable[[Any], object] | None = None,
        **options: Any,
    ) -> Iterator[Any]:
        """`expected`: words of errors that may be seen. `deciding`: what happens to decisions on their way."""
        context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **options)
        seen = Seen()
        tab = context.new_page()
        seen.watch(tab)
        tab.add_init_script(COUNT_KEYS)
        if deciding is not None:
            tab.route("**/decide", deciding)  # before the page is loaded: no request of it can slip past
        tab.goto(bench.address + path)
        yield tab
        assert [error for error in seen.errors if expected is None or expected not in error] == []
        assert [url for url in seen.requests if not url.startswith(f"{bench.address}/")] == []
        context.close()

    return run


def settle(tab: Any) -> None:
    """Until all that was pressed is kept and shown."""
    tab.wait_for_selector("body:not([data-busy])")


def press(tab: Any, keys: str) -> None:
    """Keys of one page, until each has arrived and what it asked for is done."""
    before = tab.evaluate("self.keysSeen")
    for key in keys.split():
        tab.keyboard.press(key)
    tab.wait_for_function(f"self.keysSeen >= {before + len(keys.split())}")
    settle(tab)


def late(milliseconds: int) -> Callable[[Any], object]:
    """Decisions that arrive after a while."""
    return lambda route: (route.request.frame.page.wait_for_timeout(milliseconds), route.continue_())


def at(tab: Any) -> str:
    return str(tab.evaluate("document.activeElement.id"))


def test_a_thread_from_start_to_export_with_the_keyboard(  # noqa: PLR0915
    served: Serve, opened: Open, tmp_path: Path
) -> None:
    with served() as bench, opened(bench) as tab:
        for _ in range(30):
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.textContent") == "Begin":
                break
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".bench")
        assert at(tab) == "clear"
        press(tab, "y y")
        assert at(tab) == "s1"
        press(tab, "x b b 1 2")
        assert [tab.locator(f"#s{n} .mark").inner_text() for n in range(1, 6)] == ["–", "P", "P", "1", "2"]
        assert at(tab) == "j1-0"
        press(tab, "t")
        press(tab, "d")
        assert at(tab) == "j1-1"
        press(tab, "o o")
        assert at(tab) == "j2-1"
        press(tab, "t")
        press(tab, "i")
        assert "All is decided" in tab.inner_text(".to-go")
        press(tab, "u")
        assert tab.locator("#j2-1 [value=indirect]").get_attribute("aria-pressed") == "false"
        press(tab, "r")
        assert tab.locator("#j2-1 [value=indirect]").get_attribute("aria-pressed") == "true"
        tab.keyboard.press("m")
        tab.keyboard.type("Table 3, it says: f u a y.")
        tab.keyboard.press("Escape")
        settle(tab)
        tab.keyboard.press("?")
        assert tab.locator("#help").is_visible()
        tab.keyboard.press("Escape")
        assert not tab.locator("#help").is_visible()
        tab.keyboard.press("f")
        tab.wait_for_url("**/thread?id=101*")
        assert at(tab) == "clear"
        tab.keyboard.press("h")
        tab.wait_for_url("**/thread?id=14655")
        assert "accepted" in tab.inner_text(".to-go")
        final = decisions_on(bench.board).final
        assert [(one.thread, one.assessor, one.accepted, one.note) for one in final] == [
            (QUINTIC, "Ada", True, "Table 3, it says: f u a y.")
        ]
        assert [(label.kind, label.micro_topic) for label in final[0].labels] == [
            ("neither", 0), ("prelude", 0), ("prelude", 0), ("query", 1), ("query", 2),
        ]  # fmt: skip
        assert [(j.micro_topic, j.document, j.totality, j.directness) for j in final[0].judgments] == [
            (1, HEP, "total", "direct"),
            (1, MATH, "unrelated", ""),
            (2, HEP, "unrelated", ""),
            (2, MATH, "total", "indirect"),
        ]
        for _ in range(90):
            tab.keyboard.press("Shift+Tab")
            if tab.evaluate("document.activeElement.textContent") == "Export":
                break
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/export")
        for _ in range(30):
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.type") == "checkbox":
                tab.keyboard.press("Space")
            if tab.evaluate("document.activeElement.name") == "people":
                tab.keyboard.type("1")  # one person has finished it, two are wanted
            if tab.evaluate("document.activeElement.textContent") == "Write the collection":
                break
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".written")
        assert "1 topic, 2 micro-topics, 2 judgments" in tab.inner_text(".written")
        written = tmp_path / "project" / "collection"
        assert (written / "qrels.txt").read_text() == (
            f"14655.1 0 {HEP} 2\n14655.1 0 {MATH} 0\n14655.2 0 {HEP} 0\n14655.2 0 {MATH} 1\n"
        )
        assert "Where is a table of the low ones printed?" in (written / "topics.trec").read_text()


def test_rejecting_takes_two_keys(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}") as tab:
        press(tab, "n")
        assert not tab.locator(".topics").is_visible()
        tab.keyboard.press("f")
        tab.wait_for_url("**/thread?id=101*")
        assert decisions_on(bench.board).final[0].accepted is False


def test_keys_that_come_faster_than_answers(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}", deciding=late(50)) as tab:
        press(tab, "y y x b b 1 2")
        assert {item.sentence: value for item, value in bench.sheet().items() if item.sentence} == LABELS
        assert len(bench.board.history(QUINTIC)) == 7


def test_a_plain_thread_takes_seven_keys(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, "/thread?id=101") as tab:
        for key in "yyagtdf":  # without waiting for any answer
            tab.keyboard.press(key)
        tab.wait_for_url("**/thread?id=102*")
        final = {one.thread: one for one in decisions_on(bench.board).final}
        assert final["101"].judgments[0].grade == 2


def test_a_note_being_written_is_not_lost(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}", deciding=late(300)) as tab:
        tab.keyboard.press("y")
        tab.keyboard.press("m")
        tab.keyboard.type("half a ")
        settle(tab)
        tab.keyboard.type("note")
        assert tab.input_value("#note-text") == "half a note"
        tab.keyboard.press("Escape")
        settle(tab)
        assert sorted(bench.sheet().values()) == ["half a note", "yes"]


def test_an_answer_that_is_lost_is_asked_for_again(served: Serve, opened: Open) -> None:
    tries: list[int] = []

    def lose(route: Any) -> None:
        """The decision arrives, its answer does not."""
        tries.append(1)
        if len(tries) == 1:
            route.fetch(max_redirects=0)
            route.abort("connectionreset")
        else:
            route.continue_()

    with (
        served() as bench,
        opened(bench, f"/thread?id={QUINTIC}", expected="ERR_CONNECTION_RESET", deciding=lose) as tab,
    ):
        press(tab, "y")
        assert tab.locator("#clear [value=yes]").get_attribute("aria-pressed") == "true"
        assert len(tries) == 2
        assert len(bench.board.store.events()) == 1
        assert tab.inner_text("#say") == ""


def test_what_is_refused_is_said(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}", expected="400") as tab:
        tab.evaluate("document.querySelector('#clear [name=kind]').value = 'nothing'")
        press(tab, "y")
        assert tab.inner_text("#say").startswith("Not saved: ")
        assert tab.locator("#clear [value=yes]").get_attribute("aria-pressed") == "false"
        assert bench.sheet() == {}


def test_the_mouse_and_no_script(served: Serve, opened: Open) -> None:
    with served() as bench:
        with opened(bench, f"/thread?id={QUINTIC}") as tab:
            tab.click("#clear [value=yes]")
            settle(tab)
            tab.click("#s4 .words")
            tab.click("#s4 [value='query 2']")
            settle(tab)
            assert tab.locator("#s4 .mark").inner_text() == "2"
        with opened(bench, f"/thread?id={QUINTIC}", java_script_enabled=False) as tab:
            tab.click("#answered [value=yes]")
            tab.click("#s1 .words")
            tab.click("#s1 [value=neither]")
            tab.click("text=Accept proposals")
            assert tab.locator("#s1 .mark").inner_text() == "–"
            assert tab.locator("#s5 .mark").inner_text() == "2"
            tab.click("text=Undo")
            assert "open" in str(tab.locator("#s5").get_attribute("class"))
        values = {item.sentence: value for item, value in bench.sheet().items() if item.sentence}
        assert values == {1: "neither", 4: "query 2"}


def test_a_dump_that_attacks(served: Serve, opened: Open) -> None:
    candidate = hostile()
    with served(candidate, quintic()) as bench:
        accept(Desk(bench.board, SCRIPT, "assessor"), candidate.id, {1: "prelude", 2: "query 1"},
               {(1, candidate.citations[0].document): ("total", "direct")})  # fmt: skip
        with opened(bench, "/?show=all") as tab:
            tab.click("tbody th a >> nth=0")
            tab.wait_for_selector(".bench")
            tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            press(tab, "y y b 1")
            press(tab, "g t d")
            assert SCRIPT in tab.inner_text("#s1")
            assert tab.locator("main img, main script, main iframe, main style, main svg, main object").count() == 0
            assert tab.locator("main form[action^='https:'], main [onclick], main [style]").count() == 0
            addresses = tab.eval_on_selector_all("article a", "links => links.map(one => one.protocol)")
            assert set(addresses) <= {"https:", "http:"}
            for path in ("/history", "/adjudicate", "/agreement", "/export"):
                tab.goto(f"{bench.address}{path}?{tab.evaluate('location.search').lstrip('?')}")
            tab.wait_for_timeout(200)
        assert bench.sheet(thread=candidate.id)


def test_two_people_at_once(served: Serve, opened: Open) -> None:
    with served(name="") as bench, opened(bench) as ada, opened(bench) as bob:
        for tab, name in ((ada, "Ada"), (bob, "Bob")):
            tab.fill("input[name=name]", name)
            tab.keyboard.press("Enter")
            tab.wait_for_selector(".facts")
            tab.goto(f"{bench.address}/thread?id={QUINTIC}")
        ada.keyboard.press("y")
        bob.keyboard.press("n")
        settle(ada)
        settle(bob)
        assert list(bench.sheet("Ada").values()) == ["yes"]
        assert list(bench.sheet("Bob").values()) == ["no"]


WIDTHS = (400, 1400)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_sticks_out(served: Serve, opened: Open, width: int) -> None:
    with served(quintic(), plain(101), hostile()) as bench:
        accept(Desk(bench.board, "Bob", "assessor"), QUINTIC)
        accept(Desk(bench.board, "Cid", "assessor"), QUINTIC, LABELS, {**JUDGED, (2, MATH): ("partial", "direct")})
        with opened(bench, width=width) as tab:
            for path in ("/", f"/thread?id={QUINTIC}", f"/adjudicate?id={QUINTIC}", "/agreement", "/export", "/help",
                         f"/history?id={QUINTIC}"):  # fmt: skip
                tab.goto(bench.address + path)
                wide = tab.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, path
            tab.goto(f"{bench.address}/?show=all")
            tab.click("tbody tr:nth-child(3) a")
            tab.wait_for_selector(".bench")
            assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_does_not_move_under_the_mouse(served: Serve, opened: Open) -> None:
    places = "[...document.querySelectorAll('.sentence')].map(one => one.getBoundingClientRect().top)"
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}") as tab:
        before = tab.evaluate(places)
        for number in range(len(before)):
            tab.locator(".sentence").nth(number).hover()
            assert tab.evaluate(places) == before
        assert len(before) > 2


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_contrast(served: Serve, opened: Open, mode: str) -> None:
    with served() as bench:
        accept(Desk(bench.board, "Ada", "assessor"), QUINTIC)
        accept(Desk(bench.board, "Cid", "assessor"), QUINTIC, LABELS, {**JUDGED, (2, MATH): ("partial", "direct")})
        with opened(bench, color_scheme=mode) as tab:
            colours = set()
            for path in ("/?show=all", f"/thread?id={QUINTIC}", f"/adjudicate?id={QUINTIC}", "/agreement", "/export",
                         f"/history?id={QUINTIC}"):  # fmt: skip
                tab.goto(bench.address + path)
                tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
                seen, low = tab.evaluate(CONTRAST)
                assert seen > 10
                assert low == [], path
                colours.add(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
            assert colours == {"rgb(255, 255, 255)" if mode == "light" else "rgb(20, 23, 28)"}


def test_the_focus_is_seen(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}") as tab:
        reached = set()
        for _ in range(90):
            tab.keyboard.press("Tab")
            style = tab.evaluate(
                "(() => { const one = document.activeElement, style = getComputedStyle(one);"
                " return one === document.body ? 'solid' : style.outlineStyle; })()"
            )
            assert style != "none"
            reached.add(tab.evaluate("document.activeElement.id"))
        assert {"clear", "answered", "s1", "s5", "note-text", "help-link"} <= reached


def test_a_note_that_was_not_saved_is_kept_by_finish(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}") as tab:
        press(tab, "n")
        tab.fill("#note-text", "typed and not saved")
        tab.click(".closing button.main")
        tab.wait_for_url("**/thread?id=101*")
        assert "typed and not saved" in bench.sheet().values()


def test_cutting_joining_and_several_micro_topics_with_the_keyboard(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}") as tab:
        press(tab, "y y x b b Shift+Digit1 Shift+Digit2")
        assert tab.locator("#s4 .mark").all_inner_texts() == ["1", "2"]
        press(tab, "j c ArrowRight ArrowRight")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#s5-13")
        settle(tab)
        assert tab.inner_text("#s5 .words") == "And where is"
        tab.focus("#s5-13")
        press(tab, "w")
        assert tab.locator("#s5-13").count() == 0
        tab.focus("#s5")
        press(tab, "w")
        assert tab.inner_text("#s4 .words").endswith("printed? And where is that bound proved?")
        press(tab, "u")
        assert tab.locator("li.sentence").count() == 5
        assert bench.board.store.events()[-1].act.undoes is not None


def test_keys_that_mean_nothing_say_so_and_finish_can_be_taken_back(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}") as tab:
        told = {}
        for key in ("p", "t", "3", "f"):
            press(tab, key)
            told[key] = tab.inner_text("#say")
        assert told["p"].startswith("p is for a document")
        assert told["3"].startswith("3 is for a sentence")
        assert told["f"] == "Not finished: still open is whether the question is clear."
        assert bench.sheet() == {}
        press(tab, "y y 9")
        assert tab.inner_text("#say") == "There is no micro-topic 9 yet: the next free number is 3."
        before = tab.locator("#s4").bounding_box()
        tab.hover("#s2")
        assert tab.locator("#s4").bounding_box() == before  # the page does not dance under the mouse
        tab.focus("#clear")
        press(tab, "n")
        tab.keyboard.press("f")
        tab.wait_for_url("**/thread?id=101*")
        assert "Finished" in tab.inner_text(".banner")
        tab.keyboard.press("u")
        tab.wait_for_url(f"**/thread?id={QUINTIC}")
        assert "All is decided" in tab.inner_text(".to-go")


def test_what_an_outage_held_up_is_sent_again_by_one_click(served: Serve, opened: Open) -> None:
    down = [True]

    def fail(route: Any) -> None:
        if down[0]:
            route.fulfill(status=503, headers={"retry-after": "0.01"}, body="The store does not answer.")
        else:
            route.continue_()

    with served() as bench, opened(bench, f"/thread?id={QUINTIC}", expected="503", deciding=fail) as tab:
        tab.keyboard.press("y")
        tab.keyboard.press("y")
        tab.wait_for_selector("#say button")
        assert bench.sheet() == {}
        down[0] = False
        tab.click("#say button")
        settle(tab)
        assert list(bench.sheet().values()) == ["yes", "yes"]
        assert tab.locator("#answered [value=yes]").get_attribute("aria-pressed") == "true"


def test_what_was_decided_while_the_workbench_was_started_anew_is_kept(served: Serve, opened: Open) -> None:
    spoil = "document.querySelectorAll('[name=csrf]').forEach((one) => { one.value = 'of the server before' })"
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}", expected="403") as tab:
        tab.evaluate(spoil)
        tab.keyboard.press("y")
        tab.keyboard.press("y")
        settle(tab)
        assert list(bench.sheet().values()) == ["yes", "yes"]


def test_what_was_decided_when_the_session_had_ended_waits_for_the_same_person(served: Serve, opened: Open) -> None:
    def sign_in(tab: Any, name: str) -> None:
        tab.goto(f"{bench.address}/sign-in")
        tab.fill("[name=name]", name)
        tab.press("[name=name]", "Enter")
        tab.wait_for_url(f"{bench.address}/")

    with served(name="") as bench, opened(bench, "/sign-in", expected="status of 40") as tab:
        sign_in(tab, "Ada")
        tab.goto(f"{bench.address}/thread?id={QUINTIC}")
        tab.context.clear_cookies()
        tab.keyboard.press("y")
        tab.wait_for_selector("#say button")
        assert "Sign in again in another tab" in tab.inner_text("#say")
        for name, kept in (("Bob", {}), ("Ada", {"Ada"})):
            other = tab.context.new_page()
            sign_in(other, name)
            other.close()
            tab.click("#say button")
            tab.wait_for_timeout(700)
            bench.board.refresh()
            assert {event.act.who for event in bench.board.store.events()} == set(kept)


def test_the_way_to_the_next_decision_is_at_hand_on_a_narrow_screen(served: Serve, opened: Open) -> None:
    with served() as bench, opened(bench, f"/thread?id={QUINTIC}", width=400) as tab:
        box = tab.locator(".closing").bounding_box()
        assert box["y"] + box["height"] <= 901
        tab.click(".to-go a.jump")
        assert at(tab) == "clear"
        box = tab.locator("#clear").bounding_box()
        assert 0 <= box["y"] <= 700
