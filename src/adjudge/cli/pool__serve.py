"""Judge the documents of a pool in a browser: topic beside document, a key for each grade; every judgment is kept.

    adjudge pool serve PROJECT
    adjudge pool serve PROJECT --name Ada --port 8400
    adjudge pool serve PROJECT --overlap 0.2 --adjudicators "Ada, Grace Hopper"
    adjudge pool serve PROJECT --documents corpus.index --images /media/scans
    adjudge pool serve PROJECT --store postgresql://adjudge@db.example.org/project
    adjudge pool serve PROJECT --add-assessor Ada --adjudicator
    adjudge pool serve PROJECT --host 0.0.0.0 --allow-host desk.example.org --certificate cert.pem --key key.pem

PROJECT is the folder that adjudge pool wrote. The next document is the one that the priority of the pool says.
Judgments go to store.sqlite of the project, or to a PostgreSQL database for a team; nothing is overwritten, and
everything can be undone. With --overlap a share of the documents is judged by several people, who do not see each
other's grades; adjudicators settle what they differ on. On loopback nobody signs in: the browser asks for a name,
unless --name gives it. Bound elsewhere, or reached under another name (--allow-host), the desk asks for tokens:
--add-assessor prints one, once.

PROJECT/desk.toml may name the grades, their meaning and colours, the overlap, and who judges which topics;
PROJECT/guidelines.md is shown beside the judgment. adjudge pool judgments, adjudge pool next and adjudge pool export
see what was judged here.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..words.pool_summaries import desk_open, texts_not_at_hand
from ._options import Parser, between, finite
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
        prog="adjudge pool serve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    desk_options(command, "desk", " (default: those that the pool was made with)")
    command.add_argument(
        "--images",
        metavar="DIR",
        help="folder of the page images of scanned documents (default: where they were when they were indexed)",
    )
    command.add_argument(
        "--overlap",
        type=finite,
        metavar="SHARE",
        help="share of documents judged by several (default: 0, or desk.toml)",
    )
    command.add_argument(
        "--people",
        type=between(1, 100),
        metavar="N",
        help="number of judges of a document in the overlap (default: 2, or desk.toml)",
    )
    people_options(command)
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    check_serving(options)
    from ..collection.workbench.store.open_store import open_store, remember_store, store_of
    from ..judging_desk.desk_rules import read_rules
    from ..judging_desk.desk_serving import judging_desk
    from ..judging_desk.judgment_book import JudgmentBook
    from ..pools.pool_files import open_pool
    from ..verbs.desk_verbs import missing_documents, pooled_documents

    folder = Path(options.project)
    pool = open_pool(folder)
    rules = read_rules(folder, pool.position, people=options.people, overlap=options.overlap)
    with open_store(store_of(folder, options.store)) as store:
        if change_people(options, store, JudgmentBook(store, pool, rules)):
            return 0
        place = place_of(options)
        source = options.documents or pool.definition.documents
        texts = pooled_documents(source, pool, options.images) if source else None
        application = judging_desk(folder, store, place, options.name, adjudicators_of(options), texts, rules)
        missing = missing_documents(texts, pool) if texts else []
        remember_store(folder, options.store)
        before = [texts_not_at_hand(str(source), missing)] if missing else []
        answer_requests(application, place, lambda address: desk_open(pool, address), before=before)
    return 0
