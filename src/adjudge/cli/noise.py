"""Degrade documents by real OCR: texts become scanned pages, and an engine reads them.

    adjudge noise fr94/ -o fr94-ocr --engine ocrad --factor 1.5
    adjudge noise articles.jsonl.gz -o out --engine tesseract --factor 4.2 --font liberation --size 9 --seed 7

DIR then holds documents.jsonl.zst and documents.trec.gz with the ids of the source, in its order; manifest.json with
settings, counts and speed; failures.csv if pages failed. A job that was killed goes on when the same command is given
again: finished documents are kept. --factor says by how much pages are reduced before they are read; adjudge noise
calibrate finds it for a wanted error rate. The result depends on the seed, the ids and the settings, not on the number
of workers. Titles are part of the texts and are not kept apart: they would betray what the noise hides.

Exit code 0: all pages were read; 1: some pages failed after retries, their places are empty and failures.csv says why;
2: bad input or a full disk, and what is finished stays.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..noise.engines import engines
from ..noise.scanner import Scanner
from ._noise import documents_option, job_options, layout_of, page_options, run, scan_of
from ._options import Parser, finite, seed_option


def parser() -> Parser:
    made = Parser(prog="adjudge noise", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    documents_option(made)
    made.add_argument(
        "-e", "--engine", default="ocrad", metavar="SPEC", help=f"one of {', '.join(engines.names)} (ocrad)"
    )
    made.add_argument(
        "--factor", type=finite, default=1.0, metavar="X", help="pages are reduced so many times, from 1 to 16 (1)"
    )
    job_options(made)
    seed_option(made)
    page_options(made)
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scanner = Scanner(
        layout_of(options),
        scan_of(options, options.factor),
        engines.parse(options.engine),
        options.seed,
        options.timeout,
        options.retries,
    )
    scanner.engine.version()  # one that is missing is told before the documents are looked through
    return run(options, scanner, pages=True)
