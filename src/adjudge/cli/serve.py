"""Search an index in a browser: results with what was read as what, and the scanned page beside the text.

    adjudge serve archive.index
    adjudge serve archive.index --port 8400 --images /media/scans
    adjudge serve archive.index --host 0.0.0.0 --token-file token.txt --certificate cert.pem --key key.pem
    adjudge serve archive.index --allow-host archive.example.org --https --public

INDEX is an index, or the folder that adjudge index --system prepared; it must have texts. The page has filters by the
fields of the documents, permalinks, an explanation of every result, and the image of the page with the words marked,
where documents were scanned and their images still lie where they were indexed (or below --images). Programs ask the
same addresses for JSON; IIIF viewers find manifests and a search service. Nothing is fetched from elsewhere.

The server answers this machine only. Bound elsewhere (--host), or reached under another name, as behind a proxy
(--allow-host), it needs a token, which visitors enter once (--token-file; a file that is not there is written with a
new one), or --public, if everybody who reaches it may read everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.machine import cores
from ..words.reasons import search_open, token_written
from ._index import searching_options
from ._options import Parser, between
from ._serving import answer_requests, place_of, place_options

LARGE = 20_000
"""Documents from which on an answer takes longer than to hand it from process to process."""


def parser() -> Parser:
    command = Parser(prog="adjudge serve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("index", metavar="INDEX", help="index with texts, or the folder that a system prepared")
    searching_options(command)
    command.add_argument(
        "--images",
        metavar="DIR",
        help="folder of the page images (default: where they were when they were indexed)",
    )
    place = place_options(command, "page", 8310)
    place.add_argument(
        "--processes",
        type=between(1, 64),
        metavar="N",
        help=f"processes that answer questions (default: one a core from {LARGE:,} documents on, else one)",
    )
    who = command.add_argument_group("who may search")
    who.add_argument("--token-file", metavar="FILE", help="file with the token that visitors enter, written if missing")
    who.add_argument("--public", action="store_true", help="everybody who reaches the server may read everything")
    return command


def main(arguments: Sequence[str]) -> int:
    from ..search_page.search_serving import OWN_PATHS, open_catalogue, search_page, token_in
    from ..web.sessions import Signer
    from ..web.worker_processes import WorkerProcesses, cookies_of, possible

    options = parser().parse_mixed(arguments)
    place = place_of(options)
    catalogue = open_catalogue(options.index, options.weighting)
    token, fresh = token_in(options.token_file) if options.token_file else ("", False)
    signer = Signer()
    application = search_page(
        catalogue, place, images=options.images, token=token, public=options.public, signer=signer
    )
    processes = options.processes or (cores() if len(catalogue) >= LARGE else 1)
    copies = WorkerProcesses(application, OWN_PATHS, lambda request: signer.has_ended(cookies_of(request)))
    with copies.running(processes if processes > 1 and possible() else 0):
        answer_requests(
            copies,
            place,
            lambda address: search_open(len(catalogue), options.index, address),
            tokens=bool(token),
            before=[token_written(options.token_file)] if fresh else [],
        )
    return 0
