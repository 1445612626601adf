"""The main job on the built-in collection: known-item search in Python's own documentation, clean and scanned.

    adjudge demo
    adjudge demo --output results --workers 1
    adjudge demo --ocr

The documents are the docstrings of the installed standard library, the 49 questions each ask for one of them. Every
system answers on the true text and on two degraded versions, with 5 % and 20 % of the characters wrong: simulated by
the error channels that adjudge brings along, or with --ocr printed, scanned and read by ocrad, which takes longer.
The folder gets what every experiment gets: the page report.html, tables, scores, verdicts, provenance and all runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..experiment.analysis import Settings
from ..experiment.noise import Noise
from ..experiment.plan import Plan
from ._options import Parser
from .run import done, show, workers_option

SCANNED: dict[str, str | Noise] = {
    "true": "",
    "5 %": Noise(engine="ocrad", factor=1.668),
    "20 %": Noise(engine="ocrad", factor=2.236),
}
"""Factors at which ocrad misreads so much of the Federal Register; the page tells how much it is here."""


def parser() -> Parser:
    made = Parser(prog="adjudge demo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("-o", "--output", default="out", metavar="FOLDER", help="where the results go (out)")
    made.add_argument("--ocr", action="store_true", help="scan pages instead of simulating what a scanner does")
    workers_option(made)
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    plan = Plan(
        collection="python-docs",
        title="Finding one page of Python's documentation, clean and scanned",
        systems=("all",),
        versions=SCANNED if options.ocr else {},
        analysis=Settings(measures=("rr", "success@1", "success@10", "all")),
    )
    show(done(plan, options.output, options.workers), "table")
    return 0
