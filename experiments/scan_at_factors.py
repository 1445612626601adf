"""A scanner for several levels at once: a page is printed and scanned one time, then reduced and read for each level.

Printing and scanning take a third of a page's time. A job of the package has one text for each document: the readings
stand in it one after the other, divided by a bar between form feeds, which no engine leaves in a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from adjudge.core.document import Document
from adjudge.noise.degrader import Degraded, Degrader
from adjudge.noise.engines.engine import PageFailure
from adjudge.noise.scanner import Scanner

BETWEEN = "\f|\f"


@dataclass(frozen=True)
class FactorScanner(Degrader):
    """What a scanner makes of a document at each of some factors; the scanner's own factor does not count."""

    scanner: Scanner
    factors: tuple[float, ...]

    task: ClassVar[str] = "scan"

    def degrade(self, document: Document) -> Degraded:
        texts: list[list[str]] = [[] for _ in self.factors]
        failures, pages = [], 0
        for _, page in self.scanner.pages(document):
            pages += 1
            for factor, so_far in zip(self.factors, texts, strict=True):
                try:
                    so_far.append(self.scanner.read(page, factor))
                except PageFailure as failure:
                    so_far.append("")
                    failures.append(f"page {pages} at {factor:g}: {failure}")
        return Degraded(document.id, BETWEEN.join(map("\n".join, texts)), pages * len(texts), tuple(failures))

    def patience(self, document: Document) -> float:
        return len(self.factors) * self.scanner.patience(document)

    @property
    def settings(self) -> dict[str, object]:
        return {**self.scanner.settings, "factors": list(self.factors), "between": BETWEEN}


def readings_of(document: Document) -> list[Document]:
    """What became of a document at each factor; a file has no white space at the ends of a text."""
    return [document._replace(text=text.strip("\f")) for text in f"\f{document.text}\f".split(BETWEEN)]
