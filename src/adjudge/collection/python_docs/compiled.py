"""Docstrings of modules that are written in C, which have no source to parse: they are imported and asked.

Only the modules named here are imported, and only if the interpreter has them built in or as an extension of its own
library: a file of the same name that lies in somebody's folder is not run. Left out are those that open something,
warn, or need a library of their own when they are imported: _tkinter, readline, audioop, crypt, nis, spwd and such.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from typing import Any

from ...core.note import Note
from .parsing import Module

COMPILED = tuple(
    """
    array atexit binascii builtins cmath errno faulthandler fcntl gc grp itertools marshal math mmap posix pwd
    pyexpat resource select sys syslog termios time unicodedata zlib _abc _asyncio _bisect _bz2 _codecs _collections
    _contextvars _csv _datetime _decimal _elementtree _functools _hashlib _heapq _io _json _locale _lsprof _lzma
    _operator _pickle _queue _random _signal _socket _sqlite3 _ssl _stat _statistics _struct _thread _tracemalloc
    _warnings _weakref _zoneinfo _sre
    """.split()  # noqa: SIM905
)
"""Those that a public module of the library is, or takes its contents from."""

MEMBERS = (
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.BuiltinFunctionType,
)


def compiled_modules(notes: list[Note]) -> Iterator[Module]:
    """What each module says of itself; ``notes`` gets those that another file replaces."""
    for name in COMPILED:
        module = _import(name, notes)
        if module is not None:
            yield Module(name, True, dict(_docstrings(module)))


def _import(name: str, notes: list[Note]) -> types.ModuleType | None:
    """The module; None if this Python has none that is built in or an extension of its library."""
    import importlib
    import importlib.util
    from importlib.machinery import BuiltinImporter, ExtensionFileLoader

    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return None  # another platform, or built without it
    loader: object = spec.loader
    extension = isinstance(loader, ExtensionFileLoader) and _of_library(spec.origin or "")
    if loader is not BuiltinImporter and not extension:
        notes.append(Note.of("module_shadowed", name, file=spec.origin))
        return None
    try:
        return importlib.import_module(name)
    except ImportError as error:  # an extension whose own library is missing
        notes.append(Note.of("module_not_importable", name, why=str(error)))
        return None


def _of_library(origin: str) -> bool:
    """Whether an extension lies where the library keeps its own."""
    import sysconfig

    folders = {os.path.realpath(sysconfig.get_path(which)) for which in ("stdlib", "platstdlib")}
    folders |= {os.path.realpath(os.path.join(folder, "lib-dynload")) for folder in folders}
    folders.add(os.path.realpath(os.path.join(sys.base_exec_prefix, "DLLs")))  # as Windows calls it
    if destination := sysconfig.get_config_var("DESTSHARED"):
        folders.add(os.path.realpath(destination))
    return os.path.realpath(os.path.dirname(origin)) in folders


def _docstrings(module: types.ModuleType) -> Iterator[tuple[str, str]]:
    own: dict[str, Any] = dict(vars(module))
    if module.__name__ == "_sre":  # its types have no name in it, only in re
        import re

        own = {"Pattern": re.Pattern, "Match": re.Match}
    elif isinstance(module.__doc__, str):
        yield "", module.__doc__
    for name, current in sorted(own.items()):
        value = own.get(f"__{name}__", current)  # programs put hooks of their own into sys, which keeps what was there
        if isinstance(value, type):
            if value.__module__ == "builtins" and module.__name__ != "builtins":
                continue  # socket.timeout, select.error and such are other names of built-in exceptions
            if name != value.__name__ and own.get(value.__name__) is value:
                continue  # IOError is OSError
            for member, attribute in sorted(vars(value).items()):
                plain = attribute.__func__ if isinstance(attribute, staticmethod | classmethod) else attribute
                if isinstance(plain, MEMBERS) and isinstance(plain.__doc__, str):
                    yield f"{name}.{member}", plain.__doc__
            text = vars(value).get("__doc__")
            if isinstance(text, str):
                yield name, text
        elif isinstance(value, types.BuiltinFunctionType) and isinstance(value.__doc__, str):
            yield name, value.__doc__
