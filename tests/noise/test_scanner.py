"""The scanner: documents through pages, scan and engine, with real ocrad and with engines that fail."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

pytest.importorskip("PIL", reason="page images need Pillow")
pytest.importorskip("rapidfuzz", reason="error rates need rapidfuzz")

from rapidfuzz.distance import Levenshtein

from adjudge.core.document import Document
from adjudge.core.errors import MissingExtraError, SpecError
from adjudge.core.note import Note
from adjudge.noise.engines.engine import Bits, Engine, PageFailure
from adjudge.noise.engines.ocrad import Ocrad
from adjudge.noise.pages import faces
from adjudge.noise.pages.scanning import Scan, reduce
from adjudge.noise.pages.typesetting import PageLayout
from adjudge.noise.scanner import Scanner
from adjudge.noise.seeding import generator

pytestmark = [
    pytest.mark.ocr,
    pytest.mark.skipif(not faces.installed_file("termes"), reason="the font termes is not installed"),
]

TEXT = """The Administrator of the Animal and Plant Health Inspection Service has considered
the effect of this rule on small entities. Potatoes grown in Newfoundland may not be imported.

Domestic prices are influenced more by the volume of United States production, since the volume of
imports is small compared to it. Done in Washington, this 23rd day of February 1994."""

real_ocrad = pytest.mark.skipif(not Ocrad().available(), reason="the engine ocrad is not installed")


@dataclass(frozen=True)
class Counting(Engine):
    """Prints the number of dots with ink; fails on pages whose number of calls says so."""

    name: ClassVar[str] = "counting"
    calls: ClassVar[list[tuple[int, ...]]] = []
    failing: tuple[int, ...] = ()

    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:
        self.calls.append((dpi, *page.shape))
        if len(self.calls) in self.failing:
            raise PageFailure(f"failure {len(self.calls)}")
        return f"{int(page.sum())}"

    def version(self) -> str:
        return "counting 1"


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    Counting.calls.clear()


def cer(true: str, read: str) -> float:
    true, read = " ".join(true.split()), " ".join(read.split())
    return Levenshtein.distance(true, read) / len(true)


@real_ocrad
def test_ocrad_reads_a_page_with_few_errors_and_a_reduced_one_with_more() -> None:
    document = Document("FR94", TEXT)
    scanner = Scanner()
    full = scanner.degrade(document)
    assert full[2:] == (1, (), {})
    assert cer(TEXT, full.text) <= 0.03
    assert full.text.count("\n") >= 6, "line breaks are kept"
    small = replace(scanner, scan=Scan(factor=2.4)).degrade(document)
    assert 0.08 < cer(TEXT, small.text) < 0.6
    assert scanner.degrade(document) == full


@real_ocrad
def test_ocrad_on_the_federal_register(fr94: Path) -> None:
    from adjudge.formats.documents import read_documents

    documents = [d for d in islice(read_documents(fr94), 60) if 500 < len(d.text) < 3000][:4]
    rates = {}
    for factor in (1.0, 1.6, 2.4):
        scanner = Scanner(scan=Scan(factor=factor))
        edits = length = 0.0
        for document in documents:
            made = scanner.degrade(document)
            assert not made.failures
            edits += cer(document.text, made.text) * len(document.text)
            length += len(document.text)
        rates[factor] = edits / length
    assert rates[1.0] <= 0.03
    assert rates[1.0] < rates[1.6] < rates[2.4]
    assert 0.1 < rates[2.4] < 0.5


def test_what_a_page_becomes_depends_on_seed_and_id_alone() -> None:
    scanner = Scanner(engine=Counting())
    lines = ["one line", "another"]
    page = scanner.page("A", 0, lines)
    assert np.array_equal(page, pickle.loads(pickle.dumps(scanner)).page("A", 0, lines))  # noqa: S301
    for other in (
        scanner.page("B", 0, lines),
        scanner.page("A", 1, lines),
        replace(scanner, seed=1).page("A", 0, lines),
    ):
        assert page.shape != other.shape or not np.array_equal(page, other)
    reduced = replace(scanner, scan=Scan(factor=2.2))
    assert np.array_equal(page, reduced.page("A", 0, lines)), "the same picture serves all factors"
    scanner.degrade(Document("Z", "something else"))
    assert np.array_equal(page, scanner.page("A", 0, lines))
    assert generator(0, "12", "x").random() != generator(0, "1", "2x").random()
    assert generator(0, "\ud800").random() == generator(0, "\ud800").random()
    assert generator(7, "2", "FR94").integers(10**6) == 183340, "pages that were scanned once can be scanned again"


def test_pages_are_joined_and_the_engine_is_told_the_resolution() -> None:
    scanner = Scanner(layout=PageLayout(lines=2), scan=Scan(factor=2.0), engine=Counting())
    made = scanner.degrade(Document("A", "1\n2\n3\n4\n5"))
    assert made.pages == 3
    assert made.text.count("\n") == 2
    assert {call[0] for call in Counting.calls} == {200}
    for (lines, page), read in zip(scanner.pages(Document("A", "1\n2\n3\n4\n5")), made.text.split("\n"), strict=True):
        assert len(lines) in (1, 2)
        assert int(reduce(page, 2.0).sum()) == int(read)
        assert scanner.read(page) == read
        assert int(scanner.read(page, factor=1)) == page.sum()


def test_a_page_that_fails_is_tried_again_and_then_reported() -> None:
    document = Document("A", "1\f2\f3")
    again = Scanner(engine=Counting(failing=(2,))).degrade(document)
    assert again.failures == ()
    assert len(Counting.calls) == 4
    Counting.calls.clear()
    failed = Scanner(engine=Counting(failing=(2, 3))).degrade(document)
    assert failed.failures == ("page 2: failure 3",)
    first, second, third = failed.text.split("\n")
    assert (second, failed.pages) == ("", 3)
    assert int(first) > 0
    assert int(third) > 0
    Counting.calls.clear()
    assert Scanner(engine=Counting(failing=(1,)), retries=0).degrade(document).failures == ("page 1: failure 1",)


def test_documents_without_text_have_no_pages() -> None:
    for text in ("", " \n\n "):
        assert Scanner(engine=Counting()).degrade(Document("A", text)) == ("A", "", 0, (), {})
    assert Counting.calls == []


def test_notes_count_what_could_not_be_printed() -> None:
    made = Scanner(engine=Counting()).degrade(Document("A", "\U000f0001 and \U000f0001\f\u05d0"))
    assert made.notes[Note.of("glyph_missing", "U+F0001")] == 2
    assert sum(made.notes.values()) == 3


def test_settings_name_all_that_determines_the_output() -> None:
    scanner = Scanner(engine=Counting((7,)), seed=3)
    settings = json.loads(json.dumps(scanner.settings))
    assert settings["engine"] == "counting(failing=[7])"
    assert settings["engine version"] == "counting 1"
    assert settings["layout"]["size"] == 10.0
    assert settings["scan"]["threshold"] == 180.0
    assert settings["seed"] == 3
    assert "texgyretermes-regular.otf" in settings["faces"]


def test_missing_engines_stop_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match="apt install ocrad"):
        Scanner().degrade(Document("A", "text"))
    with pytest.raises(MissingExtraError, match="apt install ocrad"):
        Scanner().settings  # noqa: B018


def test_wrong_parameters() -> None:
    with pytest.raises(SpecError, match="timeout must be above 0"):
        Scanner(timeout=0)
    with pytest.raises(SpecError, match="retries must be a whole number"):
        Scanner(retries=-1)


def test_a_long_document_has_many_pages_and_none_is_lost() -> None:
    text = "\n".join(f"{n:06d} of the committee" for n in range(6000))
    scanner = Scanner(PageLayout(dpi=50, lines=100), engine=Counting(failing=(31, 32)))
    made = scanner.degrade(Document("A", text))
    assert made.pages == 60
    assert made.failures == ("page 31: failure 32",)
    read = made.text.split("\n")
    assert [n for n, page in enumerate(read, 1) if not page] == [31]
    assert scanner.patience(Document("A", text)) > 60 * 2 * scanner.timeout
