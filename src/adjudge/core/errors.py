"""What can go wrong, as one tree; each error is also what Python's habits expect.

    AdjudgeError
    ├── DataError            the data is not what its format says:  path:line: why: 'the line'    (ValueError)
    │   ├── FileAccessError      a file that cannot be read or written                            (OSError)
    │   └── MissingFileError     a file that is not there                                         (FileNotFoundError)
    ├── SpecError            a component asked for wrongly:  no measure 'app', did you mean ap?   (ValueError)
    │   ├── UnknownNameError     a name that a value does not have:  scores["x", "1", "ap"]       (KeyError)
    │   └── WrongTypeError       an argument of a type that means nothing here                    (TypeError)
    ├── ConflictError        a document, a judgment, a name twice                                 (ValueError)
    └── MissingExtraError    what to install                                                      (ImportError)

On the command line each is one line on standard error and exit code 2; any other exception is a bug.
"""

from __future__ import annotations

import errno
import os

from .visible import spell_out

SHOWN = 120
"""Longer lines are cut here when an error shows them."""

LONGEST = 600
"""Longer messages are cut here: an identifier may be as long as a book."""


class AdjudgeError(Exception):
    """Anything that the user can put right. Its message is one printable line, whatever the data holds."""

    def __init__(self, message: str) -> None:
        cut = message if len(message) <= LONGEST else message[:LONGEST] + "…"
        super().__init__(spell_out(cut))

    def __str__(self) -> str:
        """The message; KeyError would quote it, and OSError put a number before it."""
        return str(self.args[0])


class DataError(AdjudgeError, ValueError):
    """The data is not what its format says."""


class FileAccessError(DataError, OSError):
    """A file that cannot be read or written; ``filename`` and ``errno`` are those of the system."""

    def __init__(self, message: str, path: str | os.PathLike[str] | None = None, number: int | None = None) -> None:
        super().__init__(message)
        self.filename = None if path is None else os.fspath(path)
        self.errno = number

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.filename, self.errno)


class MissingFileError(DataError, FileNotFoundError):
    """A file that is not there; ``filename`` says which."""

    def __init__(self, message: str, path: str | os.PathLike[str] | None = None) -> None:
        super().__init__(message)
        self.filename = None if path is None else os.fspath(path)
        self.errno = errno.ENOENT

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.filename)


class SpecError(AdjudgeError, ValueError):
    """A component asked for wrongly, or a parameter outside its domain."""


class UnknownNameError(SpecError, KeyError):
    """A system, topic or measure that a value does not have."""


class WrongTypeError(SpecError, TypeError):
    """An argument of a type that means nothing here; the message names the argument and what it may be."""


class ConflictError(AdjudgeError, ValueError):
    """A document, a judgment or a name that occurs twice."""


class MissingExtraError(AdjudgeError, ImportError):
    """A library that is not installed; the message says what to install."""


def quote_line(line: bytes | str) -> str:
    """A line as an error message shows it: quoted, control characters visible, cut at 120 characters.

    >>> quote_line(b"301\\tQ0\\x00")
    "'301\\\\tQ0\\\\x00'"
    """
    text = line.decode("utf-8", "backslashreplace") if isinstance(line, bytes) else line
    text = text.rstrip("\r\n")
    cut = text[:SHOWN] + ("…" if len(text) > SHOWN else "")
    return f"'{spell_out(cut)}'"


def at(source: str, line: int | None, why: str, text: bytes | str | None = None) -> str:
    """The one form in which errors name a place: ``source:line: why: 'text'``."""
    place = source if line is None else f"{source}:{line}"
    return f"{place}: {why}" + ("" if text is None else f": {quote_line(text)}")


def did_you_mean(word: object, known: list[str]) -> str:
    """``, did you mean ap?`` or nothing."""
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.lower(), name)
    near = [folded[match] for match in get_close_matches(str(word).lower(), folded, n=3, cutoff=0.6)]
    return f", did you mean {' or '.join(near)}?" if near else ""
