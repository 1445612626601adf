"""The commands with their options, as completion in a shell, the man page and the tests see them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import KINDS, command_module, commands
from ._options import Parser


class Option(NamedTuple):
    """An option of a command."""

    flags: tuple[str, ...]
    metavar: str
    """What stands for its value; empty if it takes none."""
    help: str
    values: tuple[str, ...]
    """The values that it may have, or the names of the components that it takes."""


def parsers() -> dict[str, Parser]:
    """{command: its options}, of our own commands; all of them are imported for it."""
    found: dict[str, Parser] = {}
    for name, module in commands().items():
        command = command_module(module)
        found[name] = command.parser(name) if name in KINDS else command.parser()
    return found


def options_of(parser: argparse.ArgumentParser) -> Iterator[Option]:
    """The options of a command, with help texts as ``--help`` shows them."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if action.option_strings and action.help is not argparse.SUPPRESS:
            metavar = formatter._format_args(action, (action.dest or "").upper()) if action.nargs != 0 else ""
            text = re.sub(r"\s+", " ", formatter._expand_help(action) if action.help else "")
            yield Option(tuple(action.option_strings), metavar, text, values_of(action))


def values_of(action: argparse.Action) -> tuple[str, ...]:
    """What may be written after an option, as far as that is known."""
    known = getattr(action, "known", None)
    if known is not None:
        return tuple(dict.fromkeys(name for registry in known.registries for name in registry.names))
    return tuple(map(str, action.choices or ()))


def arguments_of(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """The arguments of a command that are not options: how each is called, and its help text."""
    formatter = parser._get_formatter()
    for action in parser._actions:
        if not action.option_strings:
            yield action.metavar if isinstance(action.metavar, str) else action.dest, formatter._expand_help(action)


def usage_of(parser: argparse.ArgumentParser) -> str:
    """How a command is written, in short: its arguments after its options."""
    words = []
    for action in parser._actions:
        if not action.option_strings:
            name = action.metavar if isinstance(action.metavar, str) else action.dest
            words.append({"+": f"{name} …", "?": f"[{name}]", "*": f"[{name} …]"}.get(str(action.nargs), name))
    needed = [f"{a.option_strings[-1]} {a.metavar}" for a in parser._actions if a.option_strings and a.required]
    return " ".join([parser.prog, "[options]", *needed, *words])
