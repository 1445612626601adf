"""Who asks, and what they sent: sessions, forms, limits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from ....core.errors import AdjudgeError
from ....storage.digest import sha256
from ....web.form_reading import keep_cookie, read_form
from ....web.guard import Hosts
from ....web.refusals import RefusalError
from ....web.sessions import Session, Signer
from ..events import ADJUDICATOR, ASSESSOR
from ..store.store import Store

LOG = logging.getLogger("adjudge.workbench")
MOST_NAMES = 1000
"""People whose spelling is remembered before they decide anything."""
Found = TypeVar("Found")
DocumentSource = Callable[[str], tuple[str, str] | None]


def without_paths(source: Callable[[str], Found]) -> Callable[[str], Found]:
    """A source whose errors, which name files, are seen by the operator and not by visitors."""

    def find(document: str) -> Found:
        try:
            return source(document)
        except AdjudgeError as error:
            LOG.error("%s", error)
            raise RefusalError(503, "The text of this document cannot be read. The operator sees why.") from None

    return find


@dataclass(frozen=True)
class WebSettings:
    """How a workbench is run."""

    hosts: Hosts = field(default_factory=lambda: Hosts(frozenset(), loopback=True))
    tokens: bool = False
    """Whether a token is needed; without one anybody who reaches the server gives a name."""
    name: str = ""
    """Who works here, if it is always the same person."""
    wanted: int = 2
    """How many people are to finish every thread."""
    adjudicators: frozenset[str] = frozenset()
    """Who may settle and export where no tokens are needed; with one assessor a thread everybody may."""
    secure: bool = False
    """Whether the browser is reached by https."""
    documents: DocumentSource | None = None
    """Gives title and text of a document by its id, None if it has none; without it documents are links only."""
    signer: Signer = field(default_factory=Signer)

    def role_of(self, name: str) -> str:
        """What somebody is who gives a name and no token."""
        return ADJUDICATOR if name in self.adjudicators or self.wanted < 2 else ASSESSOR


class People(Protocol):
    """Who has decided anything, as it is known to the state of a project."""

    @property
    def store(self) -> Store: ...
    @property
    def assessors(self) -> tuple[str, ...]: ...
    def refresh(self) -> None: ...
    def person(self, name: str) -> str: ...


class Visitors:
    """Knows browsers by their cookies and reads their forms."""

    def __init__(self, folder: Path, people: People, settings: WebSettings) -> None:
        self.people, self.settings = people, settings
        named = sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hex()[:12]
        self._cookie = f"workbench-{named}"
        self._named: dict[str, None] = {}
        """Names that were given here and have not decided anything yet."""

    def cookie(self, request: Request) -> str:
        """The name of the cookie. Cookies do not know ports: two servers on one machine must not share it."""
        return f"{self._cookie}-{request.url.port or 0}"

    def spelling(self, name: str) -> str:
        """A name as it was written before: Ada and ada are one person; who was renamed is called by the new name."""
        self.people.refresh()
        decided = self.people.assessors
        if name not in decided:  # two of one name who are in the store already stay two
            known = [*decided, *sorted(self.settings.adjudicators), *self._named]
            name = next((each for each in known if each.casefold() == name.casefold()), name)
            if len(self._named) < MOST_NAMES:
                self._named[name] = None
        return self.people.person(name)

    def session(self, request: Request) -> tuple[Session, bool]:
        """The visitor of a request, and whether the browser still needs its cookie."""
        signer = self.settings.signer
        session = signer.read(request.cookies.get(self.cookie(request), ""))
        if session is not None and session.name and self.settings.tokens:
            known = self.people.store.assessors().get(session.name)
            if known is None or not known.token or known.token[:16] != session.token or known.role != session.role:
                session = None
        if session is not None and (session.name or not self.settings.name):
            return session, False
        if self.settings.name and not self.settings.tokens:
            return signer.same(self.settings.name, self.settings.role_of(self.settings.name)), True
        return signer.new(), True

    def adjudicators(self) -> set[str]:
        """Everybody who may settle disagreements."""
        if not self.settings.tokens:
            return set(self.settings.adjudicators)
        known = self.people.store.assessors().values()
        return {person.name for person in known if person.token and person.role == ADJUDICATOR}

    def keep(self, request: Request, response: Response, session: Session) -> None:
        keep_cookie(response, self.cookie(request), self.settings.signer.write(session), secure=self.settings.secure)

    def facts(self, session: Session) -> dict[str, Any]:
        """What every page needs to know about who looks at it."""
        return {
            "who": session.name,
            "adjudicator": session.role == ADJUDICATOR,
            "csrf": self.settings.signer.csrf(session),
            "fixed": bool(self.settings.name),
            "tokens": self.settings.tokens,
            "texts": self.settings.documents is not None,
        }

    def form(self, request: Request, session: Session) -> dict[str, str]:
        return read_form(request, self.settings.signer, session)
