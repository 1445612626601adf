"""Analyse which components of systems make the difference: analysis of variance with components as factors.

    adjudge factors scores.csv --factors components.csv
    adjudge factors qrels.txt runs/* --factors components.csv -m ndcg@10 --interactions 1
    adjudge factors results -m ap

A table of components has a column system and one for each factor, such as stemmer and weighting. Without --factors they
come from the plan of a results folder, or from names of systems that are specs: bm25(k1=0.9), bm25(k1=1.2).

Scores are explained by topics, factors and interactions of factors. For every effect there are F and p against the
pooled error (Ferro and Silvello 2018) with the partial ω², and F and p against the effect's own variation over topics,
which decide by default: systems that share a component are no independent witnesses of it. Levels of a factor that
share a letter do not differ significantly by Tukey's HSD.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ..comparison.factor_effects import ERRORS, TOPICS, factor_effects
from ..comparison.verdict import ALPHA
from ..core.errors import SpecError
from ..core.measure import measures
from ..core.scores import Scores
from ..experiment.system_factors import read_system_factors, scores_of_results
from ..report.factor_table import as_text
from ..report.groups_text import GROUP_FORMS
from ._options import (
    NO_VERDICT,
    Parser,
    between,
    coloured,
    coverage_option,
    digits_option,
    emit,
    format_of,
    judging_of,
    judging_options,
    note,
    share,
)
from .average import scores_of


def parser() -> Parser:
    command = Parser(prog="adjudge factors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument(
        "files", nargs="+", metavar="file", help="table of scores, judgments and runs, or results folder"
    )
    command.component(
        "-m",
        "--measure",
        of=[measures],
        metavar="SPEC",
        help="measure (default: ap; of a table of scores, its only one; of a results folder, its main one)",
    )
    command.add_argument("--factors", default="", metavar="FILE", help="table of the components of each system")
    command.add_argument(
        "--interactions",
        type=between(1, 20),
        default=2,
        metavar="N",
        help="most factors of an interaction, 1 for none (default: 2)",
    )
    command.add_argument(
        "--error", choices=ERRORS, default=TOPICS, help=f"what an effect has to be larger than (default: {TOPICS})"
    )
    command.add_argument("--alpha", type=share, default=ALPHA, metavar="P", help=f"level of tests (default: {ALPHA})")
    command.add_argument(
        "--pairs", type=between(0, 10**9), default=20, metavar="N", help="number of pairs to show (default: 20)"
    )
    command.add_argument("--of-version", default="", metavar="NAME", help="version of a results folder")
    command.output(GROUP_FORMS)
    digits_option(command)
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scores, measure, source = _scores(options)
    result = factor_effects(
        scores,
        measure,
        read_system_factors(source, scores.systems),
        interactions=options.interactions,
        error=options.error,
        alpha=options.alpha,
        least_coverage=options.least_coverage,
    )
    note(result.notes)
    form = format_of(options.format, options.output, "table", GROUP_FORMS)
    text = as_text(result, form, options.digits, options.pairs, colour=coloured(options.output))
    emit(text, options.output, [*options.files, *([options.factors] if options.factors else [])])
    return NO_VERDICT if result.left_out else 0


def _scores(options: argparse.Namespace) -> tuple[Scores, str, str]:
    """Scores, the measure that is meant, and where the factors come from."""
    if len(options.files) == 1 and os.path.isdir(options.files[0]):
        changes = set(judging_of(options).changes()) - {"level"}
        if changes:
            raise SpecError(
                f"--{min(changes).replace('_', '-')} applies to runs; a results folder is judged as its plan says"
            )
        asked = [options.measure] if options.measure else []
        level = options.level if "level" in judging_of(options).changes() else None
        scores = scores_of_results(options.files[0], asked, options.of_version, level)
        note(scores.notes)
        return scores, scores.measures[0], options.factors or options.files[0]
    if options.of_version:
        raise SpecError("--of-version is for a results folder")
    return *scores_of(options), options.factors
