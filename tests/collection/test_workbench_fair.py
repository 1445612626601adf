"""Assessing is blind and fair, and nothing that was decided is lost."""

from __future__ import annotations

import html
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.cli import main
from adjudge.collection.qa.agreement import agreement_of
from adjudge.collection.qa.assessment import Assessment, Judgment
from adjudge.collection.qa.export import export_project
from adjudge.collection.qa.threads import Candidate
from adjudge.collection.workbench.assessor_matching import agree, compare_sheets, disagreements
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import (
    CONFIRMED,
    LABEL,
    NO,
    NOTE,
    TOTALITY_OF,
    UNSURE,
    YES,
    Act,
    Item,
    ItemChange,
)
from adjudge.collection.workbench.figures import AgreementTally, figures
from adjudge.collection.workbench.queue import RELEASED, next_wanted
from adjudge.collection.workbench.sheet import Sheet, assessment, missing
from adjudge.collection.workbench.state import decisions_on
from adjudge.collection.workbench.store.open_store import open_store, remember_store
from adjudge.collection.workbench.store.store import Store
from adjudge.collection.workbench.store_check import check_store
from adjudge.core.errors import ConflictError, DataError
from adjudge.formats.topics import read_topics
from workbench_people import HEP, MATH, accept, board_of, reject
from workbench_project import make, plain, quintic, sentence

QUINTIC = "14655"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "store.sqlite")) as opened:
        yield opened


def asking_much() -> Candidate:
    """A question with twelve proposed micro-topics."""
    sentences = tuple(sentence(n, f"What is item {n}?", "query", n) for n in range(1, 13))
    return replace(plain(101), sentences=sentences)


# A store can always be read


def test_more_micro_topics_than_can_be_decided_on_are_left_to_people(tmp_path: Path) -> None:
    board = board_of(tmp_path, asking_much())
    desk = Desk(board, "Ada", "assessor")
    event = desk.accept("101")
    assert event is not None
    assert [change.item.sentence for change in event.act.changes] == list(range(1, 10))
    again = board_of(tmp_path, asking_much())
    again.refresh()
    assert again.sheet("101", "assessor", "Ada").micro_topics == tuple(range(1, 10))
    assert again.bad == []


def test_what_could_not_be_read_is_not_kept(store: Store) -> None:
    bad = (ItemChange(Item(LABEL, 10), "query 10"),)
    with pytest.raises(DataError, match="cannot be kept: its changes cannot be read"):
        store.append(Act("k", "Ada", "assessor", "101", "text", bad))
    assert store.read() == ([], [])


def harm(path: Path, thread: str, text: str, changes: str, who: str = "Ada") -> None:
    """Write an event as an older version did."""
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO events (at, act_key, who, role, thread, text, changes) VALUES (?, ?, ?, ?, ?, ?, ?)",
            ("2026-01-01T00:00:00+00:00", f"key {changes}", who, "assessor", thread, text, changes),
        )
    connection.close()


def test_a_bad_event_is_set_aside_and_repaired_by_appending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make(tmp_path / "project", asking_much(), plain(102))
    with open_store(str(project.store_path)) as store:
        board = Board(store, project.candidates)
        reject(Desk(board, "Bob", "assessor"), "102")
        rows = [["label", n, 0, "", f"query {n}"] for n in range(1, 13)]
        harm(project.store_path, "101", board.texts["101"], json.dumps(rows))
        harm(project.store_path, "101", board.texts["101"], "{")
        Desk(board, "Ada", "assessor").decide("101", [ItemChange(Item(LABEL, 1), "prelude")])
        assert [event.id for event in board.bad] == [3, 4]
        assert len(decisions_on(Board(store, project.candidates)).final) == 1
    assert main(["collect", "check", str(project.folder)]) == 1
    shown = capsys.readouterr()
    assert "3 events on 2 threads can be read" in shown.out
    assert "event 3 is set aside: its changes cannot be read" in shown.err
    assert main(["collect", "check", str(project.folder), "--repair"]) == 1  # nothing can be saved of the other one
    assert "event 3 is set aside, and what can be read of it was appended" in capsys.readouterr().err
    with open_store(str(project.store_path)) as store:
        sheet = Board(store, project.candidates)
        sheet.refresh()
        labels = sheet.sheet("101", "assessor", "Ada").labels
        assert labels[1, 0] == ("prelude", ())  # was decided since
        assert [labels[n, 0] for n in range(2, 10)] == [("query", (n,)) for n in range(2, 10)]
        again = check_store(project, store, repair=True)
        assert again.repaired == (3,)
        assert [event.id for event in again.bad] == [4]
        assert len(store.events()) == 4
    assert main(["collect", "agreement", str(project.folder)]) == 2  # nothing was decided by two, and no more
    assert "2 events cannot be read and are set aside: adjudge collect check" in capsys.readouterr().err


