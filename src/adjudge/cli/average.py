"""Average scores over topics by other averages than the mean: geometric, logit, median, the worst quarter and more.

    adjudge average qrels.txt runs/* --measure ap --average mean --average "log(eps=1e-5)" --average worst
    adjudge average scores.csv --average median --average "quantile(q=0.1)"
    adjudge average qrels.txt run --measure "ap(tail=worst)" -N 55630 --average "log(eps=1e-9)"

One file is a table of scores (system, topic, measure, value; or a matrix with a column for each system), two or more
are judgments and runs. Every transformation shows its epsilon: figures with different epsilon cannot be compared.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..comparison.matrix import coverage_by_system, left_out_notes, uncovered_systems
from ..core.average import averages, transformations
from ..core.errors import SpecError
from ..core.measure import measures
from ..core.scores import Scores
from ..evaluation.averaging import DEFAULT, average
from ..evaluation.measuring import measure, name_in
from ..formats.scores import read_scores
from ..report.averages_table import averages_table
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
    command.add_argument("files", nargs="+", metavar="file", help="table of scores, or judgments and runs")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        metavar="SPEC",
        help="measure to average (default: ap; of a table of scores, its only measure)",
    )
    action = command.component(
        "--average",
        dest="by",
        of=[averages, transformations],
        action="append",
        metavar="SPEC",
        help=f"average or transformation, may be repeated: %(known)s (default: {', '.join(DEFAULT)})",
    )
    command.old_spelling(action, "-b", "--by")
    command.add_argument(
        "--raw",
        action="store_true",
        help="show means on the transformed scale (AL for log), not on that of the measure",
    )
    command.output()
    digits_option(command)
    judging_options(command)
    return command


def scores_of(options: argparse.Namespace, *, complete: bool = True) -> tuple[Scores, str]:
    """Scores from one file, or from judgments and runs; and the measure that is meant."""
    wanted = [options.measure] if options.measure else []
    scores, names = scores_of_measures(options.files, wanted, options, complete=complete)
    if len(names) == 1:
        return scores, names[0]
    if len(options.files) > 1:
        raise SpecError("give one measure at a time")
    raise SpecError(f"{options.files[0]} has several measures: choose one with --measure: {', '.join(names)}")


def scores_of_measures(
    files: Sequence[str], wanted: Sequence[str], options: argparse.Namespace, *, complete: bool = True
) -> tuple[Scores, list[str]]:
    """Scores from one file, or from judgments and runs; and the measures that are meant, all of a file by default.

    Systems can be compared on the same topics only: a judged topic that a run leaves out scores 0, unless figures are
    only shown, which are then those of trec_eval.
    """
    if len(files) > 1:
        names = measure_names(wanted or ["ap"])
        scores = measure(files[0], files[1:], names, judging=replace(judging_of(options), complete=complete))
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
    scores, name = scores_of(options, complete=options.complete)
    table = averages_table(average(scores, [name], by, raw=options.raw), options.digits)
    form = format_of(options.format, options.output, "table")
    emit(table.form(form, colour=coloured(options.output)), options.output, options.files)
    return 0
