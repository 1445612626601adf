"""The routes of the judging desk."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..collection.workbench.events import ADJUDICATOR, ASSESSOR, event_line
from ..collection.workbench.web.reception import Reception, attachment
from ..collection.workbench.web.visitors import Visitors, WebSettings
from ..core.machine import uncollected
from ..pools.pool_files import definition_text
from ..storage.digest import sha256
from ..web.guard import Application, Guard
from ..web.limits import Bucket
from ..web.looks import StaticFiles
from ..web.refusals import RefusalError, limit, number
from ..web.sessions import Session
from .desk_pages import ROLES_AT, DeskPages
from .judgment_book import JudgmentBook, PairKey
from .judgment_events import CANNOT_TELL
from .judgment_files import datasheet_text, grade_files, judgment_file, judgment_lines, unresolved_lines


class JudgingSite(Reception):
    """Answers requests. Every judgment goes to the store before the next pair is shown."""

    def __init__(self, folder: Path, book: JudgmentBook, pages: DeskPages, settings: WebSettings) -> None:
        self.book, self.pages, self.turns = book, pages, pages.turns
        super().__init__(Visitors(folder, book, settings), pages)
        self.static = StaticFiles("adjudge.judging_desk")
        self.writes = Bucket(burst=150, a_second=15)

    def routes(self) -> list[Route]:
        gets: dict[str, Callable[[Request, Session], Response]] = {
            "/": self.overview,
            "/judge": self.pair,
            "/adjudicate": self.pair,
            "/image": self.image,
            "/next": self.next,
            "/topic": self.topic,
            "/find": self.find,
            "/agreement": self.agreement,
            "/export": self.export,
            "/download": self.download,
            "/help": lambda _, session: self._html(self.pages.help(self.visitors.facts(session))),
        }
        posts = {"/judge": self.judge, "/adjudicate": self.judge, "/later": self.later, "/undo": self.undo}
        routes = [Route(path, self._handler(answer), methods=["GET"]) for path, answer in gets.items()]
        routes += [Route(path, self._handler(answer), methods=["POST"]) for path, answer in posts.items()]
        routes += self.doors()
        routes.append(Route("/grades.css", self.colours, methods=["GET"]))
        routes.append(Route("/static/{name}", self.static.answer, methods=["GET"]))
        return routes

    # Pages

    def overview(self, _: Request, session: Session) -> Response:
        self.book.refresh()
        return self._html(self.pages.overview(self.visitors.facts(session)))

    def pair(self, request: Request, session: Session) -> Response:
        self.book.refresh()
        role = self._role(request, session)
        pair = self._require_pair(request.query_params.get("topic", ""), request.query_params.get("document", ""))
        if role == ASSESSOR:
            self._refuse_others(session, pair)
            self.turns.take(session.name, pair)
        else:
            self._refuse_own(session, pair)
        return self._html(self.pages.pair(self.visitors.facts(session), pair, role, _page_of(request)))

    def image(self, request: Request, _: Session) -> Response:
        """The image of a page of a document of the pool."""
        pair = self._require_pair(request.query_params.get("topic", ""), request.query_params.get("document", ""))
        documents, at = self.pages.documents, _page_of(request) or 0
        pages = () if documents is None else documents.pages(pair[1])
        if documents is None or documents.images is None or at >= len(pages):
            raise RefusalError(404, "This page has no image.")
        image = documents.images.image(pages[at])
        return Response(image.content, media_type=image.kind)

    def next(self, request: Request, session: Session) -> Response:
        self.book.refresh()
        if request.query_params.get("role") == ADJUDICATOR:
            return self._onward(session, ADJUDICATOR, None)
        topic = request.query_params.get("topic")
        if topic is not None and topic not in self.pages.topics:
            raise RefusalError(404, "There is no such topic in the pool.")
        return self._onward(session, ASSESSOR, topic)

    def topic(self, request: Request, session: Session) -> Response:
        self.book.refresh()
        topic = request.query_params.get("id", "")
        if topic not in self.pages.topics:
            raise RefusalError(404, "There is no such topic in the pool.")
        find = request.query_params.get("find", "").strip()[:200]
        return self._html(self.pages.topic(self.visitors.facts(session), topic, find))

    def find(self, request: Request, session: Session) -> Response:
        self.book.refresh()
        words, topic = (request.query_params.get(name, "").strip()[:200] for name in ("words", "topic"))
        if topic and topic not in self.pages.topics:
            raise RefusalError(404, "There is no such topic in the pool.")
        skip = number(request.query_params.get("skip") or "0")
        return self._html(self.pages.find(self.visitors.facts(session), words, topic, skip))

    def agreement(self, _: Request, session: Session) -> Response:
        self.book.refresh()
        facts = self.visitors.facts(session)
        return self._html(self.pages.agreement(facts, not self.pages.may_look(facts)))

    def export(self, _: Request, session: Session) -> Response:
        self.book.refresh()
        return self._html(self.pages.export(self.visitors.facts(session)))

    def download(self, request: Request, session: Session) -> Response:
        """What was judged, as a file."""
        if session.role != ADJUDICATOR:
            raise RefusalError(403, "Adjudicators export.")
        limit(self.sign_ins, f"export {session.name}", "Too many exports: wait a little.")
        self.book.refresh()
        what, who = request.query_params.get("what", ""), request.query_params.get("who", "")
        lines = {
            "judgments": lambda: judgment_lines(self.book),
            "unresolved": lambda: unresolved_lines(self.book),
            "events": lambda: "".join(map(event_line, self.book.store.events())),
        }
        if what in lines:
            text = lines[what]().encode("utf-8", "surrogatepass")
            return attachment(text, f"{what}.jsonl", "application/x-ndjson")
        if what == "datasheet":
            sheet = datasheet_text(self.book, self.pages.name).encode("utf-8", "surrogatepass")
            return attachment(sheet, "datasheet.md", "text/markdown; charset=utf-8")
        if what == "definition":
            return attachment(definition_text(self.book.pool).encode(), "definition.json", "application/json")
        files = grade_files(self.book)
        if what == "qrels" and (not who or who in files):
            own = files[who].rpartition(".")[0] if who else "qrels"
            name = own.encode("ascii", "replace").decode().replace("?", "_")
            file, content = judgment_file(self.book.qrels(who or None), name, "qrels" if who else "txt")
            kind = "application/json" if file.endswith(".json") else "text/plain; charset=utf-8"
            return attachment(content, file, kind)
        raise RefusalError(404, "There is no such file.")

    def colours(self, _: Request) -> Response:
        return Response(self.pages.colours(), media_type="text/css")

    # Acts

    def judge(self, request: Request, session: Session) -> Response:
        form = self.visitors.form(request, session)
        limit(self.writes, session.name, "Too many judgments at once: wait a little.")
        role = self._role(request, session)
        pair = self._require_pair(form.get("topic", ""), form.get("document", ""))
        if role == ADJUDICATOR:
            self._refuse_own(session, pair)
        else:
            self._refuse_others(session, pair)
        given = form.get("grade", "")
        if given != CANNOT_TELL and not (given.isascii() and given.isdigit() and len(given) == 1):
            raise RefusalError(400, "A grade is a digit, or it cannot be told.")
        shown = self.pages.shown(pair)
        self.book.judge(
            session.name,
            pair,
            None if given == CANNOT_TELL else int(given),
            role=role,
            note=form.get("note", "").replace("\r\n", "\n"),
            evidence=form.get("evidence", "").replace("\r\n", "\n"),
            seconds=self.turns.seconds(session.name, pair) if role == ASSESSOR else None,
            text="" if shown is None else shown.digest,
            key=self._key(session, form, role),
            seen=form.get("seen") if role == ADJUDICATOR else None,
        )
        return self._onward(session, role, pair[0])

    def later(self, request: Request, session: Session) -> Response:
        form = self.visitors.form(request, session)
        pair = self._require_pair(form.get("topic", ""), form.get("document", ""))
        self.turns.later(session.name, pair)
        return self._onward(session, ASSESSOR, pair[0])

    def undo(self, request: Request, session: Session) -> Response:
        form = self.visitors.form(request, session)
        limit(self.writes, session.name, "Too many judgments at once: wait a little.")
        role = ADJUDICATOR if form.get("role") == ADJUDICATOR else ASSESSOR
        if role == ADJUDICATOR and session.role != ADJUDICATOR:
            raise RefusalError(403, "Only adjudicators may settle disagreements.")
        last = number(form["last"]) if form.get("last") else None
        pair = self.book.undo(session.name, role, self._key(session, form, "undo"), last)
        return RedirectResponse(_address(role, pair), 303)

    def _key(self, session: Session, form: dict[str, str], act: str) -> str:
        return sha256(
            f"{session.name}\n{act}\n{form.get('key') or secrets.token_hex()}".encode("utf-8", "surrogatepass")
        ).hex()

    def _onward(self, session: Session, role: str, topic: str | None) -> Response:
        if role == ADJUDICATOR:
            pair = next((each for each in self.book.differ if not self._is_own(session, each)), None)
        else:
            pair = self.turns.next(session.name, topic, self._gone())
        if pair is None:
            return RedirectResponse("/agreement" if role == ADJUDICATOR else "/?done=yes", 303)
        return RedirectResponse(_address(role, pair), 303)

    def _gone(self) -> set[str]:
        """Those whose access was taken away: what they had on the screen is free."""
        if not self.settings.tokens:
            return set()
        return {person.name for person in self.book.store.assessors().values() if not person.token}

    def _role(self, request: Request, session: Session) -> str:
        role = ROLES_AT[request.url.path]
        if role == ADJUDICATOR and session.role != ADJUDICATOR:
            raise RefusalError(403, "Only adjudicators may settle disagreements.")
        return role

    def _is_own(self, session: Session, pair: PairKey) -> bool:
        """Nobody settles his own disagreements while somebody else could."""
        return session.name in self.book.people(pair) and bool(self.visitors.adjudicators() - {session.name})

    def _refuse_own(self, session: Session, pair: PairKey) -> None:
        if self._is_own(session, pair):
            raise RefusalError(403, "You have judged this document: somebody else settles it.")
        if len(self.book.people(pair)) < 2:
            raise RefusalError(404, "Fewer than two people have judged this document: there is nothing to settle.")

    def _refuse_others(self, session: Session, pair: PairKey) -> None:
        if not self.book.rules.may_judge(session.name, *pair) and session.name not in self.book.people(pair):
            raise RefusalError(403, "This document is for others to judge.")

    def _require_pair(self, topic: str, document: str) -> PairKey:
        if self.book.pool.row_of(topic, document) is None:
            raise RefusalError(404, "There is no such document of this topic in the pool.")
        return topic, document


def _page_of(request: Request) -> int | None:
    """The page that is asked for, from 0."""
    text = request.query_params.get("page", "")
    return int(text) - 1 if text.isascii() and text.isdigit() and 1 <= len(text) <= 6 and int(text) else None


def _address(role: str, pair: PairKey) -> str:
    query = urlencode({"topic": pair[0], "document": pair[1]}, errors="surrogatepass")
    return f"{'/adjudicate' if role == ADJUDICATOR else '/judge'}?{query}"


def desk_application(folder: Path, book: JudgmentBook, pages: DeskPages, settings: WebSettings) -> Application:
    """The desk of a pool as an ASGI application."""
    with uncollected():
        book.refresh()
    pages.prepare()
    return Guard(Starlette(routes=JudgingSite(folder, book, pages, settings).routes()), settings.hosts, settings.secure)
