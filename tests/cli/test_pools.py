"""Pools, checks, conversions and sets of judgments on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main

ONE = "1 Q0 a 1 3 one\n1 Q0 b 2 2 one\n1 Q0 c 3 1 one\n2 Q0 a 1 1 one\n"
TWO = "1 Q0 b 1 3 two\n1 Q0 d 2 2 two\n2 Q0 c 1 1 two\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n"
DOCS = "".join(f'{{"id": "{d}", "text": "solar {d}"}}\n' for d in "abcd")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"one": ONE, "two": TWO, "q": QRELS, "t.tsv": "1\tsolar\n2\twind\n", "docs.jsonl": DOCS}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_from_runs_to_judgments_with_probabilities(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    out, _ = run(capsys, "pool", "one", "two", "-o", "p", "--topics", "t.tsv", "--documents", "docs.jsonl")
    assert out == "p: 2 runs, 2 topics, depth@100: 6 pairs to judge, in the order max_mean\n"
    out, _ = run(capsys, "pool", "next", "p", "--qrels", "q", "--priority", "rank_order", "-f", "csv")
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] == [["1", "d"], ["2", "c"], ["1", "c"]]
    _, err = run(capsys, "pool", "export", "p", "q", code=2)
    assert err.startswith("3 of 6 pairs are not judged yet, and max_mean has others judged first: what is judged is no")
    out, _ = run(capsys, "pool", "export", "p", "q", "--as-sample")
    assert sorted(out.splitlines()) == sorted(
        ["1 0 a 1 1", "1 0 b 1 0", "1 0 c 1 -1", "1 0 d 1 -1", "2 0 a 1 2", "2 0 c 1 -1"]
    )
    run(capsys, "pool", "export", "p", "q", "-o", "s.txt", "--form", "statap", "--as-sample")
    assert (files / "s.txt").read_text().splitlines()[0] == "1 a 1 1 0.5"
    (files / "late").write_text("1 Q0 z 1 2 late\n")
    _, err = run(capsys, "pool", "late", "-o", "p", "--join", code=2)
    assert err == "late: document z of topic 1 is not in the collection; 1 of 7 pairs has such a document\n"
    out, err = run(capsys, "pool", "late", "-o", "p", "--join", "--unknown", "drop")
    assert "3 runs" in out
    assert "1 pooled document is not in the collection" in err
    definition = json.loads((files / "p" / "pool.json").read_text())["definition"]
    assert [each["name"] for each in definition["runs"]] == ["one", "two", "late"]


def test_a_topic_with_a_blank_is_named_before_anything_is_judged(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    (files / "named.json").write_text(json.dumps({"heat pumps": {"a": 2.0}, "2": {"b": 1.0}}))
    _, err = run(capsys, "pool", "named.json", "-o", "p")
    assert "topic 'heat pumps' cannot stand in a line of TREC: judgments will be exported as JSON" in err
    (files / "judged.json").write_text(json.dumps({"heat pumps": {"a": 2}, "2": {"b": 0}}))
    for form in ("qrels", "sample_eval", "statap"):
        out, err = run(capsys, "pool", "export", "p", "judged.json", "--form", form, code=2)
        assert (out, err) == (
            "",
            "topic 'heat pumps' cannot stand in a line of TREC: write JSON or Parquet instead\n",
        )
    run(capsys, "pool", "export", "p", "judged.json", "--form", "qrels", "-o", "out.json")
    assert adjudge.read_qrels("out.json").to_dict() == {"heat pumps": {"a": 2}, "2": {"b": 0}}


def test_a_document_with_a_blank_is_named_too(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "named.json").write_text(json.dumps({"1": {"a b": 2.0, "c": 1.0}}))
    _, err = run(capsys, "pool", "named.json", "-o", "p")
    assert "document 'a b' cannot stand in a line of TREC" in err
    _, err = run(capsys, "pool", "one", "-o", "q2")
    assert err == ""


def test_a_budget_in_an_order_that_is_not_random_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    sample = ("pool", "one", "two", "--pooling", "uniform@3(share=0.9)", "--topic-budget", "1")
    _, err = run(capsys, *sample, "-o", "p", "--priority", "max_mean")
    assert "what is judged then is no random sample; random_order keeps it one" in err
    assert run(capsys, *sample, "-o", "r")[1] == ""
    _, err = run(capsys, "pool", "export", "p", "q", "--form", "qrels")
    assert "infap and other estimates would take what is judged for a random sample" in err


def test_a_judge_on_the_command_line(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "two", "-o", "p", "--documents", "docs.jsonl")
    (files / "j.py").write_text(
        "import json, sys\nfor l in sys.stdin:\n p = json.loads(l)\n"
        " print(json.dumps({'topic': p['topic'], 'document': p['document'], 'grade': 1}), flush=True)\n"
    )
    out, _ = run(capsys, "pool", "judge", "p", "--name", "m", "--", sys.executable, "j.py")
    assert out == f"{Path('p/judges/m.jsonl')}: 6 new answers for 6 pairs\n"
    _, err = run(capsys, "pool", "judge", "p", "--name", "m", code=2)
    assert err == "a judge is a command after --, or a file of --answers\n"


def test_answers_of_a_judge_are_judgments_for_every_command(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "two", "-o", "p", "--documents", "docs.jsonl")
    (files / "crowd.csv").write_text("topic,document,grade\n1,a,1\n1,b,1\n1,c,0\n1,d,0\n2,a,2\n2,c,0\n2,elsewhere,1\n")
    out, err = run(capsys, "pool", "judge", "p", "--name", "crowd", "--answers", "crowd.csv", "--version", "3")
    assert out == f"{Path('p/judges/crowd.jsonl')}: 7 new answers for 7 pairs\n"
    assert err == "note: crowd: 1 judgment is of a document outside the pool\n"
    kept = json.loads((files / "p" / "judges" / "crowd.json").read_text())
    assert (list(kept["files"]), kept["judge_version"], kept["answers"]) == (["crowd.csv"], "3", 7)
    _, err = run(capsys, "pool", "judge", "p", "--name", "crowd", "--answers", "crowd.csv", "--version", "4", code=2)
    assert "crowd was asked with another version: give the judge another name" in err
    _, err = run(capsys, "pool", "judge", "p", "--name", "../../x", "--answers", "crowd.csv", code=2)
    assert err == "the name of a judge has letters, digits and - _ . + only, not '../../x'\n"
    answers = "p/judges/crowd.jsonl"
    assert "q and crowd give the same grade to 67% of 3 common documents" in run(capsys, "judges", "q", answers)[0]
    assert "machine alone" in run(capsys, "estimate", "q", "one", "two", "-m", "ap", "--machine", answers)[0]
    assert run(capsys, "convert", answers, "-o", "crowd.qrels")[0] == "crowd.qrels: 7 judgments\n"
    assert run(capsys, "qrels", "diff", answers, "crowd.qrels")[0].endswith("7 the same, 0 with another grade, "
           f"0 only in {answers}, 0 only in crowd.qrels\n")  # fmt: skip


def test_files_of_answers_that_come_later_are_kept_too(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "two", "-o", "p")
    for name, text in (("one.txt", "1 0 a 1\n"), ("two.txt", "1 0 b 1\n")):
        (files / name).write_text(text)
        run(capsys, "pool", "judge", "p", "--name", "crowd", "--answers", name)
    kept = json.loads((files / "p" / "judges" / "crowd.json").read_text())
    assert list(kept["files"]) == ["one.txt"]
    assert [list(later["files"]) for later in kept["files_later"]] == [["two.txt"]]
    assert kept["answers"] == 2


def test_answers_in_the_names_of_other_tools(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "two", "-o", "p")
    (files / "other.jsonl").write_text('{"query": "1", "doc": "a", "relevance": 2}\n')
    (files / "whole.jsonl").write_text('{"topic": "1", "document": "b", "grade": 1.0}\n')
    for name in ("other", "whole"):
        out, _ = run(capsys, "pool", "judge", "p", "--name", name, "--answers", f"{name}.jsonl")
        assert "1 new answer for 1 pair" in out
    assert adjudge.read_qrels(files / "p" / "judges" / "other.jsonl").to_dict() == {"1": {"a": 2}}


def test_what_is_not_judged_in_a_file_makes_no_sample_whole(capsys: pytest.CaptureFixture[str]) -> None:
    sample = ("pool", "one", "two", "--pooling", "uniform@3(share=0.9)", "--priority", "max_mean")
    run(capsys, *sample, "-o", "p")
    run(capsys, "pool", "export", "p", "q", "--form", "qrels", "-o", "exported")  # with -1 for what nobody judged
    _, err = run(capsys, "pool", "export", "p", "exported", "--form", "statap", code=2)
    assert "what is judged is no random sample" in err


def test_an_order_of_merit_does_not_become_random(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "pool", "one", "two", "--pooling", "uniform@3(share=0.9)", "--priority", "max_mean", "-o", "p")
    _, err = run(capsys, "pool", "-o", "p", "--join", "--priority", "random_order", code=2)
    assert err == (
        "the pool was made to be judged in the order max_mean, and what was judged so is no random sample:"
        " random_order needs a pool of its own\n"
    )


def test_a_budget_changes_without_the_documents(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "two", "-o", "p", "--documents", "docs.jsonl")
    (files / "docs.jsonl").rename(files / "elsewhere.jsonl")
    run(capsys, "pool", "-o", "p", "--join", "--budget", "3")
    assert adjudge.open_pool(files / "p").definition.budget.total == 3


def test_a_judge_of_a_sample_may_judge_the_whole_pool(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "two", "-o", "p", "--documents", "docs.jsonl", "--pooling", "uniform@3(share=0.5)")
    (files / "j.py").write_text(
        "import json, sys\nfor l in sys.stdin:\n p = json.loads(l)\n"
        " print(json.dumps({'topic': p['topic'], 'document': p['document'], 'grade': 1}), flush=True)\n"
    )
    out, _ = run(capsys, "pool", "judge", "p", "--name", "m", "--", sys.executable, "j.py")
    assert out.endswith("4 new answers for 4 pairs\n")
    (files / "all.qrels").write_text("".join(f"{t} 0 {d} 1\n" for t in "12" for d in "abcd"))
    run(capsys, "pool", "export", "p", "all.qrels", "-o", "s")
    out, _ = run(capsys, "estimate", "s", "one", "-m", "p@2", "--machine", "p/judges/m.jsonl")
    assert "note: machine: 2 of 6 pooled documents have no grade by it and count as not relevant" in out
    out, _ = run(capsys, "pool", "judge", "p", "--name", "m", "--whole", "--", sys.executable, "j.py")
    assert out.endswith("2 new answers for 6 pairs, 4 were answered before\n")
    assert "note: machine" not in run(capsys, "estimate", "s", "one", "-m", "p@2", "--machine", "p/judges/m.jsonl")[0]


def test_an_empty_run_is_refused_and_others_are_checked(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "nothing").write_text("")
    (files / "torn.gz").write_bytes(b"\x1f\x8b\x08\x00torn")
    out, _ = run(capsys, "check", "nothing", "torn.gz", "one", code=1)
    lines = out.splitlines()
    assert lines[0] == "nothing: error: cannot be read: empty"
    assert lines[2].startswith("torn.gz: error: cannot be read: ")
    assert lines[-1].startswith("one: accepted: 4 lines, 2 topics")
    assert run(capsys, "check", "one", "elsewhere", code=2)[1] == "elsewhere: no such file\n"


def test_runs_that_join_are_pooled_as_the_others_were(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "pool", "one", "-o", "p", "--pooling", "depth@3", "--priority", "hedge", "--topic-budget", "1")
    _, err = run(capsys, "pool", "two", "-o", "p", "--join", "--pooling", "depth@1", code=2)
    assert err == "runs join a pool as it was made, with pooling depth@3, not depth@1: leave it out\n"
    _, err = run(capsys, "pool", "two", "-o", "p", "--join", "--seed", "4", code=2)
    assert err == "runs join a pool as it was made, with seed 0, not 4: leave it out\n"
    out, _ = run(capsys, "pool", "two", "-o", "p", "--join", "--pooling", "depth@3", "--budget", "3")
    assert (
        out
        == "p: 2 runs, 2 topics, depth@3: 6 pairs to judge, no more than 1 a topic and 3 in all, in the order hedge\n"
    )
    out, _ = run(capsys, "pool", "-o", "p", "--join", "--topic-budget", "4", "--priority", "rank_order")
    assert out.endswith("6 pairs to judge, no more than 4 a topic and 3 in all, in the order rank_order\n")
    assert run(capsys, "pool", "-o", "p", "--join", code=2)[1] == "no run to join the pool\n"
    assert run(capsys, "pool", "-o", "new", code=2)[1] == "a pool takes at least one run\n"
    assert "join (--join) adds runs to it" in run(capsys, "pool", "one", "-o", "p", code=2)[1]
    run(capsys, "pool", "again", "p", "-o", "same")
    made, again = (json.loads((files / name / "pool.json").read_text())["definition"] for name in ("p", "same"))
    assert made == again
    (files / "one").rename(files / "moved")
    assert (
        "run one is not there any more: say where it is, one=FILE"
        in run(capsys, "pool", "again", "p", "-o", "x", code=2)[1]
    )
    assert "no run of the pool is named moved" in run(capsys, "pool", "again", "p", "moved", "-o", "x", code=2)[1]


def test_a_sample_where_judgments_are_wanted_is_sent_to_estimate(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    run(capsys, "qrels", "sample", "q", "--share", "0.5", "-o", "s")
    _, err = run(capsys, "measure", "s", "one", "-m", "ap", code=2)
    assert "this line has 5 (a sample of judgments has five: adjudge estimate takes it)" in err
    _, err = run(capsys, "measure", "q", "one", "-m", "xinfap", code=2)
    assert err == "xinfap is estimated from a sample of judgments in five columns: adjudge estimate does it\n"


def test_gaps_and_estimates(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "pool", "gaps", "q", "one", "two", "-m", "rbp(p=0.5)", "--at", "2", "--group", "x=tw*")
    assert out.splitlines()[0].split()[:3] == ["run", "group", "rank"]
    assert json.loads(run(capsys, "pool", "gaps", "q", "one", "two", "-f", "json")[0])["topics"] == 2
    run(capsys, "qrels", "sample", "q", "--share", "0.5", "-o", "s")
    out, _ = run(capsys, "estimate", "s", "one", "-m", "p@1,xinfap", "-f", "csv")
    assert [line.split(",")[1] for line in out.splitlines()] == ["measure", "p@1", "xinfap"]
    assert "--machine" not in run(capsys, "estimate", "q", "one", "-m", "p@1", code=2)[1]


GOOD = "1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 Q0 a 1 2.5\n", "r:1: error: 6 columns expected, 5 found: '1 Q0 a 1 2.5'"),
        ("1 Q0 a 1 x tag\n", "r:1: error: the score 'x' is not a finite number"),
        ("1 Q0 a first 2 tag\n", "r:1: error: the rank 'first' is not a whole number from 0 on"),
        ("1 0 a 1 2 tag\n", "r:1: error: the second column is '0', not Q0"),
        ("1 Q0 a 1 2 t/g\n", "r:1: error: the tag 't/g' has other signs"),
        (GOOD + "1 Q0 c 3 1 other\n", "r:3: error: the tag is 'other', and another one before"),
        (GOOD + "1 Q0 a 3 1 tag\n", "r:3: error: document a of topic 1 is on line 1 already"),
        (GOOD + "1 Q0 c 2 1 tag\n", "r:3: error: rank 2 of topic 1 is on line 2 already"),
        (GOOD + "1 Q0 c 3 9 tag\n", "r:3: error: rank 3 of topic 1 has a higher score than the rank before it"),
        (GOOD + "1 Q0 c 3 1.5 tag\n", "r: warning: topic 1 has 1 tied score, ordered by document id"),
        (GOOD + "7 Q0 a 1 1 tag\n", "r:3: error: topic 7 is not one of the topics"),
        (GOOD + "1 Q0 z 3 1 tag\n", "r:3: error: document z is not in the collection"),
        (GOOD + "1 Q0 c 3 1 tag\n1 Q0 d 4 0 tag\n", "r: error: topic 1 has 4 documents, 3 are allowed"),
        (GOOD + "2 Q0 c 1 1 tag\n", "r: warning: topic 2 has 1 document, 2 are asked for"),
        (GOOD, "r: warning: topic 2 has no document"),
        (GOOD + "2 Q0 c 1 1 tag\n1 Q0 c 3 1 tag\n", "r:4: error: topic 1 goes on here, after lines of another topic"),
        ("\n", "r: error: the file has no line"),
    ],
)
def test_a_run_is_checked(capsys: pytest.CaptureFixture[str], files: Path, text: str, says: str) -> None:
    (files / "r").write_text(text)
    code = 1 if " error:" in says else 0
    options = ["--topics", "t.tsv", "--documents", "docs.jsonl", "--most", "3", "--least", "2"]
    out, _ = run(capsys, "check", "r", *options, code=code)
    assert any(line.startswith(says) for line in out.splitlines()), out
    assert out.splitlines()[-1].startswith("r: refused: " if code else "r: accepted: ")


def test_no_number_of_documents_is_at_least_and_at_most_what_contradicts(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    _, err = run(capsys, "check", "one", "--most", "2", "--least", "3", code=2)
    assert err == "at least 3 documents of a topic and at most 2: no number is both\n"


def test_many_issues_of_one_kind_are_counted(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "r").write_text("bad\n" * 25)
    out, _ = run(capsys, "check", "r", code=1)
    assert "r: 15 more like that (columns)" in out
    assert json.loads(run(capsys, "check", "r", "-f", "json", code=1)[0])["runs"][0]["fine"] is False


def test_files_are_converted(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    for source, target, size in (
        ("one", "r.parquet", "4 rows"),
        ("r.parquet", "r.json", ""),
        ("q", "q.json", "3 judgments"),
        ("t.tsv", "t.trec", ""),
        ("docs.jsonl", "docs.trec", ""),
        ("docs.trec", "d.jsonl.gz", "4 documents"),
    ):
        kind = {"r.parquet": "run", "t.tsv": "topics", "docs.jsonl": "documents"}.get(source)
        out, _ = run(capsys, "convert", source, "-o", target, *(["--kind", kind] if kind else []))
        assert size in out
    assert adjudge.read_run("r.json") == adjudge.read_run("one")
    assert adjudge.read_qrels("q.json") == adjudge.read_qrels("q")
    assert [topic.title for topic in adjudge.read_topics("t.trec")] == ["solar", "wind"]
    assert next(document.text for document in adjudge.read_documents("d.jsonl.gz")) == "solar a"
    Path("years.jsonl").write_text('{"id": "a", "text": "solar", "year": 1912}\n')
    note = run(capsys, "convert", "years.jsonl", "-o", "years.tsv", "--kind", "documents")[1]
    assert note.startswith("note: 1 document has fields, for which this format has no place")
    assert run(capsys, "convert", "years.tsv", "-o", "y.parquet", "--kind", "documents") == (
        "y.parquet: 1 document\n",
        "",
    )
    assert "say which kind" in run(capsys, "convert", "t.tsv", "-o", "x.jsonl", code=2)[1]
    assert "would be overwritten" in run(capsys, "convert", "one", "-o", "one", code=2)[1]
    for source, target in (("one", "r.jsonl"), ("q", "q.xml.gz")):
        assert "judgments are not written as" in run(capsys, "convert", source, "-o", target, code=2)[1]
        assert not Path(target).exists()


def test_an_index_is_converted_as_the_documents_that_it_has(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    run(capsys, "index", "docs.jsonl", "-o", "docs.index")
    assert run(capsys, "convert", "docs.index", "-o", "back.jsonl") == ("back.jsonl: 4 documents\n", "")
    assert list(adjudge.read_documents("back.jsonl")) == list(adjudge.read_documents("docs.jsonl"))
    assert "is an index" in run(capsys, "convert", "docs.index", "-o", "x.tsv", "--layout", "jsonl", code=2)[1]
    run(capsys, "index", "docs.jsonl", "-o", "bare.index", "--no-texts")
    out, err = run(capsys, "convert", "bare.index", "-o", "x.tsv", code=2)
    assert (out, err) == ("", "bare.index: built without texts: adjudge index --texts keeps them\n")
    assert not (files / "x.tsv").exists()


def test_a_damaged_index_is_not_taken_for_a_folder_of_documents(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    """All documents would be missing from it, and the collection would be blamed."""
    run(capsys, "index", "docs.jsonl", "-o", "docs.index")
    (ids,) = (files / "docs.index").glob("*/ids")
    ids.write_bytes(ids.read_bytes()[:1])
    for words in (["pool", "one", "-o", "p"], ["check", "one"]):
        err = run(capsys, *words, "--documents", "docs.index", code=2)[1]
        assert err.startswith("docs.index")
        assert len(err.splitlines()) == 1
    assert run(capsys, "convert", "docs.index", "-o", "x.tsv", code=2)[1].startswith("docs.index")
    assert not (files / "p").exists()


def test_judgments_are_put_together(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "r").write_text("1 0 a 2\n3 0 z 0\n")
    _, err = run(capsys, "qrels", "merge", "q", "r", "-o", "m", code=2)
    assert err.startswith("r: a of topic 1 has grade 2, and 1 before: 1 conflict: say which grade counts")
    assert not (files / "m").exists()
    out, err = run(capsys, "qrels", "merge", "q", "r", "--conflict", "highest")
    assert out.splitlines()[0] == "1 0 a 2"
    said = ["note: r: a of topic 1 has grade 2, and 1 before", "note: 1 conflict: the highest grade counts"]
    assert err.splitlines() == said
    out, _ = run(capsys, "qrels", "diff", "q", "r", code=1)
    assert out.splitlines()[-1] == "0 the same, 1 with another grade, 2 only in q, 1 only in r"
    assert run(capsys, "qrels", "diff", "q", "q")[0] == "3 the same, 0 with another grade, 0 only in q, 0 only in q\n"
    assert run(capsys, "qrels", "map", "q", "--grades", "2=1,1=1,0=0")[0] == "1 0 a 1\n1 0 b 0\n2 0 a 1\n"
    assert "grade 0 is not mapped" in run(capsys, "qrels", "map", "q", "--grades", "2=1,1=1", code=2)[1]
    assert "no judgment has grade 7" in run(capsys, "qrels", "map", "q", "--grades", "7=1", "--keep", code=2)[1]
    assert "takes pairs such as" in run(capsys, "qrels", "map", "q", "--grades", "x", code=2)[1]


def test_topics_that_are_judged_whole(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """From runs to an estimate, and what is wrong in a line."""
    for name, step in (("x.run", 7), ("y.run", 11)):
        rows = [f"{t} Q0 d{d * step % 23} {d + 1} {40 - d} {name}\n" for t in range(1, 7) for d in range(20)]
        (files / name).write_text("".join(rows))
    out, _ = run(capsys, "pool", "x.run", "y.run", "-o", "w", "--pooling", "uniform(share=0.3)", "--whole-topics", "3")
    pool = adjudge.open_pool("w")
    assert out == (
        f"w: 2 runs, 6 topics, uniform@100(share=0.3): {pool.to_judge.sum()} pairs to judge of {len(pool)},"
        " all of 3 topics, in the order random_order\n"
    )
    pairs = [(topic, document) for topic, document, _ in pool.rows()]
    grades = {pair: (int(pair[1][1:]) + int(pair[0])) % 3 // 2 for pair in pairs}
    kept = [pair for pair, to_judge in zip(pairs, pool.to_judge.tolist(), strict=True) if to_judge]
    (files / "judged").write_text("".join(f"{t} 0 {d} {grades[t, d]}\n" for t, d in kept))
    run(capsys, "pool", "export", "w", "judged", "-o", "sampled.txt", "--whole", "whole.qrels")
    out, err = run(capsys, "estimate", "sampled.txt", "x.run", "y.run", "-m", "ap", "--whole", "whole.qrels")
    assert out.split("\n")[0].split() == ["system", "measure", "estimate", "sample", "alone"]
    assert "Estimated from a sample of 6 topics, 3 of them judged whole: " in out
    assert "model" not in out
    one = pool.whole_topics[0]
    lines = [line for line in (files / "whole.qrels").read_text().splitlines(True) if not line.startswith(f"{one} ")]
    own = [line for line in (files / "whole.qrels").read_text().splitlines(True) if line.startswith(f"{one} ")]
    for text, says in (
        ("".join(lines + own[1:]), f"topic {one} is not judged whole: 1 of {len(own)} pooled documents has no grade"),
        ("".join(own), "1 topic judged whole: at least 2 are needed"),
        ("".join(lines + own) + "77 0 d1 1\n", "topic 77 was judged whole and is not in the sample"),
    ):
        (files / "bad.qrels").write_text(text)
        _, err = run(capsys, "estimate", "sampled.txt", "x.run", "-m", "ap", "--whole", "bad.qrels", code=2)
        assert err.startswith(says)
        assert err.count("\n") == 1
    (files / "less").write_text("".join((files / "judged").read_text().splitlines(True)[:-1]))
    _, err = run(capsys, "pool", "export", "w", "less", "-o", "s.txt", "--whole", "w.qrels", code=2)
    assert err.count("\n") == 1
    outputs: list[tuple[str, ...]] = [("-o", "judged"), ("-o", "s.txt", "--whole", "judged")]
    for words in outputs:
        _, err = run(capsys, "pool", "export", "w", "judged", *words, code=2)
        assert err == "judged: is an input, and would be overwritten\n"
    given = ("judged", "--share", "0.5", "-o", "s.txt", "--whole-topics", "2", "--whole", "w2.qrels")
    run(capsys, "qrels", "sample", *given)
    out, _ = run(capsys, "estimate", "s.txt", "x.run", "-m", "ndcg@10", "--whole", "w2.qrels")
    assert "2 of them judged whole" in out
