"""From assessments to files, the Cambridge collection, and the commands."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from adjudge.cli import main
from adjudge.collection.qa.assessment import Assessment, Judgment, Label, labels_of, one_a_thread, proposal
from adjudge.collection.qa.collection import TopicCollection
from adjudge.collection.qa.cumtc import compare_with_paper, read_cumtc
from adjudge.collection.qa.export import Origin, assemble, export_project, safe_name, write_collection
from adjudge.collection.qa.project import Project, open_project, read_assessments, read_candidates
from adjudge.collection.qa.thread_candidates import CandidateSettings, find_candidates
from adjudge.collection.qa.threads import micro_topics
from adjudge.core.errors import AdjudgeError, ConflictError, DataError
from adjudge.formats.qrels import read_qrels
from adjudge.formats.topics import read_topics
from collection.dump_of import answer, dump, file_of, question, shared, small


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project")
    find_candidates(small(tmp_path / "dump"), made, CandidateSettings())
    return open_project(made.folder)


def judged(thread: str = "1", *judgments: Judgment) -> Assessment:
    labels = (Label(1, "prelude"), Label(2, "query", 1), Label(3, "query", 2))
    some = judgments or (Judgment(1, "math/0406343", "total", "direct"), Judgment(2, "0704.0001", "partial", "direct"))
    return Assessment(thread, "Ada", True, True, labels, some)


def test_candidates_come_back_from_their_file(project: Project) -> None:
    path = project.candidates_path
    again = list(read_candidates(path))
    assert {one.id: one for one in again} == project.candidates
    line = json.loads(path.read_text().splitlines()[0])
    for damage, says in (
        ("[]", "not a JSON object"),
        ("{", "not JSON"),
        ("{}", "thread is None"),
        (json.dumps(line | {"citations": 3}), "not a list"),
        (json.dumps(line | {"sentences": [{"number": "1"}]}), "not int"),
        (json.dumps(line | {"sentences": [line["sentences"][0] | {"kind": "poem"}]}), "cannot be 'poem'"),
        (json.dumps(line | {"sentences": [line["sentences"][0]] * 2}), "occurs twice"),
        (json.dumps(line | {"thread": line["thread"] | {"title": None}}), "title is None"),
        (json.dumps(line) + "\n" + json.dumps(line), "occurs twice"),
    ):
        path.write_text(damage)
        with pytest.raises(AdjudgeError, match=says):
            dict(open_project(project.folder).candidates)


def test_labels_are_the_humans_and_else_the_proposed(project: Project) -> None:
    candidate = project.candidates["1"]
    assert [label.kind for label in proposal(candidate).labels] == ["prelude", "query", "query"]
    mine = Assessment("1", "Ada", labels=(Label(2, "neither"),))
    assert [label.kind for label in labels_of(candidate, mine)] == ["prelude", "neither", "query"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"labels": (Label(9, "prelude"),)}, "no sentence 9"),
        ({"labels": (Label(1, "prelude"), Label(1, "query", 1))}, "labelled twice"),
        ({"labels": (Label(1, "query", 0),)}, "cannot be"),
        ({"labels": (Label(1, "prelude", 1),)}, "cannot be"),
        ({"judgments": (Judgment(1, "x", "total", "direct"),)}, "not cited"),
        ({"judgments": (Judgment(0, "0704.0001", "total", "direct"),)}, "no micro-topic 0"),
        ({"judgments": (Judgment(1, "0704.0001", "half", "direct"),)}, "not a totality"),
        ({"judgments": (Judgment(1, "0704.0001", "total", "direct"),) * 2}, "judged twice"),
        ({"judgments": (Judgment(3, "0704.0001", "total", "direct"),)}, "has no sentence"),
        ({"thread": "99"}, "not a candidate"),
    ],
)
def test_assessments_that_cannot_be(project: Project, change: dict[str, object], says: str) -> None:
    with pytest.raises(AdjudgeError, match=says):
        assemble(project.candidates, [replace(judged(), **change)], "x")  # type: ignore[arg-type]


def test_two_assessments_of_one_thread_have_to_be_resolved() -> None:
    with pytest.raises(ConflictError, match="Ada and Ada"):
        one_a_thread([judged(), judged()])


def test_what_is_total_and_direct_is_judged(project: Project) -> None:
    made = assemble(project.candidates, [judged(), Assessment("3", "Ada", clear=False)], "x")
    (topic,) = made.topics
    assert (topic.micro_topics, topic.asked) == ((1,), (1, 2))
    assert [(one.document, one.grade, one.confirmed) for one in topic.judgments] == [("math/0406343", 2, None)]
    assert any("partial and direct" in note for note in map(str, made.notes))
    both = assemble(project.candidates, [judged()], "x", all_grades=True)
    assert [one.grade for one in both.topics[0].judgments] == [2, 1]
    nothing = assemble(project.candidates, [judged("1", Judgment(1, "0704.0001", "total", "indirect"))], "x")
    assert nothing.topics == ()
    assert "skipped" in str(nothing.notes[-1])


def test_queries_and_tuples(project: Project) -> None:
    made = assemble(project.candidates, [judged()], "x", all_grades=True)
    first, second = made.queries()
    assert first.id == "1.1"
    assert first.sentences == ("Let M be a manifold.", "Is it known?")
    assert second.sentences == ("Let M be a manifold.", "Or is M open?")
    assert made.tuples() == [("1", 2, 1, "math/0406343"), ("1", 3, 2, "0704.0001")]
    counts = made.counts()
    assert (counts.topics, counts.micro_topics, counts.judgments, counts.documents) == (1, 2, 2, 2)
    assert counts.topics_by_micro_topics == {2: 1}


def test_all_files_are_written_and_read_back(project: Project, tmp_path: Path) -> None:
    export = export_project(project, [judged()], origin=Origin(source="a\nsite <b>"), all_grades=True)
    folder = project.export_path
    assert sorted(export.files) == sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    for name in ("topics.jsonl", "topics.trec"):
        assert [topic.id for topic in read_topics(folder / name)] == ["1.1", "1.2"]
    assert read_topics(folder / "topics.jsonl")[0].sentences == export.collection.queries()[0].sentences
    assert read_qrels(folder / "qrels.txt") == export.collection.qrels()
    assert (folder / "qrels.txt").read_text() == "1.1 0 math/0406343 2\n1.2 0 0704.0001 1\n"
    record = json.loads((folder / "collection.jsonl").read_text())
    assert [sentence["type"] for sentence in record["sentences"]] == ["prelude", "query", "query"]
    assert "- source: a site &lt;b>" in (folder / "datasheet.md").read_text()
    assert "not converted yet" in (folder / "formulas.csv").read_text()
    page = ElementTree.parse(folder / "topics" / "1.xhtml").getroot()  # noqa: S314
    marks = [dict(element.attrib) for element in page.iter("{http://www.w3.org/1999/xhtml}s")]
    assert marks == [
        {"id": "1", "type": "p"},
        {"id": "2", "type": "q", "qid": "1"},
        {"id": "3", "type": "q", "qid": "2"},
    ]


def test_a_topic_that_is_none_any_more_leaves_no_page(project: Project) -> None:
    third = Assessment("3", "Ada", True, True, (), (Judgment(1, "10.1145/3121050.3121106", "total", "direct"),))
    export_project(project, [judged(), third])
    pages = project.export_path / "topics"
    assert {path.name for path in pages.iterdir()} == {"1.xhtml", "1.1.xhtml", "3.xhtml", "3.1.xhtml"}
    (pages / "mine.xhtml").touch()
    export_project(project, [judged()])
    assert {path.name for path in pages.iterdir()} == {"1.xhtml", "1.1.xhtml", "mine.xhtml"}


def test_formulas_are_mathml_in_the_pages(project: Project) -> None:
    assert main(["collect", "formulas", str(project.folder), "--by", "latex2mathml"]) == 0
    export_project(project, [judged()])
    page = (project.export_path / "topics" / "1.xhtml").read_text()
    assert '<annotation encoding="application/x-tex">M</annotation>' in page
    assert (project.export_path / "formulas.csv").read_text() == "tex,problem\n"


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    body = "<p>Is \x0b it &lt;script&gt; $&lt;/math&gt;$ \ufffe <a href='javascript:x'>y</a> <a href='http://a.b/\"&lt;'>z</a>?</p>"
    posts = file_of("posts", question(1, body.replace("\x0b", "&#xB;"), 2, Title="<script>"), answer(2, 1))
    made = Project(tmp_path / "p")
    find_candidates(dump(tmp_path / "d", posts), made, CandidateSettings())
    export_project(
        open_project(made.folder),
        [Assessment("1", "A", True, True, (), (Judgment(1, "0704.0001", "total", "direct"),))],
    )
    page = (made.export_path / "topics" / "1.xhtml").read_text(encoding="utf-8")
    root = ElementTree.fromstring(page)  # noqa: S314
    assert not list(root.iter("{http://www.w3.org/1999/xhtml}script"))
    links = [element.get("href", "") for element in root.iter("{http://www.w3.org/1999/xhtml}a")]
    assert links == ['http://a.b/"<']
    assert len(read_topics(made.export_path / "topics.trec")) == 1


def test_a_question_about_topics_is_read_back(tmp_path: Path) -> None:
    body = "<p>What is &lt;top&gt; for? Let x\u2028y\x85z &lt;/top&gt; &lt;num&gt; 9.9 be.</p>"
    posts = file_of("posts", question(1, body, 2, Title="<title> & </top>"), answer(2, 1))
    made = Project(tmp_path / "p")
    find_candidates(dump(tmp_path / "d", posts), made, CandidateSettings())
    assessment = Assessment("1", "A", True, True, (), (Judgment(1, "0704.0001", "total", "direct"),))
    collection = export_project(open_project(made.folder), [assessment]).collection
    for name in ("topics.jsonl", "topics.trec"):
        (topic,) = read_topics(made.export_path / name)
        assert (topic.id, topic.title) == ("1.1", "What is <top> for?")
    assert read_topics(made.export_path / "topics.jsonl")[0].sentences == collection.queries()[0].sentences
    export_project(open_project(made.folder), [assessment])  # its own files are read again
    assert (made.export_path / "topics" / "1.xhtml").is_file()


def test_two_topics_never_share_a_page(project: Project, tmp_path: Path) -> None:
    first = assemble(project.candidates, [judged()], "x").topics[0]
    both = TopicCollection("x", (replace(first, id="a/b"), replace(first, id="a_b")))
    with pytest.raises(ConflictError, match="the same page"):
        write_collection(both, tmp_path / "c", {}, {})


@pytest.mark.slow
def test_a_real_dump_goes_the_whole_way(tmp_path: Path) -> None:
    made = Project(tmp_path / "p")
    find_candidates(shared("stackexchange", tmp_path) / "quantumcomputing", made, CandidateSettings())
    project = open_project(made.folder)
    assert main(["collect", "formulas", str(made.folder), "--by", "latex2mathml"]) == 0
    final = []
    for candidate in project.candidates.values():
        some = tuple(
            Judgment(micro, citation.document, "total", "direct")
            for micro in micro_topics(candidate.sentences)
            for citation in candidate.citations
        )
        final.append(replace(proposal(candidate), clear=True, answered=True, judgments=some))
    collection = export_project(project, final).collection
    counts = collection.counts()
    assert counts.topics == len(project.candidates)
    assert counts.judgments == sum(len(one.judgments) for one in final)
    folder = project.export_path
    assert len(read_topics(folder / "topics.jsonl")) == len(read_topics(folder / "topics.trec")) == counts.micro_topics
    assert len(read_qrels(folder / "qrels.txt")) == counts.judgments
    for path in (folder / "topics").iterdir():
        ElementTree.parse(path)  # noqa: S314


def test_nothing_to_export_is_an_error(project: Project, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no topic to export"):
        write_collection(TopicCollection("x", ()), tmp_path / "c", {}, {})
    assert safe_name("../../etc/passwd") == "______etc_passwd"
    assert safe_name("") == "_"


def test_assessments_from_a_file(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(asdict(judged())) + "\n")
    assert read_assessments(path) == [judged()]
    for damage, says in (
        ('{"thread": "1"}', "lacks a field"),
        ('{"thread": "1", "assessor": "A", "clear": 1}', "clear is 1"),
    ):
        path.write_text(damage)
        with pytest.raises(DataError, match=says):
            read_assessments(path)
    with pytest.raises(DataError, match="cannot be read"):
        read_assessments(tmp_path / "nowhere")


@pytest.fixture(scope="module")
def cumtc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared("cumtc", tmp_path_factory.mktemp("cumtc"))


def test_the_cambridge_collection(cumtc: Path, tmp_path: Path) -> None:
    made = read_cumtc(cumtc)
    counts = made.counts()
    assert (counts.topics, counts.micro_topics, counts.judgments, counts.documents) == (120, 160, 184, 140)
    assert counts.topics_by_micro_topics == {1: 88, 2: 24, 3: 8}
    assert counts.micro_topics_by_documents == {1: 140, 2: 17, 3: 2, 4: 1}
    assert (counts.prelude, counts.query, counts.neither, counts.asked) == (620, 264, 4, 210)
    differing = {what: (paper, here) for what, paper, here in compare_with_paper(counts) if paper != here}
    assert differing == {
        "documents": (224, 140),
        "topics with 1 relevant document": (97, 100),
        "topics with 2 relevant documents": (21, 18),
    }
    topic = next(one for one in made.topics if one.id == "10")
    assert topic.source == "73279"
    assert [sentence.micro_topics for sentence in topic.sentences] == [(), (), (), (1,), (2,), (3,), (3,), ()]
    query = topic.query(1)
    assert query.sentences[-1].startswith("(1) Where can I find the general construction")
    assert len(query.sentences) == 4
    write_collection(made, tmp_path / "c", {}, {})
    assert len(read_topics(tmp_path / "c" / "topics.jsonl")) == 160
    for path in (tmp_path / "c" / "topics").iterdir():
        ElementTree.parse(path)  # noqa: S314


@pytest.mark.parametrize(
    ("topic", "judgments", "says"),
    [
        ('<s id="1" type="q" qid="1">a?</s>', "x,y\n", "expected the columns"),
        ('<s id="1" type="q" qid="1">a?</s>', "1,5,d,1,one\n", "expected topic, question"),
        ('<s id="1" type="q" qid="1">a?</s>', "2,5,d,1,1\n", r"no 2\.txt"),
        ('<s id="1" type="q" qid="1">a?</s>', "1,5,d,1,2\n", "has no sentence"),
        ('<s id="1" type="q" qid="1">a?</s>', "1,5,d,1,1\n1,5,d,2,1\n", "judged twice"),
        ('<s id="1" type="q" qid="1">a?</s>', "1,5,d,1,1\n1,6,e,1,1\n", "two questions"),
        ('<s id="1" type="poem">a?</s>', "1,5,d,1,1\n", "no known type"),
        ("no sentence", "1,5,d,1,1\n", "no sentence"),
    ],
)
def test_collections_like_it_that_are_damaged(tmp_path: Path, topic: str, judgments: str, says: str) -> None:
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "1.txt").write_text(topic)
    header = "" if judgments.startswith("x") else "seqid,postid,doc_arxivid,citationid,subtopic\n"
    (tmp_path / "judgements.csv").write_text(header + judgments)
    with pytest.raises(AdjudgeError, match=says):
        read_cumtc(tmp_path)


def test_the_commands_from_beginning_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, project = small(tmp_path / "dump"), str(tmp_path / "p")
    assert main(["collect", "candidates", str(folder), "-o", project, "-f", "json"]) == 0
    shown = {row["what"]: row["number"] for row in json.loads(capsys.readouterr().out)}
    assert shown["candidates"] == 2
    assert main(["collect", "sentences", project, "--thread", "1", "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["kind"], row["micro_topic"]) for row in rows] == [("prelude", ""), ("query", "1"), ("query", "1")]
    decisions = tmp_path / "a.jsonl"
    other = replace(judged(), assessor="Bob", labels=(Label(1, "neither"), Label(2, "query", 1), Label(3, "query", 2)))
    decisions.write_text("".join(json.dumps(asdict(one)) + "\n" for one in (judged(), other)))
    assert main(["collect", "agreement", project, "--assessments", str(decisions), "-f", "json"]) == 0
    figures = {row["decision"]: row for row in json.loads(capsys.readouterr().out)}
    assert figures["sentence"]["differ"] == 1
    assert figures["clear"]["kappa"] is None
    assert main(["collect", "agreement", project, "--assessments", str(decisions), "--show", "disagreements"]) == 0
    assert "Ada: prelude; Bob: neither" in capsys.readouterr().out
    assert main(["collect", "export", project, "--assessments", str(decisions)]) == 2
    assert "two assessments" in capsys.readouterr().err
    decisions.write_text(json.dumps(asdict(judged())) + "\n")
    assert main(["collect", "export", project, "--assessments", str(decisions), "-f", "csv"]) == 0
    assert "micro-topics judged,1," in capsys.readouterr().out
    assert (tmp_path / "p" / "collection" / "qrels.txt").read_text() == "1.1 0 math/0406343 2\n"


def test_damage_is_exit_code_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small(tmp_path / "dump")
    posts = folder / "Posts.xml"
    posts.write_text(posts.read_text().replace("</posts>", ""))
    assert main(["collect", "candidates", str(folder), "-o", str(tmp_path / "p")]) == 1
    assert "dropped: damaged file" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["candidates", "nowhere", "-o", "p"], "no such file or folder"),
        (["candidates", ".", "-o", "p", "--cite", "arxive"], "did you mean arxiv"),
        (["candidates", ".", "-o", "p", "--cite", "none"], "needs --patterns"),
        (["candidates", ".", "-o", "p", "--patterns", "nowhere"], "cannot be read"),
        (["candidates", ".", "-o", "p", "--corpus", "nowhere"], "no such file"),
        (["candidates", "."], "required"),
        (["sentences", "."], r"no candidates.jsonl here"),
        (["formulas", "."], r"no candidates.jsonl here"),
        (["export", "."], r"no candidates.jsonl here"),
        (["agreement", "."], r"no candidates.jsonl here"),
        (["import-cumtc", "."], "no judgements.csv here"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["collect", *arguments]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


def test_a_thread_that_is_not_there_and_a_converter_too(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", "sentences", str(project.folder), "--thread", "77"]) == 2
    assert "no thread '77'" in capsys.readouterr().err
    assert main(["collect", "formulas", str(project.folder), "--by", "word"]) == 2
    assert "no converter" in capsys.readouterr().err
    assert main(["collect"]) == 2


def test_import_compares_with_the_paper(cumtc: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", "import-cumtc", str(cumtc), "-o", str(tmp_path / "c"), "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["what"] for row in rows if row["same"]] == [
        "documents",
        "topics with 1 relevant document",
        "topics with 2 relevant documents",
    ]
    assert len((tmp_path / "c" / "qrels.txt").read_text().splitlines()) == 184
