"""An index whose files have been changed: named, never a crash, never a wrong number where the index can tell."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError
from adjudge.index import index_files
from adjudge.index.building import build
from adjudge.index.feedback import feedback
from adjudge.index.index import LARGE, Index
from adjudge.index.index_files import MANIFEST
from adjudge.index.searching import Searcher
from slow_weightings import PLAIN, collection

QUERIES = ["w1 w2 big", "w3", " ".join(f"w{i}" for i in range(60))]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Index:
    rng = np.random.default_rng(1)
    texts = [" ".join(f"w{w}" for w in rng.zipf(1.4, 30) % 60) for _ in range(30)]
    texts[3] += " big" * 300
    documents = InMemory(Document(f"d{i:02d}", text, f"title w{i}") for i, text in enumerate(texts))
    return build(documents, tmp_path_factory.mktemp("whole"), analyzer=PLAIN, positions=True, texts=True)


def used(folder: Path) -> list[object]:
    """Everything that an index can be asked for."""
    index = Index.open(folder)
    said: list[object] = [list(index.ids), index.most_frequent(5)]
    for spec in ("bm25", "cosine", "lucene_classic"):
        searcher = Searcher(index, spec)
        found = searcher.search(QUERIES, k=20)
        said += [list(hits) for hits in found]
        said += [searcher.explain(QUERIES[0], "d03").value, feedback(searcher, found[0], QUERIES[0])]
    said += [index.positions(term)[0].tolist() for term in range(index.manifest.terms)]
    return [*said, *(index.document(number) for number in range(len(index)))]


@pytest.mark.slow
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_bit_is_told_or_changes_nothing_but_figures(whole: Index, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(name for name, entry in whole.manifest.files.items() if entry.items)))
    path = whole.folder / whole.manifest.data / name
    raw = path.read_bytes()
    bit = data.draw(st.integers(0, 8 * len(raw) - 1))
    before = used(whole.folder)
    try:
        path.write_bytes(raw[: bit // 8] + bytes([raw[bit // 8] ^ 1 << bit % 8]) + raw[bit // 8 + 1 :])
        message = re.escape(f"{path}: damaged: its checksum is wrong")
        if name not in LARGE:
            with pytest.raises(DataError, match=message):
                Index.open(whole.folder)
            return
        with pytest.raises(DataError, match=message):
            Index.open(whole.folder).verify()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                after = used(whole.folder)
            except DataError:
                return
        # another document has the term, or it stands elsewhere: only the checksum can know
        assert name in {"postings", "positions"} or after == before
    finally:
        path.write_bytes(raw)


def test_documents_that_are_not_there_are_found_by_nobody(tmp_path: Path) -> None:
    index = build(collection(["a b", "a", "b a"]), tmp_path, analyzer=PLAIN)
    path = tmp_path / index.manifest.data / "postings"
    good = np.fromfile(path, np.uint8)  # a has gaps 0 in no bits, and no bits of frequencies; b has gaps of one bit
    for place, number in [(0, 1), (0, 31), (1, 8), (1, 255), (0, 200)]:
        bad = good.copy()
        bad[place] = number
        bad.tofile(path)
        for name, message in (("a", "bytes of the term 'a' are no postings of 3 documents"),):
            with pytest.raises(DataError, match=message):
                Searcher(Index.open(tmp_path)).search([name])
    bad = good.copy()
    bad[int(index.arrays["posting_offsets"][1]) + 2] = 0b11  # one document further than there are
    bad.tofile(path)
    with pytest.raises(DataError, match="bytes of the term 'b' are no postings"):
        Searcher(Index.open(tmp_path)).search(["b"])
    with pytest.raises(DataError, match="damaged: its checksum is wrong"):
        Index.open(tmp_path).verify()


def test_an_index_that_is_replaced_while_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(collection(["a b", "c"]), tmp_path, analyzer=PLAIN)
    original, left = index_files.map_array, [2]

    def mapped(*arguments: object) -> object:
        if left[0] > 0 and arguments[1] == "terms":
            left[0] -= 1
            monkeypatch.setattr("adjudge.index.index.map_array", original)
            build(collection(["a a", "b", "d e f"]), tmp_path, analyzer=PLAIN)
            monkeypatch.setattr("adjudge.index.index.map_array", mapped)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("adjudge.index.index.map_array", mapped)
    assert len(Index.open(tmp_path)) == 3
    assert left == [0]


def test_an_open_index_can_be_verified_after_its_replacement(tmp_path: Path) -> None:
    old = build(collection(["a b", "c"]), tmp_path, analyzer=PLAIN)
    build(collection(["a"]), tmp_path, analyzer=PLAIN)
    old.verify()


def test_a_manifest_that_nests_too_deeply(tmp_path: Path) -> None:
    build(collection(["a"]), tmp_path, analyzer=PLAIN)
    (tmp_path / MANIFEST).write_text("[" * 100_000)
    with pytest.raises(DataError, match="damaged: not JSON"):
        Index.open(tmp_path)


def test_long_ids_are_not_guessed(tmp_path: Path) -> None:
    index = build(InMemory([Document("x" * 10_000, "a")]), tmp_path, analyzer=PLAIN)
    assert index.document_number("x" * 10_000) == 0
    with pytest.raises(DataError, match=r"no document 'x+…$"):
        index.document_number("x" * 9_999)