# What is decided, and what is exported


def test_a_micro_topic_may_stay_without_a_document(tmp_path: Path) -> None:
    board = board_of(tmp_path, quintic())
    ada = Desk(board, "Ada", "assessor")
    judged = {(1, HEP): ("total", "direct"), (1, MATH): ("unrelated", "")}
    accept(ada, QUINTIC, judged=judged | {(2, HEP): ("unrelated", ""), (2, MATH): ("unrelated", "")})
    assert ada.sheet(QUINTIC).status(board.candidates[QUINTIC]) == "accepted"
    bob = Desk(board, "Bob", "assessor")
    with pytest.raises(DataError, match="no document answers anything"):
        accept(bob, QUINTIC, judged={(k, d): ("unrelated", "") for k in (1, 2) for d in (HEP, MATH)})


@pytest.mark.parametrize(("decided", "confirmed"), [(YES, True), (NO, False), (None, None)])
def test_a_confirmation_is_a_decision(tmp_path: Path, decided: str | None, confirmed: bool | None) -> None:
    project = make(tmp_path / "project", quintic())
    board = board_of(tmp_path, quintic())
    ada = Desk(board, "Ada", "assessor")
    accept(ada, QUINTIC)
    if decided is not None:
        ada.decide(QUINTIC, [ItemChange(Item(CONFIRMED), decided)])
    assert missing(ada.sheet(QUINTIC), board.candidates[QUINTIC]) == ()
    decisions = decisions_on(board)
    export_project(project, decisions.final, decisions.assessments, all_grades=True)
    record = json.loads((project.export_path / "collection.jsonl").read_text())
    assert {judgment["confirmed"] for judgment in record["judgments"]} == {confirmed}


@pytest.mark.parametrize(("first", "second"), [(None, NO), (NO, None), (YES, None), (YES, NO), (NO, YES)])
def test_a_confirmation_of_two_people(tmp_path: Path, first: str | None, second: str | None) -> None:
    """What one of them decided is not lost, whoever finished first; where they differ, somebody settles it."""
    project = make(tmp_path / "project", quintic())
    board = board_of(tmp_path, quintic())
    for name, said in (("Ada", first), ("Bob", second)):
        desk = Desk(board, name, "assessor")
        desk.decide(QUINTIC, [ItemChange(Item(CONFIRMED), said)] if said else [])
        accept(desk, QUINTIC)
    decisions = decisions_on(board)
    told = {said for said in (first, second) if said}
    (alike,) = [row for row in agreement_of(decisions.assessments) if row.kind == "confirmed"]
    assert (alike.items, len(alike.disagreements)) == ((1, 1) if len(told) > 1 else (0, 0))
    adjudicator = Desk(board, "Eva", "adjudicator")
    if len(told) > 1:
        assert decisions.final == ()
        assert [each.item.kind for each in decisions.unresolved[0].disagreements] == [CONFIRMED]
        assert "confirmed by the asker" in [row.name for row in figures(board).rows]
        adjudicator.accept(QUINTIC)
        assert adjudicator.sheet(QUINTIC).value(CONFIRMED) is None
        return
    export_project(project, decisions.final, decisions.assessments, all_grades=True)
    record = json.loads((project.export_path / "collection.jsonl").read_text())
    assert {judgment["confirmed"] for judgment in record["judgments"]} == {told == {YES}}
    adjudicator.accept(QUINTIC)
    assert adjudicator.sheet(QUINTIC).value(CONFIRMED) == told.pop()


def test_a_doubt_of_one_is_a_doubt_of_all(tmp_path: Path) -> None:
    board = board_of(tmp_path, quintic())
    for name in ("Ada", "Bob"):
        accept(Desk(board, name, "assessor"), QUINTIC)
    Desk(board, "Bob", "assessor").decide(QUINTIC, [ItemChange(Item(UNSURE), YES)])
    (final,) = decisions_on(board).final
    assert final.unsure


