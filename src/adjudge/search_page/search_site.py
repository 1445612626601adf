"""The routes of the search page."""

from __future__ import annotations

import functools
import hmac
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..core.errors import AdjudgeError, DataError
from ..core.visible import visible
from ..page_view.scan_images import ScanImages
from ..storage.digest import sha256
from ..web.form_reading import keep_cookie, may_keep, own_page, read_form, refuse_repeated
from ..web.guard import Application, Guard, Hosts
from ..web.limits import Bucket
from ..web.looks import StaticFiles
from ..web.refusals import RefusalError, limit, number
from ..web.sessions import Session, Signer
from ..web.worker_processes import ALONE
from ..words.reasons import reasons_found
from . import iiif
from .answers import Answers
from .catalogue import Catalogue
from .inquiry import CHOICE, Inquiry
from .leaf import Leaf, leaf_of
from .search_data import about_data, leaf_data, results_data
from .search_pages import SearchPages

LOG = logging.getLogger("adjudge.serve")
VISITOR = "visitor"
PACKAGE = "adjudge.search_page"
CACHED = {"cache-control": "private, max-age=3600"}


@dataclass(frozen=True)
class SiteSettings:
    """How a search page is run."""

    hosts: Hosts = field(default_factory=lambda: Hosts(frozenset(), loopback=True))
    token: str = ""
    """What visitors sign in with; without one everybody who reaches the server may search."""
    public: bool = False
    """Whether pages elsewhere may ask for what IIIF viewers need."""
    secure: bool = False
    """Whether browsers come by https."""
    signer: Signer = field(default_factory=Signer)


