"""Print the manual page of adjudge, for man(1).

    adjudge man > ~/.local/share/man/man1/adjudge.1
    adjudge man | man -l -

It is made from the same descriptions as adjudge --help and adjudge COMMAND --help, and has every command with its
options and examples.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Iterator, Sequence

from .. import __version__
from . import ALIASES, KINDS, grouped
from ._catalogue import arguments_of, options_of, parsers, usage_of
from ._options import Parser, emit


def parser() -> Parser:
    return Parser(prog="adjudge man", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)


def main(arguments: Sequence[str]) -> int:
    parser().parse_args(arguments)
    emit(page())
    return 0


def page() -> str:
    """The page as roff."""
    known = parsers()
    lines = [
        '.\\" -*- coding: utf-8 -*-',
        f'.TH ADJUDGE 1 "" "adjudge {__version__}" "User Commands"',
        ".SH NAME",
        escape("adjudge - a laboratory for information-retrieval experiments"),
        ".SH SYNOPSIS",
        ".B adjudge",
        "COMMAND [OPTION]... [ARGUMENT]...",
        ".SH DESCRIPTION",
        "adjudge evaluates ranked retrieval exactly as trec_eval does, compares systems with significance tests,",
        "indexes and searches documents, clean or scanned, and turns a plan of an experiment into a page of results.",
        ".PP",
        escape("adjudge COMMAND --help explains one command, adjudge --version prints the version."),
    ]
    for title, names in grouped().items():
        lines.append(f".SH {escape(title.upper())}")
        for name in names:
            lines += command_lines(known[name])
    lines.append(".SH COMPONENTS")
    lines += [escape("Each of these commands lists the components of its kind, or explains one:"), ".PP"]
    lines += [escape(", ".join(f"adjudge {kind}" for kind in KINDS) + ".")]
    lines += [".SH OTHER NAMES", escape(", ".join(f"{alias} for {name}" for alias, name in ALIASES.items()) + ".")]
    lines += [
        ".SH EXIT STATUS",
        escape("0 if all went well, 2 for bad input, which one line on standard error explains, 130 after Ctrl-C."),
        escape("Some commands have others, which their descriptions name."),
    ]
    return "\n".join(lines) + "\n"


def command_lines(command: argparse.ArgumentParser) -> Iterator[str]:
    """A command: how it is written, its description, its arguments and options."""
    yield f".SS {escape(usage_of(command))}"
    yield from description_lines(inspect.cleandoc(command.description or ""))
    for name, text in arguments_of(command):
        yield from (".TP", f".I {escape(name)}", escape(text))
    for option in options_of(command):
        if option.flags[-1] != "--help":
            shown = ", ".join(f"\\fB{escape(flag)}\\fR" for flag in option.flags)
            value = f" \\fI{escape(option.metavar)}\\fR" if option.metavar else ""
            yield from (".TP", shown + value, escape(option.help))


def description_lines(text: str) -> Iterator[str]:
    """Paragraphs as they are, and indented lines as examples."""
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        if all(line.startswith((" ", "\t")) for line in lines if line):
            yield from (".PP", ".EX", *(escape(line) for line in lines), ".EE")
        else:
            yield from (".PP", *(escape(line.strip()) for line in lines))


def escape(text: str) -> str:
    """A line that roff prints as it is."""
    line = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return f"\\&{line}" if line.startswith((".", "'")) else line
