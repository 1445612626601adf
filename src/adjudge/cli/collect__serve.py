"""Assess candidate threads in a browser: criteria, sentences, micro-topics, documents; every decision is kept.

    adjudge collect serve PROJECT
    adjudge collect serve PROJECT --name Ada --port 8400
    adjudge collect serve PROJECT --adjudicators "Ada, Grace Hopper"
    adjudge collect serve PROJECT --documents corpus.index
    adjudge collect serve PROJECT --rename-assessor aad Ada
    adjudge collect serve PROJECT --store postgresql://adjudge@db.example.org/project
    adjudge collect serve PROJECT --add-assessor Ada --adjudicator
    adjudge collect serve PROJECT --host 0.0.0.0 --allow-host bench.example.org --certificate cert.pem --key key.pem

PROJECT is the folder that adjudge collect candidates wrote. Decisions go to its store.sqlite, or to a PostgreSQL
database for a team; nothing is overwritten, and everything can be undone. On loopback nobody signs in: the browser asks
for a name, unless --name gives it; those whom --adjudicators names settle disagreements and export. Nobody sees what
others decided about a thread before having finished it. Bound elsewhere, or reached under another name (--allow-host),
the workbench asks for tokens: --add-assessor prints one, once. Only its hash is kept; adding the same person again
replaces the token.

With --documents, an index or files of documents, title and text of a cited document can be read where it is judged;
without it there is a link, where its place on the web is known. PROJECT/guidelines.md, if there is one, is shown beside
the decisions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..words.summaries import workbench_open
from ._options import Parser, between
from ._serving import (
    adjudicators_of,
    answer_requests,
    change_people,
    check_serving,
    desk_options,
    people_options,
    place_of,
)


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect serve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    desk_options(command, "workbench", ": they can be read where they are judged")
    command.add_argument(
        "--people",
        type=between(1, 100),
        default=2,
        metavar="N",
        help="number of assessors required per thread (default: 2)",
    )
    people = people_options(command)
    people.add_argument(
        "--rename-assessor",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="keep the decisions of OLD under NEW, which may be another person's name, and stop",
    )
    return command


def main(arguments: Sequence[str]) -> int:
    from ..collection.qa.project import open_project
    from ..collection.workbench.board import Board
    from ..collection.workbench.serving import workbench
    from ..collection.workbench.store.open_store import open_store, remember_store, store_of
    from ..collection.workbench.store.store import Store
    from ..verbs.collection_verbs import document_source

    options = parser().parse_mixed(arguments)
    check_serving(options)
    project = open_project(options.project)

    def people(store: Store) -> bool:
        board = Board(store, project.candidates)
        if options.rename_assessor is not None:
            board.rename(*options.rename_assessor)
        return change_people(options, store, board) or options.rename_assessor is not None

    with open_store(store_of(project.folder, options.store)) as store:
        if people(store):
            return 0
        place = place_of(options)
        texts = document_source(options.documents, project) if options.documents else None
        application = workbench(project, store, place, options.name, options.people, adjudicators_of(options), texts)
        remember_store(project.folder, options.store)
        answer_requests(application, place, lambda address: workbench_open(len(project.candidates), address))
    return 0
