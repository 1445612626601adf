"""Documents in every layout, from every kind of place, whole and damaged."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import tarfile
import threading
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import ConflictError, DataError, SpecError
from adjudge.formats.documents import read_documents
from adjudge.formats.documents.document_reading import ORDER
from adjudge.formats.documents.layout import ReadingTally, layouts
from adjudge.formats.documents.layouts.trec import TrecLayout
from adjudge.formats.documents.streams import Stream
from adjudge.storage.zstd import pack

TREC = b"""<DOC>
<DOCNO> FR940104-0-00001 </DOCNO>
<PARENT> FR940104-0-00001 </PARENT>
<TEXT>

<!-- PJG ITAG l=90 g=1 f=1 -->

<USDEPT>DEPARTMENT OF AGRICULTURE</USDEPT>

<!-- PJG /ITAG -->
<DOCTITLE>Oranges &amp;
Lemons</DOCTITLE>
&sect;&blank;5 x&hyph;ray at 20&cir;C, caf&eacute; &#233; &#xE9; &pacute; AT&T
if a < b<FOOTCITE>1</FOOTCITE>then
</TEXT>
</DOC>
<DOC><DOCNO>B</DOCNO><TEXT></TEXT></DOC>
"""


def documents(data: bytes | str, layout: str | None = None, name: str = "docs") -> list[Document]:
    opened = io.BytesIO(data.encode() if isinstance(data, str) else data)
    opened.name = name
    return list(read_documents(opened, layout))


# TREC SGML


def test_trec() -> None:
    first, second = documents(TREC)
    assert first.id == "FR940104-0-00001"
    assert first.title == "Oranges & Lemons"
    lines = [line for line in first.text.split("\n") if line.strip()]
    assert lines == [
        "DEPARTMENT OF AGRICULTURE",
        "Oranges &",
        "Lemons ",
        "§ 5 x-ray at 20°C, café é é   AT&T",
        "if a < b 1 then",
    ]
    assert second == Document("B", "")


def test_trec_notes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(TREC + b"stray\n<DOC><DOCNO>C</DOCNO>caf\xe9 \xff</DOC>")
    found = read_documents(tmp_path / "a")
    assert not found.notes
    assert [d.id for d in found] == ["FR940104-0-00001", "B", "C"]
    assert tuple(map(str, found.notes)) == (
        "2 sequences of bytes are not UTF-8 and became U+FFFD, in 1 place, first in C",
        "1 document has no text: B",
        "unknown entities were replaced by a blank: &pacute; 1×",
        f"{tmp_path / 'a'}: byte {len(TREC) - 1}: text outside of documents was skipped",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<DOC><DOCNO>1</DOCNO>a", "byte 0: a <DOC> without </DOC>"),
        (" <DOC>a</DOC>", "byte 1: a <DOC> without DOCNO"),
        ("<DOC><DOCNO> </DOCNO>a</DOC>", "byte 0: a <DOC> without DOCNO"),
        ("<DOC><DOCNO>1a</DOC>", "byte 0: a <DOC> without DOCNO"),
        ("<DOC><DOCNO>1</DOCNO><DOC></DOC></DOC>", "byte 21: a <DOC> inside the one at byte 0"),
        ("<DOC><DOCNO>1</DOCNO><DOCNO>2</DOCNO></DOC>", "byte 21: a second <DOCNO> in one <DOC>"),
        ("<DOC><DOCNO>1</DOCNO></DOCNO></DOC>", "byte 21: </DOCNO> without <DOCNO>"),
        ("<DOC><DOCNO>1</DOCNO></DOC></DOC>", "byte 27: </DOC> without <DOC>"),
        ("<DOCNO>1</DOCNO>", "byte 0: <DOCNO> outside of a <DOC>"),
        ("<DOC><DOCNO>1</DOCNO>a<!-- b</DOC>", "byte 22: a comment without end"),
        ("nothing", "byte 0: no <DOC>"),
    ],
)
def test_bad_sgml_names_file_and_byte(text: str, why: str) -> None:
    with pytest.raises(DataError, match=re.escape(f"docs: {why}")):
        documents(text, "trec")


def test_byte_is_right_after_many_pieces() -> None:
    whole = b"<DOC><DOCNO>1</DOCNO>abc</DOC>\n" * 3 + b"<DOC><DOCNO>2</DOCNO><DOC>"
    for size in range(1, 40):
        with pytest.raises(DataError, match=r"byte 114: a <DOC> inside the one at byte 93"):
            list(TrecLayout().read(cut(whole, [size]), ReadingTally()))


def cut(whole: bytes, sizes: list[int]) -> Stream:
    """A stream that comes in pieces of these sizes, over and over; the head is the first of them only."""

    def pieces() -> Any:
        at, turn = 0, 0
        while at < len(whole):
            size = sizes[turn % len(sizes)]
            yield whole[at : at + size]
            at, turn = at + size, turn + 1

    stream = Stream("cut", "cut", True, iter(()))
    stream._pieces = pieces()
    return stream


MARKUP = [
    "<!-- a -->",
    "<!-- a > b -->",
    "<!-- <b> -->",
    "<!-->",
    "<A>",
    "</A>",
    "\n",
    "\n",
    " ",
    "x",
    "y z",
    "a < b",
    ">",
    "--",
]


def slow_text(raw: str) -> str:
    """Mark-up to blanks, character by character."""
    made, at = "", 0
    while at < len(raw):
        if raw.startswith("<!--", at):
            at, made = raw.index("-->", at + 2) + 3, made + " "
        elif re.match("<[A-Za-z/?!]", raw[at:]) and re.match("[^<]*>", raw[at + 1 :]):
            at, made = raw.index(">", at) + 1, made + " "
        else:
            at, made = at + 1, made + raw[at]
    return unescape(made)


@given(
    st.lists(st.lists(st.sampled_from(MARKUP)).map("".join), min_size=1, max_size=4),
    st.lists(st.integers(1, 50), min_size=1),
)
def test_trec_is_its_slow_definition_in_any_pieces(bodies: list[str], sizes: list[int]) -> None:
    whole = "\n".join(f"<DOC><DOCNO>{n}</DOCNO>{body}</DOC>" for n, body in enumerate(bodies)).encode()
    found = list(TrecLayout().read(cut(whole, sizes), ReadingTally()))
    assert [d.id for d in found] == [str(n) for n in range(len(bodies))]
    assert [d.text.split() for d in found] == [slow_text(body).split() for body in bodies]


@pytest.mark.slow
def test_a_line_of_100_megabytes() -> None:
    line = b"word " * 20_000_000
    (found,) = documents(b"<DOC><DOCNO>1</DOCNO>" + line + b"</DOC>")
    assert len(found.text) == len(line) - 1
    (found,) = documents(b'{"id": "1", "text": "' + line + b'"}')
    assert len(found.text) == len(line) - 1


def test_lower_case_and_other_fields() -> None:
    head = "<doc><docno>LA-1</docno><DOCID>77</DOCID><HEADLINE><P>Sun &lt; rain</P></HEADLINE>"
    text = f"{head}<TEXT>It shines.</TEXT></doc>"
    assert documents(text, "trec") == [Document("LA-1", "Sun < rain It shines.", "Sun < rain")]


# other layouts


def test_jsonl() -> None:
    text = (
        '\n{"id": 7, "title": "Wings", "text": "Lift grows."}\n{"_id": "b", "contents": "Wings", "title": "Wings"}\r\n'
    )
    assert documents(text) == [Document("7", "Wings\nLift grows.", "Wings"), Document("b", "Wings", "Wings")]
    assert documents('{"k": "1", "a": "x", "b": "y", "title": null}', "jsonl(id=k, text=[a, b])") == [
        Document("1", "x\ny")
    ]
    assert documents(b'{"id": "1", "text": "\\ud800 \xff"}')[0].text == "\ufffd \ufffd"


@pytest.mark.parametrize(
    ("line", "error", "why"),
    [
        ('{"text": "a"}', DataError, "docs:2: no id: none of id, _id,"),
        ('{"id": "1"}', DataError, "docs:2: no text: none of text, contents,"),
        ('{"id": "1", "text": 5}', DataError, "docs:2: text is 5, not text"),
        ('{"id": true, "text": ""}', DataError, "docs:2: the id is True, not a string"),
        ('{"id": "", "text": ""}', DataError, "docs:2: no id"),
        ('["id"]', DataError, "docs:2: not a JSON object"),
        ('{"id": "1",', DataError, "docs:2: not JSON on one line:"),
        ('{"id": "1", "id": "2", "text": ""}', ConflictError, "docs:2: the key 'id' occurs twice"),
    ],
)
def test_bad_jsonl(line: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=re.escape(why)):
        documents('{"id": "0", "text": "fine"}\n' + line, "jsonl")


def test_tsv() -> None:
    assert documents("1\ta\tb\n\n2\t\n", "tsv") == [Document("1", "a\tb"), Document("2", "")]
    assert documents("docno\ttitle\ttext\n1\tA\tb c\n") == [Document("1", "A\nb c", "A")]
    assert documents("1\ta b\n", name="docs.tsv") == [Document("1", "a b")]
    with pytest.raises(DataError, match="docs:2: expected an id, a tab and the text: 'two'"):
        documents("1\ta\ntwo", "tsv")
    with pytest.raises(DataError, match="docs:2: 2 columns expected, 3 found"):
        documents("id\ttext\n1\ta\tb")


def test_html() -> None:
    page = """<!DOCTYPE html><head><title>A &amp; B</title><style>p > a {}</style><script>if (a<b) x()</script></head>
    <body title="a > b"><!-- no --><h1>Big</h1><p>w<b>or</b>d &lt; 2&nbsp;km<br>a < b
    <p>end<ul><li>one<li>two</ul><script>x"""
    (found,) = documents(page, name="site/a.html")
    assert found == Document("a", "A & B\nBig\nword < 2 km\na < b\nend\none\ntwo", "A & B")


MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="f(x)&amp;lt;1"><semantics><mrow>'
    "<mi>f</mi><mo>\u2061</mo><mo>(</mo><mi>x</mi><mo>)</mo><mo>&lt;</mo><mn>1</mn></mrow>"
    '<annotation encoding="application/x-tex">f(x)</annotation></semantics></math>'
)


def test_xhtml_formulas() -> None:
    page = f"<!DOCTYPE html><html><title>On $f(x)$</title><p>Let {MATH}, and {MATH}.</p></html>"
    assert documents(page)[0].text == "On f(x)\nLet f ( x ) < 1 , and f ( x ) < 1 ."
    assert documents(page, "xhtml(formulas=drop)")[0].text == "On\nLet , and ."
    words = documents(page, "xhtml(formulas=token)")[0].text.split()
    assert words[3] == words[6]
    assert re.fullmatch("formula[0-9]{15}", words[3])
    assert words[1] != words[3]
    with pytest.raises(SpecError, match="formulas must be one of text, drop, token, not html"):
        documents(page, "xhtml(formulas=html)")


LATEX = r"""\documentclass{article}
\pmtitle{H\"older's ring}
\pmdefines{hidden} % comment \begin{document}
\newtheorem{thm}{Theorem}
\begin{document}
\PMlinkescapeword{word}
Let $R$ be a \emph{ring}, 50\% of~it\footnote{Nearly.}. See \PMlinkname{ideals}{Ideal} \cite{a}, ``so''--- % gone
\begin{thm}[Noether]\label{t}
\[ a\$b \] and \begin{align*}x&=1\label{e}\end{align*}
{\bf Poincar\'e}, Erd\H{o}s, \v Cech, Stra{\ss}e\\[2pt] end \verb|\x%|.
\end{thm}
\end{document}
trailing
"""


def test_latex() -> None:
    (found,) = documents(LATEX, name="x/ring.tex")
    assert (found.id, found.title) == ("ring", "Hölder's ring")
    assert (
        found.text.split()
        == (
            "Hölder's ring Let R be a ring , 50% of it Nearly.. See ideals , “so”— a\\$b and x&=1 "
            "Poincaré, Erdős, Čech, Straße end \\x%."
        )
        .replace("ring ,", "ring,")
        .split()
    )
    assert "$" not in documents(LATEX, "latex(formulas=drop)")[0].text
    assert len(re.findall("formula[0-9]{15}", documents(LATEX, "latex(formulas=token)")[0].text)) == 3


# places


def test_folder_of_texts(tmp_path: Path) -> None:
    for name, text in {
        "b.txt": "two",
        "a/z.txt": "one",
        "fr.0": "x",
        "fr.1": "",
        ".hidden": "no",
        "c.txt.gz": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(gzip.compress(b"packed") if name.endswith(".gz") else text.encode())
    found = read_documents(tmp_path)
    expected = [("a/z", "one"), ("b", "two"), ("c", "packed"), ("fr.0", "x"), ("fr.1", "")]
    assert [(d.id, d.text) for d in found] == expected
    assert [(d.id, d.text) for d in found] == expected  # again
    assert tuple(map(str, found.notes)) == ("1 document has no text: fr.1",)
    assert found.read == found.size == sum(p.stat().st_size for p in tmp_path.rglob("[!.]*") if p.is_file())
    assert [d.id for d in read_documents(f"{tmp_path}/**/*.txt")] == ["a/z", "b"]
    assert [d.id for d in read_documents([tmp_path / "b.txt", f"{tmp_path}/a"])] == ["b", "z"]


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": pack,
}


def archive(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return made.getvalue()


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_files_and_archives(tmp_path: Path, ending: str) -> None:
    pack = PACKERS[ending]
    (tmp_path / "one").write_bytes(pack(TREC) + pack(TREC.replace(b"B<", b"C<").replace(b"0001 <", b"0002 <")))
    assert [d.id for d in read_documents(tmp_path / "one")] == ["FR940104-0-00001", "B", "FR940104-0-00002", "C"]
    tar = archive({"x/1": TREC, "x/2.gz": gzip.compress(b"<DOC><DOCNO>C</DOCNO>c</DOC>"), "x/README": b"words"})
    (tmp_path / "tar").write_bytes(pack(tar))
    found = read_documents(tmp_path / "tar")
    assert [d.id for d in found] == ["FR940104-0-00001", "B", "C"]
    assert str(found.notes[-1]) == f"skipped files of another kind: {tmp_path / 'tar'}/x/README"
    assert found.read == found.size
    (tmp_path / "cut").write_bytes(pack(tar)[:-9])
    with pytest.raises(DataError, match=r"cut: (truncated|damaged)"):
        list(read_documents(tmp_path / "cut", "trec"))
    (tmp_path / "more").write_bytes(pack(TREC) + b"something else")
    with pytest.raises(DataError, match="more: something else follows"):
        list(read_documents(tmp_path / "more", "trec"))


def test_damaged_archive(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(archive({"x": b"word " * 1000})[:2000])
    with pytest.raises(DataError, match=r"a.tar: damaged archive: unexpected end of data"):
        list(read_documents(tmp_path / "a.tar", "text"))
    link = io.BytesIO()
    with tarfile.open(fileobj=link, mode="w") as tar:
        info = tarfile.TarInfo("l")
        info.type, info.linkname = tarfile.SYMTYPE, "x"
        tar.addfile(info)
    with pytest.raises(DataError, match="docs: l is a link or device"):
        documents(link.getvalue(), "text")


def test_pipes_can_be_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TREC)))
    found = read_documents("-")
    assert [d.id for d in found] == [d.id for d in found] == ["FR940104-0-00001", "B"]
    one, other = iter(found), iter(found)  # passes do not disturb each other
    assert [next(one).id, next(other).id, next(one).id, next(other).id][2:] == ["B", "B"]
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(TREC,))
    writer.start()
    found = read_documents(tmp_path / "pipe")
    writer.join()
    assert len(list(found)) == len(list(found)) == 2


def test_what_most_files_are(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{n}\\end{{document}}")
    (tmp_path / "README.md").write_text("read me")
    found = read_documents(tmp_path)
    assert [(d.id, d.text) for d in found] == [("0", "0"), ("1", "1"), ("2", "2")]
    assert tuple(map(str, found.notes)) == (f"skipped files of another kind: {tmp_path / 'README.md'}",)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none", "none: no such file"),
        ("*.none", "no file there"),
        ("empty", "empty: no file there"),
        ("a.zip", "damaged zip archive"),
    ],
)
def test_nothing_there(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(DataError, match=re.escape(why)):
        read_documents(tmp_path / name)


def test_no_document() -> None:
    with pytest.raises(DataError, match="docs: no document found by the layout jsonl"):
        documents("\n\n", "jsonl")
    with pytest.raises(SpecError, match="no layout of documents 'sgm'"):
        documents("", "sgm")
    with pytest.raises(DataError, match="an empty list"):
        read_documents([])


def test_documents_pass_through() -> None:
    given_ = [Document("1", "a")]
    made = read_documents(given_)
    assert isinstance(made, InMemory)
    assert read_documents(made) is made
    assert list(made) == given_


def test_byte_order_mark_and_bad_utf8() -> None:
    assert documents(b"\xef\xbb\xbfword") == [Document("docs", "word")]
    assert documents(b"\xef\xbb\xbf" + TREC)[1].id == "B"
    assert documents(b"caf\xe9 \xef\xbf\xbd") == [Document("docs", "caf\ufffd \ufffd")]


# conformance


def test_every_layout_is_asked_and_explained() -> None:
    assert {*ORDER, "text"} == set(layouts.names)
    for kind in layouts.all():
        assert str(layouts.parse(str(kind()))) == str(kind())
        doc = kind.__doc__ or ""
        assert 20 <= len(kind.summary()) <= 118
        assert kind.summary().endswith(".")
        assert "Example:" in doc


# real collections


def test_federal_register(fr94: Path) -> None:
    found = read_documents(fr94)
    ids: set[str] = set()
    count = titles = 0
    for document in found:
        count += 1
        titles += bool(document.title)
        ids.add(document.id)
        assert "<!--" not in document.text
        assert "&hyph;" not in document.text
    assert count == len(ids) == 55630
    assert titles == 11055 - 102  # so many have a DOCTITLE, so many of these an empty one
    assert str(found.notes[0]).startswith("125 documents have no text, first ")
    assert str(found.notes[1]).startswith("unknown entities were replaced by a blank: &pacute; 3×, ")
    assert str(found.notes[2]).endswith("/fr94/SOURCE.md")


def test_mathematics(arqmath: Path, planetmath: Path) -> None:
    pages = read_documents(arqmath / "arqmath_mathdowsers/data/ARQMath/html_minimal_2021/selected", "xhtml")
    found = {d.id: d for d in pages}
    assert len(found) == 3395
    assert "⁢" not in found["1001895_1002239"].text
    assert found["1001895_1002239"].text.split("\n")[1].startswith("How is the shape of the curve f ( x ) , near x = a")
    articles = {d.id: d for d in read_documents(planetmath / "planetmath", "latex")}
    assert len(articles) == 9320
    assert all(d.text for d in articles.values())
    one = articles["20_Group_theory_and_generalizations/20E28-MaximalSubgroup"]
    assert one.title == "maximal subgroup"
    assert "is not maximal among all subgroups of G" in one.text


def test_a_title_that_only_begins_the_first_word_is_added(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        '{"id": "1", "title": "solar", "text": "solarium"}\n{"id": "2", "title": "Sun", "text": "Sun and moon"}\n'
    )
    assert [d.text for d in read_documents(tmp_path / "d.jsonl")] == ["solar\nsolarium", "Sun and moon"]


def test_a_title_is_not_doubled_where_lines_break_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        '{"id": "1", "title": "solar power", "text": "solar power in florida"}\n'
        '{"id": "2", "title": "solar power", "text": "solar\\npower in florida"}\n'
        '{"id": "3", "title": "solar  power", "text": "solar power"}\n'
        '{"id": "4", "title": "solar power", "text": "solar powers"}\n'
    )
    texts = [d.text for d in read_documents(tmp_path / "d.jsonl")]
    assert texts == [
        "solar power in florida",
        "solar\npower in florida",
        "solar power",
        "solar power\nsolar powers",
    ]


def test_half_a_character_in_an_id_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": "\\udcff", "text": "a"}\n')
    with pytest.raises(DataError, match=r"d.jsonl:1: the id .* is not valid Unicode"):
        list(read_documents(tmp_path / "d.jsonl"))


@pytest.mark.parametrize(("line", "kind"), [("1 0 d{} 1\n", "relevance judgments"), ("1 Q0 d{} {} 2.5 tag\n", "a run")])
def test_runs_and_judgments_are_no_documents(tmp_path: Path, line: str, kind: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text("".join(line.format(n, n) for n in range(5)))
    with pytest.raises(DataError, match=f"x.txt: looks like {kind}, not documents"):
        read_documents(path)
    assert [d.id for d in read_documents(path, layout="text")] == ["x"]
