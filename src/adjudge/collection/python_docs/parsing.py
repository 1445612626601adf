"""What the source of a module says: its docstrings, and what it takes from other modules. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .library import LibrarySource

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Import(NamedTuple):
    """``from module import name as alias``; the name may be ``*``."""

    alias: str
    module: str
    name: str


@dataclass(frozen=True)
class Module:
    """A module as it stands in its source or, if compiled, as it describes itself."""

    name: str
    compiled: bool = False
    docstrings: dict[str, str] = field(default_factory=dict)
    """By the name within the module: ``Counter.most_common``; the module's own has an empty name."""
    imports: list[Import] = field(default_factory=list)
    listed: set[str] | None = None
    """What ``__all__`` lists, as far as it can be known without running it; None if there is none."""

    @property
    def defined(self) -> dict[str, None]:
        """Names at the top of the module that have a docstring, or have something below them that does."""
        return dict.fromkeys(name.partition(".")[0] for name in self.docstrings if name)


NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
"""UnicodeDecodeError is a ValueError; so is what a NUL byte gives."""


def parse(source: LibrarySource) -> Module:
    """The module; one of NOT_PARSED if its source is none of this Python."""
    tree = ast.parse(source.raw, source.place)
    docstrings: dict[str, str] = {}
    imports: list[Import] = []
    listed: set[str] | None = None
    _keep(docstrings, "", tree)
    for node, prefix in _statements(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _keep(docstrings, prefix + node.name, node)
        elif prefix:
            continue
        elif isinstance(node, ast.ImportFrom):
            where = _absolute(node, source)
            imports += [Import(each.asname or each.name, where, each.name) for each in node.names]
        elif (more := _names_in_all(node)) is not None:
            listed = (listed or set()) | more
    return Module(source.module, False, docstrings, imports, listed)


def _statements(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """Statements of the module and of its classes, with the name of what they are in and a dot.

    What stands under a condition or in a try counts, whichever way it would go. The stack is our own because a long
    chain of elif is as deep as it is long.
    """
    stack: list[tuple[ast.stmt, str]] = [(node, "") for node in reversed(tree.body)]
    while stack:
        node, prefix = stack.pop()
        yield node, prefix
        below: list[ast.stmt] = []
        if isinstance(node, ast.ClassDef):
            below, prefix = node.body, f"{prefix}{node.name}."
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            below = [*getattr(node, "body", ())]
            for handler in getattr(node, "handlers", ()):
                below += handler.body
            below += [*getattr(node, "orelse", ()), *getattr(node, "finalbody", ())]
        stack += [(each, prefix) for each in reversed(below)]


def _keep(docstrings: dict[str, str], name: str, node: Documented) -> None:
    """Where a name is defined twice, for two platforms say, the first docstring is kept."""
    text = ast.get_docstring(node, clean=False)
    if text is not None:
        docstrings.setdefault(name, text)


def _absolute(node: ast.ImportFrom, source: LibrarySource) -> str:
    """The module that is imported from, a relative one too."""
    if not node.level:
        return node.module or ""
    parts = source.module.split(".")
    up = node.level - source.package
    return ".".join([*(parts[: len(parts) - up] if up <= len(parts) else []), *([node.module] if node.module else [])])


def _names_in_all(node: ast.stmt) -> set[str] | None:
    """The names that a statement puts into ``__all__``; None if it is about something else."""
    value: ast.expr | None = None
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and any(_is_all(target) for target in targets):
        value = node.value
    elif isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call):
        method = call.func
        if isinstance(method, ast.Attribute) and _is_all(method.value) and call.args:
            value = call.args[0]
    if value is None:
        return None
    return {each.value for each in ast.walk(value) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def _is_all(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"
