"""List every measure, or explain one: formula, parameters, paper, example.

    adjudge measures
    adjudge measures ndcg
    adjudge measures tau_ap_b
    adjudge measures tukey
    adjudge measures gmu

Averages, transformations, coefficients of correlation, tests, corrections, layouts, tokenizers, filters, taggers,
filters of technical terms, weightings, predictors, OCR engines and retrieval systems are explained too.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Sequence
from dataclasses import MISSING

from ..components import registries
from ..core.errors import SpecError
from ..core.measure import Measure, measures
from ..core.spec import Component, parameters, spec_text
from ._options import Parser, emit


def main(arguments: Sequence[str]) -> int:
    command = Parser(prog="adjudge measures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("name", nargs="?", help="a measure by any of its names, an average, a coefficient, a test …")
    options = command.parse_args(arguments)
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
    """What the components of a name say of themselves; two kinds may have one of the same name."""
    others = [registry.get(name) for registry in registries() if registry is not measures and name in registry.names]
    texts = ["\n\n".join(_explain(cls, cls.name)) for cls in others]
    try:
        texts.insert(0, _measure(_class_of(name)))
    except SpecError:
        if not others:
            raise
    return "\n\n\n".join(texts)


def _measure(cls: type[Measure]) -> str:
    lines = _explain(cls, usage(cls))
    names = [f"{use.name}_{use.field}" if use.field else use.name for use in cls.trec_eval]
    if names:
        lines.append(f"In trec_eval: {', '.join(names)}")
    if cls.aliases:
        lines.append(f"Also known as: {', '.join(cls.aliases)}")
    return "\n\n".join(lines)


def _explain(cls: type[Component], form: str) -> list[str]:
    lines = [f"{form}: {inspect.cleandoc(cls.__doc__ or '')}"]
    takes = [
        f.name if f.default is MISSING else f"{f.name}={spec_text(f.default)}" for f in parameters(cls) if f.name != "k"
    ]
    return [*lines, f"Written: {form}({', '.join(takes)})"] if takes else lines


def _class_of(name: str) -> type[Measure]:
    """By its own name in any case, another name, or a whole spec."""
    if name.lower() in measures.names:
        return measures.get(name.lower())
    known = measures.find(name)
    return measures.get(known[0]) if known else type(measures.parse(name))
