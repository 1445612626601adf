"""Fuse runs into one that ranks documents by all of them, from their ranks or from their scores.

    adjudge fuse gmu961.run ETHFR94N.run -o fused.run
    adjudge fuse runs/*.run --method combmnz --name mnz -o mnz.run.gz
    adjudge fuse a.run b.run | adjudge known-item qrels.txt a.run b.run -

rrf adds 1/(60 + rank) over the runs that have a document; combsum adds scores brought to the range from 0 to 1 in each
topic of each run (1 where all are alike); combmnz multiplies that by the number of runs that have the document. A topic
that only some runs have is fused from these, with a note. The run is written as TREC lines, JSON or Parquet, by the
extension of the output; without -o TREC lines go to standard output.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..core.kernel import on_threads
from ..formats.runs import read_run, run_bytes
from ..formats.writing import unwritable
from ..systems.parts.fusing import CONSTANT, METHODS, fuse, topics_lacking
from ._options import Parser, emit, finite, note, refuse_inputs
from ._runs import form_of, hits_option, refuse_folder, run_output


def parser() -> Parser:
    command = Parser(prog="adjudge fuse", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("runs", nargs="+", metavar="run", help="two or more runs (- for standard input)")
    action = command.add_argument("--method", choices=METHODS, default=METHODS[0], help="fusion method (default: rrf)")
    command.old_spelling(action, "-m")
    command.add_argument(
        "--constant", type=finite, metavar="X", help=f"constant of rrf, 0 or more (default: {CONSTANT:g})"
    )
    hits_option(command)
    command.add_argument("--name", metavar="TAG", help="tag of the run (default: the method)")
    run_output(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    options.output = None if options.output == "-" else options.output
    form = form_of(options.format, options.output)
    if options.runs.count("-") > 1:
        raise SpecError("standard input can be read only once")
    if options.constant is not None and options.method != "rrf":
        raise SpecError(f"--constant belongs to rrf, and {options.method} has none")
    name = options.method if options.name is None else options.name
    if form == "trec":  # before the work, not after it
        unwritable([name], "tag")
    if options.output is not None:
        refuse_inputs(options.output, options.runs)
        refuse_folder(options.output)
    runs = on_threads(read_run, options.runs)
    constant = CONSTANT if options.constant is None else options.constant
    fused = fuse(runs, options.method, constant=constant, k=options.k, name=name)
    note(list(topics_lacking(runs, fused.topics, options.runs)))
    emit(run_bytes(fused, form), options.output, options.runs)
    return 0
