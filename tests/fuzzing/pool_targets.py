"""Pools, their judges and the judging desk, and the search page: folders from strangers, and requests."""

from __future__ import annotations

import json
import random
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzzing.folder_targets import changed_array, scratch
from fuzzing.mutations import BINARY, TEXT, mutate, mutate_json, mutate_value
from fuzzing.target import Target, file_maker, refusable
from fuzzing.web_requests import COMPILED, asked, request_maker
from judging_project import make_pool_project
from scanned_archive import archive_index

# -- pools -----------------------------------------------------------------------------------------------------------


@cache
def _good_pool() -> Path:
    """A project with judgments of two people in it."""
    from adjudge.collection.workbench.store.open_store import open_store
    from adjudge.judging_desk.desk_rules import DeskRules
    from adjudge.judging_desk.judgment_book import JudgmentBook
    from adjudge.pools.pool_files import open_pool

    project = make_pool_project(scratch())
    with open_store(str(project / "store.sqlite")) as store:
        book = JudgmentBook(store, open_pool(project), DeskRules(overlap=1.0))
        book.judge("Ada", ("1", "d1"), 2, note="a note", evidence="warm houses", seconds=4.5)
        book.judge("Bob", ("1", "d1"), 0)
        book.judge("Ada", ("1", "d2"), None)
        book.judge("Ada", ("2", "d1"), 1)
        book.undo("Ada")
    return project


def _pool_folder(rng: random.Random, folder: Path) -> Path:
    """A pool with another column, another value in its manifest, other topics or rules; checksums fit."""
    from adjudge.pools.pool_files import MANIFEST, POOL
    from adjudge.storage.manifest import checksums

    target = folder / "project"
    shutil.copytree(_good_pool(), target)
    body = POOL.read(target / MANIFEST)
    part = target / body["folder"]
    what = rng.random()
    if what < 0.5:
        path = rng.choice(sorted(part.glob("*.npy")))
        if rng.random() < 0.85:
            array = changed_array(rng, np.load(path))
            np.save(path, array.reshape(1, -1) if rng.random() < 0.05 else array)
        else:
            path.write_bytes(mutate(rng, [path.read_bytes()], BINARY))
        body["files"] = checksums(part)
    elif what < 0.75:
        body = mutate_value(rng, body)
        if rng.random() < 0.2 and isinstance(body, dict):
            body["folder"] = rng.choice(("..", "/etc", ".", "pool-x", "../project", "\x00"))
        body = body if isinstance(body, dict) else {}
    elif what < 0.85:
        path = target / "topics.jsonl"
        path.write_bytes(mutate_json(rng, [path.read_bytes()]))
    else:
        rules = b'people = 2\noverlap = 0.5\n[[grades]]\ngrade = 0\nname = "no"\n[[grades]]\ngrade = 1\nname = "yes"\n'
        rules += b'colour = "#59636e"\n[assignments]\nAda = ["1", "2"]\n'
        (target / "desk.toml").write_bytes(mutate(rng, [rules], TEXT))
    POOL.write(target / MANIFEST, body)
    return target


def _use_pool(path: Path) -> None:
    from adjudge import pool_export, pool_next
    from adjudge.judging_desk.desk_rules import read_rules
    from adjudge.judging_desk.desk_serving import open_book
    from adjudge.judging_desk.judgment_files import write_judgments
    from adjudge.pools.pool_files import missing_topics, open_pool, pool_topics

    pool = open_pool(path)
    rows = list(pool.rows())
    assert len(rows) == len(pool)
    refusable(lambda: missing_topics(pool, pool_topics(path)))
    refusable(lambda: read_rules(path, pool.position))
    refusable(lambda: pool_next(pool, count=5))
    refusable(lambda: pool_export(pool, {"1": {"d1": 1, "d2": 0}}, path.parent / "sample.txt"))

    def judged() -> None:
        with open_book(path) as book:
            write_judgments(book, path.parent / "judged")

    refusable(judged)


ANSWERS = [
    b'{"topic": "1", "document": "d1", "grade": 2, "probability": 0.9, "judge": "model", "note": "why"}\n'
    b'{"topic": 2, "document": "d2", "grade": 0}\n'
]


def _use_answers(path: Path) -> None:
    from adjudge.pools.judge_files import answer_line, parse_answer, read_judgments

    for judge, judged in read_judgments(path).items():
        judged.qrels()
        for answer in judged.answers:
            again, name = parse_answer(answer_line(answer, judge), "x", 1)
            assert (again, name) == (answer, judge)


