"""The web application of the workbench: what it answers, and what it refuses."""

from __future__ import annotations

import contextlib
import html
import http.client
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli import main
from adjudge.collection.qa.threads import Candidate
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import Item, ItemChange
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import Store
from adjudge.web.place import Place, listen
from workbench_people import accept, reject
from workbench_project import MARKS, SCRIPT, hostile, make, plain, quintic

pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("httpx2", reason="httpx2 is not installed: pip install httpx2")

from starlette.testclient import TestClient

from adjudge.collection.workbench.web.application import application
from adjudge.collection.workbench.web.visitors import WebSettings
from adjudge.web import patience
from adjudge.web.guard import HEADERS, LARGEST_BODY, Hosts, host_name
from adjudge.web.limits import MOST_KEYS, Bucket
from adjudge.web.sessions import LASTS, Signer

QUINTIC = "14655"
Bench = Callable[..., TestClient]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "store.sqlite")) as opened:
        yield opened


@pytest.fixture
def bench(tmp_path: Path, store: Store) -> Iterator[Bench]:
    """Makes a workbench and a browser without script that looks at it."""
    opened: list[TestClient] = []

    def build(*candidates: Candidate, host: str = "http://127.0.0.1:8300", **settings: Any) -> TestClient:
        project = make(tmp_path / "project", *(candidates or (quintic(), plain(101), plain(102))))
        made = application(
            project,
            Board(store, project.candidates),
            WebSettings(**{"name": "Ada", "adjudicators": frozenset({"Ada"})} | settings),
        )
        client = TestClient(made, base_url=host)
        opened.append(client)
        return client

    yield build
    for client in opened:
        client.close()


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return html.unescape(found[1])


def token(client: TestClient, path: str = "/help") -> str:
    page = client.get("/thread", params={"id": QUINTIC}) if path == "/help" else client.get(path)
    return field(page.text, "csrf")


def act(client: TestClient, action: str = "decide", thread: str = QUINTIC, **fields: Any) -> Any:
    form = {"csrf": fields.pop("csrf", None) or token(client), "thread": thread, **fields}
    return client.post(f"/{action}", data=form)


def sign_in(client: TestClient, **given: str) -> Any:
    return client.post("/sign-in", data={"csrf": field(client.get("/sign-in").text, "csrf"), **given})


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


# Pages and acts without a script


