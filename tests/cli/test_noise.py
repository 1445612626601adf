"""The noise commands as a user meets them."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adjudge.cli import commands, main, match_command, overview
from adjudge.formats.documents import read_documents
from adjudge.noise.engines.ocrad import Ocrad

SENTENCE = "The committee may amend the modern rules of the corn program when a majority of its members agrees. "
needs_ocrad = pytest.mark.skipif(not Ocrad().available(), reason="ocrad is not installed")

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight small documents, and the folder they are in as working folder."""
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"id": f"d{n}", "text": f"Number {n}. " + SENTENCE * (1 + n % 3)}) for n in range(8)]
    (tmp_path / "true.jsonl").write_text("\n".join(lines))
    return tmp_path


def said(capsys: Captured, *arguments: str, code: int = 0) -> str:
    assert main(["noise", *arguments]) == code, capsys.readouterr().err
    return capsys.readouterr().out


def wrong(capsys: Captured, *arguments: str) -> str:
    assert main(["noise", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_commands_of_two_words(capsys: Captured, corpus: Path) -> None:
    known = list(commands())
    assert commands()["noise calibrate"] == "noise__calibrate"
    assert commands()["known-item"] == "known_item"
    assert match_command(["noise", "calibrate", "x"], known) == 2
    assert match_command(["noise", "x"], known) == match_command(["noise"], known) == 1
    assert match_command(["calibrate"], known) == 0
    assert "  noise calibrate  " in overview()
    assert wrong(capsys, "calibarte", "x") == "no file and no command noise calibarte, did you mean calibrate?\n"
    assert wrong(capsys, "nothing.jsonl", "-o", "out") == "nothing.jsonl: no such file\n"
    (corpus / "simulat").write_text("a text")
    assert "the following arguments are required: -o" in wrong(capsys, "simulat")


@pytest.mark.ocr
@needs_ocrad
def test_from_pages_to_error_rates_and_back(corpus: Path, capsys: Captured) -> None:
    first = said(capsys, "true.jsonl", "-o", "ocr", "--factor", "1.9", "--workers", "2", "--seed", "4")
    assert first.startswith("ocr: 8 documents, 8 pages, ")
    assert said(capsys, "true.jsonl", "-o", "ocr", "--factor", "1.9", "--seed", "4") == (
        "ocr: 8 documents, 8 pages, finished before\n"
    )
    assert "begun with scan.factor 1.9, not 2.0" in wrong(
        capsys, "true.jsonl", "-o", "ocr", "--factor", "2", "--seed", "4"
    )
    assert [d.id for d in read_documents("ocr/documents.trec.gz")] == [f"d{n}" for n in range(8)]
    assert list(read_documents("ocr/documents.trec.gz")) == list(read_documents("ocr/documents.jsonl.zst"))

    data = json.loads(said(capsys, "errors", "true.jsonl", "ocr", "--words", "modern,corn", "-f", "json"))
    assert data["documents"] == 8
    assert 0.005 < data["totals"]["cer"]["figure"] < 0.4
    assert data["totals"]["cer"]["low"] <= data["totals"]["cer"]["figure"] <= data["totals"]["cer"]["high"]
    assert 0 <= data["totals"]["asked"]["figure"] <= 1
    assert data["confusions"][0]["count"] >= data["confusions"][-1]["count"]

    assert said(capsys, "learn", "true.jsonl", "ocr", "-o", "channel.json").endswith("rules from 8 documents\n")
    rows = list(
        csv.DictReader(io.StringIO(said(capsys, "corrupt", "modern", "-c", "channel.json", "-n", "3", "-f", "csv")))
    )
    assert [row["word"] for row in rows] == ["modern"] * len(rows)
    assert [float(row["probability"]) for row in rows] == sorted((float(r["probability"]) for r in rows), reverse=True)
    assert said(capsys, "simulate", "true.jsonl", "-o", "sim", "-c", "channel.json").startswith("sim: 8 documents, ")
    assert len(list(read_documents("sim/documents.jsonl.zst"))) == 8


@pytest.mark.ocr
@needs_ocrad
def test_calibrating(corpus: Path, capsys: Captured) -> None:
    arguments = ["calibrate", "true.jsonl", "--target", "0.2", "--target", "0.001", "--pages", "3"]
    data = json.loads(said(capsys, *arguments, "-f", "json", code=1))
    reached, not_reached = data["calibrated"]
    assert reached["unreached"] is None
    assert abs(reached["cer"] - 0.2) < 0.06
    assert reached["tried"][0]["factor"] == 1.0
    assert "already" in (not_reached["unreached"] or "already")
    table = said(capsys, "calibrate", "true.jsonl", "-t", "0.2", "--pages", "3", "-e", "ocrad").splitlines()
    assert table[0].split() == ["engine", "target", "factor", "cer", "low", "high", "pages", "factors", "tried"]
    assert table[1].split()[2] == f"{reached['factor']:g}"


def test_pages_that_fail_are_exit_code_1(corpus: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    (corpus / "bin").mkdir()
    fake = corpus / "bin" / "ocrad"
    fake.write_text("#!/bin/sh\ncase $1 in --version) echo GNU Ocrad 0.28;; *) cat > /dev/null; exit 3;; esac\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{corpus / 'bin'}:/usr/bin:/bin")
    assert main(["noise", "true.jsonl", "-o", "out", "--retries", "0"]) == 1
    captured = capsys.readouterr()
    assert "8 pages not read" in captured.out
    assert "note: 8 pages of 8 documents could not be read: see out/failures.csv" in captured.err
    rows = list(csv.reader((corpus / "out" / "failures.csv").read_text().splitlines()))
    assert rows[0] == ["document", "failure"]
    assert len(rows) == 9
    assert "exit code 3" in rows[1][1]
    assert main(["noise", "true.jsonl", "-o", "out", "--retries", "0"]) == 1, "finished, and still not all read"


def test_an_engine_that_is_not_there(corpus: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(corpus))
    assert "apt install" in wrong(capsys, "true.jsonl", "-o", "out", "-e", "gocr")
    assert "no engine 'ocard', did you mean ocrad" in wrong(capsys, "true.jsonl", "-o", "out", "-e", "ocard")
    assert not (corpus / "out").exists()


@pytest.mark.slow
def test_blind_noise(corpus: Path, capsys: Captured) -> None:
    assert said(capsys, "simulate", "true.jsonl", "-o", "a", "--random", "0.1", "--workers", "1")
    assert said(
        capsys, "simulate", "true.jsonl", "-o", "b", "--random", "0.1", "--workers", "3", "--write", "jsonl.zst"
    )
    assert (corpus / "a/documents.jsonl.zst").read_bytes() == (corpus / "b/documents.jsonl.zst").read_bytes()
    assert sorted(path.name for path in (corpus / "b").iterdir()) == ["documents.jsonl.zst", "manifest.json"]
    table = said(capsys, "errors", "true.jsonl", "a", "--show", "totals", "-f", "csv")
    assert 0.05 < float(table.splitlines()[1].split(",")[1]) < 0.15
    other = said(capsys, "simulate", "true.jsonl", "-o", "a", "--random", "0.2", "--restart")
    assert other.startswith("a: 8 documents, ")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["true.jsonl", "-o", "out", "--factor", "0.5"], "factor must lie between 1 and 16"),
        (["true.jsonl", "-o", "out", "--font", "comic"], "comic"),
        (["true.jsonl", "-o", "out", "--workers", "0"], "--workers: must be a whole number"),
        (["true.jsonl", "-o", "true.jsonl"], "true.jsonl: "),
        ([".", "-o", "out"], "out: output must not be inside the input folder ."),
        (["simulate", "true.jsonl", "-o", "out"], "give either --channel or --random"),
        (["simulate", "true.jsonl", "-o", "out", "--random", "2"], "lies between 0 and 1"),
        (["simulate", "true.jsonl", "-o", "out", "--random", "0.1", "--rate", "0.1"], "--rate needs --channel"),
        (["simulate", "true.jsonl", "-o", "out", "--channel", "ocarad"], "no channel 'ocarad'"),
        (["simulate", "true.jsonl", "-o", "out", "--random", "0.1", "--write", "xml"], "documents are written as"),
        (["simulate", "true.jsonl", "true.jsonl", "-o", "out", "--random", "0.1"], "document d0 occurs twice"),
        (["simulate", "-", "-", "-o", "out", "--random", "0.1"], "only once"),
        (["calibrate", "true.jsonl"], "required: --target"),
        (["calibrate", "true.jsonl", "-t", "5"], "must lie between 0 and 1"),
        (["errors", "true.jsonl", "true.jsonl", "--show", "nothing"], "--show may be totals"),
        (["errors", "true.jsonl", "true.jsonl", "--show", "totals,documents", "-f", "csv"], "CSV holds one table"),
        (["errors", "true.jsonl", "other.jsonl"], "no true document for 1 degraded ones, x for example"),
        (["errors", "true.jsonl", "double.jsonl"], "degraded document d1 occurs twice"),
        (["errors", "double.jsonl", "one.jsonl"], "true document d1 occurs twice"),
        (["learn", "true.jsonl", "true.jsonl", "-o", "c.json"], "nothing to learn from"),
        (["learn", "true.jsonl", "true.jsonl", "-o", "true.jsonl"], "is an input"),
        (["corrupt", "word", "-c", "true.jsonl"], "is not a channel"),
        (["corrupt", "word", "", "-c", "ocrad-5"], "an empty word"),
    ],
)
def test_bad_input(arguments: list[str], why: str, corpus: Path, capsys: Captured) -> None:
    (corpus / "other.jsonl").write_text('{"id": "x", "text": "y"}')
    (corpus / "one.jsonl").write_text('{"id": "d1", "text": "y"}')
    (corpus / "double.jsonl").write_text('{"id": "d1", "text": "y"}\n{"id": "d1", "text": "z"}')
    assert why in wrong(capsys, *arguments)
    assert not (corpus / "out").exists()


