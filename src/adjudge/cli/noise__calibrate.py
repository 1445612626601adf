"""Find how much pages must be reduced for a wanted error rate of OCR.

    adjudge noise calibrate fr94/ --target 0.05 --target 0.20
    adjudge noise calibrate fr94/ --target 0.05 --ocr ocrad --ocr tesseract --pages 50 --seed 1

A sample of pages from all over the documents is scanned once; the same pages are read at one factor after the other,
coarse steps first, then by bisection on the character error rate. The interval is a bootstrap over pages: it says how
far the rate of the whole corpus may be from that of the sample. The factor depends strongly on font, size and scan.

Exit code 0: all targets were reached; 1: a target cannot be reached, and the table says why; 2: bad input.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..noise.engines.engine import engines
from ..report.noise_tables import calibration_json, calibration_text
from ._noise import documents_of, documents_option, layout_of, page_options, scan_of, workers_option
from ._options import Parser, between, coloured, digits_option, emit, format_of, level_option, note, seed_option, share
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise calibrate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    documents_option(command)
    action = command.add_argument(
        "--target",
        type=share,
        action="append",
        required=True,
        metavar="X",
        help="wanted character error rate, may be repeated",
    )
    command.old_spelling(action, "-t")
    action = command.component(
        "-e",
        "--ocr",
        dest="engine",
        of=[engines],
        action="append",
        metavar="SPEC",
        help="OCR program, may be repeated: %(known)s (default: ocrad)",
    )
    command.old_spelling(action, "--engine")
    command.add_argument(
        "--pages", type=between(1, 10_000), default=30, metavar="N", help="number of pages in the sample (default: 30)"
    )
    workers_option(command)
    seed_option(command)
    level_option(command)
    digits_option(command)
    command.output()
    page_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    import numpy as np

    from ..noise.calibration import Calibrations, calibrate
    from ..noise.scanner import Scanner

    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table")
    page, scan = layout_of(options), scan_of(options)
    scanners = [
        Scanner(page, scan, engines.parse(spec), options.seed, options.timeout, options.retries)
        for spec in options.engine or ["ocrad"]
    ]
    for scanner in scanners:
        scanner.require()  # one that is missing is an error before the documents are read
    documents = documents_of(options)
    calibrations = []
    for scanner in scanners:
        calibrations += calibrate(
            documents,
            scanner,
            options.target,
            pages=options.pages,
            rng=np.random.default_rng(options.seed),
            confidence=options.confidence,
            workers=options.workers,
            progress=Terminal(),
        )
    note(documents.notes)
    note(
        list(
            dict.fromkeys(
                f"{calibration.engine}: {failure}" for calibration in calibrations for failure in calibration.failures
            )
        )
    )
    result = Calibrations(tuple(calibrations), options.confidence)
    if form == "json":
        text = calibration_json(result)
    else:
        text = calibration_text(result, form, options.digits, colour=coloured(options.output))
    emit(text, options.output, options.documents)
    return int(result.unreached)