def test_every_page_is_there(bench: Bench) -> None:
    client = bench()
    for path in ("/", f"/thread?id={QUINTIC}", f"/adjudicate?id={QUINTIC}", "/agreement", "/export", "/help",
                 f"/history?id={QUINTIC}", "/?show=all&find=amenable&page=1", "/?page=99999"):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == 200, path
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert answer.headers["cache-control"] == "no-store"
        assert " style=" not in answer.text
        assert "<script>" not in answer.text
        assert len(re.findall("<script", answer.text)) == 1
        assert not re.search(r"\son\w+=", answer.text)
    for name, kind in (("workbench.css", "text/css"), ("workbench.js", "text/javascript"), ("icon.svg", "image/svg")):
        answer = client.get(f"/static/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)


@pytest.mark.slow
def test_a_thread_by_forms_alone(bench: Bench, store: Store) -> None:
    client = bench()
    assert act(client, kind="clear", value="yes").url.path == "/thread"
    act(client, kind="answered", value="yes")
    act(client, kind="label", sentence="1", value="neither")
    page = act(client, "accept").text
    assert "Sentence 5, query 2:" in page
    for k, document, totality in ((1, "hep-th/0612125", "total"), (1, "math/0406343", "unrelated"),
                                  (2, "hep-th/0612125", "unrelated"), (2, "math/0406343", "partial")):  # fmt: skip
        act(client, kind="totality", micro_topic=str(k), document=document, value=totality)
    assert "2 to go" in client.get(f"/thread?id={QUINTIC}").text
    act(client, kind="directness", micro_topic="1", document="hep-th/0612125", value="direct")
    refused = act(client, "finish")
    assert refused.status_code == 400
    assert "still to be decided: how directly math/0406343 answers micro-topic 2" in refused.text
    act(client, kind="directness", micro_topic="2", document="math/0406343", value="indirect")
    act(client, kind="note", value="  See Table 3.\r\n\r\nÜber alles.  ")
    assert "See Table 3.\n\nÜber alles.</textarea>" in client.get(f"/thread?id={QUINTIC}").text
    undone = act(client, "undo")
    assert "See Table 3" not in undone.text
    assert "Do again" in undone.text
    assert "See Table 3" in act(client, "redo").text
    onward = act(client, "finish")
    assert onward.url.params["id"] == "101"
    assert "1 of 3" in text_of(client.get("/").text)
    history = client.get(f"/history?id={QUINTIC}").text
    assert history.count("<tr") == 1 + len(store.events())
    assert "undone" in history


def test_the_way_through_the_list(bench: Bench, store: Store) -> None:
    client = bench()
    assert client.get("/next").url.params["id"] == QUINTIC
    for thread in (QUINTIC, "101", "102"):
        act(client, thread=thread, kind="clear", value="no")
        last = act(client, "finish", thread)
    assert last.url.path == "/"
    assert "Nothing is left to do for you" in last.text
    assert client.get("/next").url.path == "/"
    assert client.get("/?show=finished").text.count('rejected">rejected</span>') == 3
    assert client.get("/next?role=adjudicator").url.path == "/agreement"


def test_agreement_and_adjudication(bench: Bench, store: Store) -> None:
    client = bench()
    board = Board(store, {one.id: one for one in (quintic(), plain(101), plain(102))})
    accept(Desk(board, "Bob", "assessor"), QUINTIC)
    reject(Desk(board, "Cid", "assessor"), QUINTIC)
    page = text_of(client.get("/agreement").text)
    assert "1 thread has been finished by two people or more" in page
    assert re.search(r"clear and not broad:\s+Bob\s+yes\s*,\s+Cid\s+no", page)
    assert client.get("/next?role=adjudicator").url.path == "/adjudicate"
    seen = field(client.get(f"/adjudicate?id={QUINTIC}").text, "seen")
    done = act(client, role="adjudicator", kind="clear", value="no", seen=seen)
    assert done.status_code == 200
    late = act(client, role="adjudicator", kind="clear", value="yes", seen=seen)
    assert late.status_code == 409
    assert "changed meanwhile" in late.text
    assert act(client, "finish", role="adjudicator").url.path == "/agreement"
    assert "has been adjudicated" in client.get(f"/thread?id={QUINTIC}").text
    assert "Rejected 1" in re.sub(r"\s+", " ", text_of(client.get("/export").text))


def test_others_are_not_seen_before_one_has_finished(bench: Bench, store: Store) -> None:
    ada = store.add_assessor("Ada", "assessor")
    client = bench(name="", tokens=True)
    sign_in(client, token=ada)
    board = Board(store, {one.id: one for one in (quintic(), plain(101), plain(102))})
    bob = Desk(board, "Bob", "assessor")
    accept(bob, QUINTIC)
    bob.decide(QUINTIC, [ItemChange(Item("note"), "BOBSNOTE")])
    reject(Desk(board, "Cid", "assessor"), QUINTIC)
    for path in (f"/thread?id={QUINTIC}", f"/history?id={QUINTIC}", "/agreement"):
        page = client.get(path).text
        assert "BOBSNOTE" not in page
        assert "Bob</bdi> yes" not in page
    assert "not shown, so that nobody leads you" in client.get("/agreement").text
    act(client, kind="clear", value="no")
    act(client, "finish")
    assert "BOBSNOTE" in client.get(f"/history?id={QUINTIC}").text
    assert "Bob</bdi> yes" in client.get("/agreement").text
    for path, method in ((f"/adjudicate?id={QUINTIC}", "get"), ("/next?role=adjudicator", "get")):
        assert getattr(client, method)(path).status_code == 403
    assert act(client, role="adjudicator", kind="clear", value="no").status_code == 403
    assert client.post("/export", data={"csrf": token(client)}).status_code == 403


def test_the_page_and_the_command_export_the_same_bytes(bench: Bench, store: Store, tmp_path: Path) -> None:
    client = bench()
    board = Board(store, {candidate.id: candidate for candidate in (quintic(), plain(101), plain(102))})
    for name in ("Bob", "Cid"):
        accept(Desk(board, name, "assessor"), QUINTIC)
    origin = {
        "name": "Our <own> \u202e",
        "source": "mathoverflow.net, 2024",
        "licence": "CC BY-SA 4.0",
        "corpus": "arXiv",
    }
    done = client.post("/export", data={"csrf": token(client), "all_grades": "yes", **origin})
    assert "1 topic, 2 micro-topics, 2 judgments" in re.sub(r"\s+", " ", text_of(done.text))
    project = tmp_path / "project"
    options = [f"--{name}={value}" for name, value in origin.items()]
    arguments = [str(project), "-o", str(tmp_path / "other"), "--store", str(tmp_path / "store.sqlite"), "--all-grades"]
    assert main(["collect", "export", *arguments, *options]) == 0
    files = {
        folder: {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (project / "collection", tmp_path / "other")
    }
    assert files[project / "collection"] == files[tmp_path / "other"]
    sheet = files[tmp_path / "other"]["datasheet.md"].decode()
    assert "- source: mathoverflow.net, 2024\n- licence: CC BY-SA 4.0\n- corpus: arXiv\n" in sheet
    assert "- agreement: clear: 100% alike" in sheet
    assert "# Our &lt;own> \\u202e" in sheet
    assert client.post("/export", data={"csrf": token(client)}).status_code == 200  # nothing has to be told


def test_an_act_sent_twice_is_one_event(bench: Bench, store: Store) -> None:
    client = bench()
    csrf = token(client)
    for _ in range(3):
        assert act(client, csrf=csrf, key="1-2-3", kind="clear", value="yes").status_code == 200
    assert len(store.events()) == 1
    act(client, csrf=csrf, key="4", kind="answered", value="yes")
    for _ in range(3):
        assert act(client, csrf=csrf, key="u", action="undo").status_code == 200
    assert [event.act.undoes for event in store.events()] == [None, None, store.events()[1].id]


def test_an_undo_of_a_stale_tab_takes_back_nothing(bench: Bench, store: Store) -> None:
    client = bench()
    act(client, kind="clear", value="yes")
    stale = field(client.get(f"/thread?id={QUINTIC}").text, "seen")
    act(client, kind="answered", value="yes")
    for action in ("undo", "redo"):
        refused = act(client, action, seen=stale)
        assert refused.status_code == 409
        assert "was changed meanwhile" in refused.text
    assert act(client, "undo", seen=field(client.get(f"/thread?id={QUINTIC}").text, "seen")).status_code == 200
    assert [event.act.undoes for event in store.events()] == [None, None, 2]


def test_the_undo_of_a_finish_takes_back_nothing_that_came_after_it(bench: Bench, store: Store) -> None:
    client = bench()
    onward = client.post("/decide", data={"csrf": token(client), "thread": QUINTIC, "kind": "clear", "value": "no"})
    assert onward.status_code == 200
    banner = re.search(r'<div class="banner".*?</div>', act(client, "finish").text, re.DOTALL)
    assert banner is not None
    form = {name: field(banner[0], name) for name in ("csrf", "key", "thread", "role", "seen")}
    act(client, kind="note", value="in another tab")
    assert client.post("/undo", data=form).status_code == 409
    assert all(event.act.undoes is None for event in store.events())


# What is refused


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "192.168.0.1", "localhost.evil.example", "[::2]", "", "a b",
     "127.0.0.1:x", "[::1", "localhost@evil.example", "127.0.0.1/evil"],
)  # fmt: skip
def test_a_wrong_host_is_refused(bench: Bench, host: str) -> None:
    client = bench()
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert "Threads" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8300", "localhost", "LOCALHOST:1", "[::1]:8300", "127.9.9.9"])
def test_loopback_has_many_names(bench: Bench, host: str) -> None:
    assert bench().get("/help", headers={"host": host}).status_code == 200


