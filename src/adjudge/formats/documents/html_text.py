"""HTML and XHTML to text: tags dropped, formulas as asked for."""

from __future__ import annotations

import re
from html import unescape

from ..tag_soup import INLINE, INSIDE, MATH, MATH_END, TAG, escape_text, last_end, readable

FORMULAS = ("text", "drop", "token")
MARKUP = "markup"
"""Formulas as the page has them: not for an index, but for who looks for their places (formula_places.py)."""

TITLE = re.compile(rf"<title\b{INSIDE}>(.*?)</title\s*>", re.DOTALL | re.IGNORECASE)
ANNOTATION = re.compile(r"<(annotation(?:-xml)?)\b([^<>]*)>(.*?)(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
ALTTEXT = re.compile(r"""\balttext\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
DOLLARS = re.compile(r"\$\$?([^$]*)\$\$?")
INVISIBLE = re.compile("[\u2061-\u2064]")
SPACES = re.compile(r"[^\S\n]+")
BREAKS = re.compile(r" ?\n\s*")

TITLE_END = re.compile(r"</title\s*>", re.IGNORECASE)


def token_of(formula: str) -> str:
    """One word for a formula, the same for the same formula: no analyzer splits it or takes an ending from it."""
    from ...storage.digest import BRIEF, digest_number

    return f"formula{digest_number(''.join(formula.split()).encode('utf-8', 'replace'), BRIEF):015d}"


def formula_text(formula: str, formulas: str) -> str:
    """A formula as asked for, between blanks."""
    if formulas == "drop" or not formula:
        return " "
    return f" {token_of(formula) if formulas == 'token' else formula} "


def text_of(page: str, formulas: str) -> tuple[str, str]:
    """Title and text of a page; the title is the first line of the text."""
    page = readable(page)
    heading = TITLE.search(page, 0, last_end(TITLE_END, page))
    title = ""
    if heading is not None:
        page = page[: heading.start()] + " " + page[heading.end() :]
        title = _plain(heading[1])
        if MATH_END.search(page) is not None:  # titles cannot hold MathML: where pages have it, their titles have TeX
            title = DOLLARS.sub(lambda match: formula_text(match[1], formulas), title)
        title = " ".join(title.split())
    last = last_end(MATH_END, page)
    page = MATH.sub(lambda match: escape_text(_math(match, formulas)), page[:last]) + page[last:]
    body = _plain(page)
    return title, f"{title}\n{body}".strip()


def _plain(page: str) -> str:
    page = TAG.sub(lambda match: "" if match[2].lower() in INLINE else "\n", page.replace("\r", " ").replace("\n", " "))
    return BREAKS.sub("\n", SPACES.sub(" ", unescape(page))).strip()


def _math(formula: re.Match[str], formulas: str) -> str:
    if formulas == MARKUP:
        return f" {formula[0]} " if symbols_of(formula[2]) else " "
    if formulas == "token":
        alternative = ALTTEXT.search(formula[1])
        if alternative is not None:
            # Math.SE's pages have entities within entities here
            return formula_text(unescape(unescape(alternative[1] or alternative[2] or "")), formulas)
    return formula_text(symbols_of(formula[2]), formulas)


def symbols_of(inside: str) -> str:
    """What a formula shows, with blanks between its symbols."""
    bare = TAG.sub(" ", ANNOTATION.sub(" ", inside))
    return " ".join(INVISIBLE.sub(" ", unescape(bare)).split())
