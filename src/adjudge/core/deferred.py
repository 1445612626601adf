"""Libraries that are loaded when they are first used, though modules import them at their top.

Importing numpy takes longer than evaluating a small run. A command puts a module in its place that loads it as soon as
something is asked of it, so a command that never computes with arrays never pays for it.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import RLock
from types import ModuleType
from typing import Any

_lock = RLock()


class Deferred(ModuleType):
    """Stands for a module until something is asked of it; then it becomes that module."""

    def __init__(self, spec: ModuleSpec) -> None:
        super().__init__(spec.name)
        self.__spec__ = spec

    def __getattr__(self, name: str) -> Any:  # only for what is not there: import statements ask for __spec__ alone
        with _lock:
            if type(self) is Deferred:
                spec = self.__spec__
                if spec is None or spec.loader is None:
                    raise ImportError(f"{self.__name__} cannot be loaded")
                self.__class__ = ModuleType  # type: ignore[assignment]
                self.__path__ = list(spec.submodule_search_locations or ())
                self.__file__ = spec.origin
                self.__loader__ = spec.loader
                self.__package__ = spec.parent
                spec.loader.exec_module(self)
        return getattr(self, name)


def defer(name: str) -> None:
    """Load a library when it is first used; nothing happens if it is loaded already or not installed."""
    if name in sys.modules:
        return
    spec = find_spec(name)
    if spec is not None:
        sys.modules[name] = Deferred(spec)


def load(name: str) -> None:
    """Load a library now, if it was deferred: before threads use it."""
    module = sys.modules.get(name)
    if isinstance(module, Deferred):
        module.__getattr__("__path__")