def test_hosts_elsewhere() -> None:
    hosts = Hosts(frozenset({"bench.example.org"}), loopback=False)
    assert hosts.allow("bench.example.org:443")
    assert hosts.allow("BENCH.example.org.")
    assert hosts.allow("10.0.0.7:8300")
    assert not hosts.allow("evil.example")
    assert not hosts.allow("bench.example.org:443:443")
    assert host_name("[::1]:80") == "::1"


def test_a_form_needs_its_token(bench: Bench, store: Store) -> None:
    client = bench()
    other = bench(name="Eve")
    forms: list[dict[str, str]] = [{}, {"csrf": ""}, {"csrf": "é"}, {"csrf": "0" * 64}, {"csrf": token(other)}]
    for form in forms:
        for action in ("decide", "accept", "undo", "redo", "finish", "export", "sign-out"):
            answer = client.post(f"/{action}", data={"thread": QUINTIC, "kind": "clear", "value": "yes", **form})
            assert answer.status_code == 403, action
    assert store.events() == []


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_origin_is_refused(bench: Bench, store: Store, headers: dict[str, str]) -> None:
    client = bench()
    form = {"csrf": token(client), "thread": QUINTIC, "kind": "clear", "value": "yes"}
    assert client.post("/decide", data=form, headers=headers).status_code == 403
    assert store.events() == []
    assert client.post("/decide", data=form, headers={"origin": "http://127.0.0.1:8300"}).status_code == 200