def test_unrelated_documents_are_judged_with_grade_0(tmp_path: Path) -> None:
    project = make(tmp_path / "project", quintic())
    board = board_of(tmp_path, quintic())
    accept(Desk(board, "Ada", "assessor"), QUINTIC)
    final = assessment(board.sheet(QUINTIC, "assessor", "Ada"), board.candidates[QUINTIC], "Ada")
    assert [judgment.grade for judgment in final.judgments] == [2, 0, 0, 1]
    export = export_project(project, [final])
    qrels = (project.export_path / "qrels.txt").read_text()
    assert qrels == f"{QUINTIC}.1 0 {HEP} 2\n{QUINTIC}.1 0 {MATH} 0\n"  # the second has no relevant document
    assert export.counts.judgments == 1
    for wrong in (Judgment(1, HEP, "unrelated", "direct"), Judgment(1, HEP, "total", "")):
        with pytest.raises(DataError, match="not a totality and a directness"):
            export_project(project, [replace(final, judgments=(wrong,))])


def test_topics_in_the_form_of_trec_have_all_that_is_asked(tmp_path: Path) -> None:
    project = make(tmp_path / "project", quintic())
    board = board_of(tmp_path, quintic())
    accept(Desk(board, "Ada", "assessor"), QUINTIC)
    export_project(project, decisions_on(board).final, all_grades=True)
    first, second = read_topics(project.export_path / "topics.trec")
    prelude = "Curves of genus $g$ on a quintic threefold can be counted up to genus 51. "
    prelude += "For each genus there is a bound $d(g)$ below which all counts vanish."
    assert first.title == "Where is a table of the low ones printed?"
    assert first.description == f"{prelude} {first.title}"
    assert first.narrative == second.narrative == prelude
    page = (project.export_path / "topics" / f"{QUINTIC}.2.xhtml").read_text()
    assert "And where is that bound proved?" in page
    assert "Where is a table" not in page
    assert page.index("Curves of genus") < page.index("And where")


def test_who_finished_a_topic_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make(tmp_path / "project", quintic(), plain(101))
    with open_store(str(project.store_path)) as store:
        board = Board(store, project.candidates)
        for name in ("Ada", "Bob"):
            accept(Desk(board, name, "assessor"), QUINTIC)
        accept(
            Desk(board, "Ada", "assessor"), "101", {1: "prelude", 2: "query 1"}, {(1, "1001.0001"): ("total", "direct")}
        )
    assert main(["collect", "export", str(project.folder)]) == 0
    records = [json.loads(line) for line in (project.export_path / "collection.jsonl").read_text().splitlines()]
    assert {record["id"]: record["people"] for record in records} == {"101": 1, QUINTIC: 2}
    assert "| 1 | 1 | 50.00% |" in (project.export_path / "datasheet.md").read_text()
    capsys.readouterr()
    assert main(["collect", "export", str(project.folder), "--people", "2"]) == 0
    assert "thread 101: finished by 1 of 2 people" in capsys.readouterr().err
    assert "101.1" not in (project.export_path / "qrels.txt").read_text()


def test_an_id_that_no_file_of_trec_can_hold(tmp_path: Path) -> None:
    thread = plain(101)
    project = make(tmp_path / "project", replace(thread, thread=replace(thread.thread, id="a b")))
    final = Assessment("a b", "Ada", True, True, (), (Judgment(1, "1001.0001", "total", "direct"),))
    with pytest.raises(DataError, match=r"topic 'a b\.1' cannot stand in a line of TREC: give it another id in"):
        export_project(project, [final])


# Threads that nobody goes on with, and candidates that somebody replaces


def test_a_thread_that_was_left_is_given_to_others(tmp_path: Path) -> None:
    board = board_of(tmp_path, plain(101))
    for name in ("Ada", "Bob"):
        Desk(board, name, "assessor").decide("101", [ItemChange(Item(NOTE), "later")])
    assert next_wanted(board, "Cid", "assessor", 2) is None
    assert next_wanted(board, "Ada", "assessor", 2) == "101"
    late = (board.now() + RELEASED * 2).isoformat()
    board.store._clock = lambda: late
    assert next_wanted(board, "Cid", "assessor", 2) == "101"


def test_candidates_with_decisions_in_a_database_are_not_replaced(tmp_path: Path) -> None:
    from adjudge.collection.qa.thread_candidates import CandidateSettings, find_candidates
    from collection.dump_of import answer, dump, file_of, question

    folder = dump(tmp_path / "dump", file_of("posts", question(1, accepted=2), answer(2, 1)))
    project = make(tmp_path / "project", plain(101))
    for own in (None, str(project.store_path), f"sqlite:///{project.store_path}"):
        remember_store(project.folder, own)
        assert not project.elsewhere_path.exists()
    remember_store(project.folder, "postgresql://ann:secret@db.example.org:5433/bench?sslmode=require")
    assert project.elsewhere_path.read_text() == "postgresql://db.example.org:5433/bench\n"
    with pytest.raises(ConflictError, match="has decisions on its candidates"):
        find_candidates(folder, project, CandidateSettings())


