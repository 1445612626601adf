"""What is written is read back: hostile texts, titles anywhere, ids that TREC cannot hold, broken disks."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.core.document import Document
from adjudge.core.errors import DataError, SpecError
from adjudge.formats.documents import read_documents
from adjudge.formats.documents.document_writing import DocumentWriter
from adjudge.formats.documents.layout import with_title

PARTS = (
    "</TEXT>", "</DOC>", "<DOC>", "<DOCNO>", "</DOCNO>", "&amp;", "&lt;", "&#10;", "&nonsense;", "&hyph;", "<!--",
    "-->", "<!X>", "<TITLE>", "</TITLE>", "<HL>", "<", ">", "&", ";", "ustar", "\ufeff", "\x00", "\x1c", "\x85",
    "\u2028", "\r", "\n", "\t", "\x0b", "a", "é", "𝔸", "word", " ", "\n\n", "\r\n", "</\n", "<P>\n</P>\n<P>",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)
CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXT = HOSTILE | st.text(CHARACTERS)
IDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<>"), min_size=1).filter(
    lambda text: not re.search(r"\s", text)
)


def read_back(documents: list[Document], path: Path) -> list[Document]:
    with DocumentWriter(path) as writer:
        for document in documents:
            writer.add(document)
    return list(read_documents(path, path.suffix.removeprefix(".")))


@pytest.mark.slow
@given(
    st.dictionaries(IDS, st.tuples(TEXT, TEXT, st.sampled_from(["apart", "first line", "begins", "all"])), min_size=1)
)
@example({"a": ("title", " \n text", "first line")})
@example({"a": ("title", "<!--", "apart"), "b": ("-->", "--", "apart")})
@example({"a": ("", "<TITLE>no title</TITLE>", "apart")})
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, found: dict[str, tuple[str, str, str]]
) -> None:
    documents, folder = [], tmp_path_factory.getbasetemp()
    for id_, (title, text, where) in found.items():
        clean = " ".join(title.split())
        whole = {"apart": text, "first line": f"{clean}\n{text}", "begins": f"{clean}{text}", "all": clean}[where]
        documents.append(Document(id_, whole.strip(), clean))
    assert read_back(documents, folder / "d.trec") == documents
    kept = [d if with_title(d.title, d.text) == d.text else d._replace(title="") for d in documents]
    assert read_back(documents, folder / "d.jsonl") == kept
    lines = [d._replace(text=" ".join(d.text.split()), title=" ".join(d.title.split())) for d in kept]
    assert read_back(documents, folder / "d.tsv") == lines


def test_hostile_texts_in_parquet(tmp_path: Path) -> None:
    documents = [Document(f"{n} \t<", f"Wings\n{part} {n}", "Wings") for n, part in enumerate(PARTS)]
    assert read_back(documents, tmp_path / "d.parquet") == documents


def test_white_space_is_as_readers_have_it(tmp_path: Path) -> None:
    loose = Document("a", " \n text \v", " two\nwords ")
    assert read_back([loose], tmp_path / "d.trec") == [Document("a", "text", "two words")]


@pytest.mark.parametrize("name", ["d.jsonl", "d.ndjson.gz", "d.jsonl.zst", "d.trec", "d.sgml.zst", "d.TREC.gz"])
def test_files_are_seen_for_what_they_are(name: str, tmp_path: Path) -> None:
    documents = [Document("a1", "Wings\nLift & drag.", "Wings"), Document("a2", ""), Document("ä3", "é" * 70_000)]
    with DocumentWriter(tmp_path / name) as writer:
        for document in documents:
            writer.add(document)
        assert not (tmp_path / name).exists()
    assert writer.documents == 3
    assert os.listdir(tmp_path) == [name]
    assert list(read_documents(tmp_path / name)) == documents
    first = (tmp_path / name).read_bytes()
    with DocumentWriter(tmp_path / name) as writer:
        for document in documents:
            writer.add(document)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize("ending", ["trec", "jsonl", "trec.gz", "tsv"])
@pytest.mark.parametrize("before", range(190, 258))
def test_no_text_is_taken_for_a_tar(before: int, ending: str, tmp_path: Path) -> None:
    documents = [Document("a", "x" * 40), Document("b", "y" * (before - 100) + "ustar" + "z" * 300)]
    with DocumentWriter(tmp_path / f"d.{ending}") as writer:
        for document in documents:
            writer.add(document)
    assert list(read_documents(tmp_path / f"d.{ending}")) == documents


def test_the_form_of_trec_sgml(tmp_path: Path) -> None:
    with DocumentWriter(tmp_path / "d.trec.gz") as writer:
        writer.add(Document("FR940104-0-00001", "a < b\n\nc"))
    raw = gzip.decompress((tmp_path / "d.trec.gz").read_bytes())
    assert raw == b"<DOC>\n<DOCNO>FR940104-0-00001</DOCNO>\n<TEXT>\na &lt; b\n\nc\n</TEXT>\n</DOC>\n"


@pytest.mark.parametrize("id_", ["", "a b", "a\tb", "a\n", "\u00a0", "<a", "a>"])
def test_ids_that_trec_cannot_hold(id_: str, tmp_path: Path) -> None:
    with (
        pytest.raises(DataError, match="cannot be written as TREC SGML"),
        DocumentWriter(tmp_path / "d.trec") as writer,
    ):
        writer.add(Document(id_, "text"))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("id_", ["", "a\tb", "a\nb", " a"])
def test_ids_that_lines_with_tabs_cannot_hold(id_: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written as TSV"), DocumentWriter(tmp_path / "d.tsv") as writer:
        writer.add(Document(id_, "text"))
    assert os.listdir(tmp_path) == []


FIELDS = (("year", "1912"), ("place", "Paris"), ("place", "Rome"), ("headline", "no title"), ("abstract", "short"))


def test_fields_are_written_as_json(tmp_path: Path) -> None:
    documents = [Document("a", "Lift grows.", fields=FIELDS), Document("b", "Wings\nLift.", "Wings", fields=FIELDS[:1])]
    assert read_back(documents, tmp_path / "d.jsonl") == documents
    with pytest.raises(DataError, match="'a' has a field 'text', which is a name of JSONL's own"):
        read_back([Document("a", "Lift.", fields=(("text", "x"),))], tmp_path / "d.jsonl")


@pytest.mark.parametrize("ending", ["trec", "tsv", "parquet"])
def test_fields_that_are_not_written_are_told(ending: str, tmp_path: Path) -> None:
    with DocumentWriter(tmp_path / f"d.{ending}") as writer:
        writer.add(Document("a", "Lift grows.", fields=FIELDS))
        writer.add(Document("b", "Lift."))
    assert [(note.kind, note["count"]) for note in writer.notes] == [("fields_not_written", 1)]
    assert "1 document has fields, for which this format has no place" in str(writer.notes[0])


@pytest.mark.parametrize(("ending", "told"), [("tsv", ["lines_not_written"]), ("trec", []), ("jsonl", [])])
def test_lines_that_become_one_are_told(ending: str, told: list[str], tmp_path: Path) -> None:
    with DocumentWriter(tmp_path / f"d.{ending}") as writer:
        writer.add(Document("a", "Lift grows.\nDrag too."))
        writer.add(Document("b", "Lift.\n"))
    assert [note.kind for note in writer.notes] == told
    assert [note["count"] for note in writer.notes] == [1] * len(told)


def test_errors_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl.zst"
    path.write_bytes(b"old")
    with pytest.raises(DataError, match="half a surrogate pair"), DocumentWriter(path) as writer:
        writer.add(Document("a", "\ud800"))
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["d.jsonl.zst"]
    with pytest.raises(SpecError, match=r"documents are written as \.jsonl"):
        DocumentWriter(tmp_path / "d.xml")
    with pytest.raises(SpecError, match="all but Parquet packed"):
        DocumentWriter(tmp_path / "d.parquet.gz")
    with pytest.raises(DataError, match="half a surrogate pair"), DocumentWriter(tmp_path / "d.parquet") as writer:
        writer.add(Document("a", "\ud800"))
    assert os.listdir(tmp_path) == ["d.jsonl.zst"]
    with pytest.raises(DataError, match="cannot be written: No such file or directory"):
        DocumentWriter(tmp_path / "none" / "d.jsonl")


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.zst", "trec.gz"])
def test_a_full_disk(ending: str, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    import random
    import signal

    letters = "".join(random.Random(1).choices("abcdefghijklmnop", k=200_000))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    former = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
        with (
            pytest.raises(DataError, match=r"cannot be written: File too large"),
            DocumentWriter(tmp_path / f"d.{ending}") as writer,
        ):
            writer.add(Document("a", letters))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, former)
    assert os.listdir(tmp_path) == []


def test_the_folder_of_a_noise_job_is_read_once(tmp_path: Path) -> None:
    for name in ("documents.jsonl.zst", "documents.trec.gz"):
        with DocumentWriter(tmp_path / name) as writer:
            writer.add(Document("A1", "Lift."))
    files = {"documents.gone.gz": 1, "../other": 1, "documents.jsonl.zst": 9, "documents.trec.gz": 9}
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"kind": "adjudge noise", "files": files}, indent=1))
    assert list(read_documents(tmp_path)) == [Document("A1", "Lift.")]
    manifest.write_text(json.dumps({"kind": "adjudge noise", "files": {}}))
    with pytest.raises(DataError, match="a noise job without its documents"):
        read_documents(tmp_path)
    (tmp_path / ".work").mkdir()
    (tmp_path / ".work" / "job.json").write_text('{"kind": "adjudge noise"}')
    with pytest.raises(DataError, match="not finished"):
        read_documents(tmp_path)


@pytest.mark.parametrize("manifest", ["", "[1]", '{"kind": "adjudge index"}', "[" * 100_000])
def test_other_manifests_are_files_like_others(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    (tmp_path / "one.txt").write_text("a text")
    assert "one" in [document.id for document in read_documents(tmp_path, "text")]
