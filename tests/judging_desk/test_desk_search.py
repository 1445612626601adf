"""Searching the pool at the desk, and pairs that are for somebody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.core.errors import DataError
from adjudge.core.topic import Topic
from adjudge.judging_desk import pool_search
from adjudge.judging_desk.desk_pages import DeskPages
from adjudge.judging_desk.desk_rules import DeskRules, read_rules
from adjudge.judging_desk.desk_serving import judging_desk
from adjudge.judging_desk.judgment_book import JudgmentBook
from adjudge.judging_desk.pair_assignments import PairAssignments
from adjudge.judging_desk.pool_search import MOST_FOUND, PoolSearch
from adjudge.judging_desk.turns import Turns
from adjudge.pools.pool_files import open_pool
from adjudge.pools.pooled_pairs import Pool
from adjudge.verbs.desk_verbs import pooled_documents
from adjudge.web.place import Place
from judging_project import SCRIPT, make_pool_project

FACTS: dict[str, Any] = {"who": "Ada", "adjudicator": False, "tokens": False, "csrf": "x", "fixed": False}
TEXTS = {"d1": "Heat pumps warm houses.", "d2": "Rivers flood towns.", "d3": "A heated river.", "d4": "Nothing."}


def make_pool(folder: Path, topics: int = 2, texts: Mapping[str, str] = TEXTS, **given: Any) -> Pool:
    adjudge.index(dict(texts), folder / "docs.index")
    run = {str(topic): {id_: 9.0 - place for place, id_ in enumerate(texts)} for topic in range(1, topics + 1)}
    given.setdefault("priority", "rank_order")
    adjudge.pool({"a": run}, folder / "project", documents=folder / "docs.index", **given)
    return open_pool(folder / "project")


@contextmanager
def desk_of(folder: Path, pool: Pool, rules: DeskRules) -> Iterator[tuple[JudgmentBook, Turns, DeskPages]]:
    with open_store(str(folder / "project" / "store.sqlite")) as store:
        book = JudgmentBook(store, pool, rules)
        turns = Turns(book)
        texts = pooled_documents(folder / "docs.index", pool)
        yield book, turns, DeskPages("project", book, turns, [Topic("1", title="heat")], texts)


def test_words_of_documents_are_found_in_an_index_and_in_files(tmp_path: Path) -> None:
    pool = make_pool(tmp_path)
    files = tmp_path / "docs.jsonl"
    lines = [f'{{"id": "{id_}", "text": "{text}"}}' for id_, text in TEXTS.items()]
    files.write_text("\n".join(lines))
    by_index, by_files = (pooled_documents(source, pool) for source in (tmp_path / "docs.index", files))
    for documents in (by_index, by_files):
        assert PoolSearch(pool, documents).find("river", ["1"]).pairs == (("1", "d2"), ("1", "d3"))
        assert PoolSearch(pool, documents).find("heat RIVER", ["2"]).pairs == (("2", "d3"),)
        assert PoolSearch(pool, documents).find("volcano", ["1", "2"]).pairs == ()
        assert PoolSearch(pool, documents).find("D4", ["1", "2"]).pairs == (("1", "d4"), ("2", "d4"))  # by its id
        assert PoolSearch(pool, documents).find("  ", ["1"]).pairs == ()
    assert PoolSearch(pool, None).find("d1", ["2"]).pairs == (("2", "d1"),)


def test_only_what_was_drawn_is_found_and_not_without_end(tmp_path: Path) -> None:
    texts = {f"d{number}": "heat" for number in range(MOST_FOUND + 20)}
    pool = make_pool(tmp_path, 1, texts, pooling="uniform@200(share=0.1)")
    documents = pooled_documents(tmp_path / "docs.index", pool)
    found = PoolSearch(pool, documents).find("heat", ["1"])
    assert len(found.pairs) == int(pool.drawn.sum()) == 4
    assert not found.more
    whole = make_pool(tmp_path / "whole", 1, texts, pooling="depth@200")
    search = PoolSearch(whole, documents)
    found = search.find("heat", ["1"])
    assert len(found.pairs) == MOST_FOUND
    assert found.more
    rest = search.find("heat", ["1"], skip=MOST_FOUND)
    assert len(rest.pairs) == 20
    assert not rest.more
    assert {document for _, document in found.pairs + rest.pairs} == set(texts)
    assert search.find("heat", ["1"], skip=1000).pairs == ()


def test_many_topics_are_gone_through_in_their_order_however_they_are_taken_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {f"d{number:02d}": "heat" if number % 3 else "river" for number in range(12)}
    pool = make_pool(tmp_path, 9, texts)
    documents = pooled_documents(tmp_path / "docs.index", pool)
    for first_rows in (1, 20, 10_000):
        monkeypatch.setattr(pool_search, "FIRST_ROWS", first_rows)
        for topics in (list("123456789"), list("1245789"), ["9"], ["3", "1", "2"], []):
            for wanted, having in (("river", {"d00", "d03", "d06", "d09"}), ("d1", {"d10", "d11"}), ("x", set())):
                slow = [
                    (topic, id_)
                    for topic in topics
                    for id_ in pool.documents[int(pool.offsets[int(topic) - 1]) : int(pool.offsets[int(topic)])]
                    if id_ in having
                ]
                search, skip = PoolSearch(pool, documents), 0
                pages: list[tuple[str, str]] = []
                while (found := search.find(wanted, topics, skip=skip)).pairs:
                    pages += found.pairs
                    skip += MOST_FOUND
                assert pages == slow


def test_the_page_leads_to_the_others(tmp_path: Path) -> None:
    texts = {f"d{number:03d}": "heat & <b>" for number in range(2 * MOST_FOUND + 1)}
    pool = make_pool(tmp_path, 1, texts, pooling="depth@200")
    with desk_of(tmp_path, pool, DeskRules()) as (_, _, pages):
        first, second, last = (pages.find(FACTS, "heat", "", skip) for skip in (0, MOST_FOUND, 2 * MOST_FOUND))
        assert f"Documents 1 to {MOST_FOUND} of those found" in first
        assert "<mark>heat</mark> &amp; &lt;b&gt;" in first
        assert 'rel="prev"' not in first
        assert f"words=heat&amp;topic=&amp;skip={MOST_FOUND}" in first
        assert 'rel="prev"' in second
        assert 'rel="next"' in second
        assert f"Documents {2 * MOST_FOUND + 1} to {2 * MOST_FOUND + 1} of those found" in last
        assert 'rel="next"' not in last
        assert "No others found" in pages.find(FACTS, "heat", "", 1000)


def test_ids_are_found_by_their_parts_and_never_across_two_of_them(tmp_path: Path) -> None:
    texts = {"Straße-1": "a", "ab": "b", "ba": "c", "aaa": "d", "x\u0130y": "e"}
    pool = make_pool(tmp_path, 2, texts)
    documents = pooled_documents(tmp_path / "docs.index", pool)
    for wanted in ("STRASSE", "b", "aa", "aba", "bb", "b\0b", "a\0", "y", "ab", "1", "a"):
        for topics in (["1"], ["2"], ["1", "2"]):
            slow = [
                (topic, id_)
                for topic in topics
                for id_ in pool.documents[int(pool.offsets[int(topic) - 1]) : int(pool.offsets[int(topic)])]
                if wanted.casefold() in id_.casefold() or texts[id_] == wanted
            ]
            assert PoolSearch(pool, documents).find(wanted, topics).pairs == tuple(slow)


def test_pairs_for_others_do_not_hide_those_that_are_mine(tmp_path: Path) -> None:
    texts = {f"d{number:03d}": "heat" for number in range(MOST_FOUND + 20)}
    pool = make_pool(tmp_path, 1, texts, pooling="depth@200")
    others = {"1": dict.fromkeys(list(texts)[: MOST_FOUND + 10], ("Bob",))}
    with desk_of(tmp_path, pool, DeskRules(pairs=PairAssignments(others))) as (_, _, pages):
        assert "10 documents found" in pages.find(FACTS, "heat", "")


def test_the_page_says_what_i_said_and_not_what_others_said(tmp_path: Path) -> None:
    pool = make_pool(tmp_path)
    facts = FACTS
    with desk_of(tmp_path, pool, DeskRules(overlap=1.0, assignments={"Ada": ("1",)})) as (book, _, pages):
        book.judge("Ada", ("1", "d2"), 3)
        book.judge("Bob", ("1", "d3"), 2)
        page = pages.find(facts, "river", "")
        assert "2 documents found" in page
        assert "you said 3" in page
        assert "not judged by you" in page
        assert "you said 2" not in page
        assert "topic=2" not in page  # a topic of others
        assert "1 document found" in pages.find(facts, "heated river", "1")
        assert "Nothing found" in pages.find(facts, "volcano", "1")
        assert "topic=2" in pages.find({**facts, "adjudicator": True}, "river", "")
        assert "<script>" not in pages.find(facts, SCRIPT, "").split("</head>")[1].split("<main")[1].split("</main>")[0]


def test_pairs_are_for_those_who_have_them(tmp_path: Path) -> None:
    pool = make_pool(tmp_path)
    pairs = PairAssignments({"1": {"d3": ("Ada",), "d2": ("Ada", "Bob")}})
    with desk_of(tmp_path, pool, DeskRules(assignments={"Bob": ("2",)}, pairs=pairs)) as (book, turns, _):
        # By rank d1, d2, d3: Ada has nothing but her pairs, Carol has what is for nobody, Bob a topic and a pair.
        assert turns.next("Ada") == ("1", "d2")
        assert turns.next("Carol") == ("1", "d1")
        assert turns.next("Bob", "1") == ("1", "d2")
        book.judge("Ada", ("1", "d2"), 1)
        assert turns.next("Ada") == ("1", "d3")
        assert turns.next("Bob", "1") == ("1", "d2")  # both of them judge it
        book.judge("Bob", ("1", "d2"), 1)
        assert turns.next("Bob", "1") == ("2", "d1")
        book.judge("Ada", ("1", "d3"), 0)
        assert turns.next("Ada") is None
        book.judge("Carol", ("1", "d1"), 0)
        assert turns.next("Carol") == ("1", "d4")
        book.judge("Carol", ("1", "d4"), 0)
        assert turns.next("Carol") is None


def test_a_file_of_pairs_and_what_is_wrong_with_it(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("# for the second round\n1\td1\tGrace  Hopper\n\n1\td1\tAda\n1\td1\tAda\n")
    rules = read_rules(tmp_path, ["1"])
    assert rules.pairs.names("1", "d1") == ("Grace Hopper", "Ada")
    assert rules.wanted("1", "d1", 0) == 2
    assert not rules.may_judge("Bob", "1", "d1")
    assert rules.may_judge("Bob", "1", "d2")
    for line, why in (
        ("1 d1 Ada", r"pairs.tsv:1: topic, document and assessor are expected, with tabs"),
        ("1\td1\t", r"pairs.tsv:1: topic, document and assessor"),
        ("7\td1\tAda", r"pairs.tsv:1: topic '7' is not in the pool"),
        ("1\td1\tA\x01", r"pairs.tsv:1: a name has printable"),
    ):
        file.write_text(line)
        with pytest.raises(DataError, match=why):
            read_rules(tmp_path, ["1"])
    file.write_bytes(b"1\td\xff\tAda")
    with pytest.raises(DataError, match=r"pairs.tsv:1: not UTF-8"):
        read_rules(tmp_path, ["1"])


def test_the_desk_refuses_pairs_outside_the_pool_and_judgments_of_others(tmp_path: Path) -> None:
    client_of = pytest.importorskip("starlette.testclient", reason="starlette is not installed").TestClient
    project = make_pool_project(tmp_path)
    with open_store(str(project / "store.sqlite")) as store:
        wrong = DeskRules(pairs=PairAssignments({"1": {"d99": ("Ada",)}}))
        with pytest.raises(DataError, match=r"pairs.tsv: document d99 of topic 1, for Ada, is not in the pool"):
            judging_desk(project, store, Place(), rules=wrong)
        (project / "pairs.tsv").write_text("# who judges what\n1\td1\tAda\n1\td99\tAda\n", "utf-8")
        with pytest.raises(DataError, match=r"pairs.tsv:3: document d99 of topic 1, for Ada, is not in the pool"):
            judging_desk(project, store, Place())
        rules = DeskRules(pairs=PairAssignments({"1": {"d1": ("Bob",)}}))
        texts = pooled_documents(tmp_path / "docs.jsonl", open_pool(project))
        made = judging_desk(project, store, Place(), "Ada", documents=texts, rules=rules)
        with client_of(made, base_url="http://127.0.0.1:8300") as ada:
            answer = ada.get("/judge", params={"topic": "1", "document": "d1"})
            assert answer.status_code == 403
            assert "This document is for others to judge." in answer.text
            assert ada.get("/next", params={"topic": "1"}).url.params["document"] == "d2"
            found = ada.get("/find", params={"words": "flood towns", "topic": "1"})
            assert "2 documents found" in found.text
            assert ada.get("/find", params={"words": "x", "topic": "99"}).status_code == 404
            assert ada.get("/find", params={"words": "x", "skip": "-1"}).status_code == 400


def test_examples_of_grades(tmp_path: Path) -> None:
    (tmp_path / "desk.toml").write_text(
        '[[grades]]\ngrade = 0\nname = "no"\n[[grades]]\ngrade = 1\nname = "yes"\nexamples = ["a", "b"]\n'
    )
    rules = read_rules(tmp_path, ["1"])
    assert [grade.examples for grade in rules.grades] == [(), ("a", "b")]
    pool = make_pool(tmp_path)
    with desk_of(tmp_path, pool, rules) as (_, _, pages):
        page = pages.pair(FACTS, ("1", "d1"), "assessor")
        assert '<dd class="plain-text">b</dd>' in page
    (tmp_path / "desk.toml").write_text('[[grades]]\ngrade = 0\nname = "no"\nexamples = "a"\n')
    with pytest.raises(DataError, match="the examples of grade 0 must be a list of at most 20 texts"):
        read_rules(tmp_path, ["1"])
