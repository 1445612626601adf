"""The reading of HTML and XHTML: one cut into text, tags and formulas, for documents, posts and the workbench.

By regular expressions, which bear any tag soup in linear time. What becomes of the pieces is for those who read:
documents become text (documents/markup), posts sentences (collection/qa/markup), and the workbench writes what nh3 has
let through anew (workbench/web/sanitising).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

INSIDE = r"""(?:[^<>"']++|"[^"]{0,65536}"|'[^']{0,65536}'|["'])*+"""
TAG = re.compile(rf"<(/?)([A-Za-z][\w:.-]*+)({INSIDE})>")
COMMENT = re.compile(r"<!--(?:-?>|.*?(?:-->|\Z))|<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<[!?][^<>]*+>", re.DOTALL)
UNREAD = re.compile(rf"<(script|style)\b(?:{INSIDE}(?<!/))>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
MATH = re.compile(rf"<(?:\w+:)?math\b({INSIDE})>(.*?)</(?:\w+:)?math\s*>", re.DOTALL | re.IGNORECASE)
MATH_END = re.compile(r"</(?:\w+:)?math\s*>", re.IGNORECASE)
ATTRIBUTE = re.compile(
    r"""\b(?P<name>href|alt|src)\s*=\s*(?:"(?P<d>[^"]*)"|'(?P<s>[^']*)'|(?P<n>[^\s"'>]+))""", re.IGNORECASE
)

INLINE = frozenset(
    """a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike
    strong sub sup time tt u var wbr""".split()  # noqa: SIM905
)
"""Tags inside a word or line; every other tag ends a line."""


class HtmlTag(NamedTuple):
    """A tag: its name in small letters, and what stands in it after the name."""

    name: str
    inside: str
    closing: bool

    def attribute(self, name: str) -> str | None:
        """The value of href, alt or src; None if there is none.

        >>> HtmlTag("a", ' href="?a=1&amp;b=2"', False).attribute("href")
        '?a=1&b=2'
        """
        for match in ATTRIBUTE.finditer(self.inside):
            if match["name"].lower() == name:
                return unescape(match["d"] or match["s"] or match["n"] or "").strip()
        return None


class MathML(NamedTuple):
    """A formula: the whole element, the inside of its tag and its contents."""

    element: str
    inside: str
    contents: str


def readable(page: str, *, cdata_is_text: bool = True) -> str:
    """The page without comments, declarations, scripts and styles.

    CDATA is text, as XHTML has it. In posts it may be read as HTML instead: nobody writes XHTML there, and who wraps
    paragraphs in it means paragraphs.
    """

    def unwrap(match: re.Match[str]) -> str:
        if not match[1]:
            return " "
        return escape_text(match[1]) if cdata_is_text else match[1]

    return UNREAD.sub(" ", COMMENT.sub(unwrap, page))


def escape_text(text: str) -> str:
    """Text that stays text when it is read."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def last_end(end: re.Pattern[str], page: str) -> int:
    """Where the last of these end tags ends, 0 if there is none.

    Elements are looked for up to there only: a page of begin tags would be searched to its end for each of them.
    """
    return max((match.end() for match in end.finditer(page)), default=0)


def pieces(page: str) -> Iterator[str | HtmlTag | MathML]:
    """Text with its entities, tags and formulas, in order; nothing of the page is lost but the inside of formulas.

    >>> list(pieces("a &lt; <b>c</b>"))
    ['a &lt; ', HtmlTag(name='b', inside='', closing=False), 'c', HtmlTag(name='b', inside='', closing=True)]
    """
    formulas = {match.start(): match for match in MATH.finditer(page, 0, last_end(MATH_END, page))}
    place = 0
    for tag in TAG.finditer(page):
        if tag.start() < place:  # inside of a formula
            continue
        if tag.start() > place:
            yield page[place : tag.start()]
        if (formula := formulas.get(tag.start())) is not None:
            yield MathML(formula[0], formula[1], formula[2])
            place = formula.end()
        else:
            yield HtmlTag(tag[2].lower(), tag[3], bool(tag[1]))
            place = tag.end()
    if place < len(page):
        yield page[place:]
