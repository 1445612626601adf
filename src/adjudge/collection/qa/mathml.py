"""MathML that can be shown: known elements, harmless attributes, and the TeX that it was made from beside it."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
PRESENTATION = frozenset(
    """math semantics mrow mi mn mo ms mtext mspace msup msub msubsup mover munder munderover mmultiscripts mprescripts
    none mfrac msqrt mroot mtable mtr mtd mlabeledtr mstyle mpadded mphantom mfenced menclose merror""".split()  # noqa: SIM905
)
CONTENT = re.compile(r"[a-z][a-z0-9]{0,19}")
"""Content MathML has hundreds of elements, all of them words; they are never shown."""
ATTRIBUTES = frozenset(
    """mathvariant stretchy fence separator form lspace rspace largeop movablelimits symmetric accent accentunder
    linethickness displaystyle scriptlevel columnalign rowalign columnspacing rowspacing columnspan rowspan columnlines
    rowlines frame width height depth minsize maxsize notation open close cd type base display encoding""".split()  # noqa: SIM905
)
VALUE = re.compile(r"[\w .%+/:;,|(){}\[\]<>\u2016\u2223\u2308-\u230b\u27e8\u27e9-]{0,60}")
DEEPEST = 200
LONGEST = 2_000_000


class Unsafe(ValueError):  # noqa: N818  it never leaves this room
    """What is no formula, or more than one."""


def clean_mathml(mathml: str, tex: str, display: bool) -> str:
    """The same formula written anew from what is allowed; anything else makes it :class:`Unsafe`."""
    from xml.etree import ElementTree

    if "<!" in mathml or len(mathml) > LONGEST:
        raise Unsafe("a declaration, or too long")
    try:
        root = ElementTree.fromstring(mathml)  # noqa: S314  there are no declarations, so no entities
    except (ElementTree.ParseError, RecursionError) as error:
        raise Unsafe(f"not well-formed: {error}") from None
    if _name(root.tag) != "math":
        raise Unsafe("no formula")
    shown: list[str] = []
    content: list[str] = []
    for child in root:
        _write(child, shown, content, 0, content_too=False)
    if not shown:
        raise Unsafe("nothing to show")
    body = "".join(shown)
    inner = body if len(root) == 1 else f"<mrow>{body}</mrow>"
    if content:
        inner += f'<annotation-xml encoding="MathML-Content">{"".join(content)}</annotation-xml>'
    source = f'<annotation encoding="application/x-tex">{escape(tex)}</annotation>'
    where = "block" if display else "inline"
    return f'<math xmlns="{NAMESPACE}" display="{where}"><semantics>{inner}{source}</semantics></math>'


def _name(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _write(element: object, shown: list[str], content: list[str], depth: int, *, content_too: bool) -> None:
    from xml.etree.ElementTree import Element

    if not isinstance(element, Element) or depth > DEEPEST:
        raise Unsafe("nested too deep")
    name = _name(element.tag)
    if name == "merror":
        text = " ".join("".join(element.itertext()).split())
        raise Unsafe(f"not known: {text[:60]}")
    if name == "semantics":
        for child in element:
            _write(child, shown, content, depth + 1, content_too=content_too)
        return
    if name == "annotation-xml":
        if "content" in element.get("encoding", "").lower():
            for child in element:
                _write(child, content, content, depth + 1, content_too=True)
        return
    if name == "annotation":
        return
    if name not in PRESENTATION and not (content_too and CONTENT.fullmatch(name) and name not in {"script", "style"}):
        raise Unsafe(f"an element {name!r}")
    attributes = "".join(
        f" {key}={quoteattr(value)}"
        for key, value in element.attrib.items()
        if key in ATTRIBUTES and VALUE.fullmatch(value)
    )
    shown.append(f"<{name}{attributes}>")
    shown.append(escape(element.text or ""))
    for child in element:
        _write(child, shown, content, depth + 1, content_too=content_too)
        if child.tail and child.tail.strip():
            shown.append(escape(child.tail))
    shown.append(f"</{name}>")
