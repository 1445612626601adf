"""Processes that read and analyze: the same index and notes, the first error in order, no index if one dies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import ConflictError, DataError
from adjudge.core.kernel import compiled
from adjudge.formats.documents import read_documents
from adjudge.index import analysis_crew, analyzed_batches
from adjudge.index.building import DEFAULT, build
from adjudge.index.index import Index

WORDS = ["solar", "power", "of", "the", "sun", "Wärme", "§", "5", "relational", "models", "don't", "1994", "été"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files that make several parts."""
    monkeypatch.setattr(analyzed_batches, "PART", 1500)
    rng = np.random.default_rng(27)
    home = tmp_path / "documents"
    home.mkdir()
    for number in range(9):
        documents = []
        for d in range(6):
            words = [f"x{i}y" if i % 7 == 0 else WORDS[i % len(WORDS)] for i in rng.integers(0, 400, 40).tolist()]
            documents.append(f"<DOC><DOCNO>D{number}-{d}</DOCNO><TEXT>{' '.join(words)} &odd{number};</TEXT></DOC>")
        (home / f"part{number}.sgml").write_text("\n".join(documents), "utf-8")
    return home


def content(index: Index) -> dict[str, bytes]:
    return {name: (index.folder / index.manifest.data / name).read_bytes() for name in index.manifest.files}


@pytest.mark.parametrize("analyzer", [DEFAULT, "standard|lower|ngrams(3, pad=_)"])
def test_the_same_bytes_whatever_the_number_of_workers(folder: Path, tmp_path: Path, analyzer: str) -> None:
    alone, crowd = read_documents(folder), read_documents(folder)
    how: dict[str, Any] = {"analyzer": analyzer, "positions": True, "texts": True}
    one = build(alone, tmp_path / "one", workers=1, **how)
    many = build(crowd, tmp_path / "many", workers=3, batch=2000, **how)
    assert content(one) == content(many)
    assert alone.notes == crowd.notes
    assert {note.kind for note in alone.notes} == {"entities_unknown"}


@pytest.mark.skipif(compiled is None, reason="there is only one way")
def test_the_same_bytes_without_the_compiled_loops(folder: Path, tmp_path: Path) -> None:
    ours = build(read_documents(folder), tmp_path / "ours", positions=True, workers=1)
    code = (
        "import sys; from adjudge.formats.documents import read_documents; from adjudge.index.building import build; "
        "build(read_documents(sys.argv[1]), sys.argv[2], positions=True)"
    )
    where = tmp_path / "theirs"
    subprocess.run(
        [sys.executable, "-c", code, str(folder), str(where)], check=True, env=os.environ | {"ADJUDGE_KERNEL": "python"}
    )
    assert content(ours) == content(Index.open(where))


def test_the_first_error_in_order_is_told(folder: Path, tmp_path: Path) -> None:
    for number in (3, 7):
        (folder / f"part{number}.sgml").write_text("<DOC><TEXT>no number</TEXT></DOC>")
    for workers in (1, 3):
        with pytest.raises(DataError, match=r"part3\.sgml: byte 0: a <DOC> without DOCNO"):
            build(read_documents(folder), tmp_path / "index", workers=workers)
    assert not list((tmp_path / "index").glob("adjudge-*"))


def test_a_document_that_occurs_twice(folder: Path, tmp_path: Path) -> None:
    (folder / "part8.sgml").write_text("<DOC><DOCNO>D0-0</DOCNO><TEXT>again</TEXT></DOC>")
    with pytest.raises(ConflictError, match="document D0-0 occurs twice"):
        build(read_documents(folder), tmp_path / "index", workers=2)


