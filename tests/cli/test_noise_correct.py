"""Correction of scanned text as a user meets it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.document import InMemory
from adjudge.formats.documents import read_documents
from adjudge.noise.channel import channel_of
from adjudge.systems.parts.correction.correcting import Corrector, calibrate_channel, sample
from adjudge.systems.parts.correction.word_lexicon import make

Captured = pytest.CaptureFixture[str]
CLEAN = ["The modern farm grows corn.", "A modern farm has a barn.", "The farm grows corn and wheat."]
SCANNED = ["The modcrn fann grows ccrn.", "Tbe barn has wheat xqzj.", ""]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, texts in (("clean", CLEAN * 3), ("scanned", SCANNED)):
        lines = [json.dumps({"id": f"{name}{n}", "text": text}) for n, text in enumerate(texts)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    return tmp_path


def texts(place: str) -> dict[str, str]:
    return {document.id: document.text for document in read_documents(place)}


def test_words_are_corrected(folder: Path, capsys: Captured) -> None:
    assert main(["noise", "correct", "scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--rounds", "0"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("out: 3 documents, ")
    assert "note: c-words: " in said.err
    made = texts("out")
    assert list(made) == ["scanned0", "scanned1", "scanned2"]
    assert made["scanned0"] == "The modern farm grows corn."
    assert made["scanned2"] == ""
    lexicon = make(read_documents("clean.jsonl"), folder / "lexicon")
    plain = Corrector(str(lexicon.folder))
    assert made == {d.id: plain.degrade(d).text for d in read_documents("scanned.jsonl")}
    assert main(["noise", "correct", "scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--rounds", "0"]) == 0
    assert "finished before" in capsys.readouterr().out


@pytest.mark.slow
def test_the_channel_is_learned_as_clarit_learns_it_or_given(folder: Path, capsys: Captured) -> None:
    options = ["--keep", "5", "--candidates", "50", "--share", "0.5", "--least", "1", "--write", "jsonl"]
    base = ["noise", "correct", "scanned.jsonl", "--lexicon", "clean.jsonl", *options]
    assert main([*base, "-o", "learned"]) == 0
    assert main([*base, "-o", "given", "--channel", "ocrad-20"]) == 0
    lexicon = make(read_documents("clean.jsonl"), folder / "lexicon", least=1)
    corrector = Corrector(str(lexicon.folder), candidates=50, keep=5, share=0.5)
    documents = InMemory(read_documents("scanned.jsonl"))
    learned = replace(corrector, channel=calibrate_channel(sample(documents), corrector, 2))
    given = replace(corrector, channel=channel_of("ocrad-20"))
    for name, expected in (("learned", learned), ("given", given)):
        assert json.loads((folder / name / "manifest.json").read_text())["settings"] == expected.settings
        assert texts(name) == {d.id: expected.degrade(d).text for d in documents}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["scanned.jsonl", "-o", "out"], "required: --lexicon"),
        (["scanned.jsonl", "-o", "out", "--lexicon", "nowhere"], "nowhere: no such file"),
        (["scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--share", "1"], "--pair-weight lies in"),
        (["scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--keep", "256"], "from 1 to 255"),
        (["scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--least", "100"], "no word that occurs 100 times"),
        (
            ["scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--channel", "ocrad-20", "--rounds", "1"],
            "--rounds needs a channel that is learned",
        ),
        (["-", "-o", "out", "--lexicon", "-"], "only once"),
        (["scanned.jsonl", "-o", "./inside/out", "--lexicon", "inside"], "must not be inside the input folder"),
        (["scanned.jsonl", "-o", "out", "--lexicon", "clean.jsonl", "--master", "local[2]"], "--master needs"),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, capsys: Captured, arguments: list[str], why: str) -> None:
    (folder / "inside").mkdir()
    assert main(["noise", "correct", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert why in captured.err
    assert not (folder / "out").exists()


def test_the_ocr_engine_and_the_place_of_work_share_an_option(capsys: Captured, folder: Path) -> None:
    assert main(["noise", "scanned.jsonl", "-o", "out", "--engine", "orcad"]) == 2
    assert "did you mean ocrad" in capsys.readouterr().err
    assert main(["noise", "scanned.jsonl", "-o", "out", "-e", "spark"]) == 2
    assert "spark" in capsys.readouterr().err
    assert main(["noise", "scanned.jsonl", "-o", "out", "--engine", "local", "--partitions", "3"]) == 2
    assert "--partitions needs --engine spark" in capsys.readouterr().err
