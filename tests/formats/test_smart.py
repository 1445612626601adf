"""The classic collections, with the ways in which their files disagree."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from adjudge.core.document import Document
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.core.topic import Topic
from adjudge.formats.classic_collections import read_smart_qrels, read_smart_topics
from adjudge.formats.documents import read_documents
from adjudge.formats.topics import read_topics

DOCUMENTS = b""".I 1
.T
wings in a
slipstream .
.A
brenckman,m.
.W
wings in a slipstream .
  an experiment was
.5 inches wide .
.I 2
.T\x20
Roots
.W
Repeated subtraction.
.K
digital, computers
.X
1\t5\t1
.I 28
56
.T
Lists
.W
.W
again
"""
NPL = b"1\ncompact memories\nhave capacity\n   /\n2\nanalogue computer\n   /\n"


def file(data: bytes) -> io.BytesIO:
    made = io.BytesIO(data)
    made.name = "docs"
    return made


def test_documents() -> None:
    assert list(read_documents(file(DOCUMENTS))) == [
        Document("1", "wings in a slipstream .\n  an experiment was\n.5 inches wide .", "wings in a slipstream ."),
        Document("2", "Roots\ndigital, computers\nRepeated subtraction.", "Roots"),
        Document("2856", "Lists\nagain", "Lists"),
    ]
    assert [d.text for d in read_documents(file(DOCUMENTS), "smart(fields=A)")] == ["brenckman,m.", "", ""]
    crlf = DOCUMENTS.replace(b"\n", b"\r\n")
    assert [d.text for d in read_documents(file(crlf))] == [d.text for d in read_documents(file(DOCUMENTS))]
    with pytest.raises(SpecError, match="fields must be letters of fields such as TW, not t"):
        read_documents(file(DOCUMENTS), "smart(fields=t)")


def test_npl_documents() -> None:
    expected = [Document("1", "compact memories\nhave capacity"), Document("2", "analogue computer")]
    assert list(read_documents(file(NPL))) == expected


def test_topics_are_numbered_by_position() -> None:
    text = b".I 001\n.W\nwhat similarity\nlaws .\n.I 004\n.T\nTitle\n.W\n heat\n"
    assert read_smart_topics(file(text)) == [Topic("1", "what similarity laws ."), Topic("2", "heat")]
    assert read_smart_topics(file(text), fields="TW")[1] == Topic("2", "Title heat")
    assert read_smart_topics(file(NPL))[1] == Topic("2", "analogue computer")
    assert read_topics(file(NPL)) == read_smart_topics(file(NPL)), "told by how they begin"
    assert read_topics(file(text)) == read_smart_topics(file(text))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (b"1 184 2 \n1 5  4\n2 7 -1\n", [("1", "184", 3), ("1", "5", 1), ("2", "7", 1)]),
        (b"01 0756  0 0\n01 1410 0 0\n", [("1", "756", 1), ("1", "1410", 1)]),
        (b"     1     28\t0\t0.000000\n", [("1", "28", 1)]),
        (b"1 0 13 1\n2 0 14 1\n", [("1", "13", 1), ("2", "14", 1)]),
        (b"1\n 12 13\n 14\n   /\n2\n 3\n", [("1", "12", 1), ("1", "13", 1), ("1", "14", 1), ("2", "3", 1)]),
    ],
)
def test_qrels(text: bytes, rows: list[tuple[str, str, int]]) -> None:
    assert list(read_smart_qrels(file(text)).rows()) == rows


def test_source_papers_may_count_as_unjudged() -> None:
    assert list(read_smart_qrels(file(b"1 184 2\n2 7 -1\n"), source_paper=-1).rows())[1] == ("2", "7", -1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"1 184 5\n", "docs:1: the code must be 1, 2, 3, 4 or -1, not 5"),
        (b"1 184 2\n1 185\n", "docs:2: expected 3 or 4 whole numbers, as many as in the first line: '1 185'"),
        (b"1 184 x\n", "docs:1: expected 3 or 4 whole numbers"),
        (b"1 2 3 4\n", "docs: four columns, but neither the second nor the third is 0 throughout"),
        (b"1\n2 x\n/\n", "docs:1: the documents of topic 1 are not all numbers"),
        (b"1\n2\n/\n2\n", "docs:4: the documents of topic 2 are not all numbers"),
    ],
)
def test_bad_qrels(text: bytes, why: str) -> None:
    with pytest.raises(DataError, match=re.escape(why)):
        read_smart_qrels(file(text))


def test_contradicting_qrels() -> None:
    with pytest.raises(ConflictError, match="document 5 has grades 3 and 2 in topic 1"):
        read_smart_qrels(file(b"1 5 2\n1 5 3\n"))
    assert read_smart_qrels(file(b"1 5 2\n1 5 2\n")).repeated == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b".I 1\nword\n.W\n", "docs:2: text before a field: 'word'"),
        (b".W\nword\n", "docs:1: a field before the first .I: '.W'"),
        (b"word\n", "docs:1: expected a number, or .I and a number: 'word'"),
        (b"\n\n", "docs: empty"),
        (b"1\nword\n", "docs:1: number 1 is not ended by a line with /"),
    ],
)
def test_bad_documents(text: bytes, why: str) -> None:
    with pytest.raises(DataError, match=re.escape(why)):
        list(read_documents(file(text), "smart"))


def test_query_without_text() -> None:
    with pytest.raises(DataError, match="docs:1: query 1 has no text in W"):
        read_smart_topics(file(b".I 1\n.A\nx\n"))


@pytest.mark.parametrize(
    ("files", "documents", "topics", "judged", "judgments", "empty"),
    [
        (("cran/cran.all.1400", "cran/cran.qry", "cran/cranqrel"), 1400, 225, 225, 1837, 2),
        (("cisi/CISI.ALL", "cisi/CISI.QRY", "cisi/CISI.REL"), 1460, 112, 76, 3114, 0),
        (("med/MED.ALL", "med/MED.QRY", "med/MED.REL"), 1033, 30, 30, 696, 0),
        (("npl/doc-text", "npl/query-text", "npl/rlv-ass"), 11429, 93, 93, 2083, 0),
        (("cacm/cacm.all", "cacm/query.text", "cacm/qrels.text"), 3204, 64, 52, 796, 0),
    ],
)
def test_collections(
    classic_collections: Path,
    files: tuple[str, str, str],
    documents: int,
    topics: int,
    judged: int,
    judgments: int,
    empty: int,
) -> None:
    found = list(read_documents(classic_collections / files[0]))
    ids = [d.id for d in found]
    assert ids == [str(n) for n in range(1, documents + 1)]
    assert sum(not d.text for d in found) == empty
    asked = read_smart_topics(classic_collections / files[1])
    assert [t.id for t in asked] == [str(n) for n in range(1, topics + 1)]
    qrels = read_smart_qrels(classic_collections / files[2])
    assert len(qrels) + qrels.repeated == judgments
    assert len(qrels.topics) == judged
    assert set(qrels.topics) <= {t.id for t in asked}
    assert set(qrels.documents) <= set(ids)
    assert qrels.grades.min() >= 1
