"""Rules of an old spelling, from a file."""

from __future__ import annotations

from pathlib import Path

from ....core.errors import DataError, at


def read_spelling(path: Path) -> tuple[tuple[str, str], ...]:
    """The rules of a file: lines of what is asked, a tab and what is written in the text; # begins a comment."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as why:
        raise DataError(f"{path}: cannot be read as rules of spelling: {why.strerror}") from None
    except UnicodeDecodeError as why:
        raise DataError(f"{path}: is not UTF-8 at byte {why.start}") from None
    rules = []
    for number, line in enumerate(text.split("\n"), 1):
        content = line.partition("#")[0].rstrip()
        if not content:
            continue
        asked, _, written = (part.strip().lower() for part in content.partition("\t"))
        if not asked or "\t" not in content or "\t" in written or asked == written:
            raise DataError(at(str(path), number, "a rule is what is asked, a tab and what is written", line.strip()))
        rules.append((asked, written))
    if not rules:
        raise DataError(f"{path}: holds no rule of spelling")
    return tuple(rules)
