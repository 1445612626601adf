from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import SpecError
from ...core.spec import is_count
from ...formats.documents.page_images import Picture
from ...formats.documents.page_text import PageText
from ._orf import words_of_orf
from ._program import locate, run, text_of, version
from .engine import Bits, Engine, bitmap


@dataclass(frozen=True)
class Ocrad(Engine):
    """GNU Ocrad: characters are recognised by features of their shapes, without a dictionary or a model of language.

    Its errors are those of the 1990s: one shape taken for another, letters that touch read as one. It is by far the
    fastest of the engines.

    Formula: the picture is cut into connected blobs, blobs are put together to characters and lines, and each blob is
    classified by hand-written rules on its holes, ends and profiles.

    ``scale``: the picture is first enlarged so many times, which helps where characters are less than 20 dots high.

    Example: a page of 10 points at 400 dpi is read with 2 % of wrong characters, one at 200 dpi with 10 %.
    """

    name: ClassVar[str] = "ocrad"
    scale: int = 1

    def __post_init__(self) -> None:
        if not (is_count(self.scale) and self.scale <= 8):
            raise SpecError(f"ocrad: scale must be a whole number from 1 to 8, not {self.scale}")

    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:  # noqa: ARG002 - ocrad has no use for it
        command = [locate("ocrad", "ocrad"), "--format=utf8", "--quiet"]
        if self.scale > 1:
            command.append(f"--scale={self.scale}")
        return text_of(run([*command, "-"], bitmap(page), timeout), "ocrad")

    def read_words(self, picture: Picture, *, timeout: float) -> PageText:
        """By ocrad's own file of results, which has a box and a value for each character."""
        command = [locate("ocrad", "ocrad"), "--format=utf8", "--quiet", "--export=-"]
        if self.scale > 1:
            command.append(f"--scale={self.scale}")
        printed = run([*command, "-"], picture.pgm(), timeout).decode("utf-8", "replace")
        return words_of_orf(printed, self.scale)

    def version(self) -> str:
        return "ocrad " + version(locate("ocrad", "ocrad"), "--version", r"(?i)ocrad (?:version )?([\w.-]+)")
