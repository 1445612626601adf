"""A judge that is a program: good ones, and those that answer nonsense, hang or die; nothing that was said is lost."""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

import adjudge
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.pools.judge_files import read_judgments
from recorder import Recorder

RUNS = {"a": {"1": {"x": 3.0, "y": 2.0, "z": 1.0}, "2": {"y": 2.0, "x": 1.0}}}
DOCUMENTS = {"x": "solar power", "y": "wind power", "z": "water"}
TOPICS = {"1": "solar", "2": "wind"}

HEAD = """
import json, sys, time
for n, line in enumerate(sys.stdin, 1):
    pair = json.loads(line)
    answer = {"topic": pair["topic"], "document": pair["document"]}
    answer["grade"] = int(pair["title"] in pair["text"])
    answer["probability"] = 0.25
"""
GOOD = "    print(json.dumps(answer), flush=True)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    adjudge.pool(RUNS, tmp_path / "p", topics=TOPICS)
    return tmp_path / "p"


def program(folder: Path, body: str) -> list[str]:
    path = folder / "judge.py"
    path.write_text(HEAD + body)
    return [sys.executable, str(path)]


def ask(project: Path, body: str, **more: object) -> object:
    return adjudge.pool_judge(project, "model", program(project.parent, body), documents=DOCUMENTS, **more)  # type: ignore[arg-type]


def grades(project: Path) -> dict[str, dict[str, int]]:
    return read_judgments(project / "judges" / "model.jsonl")["model"].qrels().to_dict()


def test_a_program_judges_and_is_not_asked_twice(project: Path) -> None:
    outcome = ask(project, GOOD, prompt="Is it relevant?", version="7")
    assert (outcome.asked, outcome.before, outcome.answered) == (5, 0, 5)  # type: ignore[attr-defined]
    assert grades(project) == {"1": {"x": 1, "y": 0, "z": 0}, "2": {"y": 1, "x": 0}}
    answers = read_judgments(project / "judges" / "model.jsonl")["model"].answers
    assert {answer.probability for answer in answers} == {0.25}
    kept = json.loads((project / "judges" / "model.json").read_text())
    assert (kept["prompt"], kept["judge_version"], kept["answers"]) == ("Is it relevant?", "7", 5)
    assert str(project.parent / "judge.py") in kept["files"]
    again = ask(project, GOOD, prompt="Is it relevant?", version="7")
    assert (again.before, again.answered) == (5, 0)  # type: ignore[attr-defined]
    with pytest.raises(DataError, match="model was asked with another prompt: give the judge another name"):
        ask(project, GOOD, prompt="Is it good?", version="7")
    agreement = adjudge.compare_judges({"people": {"1": {"x": 1, "y": 1}}, "model": grades(project)})
    assert agreement.pairs[0].common == 2


@pytest.mark.parametrize(
    ("body", "says", "kept"),
    [
        (
            "    print('I think it is relevant', flush=True)\n",
            "the answer is not JSON: 'I think it is relevant'; 0 of 5 answers are kept; the same command goes on",
            0,
        ),
        (
            "    print(json.dumps(answer if n < 3 else 7), flush=True)\n",
            "answer.:3: the answer is not a JSON object",
            2,
        ),
        ("    answer['grade'] = 'high'\n" + GOOD, "the grade is 'high', not a whole number", 0),
        (
            "    answer['grade'] = 10**18\n" + GOOD,
            "the grade is 1000000000000000000, beyond what judgments can hold",
            0,
        ),
        ("    answer['probability'] = 7\n" + GOOD, "the probability is 7, not a number from 0 to 1", 0),
        ("    answer['document'] = 'q'\n" + GOOD, "an answer to a pair that was not asked", 0),
        (GOOD + GOOD, "an answer to a pair that was not asked, or was answered", 1),
        ("    while True: sys.stdout.write('a' * 10_000)\n", "answer.:1: more than 1,000,000 bytes in a line: 'aaa", 0),
        ("    if n == 3: sys.exit('out of credit')\n" + GOOD, "model: out of credit: 2 of 5 answers are kept", 2),
        ("    if n == 2: break\n" + GOOD, "model: ended without answering the rest: 1 of 5 answers is kept", 1),
        pytest.param(
            *("    if n == 3: time.sleep(60)\n" + GOOD, "model: no answer for 4 s, ended: 2 of 5 answers are kept", 2),
            marks=pytest.mark.slow,
        ),
        ("    del answer['topic']\n" + GOOD, "the answer has no topic", 0),
    ],
)
def test_programs_that_fail_lose_nothing(project: Path, body: str, says: str, kept: int) -> None:
    with pytest.raises(DataError, match=says):
        ask(project, body, limit=4.0 if "sleep" in body else 300.0, ahead=2)
    file = project / "judges" / "model.jsonl"
    assert len(file.read_bytes().splitlines()) == kept
    outcome = ask(project, GOOD)
    assert (outcome.before, outcome.answered) == (kept, 5 - kept)  # type: ignore[attr-defined]