class SearchSite:
    """Answers requests, as pages or as JSON: the routes are the same."""

    def __init__(self, catalogue: Catalogue, images: ScanImages, settings: SiteSettings) -> None:
        self.catalogue, self.images, self.settings = catalogue, images, settings
        self.answers = Answers(catalogue)
        self.pages = SearchPages(catalogue)
        self.static = StaticFiles(PACKAGE)
        self.sign_ins = Bucket(burst=10, a_second=0.1)
        self.all_sign_ins = Bucket(burst=60, a_second=1)
        named = sha256(str(catalogue.folder.resolve()).encode("utf-8", "surrogateescape")).hex()[:12]
        self.cookie = f"search-{named}"
        self.with_images = images.there and catalogue.index.manifest.pages

    def routes(self) -> list[Route]:
        both: dict[str, Callable[[Request, Session], Response]] = {
            "/search": self.search,
            "/document": self.document,
            "/explain": self.explain,
            "/help": self.help,
        }
        gets: dict[str, Callable[[Request, Session], Response]] = {"/": self.home, "/index.json": self.home, **both}
        gets |= {f"{path}.json": answer for path, answer in both.items()}
        gets |= {"/image": self.image, "/opensearch.xml": self.opensearch}
        gets |= {"/iiif/{id:path}/manifest.json": self.manifest, "/iiif/{id:path}/search": self.content_search}
        gets["/iiif/{id:path}/search1"] = self.old_content_search
        routes = [Route(path, self._handler(answer), methods=["GET"]) for path, answer in gets.items()]
        routes.append(Route("/sign-in", self._handler(self.sign_in_page, signed_in=False), methods=["GET"]))
        routes.append(Route("/sign-in", self._handler(self.sign_in, signed_in=False), methods=["POST"]))
        routes.append(Route("/sign-out", self._handler(self.sign_out), methods=["POST"]))
        routes.append(Route("/static/{name}", self.static.answer, methods=["GET"]))
        routes.append(Route("/{rest:path}", self._handler(self.nothing, signed_in=False), methods=["GET"]))
        return routes

    # Around every answer

    def _handler(
        self, answer: Callable[[Request, Session], Response], signed_in: bool = True
    ) -> Callable[[Request], Awaitable[Response]]:
        def made(request: Request) -> Response:
            session, fresh = self._session(request)
            try:
                if signed_in and self.settings.token and session.name != VISITOR:
                    raise RefusalError(401, "Sign in first: this collection asks for a token.")
                refuse_repeated(request, several=(CHOICE,))
                response = answer(request, session)
            except RefusalError as refused:
                response = self._refusal(request, session, refused)
            except AdjudgeError as error:  # its message names files, which only the operator sees
                LOG.error("%s", error)
                response = self._refusal(request, session, RefusalError(500, "The index cannot be read."))
            if fresh and self.settings.token and "set-cookie" not in response.headers and may_keep(request):
                keep_cookie(response, self.cookie, self.settings.signer.write(session), secure=self.settings.secure)
            return response

        @functools.wraps(answer)
        async def handle(request: Request) -> Response:
            return made(request) if ALONE in request.scope else await run_in_threadpool(made, request)

        return handle

    def _session(self, request: Request) -> tuple[Session, bool]:
        """Who asks, and whether the browser still needs its cookie; programs send the token in a header."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._holds(token.strip()):
            return self.settings.signer.new(VISITOR), False
        session = self.settings.signer.read(request.cookies.get(self.cookie, ""))
        return (session, False) if session is not None else (self.settings.signer.new(), True)

    def _holds(self, token: str) -> bool:
        known = self.settings.token
        return bool(known) and hmac.compare_digest(token.encode("utf-8", "replace"), known.encode())

    def _refusal(self, request: Request, session: Session, refused: RefusalError) -> Response:
        headers = {"retry-after": str(int(refused.wait) + 1)} if refused.wait else {}
        if wants_json(request):
            headers |= {"www-authenticate": "Bearer"} if refused.status == 401 else {}
            return JSONResponse({"error": refused.why}, refused.status, headers)
        if refused.status == 401:
            asked = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
            return RedirectResponse(f"/sign-in?{urlencode({'next': asked})}", 303)
        return HTMLResponse(self.pages.problem(self._facts(session), refused.why), refused.status, headers)

    def _facts(self, session: Session) -> dict[str, Any]:
        csrf = self.settings.signer.csrf(session) if self.settings.token else ""
        return {"csrf": csrf, "signed_in": bool(csrf) and session.name == VISITOR}

    def _answer(self, request: Request, page: Callable[[], str], data: Callable[[], Any]) -> Response:
        return JSONResponse(data()) if wants_json(request) else HTMLResponse(page(), headers={"vary": "accept"})

    # Pages

    def home(self, request: Request, session: Session) -> Response:
        """What is searched, with the fields of all documents."""
        outcome = self.answers.outcome(Inquiry())
        return self._answer(
            request,
            lambda: self.pages.home(self._facts(session), outcome),
            lambda: about_data(self.catalogue),
        )

    def search(self, request: Request, session: Session) -> Response:
        """A list of documents."""
        asked = Inquiry.of(request.query_params.multi_items())
        outcome, hits = self.answers.part(asked)
        return self._answer(
            request,
            lambda: self.pages.results(self._facts(session), asked, outcome, hits),
            lambda: results_data(outcome, hits, asked.part),
        )

    def document(self, request: Request, session: Session) -> Response:
        """A document, at one of its pages."""
        asked, at = Inquiry.of(request.query_params.multi_items()), self._number(request.query_params)
        leaf = leaf_of(self.catalogue, at, asked.words, self._page(request.query_params), self.with_images)
        fields = self.catalogue.index.fields(at)
        if wants_json(request):
            return JSONResponse(leaf_data(leaf, fields, self.with_images))
        return HTMLResponse(self._leaf_page(session, asked, leaf, fields), headers={"vary": "accept"})

    def _leaf_page(self, session: Session, asked: Inquiry, leaf: Leaf, fields: tuple[tuple[str, str], ...]) -> str:
        around: tuple[int, int | None, int | None] = (0, None, None)
        reasons: list[str] = []
        if asked.words or asked.narrowed:
            around = self.answers.outcome(asked).around(leaf.number)
        if asked.words:
            reasons = self._reasons(asked.words, leaf.document.id)[0]
        ids = self.catalogue.index.ids
        neighbours = [None if other is None else ids[other] for other in around[1:]]
        return self.pages.document(self._facts(session), asked, leaf, fields, around[0], neighbours, reasons)

    def explain(self, request: Request, session: Session) -> Response:
        """Why a document was found."""
        asked, at = Inquiry.of(request.query_params.multi_items()), self._number(request.query_params)
        if not asked.words:
            raise RefusalError(400, "Say with q what was asked.")
        document = self.catalogue.index.ids[at]
        reasons, tree = self._reasons(asked.words, document)
        return self._answer(
            request,
            lambda: self.pages.explanation(self._facts(session), asked, document, reasons, tree),
            lambda: {"question": asked.words, "id": document, "reasons": reasons, "explanation": tree},
        )

    def _reasons(self, words: str, document: str) -> tuple[list[str], dict[str, Any]]:
        tree = self.catalogue.answerer.explain(words, document).to_dict()
        return reasons_found(tree, len(self.catalogue)), tree

    def help(self, request: Request, session: Session) -> Response:
        """Keys, addresses, and how programs ask."""
        return self._answer(request, lambda: self.pages.help(self._facts(session)), lambda: self.pages.routes)

    def nothing(self, _: Request, __: Session) -> Response:
        raise RefusalError(404, "There is no such page.")

    # Files

    def image(self, request: Request, _: Session) -> Response:
        """The image of a page, from below the folder of the scans and nowhere else."""
        at, place = self._number(request.query_params), self._page(request.query_params) or 0
        pages = self.catalogue.index.pages(at)
        if place >= len(pages) or not self.with_images:
            raise RefusalError(404, "This page has no image.")
        image = self.images.image(pages[place])
        return Response(image.content, media_type=image.kind, headers={**CACHED, **self._elsewhere()})

    def opensearch(self, request: Request, _: Session) -> Response:
        """How a browser adds this page to its search engines."""
        return Response(
            self.pages.opensearch(self._origin(request)), media_type="application/opensearchdescription+xml"
        )

    def manifest(self, request: Request, _: Session) -> Response:
        """A document for IIIF viewers."""
        at = self._known(request.path_params["id"])
        document, pages = self.catalogue.index.document(at), self.catalogue.index.pages(at)
        answer = iiif.manifest(self._origin(request), document, pages, self.with_images)
        return JSONResponse(answer, headers=self._elsewhere(), media_type=iiif.KIND)

    def content_search(self, request: Request, _: Session) -> Response:
        """What IIIF viewers find in a document."""
        return self._found(request, iiif.found_in)

    def old_content_search(self, request: Request, _: Session) -> Response:
        """The same for viewers that ask by Content Search 1."""
        return self._found(request, iiif.found_in_old)

    def _found(self, request: Request, answer: Callable[..., dict[str, Any]]) -> Response:
        at, asked = self._known(request.path_params["id"]), Inquiry.of(request.query_params.multi_items())
        ignored = tuple(name for name in iiif.IGNORED if name in request.query_params)
        found = answer(self.catalogue, self._origin(request), at, asked.words, ignored)
        return JSONResponse(found, headers=self._elsewhere(), media_type=iiif.KIND)

    def _elsewhere(self) -> dict[str, str]:
        """Headers with which viewers on other sites may ask, where everybody may read anyway."""
        public = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}
        return public if self.settings.public and not self.settings.token else {}

    def _origin(self, request: Request) -> str:
        scheme = "https" if self.settings.secure else request.url.scheme
        return f"{scheme}://{request.headers['host']}"  # the guard knows the name

    # Coming in

    def sign_in_page(self, request: Request, session: Session) -> Response:
        if not self.settings.token:
            return RedirectResponse("/", 303)
        onward = own_page(request.query_params.get("next", ""))
        return HTMLResponse(self.pages.sign_in(self._facts(session), "", onward))

    def sign_in(self, request: Request, session: Session) -> Response:
        form = read_form(request, self.settings.signer, session)
        onward = own_page(form.get("next", ""))
        address = request.client.host if request.client else "?"
        limit(self.sign_ins, address, "Too many attempts to sign in: wait a little.")
        limit(self.all_sign_ins, "all", "Too many attempts to sign in: wait a little.")
        if not self._holds(form.get("token", "").strip()):
            return HTMLResponse(self.pages.sign_in(self._facts(session), "That is not the token.", onward), 403)
        answer = RedirectResponse(onward or "/", 303)
        signer = self.settings.signer
        keep_cookie(answer, self.cookie, signer.write(signer.new(VISITOR)), secure=self.settings.secure)
        return answer

    def sign_out(self, request: Request, session: Session) -> Response:
        """End the session here too: a copy of the cookie is of no use then."""
        read_form(request, self.settings.signer, session)
        signer = self.settings.signer
        signer.end(session)
        answer = RedirectResponse("/sign-in", 303)
        keep_cookie(answer, self.cookie, signer.write(signer.new()), secure=self.settings.secure)
        return answer

    # What is asked for

    def _number(self, asked: QueryParams) -> int:
        return self._known(asked.get("id", ""))

    def _known(self, document: str) -> int:
        try:
            return self.catalogue.index.document_number(document)
        except DataError:
            raise RefusalError(404, f"There is no document {visible(document)!r:.200} here.") from None

    def _page(self, asked: QueryParams) -> int | None:
        return max(1, number(asked["page"])) - 1 if asked.get("page") else None


def wants_json(request: Request) -> bool:
    """Whether a program asks: by the ending of the path, or because JSON is what it accepts first."""
    if request.url.path.endswith(".json"):
        return True
    accepted = request.headers.get("accept", "").partition(",")[0].partition(";")[0].strip().lower()
    return accepted == "application/json"


def search_application(catalogue: Catalogue, images: ScanImages, settings: SiteSettings) -> Application:
    """The search page of a collection as an ASGI application."""
    site = SearchSite(catalogue, images, settings)
    return Guard(Starlette(routes=site.routes()), settings.hosts, settings.secure)
