"""The public name of what has a docstring.

A name is public if no part of it begins with an underscore. What a public module defines is called after it, or after
the package that hands it on: ``asyncio.run``, not ``asyncio.runners.run``. What a private or compiled module defines is
called after the public module that hands it on: ``functools.reduce``, not ``_functools.reduce``. Where both a source
and a compiled module have a docstring for a name, the source's is taken: so it is the same whether or not the compiled
module was built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .parsing import Module

RENAMED = {
    "builtins": "",
    "posixpath": "os.path",
    "_collections_abc": "collections.abc",
    "_pydecimal": "decimal",
    "_sre": "re",
}
"""Modules whose contents users know by another name, on every platform and however the library arranges it."""

INNER = frozenset({"posix", "pyexpat", "genericpath", "sre_compile", "sre_constants", "sre_parse", "sqlite3.dbapi2"})
"""Modules that have a public name but exist to be handed on by others."""

Home = tuple[str, str]
"""A module and a name at its top."""

Table = dict[str, dict[Home, None]]
"""Names, and where each may come from, in order."""


def is_public(name: str) -> bool:
    """Whether no part of a dotted name begins with an underscore.

    >>> is_public("heapq.heappush"), is_public("asyncio._all"), is_public("list.__len__")
    (True, False, False)
    """
    return not any(part.startswith("_") for part in name.split("."))


def public_names(modules: Mapping[str, Module]) -> Iterator[tuple[str, str, Home]]:
    """The public id of every docstring, the docstring, and where it stands; the first that has an id shall keep it."""
    calls = _calls(modules)
    for module in sorted(modules.values(), key=lambda module: (module.compiled, module.name in RENAMED, module.name)):
        for name, text in module.docstrings.items():
            top, dot, rest = name.partition(".")
            called = _module_id(module.name) if not name else calls.get((module.name, top))
            if called is not None and is_public(rest):
                yield called + dot + rest, text, (module.name, name)


def private_docstrings(modules: Mapping[str, Module]) -> Iterator[tuple[str, str]]:
    """Docstrings of private names in public modules that have a source: text of the same kind, but never searched."""
    for module in sorted(modules.values(), key=lambda module: module.name):
        if not module.compiled and _module_id(module.name) is not None:
            for name, text in module.docstrings.items():
                if not is_public(name):
                    yield f"{module.name}.{name}", text


def _module_id(name: str) -> str | None:
    """What a module itself is called; None if it is not for users."""
    if name == "builtins":
        return name
    renamed = RENAMED.get(name, name)
    return renamed if is_public(renamed) and name not in INNER else None


def _calls(modules: Mapping[str, Module]) -> dict[Home, str]:
    """The best public name of everything that has one."""
    best: dict[Home, tuple[bool, int, str]] = {}
    tables: dict[str, Table] = {}
    for module in sorted(modules.values(), key=lambda module: module.name):
        if _module_id(module.name) is None:
            continue
        called = RENAMED.get(module.name, module.name)
        for alias, home in _public_names(modules, module, tables):
            where, name = home
            at_home = _module_id(where) is not None and is_public(name)
            if at_home and where != module.name and not where.startswith(f"{module.name}."):
                continue  # others may use it, but it is called after its home or a package around that
            path = f"{called}.{alias}" if called else alias
            rank = (not at_home and module.name != where.lstrip("_"), path.count("."), path)
            best[home] = min(best.get(home, rank), rank)
    return {home: path for home, (_, _, path) in best.items()}


def _public_names(
    modules: Mapping[str, Module], module: Module, tables: dict[str, Table]
) -> Iterator[tuple[str, Home]]:
    """The public names that a module has for its users, each with every place where it may come from."""
    for name in module.defined:
        if is_public(name):
            yield name, (module.name, name)
    for alias, where, name in module.imports:
        if where not in modules:
            continue
        table, listed = _names(modules, where, tables), modules[where].listed
        if name == "*":
            for each, homes in table.items():
                if is_public(each) and (not listed or each in listed):
                    yield from ((each, home) for home in homes)
        elif is_public(alias) and _is_for_users(module, alias, where):
            yield from ((alias, home) for home in table.get(name, ()))


def _is_for_users(module: Module, alias: str, where: str) -> bool:
    """Whether a name that was imported is for the users of the module, too."""
    if module.listed is not None:
        return alias in module.listed
    package, _, _ = module.name.partition(".")
    return not is_public(where) and (where == f"_{module.name}" or where.partition(".")[0] == package)


def _names(modules: Mapping[str, Module], where: str, tables: dict[str, Table]) -> Table:
    """All names at the top of a module, own and imported, with every place where they may be defined."""
    if where in tables or where not in modules:
        return tables.get(where, {})
    table: Table = {name: {(where, name): None} for name in modules[where].defined}
    tables[where] = table  # so that modules that import each other come to an end
    for alias, origin, name in modules[where].imports:
        names = _names(modules, origin, tables)
        if name == "*":
            for each, homes in list(names.items()):
                table.setdefault(each, {}).update(homes)
        elif name in names:
            table.setdefault(alias, {}).update(names[name])
    return table
