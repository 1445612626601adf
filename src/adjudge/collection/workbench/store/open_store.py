"""Opening a store by its URL or path, and knowing where that of a project is."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from ....core.errors import DataError, SpecError
from ....core.visible import visible
from ....storage.access import writing
from .postgresql import Postgresql
from .sqlite import Sqlite
from .store import Database, Store

STORE, ELSEWHERE = "store.sqlite", "store.url"
"""The store of a project; the file that says where it is if it is not in the folder."""


def store_of(folder: Path, store: str | None) -> str:
    """Where the decisions of a project are; an error if they are elsewhere, and ``store`` does not say where."""
    elsewhere = folder / ELSEWHERE
    if store is None and elsewhere.is_file():
        with elsewhere.open("rb") as file:
            place = visible(file.read(1000).decode("utf-8", "replace").strip())
        raise DataError(f"{folder}: its decisions are in {place}: name it with --store")
    return store or str(folder / STORE)


def remember_store(folder: Path, store: str | None) -> None:
    """Leave word in the project that its decisions are elsewhere, so that nobody takes them for lost."""
    path = folder / ELSEWHERE
    if store is None or path.exists() or _same_file(store, folder / STORE):
        return
    with writing(path):
        path.write_text(f"{_without_secrets(store)}\n", encoding="utf-8", errors="replace")


def _same_file(store: str, own: Path) -> bool:
    database = _database(store)
    return isinstance(database, Sqlite) and database.path.resolve() == own.resolve()


def _without_secrets(store: str) -> str:
    database = _database(store)
    if isinstance(database, Sqlite):
        return str(database.path.resolve())
    bare = urlsplit(store)
    host = bare.netloc.rpartition("@")[2]
    return f"{bare.scheme}://{host}{bare.path}"


def open_store(url: str, *, create: bool = True) -> Store:
    """The store at ``postgresql://…``, ``sqlite:///path`` or a path; made if it is not there and may be."""
    database = _database(url)
    if isinstance(database, Sqlite):
        if not create and not database.path.is_file():
            raise DataError(f"{database.path}: no decisions yet: nobody has opened the page at which they are made")
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
