"""Where the code of a system of one's own is, and what tells it from other code: its content."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import DataError, SpecError
from ...storage.digest import digest_file, digest_texts

MOST = 2000
"""Files of a program that are looked at."""
INSTALLED = ("site-packages", "dist-packages")


class Target(NamedTuple):
    """What ``package.module:name`` or ``folder/file.py:name`` says."""

    module: str
    """Dotted; empty for a file."""
    file: str
    name: str

    @classmethod
    def parse(cls, text: str) -> Target:
        where, _, name = text.rpartition(":")
        if not where or not all(part.isidentifier() for part in name.split(".")):
            raise SpecError(f"python must be package.module:name or file.py:name, not {text!r}")
        if where.endswith(".py"):
            return cls("", where, name)
        if not all(part.isidentifier() for part in where.split(".")):
            raise SpecError(f"python must be package.module:name or file.py:name, not {text!r}")
        return cls(where, "", name)

    def locate(self, home: Path) -> Path:
        """The file with the code; nothing of it is run."""
        if self.file:
            path = home / self.file
            if not path.is_file():
                raise DataError(f"{path}: no such file")
            return path
        for root in _roots(home):
            if (found := _below(root, self.module)) is not None:
                return found
        first, *rest = self.module.split(".")
        try:  # what is installed in some other way than as files in a folder of the path
            spec = importlib.util.find_spec(first)
        except (ImportError, ValueError):
            spec = None
        for place in (spec.submodule_search_locations or () if spec else ()) if rest else ():
            if (found := _below(Path(place), ".".join(rest))) is not None:
                return found
        if spec is not None and not rest and spec.origin and Path(spec.origin).is_file():
            return Path(spec.origin)
        raise DataError(f"no module {self.module} in {home.resolve()} or on the path of Python")

    def load(self, home: Path) -> Any:
        """The object itself, its module imported; the folder of the plan comes first on the path."""
        import importlib

        sys.path.insert(0, str(home.resolve()))
        if self.file:
            path = self.locate(home).resolve()
            sys.path.insert(0, str(path.parent))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            if spec is None or spec.loader is None:
                raise DataError(f"{path}: cannot be imported")
            module = importlib.util.module_from_spec(spec)
            sys.modules[path.stem] = module
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(self.module)
        value: Any = module
        for part in self.name.split("."):
            if not hasattr(value, part):
                raise DataError(f"{self.file or self.module} has no {self.name}")
            value = getattr(value, part)
        return value


def _roots(home: Path) -> Iterator[Path]:
    yield home
    yield from (Path(entry or ".") for entry in sys.path)


def _below(root: Path, module: str) -> Path | None:
    """The file of a module below a folder."""
    base = root.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def digest_code(target: Target, home: Path) -> str:
    """Of the file and of all files that it imports and that lie beside it, directly or through others.

    For code that is installed, only its own package counts: what other packages do is covered by a version.
    """
    first = target.locate(home).resolve()
    depth = len(target.module.split(".")) - (1 if first.name != "__init__.py" else 0) if target.module else 0
    root = first.parent
    for _ in range(depth):
        root = root.parent
    top = target.module.partition(".")[0] if root.name in INSTALLED else ""
    seen: dict[Path, str] = {}
    waiting = [first]
    while waiting:
        path = waiting.pop()
        if path in seen or len(seen) >= MOST:
            continue
        seen[path] = digest_file(path)
        names = [module for module in _imports(path, root) if not top or module.partition(".")[0] == top]
        waiting += [found.resolve() for name in names if (found := _below(root, name)) is not None]
    named = sorted((Path(os.path.relpath(path, root)).as_posix(), content) for path, content in seen.items())
    return digest_texts(*(text for pair in named for text in pair))


def _imports(path: Path, root: Path) -> Iterator[str]:
    """The modules that a file names in import statements, with the packages they are in."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return
    package = path.parent.relative_to(root).parts if path.is_relative_to(root) else ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += node.module.split(".") if node.module else []
            names = [base, *([*base, alias.name] for alias in node.names)]
        else:
            continue
        for parts in names:
            yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