def test_errors_by_hand(corpus: Path, capsys: Captured) -> None:
    (corpus / "t.jsonl").write_text(
        '{"id": "a", "text": "abcd modern"}\n{"id": "b", "text": ""}\n{"id": "c", "text": "left out"}'
    )
    (corpus / "r.jsonl").write_text('{"id": "b", "text": "x"}\n{"id": "a", "text": "abxd modem"}')
    (corpus / "topics").write_text("1\tThe modern abcd\n")
    assert (
        main(
            ["noise", "errors", "t.jsonl", "r.jsonl", "--topics", "topics", "-f", "json", "--show", "totals,documents"]
        )
        == 0
    )
    captured = capsys.readouterr()
    assert "note: 1 clean document has no degraded counterpart and is skipped" in captured.err
    data = json.loads(captured.out)
    assert data["totals"]["cer"]["figure"] == 4 / 11, "3 in the first document, 1 inserted in the empty one"
    assert data["totals"]["asked"] == {"figure": 0.0, "low": 0.0, "high": 0.0}
    first, second = data["by_document"]
    assert (first["document"], first["cer"], first["wer"], first["query words"]) == ("a", 3 / 11, 1.0, 2)
    assert (second["document"], second["cer"], second["edits"]) == ("b", None, 1), "not defined, and no silent 0"
    text = said(capsys, "errors", "t.jsonl", "r.jsonl", "--show", "documents,confusions", "--digits", "2")
    assert [line.split() for line in text.splitlines()[1:3]] == [
        ["a", "11", "3", "0.27", "2", "2", "1.00", "0"],
        ["b", "0", "1", "0", "1", "0"],
    ]
    assert ["rn", "m"] in [line.split()[:2] for line in text.splitlines()[4:]]
    for form in ("md", "latex"):
        assert "rn" in said(capsys, "errors", "t.jsonl", "r.jsonl", "-f", form)


