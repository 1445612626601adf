"""Make a pool again from its definition: the same pairs, drawn by the same seed.

    adjudge pool again judgments/definition.json -o again
    adjudge pool again PROJECT -o again
    adjudge pool again definition.json bm25=runs/bm25.run -o again --documents corpus.index

DEFINITION is definition.json of adjudge pool judgments, or the folder of a project. Runs are read where they were, or
where NAME=FILE says; a run that is not the one that was pooled is an error. Nothing that was judged is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..words.pool_summaries import pool_summary
from ._options import Parser, emit
from ._terminal import Terminal


def parser() -> Parser:
    command = Parser(
        prog="adjudge pool again", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("definition", metavar="DEFINITION", help="definition.json, or the folder of a project")
    command.add_argument("runs", nargs="*", metavar="run", help="runs that lie elsewhere now, as NAME=FILE")
    command.add_argument("-o", "--output", required=True, metavar="PROJECT", help="folder of the new project")
    command.add_argument("--documents", metavar="PATH", help="index or documents, if they lie elsewhere now")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.pool_verbs import pool_again

    made = pool_again(
        options.definition,
        options.output,
        runs=options.runs or None,
        documents=options.documents,
        progress=Terminal(),
    )
    emit(pool_summary(made, options.output) + "\n")
    return 0
