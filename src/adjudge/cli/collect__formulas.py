"""Convert the formulas of candidate questions from TeX to MathML, all in one call.

    adjudge collect formulas project
    adjudge collect formulas project --converter latex2mathml

LaTeXML (Debian's latexml) makes presentation and content MathML, a thousand formulas in a minute or two; latex2mathml
(pip install latex2mathml) takes a second and makes presentation only. PROJECT/formulas.jsonl has TeX and MathML side by
side. What cannot be converted stays TeX and is listed with the reason: macros that nobody defined, commands that could
read files, brackets that do not match.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..report.text_table import FORMS, TextTable
from ..words.summaries import formulas_converted
from ._options import Parser, coloured, emit, format_of, note
from ._terminal import Terminal

WIDTH = 70


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect formulas", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    action = command.add_argument(
        "--converter",
        dest="by",
        default="auto",
        metavar="NAME",
        help="converter: latexml, latex2mathml, or auto for the one that is installed (default: auto)",
    )
    command.old_spelling(action, "--by")
    command.add_argument(
        "-f", "--format", choices=FORMS, help="format of the list of formulas that stay TeX (default: table)"
    )
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.formulas import convert, converter_of, formulas_of, write_formulas
    from ..collection.qa.project import open_project

    form = format_of(options.format, None, "table")
    project = open_project(options.project)
    name = converter_of(options.by)
    keys = formulas_of(project.candidates.values())
    formulas = convert(keys, name, progress=Terminal())
    write_formulas(formulas.values(), project.formulas_path)
    exact = [(formula.tex, formula.problem) for formula in formulas.values() if formula.problem]
    if exact:
        rows = [[" ".join(tex.split())[:WIDTH], why] for tex, why in exact]
        emit(TextTable(("formula", "why it stays TeX"), rows, labels=2, exact=exact).form(form, colour=coloured(None)))
    converted = sum(bool(formula.mathml) for formula in formulas.values())
    note([formulas_converted(str(project.formulas_path), converted, len(formulas), name)])
    return 0
