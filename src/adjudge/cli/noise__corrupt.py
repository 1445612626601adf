"""What may OCR make of a word? Its most probable corruptions under an error channel.

    adjudge noise corrupt modern --channel ocrad-20
    adjudge noise corrupt corn modern -n 5 --channel mine.json --by site -f json

By default all that the channel can do to a word is searched, the most probable first, the intact word among it. --by
type or site uses only the channel's characteristic errors, which happen at all their places in a word or at each on
its own: the corrupted words of the Confusion Track's systems.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..report.noise_tables import corruptions_table
from ..report.text_table import FORMS
from ._options import Parser, between, coloured, digits_option, emit, format_of


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise corrupt", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("words", nargs="+", metavar="word")
    command.add_argument("-c", "--channel", required=True, metavar="NAME", help="a channel of the package, or a file")
    command.add_argument("-n", "--number", type=between(1, 10**5), default=10, metavar="N", help="of each word (10)")
    command.add_argument("--by", choices=("rules", "type", "site"), default="rules", help="what is combined (rules)")
    digits_option(command)
    command.add_argument(
        "-f", "--format", choices=FORMS, help="by default a table, or what the ending of --output says"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write there, replacing the file in one step")
    return command


def main(arguments: Sequence[str]) -> int:
    from ..noise.channel import channel_of

    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table")
    channel = channel_of(options.channel)
    rows = []
    for word in dict.fromkeys(options.words):
        if not word:
            raise SpecError("adjudge noise corrupt: an empty word")
        if options.by == "rules":
            variants = channel.most_probable(word, options.number)
        else:
            variants = channel.corruptions(word, options.number, by=options.by)
        rows += [(word, variant, probability) for variant, probability in variants]
    table = corruptions_table(rows, options.digits)
    emit(table.form(form, colour=coloured(options.output)), options.output, [options.channel])
    return 0