@pytest.mark.slow
def test_a_worker_that_dies(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build(read_documents(folder), tmp_path / "index", workers=2)
    before = content(whole)
    begin = analysis_crew.AnalysisCrew.analyze

    def analyze(self: Any, parts: Any) -> Any:
        for batch in begin(self, parts):
            for process in self.processes:
                process.kill()
            yield batch

    monkeypatch.setattr(analysis_crew.AnalysisCrew, "analyze", analyze)
    with pytest.raises(DataError, match="a process that analyzed documents ended by signal 9"):
        build(read_documents(folder), tmp_path / "index", workers=2)
    assert content(Index.open(tmp_path / "index")) == before


def test_a_class_of_this_process_alone_is_not_sent(folder: Path, tmp_path: Path) -> None:
    parts = read_documents(folder).divide(1500)
    assert len(parts) > 3
    from adjudge.text.analyzer import Analyzer
    from adjudge.text.filters.lower import LowerFilter

    class Mine(LowerFilter):
        pass

    analyzer = Analyzer(Analyzer.parse("words").tokenizer, (Mine(),))
    assert analysis_crew.AnalysisJob.of(parts, analyzer, 100, False, False) is None
    job = analysis_crew.AnalysisJob.of(parts, Analyzer.parse(DEFAULT), 100, False, False)
    assert job is not None
    assert analysis_crew.AnalysisCrew.start(job._replace(analyzer="words|made_up_elsewhere"), 2) is None


def test_no_processes_for_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a process for a few documents")

    monkeypatch.setattr(analysis_crew, "start_worker", refuse)
    build(read_documents([Document("a", "solar power")]), tmp_path / "index")


def lines_of(path: Path, number: int, ending: str = "\n") -> Path:
    """One large file of JSON lines, some of them empty, long or with other line breaks inside."""
    rng = np.random.default_rng(3)
    rows = []
    for d in range(number):
        words = " ".join(WORDS[i] for i in rng.integers(0, len(WORDS), 30).tolist())
        rows.append(f'{{"id": "d{d}", "text": "{words} \\r \u2028 {"x" * 3000 if d == 17 else ""}"}}')
        rows += [""] * (d % 11 == 0)
    path.write_bytes(ending.join(rows).encode())
    return path


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_large_file_of_lines_is_read_in_sections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(analyzed_batches, "PART", 1500)
    documents = read_documents(lines_of(tmp_path / "large.jsonl", 60, ending))
    parts = documents.divide(1500)
    assert (len(parts) > 5) == (ending != "\r")
    if ending != "\r":
        assert [document for part in parts for document in part] == list(documents)
        assert sum(part.size for part in parts) == documents.size
    one = build(documents, tmp_path / "one", workers=1, texts=True)
    assert content(build(documents, tmp_path / "many", workers=2, texts=True)) == content(one)


def test_lines_of_sections_have_their_numbers(tmp_path: Path) -> None:
    path = lines_of(tmp_path / "large.jsonl", 60)
    rows = path.read_bytes().split(b"\n")
    rows[50] = b'{"id": 7}'
    path.write_bytes(b"\n".join(rows))
    with pytest.raises(DataError) as whole:
        list(read_documents(path))
    with pytest.raises(DataError) as divided:
        [document for part in read_documents(path).divide(1000) for document in part]
    assert str(divided.value) == str(whole.value)
    assert "large.jsonl:51: no text" in str(whole.value)


def test_what_is_packed_or_has_no_lines_is_read_as_a_whole(tmp_path: Path) -> None:
    import gzip

    plain = lines_of(tmp_path / "large.jsonl", 60).read_bytes()
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(plain, 0))
    assert len(read_documents(tmp_path / "packed.jsonl.gz").divide(1000)) == 1
    (tmp_path / "text.txt").write_text("a word \n" * 1000)
    assert len(read_documents(tmp_path / "text.txt", "text").divide(1000)) == 1


def sgml_of(path: Path, number: int) -> Path:
    """One large file of SGML: what looks like a boundary, long documents, small letters, text between documents."""
    rng = np.random.default_rng(4)
    rows = []
    for d in range(number):
        words = " ".join(WORDS[i] for i in rng.integers(0, len(WORDS), 30).tolist())
        tag = "doc" if d % 7 == 3 else "DOC"
        rows.append(f"<{tag}>\n<DOCNO> d{d} </DOCNO>\n<TEXT>{words} \n <DOCS> {'x' * 3000 if d == 17 else ''}</TEXT>")
        rows.append(f"</{tag}>" + ("between" if d == 40 else ""))
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_large_file_of_sgml_is_read_in_sections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzed_batches, "PART", 1500)
    path = sgml_of(tmp_path / "large.sgml", 60)
    documents = read_documents(path)
    parts = documents.divide(1500)
    assert len(parts) > 5
    assert [document for part in parts for document in part] == list(documents)
    assert sum(part.size for part in parts) == documents.size
    notes = documents.notes
    one = build(documents, tmp_path / "one", workers=1, texts=True)
    assert content(build(documents, tmp_path / "many", workers=2, texts=True)) == content(one)
    assert documents.notes == notes
    assert [note.kind for note in notes] == ["text_outside"]


@pytest.mark.parametrize("cut", [b"</DOCNO>", b"<DOCNO>"])
def test_what_is_wrong_in_a_section_is_named_by_its_byte(tmp_path: Path, cut: bytes) -> None:
    path = sgml_of(tmp_path / "large.sgml", 60)
    raw = path.read_bytes()
    at = raw.index(cut, len(raw) * 3 // 4)
    path.write_bytes(raw[:at] + raw[at + len(cut) :])
    with pytest.raises(DataError) as whole:
        list(read_documents(path))
    with pytest.raises(DataError) as divided:
        [document for part in read_documents(path).divide(1000) for document in part]
    assert str(divided.value) == str(whole.value)
    assert "large.sgml: byte " in str(whole.value)


def test_a_look_at_documents_parses_no_others(tmp_path: Path) -> None:
    rows = [f'{{"id": "d{k}", "text": "words of {k}"}}\n' for k in range(9)]
    path, other = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    path.write_text("\n".join(rows[:5]) + "  \n")
    other.write_text("".join(rows[5:]))
    documents = read_documents([path, other])
    looked = [document.id for document in documents.look(2, 3)]
    assert looked == ["d0", "d1", "d3", "d6"]
    assert looked == [document.id for document in InMemory(list(documents)).look(2, 3)]
    other.write_text("no JSON\n" + "".join(rows[6:]))
    assert [document.id for document in read_documents([path, other]).look(2, 3)] == looked
