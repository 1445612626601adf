"""Sanitise HTML that users wrote.

First nh3 parses as browsers do and drops all but an allow-list; then what is left is written anew, tag by tag, by code
that can write nothing else: no attribute but a checked href, no image, no style. A fault in one of them is not enough.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import unescape
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from ....core.visible import visible_lines
from ....formats.tag_soup import HtmlTag, MathML, pieces
from ...qa.threads import CODE, FORMULA, LINK, Part
from .mathematics import formula, split_tex, with_formulas

LONGEST = 200_000
"""Characters of a post; the rest is cut, with a remark."""
DEEPEST = 40
MOST_TEX = 40_000
"""Characters of formulas that are converted in one post; converting takes longer the longer they are."""

_TAGS = (
    "p br hr em strong i b u s del sup sub code pre kbd blockquote ul ol li h1 h2 h3 h4 h5 h6 "
    "table thead tbody tr th td dl dt dd"
)
TAGS = frozenset(_TAGS.split())
VOID = frozenset({"br", "hr"})
LOWERED = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6"}
"""The page has headings of its own above those of a post."""
VERBATIM = frozenset({"code", "pre", "kbd"})
MARKDOWN = re.compile(
    r"`([^`\n]{1,600})`|\[([^\]\[\n]{1,300})\]\((https?://[^\s)]{1,600})\)|(https?://[^\s<>\"]{1,600})"
)


def safe_address(address: str) -> str | None:
    """An address that a link may lead to: http or https with a host, and no tricks."""
    target = address.strip()
    if target.startswith("//"):
        target = f"https:{target}"
    try:
        parts = urlsplit(target)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or not host or len(target) > 2000:
        return None
    return target if target.isprintable() and "\\" not in target and " " not in target else None


def link(address: str, text: Markup | str, cited: bool = False) -> Markup:
    """A link that leaves nothing behind, or the text with the address beside it where it leads nowhere safe."""
    safe = safe_address(address)
    if safe is None:
        shown = visible_lines(address.strip())
        return Markup("{} <span class=dead>[{}]</span>").format(text, shown[:200]) if shown else escape(text)
    kind = Markup(" class=cited") if cited else Markup("")
    opened = Markup('<a href="{}" rel="noopener noreferrer nofollow" target="_blank" title="{}"{}>')
    return opened.format(safe, visible_lines(safe), kind) + escape(text) + Markup("</a>")


class _Writer:
    """Writes clean HTML anew: known tags without attributes, links checked, images as links, formulas as MathML."""

    def __init__(self, cited: Sequence[str]) -> None:
        self.written: list[str] = []
        self.open: list[str] = []
        self.tex = 0
        self.cited = [text for text in cited if text]
        longest = sorted(map(re.escape, self.cited), key=len, reverse=True)
        self.marks = re.compile("|".join(longest)) if longest else None

    def add(self, piece: str | HtmlTag | MathML) -> None:
        if isinstance(piece, str):
            self._text(unescape(piece))
        elif isinstance(piece, MathML):  # nh3 lets none through
            self._text(unescape(piece.element))
        elif piece.closing:
            self._end(piece.name)
        else:
            self._begin(piece)

    def _begin(self, tag: HtmlTag) -> None:
        name = tag.name
        if name == "img":
            words = f"image: {tag.attribute('alt') or 'without a description'}"
            image = Markup("<span class=image>[{}]</span>").format(visible_lines(words))
            self.written.append(link(tag.attribute("src") or "", image))
        elif name == "a":
            self._open_link(tag.attribute("href") or "")
        elif name in VOID:
            self.written.append(f"<{name}>")
        elif name in TAGS and len(self.open) < DEEPEST:
            self.open.append(name)
            self.written.append(f"<{LOWERED.get(name, name)}>")

    def _open_link(self, address: str) -> None:
        safe = safe_address(address)
        if safe is None or "a" in self.open or len(self.open) >= DEEPEST:
            return
        opened, _, _ = link(safe, "\x00", any(text in safe for text in self.cited)).partition("\x00")
        self.open.append("a")
        self.written.append(opened)

    def _end(self, name: str) -> None:
        if name in self.open:
            while (last := self.open.pop()) != name:
                self.written.append(f"</{LOWERED.get(last, last)}>")
            self.written.append(f"</{LOWERED.get(name, name)}>")

    def _text(self, text: str) -> None:
        if VERBATIM & set(self.open):
            self.written.append(escape(visible_lines(text)))
            return
        for piece, is_tex, display in split_tex(text):
            self.written.append(self._formula(piece, display) if is_tex else self._mark(piece))

    def _formula(self, tex: str, display: bool) -> Markup:
        self.tex += len(tex)
        if self.tex > MOST_TEX:
            return Markup("<code class=tex>{}</code>").format(visible_lines(tex))
        return formula(tex, display)

    def _mark(self, text: str) -> Markup:
        if self.marks is None:
            return escape(visible_lines(text))
        marked, place = Markup(""), 0
        for citation in self.marks.finditer(text):
            marked += escape(visible_lines(text[place : citation.start()]))
            marked += Markup("<mark>{}</mark>").format(visible_lines(citation.group()))
            place = citation.end()
        return marked + escape(visible_lines(text[place:]))

    def whole(self) -> Markup:
        while self.open:
            last = self.open.pop()
            self.written.append(f"</{LOWERED.get(last, last)}>")
        return Markup("".join(self.written))  # noqa: S704  # every piece was escaped or written by this class


NESTED = 2000
"""Elements inside each other; parsing takes longer the deeper they are."""
OPENING = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
UNNESTED = VOID | {"img", "p", "li", "input", "link", "meta", "td", "tr", "th", "dt", "dd", "option"}


def _nested(html: str) -> bool:
    """Whether more elements are open at a time than any post needs."""
    depth = 0
    for tag in OPENING.finditer(html):
        if tag[2].lower() not in UNNESTED:
            depth = max(0, depth + (-1 if tag[1] else 1))
            if depth > NESTED:
                return True
    return False


@lru_cache(maxsize=512)
def post(html: str, cited: tuple[str, ...] = ()) -> Markup:
    """A post of the dump as mark-up that can be shown; citations are marked."""
    import nh3

    if _nested(html[:LONGEST]):
        return Markup(
            "<p class=cut>The mark-up of this post is nested too deeply: it is shown as it was typed.</p>"
        ) + (Markup("<pre>{}</pre>").format(visible_lines(html[:LONGEST])))

    clean = nh3.clean(
        html[:LONGEST],
        tags=set(TAGS) | {"a", "img"},
        attributes={"a": {"href"}, "img": {"src", "alt"}},
        url_schemes={"http", "https"},
        link_rel=None,
        clean_content_tags={"script", "style"},
    )
    writer = _Writer(cited)
    for piece in pieces(clean):
        writer.add(piece)
    markup = writer.whole()
    if len(html) > LONGEST:
        markup += Markup("<p class=cut>The first {:,} of {:,} characters are shown.</p>").format(LONGEST, len(html))
    return markup


def comment(text: str) -> Markup:
    """A comment: code, links and formulas of its light Markdown, all else as it was typed."""
    markup, at = Markup(""), 0
    for match in MARKDOWN.finditer(text):
        markup += with_formulas(text[at : match.start()])
        code, words, address, bare = match.groups()
        if code is not None:
            markup += Markup("<code>{}</code>").format(visible_lines(code))
        elif words is not None:
            markup += link(address, with_formulas(words))
        else:
            markup += link(bare, visible_lines(bare))
        at = match.end()
    return markup + with_formulas(text[at:])


def sentence(parts: Sequence[Part], formulas: Mapping[tuple[str, bool], str] | None = None) -> Markup:
    """A sentence from its parts; ``formulas`` is MathML that was made before."""
    return Markup("").join(_part(part, formulas or {}) for part in parts)


def _part(part: Part, formulas: Mapping[tuple[str, bool], str]) -> Markup:
    if part.kind == FORMULA:
        return formula(part.text, part.display, part.mathml or formulas.get((part.text, part.display), ""))
    if part.kind == CODE:
        return Markup("<code>{}</code>").format(visible_lines(part.text))
    if part.kind == LINK:
        return link(part.href, visible_lines(part.text))
    return escape(visible_lines(part.text))
