"""Degrade documents by real OCR: texts are printed on pages, scanned, and read by an OCR program.

    adjudge noise fr94/ -o fr94-ocr --ocr ocrad --factor 1.5
    adjudge noise articles.jsonl.gz -o out --ocr tesseract --factor 4.2 --font liberation --size 9 --seed 7
    adjudge noise hdfs://host/press -o hdfs://host/press-ocr --ocr ocrad --engine spark --master spark://host:7077

DIR then holds documents.jsonl.zst and documents.trec.gz with the ids of the source, in its order; manifest.json with
settings, counts and speed; failures.csv if pages failed. Finished documents are kept: run the same command again and
an interrupted job goes on. --factor says by how much pages are reduced before they are read; adjudge noise
calibrate finds it for a wanted error rate. The result depends on the seed, the ids and the settings, not on the number
of workers. Titles are part of the texts and are not kept apart: they would betray what the noise hides.

With --engine spark the work is done by a cluster, whose workers must have the OCR program too: DIR becomes a Parquet
table (id, text, pages, failures, notes) with _manifest.json, whole or not at all. The texts are the same.

Exit code 0: all pages were read; 1: some pages failed after retries, their places are empty and failures.csv says why;
2: bad input or a full disk, and what is finished stays.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ..noise.engines.engine import engines
from ..noise.scanner import Scanner
from ._engine import ENGINES, engine_options
from ._noise import documents_option, job_options, layout_of, page_options, run, scan_of
from ._options import OneValue, Parser, finite, seed_option


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        conflict_handler="resolve",
    )
    documents_option(command)
    engine_options(command)
    # --engine meant the OCR program before there was Spark: it still does, unless it names a place of work
    action = command.component(
        "-e",
        "--ocr",
        of=[engines],
        action=_Engine,
        default="ocrad",
        metavar="SPEC",
        help="OCR program: %(known)s (default: ocrad)",
    )
    command.old_spelling(action, "--engine")
    command.set_defaults(engine="local")
    command.add_argument(
        "--factor",
        type=finite,
        default=1.0,
        metavar="X",
        help="factor from 1 to 16 by which pages are reduced before they are read (default: 1)",
    )
    job_options(command)
    seed_option(command)
    page_options(command)
    return command


class _Engine(OneValue):
    """The OCR engine, or where the work is done."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if option_string != "--engine":
            super().__call__(parser, namespace, values, option_string)
            return
        setattr(namespace, "engine" if option_string == "--engine" and values in ENGINES else "ocr", values)


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    scanner = Scanner(
        layout_of(options),
        scan_of(options, options.factor),
        engines.parse(options.ocr),
        options.seed,
        options.timeout,
        options.retries,
    )
    scanner.require()  # one that is missing is an error before the documents are read
    return run(options, scanner, pages=True)
