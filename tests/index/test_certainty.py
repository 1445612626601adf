"""Confidences of an OCR engine reach the postings: the mean for each term and document."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from adjudge.core.document import Document, Documents, InMemory
from adjudge.core.scanned_page import ScannedPage
from adjudge.index.building import build


def scanned(id_: str, words: list[tuple[str, int]]) -> Document:
    text, starts, ends = "", [], []
    for word, _ in words:
        starts.append(len(text))
        text += word
        ends.append(len(text))
        text += " "
    sure = np.array([each for _, each in words], np.uint8)
    page = ScannedPage("1", "", 9, 9, np.array(starts), np.array(ends), np.zeros((len(words), 4)), sure)
    return Document(id_, text.strip(), "", (page,))


@pytest.fixture
def documents() -> Documents:
    return InMemory(
        [
            scanned("a", [("Pier,", 80), ("pier", 60), ("north-west", 30), ("lime", 255)]),
            Document("b", "pier lime"),
            scanned("c", [("pier", 10), ("lime", 90)]),
        ]
    )


@pytest.mark.parametrize("memory", [1, 1 << 20])
def test_postings_know_how_sure_the_engine_was(tmp_path: Path, documents: Documents, memory: int) -> None:
    index = build(documents, tmp_path / "i", analyzer="words|lower", memory=memory, batch=1 if memory == 1 else 1000)
    known = {name: index.certainty(index.number(name)) for name in ("pier", "north", "lime")}
    assert all(each is not None for each in known.values())
    np.testing.assert_allclose(known["pier"], [0.7, np.nan, 0.1])  # type: ignore[arg-type]
    np.testing.assert_allclose(known["north"], [0.3])  # type: ignore[arg-type]
    np.testing.assert_allclose(known["lime"], [np.nan, np.nan, 0.9])  # type: ignore[arg-type]
    assert index.mean_certainty is not None
    np.testing.assert_allclose(index.mean_certainty[index.number("pier")], 0.4)
    index.verify()


def test_without_confidences_there_is_nothing(tmp_path: Path) -> None:
    index = build(InMemory([Document("a", "plain text")]), tmp_path / "i")
    assert index.certainty(0) is None
    assert index.mean_certainty is None
    assert "certainty" not in index.manifest.files


def test_a_word_cut_at_a_line_end_is_as_sure_as_its_worse_part(tmp_path: Path) -> None:
    starts, ends = np.array([0, 4, 8]), np.array([4, 7, 11])
    page = ScannedPage("1", "", 9, 9, starts, ends, np.zeros((3, 4)), np.array([90, 40, 70], np.uint8))
    index = build(InMemory([Document("a", "example two", "", (page,))]), tmp_path / "i", analyzer="words|lower")
    sure = index.certainty(index.number("example"))
    assert sure is not None
    assert sure.tolist() == [0.4]
