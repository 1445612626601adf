"""Make a test collection from a Q&A site: candidates, sentences, formulas, decisions of people, export.

    adjudge collect candidates dump/ -o project --corpus ids.txt
    adjudge collect formulas project
    adjudge collect serve project
    adjudge collect agreement project
    adjudge collect export project

A dump of StackExchange gives threads; those whose accepted answer cites documents of the corpus are candidates. People
decide in the workbench (serve) which of them become topics, what their sentences are, and which documents answer what.
adjudge collect sentences shows what rules propose; adjudge collect import-cumtc reads the collection of the paper whose
method this is: Stathopoulos, Teufel, Retrieval of research-level mathematical information needs (ACL 2015).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ._options import Parser


def parser() -> Parser:
    return Parser(prog="adjudge collect", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)


def main(arguments: Sequence[str]) -> int:
    command = parser()
    command.parse_args(arguments)
    command.print_help()
    return 2
