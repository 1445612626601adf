"""The scanner: a document is set on pages, the pages are printed and scanned, and an engine reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..core.document import Document
from ..core.errors import SpecError
from ..core.spec import is_count, is_number
from .degrader import Degraded, Degrader
from .engines.engine import Engine, PageFailure
from .engines.ocrad import Ocrad
from .pages.scanning import Bits, Scan, reduce
from .pages.typesetting import PageLayout, typeset
from .seeding import generator


@dataclass(frozen=True)
class Scanner(Degrader):
    """Degrades documents by real optical character recognition of page images.

    Pages are read one after the other; one that fails is tried again ``retries`` times, and if it still fails its
    place in the text stays empty and the document's ``failures`` say so. Scanned pages do not depend on the factor by
    which they are then reduced, nor on the engine.
    """

    task: ClassVar[str] = "scan"

    layout: PageLayout = field(default_factory=PageLayout)
    scan: Scan = field(default_factory=Scan)
    engine: Engine = field(default_factory=Ocrad)
    seed: int = 0
    timeout: float = 60.0
    retries: int = 1

    def __post_init__(self) -> None:
        if not (is_number(self.timeout) and self.timeout > 0):
            raise SpecError(f"scanner: timeout must be above 0 seconds, not {self.timeout}")
        if not (self.retries == 0 or is_count(self.retries)):
            raise SpecError(f"scanner: retries must be a whole number, 0 or more, not {self.retries}")

    def degrade(self, document: Document) -> Degraded:
        from .pages.rendering import press

        pages = typeset(document.text, self.layout)
        texts, failures = [], []
        for number, lines in enumerate(pages):
            try:
                texts.append(self.read(self.page(document.id, number, lines)))
            except PageFailure as failure:
                texts.append("")
                failures.append(f"page {number + 1}: {failure}")
        notes = press(self.layout, self.scan.blur).notes(line for lines in pages for line in lines) if pages else {}
        return Degraded(document.id, "\n".join(texts), len(pages), tuple(failures), notes)

    def page(self, document: str, number: int, lines: list[str]) -> Bits:
        """One scanned page of a document at full size, its number counted from 0."""
        from .pages.rendering import press

        rng = generator(self.seed, str(number), document)
        angle = self.scan.angle(rng)
        return self.scan.expose(press(self.layout, self.scan.blur).page(lines, angle), rng)

    def pages(self, document: Document) -> Iterator[tuple[list[str], Bits]]:
        """The pages of a document: the lines that were set, and the scanned page at full size."""
        for number, lines in enumerate(typeset(document.text, self.layout)):
            yield lines, self.page(document.id, number, lines)

    def read(self, page: Bits, factor: float | None = None) -> str:
        """What the engine reads on a scanned page once it is reduced, tried again if it fails, or a PageFailure."""
        factor = self.scan.factor if factor is None else factor
        small = reduce(page, factor)
        dpi = max(1, round(self.layout.dpi / factor))
        for left in range(self.retries, -1, -1):
            try:
                return self.engine.read(small, dpi=dpi, timeout=self.timeout)
            except PageFailure:
                if not left:
                    raise
        raise PageFailure("never tried")  # pragma: no cover - the loop has returned or raised

    def patience(self, document: Document) -> float:
        """Every page may take its time, as often as it is tried, and there is room for the rest."""
        pages = len(typeset(document.text, self.layout))
        return 120 + (self.timeout + 5) * (self.retries + 1) * max(1, pages)

    def require(self) -> None:
        """Raise a MissingExtraError that says what to install if the engine, the font or Pillow is not there."""
        from .pages.faces import faces_of
        from .pages.glyphs import pillow_version

        self.engine.version()
        pillow_version()
        faces_of(self.layout.font)

    @property
    def settings(self) -> dict[str, object]:
        from dataclasses import asdict
        from pathlib import Path

        from .pages.faces import digest, faces_of
        from .pages.glyphs import pillow_version

        faces: dict[str, Any] = {Path(file).name: digest(file) for file in faces_of(self.layout.font)}
        return {
            "engine": str(self.engine),
            "engine version": self.engine.version(),
            "layout": asdict(self.layout),
            "scan": asdict(self.scan),
            "seed": self.seed,
            "timeout": self.timeout,
            "retries": self.retries,
            "faces": faces,
            "Pillow": pillow_version(),
            "numpy": np.__version__,
        }
