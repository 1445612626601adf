"""A registry finds the components of a room by itself: one file, one component, one name.

Nothing is registered by hand. Each public module of the package holds one :class:`Component` of the wanted kind, and
its file has the component's name; the module that defines the kind may stand among them. A file that breaks this, or
a name or alias that two components claim, is an error when the registry is first used.
"""

from __future__ import annotations

import os
from functools import cached_property
from importlib import import_module
from typing import Generic, TypeVar

from .errors import ConflictError, SpecError, did_you_mean
from .spec import Component, Spec, build, parse_spec

C = TypeVar("C", bound=Component)


class Registry(Generic[C]):
    """The components of one kind, found in the files of one package, made when first asked for."""

    def __init__(self, kind: str, package: str, base: type[C]) -> None:
        self.kind, self.package, self.base = kind, package, base
        self._loaded: dict[str, type[C]] = {}

    @cached_property
    def _folder(self) -> str:
        return str(import_module(self.package).__path__[0])

    @cached_property
    def names(self) -> list[str]:
        """Every name, in alphabetical order; no module is imported for it."""
        modules = {file[:-3] for file in os.listdir(self._folder) if file.endswith(".py") and not file.startswith("_")}
        package, _, kind = self.base.__module__.rpartition(".")
        return sorted(modules - {kind} if package == self.package else modules)

    def get(self, name: str) -> type[C]:
        """The component of that name, its file imported if it was not yet."""
        if name not in self._loaded:
            if name not in self.names:
                raise SpecError(f"no {self.kind} {name!r}{did_you_mean(name, self.names)}")
            self._loaded[name] = self._only_component(name)
        return self._loaded[name]

    def _only_component(self, name: str) -> type[C]:
        module = import_module(f"{self.package}.{name}")
        own = [
            value
            for value in vars(module).values()
            if isinstance(value, type)
            and issubclass(value, self.base)
            and value.__module__ == module.__name__
            and not value.__name__.startswith("_")
        ]
        if len(own) != 1:
            raise ConflictError(f"{module.__name__} must hold one {self.kind}, not {len(own)}")
        if own[0].name != name:
            raise ConflictError(f"{module.__name__} holds the {self.kind} {own[0].name!r}: file and name must agree")
        return own[0]

    def all(self) -> list[type[C]]:
        return [self.get(name) for name in self.names]

    def parse(self, spec: str) -> C:
        """The component a spec string asks for: ``ndcg@10``, ``rbp(p=0.8)``."""
        return parse_spec(spec, self.kind, self.make)

    def make(self, spec: Spec) -> C:
        """The component that a spec asks for once it is parsed."""
        return build(self.get(spec.name), spec, self.kind)
