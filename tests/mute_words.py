"""Every sentence replaced by its name: what changes then was made of words, and figures must not be."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any

import adjudge.words
from adjudge.words.speech import SENTENCES

PROSE = frozenset({"conclusion", "conclusions", "notes", "paragraph", "sentence", "skipped"})
"""Keys of JSON that hold sentences."""


@contextmanager
def mute() -> Iterator[list[str]]:
    """While every function of the words room gives its own name; yields the names that were asked for."""
    for module in pkgutil.iter_modules(adjudge.words.__path__, f"{adjudge.words.__name__}."):
        import_module(module.name)
    spoken: list[str] = []
    kept = dict(SENTENCES)
    SENTENCES.update({name: partial(_name_of, name, function, spoken) for name, function in kept.items()})
    try:
        yield spoken
    finally:
        SENTENCES.update(kept)


def _name_of(name: str, function: Callable[..., object], spoken: list[str], *_: Any, **__: Any) -> object:
    spoken.append(name)
    kind = str(signature(function).return_annotation)
    return [name] if kind.startswith("list") else (name,) if kind.startswith("tuple") else name


def without_prose(data: Any) -> Any:
    """JSON without what is written for people."""
    if isinstance(data, dict):
        return {key: without_prose(value) for key, value in data.items() if key not in PROSE}
    return [without_prose(value) for value in data] if isinstance(data, list) else data
