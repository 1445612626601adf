"""A program of one's own as a system."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..core.errors import DataError, SpecError, did_you_mean
from ..core.run import Run
from ..core.spec import require
from .parts.own_files import check_files, digest_files
from .parts.own_program import (
    LAYOUTS,
    LIMIT,
    PLACEHOLDER,
    RESERVED,
    check_limit,
    document_file,
    known_ids,
    parse_settings,
    placeholders,
    run_in_process,
)
from .parts.version import Aids, Version
from .system import System, Topics


@dataclass(frozen=True)
class CommandSystem(System):
    """Any program that reads topics and writes a run, in a process of its own; its run is scored as any other.

    Formula: none of ours. In the arguments ``{topics}`` stands for a file of questions (an id, a tab and the text on
    each line; {topics:jsonl} and {topics:trec} for other layouts), ``{documents}`` for the documents (JSONL;
    {documents:trec}), ``{run}`` for the file that it is to write, ``{k}`` for how many documents are wanted for a
    question, ``{folder}`` for a folder that is removed afterwards, and a setting's name for its value. Without {run}
    what it prints is the run. Two braces stand for one. No shell sees the command: an argument stays one argument.

    Parameters: ``of``, the program and its arguments; ``settings``, a JSON object; ``version``, by which runs are kept,
    in place of the content of the program and of the files among its arguments; ``reads``, files whose content counts
    too; ``limit`` in seconds (3600).

    No value: a topic that is not in the run.

    Paper: that of whoever wrote the program.

    Example: command(of=["./search.sh", "{topics}", "{run}"]).
    """

    name: ClassVar[str] = "command"
    entries: ClassVar[None] = None

    of: tuple[str, ...]
    settings: str = ""
    version: str = ""
    reads: tuple[str, ...] = ()
    limit: float = LIMIT

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", tuple(map(str, self.of)) if isinstance(self.of, tuple | list) else ())
        object.__setattr__(self, "version", str(self.version))
        require(self, "of", bool(self.of) and bool(self.of[0].strip()), "be a list: a program and its arguments")
        require(self, "settings", isinstance(self.settings, str), "be a text")
        check_limit(self.limit, self.name)
        known = [*RESERVED, *parse_settings(self.settings, self.name)]
        for argument in self.of:
            for name, layout in placeholders(argument):
                if name not in known:
                    raise SpecError(f"command: no {{{name}}}{did_you_mean(name, known)}: write two braces for one")
                if layout and layout not in LAYOUTS.get(name, ()):
                    raise SpecError(f"command: no layout {layout} of {name}: one of {', '.join(LAYOUTS.get(name, ()))}")

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command with its settings in place."""
        settings = parse_settings(self.settings, self.name)

        def put(match: Any) -> str:
            return _text(settings[match[1]]) if match[1] in settings else str(match[0])

        return tuple(PLACEHOLDER.sub(put, argument) for argument in self.of)

    def _program(self, home: Path) -> str:
        program = self.of[0]
        if os.sep in program or "/" in program:
            return str((home / program).resolve())
        return shutil.which(program) or ""

    def check(self, home: Path) -> None:
        program = self._program(home)
        if not program or not os.access(program, os.X_OK) or os.path.isdir(program):
            where = f"at {home / self.of[0]}" if "/" in self.of[0] else "on the path"
            raise DataError(f"there is no program {self.of[0]} {where}")
        check_files(self.reads, home)

    def code(self, home: Path) -> Mapping[str, str]:
        if self.version:
            return {"version": self.version} | digest_files(self.reads, home)
        files = [argument for argument in self.of[1:] if (home / argument).is_file()]
        program = {"program": digest_files([self._program(home)], home)[f"file {self._program(home)}"]}
        return program | digest_files([*files, *self.reads], home)

    def prepare(self, version: Version, aids: Aids) -> None:
        for argument in self.of:
            for name, layout in placeholders(argument):
                if name == "documents":
                    document_file(version, layout or LAYOUTS[name][0])
        known_ids(version)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        _, *arguments = self.arguments
        return run_in_process(version, topics, k, self.limit, {"command": [self._program(version.home), *arguments]})


def _text(value: Any) -> str:
    """A setting as an argument; braces in it are no placeholders."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.replace("{", "{{").replace("}", "}}")
