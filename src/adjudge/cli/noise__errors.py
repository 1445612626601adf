"""Measure how wrong a degraded corpus is: error rates of characters and words, intact words, frequent confusions.

    adjudge noise errors fr94/ fr94-ocr/
    adjudge noise errors fr94/ fr94-ocr/documents.jsonl.zst --topics topics.txt --confusions 40
    adjudge noise errors true.jsonl read.jsonl --show documents -f csv

Documents are matched by id; there may be more true ones than degraded ones. The character error rate is the number of
edits over the length of the true text, white space counted as one blank; the word error rate is the same with words.
Totals weight documents by length; the intervals are bootstraps over documents. Words of topics are those that a stop
list leaves; a word is intact where it came through whole and on its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..formats.documents import read_documents
from ..report.noise_tables import ERRORS, errors_json, errors_text
from ..words import degradation
from ._noise import layout_option
from ._options import (
    Parser,
    between,
    coloured,
    digits_option,
    emit,
    format_of,
    level_option,
    note,
    seed_option,
    split_names,
)
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise errors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("true", help="true documents: file, folder, pattern or tar")
    command.add_argument("degraded", help="degraded documents: the same, or the folder of a noise job")
    command.add_argument("--topics", metavar="FILE", help="topics whose words are counted separately")
    command.add_argument(
        "--words", action="append", default=[], metavar="W,…", help="words to count separately, may be repeated"
    )
    command.add_argument("--ignore-case", action="store_true", help="treat capital and small letters as the same")
    command.add_argument(
        "--show",
        action="append",
        metavar="TABLE",
        help=f"table to show, may be repeated: {', '.join(ERRORS)} (default: totals and confusions; in CSV totals)",
    )
    command.add_argument(
        "--confusions",
        type=between(1, 10**6),
        default=20,
        metavar="N",
        help="number of confusions to show (default: 20)",
    )
    layout_option(command)
    seed_option(command)
    level_option(command)
    digits_option(command)
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    import numpy as np

    from ..noise.error_report import report_errors
    from ..verbs.noise_verbs import query_words

    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table")
    show = tables_of(options.show, form)
    asked = query_words(options.topics, split_names(options.words))
    true = read_documents(options.true, options.layout)
    degraded = read_documents(options.degraded, options.layout)
    result = report_errors(
        true,
        degraded,
        np.random.default_rng(options.seed),
        case=not options.ignore_case,
        asked=asked,
        confusions=options.confusions,
        confidence=options.confidence,
        progress=Terminal(),
    )
    note(result.notes)
    if result.unpaired:
        note([degradation.without_degraded_text(result.unpaired)])
    if form == "json":
        text = errors_json(result, show)
    else:
        text = errors_text(result, show, form, options.digits, colour=coloured(options.output))
    emit(text, options.output, [options.true, options.degraded])
    return 0


def tables_of(words: Sequence[str] | None, form: str) -> list[str]:
    """The tables that were asked for; a CSV file holds one."""
    show = split_names(words) if words else ["totals"] if form == "csv" else ["totals", "confusions"]
    for name in show:
        if name not in ERRORS:
            raise SpecError(f"--show may be {', '.join(ERRORS)}, not {name!r}")
    if form == "csv" and len(show) > 1:
        raise SpecError("CSV holds one table: give one --show")
    return show
