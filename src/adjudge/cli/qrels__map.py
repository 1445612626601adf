"""Map the grades of judgments to others; a grade that is not mapped is an error.

    adjudge qrels map qrels.txt --grades 2=1,1=1,0=0 -o binary.txt
    adjudge qrels map qrels.txt --grades 4=3 --keep -o capped.txt

A grade is a whole number; --keep leaves grades that are not mapped as they are.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from ..core.errors import SpecError
from ._options import Parser, emit, refuse_inputs

PAIR = re.compile(r"\s*([+-]?\d{1,9})\s*=\s*([+-]?\d{1,9})\s*")


def parser() -> Parser:
    command = Parser(
        prog="adjudge qrels map", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("qrels", help="judgments")
    command.add_argument("--grades", required=True, metavar="OLD=NEW,…", help="grades and what becomes of them")
    command.add_argument("--keep", action="store_true", help="leave grades alone that are not mapped")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE (default: standard output)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..verbs.file_verbs import qrels_map

    grades: dict[int, int] = {}
    for part in options.grades.split(","):
        pair = PAIR.fullmatch(part)
        if pair is None or int(pair[1]) in grades:
            raise SpecError(f"--grades takes pairs such as 2=1,1=1, each grade once, not {part!r}")
        grades[int(pair[1])] = int(pair[2])
    if options.output is not None:
        refuse_inputs(options.output, [options.qrels])
    mapped = qrels_map(options.qrels, grades, options.output, keep=options.keep)
    if options.output is None:
        emit("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in mapped.rows()))
    return 0
