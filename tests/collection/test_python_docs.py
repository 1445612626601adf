"""The built-in collection: what it promises to those who search it.

What was checked beyond these tests, which see one Python: the extraction was run on CPython 3.11.2, 3.11.7, 3.12.1 and
3.13.0 and on Python 3.14.2 (the npm package pyodide 314.0.7 in node, its library in a zip). All 49 targets exist in
each; their texts are the same to the word in all of them but for bisect.insort_left, functools.lru_cache and
datetime.date.isocalendar, which share about nine words in ten. For each question the first documents that bm25,
Lucene's model and 4-grams find were read, on every one of these Pythons those that 3.11 does not have, and questions
that another document answers as well were worded anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import adjudge
from adjudge.collection import python_docs
from adjudge.collection.python_docs.docstrings import extract, fold_spaces
from adjudge.collection.python_docs.library import installed_library
from adjudge.core.errors import DataError
from adjudge.formats.documents import read_documents
from adjudge.formats.qrels import read_qrels
from adjudge.formats.topics import read_topics
from collection.library_of import LONG, in_folder

DIGEST = """
import hashlib, sys
from adjudge.collection import python_docs
found = list(python_docs.documents())
other = list(python_docs.outside())
print(hashlib.sha256(repr([tuple(d) for d in found + other]).encode()).hexdigest(), len(found))
print(*sorted(set(sys.modules)))
"""


@cache
def digest() -> str:
    everything = [tuple(d) for d in [*python_docs.documents(), *python_docs.outside()]]
    return hashlib.sha256(repr(everything).encode()).hexdigest()


@pytest.mark.slow
def test_several_thousand_documents_in_order() -> None:
    found = [document.id for document in python_docs.documents()]
    assert len(found) >= 3000
    assert found == sorted(set(found))
    assert python_docs.documents().notes == ()
    assert [document.id for document in python_docs.documents()] == found, "again and again"
    assert not any(re.search(r"\s", id_) for id_ in found)
    for known in ("asyncio.run", "functools.reduce", "os.path.join", "str.partition", "len", "collections.abc.Mapping"):
        assert known in found
    texts = Counter(fold_spaces(document.text.partition("\n")[2]) for document in python_docs.documents())
    assert max(texts.values()) == 1


def test_49_questions_each_with_its_target() -> None:
    asked = python_docs.questions()
    known = {document.id for document in python_docs.documents()}
    assert len(asked) == 49
    assert [question.id for question in asked] == [f"PD{number:02}" for number in range(1, 50)]
    assert len({question.target for question in asked}) == 49
    assert len({fold_spaces(question.text.lower()) for question in asked}) == 49
    assert {question.target for question in asked} <= known
    assert len({question.target.partition(".")[0] for question in asked}) >= 35, "from many modules"


def test_questions_do_not_name_their_targets() -> None:
    for question in python_docs.questions():
        words = re.findall(r"\w+", question.text.lower())
        assert question.target.lower() not in question.text.lower()
        assert question.target.rpartition(".")[2].lower() not in words, question
        assert question.text.isascii()
        assert 6 <= len(words) <= 30


def test_questions_are_no_copies() -> None:
    """No five words of a question stand in its target one after the other."""
    texts = {document.id: " ".join(re.findall(r"\w+", document.text.lower())) for document in python_docs.documents()}
    for question in python_docs.questions():
        words = re.findall(r"\w+", question.text.lower())
        for start in range(len(words) - 4):
            assert " ".join(words[start : start + 5]) not in texts[question.target], question


def test_topics_and_judgments() -> None:
    topics, judgments = python_docs.topics(), python_docs.judgments()
    assert [topic.id for topic in topics] == list(judgments.topics)
    assert [topic.title for topic in topics] == [question.text for question in python_docs.questions()]
    assert [(document, grade) for _, document, grade in judgments.rows()] == [
        (question.target, 1) for question in python_docs.questions()
    ]


def test_outside_text_has_nothing_that_is_searched() -> None:
    searched = {fold_spaces(document.text.partition("\n")[2]) for document in python_docs.documents()}
    known = {document.id for document in python_docs.documents()}
    outside = list(python_docs.outside())
    assert not known & {document.id for document in outside}
    assert len({document.id for document in outside}) == len(outside) > 3000
    assert not searched & {fold_spaces(document.text) for document in outside}
    assert sum(len(document.text) for document in outside) > 500_000


def test_a_question_without_its_target_is_told_and_left_out(tmp_path: Path) -> None:
    library = in_folder(tmp_path, {"sched.py": f'"""Events: {LONG}."""\n', "copy.py": "def (\n"})
    made = python_docs.collect(library, extract(library, []), python_docs.questions())
    assert [question.target for question in made.questions] == ["sched"]
    assert len(made.notes) == 49
    assert "copy.py: cannot be parsed, skipped" in str(made.notes[0])
    assert (
        str(made.notes[1])
        == "question PD01: its target statistics.harmonic_mean is not in this Python's library, skipped"
    )
    assert made.documents.notes == made.notes
    assert [topic.id for topic in made.topics] == list(made.judgments.topics) == ["PD49"]


def test_no_target_at_all(tmp_path: Path) -> None:
    library = in_folder(tmp_path, {"copy.py": f'"""Copies: {LONG}."""\n'})
    with pytest.raises(DataError, match="none of the 49 questions"):
        python_docs.collect(library, extract(library, []), python_docs.questions())


@pytest.mark.slow
def test_written_files_are_read_back_and_the_same_again(tmp_path: Path) -> None:
    python_docs.write(tmp_path / "new" / "a")
    python_docs.write(tmp_path / "b")
    files = sorted(path.name for path in (tmp_path / "b").iterdir())
    assert files == sorted(["documents.jsonl.zst", "outside.jsonl.zst", "qrels.txt", "topics.jsonl"])
    for name in files:
        assert (tmp_path / "new" / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    found = list(read_documents(tmp_path / "b" / "documents.jsonl.zst"))
    assert found == list(python_docs.documents())
    assert read_topics(tmp_path / "b" / "topics.jsonl") == python_docs.topics()
    assert read_qrels(tmp_path / "b" / "qrels.txt").to_dict() == python_docs.judgments().to_dict()
    outside = [(document.id, document.text) for document in read_documents(tmp_path / "b" / "outside.jsonl.zst")]
    assert outside == [(document.id, document.text) for document in python_docs.outside()]
    for line in (tmp_path / "b" / "topics.jsonl").read_text().splitlines():
        assert set(json.loads(line)) == {"id", "title"}


def test_written_where_nothing_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DataError, match="cannot be made"):
        python_docs.write(tmp_path / "file" / "folder")
    (tmp_path / "qrels.txt").mkdir()
    with pytest.raises(DataError, match=r"qrels\.txt: cannot be written"):
        python_docs.write(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-OO",), ("-I", "-W", "error")])
def test_the_same_in_other_processes_and_nothing_is_run(options: tuple[str, ...], tmp_path: Path) -> None:
    """Docstrings that -OO strips are read from sources; a joke, a browser or a test is never imported."""
    done = subprocess.run(
        [sys.executable, *options, "-c", DIGEST], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    made, modules = done.stdout.splitlines()
    assert made.split()[0] == digest()
    assert done.stderr == ""
    never = {
        "this",
        "antigravity",
        "webbrowser",
        "idlelib",
        "tkinter",
        "turtle",
        "test",
        "lib2to3",
        "turtledemo",
        "numpy",
    }
    assert not never & {name.partition(".")[0] for name in modules.split()}


@pytest.mark.slow
def test_hooks_of_a_program_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def hook(*_: object) -> None:
        """Handles what went wrong in a way of its own."""

    for name in ("excepthook", "unraisablehook", "displayhook", "breakpointhook"):
        monkeypatch.setattr(sys, name, hook)
    found = {document.id: document.text for document in extract(installed_library()).documents}
    assert found == {document.id: document.text for document in python_docs.documents()}
    assert "sys.excepthook" in found


@pytest.mark.slow
def test_a_file_of_the_same_name_in_the_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "mmap.py").write_text("import pathlib; pathlib.Path('run').touch()\n")
    code = "from adjudge.collection import python_docs; print(*python_docs.documents().notes)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert not (tmp_path / "run").exists()
    if "mmap" not in sys.builtin_module_names:
        assert "mmap: skipped: " in done.stdout


def test_nothing_of_the_docstrings_is_kept_in_the_package() -> None:
    folder = Path(python_docs.__file__).parent
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.suffix for path in files} == {".py", ".tsv"}
    kept = fold_spaces(" ".join(path.read_text() for path in files))
    for document in python_docs.documents():
        for line in document.text.split("\n")[1:]:
            assert len(line) < 40 or fold_spaces(line) not in kept, document.id


@pytest.mark.slow
def test_questions_can_be_answered_but_not_all_at_once(tmp_path: Path) -> None:
    """BM25's mean reciprocal rank on the true text is neither near 0 nor near 1."""
    index = adjudge.build_index(python_docs.documents(), tmp_path / "index")
    questions = python_docs.questions()
    ranks = []
    for question, found in zip(
        questions, adjudge.Searcher(index, "bm25").search([q.text for q in questions]), strict=True
    ):
        ids = [document for document, _ in found]
        ranks.append(1 / (ids.index(question.target) + 1) if question.target in ids else 0.0)
    assert 0.5 < sum(ranks) / len(ranks) < 0.9
    assert 10 <= sum(rank < 1 for rank in ranks) <= 30
