"""Reading images of real scans by an engine, for those who read documents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..core.errors import DataError
from ..core.machine import cores
from ..formats.documents.page_images import Picture
from ..formats.documents.page_text import PageText
from .engines.engine import Engine, PageFailure, engines


@dataclass(frozen=True)
class EngineReader:
    """An engine as readers of documents see it; a page that it cannot read is an error of that page."""

    engine: Engine
    timeout: float = 300.0
    workers: int = 1

    @cached_property
    def identity(self) -> str:
        return f"{self.engine} {self.engine.version()}"

    def __call__(self, picture: Picture) -> PageText:
        try:
            return self.engine.read_words(picture, timeout=self.timeout)
        except PageFailure as failure:
            raise DataError(f"{self.engine}: {failure}") from None


def engine_reader(spec: str) -> EngineReader:
    """The engine that a spec asks for; a MissingExtraError if it is not installed."""
    reader = EngineReader(engines.parse(spec), workers=cores())
    reader.engine.version()
    return reader
