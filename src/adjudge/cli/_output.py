"""Standard output and standard error: what is written there, and how."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..core.note import Note


def show(data: str | bytes) -> None:
    """Write to standard output, as UTF-8 whatever the terminal says."""
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    if sys.stdout is None:
        from ..core.errors import DataError

        raise DataError("standard output is closed")
    if sys.stdout.isatty():
        raw = _readable(raw.decode("utf-8", "surrogateescape")).encode()
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(raw)
    else:  # somebody collects our output as text
        sys.stdout.write(raw.decode("utf-8", "replace"))


def _readable(text: str) -> str:
    """What people read on a terminal, in whatever form: nothing in it steers the terminal but our own colours."""
    import re

    from ..core.visible import visible_lines

    pieces = re.split(r"(\x1b\[[012]m|\r\n|\r)", text)
    pieces[::2] = map(visible_lines, pieces[::2])
    return "".join("\\r" if piece == "\r" else piece for piece in pieces)


def coloured(path: str | None) -> bool:
    """Whether output goes to a terminal that shows colours, and nobody has asked for none."""
    plain = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
    return path is None and sys.stdout is not None and sys.stdout.isatty() and not plain


def note(lines: Iterable[Note | str]) -> None:
    for line in lines:
        from ..core.visible import visible

        print(f"note: {visible(str(line))}", file=sys.stderr)
