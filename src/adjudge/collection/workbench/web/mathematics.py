"""TeX shown by the browser: MathML made here, let through element by element; TeX itself where that fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from xml.etree import ElementTree

from markupsafe import Markup, escape

from ....core.visible import JOINERS, MARKS, UNSEEN, visible_lines
from ...qa.post_markup import text_and_formulas

WIDE = 40
"""Characters of a formula that may be wider than its column, and can be moved sideways then."""
LONGEST = 1500
"""Characters of a formula; longer ones are shown as TeX."""

_ELEMENTS = (
    "math mrow mi mo mn mtext ms mspace mfrac msqrt mroot mstyle msup msub msubsup munder mover munderover "
    "mmultiscripts mprescripts none mtable mtr mtd mpadded mphantom menclose merror semantics"
)
_ATTRIBUTES = (
    "display mathvariant stretchy fence separator accent accentunder largeop movablelimits columnalign rowspacing "
    "columnspacing linethickness width height depth lspace rspace displaystyle scriptlevel form symmetric minsize "
    "maxsize notation"
)
ELEMENTS, ATTRIBUTES = frozenset(_ELEMENTS.split()), frozenset(_ATTRIBUTES.split())
WIDEST = {"em": 20.0, "ex": 40.0}
"""How long a length may be; 100 in other units, and a fifth of that to the left of where it begins."""
LENGTH = re.compile(r"([+-]?)(\d+\.?\d*|\.\d+)(em|ex|px|pt|%|)")
WORD = re.compile(r"[A-Za-z-]{1,40}")
WITHOUT_MEANING = re.compile(f"[{MARKS}{JOINERS}{UNSEEN}]")
"""Nothing in a formula, and often pasted into one; spelled out in its MathML they would look like unknown commands."""
KNOWN_BACKSLASH = re.compile(r"\\(backslash|setminus|smallsetminus)\b")


@lru_cache(maxsize=1 << 14)
def formula(tex: str, display: bool = False, mathml: str = "") -> Markup:
    """A formula as MathML with its TeX as tip, or the TeX itself; ``mathml`` is what somebody made of it before."""
    source = visible_lines(tex.strip())
    shown = (let_through(mathml) if mathml else None) or _convert(tex.strip(), display)
    if shown is None:
        return Markup('<code class="tex">{}</code>').format(source)
    kind = "formula block" if display else "formula long" if len(source) > WIDE else "formula"
    return Markup('<span class="{}" title="{}">{}</span>').format(kind, source, shown)


def _convert(tex: str, display: bool) -> Markup | None:
    from latex2mathml.converter import convert

    if len(tex) > LONGEST:
        return None
    try:
        mathml = convert(WITHOUT_MEANING.sub("", tex), display="block" if display else "inline")
    except Exception:  # a converter that fails in any way leaves us the TeX, and says so by showing it
        return None
    markup = let_through(mathml)
    if markup is not None and "\\" in markup and not KNOWN_BACKSLASH.search(tex):
        return None  # a command that the converter does not know is in it as text
    return markup


def let_through(mathml: str) -> Markup | None:
    """MathML as a browser may show it; None if it has anything that is not known to be harmless, or is broken."""
    try:
        return keep_allowed(mathml)
    except (ValueError, SyntaxError, RecursionError):  # ElementTree's parse error is a SyntaxError
        return None


def keep_allowed(mathml: str) -> Markup:
    """MathML again, made of nothing but known elements, harmless attributes and escaped text."""
    if "<!" in mathml:
        raise ValueError("a document type or a comment in MathML")
    root = ElementTree.fromstring(mathml)  # noqa: S314  # without a document type there are no entities to expand
    if _name(root.tag) != "math":
        raise ValueError("no formula")
    return Markup("").join(_pieces(root))


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _pieces(element: ElementTree.Element) -> Iterator[Markup]:
    name = _name(element.tag)
    if name in ELEMENTS:
        yield Markup("<{}{}>").format(name, _attributes(element.attrib))
        if element.text:
            yield escape(visible_lines(element.text))
        for child in element:
            yield from _pieces(child)
            if child.tail and child.tail.strip():
                yield escape(visible_lines(child.tail))
        yield Markup("</{}>").format(name)
    elif name not in {"annotation", "annotation-xml"}:
        raise ValueError(f"no element {name} in MathML")


def _attributes(given: Mapping[str, str]) -> Markup:
    harmless = [(name, value) for name, value in given.items() if name in ATTRIBUTES and _fine(value)]
    return Markup("").join(Markup(' {}="{}"').format(name, value) for name, value in harmless)


def _fine(value: str) -> bool:
    """Whether a value says nothing but a word or a length, and none that would push the page apart."""
    return len(value) <= 40 and all(WORD.fullmatch(part) or _short(part) for part in value.split(" "))


def _short(part: str) -> bool:
    length = LENGTH.fullmatch(part)
    if length is None:
        return False
    most = WIDEST.get(length[3], 100.0)
    return float(length[2]) <= (most / 5 if length[1] == "-" else most)


def split_tex(text: str) -> Iterator[tuple[str, bool, bool]]:
    r"""Text and formulas in turn, cut as sentences are: (piece, is a formula, stands on its own line).

    >>> list(split_tex(r"so $x$ is, for $5 and $10"))
    [('so ', False, False), ('x', True, False), (' is, for $5 and $10', False, False)]
    """
    return text_and_formulas(text)


def with_formulas(text: str) -> Markup:
    """Plain text escaped, its formulas as MathML."""
    pieces = (
        formula(piece, shown) if is_tex else escape(visible_lines(piece)) for piece, is_tex, shown in split_tex(text)
    )
    return Markup("").join(pieces)
