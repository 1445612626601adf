"""Tables with commas and tabs: what is written is read back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import DataError, SpecError
from adjudge.core.topic import Topic

RUN = {"1": {'d,"1"': 2.5, "d2": 0.1 + 0.2}, "2": {"d3": -1.0}}
QRELS = {"1": {'d,"1"': 2, "d2": 0}, "2": {"d3": -1}}


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_runs_and_judgments_come_back(tmp_path: Path, ending: str) -> None:
    for kind, given in (("run", RUN), ("qrels", QRELS)):
        file, back = tmp_path / f"{kind}.json", tmp_path / f"{kind}.{ending}"
        if kind == "run":
            adjudge.write_run(adjudge.read_run(given, name="mine"), file)
        else:
            adjudge.write_qrels(adjudge.read_qrels(given), file)
        assert adjudge.convert(file, back, kind=kind).count == 3
        read = adjudge.read_run(back) if kind == "run" else adjudge.read_qrels(back)
        assert read.to_dict() == given


def test_topics_as_lines_of_id_and_text(tmp_path: Path) -> None:
    file, back = tmp_path / "topics.jsonl", tmp_path / "topics.tsv"
    adjudge.write_topics(adjudge.read_topics({"1": "solar power", "2": "wind"}), file)
    adjudge.convert(file, back, kind="topics")
    assert back.read_text() == "1\tsolar power\n2\twind\n"
    assert [(topic.id, topic.query) for topic in adjudge.read_topics(back)] == [("1", "solar power"), ("2", "wind")]


TOPICS = [
    Topic("1", 'AC < DC & "power"', "What of it?", "Only roofs ü ."),
    Topic("topic", "wind", "", "<top> is a word here"),
    Topic("id", "", "only a description"),
]


@pytest.mark.parametrize("ending", ["tsv", "xml", "trec", "jsonl", "xml.gz", "tsv.zst"])
def test_topics_with_descriptions_come_back(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"topics.{ending}"
    given = TOPICS if ending != "xml" else TOPICS[:1]
    adjudge.write_topics(given, target)
    assert adjudge.read_topics(target) == given
    again = tmp_path / "again.jsonl"
    assert adjudge.convert(target, again, kind="topics").count == len(given)
    assert adjudge.read_topics(again) == given


def test_an_id_that_looks_like_a_header(tmp_path: Path) -> None:
    adjudge.write_topics([Topic("query_id", "wind")], tmp_path / "t.tsv")
    assert adjudge.read_topics(tmp_path / "t.tsv") == [Topic("query_id", "wind")]


def test_topics_for_which_a_format_has_no_place(tmp_path: Path) -> None:
    asked = [Topic("7", "wind", sentences=("Is there wind?",))]
    for ending in ("tsv", "xml"):
        kept = tmp_path / f"t.{ending}"
        kept.write_text("old")
        with pytest.raises(DataError, match=f"topic 7 has sentences, for which {ending.upper()} has no place"):
            adjudge.write_topics(asked, kept)
        assert kept.read_text() == "old"
    with pytest.raises(DataError, match="topic '1' has a tab or a line break"):
        adjudge.write_topics([Topic("1", "a\tb")], tmp_path / "t.tsv")
    with pytest.raises(DataError, match="topic '1' has a character that XML cannot hold"):
        adjudge.write_topics([Topic("1", "a\x01b")], tmp_path / "t.xml")
    with pytest.raises(SpecError, match="topics are written as jsonl, sgml, xml, tsv, not 'csv'"):
        adjudge.write_topics([Topic("1", "a")], tmp_path / "t", "csv")
