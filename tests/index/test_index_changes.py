"""Documents are added and removed, parts are merged: what comes of it is what a build of the same documents gives."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import ConflictError, DataError
from adjudge.index import field_columns, merging
from adjudge.index.building import build
from adjudge.index.feedback import feedback
from adjudge.index.field_columns import FIELDS
from adjudge.index.index import ARRAYS, Index
from adjudge.index.index_changes import add_documents, merge_index, remove_documents
from adjudge.index.index_files import KIND, MANIFEST, PARTED
from adjudge.index.joined_index import parts_of
from adjudge.index.searching import Searcher
from adjudge.index.stored_documents import StoredDocuments
from adjudge.storage.lock import LOCK, locked
from adjudge.weighting.scheme import weightings
from scanned_archive import Archive, page_of
from slow_weightings import PLAIN

QUESTIONS = ["a b", "c d e é", "b b f", "zz"]
SMALL = [name for name in ARRAYS if name not in ("postings", "posting_offsets")]


@pytest.fixture(autouse=True)
def no_power_cuts() -> Iterator[None]:
    """Nothing has to outlive a power cut, and many small changes wait long for the disk."""
    with patch.object(os, "fsync"):
        yield


def content(index: Index) -> dict[str, bytes]:
    """Every array of an index as it is on disk."""
    return {name: (index.folder / index.manifest.data / name).read_bytes() for name in index.manifest.files}


@contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def compare(index: Index, whole: Index) -> None:
    """Everything that an index in parts says is what one says that was built at once."""
    assert len(index) == len(whole)
    for name in ("documents", "terms", "postings", "tokens", "positions", "texts", "fields"):
        assert getattr(index.manifest, name) == getattr(whole.manifest, name), name
    for name in (*SMALL, *(FIELDS if whole.manifest.fields else ())):
        assert index.arrays[name].tolist() == whole.arrays[name].tolist(), name
    for term in range(whole.manifest.terms):
        assert [column.tolist() for column in index.postings(term)] == [c.tolist() for c in whole.postings(term)]
        if whole.manifest.positions:
            assert [column.tolist() for column in index.positions(term)] == [c.tolist() for c in whole.positions(term)]
    if whole.manifest.positions:
        terms, chosen = np.arange(whole.manifest.terms)[::-1], np.arange(len(whole))[::2][::-1]
        both = (one.places_in(terms, chosen) for one in (index, whole))
        found, expected = ([column.tolist() for column in places] for places in both)
        assert found == expected
    for term in range(whole.manifest.terms):
        sure, known = index.certainty(term), whole.certainty(term)
        if known is not None:
            assert sure is not None
            np.testing.assert_array_equal(sure, known)
        else:
            assert sure is None or bool(np.isnan(sure).all())
    if whole.mean_certainty is not None:
        assert index.mean_certainty is not None
        np.testing.assert_array_equal(index.mean_certainty, whole.mean_certainty)
    for one, two in zip(index.pieces(), whole.pieces(), strict=True):
        assert [np.asarray(part).tolist() for part in one] == [np.asarray(part).tolist() for part in two]
    if whole.manifest.texts:
        assert list(map(str, StoredDocuments(index))) == list(map(str, StoredDocuments(whole)))
    index.verify()


def compare_searches(index: Index, whole: Index, names: Sequence[str]) -> None:
    """Hits, explanations and feedback, to the last bit."""
    for name in names:
        one, two = Searcher(index, name), Searcher(whole, name)
        every = [searcher.search(QUESTIONS, 50) for searcher in (one, two)]
        assert [list(hits) for hits in every[0]] == [list(hits) for hits in every[1]]
        for question, here, there in zip(QUESTIONS, *every, strict=True):
            assert feedback(one, here, question, terms=3) == feedback(two, there, question, terms=3)
        for document in whole.ids[:3]:
            assert one.explain("a b é", document) == two.explain("a b é", document)


WORDS = st.lists(st.sampled_from("abcdefé"), max_size=8).map(" ".join)
TITLES = st.sampled_from(["", "", "News", "Times", "Post"])
YEARS = st.sampled_from([(), (("year", "1912"),), (("year", "1913"), ("place", "Ulm"))])


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """What happens to an index: documents with ids in any order, removals of those that are there, merges."""
    ids = iter(draw(st.permutations([f"d{i}" for i in range(24)])))
    there: list[str] = []
    steps: list[tuple[str, Any]] = []
    for _ in range(draw(st.integers(2, 7))):
        kind = "add" if len(there) < 2 else draw(st.sampled_from(["add", "add", "remove", "merge"]))
        if kind == "add":
            texts = draw(st.lists(st.tuples(WORDS, TITLES, YEARS), min_size=1, max_size=5))
            some = [Document(i, words, title, (), years) for i, (words, title, years) in zip(ids, texts, strict=False)]
            if some:
                there += [document.id for document in some]
                steps.append(("add", some))
        elif kind == "remove":
            gone = draw(st.lists(st.sampled_from(there), min_size=1, max_size=len(there) - 1, unique=True))
            there = [name for name in there if name not in gone]
            steps.append(("remove", gone))
        else:
            steps.append(("merge", None))
    return steps


def lived(steps: Sequence[tuple[str, Any]], folder: Path, **how: Any) -> tuple[Index, list[Document]]:
    """The index after a history, and the documents that should be in it."""
    index, there = None, list[Document]()
    for kind, what in steps:
        if kind == "add":
            there += what
            index = add_documents(folder, InMemory(what)) if index else build(InMemory(what), folder, **how)
        elif kind == "remove":
            there = [document for document in there if document.id not in what]
            index = remove_documents(folder, what)
        else:
            index = merge_index(folder)
    assert index is not None
    return index, there


def check_history(steps: list[tuple[str, Any]], few: int, names: Sequence[str], titles: int, **how: Any) -> None:
    with (
        scratch() as folder,
        patch.object(merging, "FEW", few),
        patch.object(field_columns, "FEW_TITLES", titles),
        patch("adjudge.index.joint_fields.FEW_TITLES", titles),
    ):
        index, there = lived(steps, folder / "changed", analyzer=PLAIN, **how)
        whole = build(InMemory(there), folder / "whole", analyzer=PLAIN, **how)
        compare(index, whole)
        compare_searches(index, whole, names)
        assert content(merge_index(folder / "changed")) == content(whole)
        assert len(list((folder / "changed").glob("adjudge-*"))) == 1


@settings(deadline=None, max_examples=5)
@given(histories(), st.sampled_from([2, 8]))
def test_an_index_that_was_changed_is_one_that_was_built(steps: list[tuple[str, Any]], few: int) -> None:
    check_history(steps, few, ("bm25", "dirichlet"), 1, positions=True, texts=True)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(histories(), st.sampled_from([2, 3, 8]), st.booleans(), st.booleans(), st.sampled_from([0, 1, 1000]))
def test_any_history_with_any_weighting(
    steps: list[tuple[str, Any]], few: int, positions: bool, texts: bool, titles: int
) -> None:
    check_history(steps, few, weightings.names, titles, positions=positions, texts=texts)


def some(first: int, last: int, text: str = "a b") -> InMemory:
    return InMemory(Document(f"d{n:03d}", f"{text} w{n % 7} v{n}", f"title {n}") for n in range(first, last))


def scan(name: str, words: str = "a b") -> Document:
    text, page, _ = page_of((words,), f"{name}.png")
    return Document(name, text, "", (page,))


def test_pages_and_certainties(tmp_path: Path) -> None:
    scanned = [scan(f"s{n}", f"a b w{n}") for n in range(6)]
    plain = list(some(0, 4))
    index = build(InMemory(plain), tmp_path / "ix", analyzer=PLAIN, texts=True, positions=True)
    assert index.certainty(0) is None
    add_documents(tmp_path / "ix", InMemory(scanned))
    index = remove_documents(tmp_path / "ix", ["d001", "s2"])
    rest = [document for document in [*plain, *scanned] if document.id not in ("d001", "s2")]
    whole = build(InMemory(rest), tmp_path / "whole", analyzer=PLAIN, texts=True, positions=True)
    compare(index, whole)
    assert [len(index.pages(n)) for n in range(len(index))] == [0] * 3 + [1] * 5
    assert content(merge_index(tmp_path / "ix")) == content(whole)


@pytest.mark.slow
def test_many_small_additions_leave_few_parts(tmp_path: Path) -> None:
    build(some(0, 40), tmp_path / "ix", analyzer=PLAIN)
    most = 0
    for n in range(40, 70):
        index = add_documents(tmp_path / "ix", some(n, n + 1))
        most = max(most, len(index.manifest.parts))
    assert most <= merging.FEW + 2
    whole = build(some(0, 70), tmp_path / "whole", analyzer=PLAIN)
    compare(index, whole)
    for gone in (range(30), range(30, 45), range(45, 69)):
        index = remove_documents(tmp_path / "ix", [f"d{n:03d}" for n in gone])
        assert all(2 * len(part.removed) <= len(part.index) for part in parts_of(index))
        compare(index, build(some(gone[-1] + 1, 70), tmp_path / "whole", analyzer=PLAIN))
    assert len(index) == 1
    assert content(index) == content(Index.open(tmp_path / "whole"))


def test_readers_go_on_with_what_they_have_open(tmp_path: Path) -> None:
    before = build(some(0, 10), tmp_path / "ix", analyzer=PLAIN, texts=True)
    searcher = Searcher(before)
    found = list(searcher.search(["a w3"])[0])
    for more in (some(10, 20), None):
        after = add_documents(tmp_path / "ix", more) if more else merge_index(tmp_path / "ix")
        assert list(Searcher(before).search(["a w3"])[0]) == found
        assert before.document(3).id == "d003"
        assert len(after) == 20


def unchanged(folder: Path, job: Callable[[], object], message: str, kind: type[Exception] = DataError) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(kind, match=message):
        job()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    ix = tmp_path / "ix"
    build(some(0, 10), ix, analyzer=PLAIN, texts=True)
    add_documents(ix, some(10, 12))
    unchanged(ix, lambda: add_documents(ix, some(11, 14)), "ix: document d011 is in the index already", ConflictError)
    unchanged(ix, lambda: add_documents(ix, InMemory([])), "no documents to index")
    unchanged(ix, lambda: remove_documents(ix, ["d001", "d0002"]), "no document 'd0002', did you mean d00")
    unchanged(ix, lambda: remove_documents(ix, [f"d{n:03d}" for n in range(12)]), "no document would be left")
    with locked(ix, LOCK, mark=True):
        for job in (
            lambda: add_documents(ix, some(20, 21)),
            lambda: remove_documents(ix, ["d001"]),
            lambda: merge_index(ix),
        ):
            unchanged(ix, job, "another build is under way", ConflictError)
    with pytest.raises(DataError, match="no such index"):
        add_documents(tmp_path / "nothing", some(0, 1))
    assert not (tmp_path / "nothing").exists()


def test_only_what_is_new(tmp_path: Path) -> None:
    build(some(0, 10), tmp_path / "ix", analyzer=PLAIN, texts=True)
    index = add_documents(tmp_path / "ix", some(5, 15), new=True)
    compare(index, build(some(0, 15), tmp_path / "whole", analyzer=PLAIN, texts=True))
    again = add_documents(tmp_path / "ix", some(5, 15), new=True)
    assert again.manifest == index.manifest


def test_images_of_a_folder_inside(tmp_path: Path) -> None:
    ix, scans = tmp_path / "ix", tmp_path / "scans"
    build(Archive([scan("x")], scans), ix, texts=True)
    index = add_documents(ix, Archive([scan("y")], scans / "1912"))
    assert [index.pages(n)[0].image for n in range(2)] == ["x.png", "1912/y.png"]
    assert index.manifest.source == str(scans)
    elsewhere = Archive([scan("z")], tmp_path / "others")
    unchanged(ix, lambda: add_documents(ix, elsewhere), "others: page images of the index lie in")


def test_what_a_killed_job_left_is_swept(tmp_path: Path) -> None:
    ix = tmp_path / "ix"
    build(some(0, 10), ix, analyzer=PLAIN)
    add_documents(ix, some(10, 12))
    for name in ("adjudge-data-left", "adjudge-spill-left"):
        (ix / name).mkdir()
        (ix / name / "ids").write_bytes(b"x")
    index = add_documents(ix, some(12, 13))
    assert {path.name for path in ix.glob("adjudge-*")} == index.manifest.folders
    assert len(index.manifest.folders) == 4


def test_an_index_in_parts_has_a_version_of_its_own(tmp_path: Path) -> None:
    ix = tmp_path / "ix"
    build(some(0, 10), ix, analyzer=PLAIN)
    add_documents(ix, some(10, 12))
    with pytest.raises(DataError, match="has version 3, this program reads 2"):
        KIND.read(ix / MANIFEST)
    merge_index(ix)
    KIND.read(ix / MANIFEST)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("part_terms", lambda column: column[::-1], "numbers of part 0 do not ascend"),
        ("part_own", lambda column: column + 1000, "do not ascend below"),
        ("removed", lambda column: column * 0 + 99, "do not ascend below"),
        ("part_firsts", lambda column: column[:-1], "numbers|ascend"),
        ("lengths", lambda column: column[:-1], "numbers instead of"),
    ],
)
def test_impossible_arrays_are_refused(tmp_path: Path, name: str, change: Any, message: str) -> None:
    from adjudge.storage.digest import crc32

    ix = tmp_path / "ix"
    build(some(0, 10), ix, analyzer=PLAIN)
    add_documents(ix, some(10, 12))
    index = remove_documents(ix, ["d001"])
    path = ix / index.manifest.data / name
    changed = np.ascontiguousarray(change(index.arrays[name].copy()), index.arrays[name].dtype)
    changed.tofile(path)
    body = PARTED.read(ix / MANIFEST)
    body["files"][name] |= {"items": len(changed), "crc32": crc32(path.read_bytes())}
    PARTED.write(ix / MANIFEST, body)
    with pytest.raises(DataError, match=message):
        Index.open(ix)


def test_postings_of_a_part_that_are_not_those_of_the_whole(tmp_path: Path) -> None:
    build(some(0, 10), tmp_path / "one", analyzer=PLAIN)
    build(some(0, 10, "a b b"), tmp_path / "two", analyzer=PLAIN)
    index = add_documents(tmp_path / "one", some(10, 12))
    body = PARTED.read(index.folder / MANIFEST)
    other = KIND.read(tmp_path / "two" / MANIFEST)
    shutil.copytree(tmp_path / "two" / other["data"], index.folder / other["data"])
    body["parts"][0] = other
    PARTED.write(index.folder / MANIFEST, body)
    changed = Index.open(index.folder)
    with pytest.raises(DataError, match="cf: damaged: frequencies do not add up"):
        changed.postings(changed.number("b"))


def test_positions_of_a_part_that_are_too_few(tmp_path: Path) -> None:
    """A position that runs on into the next one, in a part of which a document is removed."""
    folder = tmp_path / "i"
    build(InMemory([Document(f"d{n}", "a b a c") for n in range(5)]), folder, analyzer=PLAIN, positions=True)
    add_documents(folder, InMemory([Document("e", "a b")]))
    remove_documents(folder, ["d1"])
    data = parts_of(Index.open(folder))[0].index
    path = folder / data.manifest.data / "positions"
    raw = bytearray(path.read_bytes())
    raw[0] |= 128
    path.write_bytes(raw)
    with pytest.raises(DataError, match="positions: damaged: "):
        merge_index(folder)
