"""Runs the examples of a page and puts what they print where the page shows it.

A ``console`` block has commands after ``$ ``, continued after ``> ``, each followed by what it prints. A ``python``
block has statements after ``>>> `` as doctest knows them; one without such prompts is a script that has to run. The
blocks of a page run one after the other in one copy of the example folder, and its Python blocks share their names, so
a page can be followed from top to bottom. Blocks of any other kind are not run.

A line ``…`` stands for any lines, ``…`` in a line for anything. A page with ``<!-- outputs depend on the Python -->``
shows what another interpreter does not print: its outputs are put in when pages are written, but when they are checked
it is enough that the examples run.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*)(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
VARIES = "<!-- outputs depend on the Python -->"
PATIENCE = 120.0
"""Seconds that one command may take."""


@dataclass(frozen=True)
class Ran:
    """A page after its examples were run."""

    text: str
    """The page with the outputs that were seen."""
    changed: tuple[str, ...]
    """Examples that print something else than the page shows."""
    failed: tuple[str, ...]
    """Examples that fail, and the page does not show how; their outputs are left as they were."""
    number: int


@dataclass
class _Session:
    """One page under way."""

    folder: Path
    compared: bool
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    changed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    number: int = 0

    def block(self, match: re.Match[str]) -> str:
        kind, text = match.groups()
        if kind == "console":
            made = COMMAND.sub(self.command, text)
        elif ">>> " in text:
            made = self.statements(text)
        else:
            made = self.script(text)
        return f"```{kind}\n{made}```"

    def command(self, match: re.Match[str]) -> str:
        self.number += 1
        words, shown = match.groups()
        try:
            done = subprocess.run(  # noqa: S602 (the shell is what the page shows)
                words.replace("\n> ", "\n"),
                shell=True,
                cwd=self.folder,
                env=environment(self.folder.parent / "bin"),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.failed.append(f"$ {words}\n  took longer than {PATIENCE:g} s")
            return match[0]
        errors, output = done.stderr.decode("utf-8", "replace"), done.stdout.decode("utf-8", "replace")
        seen = errors + output  # notes are written before the table
        if self.compared and (like(shown, seen) or (output and like(shown, output))):
            return match[0]
        if done.returncode:
            self.failed.append(f"$ {words}\n  exit code {done.returncode}: {seen.strip()}")
            return match[0]
        if not self.compared:
            return match[0]
        self.changed.append(f"$ {words}")
        return f"$ {words}\n{seen}" + ("" if seen.endswith("\n") or not seen else "\n")

    def statements(self, text: str) -> str:
        test = doctest.DocTestParser().get_doctest(text, {}, "page", None, None)
        test.globs = self.names
        runner = _Recorder()
        runner.run(test, out=lambda _: None, clear_globs=False)
        results = iter(runner.results)
        made = []
        for piece in doctest.DocTestParser().parse(text):
            if isinstance(piece, str):
                made.append(piece)
                continue
            got, fine, raised = next(results)
            self.number += 1
            want = piece.want
            if raised:
                self.failed.append(f">>> {piece.source.rstrip()}\n  {raised}")
            elif not fine and self.compared:
                self.changed.append(f">>> {piece.source.rstrip()}")
                want = re.sub(r"^$(?=\n)", "<BLANKLINE>", without_places(got), flags=re.MULTILINE)
            first, *rest = piece.source.splitlines()
            made.append("\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in rest)]) + "\n" + want)
        return "".join(made)

    def script(self, text: str) -> str:
        self.number += 1
        try:
            exec(compile(text, "page", "exec"), self.names)  # noqa: S102
        except Exception as error:
            self.failed.append(f"{text}  {type(error).__name__}: {error}")
        return text


class _Recorder(doctest.DocTestRunner):
    """Keeps what each example printed, whether that was expected, and what it raised unexpectedly."""

    def __init__(self) -> None:
        super().__init__(verbose=False, optionflags=doctest.ELLIPSIS)
        self.results: list[tuple[str, bool, str]] = []

    def report_success(self, *told: Any) -> None:
        self.results.append((told[-1], True, ""))

    def report_failure(self, *told: Any) -> None:
        self.results.append((told[-1], False, ""))

    def report_unexpected_exception(self, *told: Any) -> None:
        kind, error, _ = told[-1]
        self.results.append(("", False, f"{kind.__name__}: {error}"))


def without_places(printed: str) -> str:
    """A traceback without the files and lines of this machine."""
    return re.sub(r"^(Traceback .*:\n)(?:[ \t].*\n)+", r"\1    ...\n", printed)


def like(shown: str, seen: str) -> bool:
    """Whether what was seen is what is shown; … stands for anything."""
    pattern = re.escape(shown).replace("…\\\n", "…\n")
    pattern = re.sub(r"(?:^|(?<=\n))…\n", "(?:.*\n)*?", pattern)
    return re.fullmatch(pattern.replace("…", ".*?"), seen) is not None


def environment(programs: Path) -> dict[str, str]:
    """What the terminal of a reader has, and nothing of this machine's colours and widths."""
    kept = {name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "PYTHONWARNINGS"}}
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return kept | {"PATH": path, "COLUMNS": "120", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


PYTHON = f'"{sys.executable}"'
ADJUDGE = f"{PYTHON} -m adjudge"


@contextlib.contextmanager
def place(adjudge: str = ADJUDGE) -> Iterator[Path]:
    """A fresh copy of the example, with this Python and this adjudge first on the path of commands."""
    with tempfile.TemporaryDirectory(prefix="adjudge-docs-") as name:
        (programs := Path(name) / "bin").mkdir()
        for program, line in {"adjudge": adjudge, "python": PYTHON}.items():
            (programs / program).write_text(f'#!/bin/sh\nexec {line} "$@"\n', "utf-8")
            (programs / program).chmod(0o755)
        with as_file(files("adjudge") / "example") as example:
            shutil.copytree(example, Path(name) / "example")
        yield Path(name) / "example"


def run(text: str, *, check: bool = True, adjudge: str = ADJUDGE) -> Ran:
    """Run all examples of a page. The process works in another folder meanwhile, so one page at a time.

    ``adjudge`` is the line for a shell that starts the command.
    """
    with place(adjudge) as folder, contextlib.chdir(folder):
        session = _Session(folder, compared=not check or VARIES not in text)
        made = BLOCK.sub(session.block, text)
    return Ran(made, tuple(session.changed), tuple(session.failed), session.number)


def unread(text: str) -> list[str]:
    """Lines of console blocks that belong to no command, and blocks that are not where blocks are looked for."""
    stray = [
        f"console block without a command: {body.splitlines()[0]!r}"
        for kind, body in BLOCK.findall(text)
        if kind == "console" and not body.startswith("$ ")
    ]
    hidden = len(re.findall(r"^\s*```(?:console|python)\s*$", text, re.MULTILINE)) - len(BLOCK.findall(text))
    return [*stray, *([f"{hidden} blocks are indented or not closed"] if hidden else [])]