def test_bodies_have_a_size(bench: Bench, store: Store) -> None:
    client = bench()
    csrf = token(client)
    assert act(client, csrf=csrf, kind="note", value="x" * (LARGEST_BODY + 1)).status_code == 413
    told = client.post("/decide", content=b"a=b", headers={"content-length": "99999999999"})
    assert told.status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b"x" * 1024

    assert client.post("/decide", content=endless()).status_code == 413
    assert act(client, csrf=csrf, kind="note", value="x" * 10_001).status_code == 400
    for letter in ("x", "\u56fe", "\U0001f984"):
        assert act(client, csrf=csrf, kind="note", value=letter * 10_000).status_code == 200
    assert client.get("/?find=" + "x" * 5000).status_code == 414


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"%ff=1", "application/x-www-form-urlencoded", 400),
        (b"\xff\xfe", "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a%d=1" % n for n in range(100)), "application/x-www-form-urlencoded", 400),
        (b"csrf=a&csrf=b", "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json", 415),
        (b"a=1", "text/plain", 415),
        (b"", "", 415),
    ],
)
def test_forms_that_are_none(bench: Bench, body: bytes, kind: str, status: int) -> None:
    assert bench().post("/decide", content=body, headers={"content-type": kind}).status_code == status


def test_other_methods_are_refused(bench: Bench) -> None:
    client = bench()
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT"):
        assert client.request(method, "/decide").status_code == 405
    assert client.get("/decide").status_code == 405
    assert client.get("/undo").status_code == 405


@pytest.mark.parametrize("thread", ["", "0", "999", "../../etc/passwd", MARKS, "14655'--", "x" * 1000, "\x00"])
def test_threads_that_are_not_there(bench: Bench, store: Store, thread: str) -> None:
    client = bench()
    for path in ("/thread", "/adjudicate", "/history"):
        answer = client.get(path, params={"id": thread})
        assert answer.status_code == 404
        assert "no such thread" in answer.text
    assert act(client, thread=thread, kind="clear", value="yes").status_code == 404
    assert client.get("/next", params={"after": thread}).status_code == 200
    assert store.events() == []


def test_no_file_but_ours(bench: Bench) -> None:
    client = bench()
    for name in ("../application.py", "..%2fapplication.py", "%2e%2e/application.py", "workbench.css%00", "", "a/b"):
        assert client.get(f"/static/{name}").status_code == 404
    assert client.get("/nothing").status_code == 404


FIELDS = ("kind", "sentence", "micro_topic", "document", "value", "role", "seen", "key", "thread")
VALUES = (MARKS, "-1", "1e9", "9" * 400, "٣", "null", "' OR 1=1 --", "\x00", "{{ 7*7 }}")


@pytest.mark.slow
@pytest.mark.parametrize("name", FIELDS)
def test_metacharacters_in_every_field(bench: Bench, store: Store, name: str) -> None:
    client = bench()
    csrf = token(client)
    form = {"kind": "totality", "micro_topic": "1", "document": "math/0406343", "role": "assessor", "thread": QUINTIC}
    harmless = name in {"key", "seen"}  # any key will do, and an assessor need not have seen anything
    for n, value in enumerate(VALUES):
        answer = act(client, csrf=csrf, **({"value": ("total", "partial")[n % 2]} | form | {name: value}))
        assert answer.status_code in ({200} if harmless else {400, 404})
        assert len(store.events()) == (n + 1) * harmless
    assert client.get("/").status_code == 200


