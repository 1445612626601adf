"""Degraders for the tests of jobs: they must be importable by name, because worker processes make them anew."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from adjudge.core.document import Document
from adjudge.core.errors import SpecError
from adjudge.core.note import Note
from adjudge.noise.degrader import Degraded, Degrader
from adjudge.noise.engines.engine import Bits, Engine, PageFailure


@dataclass(frozen=True)
class Reversing(Degrader):
    """Turns texts round; documents whose id is in a list make trouble, always or until a file says that they did."""

    slow: float = 0.0
    waits: tuple[str, ...] = ()
    """Documents that take as long as there is no file "go" in the folder ``marks``."""
    dies: tuple[str, ...] = ()
    dies_once: tuple[str, ...] = ()
    exits: tuple[str, ...] = ()
    hangs: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    surrogates: tuple[str, ...] = ()
    marks: str = ""
    limit: float = 60.0

    def degrade(self, document: Document) -> Degraded:
        id_ = document.id
        time.sleep(self.slow)
        while id_ in self.waits and not Path(self.marks, "go").exists():
            time.sleep(0.01)
        if id_ in self.dies or (id_ in self.dies_once and not self._marked(id_)):
            os.kill(os.getpid(), signal.SIGKILL)
        if id_ in self.hangs:
            time.sleep(3600)
        if id_ in self.raises:
            raise ValueError(f"no way with {id_}")
        if id_ in self.refuses:
            raise SpecError(f"cannot work: {id_}")
        print("noise on standard output is no answer")
        text = document.text[::-1] + ("\ud800" if id_ in self.surrogates else "")
        failures = ("page 2: the engine crashed",) if id_ in self.failing else ()
        if id_ in self.exits:
            os._exit(7)
        done = Degraded(id_, text, 1 + len(document.text) // 50, failures)
        return done._replace(notes={Note.of("shape_missing", "U+200B"): 1}) if sum(map(ord, id_)) % 3 == 0 else done

    def _marked(self, id_: str) -> bool:
        path = Path(self.marks) / id_
        known = path.exists()
        path.touch()
        return known

    def patience(self, document: Document) -> float:
        return self.limit

    @property
    def settings(self) -> dict[str, object]:
        return {"degrader": "reversing", "nested": {"slow": 0}}


@dataclass(frozen=True)
class Blind(Engine):
    """Reads one word on every page, and fails on pages that are too small or everywhere."""

    name: ClassVar[str] = "blind"
    least: int = 0

    def read(self, page: Bits, *, dpi: int, timeout: float) -> str:
        if page.shape[1] < self.least:
            raise PageFailure("too small to see")
        return "word"

    def version(self) -> str:
        return "blind 1"
