"""Pages of the workbench: the list, what a download holds back, names, cookies, mark-up that would take long."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.collection.qa.threads import Candidate
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import NOTE, UNSURE, YES, Item, ItemChange
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import Store
from workbench_people import HEP, JUDGED, LABELS, MATH, accept, reject
from workbench_project import make, plain, quintic

pytest.importorskip("httpx2", reason="httpx2 is not installed")
TestClient = pytest.importorskip("starlette.testclient").TestClient

QUINTIC = "14655"
Visit = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "store.sqlite")) as opened:
        yield opened


@pytest.fixture
def board(store: Store) -> Board:
    return Board(store, {one.id: one for one in candidates()})


def candidates() -> tuple[Candidate, ...]:
    return quintic(), plain(101), plain(102)


@pytest.fixture
def visit(tmp_path: Path, store: Store) -> Visit:
    """A browser of somebody who signed in on loopback; Eva is adjudicator."""
    from adjudge.collection.workbench.web.application import application
    from adjudge.collection.workbench.web.visitors import WebSettings

    project = make(tmp_path / "project", *candidates())
    made: dict[str, Any] = {}

    def enter(name: str, port: int = 8300, **settings: Any) -> Any:
        app = made.setdefault(
            repr(sorted(settings)),
            application(
                project, Board(store, project.candidates), WebSettings(adjudicators=frozenset({"Eva"}), **settings)
            ),
        )
        client = TestClient(app, base_url=f"http://127.0.0.1:{port}")
        client.post("/sign-in", data={"csrf": field(client.get("/sign-in").text, "csrf"), "name": name})
        return client

    return enter


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return html.unescape(found[1])


def threads(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/thread\?id=(\d+)"', page)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("find=castelnuovo", [QUINTIC]),  # in the answer
        ("find=hep-th/0612125", [QUINTIC]),  # who cites it?
        ("find=group+102", ["102"]),
        ('find="Is+it+amenable"', ["101", "102"]),
        ("find=nowhere", []),
        ("tag=reference-request", [QUINTIC]),
        ("score=4", [QUINTIC]),
        ("score=-3", [QUINTIC, "101", "102"]),
        ("sort=title", ["101", "102", QUINTIC]),
        ("sort=newest", ["101", "102", QUINTIC]),
        ("sort=score", [QUINTIC, "101", "102"]),
        ("person=Bob", ["101"]),
    ],
)
def test_threads_are_found_filtered_and_sorted(visit: Visit, board: Board, asked: str, found: list[str]) -> None:
    reject(Desk(board, "Bob", "assessor"), "101")
    page = visit("Ada").get(f"/?show=all&{asked}")
    assert page.status_code == 200
    assert threads(page.text) == found


def test_a_score_that_is_none(visit: Visit) -> None:
    assert visit("Ada").get("/?score=many").status_code == 400


def test_adjudicators_read_the_notes_of_all(visit: Visit, board: Board) -> None:
    for name in ("Bob", "Cid"):
        desk = Desk(board, name, "assessor")
        accept(desk, QUINTIC)
        desk.decide(QUINTIC, [ItemChange(Item(NOTE), f"<i>{name} doubts"), ItemChange(Item(UNSURE), YES)])
    page = visit("Eva").get(f"/adjudicate?id={QUINTIC}").text
    assert "&lt;i&gt;Bob doubts" in page
    assert page.count("is not sure of it") == 2
    assert "Bob doubts" not in visit("Dan").get(f"/thread?id={QUINTIC}").text


def test_a_download_holds_back_what_one_may_still_assess(visit: Visit, board: Board) -> None:
    reject(Desk(board, "Bob", "assessor"), "101")
    accept(Desk(board, "Bob", "assessor"), QUINTIC)
    accept(Desk(board, "Cid", "assessor"), QUINTIC)
    eva = visit("Eva")
    answer = eva.get("/download?what=events")
    assert answer.headers["content-disposition"] == 'attachment; filename="events.jsonl"'
    assert {json.loads(line)["thread"] for line in answer.text.splitlines()} == {QUINTIC}
    assert eva.get("/download?what=collection").status_code == 400  # nothing was exported yet
    eva.post("/export", data={"csrf": field(eva.get("/export").text, "csrf"), "people": "2"})
    packed = zipfile.ZipFile(io.BytesIO(eva.get("/download?what=collection").content))
    assert f"{QUINTIC}.1 0 {HEP} 2" in packed.read("collection/qrels.txt").decode()
    assert visit("Dan").get("/download?what=events").status_code == 403
    assert eva.get("/download?what=../store.sqlite").status_code == 404


def test_the_page_exports_what_as_many_have_finished_as_are_wanted(visit: Visit, board: Board) -> None:
    accept(Desk(board, "Bob", "assessor"), QUINTIC)
    eva = visit("Eva")
    page = eva.get("/export").text
    assert field(page.replace('type="number" min="1" max="100" ', ""), "people") == "2"
    form = {"csrf": field(page, "csrf"), "people": "2"}
    assert eva.post("/export", data=form).status_code == 400
    assert "1 topic" in eva.post("/export", data={**form, "people": "1"}).text


def test_who_differs_on_what_is_shown_to_who_has_finished(visit: Visit, board: Board) -> None:
    accept(Desk(board, "Bob", "assessor"), QUINTIC)
    reject(Desk(board, "Cid", "assessor"), QUINTIC)
    assert "Bob and Cid differ" not in visit("Dan").get("/export").text
    assert "Bob and Cid differ on 1 decision (clear)" in visit("Bob").get("/export").text


def test_a_finish_is_taken_back_from_the_next_thread(visit: Visit, board: Board) -> None:
    ada = visit("Ada")
    form = {"csrf": field(ada.get(f"/thread?id={QUINTIC}").text, "csrf"), "thread": QUINTIC}
    ada.post("/decide", data={**form, "kind": "clear", "value": "no"})
    onward = ada.post("/finish", data=form)
    assert onward.url.query == b"id=101&finished=14655"
    assert "Finished:" in onward.text
    assert "Finished:" not in ada.get("/thread?id=101&finished=102").text  # which nobody has finished
    ada.post("/undo", data=form)
    board.refresh()
    assert board.status(QUINTIC, "assessor", "Ada") == "begun"
    skipped = ada.post("/skip", data=form)
    assert skipped.url.query == b"id=101"


def test_names_are_spelled_as_before(visit: Visit, board: Board) -> None:
    reject(Desk(board, "Ada", "assessor"), "101")
    for typed in ("ada", "ADA", "Ada"):
        assert '<p class="who"><bdi>Ada</bdi>' in visit(typed).get("/").text
    for typed in ("Dan", "dan"):  # who has not decided anything yet
        assert '<p class="who"><bdi>Dan</bdi>' in visit(typed).get("/").text
    assert '<p class="who"><bdi>Eva</bdi>' in visit("eva").get("/").text
    board.rename("Ada", "Adele")
    page = visit("ADA").get("/").text
    assert "<bdi>Adele</bdi>" in page
    assert '<option value="Adele">' in TestClient(visit("x").app, base_url="http://127.0.0.1:8300").get("/sign-in").text


def test_two_servers_of_one_project_have_cookies_of_their_own(visit: Visit) -> None:
    first, second = visit("Ada"), visit("Bob", 8301, wanted=3)
    (name,), (other,) = (list(client.cookies) for client in (first, second))
    assert name != other
    first.cookies.update(second.cookies)  # a browser sends the cookies of both ports
    assert "<bdi>Ada</bdi>" in first.get("/").text


def test_a_class_behind_one_address_signs_in(visit: Visit, store: Store) -> None:
    tokens = [store.add_assessor(f"Person {n}", "assessor") for n in range(15)]
    client = visit("", tokens=True)
    for token in tokens:
        client.cookies.clear()
        form = {"csrf": field(client.get("/sign-in").text, "csrf"), "token": token}
        assert client.post("/sign-in", data=form).status_code == 200


def test_a_title_and_a_text_come_from_files_of_documents(tmp_path: Path, visit: Visit, store: Store) -> None:
    from adjudge.collection.qa.project import open_project
    from adjudge.verbs.collection_verbs import document_source

    ada = visit("Ada")
    (tmp_path / "docs.jsonl").write_text(
        json.dumps({"id": HEP, "title": "Tables & counts", "text": "All of them."})
        + "\n"
        + json.dumps({"id": "math_0406343v2", "title": "Curves", "text": "Short."})
        + "\n"
        + json.dumps({"id": "other", "title": "", "text": "Cited by nobody."})
    )
    source = document_source(str(tmp_path / "docs.jsonl"), open_project(tmp_path / "project"))
    assert source(HEP) == ("Tables & counts", "Tables & counts\nAll of them.")
    assert source(MATH) == ("Curves", "Curves\nShort.")
    assert source("other") is None
    ada = visit("Ada", documents=source)
    accept(Desk(Board(store, {one.id: one for one in candidates()}), "Ada", "assessor"), QUINTIC, LABELS, JUDGED)
    page = ada.get(f"/thread?id={QUINTIC}").text
    assert '<span class="name">Tables &amp; counts</span>' in page
    assert "All of them." in ada.get(f"/document?thread={QUINTIC}&id={HEP}").text


def test_mark_up_that_would_take_long_or_be_wide() -> None:
    from adjudge.collection.workbench.web.mathematics import formula, keep_allowed
    from adjudge.collection.workbench.web.sanitising import post

    assert "nested too deeply" in post("<pre>" * 20_000)
    assert keep_allowed('<math><mspace width="900em"/><mi>x</mi></math>') == "<math><mspace></mspace><mi>x</mi></math>"
    assert 'width="2em"' in keep_allowed('<math><mspace width="2em"/></math>')
    assert 'class="formula long"' in formula("a + b + c + d + e + f + g + h + i + j + k + l")


def test_an_old_session_is_said_to_have_ended(visit: Visit) -> None:
    from adjudge.web.sessions import LASTS, Signer

    now = [1e9]
    client = visit("Ada", signer=Signer(clock=lambda: now[0]))
    csrf = field(client.get(f"/thread?id={QUINTIC}").text, "csrf")
    now[0] += LASTS + 1
    refused = client.post("/decide", data={"csrf": csrf, "thread": QUINTIC, "kind": "clear", "value": "yes"})
    assert refused.status_code in {401, 403}
    assert "Sign in again: the session has ended." in refused.text
    assert client.get("/").url.path == "/sign-in"