def test_a_question_that_is_late_goes_nowhere_else(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipe to a program that was ended must not be a file that was opened since: a record was damaged so."""
    write, late, done = os.write, threading.Event(), threading.Event()

    def slow(handle: int, data: bytes) -> int:
        if b'"z"' not in bytes(data):
            return write(handle, data)
        late.wait(20)
        try:
            return write(handle, data)
        finally:
            done.set()

    monkeypatch.setattr(os, "write", slow)
    with pytest.raises(DataError, match="the answer is not a JSON object"):
        ask(project, "    print(7, flush=True)\n", ahead=3)
    with ExitStack() as stack:
        others = [stack.enter_context((project.parent / f"other-{n}").open("wb")) for n in range(20)]
        late.set()
        assert done.wait(20)
        assert [os.fstat(other.fileno()).st_size for other in others] == [0] * 20
    assert json.loads((project / "judges" / "model.json").read_text())["answers"] == 0


def test_a_program_that_was_changed_goes_on_and_both_are_kept(project: Path) -> None:
    ask(project, GOOD, most=2)
    heard = Recorder()
    assert ask(project, "    # mended\n" + GOOD, progress=heard).answered == 3  # type: ignore[attr-defined]
    assert "changed since the first answers: both digests are kept" in str(heard.notes[0][0])
    kept = json.loads((project / "judges" / "model.json").read_text())
    (later,) = kept["files_later"]
    assert later["files"].keys() == kept["files"].keys()
    assert later["files"] != kept["files"]
    ask(project, "    # mended\n" + GOOD)
    assert len(json.loads((project / "judges" / "model.json").read_text())["files_later"]) == 1


def test_grades_that_the_project_does_not_have_are_kept_and_told(project: Path) -> None:
    heard = Recorder()
    ask(project, "    answer['grade'] = {1: 9, 2: -1}.get(n, 1)\n" + GOOD, progress=heard)
    told = "1 answer has a grade that the scale of the project does not have: 9, where it has 0, 1, 2 and 3"
    assert [str(note) for note, _ in heard.notes] == [f"model: {told}"]
    assert 9 in {answer.grade for answer in read_judgments(project / "judges" / "model.jsonl")["model"].answers}
    rows = "".join(f'[[grades]]\ngrade = {grade}\nname = "grade {grade}"\n' for grade in (1, 9))
    (project / "desk.toml").write_text(rows)
    (project.parent / "crowd.txt").write_text("1 0 x 9\n1 0 y 0\n1 0 z 2\n")
    heard = Recorder()
    adjudge.pool_judge(project, "crowd", answers=project.parent / "crowd.txt", progress=heard)
    (told,) = [str(note) for note, _ in heard.notes]
    assert told.startswith("crowd: 2 answers have grades")
    assert told.endswith(": 0 and 2, where it has 1 and 9")


def test_a_torn_last_line_is_asked_again(project: Path) -> None:
    ask(project, GOOD, most=3)
    file = project / "judges" / "model.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    assert ask(project, GOOD).answered == 3  # type: ignore[attr-defined]
    assert len(grades(project)["1"]) == 3


def test_a_program_that_is_not_there(project: Path) -> None:
    with pytest.raises(DataError, match="a process could not start: /no/such/program: No such file"):
        adjudge.pool_judge(project, "model", ["/no/such/program"], documents=DOCUMENTS)
    assert ask(project, GOOD).answered == 5, "a program that never answered is forgotten"  # type: ignore[attr-defined]
    with pytest.raises(SpecError, match="the name of a judge"):
        adjudge.pool_judge(project, "../model", ["true"], documents=DOCUMENTS)
    with pytest.raises(DataError, match="the pool was made without documents"):
        adjudge.pool_judge(project, "model", ["true"])


def test_documents_that_are_not_there(project: Path) -> None:
    with pytest.raises(DataError, match="document z of topic 1 is not in the collection"):
        adjudge.pool_judge(project, "m", program(project.parent, GOOD), documents={"x": "a", "y": "b"})


def test_judgments_made_elsewhere_join(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "crowd.jsonl"
    file.write_text('{"topic": 1, "document": "x", "grade": 2}\n{"topic": "2", "document": "y", "grade": 0}\n')
    assert adjudge.pool_judge(project, "crowd", answers=file).answered == 2
    assert adjudge.pool_judge(project, "crowd", answers=file).answered == 0
    file.write_text('{"topic": "1", "document": "x", "grade": 2}\n{"topic": "1", "document": "x", "grade": 1}\n')
    with pytest.raises(ConflictError, match=r"crowd.jsonl:2: other gives x of topic 1 both 2 and 1"):
        adjudge.pool_judge(project, "other", answers=file)
    file.write_text('{"topic": "1", "document": "x", "grade": 1}\n')
    with pytest.raises(ConflictError, match="crowd gave document x of topic 1 the grade 2 before, and 1 now"):
        adjudge.pool_judge(project, "crowd", answers=file)
    file.write_text(
        '{"topic": 1, "document": "x", "grade": 1, "judge": "a"}\n'
        '{"topic": 1, "document": "x", "grade": 0, "judge": "b"}\n'
    )
    with pytest.raises(DataError, match="judgments of a, b: one judge at a time"):
        adjudge.pool_judge(project, "third", answers=file)
    file.write_text('{"topic": 1, "document": "x", "grade": 1, "grade": 2}\n')
    with pytest.raises(ConflictError, match="the key 'grade' occurs twice"):
        adjudge.pool_judge(project, "fourth", answers=file)
    file.write_text('{"topic": 1, "document": "other", "grade": 1}\n{"topic": 9, "document": "x", "grade": 1}\n')
    with pytest.raises(DataError, match=r"crowd.jsonl: no judgment is of the pool, such as that of document other"):
        adjudge.pool_judge(project, "fifth", answers=file)


def test_what_a_judge_answered_before_it_died_is_in_its_record(project: Path) -> None:
    dies = program(project.parent, "    if n == 3: sys.exit('out of credit')\n" + GOOD)
    with pytest.raises(DataError, match="out of credit"):
        adjudge.pool_judge(project, "m", dies, documents=DOCUMENTS)
    record = json.loads((project / "judges" / "m.json").read_text())
    assert record["answers"] == 2
    assert "ended" in record
