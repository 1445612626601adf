"""Rows of dumps: what XML says they are, damage of all kinds, and threads put together from them."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.collection.qa import dump as dump_module
from adjudge.collection.qa.cited_corpus import Corpus
from adjudge.collection.qa.dump import Rows, dump_files
from adjudge.collection.qa.passes import SoughtCitations
from adjudge.collection.qa.patterns import Pattern
from adjudge.collection.qa.project import Project, open_project
from adjudge.collection.qa.row import attributes, head, number_reader
from adjudge.collection.qa.spill import Ids
from adjudge.collection.qa.thread_candidates import CandidateReport, CandidateSettings, find_candidates
from adjudge.collection.qa.threads import Candidate
from adjudge.core.errors import ConflictError, DataError
from adjudge.storage.zstd import pack
from collection.dump_of import answer, comment, dump, file_of, question, row, shared, small

NAMES = st.sampled_from(["Id", "Body", "Title", "Text", "x_1", "ParentId"])
XML_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


def rows_of(path: Path, text: str | bytes, kind: str = "posts") -> tuple[list[dict[str, str]], list[str]]:
    """The values of the rows of a file, and what was reported."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    told: list[str] = []
    rows = Rows(path, kind, lambda place, why: told.append(f"{place.rpartition(':')[2]}: {why}"))
    return [attributes(one, told.append) for one in rows], told


def run(
    folder: Path, out: Path, settings: CandidateSettings | None = None, corpus: Corpus | None = None
) -> tuple[CandidateReport, dict[str, Candidate]]:
    project = Project(out)
    found = find_candidates(folder, project, settings or CandidateSettings(), corpus)
    return found, open_project(out).candidates


def losses(out: Path) -> list[dict[str, str]]:
    with (out / "dropped.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@given(st.lists(st.dictionaries(NAMES, XML_TEXT, min_size=1), max_size=5), st.integers(1, 64))
def test_rows_are_those_of_a_parser_of_xml(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str]], piece: int
) -> None:
    path = tmp_path_factory.mktemp("rows") / "Posts.xml"
    text = file_of("posts", *(row(**values) for values in rows))
    found, told = rows_of(path, text)
    assert found == [dict(element.attrib) for element in ElementTree.fromstring(text)]  # noqa: S314
    assert not told


@given(st.data())
def test_rows_do_not_depend_on_where_pieces_end(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    text = file_of("posts", *(question(n, "<p>a</p>\n" * n) for n in range(1, 6))).encode()
    cut = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    path = tmp_path_factory.mktemp("rows") / "Posts.xml"
    path.write_bytes(text)
    told: list[str] = []
    rows = Rows(path, "posts", lambda place, why: told.append(why))
    ends = [*cut, len(text)]
    rows._pieces = lambda: iter([text[a:b] for a, b in zip([0, *cut], ends, strict=True)])  # type: ignore[method-assign]
    assert [number_reader("Id")(one) for one in rows] == [1, 2, 3, 4, 5]
    assert not told


def test_single_quotes_blanks_and_end_tags_are_xml_too(tmp_path: Path) -> None:
    text = '<posts>\n<row\n Id = \'1\'\tBody=\'a "b" PostTypeId="9"\' ></row><!-- x --><?y z?>\n<row Id="2"/></posts>'
    found, told = rows_of(tmp_path / "Posts.xml", text)
    assert found == [{"Id": "1", "Body": 'a "b" PostTypeId="9"'}, {"Id": "2"}]
    assert not told


def test_head_is_what_the_numbers_are() -> None:
    for text in (
        ' Id="3" PostTypeId="1" X=""',
        ' PostTypeId="1" Id="3"',
        ' Id="x" PostTypeId="1"',
        ' Id="0" PostTypeId="2"',
        "",
    ):
        raw = text.encode()
        assert head(raw) == (number_reader("Id")(raw), number_reader("PostTypeId")(raw))
    assert number_reader("Id")(b' Id="99999999999999999999"') == -1
    assert number_reader("Id")(b' Id="9') == -1, "a damaged row may end before"
    assert number_reader("Id")(' Id="٣"'.encode()) == -1


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE posts [<!ENTITY a "h"><!ENTITY b "&a;&a;">]>\n<posts><row Body="&b;"/></posts>',
        '<posts><row Id="1"/><!DOCTYPE x SYSTEM "file:///etc/passwd"></posts>',
        '<!ENTITY x "y"><posts/>',
    ],
)
def test_declarations_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match="declaration is not allowed"):
        rows_of(tmp_path / "Posts.xml", text)


