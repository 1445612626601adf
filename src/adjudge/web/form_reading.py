"""What browsers send and keep: forms of our own pages, and cookies."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from ..core.visible import visible
from .refusals import RefusalError
from .sessions import Session, Signer

MOST_FIELDS = 40


def refuse_repeated(request: Request, several: tuple[str, ...] = ()) -> None:
    """Refuse an address that gives a parameter twice: whoever reads it would use one of them and say nothing.

    Names that begin with one of ``several`` may be repeated: all their values are used.
    """
    names = [name for name, _ in request.query_params.multi_items() if not name.startswith(several)]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise RefusalError(400, f"The address gives {visible(twice)[:60]!r} twice: give it once.")


def read_form(request: Request, signer: Signer, session: Session) -> dict[str, str]:
    """The fields of a form that one of our pages sent in this session; the guard has read the body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RefusalError(415, "A form is expected here.")
    try:
        body: bytes = request.scope["adjudge.body"]
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            max_num_fields=MOST_FIELDS,
            errors="strict",
            encoding="utf-8",
        )
    except ValueError:
        raise RefusalError(400, "The form cannot be read.") from None
    form = dict(pairs)
    if len(form) != len(pairs):
        raise RefusalError(400, "A field occurs twice.")
    if not signer.csrf_holds(session, form.get("csrf", "")):
        raise RefusalError(403, "This form was not made here, or the server was started anew: load the page again.")
    return form


def may_keep(request: Request) -> bool:
    """Whether a browser may be given a cookie: a picture on a page elsewhere must not take the place of one."""
    headers = request.headers
    elsewhere = headers.get("sec-fetch-site", "none") == "cross-site"
    return not elsewhere or headers.get("sec-fetch-dest", "document") == "document"


def keep_cookie(response: Response, name: str, value: str, *, secure: bool) -> None:
    """Give a browser a cookie that no script reads."""
    response.set_cookie(
        name,
        value,
        httponly=True,
        samesite="lax",  # a link in a mail must not sign people out; what writes asks for a token of the form
        secure=secure,
    )


def own_page(address: str) -> str:
    """An address on this server that somebody wanted to see; nothing if it could lead elsewhere."""
    fine = re.fullmatch(r"/(?![/\\])[\w/?&=.%+~-]{0,2000}", address, re.ASCII)
    return address if fine else ""
