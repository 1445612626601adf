"""The HTML of posts as blocks of plain parts: text, formulas, code, links. Nothing of it is ever executed.

Formulas are TeX between $…$, $$…$$, \\(…\\), \\[…\\] or \\begin{…} and \\end{…}, or MathML. A dollar can also be money:
a single one opens a formula only if another closes it in the same block and what stands between looks like TeX.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape

from ...formats.tag_soup import INLINE, HtmlTag, MathML, last_end, pieces, readable
from .threads import CODE, FORMULA, LINK, TEXT, Part, part_text

OPENER = re.compile(
    r"\\\[|\\\(|\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math)(\*?)\}|\\.|\$\$?", re.DOTALL
)
DOLLAR = re.compile(r"(?:[^$\\]|\\.)*+\$", re.DOTALL)
LOOKS_TEX = re.compile(r"[\\^_{}=<>]|^\s*\w\s*$|^\s*[(\[]?\w(?:\s*[,+\-*/|]\s*\w)*[)\]]?\s*$")
LONGEST_FORMULA = 20_000
SYMBOLS = re.compile(r"<[^<>]*>")
ANNOTATION_END = re.compile(r"</(?:\w+:)?annotation(?:-xml)?\s*>", re.IGNORECASE)
ANNOTATIONS = re.compile(
    rf"<(?:\w+:)?annotation(?:-xml)?\b([^<>]*)>(.*?){ANNOTATION_END.pattern}", re.DOTALL | re.IGNORECASE
)
SPACES = re.compile(r"\s+")
UNDESCRIBED = "enter image description here"


@dataclass(frozen=True)
class Block:
    """A paragraph, an item of a list, a heading or a listing."""

    parts: tuple[Part, ...]
    quoted: bool = False
    """In a block quotation."""
    listing: bool = False
    """A block of code."""
    item: bool = False
    """An item of a list."""


@dataclass
class _Open:
    """What is open while the tags go by."""

    quotes: int = 0
    listings: int = 0
    codes: int = 0
    items: int = 0
    href: str | None = None


class _Builder:
    def __init__(self, *, dollars: bool) -> None:
        self.dollars = dollars
        self.blocks: list[Block] = []
        self.parts: list[Part] = []
        self.open = _Open()

    def text(self, text: str) -> None:
        if not text:
            return
        if self.open.listings or self.open.codes:
            self._add(Part(CODE, text))
        elif self.open.href is not None:
            self._add(Part(LINK, text, self.open.href))
        else:
            self._add(Part(TEXT, text))

    def _add(self, part: Part) -> None:
        last = self.parts[-1] if self.parts else None
        if last is not None and last.kind == part.kind and last.href == part.href and part.kind != FORMULA:
            self.parts[-1] = replace(last, text=last.text + part.text)
        else:
            self.parts.append(part)

    def _image(self, tag: HtmlTag) -> None:
        """An image is a link that says so; what a site writes where nobody described it says nothing."""
        said = " ".join((tag.attribute("alt") or "").split())
        words = "[image]" if not said or said == UNDESCRIBED else f"[image: {said}]"
        self._add(Part(TEXT, " "))
        self.parts.append(Part(LINK, words, self.open.href or tag.attribute("src") or ""))
        self._add(Part(TEXT, " "))

    def formula(self, part: Part) -> None:
        self.parts.append(part)

    def end(self) -> None:
        """End the block."""
        listing = bool(self.open.listings)
        parts = self.parts if listing else _formulas(self.parts, dollars=self.dollars)
        self.parts = []
        if any(part.kind == FORMULA or part.text.strip() for part in parts):
            self.blocks.append(Block(tuple(parts), self.open.quotes > 0, listing, self.open.items > 0))

    def tag(self, tag: HtmlTag) -> None:
        name, closing = tag.name, tag.closing
        step = -1 if closing else 1
        if name in {"code", "tt", "kbd", "samp"}:
            self.open.codes = max(0, self.open.codes + step)
        elif name == "a":
            self.open.href = None if closing else tag.attribute("href")
        elif name == "img" and not closing:
            self._image(tag)
        elif name == "br":
            self.text("\n")
        elif name not in INLINE and not name.startswith("m:"):
            self.end()
            if name == "blockquote":
                self.open.quotes = max(0, self.open.quotes + step)
            elif name == "pre":
                self.open.listings = max(0, self.open.listings + step)
            elif name == "li":
                self.open.items = max(0, self.open.items + step)
            self.open.href = None
            if not self.open.listings:
                self.open.codes = 0


def blocks(html: str, *, dollars: bool = True) -> list[Block]:
    """The blocks of a post, in order; ``dollars`` says whether $…$ is a formula on this site."""
    builder = _Builder(dollars=dollars)
    for piece in pieces(readable(html, cdata_is_text=False)):
        if isinstance(piece, str):
            builder.text(unescape(piece))
        elif isinstance(piece, MathML):
            builder.formula(_formula(piece))
        else:
            builder.tag(piece)
    builder.end()
    return builder.blocks


def _formula(formula: MathML) -> Part:
    """A formula in MathML: its TeX if there is one, otherwise its symbols."""
    contents = formula.contents
    end = last_end(ANNOTATION_END, contents)
    annotated, rest = contents[:end], contents[end:]
    tex = next((match[2] for match in ANNOTATIONS.finditer(annotated) if "tex" in match[1].lower()), None)
    symbols = SYMBOLS.sub(" ", ANNOTATIONS.sub(" ", annotated) + rest)
    text = unescape(symbols if tex is None else tex)
    display = re.search(r"""display\s*=\s*["']block""", formula.inside) is not None
    return Part(FORMULA, SPACES.sub(" ", text).strip(), display=display, mathml=formula.element.strip())


