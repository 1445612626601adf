"""The generated pages: every component and every command, from what they say of themselves."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
from pathlib import Path
from typing import Any

from adjudge.cli import commands, main, overview
from adjudge.cli.components import usage
from adjudge.comparison.equivalence import equivalence_methods
from adjudge.comparison.paired import corrections, paired_tests
from adjudge.core.average import averages, transformations, zero_treatments
from adjudge.core.measure import (
    GROUPS,
    Measure,
    RankedMeasure,
    RelevanceMeasure,
    TruncatedMeasure,
    measures,
)
from adjudge.core.spec import Component
from adjudge.core.subtopics import SubtopicMeasure
from adjudge.correlation.coefficient import coefficients
from adjudge.formats.documents.layout import layouts
from adjudge.index.predictor import predictors
from adjudge.measures._gains import Gained
from adjudge.measures._user_models import UserModel
from adjudge.noise.engines.engine import engines
from adjudge.pools.pooling import poolings
from adjudge.pools.priority import priorities
from adjudge.report.name_table import names_of, names_text
from adjudge.systems.system import systems
from adjudge.terms.linguistic_filter import linguistic_filters
from adjudge.text.tagging.tagger import taggers
from adjudge.text.token_filter import filters
from adjudge.text.tokenizer import tokenizers
from adjudge.weighting.scheme import weightings

from .python_reference import python_page

DOCS = Path(__file__).resolve().parents[1]
AVERAGING: dict[str, Any] = {
    "Averages over topics": averages,
    "Transformations of the scale": transformations,
    "Treatments of zeros": zero_treatments,
}
COMPARING: dict[str, Any] = {
    "Coefficients of rank correlation": coefficients,
    "Paired tests": paired_tests,
    "Corrections for many comparisons": corrections,
    "Methods of equivalence": equivalence_methods,
}
SEARCHING: dict[str, Any] = {
    "Layouts of documents": layouts,
    "Tokenizers": tokenizers,
    "Filters": filters,
    "Weightings": weightings,
    "Part-of-speech taggers": taggers,
    "Linguistic filters of technical terms": linguistic_filters,
}
SYSTEMS: dict[str, Any] = {
    "Systems": systems,
    "Predictors of query performance": predictors,
    "OCR engines": engines,
    "Ways of pooling": poolings,
    "Orders of judging": priorities,
}


def covered() -> set[str]:
    """The packages whose components are on a page; those of all registries must be."""
    shown = [measures, *AVERAGING.values(), *COMPARING.values(), *SEARCHING.values(), *SYSTEMS.values()]
    return {registry.package for registry in shown}


def entry(title: str, cls: type[Component]) -> list[str]:
    return [f"### `{title}`", "", literal(inspect.cleandoc(cls.__doc__ or "")), ""]


def literal(text: str) -> str:
    """A docstring as Markdown that shows its tags and entities; code stays as it is."""
    parts = re.split(r"(`+[^`]+`+)", text)
    parts[::2] = [re.sub(r"<(?=[A-Za-z/!])|&(?=#?\w+;)|(?<!\w)_(?=\S)", r"\\\g<0>", part) for part in parts[::2]]
    return "".join(parts)


def sections(registries: dict[str, Any]) -> list[str]:
    lines = []
    for title, registry in registries.items():
        lines += [f"## {title}", ""]
        for cls in registry.all():
            lines += entry(cls.name, cls)
    return lines


def page(lines: list[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def measures_page() -> str:
    lines = [
        "# Measures",
        "",
        "Made by `make docs` from the files in `src/adjudge/measures`. Notation: R relevant documents of the topic,",
        "ranks from 1; + relevant, − judged and not relevant, ? unjudged.",
        "",
    ]
    lines += ["## Parameters that measures share", ""]
    for base in (RankedMeasure, RelevanceMeasure, TruncatedMeasure, Gained, UserModel, SubtopicMeasure):
        lines += [literal(inspect.cleandoc(base.__doc__ or "")), ""]
    for group, title in GROUPS.items():
        lines += [f"## {title}", ""]
        for cls in measures.all():
            if cls.group == group:
                lines += [*entry(usage(cls), cls), *names(cls)]
    return page([*lines, *sections(AVERAGING)])


def names(cls: type[Measure]) -> list[str]:
    others = ", ".join(f"`{alias}`" for alias in cls.aliases)
    found = [
        f"In {program}: {', '.join(f'`{n}`' for n in theirs)}." for program, theirs in names_of(cls).items() if theirs
    ]
    found += [f"Also known as {others}."] if others else []
    return [" ".join(found), ""] if found else []


def comparing_page() -> str:
    lines = [
        "# Coefficients and tests",
        "",
        "Made by `make docs` from the files in `src/adjudge/correlation/coefficients`, `comparison/significance` and",
        "`comparison/corrections`. [correlation.md](correlation.md) and [significance.md](significance.md) say when to",
        "use which.",
        "",
    ]
    return page([*lines, *sections(COMPARING)])


def searching_page() -> str:
    lines = [
        "# Layouts, tokenizers, filters, weightings and taggers",
        "",
        "Made by `make docs` from the files in `src/adjudge`: `formats/documents/layouts`, `text/tokenizers`,",
        "`text/filters`, `weighting`, `text/tagging/taggers`, `terms/filters`. [documents.md](documents.md),",
        "[text.md](text.md) and [retrieval.md](retrieval.md) say how they go together.",
        "",
    ]
    return page([*lines, *sections(SEARCHING)])


def systems_page() -> str:
    lines = [
        "# Systems, predictors and OCR engines",
        "",
        "Made by `make docs` from the files in `src/adjudge`: `systems`, `index/predictors`, `noise/engines`.",
        "[confusion.md](confusion.md) and [noise.md](noise.md) say what they do with each other.",
        "",
    ]
    return page([*lines, *sections(SYSTEMS)])


def command_line_page() -> str:
    lines = [
        "# Command line",
        "",
        "Made by `make docs` from the commands themselves.",
        "",
        "```",
        overview(),
        "```",
        "",
    ]
    for name in commands():
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            main([name, "--help"])
        lines += [f"## adjudge {name}", "", "```", out.getvalue().strip(), "```", ""]
    return page(lines)


def names_page() -> str:
    lines = [
        "# Names of measures in other programs",
        "",
        "Made by `make docs` from `src/adjudge/core/dialects.py`. [peers.md](peers.md) says how they are read, and",
        "shows that the values are the same.",
        "",
        names_text("md"),
    ]
    return page(lines)


PAGES = {
    DOCS / "measure-names.md": names_page,
    DOCS / "measures.md": measures_page,
    DOCS / "coefficients-and-tests.md": comparing_page,
    DOCS / "analyzers-and-weightings.md": searching_page,
    DOCS / "systems-and-engines.md": systems_page,
    DOCS / "command-line.md": command_line_page,
    DOCS / "python-api.md": python_page,
}


def pages() -> dict[Path, str]:
    """{file: what must be in it}."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "110"  # argparse lays help out for it
    try:
        return {path: make() for path, make in PAGES.items()}
    finally:
        del os.environ["COLUMNS"]
        os.environ.update({} if before is None else {"COLUMNS": before})
