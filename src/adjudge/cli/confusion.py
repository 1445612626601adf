"""The Confusion Track made anew: all systems on the true and the degraded versions of a corpus, one table.

    adjudge confusion fr94/ ocr5/documents.jsonl.zst ocr20/documents.jsonl.zst questions.tsv qrels.txt -o results
    adjudge confusion true.jsonl noisy.jsonl questions.tsv qrels.txt -o results --systems gmu961 --systems bm25

The documents come first, the true version before the degraded ones, then the questions and the judgments, with one
relevant document for each question. Documents that a version lacks are left out of all, and told; so are questions
whose target is not there. RESULTS gets the runs with their records, the table of mean reciprocal ranks, what was found,
operating characteristics, dominance and significance for each version, and the page report.html. Given again, the
command does only what is not done: a kill costs the system under way. Without --outside, CLARIT's lexicon has no text
to come from, and its systems are left out and told.

Exit code 0: all systems answered; 2: bad input, or a system failed, and the others' runs are kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..experiment.track import conduct_track, track_plan
from ..report.confusion_table import as_text, track_files
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..systems.system import TRACK
from ._options import Parser, between, coloured, emit, note, seed_option
from ._terminal import experiment_listener


def parser() -> Parser:
    command = Parser(
        prog="adjudge confusion", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument(
        "paths", nargs="+", metavar="path", help="versions of the documents, then topics, then judgments"
    )
    command.add_argument("-o", "--output", metavar="RESULTS", required=True, help="the folder for results")
    command.add_argument(
        "-s",
        "--systems",
        action="append",
        metavar="SPEC",
        help=f"may be repeated; a run of the track or any system (the track's: {', '.join(TRACK)})",
    )
    command.add_argument(
        "--name", dest="names", action="append", metavar="NAME", help="of each version, in their order"
    )
    command.add_argument("--outside", default="", metavar="DOCS", help="clean text that is not searched, for lexica")
    command.add_argument(
        "--aligned", type=between(0, 10**6), default=40, metavar="N", help="documents to learn errors from (40)"
    )
    command.add_argument(
        "--training", type=between(0, 10**6), default=100, metavar="N", help="documents for regression (100)"
    )
    command.add_argument("-k", "--depth", type=between(1, 10**6), default=1000, metavar="N", help="of the lists (1000)")
    command.add_argument(
        "--workers",
        type=between(0, 64),
        default=1,
        metavar="N",
        help="systems at a time, if memory allows (1); 0: in this process",
    )
    command.add_argument(
        "--samples", type=between(39, 10**5), default=1000, metavar="N", help="of the bootstrap (1000)"
    )
    seed_option(command)
    command.add_argument("-f", "--format", choices=FORMS, default="table", help="of what is printed (table)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    *versions, topics, judgments = options.paths if len(options.paths) > 2 else ("", "")
    plan, left_out = track_plan(
        versions,
        topics,
        judgments,
        names=options.names or (),
        systems=options.systems or (),
        outside=options.outside,
        samples=options.samples,
        aligned=options.aligned,
        training=options.training,
        depth=options.depth,
        seed=options.seed,
    )
    note(left_out)
    with experiment_listener() as progress:
        reporters = result_files, track_files
        track = conduct_track(
            plan, options.output, *reporters, notes=left_out, workers=options.workers, progress=progress
        )
    emit(as_text(track, options.format, colour=coloured(None)))
    return 0
