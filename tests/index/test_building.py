"""Building an index: what is in it, bounds, replacement in one step, bad input."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.document import Document, Documents, InMemory
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.index import index_files, segments, varbyte
from adjudge.index.building import build
from adjudge.index.index import Index
from adjudge.index.index_files import MANIFEST
from adjudge.index.searching import Searcher
from recorder import Recorder
from slow_weightings import PLAIN, collection, indexed

TEXTS = st.lists(st.lists(st.sampled_from("abcdé"), max_size=12).map(" ".join), min_size=1, max_size=10)


def content(index: Index) -> dict[str, bytes]:
    """Every array of an index as it is on disk."""
    return {name: (index.folder / index.manifest.data / name).read_bytes() for name in index.manifest.files}


@pytest.mark.slow
@given(texts=TEXTS)
def test_everything_that_was_in_the_texts_is_in_the_index(texts: list[str]) -> None:
    with indexed(texts, positions=True, texts=True) as index:
        words = [text.split() for text in texts]
        assert [index.name(t) for t in range(index.manifest.terms)] == sorted({w for text in words for w in text})
        for t in range(index.manifest.terms):
            name = index.name(t)
            assert index.number(name) == t
            holds = [d for d, text in enumerate(words) if name in text]
            documents, tf = index.postings(t)
            assert documents.tolist() == holds
            assert tf.tolist() == [words[d].count(name) for d in holds]
            assert index.term(t) == (len(holds), sum(text.count(name) for text in words))
            places, begins = index.positions(t)
            for i, d in enumerate(holds):
                assert places[begins[i] : begins[i + 1]].tolist() == [p for p, w in enumerate(words[d]) if w == name]
        statistics = index.statistics
        assert statistics.lengths.tolist() == [len(text) for text in words]
        assert statistics.distinct.tolist() == [len(set(text)) for text in words]
        assert statistics.documents == index.manifest.documents == len(texts)
        assert statistics.tokens == index.manifest.tokens == sum(map(len, words))
        assert index.number("zz") == index.number("") == -1
        assert [index.document(d) for d in range(len(texts))] == list(collection(texts))
        assert [index.document_number(f"d{d}") for d in range(len(texts))] == list(range(len(texts)))
        index.verify()


@pytest.mark.slow
@settings(max_examples=60)
@given(
    texts=TEXTS, memory=st.integers(0, 400), batch=st.integers(1, 60), fan=st.integers(2, 4), positions=st.booleans()
)
def test_any_bound_gives_the_same_bytes(texts: list[str], memory: int, batch: int, fan: int, positions: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "FAN", fan)
        with (
            indexed(texts, positions=positions, texts=True) as whole,
            indexed(texts, positions=positions, texts=True, memory=memory, batch=batch) as spilled,
        ):
            assert content(whole) == content(spilled)
            assert not list(spilled.folder.glob("adjudge-spill-*"))


@pytest.mark.slow
def test_more_spilled_segments_than_files_that_may_be_open(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    texts = [f"a w{i % 7} v{i}" for i in range(400)]
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    whole = content(build(collection(texts), tmp_path / "whole", analyzer=PLAIN))
    resource.setrlimit(resource.RLIMIT_NOFILE, (500, limits[1]))
    try:
        index = build(collection(texts), tmp_path / "spilled", analyzer=PLAIN, memory=0, batch=1)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert content(index) == whole


def test_large_frequencies(tmp_path: Path) -> None:
    texts = ["a " * 254, "a " * 255 + "b " * 300, "a " * 256, "b " * 70_000 + "c", "c " * 255]
    for memory in (10, 10**9):
        index = build(collection(texts), tmp_path / "index", analyzer=PLAIN, memory=memory, batch=600, positions=True)
        found = {name: index.postings(index.number(name)) for name in "abc"}
        assert {n: (d.tolist(), tf.tolist()) for n, (d, tf) in found.items()} == {
            "a": ([0, 1, 2], [254, 255, 256]),
            "b": ([1, 3], [300, 70_000]),
            "c": ([3, 4], [1, 255]),
        }
        places, _ = index.positions(index.number("b"))
        assert places.tolist() == [*range(255, 555), *range(70_000)]
        assert index.statistics.lengths.tolist() == [len(text.split()) for text in texts]


@given(st.lists(st.integers(0, 2**35 - 1)))
def test_varbyte(values: list[int]) -> None:
    raw = varbyte.encode(np.array(values, np.int64))
    assert varbyte.decode(raw).tolist() == values
    assert len(raw) == sum(max(1, -(-v.bit_length() // 7)) for v in values)


def test_statistics_without_some_terms() -> None:
    with indexed(["a b a", "b c", "c c c d"]) as index:
        with indexed(["b", "b", "d"]) as fewer:
            ours = index.statistics_without(frozenset({index.number("a"), index.number("c")}))
            for name in ("lengths", "distinct"):
                assert getattr(ours, name).tolist() == getattr(fewer.statistics, name).tolist()
            for spec in ("cosine", "bm25", "pivoted"):
                searcher = Searcher(index, spec, without=["a", "c", "zz"])
                assert list(searcher.search(["a b d"])[0]) == list(Searcher(fewer, spec).search(["b d"])[0])
        assert index.most_frequent(3) == ["c", "a", "b"]


class Counted(Documents):
    """Documents that say how far they have been read."""

    def __init__(self, texts: list[str]) -> None:
        self.texts, self._read = texts, 0

    @property
    def read(self) -> int:
        return self._read

    def __iter__(self) -> Iterator[Document]:
        for i, text in enumerate(self.texts):
            self._read += len(text)
            yield Document(str(i), text)


def test_progress_and_empty_documents(tmp_path: Path) -> None:
    heard = Recorder()
    index = build(Counted(["a b", "", "c"]), tmp_path, analyzer=PLAIN, batch=1, progress=heard)
    assert heard.facts("index", "documents") == [1, 3]
    assert heard.counts("index")[-1] == 4
    assert heard.only("index").subject == PLAIN
    assert len(index) == 3
    assert index.statistics.lengths.tolist() == [2, 0, 1]
    assert repr(index) == f"Index({tmp_path}: 3 documents, 3 terms, 3 postings)"


def test_only_empty_documents(tmp_path: Path) -> None:
    index = build(collection(["", " "]), tmp_path / "i", analyzer=PLAIN, positions=True, texts=True)
    assert len(index) == 2
    assert index.manifest.terms == 0
    for spec in ("bm25", "cosine", "lucene_classic", "pivoted", "dirichlet", "jelinek_mercer"):
        hits = Searcher(index, spec).search(["a", ""])
        assert [str(hit.note) for hit in hits] == ["no term of the query is indexed: a", "no term is left in the query"]


def test_bad_documents(tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="document x occurs twice"):
        build(InMemory([Document("x", "a"), Document("y", "b"), Document("x", "c")]), tmp_path / "i", analyzer=PLAIN)
    with pytest.raises(DataError, match="no documents to index"):
        build(InMemory([]), tmp_path / "i", analyzer=PLAIN)
    with pytest.raises(SpecError, match="wordz"):
        build(collection(["a"]), tmp_path / "i", analyzer="wordz")
    with pytest.raises(DataError, match="half a surrogate pair"):
        build(InMemory([Document("\ud800", "a")]), tmp_path / "i", analyzer=PLAIN)
    assert list(tmp_path.iterdir()) == [], "nothing is left of builds that failed"
    strange = InMemory([Document("\udcff", "a"), Document("é", "a"), Document("z", "a")])
    hits = Searcher(build(strange, tmp_path / "i", analyzer=PLAIN)).search(["a"])[0]
    assert list(hits.ids) == ["\udcff", "é", "z"], "ties go by bytes, the highest first"


def test_ids_that_are_the_same_bytes(tmp_path: Path) -> None:
    escaped = "é".encode().decode("ascii", "surrogateescape")
    with pytest.raises(ConflictError, match="occurs twice"):
        build(InMemory([Document("é", "a"), Document(escaped, "b")]), tmp_path / "i", analyzer=PLAIN)


def test_a_build_that_fails_takes_its_folders_with_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no documents"):
        build(InMemory([]), tmp_path / "a" / "b" / "c", analyzer=PLAIN)
    assert list(tmp_path.iterdir()) == []
    build(collection(["a"]), tmp_path / "i", analyzer=PLAIN)
    manifest = tmp_path / "i" / MANIFEST
    manifest.write_text(manifest.read_text().replace('"version": 1', '"version": 99'))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ConflictError):
        build(InMemory([Document("x", "a")] * 2), tmp_path / "i", analyzer=PLAIN, memory=0, batch=1)
    assert sorted(tmp_path.rglob("*")) == before, "an index of another version is not touched, nor anything added"


def test_a_folder_that_is_no_index_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(DataError, match=r"holds thesis\.tex and no index"):
        build(collection(["a"]), tmp_path, analyzer=PLAIN)
    with pytest.raises(DataError, match="not a folder"):
        build(collection(["a"]), tmp_path / "thesis.tex", analyzer=PLAIN)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]
    for name in ("manifest.json", "adjudge-data-mine"):
        folder = tmp_path / f"with {name}"
        folder.mkdir()
        (folder / name).write_text("{}")
        with pytest.raises(DataError, match=re.escape(f"holds {name} and no index")):
            build(collection(["a"]), folder, analyzer=PLAIN)
        assert [p.name for p in folder.iterdir()] == [name]


def test_an_index_without_its_lock_and_one_that_is_damaged_are_replaced(tmp_path: Path) -> None:
    build(collection(["a"]), tmp_path, analyzer=PLAIN)
    (tmp_path / ".adjudge-lock").unlink()
    build(collection(["a", "b"]), tmp_path, analyzer=PLAIN)
    (tmp_path / MANIFEST).write_text("broken")
    index = build(collection(["a", "b", "c"]), tmp_path, analyzer=PLAIN)
    assert len(index) == 3
    assert {p.name for p in tmp_path.iterdir()} == {MANIFEST, ".adjudge-lock", index.manifest.data}


def test_two_builds_at_once(tmp_path: Path) -> None:
    class Nested(InMemory):
        def __iter__(self) -> Iterator[Document]:
            with pytest.raises(ConflictError, match="another build is under way"):
                build(collection(["b"]), tmp_path / "i", analyzer=PLAIN)
            return super().__iter__()

    assert len(build(Nested(collection(["a", "c"])), tmp_path / "i", analyzer=PLAIN)) == 2


def test_a_lock_that_another_build_removes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that failed may take the lock away between opening and locking: then it locks nothing."""
    fcntl = pytest.importorskip("fcntl")
    original, calls = fcntl.flock, list[int]()

    def flock(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 1:
            shutil.rmtree(tmp_path / "i")
        elif len(calls) == 2:
            (tmp_path / "i" / ".adjudge-lock").unlink()
            (tmp_path / "i" / ".adjudge-lock").touch()
        original(*arguments)

    monkeypatch.setattr(fcntl, "flock", flock)
    assert len(build(collection(["a"]), tmp_path / "i", analyzer=PLAIN)) == 1
    assert len(calls) == 4, "three for the folder, one for the manifest while it is written"


class Deleted(Documents):
    """Documents of a reader that is not ours, one of whose files is deleted in mid-work."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __iter__(self) -> Iterator[Document]:
        yield Document("d1", "solar power")
        self.file.unlink()
        yield Document("d2", self.file.read_text())


def test_a_file_that_is_deleted_while_documents_are_read(tmp_path: Path) -> None:
    (tmp_path / "more").write_text("wind")
    with pytest.raises(DataError, match=f"^{tmp_path}/more: cannot be read: No such file or directory$"):
        build(Deleted(tmp_path / "more"), tmp_path / "idx", analyzer=PLAIN)
    assert not (tmp_path / "idx").exists()


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def flock(*_: Any) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert len(build(collection(["a"]), tmp_path / "i", analyzer=PLAIN)) == 1
    assert len(build(collection(["a", "b"]), tmp_path / "i", analyzer=PLAIN)) == 2, "as on a system without locks"


# -- replacement in one step ------------------------------------------------------------------------------------------

OLD, NEW = ["a b", "c"], ["a a", "b", "d e f"]


def test_an_exception_at_any_write_leaves_the_old_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    before = content(build(collection(OLD), folder, analyzer=PLAIN))
    original, failed = index_files.IndexColumn.append, 0

    def failing(after: int, kind: type[BaseException]) -> None:
        count = Counter[str]()

        def append(self: index_files.IndexColumn, values: Any) -> None:
            count["writes"] += 1
            if count["writes"] > after:
                raise kind(28, "No space left on device")
            original(self, values)

        monkeypatch.setattr(index_files.IndexColumn, "append", append)

    for after in range(200):
        failing(after, KeyboardInterrupt if after % 2 else OSError)
        try:
            build(collection(NEW), folder, analyzer=PLAIN, positions=True, texts=True, memory=0, batch=1)
        except (DataError, KeyboardInterrupt):
            failed += 1
            index = Index.open(folder)
            index.verify()
            assert content(index) == before
            assert {p.name for p in folder.iterdir()} == {MANIFEST, ".adjudge-lock", index.manifest.data}
        else:
            break
    assert failed > 30
    assert len(Index.open(folder)) == 3


KILLED = """
import os, sys
from adjudge.core.document import Document, Documents, InMemory
from adjudge.index import building, index_files
left = int(sys.argv[2])
def counted(method):
    def call(*arguments):
        global left
        left -= 1
        if left < 0:
            os._exit(9)
        return method(*arguments)
    return call
index_files.IndexColumn.append = counted(index_files.IndexColumn.append)
index_files.Manifest.write = counted(index_files.Manifest.write)
documents = InMemory([Document("x", "a a"), Document("y", "b")])
building.build(documents, sys.argv[1], analyzer="words|lower", memory=0, batch=1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("after", [0, 3, 13])
def test_a_killed_build_leaves_the_old_index_or_none(tmp_path: Path, after: int, old: bool) -> None:
    folder = tmp_path / "index"
    if old:
        before = content(build(collection(OLD), folder, analyzer=PLAIN))
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(after)], check=False)
    assert done.returncode == 9
    assert list(folder.glob("adjudge-spill-*")), "a killed build cannot clean up"
    if old:
        assert content(Index.open(folder)) == before
    else:
        with pytest.raises(DataError, match=r"no index here: manifest\.json is missing"):
            Index.open(folder)
    index = build(collection(NEW), folder, analyzer=PLAIN)
    assert {p.name for p in folder.iterdir()} == {MANIFEST, ".adjudge-lock", index.manifest.data}, "the next one does"


