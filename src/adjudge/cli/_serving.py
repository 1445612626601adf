"""What commands that serve pages share: where they listen, and who may sit at a desk."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import SpecError
from ..words.summaries import tokens_in_the_open
from ._options import Parser, between, emit, note

if TYPE_CHECKING:
    from ..collection.workbench.store.store import Store
    from ..collection.workbench.web.visitors import People
    from ..web.place import Place


def place_options(command: Parser, what: str, port: int = 8300) -> Any:
    """Where it listens, and under which names it is reached."""
    place = command.add_argument_group("where")
    place.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    place.add_argument(
        "--port", type=between(0, 65535), default=port, help=f"port to listen on, 0 for a free one (default: {port})"
    )
    place.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help=f"another host name under which the {what} is reached, may be repeated",
    )
    place.add_argument("--certificate", metavar="FILE", help="certificate for HTTPS")
    place.add_argument("--key", metavar="FILE", help="private key of the certificate")
    place.add_argument("--https", action="store_true", help=f"a proxy in front of the {what} speaks HTTPS")
    return place


def desk_options(command: Parser, what: str, documents: str) -> None:
    """What every desk has at which people decide: a project, a store, documents, and a place."""
    command.add_argument("project", metavar="PROJECT", help="folder of the project")
    command.add_argument(
        "--store",
        metavar="URL",
        help="database: postgresql://…, sqlite:///FILE or a file (default: PROJECT/store.sqlite)",
    )
    command.add_argument("--documents", metavar="PATH", help=f"index with texts, or files of documents{documents}")
    place = place_options(command, what)
    place.add_argument("--name", default="", help="name of the assessor (default: the browser asks for it)")


def people_options(command: Parser) -> Any:
    """Who may sit at it."""
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
    return people


def check_serving(options: argparse.Namespace) -> None:
    """Refuse options that go together only."""
    if options.adjudicator and options.add_assessor is None:
        raise SpecError("--adjudicator goes with --add-assessor")


def change_people(options: argparse.Namespace, store: Store, state: People) -> bool:
    """Add, remove and list people as the options say; whether there was anything of it to do."""
    if options.add_assessor is not None:
        role = "adjudicator" if options.adjudicator else "assessor"
        emit(store.add_assessor(options.add_assessor, role) + "\n")
    if options.remove_assessor is not None:
        store.remove_assessor(options.remove_assessor)
    if options.list_assessors:
        state.refresh()
        roles = dict.fromkeys(state.assessors, "by name")
        roles |= {known.name: known.role if known.token else "no access" for known in store.assessors().values()}
        emit("".join(f"{name}\t{role}\n" for name, role in roles.items()))
    return options.add_assessor is not None or options.remove_assessor is not None or options.list_assessors


def adjudicators_of(options: argparse.Namespace) -> list[str]:
    """Those who may adjudicate on loopback."""
    return [name.strip() for name in options.adjudicators.split(",") if name.strip()]


def place_of(options: argparse.Namespace) -> Place:
    """Where it listens."""
    from ..web.place import Place, hosts_of

    if bool(options.certificate) != bool(options.key):
        raise SpecError("--certificate and --key go together")

    certificate, key = (Path(name) if name else None for name in (options.certificate, options.key))
    return Place(options.host, options.port, hosts_of(options.allow_host), certificate, key, options.https)


def answer_requests(
    application: Any, place: Place, opened: Callable[[str], str], *, tokens: bool = True, before: Sequence[str] = ()
) -> None:
    """Say what is to be known before and where the page is, and answer until interrupted."""
    from dataclasses import replace

    from ..web.place import listen, serve

    with listen(place) as bound:
        note(before)
        if tokens and not (place.loopback or place.secure):
            note([tokens_in_the_open()])
        note([opened(replace(place, port=bound.getsockname()[1]).address)])
        serve(application, bound, place)
