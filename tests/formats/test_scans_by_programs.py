"""Files that real programs wrote: tesseract's ALTO, hOCR, PDF and TSV of a page that we drew; typst's PDF, turned."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="page images need Pillow")
pytest.importorskip("pypdfium2", reason="PDF needs pypdfium2")

from adjudge.cli import main
from adjudge.core.document import Document
from adjudge.formats.documents import read_documents
from adjudge.index.index import Index
from adjudge.noise.page_reading import engine_reader

TEXT = """The harbour master kept his letters in a box.
In the winter the north pier was rebuilt with gran-
ite from the quarry, and the engineers complained."""


def spans(document: Document) -> dict[str, list[int]]:
    (page,) = document.pages
    parts = zip(page.starts, page.ends, page.boxes, strict=True)
    return {document.text[start:end].strip(".,"): box.tolist() for start, end, box in parts}


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page image and what tesseract writes of it."""
    if shutil.which("tesseract") is None:
        pytest.skip("tesseract is not installed")
    from PIL import Image

    from adjudge.noise.scanner import Scanner

    folder = tmp_path_factory.mktemp("scans")
    scanner = Scanner()
    ((_, page),) = scanner.pages(Document("d", TEXT))
    Image.fromarray((~page).astype("uint8") * 255).save(folder / "p1.png", dpi=(scanner.layout.dpi,) * 2)
    command = ["tesseract", "p1.png", "p1", "-l", "eng", "alto", "hocr", "pdf", "tsv"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    return folder


@pytest.mark.ocr
@pytest.mark.parametrize("name", ["p1.xml", "p1.hocr", "p1.pdf"])
def test_boxes_lie_on_the_words_that_tesseract_found(scans: Path, tmp_path: Path, name: str) -> None:
    shutil.copy(scans / name, tmp_path / name)
    shutil.copy(scans / "p1.png", tmp_path / "p1.png")
    (document,) = read_documents(tmp_path)
    assert document.text.startswith("The harbour master kept his letters in a box.")
    assert "with granite" in document.text
    (page,) = document.pages
    assert page.image == ("p1.pdf#page=1" if name == "p1.pdf" else "p1.png")
    with (scans / "p1.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["level"] == "5"]
    size = (1, 1) if name != "p1.pdf" else _scale(page.width, page.height, scans / "p1.png")
    found = spans(document)
    for row in rows:
        word = row["text"].strip(".,-")
        left, top = int(row["left"]) * size[0], int(row["top"]) * size[1]
        right, bottom = left + int(row["width"]) * size[0], top + int(row["height"]) * size[1]
        own = found.get(word)
        if own is None or sum(other["text"].strip(".,-") == word for other in rows) > 1:
            continue
        if name != "p1.pdf":
            assert own == [left, top, right, bottom]
        else:  # the letters of the layer below the image are of one width
            assert left - 30 <= own[0] < own[2] <= right + 30
            assert own[1] <= (top + bottom) / 2 <= own[3]
    if name != "p1.pdf":
        stated = np.array([float(row["conf"]) for row in rows])
        assert np.abs(page.confidences - stated).max() <= 1  # the programs round otherwise


def _scale(width: int, height: int, image: Path) -> tuple[float, float]:
    from PIL import Image

    with Image.open(image) as opened:
        return width / opened.width, height / opened.height


@pytest.mark.ocr
def test_an_image_is_read_once_and_its_boxes_have_ink(
    scans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    folder = tmp_path / "in"
    folder.mkdir()
    shutil.copy(scans / "p1.png", folder / "p1.png")
    (folder / "none.png").write_bytes(b"\x89PNG\r\n\x1a\nno image at all")
    command = ["index", str(folder), "-o", str(tmp_path / "i"), "--ocr", "tesseract"]
    assert main(command) == 1
    captured = capsys.readouterr()
    assert "none.png: a damaged image" in captured.err
    assert "1 failure in 2 files; the rest is indexed" in captured.err
    index = Index.open(tmp_path / "i")
    document, (page,) = index.document(0), index.pages(0)
    with Image.open(folder / "p1.png") as opened:
        ink = np.asarray(opened.convert("L")) < 128
    for left, top, right, bottom in page.boxes.tolist():
        inside = ink[top:bottom, left:right]
        assert inside.any()
        assert inside[:, :3].any()
        assert inside[:, -3:].any()
    assert "granite" in document.text
    assert index.certainty(index.number("granit")) is not None
    monkeypatch.setattr("adjudge.noise.engines.tesseract.run", None)  # asked again it would fail
    assert main(command) == 1
    assert Index.open(tmp_path / "i").document(0) == document


@pytest.mark.ocr
def test_ocrad_gives_boxes_too(scans: Path) -> None:
    (document,) = read_documents(scans / "p1.png", ocr=engine_reader("ocrad"))
    found = spans(document)
    left, top, right, bottom = found["harbour"]
    assert right - left > 3 * (bottom - top) > 0


PAGES = """#set page(width: 200pt, height: 100pt, margin: 10pt)
#set text(size: 10pt)
Granite from the quarry
#pagebreak()
#place(top + left, dx: 50pt, dy: 40pt)[anchor]
"""


@pytest.mark.parametrize("turn", [0, 90, 180])
def test_a_pdf_from_typst_as_it_is_and_turned(tmp_path: Path, turn: int) -> None:
    typst = pytest.importorskip("typst", reason="typst writes the PDF")
    import pypdfium2

    (tmp_path / "a.typ").write_text(PAGES)
    raw = typst.compile(str(tmp_path / "a.typ"), format="pdf")
    (tmp_path / "in").mkdir()
    pdf = pypdfium2.PdfDocument(raw)
    for page in pdf:
        page.set_rotation(turn)
    pdf.save(tmp_path / "in" / "book.pdf")
    drawn = np.asarray(pdf[1].render(scale=10, grayscale=True).to_pil().convert("L")) < 128
    pdf.close()
    first, second = read_documents(tmp_path / "in")
    assert (first.id, first.text, second.text) == ("book/1", "Granite from the quarry", "anchor")
    (page,) = second.pages
    assert (page.width, page.height) == ((2000, 1000) if turn != 90 else (1000, 2000))
    assert page.image == "book.pdf#page=2"
    left, top, right, bottom = page.boxes[0].tolist()
    rows, columns = np.nonzero(drawn)
    assert left - 2 <= columns.min() < columns.max() <= right + 2
    assert top - 2 <= rows.min() < rows.max() <= bottom + 2
    assert (right - left) * (bottom - top) < 5 * (np.ptp(columns) + 1) * (np.ptp(rows) + 1)


@pytest.mark.ocr
def test_a_pdf_without_text_is_said_or_read(scans: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    with Image.open(scans / "p1.png") as image:
        image.save(tmp_path / "bare.pdf", resolution=400)
    assert main(["index", str(tmp_path / "bare.pdf"), "-o", str(tmp_path / "i")]) == 2
    assert "bare.pdf: a PDF without text: --ocr tesseract reads its pages" in capsys.readouterr().err
    assert main(["index", str(tmp_path / "bare.pdf"), "-o", str(tmp_path / "i"), "--ocr", "tesseract"]) == 0
    assert "granite" in Index.open(tmp_path / "i").document(0).text
