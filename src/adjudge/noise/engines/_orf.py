"""The file of results that ocrad writes with --export: a line for each character, with its box and guesses."""

from __future__ import annotations

import re

from ...formats.documents.page_text import Box, PageText

CHARACTER = re.compile(r"\s*(-?\d+)\s+(-?\d+)\s+(\d+)\s+(\d+);\s*(\d+)(?:,\s*'(.+?)'(\d+))?")
"""Left, top, width, height; how many guesses; the first guess and its value."""


def words_of_orf(text: str, scale: int = 1) -> PageText:
    """The words of a page; ocrad's values are no probabilities, so there are no confidences."""
    page = PageText()
    word: list[str] = []
    box: Box | None = None

    def finish() -> None:
        nonlocal box
        page.add("".join(word), None if box is None else tuple(side / scale for side in box))  # type: ignore[arg-type]
        word.clear()
        box = None

    for line in text.splitlines():
        if line.startswith(("line ", "text block ")):
            finish()
            page.end_line() if line.startswith("line ") else page.end_block()
            continue
        match = CHARACTER.match(line)
        if match is None:
            continue
        left, top, width, height = map(int, match.groups()[:4])
        guess = match[6] if int(match[5]) else "_"
        if guess is None or guess.isspace():
            finish()
            continue
        word.append(guess)
        own = (left, top, left + width, top + height)
        box = own if box is None else (*map(min, box[:2], own[:2]), *map(max, box[2:], own[2:]))  # type: ignore[assignment]
    finish()
    page.end_block()
    return page
