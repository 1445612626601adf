"""Files of scanned pages: text in reading order, words with boxes and confidences, units, archives, bad files."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudge.core.document import Document
from adjudge.core.errors import DataError, SpecError
from adjudge.formats.documents import read_documents
from adjudge.formats.documents.page_text import PageText, assemble
from adjudge.formats.documents.scan_reading import ScanFiles
from scan_files import HOCR, alto, mets, page_xml


def read(place: Path, **options: object) -> ScanFiles:
    documents = read_documents(place, **options)  # type: ignore[arg-type]
    assert isinstance(documents, ScanFiles)
    return documents


def words(document: Document) -> list[tuple[str, list[int], int]]:
    return [
        (document.text[start:end], box.tolist(), int(sure))
        for page in document.pages
        for start, end, box, sure in zip(page.starts, page.ends, page.boxes, page.confidences, strict=True)
    ]


@pytest.mark.parametrize("version", [2, 3, 4])
def test_alto(tmp_path: Path, version: int) -> None:
    (tmp_path / "0007.xml").write_bytes(alto(["The north pier", "was rebuilt"], version=version, image="0007.tif"))
    (tmp_path / "0007.tif").write_bytes(b"II*\0")
    (document,) = read(tmp_path)
    assert (document.id, document.text) == ("0007", "The north pier\nwas rebuilt")
    assert words(document)[1] == ("north", [90, 40, 140, 70], 50)
    page = document.pages[0]
    assert (page.image, page.width, page.height, page.label) == ("0007.tif", 1000, 800, "p")


def test_hocr(tmp_path: Path) -> None:
    (tmp_path / "book.hocr").write_bytes(HOCR)
    (tmp_path / "two.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    first, second = read(tmp_path)
    assert (first.id, second.id, second.text) == ("book/1", "book/2", "second")
    assert first.text == "North pi&er\n\nline of words"
    assert words(first)[:2] == [("North", [10, 10, 90, 30], 91), ("pi&er", [100, 10, 160, 30], 40)]
    assert words(first)[2] == ("line", [0, 100, 59, 120], 255)
    assert (first.pages[0].image, first.pages[0].label, second.pages[0].label) == ("two.png", "1", "2")


@pytest.mark.parametrize("year", [2013, 2017, 2019])
def test_page_xml(tmp_path: Path, year: int) -> None:
    (tmp_path / "three.xml").write_bytes(page_xml(year))
    (document,) = read(tmp_path)
    assert document.text == "first\n\ntwo words"
    assert words(document) == [
        ("first", [10, 5, 60, 25], 50),
        ("two", [10, 50, 37, 70], 80),
        ("words", [45, 50, 90, 70], 80),
    ]


def test_reading_order_of_alto_4(tmp_path: Path) -> None:
    text = alto(["second column"], version=4).decode()
    block = text[text.index("<TextBlock") : text.index("</TextBlock>") + 12]
    other = block.replace('ID="b"', 'ID="a"').replace("second", "first")
    order = '<OrderedGroup ID="g"><ElementRef ID="e" REF="a"/><ElementRef ID="f" REF="b"/></OrderedGroup>'
    (tmp_path / "a.xml").write_text(
        text.replace(block, block + other).replace("<Layout>", f"<ReadingOrder>{order}</ReadingOrder><Layout>")
    )
    (document,) = read(tmp_path)
    assert document.text == "first column\n\nsecond column"


def test_words_cut_at_line_ends_are_joined_and_have_two_boxes(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(alto(["the contrac-", "tor of Port-", "Royal and e¬", "nd -", "so"]))
    (document,) = read(tmp_path)
    assert document.text == "the contractor\nof Port-\nRoyal and end\n-\nso"
    page, at = document.pages[0], document.text.index("contractor")
    assert page.boxes[page.words_in(at, at + 10)].tolist() == [[90, 40, 170, 70], [50, 80, 80, 110]]


def test_what_alto_says_of_a_cut_word_counts(tmp_path: Path) -> None:
    text = alto(["of Port", "Royal y"]).decode()
    text = text.replace('CONTENT="Port"', 'CONTENT="Port" SUBS_TYPE="HypPart1" SUBS_CONTENT="PortRoyal"')
    (tmp_path / "a.xml").write_text(text.replace('CONTENT="Royal"', 'CONTENT="Royal" SUBS_TYPE="HypPart2"'))
    (document,) = read(tmp_path)
    assert document.text == "of PortRoyal\ny"
    assert [word for word, _, _ in words(document)] == ["of", "Port", "Royal", "y"]


def test_units(tmp_path: Path) -> None:
    for volume in ("one", "two"):
        (tmp_path / volume).mkdir()
        for number in (1, 2):
            (tmp_path / volume / f"{number}.xml").write_bytes(alto([f"{volume} {number}"]))
    (tmp_path / "two" / "book.hocr").write_bytes(HOCR)
    ids = {unit: [document.id for document in read(tmp_path, unit=unit)] for unit in ("page", "file", "document")}
    assert ids["page"] == ["one/1", "one/2", "two/1", "two/2", "two/book/1", "two/book/2"]
    assert ids["file"] == ["one/1", "one/2", "two/1", "two/2", "two/book"]
    assert ids["document"] == ["one", "two"]
    one = next(iter(read(tmp_path, unit="document")))
    assert one.text == "one 1\n\none 2"
    assert [one.text[page.starts[0] : page.ends[-1]] for page in one.pages] == ["one 1", "one 2"]
    with pytest.raises(SpecError, match="unit must be one of"):
        read(tmp_path, unit="book")


def test_mets_orders_pages_and_names_their_images(tmp_path: Path) -> None:
    for folder in ("alto", "img"):
        (tmp_path / "vol" / folder).mkdir(parents=True)
    for name, text in (("x", "last page"), ("y", "first page")):
        (tmp_path / "vol" / "alto" / f"{name}.xml").write_bytes(alto([text]))
        (tmp_path / "vol" / "img" / f"scan {name}.jpg").write_bytes(b"\xff\xd8\xff")
    pages = [("2", ["alto/x.xml", "img/scan%20x.jpg"]), ("ii", ["file://alto/y.xml", "./img/scan y.jpg"])]
    (tmp_path / "vol" / "mets.xml").write_bytes(mets(pages))
    documents = list(read(tmp_path))
    assert [(d.text, d.title, d.pages[0].label) for d in documents] == [
        ("first page", "The Harbour", "ii"),
        ("last page", "The Harbour", "2"),
    ]
    assert documents[0].pages[0].image == "vol/img/scan y.jpg"
    (whole,) = read(tmp_path, unit="document")
    assert (whole.id, whole.text) == ("vol/mets", "first page\n\nlast page")
    assert whole.fields == documents[0].fields == (("year", "1893"),)


def block(name: str, *lines: str) -> str:
    """A block of ALTO, all of whose words stand in the same place."""
    box = 'HPOS="10" VPOS="10" WIDTH="50" HEIGHT="20"'
    rows = ("".join(f'<String CONTENT="{word}" {box}/>' for word in line.split()) for line in lines)
    return f'<TextBlock ID="{name}">{"".join(f"<TextLine>{row}</TextLine>" for row in rows)}</TextBlock>'


def test_articles_of_a_newspaper(tmp_path: Path) -> None:
    def page(*blocks: str) -> str:
        space = f"<PrintSpace>{''.join(blocks)}</PrintSpace>"
        return f'<alto><Layout><Page WIDTH="100" HEIGHT="90">{space}</Page></Layout></alto>'

    (tmp_path / "a").mkdir()
    body = block("t2", "It was re-", "built.") + block("t3", "More on page two")
    composed = f'<ComposedBlock ID="c1">{body}</ComposedBlock>'
    (tmp_path / "a" / "1.xml").write_text(page(block("head", "The Daily News"), block("t1", "Pier rebuilt"), composed))
    (tmp_path / "a" / "2.xml").write_text(page(block("t4", "The granite came"), block("t5", "Lost dog")))

    def area(file: str, name: str) -> str:
        return f'<fptr><area FILEID="{file}" BEGIN="{name}" BETYPE="IDREF"/></fptr>'

    logical = f"""<structMap TYPE="LOGICAL"><div TYPE="Newspaper"><div TYPE="ISSUE">
        <div TYPE="ARTICLE" ID="art1" DMDID="d1"><div TYPE="HEADING">{area("f1", "t1")}</div>
        <div TYPE="BODY">{area("f1", "c1")}{area("f1", "picture")}{area("f2", "t4")}</div></div>
        <div TYPE="ADVERTISEMENT" LABEL="A dog">{area("f2", "t5")}</div></div></div></structMap>"""
    files = "".join(f'<file ID="f{n}"><FLocat href="a/{n}.xml"/></file>' for n in (1, 2))
    physical = "".join(f'<div TYPE="page" ORDERLABEL="{n}"><fptr FILEID="f{n}"/></div>' for n in (1, 2))
    described = '<dmdSec><title>Daily News</title></dmdSec><dmdSec ID="d1"><title>The pier</title></dmdSec>'
    (tmp_path / "issue.mets.xml").write_text(
        f"<mets>{described}<fileSec>{files}</fileSec><structMap TYPE='PHYSICAL'>{physical}</structMap>{logical}</mets>"
    )
    documents = list(read_documents(tmp_path, unit="document"))
    assert [(d.id, d.title, d.text) for d in documents] == [
        ("issue/art1", "The pier", "Pier rebuilt\n\nIt was rebuilt.\n\nMore on page two\n\nThe granite came"),
        ("issue/2", "A dog", "Lost dog"),
        ("a/1", "Daily News", "The Daily News"),
    ]
    assert documents[0].fields == (("volume", "Daily News"),)
    assert [(p.label, len(p)) for p in documents[0].pages] == [("1", 10), ("2", 3)]
    assert [d.id for d in read_documents(tmp_path, unit="volume")] == ["issue"]
    assert [d.id for d in read_documents(tmp_path)] == ["a/1", "a/2"]


def test_a_mets_that_leaves_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_bytes(alto(["secret"]))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.xml").write_bytes(alto(["open"]))
    places = ["../secret.xml", "/etc/passwd", "a.xml", "http://example.org/b.xml", "none.xml", "x/../../secret.xml"]
    (tmp_path / "in" / "m.xml").write_bytes(mets([(str(n), [place]) for n, place in enumerate(places)]))
    documents = read(tmp_path / "in")
    assert [document.text for document in documents] == ["open"]
    whys = [failure.why.partition(": ")[2] for failure in documents.failures]
    outside = [f"it names {place!r}, which is outside of the collection" for place in ("../secret.xml", "/etc/passwd")]
    assert sorted(whys) == sorted(
        [
            *outside,
            "it names 'none.xml', which is not there",
            "it names 'x/../../secret.xml', which is outside of the collection",
        ]
    )


def _zip(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def _unnamed(archive: bytes) -> bytes:
    """The name of its only file, of one letter, taken for something else."""
    entry = archive.rindex(b"PK\x01\x02")
    return archive[: entry + 28] + struct.pack("<HH", 0, 1) + archive[entry + 32 :]


def _tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "pack"), [("vol.zip", _zip), ("vol.tar.gz", _tar)])
def test_archives(tmp_path: Path, name: str, pack: object) -> None:
    files = {"p/1.xml": alto(["one"]), "p/1.png": b"\x89PNG\r\n\x1a\n", "p/2.xml": alto(["two"])}
    (tmp_path / name).write_bytes(pack(files))  # type: ignore[operator]
    alone = list(read(tmp_path / name))
    assert [(d.id, d.text) for d in alone] == [("p/1", "one"), ("p/2", "two")]
    assert alone[0].pages[0].image == f"{name}!/p/1.png"
    (tmp_path / "3.xml").write_bytes(alto(["three"]))
    assert sorted(d.id for d in read(tmp_path)) == ["3", "vol/p/1", "vol/p/2"]


BOMB = b'<!DOCTYPE alto [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><alto><Layout>&b;</Layout></alto>'
OUTSIDE = b'<!DOCTYPE alto [<!ENTITY a SYSTEM "file:///etc/passwd">]><alto><Layout>&a;</Layout></alto>'


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("bomb.xml", BOMB, ":1: it declares entities"),
        ("outside.xml", OUTSIDE, ":1: it declares entities"),
        ("deep.xml", b"<alto>" + b"<a>" * 5000, "more than 200 deep"),
        ("cut.xml", alto(["a word"])[:-60], ":1: not well-formed XML"),
        ("odd.xml", b'<?xml version="1.0" encoding="klingon"?><alto></alto>', "odd.xml"),
        ("none.hocr", b"<meta name='ocr-system'/>", "no page"),
        ("a.pdf", b"%PDF-1.4\nnonsense", "not readable as PDF"),
        ("cut.zip", _zip({"a": b"x" * 99})[:40], "damaged zip archive"),
        ("unnamed.zip", _unnamed(_zip({"a": b"x" * 99})), "damaged zip archive: a file in it has no name"),
        ("bomb.zip", lambda: _zip({"a.xml": b"<alto>" + b" " * (100 << 20)}), "taken for a bomb"),
        ("word.docx", _zip({"[Content_Types].xml": b"<x/>"}), "an office document"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",  # the time stands in a zip
)
def test_a_bad_file_is_one_line_and_the_rest_goes_on(
    tmp_path: Path, name: str, data: bytes | Callable[[], bytes], why: str
) -> None:
    (tmp_path / "good.xml").write_bytes(alto(["good page"]))
    (tmp_path / "good2.xml").write_bytes(alto(["good page"], version=2))
    (tmp_path / name).write_bytes(data() if callable(data) else data)
    documents = read(tmp_path)
    assert [document.text for document in documents] == ["good page", "good page"]
    (failure,) = documents.failures
    assert why in failure.why
    assert name in failure.why
    assert "\n" not in failure.why
    assert any(why in str(note) for note in documents.notes)


def test_versions_and_formats_mixed_in_one_folder(tmp_path: Path) -> None:
    for version in (2, 3, 4):
        (tmp_path / f"a{version}.xml").write_bytes(alto([f"alto {version}"], version=version))
    for year in (2013, 2019):
        (tmp_path / f"p{year}.xml").write_bytes(page_xml(year))
    (tmp_path / "h.hocr").write_bytes(HOCR)
    documents = read(tmp_path)
    texts = {document.id: document.text for document in documents}
    assert [texts[f"a{version}"] for version in (2, 3, 4)] == ["alto 2", "alto 3", "alto 4"]
    assert texts["p2013"] == texts["p2019"] == "first\n\ntwo words"
    assert texts["h/2"] == "second"
    assert documents.failures == ()


MEMORY = """
import sys
from adjudge.core.machine import peak_memory
from adjudge.formats.documents import read_documents
documents = read_documents(sys.argv[1])
print([each.text for each in documents], documents.failures)
print(peak_memory())
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="files with holes, and memory as Linux says it")
def test_a_pdf_of_a_gigabyte_takes_little_memory(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2", reason="PDF needs pypdfium2")
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    objects.append(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>")
    objects.append(b"<</Length 40>>stream\nBT /F 20 Tf 30 100 Td (Granite pier) Tj ET\nendstream")
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    with (tmp_path / "large.pdf").open("wb") as file:
        file.write(b"%PDF-1.4\n")
        file.seek(1 << 30)
        places = []
        for number, each in enumerate(objects, 1):
            places.append(file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (number, each))
        table = file.tell()
        rows = b"".join(b"%010d 00000 n \n" % place for place in places)
        file.write(b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\n" % rows)
        file.write(b"startxref\n%d\n%%%%EOF" % table)
    command = [sys.executable, "-c", MEMORY, str(tmp_path)]
    out = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout.splitlines()
    assert out[0] == "['Granite pier'] ()"
    assert int(out[1]) < 300


def test_broken_boxes_are_counted_and_the_words_are_kept(tmp_path: Path) -> None:
    boxes = ['HPOS="-50" VPOS="0" WIDTH="20" HEIGHT="5"', 'HPOS="9" VPOS="9" WIDTH="-3" HEIGHT="5"']
    boxes += ['HPOS="nan" VPOS="0" WIDTH="1" HEIGHT="1"', 'HPOS="1e300" VPOS="0" WIDTH="1" HEIGHT="1"']
    boxes += ['HPOS="5000" VPOS="1" WIDTH="9" HEIGHT="9"', 'HPOS="995" VPOS="10" WIDTH="20" HEIGHT="5"']
    strings = "".join(f'<String CONTENT="w{n}" {box}/>' for n, box in enumerate(boxes))
    good = alto(["a good line of many words here and more"]).decode()
    (tmp_path / "a.xml").write_text(good.replace("<TextLine>", f"<TextLine>{strings}", 1))
    documents = read(tmp_path)
    (document,) = documents
    found = {word: box for word, box, _ in words(document)}
    assert [found[f"w{n}"] for n in range(6)] == [[0] * 4] * 5 + [[995, 10, 1000, 15]]
    assert any("box that lies outside" in str(note) for note in documents.notes)


def test_a_wrong_page_size_is_taken_as_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(alto(["some words"], width=10, height=10))
    (document,) = read(tmp_path)
    assert (document.pages[0].width, document.pages[0].height) == (0, 0)
    assert words(document)[0] == ("some", [50, 40, 90, 70], 40)


def test_images_without_text_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(DataError, match="no page with text: give an OCR engine"):
        list(read(tmp_path))
    (tmp_path / "b.xml").write_bytes(alto(["text"]))
    documents = read(tmp_path)
    assert [document.id for document in documents] == ["b"]
    assert [str(note) for note in documents.notes] == [
        f"1 image has no text beside, first {tmp_path / 'a.png'}: --ocr tesseract reads them"
    ]


def test_only_new_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudge.formats.documents import page_worker, scan_intake

    read_now: list[str] = []
    plain = page_worker.read_page_file

    def watched(file: page_worker.PageFile) -> page_worker.PagesRead:
        read_now.append(os.path.basename(file.name))
        return plain(file)

    monkeypatch.setattr(scan_intake, "read_page_file", watched)
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    (folder / "1.xml").write_bytes(alto(["one"]))
    (folder / "v.zip").write_bytes(_zip({"2.xml": alto(["two"])}))
    first = read(folder, store=store)
    assert [d.text for d in first] == [d.text for d in first] == ["one", "two"]
    assert read_now == ["1.xml", "2.xml"]
    del first
    (folder / "3.xml").write_bytes(alto(["three"]))
    assert [d.text for d in read(folder, store=store)] == ["one", "three", "two"]
    assert read_now == ["1.xml", "2.xml", "3.xml"]


def test_many_files_are_read_by_processes(tmp_path: Path) -> None:
    for number in range(70):
        (tmp_path / f"{number:02}.xml").write_bytes(alto([f"page number {number}"]))
    (tmp_path / "30.xml").write_bytes(b"<alto><broken></alto>")
    documents = read(tmp_path)
    texts = [document.text for document in documents]
    assert len(texts) == 69
    assert texts[-1] == "page number 69"
    assert len(documents.failures) == 1


def test_a_page_without_words() -> None:
    assert assemble([PageText().settle()])[0] == ""


def test_other_documents_take_no_unit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("plain")
    with pytest.raises(SpecError, match="--unit is for scanned pages"):
        read_documents(tmp_path, unit="file")
