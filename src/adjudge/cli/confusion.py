"""Reproduce the TREC-5 Confusion Track: all systems on the clean and the degraded versions of a corpus, one table.

    adjudge confusion fr94/ ocr5/documents.jsonl.zst ocr20/documents.jsonl.zst questions.tsv qrels.txt -o results
    adjudge confusion true.jsonl noisy.jsonl questions.tsv qrels.txt -o results --system gmu961 --system bm25

The documents come first, the clean version before the degraded ones, then the questions and the judgments, with one
relevant document for each question. Documents that a version lacks are left out of all versions, and questions whose
target is missing are left out; notes say which. RESULTS gets the runs with their records, the table of mean reciprocal
ranks, operating characteristics, dominance and significance for each version, and the page report.html. Run the
command again and only the missing work is done: if it is interrupted, only unfinished runs are lost. Without --outside
there is no text for CLARIT's lexicon, and its systems are left out with a note.

Exit code 0: all systems answered; 2: bad input, or a system failed, and the runs of the others are kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..experiment.completed_runs import claim_folder
from ..experiment.track import conduct_track, track_plan
from ..report.confusion_table import as_text, track_files
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..systems.system import TRACK, systems
from ._options import Parser, between, coloured, emit, note, seed_option
from ._terminal import experiment_listener


def parser() -> Parser:
    command = Parser(
        prog="adjudge confusion", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument(
        "paths", nargs="+", metavar="path", help="versions of the documents, then topics, then judgments"
    )
    command.add_argument("-o", "--output", metavar="RESULTS", required=True, help="folder for the results")
    action = command.component(
        "-s",
        "--system",
        dest="systems",
        of=[systems],
        action="append",
        metavar="SPEC",
        help=f"run of the track or any system, may be repeated (default: {', '.join(TRACK)})",
    )
    command.old_spelling(action, "--systems")
    command.add_argument(
        "--name", dest="names", action="append", metavar="NAME", help="name of each version, in their order"
    )
    command.add_argument(
        "--outside", default="", metavar="DOCS", help="clean documents outside the corpus, for systems with a lexicon"
    )
    command.add_argument(
        "--aligned",
        type=between(0, 10**6),
        default=40,
        metavar="N",
        help="number of documents to learn errors from (default: 40)",
    )
    command.add_argument(
        "--training",
        type=between(0, 10**6),
        default=100,
        metavar="N",
        help="number of documents to fit regressions on (default: 100)",
    )
    action = command.add_argument(
        "-k",
        "--hits",
        dest="depth",
        type=between(1, 10**6),
        default=1000,
        metavar="N",
        help="number of documents to retrieve per topic (default: 1000)",
    )
    command.old_spelling(action, "--depth")
    command.add_argument(
        "--workers",
        type=between(0, 64),
        default=1,
        metavar="N",
        help="number of systems to run at a time, if memory allows; 0 runs them in this process (default: 1)",
    )
    command.add_argument(
        "--force", action="store_true", help="overwrite files in the output folder that adjudge has not written"
    )
    command.add_argument(
        "--samples",
        type=between(39, 10**5),
        default=1000,
        metavar="N",
        help="number of bootstrap samples (default: 1000)",
    )
    seed_option(command)
    command.add_argument(
        "-f", "--format", choices=FORMS, default="table", help="format of the printed table (default: table)"
    )
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
    if options.force:
        claim_folder(options.output)
    with experiment_listener() as progress:
        reporters = result_files, track_files
        track = conduct_track(
            plan, options.output, *reporters, notes=left_out, workers=options.workers, progress=progress
        )
    emit(as_text(track, options.format, colour=coloured(None)))
    return 0