def test_everything_is_on_the_disk_before_the_manifest_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[int, int]] = []
    original, replace = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        state = os.fstat(handle)
        synced.append((state.st_ino, state.st_size))
        original(handle)

    def put(self: Path, target: Path) -> Path:
        (data,) = tmp_path.glob("adjudge-data-*/")
        wanted = [self, data, *data.iterdir()]
        assert {path.stat().st_ino for path in wanted} <= {inode for inode, _ in synced}
        sizes = dict(synced)
        assert all(sizes[path.stat().st_ino] == path.stat().st_size for path in wanted if path.is_file())
        synced.clear()
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", put)
    build(collection(NEW), tmp_path, analyzer=PLAIN, positions=True, texts=True)
    assert [inode for inode, _ in synced] == [tmp_path.stat().st_ino], "nor is the name of the manifest forgotten"


FULL = """
import resource, sys
from adjudge.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(main(["index", "docs.tsv", "-o", "idx", "--memory", "1", "--positions"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_a_disk_that_is_full(tmp_path: Path, size: int) -> None:
    pytest.importorskip("resource")
    build(collection(OLD), tmp_path / "idx", analyzer=PLAIN)
    words = (" ".join(f"w{(i * j) % 9973}" for j in range(300)) for i in range(300))
    (tmp_path / "docs.tsv").write_text("".join(f"{i}\t{text}\n" for i, text in enumerate(words)))
    before = sorted(tmp_path.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(size)], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "idx: cannot be written: File too large\n")
    assert sorted(tmp_path.rglob("*")) == before
    assert len(Index.open(tmp_path / "idx")) == len(OLD)


def test_an_open_index_survives_its_replacement(tmp_path: Path) -> None:
    old = build(collection(OLD), tmp_path, analyzer=PLAIN, texts=True)
    new = build(collection(NEW), tmp_path, analyzer=PLAIN)
    assert list(Searcher(old).search(["c"])[0].ids) == ["d1"]
    assert old.document(0).text == "a b"
    assert list(Searcher(new).search(["d"])[0].ids) == ["d2"]


# -- damage -----------------------------------------------------------------------------------------------------------


def test_damaged_files_are_named(tmp_path: Path) -> None:
    index = build(collection(NEW), tmp_path, analyzer=PLAIN, positions=True, texts=True)
    for name, entry in index.manifest.files.items():
        path = tmp_path / index.manifest.data / name
        whole = path.read_bytes()
        path.write_bytes(whole + b"x")
        with pytest.raises(DataError, match=re.escape(f"{path}: too long: {entry.bytes + 1:,} bytes")):
            Index.open(tmp_path)
        if whole:
            path.write_bytes(whole[:-1])
            with pytest.raises(DataError, match=re.escape(f"{path}: truncated: {entry.bytes - 1:,} bytes instead of")):
                Index.open(tmp_path)
            path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
            with pytest.raises(DataError, match=re.escape(f"{path}: damaged: its checksum is wrong")):
                Index.open(tmp_path).verify()
        path.unlink()
        with pytest.raises(DataError, match=re.escape(f"{path}: missing")):
            Index.open(tmp_path)
        path.write_bytes(whole)
    Index.open(tmp_path).verify()


def test_damaged_manifests(tmp_path: Path) -> None:
    build(collection(NEW), tmp_path, analyzer=PLAIN)
    path = tmp_path / MANIFEST
    good = path.read_text()
    wrong = json.loads(good)
    for text, message in [
        (good[: len(good) // 2], "damaged: not JSON"),
        ("", "damaged: not JSON"),
        ("\x80", "damaged: not JSON"),
        ("[]", "not the manifest of an index"),
        (json.dumps({"kind": "other"}), "not the manifest of an index"),
        (
            json.dumps({**wrong, "version": 99}),
            "the index has version 99, this program reads 2: index the documents again",
        ),
        (json.dumps({**wrong, "documents": 2}), "damaged: its checksum is wrong"),
    ]:
        path.write_bytes(text.encode("latin-1"))
        with pytest.raises(DataError, match=re.escape(message)):
            Index.open(tmp_path)
    body = {key: value for key, value in wrong.items() if key not in {"kind", "version", "crc32", "documents"}}
    index_files.KIND.write(path, body)
    with pytest.raises(DataError, match=r"damaged: .*documents"):
        Index.open(tmp_path)
    with pytest.raises(DataError, match="no such index"):
        Index.open(tmp_path / "none")
    path.write_text(good)
    assert len(Index.open(tmp_path)) == 3


def test_what_was_not_asked_for_is_not_there() -> None:
    with indexed(["a"] * 12) as index:
        with pytest.raises(DataError, match="built without positions"):
            index.positions(0)
        with pytest.raises(DataError, match="built without texts"):
            index.document(0)
        with pytest.raises(DataError, match=re.escape("no document 'd12', did you mean d2 or d1 or d11?")):
            index.document_number("d12")
        with pytest.raises(DataError, match="no document"):
            index.document_number("\ud800")


def test_few_bytes_a_posting(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{w}" for w in rng.zipf(1.3, 300) % 5000) for _ in range(300)]
    manifest = build(collection(texts), tmp_path, analyzer=PLAIN).manifest
    assert manifest.files["postings"].bytes < 2 * manifest.postings + 3 * manifest.terms
