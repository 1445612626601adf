"""The routes of the workbench."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import fields
from threading import Thread
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ....core.machine import uncollected
from ....storage.digest import sha256
from ....web.guard import Application, Guard
from ....web.limits import Bucket
from ....web.looks import StaticFiles
from ....web.refusals import RefusalError, limit, number, signed
from ....web.sessions import Session
from ...qa.export import Origin
from ...qa.project import Project
from ..board import Board
from ..desk import Desk
from ..events import ADDED, ADJUDICATOR, ASSESSOR, BEGINS, NO, NOTE, ROLES, SKIPPED, YES, Item, ItemChange
from .pages import Pages
from .reception import Reception, attachment
from .thread_list import Wish
from .visitors import Visitors, WebSettings

ACTS = ("decide", "accept", "undo", "redo", "finish", "skip", "join")


class Workbench(Reception):
    """Answers requests. Every page is made from the board; every decision goes to the store before it is shown."""

    def __init__(self, project: Project, board: Board, settings: WebSettings) -> None:
        self.project, self.board = project, board
        self.pages = Pages(project, board, settings.wanted, settings.documents)
        super().__init__(Visitors(project.folder, board, settings), self.pages)
        self.static = StaticFiles("adjudge.collection.workbench.web")
        self.writes = Bucket(burst=150, a_second=15)

    def routes(self) -> list[Route]:
        gets: dict[str, Callable[[Request, Session], Response]] = {
            "/": self.overview,
            "/thread": self.thread,
            "/adjudicate": self.thread,
            "/agreement": self.agreement,
            "/export": self.export_page,
            "/history": self.history,
            "/next": self.next,
            "/document": self.document,
            "/download": self.download,
            "/help": lambda _, session: self._html(self.pages.help(self.visitors.facts(session))),
        }
        routes = [Route(path, self._handler(answer), methods=["GET"]) for path, answer in gets.items()]
        routes += [Route(f"/{act}", self._handler(self._act(act)), methods=["POST"]) for act in ACTS]
        routes.append(Route("/export", self._handler(self.export), methods=["POST"]))
        routes += self.doors()
        routes.append(Route("/static/{name}", self.static.answer, methods=["GET"]))
        return routes

    # Pages

    def overview(self, request: Request, session: Session) -> Response:
        self.board.refresh()
        asked = request.query_params
        named = {name: asked.get(name, "").strip()[:200] for name in ("show", "find", "tag", "person", "sort")}
        score = asked.get("score", "").strip()
        wish = Wish(**named, score=signed(score) if score else None, page=number(asked.get("page", "1")))
        return self._html(self.pages.overview(self.visitors.facts(session), wish, asked.get("finished", "")))

    def thread(self, request: Request, session: Session) -> Response:
        role = ADJUDICATOR if request.url.path == "/adjudicate" else ASSESSOR
        self.board.refresh()
        desk, asked = self._desk(session, role), request.query_params
        thread = self._require_thread(asked.get("id", ""))
        return self._html(self.pages.thread(self.visitors.facts(session), desk, thread, asked.get("finished", "")))

    def agreement(self, _: Request, session: Session) -> Response:
        self.board.refresh()
        return self._html(self.pages.agreement(self.visitors.facts(session)))

    def history(self, request: Request, session: Session) -> Response:
        self.board.refresh()
        return self._html(
            self.pages.history(self.visitors.facts(session), self._require_thread(request.query_params.get("id", "")))
        )

    def document(self, request: Request, session: Session) -> Response:
        """A cited document, to be read where it is judged."""
        asked = request.query_params
        thread = self._require_thread(asked.get("thread", ""))
        self.board.refresh()
        seen = [self.board.sheet(thread, role, session.name) for role in (ASSESSOR, session.role)]
        candidates = [sheet.mended(self.board.candidates[thread]) for sheet in seen]
        cited = {citation.document: citation for candidate in candidates for citation in candidate.citations}
        if asked.get("id", "") not in cited:
            raise RefusalError(404, "The thread does not cite this document.")
        citation, source = cited[asked["id"]], self.settings.documents
        text = None if source is None else source(citation.document)
        return self._html(self.pages.document(self.visitors.facts(session), citation, text))

    def export_page(self, _: Request, session: Session) -> Response:
        return self._html(self.pages.export(self.visitors.facts(session), None))

    def export(self, request: Request, session: Session) -> Response:
        form = self.visitors.form(request, session)
        limit(self.sign_ins, f"export {session.name}", "Too many exports: wait a little.")
        if session.role != ADJUDICATOR:
            raise RefusalError(403, "Adjudicators export.")
        origin = Origin(**{field.name: form.get(field.name, "").strip() for field in fields(Origin)})
        people = number(form.get("people") or "1")
        written = self.pages.write_export(origin, all_grades=form.get("all_grades") == "yes", people=people)
        return self._html(self.pages.export(self.visitors.facts(session), written))

    def download(self, request: Request, session: Session) -> Response:
        """What was exported, or all events, as a file."""
        if session.role != ADJUDICATOR:
            raise RefusalError(403, "Adjudicators export.")
        limit(self.sign_ins, f"export {session.name}", "Too many exports: wait a little.")
        what = request.query_params.get("what", "")
        if what == "events":
            self.board.refresh()
            lines = "".join(self.pages.events(self.visitors.facts(session))).encode("utf-8", "replace")
            return attachment(lines, "events.jsonl", "application/x-ndjson")
        if what == "collection":
            return attachment(self.pages.exported(), "collection.zip", "application/zip")
        raise RefusalError(404, "There is no such file.")

    def next(self, request: Request, session: Session) -> Response:
        self.board.refresh()
        role = ADJUDICATOR if request.query_params.get("role") == ADJUDICATOR else ASSESSOR
        return self._onward(self._desk(session, role), request.query_params.get("after"))

    def _onward(self, desk: Desk, after: str | None, *, finished: bool = False) -> Response:
        thread = self.pages.queue.next_wanted(desk.who, desk.role, after)
        told = {"finished": after} if finished and after is not None else {}
        if thread is None:
            there = "/agreement" if desk.role == ADJUDICATOR else f"/?{urlencode({'show': 'all', **told})}"
            return RedirectResponse(there, 303)
        return RedirectResponse(_address(desk.role, thread, **told), 303)

    def _require_thread(self, thread: str) -> str:
        if thread not in self.board.candidates:
            raise RefusalError(404, "There is no such thread in this project.")
        return thread

    def _desk(self, session: Session, role: str) -> Desk:
        if role == ADJUDICATOR and session.role != ADJUDICATOR:
            raise RefusalError(403, "Only adjudicators may settle disagreements.")
        return Desk(self.board, session.name, role)

    def _refuse_own(self, session: Session, thread: str) -> None:
        """Nobody settles his own disagreements while somebody else could."""
        others = self.visitors.adjudicators() - {session.name}
        if session.name in self.board.finished(thread) and others:
            raise RefusalError(403, "You have assessed this thread: somebody else settles it.")

    # Acts

    def _act(self, act: str) -> Callable[[Request, Session], Response]:
        def answer(request: Request, session: Session) -> Response:
            form = self.visitors.form(request, session)
            limit(self.writes, session.name, "Too many decisions at once: wait a little.")
            role = form.get("role", ASSESSOR)
            if role not in ROLES:
                raise RefusalError(400, "No such role.")
            desk, thread = self._desk(session, role), self._require_thread(form.get("thread", ""))
            if role == ADJUDICATOR:
                self._refuse_own(session, thread)
            shared = role == ADJUDICATOR or act in {
                "undo",
                "redo",
            }  # a second tab may hold other decisions to take back
            seen = number(form["seen"]) if shared and "seen" in form else None
            key = sha256(f"{session.name}\n{act}\n{form.get('key') or secrets.token_hex()}".encode()).hex()
            if act in {"decide", "join"}:
                change = _change(form if act == "decide" else {**form, "kind": BEGINS, "value": NO})
                newest = number(form.get("seen", "0")) if role == ADJUDICATOR else None
                desk.decide(thread, [change], sha256(f"{key}{change}".encode()).hex(), newest)
            elif act == "finish":
                if form.get("kind") == NOTE:  # what was typed and not saved is saved with all the rest
                    change = _change(form)
                    noted = desk.decide(thread, [change], sha256(f"{key}{change}".encode()).hex(), seen)
                    seen = noted.id if noted is not None and seen is not None else seen
                desk.finish(thread, key, seen)
                return self._onward(desk, thread, finished=True)
            elif act == "skip":
                desk.decide(thread, [ItemChange(Item(SKIPPED), YES)], key)
                return self._onward(desk, thread)
            elif act == "accept":
                desk.accept(thread, key, seen)
            else:
                getattr(desk, act)(thread, key, seen)
            return RedirectResponse(_address(role, thread), 303)

        answer.__name__ = act
        return answer


def _address(role: str, thread: str, **told: str) -> str:
    return f"{'/adjudicate' if role == ADJUDICATOR else '/thread'}?{urlencode({'id': thread, **told})}"


def _change(form: dict[str, str]) -> ItemChange:
    at = form.get("at", "")
    sentence, _, place = at.partition("-") if at else (form.get("sentence", "0"), "", form.get("place", "0"))
    item = Item(
        form.get("kind", ""),
        number(sentence),
        number(form.get("micro_topic", "0")),
        form.get("document", "").strip() if form.get("kind") == ADDED else form.get("document", ""),
        number(place or "0"),
    )
    value = form.get("value", "")
    if item.kind == NOTE:
        value = value.replace("\r\n", "\n").strip()
    return ItemChange(item, value or None)


def application(project: Project, board: Board, settings: WebSettings) -> Application:
    """The workbench of a project as an ASGI application."""
    workbench = Workbench(project, board, settings)
    with uncollected():
        workbench.pages.prepare()
    Thread(target=workbench.pages.gather, name="gather", daemon=True).start()
    starlette = Starlette(routes=workbench.routes())
    return Guard(starlette, settings.hosts, settings.secure)
