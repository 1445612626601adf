"""Documents are added to an index and removed from it, as a user meets it: commands, lines, exit codes."""

from __future__ import annotations

import gc
import io
import json
import sys
from pathlib import Path

import pytest

import adjudge
from adjudge.cli import main
from adjudge.index.index import Index

TEXTS = {"sun": "Solar power", "wind": "Wind power", "coal": "Coal power plants", "sea": "Tidal power"}


def write(folder: Path, *ids: str) -> str:
    path = folder / f"{'-'.join(ids)}.jsonl"
    path.write_text("".join(json.dumps({"id": name, "text": TEXTS[name]}) + "\n" for name in ids))
    return path.name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["index", write(tmp_path, "sun", "wind"), "-o", "ix"]) == 0
    assert main(["index", write(tmp_path, *TEXTS), "-o", "whole"]) == 0
    capsys.readouterr()
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_add_remove_merge_and_search(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    added = out(capsys, "index", "add", "ix", write(folder, "coal", "sea"))
    assert added.startswith("ix: 2 documents added: 4 documents, ")
    for words in (["power", "-w", "dirichlet", "-f", "csv"], ["tidal power", "-f", "json"]):
        found, expected = out(capsys, "search", "ix", *words), out(capsys, "search", "whole", *words)
        assert found == expected
    assert out(capsys, "explain", "ix", "tidal power", "sea") == out(capsys, "explain", "whole", "tidal power", "sea")
    removed = out(capsys, "index", "remove", "ix", "sun", "sea")
    assert removed.startswith("ix: 2 documents removed: 2 documents, ")
    assert out(capsys, "index", "merge", "ix").startswith("ix: 2 documents, ")
    assert "all files are intact" in out(capsys, "index", "verify", "ix")
    assert list(Index.open("ix").ids) == ["wind", "coal"]


def test_only_new_documents(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything = write(folder, *TEXTS)
    assert main(["index", "add", "ix", everything]) == 2
    assert capsys.readouterr().err == "ix: document sun is in the index already\n"
    assert out(capsys, "index", "add", "ix", everything, "--new").startswith("ix: 2 documents added: 4 documents")
    assert out(capsys, "index", "add", "ix", "--new", everything).startswith("ix: 0 documents added: 4 documents")


def test_ids_from_a_file(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "gone.txt").write_text("sun\n\ncoal\n")
    assert out(capsys, "index", "remove", "whole", "--ids", "gone.txt").startswith("whole: 2 documents removed")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"sea")))
    assert out(capsys, "index", "remove", "whole", "--ids", "-").startswith("whole: 1 document removed")
    assert list(Index.open("whole").ids) == ["wind"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("index add nowhere sun-wind.jsonl", "nowhere: no such index"),
        ("index add ix ix/manifest.json", "must not be inside the index folder"),
        ("index add ix missing.jsonl", "missing.jsonl"),
        ("index remove ix son", "ix: no document 'son', did you mean sun?"),
        ("index remove ix sun wind", "ix: no document would be left"),
        ("index remove ix", "give ids, or --ids FILE with one a line"),
        ("index remove ix --ids empty", "empty: no ids"),
        ("index merge docs", "docs: no such index"),
        ("index add kept sun-wind.jsonl", "kept: bm25 learned from all its documents: index them again to change them"),
        ("index remove kept sun", "kept: bm25 learned"),
        ("index merge kept", "kept: bm25 learned"),
    ],
)
def test_mistakes(folder: Path, capsys: pytest.CaptureFixture[str], command: str, message: str) -> None:
    (folder / "empty").write_text("\n")
    if "kept" in command:
        assert main(["index", "sun-wind.jsonl", "-o", "kept", "--system", "bm25"]) == 0
    before = {path: path.read_bytes() for path in (folder / "ix").rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(command.split()) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert {path: path.read_bytes() for path in (folder / "ix").rglob("*") if path.is_file()} == before


def test_documents_in_a_folder_with_the_name_of_a_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "add").mkdir()
    (folder / write(folder, "sun")).rename(folder / "add" / "sun.jsonl")
    assert out(capsys, "index", "./add", "-o", "other").startswith("other: 1 document")


def test_the_same_in_python(folder: Path) -> None:
    temporary = adjudge.index({"sun": TEXTS["sun"]})
    more = adjudge.add_to_index(temporary, {"wind": TEXTS["wind"], "coal": TEXTS["coal"]})
    del temporary
    fewer = adjudge.remove_from_index(more, "sun")
    del more
    merged = adjudge.merge_index(fewer)
    del fewer
    assert [hit.document for hit in adjudge.search(merged, "power")] == ["wind", "coal"]
    assert merged.document(0).text == TEXTS["wind"]
    place = merged.folder
    del merged
    while gc.collect():  # an index knows its statistics, which know the index
        pass
    assert not place.exists()
    with pytest.raises(adjudge.WrongTypeError):
        adjudge.merge_index(7)  # type: ignore[arg-type]
