"""What every desk does around its answers: sessions, refusals, signing in and out."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ....core.errors import AdjudgeError, ConflictError, DataError
from ....web.form_reading import may_keep, own_page, refuse_repeated
from ....web.limits import Bucket
from ....web.refusals import RefusalError, limit
from ....web.sessions import Session
from ..events import check_name
from ..store.store import StoreError
from .visitors import Visitors

NO_STORE = "The store does not answer. Nothing that was saved is lost."
FULL = "The disk of the store is full. Nothing that was saved is lost."
LOG = logging.getLogger("adjudge.workbench")
"""What the operator should know goes to the console."""
TOO_MANY = "Too many attempts to sign in: wait a little."


class DoorPages(Protocol):
    """The pages of people who are not at a desk yet, or cannot go on."""

    def problem(self, facts: dict[str, Any], status: int, why: str) -> str: ...
    def sign_in(self, facts: dict[str, Any], problem: str, onward: str = "") -> str: ...


class Reception:
    """Lets people in and out, and turns what goes wrong into a page."""

    def __init__(self, visitors: Visitors, pages: DoorPages) -> None:
        self.visitors, self.settings, self._door_pages = visitors, visitors.settings, pages
        self.sign_ins = Bucket(burst=10, a_second=0.1)
        self.all_sign_ins = Bucket(burst=60, a_second=1)

    def doors(self) -> list[Route]:
        """The routes of coming and going."""
        return [
            Route("/sign-in", self._handler(self.sign_in_page, signed_in=False), methods=["GET"]),
            Route("/sign-in", self._handler(self.sign_in, signed_in=False), methods=["POST"]),
            Route("/sign-out", self._handler(self.sign_out), methods=["POST"]),
        ]

    # Around every answer

    def _handler(
        self, answer: Callable[[Request, Session], Response], signed_in: bool = True
    ) -> Callable[[Request], Response]:
        @functools.wraps(answer)
        def handle(request: Request) -> Response:
            try:
                session, fresh = self.visitors.session(request)
            except AdjudgeError as error:
                LOG.error("%s", error)
                return Response(NO_STORE, 503, media_type="text/plain")
            try:
                if signed_in and not session.name:
                    asked = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
                    back = f"?{urlencode({'next': asked})}" if request.method == "GET" else ""
                    raise RefusalError(401, f"/sign-in{back}")
                refuse_repeated(request)
                response = answer(request, session)
            except RefusalError as refused:
                response = self._refusal(request, session, refused)
            except ConflictError as error:
                response = self._problem(session, 409, f"{error}. Look again, then decide.")
            except StoreError as error:  # its message names the file or server, which only the operator sees
                LOG.error("%s", error)
                response = self._problem(session, 503, FULL if error.full else NO_STORE)
            except AdjudgeError as error:
                response = self._problem(session, 400, str(error))
            if fresh and "set-cookie" not in response.headers and may_keep(request):
                self.visitors.keep(request, response, session)
            return response

        handle.__name__ = getattr(answer, "__name__", "answer")
        return handle

    def _refusal(self, request: Request, session: Session, refused: RefusalError) -> Response:
        if refused.status == 401 and request.method == "GET":
            return RedirectResponse(refused.why, 303)
        why = "Sign in again: the session has ended." if refused.status == 401 else refused.why
        response = self._problem(session, refused.status, why)
        if refused.wait:
            response.headers["retry-after"] = str(int(refused.wait) + 1)
        return response

    def _html(self, text: str, status: int = 200) -> Response:
        return HTMLResponse(text, status)

    def _problem(self, session: Session, status: int, why: str) -> Response:
        return self._html(self._door_pages.problem(self.visitors.facts(session), status, why), status)

    # Coming and going

    def sign_in_page(self, request: Request, session: Session) -> Response:
        onward = own_page(request.query_params.get("next", ""))
        return self._html(self._door_pages.sign_in(self.visitors.facts(session), "", onward))

    def sign_in(self, request: Request, session: Session) -> Response:
        form = self.visitors.form(request, session)
        signer = self.settings.signer
        onward = own_page(form.get("next", ""))
        address = request.client.host if request.client else "?"
        if self.settings.tokens:
            limit(self.sign_ins, address, TOO_MANY, 0)
            known = self.visitors.people.store.who_has(form.get("token", "").strip())
            if known is None:
                self._count_failure(address)
                page = self._door_pages.sign_in(self.visitors.facts(session), "No assessor has this token.", onward)
                return self._html(page, 403)
            signed_in = signer.new(known.name, known.role, known.token[:16])
        else:
            try:
                name = self.visitors.spelling(check_name(form.get("name", "")))
            except DataError as error:
                return self._html(self._door_pages.sign_in(self.visitors.facts(session), f"{error}.", onward), 400)
            signed_in = signer.new(name, self.settings.role_of(name))
        answer = RedirectResponse(onward or "/", 303)
        self.visitors.keep(request, answer, signed_in)
        return answer

    def _count_failure(self, address: str) -> None:
        """Attempts that fail are counted, and those that do not are not: a class may sit behind one address."""
        # one address first: what is refused to it must not be taken from all others
        limit(self.sign_ins, address, TOO_MANY)
        limit(self.all_sign_ins, "all", TOO_MANY)

    def sign_out(self, request: Request, session: Session) -> Response:
        self.visitors.form(request, session)
        self.settings.signer.end(session)
        answer = RedirectResponse("/sign-in", 303)
        self.visitors.keep(request, answer, self.settings.signer.new())
        return answer


def attachment(content: bytes, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
