"""Documents as nobody should write them: cut, packed twice, in loops, in other encodings, with nothing that ends."""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
from pathlib import Path

import pytest

from adjudge.core.document import Document
from adjudge.core.errors import DataError, SpecError
from adjudge.core.note import Note
from adjudge.formats.classic_collections import read_smart_qrels, read_smart_topics
from adjudge.formats.documents import read_documents
from adjudge.formats.documents.html_text import text_of as html_text
from adjudge.formats.documents.latex_text import text_of as tex_text
from adjudge.formats.documents.layout import ReadingTally
from adjudge.formats.documents.layouts.html import HtmlLayout
from adjudge.formats.documents.layouts.latex import LatexLayout
from adjudge.formats.documents.layouts.trec import TrecLayout
from adjudge.formats.documents.locations import PIECE, File, files_of
from adjudge.formats.documents.streams import Meter, streams
from adjudge.storage.zstd import pack


def opened(data: bytes | str, name: str = "docs") -> io.BytesIO:
    made = io.BytesIO(data.encode() if isinstance(data, str) else data)
    made.name = name
    return made


def documents(data: bytes | str, layout: str | None = None) -> list[Document]:
    return list(read_documents(opened(data), layout))


def sgml(key: str, body: bytes = b"x") -> bytes:
    return b"<DOC><DOCNO>" + key.encode() + b"</DOCNO>" + body + b"</DOC>\n"


def archive(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return made.getvalue()


# archives and packed files

LONG = b"".join(sgml(str(n), b"word " * 1000) for n in range(100))


def test_an_archive_that_is_cut_far_into_a_member() -> None:
    cut = archive({"a.sgml": LONG})[:300_000]
    with pytest.raises(DataError, match="docs: damaged archive: unexpected end of data"):
        documents(cut, "trec")
    with pytest.raises(DataError, match=re.escape("docs/in.tar: damaged archive")):
        documents(archive({"in.tar": cut}), "trec")


def test_an_archive_that_is_cut_between_members_or_has_another_behind_it() -> None:
    whole = archive({"a.sgml": sgml("1"), "b.sgml": sgml("2")})
    assert [d.id for d in documents(whole, "trec")] == ["1", "2"]
    with pytest.raises(DataError, match="docs: damaged archive: cut off before its end"):
        documents(whole[:1024], "trec")
    with pytest.raises(DataError, match="docs: something follows the end of the archive"):
        documents(whole + archive({"c.sgml": sgml("3")}), "trec")


def test_hidden_folders_of_an_archive_are_hidden() -> None:
    made = archive({".git/a.sgml": sgml("1"), "./x/b.sgml": sgml("2"), "x/.c.sgml": sgml("3"), "../d.sgml": sgml("4")})
    assert [d.id for d in documents(made, "trec")] == ["2", "4"]


def test_files_that_are_packed_again_and_again() -> None:
    data = sgml("1")
    for _ in range(5):
        data = gzip.compress(data)
    assert documents(data)[0].id == "1"
    for _ in range(20):
        data = gzip.compress(data)
    with pytest.raises(DataError, match="docs: packed more than 16 times"):
        documents(data)


def test_what_is_unpacked_comes_in_pieces_of_one_size(tmp_path: Path) -> None:
    noise = os.urandom(3 * PIECE)
    (tmp_path / "noise").write_bytes(pack(noise))
    (tmp_path / "zeros").write_bytes(pack(bytes(1 << 28)))
    for name, total in (("noise", len(noise)), ("zeros", 1 << 28)):
        (stream,) = streams(File(str(tmp_path / name), name, True), Meter())
        sizes = [len(piece) for piece in stream]
        assert sum(sizes) == total
        assert all(PIECE <= size <= 1 << 26 for size in sizes[1:-1])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x1f\x9d\x90abc", r"files of compress \(.Z\) are not read"),
        (b"7z\xbc\xaf\x27\x1c", "7z archives are not read"),
        ("word".encode("utf-16"), "UTF-16 and not UTF-8"),
        ("word".encode("utf-32"), "UTF-16 and not UTF-8"),
        (gzip.compress(b"word", mtime=0)[:5], "truncated gzip data"),
        (b"\x1f\x8b", "truncated gzip data"),
    ],
)
def test_what_is_no_text(data: bytes, why: str) -> None:
    with pytest.raises(DataError, match=f"docs: {why}"):
        documents(data)


