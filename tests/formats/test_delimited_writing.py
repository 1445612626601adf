"""Tables with commas and tabs: what is written is read back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import DataError

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
    file.write_text('{"id": "1", "title": "solar", "narrative": "Only roofs."}\n')
    with pytest.raises(DataError, match="topic 1 has a narrative, for which lines of id and text have no place"):
        adjudge.convert(file, back, kind="topics")
    assert back.read_text().endswith("2\twind\n")  # what was there stays
