"""The judging desk over HTTP: what it answers, and what it refuses."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.cli import main
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.core.errors import DataError
from adjudge.judging_desk.desk_rules import DeskRules, read_rules
from adjudge.judging_desk.desk_serving import judging_desk, open_book
from adjudge.pools.pool_files import open_pool
from adjudge.verbs.desk_verbs import missing_documents, pooled_documents
from adjudge.web.place import Place
from judging_project import SCRIPT, make_pool_project
from scanned_archive import archive_index

pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("httpx2", reason="httpx2 is not installed: pip install httpx2")

from starlette.testclient import TestClient

ADDRESS = "http://127.0.0.1:8300"
Serve = Callable[..., TestClient]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_pool_project(tmp_path)


@pytest.fixture
def desk(project: Path) -> Iterator[Serve]:
    """Makes a desk and a browser without script that looks at it; two browsers may look at one desk."""
    opened: list[Any] = []

    def build(name: str = "Ada", *, same: TestClient | None = None, overlap: float = 1.0, **given: Any) -> TestClient:
        if same is not None:
            made = same.app
        else:
            store = open_store(str(project / "store.sqlite"))
            opened.append(store)
            texts = pooled_documents(project.parent / "docs.jsonl", open_pool(project))
            rules = given.pop("rules", DeskRules(overlap=overlap))
            given.setdefault("adjudicators", ("Carol",))
            made = judging_desk(project, store, Place(), documents=texts, rules=rules, **given)
        client = TestClient(made, base_url=ADDRESS)
        opened.append(client)
        if name:
            client.post("/sign-in", data={"csrf": field(client.get("/sign-in").text, "csrf"), "name": name})
        return client

    yield build
    for each in reversed(opened):
        each.close()


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return html.unescape(found[1])


def form_of(page: str, **more: str) -> dict[str, str]:
    return {name: field(page, name) for name in ("csrf", "key", "role", "topic", "document")} | more


def test_a_pair_by_forms_alone(desk: Serve, project: Path) -> None:
    ada = desk()
    page = ada.get("/next", params={"topic": "1"})
    assert page.url.path == "/judge"
    assert "heat pumps in winter" in page.text
    assert "<mark>Heat</mark> <mark>Pumps</mark>" in page.text  # by stem, whatever the case
    after = ada.post("/judge", data=form_of(page.text, grade="2", note="fine", evidence="warm houses"))
    assert after.url.params["document"] == "d2"
    ada.post("/judge", data=form_of(page.text, grade="2", note="fine", evidence="warm houses"))  # sent twice
    with open_book(project) as book:
        (judged,) = book.judgments()
        assert (judged.who, judged.grade, judged.note, judged.evidence) == ("Ada", 2, "fine", "warm houses")
        assert judged.seconds >= 0
        assert judged.text
    again = ada.get("/judge", params={"topic": "1", "document": "d1"})
    assert 'value="2" data-key="2" aria-keyshortcuts="2" aria-pressed="true"' in again.text
    assert "d1" in ada.get("/topic", params={"id": "1", "find": "FINE"}).text
    assert "0 judged by you" in ada.get("/topic", params={"id": "1", "find": "nowhere"}).text
    undone = ada.post("/undo", data=form_of(after.text))
    assert undone.url.params["document"] == "d1"
    assert "1 of 4" not in ada.get("/").text
    later = ada.post("/later", data=form_of(undone.text))
    assert later.url.params["document"] == "d2"


def test_two_people_differ_blindly_and_a_third_settles_it(desk: Serve) -> None:
    ada = desk()
    bob, carol = desk("Bob", same=ada), desk("Carol", same=ada)
    ada.post("/judge", data=form_of(ada.get("/next?topic=1").text, grade="3", note="seen by nobody yet"))
    page = bob.get("/next?topic=1")
    assert page.url.params["document"] == "d1"
    assert "seen by nobody" not in page.text
    assert "nobody should follow others" in bob.get("/agreement").text
    bob.post("/judge", data=form_of(page.text, grade="cannot tell"))
    assert bob.get("/adjudicate", params={"topic": "1", "document": "d1"}).status_code == 403
    assert bob.get("/download", params={"what": "qrels"}).status_code == 403
    settling = carol.get("/next", params={"role": "adjudicator"})
    assert settling.url.path == "/adjudicate"
    assert "seen by nobody yet" in settling.text
    assert "people differ" in carol.get("/export").text or "nothing to export" in carol.get("/export").text
    carol.post("/adjudicate", data=form_of(settling.text, grade="2"))
    assert carol.get("/download", params={"what": "qrels"}).text == "1 0 d1 2\n"
    assert carol.get("/download", params={"what": "qrels", "who": "Ada"}).text == "1 0 d1 3\n"
    assert carol.get("/download", params={"what": "judgments"}).text.count("\n") == 3
    assert carol.get("/download", params={"what": "datasheet"}).text.startswith("# project\n")
    assert carol.get("/download", params={"what": "definition"}).json()["topics"] == ["1", "2", "3"]
    assert carol.get("/download", params={"what": "else"}).status_code == 404
    assert carol.get("/agreement").status_code == 200


def test_what_another_adjudicator_settled_is_not_settled_anew_unseen(desk: Serve) -> None:
    ada = desk(adjudicators=("Carol", "Dora"))
    bob, carol, dora = (desk(name, same=ada) for name in ("Bob", "Carol", "Dora"))
    for one, grade in ((ada, "3"), (bob, "0")):
        one.post("/judge", data=form_of(one.get("/next?topic=1").text, grade=grade))
    stale = carol.get("/next?role=adjudicator").text
    seen = {"seen": field(stale, "seen")}
    dora.post("/adjudicate", data=form_of(dora.get("/next?role=adjudicator").text, grade="2", **seen))
    refused = carol.post("/adjudicate", data=form_of(stale, grade="0", **seen))
    assert refused.status_code == 409
    assert "document d1 was judged anew meanwhile. Look again, then decide." in refused.text
    assert carol.get("/download", params={"what": "qrels"}).text == "1 0 d1 2\n"
    again = carol.get("/adjudicate", params={"topic": "1", "document": "d1"}).text
    settled = carol.post("/adjudicate", data=form_of(again, grade="0", seen=field(again, "seen")))
    assert settled.status_code == 200
    assert carol.get("/download", params={"what": "qrels"}).text == "1 0 d1 0\n"


def test_an_undo_takes_back_what_its_button_says(desk: Serve, project: Path) -> None:
    ada = desk()
    first = ada.get("/next?topic=1").text
    second = ada.post("/judge", data=form_of(first, grade="1")).text
    stale = form_of(second, last=field(second, "last"))
    assert 'name="seen"' not in second, "who judges does not learn whether others have"
    third = ada.post("/judge", data=form_of(second, grade="2")).text
    refused = ada.post("/undo", data=stale)
    assert refused.status_code == 409
    assert "your last judgment is another one than this page says" in refused.text
    for _ in range(2):  # sent again because the first answer was lost
        assert ada.post("/undo", data=form_of(third, last=field(third, "last"))).url.params["document"] == "d2"
    with open_book(project) as book:
        assert [(each.document, each.grade) for each in book.judgments()] == [("d1", 1)]


def test_forms_without_a_key_are_acts_of_their_own(desk: Serve, project: Path) -> None:
    ada = desk()
    form = form_of(ada.get("/next?topic=1").text, key="")
    for document in ("d1", "d2"):
        ada.post("/judge", data=form | {"document": document, "grade": "1"})
    with open_book(project) as book:
        assert [each.document for each in book.judgments()] == ["d1", "d2"]


def test_markup_in_documents_and_topics_is_text(desk: Serve) -> None:
    ada = desk()
    page = ada.get("/judge", params={"topic": "3", "document": "d2"})
    for answer in (page, ada.get("/"), ada.get("/topic", params={"id": "3"})):
        assert SCRIPT not in answer.text
        assert "<img" not in answer.text
        assert "<b>what</b>" not in answer.text
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert html.escape("{{ 7*7 }}") in page.text
    assert "\u202e" not in page.text


def test_what_is_refused(desk: Serve) -> None:
    ada = desk()
    good = form_of(ada.get("/next?topic=1").text, grade="1")
    assert ada.get("/", headers={"host": "evil.example"}).status_code in {400, 403, 421}
    assert ada.post("/judge", data=good, headers={"origin": "https://evil.example"}).status_code == 403
    assert ada.post("/judge", data=good | {"csrf": "0"}).status_code == 403
    assert ada.post("/judge", data=good | {"grade": "7"}).status_code == 400
    assert ada.post("/judge", data=good | {"grade": "²"}).status_code == 400
    assert ada.post("/judge", data=good | {"document": "../d1"}).status_code == 404
    assert ada.post("/adjudicate", data=good).status_code == 403
    assert ada.post("/undo", data=good).status_code == 400  # nothing was kept, so nothing can be undone
    assert ada.get("/judge", params={"topic": "9", "document": "d1"}).status_code == 404
    stranger = desk("", same=ada)
    assert stranger.get("/next", follow_redirects=False).status_code == 303
    assert stranger.get("/download?what=qrels", follow_redirects=False).headers["location"].startswith("/sign-in")


def test_an_assessor_whose_access_is_taken_away_in_the_middle(project: Path) -> None:
    with open_store(str(project / "store.sqlite")) as store:
        tokens = {name: store.add_assessor(name, "assessor") for name in ("Ada", "Bob")}
        made = judging_desk(project, store, Place(allowed=("desk.example.org",)), rules=DeskRules(overlap=1.0))
        people = {name: TestClient(made, base_url="http://desk.example.org") for name in tokens}
        for name, client in people.items():
            client.post("/sign-in", data={"csrf": field(client.get("/sign-in").text, "csrf"), "token": tokens[name]})
        page = people["Ada"].get("/next?topic=1").text
        assert "not at hand" in page
        page = people["Ada"].post("/judge", data=form_of(page, grade="2")).text
        assert main(["pool", "serve", str(project), "--remove-assessor", "Ada"]) == 0
        assert people["Ada"].post("/judge", data=form_of(page, grade="1")).status_code in {401, 403}
        given = people["Bob"].get("/next?topic=1")
        assert given.url.params["document"] == "d1"  # what was judged stays, and has its second judge
        after = people["Bob"].post("/judge", data=form_of(given.text, grade="2"))
        assert after.url.params["document"] == "d2"  # what was on the screen is free
        for client in people.values():
            client.close()
    with open_book(project) as book:
        assert book.qrels().to_dict() == {"1": {"d1": 2}}


def test_bad_input(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pool = open_pool(project)
    docs = project.parent / "docs.jsonl"
    docs.write_text(docs.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    assert missing_documents(pooled_documents(docs, pool), pool)[0] == ("1", "d2")
    docs.write_text('{"id": "other", "text": "x"}\n', "utf-8")
    with pytest.raises(DataError, match="has none of the documents of the pool, such as d1"):
        pooled_documents(docs, pool)
    assert main(["pool", "serve", str(project.parent)]) == 2
    assert "no pool here" in capsys.readouterr().err
    assert main(["pool", "judgments", str(project), "-o", str(project / "out")]) == 2
    (project / "store.url").write_text("postgresql://db.example.org/x\n")
    assert main(["pool", "next", str(project)]) == 2
    assert "its decisions are in postgresql://db.example.org/x" in capsys.readouterr().err


def test_scanned_pages_are_shown_with_their_images(tmp_path: Path) -> None:
    folder = archive_index(tmp_path).folder
    topics = tmp_path / "topics.jsonl"
    topics.write_text('{"id": "1", "title": "barges of the canal"}\n', "utf-8")
    runs = {"a": {"1": {"box1/p1": 2.0, "box1/p2": 1.0}}}
    project = tmp_path / "project"
    adjudge.pool(runs, project, topics=topics, documents=folder, priority="rank_order")
    texts = pooled_documents(folder, open_pool(project))
    with open_store(str(project / "store.sqlite")) as store:
        made = judging_desk(project, store, Place(), documents=texts)
        ada, stranger = (TestClient(made, base_url=ADDRESS) for _ in range(2))
        ada.post("/sign-in", data={"csrf": field(ada.get("/sign-in").text, "csrf"), "name": "Ada"})
        page = ada.get("/next?topic=1").text
        assert page.count('<rect class="spot"') == 2  # canal and barges, where they stand
        address = html.unescape(re.findall(r'<image href="([^"]*)"', page)[0])
        image = ada.get(address)
        assert image.headers["content-type"] == "image/png"
        assert image.content == (tmp_path / "scans" / "box1" / "p1.png").read_bytes()
        assert ada.get(address.replace("page=1", "page=2")).status_code == 404
        assert ada.get(address.replace("p1", "p9")).status_code == 404
        assert stranger.get(address, follow_redirects=False).status_code == 303
        ada.close()
        stranger.close()
    moved = pooled_documents(folder, open_pool(project), tmp_path / "project")
    with open_store(str(project / "store.sqlite")) as store:
        made = judging_desk(project, store, Place(), "Ada", documents=moved)
        with TestClient(made, base_url=ADDRESS) as ada:
            assert ada.get(address).status_code == 404  # the images are not below that folder
    with pytest.raises(DataError, match="no such folder"):
        pooled_documents(folder, open_pool(project), tmp_path / "nowhere")


def test_who_judges_a_pair_with_another_by_name_sees_no_counts(desk: Serve, project: Path) -> None:
    """pairs.tsv lets two people judge a pair as an overlap does."""
    (project / "pairs.tsv").write_text("1\td1\tAda\n1\td1\tBob\n", "utf-8")
    ada = desk(rules=read_rules(project, open_pool(project).position))
    bob, carol = desk("Bob", same=ada), desk("Carol", same=ada)
    ada.post("/judge", data=form_of(ada.get("/next?topic=1").text, grade="3"))
    assert "relevant" not in re.sub(r"(?s)<form.*", "", bob.get("/next?topic=1").text)
    assert 'data-name="relevant"' not in bob.get("/").text
    assert bob.get("/adjudicate", params={"topic": "1", "document": "d1"}).status_code == 403
    assert bob.get("/download", params={"what": "judgments"}).status_code == 403
    assert 'data-name="relevant"' in carol.get("/").text
    assert "--overlap 0.2" not in carol.get("/agreement").text


def test_the_export_page_tells_all_and_names_files_that_there_are(desk: Serve) -> None:
    ada = desk()
    bob, carol = desk("Bob", same=ada), desk("Carol", same=ada)
    for one, grade in ((ada, "3"), (bob, "cannot tell")):
        one.post("/judge", data=form_of(one.get("/next?topic=1").text, grade=grade))
    assert "No pair has a grade yet" in carol.get("/export").text
    carol.post("/adjudicate", data=form_of(carol.get("/next?role=adjudicator").text, grade="cannot tell"))
    ada.post("/judge", data=form_of(ada.get("/next?topic=1").text, grade="2"))
    told = " ".join(re.sub(r"<[^>]+>", "", carol.get("/export").text).split())
    assert "1 pair has a grade that is agreed or settled. Of 1 pair an adjudicator could not tell. qrels.txt:" in told
    assert "Ada.qrels: the grades of Ada" in told
    assert "the grades of Bob" not in told
    assert carol.get("/download", params={"what": "qrels", "who": "Bob"}).status_code == 404


def test_formulas_of_pages_are_drawn_and_nothing_that_could_harm(tmp_path: Path) -> None:
    fraction = "<mfrac><mi>heat</mi><mi>&tau;</mi></mfrac><annotation>Q/t</annotation>"
    evil = "<mi onclick='alert(1)'>pump</mi><mtext><img src='x' onerror='alert(2)'/></mtext>"
    body = f"<p>Heat is <math><semantics>{fraction}</semantics></math> by pumps.</p><p>And <math>{evil}</math>.</p>"
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "d1.html").write_text(f"<html><title>Heat</title><body>{body}</body></html>")
    topics = tmp_path / "topics.jsonl"
    topics.write_text('{"id": "1", "title": "heat pumps"}\n', "utf-8")
    project = tmp_path / "project"
    adjudge.pool({"a": {"1": {"d1": 1.0}}}, project, topics=topics, documents=pages)
    texts = pooled_documents(pages, open_pool(project))
    assert texts.find("d1") == ("Heat", "Heat\nHeat is heat τ by pumps.\nAnd pump .")
    with open_store(str(project / "store.sqlite")) as store:
        made = judging_desk(project, store, Place(), "Ada", documents=texts)
        with TestClient(made, base_url=ADDRESS) as ada:
            page = ada.get("/judge", params={"topic": "1", "document": "d1"}).text
    drawn = "<math><semantics><mfrac><mi>heat</mi><mi>τ</mi></mfrac></semantics></math>"
    shown = f'<span class="formula" data-symbols="heat τ">{drawn}</span>'
    assert f"<mark>Heat</mark> is {shown} by <mark>pumps</mark>." in page
    assert "And <mark>pump</mark> ." in page  # what is not known to be harmless keeps its symbols
    assert "alert" not in page
