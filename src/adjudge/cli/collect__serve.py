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
from pathlib import Path

from ..core.errors import SpecError
from ..words.summaries import tokens_in_the_open, workbench_open
from ._options import Parser, between, emit, note


def parser() -> Parser:
    command = Parser(
        prog="adjudge collect serve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument(
        "--store",
        metavar="URL",
        help="database: postgresql://…, sqlite:///FILE or a file (default: PROJECT/store.sqlite)",
    )
    command.add_argument(
        "--people",
        type=between(1, 100),
        default=2,
        metavar="N",
        help="number of assessors required per thread (default: 2)",
    )
    command.add_argument(
        "--documents",
        metavar="SOURCE",
        help="index with texts, or files of documents: they can be read where they are judged",
    )
    place = command.add_argument_group("where")
    place.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    place.add_argument(
        "--port", type=between(0, 65535), default=8300, help="port to listen on, 0 for a free one (default: 8300)"
    )
    place.add_argument("--name", default="", help="name of the assessor (default: the browser asks for it)")
    place.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name under which the workbench is reached, may be repeated",
    )
    place.add_argument("--certificate", metavar="FILE", help="certificate for HTTPS")
    place.add_argument("--key", metavar="FILE", help="private key of the certificate")
    place.add_argument("--https", action="store_true", help="a proxy in front of the workbench speaks HTTPS")
    people = command.add_argument_group("people")
    people.add_argument("--add-assessor", metavar="NAME", help="print a token for this person and stop")
    people.add_argument(
        "--adjudicator", action="store_true", help="let the person of --add-assessor adjudicate and export"
    )
    people.add_argument(
        "--adjudicators",
        metavar="NAMES",
        default="",
        help="names of those who may adjudicate and export on loopback, separated by commas",
    )
    people.add_argument("--remove-assessor", metavar="NAME", help="revoke the token of this person and stop")
    people.add_argument("--list-assessors", action="store_true", help="print names and roles and stop")
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
    from ..collection.workbench.serving import remember_store, workbench
    from ..collection.workbench.store.open_store import open_store
    from ..collection.workbench.store.store import Store
    from ..verbs.collection_verbs import document_source
    from ..web.place import Place, hosts_of, listen, serve

    options = parser().parse_mixed(arguments)
    if options.adjudicator and options.add_assessor is None:
        raise SpecError("--adjudicator goes with --add-assessor")
    if bool(options.certificate) != bool(options.key):
        raise SpecError("--certificate and --key go together")
    project = open_project(options.project)

    def people(store: Store) -> bool:
        if options.add_assessor is not None:
            role = "adjudicator" if options.adjudicator else "assessor"
            emit(store.add_assessor(options.add_assessor, role) + "\n")
        if options.remove_assessor is not None:
            store.remove_assessor(options.remove_assessor)
        if options.rename_assessor is not None:
            Board(store, project.candidates).rename(*options.rename_assessor)
        if options.list_assessors:
            board = Board(store, project.candidates)
            board.refresh()
            roles = dict.fromkeys(board.assessors, "by name")
            roles |= {known.name: known.role if known.token else "no access" for known in store.assessors().values()}
            emit("".join(f"{name}\t{role}\n" for name, role in roles.items()))
        asked = (options.add_assessor, options.remove_assessor, options.rename_assessor)
        return any(each is not None for each in asked) or options.list_assessors

    with open_store(options.store or str(project.store_path)) as store:
        if people(store):
            return 0
        certificate, key = (Path(name) if name else None for name in (options.certificate, options.key))
        place = Place(options.host, options.port, hosts_of(options.allow_host), certificate, key, options.https)
        adjudicators = [name.strip() for name in options.adjudicators.split(",") if name.strip()]
        texts = document_source(options.documents, project) if options.documents else None
        application = workbench(project, store, place, options.name, options.people, adjudicators, texts)
        remember_store(project, options.store)
        with listen(place) as bound:
            address = Place(place.host, bound.getsockname()[1], place.allowed, certificate, key, options.https)
            if not (place.loopback or place.secure):
                note([tokens_in_the_open()])
            note([workbench_open(len(project.candidates), address.address)])
            serve(application, bound, place)
    return 0
