"""Spec strings: how a component is written, parsed and printed back.

    ap              a name
    ndcg@10         a name and its cutoff
    rbp(p=0.8)      a name and parameters
    ndcg@10(gains=exp)

A component is a frozen dataclass. Its field ``k``, if it has one, is written after ``@``; all other fields that differ
from their default are written as ``name=value``. ``parse(str(component)) == component`` holds for every component, and
a conformance test says so.
"""

from __future__ import annotations

import math
import re
from dataclasses import MISSING, Field, fields
from typing import Any, ClassVar, TypeVar

from .errors import SpecError

GRAMMAR = re.compile(r"(?P<name>[A-Za-z0-9][\w.+-]*?)(?:@(?P<k>[-+\w.]+))?(?:\((?P<args>.*)\))?", re.DOTALL)

MOST = 10**9
"""Cutoffs and other counts end here."""

C = TypeVar("C", bound="Component")


def number(text: str) -> Any:
    """An int, a float, a true or false, or the word itself; 1e5 is a whole number."""
    if re.fullmatch(r"\d+[eE]\+?\d{1,2}", text):
        return int(float(text))
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + " ".join(written(v) for v in value) + "]"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def value_of(text: str) -> Any:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return tuple(number(word) for word in text[1:-1].split())
    return number(text)


class Component:
    """What measures, averages, weightings and systems have in common: a name, parameters, an explanation.

    The classes with parameters are frozen dataclasses; this one has none, and making it a plain class saves start-up.
    """

    name: ClassVar[str] = ""
    positional: ClassVar[str] = ""
    """The field that may be written without its name, as in ``set_f(2)``."""
    always: ClassVar[tuple[str, ...]] = ()
    """Parameters that are written even at their default, because figures with another value cannot be compared."""

    def __str__(self) -> str:
        cutoff, rest = "", []
        for field in parameters(type(self)):
            value = getattr(self, field.name)
            if field.name == "k":
                cutoff = "" if value is None else f"@{written(value)}"
            elif not field.name.startswith("_") and (value != field.default or field.name in self.always):
                rest.append(f"{field.name}={written(value)}")
        return type(self).name + cutoff + (f"({', '.join(rest)})" if rest else "")

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring: the definition in one sentence."""
        return (cls.__doc__ or "").strip().partition("\n")[0]


def parameters(cls: type[Component]) -> tuple[Field[Any], ...]:
    return tuple(f for f in fields(cls) if not f.name.startswith("_"))  # type: ignore[arg-type]


def split(spec: str, kind: str) -> tuple[str, str | None, dict[str, Any]]:
    """Name, cutoff and parameters of a spec string; a parameter without a name is filed under ''."""
    match = GRAMMAR.fullmatch(spec.strip())
    if match is None:
        raise SpecError(f"{kind} {spec!r} is not of the form name, name@k or name(parameter=value)")
    given: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in (match["args"] or "").split(","))):
        key, equals, text = part.partition("=")
        key, text = (key.strip(), text) if equals else ("", part)
        if key in given:
            raise SpecError(f"{kind} {spec!r} gives {key or 'its parameter'} twice")
        given[key] = value_of(text)
    return match["name"], match["k"], given


def build(cls: type[C], spec: str, kind: str, cutoff: str | None, given: dict[str, Any]) -> C:
    """The component that a split spec asks for, or a SpecError that says what it takes."""
    known = {field.name: field for field in parameters(cls)}
    arguments = dict(given)
    if "" in arguments:
        if not cls.positional:
            raise SpecError(f"{kind} {spec!r}: {cls.name} takes its parameters by name: {', '.join(known) or 'none'}")
        arguments[cls.positional] = arguments.pop("")
    if cutoff is not None:
        if "k" not in known:
            raise SpecError(f"{kind} {spec!r}: {cls.name} takes no cutoff")
        arguments["k"] = number(cutoff)
    for key in arguments:
        if key not in known:
            takes = ", ".join(name for name in known if name != "k")
            raise SpecError(
                f"{kind} {spec!r}: {cls.name} has no parameter {key!r}" + (f", it has {takes}" if takes else "")
            )
    missing = [n for n, f in known.items() if f.default is MISSING and n not in arguments]
    if missing:
        shape = f"{cls.name}@k" if missing == ["k"] else f"{cls.name}({', '.join(f'{n}=…' for n in missing)})"
        raise SpecError(f"{kind} {spec!r} is incomplete: write {shape}")
    return cls(**arguments)


def require(component: Component, field: str, fine: bool, domain: str) -> None:
    """Raise unless a parameter lies in its domain: ``p must lie in (0, 1), not 2``."""
    if not fine:
        raise SpecError(f"{component.name}: {field} must {domain}, not {written(getattr(component, field))}")


def is_number(value: Any) -> bool:
    """Whether it is a finite number that a double can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST
