"""Sentences that people cut and join, several micro-topics a sentence, documents added by hand, threads left for later,
people who are renamed, and the figures that follow from all that."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.cli import main
from adjudge.collection.qa.agreement import agreement_of, alpha, kappa
from adjudge.collection.qa.export import assemble
from adjudge.collection.qa.mending import SentenceBreak, cut_places, flat_text, mended_sentences
from adjudge.collection.qa.post_markup import blocks
from adjudge.collection.qa.project import read_assessments
from adjudge.collection.qa.sentences import sentences_of
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import (
    ADDED,
    ANSWERED,
    BEGINS,
    CLEAR,
    DIRECTNESS_OF,
    LABEL,
    NO,
    SKIPPED,
    TOTALITY_OF,
    UNSURE,
    YES,
    Item,
    ItemChange,
    from_json,
    to_json,
)
from adjudge.collection.workbench.figures import AgreementTally, figures
from adjudge.collection.workbench.queue import QueueCache
from adjudge.collection.workbench.sheet import assessment, missing, proposals, to_go
from adjudge.collection.workbench.state import decisions_on
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.core.errors import DataError
from workbench_people import HEP, JUDGED, LABELS, MATH, accept, board_of, reject
from workbench_project import make, plain, quintic

QUINTIC = "14655"


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return board_of(tmp_path, quintic(), plain(101), plain(102))


@pytest.fixture
def ada(board: Board) -> Desk:
    return Desk(board, "Ada", "assessor")


def begins(number: int, place: int, value: str) -> ItemChange:
    return ItemChange(Item(BEGINS, number, place=place), value)


def label(number: int, value: str, place: int = 0) -> ItemChange:
    return ItemChange(Item(LABEL, number, place=place), value)


def decide(desk: Desk, *changes: ItemChange) -> None:
    desk.decide(QUINTIC, changes)


def judge(desk: Desk, k: int, document: str, totality: str, directness: str = "") -> None:
    changes = [ItemChange(Item(TOTALITY_OF, 0, k, document), totality)]
    if directness:
        changes.append(ItemChange(Item(DIRECTNESS_OF, 0, k, document), directness))
    decide(desk, *changes)


# Cutting and joining


@settings(max_examples=25)
@given(st.lists(st.booleans(), min_size=4, max_size=4), st.randoms())
def test_nothing_is_lost_by_cutting_and_joining(joins: Sequence[bool], rng: random.Random) -> None:
    sentences = quintic().sentences
    breaks = [SentenceBreak(s.number, 0, begins=not join) for s, join in zip(sentences[1:], joins, strict=False)]
    for sentence in sentences:
        places = cut_places(sentence)
        breaks += [SentenceBreak(sentence.number, place) for place in rng.sample(places, min(len(places), 2))]
    mended = mended_sentences(sentences, breaks)
    assert " ".join("".join(flat_text(s) for s in mended).split()).replace(" ", "") == "".join(
        flat_text(s) for s in sentences
    ).replace(" ", "")
    assert (
        len({(s.number, s.place) for s in mended})
        == len(mended)
        == 5 + sum(b.begins and b.place > 0 for b in breaks) - sum(not b.begins for b in breaks)
    )
    assert mended_sentences(sentences, ()) == sentences


def test_sentences_are_cut_and_joined_and_undone(board: Board, ada: Desk) -> None:
    place = cut_places(quintic().sentences[1])[2]
    decide(ada, begins(2, place, YES), begins(5, 0, NO))
    sheet = ada.sheet(QUINTIC)
    mended = sheet.mended(quintic())
    assert [(s.number, s.place) for s in mended.sentences] == [(1, 0), (2, 0), (2, place), (3, 0), (4, 0)]
    assert mended.sentences[-1].text == "Where is a table of the low ones printed? And where is that bound proved?"
    assert len(proposals(sheet, quintic())) == 5
    decide(ada, label(2, "prelude", place))
    with pytest.raises(DataError, match="has no sentence 5"):
        decide(ada, label(5, "prelude"))
    for wrong in (begins(2, 1, YES), begins(1, 0, NO), begins(9, 0, NO)):
        with pytest.raises(DataError):
            decide(ada, wrong)
    decide(ada, begins(2, place, NO), begins(5, 0, YES))  # as it was
    assert ada.sheet(QUINTIC).breaks == ()
    assert ada.sheet(QUINTIC).labels == {}  # a piece that is no more has no label
    ada.undo(QUINTIC)
    assert ada.sheet(QUINTIC).labels == {(2, place): ("prelude", ())}


def test_mended_sentences_are_exported(tmp_path: Path, board: Board, ada: Desk) -> None:
    place = cut_places(quintic().sentences[1])[2]
    decide(ada, begins(2, place, YES), begins(5, 0, NO))
    decide(ada, ItemChange(Item(CLEAR), YES), ItemChange(Item(ANSWERED), YES))
    ada.accept(QUINTIC)
    decide(ada, label(2, "neither", place), label(4, "query 1 2"))
    assert [item for item, _ in missing(ada.sheet(QUINTIC), quintic())] == [
        Item(TOTALITY_OF, 0, k, document) for k in (1, 2) for document in (HEP, MATH)
    ]
    for k, document in ((1, HEP), (2, MATH)):
        judge(ada, k, document, "total", "direct")
    for k, document in ((1, MATH), (2, HEP)):
        judge(ada, k, document, "unrelated")
    ada.finish(QUINTIC)
    final = decisions_on(board).final
    collection = assemble(board.candidates, final, "x")
    sentences = collection.topics[0].sentences
    assert [(s.number, s.kind, s.micro_topics) for s in sentences] == [
        (1, "neither", ()), (2, "prelude", ()), (3, "neither", ()), (4, "prelude", ()), (5, "query", (1, 2)),
    ]  # fmt: skip
    assert sentences[1].text == "Curves of genus"
    assert sentences[2].text == "$g$ on a quintic threefold can be counted up to genus 51."
    both = "Where is a table of the low ones printed? And where is that bound proved?"
    assert [query.title for query in (collection.topics[0].trec_query(m) for m in (1, 2))] == [both, both]
    # as lines of JSON, for who decides without the workbench
    written = tmp_path / "decisions.jsonl"
    written.write_text(json.dumps(final[0], default=vars))
    assert read_assessments(written) == [final[0]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"breaks": [{"sentence": 2, "place": 1}]},
        {"breaks": [{"sentence": 1, "begins": False}]},
        {"labels": [{"sentence": 5, "kind": "query", "micro_topic": 1}], "breaks": [{"sentence": 5, "begins": False}]},
        {"labels": [{"sentence": 4, "kind": "query", "micro_topic": 1}, {"sentence": 4, "kind": "prelude"}]},
        {"labels": [{"sentence": 4, "kind": "query", "micro_topic": 1}] * 2},
    ],
)
def test_mends_of_nobody_are_refused(tmp_path: Path, wrong: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    project = make(tmp_path / "project", quintic())
    decided = {"thread": QUINTIC, "assessor": "Ada", "clear": True, "answered": True, **wrong}
    (tmp_path / "decisions.jsonl").write_text(json.dumps(decided))
    assert main(["collect", "export", str(project.folder), "--assessments", str(tmp_path / "decisions.jsonl")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_people_who_cut_differently_are_compared_piece_by_piece(board: Board, ada: Desk) -> None:
    bob = Desk(board, "Bob", "assessor")
    place = cut_places(quintic().sentences[1])[2]
    decide(ada, begins(2, place, YES))
    decide(ada, label(2, "neither", place))
    accept(ada, QUINTIC)
    decide(bob, begins(5, 0, NO))
    accept(bob, QUINTIC, {1: "neither", 2: "prelude", 3: "prelude", 4: "query 1 2"})
    differ = {one.item: dict(one.values) for one in board.disagreements(QUINTIC)}
    assert differ == {
        Item(LABEL, 2, place=place): {"Ada": "neither", "Bob": "prelude"},
        Item(LABEL, 4): {"Ada": "query 1", "Bob": "query 1 2"},
        Item(LABEL, 5): {"Ada": "query 2", "Bob": "query 1 2"},
    }
    told = {each.kind: each for each in agreement_of(decisions_on(board).assessments)}
    assert told["sentence"].items == 6
    assert [one.item for one in told["sentence"].disagreements] == [f"{QUINTIC} sentence 2 from character {place + 1}"]
    assert [one.item for one in told["micro-topic"].disagreements] == [f"{QUINTIC} sentence {n}" for n in (4, 5)]
    eva = Desk(board, "Eva", "adjudicator")
    eva.accept(QUINTIC)
    # what both say of all of a sentence is taken over, and no more
    assert set(eva.sheet(QUINTIC).labels) == {(1, 0), (3, 0)}


def test_events_keep_places_and_old_events_have_none() -> None:
    changes = (label(2, "query 1 3", 17), label(4, "prelude"))
    assert from_json(to_json(changes)) == changes
    assert json.loads(to_json(changes[1:])) == [["label", 4, 0, "", "prelude"]]


# Documents by hand, later, not sure


def test_a_document_is_added_by_hand(board: Board, ada: Desk) -> None:
    bob = Desk(board, "Bob", "assessor")
    for wrong in ("", "a b", "x" * 300, HEP, "\u202e"):
        with pytest.raises(DataError):
            decide(ada, ItemChange(Item(ADDED, document=wrong), YES))
    decide(ada, ItemChange(Item(ADDED, document="new/1"), YES))
    judged = {**JUDGED, (1, "new/1"): ("total", "direct"), (2, "new/1"): ("unrelated", "")}
    accept(ada, QUINTIC, LABELS, judged)
    accept(bob, QUINTIC)
    assert [(one.item, dict(one.values)) for one in board.disagreements(QUINTIC)] == [
        (Item(ADDED, document="new/1"), {"Ada": "yes", "Bob": "no"})
    ]
    eva = Desk(board, "Eva", "adjudicator")
    eva.accept(QUINTIC)
    assert eva.sheet(QUINTIC).added == ("new/1",)  # somebody has to judge it
    judge(eva, 1, "new/1", "total", "direct")
    judge(eva, 2, "new/1", "unrelated")
    eva.finish(QUINTIC)
    collection = assemble(board.candidates, decisions_on(board).final, "x")
    assert {(j.micro_topic, j.document) for j in collection.topics[0].relevant} == {(1, HEP), (1, "new/1")}


def test_a_thread_is_left_for_later(board: Board, ada: Desk) -> None:
    cache = QueueCache(board, 1)
    ada.decide(QUINTIC, [ItemChange(Item(SKIPPED), YES)])
    ada.decide("101", [ItemChange(Item(UNSURE), YES)])
    rows = cache.rows("Ada", "assessor")
    assert (rows[QUINTIC].skipped, rows[QUINTIC].mine, rows["101"].unsure) == (True, "new", True)
    assert cache.next_wanted("Ada", "assessor") == "101"
    assert cache.rows("Bob", "assessor")[QUINTIC].wanted  # who leaves it decides nothing, so others get it
    for thread in ("101", "102"):
        reject(ada, thread)
    assert cache.next_wanted("Ada", "assessor") == QUINTIC
    ada.decide(QUINTIC, [ItemChange(Item(CLEAR), NO)])
    assert ada.sheet(QUINTIC).value(SKIPPED) is None
    ada.finish(QUINTIC)
    final = {one.thread: one.unsure for one in decisions_on(board).final}
    assert final == {QUINTIC: False, "101": True, "102": False}


def test_what_is_to_go_is_counted_to_the_end(ada: Desk) -> None:
    counts = [to_go(ada.sheet(QUINTIC), quintic())]
    steps = [
        [ItemChange(Item(CLEAR), YES)],
        [ItemChange(Item(ANSWERED), YES)],
        [label(n, value) for n, value in LABELS.items()],
        [ItemChange(Item(TOTALITY_OF, 0, 1, HEP), "total")],
        [ItemChange(Item(DIRECTNESS_OF, 0, 1, HEP), "direct")],
        [ItemChange(Item(TOTALITY_OF, 0, 1, MATH), "unrelated")],
        [ItemChange(Item(CLEAR), NO)],
    ]
    for changes in steps:
        decide(ada, *changes)
        counts.append(to_go(ada.sheet(QUINTIC), quintic()))
    assert counts == [11, 10, 9, 4, 4, 3, 2, 0]


# People


def test_two_spellings_become_one_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make(tmp_path / "project", quintic(), plain(101))
    with open_store(str(project.store_path)) as store:
        board = Board(store, project.candidates)
        reject(Desk(board, "Aad", "assessor"), "101")
        accept(Desk(board, "Ada", "assessor"), QUINTIC)
        before = Board(store, project.candidates)
        before.refresh()
        assert before.assessors == ("Aad", "Ada")
    serve = ["collect", "serve", str(project.folder)]
    assert main([*serve, "--rename-assessor", "Aad", "Ada"]) == 0
    assert main([*serve, "--rename-assessor", "nobody", "Ada"]) == 2
    assert "nobody called 'nobody' has decided anything" in capsys.readouterr().err
    assert main([*serve, "--list-assessors"]) == 0
    assert capsys.readouterr().out == "Ada\tby name\n"
    with open_store(str(project.store_path)) as store:
        board = Board(store, project.candidates)
        assert {one.thread: one.assessor for one in decisions_on(board).final} == {QUINTIC: "Ada", "101": "Ada"}
        assert board.unknown == ()
        board.rename("Ada", "Aad")  # and back, looking back as well
        assert board.assessors == ("Aad",)
        assert board.person("Ada") == "Aad"


def test_all_events_are_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make(tmp_path / "project", quintic(), plain(101))
    with open_store(str(project.store_path)) as store:
        desk = Desk(Board(store, project.candidates), "Ada", "assessor")
        reject(desk, "101")
        desk.undo("101")
    assert main(["collect", "events", str(project.folder)]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["changes"] for event in events] == [
        [{"kind": "clear", "value": "no"}], [{"kind": "finished", "value": "yes"}], [],
    ]  # fmt: skip
    assert [event["undoes"] for event in events] == [None, None, 2]
    assert main(["collect", "events", str(project.folder), "-o", str(tmp_path / "e.jsonl")]) == 0
    assert len((tmp_path / "e.jsonl").read_text().splitlines()) == 3


# Figures


def test_figures_are_their_definitions(tmp_path: Path) -> None:
    rng = random.Random(7)
    candidates = [plain(number) for number in range(101, 113)]
    board = board_of(tmp_path, *candidates)
    kept = AgreementTally(board)
    said: list[dict[str, str]] = []
    for candidate in candidates:
        here: dict[str, str] = {}
        for name in rng.sample(["Ada", "Bob", "Cid"], 2):
            here[name] = rng.choice(["yes", "no"])
            desk = Desk(board, name, "assessor")
            desk.decide(candidate.id, [ItemChange(Item(CLEAR), here[name]), ItemChange(Item(ANSWERED), NO)])
            desk.finish(candidate.id)
            kept.figures()
        said.append(here)
    Desk(board, "Ada", "assessor").decide("112", [ItemChange(Item(CLEAR), NO)])
    if "Ada" in said[-1]:
        said[-1]["Ada"] = NO
    assert kept.figures() == figures(board)  # counted step by step, and all at once
    row = kept.figures().rows[0]
    assert row.alpha == pytest.approx(alpha([list(here.values()) for here in said]))
    assert row.alike == sum(len(set(here.values())) == 1 for here in said)
    for (one, other), (coefficient, items) in zip(kept.figures().pairs, row.kappas, strict=True):
        both = [here for here in said if one in here and other in here]
        assert items == len(both)
        expected = kappa([here[one] for here in both], [here[other] for here in both])
        assert coefficient == pytest.approx(expected, nan_ok=True)
    # a jackknife over threads, written slowly
    units = [list(here.values()) for here in said]
    without = [alpha([*units[:n], *units[n + 1 :]]) for n in range(len(units))]
    mean = sum(without) / len(without)
    error = math.sqrt((len(without) - 1) / len(without) * sum((value - mean) ** 2 for value in without))
    assert row.interval[0] == pytest.approx(max(-1, row.alpha - 2.200985 * error), abs=1e-5)
    assert row.interval[1] == pytest.approx(min(1, row.alpha + 2.200985 * error), abs=1e-5)
    confusion = row.confusion
    assert confusion is not None
    assert confusion.values == ("yes", "no")
    assert confusion.counts[0][1] == confusion.counts[1][0] == len(said) - row.alike


def test_images_and_quotations_are_marked() -> None:
    image = '<img src="https://x.example/y.png" alt="enter image description here">'
    first, second = sentences_of(f"<p>See {image}.</p><blockquote>He said.</blockquote>")
    assert first.text == "See [image] ."
    assert first.parts[1].href == "https://x.example/y.png"
    assert (first.quoted, second.quoted) == (False, True)
    assert blocks('<img alt="a plot" src="p">')[0].parts[1].text == "[image: a plot]"


def test_a_store_on_a_disk_that_cannot_be_written_to_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    project = make(tmp_path / "project", plain(101))
    with open_store(str(project.store_path)) as store:
        reject(Desk(Board(store, project.candidates), "Ada", "assessor"), "101")
    original = sqlite3.connect

    def connect(path: Any, **options: Any) -> Any:
        """As if the disk were mounted to be read only."""
        return original(path if options.get("uri") else f"file:{path}?mode=ro", **{**options, "uri": True})

    monkeypatch.setattr(sqlite3, "connect", connect)
    project.store_path.chmod(0o444)
    with open_store(str(project.store_path), create=False) as store:
        assert len(decisions_on(Board(store, project.candidates)).final) == 1


def test_an_assessment_says_what_a_sheet_says(ada: Desk) -> None:
    accept(ada, QUINTIC)
    made = assessment(ada.sheet(QUINTIC), quintic(), "Ada")
    assert made.breaks == ()
    assert made.added == ()
    assert not made.unsure
