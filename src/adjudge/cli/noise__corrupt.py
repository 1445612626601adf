"""Show what OCR may make of a word: its most probable corruptions under an error channel.

    adjudge noise corrupt modern --channel ocrad-20
    adjudge noise corrupt corn modern -n 5 --channel mine.json --combine site -f json

By default everything that the channel can do to a word is searched, the most probable first, the intact word included.
--combine type or site uses only the channel's characteristic errors, which happen at all their places in a word or at
each on its own: the corrupted words of the Confusion Track's systems.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..report.noise_tables import corruptions_table
from ._options import Parser, between, coloured, digits_option, emit, format_of


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise corrupt", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("words", nargs="+", metavar="word", help="word to corrupt")
    action = command.add_argument(
        "--channel", required=True, metavar="NAME", help="error channel: a name such as ocrad-20, or a file"
    )
    command.old_spelling(action, "-c")
    command.add_argument(
        "-n",
        "--number",
        type=between(1, 10**5),
        default=10,
        metavar="N",
        help="number of corruptions to show for each word (default: 10)",
    )
    action = command.add_argument(
        "--combine",
        dest="by",
        choices=("rules", "type", "site"),
        default="rules",
        help="errors that are combined: all rules, or characteristic errors by type or by site (default: rules)",
    )
    command.old_spelling(action, "--by")
    digits_option(command)
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    from ..verbs.noise_verbs import corrupt

    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table")
    rows = corrupt(options.words, options.channel, options.number, by=options.by)
    table = corruptions_table(rows, options.digits)
    emit(table.form(form, colour=coloured(options.output)), options.output, [options.channel])
    return 0
