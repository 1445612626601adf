"""List the components of every kind, or explain one: formula, parameters, paper, example.

    adjudge components
    adjudge components bm25
    adjudge measures
    adjudge measures ndcg
    adjudge tests wilcoxon
    adjudge systems gmu

Without a name, all kinds are shown with the names in them. Each kind has a command of its own, called by its plural:
`adjudge measures` lists the measures with a line about each, and `adjudge measures ndcg` explains one. A component is
found by any of its names, and those of installed plug-ins are listed too (docs/plug-ins.md).
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Sequence
from dataclasses import MISSING
from typing import Any

from ..components import registries
from ..core.errors import SpecError, did_you_mean
from ..core.measure import GROUPS, MeasureRegistry, measures
from ..core.registry import Registry
from ..core.spec import Component, parameters, spec_text
from ._options import Parser, emit


def parser(plural: str = "") -> Parser:
    """The options of ``adjudge components``, or of the command that lists one kind."""
    description = __doc__ if not plural else f"{summary_of(plural)}\n\n{example_of(plural)}"
    command = Parser(
        prog=f"adjudge {plural or 'components'}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = registry_of(plural).kind if plural else "component"
    known = [registry_of(plural)] if plural else registries()
    command.component("name", of=known, nargs="?", help=f"{what} to explain, by any of its names")
    if plural == measures.plural:
        command.add_argument("--names", action="store_true", help="show the names of the measures in other programs")
    return command


def summary_of(plural: str) -> str:
    """The line about the command of a kind in ``adjudge --help``."""
    kind = registry_of(plural).kind
    return f"List every {kind}, or explain one: formula, parameters, paper, example."


def example_of(plural: str) -> str:
    return f"    adjudge {plural}\n    adjudge {plural} {registry_of(plural).own_names[0]}"


def registry_of(plural: str) -> Registry[Any]:
    return next(registry for registry in registries() if registry.plural == plural)


def main(arguments: Sequence[str], plural: str = "") -> int:
    options = parser(plural).parse_args(arguments)
    registry = registry_of(plural) if plural else None
    if getattr(options, "names", False):
        from ..report.name_table import names_text

        text = names_text()
    elif options.name is not None:
        text = explanation(options.name, registry)
    else:
        text = listing(registry) if registry is not None else overview()
    emit(f"{text}\n")
    return 0


def usage(cls: type[Component]) -> str:
    """``ndcg@k``, ``ndcg[@k]``: how it is written."""
    for field in parameters(cls):
        if field.name == "k":
            return f"{cls.name}@k" if field.default is MISSING else f"{cls.name}[@k]"
    return cls.name


def overview() -> str:
    """Every kind with its names."""
    lines = [f"{registry.plural}:\n    {', '.join(cls.name for cls in registry.all())}" for registry in registries()]
    return "\n".join(lines)


def listing(registry: Registry[Any]) -> str:
    """The components of a kind, one line about each."""
    classes = registry.all()
    width = max(len(usage(cls)) for cls in classes)

    def rows(listed: list[type[Component]]) -> str:
        return "\n".join(f"{usage(cls):<{width}}  {cls.summary()}" for cls in listed)

    if registry is not measures:
        return rows(classes)
    groups = {title: [cls for cls in classes if cls.group == group] for group, title in GROUPS.items()}
    return "\n\n".join(f"{title}:\n{rows(listed)}" for title, listed in groups.items() if listed)


def explanation(name: str, registry: Registry[Any] | None = measures) -> str:
    """The documentation of the components of a name.

    Two kinds may have one of the same name: then both are explained, unless the kind that was asked for has it.
    """
    if registry is not None and registry is not measures and (cls := _class_of(registry, name)) is not None:
        return _explained(registry, cls)
    found = [(each, cls) for each in registries() if (cls := _class_of(each, name)) is not None]
    if not found:
        kind = "component" if registry is None else registry.kind
        known = [known for each in registries() for known in (each.names if registry in (None, each) else ())]
        if registry is measures:
            measures.parse(name)  # knows better what is wrong with it
        raise SpecError(f"no {kind} {name!r}{did_you_mean(name, known)}")
    return "\n\n\n".join(_explained(each, cls) for each, cls in found)


def _explained(registry: Registry[Any], cls: type[Component]) -> str:
    form = usage(cls)
    lines = [f"{form}: {inspect.cleandoc(cls.__doc__ or '')}"]
    takes = [
        f.name if f.default is MISSING else f"{f.name}={spec_text(f.default)}" for f in parameters(cls) if f.name != "k"
    ]
    if takes:
        lines.append(f"Written: {form}({', '.join(takes)})")
    if isinstance(registry, MeasureRegistry):
        from ..report.name_table import names_of

        shared = [inspect.cleandoc(base.__doc__ or "").partition("\n\n")[2] for base in _declaring(cls)]
        lines[1:1] = [f"Parameters of several measures: {text}" for text in shared]
        lines += [f"In {program}: {', '.join(names)}" for program, names in names_of(cls).items() if names]  # type: ignore[arg-type]
    if cls.aliases:
        lines.append(f"Also known as: {', '.join(cls.aliases)}")
    if cls.name in registry.plug_ins:
        lines.append(f"From the package {registry.plug_ins[cls.name].package}")
    return "\n\n".join(lines)


def _declaring(cls: type[Component]) -> list[type]:
    """The classes from which a measure has parameters that it does not explain itself."""
    own = cls.__doc__ or ""
    unexplained = [field.name for field in parameters(cls) if f"``{field.name}``" not in own]
    return [base for base in cls.__mro__ if set(vars(base).get("__annotations__", {})) & set(unexplained)]


def _class_of(registry: Registry[Any], name: str) -> type[Component] | None:
    """By its own name in any case, another name, or a whole spec of a measure."""
    if isinstance(registry, MeasureRegistry) and name.lower() not in registry.own_names:
        known = registry.find(name)
        if known is not None:
            return registry.get(known[0])
        try:
            return type(registry.parse(name))
        except SpecError:
            return None
    canonical = registry.name_of(name)
    return None if canonical is None else registry.get(canonical)
