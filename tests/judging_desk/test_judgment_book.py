"""Judgments as events: what is kept, what is refused, what is set aside, and what everything comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import adjudge
from adjudge.cli import main
from adjudge.collection.workbench.events import ADJUDICATOR, ASSESSOR, Act, Item, ItemChange
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import Store
from adjudge.core.errors import DataError
from adjudge.judging_desk.desk_figures import AssessorPace, agreement_of, assessor_figures, assessor_pace
from adjudge.judging_desk.desk_rules import DeskRules, read_rules
from adjudge.judging_desk.desk_serving import desk_judgments, judging_desk, open_book
from adjudge.judging_desk.judgment_book import AGREED, ASIDE, DIFFERING, SETTLED, JudgmentBook
from adjudge.judging_desk.judgment_events import judgment_changes
from adjudge.judging_desk.judgment_files import datasheet_text, summarise, write_judgments
from adjudge.judging_desk.turns import LASTS, Turns
from adjudge.pools.pool_files import open_pool
from adjudge.web.place import Place
from judging_project import make_pool_project
from recorder import Recorder

BOTH = DeskRules(overlap=1.0)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_pool_project(tmp_path)


@pytest.fixture
def store(project: Path) -> Iterator[Store]:
    with open_store(str(project / "store.sqlite")) as opened:
        yield opened


@pytest.fixture
def book(project: Path, store: Store) -> JudgmentBook:
    return JudgmentBook(store, open_pool(project), BOTH)


def test_what_people_say_and_what_it_comes_to(book: JudgmentBook) -> None:
    book.judge("Ada", ("1", "d1"), 2, note=" good ", evidence="Heat", seconds=3.21)
    assert book.outcome(("1", "d1")) == (AGREED, 2)
    assert "d1" in book.waiting["1"]
    book.judge("Bob", ("1", "d1"), 1)
    assert book.outcome(("1", "d1")) == (DIFFERING, None)
    assert list(book.differ) == [("1", "d1")]
    assert "d1" not in book.waiting["1"]
    book.judge("Carol", ("1", "d1"), 3, role=ADJUDICATOR)
    assert book.outcome(("1", "d1")) == (SETTLED, 3)
    assert not book.differ
    book.judge("Ada", ("1", "d2"), None)
    assert book.outcome(("1", "d2")) == (ASIDE, None)
    first = book.judgments("Ada")[0]
    assert (first.note, first.evidence, first.seconds) == ("good", "Heat", 3.2)
    assert book.qrels().to_dict() == {"1": {"d1": 3}}
    assert book.qrels("Bob").to_dict() == {"1": {"d1": 1}}
    assert book.count("Ada") == 2


def test_undo_takes_back_the_last_judgment_and_the_queue_hears_it(book: JudgmentBook, project: Path) -> None:
    book.judge("Ada", ("1", "d1"), 1)
    book.judge("Ada", ("1", "d1"), 3)
    book.judge("Ada", ("1", "d2"), 0)
    assert book.queue.progress("1").judged == 2
    assert book.undo("Ada") == ("1", "d2")
    assert book.undo("Ada") == ("1", "d1")
    assert book.outcome(("1", "d1")) == (AGREED, 1)  # what was said before stands again
    assert book.queue.grades("1") == {"d1": 1}
    book.undo("Ada")
    with pytest.raises(DataError, match="nothing to undo"):
        book.undo("Ada")
    assert book.outcome(("1", "d1")) is None
    assert book.assessors == ()
    with open_store(str(project / "store.sqlite")) as again:  # whoever reads all events anew sees the same
        assert len(again.events()) == 6
        other = JudgmentBook(again, book.pool, BOTH)
        other.refresh()
        assert list(other.outcomes()) == []


def test_what_is_no_judgment_is_refused_before_it_is_kept(book: JudgmentBook) -> None:
    for pair, grade, note, why in [
        (("1", "d9"), 1, "", "not in the pool"),
        (("9", "d1"), 1, "", "not in the pool"),
        (("1", "d1"), 7, "", "no grade"),
        (("1", "d1"), 1, "a\x00b", "control characters"),
        (("1", "d1"), 1, "x" * 10_001, "at most"),
    ]:
        with pytest.raises(DataError, match=why):
            book.judge("Ada", pair, grade, note=note)
    assert book.store.events() == []


def test_one_bad_event_is_set_aside_and_nothing_else(book: JudgmentBook, store: Store) -> None:
    book.judge("Ada", ("1", "d1"), 2)
    for number, changes in enumerate(
        [
            (ItemChange(Item("grade", document="d2"), "ten"),),
            (ItemChange(Item("clear"), "yes"),),
            (ItemChange(Item("grade", document="d2"), "1"), ItemChange(Item("grade", document="d3"), "1")),
            (),
        ]
    ):
        store.append(Act(f"odd {number}", "Eve", "assessor", "1", "", changes))
    store.append(Act("odd undo", "Eve", "assessor", "1", "", (), 2))
    store.append(Act("gone", "Ada", "assessor", "1", "", (ItemChange(Item("grade", document="x"), "1"),)))
    book.judge("Ada", ("1", "d3"), 1)
    assert len(book.bad) == 5
    assert book.qrels().to_dict() == {"1": {"d1": 2, "d3": 1}}
    assert sum(book.outside.values()) == 1


def test_the_same_key_is_kept_once(book: JudgmentBook) -> None:
    assert book.judge("Ada", ("1", "d1"), 2, seconds=1.0, key="k") is not None
    assert book.judge("Ada", ("1", "d1"), 2, seconds=9.0, key="k") is None
    assert len(book.store.events()) == 1


def test_turns(book: JudgmentBook) -> None:
    now = [0.0]
    turns = Turns(book, lambda: now[0])
    assert turns.next("Ada", "1") == ("1", "d1")
    turns.take("Ada", ("1", "d1"))
    assert turns.next("Bob", "1") == ("1", "d2")  # what is on a screen is given to nobody else
    assert turns.next("Bob", "1", gone={"Ada"}) == ("1", "d1")  # unless access was taken away
    now[0] = 5.0
    assert turns.seconds("Ada", ("1", "d1")) == 5.0
    assert turns.seconds("Ada", ("1", "d1")) is None
    book.judge("Ada", ("1", "d1"), 2)
    assert turns.next("Ada", "1") == ("1", "d2")
    assert turns.next("Bob", "1") == ("1", "d1")  # the second judgment first
    turns.later("Bob", ("1", "d1"))
    assert turns.next("Bob", "1") == ("1", "d2")
    turns.take("Ada", ("1", "d2"))
    now[0] += LASTS
    assert turns.next("Bob", "1") == ("1", "d2")
    for topic in "123":
        for number in range(1, 5):
            for who in ("Ada", "Bob"):
                if (topic, number) != ("1", 1) or who == "Bob":
                    book.judge(who, (topic, f"d{number}"), 0)
    assert turns.next("Ada") is None
    assert turns.next("Carol") is None


def test_assigned_topics_come_first_and_second_judgments_of_others_last(project: Path, store: Store) -> None:
    rules = DeskRules(overlap=1.0, assignments={"Ada": ("2",)})
    book = JudgmentBook(store, open_pool(project), rules)
    turns = Turns(book)
    assert turns.next("Ada") == ("2", "d1")
    assert turns.next("Bob") == ("1", "d1")
    for number in range(1, 5):
        book.judge("Ada", ("2", f"d{number}"), 1)
    assert turns.next("Ada") is None
    book.judge("Bob", ("1", "d1"), 1)
    assert turns.next("Ada") == ("1", "d1")


def test_a_datasheet_names_documents_without_their_path(book: JudgmentBook, project: Path) -> None:
    assert str(project.parent) in book.pool.definition.documents
    sheet = datasheet_text(book, "desk")
    assert "- documents: docs.jsonl\n" in sheet
    assert str(project.parent) not in sheet


def test_rules_of_a_project(project: Path) -> None:
    (project / "guidelines.md").write_text("Read all of it.", "utf-8")
    (project / "desk.toml").write_text(
        'overlap = 0.5\n[[grades]]\ngrade = 1\nname = "yes"\ncolour = "#0072b2"\n[[grades]]\ngrade = 0\nname = "no"\n'
        '[assignments]\nAda = ["1", 2]\n',
        "utf-8",
    )
    rules = read_rules(project, {"1", "2", "3"})
    assert [(each.grade, each.name) for each in rules.grades] == [(0, "no"), (1, "yes")]
    assert rules.assignments == {"Ada": ("1", "2")}
    assert rules.guidelines == "Read all of it."
    shares = [rules.wanted("1", f"d{number}", 0) for number in range(1000)]
    assert 450 < shares.count(2) < 550
    assert read_rules(project, {"1", "2"}, overlap=0.0).wanted("1", "d", 0) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("overlap = 2", "desk.toml:1: overlap must be a number from 0 to 1"),
        ("# two\n\npeople = 2\noverlap = -1\n[about]", "desk.toml:4: overlap"),
        ('[[grades]]\ngrade = 1\nname = "x"\n[[grades]]\n# no\nname = "y"\ngrade = 12', "desk.toml:7: .* from 0 to 9"),
        ('[[grades]]\ngrade = 1\nname = "x"\n\n[[grades]]\nname = "y"', "desk.toml:5: .* from 0 to 9, not None"),
        ('[assignments]\nBob = [\n"1",\n"2"]\nAda = [\n"1",\n"7"]', "desk.toml:5: topic '7' of 'Ada'"),
        ('[about]\nname = """\npurpose = 3\n"""\npurpose = 3', "desk.toml:5: purpose must be a text"),
        ('grades = [{grade = 0, name = "x", color = "y"}]', "desk.toml:1: .* not 'color'"),
        ("about = 1", "desk.toml:1: about is a table"),
        ('[assignments]\n"" = []', "desk.toml:2: "),
        ("people = true", "whole number"),
        ("overlaps = 1", "did you mean overlap"),
        ('[about]\nlicense = "x"', "did you mean licence"),
        ('[assignments]\nAda = ["7"]', "'7' of 'Ada' is not in the pool"),
        ('[[grades]]\ngrade = 12\nname = "x"', "from 0 to 9"),
        ('[[grades]]\ngrade = 1\nname = "x"', "two grades or more"),
        ('[[grades]]\ngrade = 1\nname = "x"\ncolour = "red;}"', "like #0072b2"),
        ("=", "desk.toml: "),
    ],
)
def test_bad_rules(project: Path, text: str, why: str) -> None:
    (project / "desk.toml").write_text(text, "utf-8")
    with pytest.raises(DataError, match=why) as caught:
        read_rules(project, {"1", "2", "3"})
    assert str(project / "desk.toml") in str(caught.value)


def test_export_and_the_other_commands_see_the_same_judgments(
    book: JudgmentBook, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for document, ada, bob in [("d1", 2, 2), ("d2", 0, 1), ("d3", None, None)]:
        book.judge("Ada", ("1", document), ada)
        book.judge("Bob/../x", ("1", document), bob)
    made = write_judgments(book, tmp_path / "out")
    assert (len(made.qrels), made.differing, made.set_aside) == (1, 1, 1)
    assert (tmp_path / "out" / "qrels.txt").read_text() == "1 0 d1 2\n"
    assert sorted(path.name for path in (tmp_path / "out" / "by").iterdir()) == ["Ada.qrels", "Bob_.._x.qrels"]
    unresolved = [json.loads(line) for line in (tmp_path / "out" / "unresolved.jsonl").read_text().splitlines()]
    assert unresolved[0]["judgments"] == {"Ada": 0, "Bob/../x": 1}
    lines = [json.loads(line) for line in (tmp_path / "out" / "judgments.jsonl").read_text().splitlines()]
    assert len(lines) == 6
    assert (lines[0]["who"], lines[0]["grade"], lines[0]["probability"]) == ("Ada", 2, 1.0)
    judged = desk_judgments(project)
    assert judged is not None
    assert judged.to_dict() == {"1": {"d1": 2, "d2": -1, "d3": -1}}
    assert [pair.document for pair in adjudge.pool_next(project, topic="1")] == ["d4"]
    with pytest.raises(DataError, match="what is judged is no random sample"):
        adjudge.pool_export(project)
    heard = Recorder()
    assert adjudge.pool_export(project, as_sample=True, progress=heard).grades[:4].tolist() == [2, -1, -1, -1]
    assert [str(note) for note, _ in heard.notes] == [
        "judgments: 2 pairs without a grade (cannot tell, or people differ) count as not judged"
    ]
    assert main(["pool", "judgments", str(project), "-o", str(tmp_path / "more")]) == 0
    assert (
        "1 pair with a grade, from 6 judgments by 2 assessors; 1 pair without a grade because people differ"
        in capsys.readouterr().out
    )


def test_an_id_that_trec_lines_cannot_hold_stops_no_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, out = tmp_path / "named", tmp_path / "out"
    made = adjudge.pool({"r": {"heat pumps": {"d1": 2.0, "d2": 1.0}, "2": {"d1": 1.0}}}, project)
    with open_store(str(project / "store.sqlite")) as store:
        book = JudgmentBook(store, made)
        book.judge("Ada", ("2", "d1"), 1)
        out.mkdir()
        (out / "qrels.json").write_text("of somebody else")
        write_judgments(book, out)
        assert (out / "qrels.txt").read_text() == "2 0 d1 1\n"
        assert (out / "qrels.json").read_text() == "of somebody else"
        (out / "qrels.json").unlink()
        book.judge("Ada", ("heat pumps", "d2"), 3)
        write_judgments(book, out)
    wanted = {"2": {"d1": 1}, "heat pumps": {"d2": 3}}
    assert adjudge.read_qrels(out / "qrels.json").to_dict() == wanted
    assert adjudge.read_qrels(out / "by" / "Ada.json").to_dict() == wanted
    assert not (out / "qrels.txt").exists(), "nothing of an earlier export is left beside it"
    assert not (out / "by" / "Ada.qrels").exists()
    assert (out / "datasheet.md").is_file()
    assert main(["pool", "judgments", str(project), "-o", str(tmp_path / "more")]) == 0
    assert "topic 'heat pumps' cannot stand in a line of TREC, so that judgments are in qrels.json" in (
        capsys.readouterr().out
    )
    client = TestClient(judging_desk(project, open_store(str(project / "store.sqlite")), Place(), "Ada", ["Ada"]),
                        base_url="http://127.0.0.1:8300")  # fmt: skip
    page = client.get("/export").text
    assert "cannot stand in a line of TREC: judgments are in JSON instead" in page
    assert "Ada.json</bdi></a>: the grades of" in page
    for address in ("/download?what=qrels", "/download?what=qrels&who=Ada"):
        assert client.get(address).json() == wanted


def test_figures_equal_those_by_hand(book: JudgmentBook) -> None:
    """Eight pairs: five alike. Kappa by hand: 5/8 seen, (3·4 + 2·1 + 3·3)/64 by chance."""
    ada = [0, 0, 0, 1, 1, 2, 2, 2]
    bob = [0, 0, 0, 0, 2, 2, 2, 1]
    pairs = [(topic, f"d{number}") for topic in "12" for number in range(1, 5)]
    for pair, a, b in zip(pairs, ada, bob, strict=True):
        book.judge("Ada", pair, a, seconds=10.0)
        book.judge("Bob", pair, b)
    (result,) = agreement_of(book)
    both = result.pairs[0]
    chance = (3 * 4 + 2 * 1 + 3 * 3) / 64
    assert both.common == 8
    assert both.agreement.value == 5 / 8
    assert both.kappa["none"].value == pytest.approx((5 / 8 - chance) / (1 - chance))
    assert both.confusion == ((3, 0, 0), (1, 0, 1), (0, 1, 2))
    figures = assessor_figures(book, "Ada")
    assert (figures.judged, figures.seconds, figures.early, figures.late) == (8, 10.0, 0.25, 1.75)
    assert (figures.early_agreement, figures.late_agreement) == (0.75, 0.5)  # 3 of 4, then 2 of 4
    assert assessor_pace(book, "Ada") == AssessorPace("Ada", 8, 0, 10.0)


def test_the_datasheet_has_the_facts(project: Path, store: Store, tmp_path: Path) -> None:
    (project / "desk.toml").write_text(
        'overlap = 1.0\n[about]\nname = "Heat <pumps>"\npurpose = "to compare"\nlicence = "CC BY 4.0"\n', "utf-8"
    )
    pool = open_pool(project)
    book = JudgmentBook(store, pool, read_rules(project, pool.position))
    for document, ada, bob in [("d1", 2, 2), ("d2", 0, 1), ("d3", None, None), ("d4", 3, 1)]:
        book.judge("Ada", ("1", document), ada, seconds=4.0)
        book.judge("Bob", ("1", document), bob)
    book.judge("Carol", ("1", "d4"), 3, role=ADJUDICATOR)
    write_judgments(book, tmp_path / "out", "desk")
    text = (tmp_path / "out" / "datasheet.md").read_text("utf-8")
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings[0] == "Motivation"
    assert {"Composition", "Collection process", "Uses", "Distribution", "Maintenance"} <= set(headings)
    for fact in (
        "# Heat &lt;pumps>",
        "purpose: to compare",
        "funding: not given",
        "3 topics; 12 pairs of a topic and a document were pooled; 2 have a grade",
        "files: qrels.txt, judgments.jsonl, unresolved.jsonl, events.jsonl, definition.json, by/Ada.qrels,",
        "relevant documents a topic (grade 1 or more): from 0 to 2, median 0",
        "grades: 2: 1, 3: 1",
        "pooling: depth@100, seed 0, of 1 run in 1 wave; order of judging: rank_order; budget: none",
        f"judged on {store.time()[:10]}",
        "assessor Ada: 4 judgments, 1 of them cannot tell, 4 s each (median)",
        "4 pairs were judged, each by 2 people",
        "100% of the pairs, drawn at random, are to be judged by 2 people each",
        "Ada and Bob: 3 pairs graded by both, 33.3% of them alike; kappa 0.250, linear",
        "9 judgments were made without the text of the document",
        "settled by an adjudicator: 1 pair",
        "8 pairs that are to be judged have no judgment",
        "1 pair without a grade because people differ, 1 pair of which nobody could tell",
        "2 topics without a relevant document: 2, 3",
        "licence: CC BY 4.0",
    ):
        assert fact in text
    assert json.loads((tmp_path / "out" / "definition.json").read_text("utf-8"))["topics"] == ["1", "2", "3"]
    assert "texts were shown" not in text


def sheet_of(book: JudgmentBook) -> str:
    return datasheet_text(book, "desk")


def test_the_datasheet_counts_the_people_whatever_the_desk_was_told(project: Path, store: Store) -> None:
    """An overlap that was given when the desk was started is in no file of the project."""
    pool = open_pool(project)
    served = JudgmentBook(store, pool, read_rules(project, pool.position, overlap=1.0))
    served.judge("Ada", ("1", "d1"), 2)
    served.judge("Bob", ("1", "d1"), 2)
    served.judge("Ada", ("1", "d2"), 2)
    assert "1 pair waits for the judgments of more people" in sheet_of(served)
    with open_book(project) as book:
        text = sheet_of(book)
    assert "2 pairs were judged: 1 by 1 person and 1 by 2 people" in text
    assert "judged by one person" not in text
    assert "to be judged by" not in text


def test_the_datasheet_knows_pairs_that_are_for_two_people(project: Path, store: Store) -> None:
    (project / "pairs.tsv").write_text("1\td1\tAda\n1\td1\tBob\n1\td2\tAda\n", "utf-8")
    with open_book(project) as book:
        assert book.rules.several
        book.judge("Ada", ("1", "d1"), 2, text="digest")
        text = sheet_of(book)
    assert "pairs.tsv says who judges 2 pairs; 1 of them has two judges or more" in text
    assert "1 pair waits for the judgments of more people" in text
    assert "texts were shown as they are" in text
    assert "without the text" not in text


def test_the_datasheet_does_not_call_cannot_tell_nobody(book: JudgmentBook, project: Path) -> None:
    assert "no two people judged the same pair" in sheet_of(book)
    book.judge("Ada", ("1", "d1"), 2)
    book.judge("Bob", ("1", "d1"), None)
    assert "1 pair was judged by several people; no two of them gave a grade to the same one" in sheet_of(book)
    book.judge("Carol", ("1", "d1"), None, role=ADJUDICATOR)
    text = sheet_of(book)
    assert "settled by an adjudicator: 1 pair, 1 of them as cannot tell" in text
    assert "0 pairs of which nobody could tell, 1 pair of which an adjudicator could not tell" in text
    assert "files: judgments.jsonl" in text, "nothing is agreed, so that there is no qrels.txt"
    with pytest.raises(DataError, match=r"no pair has a grade yet, of 1 pair that was judged: 1 cannot be told"):
        book.qrels()
    with pytest.raises(DataError, match="no pair of the pool has a grade"):
        adjudge.pool_export(project)
    book.judge("Ada", ("1", "d2"), 0)
    assert (summarise(book).judgments, summarise(book).unsure, summarise(book).set_aside) == (3, 1, 0)


def test_agreement_without_a_figure_is_said_so(book: JudgmentBook) -> None:
    for who in ("Ada", "Bob"):
        book.judge(who, ("1", "d1"), 2)
    assert not re.search(r"\bnan\b", sheet_of(book))
    assert "1 pair graded by both, 100.0% of them alike; kappa not defined" in sheet_of(book)


def test_the_datasheet_keeps_to_the_budget(tmp_path: Path) -> None:
    run = {topic: {f"d{place}": 9.0 - place for place in range(4)} for topic in "12"}
    adjudge.pool({"a": run}, tmp_path / "project", budget=3)
    with open_store(str(tmp_path / "project" / "store.sqlite")) as opened:
        book = JudgmentBook(opened, open_pool(tmp_path / "project"))
        book.judge("Ada", ("1", "d0"), 1)
        book.judge("Ada", ("1", "d1"), None)
        text = sheet_of(book)
        assert (
            "8 pairs of a topic and a document were pooled, of which the budget lets 3 be judged; 1 has a grade" in text
        )
        assert "budget: 3 pairs in all" in text
        assert "2 pairs that are to be judged have no judgment" in text, "cannot tell spends nothing"
        book.judge("Ada", ("2", "d0"), 1)
        assert "1 pair that is to be judged has no judgment" in sheet_of(book)


def test_documents_that_were_not_drawn_at_random_are_not_said_to_be(tmp_path: Path) -> None:
    run = {"1": {f"d{place}": 9.0 - place for place in range(4)}}
    for pooling, drawn in (("fused@2", False), ("uniform@4(share=0.5)", True)):
        project = tmp_path / pooling[:5]
        adjudge.pool({"a": run}, project, pooling=pooling)
        with open_store(str(project / "store.sqlite")) as opened:
            book = JudgmentBook(opened, open_pool(project))
            for each in open_pool(project).documents:
                book.judge("Ada", ("1", each), 1)
            text = sheet_of(book)
        assert ("drawn at random from 1 stratum" in text) == drawn
        assert ("evaluate runs by adjudge estimate" in text) == drawn
        assert "4 pairs of a topic and a document were pooled, 2 of them chosen for judging; 4 have a grade," in text
        assert "4 have a grade, 2 of them though not chosen for judging" in text


def test_an_export_has_what_its_datasheet_names(project: Path, store: Store, tmp_path: Path) -> None:
    """Grades of pairs that are not pooled any more, and of people who took everything back, are in no file of qrels."""
    book = JudgmentBook(store, open_pool(project))
    for who in ("Ada", "Bob"):
        book.judge(who, ("1", "d1"), 2)
    book.judge("Eve", ("2", "d1"), None)
    gone = judgment_changes("gone", 3)
    store.append(Act("k1", "Ada", ASSESSOR, "1", "", gone))
    store.append(Act("k2", "Dan", ASSESSOR, "1", "", gone))
    out = tmp_path / "out"
    write_judgments(book, out)
    assert {each.name for each in (out / "by").iterdir()} == {"Ada.qrels", "Bob.qrels"}
    assert (out / "by" / "Ada.qrels").read_text("utf-8") == "1 0 d1 2\n"
    assert summarise(book).judgments == 3
    assert summarise(book).outside == 2
    listed = re.search(r"- files: (.*)", (out / "datasheet.md").read_text("utf-8"))
    assert listed is not None
    assert {*listed[1].split(", "), "datasheet.md"} == {
        str(each.relative_to(out)) for each in out.rglob("*") if each.is_file()
    }
    book.undo("Bob")
    write_judgments(book, out)
    assert {each.name for each in (out / "by").iterdir()} == {"Ada.qrels"}


def test_pool_next_goes_by_what_the_desk_heard(tmp_path: Path) -> None:
    """Where people differ, the order of judging goes by the first who could tell: that pair is not asked for again."""
    runs = {"a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, "b": {"1": {"d4": 3.0, "d5": 2.0, "d6": 1.0}}}
    adjudge.pool(runs, tmp_path / "project", priority="move_to_front", budget=3)
    with open_store(str(tmp_path / "project" / "store.sqlite")) as opened:
        book = JudgmentBook(opened, open_pool(tmp_path / "project"), BOTH)
        book.judge("Ada", ("1", "d1"), None)
        book.judge("Bob", ("1", "d1"), 2)
        book.judge("Ada", ("1", "d4"), 0)
        shown = book.queue.next("1")
        assert shown is not None
        told = adjudge.pool_next(tmp_path / "project")
        assert [each.document for each in told] == [shown.document], "two of three are judged"