@pytest.mark.parametrize(
    ("text", "ids", "says"),
    [
        ('<posts>\n<row Id="1"/>\n<row Id="2" Bo', ["1"], "3: cut off in the middle of a row"),
        ('<posts>\n<row Id="1"/>\n', ["1"], "cut off: </posts> is missing"),
        ('<posts>\n<row Id="1" Body="a<b"/>\n<row Id="2"/></posts>', ["2"], "2: not a row, left out"),
        ('<posts>\n<row Id="1" Body="never closed/>\n<row Id="2"/>\n<row Id="3"/></posts>', ["2", "3"], "2: not a row"),
        ('<posts>\n<row Id="1">\n<row Id="2"/>\n</row></posts>', ["1", "2"], "3: a row inside another row"),
        ('<posts>\n<row Id="1">\n</posts>', ["1"], "a row is not closed"),
        ('<posts>\nhello\n<row Id="1"/></posts>', ["1"], "2: not a row"),
        ('<posts><row Id="1"/></posts>\n<row Id="2"/>', ["1", "2"], "a row outside of <posts>"),
        ('<posts></row><row Id="1"/></posts>', ["1"], "</row> closes nothing"),
        ('<posts><row Id="1" Id="2"/></posts>', ["1"], "Id occurs twice"),
        ('<posts><row Id="1" Body="&nbsp;"/></posts>', ["1"], "an entity that XML does not have"),
        ('<posts><row Id="1" Body="&#0;&#xD800;"/></posts>', ["1"], "a reference to no character"),
        (b'<posts><row Id="1" Body="\xff\xfe"/></posts>', ["1"], "not UTF-8"),
        (b'<posts><row Id="1" Body="\x01"/></posts>', ["1"], "control characters"),
    ],
)
def test_damage_is_told_and_reading_goes_on(tmp_path: Path, text: str | bytes, ids: list[str], says: str) -> None:
    found, told = rows_of(tmp_path / "Posts.xml", text)
    assert [values["Id"] for values in found] == ids
    assert any(says in one for one in told), told


def test_a_row_that_is_too_long_is_told_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump_module, "LONGEST", 3 << 20)
    text = file_of("posts", question(1), question(2, "x" * (9 << 20)), question(3))
    found, told = rows_of(tmp_path / "Posts.xml", text)
    assert [values["Id"] for values in found] == ["1", "3"]
    assert any("4: a row of more than 3 MB, left out" in one for one in told)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "empty"),
        (b"not xml at all", "not a dump"),
        (b"<comments></comments>", "<comments>, not <posts>"),
        ("<posts/>".encode("utf-16"), "not UTF-8"),
        (b'<?xml version="1.0" encoding="latin-1"?><posts/>', "not UTF-8"),
        (b"PK\x03\x04rest", "damaged zip archive"),
        (b"7z\xbc\xaf\x27\x1crest", "7z archives"),
    ],
)
def test_what_is_no_dump_is_an_error(tmp_path: Path, text: bytes, says: str) -> None:
    with pytest.raises(DataError, match=says):
        rows_of(tmp_path / "Posts.xml", text)


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2", "zst"])
def test_packed_dumps(tmp_path: Path, ending: str) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gz": gzip.compress,
        "xz": lzma.compress,
        "bz2": bz2.compress,
        "zst": pack,
    }
    folder = tmp_path / "dump"
    small(folder)
    plain = (folder / "Posts.xml").read_bytes()
    (folder / "Posts.xml").unlink()
    (folder / f"Posts.xml.{ending}").write_bytes(packers[ending](plain))
    assert sorted(run(folder, tmp_path / "out")[1]) == ["1", "3"]
    (folder / f"Posts.xml.{ending}").write_bytes(packers[ending](plain)[:-20])
    with pytest.raises(DataError, match=r"truncated|damaged"):
        run(folder, tmp_path / "out")


@given(st.lists(st.integers(1, 3000) | st.integers(1, 10**18)))
def test_ids_are_a_set(numbers: list[int]) -> None:
    ids, seen = Ids(), set[int]()
    for number in numbers:
        assert (number in ids) == (number in seen)
        assert ids.add(number) == (number not in seen)
        seen.add(number)
    assert ids.size == len(seen)


def test_a_small_dump_from_beginning_to_end(tmp_path: Path) -> None:
    found, candidates = run(small(tmp_path / "dump"), tmp_path / "out")
    assert list(candidates) == ["1", "3"]
    thread = candidates["1"].thread
    assert (thread.title, thread.tags, thread.accepted, thread.asker) == ("Title 1", ("a", "b"), "2", "7")
    assert [citation.document for citation in candidates["1"].citations] == ["0704.0001", "math/0406343"]
    assert thread.duplicates == ("77",)
    assert (thread.accepted_date, thread.bounty) == ("2018-03-15", 50)
    assert [(e.comment.text, e.by_asker) for e in thread.evidence()] == [
        ("Thanks, that is it!", True),
        ("And this?", False),
    ]
    assert candidates["3"].thread.self_answered
    assert [sentence.kind for sentence in candidates["1"].sentences] == ["prelude", "query", "query"]
    assert found.counts["questions"] == 4
    assert found.counts["candidates"] == 2
    assert not found.damaged
    assert json.loads((tmp_path / "out" / "report.json").read_text())["counts"] == found.counts
    left = {path.name for path in (tmp_path / "out").iterdir()}
    assert left == {"candidates.jsonl", "dropped.csv", "report.json"}