@pytest.mark.slow
def test_writes_are_limited(bench: Bench, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bucket.__init__, "__defaults__", (lambda: 0.0,))  # on a busy machine buckets would fill again
    client = bench()
    csrf = token(client)
    codes = [
        client.post("/decide", data={"csrf": csrf, "thread": "x"}, follow_redirects=False).status_code
        for _ in range(400)
    ]
    assert codes[0] == 404
    assert 429 in codes
    answer = client.post("/decide", data={"csrf": csrf, "thread": "x"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1


def test_a_store_that_does_not_answer(bench: Bench, store: Store) -> None:
    client = bench()
    csrf = token(client)
    other = bench(name="", tokens=True)
    sign_in(other, token=store.add_assessor("Bob", "assessor"))
    store.close()
    refused = act(client, csrf=csrf, kind="clear", value="yes")
    assert refused.status_code == 503
    assert "does not answer" in refused.text
    assert store.database.name not in refused.text
    answer = other.get("/")
    assert answer.status_code == 503
    assert "does not answer" in answer.text


# Signing in


def test_the_name_is_asked_for(bench: Bench, store: Store) -> None:
    client = bench(name="")
    assert client.get("/").url.path == "/sign-in"
    assert client.get(f"/thread?id={QUINTIC}").url.path == "/sign-in"
    csrf = field(client.get("/sign-in").text, "csrf")
    assert client.post("/decide", data={"csrf": csrf, "thread": QUINTIC}).status_code == 401
    for name in ("", "   ", "x" * 65, "a\x00b", "\u202eevil"):
        answer = sign_in(client, name=name)
        assert answer.status_code == 400, name
        assert "name" in answer.text
    assert sign_in(client, name=f" {SCRIPT} ").url.path == "/"
    page = client.get("/").text
    assert SCRIPT not in page
    assert html.escape(SCRIPT, quote=False).replace("'", "&#39;") in page
    act(client, kind="clear", value="yes")
    assert store.events()[0].act.who == SCRIPT
    client.post("/sign-out", data={"csrf": token(client)})
    assert client.get("/").url.path == "/sign-in"


def test_tokens_are_needed_elsewhere(bench: Bench, store: Store) -> None:
    ada = store.add_assessor("Ada", "assessor")
    client = bench(name="", tokens=True)
    for given in ({}, {"token": ""}, {"token": "adj_wrong"}, {"name": "Ada"}, {"token": "' OR 1=1 --"}):
        answer = sign_in(client, **given)
        assert answer.status_code == 403
        assert "No assessor has this token" in answer.text
    assert client.get("/").url.path == "/sign-in"
    assert sign_in(client, token=f" {ada}\n").url.path == "/"
    assert "<bdi>Ada</bdi>" in client.get("/").text
    assert act(client, kind="clear", value="yes").status_code == 200
    csrf = token(client)
    store.add_assessor("Ada", "assessor")  # a new token ends what the old one began
    assert client.get("/").url.path == "/sign-in"
    assert act(client, csrf=csrf, kind="clear", value="no").status_code in {401, 403}
    assert len(store.events()) == 1


def test_guessing_tokens_is_limited(bench: Bench, store: Store) -> None:
    right = store.add_assessor("Ada", "assessor")
    client = bench(name="", tokens=True)
    codes = [sign_in(client, token=f"adj_{n}").status_code for n in range(15)]
    assert codes[:10] == [403] * 10
    assert codes[-1] == 429
    assert sign_in(client, token=right).status_code == 429


@pytest.mark.slow
def test_one_who_guesses_does_not_shut_out_others(bench: Bench, store: Store) -> None:
    right = store.add_assessor("Ada", "assessor")
    client = bench(name="", tokens=True)
    assert {sign_in(client, token=f"adj_{n}").status_code for n in range(80)} == {403, 429}
    elsewhere = TestClient(client.app, base_url="http://127.0.0.1:8300", client=("10.0.0.2", 50000))
    assert sign_in(elsewhere, token=right).status_code == 200
    elsewhere.close()


def test_cookies_cannot_be_made_elsewhere(bench: Bench) -> None:
    client = bench(name="")
    sign_in(client, name="Ada")
    ((name, value),) = client.cookies.items()
    cookie = client.get("/sign-in").request.headers["cookie"]
    assert value in cookie
    packed, _, mac = value.partition(".")
    for forged in ("", ".", packed, f"{packed}.", f"{packed}.{'0' * 64}", f"x{packed}.{mac}", f"{packed}.é", "a.b.c"):
        client.cookies.clear()
        answer = client.get("/", headers={b"cookie": f"{name}={forged}".encode()})
        assert answer.url.path == "/sign-in", forged
    made = Signer()
    session = made.new("Ada", "adjudicator")
    assert made.read(made.write(session)) == session
    assert Signer().read(made.write(session)) is None
    late = Signer(made.secret, clock=lambda: session.at + LASTS + 1.0)
    assert late.read(made.write(session)) is None


def test_cookies_are_closed_to_scripts_and_other_sites(bench: Bench) -> None:
    header = bench().get("/").headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=lax" in header
    assert "secure" not in header
    secure = bench(secure=True, host="https://127.0.0.1:8300").get("/")
    assert "; secure" in secure.headers["set-cookie"].lower()
    assert "strict-transport-security" in secure.headers


# Hostile candidates


def test_a_hostile_thread_does_nothing(bench: Bench, store: Store) -> None:
    candidate = hostile()
    client = bench(candidate, quintic())
    board = Board(store, {candidate.id: candidate})
    accept(Desk(board, "Bob", "assessor"), candidate.id, {1: "prelude", 2: "query 1"},
           {(1, candidate.citations[0].document): ("total", "direct")})  # fmt: skip
    reject(Desk(board, SCRIPT, "assessor"), candidate.id)
    for path in ("/", "/thread", "/adjudicate", "/history", "/agreement", "/export"):
        answer = client.get(
            path, params={"id": candidate.id, "find": f'"><{SCRIPT}'} if path != "/" else {"show": "all"}
        )
        assert answer.status_code == 200, answer.text
        page = answer.text
        assert "<script>" not in page.lower()
        assert "<img" not in page
        assert "<iframe" not in page
        assert "<style" not in page
        assert not re.search(r"<[^>]*\son\w+\s*=", page)
        assert not re.search(r"""(href|src|action)\s*=\s*["']?\s*(javascript|data):""", page, re.IGNORECASE)
        assert not re.search(r"<[^>]*\sstyle\s*=", page)
        assert "49" not in re.findall(r"\{\{ 7\*7 \}\}|>49<", page)
        assert "\u202e" not in text_of(page)
        assert "\x07" not in page
    found = client.get("/", params={"find": f'"><b>{SCRIPT}', "show": "all"})
    assert SCRIPT not in found.text
    page = client.get("/thread", params={"id": candidate.id}).text
    assert SCRIPT in html.unescape(page)
    assert 'href="https://ok.example/a?b=1&amp;c=2" rel="noopener noreferrer nofollow" target="_blank"' in page
    assert "[image: chart]" in page
    onward = act(client, thread=candidate.id, csrf=field(page, "csrf"), kind="clear", value="yes")
    assert onward.status_code == 200
    assert onward.url.params["id"] == candidate.id


# Limits


def test_a_bucket_fills_again() -> None:
    at = [0.0]
    bucket = Bucket(burst=2, a_second=0.5, clock=lambda: at[0])
    assert [bucket.take("a"), bucket.take("a")] == [0, 0]
    assert bucket.take("a") == pytest.approx(2)
    assert bucket.take("b") == 0
    at[0] = 1.0
    assert bucket.take("a") == pytest.approx(1)
    at[0] = 2.0
    assert bucket.take("a") == 0
    for n in range(MOST_KEYS + 10):
        bucket.take(str(n))
    assert len(bucket._levels) == MOST_KEYS


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: 127.0"])
def test_a_silent_connection_is_ended(bench: Bench, monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    uvicorn = pytest.importorskip("uvicorn")
    monkeypatch.setattr(patience, "SLOWEST_HEAD", 0.3)
    settings = uvicorn.Config(bench().app, http=patience.Patience, log_level="error", lifespan="off", ws="none")
    server = uvicorn.Server(settings)
    with listen(Place(port=0)) as bound:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            with socket.create_connection(bound.getsockname(), timeout=30) as silent:
                silent.sendall(begun)
                with contextlib.suppress(ConnectionResetError):
                    assert silent.recv(100) == b""
            monkeypatch.setattr(patience, "SLOWEST_HEAD", 600.0)
            talking = http.client.HTTPConnection("127.0.0.1", bound.getsockname()[1], timeout=30)
            for _ in range(2):
                talking.request("GET", "/static/icon.svg")
                answer = talking.getresponse()
                assert answer.status == 200
                answer.read()
                waiting = [one._late for one in server.server_state.connections]
                assert waiting == [None]  # who has asked is not cut off
            talking.close()
        finally:
            server.should_exit = True
            thread.join()
