"""Average over topics in other ways than the mean: geometric, logit, median, the worst quarter and more.

    adjudge average qrels.txt runs/* --measure ap --by mean --by "log(eps=1e-5)" --by worst
    adjudge average scores.csv --by median --by "quantile(q=0.1)"
    adjudge average qrels.txt run --measure "ap(tail=worst)" -N 55630 --by "log(eps=1e-9)"

One file is a table of scores (system, topic, measure, value; or a matrix with a column for each system), two or more
are judgments and runs. Every transformation shows its epsilon: figures with different epsilon cannot be compared.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..comparison.matrix import coverage_by_system, left_out_notes, uncovered_systems
from ..core.average import averages, transformations
from ..core.errors import SpecError
from ..core.scores import Scores
from ..evaluation.averaging import DEFAULT, average
from ..evaluation.measuring import measure, name_in
from ..formats.scores import read_scores
from ..report.averages_table import averages_table
from ..report.text_table import FORMS
from ..words.summaries import different_topics
from ._options import (
    NO_VERDICT,
    Parser,
    coloured,
    digits_option,
    emit,
    format_of,
    judging_of,
    judging_options,
    measure_names,
    note,
    refuse_judging,
    split_names,
)


def parser() -> Parser:
    command = Parser(prog="adjudge average", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("files", nargs="+", metavar="file", help="scores, or judgments and runs")
    command.add_argument(
        "-m", "--measure", metavar="SPEC", help="what to average (ap; with scores: their only measure)"
    )
    names = ", ".join([*averages.names, *transformations.names])
    command.add_argument("-b", "--by", action="append", metavar="SPEC", help=f"may be repeated: {names}")
    command.add_argument("--raw", action="store_true", help="show the mean on the transformed scale (AL for log)")
    command.add_argument(
        "-f", "--format", choices=FORMS, help="by default a table, or what the ending of --output says"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write there, replacing the file in one step")
    digits_option(command)
    judging_options(command)
    return command


def scores_of(options: argparse.Namespace) -> tuple[Scores, str]:
    """Scores from one file, or from judgments and runs; and the measure that is meant."""
    scores, names = scores_of_measures(options.files, [options.measure] if options.measure else [], options)
    if len(names) == 1:
        return scores, names[0]
    if len(options.files) > 1:
        raise SpecError("one measure at a time, please")
    raise SpecError(f"{options.files[0]} has several measures, say which with --measure: {', '.join(names)}")


def scores_of_measures(
    files: Sequence[str], wanted: Sequence[str], options: argparse.Namespace
) -> tuple[Scores, list[str]]:
    """Scores from one file, or from judgments and runs; and the measures that are meant, all of a file by default."""
    if len(files) > 1:
        names = measure_names(wanted or ["ap"])
        scores = measure(files[0], files[1:], names, judging=judging_of(options))
        note(scores.notes)
        return scores, list(dict.fromkeys(names))
    refuse_judging(options, f"{files[0]} is a table of scores")
    asked = split_names(wanted)
    scores = read_scores(files[0], measure=asked[0] if len(asked) == 1 else None)
    names = list(dict.fromkeys(name_in(scores, files[0], name) for name in asked)) or list(scores.measures)
    for name in names:
        lacking = [s for s, row in zip(scores.systems, scores[:, :, name], strict=True) if np.isnan(row).any()]
        if lacking:
            note([different_topics(lacking, name)])
    return scores, names


def note_left_out(scores: Scores, least: float) -> int:
    """Notes on systems that answer too few of the judged topics for any verdict; the exit code."""
    left_out = uncovered_systems(coverage_by_system(scores), least)
    note(left_out_notes(left_out, least))
    return NO_VERDICT if left_out else 0


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    by = options.by or DEFAULT
    for spec in by:
        averages.parse(spec)  # before anything is read
    scores, name = scores_of(options)
    table = averages_table(average(scores, [name], by, raw=options.raw), options.digits)
    form = format_of(options.format, options.output, "table")
    emit(table.form(form, colour=coloured(options.output)), options.output, options.files)
    return 0
