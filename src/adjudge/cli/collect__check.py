"""Check that every decision in the store of a project can be read, and save what can be saved of those that cannot.

    adjudge collect check project
    adjudge collect check project --repair
    adjudge collect check project --store postgresql://adjudge@db.example.org/project

Nothing in a store is ever changed. An event that cannot be read is set aside by all commands and by the workbench;
--repair appends those of its decisions that can be read. The exit code is 1 while an event is set aside as a whole.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..words.summaries import event_repaired, event_set_aside, events_checked, events_stale, threads_unknown
from ._options import Parser, emit, note


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="the folder of the project")
    command.add_argument("--store", metavar="URL", help="where decisions are (PROJECT/store.sqlite)")
    command.add_argument("--repair", action="store_true", help="append what can be read of events that are set aside")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    from ..collection.qa.project import open_project
    from ..collection.workbench.store.open_store import open_store, store_of
    from ..collection.workbench.store_check import check_store

    project = open_project(options.project)
    with open_store(store_of(project.folder, options.store), create=False) as store:
        found = check_store(project, store, repair=options.repair)
    emit(events_checked(found.events, found.threads) + "\n")
    note([event_set_aside(event.id, event.why) for event in found.bad])
    note([event_repaired(number) for number in found.repaired])
    if found.stale:
        note([events_stale(found.stale)])
    if found.unknown:
        note([threads_unknown(len(found.unknown))])
    return 0 if found.whole else 1
