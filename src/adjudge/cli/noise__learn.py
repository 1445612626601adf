"""Learn an error channel from true documents and their degraded versions.

    adjudge noise learn fr94/ fr94-ocr/ -o ocrad-5.json
    adjudge noise learn true.jsonl read.jsonl -o channel.json --rounds 5

Documents are matched by id and aligned; confusions of up to three characters on either side, insertions, deletions,
broken and joined words get probabilities, refined by expectation maximisation, and the way errors come in bursts is
fitted. The channel is a small JSON file for adjudge noise simulate and adjudge noise corrupt.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..formats.documents import read_documents
from ..words import degradation
from ._noise import layout_option
from ._options import Parser, between, emit, note, refuse_inputs, seed_option
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise learn", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("true", help="true documents: file, folder, pattern or tar")
    command.add_argument("degraded", help="degraded documents: the same, or the folder of a noise job")
    command.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="write the channel to FILE as JSON (replaced atomically)"
    )
    command.add_argument(
        "--rounds",
        type=between(0, 100),
        default=3,
        metavar="N",
        help="number of rounds of expectation maximisation (default: 3)",
    )
    command.add_argument(
        "--rules", type=between(1, 10**6), default=4000, metavar="N", help="largest number of rules (default: 4000)"
    )
    command.add_argument(
        "--bursts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="fit how errors come in bursts, which simulation needs and scoring does not (default: yes)",
    )
    layout_option(command)
    seed_option(command)
    return command


def main(arguments: Sequence[str]) -> int:
    from ..noise.pairing import DocumentPairs
    from ..verbs.noise_verbs import learn_from

    options = parser().parse_mixed(arguments)
    refuse_inputs(options.output, [options.true, options.degraded])
    true = read_documents(options.true, options.layout)
    degraded = read_documents(options.degraded, options.layout)
    pairs = DocumentPairs(true, degraded)
    channel = learn_from(
        pairs,
        rounds=options.rounds,
        rules=options.rules,
        bursts=options.bursts,
        seed=options.seed,
        progress=Terminal(),
    )
    note([*true.notes, *degraded.notes])
    if pairs.unpaired:
        note([degradation.without_degraded_text(pairs.unpaired)])
    skipped = channel.about.get("skipped")
    if isinstance(skipped, int) and skipped:
        note([degradation.stretches_not_learned(skipped)])
    channel.save(options.output)
    emit(f"{degradation.rules_learned(options.output, len(channel.rules), pairs.paired)}\n")
    return 0
