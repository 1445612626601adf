"""Starting the workbench: who has to sign in, and which candidates can be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ...core.errors import ConflictError, DataError, MissingExtraError, SpecError
from ...web.guard import Hosts
from ...web.place import Place, own_names
from ..qa.citations import UNSEEN
from ..qa.project import Project
from .board import Board
from .events import check_name
from .store.store import Store

if TYPE_CHECKING:
    from .web.visitors import WebSettings

NEEDED = ("jinja2", "latex2mathml", "nh3", "starlette", "uvicorn")


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
    settings = web_settings(store, place, name, wanted, adjudicators, documents)
    from .web.application import application

    check_candidates(project)
    return application(project, Board(store, project.candidates), settings)


def web_settings(
    store: Store,
    place: Place,
    name: str = "",
    wanted: int = 2,
    adjudicators: Sequence[str] = (),
    documents: Callable[[str], tuple[str, str] | None] | None = None,
) -> WebSettings:
    """How a desk is run at a place: who may come in, and who signs in with a token."""
    if missing := [each for each in NEEDED if find_spec(each) is None]:
        raise MissingExtraError(f"the workbench needs {', '.join(missing)}: pip install 'adjudge[collect]'")
    from .web.visitors import WebSettings, without_paths

    tokens = not place.loopback or bool(place.allowed)
    if tokens:
        if name or adjudicators:
            option = "--name" if name else "--adjudicators"
            raise SpecError(f"{option} is for loopback: elsewhere everybody signs in with a token")
        if not any(each.token for each in store.assessors().values()):
            raise SpecError(
                "people on other machines could come in without a name: first add them with --add-assessor NAME"
            )
    names = {host.lower().rstrip(".") for host in (*place.allowed, *(() if place.loopback else own_names(place.host)))}
    return WebSettings(
        hosts=Hosts(frozenset(names), not tokens),
        tokens=tokens,
        name=check_name(name) if name else "",
        wanted=wanted,
        adjudicators=frozenset(map(check_name, adjudicators)),
        secure=place.secure,
        documents=None if documents is None else without_paths(documents),
    )


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
