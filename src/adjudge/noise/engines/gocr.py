from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.spec import is_count, require
from ._program import locate, run, text_of, version
from .engine import Bits, Engine, bitmap


@dataclass(frozen=True)
class Gocr(Engine):
    """GOCR: characters are recognised by rules on their outlines, without a dictionary or a model of language.

    What it cannot tell it prints as an underscore.

    Formula: the picture is cut into boxes and lines; each box is tried against hand-written rules for every character,
    and the first that is certain enough is taken.

    ``certainty``: how sure a character must be to be printed, in percent.

    Example: a page of 10 points is read best at about 270 dpi, with 5 % of wrong characters; at 400 dpi it is 8 %.
    """

    name: ClassVar[str] = "gocr"
    certainty: int = 95

    def __post_init__(self) -> None:
        fine = is_count(self.certainty) and self.certainty <= 100
        require(self, "certainty", fine, "be a percentage from 1 to 100")

    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:  # noqa: ARG002 - gocr has no use for it
        command = [locate("gocr", "gocr"), "-f", "UTF8", "-a", str(self.certainty), "-"]
        return text_of(run(command, bitmap(page), timeout), "gocr")

    def version(self) -> str:
        return "gocr " + version(locate("gocr", "gocr"), "-h", r"gocr ([\w.]+)")
