"""What an argument is, asked of any object: a path, a frame, a list of specs; and the error if it is none of these.

Apart from the types that arguments may have (likes.py), so that whoever reads a file does not import all values.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from .errors import WrongTypeError

EXPECTED = {
    "run": "a Run, a path, {topic: {document: score}} or a frame with topic, document and score",
    "runs": "a run, a list of runs or {name: run}",
    "qrels": "a Qrels, a path, {topic: {document: grade}} or a frame with topic, document and grade",
    "scores": "what adjudge.measure returns, a path, {system: {topic: value}} or a frame with system, topic, "
    "measure and value",
    "topics": "a path, a list of Topic, {topic: text} or a frame with an id and a title or query",
    "documents": "a path, a list of Document, {id: text} or a frame with an id and a text",
    "file": "a path or an open binary file",
}
"""What an argument may be, in words, by the kind of data."""


def wrong_type(argument: str, given: object, kind: str = "") -> WrongTypeError:
    """The error for an argument of a type that means nothing: one sentence that says what it may be."""
    return WrongTypeError(f"{argument} must be {EXPECTED.get(kind or argument, kind)}, not {type_name(given)}")


def type_name(given: object) -> str:
    """What a value is, as an error message calls it."""
    known = {("core.run", "Run"): "a run", ("core.qrels", "Qrels"): "judgments", ("core.scores", "Scores"): "scores"}
    for kind in type(given).__mro__:
        name = known.get((kind.__module__.partition(".")[2], kind.__name__))
        if name is not None:
            return name
    if given is None:
        return "None"
    return f"{type(given).__name__} ({given!r:.60})" if isinstance(given, str | int | float) else type(given).__name__


def is_frame(given: object) -> bool:
    """Whether it is a data frame of pandas or polars."""
    return type(given).__name__ == "DataFrame" and type(given).__module__.split(".")[0] in {"polars", "pandas"}


def is_file(given: object) -> bool:
    """Whether it is a path or an open file."""
    return isinstance(given, str | os.PathLike) or hasattr(given, "read")


def listed(given: str | Iterable[str], argument: str = "measures") -> list[str]:
    """A list of specs, also of one; each once, in their order.

    >>> listed("ap"), listed(["ap", "rr", "ap"])
    (['ap'], ['ap', 'rr'])
    """
    specs = [given] if isinstance(given, str) else None
    if specs is None:
        try:
            specs = list(given)
        except TypeError:
            raise WrongTypeError(
                f"{argument} must be a list of strings such as ['ap'], not {type_name(given)}"
            ) from None
    for spec in specs:
        if not isinstance(spec, str):
            raise WrongTypeError(f"{argument} must be strings such as 'ndcg@10', not {type_name(spec)}")
    return list(dict.fromkeys(specs))
