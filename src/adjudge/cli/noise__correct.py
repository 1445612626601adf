"""Correct scanned text: words that are not in a lexicon become the words that fit them and their sentence best.

    adjudge noise correct fr94-ocr/ -o fr94-corrected --lexicon fr88/ --lexicon fr89/
    adjudge noise correct scans.jsonl.zst -o corrected --lexicon clean.jsonl --channel ocrad-20
    adjudge noise correct hdfs://host/scans -o hdfs://host/corrected --lexicon clean/ --engine spark --master yarn

This is CLARIT's correction (adjudge systems clarit). The lexicon is made of the words, and pairs of words, of clean
texts of the same kind; they must not be the true versions of the documents, or an experiment would prove nothing. For
each word that is not in it the words with the most letter trigrams in common are ranked by an error channel, and the
most probable way through the sentence is taken. Without --channel the channel is learned from corrections of 200
documents. Broken and joined words, and errors that make another word of the lexicon, stay.

DIR is as for adjudge noise, and a job that was interrupted goes on in the same way; with --engine spark the lexicon is
made here, sent to the workers, and DIR becomes a Parquet table.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.errors import SpecError
from ..formats.documents import read_documents
from ..storage.replace import scratch_folder
from ._engine import engine_of, engine_options, on_cluster
from ._noise import documents_of, documents_option, job_options, refuse_local, refuse_places, run, run_on
from ._options import Parser, between, finite, note
from ._terminal import Terminal

if TYPE_CHECKING:
    from ..cluster.session import SparkEngine
    from ..systems.parts.correction.correcting import Corrector

ROUNDS = 2


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise correct", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    documents_option(command)
    command.add_argument(
        "--lexicon",
        action="append",
        required=True,
        metavar="TEXTS",
        help="clean documents whose words are the lexicon: file, folder, pattern or tar, may be repeated",
    )
    action = command.add_argument(
        "--channel", metavar="NAME", help="error channel: a name such as ocrad-20, or a file (default: learned)"
    )
    command.old_spelling(action, "-c")
    command.add_argument(
        "--rounds",
        type=between(0, 100),
        metavar="N",
        help=f"number of rounds in which the channel is learned, 0 for none (default: {ROUNDS})",
    )
    command.add_argument(
        "--least",
        type=between(1, 10**9),
        default=2,
        metavar="N",
        help="least number of occurrences of a word of the lexicon (default: 2)",
    )
    command.add_argument(
        "--candidates",
        type=between(1, 10_000),
        default=200,
        metavar="N",
        help="number of words that the channel ranks for each unknown word (default: 200)",
    )
    command.add_argument(
        "--keep",
        type=between(1, 255),
        default=10,
        metavar="N",
        help="number of these that are tried in the sentence (default: 10)",
    )
    action = command.add_argument(
        "--pair-weight",
        dest="share",
        type=finite,
        default=0.8,
        metavar="X",
        help="weight of word pairs against single words, below 1 (default: 0.8)",
    )
    command.old_spelling(action, "--share")
    job_options(command)
    engine_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if not 0 <= options.share < 1:
        raise SpecError(f"adjudge noise correct: --pair-weight lies in [0, 1), not {options.share:g}")
    if options.channel is not None and options.rounds is not None:
        raise SpecError(
            "adjudge noise correct: --rounds needs a channel that is learned: give --rounds or --channel, not both"
        )
    if [*options.documents, *options.lexicon].count("-") > 1:
        raise SpecError("standard input can be read only once")
    refuse_places(options.output, [*options.documents, *options.lexicon])
    engine = engine_of(options)
    if engine is not None:
        with tempfile.TemporaryDirectory(prefix="adjudge-lexicon-") as folder:
            refuse_local(options)
            return _on_spark(engine, options, folder)
    with scratch_folder(options.output) as beside:  # the next job removes what one that was killed leaves there
        documents = documents_of(options)
        corrector = _corrector(options, str(beside)).calibrate(documents, _rounds(options))
        return run(options, corrector, pages=False, documents=documents)


def _corrector(options: argparse.Namespace, folder: str) -> Corrector:
    """The lexicon and, if one was named, the channel."""
    from ..systems.parts.correction.correcting import Corrector

    texts = read_documents(options.lexicon)
    corrector = Corrector.build(
        texts,
        os.path.join(folder, "lexicon"),
        channel=options.channel,
        least=options.least,
        progress=Terminal(),
        candidates=options.candidates,
        keep=options.keep,
        share=options.share,
    )
    note(texts.notes)
    return corrector


def _rounds(options: argparse.Namespace) -> int:
    """In how many rounds the channel is learned: none if one was named."""
    if options.channel is not None:
        return 0
    return ROUNDS if options.rounds is None else int(options.rounds)


def _on_spark(engine: SparkEngine, options: argparse.Namespace, folder: str) -> int:
    from ..cluster.document_tables import read_table
    from ..cluster.folders import Folder
    from ..cluster.noise_jobs import sample_on
    from ..systems.parts.correction.correcting import PIECE, SAMPLE, rank

    corrector = _corrector(options, folder)
    with on_cluster(engine) as cluster:
        Folder(cluster, options.output).refuse_used()
        read = read_table(cluster, options.documents, options.layout)
        if options.channel is None:
            corrector = corrector.calibrate(sample_on(cluster, read, rank, SAMPLE, PIECE), _rounds(options))
        return run_on(cluster, options, read, corrector, pages=False, folders=("lexicon",))
