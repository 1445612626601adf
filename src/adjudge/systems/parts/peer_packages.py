"""Libraries of other people that a system needs: imported when they are used, named when they are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from importlib.util import find_spec

from ...core.errors import MissingExtraError

EXTRA = "pip install 'adjudge[peers]'"


def missing_module(module: str, system: str, package: str | None = None) -> str:
    """What a system lacks if a module is not installed, in a line; empty if it is.

    >>> missing_module("json", "anything"), missing_module("no_such_module", "a_system")
    ('', "a_system needs no_such_module: pip install 'adjudge[peers]'")
    """
    try:
        found = find_spec(module) is not None
    except ImportError:
        found = False
    return "" if found else f"{system} needs {package or module}: {EXTRA}"


@contextmanager
def needing(system: str, package: str) -> Iterator[None]:
    """Around an import: if the package is not there, a MissingExtraError says how to install it."""
    try:
        yield
    except ImportError:
        raise MissingExtraError(f"{system} needs {package}: {EXTRA}") from None


def release(package: str) -> dict[str, str]:
    """The release of a package as a part of what a system's answers depend on; nothing if it is not installed."""
    try:
        return {package: metadata.version(package)}
    except metadata.PackageNotFoundError:
        return {}
