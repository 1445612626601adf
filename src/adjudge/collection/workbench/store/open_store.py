"""Opening a store by its URL or path."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from ....core.errors import DataError, SpecError
from .postgresql import Postgresql
from .sqlite import Sqlite
from .store import Database, Store


def open_store(url: str, *, create: bool = True) -> Store:
    """The store at ``postgresql://…``, ``sqlite:///path`` or a path; made if it is not there and may be."""
    database = _database(url)
    if isinstance(database, Sqlite):
        if not create and not database.path.is_file():
            raise DataError(f"{database.path}: no decisions yet: adjudge collect serve makes them")
        if not database.path.parent.is_dir():
            raise DataError(f"{database.path.parent}: no such folder")
    store = Store(database)
    try:
        store.prepare()
    except BaseException:
        store.close()
        raise
    return store


def _database(url: str) -> Database:
    scheme = urlsplit(url).scheme if "://" in url else ""
    if scheme in {"postgresql", "postgres"}:
        return Postgresql(url)
    if scheme == "sqlite":
        return Sqlite(Path(url.removeprefix("sqlite://").removeprefix("/") or "."))
    if scheme:
        raise SpecError(f"a store is postgresql://…, sqlite:///FILE or a file, not {scheme}://…")
    return Sqlite(Path(url))
