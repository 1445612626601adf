"""What events come to: sheets, undo, matching, agreement, the state that is exported."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.collection.qa.assessment import check_assessment
from adjudge.collection.workbench.assessor_matching import align, disagreements, match_micro_topics
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import (
    ANSWERED,
    CLEAR,
    FINISHED,
    LABEL,
    LONGEST_NOTE,
    NO,
    NOTE,
    TOTALITY_OF,
    YES,
    Act,
    Event,
    Item,
    ItemChange,
    UnreadableError,
    check_change,
    fingerprint,
    from_json,
    to_json,
)
from adjudge.collection.workbench.figures import figures
from adjudge.collection.workbench.queue import QueueCache, next_wanted, progress, row
from adjudge.collection.workbench.sheet import Sheet, fold, missing
from adjudge.collection.workbench.state import decisions, decisions_on
from adjudge.core.errors import ConflictError, DataError
from workbench_people import HEP, JUDGED, LABELS, MATH, accept, board_of, reject
from workbench_project import hostile, plain, quintic, sentence

QUINTIC = "14655"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    made = board_of(tmp_path, quintic(), plain(101), plain(102))
    yield made
    made.store.close()


@pytest.fixture
def ann(board: Board) -> Desk:
    return Desk(board, "ann", "assessor")


@pytest.fixture
def bob(board: Board) -> Desk:
    return Desk(board, "bob", "assessor")


@pytest.fixture
def judge(board: Board) -> Desk:
    return Desk(board, "jo", "adjudicator")


# Undo, against two plain stacks


STEPS = ["a=1", "a=2", "a-", "b=1", "ab=3", "undo", "undo", "undo", "redo", "redo", "redo"]


@example(["a=1", "undo", "redo", "redo", "undo", "redo"])
@given(st.lists(st.sampled_from(STEPS), max_size=30))
def test_undo_and_redo_are_as_two_stacks(steps: list[str]) -> None:
    events: list[Event] = []
    done: list[list[tuple[str, str | None]]] = []
    undone: list[list[tuple[str, str | None]]] = []
    for step in steps:
        sheet = fold(events, "t")
        if step in {"undo", "redo"}:
            target = sheet.undo if step == "undo" else sheet.redo
            stack, other = (done, undone) if step == "undo" else (undone, done)
            assert (target is None) == (not stack)
            if target is None:
                continue
            other.append(stack.pop())
            assert target not in {event.act.undoes for event in events}  # every event is undone once at most
            changes: tuple[ItemChange, ...] = ()
        else:
            names, value = (step[:-1], None) if step.endswith("-") else step.split("=")
            target = None
            done.append([(name, value) for name in names])
            undone.clear()
            changes = tuple(ItemChange(Item(name), value) for name in names)
        number = len(events) + 1
        events.append(Event(number, f"{number:03}", Act(str(number), "ann", "assessor", "1", "t", changes, target)))
    values: dict[str, str] = {}
    for act in done:
        for name, given_value in act:
            if given_value is None:
                values.pop(name, None)
            else:
                values[name] = given_value
    sheet = fold(reversed(events), "t")  # the order in which they come does not matter
    assert {item.kind: value for item, value in sheet.values.items()} == values
    assert sheet.newest == len(events)


def test_decisions_on_another_wording_do_not_count(board: Board, ann: Desk, tmp_path: Path) -> None:
    accept(ann, QUINTIC)
    changed = quintic()
    changed = replace(changed, sentences=(*changed.sentences[:4], sentence(5, "And who proved it?", "query", 2)))
    assert fingerprint(changed) != fingerprint(quintic())
    later = Board(board.store, {QUINTIC: changed})
    later.refresh()
    sheet = later.sheet(QUINTIC, "assessor", "ann")
    assert sheet.values == {}
    assert sheet.stale == 7
    assert decisions_on(later).pending == (QUINTIC,)
    # labels that are proposed, comments and scores are not what was decided about
    same = replace(quintic(), thread=replace(quintic().thread, title="New", comments=()))
    assert fingerprint(same) == fingerprint(quintic())


# Deciding


def test_a_thread_from_beginning_to_end(board: Board, ann: Desk) -> None:
    candidate = board.candidates[QUINTIC]

    def why() -> str:
        return missing(ann.sheet(QUINTIC), candidate)[0][1]

    assert ann.sheet(QUINTIC).status(candidate) == "new"
    assert why() == "whether the question is clear"
    with pytest.raises(DataError, match="still to be decided: whether the question is clear"):
        ann.finish(QUINTIC)
    ann.decide(QUINTIC, [ItemChange(Item(CLEAR), YES)])
    assert ann.sheet(QUINTIC).status(candidate) == "begun"
    assert why() == "whether the cited documents answer it"
    ann.decide(QUINTIC, [ItemChange(Item(ANSWERED), YES)])
    assert why() == "what sentence 1 is"
    ann.decide(QUINTIC, [ItemChange(Item(LABEL, 1), "prelude")])
    assert len(missing(ann.sheet(QUINTIC), candidate)) == 4
    event = ann.accept(QUINTIC)
    assert event is not None
    assert [change.item.sentence for change in event.act.changes] == [2, 3, 4, 5]
    assert ann.accept(QUINTIC) is None
    assert ann.sheet(QUINTIC).micro_topics == (1, 2)
    assert why() == f"how {HEP} answers micro-topic 1"
    for k, document in JUDGED:
        ann.decide(QUINTIC, [ItemChange(Item(TOTALITY_OF, 0, k, document), "unrelated")])
    assert why() == "no document answers anything: then the second criterion does not hold"
    ann.decide(QUINTIC, [ItemChange(Item(TOTALITY_OF, 0, 1, HEP), "partial")])
    assert why() == f"how directly {HEP} answers micro-topic 1"
    accept(ann, QUINTIC)
    assert ann.sheet(QUINTIC).status(candidate) == "accepted"
    assert ann.finish(QUINTIC) is None
    ann.decide(QUINTIC, [ItemChange(Item(LABEL, 2), None)])
    assert ann.sheet(QUINTIC).status(candidate) == "begun"
    ann.undo(QUINTIC)
    assert ann.sheet(QUINTIC).status(candidate) == "accepted"
    ann.decide(QUINTIC, [ItemChange(Item(ANSWERED), NO)])
    assert ann.sheet(QUINTIC).status(candidate) == "rejected"


def test_no_query_sentence_is_no_topic(board: Board, ann: Desk) -> None:
    ann.decide(QUINTIC, [ItemChange(Item(CLEAR), YES), ItemChange(Item(ANSWERED), YES)])
    ann.decide(QUINTIC, [ItemChange(Item(LABEL, n), "prelude") for n in range(1, 6)])
    with pytest.raises(DataError, match="no sentence is a query"):
        ann.finish(QUINTIC)


def test_saying_the_same_again_is_no_event(board: Board, ann: Desk) -> None:
    assert ann.decide(QUINTIC, [ItemChange(Item(CLEAR), YES)]) is not None
    assert ann.decide(QUINTIC, [ItemChange(Item(CLEAR), YES)]) is None
    assert ann.decide(QUINTIC, [ItemChange(Item(ANSWERED), None)]) is None
    assert len(board.store.events()) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (ItemChange(Item("shape"), YES), "nothing is called 'shape'"),
        (ItemChange(Item(CLEAR), "perhaps"), "clear may be yes, no, not 'perhaps'"),
        (ItemChange(Item(CLEAR, sentence=1), YES), "do not go together"),
        (ItemChange(Item(CLEAR, document=HEP), YES), "whole thread"),
        (ItemChange(Item(LABEL), "prelude"), "do not go together"),
        (ItemChange(Item(LABEL, 6), "prelude"), "has no sentence 6"),
        (ItemChange(Item(LABEL, 1), "query 10"), "label may be"),
        (ItemChange(Item(LABEL, 1), "query 0"), "label may be"),
        (ItemChange(Item(LABEL, 1), "query"), "label may be"),
        (ItemChange(Item(TOTALITY_OF, 0, 1, "math/0"), "total"), "does not cite document 'math/0'"),
        (ItemChange(Item(TOTALITY_OF, 0, 0, HEP), "total"), "number from 1 to 9, not 0"),
        (ItemChange(Item(TOTALITY_OF, 0, 10, HEP), "total"), "number from 1 to 9, not 10"),
        (ItemChange(Item(TOTALITY_OF, 0, 1, HEP), "direct"), "totality may be"),
        (ItemChange(Item(NOTE), "x" * (LONGEST_NOTE + 1)), "at most 10,000"),
        (ItemChange(Item(NOTE), "a\x00"), "control characters"),
        (ItemChange(Item(NOTE), "\ud800"), "control characters"),
        (ItemChange(Item(NOTE, 1), "x"), "do not go together"),
    ],
)
def test_what_cannot_be_decided(change: ItemChange, why: str, board: Board, ann: Desk) -> None:
    with pytest.raises(DataError, match=why):
        check_change(change, quintic())
    with pytest.raises(DataError, match=why):
        ann.decide(QUINTIC, [change])
    assert board.store.events() == []


def test_finishing_cannot_be_smuggled_in(board: Board, ann: Desk) -> None:
    with pytest.raises(DataError, match="finished on its own"):
        ann.decide(QUINTIC, [ItemChange(Item(FINISHED), YES)])
    for act in (ann.undo, ann.redo, ann.finish, ann.accept):
        with pytest.raises(DataError, match="no thread 'x'"):
            act("x")
    with pytest.raises(DataError, match="nothing to undo"):
        ann.undo(QUINTIC)
    with pytest.raises(DataError, match="nothing to do again"):
        ann.redo(QUINTIC)


def test_changes_survive_json() -> None:
    changes = (ItemChange(Item(NOTE), '"\u2028\U0001f600'), ItemChange(Item(TOTALITY_OF, 0, 2, "a/b'"), None))
    assert from_json(to_json(changes)) == changes
    for text in ("", "{", "[[1]]", "[3]", '[["a", "b", 1, "c", null]]'):
        with pytest.raises(UnreadableError, match="its changes cannot be read"):
            from_json(text)


# Several people


def test_two_people_do_not_touch_each_other(board: Board, ann: Desk, bob: Desk) -> None:
    ann.decide(QUINTIC, [ItemChange(Item(CLEAR), YES)])
    bob.decide(QUINTIC, [ItemChange(Item(CLEAR), NO)])
    assert ann.sheet(QUINTIC).value(CLEAR) == YES
    assert bob.sheet(QUINTIC).value(CLEAR) == NO
    bob.undo(QUINTIC)
    assert ann.sheet(QUINTIC).value(CLEAR) == YES
    assert bob.sheet(QUINTIC).value(CLEAR) is None


def test_an_adjudicator_does_not_run_over_another(board: Board, judge: Desk) -> None:
    other = Desk(board, "kim", "adjudicator")
    judge.decide(QUINTIC, [ItemChange(Item(CLEAR), YES)], newest=0)
    with pytest.raises(ConflictError, match="changed meanwhile"):
        other.decide(QUINTIC, [ItemChange(Item(CLEAR), NO)], newest=0)
    other.decide(QUINTIC, [ItemChange(Item(CLEAR), NO)], newest=judge.sheet(QUINTIC).newest)
    assert judge.sheet(QUINTIC).value(CLEAR) == NO
    assert judge.sheet(QUINTIC).who == ("jo", "kim")


def sheet_of(**labels: str) -> Sheet:
    return Sheet({Item(LABEL, int(name[1:])): value.replace("_", " ") for name, value in labels.items()})


def test_micro_topics_are_matched_by_their_sentences() -> None:
    one = sheet_of(s1="prelude", s2="query_1", s3="query_2")
    assert match_micro_topics(one, sheet_of(s2="query_2", s3="query_1")) == {2: 1, 1: 2}
    assert match_micro_topics(one, sheet_of(s1="query_5", s2="query_5", s3="query_5")) == {5: 1}
    assert match_micro_topics(one, sheet_of(s1="query_1")) == {1: 3}
    assert match_micro_topics(sheet_of(), one) == {1: 1, 2: 2}
    both = align({"ann": one, "bob": sheet_of(s2="query_7", s3="query_7", s1="query_3")})
    assert both["bob"] == {Item(LABEL, 2): "query 1", Item(LABEL, 3): "query 1", Item(LABEL, 1): "query 3"}


@given(
    st.lists(st.sampled_from(["prelude", "query 1", "query 2", "query 3"]), min_size=1, max_size=8),
    st.permutations([1, 2, 3]),
)
def test_numbering_is_no_disagreement(labels: list[str], order: list[int]) -> None:
    renamed = [f"query {order[int(one[-1]) - 1]}" if one != "prelude" else one for one in labels]
    first = Sheet({Item(LABEL, n): value for n, value in enumerate(labels, 1)})
    second = Sheet({Item(LABEL, n): value for n, value in enumerate(renamed, 1)})
    candidate = replace(quintic(), sentences=tuple(sentence(n, "x") for n in range(1, len(labels) + 1)))
    assert disagreements(candidate, {"ann": first, "bob": second}) == ()


def test_disagreements_and_agreement(board: Board, ann: Desk, bob: Desk) -> None:
    accept(ann, QUINTIC)
    swapped = {1: "neither", 2: "prelude", 3: "query 1", 4: "query 2", 5: "query 1"}
    judged = {
        (2, HEP): ("total", "direct"),
        (2, MATH): ("unrelated", ""),
        (1, HEP): ("unrelated", ""),
        (1, MATH): ("partial", "indirect"),
    }
    accept(bob, QUINTIC, swapped, judged)
    found = disagreements(quintic(), board.finished(QUINTIC))
    assert [(one.item, dict(one.values)) for one in found] == [
        (Item(LABEL, 3), {"ann": "prelude", "bob": "query 2"}),
        (Item(TOTALITY_OF, 0, 2, MATH), {"ann": "total", "bob": "partial"}),
    ]
    made = figures(board)
    assert made.threads == 1
    assert made.pairs == (("ann", "bob"),)
    rows = {one.name: one for one in made.rows}
    # neither, prelude, prelude/query, query, query: observed 4/5; chance (1·1 + 2·1 + 2·3)/25
    ((kappa, items),) = rows["prelude, query or neither"].kappas
    assert kappa == pytest.approx((0.8 - 9 / 25) / (1 - 9 / 25))
    assert items == 5
    assert (rows["prelude, query or neither"].items, rows["prelude, query or neither"].alike) == (5, 4)
    assert math.isnan(rows["clear and not broad"].alpha)  # all say yes
    assert rows["micro-topics of a query sentence"].alpha == 1
    # totality: total/total, unrelated twice, total/partial. α = 1 − 7·2/(64 − 9 − 1 − 16)
    assert rows["totality"].alpha == pytest.approx(1 - 7 * 2 / 38)
    assert rows["directness"].items == 2
    assert figures(Board(board.store, {})).rows == ()


def test_adjudication_counts(board: Board, ann: Desk, bob: Desk, judge: Desk) -> None:
    accept(ann, QUINTIC)
    accept(bob, QUINTIC, LABELS, {**JUDGED, (2, MATH): ("partial", "indirect")})
    accept(ann, "101", {1: "prelude", 2: "query 1"}, {(1, "1001.0001"): ("total", "direct")})
    accept(bob, "101", {1: "prelude", 2: "query 4"}, {(4, "1001.0001"): ("total", "direct")})
    reject(ann, "102")
    before = decisions_on(board)
    assert [one.thread for one in before.final] == ["101", "102"]
    assert [one.assessor for one in before.final] == ["ann, bob", "ann"]
    assert [one.accepted for one in before.final] == [True, False]
    assert [one.thread for one in before.unresolved] == [QUINTIC]
    assert before.unresolved[0].why == "ann and bob differ on 1 decision (totality)"
    assert len(before.assessments) == 5
    event = judge.accept(QUINTIC)
    assert event is not None
    assert len(event.act.changes) == 2 + 5 + 3 + 2  # all but the totality on which they differ
    with pytest.raises(DataError, match=f"how {MATH} answers micro-topic 2"):
        judge.finish(QUINTIC)
    judge.decide(QUINTIC, [ItemChange(Item(TOTALITY_OF, 0, 2, MATH), "partial")])
    judge.finish(QUINTIC)
    after = decisions(board.store, board.candidates)
    final = {one.thread: one for one in after.final}
    assert after.unresolved == ()
    assert final[QUINTIC].assessor == "jo"
    assert [j.totality for j in final[QUINTIC].judgments] == ["total", "unrelated", "unrelated", "partial"]
    assert [j.grade for j in final[QUINTIC].judgments] == [2, 0, 0, 1]
    for one in (*after.final, *after.assessments):
        check_assessment(one, board.candidates[one.thread])
    judge.undo(QUINTIC)
    assert len(decisions_on(board).unresolved) == 1


def test_who_reject_for_different_reasons_agree_to_reject(board: Board, ann: Desk, bob: Desk) -> None:
    reject(ann, QUINTIC, CLEAR)
    reject(bob, QUINTIC, ANSWERED)
    assert [one.accepted for one in decisions_on(board).final] == [False]
    reject(ann, "101", ANSWERED)
    accept(bob, "101", {1: "prelude", 2: "query 1"}, {(1, "1001.0001"): ("total", "direct")})
    assert [one.thread for one in decisions_on(board).unresolved] == ["101"]


def test_micro_topics_are_numbered_in_order_when_exported(board: Board, ann: Desk) -> None:
    accept(
        ann,
        "101",
        {1: "query 7", 2: "query 3"},
        {(7, "1001.0001"): ("total", "direct"), (3, "1001.0001"): ("partial", "indirect")},
    )
    made = decisions_on(board).final[0]
    assert [(label.kind, label.micro_topic) for label in made.labels] == [("query", 1), ("query", 2)]
    assert [(j.micro_topic, j.grade) for j in made.judgments] == [(1, 2), (2, 1)]


def test_threads_that_are_gone_are_told(board: Board, ann: Desk) -> None:
    reject(ann, "101")
    assert decisions(board.store, {QUINTIC: quintic()}).unknown == ("101",)


# What is next


def test_the_queue(board: Board, ann: Desk, bob: Desk, judge: Desk) -> None:
    assert next_wanted(board, "ann", "assessor", 2) == QUINTIC
    assert QueueCache(board, 2).neighbours(QUINTIC) == (None, "101")
    assert QueueCache(board, 2).neighbours("102") == ("101", None)
    reject(ann, QUINTIC)
    assert next_wanted(board, "ann", "assessor", 2, QUINTIC) == "101"
    assert next_wanted(board, "bob", "assessor", 1) == "101"  # one is enough
    assert next_wanted(board, "bob", "assessor", 2) == QUINTIC
    assert next_wanted(board, "ann", "assessor", 2, "102") == "101"  # from the beginning again
    assert next_wanted(board, "jo", "adjudicator", 2) is None
    accept(bob, QUINTIC)
    assert next_wanted(board, "jo", "adjudicator", 2) == QUINTIC
    assert row(board, QUINTIC, "cid", "assessor", 2).wanted is False  # two have finished it
    assert row(board, QUINTIC, "cid", "assessor", 3).wanted is True
    assert row(board, QUINTIC, "ann", "assessor", 2).state == "differ"
    assert [(one.name, one.accepted, one.rejected, one.begun) for one in progress(board)] == [
        ("ann", 0, 1, 0),
        ("bob", 1, 0, 0),
    ]
    judge.decide(QUINTIC, [ItemChange(Item(CLEAR), NO)])
    judge.finish(QUINTIC)
    assert row(board, QUINTIC, "ann", "assessor", 2).state == "settled"
    assert next_wanted(board, "jo", "adjudicator", 2) is None


def test_hostile_ids_are_only_ids(tmp_path: Path) -> None:
    candidate = hostile()
    made = board_of(tmp_path, candidate)
    desk = Desk(made, "'; DROP TABLE events; --", "assessor")
    document = candidate.citations[0].document
    accept(desk, candidate.id, {1: "prelude", 2: "query 1"}, {(1, document): ("total", "direct")})
    assert decisions_on(made).final[0].judgments[0].document == document
    assert decisions_on(made).final[0].assessor == "'; DROP TABLE events; --"
    made.store.close()
