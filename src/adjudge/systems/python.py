"""Code of one's own as a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..core.run import Run
from ..core.spec import require
from .parts.own_code import Target, digest_code
from .parts.own_files import check_files, digest_files
from .parts.own_program import LIMIT, check_limit, document_file, known_ids, parse_settings, run_in_process
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class PythonSystem(System):
    """A function or class of one's own, in a process of its own; what it retrieves is scored as any other run.

    Formula: none of ours: ``of`` names the code, and what it returns are its ranked lists. A function takes ``query``
    (one text), ``queries`` (a list of texts) or ``topics`` (texts by id); a class has ``answer`` and perhaps
    ``prepare``; what has ``transform`` is treated as a PyTerrier transformer.

    Parameters: ``of``, package.module:name or file.py:name, looked for beside the plan first; ``settings``, a JSON
    object whose values are passed on by name; ``version``, by which runs are kept, in place of the content of the code;
    ``reads``, files whose content counts as code does; ``limit`` in seconds (3600); ``each``, whether it takes one
    question at a time, if the name of its first parameter does not say so.

    No value: a question for which the code returns None or an empty list.

    Paper: that of whoever wrote the code.

    Example: python(of="rankers:search", settings="{\\"k1\\": 1.2}") calls search(queries, k1=1.2) of rankers.py.
    """

    name: ClassVar[str] = "python"
    entries: ClassVar[None] = None

    of: str
    settings: str = ""
    version: str = ""
    reads: tuple[str, ...] = ()
    limit: float = LIMIT
    each: bool | None = None

    def __post_init__(self) -> None:
        require(self, "of", isinstance(self.of, str), "be package.module:name")
        Target.parse(self.of)
        object.__setattr__(self, "version", str(self.version))
        parse_settings(self.settings, self.name)
        check_limit(self.limit, self.name)
        require(self, "each", self.each in (None, True, False), "be true or false")

    def check(self, home: Path) -> None:
        Target.parse(self.of).locate(home)
        check_files(self.reads, home)

    def code(self, home: Path) -> Mapping[str, str]:
        content = {"version": self.version} if self.version else {"code": digest_code(Target.parse(self.of), home)}
        return content | digest_files(self.reads, home)

    def prepare(self, version: Version, aids: Aids) -> None:
        document_file(version)
        known_ids(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        request = {"code": self.of, "settings": parse_settings(self.settings, self.name), "each": self.each}
        return run_in_process(version, topics, k, self.limit, request)
