"""Estimate how wrong scanned text is without any true text: error rates with intervals, the worst documents first.

    adjudge noise estimate archive.index
    adjudge noise estimate scans/ --worst 50
    adjudge noise estimate scanned.jsonl -f csv -o quality.csv

Give the folder of an index with texts, that of a system (decipher), or documents as for adjudge index. The estimate
comes from the text alone: short words that no other document has, words one letter away from a frequent one, words
whose letters surprise, and words that mix letters with other signs become more frequent as OCR becomes worse. It was
calibrated on real scans of English,
French and German print; docs/noise.md says how far it is off on a collection that it has not seen. Small collections
(under some ten thousand words) and lists of names or figures are not what it knows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..formats.documents.scan_reading import ScanFiles
from ..noise.ocr_quality import estimate_quality
from ..report.quality_table import quality_json, quality_text
from ..verbs.noise_verbs import documents_or_index
from ._noise import FAILED, layout_option
from ._options import Parser, between, coloured, digits_option, emit, format_of, note
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge noise estimate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("documents", nargs="+", metavar="index|docs", help="folder of an index, or documents")
    command.add_argument(
        "--worst", type=between(1, 10**9), default=20, metavar="N", help="number of documents to show (default: 20)"
    )
    layout_option(command)
    digits_option(command)
    command.output()
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    form = format_of(options.format, options.output, "table")
    listener = Terminal()
    given = options.documents[0] if len(options.documents) == 1 else options.documents
    documents = documents_or_index(given, options.layout, progress=listener)
    result = estimate_quality(documents, progress=listener)
    note(documents.notes)
    if form == "json":
        text = quality_json(result, options.worst)
    else:
        text = quality_text(result, options.worst, form, options.digits, colour=coloured(options.output))
    emit(text, options.output, options.documents)
    return FAILED if isinstance(documents, ScanFiles) and documents.failures else 0
