"""What all pages look like: templates that escape everything, one base for all of them, and the files they load."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from ..core.visible import visible_lines

SHARED = "adjudge.web"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def environment(package: str) -> Any:
    """Templates of a package, which may extend the shared ones."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(SHARED)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["visible"] = lambda text: visible_lines(str(text))
    made.filters["urlencode"] = part_of_address
    return made


def part_of_address(given: Any) -> str:
    """A text, or names and values, as a part of an address; bytes that are no UTF-8 are written as they were.

    >>> part_of_address("a b/\\udcff"), part_of_address({"id": "a b"})
    ('a%20b/%FF', 'id=a%20b')
    """
    if isinstance(given, Mapping):
        return urlencode(given, quote_via=quote, safe="/", errors="surrogateescape")
    return quote(str(given), safe="/", errors="surrogateescape")


class StaticFiles:
    """The files in the folders ``static`` of some packages, by name and nothing else."""

    def __init__(self, *packages: str) -> None:
        self.packages = (*packages, SHARED)

    def answer(self, request: Request) -> Response:
        name = request.path_params["name"]
        content = _contents(self.packages).get(name)
        if content is None:
            return Response("There is no such file.", 404, media_type="text/plain")
        kind = TYPES[name.rpartition(".")[2]]
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


@functools.cache
def _contents(packages: tuple[str, ...]) -> dict[str, bytes]:
    listed = [file for package in packages for file in (files(package) / "static").iterdir()]
    return {file.name: file.read_bytes() for file in listed if file.name.rpartition(".")[2] in TYPES}
