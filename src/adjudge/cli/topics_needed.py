"""Plan an experiment: how many topics it takes to find a difference, and what the topics at hand can show.

    adjudge topics-needed pilot.csv --difference 0.05
    adjudge topics-needed qrels.txt runs/* -m ndcg@10 --difference 0.03 --power 0.9
    adjudge topics-needed qrels.txt runs/* --pool-depth 10 --pool-depth 100
    adjudge topics-needed --track robust2004/ap --systems 10
    adjudge topics-needed --variance 0.02

The variance comes from a pilot (a table of scores, or judgments and runs), from a known track of TREC, or is given.
Three designs are shown (Sakai 2016): a paired t test of two systems, an analysis of variance of all of them, and the
width of a confidence interval. With --pool-depth they are shown for pools of several depths, with the number of
judgments that each takes: a shallow pool is cheap a topic, and may need more topics.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..comparison.topic_design import POWER, TRACKS, TopicDesign, design_from_pilot, design_topics, track_variance
from ..comparison.verdict import ALPHA
from ..core.errors import SpecError
from ..core.measure import measures
from ..report.design_table import as_text, plan_text
from ..verbs.plan_verbs import MOST_DEPTH, judgments_needed
from ._options import (
    Parser,
    between,
    coloured,
    coverage_option,
    emit,
    finite,
    format_of,
    judging_of,
    judging_options,
    share,
)
from .average import scores_of


def parser() -> Parser:
    command = Parser(
        prog="adjudge topics-needed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("files", nargs="*", metavar="file", help="pilot: table of scores, or judgments and runs")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        metavar="SPEC",
        help="measure of the pilot (default: ap; of a table of scores, its only measure)",
    )
    command.add_argument("--track", metavar="NAME", help=f"take the variance of a track of TREC: {', '.join(TRACKS)}")
    command.add_argument("--variance", type=finite, metavar="V", help="take this variance of scores")
    command.add_argument(
        "--difference",
        type=finite,
        default=0.05,
        metavar="D",
        help="smallest difference of means to find; width of the interval (default: 0.05)",
    )
    command.add_argument(
        "--systems", type=between(2, 10**6), metavar="M", help="number of systems (default: as in the pilot, else 2)"
    )
    command.add_argument("--alpha", type=share, default=ALPHA, metavar="P", help=f"level of tests (default: {ALPHA})")
    command.add_argument("--power", type=share, default=POWER, metavar="P", help=f"power (default: {POWER})")
    command.add_argument(
        "--pool-depth",
        type=between(1, MOST_DEPTH),
        action="append",
        metavar="K",
        help="plan for the pilot's runs pooled to depth K, may be repeated",
    )
    command.output()
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if options.pool_depth:
        return plan_judging(options)
    design = design_of(options)
    form = format_of(options.format, options.output, "table")
    emit(as_text(design, form, colour=coloured(options.output)), options.output, options.files)
    return 0


def plan_judging(options: argparse.Namespace) -> int:
    """Topics and judgments by the depth of the pool."""
    if len(options.files) < 2 or options.track is not None or options.variance is not None:
        raise SpecError("--pool-depth is for a pilot of judgments and runs")
    plan = judgments_needed(
        options.files[0],
        options.files[1:],
        options.measure or "ap",
        options.pool_depth,
        difference=options.difference,
        systems=options.systems,
        alpha=options.alpha,
        power=options.power,
        judging=judging_of(options),
        least_coverage=options.least_coverage,
    )
    form = format_of(options.format, options.output, "table")
    emit(plan_text(plan, form, colour=coloured(options.output)), options.output, options.files)
    return 0


def design_of(options: argparse.Namespace) -> TopicDesign:
    """The design for a pilot, a track or a variance, of which one is given."""
    given = [bool(options.files), options.track is not None, options.variance is not None]
    if sum(given) != 1:
        raise SpecError("give one of a pilot (scores, or judgments and runs), --track and --variance")
    settings = {"difference": options.difference, "alpha": options.alpha, "power": options.power}
    if options.files:
        scores, name = scores_of(options)
        return design_from_pilot(
            scores, name, systems=options.systems, least_coverage=options.least_coverage, **settings
        )
    systems = options.systems or 2
    if options.track is None:
        return design_topics(options.variance, systems=systems, **settings)
    track = track_variance(options.track)
    measure = options.track.partition("/")[2]
    return design_topics(track.variance, measure=measure, source=options.track, systems=systems, **settings)