# folders


def test_links_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "c/real").mkdir(parents=True)
    (tmp_path / "c/real/a.txt").write_text("a")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/b.txt").write_text("b")
    (tmp_path / "c/again").symlink_to(tmp_path / "c/real")
    (tmp_path / "c/loop").symlink_to(tmp_path / "c")
    (tmp_path / "c/other").symlink_to(tmp_path / "other")
    (tmp_path / "other/back").symlink_to(tmp_path / "c")
    assert [d.id for d in read_documents(tmp_path / "c")] == ["other/b", "real/a"]
    assert [d.id for d in read_documents(f"{tmp_path}/c/r*")] == ["real/a"], "a pattern may match a folder"
    (tmp_path / "c/self").symlink_to(tmp_path / "c/self")
    with pytest.raises(DataError, match="self: cannot be read"):
        read_documents(tmp_path / "c")


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    os.mkfifo(tmp_path / "b.txt")
    with pytest.raises(DataError, match=r"b.txt: a pipe or device, not a file"):
        read_documents(tmp_path)


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "a.txt").write_text("a")
    real = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("in"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(DataError, match="in: cannot be read: Permission denied"):
        read_documents(tmp_path)


def test_paths_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    assert files_of(os.fsencode(tmp_path / "a.txt")) == files_of(tmp_path / "a.txt")


# layouts


def test_lines_that_end_with_carriage_returns() -> None:
    assert documents("1\ta\r2\tb\r", "tsv") == [Document("1", "a"), Document("2", "b")]
    assert documents('{"id": "1", "text": "a"}\r{"id": "2", "text": "b"}') == [Document("1", "a"), Document("2", "b")]


def test_headers_of_tables() -> None:
    assert documents("text\tid\nb c\t1\n") == [Document("1", "b c")]
    with pytest.raises(DataError, match="docs:1: a name of a column occurs twice"):
        documents("id\ttext\ttext\n1\ta\tb\n")


def test_json_of_another_shape_is_not_taken_for_text() -> None:
    with pytest.raises(DataError, match="docs:1: not JSON on one line"):
        documents('[{"id": "1", "text": "a"},\n{"id": "2", "text": "b"}]')


@pytest.mark.parametrize("spec", ["jsonl(id=5)", "jsonl(text=[1, 2])", "jsonl(title=none)"])
def test_keys_are_names(spec: str) -> None:
    with pytest.raises(SpecError, match="must be the name of a key"):
        documents('{"id": "1", "text": "a"}', spec)


def test_small_letters_and_numbers_of_windows() -> None:
    small = b"<doc><docno>1</docno><docid>77</docid><title>A t</title><text>don&#146;t</text></doc>"
    assert documents(small) == [Document("1", "A t don’t", "A t")]


def test_notes_take_no_room() -> None:
    found = read_documents(opened(b"".join(sgml(str(n)) + b"stray" for n in range(1000))))
    assert len(list(found)) == 1000
    assert len(found.notes) == 6
    assert str(found.notes[-1]) == "and 995 more remarks of this kind"


def test_a_formula_with_verbatim_text_in_it() -> None:
    assert tex_text(r"so $a \verb|b_1| c$ and \\$d$ at 5\$$e$ or $$f", "text")[1] == "so a b_1 c and\nd at 5$ e or f"
    token = tex_text(r"$a \verb|b| c$", "token")[1]
    assert token == tex_text(r"\verb|x| $a b c$", "token")[1].split()[1]
    assert html_text("<html>a<math></math>b", "token")[1] == "a b"


# every reader is linear whatever does not end; a quadratic one would take minutes here

SIZE = 60_000
TEX = [
    r"\begin{verbatim}", r"\begin{picture}", r"\begin{equation}", r"\begin{align*}x", "$$", "$", r"\[", r"\(", r"\(\[",
    r"$$\[", r"\begin{math}$", r"\verb|x\verb!", r"\cite{", r"\cite[", r"\cite{a{b", r"\newcommand{\a}{", r"\def\a",
    r"\def\a{", r"\PMlinkname{a}{", r"\href{", r"\begin{tabular}{", r"\item[", r"\\[", r"\'{", r"\title{", "{", "}",
    "%",
    r"\\", "~", " ", "\n", "\\a ", "% $\n",
]  # fmt: skip
HTML = [
    "<a:math>", "<annotation>", "<math>", "<title>", "<script>", "<style", "<!--", "<![CDATA[", '<a"', "<a'", "\"'<a",
    "</", "<a", "&", "&#", "<b>", "$", "<!", "<?", " ", "\n",
]  # fmt: skip
SGML = [b"<!-- ", b"<a ", b"<a>", b"<a>\n", b"\n", b" ", b"&", b"<DOCID>", b"<!-- a>", b"<TITLE>", b"<", b"-->"]


@pytest.mark.slow
def test_latex_without_end() -> None:
    for unit in TEX:
        for before, after in (("", ""), ("\\title{", "}"), ("", "\\end{align} $$ \\] \\)")):
            tex_text(before + unit * (SIZE // len(unit)) + after, "text")


def test_html_without_end() -> None:
    for unit in HTML:
        for before, after in (("", ""), ("<math>", "</math>"), ("", "</title></math>")):
            html_text(before + unit * (SIZE // len(unit)) + after, "text")


def test_sgml_without_end() -> None:
    for unit in SGML:
        many = unit * (SIZE // len(unit))
        for body in (many + b"-->", b"<TITLE>" + many + b"</TITLE>-->"):
            documents(sgml("0") + many + sgml("1", body), "trec")


def test_beginnings_are_told_apart_quickly() -> None:
    for head in (b"<!-- a -->\n" * 5000, b"\n" * 65536, b" \n" * 32768, b"1\n" * 32768, b"<doc>" * 13000):
        assert not HtmlLayout.shows(head)
        assert not LatexLayout.shows(head)
        assert not TrecLayout.shows(head)
    assert HtmlLayout.shows(b"<!-- a -->\n <!-- b --> <html>")
    assert LatexLayout.shows(b"%\n \t\\documentclass{article}")


@pytest.mark.slow
def test_a_packed_document_of_many_pieces() -> None:
    body = os.urandom(15_000_000).hex().encode()
    (found,) = documents(gzip.compress(sgml("1", body), 1))
    assert len(found.text) == len(body)


# SMART


def test_smart_numbers() -> None:
    with pytest.raises(DataError, match="docs:1: text before a field"):
        documents(b".I " + b"1" * 5000 + b"\n.W\nx\n", "smart")
    with pytest.raises(DataError, match="docs:3: text before a field: '1965'"):
        documents(".I 1\n\n1965\n.W\nx\n", "smart")
    for row in (b"1 1.5 1", b"1 2 1e9999", b"1 0 5 99999999999", b"1 1_0 1"):
        with pytest.raises(DataError, match="docs:1: expected 3 or 4 whole numbers"):
            read_smart_qrels(opened(row))


def test_a_smart_title_is_a_word_and_not_a_beginning_of_one() -> None:
    assert documents(".I 1\n.T\nsolar\n.W\nsolarium\n")[0].text == "solar\nsolarium"


def test_queries_are_utf8() -> None:
    with pytest.raises(DataError, match="docs:4: query 2 is not UTF-8"):
        read_smart_topics(opened(b".I 1\n.W\nx\n.I 2\n.W\ncaf\xe9\n"))


def test_tally_counts_what_it_does_not_keep() -> None:
    tally = ReadingTally()
    for n in range(7):
        tally.left_out.append(str(n))
    (note,) = tally.notes()
    assert str(note) == "skipped files of another kind: 0, 1, 2, 3, 4 and 2 other files"


def test_tallies_of_parts_add_up_to_that_of_the_whole() -> None:
    whole, parts = ReadingTally(), [ReadingTally() for _ in range(4)]
    for n in range(16):
        for tally in (whole, parts[n // 4]):
            tally.count(Document(f"d{n}", "" if n % 5 == 0 else "text"))
            tally.decode(b"\xff" * (n % 3), f"place {n}")
            tally.left_out.append(f"file {n}")
            tally.outside.append(Note.of("text_outside", f"file {n}", byte=n))
            tally.entities.update({f"e{n % 7}": n + 1})
    together = ReadingTally()
    for part in parts:
        for note in part.notes(entities=None):
            together.add(note)
    assert together.notes() == whole.notes()
    with pytest.raises(ValueError, match="no notes of the kind query_empty"):
        together.add(Note.of("query_empty"))
