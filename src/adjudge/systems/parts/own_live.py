"""A function or object of this very program as a system: what a notebook compares with ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

from ...core.run import Run
from ..system import System, Topics
from .own_calls import Asked, one_line, run_of_code
from .own_program import LIMIT, OwnSystemError, check_limit, check_run, known_ids, note_unanswered
from .version import Aids, Version


@dataclass(frozen=True, eq=False)
class LiveSystem(System):
    """Code that is there already and cannot be sent to another process: it works in a thread of this one.

    After its time limit it is given up, and goes on unheard until it ends: a thread cannot be ended.
    """

    name: ClassVar[str] = "python"

    of: Any
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""
    """Says that code with the same version finds the same; without one, the code is run each time."""
    limit: float = LIMIT
    each: bool | None = None

    def __post_init__(self) -> None:
        check_limit(self.limit, self.name)

    def __str__(self) -> str:
        kind = self.of if hasattr(self.of, "__qualname__") else type(self.of)
        of = f"{getattr(kind, '__module__', '')}:{getattr(kind, '__qualname__', '')}".replace('"', "")
        given = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        return f'python(of="{of}"{given})'

    def code(self, home: Path) -> Mapping[str, str]:
        del home
        return {"version": self.version}

    def prepare(self, version: Version, aids: Aids) -> None:
        known_ids(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        folder = version.folder_for("own", str(self))
        folder.mkdir(parents=True, exist_ok=True)
        asked = Asked(topics, version.documents, folder, k, self.settings, self.each)
        runs, wrong = list[Run](), list[BaseException]()

        def work() -> None:
            try:
                runs.append(run_of_code(self.of, asked))
            except BaseException as error:
                wrong.append(error)

        thread = Thread(target=work, daemon=True)
        thread.start()
        thread.join(self.limit)
        if thread.is_alive():
            raise OwnSystemError(f"did not end within its limit of {self.limit:g} seconds")
        if wrong:
            raise OwnSystemError(one_line(wrong[0], __file__)) from wrong[0]
        run = check_run(runs[0], topics, known_ids(version), k)
        note_unanswered(version, topics, run)
        return run
