"""Topics in the four forms that collections give them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge import Topic
from adjudge.formats.topics import topics_text, write_topics

SGML = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
international criminal activity.

<narr> Narrative:
A relevant document must as a minimum identify the organization.
</top>
<top>
<num>302</num>
<title>Polio &amp; Post-Polio</title>
</top>
"""
XML = """<topics task="COVIDSearch 2020" batch="1">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin of COVID-19</question>
    <narrative>seeking range of <b>information</b></narrative>
  </topic>
  <topic number="2"><query>response to weather</query></topic>
</topics>
"""


def read(tmp_path: Path, text: str) -> list[Topic]:
    (tmp_path / "topics").write_text(text)
    return adjudge.read_topics(tmp_path / "topics")


def test_sgml(tmp_path: Path) -> None:
    first, second = read(tmp_path, SGML)
    assert first == Topic(
        "301",
        "International Organized Crime",
        "Identify organizations that participate in international criminal activity.",
        "A relevant document must as a minimum identify the organization.",
    )
    assert (second.id, second.title) == ("302", "Polio & Post-Polio")


def test_xml(tmp_path: Path) -> None:
    assert read(tmp_path, XML) == [
        Topic("1", "coronavirus origin", "what is the origin of COVID-19", "seeking range of information"),
        Topic("2", "response to weather"),
    ]


def test_tsv_and_jsonl(tmp_path: Path) -> None:
    assert read(tmp_path, "KI1\twhat is it\nKI2\twhere is it\n") == [
        Topic("KI1", "what is it"),
        Topic("KI2", "where is it"),
    ]
    assert read(tmp_path, "query_id\tdescription\ttitle\n7\tlong\tshort\n") == [Topic("7", "short", "long")]
    lines = '{"_id": "1", "text": "zeros"}\n\n{"num": 2, "title": "t", "narr": "n", "sentences": ["a", "b"]}\n'
    assert read(tmp_path, lines) == [Topic("1", "zeros"), Topic("2", "t", "", "n", ("a", "b"))]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<top><num>1</num>", "1 <top> but 0 </top>"),
        ("\n<top>\n<title>x</title></top>", "topics:2: a topic without <num>"),
        ("<topics><topic number='1'>", "topics:1: not well-formed XML"),
        ("<!DOCTYPE x><topics/>", "declaration is not allowed"),
        ("<topics></topics>", "no topic found"),
        ('{"id": 1}\n{x}\n', "topics:2: not JSON"),
        ('{"title": "x"}\n', "a topic without an id"),
        ("1 no tab\n", "topics:1: expected a topic id, a tab and the text: '1 no tab'"),
        ("id\ttitle\n1\ta\tb\n", "topics:2: 2 columns expected, 3 found"),
        ("1\ta\n1\tb\n", "topic 1 occurs twice, as number 1 and 2"),
    ],
)
def test_bad_topics(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(why)):
        read(tmp_path, text)


def test_real_topics(trec_covid: Path) -> None:
    topics = adjudge.read_topics(trec_covid / "topics.covid-round1.xml")
    assert len(topics) == 30
    assert topics[0].title == "coronavirus origin"
    assert all(topic.description and topic.narrative for topic in topics)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"id": "1", "title": ["a"]}', "topics:1: title is ['a'], not text"),
        ('{"id": "1", "sentences": "abc"}', "sentences are 'abc', not a list of texts"),
        ('{"id": "1", "id": "2"}', "the key 'id' occurs twice"),
        ('{"id": ' + "[" * 100_000, "JSON nested too deeply"),
        ('{"id": ' + "1" * 5000 + "}", "topics:1: "),
        ("1\ta\x00b", "topics:1: a NUL character"),
        ("<topics><topic><query>x</query></topic></topics>", "topics: topic number 1: a topic without an id"),
    ],
)
def test_more_bad_topics(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(why)):
        read(tmp_path, text)


def test_what_looks_odd_but_is_fine(tmp_path: Path) -> None:
    assert read(tmp_path, '{"id": "1", "title": "a\u2028b"}\n') == [Topic("1", "a b")]
    assert read(tmp_path, "<topic number='7'><query>alone</query></topic>") == [Topic("7", "alone")]
    assert read(tmp_path, "<top><num>1<title>a <b>bold</b> claim</top>") == [Topic("1", "a bold claim")]
    (tmp_path / "topics").write_bytes(b"1\tcaf\xe9\n")
    with pytest.raises(adjudge.DataError, match="not UTF-8 at byte 5"):
        adjudge.read_topics(tmp_path / "topics")


def test_a_question_in_json_may_speak_of_sgml(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text('{"id": "1", "title": "What does <top> mean in TREC topics?"}\n')
    assert [topic.title for topic in adjudge.read_topics(tmp_path / "topics")] == [
        "What does <top> mean in TREC topics?"
    ]


WRITTEN = [
    Topic("1", "AC < DC & <top>", "A description", "A narrative", ("Let $x < y$.", "Which </top> is it?")),
    Topic("2", "caf\u00e9", sentences=("One.",)),
]


@pytest.mark.parametrize("name", ["topics.jsonl", "topics.ndjson.gz", "topics.sgml", "topics.trec.zst"])
def test_topics_that_are_written_are_read_back(tmp_path: Path, name: str) -> None:
    write_topics(WRITTEN, tmp_path / name)
    expected = WRITTEN if "json" in name else [replace(topic, sentences=()) for topic in WRITTEN]
    assert adjudge.read_topics(tmp_path / name) == expected


def test_forms_and_further_fields() -> None:
    assert topics_text([Topic("1", "t", "d")], "jsonl", ["title"]) == '{"id": "1", "title": "t"}\n'
    assert (
        topics_text([Topic("1", "t")], "jsonl", ["title", "narrative"])
        == '{"id": "1", "title": "t", "narrative": ""}\n'
    )
    text = topics_text(WRITTEN[1:], "sgml", ["title", "sentences"], {"2": {"prelude": "a > b"}})
    assert text == "<top>\n<num> Number: 2\n<title> caf\u00e9\n<prelude> a &gt; b\n<query> One.\n</top>\n\n"


@pytest.mark.parametrize(
    ("topics", "name", "arguments", "why"),
    [
        ([Topic("1 2", "a")], "t.sgml", {}, "topic '1 2' cannot be written as TREC SGML"),
        ([Topic("", "a")], "t.trec", {}, "topic '' cannot be written"),
        ([Topic("1", "a")], "t.txt", {}, "t.txt: topics are written as .jsonl"),
        ([Topic("1", "a")], "t.txt", {"layout": "yaml"}, "not 'yaml'"),
        ([Topic("1", "a")], "t.jsonl", {"forms": ["query"]}, "a topic has no query"),
    ],
)
def test_topics_that_cannot_be_written(
    tmp_path: Path, topics: list[Topic], name: str, arguments: dict[str, Any], why: str
) -> None:
    with pytest.raises(adjudge.AdjudgeError, match=re.escape(why)):
        write_topics(topics, tmp_path / name, **arguments)
    assert not list(tmp_path.iterdir())