def test_candidates_with_decisions_in_another_file_are_not_replaced(tmp_path: Path) -> None:
    from adjudge.collection.qa.thread_candidates import CandidateSettings, find_candidates
    from collection.dump_of import answer, dump, file_of, question

    folder = dump(tmp_path / "dump", file_of("posts", question(1, accepted=2), answer(2, 1)))
    project = make(tmp_path / "project", plain(101))
    remember_store(project.folder, str(tmp_path / "elsewhere.sqlite"))
    with pytest.raises(ConflictError, match="has decisions on its candidates"):
        find_candidates(folder, project, CandidateSettings())


def test_a_store_in_which_nobody_has_decided_anything_holds_nobody_up(tmp_path: Path) -> None:
    from adjudge.collection.qa.thread_candidates import CandidateSettings, find_candidates
    from collection.dump_of import answer, dump, file_of, question

    folder = dump(tmp_path / "dump", file_of("posts", question(1, accepted=2), answer(2, 1)))
    project = make(tmp_path / "project", plain(101))
    with open_store(str(project.store_path)) as store:
        find_candidates(folder, project, CandidateSettings())
        Desk(Board(store, {"101": plain(101)}), "Ada", "assessor").decide("101", [ItemChange(Item(NOTE), "later")])
        with pytest.raises(ConflictError, match="has decisions on its candidates"):
            find_candidates(folder, project, CandidateSettings())


# Projects of strangers


