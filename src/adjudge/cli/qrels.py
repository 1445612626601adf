"""Put judgments together: merge, compare, sample, and map grades; conflicts are reported, never resolved silently.

    adjudge qrels merge round1.txt round2.txt -o both.txt
    adjudge qrels diff old.txt new.txt
    adjudge qrels sample qrels.txt --share 0.1 -o sampled.txt
    adjudge qrels map qrels.txt --grades 2=1,1=1,0=0 -o binary.txt

adjudge qrels COMMAND --help explains each of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ._options import Parser


def parser() -> Parser:
    return Parser(prog="adjudge qrels", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)


def main(arguments: Sequence[str]) -> int:
    command = parser()
    command.parse_args(arguments)
    command.print_help()
    return 2
