"""Degrade documents without OCR: errors drawn from a learned channel, or blindly.

    adjudge noise simulate fr94/ -o fr94-20 --channel ocrad-20
    adjudge noise simulate fr94/ -o fr94-10 --channel mine.json --rate 0.10 --seed 3
    adjudge noise simulate fr94/ -o fr94-random --random 0.10
    adjudge noise simulate hdfs://host/press/ -o hdfs://host/press-20 --channel ocrad-20 --engine spark --master yarn

A channel is one that comes with the package or a file made by adjudge noise learn; --rate asks for another character
error rate than the one it was learned at. --random inserts, deletes and substitutes characters blindly, as TREC-4 did:
the cheap control. Output and resumption are as for adjudge noise, and so is what --engine spark does.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..noise.degrader import Degrader
from ._engine import engine_options
from ._noise import documents_option, job_options, run
from ._options import Parser, finite, seed_option


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise simulate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    documents_option(command)
    action = command.add_argument("--channel", metavar="NAME", help="error channel: a name such as ocrad-20, or a file")
    command.old_spelling(action, "-c")
    command.add_argument("--rate", type=finite, metavar="X", help="character error rate (default: that of the channel)")
    command.add_argument(
        "--random", type=finite, metavar="X", help="replace characters at random at this rate, without a channel"
    )
    job_options(command)
    seed_option(command)
    engine_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    return run(options, degrader_of(options), pages=False)


def degrader_of(options: argparse.Namespace) -> Degrader:
    if (options.channel is None) == (options.random is None):
        raise SpecError("adjudge noise simulate: give either --channel or --random")
    if options.random is not None:
        from ..noise.random_noise import RandomNoise

        if options.rate is not None:
            raise SpecError("adjudge noise simulate: --rate needs --channel: --random takes its rate itself")
        return RandomNoise(options.random, seed=options.seed)
    from ..noise.channel import ChannelNoise, channel_of

    return ChannelNoise(channel_of(options.channel), options.rate, options.seed)