SAMPLED = [
    b"1 0 d1 1 2\n1 0 d2 1 0\n1 0 d3 2 -1\n2 0 d1 1 1\n",
    b"1 d1 2 1 0.5\n1 d2 0 1 0.5\n2 d1 1 2 0.25\n",
]


def _use_sampled(path: Path) -> None:
    from adjudge import estimate
    from adjudge.formats.sampled_qrels import looks_sampled, read_sampled_qrels, write_sampled_qrels
    from adjudge.formats.source import open_source

    looks_sampled(open_source(path), expected=True)
    sample = read_sampled_qrels(path)
    for form in ("sample_eval", "statap"):
        refusable(lambda form=form: write_sampled_qrels(sample, path.with_name(f"{form}.txt"), form))  # type: ignore[misc]
    runs = {"x": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"d1": 1.0}}}
    refusable(lambda: estimate(sample, runs, ["p@5", "ap", "ndcg"]))


# -- the judging desk ------------------------------------------------------------------------------------------------


def _desk_store(rng: random.Random, folder: Path) -> Path:
    """The store of a desk with other bytes, or with rows that somebody else wrote."""
    import sqlite3

    target = folder / "project"
    shutil.copytree(_good_pool(), target)
    path = target / "store.sqlite"
    if rng.random() < 0.3:
        path.write_bytes(mutate(rng, [path.read_bytes()], BINARY))
        return target
    with sqlite3.connect(path) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        columns = [row[1] for row in database.execute("PRAGMA table_info(events)")]
        column = rng.choice([name for name in columns if name != "id"])
        value: Any = rng.choice([None, "", "x", 5, 1.5, b"\xff", "\x00", "[" * 2000, "9" * 5000, "\u202e", 3, 2])
        number = rng.choice((1, 2, 3, 5))
        if column == "changes" and rng.random() < 0.8:
            (before,) = database.execute("SELECT changes FROM events WHERE id = 1").fetchone()
            value = mutate_json(rng, [before.encode()]).decode("utf-8", "replace")
        with suppress(sqlite3.Error, OverflowError):  # the store itself does not take everything
            database.execute(f"UPDATE events SET {column} = ? WHERE id = ?", (value, number))  # noqa: S608  a known column
    database.close()
    return target


def _use_desk_store(path: Path) -> None:
    from adjudge.judging_desk.desk_serving import desk_judgments, open_book
    from adjudge.judging_desk.judgment_files import write_judgments

    desk_judgments(path)
    with open_book(path) as book:
        refusable(lambda: write_judgments(book, path.parent / "judged"))
        book.judge("Cid", ("2", "d3"), 1)
        assert book.judgment(("2", "d3"), "assessor", "Cid"), "a judgment was kept and is not there"


DESK_REQUESTS: list[dict[str, Any]] = [
    *({"method": "GET", "path": path, "query": ""} for path in ("/", "/agreement", "/export", "/help", "/grades.css")),
    {"method": "GET", "path": "/judge", "query": "topic=1&document=d2"},
    {"method": "GET", "path": "/adjudicate", "query": "topic=1&document=d1"},
    {"method": "GET", "path": "/next", "query": "topic=2"},
    {"method": "GET", "path": "/next", "query": "role=adjudicator"},
    {"method": "GET", "path": "/topic", "query": "id=1&find=heat"},
    {"method": "GET", "path": "/download", "query": "what=qrels&who=Ada"},
    {"method": "GET", "path": "/static/desk.js", "query": ""},
    *(
        {
            "method": "POST",
            "path": "/judge",
            "form": {"topic": "1", "document": "d3", "grade": grade, "note": "n", "evidence": "e", "key": "k1"},
        }
        for grade in ("2", "cannot tell")
    ),
    {"method": "POST", "path": "/adjudicate", "form": {"topic": "1", "document": "d1", "grade": "1", "key": "k2"}},
    {"method": "POST", "path": "/later", "form": {"topic": "1", "document": "d3"}},
    {"method": "POST", "path": "/undo", "form": {"role": "assessor", "key": "k3"}},
    {"method": "POST", "path": "/sign-in", "form": {"name": "Bob", "next": "/judge?topic=1&document=d1"}},
]


