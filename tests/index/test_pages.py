"""Pages of scanned documents are kept in an index and come back as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.core.scanned_page import ImagePlace, ScannedPage
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.page_records import decode_pages, encode_pages


def page(label: str = "7", image: str = "box/p7.tif", *, words: int = 3, certain: bool = True) -> ScannedPage:
    starts = np.arange(words) * 6
    boxes = np.stack([100 + starts * 10, np.full(words, 40), 150 + starts * 10, np.full(words, 62)], axis=1)
    confidences = np.linspace(50, 100, words).astype(np.uint8) if certain else np.full(words, 255, np.uint8)
    return ScannedPage(label, image, 2000, 3000, starts, starts + 5, boxes, confidences)


def test_pages_come_back(tmp_path: Path) -> None:
    documents = [
        Document("a", "alpha gamma delta", "alpha", (page(), page("8", "", certain=False))),
        Document("b", "no scan"),
        Document("c", "", "", (page(words=0),)),
        Document("d", "other words there", "", (page("ix", "vol.pdf#page=9"),)),
    ]
    index = build(InMemory(documents), tmp_path / "i", texts=True)
    assert [(*index.document(n)[:3], index.pages(n)) for n in range(4)] == [d[:4] for d in documents]
    index.verify()
    assert Index.open(index.folder).pages(3)[0].place == ImagePlace("vol.pdf", "", 9)


def test_an_index_without_pages_is_as_it_was(tmp_path: Path) -> None:
    index = build(InMemory([Document("a", "plain text")]), tmp_path / "i", texts=True)
    assert index.pages(0) == ()
    assert not [name for name in index.manifest.files if name.startswith("page")]
    assert '"pages"' not in (index.folder / "manifest.json").read_text()


@settings(max_examples=60)
@given(
    st.lists(
        st.lists(st.tuples(*[st.integers(0, 2**15)] * 6, st.sampled_from([0, 7, 100, 255])), max_size=5), max_size=3
    )
)
def test_any_pages_come_back(pages: list[list[tuple[int, ...]]]) -> None:
    made = []
    for words in pages:
        columns = np.array(words, np.int64).reshape(-1, 7)
        start, length, left, top, width, height, sure = columns.T
        boxes = np.stack([left, top, left + width, top + height], axis=1)
        made.append(ScannedPage("é", "a!/b", 5, 0, start, start + length, boxes, sure))
    names, numbers, confidences = encode_pages(made)
    assert decode_pages(names, numbers, confidences) == tuple(made)


def test_a_word_that_is_cut_has_two_boxes() -> None:
    boxes = np.array([[0, 0, 9, 9], [0, 10, 9, 19], [10, 10, 19, 19]])
    cut = ScannedPage("1", "", 20, 20, np.array([0, 4, 8]), np.array([4, 7, 11]), boxes, np.full(3, 255))
    assert cut.words_in(0, 7).tolist() == [0, 1]
    assert cut.words_in(8, 9).tolist() == [2]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ends": [5, 6]}, "ends before it begins"),
        ({"boxes": [[5, 0, 4, 1], [0, 0, 1, 1]]}, "inside out"),
        ({"boxes": [[-1, 0, 4, 1], [0, 0, 1, 1]]}, "inside out"),
        ({"confidences": [3, 101]}, "above 100"),
        ({"starts": [1]}, "equally many"),
        ({"width": -1}, "cannot be -1"),
    ],
)
def test_a_page_that_cannot_be(changes: dict[str, object], why: str) -> None:
    sound: dict[str, object] = {"label": "1", "image": "", "width": 9, "height": 9}
    sound |= {"starts": [0, 7], "ends": [3, 9], "boxes": [[0, 0, 1, 1]] * 2, "confidences": [1, 255]}
    with pytest.raises(DataError, match=why):
        ScannedPage(**{**sound, **changes})  # type: ignore[arg-type]


def test_damaged_pages_are_named(tmp_path: Path) -> None:
    index = build(InMemory([Document("a", "alpha", "", (page(),))]), tmp_path / "i", texts=True)
    file = index.folder / index.manifest.data / "pages"
    raw = bytearray(file.read_bytes())
    raw[len(raw) // 2] ^= 4
    file.write_bytes(bytes(raw))
    with pytest.raises(DataError, match="pages: damaged"):
        Index.open(index.folder).pages(0)
    with pytest.raises(DataError, match="pages: damaged"):
        Index.open(index.folder).verify()


def test_places_of_images() -> None:
    for place in (ImagePlace("a.png"), ImagePlace("a#1.zip", "b/c.png", 3), ImagePlace("x.pdf", "", 12)):
        assert ImagePlace.parse(place.text) == place


def test_a_word_takes_few_bytes() -> None:
    from adjudge.storage.zstd import pack

    rng = np.random.default_rng(3)
    words = 4000
    lengths = rng.integers(2, 10, words)
    ends = np.cumsum(lengths + 1) - 1
    left = 100 + (ends - lengths) % 70 * 20
    top = 100 + ends // 70 * 40 + rng.integers(0, 6, words)
    boxes = np.stack(
        [left, top, left + lengths * 19 + rng.integers(0, 8, words), top + rng.integers(24, 34, words)], axis=1
    )
    made = ScannedPage("1", "", 2000, 10**5, ends - lengths, ends, boxes, rng.integers(80, 97, words))
    assert len(pack(b"".join(encode_pages([made])))) < 5 * words
