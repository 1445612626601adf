"""Compare systems: which is better, by how much, and how sure that is; paired tests of all pairs or against baselines.

    adjudge compare qrels.txt runs/* --measure ap
    adjudge compare qrels.txt runs/* --baseline bm25 --test randomisation --test wilcoxon
    adjudge compare qrels.txt runs/* -m ap -m ndcg@10 --format latex
    adjudge compare scores.csv --test tukey --average "log(eps=1e-5)"
    adjudge compare qrels.txt runs/* --rope 0.01 --method tost
    adjudge compare qrels.txt runs/* -m ndcg@10 --groups --paragraph --chart ranks.svg
    adjudge compare qrels.txt a.run b.run --topic 301 --documents docs.index --topics topics.txt

With several measures, or with --marks, the output is one table for a paper: averages with marks of significance, and
below it the pairs with raw p-values beside corrected ones.

The output has means, differences with confidence intervals, p-values corrected for the number of comparisons, wins and
losses by topic, and the topics where the systems differ most. The first test also makes the interval: simultaneous for
tukey, studentised for bootstrap, Student's for all others. Tests that draw random samples give the same p for the same
--seed, on any machine. Systems can be compared on the same topics only, so a judged topic that a run leaves out scores
0, and a note says so. A run that answers no judged topic, or less than --least-coverage of them, is named and left out,
and the exit code is 3. A star marks a significant difference.

--groups shows a leaderboard instead of pairs: the ranks that each system may have, and letters, of which systems share
one if they do not differ significantly by the first test. --rope asks whether differences matter: the probability, or
p, that a system is better, practically equivalent or worse.

--topic shows two rankings of a topic side by side: grades, what moved and from which rank, what nobody judged, and the
relevant documents that neither has at the top; with --documents titles and snippets.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence

import numpy as np

from ..comparison.comparisons import Comparisons, compare_measures
from ..comparison.equivalence import equivalence, equivalence_methods
from ..comparison.paired import corrections, paired_tests
from ..comparison.rank_groups import groups_of
from ..comparison.verdict import Comparison
from ..core.average import transformations
from ..core.errors import SpecError
from ..core.measure import measures
from ..core.scores import Scores
from ..report import equivalence_table, groups_text
from ..report.comparison import as_json, as_text
from ..report.groups_text import GROUP_FORMS
from ..report.paper_tables import MARKS, as_paper_text
from ..report.search_results import PAGE
from ..report.text_table import FORMS, json_text
from ._options import (
    NO_VERDICT,
    Parser,
    between,
    coloured,
    coverage_option,
    digits_option,
    emit,
    finite,
    format_of,
    judging_of,
    judging_options,
    level_option,
    measure_names,
    note,
    refuse_inputs,
    seed_option,
)
from .average import scores_of_measures


def parser() -> Parser:
    command = Parser(prog="adjudge compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("files", nargs="+", metavar="file", help="table of scores, or judgments and runs")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        action="append",
        metavar="SPEC",
        help="measure to compare by, may be repeated (default: ap; of a table of scores, its only measure)",
    )
    command.add_argument(
        "--marks",
        choices=MARKS,
        help="make one table for a paper: letters name the systems that a figure is significantly better than, symbols "
        "mark what is better or worse than the only baseline (default: letters if there are several measures)",
    )
    command.add_argument(
        "--baseline", action="append", metavar="NAME", help="compare with this system only, may be repeated"
    )
    command.component(
        "-t",
        "--test",
        of=[paired_tests],
        action="append",
        metavar="SPEC",
        help="paired test, may be repeated: %(known)s (default: t)",
    )
    command.component(
        "--correction",
        of=[corrections],
        default="holm",
        metavar="NAME",
        help="correction for many comparisons: %(known)s (default: holm)",
    )
    action = command.component(
        "--average",
        dest="by",
        of=[transformations],
        default="mean",
        metavar="SPEC",
        help="transformation of the scale to compare under: %(known)s (default: mean, none)",
    )
    command.old_spelling(action, "-b", "--by")
    command.add_argument(
        "--pairs", type=between(0, 10**9), default=20, metavar="N", help="number of pairs to show (default: 20)"
    )
    command.add_argument("--groups", action="store_true", help="show groups and rank intervals instead of pairs")
    command.add_argument("--paragraph", action="store_true", help="add a paragraph for a paper; needs --groups")
    command.add_argument(
        "--chart", metavar="FILE", help="write rank intervals to FILE as a chart, .svg or .pdf; needs --groups"
    )
    command.add_argument(
        "--critical-distance",
        metavar="FILE",
        help="write Demšar's diagram of mean ranks to FILE, .svg or .pdf; needs --groups",
    )
    command.add_argument(
        "--rope",
        type=finite,
        metavar="D",
        help="largest difference that does not matter; shows how far systems are better, equivalent or worse",
    )
    command.component(
        "--method",
        of=[equivalence_methods],
        default="",
        metavar="SPEC",
        help="method of equivalence: %(known)s (default: bayesian_signed_rank); needs --rope",
    )
    command.add_argument("--topic", metavar="ID", help="show the rankings of two runs for this topic side by side")
    command.add_argument(
        "--documents", metavar="PATH", help="documents, or an index with texts, for titles and snippets; needs --topic"
    )
    command.add_argument("--topics", metavar="FILE", help="questions, for the snippets; needs --topic")
    command.add_argument(
        "--first", type=between(1, 10**6), default=10, metavar="N", help="documents of each ranking (default: 10)"
    )
    level_option(command)
    seed_option(command)
    command.output(GROUP_FORMS)
    digits_option(command)
    coverage_option(command)
    judging_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if options.topic is not None:
        return show_topic(options)
    for name in ("documents", "topics"):
        if getattr(options, name):
            raise SpecError(f"--{name} is for --topic")
    scores, names = scores_of_measures(options.files, options.measure or [], options)
    if len(names) > 1 and not options.measure:
        raise SpecError(f"{options.files[0]} has several measures, say which with --measure: {', '.join(names)}")
    if options.rope is not None:
        if len(names) > 1:
            raise SpecError("--rope is of one measure: give one --measure")
        return show_equivalence(scores, names[0], options)
    if options.method:
        raise SpecError("--method is for --rope")
    result = compare_measures(
        scores,
        names,
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
        if len(result) > 1:
            raise SpecError("--groups is of one measure: give one --measure")
        show_groups(result[0], scores, options)
        return NO_VERDICT if result[0].left_out else 0
    for name in ("paragraph", "chart", "critical_distance"):
        if getattr(options, name):
            raise SpecError(f"--{name.replace('_', '-')} is for --groups")
    paper = len(result) > 1 or options.marks is not None
    if options.format == "html" and not paper:
        raise SpecError("--format html is for --groups, --marks or several measures")
    form = format_of(options.format, options.output, "table", GROUP_FORMS if paper else FORMS)
    emit(text_of(result, form, options), options.output, options.files)
    return NO_VERDICT if result[0].left_out else 0


def text_of(result: Comparisons, form: str, options: argparse.Namespace) -> str:
    """One measure with all that is known of the pairs; several, or what is marked for a paper, as one table."""
    if len(result) > 1 or options.marks:
        if form == "json":
            return json_text(result.to_dict())
        return as_paper_text(result, form, digits=options.digits, marks=options.marks or "letters")
    only, colour = result[0], coloured(options.output)
    return as_json(only) if form == "json" else as_text(only, form, options.digits, options.pairs, colour=colour)


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


def show_equivalence(scores: Scores, measure: str, options: argparse.Namespace) -> int:
    """Pairs with a region of practical equivalence; the exit code."""
    if options.groups or options.test or options.by != "mean":
        raise SpecError("--rope is a comparison of its own: without --groups, --test and --by")
    result = equivalence(
        scores,
        measure,
        rope=options.rope,
        method=options.method or "bayesian_signed_rank",
        baselines=options.baseline or (),
        correction=options.correction,
        alpha=round(1 - options.confidence, 12),
        least_coverage=options.least_coverage,
        rng=np.random.default_rng(options.seed),
    )
    note(result.notes)
    form = format_of(options.format, options.output, "table")
    colour = coloured(options.output)
    emit(
        equivalence_table.as_text(result, form, options.digits, options.pairs, colour=colour),
        options.output,
        options.files,
    )
    return NO_VERDICT if result.left_out else 0


def show_topic(options: argparse.Namespace) -> int:
    """Two rankings of a topic side by side; the exit code."""
    from ..report import topic_text
    from ..verbs.verdict_verbs import compare_topic

    if len(options.files) < 3:
        raise SpecError("--topic shows two runs: give judgments and two runs")
    result = compare_topic(
        options.files[0],
        options.files[1:],
        options.topic,
        measure_names(options.measure or ["ap"]),
        documents=options.documents,
        topics=options.topics,
        depth=options.first,
        judging=judging_of(options),
    )
    note(result.notes)
    form = format_of(options.format, options.output, "table", GROUP_FORMS)
    colour = coloured(options.output)
    width = shutil.get_terminal_size().columns if colour else PAGE
    emit(topic_text.as_text(result, form, colour=colour, width=width), options.output, options.files)
    return 0
