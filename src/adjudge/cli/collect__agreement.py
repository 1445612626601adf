"""Measure agreement of assessors: Cohen's kappa and Krippendorff's alpha for each kind of decision, and disagreements.

    adjudge collect agreement project
    adjudge collect agreement project --show disagreements -f csv
    adjudge collect agreement project --assessments decisions.jsonl

Kappa is for two people, alpha for any number; both are 1 where all agree, 0 where agreement is what chance would give,
and undefined (–) where everybody always decides the same. Values have no order. Micro-topics of different people are
matched by the sentences that they share, as in the workbench.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import DataError
from ..report.text_table import TextTable
from ..words.summaries import events_set_aside
from ._options import Parser, coloured, digits_option, emit, format_of, note


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect agreement", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument("--store", metavar="URL", help="database of decisions (default: PROJECT/store.sqlite)")
    command.add_argument(
        "--assessments", metavar="FILE", help="read decisions from FILE, lines of JSON, instead of a database"
    )
    command.add_argument(
        "--show", choices=("figures", "disagreements"), default="figures", help="table to show (default: figures)"
    )
    digits_option(command)
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.agreement import agreement_of
    from ..collection.qa.project import open_project, read_assessments

    form = format_of(options.format, options.output, "table")
    project = open_project(options.project)
    if options.assessments is not None:
        assessments = read_assessments(Path(options.assessments))
    else:
        from ..collection.workbench.state import project_decisions

        decisions = project_decisions(project, options.store)
        assessments = list(decisions.assessments)
        if decisions.bad:
            note([events_set_aside(decisions.bad)])
    agreements = agreement_of(assessments)
    if not any(agreement.items for agreement in agreements):
        raise DataError(f"{options.project}: no decision of two people yet")
    if options.show == "figures":
        exact: list[tuple[object, ...]] = [
            (
                agreement.kind,
                agreement.items,
                len(agreement.disagreements),
                agreement.share,
                agreement.kappa,
                agreement.alpha,
            )
            for agreement in agreements
        ]
        rows = [[_cell(value, options.digits) for value in row] for row in exact]
        table = TextTable(("decision", "items", "differ", "share alike", "kappa", "alpha"), rows, exact=exact)
    else:
        cells = [
            (agreement.kind, odd.item, "; ".join(f"{who}: {what}" for who, what in odd.values))
            for agreement in agreements
            for odd in agreement.disagreements
        ]
        table = TextTable(("decision", "item", "said"), [list(row) for row in cells], labels=3)
    emit(table.form(form, colour=coloured(options.output)), options.output)
    return 0


def _cell(value: object, digits: int) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.{digits}f}"
    return str(value)