def _formulas(parts: list[Part], *, dollars: bool) -> list[Part]:
    cut: list[Part] = []
    for part in parts:
        cut += _cut(part.text, dollars=dollars) if part.kind == TEXT else [part]
    return cut


def _cut(text: str, *, dollars: bool) -> list[Part]:
    """Text with its formulas as parts of their own."""
    return [
        Part(FORMULA, piece.strip(), display=display) if is_tex else Part(TEXT, piece)
        for piece, is_tex, display in text_and_formulas(text, dollars=dollars)
    ]


def text_and_formulas(text: str, *, dollars: bool = True) -> Iterator[tuple[str, bool, bool]]:
    """Text and formulas in turn: (piece, whether it is a formula, whether it stands on its own line)."""
    place = at = 0
    ends: dict[str, int] = {}
    while (opener := OPENER.search(text, at)) is not None:
        at = opener.end()
        closed = _formula_at(text, opener, ends, dollars=dollars)
        if closed is None:
            continue
        tex, display, end = closed
        if opener.start() > place:
            yield text[place : opener.start()], False, False
        yield tex, True, display
        place = at = end
    if place < len(text):
        yield text[place:], False, False


def _formula_at(
    text: str, opener: re.Match[str], ends: dict[str, int], *, dollars: bool
) -> tuple[str, bool, int] | None:
    """The formula that begins there, whether it is displayed, and where it ends; None if it is none.

    ``ends`` remembers where the next closing sign of each kind stands, so that a thousand openings do not each look
    for it to the end of the text.
    """
    begin, kind = opener.end(), opener[0]
    most = begin + LONGEST_FORMULA
    closer = {"\\[": "\\]", "\\(": "\\)", "$$": "$$"}.get(kind)
    if opener[1] is not None:
        closer = f"\\end{{{opener[1]}{opener[2]}}}"
    if closer is not None:
        if ends.get(closer, -1) < begin:
            where = text.find(closer, begin)
            ends[closer] = len(text) if where < 0 else where
        end = ends[closer] if ends[closer] < min(most, len(text)) else -1
        tex, after = text[begin:end], end + len(closer)
        if end >= 0 and opener[1] not in {None, "math", "displaymath"}:
            tex = text[opener.start() : after]
        is_formula = end >= 0
        display = kind != "\\(" and opener[1] != "math"
    elif kind == "$":
        match = DOLLAR.match(text, begin, most)
        tex = "" if match is None else match[0][:-1]
        after = begin + len(tex) + 1
        is_formula = dollars and match is not None and not text[after : after + 1].isdigit() and _is_tex(tex)
        display = False
    else:  # an escaped character
        return None
    return (tex, display, after) if is_formula and tex.strip() and "\n\n" not in tex else None


def _is_tex(tex: str) -> bool:
    """Whether what stands between two single dollars is a formula and no price."""
    tight = tex[:1].strip() and tex[-1:].strip()
    if tight and not tex[:1].isdigit():
        return len(tex.split()) < 4 or LOOKS_TEX.search(tex) is not None
    return LOOKS_TEX.search(tex) is not None or (bool(tight) and not re.search(r"[A-Za-z]{3}|\s", tex))


def plain(block: Block) -> str:
    """A block as plain text, formulas between dollars."""
    return SPACES.sub(" ", "".join(part_text(part) for part in block.parts)).strip()