@pytest.mark.parametrize("name", ["formulas.jsonl", "guidelines.md", "store.sqlite", "store.url", "collection"])
def test_links_out_of_a_project_are_not_followed(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from adjudge.cli import main

    project = make(tmp_path / "project", plain(101))
    victim = tmp_path / "victim"
    victim.mkdir() if name == "collection" else victim.write_text("mine")
    (project.folder / name).symlink_to(victim)
    for command in (["formulas"], ["export"], ["serve", "--port", "0"], ["sentences"], ["events"]):
        assert main(["collect", command[0], str(project.folder), *command[1:]]) == 2
        assert capsys.readouterr().err.endswith(f"{name}: a link that leads out of the folder: remove it\n")
    assert list(victim.iterdir()) == [] if name == "collection" else victim.read_text() == "mine"


def test_an_export_follows_no_link_out_of_the_project(tmp_path: Path) -> None:
    from adjudge.collection.qa.export import export_project

    project = make(tmp_path / "project", plain(101))
    (tmp_path / "victim").write_text("mine")
    project.export_path.mkdir()
    (project.export_path / "qrels.txt").symlink_to(tmp_path / "victim")
    with pytest.raises(ConflictError, match=r"qrels\.txt: a link that leads out of the folder"):
        export_project(project, ())
    assert (tmp_path / "victim").read_text() == "mine"


@pytest.mark.parametrize("command", [("export",), ("agreement",), ("check",), ("events",), ("serve", "--port", "0")])
def test_decisions_that_are_elsewhere_are_not_said_to_be_missing(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from adjudge.cli import main

    project = make(tmp_path / "project", plain(101))
    project.elsewhere_path.write_text("postgresql://db.example.org/bench\x1b[31m\n")
    assert main(["collect", command[0], str(project.folder), *command[1:]]) == 2
    said = capsys.readouterr().err
    assert "its decisions are in postgresql://db.example.org/bench" in said
    assert said.endswith(": name it with --store\n")
    assert "\x1b" not in said
    assert not project.store_path.exists()


def test_an_undo_does_not_take_back_what_was_not_seen(tmp_path: Path) -> None:
    board = board_of(tmp_path, quintic())
    one, other = Desk(board, "jo", "adjudicator"), Desk(board, "kim", "adjudicator")
    first = one.decide(QUINTIC, [ItemChange(Item(TOTALITY_OF, 0, 1, HEP), "total")])
    assert first is not None
    other.decide(QUINTIC, [ItemChange(Item(TOTALITY_OF, 0, 1, MATH), "total")])
    with pytest.raises(ConflictError, match="was changed meanwhile"):
        one.undo(QUINTIC, seen=first.id)
    assert board.adjudication(QUINTIC).value(TOTALITY_OF, 0, 1, MATH) == "total"


def test_nothing_is_settled_that_was_not_seen(tmp_path: Path) -> None:
    board = board_of(tmp_path, quintic())
    for name in ("Ada", "Bob"):
        accept(Desk(board, name, "assessor"), QUINTIC)
    one, other = Desk(board, "jo", "adjudicator"), Desk(board, "kim", "adjudicator")
    taken = one.accept(QUINTIC, seen=0)
    assert taken is not None
    changed = other.decide(QUINTIC, [ItemChange(Item(NOTE), "not so fast")])
    assert changed is not None
    with pytest.raises(ConflictError, match="was changed meanwhile"):
        one.finish(QUINTIC, "a key", taken.id)
    assert other.finish(QUINTIC, "another", changed.id) is not None
    assert other.finish(QUINTIC, "another", changed.id) is not None, "sent twice"


# In the browser


@pytest.fixture
def client(tmp_path: Path, store: Store) -> Iterator[Any]:
    """A workbench on loopback that asks for names; Eva is adjudicator."""
    pytest.importorskip("httpx2", reason="httpx2 is not installed")
    testclient = pytest.importorskip("starlette.testclient")
    from adjudge.collection.workbench.web.application import application
    from adjudge.collection.workbench.web.visitors import WebSettings

    project = make(tmp_path / "project", quintic(), plain(101))
    made = application(project, Board(store, project.candidates), WebSettings(adjudicators=frozenset({"Eva"})))
    with testclient.TestClient(made, base_url="http://127.0.0.1:8300") as opened:
        yield opened


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return html.unescape(found[1])


def sign_in(client: Any, name: str, onward: str = "") -> Any:
    client.cookies.clear()
    form = {"csrf": field(client.get("/sign-in").text, "csrf"), "name": name}
    return client.post("/sign-in", data=form | ({"next": onward} if onward else {}))


def act(client: Any, action: str, **fields: str) -> Any:
    csrf = field(client.get("/thread", params={"id": QUINTIC}).text, "csrf")
    return client.post(f"/{action}", data={"csrf": csrf, "thread": QUINTIC, **fields})


def test_double_assessment_is_blind_on_loopback(client: Any, store: Store) -> None:
    board = Board(store, {one.id: one for one in (quintic(), plain(101))})
    ada = Desk(board, "Ada", "assessor")
    accept(ada, QUINTIC)
    ada.decide(QUINTIC, [ItemChange(Item(NOTE), "ADASNOTE")])
    sign_in(client, "Carl")
    assert "ADASNOTE" not in client.get(f"/history?id={QUINTIC}").text
    assert client.get(f"/adjudicate?id={QUINTIC}").status_code == 403
    assert client.post("/export", data={"csrf": field(client.get("/export").text, "csrf")}).status_code == 403
    sign_in(client, "Eva")  # may settle, and may still be wanted as assessor
    assert "ADASNOTE" not in client.get(f"/history?id={QUINTIC}").text
    assert "<bdi>Ada</bdi> yes" not in client.get(f"/adjudicate?id={QUINTIC}").text
    accept(Desk(board, "Bob", "assessor"), QUINTIC)
    assert "ADASNOTE" in client.get(f"/history?id={QUINTIC}").text
    assert "<bdi>Ada</bdi> yes" in client.get(f"/adjudicate?id={QUINTIC}").text


def test_nobody_settles_what_he_assessed_while_another_could(tmp_path: Path, store: Store) -> None:
    pytest.importorskip("httpx2", reason="httpx2 is not installed")
    testclient = pytest.importorskip("starlette.testclient")
    from adjudge.collection.workbench.web.application import application
    from adjudge.collection.workbench.web.visitors import WebSettings

    project = make(tmp_path / "project", quintic())
    board = Board(store, project.candidates)
    for name in ("Eva", "Bob"):
        accept(Desk(board, name, "assessor"), QUINTIC)
    for names, status in ((frozenset({"Eva", "Kim"}), 403), (frozenset({"Eva"}), 200)):
        made = application(project, Board(store, project.candidates), WebSettings(name="Eva", adjudicators=names))
        with testclient.TestClient(made, base_url="http://127.0.0.1:8300") as client:
            done = act(client, "decide", role="adjudicator", kind="clear", value="yes", seen="999")
            assert done.status_code == status


def test_an_export_that_fails_does_not_say_where_the_project_lies(client: Any, tmp_path: Path) -> None:
    sign_in(client, "Eva")
    answer = client.post("/export", data={"csrf": field(client.get("/export").text, "csrf")})
    assert answer.status_code == 400
    assert "collection: no topic to export" in answer.text
    assert str(tmp_path) not in answer.text


def test_a_note_that_was_typed_is_kept_by_finish(client: Any, store: Store) -> None:
    sign_in(client, "Ada")
    act(client, "decide", kind="clear", value="no")
    page = client.get(f"/thread?id={QUINTIC}").text
    assert re.search(r'<textarea[^>]*form="finish"', page)
    act(client, "finish", kind="note", value="TYPED")
    board = Board(store, {one.id: one for one in (quintic(), plain(101))})
    board.refresh()
    assert board.sheet(QUINTIC, "assessor", "Ada").value(NOTE) == "TYPED"
    assert list(board.finished(QUINTIC)) == ["Ada"]


def test_a_confirmation_is_asked_for_where_the_asker_commented(client: Any, store: Store) -> None:
    sign_in(client, "Ada")
    page = client.get(f"/thread?id={QUINTIC}").text
    assert "Does the asker confirm the answer?" in page
    assert "reads like" not in page
    assert "Does the asker confirm" not in client.get("/thread?id=101").text
    assert act(client, "decide", kind="confirmed", value="no").status_code == 200
    assert [event.act.changes[0].value for event in store.events()] == ["no"]


@pytest.mark.parametrize(
    "address",
    [
        f"/thread?id={QUINTIC}&id=101",
        f"/thread?id={QUINTIC}&finished=101&finished=102",
        f"/adjudicate?id={QUINTIC}&id=101",
        f"/history?id={QUINTIC}&id=101",
        f"/document?thread={QUINTIC}&id={HEP}&id={MATH}",
        "/next?role=assessor&role=adjudicator",
        "/next?after=101&after=102",
        "/download?what=events&what=collection",
        *(f"/?{name}=1&{name}=2" for name in ("show", "find", "tag", "person", "sort", "score", "page", "finished")),
        "/sign-in?next=/a&next=/b",
    ],
)
def test_no_address_keeps_one_of_two_values_unseen(client: Any, address: str) -> None:
    sign_in(client, "Eva")
    answer = client.get(address, follow_redirects=False)
    assert answer.status_code == 400
    assert "twice: give it once" in answer.text


def test_after_signing_in_one_is_where_one_wanted_to_be(client: Any) -> None:
    asked = client.get(f"/thread?id={QUINTIC}", follow_redirects=False)
    assert asked.headers["location"] == f"/sign-in?next=%2Fthread%3Fid%3D{QUINTIC}"
    assert field(client.get(asked.headers["location"]).text, "next") == f"/thread?id={QUINTIC}"
    done = sign_in(client, "Ada", f"/thread?id={QUINTIC}")
    assert (done.url.path, done.url.query) == ("/thread", f"id={QUINTIC}".encode())
    for elsewhere in ("//evil.example", "https://evil.example/", "/\\evil.example", "/x y", "/a\r\nb"):
        assert sign_in(client, "Ada", elsewhere).url.path == "/"


def test_a_picture_elsewhere_signs_nobody_out(client: Any) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors"}
    assert "set-cookie" not in client.get("/", headers=headers).headers
    linked = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}
    assert "samesite=lax" in client.get("/sign-in", headers=linked).headers["set-cookie"].lower()


def test_a_copy_of_a_cookie_is_of_no_use_after_signing_out(client: Any) -> None:
    sign_in(client, "Ada")
    copy = dict(client.cookies)
    page = client.get("/")
    assert "Ada" in page.text
    client.post("/sign-out", data={"csrf": field(page.text, "csrf")})
    client.cookies.clear()
    for name, value in copy.items():
        client.cookies.set(name, value)
    assert client.get("/").url.path == "/sign-in"


def test_an_event_that_is_set_aside_is_shown_and_hinders_nobody(client: Any, store: Store, tmp_path: Path) -> None:
    harm(tmp_path / "store.sqlite", QUINTIC, "x", '[["label", 1, 0, "", "query 10"]]')
    sign_in(client, "Ada")
    for path in ("/", f"/thread?id={QUINTIC}", "/agreement", "/export", f"/history?id={QUINTIC}"):
        assert client.get(path).status_code == 200
    assert "1 event of the store cannot be read and is set aside" in client.get("/").text


def test_the_operator_sees_what_is_wrong_with_the_store(
    client: Any, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sign_in(client, "Ada")
    csrf = field(client.get(f"/thread?id={QUINTIC}").text, "csrf")

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(Store, "_run", full)
    form = {"csrf": csrf, "thread": QUINTIC, "kind": "clear", "value": "yes"}
    answer = client.post("/decide", data=form)
    assert answer.status_code == 503
    assert "The disk of the store is full" in answer.text
    assert str(store.database.name) not in answer.text
    assert "database or disk is full" in caplog.text


@pytest.mark.parametrize("headers", [{"content-length": "1000000"}, {"transfer-encoding": "chunked"}])
def test_a_page_is_asked_for_without_a_body(client: Any, headers: dict[str, str]) -> None:
    answer = client.request("GET", "/static/icon.svg", headers=headers)
    assert answer.status_code == 400
    assert answer.headers["connection"] == "close"
    refused = client.post("/decide", headers={**headers, "origin": "https://evil.example"})
    assert refused.status_code == 403
    assert refused.headers["connection"] == "close"


def test_a_document_can_be_read_where_it_is_judged(tmp_path: Path, store: Store) -> None:
    pytest.importorskip("httpx2", reason="httpx2 is not installed")
    testclient = pytest.importorskip("starlette.testclient")
    from adjudge.collection.workbench.web.application import application
    from adjudge.collection.workbench.web.visitors import WebSettings
    from adjudge.core.document import Document, InMemory
    from adjudge.index.building import build
    from adjudge.verbs.collection_verbs import document_source

    documents = InMemory([Document(HEP, "Tables\nof <b>all</b> counts", "Tables"), Document("secret/1", "SECRET")])
    build(documents, tmp_path / "index", texts=True)
    project = make(tmp_path / "project", quintic())
    project.guidelines_path.write_text("Rule 1: <read> the table.")
    settings = WebSettings(name="Ada", documents=document_source(str(tmp_path / "index"), project))
    made = application(project, Board(store, project.candidates), settings)
    with testclient.TestClient(made, base_url="http://127.0.0.1:8300") as client:
        for changes in ({"kind": "clear", "value": "yes"}, {"kind": "answered", "value": "yes"}):
            act(client, "decide", **changes)
        act(client, "accept")
        page = client.get(f"/thread?id={QUINTIC}").text
        assert "Rule 1: &lt;read&gt; the table." in page
        assert f'href="https://arxiv.org/abs/{HEP}"' in page
        addresses = [html.unescape(found) for found in re.findall(r'href="(/document[^"]*)"', page)]
        shown = client.get(addresses[0]).text
        assert "of &lt;b&gt;all&lt;/b&gt; counts" in shown
        assert "not at hand" in client.get(addresses[1]).text  # the index has no such document
        for wrong in (f"/document?thread={QUINTIC}&id=secret/1", f"/document?thread=x&id={HEP}", "/document"):
            assert client.get(wrong).status_code == 404


def test_addresses_of_documents() -> None:
    from adjudge.collection.qa.threads import Citation

    assert Citation("doi", "10.1000/182(87)", "text", "x").address == "https://doi.org/10.1000/182(87)"
    assert Citation("page", "7", "href", "https://ok.example/7?a=b").address == "https://ok.example/7?a=b"
    for written in ("javascript:alert(1)", "data:x", "//evil.example"):
        assert Citation("page", "7", "href", written).address == ""
    assert '"' not in Citation("page", "7", "href", 'https://x/"><script>').address


def test_only_what_has_changed_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudge.collection.workbench import queue

    board = board_of(tmp_path, *(plain(number) for number in range(101, 131)))
    looked: list[str] = []
    original = queue.row

    def row(board: Board, thread: str, *given: Any) -> queue.ThreadRow:
        looked.append(thread)
        return original(board, thread, *given)

    monkeypatch.setattr(queue, "row", row)
    cache = queue.QueueCache(board, 2)
    assert len(cache.rows("Ada", "assessor")) == len(looked) == 30
    reject(Desk(board, "Ada", "assessor"), "107")
    reject(Desk(board, "Bob", "assessor"), "107")
    looked.clear()
    rows = cache.rows("Ada", "assessor")
    assert set(looked) == {"107"}
    assert (rows["107"].mine, rows["107"].finished, rows["107"].state) == ("rejected", 2, "agreed")
    assert [one.finished for one in queue.progress(board)] == [1, 1]
    Desk(board, "Ada", "assessor").undo("107")
    assert cache.rows("Ada", "assessor")["107"].mine == "begun"
    assert cache.next_wanted("Ada", "assessor", "106") == "107"
    assert {thread: row.wanted for thread, row in rows.items()} == {
        thread: original(board, thread, "Ada", "assessor", 2).wanted for thread in board.candidates
    }


def test_what_was_made_of_older_sheets_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request compares sheets while another one brings new ones: what it made is not taken for theirs."""
    board = board_of(tmp_path, quintic())
    ada, bob = (Desk(board, name, "assessor") for name in ("Ada", "Bob"))
    for desk in (ada, bob):
        accept(desk, QUINTIC)

    def slow(*given: Any) -> Any:
        compared = list(compare_sheets(*given))
        monkeypatch.undo()
        bob.decide(QUINTIC, [ItemChange(Item(TOTALITY_OF, 0, 1, HEP), "partial")])  # meanwhile
        return compared

    monkeypatch.setattr("adjudge.collection.workbench.board.compare_sheets", slow)
    assert all(len(set(said.values())) == 1 for _, said in board.compared(QUINTIC))
    assert [each.item.kind for each in board.disagreements(QUINTIC)] == [TOTALITY_OF]
    assert any(len(set(said.values())) > 1 for _, said in board.compared(QUINTIC))


def test_two_who_look_at_the_figures_at_once_count_a_thread_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    board = board_of(tmp_path, quintic())
    for name in ("Ada", "Bob"):
        accept(Desk(board, name, "assessor"), QUINTIC)
    tally, waiting = AgreementTally(board), threading.Event()
    original = board.finished

    def slow(thread: str) -> dict[str, Sheet]:
        waiting.set()
        time.sleep(0.2)
        return original(thread)

    monkeypatch.setattr(board, "finished", slow)
    other = threading.Thread(target=tally.figures)
    other.start()
    assert waiting.wait(20)
    rows = tally.figures().rows
    other.join()
    assert rows == figures(board).rows
    assert tally.figures().rows == rows


SAID = st.sampled_from(["total", "partial", "unrelated", None])


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_sheets_that_agree_are_those_without_a_difference(data: st.DataObject) -> None:
    """The short way to see that nobody differs says so only where comparing item by item finds nothing."""
    sheets = {}
    for name in data.draw(st.sampled_from([("Ada", "Bob"), ("Ada", "Bob", "Cid")])):
        values = {Item("clear"): YES, Item("answered"): data.draw(st.sampled_from([YES, YES, YES, NO]))}
        values |= {
            Item(LABEL, n): data.draw(st.sampled_from(["prelude", "query 1", "query 2", "query 1 2"]))
            for n in (1, 2, 3)
        }
        for k in (1, 2):
            for document in (HEP, MATH):
                said = data.draw(SAID)
                values |= {Item(TOTALITY_OF, 0, k, document): said} if said else {}
                if data.draw(st.booleans()):
                    values[Item("directness", 0, k, document)] = data.draw(st.sampled_from(["direct", "indirect"]))
        for item, value in (
            (Item("begins", 2), NO),
            (Item("begins", 1, place=6), YES),
            (Item("added", document="x/1"), YES),
            (Item(CONFIRMED), data.draw(st.sampled_from([YES, NO]))),
        ):
            if data.draw(st.integers(0, 9)) == 0:
                values[item] = value
        sheets[name] = Sheet(values)
    if data.draw(st.booleans()):
        sheets = dict.fromkeys(sheets, sheets["Ada"])
    if agree(sheets.values()):
        assert disagreements(quintic(), sheets) == ()
    if len(set(map(id, sheets.values()))) == 1:
        assert agree(sheets.values()) == (not sheets["Ada"].rejected)


@pytest.mark.parametrize(
    "text", ["[]", ' [["clear", 0, 0, "", "yes"]] ', '[["clear", 0, 0, "", null]]\n', '[["note", 0, 0, "", "\\u00e9"]]']
)
def test_changes_are_read_as_json_reads_them(text: str) -> None:
    from adjudge.collection.workbench.events import from_json

    assert [[*change.item[:4], change.value] for change in from_json(text)] == json.loads(text)


@pytest.mark.parametrize("text", ["", "[", "[] []", "[]]", "{}x", "5", '"ab"', "[[]]", "nul", "[" * 100_000])
def test_changes_that_are_none(text: str) -> None:
    from adjudge.collection.workbench.events import UnreadableError, from_json

    with pytest.raises(UnreadableError, match="its changes cannot be read"):
        from_json(text)


def test_a_label_of_any_length_is_remembered_by_nobody() -> None:
    from adjudge.collection.workbench.events import is_label, label_of

    assert is_label("query 1 2 3 4 5 6 7 8 9")
    before = label_of.cache_info().currsize
    assert not is_label("query" + " 1" * 50_000)
    assert label_of.cache_info().currsize == before
    assert is_label.cache_info().maxsize is not None


def test_a_dump_without_candidates_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from collection.dump_of import answer, dump, file_of, question

    posts = file_of("posts", question(1, accepted=2), answer(2, 1, "<p>No idea.</p>"))
    folder = dump(tmp_path / "dump", posts)
    assert main(["collect", "candidates", str(folder), "-o", str(tmp_path / "project")]) == 0
    shown = capsys.readouterr()
    assert re.search(r"candidates\s+0", shown.out)
    assert "no thread has become a candidate" in shown.err
