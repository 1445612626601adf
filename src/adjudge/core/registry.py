"""A registry finds the components of a room by itself: one file, one component, one name.

Nothing is registered by hand. Each public module of the package holds one :class:`Component` of the wanted kind, and
its file has the component's name; the module that defines the kind may stand among them. A file that breaks this, or
a name or alias that two components claim, is an error when the registry is first used.

Components of other packages join by their entry points (plug_ins.py). One that is broken, or that claims a name of
ours, is ignored with a :class:`PlugInWarning`; asking for it by name is an error that says what is wrong with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cached_property
from importlib import import_module
from typing import Generic, TypeVar

from .errors import ConflictError, SpecError, did_you_mean
from .plug_ins import PREFIX, PlugIn, plug_ins, warn
from .spec import Component, Spec, build, parse_spec

C = TypeVar("C", bound=Component)


class Registry(Generic[C]):
    """The components of one kind: those in the files of one package, and plug-ins; imported when first asked for."""

    def __init__(self, kind: str, package: str, base: type[C], plural: str = "") -> None:
        self.kind, self.package, self.base = kind, package, base
        self.plural = plural or f"{kind}s"
        """What the command that lists them is called, and the group of their entry points."""
        self._loaded: dict[str, type[C]] = {}
        self._broken: set[str] = set()
        """Plug-ins that cannot be used and were reported before."""

    @cached_property
    def _folder(self) -> str:
        return str(import_module(self.package).__path__[0])

    @cached_property
    def own_names(self) -> list[str]:
        """The names of our own components, in alphabetical order; no module is imported for it."""
        modules = {file[:-3] for file in os.listdir(self._folder) if file.endswith(".py") and not file.startswith("_")}
        package, _, kind = self.base.__module__.rpartition(".")
        return sorted(modules - {kind} if package == self.package else modules)

    @cached_property
    def plug_ins(self) -> dict[str, PlugIn]:
        """The plug-ins by name, without those that claim a name of ours."""
        plugged = plug_ins(PREFIX + self.plural)
        for name, plug_in in plugged.items():
            if self.own_name(name) is not None:
                warn(f"{plug_in} is ignored: adjudge has a {self.kind} of that name")
        return {name: plug_in for name, plug_in in plugged.items() if self.own_name(name) is None}

    @property
    def names(self) -> list[str]:
        """Every name, those of plug-ins among them, in alphabetical order; no component is imported for it."""
        return sorted([*self.own_names, *self.plug_ins])

    @cached_property
    def own_aliases(self) -> dict[str, str]:
        """{other name: name} of our own components."""
        table: dict[str, str] = {}
        for name in self.own_names:
            with suppress(ConflictError):  # it is raised when that component is asked for
                self.get(name)
        for name, cls in self._loaded.items():
            for alias in map(_folded, cls.aliases if name in self.own_names else ()):
                if alias in self.own_names or table.setdefault(alias, name) != name:
                    claimed = f"{table[alias]} and {name}" if alias in table else name
                    raise ConflictError(f"{claimed} claim the name {alias!r}, which is taken")
        return table

    def own_name(self, name: str) -> str | None:
        """The name of our component that is called so, in capitals or not, or by another name in use; else None."""
        if name in self.own_names:
            return name
        folded = _folded(name)
        return folded if folded in self.own_names else self.own_aliases.get(folded)

    def name_of(self, name: str) -> str | None:
        """The name of the component that is called so, plug-ins among them; None if there is none."""
        own = self.own_name(name)
        if own is not None or name in self.plug_ins:
            return own or name
        aliases = {_folded(alias): cls.name for cls in self.plugged() for alias in cls.aliases}
        return aliases.get(_folded(name))

    def get(self, name: str) -> type[C]:
        """The component of that name, its file imported if it was not yet."""
        if name not in self._loaded:
            if name in self.own_names:
                self._loaded[name] = self._only_component(name)
            elif name in self.plug_ins:
                self._loaded[name] = self._plug_in(self.plug_ins[name])
            else:
                raise SpecError(f"no {self.kind} {name!r}{did_you_mean(name, self.names)}")
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

    def _plug_in(self, plug_in: PlugIn) -> type[C]:
        cls = plug_in.load()
        if not (isinstance(cls, type) and issubclass(cls, self.base) and is_dataclass(cls)):
            wanted = f"{self.base.__module__}.{self.base.__name__}"
            raise SpecError(f"{plug_in} is not a {self.kind}: it must be a frozen dataclass derived from {wanted}")
        if cls.name != plug_in.name:
            raise SpecError(f"{plug_in} calls itself {cls.name!r}: the entry point and the component must agree")
        for alias in self.other_names(cls):
            if self.own_name(alias) is not None:
                raise SpecError(f"{plug_in} claims the name {alias!r}, which is adjudge's {self.own_name(alias)}")
        if abstract := sorted(getattr(cls, "__abstractmethods__", ())):
            raise SpecError(f"{plug_in} is not complete: it does not define {', '.join(abstract)}")
        return cls

    def other_names(self, cls: type[C]) -> tuple[str, ...]:
        """The names that a component declares besides its own."""
        return cls.aliases

    def plugged(self) -> Iterator[type[C]]:
        """The plug-ins that can be used; the others are ignored with a warning, which is given once."""
        for name in [name for name in self.plug_ins if name not in self._broken]:
            try:
                cls = self.get(name)
            except SpecError as error:
                self._broken.add(name)
                warn(f"{error}; it is ignored")
            else:
                yield cls

    def all(self) -> list[type[C]]:
        """Every component, by name; broken plug-ins are left out with a warning."""
        own = [self.get(name) for name in self.own_names]
        return sorted([*own, *self.plugged()], key=lambda cls: cls.name)

    def parse(self, spec: str) -> C:
        """The component a spec string asks for: ``ndcg@10``, ``rbp(p=0.8)``."""
        return parse_spec(spec, self.kind, self.make)

    def make(self, spec: Spec) -> C:
        """The component that a spec asks for once it is parsed."""
        return build(self.get(self.name_of(spec.name) or spec.name), spec, self.kind)


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
