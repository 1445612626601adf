"""Articles of a volume: blocks of its pages that belong together, as a METS says; each can be a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .page_text import PageText
from .reading_order import with_blocks


@dataclass(eq=False)
class Article:
    """What a METS says of an article."""

    id: str
    title: str
    areas: list[tuple[str, str]]
    """Files of the collection by path, each with the id of a block, '' for all of its blocks."""


class Cut(NamedTuple):
    """Pages with the blocks of one article, or a page with what no article has."""

    article: Article | None
    path: str
    """The file of the first page."""
    place: int
    """Which page of its file it is."""
    pages: list[PageText]


def cut_articles(files: Mapping[str, Sequence[PageText]], articles: Sequence[Article]) -> Iterator[Cut]:
    """Every article in order, and then, page by page, the blocks that belong to none of them.

    A block without words, such as a picture, is in no file, so an article may have no page.
    """
    blocks = {path: _blocks(pages) for path, pages in files.items()}
    left = {(path, at): set(range(len(page.blocks))) for path, pages in files.items() for at, page in enumerate(pages)}
    for article in articles:
        wanted: dict[tuple[str, int], dict[int, None]] = {}
        for path, name in article.areas:
            for at, number in blocks.get(path, {}).get(name, ()):
                wanted.setdefault((path, at), {})[number] = None
        pages = [with_blocks(files[path][at], list(numbers)) for (path, at), numbers in wanted.items()]
        for key, numbers in wanted.items():
            left[key] -= set(numbers)
        path, at = next(iter(wanted), ("", 0))
        yield Cut(article, path, at, pages)
    for (path, at), rest in left.items():
        if rest:
            yield Cut(None, path, at, [with_blocks(files[path][at], sorted(rest))])


def _blocks(pages: Sequence[PageText]) -> dict[str, list[tuple[int, int]]]:
    """The blocks of a file by id, each as the place of its page and its number there; all of them under ''."""
    found: dict[str, list[tuple[int, int]]] = {"": []}
    for at, page in enumerate(pages):
        for number in range(len(page.blocks)):
            found[""].append((at, number))
            for name in page.names[number].split() if page.names else ():
                found.setdefault(name, []).append((at, number))
    return found