def test_what_is_not_in_the_corpus_is_dropped_and_told(tmp_path: Path) -> None:
    corpus = Corpus(["math_0406343v1.xhtml", "math_0406343v2.xhtml", "10.9/other"])
    _, candidates = run(small(tmp_path / "dump"), tmp_path / "out", corpus=corpus)
    assert list(candidates) == ["1"]
    assert [citation.document for citation in candidates["1"].citations] == ["math_0406343v2.xhtml"]
    assert [citation.document for citation in candidates["1"].dropped] == ["0704.0001"]
    assert {(one["thread"], one["kind"]) for one in losses(tmp_path / "out")} == {
        ("1", "not in the corpus"),
        ("3", "not in the corpus"),
    }


def test_self_answers_and_quotations_can_be_left_out(tmp_path: Path) -> None:
    posts = file_of("posts", question(1, accepted=2), answer(2, 1, "<blockquote>arXiv:0704.0001</blockquote>"))
    _, candidates = run(dump(tmp_path / "q", posts), tmp_path / "out")
    assert candidates["1"].citations[0].quoted
    _, candidates = run(tmp_path / "q", tmp_path / "out2", CandidateSettings(quoted=False))
    assert not candidates
    _, candidates = run(small(tmp_path / "s"), tmp_path / "out3", CandidateSettings(self_answers=False))
    assert list(candidates) == ["1"]
    assert {one["kind"] for one in losses(tmp_path / "out3")} == {"asker answered"}


def test_an_accepted_answer_before_its_question_is_found(tmp_path: Path) -> None:
    posts = file_of("posts", answer(1, 2), question(2, accepted=1), question(3, accepted=4), answer(4, 3))
    assert list(run(dump(tmp_path / "d", posts), tmp_path / "out")[1]) == ["2", "3"]


def test_odd_threads_are_told(tmp_path: Path) -> None:
    posts = file_of(
        "posts",
        question(1, accepted=99),
        question(2, accepted=4),
        question(3, accepted=6),
        answer(4, 3),
        answer(6, 3),
        answer(8, 77),
        question(9, accepted=8),
        question(10, accepted=11),
        answer(11, 10),
        answer(11, 10, "<p>again</p>"),
        question(12, AcceptedAnswerId="x", Id="<script>alert(1)</script>"),
        answer(13, 1, ParentId="none"),
        question(14, accepted=13),
        row(PostTypeId=1),
    )
    found, candidates = run(dump(tmp_path / "d", posts), tmp_path / "out")
    assert list(candidates) == ["10"]
    told = {(one["kind"], one["thread"]) for one in losses(tmp_path / "out")}
    assert ("accepted answer missing", "1") in told
    assert ("accepted answer elsewhere", "3") in told
    assert ("question missing", "77") in told
    assert found.dropped["duplicate id"] == 1
    assert found.dropped["odd row"] == 3
    assert found.damaged
    lines = [one["place"] for one in losses(tmp_path / "out") if one["kind"] == "duplicate id"]
    assert lines == [f"{tmp_path / 'd' / 'Posts.xml'}:12"]


