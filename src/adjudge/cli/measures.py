"""List every measure, or explain one: formula, parameters, paper, example.

adjudge measures
adjudge measures ndcg
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Sequence
from dataclasses import MISSING

from ..core.measure import Measure, measures
from ..core.spec import parameters, written
from ._options import Parser, emit


def main(arguments: Sequence[str]) -> int:
    made = Parser(prog="adjudge measures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("name", nargs="?", help="a measure, by any of its names")
    options = made.parse_args(arguments)
    emit((listing() if options.name is None else explanation(options.name)) + "\n")
    return 0


def usage(cls: type[Measure]) -> str:
    """``ndcg@k``, ``ndcg[@k]``: how it is written."""
    for field in parameters(cls):
        if field.name == "k":
            return f"{cls.name}@k" if field.default is MISSING else f"{cls.name}[@k]"
    return cls.name


def listing() -> str:
    rows = [(usage(cls), cls.summary()) for cls in measures.all()]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {summary}" for name, summary in rows)


def explanation(name: str) -> str:
    cls = _class_of(name)
    lines = [f"{usage(cls)}: {inspect.cleandoc(cls.__doc__ or '')}"]
    takes = [
        f.name if f.default is MISSING else f"{f.name}={written(f.default)}" for f in parameters(cls) if f.name != "k"
    ]
    if takes:
        lines.append(f"Written: {usage(cls)}({', '.join(takes)})")
    names = [f"{use.name}_{use.field}" if use.field else use.name for use in cls.trec_eval]
    if names:
        lines.append(f"In trec_eval: {', '.join(names)}")
    if cls.aliases:
        lines.append(f"Also known as: {', '.join(cls.aliases)}")
    return "\n\n".join(lines)


def _class_of(name: str) -> type[Measure]:
    """By its own name in any case, another name, or a whole spec."""
    if name.lower() in measures.names:
        return measures.get(name.lower())
    known = measures.find(name)
    return measures.get(known[0]) if known else type(measures.parse(name))
