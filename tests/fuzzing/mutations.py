"""Mutated inputs: what a disk, a network, an editor or somebody with bad intentions makes of a good file.

Every mutation is drawn from a generator, so a case is known by its target, seed and number.
"""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable, Sequence
from typing import Any

NUMBERS = [
    *(b"0", b"-1", b"1e999", b"-1e-999", b"nan", b"inf", b"0x1p3", b"1_0", b"+5", b".5", b"1.", b"--1", b"1e5"),
    *(b"2147483647", b"2147483648", b"-2147483649", b"4294967296", b"9223372036854775808", b"1" * 25, b"9" * 400),
]
TOKENS = [
    *(
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x80",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\r",
        b"\r\n",
        b"\t",
        b"\x1b",
    ),
    *("\u202e".encode(), "\x85".encode(), "\u2028".encode(), "é".encode(), "𝔸".encode(), b"\\ud800", b"\\u0000"),
    *(b'"', b"'", b",", b";", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"&", b"&#0;", b"<!--", b"<![CDATA["),
    *(b"</", b"=", b"|", b"\\", b"#", b"%", b"null", b"true", b"=1+1", b"[" * 50, b"{" * 50, b"(" * 50, b"A" * 3000),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 1e308, -0.0, 2**31, 2**63, 2**64, -(2**63), 10**30, "", " ", "1", "nan", "\x00"),
    *("\ud800", "\udcff", "a\nb", "=1+1", "\u202ex", "é" * 300, [], {}, [[]], [None], {"": None}, {"a": {"b": []}}),
]

Mutation = Callable[[random.Random, bytes], bytes]


def _place(rng: random.Random, data: bytes) -> int:
    return rng.randrange(len(data) + 1)


def _flip(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _byte(rng: random.Random, data: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + bytes([rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))]) + data[at + 1 :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: _place(rng, data)] if rng.random() < 0.8 else data[_place(rng, data) :]


def _drop(rng: random.Random, data: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + data[at + rng.choice((1, 2, 3, 10, 100)) :]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    at = _place(rng, data)
    piece = data[at : at + rng.choice((1, 4, 30, 200))]
    return data[:at] + piece * rng.choice((2, 2, 3, 20)) + data[at:]


def _token(rng: random.Random, data: bytes) -> bytes:
    at = _place(rng, data)
    return data[:at] + rng.choice(TOKENS) + data[at + rng.choice((0, 0, 1)) :]


def _number(rng: random.Random, data: bytes) -> bytes:
    """Another number in place of one that is there."""
    starts = [i for i, byte in enumerate(data) if byte in b"0123456789" and (not i or data[i - 1] not in b"0123456789")]
    if not starts:
        return _token(rng, data)
    start = rng.choice(starts)
    end = next((i for i in range(start, len(data)) if data[i] not in b"0123456789."), len(data))
    return data[:start] + rng.choice(NUMBERS) + data[end:]


def _lines(rng: random.Random, data: bytes) -> bytes:
    """Lines that change places, vanish or come twice; words that change places within one."""
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(4)
    if what == 0:
        lines[i], lines[j] = lines[j], lines[i]
    elif what == 1:
        del lines[i]
    elif what == 2:
        lines.insert(j, lines[i])
    else:
        words = lines[i].split(b" ")
        rng.shuffle(words)
        lines[i] = b" ".join(words)
    return b"\n".join(lines)


def _binary(rng: random.Random, data: bytes) -> bytes:
    """A number of 2, 4 or 8 bytes as a header may have it."""
    kind = rng.choice(["<H", "<I", "<Q", ">H", ">I", "<i", "<q", "<d"])
    size = struct.calcsize(kind)
    if len(data) < size:
        return _byte(rng, data)
    at = rng.randrange(len(data) - size + 1)
    top = 2 ** (8 * size - 1) - 1
    value: Any = rng.choice((0, 1, top, top // 2, 255)) if kind != "<d" else rng.choice((float("nan"), 1e308, -1.0))
    return data[:at] + struct.pack(kind, value) + data[at + size :]


TEXT: tuple[Mutation, ...] = (_flip, _byte, _cut, _drop, _repeat, _token, _token, _number, _number, _lines, _lines)
BINARY: tuple[Mutation, ...] = (_flip, _flip, _byte, _byte, _cut, _drop, _repeat, _binary, _binary)


def mutate(rng: random.Random, seeds: Sequence[bytes], mutations: Sequence[Mutation] = TEXT) -> bytes:
    """One of the seeds after one to four mutations, now and then with the end of another."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = rng.choice(mutations)(rng, data)
    if rng.random() < 0.05:
        other = rng.choice(seeds)
        data = data[: _place(rng, data)] + other[_place(rng, other) :]
    return data


def mutate_value(rng: random.Random, value: Any) -> Any:
    """A value of JSON with something else somewhere in it."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        what = rng.random()
        if what < 0.1:
            return {k: v for k, v in value.items() if k != key}
        if what < 0.2:
            return {(rng.choice(("", "\ud800", "x", "1")) if k == key else k): v for k, v in value.items()}
        return {k: (mutate_value(rng, v) if k == key else v) for k, v in value.items()}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        what = rng.random()
        if what < 0.1:
            return value[:at] + value[at + 1 :]
        if what < 0.2:
            return [*value, value[at]]
        return [mutate_value(rng, v) if i == at else v for i, v in enumerate(value)]
    return rng.choice(VALUES)


ODD = (
    *(
        "",
        " ",
        "-1",
        "0",
        "1e999",
        "nan",
        "999999999999",
        "0.5",
        "x",
        "&#0;",
        "&amp;",
        "&lt;b&gt;",
        "\u202e",
        "é" * 300,
    ),
    *("bbox 5 5 1 1; x_wconf 900", "1,2 3", "9,9 -5,7 1e9,3", "../../x.png", "file:///etc/passwd", "0 0 0 0"),
)


def mutate_markup(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A file of XML with other values of attributes, other texts, or an element twice or not at all; it stays XML."""
    import re

    if rng.random() < 0.25:
        return mutate(rng, seeds)
    text = rng.choice(seeds).decode()
    for _ in range(rng.choice((1, 1, 2, 3))):
        what = rng.random()
        kind = (
            r"=(\"[^\"<]*\"|'[^'<]*')"
            if what < 0.5
            else r">([^<>]+)<"
            if what < 0.75
            else r"(<(\w+)[^<>]*/>|<(\w+)[^<>]*>[^<>]*</\3>)"
        )
        found = list(re.finditer(kind, text))
        if not found:
            continue
        place = rng.choice(found)
        if what < 0.5:
            new = f'"{rng.choice(ODD)}"'
        elif what < 0.75:
            new = rng.choice(ODD)
        else:
            new = rng.choice(("", place[1] * 2, place[1] * 50))
        text = text[: place.start(1)] + new + text[place.end(1) :]
    return text.encode()


def mutate_json(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A file of JSON, or of lines of it, with another value in it; every third time other bytes instead."""
    if rng.random() < 0.33:
        return mutate(rng, seeds)
    text = rng.choice(seeds).decode()
    try:
        return json.dumps(mutate_value(rng, json.loads(text))).encode()
    except ValueError:
        lines = [line for line in text.split("\n") if line]
        at = rng.randrange(len(lines))
        lines[at] = json.dumps(mutate_value(rng, json.loads(lines[at])))
        return ("\n".join(lines) + "\n").encode()
