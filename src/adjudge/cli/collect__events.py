"""Write all that was ever decided on the candidates of a project, an event a line of JSON.

    adjudge collect events project -o events.jsonl
    adjudge collect events project --store postgresql://adjudge@db.example.org/project

An event has a number, a time, who and in which role, the thread, the fingerprint of its wording, what was changed, and
the number of the event that it undoes. Nothing is left out but what cannot be read; adjudge collect check tells which.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..verbs.collection_verbs import collect_events
from ._options import Parser, emit


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect events", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument("--store", metavar="URL", help="database of decisions (default: PROJECT/store.sqlite)")
    command.add_argument("-o", "--output", metavar="FILE", help="write into this file (default: print)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    lines = collect_events(options.project, store=options.store)
    emit("".join(f"{line}\n" for line in lines), options.output)
    return 0