def test_a_script_in_every_field_is_text(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>\"'&\u202e\n"
    posts = file_of(
        "posts",
        question(
            1, bad + "<p onclick='x'>Is it?</p>", 2, Title=bad, Tags=bad, OwnerUserId=bad, CreationDate=bad, Score=bad
        ),
        answer(2, 1, bad + "<p>arXiv:0704.0001</p>", OwnerDisplayName=bad, LastEditDate=bad),
    )
    comments = file_of("comments", comment(1, 2, bad, UserId=bad, CreationDate=bad))
    found, candidates = run(dump(tmp_path / "d", posts, comments=comments), tmp_path / "out")
    thread = candidates["1"].thread
    assert thread.question.owner == bad
    assert (thread.question.date, thread.question.score) == ("", 0)
    assert thread.comments[0].text == bad
    assert [sentence.text for sentence in candidates["1"].sentences] == ["\"'&\u202e", "Is it?"]
    assert found.dropped["odd row"] == 4


def test_deleted_users_have_no_id_and_confirm_nothing(tmp_path: Path) -> None:
    asked = question(1, accepted=2).replace(' OwnerUserId="7"', ' OwnerDisplayName="gone"')
    posts = file_of("posts", asked, answer(2, 1).replace(' OwnerUserId="8"', ""))
    comments = file_of("comments", comment(1, 2).replace(' UserId="7"', ""))
    _, candidates = run(dump(tmp_path / "d", posts, comments=comments), tmp_path / "out")
    thread = candidates["1"].thread
    assert (thread.asker, thread.question.owner_name, thread.self_answered) == ("", "gone", False)
    assert [evidence.by_asker for evidence in thread.evidence()] == [False]


def test_numbers_are_numbers_however_they_are_written(tmp_path: Path) -> None:
    posts = file_of("posts", question(1, accepted=2, AcceptedAnswerId="002"), answer(2, 1, Id="02", Score="--5"))
    votes = file_of("votes", row(Id=1, PostId=2, VoteTypeId=9, BountyAmount="9" * 5000))
    found, candidates = run(dump(tmp_path / "d", posts, votes=votes), tmp_path / "out")
    answered = candidates["1"].thread.accepted_answer
    assert answered is not None
    assert (answered.id, answered.score) == ("2", 0)
    assert candidates["1"].thread.bounty == 0
    assert found.dropped == {"odd row": 1}


def test_patterns_of_the_user_find_documents(tmp_path: Path) -> None:
    pattern = Pattern("wiki", r"https?://en\.wikipedia\.org/wiki/(?P<page>[^\s?#]+)", "{page}")
    posts = file_of(
        "posts", question(1, accepted=2), answer(2, 1, '<a href="https://en.wikipedia.org/wiki/Bike?x">b</a>')
    )
    _, candidates = run(
        dump(tmp_path / "d", posts), tmp_path / "out", CandidateSettings(SoughtCitations((), (pattern,)))
    )
    assert [(one.kind, one.document, one.where) for one in candidates["1"].citations] == [("wiki", "Bike", "href")]


def test_decisions_are_not_orphaned(tmp_path: Path) -> None:
    folder, out = small(tmp_path / "d"), tmp_path / "out"
    run(folder, out)
    (out / "store.sqlite").touch()
    with pytest.raises(ConflictError, match="has decisions"):
        run(folder, out)
    find_candidates(folder, Project(out), CandidateSettings(), replace_decided=True)


def test_a_failed_run_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(small(tmp_path / "d"), out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    (tmp_path / "d" / "Comments.xml").write_text("<!DOCTYPE x><comments/>")
    with pytest.raises(DataError):
        run(tmp_path / "d", out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_which_files_are_a_dump(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        dump_files(tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"no Posts\.xml"):
        dump_files(tmp_path)
    (tmp_path / "posts.XML").touch()
    (tmp_path / "Comments.xml.gz").touch()
    assert {kind: path.name for kind, path in dump_files(tmp_path).items()} == {
        "posts": "posts.XML",
        "comments": "Comments.xml.gz",
    }
    (tmp_path / "Posts.xml.xz").touch()
    with pytest.raises(DataError, match="which one"):
        dump_files(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("site", "questions", "answers", "comments", "candidates"),
    [
        ("quantumcomputing", 612, 1060, 3413, 117),
        ("bicycles.meta", 453, 971, 2448, 0),
        ("conlang.meta", 54, 115, 230, 0),
    ],
)
def test_real_dumps(tmp_path: Path, site: str, questions: int, answers: int, comments: int, candidates: int) -> None:
    folder = shared("stackexchange", tmp_path) / site
    found, made = run(folder, tmp_path / "out")
    counts = found.counts
    assert (counts["questions"], counts["answers"], counts["comments"]) == (questions, answers, comments)
    assert len(made) == candidates
    assert not found.dropped
    for candidate in made.values():
        assert candidate.sentences
        assert any(sentence.kind == "query" for sentence in candidate.sentences)


@pytest.mark.parametrize(
    ("site", "kind", "name"), [("quantumcomputing", "posts", "Posts"), ("french.meta", "votes", "Votes")]
)
def test_real_rows_are_those_of_a_parser_of_xml(tmp_path: Path, site: str, kind: str, name: str) -> None:
    path = shared("stackexchange", tmp_path) / site / f"{name}.xml"
    told: list[str] = []
    mine = [attributes(one, told.append) for one in Rows(path, kind, lambda place, why: told.append(why))]
    assert mine == [dict(element.attrib) for element in ElementTree.parse(path).getroot()]  # noqa: S314
    assert not told


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    from adjudge.collection.qa.spill import Spill
    from adjudge.core.errors import DataError

    def fail(self: Spill) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Spill, "_lay_out", fail)
    with pytest.raises(DataError, match="cannot be written: disk I/O error"):
        Spill(tmp_path)
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"
