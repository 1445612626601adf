"""Starting the search page: what is searched, where its images lie, and who may ask."""

from __future__ import annotations

import os
import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import DataError, MissingExtraError, SpecError
from ..storage.access import reading, writing
from ..web.guard import Hosts
from ..web.place import Place, own_names
from ..web.sessions import Signer
from .catalogue import WEIGHTING, Catalogue

if TYPE_CHECKING:
    from collections.abc import Collection

NEEDED = ("jinja2", "starlette", "uvicorn")
SHORTEST_TOKEN = 16
OWN_PATHS = ("/image", "/static/")
"""Where the process that listens answers itself: files are sent from memory, and kept once."""


def open_catalogue(folder: str | os.PathLike[str], weighting: str = WEIGHTING) -> Catalogue:
    """What is searched, once all that serving it needs is there."""
    refuse_missing(NEEDED)
    return Catalogue(folder, weighting)


def refuse_missing(names: Collection[str]) -> None:
    """An error if a library is not installed."""
    if missing := [name for name in names if find_spec(name) is None]:
        raise MissingExtraError(f"the search page needs {', '.join(missing)}: pip install 'adjudge[serve]'")


def search_page(
    catalogue: Catalogue,
    place: Place,
    *,
    images: str | os.PathLike[str] | None = None,
    token: str = "",
    public: bool = False,
    signer: Signer | None = None,
) -> Any:
    """The search page of a collection as it is served at a place.

    Bound elsewhere than loopback, or reached under another name, it needs a token, or has to be public.
    """
    from ..page_view.scan_images import ScanImages, root_of
    from .search_site import SiteSettings, search_application

    open_to_others = not place.loopback or bool(place.allowed)
    if open_to_others and not token and not public:
        raise SpecError(
            "people on other machines could read everything: give --token-file FILE, or --public if they may"
        )
    if token and public:
        raise SpecError("--token-file and --public exclude each other")
    if images is not None and not Path(images).is_dir():
        raise DataError(f"{images}: no such folder")
    names = {host.lower().rstrip(".") for host in (*place.allowed, *(() if place.loopback else own_names(place.host)))}
    settings = SiteSettings(
        hosts=Hosts(frozenset(names), loopback=not open_to_others),
        token=token,
        public=public,
        secure=place.secure,
        signer=signer or Signer(),
    )
    catalogue.prepare()
    root = root_of(catalogue.index.manifest.source, images)
    return search_application(catalogue, ScanImages(root), settings)


def token_in(path: str | os.PathLike[str]) -> tuple[str, bool]:
    """The token in a file, and whether it is new: a file that is not there is written, for its owner alone to read."""
    file = Path(path)
    if not file.exists():
        token = secrets.token_urlsafe(24)
        with writing(file):
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as written:
                written.write(f"{token}\n")
        return token, True
    with reading(str(file)):
        raw = file.read_bytes()
    return check_token(raw.decode("utf-8", "replace").strip(), str(file)), False


def check_token(token: str, where: str) -> str:
    """A token that can be entered and not be guessed."""
    if len(token) < SHORTEST_TOKEN or not token.isprintable() or " " in token:
        raise DataError(f"{where}: a token is one word of at least {SHORTEST_TOKEN} characters")
    return token
