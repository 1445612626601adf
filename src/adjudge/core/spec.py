"""Spec strings: how a component is written, parsed and printed back.

    ap                                            a name
    ndcg@10                                       a name and its cutoff
    rbp(p=0.8)                                    a name and parameters
    ndcg@10(gains=exp)                            the cutoff may also come last: ndcg(gains=exp)@10
    utility(prices=[1, -1, 0, 0])                 a list of values
    bm25(analyzer=words|lower|stop(smart)|porter) a pipeline
    fusion(of=[gmu961, bm25(k1=0.9, b=0.4)])      specs inside a spec, written as they are written alone
    stop("words, and more.txt")                   a text with signs that have a meaning here

A value is a number, ``true``, ``false``, ``none``, a word, a text in quotes of either kind, a list, or a spec or
pipeline of its own, which the component gets as text in the one form that this module prints. Pairs in braces,
``{1: 3, 2: 9}``, are the list ``[1:3, 2:9]``. Blanks around signs have no meaning.

A component is a frozen dataclass. Its field ``k``, if it has one, is written after ``@``; all other fields that differ
from their default are written as ``name=value``. ``parse(str(component)) == component`` holds for every component, and
a conformance test says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

from .errors import SpecError

HEAD = re.compile(r"(?P<name>[^\W_][\w.+-]*)(?:@(?P<cutoff>[-+\w.]+))?")
AFTER = re.compile(r"@([-+\w.]+)")
KEY = re.compile(r"([A-Za-z_]\w*)\s*=")
WORD = re.compile(r'[^,()\[\]|="]*')
PLAIN = re.compile(r"[A-Za-z_./][\w./:+-]*")
"""Words that need no second look, unless they are read as a number."""
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
SINGLE = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
PAIR = re.compile(r"\s*([-+]?\d+)\s*:\s*([-+.\w]+)\s*")

MOST = 10**9
"""Cutoffs and other counts end here."""

DEEPEST = 32
"""Specs and lists stand no deeper inside each other."""

C = TypeVar("C", bound="Component")
T = TypeVar("T")


class _Nested(str):
    """A spec or pipeline inside another, in the form in which it is printed."""

    __slots__ = ()


class Spec(NamedTuple):
    """What a spec string says: a name, the text of its cutoff, and parameters; one without a name is filed under ''."""

    name: str
    cutoff: str | None
    given: dict[str, Any]

    def __str__(self) -> str:
        rest = [f"{key}={spec_text(value)}" if key else spec_text(value) for key, value in self.given.items()]
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.name + cutoff + (f"({', '.join(rest)})" if rest else "")


def number(text: str) -> Any:
    """An int, a float, a true or false, or the word itself; 1e5 is a whole number."""
    if re.fullmatch(r"\d{1,200}[eE]\+?\d{1,2}", text):
        return int(float(text))
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def spec_text(value: Any, *, in_list: bool = False) -> str:
    """A value as it stands in a spec."""
    if isinstance(value, str):
        bare = isinstance(value, _Nested) or _is_bare(value, in_list)
        return value if bare else '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(spec_text(each, in_list=True) for each in value) + "]"
    if not isinstance(value, float):
        return str(value)
    short = f"{value:g}" if float(f"{value:g}") == value else str(value)
    return str(number(short)) if isinstance(number(short), int) else short  # 5e+08 is read as a whole number


def _is_bare(text: str, in_list: bool) -> bool:
    """Whether a text is read back as itself without quotes."""
    if PLAIN.fullmatch(text):
        return number(text) is text
    if text.startswith("'"):  # another one further on in the spec would close it
        return False
    try:
        value = _Reader(text, "value").only_value(in_list)
    except SpecError:
        return False
    return isinstance(value, str) and value == text


class _Reader:
    """Reads a spec from left to right; every error names the place where it was met."""

    def __init__(self, text: str, kind: str) -> None:
        self.text, self.kind, self.at, self.depth = text, kind, 0, 0

    def fail(self, what: str) -> NoReturn:
        raise SpecError(f"{self.kind} {self.text!r}, at character {self.at + 1}: {what}")

    def expected(self, what: str) -> NoReturn:
        here = self.text[self.at : self.at + 1]
        self.fail(f"{what} expected, not {here!r}" if here else f"{what} expected, and here it ends")

    def next(self) -> str:
        """The next sign that is no blank, '' at the end; nothing is consumed but blanks."""
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def only_spec(self) -> Spec:
        spec = self.spec()
        if self.next():
            self.expected("the end")
        return spec

    def only_pipeline(self) -> list[Spec]:
        specs = self.pipeline()
        if self.next():
            self.expected("| or the end")
        return specs

    def only_value(self, in_list: bool) -> Any:
        value = self.value(in_list)
        if self.next():
            self.expected("the end")
        return value

    def pipeline(self) -> list[Spec]:
        specs = [self.spec()]
        while self.next() == "|":
            self.at += 1
            specs.append(self.spec())
        return specs

    def spec(self) -> Spec:
        self.next()
        head = HEAD.match(self.text, self.at)
        if head is None:
            self.expected("a name")
        self.at = head.end()
        if head["cutoff"] is None and self.text[self.at : self.at + 1] == "@":
            self.at += 1
            self.expected("a cutoff")
        given = self.parameters() if self.next() == "(" else {}
        cutoff = head["cutoff"]
        if given and self.next() == "@":
            if cutoff is not None:
                self.fail("the cutoff is given twice")
            after = AFTER.match(self.text, self.at)
            if after is None:
                self.at += 1
                self.expected("a cutoff")
            cutoff, self.at = after[1], after.end()
        return Spec(head["name"], cutoff, given)

    def parameters(self) -> dict[str, Any]:
        given: dict[str, Any] = {}
        self.deeper()
        while self.next() != ")" or given:
            key = KEY.match(self.text, self.at)
            if (key[1] if key else "") in given:
                self.fail(f"{key[1] if key else 'the parameter without a name'} is given twice")
            self.at = key.end() if key else self.at
            given[key[1] if key else ""] = self.value()
            if self.next() == ")":
                break
            if self.next() != ",":
                self.expected(", or )")
            self.at += 1
        self.at, self.depth = self.at + 1, self.depth - 1
        return given

    def value(self, in_list: bool = False) -> Any:
        first = self.next()
        if first == "[":
            return self.items()
        if first == "{":
            return self.pairs()
        if first == '"' or (first == "'" and SINGLE.match(self.text, self.at)):
            return self.read_quoted(QUOTED if first == '"' else SINGLE)
        word = WORD.match(self.text, self.at)
        after = self.text[word.end() : word.end() + 1] if word else ""
        if after in ("(", "|") and first not in ("(", "|"):
            return _Nested("|".join(map(str, self.pipeline())))
        text = word[0].strip() if word else ""
        if not text:
            self.expected("a value")
        if in_list and (blank := re.search(r"\s", text)):
            self.at += blank.start()
            self.fail("a comma expected between the values of a list")
        self.at = word.end() if word else self.at
        if after in ("=", '"'):
            self.fail(f"{after} inside a text: put the text in quotes")
        return number(text)

    def items(self) -> tuple[Any, ...]:
        values: list[Any] = []
        self.deeper()
        while self.next() != "]" or values:
            values.append(self.value(in_list=True))
            if self.next() == "]":
                break
            if self.next() != ",":
                self.expected(", or ]")
            self.at += 1
        self.at, self.depth = self.at + 1, self.depth - 1
        return tuple(values)

    def pairs(self) -> tuple[str, ...]:
        """``{1: 3, 2: 9}`` as the words 1:3 and 2:9."""
        values: list[str] = []
        self.deeper()
        while self.next() != "}" or values:
            pair = PAIR.match(self.text, self.at)
            if pair is None:
                self.expected("a pair such as 1:3")
            values.append(f"{pair[1]}:{pair[2]}")
            self.at = pair.end()
            if self.next() == "}":
                break
            if self.next() != ",":
                self.expected(", or }")
            self.at += 1
        self.at, self.depth = self.at + 1, self.depth - 1
        return tuple(values)

    def read_quoted(self, quoted: re.Pattern[str]) -> str:
        match = quoted.match(self.text, self.at)
        if match is None:
            self.fail("these quotes are never closed")
        self.at = match.end()
        return re.sub(r"\\(.)", r"\1", match[1], flags=re.DOTALL)

    def deeper(self) -> None:
        self.at, self.depth = self.at + 1, self.depth + 1
        if self.depth > DEEPEST:
            self.fail(f"nested more than {DEEPEST} deep")


def parse_spec(text: str, kind: str, make: Callable[[Spec], T]) -> T:
    """What is made of a spec; an old form gets an error that shows the new one."""
    return _parse(text, kind, lambda some: make(_Reader(some, kind).only_spec()))


def parse_pipeline(text: str, kind: str, make: Callable[[list[Spec]], T]) -> T:
    """What is made of specs with bars between them."""
    return _parse(text, kind, lambda some: make(_Reader(some, kind).only_pipeline()))


def _parse(text: str, kind: str, parse: Callable[[str], T]) -> T:
    text = text if isinstance(text, str) else spec_text(text)  # a parameter that was read as a number or a list
    try:
        return parse(text)
    except SpecError:
        new = renew(text)
        if new == text or not _parses(new, parse):
            raise
        raise SpecError(f"{kind} {text!r} is in a form that is no longer read: write {new}") from None


def _parses(text: str, parse: Callable[[str], object]) -> bool:
    try:
        parse(text)
    except SpecError:
        return False
    return True


def renew(text: str) -> str:
    """A spec in the form of today that was written with / for |, ; for a comma, or lists without commas."""

    def listing(match: re.Match[str]) -> str:
        values = match[1].split()
        return f"[{', '.join(v if number(v) is not v else spec_text(v, in_list=True) for v in values)}]"

    text = re.sub(r"\banalyzer=(?:[^,()]|\([^()]*\))*", lambda match: match[0].replace("/", "|"), text)
    text = re.sub(r"=\w+\([^()]*\)", lambda match: re.sub(r"\s*;\s*", ", ", match[0]), text)
    return re.sub(r'\[([^\[\],"]*)\]', listing, text)


def items_of(text: str) -> list[str]:
    """The texts between commas: ``ap,rbp(p=0.8, top=2)`` is two, for commas inside brackets or quotes separate none."""
    items, depth, start = [], 0, 0
    for sign in re.finditer(QUOTED.pattern + r"|[,()\[\]]", text, re.DOTALL):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign[0], 0)
        if sign[0] == "," and depth == 0:
            items.append(text[start : sign.start()].strip())
            start = sign.end()
    return [item for item in (*items, text[start:].strip()) if item]


class Component:
    """What measures, averages, weightings and systems have in common: a name, parameters, an explanation.

    The classes with parameters are frozen dataclasses; this one has none, and making it a plain class saves start-up.
    """

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names in use, such as MRR for rr, or permutation for randomisation."""
    positional: ClassVar[str] = ""
    """The field that may be written without its name, as in ``set_f(2)``."""
    always: ClassVar[tuple[str, ...]] = ()
    """Parameters that are written even at their default, because figures with another value cannot be compared."""

    def __str__(self) -> str:
        cutoff, rest = "", []
        for field in parameters(type(self)):
            value = getattr(self, field.name)
            if field.name == "k":
                usual = value is None and field.default in (None, MISSING)
                cutoff = "" if usual else f"@{'none' if value is None else spec_text(value)}"
            elif not field.name.startswith("_") and (value != field.default or field.name in self.always):
                rest.append(f"{field.name}={spec_text(value)}")
        return type(self).name + cutoff + (f"({', '.join(rest)})" if rest else "")

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring: the definition in one sentence."""
        return (cls.__doc__ or "").strip().partition("\n")[0]


def class_name(component: object) -> tuple[str, str]:
    """Module and name of the class of a component, by which another process can tell whether it has the same."""
    return type(component).__module__, type(component).__qualname__


def parameters(cls: type[Component]) -> tuple[Field[Any], ...]:
    """The fields of a component, those that can only be given by name last."""
    known = _PARAMETERS.get(cls)
    if known is None:
        found = (f for f in fields(cls) if not f.name.startswith("_"))  # type: ignore[arg-type]
        known = _PARAMETERS[cls] = tuple(sorted(found, key=lambda f: bool(f.kw_only)))
    return known


_PARAMETERS: dict[type[Component], tuple[Field[Any], ...]] = {}


def build(cls: type[C], spec: Spec, kind: str) -> C:
    """The component that a spec asks for, or a SpecError that says what it takes."""
    known = {field.name: field for field in parameters(cls)}
    arguments = dict(spec.given)
    if "" in arguments:
        if not cls.positional:
            takes = ", ".join(known) or "none"
            raise SpecError(f"{kind} {str(spec)!r}: {cls.name} takes its parameters by name: {takes}")
        if cls.positional in arguments:
            raise SpecError(f"{kind} {str(spec)!r} gives {cls.positional} twice")
        arguments[cls.positional] = arguments.pop("")
    if spec.cutoff is not None:
        if "k" not in known:
            raise SpecError(f"{kind} {str(spec)!r}: {cls.name} takes no cutoff")
        arguments["k"] = number(spec.cutoff)
    for key in arguments:
        if key not in known:
            takes = ", ".join(name for name in known if name != "k")
            raise SpecError(
                f"{kind} {str(spec)!r}: {cls.name} has no parameter {key!r}" + (f", it has {takes}" if takes else "")
            )
    missing = [n for n, f in known.items() if f.default is MISSING and n not in arguments]
    if missing:
        shape = f"{cls.name}@k" if missing == ["k"] else f"{cls.name}({', '.join(f'{n}=…' for n in missing)})"
        raise SpecError(f"{kind} {str(spec)!r} is incomplete: write {shape}")
    plain = {key: _plain(value) for key, value in arguments.items()}
    try:
        component = cls(**plain)
    except (AttributeError, TypeError):  # it took a number for a text, or the other way round
        _refuse_no_text(cls, plain, kind, spec)
        raise
    _refuse_no_text(cls, {name: getattr(component, name) for name in plain}, kind, spec)
    return component


def _refuse_no_text(cls: type[Component], values: dict[str, Any], kind: str, spec: Spec) -> None:
    """An error if a parameter is none that should be a text: 5 may be the name of a file, and then has quotes."""
    for field in parameters(cls):
        value = values.get(field.name, "")
        if field.type in ("str", str) and not isinstance(value, str):
            quotes = "" if isinstance(value, tuple) else f': write {field.name}="{spec_text(value)}" if it is one'
            raise SpecError(f"{kind} {str(spec)!r}: {field.name} must be a text, not {spec_text(value)}{quotes}")


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return str(value) if isinstance(value, _Nested) else value


def require(component: Component, field: str, fine: bool, domain: str) -> None:
    """Raise unless a parameter lies in its domain: ``p must lie in (0, 1), not 2``."""
    if not fine:
        raise SpecError(f"{component.name}: {field} must {domain}, not {spec_text(getattr(component, field))}")


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
