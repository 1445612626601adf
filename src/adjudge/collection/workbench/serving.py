"""Starting the workbench: where it listens, under which names it may be asked, who has to sign in."""

from __future__ import annotations

import gc
import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ...core.errors import ConflictError, DataError, MissingExtraError, SpecError
from ...storage.access import writing
from ..qa.citations import UNSEEN
from ..qa.project import Project
from .board import Board
from .events import check_name
from .store.store import Store

NEEDED = ("jinja2", "latex2mathml", "nh3", "starlette", "uvicorn")


@dataclass(frozen=True)
class Place:
    """Where the workbench listens."""

    host: str = "127.0.0.1"
    port: int = 8300
    allowed: tuple[str, ...] = ()
    """Further names by which it may be asked."""
    certificate: Path | None = None
    key: Path | None = None
    https: bool = False
    """Whether a proxy before it speaks https."""

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def secure(self) -> bool:
        return self.https or self.certificate is not None

    @property
    def address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.certificate else ''}://{host}:{self.port}/"


def workbench(
    project: Project,
    store: Store,
    place: Place,
    name: str = "",
    wanted: int = 2,
    adjudicators: Sequence[str] = (),
    documents: Callable[[str], tuple[str, str] | None] | None = None,
) -> Any:
    """The application of a project as it is served at a place; bound elsewhere than loopback it asks for tokens.

    ``documents`` gives title and text of a document, so that it can be read where it is judged.
    """
    if missing := [each for each in NEEDED if find_spec(each) is None]:
        raise MissingExtraError(f"the workbench needs {', '.join(missing)}: pip install 'adjudge[collect]'")
    from .web.application import application
    from .web.guard import Hosts
    from .web.visitors import WebSettings

    tokens = not place.loopback or bool(place.allowed)
    if tokens:
        if name or adjudicators:
            option = "--name" if name else "--adjudicators"
            raise SpecError(f"{option} is for loopback: elsewhere everybody signs in with a token")
        if not any(each.token for each in store.assessors().values()):
            raise SpecError(
                "people on other machines could come in without a name: first add them with --add-assessor NAME"
            )
    names = {host.lower().rstrip(".") for host in (*place.allowed, *(() if place.loopback else _own_names(place.host)))}
    check_candidates(project)
    settings = WebSettings(
        hosts=Hosts(frozenset(names), not tokens),
        tokens=tokens,
        name=check_name(name) if name else "",
        wanted=wanted,
        adjudicators=frozenset(map(check_name, adjudicators)),
        secure=place.secure,
        documents=documents,
    )
    return application(project, Board(store, project.candidates), settings)


def remember_store(project: Project, url: str | None) -> None:
    """Leave word in the project that its decisions are in a database, so that nobody replaces the candidates."""
    if url is not None and "://" in url and not project.elsewhere_path.exists():
        bare = urlsplit(url)
        place = f"{bare.scheme}://{bare.hostname or ''}{bare.path}\n"
        with writing(project.elsewhere_path):
            project.elsewhere_path.write_text(place, encoding="utf-8")


def _own_names(host: str) -> set[str]:
    return {host, socket.gethostname(), socket.getfqdn(), "localhost"}


def check_candidates(project: Project) -> None:
    """Refuse candidates that cannot be shown or decided about."""
    if not project.candidates:
        raise DataError(f"{project.candidates_path}: no candidates")
    for thread, candidate in project.candidates.items():
        documents = [citation.document for citation in candidate.citations]
        if not documents:
            raise DataError(f"{project.candidates_path}: thread {thread} cites nothing")
        if len(set(documents)) != len(documents):
            raise ConflictError(f"{project.candidates_path}: thread {thread} cites a document twice")
        for text in (thread, *documents):
            if not text or UNSEEN.search(text):
                raise DataError(f"{project.candidates_path}: {text!r} cannot be the id of a thread or document")
        if any(sentence.number < 1 for sentence in candidate.sentences):
            raise DataError(f"{project.candidates_path}: thread {thread} has a sentence with a number below 1")


def listen(place: Place) -> socket.socket:
    """The socket, bound before its address is printed; port 0 takes a free one."""
    listener = socket.socket(socket.AF_INET6 if ":" in place.host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((place.host, place.port))
        listener.listen(128)  # at once: until then another server could take the same port
    except (OSError, UnicodeError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or str(error)
        raise DataError(f"cannot listen on {place.host} port {place.port}: {why}") from None
    return listener


def serve(application: Any, bound: socket.socket, place: Place) -> None:
    """Answer requests until interrupted."""
    import uvicorn

    from .web.patience import Patience

    gc.freeze()  # threads and sheets stay: collections of garbage need not look at them while somebody waits for a page

    settings = uvicorn.Config(
        application,
        http=Patience,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        limit_concurrency=200,
        timeout_keep_alive=20,
        h11_max_incomplete_event_size=32 * 1024,
        ssl_certfile=place.certificate,
        ssl_keyfile=place.key,
    )
    try:
        uvicorn.Server(settings).run(sockets=[bound])
    except OSError as error:
        raise DataError(f"{place.certificate or place.host}: {error.strerror or error}") from None


def hosts_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names for --allow-host, refused if they could not be in a Host header."""
    from .web.guard import host_name

    for name in names:
        if host_name(name) != name.lower().rstrip(".") or ":" in name:
            raise SpecError(f"--allow-host takes a name without port, not {name!r}")
    return tuple(names)