def _use_desk_request(path: Path) -> None:
    """Ask a desk: it answers without an error of its own, and every judgment can be read afterwards."""
    from adjudge.collection.workbench.store.open_store import open_store
    from adjudge.collection.workbench.web.visitors import WebSettings
    from adjudge.judging_desk.desk_documents import DeskDocuments
    from adjudge.judging_desk.desk_pages import DeskPages
    from adjudge.judging_desk.desk_rules import DeskRules
    from adjudge.judging_desk.desk_site import desk_application
    from adjudge.judging_desk.judgment_book import JudgmentBook
    from adjudge.judging_desk.turns import Turns
    from adjudge.pools.pool_files import open_pool, pool_topics

    request, folder = json.loads(path.read_text()), path.parent / "project"
    shutil.copytree(_good_pool(), folder)
    texts = {f"d{n}": (f"About d{n}", "Heat pumps warm houses.") for n in range(1, 5)}
    with open_store(str(folder / "store.sqlite")) as store:
        settings = WebSettings(name="Cid", adjudicators=frozenset({"Cid"}), documents=texts.get)
        book = JudgmentBook(store, open_pool(folder), DeskRules(overlap=1.0))
        pages = DeskPages(
            "project", book, Turns(book), pool_topics(folder), DeskDocuments(texts.get, texts.__contains__)
        )
        pages._templates.bytecode_cache = COMPILED
        token = settings.signer.csrf(settings.signer.same("Cid", settings.role_of("Cid")))
        status, _ = asked(desk_application(folder, book, pages, settings), request, str(token))
        assert 200 <= status < 500, f"{status} for {request}"
        fresh = JudgmentBook(store, book.pool, book.rules)
        fresh.refresh()
        assert not fresh.bad, f"an event that cannot be read: {fresh.bad}"
        fresh.judgments()


# -- the search page -------------------------------------------------------------------------------------------------


@cache
def _site() -> Any:
    from adjudge.search_page.catalogue import Catalogue
    from adjudge.search_page.search_serving import search_page
    from adjudge.web.place import Place

    return search_page(Catalogue(archive_index(scratch()).folder), Place())


SEARCHES: list[dict[str, Any]] = [
    {"method": "GET", "path": path, "query": query}
    for path, query in (
        ("/", ""),
        ("/search", "q=toll canal&f.year=1891&f.folder=box1&sort=-year&part=1"),
        ("/search.json", "q=toll&from.year=1890&to.year=1892&sort=+year"),
        ("/document", "id=box1/p1&q=toll&page=1"),
        ("/document.json", "id=box1%2Fp2&q=aqueduct"),
        ("/explain", "id=box1/p1&q=toll"),
        ("/explain.json", "id=box2/p1&q=toll by the ton"),
        ("/image", "id=box1/p1&page=1"),
        ("/iiif/box1/p1/manifest.json", ""),
        ("/iiif/box1/p1/search", "q=toll"),
        ("/opensearch.xml", ""),
        ("/help", ""),
        ("/static/search.js", ""),
        ("/sign-in", "next=/search"),
    )
]


def _use_search(path: Path) -> None:
    request = json.loads(path.read_text())
    status, _ = asked(_site(), request)
    assert 200 <= status < 500, f"{status} for {request}"


@cache
def _good_archive() -> Path:
    return archive_index(scratch()).folder


def _archive_index(rng: random.Random, folder: Path) -> Path:
    """An index of scanned pages with an array that is not as it was."""
    from fuzzing.folder_targets import change_index

    target = folder / "archive.index"
    shutil.copytree(_good_archive(), target)
    change_index(rng, target)
    return target


def _use_archive_index(path: Path) -> None:
    """Open it as the search page does and ask for what it shows; what cannot be read is answered in one line."""
    import logging

    from adjudge.search_page.catalogue import Catalogue
    from adjudge.search_page.search_serving import search_page
    from adjudge.web.place import Place

    logging.getLogger("adjudge.serve").addHandler(logging.NullHandler())
    logging.getLogger("adjudge.serve").propagate = False
    site = search_page(Catalogue(path), Place())
    for request in SEARCHES[1:10]:
        status, body = asked(site, request)
        assert 200 <= status <= 500, f"{status} for {request}"
        assert status < 500 or b"The index cannot be read" in body, f"{status} for {request}: {body[:200]!r}"


POOL_TARGETS = (
    Target("pool", _pool_folder, _use_pool, share=0.1),
    Target("judge-answers", file_maker("a.jsonl", lambda: ANSWERS, mutate_json), _use_answers),
    Target("sampled-qrels", file_maker("s.txt", lambda: SAMPLED, mutate), _use_sampled),
    Target("desk-store", _desk_store, _use_desk_store, share=0.1),
    Target("desk-request", request_maker(DESK_REQUESTS), _use_desk_request, share=0.1),
    Target("search-request", request_maker(SEARCHES), _use_search),
    Target("index-of-scans", _archive_index, _use_archive_index, share=0.1),
)
