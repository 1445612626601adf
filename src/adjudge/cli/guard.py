"""Guard against regressions: pass, fail or cannot tell whether a run is worse than its baseline, for CI.

    adjudge guard qrels.txt baseline.run new.run -m ndcg@10 --tolerance 0.01
    adjudge guard qrels.txt baseline.csv new.run -m ndcg@10 -m rr --tolerance 2%
    adjudge guard qrels.txt results new.run --system bm25 -f github

BASELINE and RUN are each a run, a table of scores by topic, or a results folder of adjudge run; two tables need no
QRELS. The verdict is that of one-sided tests and not of the two means. Exit codes: 0 the run passes, 1 it fails, 3 the
topics cannot tell, and then the output says how many it would take; 2 bad input.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..comparison.noninferiority import POWER
from ..comparison.paired import corrections, paired_tests
from ..comparison.verdict import ALPHA
from ..core.measure import measures
from ..experiment.regression_gate import guard
from ..report.guard_text import GUARD_FORMS, as_text
from ._options import (
    Parser,
    coloured,
    coverage_option,
    digits_option,
    emit,
    format_of,
    judging_of,
    judging_options,
    measure_names,
    note,
    seed_option,
    share,
    split_names,
)


def parser() -> Parser:
    command = Parser(prog="adjudge guard", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("files", nargs="+", metavar="file", help="QRELS BASELINE RUN; or BASELINE RUN, both tables")
    command.component(
        "-m",
        "--measure",
        of=[measures],
        action="append",
        metavar="SPEC",
        help="measure, may be repeated (default: ap)",
    )
    command.add_argument(
        "--tolerance",
        action="append",
        metavar="AMOUNT",
        help="loss that is tolerated: 0.01, a share of the baseline's mean such as 2%%, or MEASURE=AMOUNT (default: 0)",
    )
    command.component(
        "-t", "--test", of=[paired_tests], default="t", metavar="SPEC", help="paired test: %(known)s (default: t)"
    )
    command.component(
        "--correction",
        of=[corrections],
        default="holm",
        metavar="NAME",
        help="correction for several measures: %(known)s (default: holm)",
    )
    command.add_argument(
        "--alpha", type=share, default=ALPHA, metavar="P", help=f"significance level of the tests (default: {ALPHA})"
    )
    command.add_argument(
        "--power",
        type=share,
        default=POWER,
        metavar="P",
        help=f"power for which the number of topics is computed (default: {POWER})",
    )
    command.add_argument("--system", default="", metavar="NAME", help="system of a table or folder that has several")
    command.add_argument(
        "--of-version", default="", metavar="NAME", help="version of a results folder (default: the clean text)"
    )
    command.add_argument("--common", action="store_true", help="compare on the topics that both have a value for")
    coverage_option(command)
    seed_option(command)
    command.output(GUARD_FORMS)
    digits_option(command)
    judging_options(command)
    return command


def tolerances(words: Sequence[str]) -> dict[str, float | str]:
    """{measure: amount}; the amount for all others is under an empty name."""
    given: dict[str, float | str] = {}
    for word in words:
        name, _, amount = word.rpartition("=")
        given[name.strip()] = amount
    return given


def main(arguments: Sequence[str]) -> int:
    command = parser()
    options = command.parse_mixed(arguments)
    if len(options.files) not in {2, 3}:
        command.error(f"QRELS, BASELINE and RUN are needed, not {len(options.files)} files")
    qrels, baseline, run = [None, *options.files][-3:]
    asked = options.measure or ["ap"]
    result = guard(
        qrels,
        baseline,
        run,
        split_names(asked) if qrels is None else measure_names(asked),  # tables may have scores of any name
        tolerance=tolerances(options.tolerance or ()),
        test=options.test,
        correction=options.correction,
        alpha=options.alpha,
        power=options.power,
        system=options.system,
        version=options.of_version,
        common=options.common,
        least_coverage=options.least_coverage,
        judging=judging_of(options),
        seed=options.seed,
    )
    note(result.notes)
    form = format_of(options.format, options.output, "table", GUARD_FORMS)
    emit(as_text(result, form, options.digits, colour=coloured(options.output)), options.output, options.files)
    return result.exit_code
