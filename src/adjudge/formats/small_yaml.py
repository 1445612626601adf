"""The part of YAML that metadata of runs are written in: mappings, sequences and scalars by indentation.

Read are block mappings and sequences, plain and quoted scalars, texts after | and >, lists and mappings in brackets on
one line, and comments. What else YAML has (anchors, tags, several documents, scalars over several lines) is an error
with the line, and so are a key that occurs twice and a tab that indents.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

DEEPEST = 50
KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#\[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)""")
NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
BLOCK = re.compile(r"([|>])([-+]?)\s*(#.*)?")
PLAIN = re.compile(r"[A-Za-z/][\w ./()@+=-]*")
WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
ODD = {*WORDS, "yes", "no", "on", "off", "y", "n"}


class SmallYamlError(ValueError):
    """What cannot be read, and in which line, from 1."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")


class _Line(NamedTuple):
    number: int
    indent: int
    text: str


def parse(text: str) -> Any:
    """The value of a text in this part of YAML; None if it is empty.

    >>> parse("a: 1\\nb:\\n- x\\n- [true, 'y']")
    {'a': 1, 'b': ['x', [True, 'y']]}
    """
    return _Parser(text).document()


class _Parser:
    def __init__(self, text: str) -> None:
        self.raw = text.split("\n")
        self.lines = [line for number, raw in enumerate(self.raw, 1) if (line := _line(number, raw)) is not None]
        self.at = 0

    def document(self) -> Any:
        if not self.lines:
            return None
        value = self.node(self.lines[0].indent, 0)
        if self.at < len(self.lines):
            raise SmallYamlError(self.lines[self.at].number, "the indentation fits no line above")
        return value

    def node(self, indent: int, depth: int) -> Any:
        line = self.lines[self.at]
        if depth > DEEPEST:
            raise SmallYamlError(line.number, f"nested more than {DEEPEST} deep")
        if line.text == "-" or line.text.startswith("- "):
            return self.sequence(indent, depth)
        if KEY.match(line.text):
            return self.mapping(indent, depth)
        self.at += 1
        return scalar(line.text, line.number)

    def here(self, indent: int) -> _Line | None:
        if self.at == len(self.lines) or self.lines[self.at].indent < indent:
            return None
        line = self.lines[self.at]
        if line.indent > indent:
            raise SmallYamlError(line.number, "the indentation fits no line above")
        return line

    def mapping(self, indent: int, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while (line := self.here(indent)) is not None:
            match = KEY.match(line.text)
            if match is None or line.text == "-" or line.text.startswith("- "):
                raise SmallYamlError(line.number, "a key and a colon expected")
            key = str(scalar(match[1], line.number)) if match[1][0] in "\"'" else match[1]
            if key in values:
                raise SmallYamlError(line.number, f"the key {key!r} occurs twice")
            values[key] = self.value(line, line.text[match.end() :].strip(), indent, depth, same=True)
        return values

    def sequence(self, indent: int, depth: int) -> list[Any]:
        values: list[Any] = []
        while (line := self.here(indent)) is not None and (line.text == "-" or line.text.startswith("- ")):
            rest = line.text[1:].lstrip()
            inner = indent + len(line.text) - len(rest)
            if rest and (KEY.match(rest) or rest == "-" or rest.startswith("- ")):
                self.lines[self.at] = _Line(line.number, inner, rest)
                values.append(self.node(inner, depth + 1))
            else:
                values.append(self.value(line, rest, indent, depth, same=False))
        return values

    def value(self, line: _Line, rest: str, indent: int, depth: int, *, same: bool) -> Any:
        """What stands behind a key or a dash: on the line, or below it."""
        self.at += 1
        block = BLOCK.fullmatch(rest)
        if block:
            return self.block_text(line, indent, folded=block[1] == ">", keep=block[2])
        if rest:
            return scalar(rest, line.number)
        following = self.lines[self.at] if self.at < len(self.lines) else None
        if following is None:
            return None
        dash = following.text == "-" or following.text.startswith("- ")
        if following.indent > indent or (same and dash and following.indent == indent):
            return self.node(following.indent, depth + 1)
        return None

    def block_text(self, line: _Line, indent: int, *, folded: bool, keep: str) -> str:
        """A text of whole lines, which are indented more than their key."""
        own: list[str] = []
        for raw in self.raw[line.number :]:
            if raw.strip() and len(raw) - len(raw.lstrip(" ")) <= indent:
                break
            own.append(raw)
        while self.at < len(self.lines) and self.lines[self.at].number <= line.number + len(own):
            self.at += 1
        while own and not own[-1].strip():
            own.pop()
        margin = min((len(raw) - len(raw.lstrip(" ")) for raw in own if raw.strip()), default=0)
        pieces = [raw[margin:].rstrip() for raw in own]
        text = re.sub(r"(?<!\n)\n(?!\n)", " ", "\n".join(pieces)) if folded else "\n".join(pieces)
        return text + ("" if keep == "-" or not text else "\n")


def _line(number: int, raw: str) -> _Line | None:
    """A line without its indentation; None if it is blank or a comment."""
    text = raw.strip()
    if not text or text.startswith("#"):
        return None
    blanks = raw[: len(raw) - len(raw.lstrip())]
    if "\t" in blanks:
        raise SmallYamlError(number, "a tab indents the line: use blanks")
    if text in {"---", "..."}:
        raise SmallYamlError(number, "several documents in one are not read")
    return _Line(number, len(blanks), text)


def scalar(text: str, line: int) -> Any:
    """A scalar, or a list or mapping in brackets."""
    value, rest = _flow(text, line, 0, inside=False)
    if rest.strip() and not rest.lstrip().startswith("#"):
        raise SmallYamlError(line, f"{rest.strip()[:30]!r} follows the value")
    return value


def _flow(text: str, line: int, depth: int, *, inside: bool) -> tuple[Any, str]:
    text = text.lstrip()
    if depth > DEEPEST:
        raise SmallYamlError(line, f"nested more than {DEEPEST} deep")
    if text[:1] in {'"', "'"}:
        return _quoted(text, line)
    if text[:1] == "[":
        return _items(text[1:], line, depth, "]")
    if text[:1] == "{":
        return _items(text[1:], line, depth, "}")
    if text[:1] and text[0] in "&*!%@`|>":
        raise SmallYamlError(line, f"{text[0]} is not read here: put the text in quotes")
    end = re.search(r"[,\]}]|:(?=\s)|\s#" if inside else r"\s#", text)
    word, rest = (text, "") if end is None else (text[: end.start()], text[end.start() :])
    return _plain(word.strip()), rest


def _quoted(text: str, line: int) -> tuple[str, str]:
    if text[0] == "'":
        match = re.match(r"'((?:[^']|'')*)'", text)
        if match:
            return match[1].replace("''", "'"), text[match.end() :]
    elif match := re.match(r'"(?:[^"\\]|\\.)*"', text):
        try:
            return str(json.loads(match[0], strict=False)), text[match.end() :]
        except ValueError:
            raise SmallYamlError(line, "an escape in double quotes that JSON does not have") from None
    raise SmallYamlError(line, "quotes are not closed in the line")


def _items(text: str, line: int, depth: int, close: str) -> tuple[Any, str]:
    values: list[Any] = []
    pairs: dict[str, Any] = {}
    while True:
        text = text.lstrip()
        if text.startswith(close):
            return (values if close == "]" else pairs), text[1:]
        value, text = _flow(text, line, depth + 1, inside=True)
        text = text.lstrip()
        if close == "}":
            if not text.startswith(":"):
                raise SmallYamlError(line, "a colon expected after a key in braces")
            key, (value, text) = str(value), _flow(text[1:], line, depth + 1, inside=True)
            if key in pairs:
                raise SmallYamlError(line, f"the key {key!r} occurs twice")
            pairs[key] = value
            text = text.lstrip()
        else:
            values.append(value)
        if text.startswith(","):
            text = text[1:]
        elif not text.startswith(close):
            raise SmallYamlError(line, f"a comma or {close} expected")


def _plain(word: str) -> Any:
    if word.lower() in WORDS and word == word.lower():
        return WORDS[word]
    if NUMBER.fullmatch(word):
        value = int(word) if re.fullmatch(r"[-+]?\d{1,300}", word) else float(word)
        return value if math.isfinite(value) else word  # larger than a double: a text
    return word


def dump(value: Mapping[str, Any]) -> str:
    """A mapping of plain values as YAML that :func:`parse` takes back.

    >>> print(dump({"a": {"b c": [1, "x"]}, "d": "3"}), end="")
    a:
      b c:
      - 1
      - x
    d: "3"
    """
    return "".join(f"{line}\n" for line in _dump(value, ""))


def _dump(value: Mapping[str, Any], before: str) -> list[str]:
    lines: list[str] = []
    for key, inner in value.items():
        name = key if PLAIN.fullmatch(key) and key == key.strip() else json.dumps(key, ensure_ascii=False)
        if isinstance(inner, Mapping) and inner:
            lines += [f"{before}{name}:", *_dump(inner, f"{before}  ")]
        elif isinstance(inner, Sequence) and not isinstance(inner, str) and inner:
            lines.append(f"{before}{name}:")
            for item in inner:
                if isinstance(item, Mapping) and item:
                    first, *rest = _dump(item, f"{before}  ")
                    lines += [f"{before}- {first.removeprefix(f'{before}  ')}", *rest]
                else:
                    lines.append(f"{before}- {_text(item)}")
        else:
            lines.append(f"{before}{name}: {_text(inner)}")
    return lines


def _text(value: Any) -> str:
    if isinstance(value, str):
        bare = PLAIN.fullmatch(value) and value == value.strip() and value.lower() not in ODD
        return value if bare else json.dumps(value, ensure_ascii=False)
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and "e" in text and "." not in text:
        text = text.replace("e", ".0e")  # without a point YAML 1.1 takes 1e+300 for a text
    return text
