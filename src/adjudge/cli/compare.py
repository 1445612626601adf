"""Which system is better, by how much, and how sure is that? Paired tests of all pairs, or against baselines.

    adjudge compare qrels.txt runs/* --measure ap
    adjudge compare qrels.txt runs/* --baseline bm25 --test randomisation --test wilcoxon
    adjudge compare scores.csv --test tukey --by "log(eps=1e-5)"
    adjudge compare qrels.txt runs/* -m ndcg@10 --groups --paragraph --chart ranks.svg

Means, differences with intervals, p corrected for the number of comparisons, topics won and lost, and the topics where
the systems differ most. The first test also makes the interval: simultaneous for tukey, percentiles for bootstrap,
Student's for all others. Tests that draw at random give the same p for the same --seed, on any machine. A run that
answers no judged topic, or less than --least-coverage of them, is named and left out, and the exit code is 3.

--groups shows a leaderboard instead of pairs: the ranks that each system may have, and letters, of which systems share
one if they do not differ significantly by the first test.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from ..comparison.compare import compare
from ..comparison.paired import corrections, paired_tests
from ..comparison.rank_groups import groups_of
from ..comparison.verdict import Comparison
from ..core.errors import SpecError
from ..core.scores import Scores
from ..report import groups_text
from ..report.comparison import as_json, as_text
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
    judging_options,
    level_option,
    note,
    refuse_inputs,
    seed_option,
)
from .average import scores_of


def parser() -> Parser:
    command = Parser(prog="adjudge compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("files", nargs="+", metavar="file", help="scores, or judgments and runs")
    command.add_argument(
        "-m", "--measure", metavar="SPEC", help="what is compared (ap; with scores: their only measure)"
    )
    command.add_argument("--baseline", action="append", metavar="NAME", help="compare with it only; may be repeated")
    command.add_argument(
        "-t", "--test", action="append", metavar="SPEC", help=f"may be repeated: {', '.join(paired_tests.names)} (t)"
    )
    command.add_argument(
        "--correction", default="holm", metavar="NAME", help=f"one of {', '.join(corrections.names)} (holm)"
    )
    command.add_argument(
        "-b", "--by", default="mean", metavar="SPEC", help="mean, or a transformation to compare under"
    )
    command.add_argument("--pairs", type=between(0, 10**9), default=20, metavar="N", help="show so many pairs (20)")
    command.add_argument("--groups", action="store_true", help="show groups and rank intervals instead of pairs")
    command.add_argument("--paragraph", action="store_true", help="with --groups: add a paragraph for a paper")
    command.add_argument("--chart", metavar="FILE", help="with --groups: write rank intervals as a chart (SVG or PDF)")
    command.add_argument(
        "--critical-distance", metavar="FILE", help="with --groups: write Demšar's diagram of mean ranks (SVG or PDF)"
    )
    level_option(command)
    seed_option(command)
    command.add_argument(
        "-f", "--format", choices=GROUP_FORMS, help="by default a table, or what the ending of --output says"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write there, replacing the file in one step")
    digits_option(command)
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scores, name = scores_of(options)
    result = compare(
        scores,
        name,
        baselines=options.baseline or (),
        tests=options.test or ("t",),
        correction=options.correction,
        by=options.by,
        confidence=options.confidence,
        rng=np.random.default_rng(options.seed),
        least_coverage=options.least_coverage,
    )
    note(result.notes)
    if options.groups:
        show_groups(result, scores, options)
        return NO_VERDICT if result.left_out else 0
    for name in ("paragraph", "chart", "critical_distance"):
        if getattr(options, name):
            raise SpecError(f"--{name.replace('_', '-')} is for --groups")
    if options.format == "html":
        raise SpecError("--format html is for --groups")
    form = format_of(options.format, options.output, "table")
    colour = coloured(options.output)
    text = as_json(result) if form == "json" else as_text(result, form, options.digits, options.pairs, colour=colour)
    emit(text, options.output, options.files)
    return NO_VERDICT if result.left_out else 0


def show_groups(compared: Comparison, scores: Scores, options: argparse.Namespace) -> None:
    """The leaderboard, and charts of it if they are wanted."""
    rng = np.random.default_rng(options.seed)
    result = groups_of(compared, scores.of_systems(compared.systems), rng=rng)
    form = format_of(options.format, options.output, "table", GROUP_FORMS)
    charts = (
        (options.chart, groups_text.leaderboard),
        (options.critical_distance, groups_text.critical_distance_diagram),
    )
    for path, draw in charts:
        if path:
            refuse_inputs(path, options.files)
            draw(result).save(path)
    colour, paragraph = coloured(options.output), options.paragraph
    text = groups_text.as_text(result, form, options.digits, colour=colour, paragraph=paragraph)
    emit(text, options.output, options.files)
