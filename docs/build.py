"""Builds the generated pages of docs/: the components and the commands, from what they say of themselves.

python docs/build.py            write them
python docs/build.py --check    exit 1 if they are not what would be written
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import sys
from pathlib import Path
from typing import Any

from adjudge.cli import commands, main, overview
from adjudge.cli.measures import usage
from adjudge.comparison.paired import corrections, paired_tests
from adjudge.core.average import averages, transformations, zero_treatments
from adjudge.core.measure import Measure, measures
from adjudge.core.spec import Component
from adjudge.correlation.coefficient import coefficients
from adjudge.formats.documents.layout import layouts
from adjudge.index.predictor import predictors
from adjudge.noise.engines import engines
from adjudge.systems import systems
from adjudge.text.filter import filters
from adjudge.text.tokenizer import tokenizers
from adjudge.weighting import weightings

HERE = Path(__file__).parent
AVERAGING: dict[str, Any] = {
    "Averages over topics": averages,
    "Transformations of the scale": transformations,
    "Treatments of zeros": zero_treatments,
}
COMPARING: dict[str, Any] = {
    "Coefficients of rank correlation": coefficients,
    "Paired tests": paired_tests,
    "Corrections for many comparisons": corrections,
}
SEARCHING: dict[str, Any] = {
    "Layouts of documents": layouts,
    "Tokenizers": tokenizers,
    "Filters": filters,
    "Weightings": weightings,
}
SYSTEMS: dict[str, Any] = {"Systems": systems, "Predictors of query performance": predictors, "OCR engines": engines}
KINDS = {"qrels": "Measures on relevance judgments", "prefs": "Measures on preference judgments"}


def entry(title: str, cls: type[Component]) -> list[str]:
    return [f"### `{title}`", "", inspect.cleandoc(cls.__doc__ or ""), ""]


def measures_page() -> str:
    lines = [
        "# Measures",
        "",
        "Made by `make docs` from the files in `src/adjudge/measures`. Notation: R relevant documents of the topic,",
        "ranks from 1; + relevant, − judged and not relevant, ? unjudged.",
        "",
    ]
    for kind, title in KINDS.items():
        lines += [f"## {title}", ""]
        for cls in measures.all():
            if cls.judged_by == kind:
                lines += [*entry(usage(cls), cls), *names(cls)]
    return "\n".join([*lines, *sections(AVERAGING)]).rstrip() + "\n"


def sections(registries: dict[str, Any]) -> list[str]:
    lines = []
    for title, registry in registries.items():
        lines += [f"## {title}", ""]
        for cls in registry.all():
            lines += entry(cls.name, cls)
    return lines


def comparing_page() -> str:
    lines = [
        "# Coefficients and tests",
        "",
        "Made by `make docs` from the files in `src/adjudge/correlation/coefficients`, `comparison/significance` and",
        "`comparison/corrections`. [correlation.md](correlation.md) and [significance.md](significance.md) say when to",
        "use which.",
        "",
    ]
    return "\n".join([*lines, *sections(COMPARING)]).rstrip() + "\n"


def searching_page() -> str:
    lines = [
        "# Layouts, tokenizers, filters and weightings",
        "",
        "Made by `make docs` from the files in `src/adjudge`: `formats/documents/layouts`, `text/tokenizers`,",
        "`text/filters`, `weighting`. [documents.md](documents.md), [text.md](text.md) and",
        "[retrieval.md](retrieval.md) say how they go together.",
        "",
    ]
    return "\n".join([*lines, *sections(SEARCHING)]).rstrip() + "\n"


def systems_page() -> str:
    lines = [
        "# Systems, predictors and OCR engines",
        "",
        "Made by `make docs` from the files in `src/adjudge`: `systems`, `index/predictors`, `noise/engines`.",
        "[confusion.md](confusion.md) and [noise.md](noise.md) say what they do with each other.",
        "",
    ]
    return "\n".join([*lines, *sections(SYSTEMS)]).rstrip() + "\n"


def names(cls: type[Measure]) -> list[str]:
    theirs = ", ".join(f"`{use.name}_{use.field}`" if use.field else f"`{use.name}`" for use in cls.trec_eval)
    others = ", ".join(f"`{alias}`" for alias in cls.aliases)
    found = [f"In trec_eval: {theirs}." if theirs else "", f"Also known as {others}." if others else ""]
    return [" ".join(filter(None, found)), ""] if any(found) else []


def command_line_page() -> str:
    os.environ["COLUMNS"] = "110"
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
    return "\n".join(lines).rstrip() + "\n"


def pages() -> dict[Path, str]:
    return {
        HERE / "measures.md": measures_page(),
        HERE / "coefficients-and-tests.md": comparing_page(),
        HERE / "analyzers-and-weightings.md": searching_page(),
        HERE / "systems-and-engines.md": systems_page(),
        HERE / "command-line.md": command_line_page(),
    }


if __name__ == "__main__":
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        sys.exit(f"not up to date: {', '.join(p.name for p in stale)}; run make docs" if stale else 0)
    for path, text in pages().items():
        path.write_text(text, "utf-8")
        print(path)