@pytest.mark.slow
def test_interrupted_on_the_command_line_and_gone_on_with(corpus: Path) -> None:
    lines = [json.dumps({"id": f"d{n}", "text": SENTENCE * 200}) for n in range(120)]
    (corpus / "many.jsonl").write_text("\n".join(lines))
    command = ["noise", "simulate", "many.jsonl", "--random", "0.1", "-o"]
    line = [sys.executable, "-m", "adjudge", *command, "out"]
    running = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=corpus)
    journal = corpus / "out" / ".work" / "journal"
    for _ in range(1000):
        if running.poll() is not None or (journal.exists() and journal.stat().st_size):
            break
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, complained = running.communicate(timeout=60)
    if running.returncode != 0:  # it may have been faster
        assert running.returncode == 130
        assert "documents are finished and kept; the same command goes on" in complained
        assert "Traceback" not in complained
    for folder in ("out", "whole"):
        assert main([*command, folder]) == 0
    assert (corpus / "out/documents.trec.gz").read_bytes() == (corpus / "whole/documents.trec.gz").read_bytes()


def test_the_folder_of_a_job_is_a_collection(corpus: Path, capsys: Captured) -> None:
    said(capsys, "simulate", "true.jsonl", "-o", "sim", "--random", "0.1")
    assert len(list(read_documents("sim"))) == 8
    assert main(["index", "sim", "-o", "index"]) == 0
    assert "8 documents" in capsys.readouterr().out
    (corpus / "sim" / ".work").mkdir()
    (corpus / "sim" / ".work" / "job.json").write_text('{"kind": "adjudge noise"}')
    assert main(["index", "sim", "-o", "again"]) == 2
    assert "sim: a noise job that is not finished: give its command again" in capsys.readouterr().err


@pytest.mark.ocr
@needs_ocrad
def test_hostile_documents_through_real_pages(corpus: Path, capsys: Captured) -> None:
    texts = ["", " \n ", "\x00\x07\x1f", "\U0001f600 \U000f1234", "x" * 200, "\u05e9\u05dc\u05d5\u05dd", "a\fb\f\f"]
    lines = [json.dumps({"id": f"h{n}", "text": text}) for n, text in enumerate(texts)]
    (corpus / "hostile.jsonl").write_text("\n".join(lines))
    assert main(["noise", "hostile.jsonl", "-o", "out", "--workers", "1"]) == 0
    captured = capsys.readouterr()
    assert "right-to-left characters printed from left to right: 4×" in captured.err
    assert "no glyph for U+F1234, a box was printed: 1×" in captured.err
    assert [document.id for document in read_documents("out")] == [f"h{n}" for n in range(len(texts))]
    (corpus / "empty.jsonl").write_text(json.dumps({"id": "e", "text": ""}))
    assert "nan" not in said(capsys, "empty.jsonl", "-o", "nothing", "--workers", "1")
