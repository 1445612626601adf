"""Headings and links of Markdown pages: a link inside the repository must lead to a file, and to a heading in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt

PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
"""Tags in a text are text: nobody writes mark-up here, and a layout of documents may be about ``<title>``."""


def slug(title: str, taken: dict[str, int]) -> str:
    """The anchor that GitHub gives a heading; the second of the same name gets -1, the third -2."""
    base = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
    number = taken.get(base, 0)
    taken[base] = number + 1
    return f"{base}-{number}" if number else base


def plain(inline: Any) -> str:
    """The text of a heading or a link without its mark-up."""
    return "".join(token.content for token in inline.children or () if token.type in {"text", "code_inline"})


def headings(tokens: list[Any]) -> list[tuple[int, str, str]]:
    """(level, anchor, title) of every heading, in order."""
    taken: dict[str, int] = {}
    found = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            found.append((int(token.tag[1]), slug(plain(inline), taken), plain(inline)))
    return found


def links(tokens: list[Any]) -> list[str]:
    """Where the links and images of a page point to."""
    inside = [child for token in tokens for child in token.children or ()]
    found = [str(child.attrs["href"]) for child in inside if child.type == "link_open"]
    return found + [str(child.attrs["src"]) for child in inside if child.type == "image"]


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(anchor for _, anchor, _ in headings(PARSER.parse(page.read_text("utf-8"))))


def broken(pages: Iterable[Path]) -> list[str]:
    """One line for each link of the pages that leads nowhere; addresses elsewhere are not looked up."""
    anchors.cache_clear()
    wrong = []
    for page in pages:
        for link in links(PARSER.parse(page.read_text("utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page.resolve()
            if not target.exists():
                wrong.append(f"{page.name}: {link}: no such file")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                wrong.append(f"{page.name}: {link}: no such heading")
    return wrong
