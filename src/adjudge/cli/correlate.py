"""Correlate two rankings: Kendall's tau, AP correlation, rank-biased overlap and more, with ties, intervals and p.

    adjudge correlate one.txt other.txt --coefficient tau_ap_b
    adjudge correlate scores.csv --measure ap --average mean --average gm
    adjudge correlate qrels.txt runs/* --measure ap --measure gm_map --measure ndcg@10

Two files are two rankings: lines of an id and a score, of an id alone from best to worst, of a number alone, or tables
of scores, whose systems are ranked. One file is a table of scores, three or more are judgments and runs: then the
rankings of the systems by two or more measures or averages are compared. The first ranking is the truth where the
coefficient asks for one, and the second is traversed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..core.average import averages
from ..core.errors import SpecError
from ..core.measure import measures
from ..correlation.coefficient import coefficients
from ..correlation.ranking_pairs import DEFAULT, Correlations, Draws, correlate_rankings, correlate_systems
from ..correlation.rankings import RESOLUTIONS
from ..correlation.uncertainty import Ranked
from ..evaluation.measuring import name_in
from ..formats.rankings import read_ranking
from ..formats.scores import read_scores
from ..formats.source import Source, open_source
from ..report.correlation import as_json, as_text
from ._options import (
    Parser,
    between,
    coloured,
    digits_option,
    emit,
    finite,
    format_of,
    judging_options,
    level_option,
    refuse_judging,
    seed_option,
    split_names,
)
from ._terminal import Terminal
from .average import scores_of_measures


def parser() -> Parser:
    command = Parser(
        prog="adjudge correlate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument(
        "files", nargs="+", metavar="file", help="two rankings, a table of scores, or judgments and runs"
    )
    action = command.component(
        "--coefficient",
        dest="by",
        of=[coefficients],
        action="append",
        metavar="SPEC",
        help=f"coefficient, may be repeated: %(known)s (default: {', '.join(DEFAULT)})",
    )
    command.old_spelling(action, "-b", "--by")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        action="append",
        metavar="SPEC",
        help="measure to rank systems by, may be repeated",
    )
    action = command.component(
        "--average",
        of=[averages],
        action="append",
        metavar="SPEC",
        help="average to rank systems by, may be repeated: %(known)s (default: that of the measure)",
    )
    command.old_spelling(action, "-a")
    command.add_argument(
        "--ranks", action="store_true", help="read the numbers of the two files as ranks, where 1 is best"
    )
    action = command.add_argument(
        "--tie-threshold",
        dest="within",
        type=finite,
        default=0.0,
        metavar="D",
        help="treat scores that differ by less than D as tied (default: 0)",
    )
    command.old_spelling(action, "--within")
    command.add_argument(
        "--resolve",
        choices=RESOLUTIONS,
        default="pairs",
        help="how ties by threshold, which are not transitive, are resolved (default: pairs)",
    )
    command.add_argument(
        "--over", choices=("topics", "items"), help="what the bootstrap resamples (default: topics if there are any)"
    )
    command.add_argument(
        "--samples",
        type=between(0, 10**7),
        metavar="N",
        help="number of bootstrap samples (default: 1000; fewer for many items)",
    )
    command.add_argument(
        "--permutations",
        type=between(0, 10**7),
        metavar="N",
        help="number of random orders for p (default: 1000; fewer for many items)",
    )
    level_option(command)
    seed_option(command)
    command.output()
    digits_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    rows = _of_two(options) if len(options.files) == 2 else _of_columns(options)
    form = format_of(options.format, options.output, "table")
    colour = coloured(options.output)
    text = as_json(rows) if form == "json" else as_text(rows, form, options.digits, colour=colour)
    emit(text, options.output, options.files)
    return 0


def _draws(options: argparse.Namespace) -> Draws:
    return Draws(
        options.within, options.resolve, options.samples, options.permutations, options.confidence, options.seed
    )


def _of_two(options: argparse.Namespace) -> Correlations:
    if options.over == "topics":
        raise SpecError("two files have no topics in common: give one table of scores, or judgments and runs")
    if options.files.count("-") > 1:
        raise SpecError("standard input can be read only once")
    sources = [open_source(file) for file in options.files]
    rankings = [read_ranking(source) for source in sources]
    refuse_judging(options, "two files are two rankings")
    if all(ranking is not None for ranking in rankings) and (options.measure or options.average):
        raise SpecError("--measure and --average are for tables of scores, and these are two rankings")
    if options.ranks and any(ranking is None or _is_ids(ranking) for ranking in rankings):
        raise SpecError("--ranks is for numbers that are ranks: one of these files has none")
    x, y = (
        _figures(source, options) if ranking is None else ranking
        for source, ranking in zip(sources, rankings, strict=True)
    )
    names = options.files[0], options.files[1]
    by = options.by or DEFAULT
    return correlate_rankings(x, y, by, _draws(options), names=names, ranks=options.ranks, progress=Terminal())


def _is_ids(ranking: Any) -> bool:
    return isinstance(ranking, list) and isinstance(ranking[0], str)


def _figures(source: Source, options: argparse.Namespace) -> dict[str, float]:
    """{system: figure} of a table of scores."""
    asked = split_names(options.measure or [])
    scores = read_scores(source, measure=asked[0] if len(asked) == 1 else None)
    names = [name_in(scores, source.name, name) for name in asked] or list(scores.measures)
    if len(names) > 1:
        raise SpecError(f"{source.name} has several measures: choose one with --measure: {', '.join(names)}")
    if len(options.average or ()) > 1:
        raise SpecError("of two files one average is compared with itself: give one --average")
    ranked = Ranked(names[0], options.average[0] if options.average else None)
    return dict(zip(scores.systems, ranked.figures(scores).tolist(), strict=True))


def _of_columns(options: argparse.Namespace) -> Correlations:
    if options.ranks:
        raise SpecError("--ranks is for two files of numbers")
    scores, names = scores_of_measures(options.files, options.measure or [], options)
    ways = [str(averages.parse(spec)) for spec in options.average or ()]
    rankings = [Ranked(name, average) for name in names for average in (dict.fromkeys(ways) or [None])]
    by = options.by or DEFAULT
    return correlate_systems(scores, rankings, by, _draws(options), over=options.over, progress=Terminal())
