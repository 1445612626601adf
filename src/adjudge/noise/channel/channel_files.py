"""Channels in files: JSON, one rule a line; and those that come with the package."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

from ...core.errors import AdjudgeError, DataError, SpecError, did_you_mean
from .model import Bursts, Channel, Rule

FORMAT = "adjudge channel"
VERSION = 1
FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "channels")


def save(channel: Channel, path: str) -> None:
    """Writes a channel to a file, whole or not at all."""
    from ...formats.writing import write

    write(path, dumps(channel).encode("utf-8"))


def dumps(channel: Channel) -> str:
    """A channel as JSON; probabilities with six digits."""
    import json

    def rows(rules: tuple[Rule, ...]) -> list[str]:
        return [
            json.dumps([rule.source, rule.target, _short(rule.probability), _short(rule.seen)], ensure_ascii=False)
            for rule in rules
        ]

    bursts = channel.bursts
    head = {
        "format": FORMAT,
        "version": VERSION,
        "about": channel.about,
        "alphabet": channel.alphabet,
        "outside": [_short(value) for value in (channel.substitution, channel.deletion, channel.insertion)],
        "bursts": {
            "page": bursts.page,
            "pages": [_short(value) for value in bursts.pages],
            "words": [_short(value) for value in bursts.words],
            "shares": [_short(value) for value in bursts.shares],
        },
        "curve": [[_short(gain), _short(rate)] for gain, rate in channel.curve],
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    for name, rules in (("errors", channel.errors), ("rules", channel.rules)):
        lines.append(f"{json.dumps(name)}: [\n" + ",\n".join(rows(rules)) + "]")
    return "{" + ",\n".join(lines) + "}\n"


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def load(path: str) -> Channel:
    """A channel from a file, packed or not; anything that is not one is a DataError with the name of the file."""
    import json

    from ...formats.nested import refuse_half_characters
    from ...formats.source import open_source

    source = open_source(path)
    try:
        data = refuse_half_characters(json.loads(source.whole()), source)
    except (ValueError, RecursionError) as why:
        raise DataError(f"{path}: is not a channel: no valid JSON: {why}") from None
    try:
        return _channel(data)
    except AdjudgeError as why:
        raise DataError(f"{path}: is not a channel: {why}") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as why:
        what = f"{why} is missing" if isinstance(why, KeyError) else f"a value of the wrong kind: {why}"
        raise DataError(f"{path}: is not a channel: {what}") from None


def _channel(data: Any) -> Channel:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise DataError(f"its format is not {FORMAT!r}")
    if data.get("version") != VERSION:
        raise DataError(f"its version is {data.get('version')!r}, and this adjudge reads version {VERSION}")
    substitution, deletion, insertion = map(_number, data["outside"])
    bursts = data["bursts"]
    return Channel(
        _rules(data["rules"]),
        _string(data["alphabet"]),
        substitution,
        deletion,
        insertion,
        _rules(data["errors"]),
        Bursts(
            _count(bursts["page"]),
            tuple(map(_number, bursts["pages"])),
            tuple(map(_number, bursts["words"])),
            tuple(map(_number, bursts["shares"])),
        ),
        tuple((_number(gain), _number(rate)) for gain, rate in data["curve"]),
        dict(data["about"]),
    )


def _rules(rows: list[Any]) -> tuple[Rule, ...]:
    return tuple(
        Rule(_string(source), _string(target), _number(chance), _number(count))
        for source, target, chance, count in rows
    )


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def shipped_channels() -> list[str]:
    """The names of the channels that come with the package."""
    if not os.path.isdir(FOLDER):
        return []
    return sorted(file.removesuffix(".json") for file in os.listdir(FOLDER) if file.endswith(".json"))


def channel_of(source: str) -> Channel:
    """A channel by its name, or from a file by its path."""
    if source in shipped_channels():
        return _shipped(source)
    if os.path.dirname(source) or "." in source or os.path.exists(source):
        return load(source)
    known = shipped_channels()
    hint = did_you_mean(source, known) or (f"; there are {', '.join(known)}" if known else "")
    raise SpecError(f"no channel {source!r}{hint}; a file is written with its folder: ./{source}")


@lru_cache(maxsize=4)
def _shipped(name: str) -> Channel:
    """Read once, with the tables that it makes of its rules: a plan asks for its channel again and again."""
    return load(os.path.join(FOLDER, f"{name}.json"))
