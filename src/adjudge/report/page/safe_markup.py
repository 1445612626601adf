"""Mark-up that cannot be broken by what it shows: strings are text until somebody says that they are not.

Names of systems, ids and questions come from files that anybody may have written. They pass through ``clean`` and are
escaped here and nowhere else, so a section cannot forget it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.visible import html_text, visible

LONGEST = 60
"""Characters of a name that a table shows; the whole of it is in the tip."""

LONGEST_TIP = 1000
"""Characters of a name or a text that are kept anywhere."""

VOID = frozenset({"meta", "link", "input", "br", "col"})


class Html(str):
    """Mark-up, to be taken as it is."""

    __slots__ = ()


def clean(text: object) -> str:
    """A line of text that UTF-8 and HTML can hold: what cannot be seen is written as in Python.

    >>> print(clean("a\\x00b\\udc80c"))
    a\\x00b\\udc80c
    """
    return visible(str(text))


def shorten_middle(text: object, most: int = LONGEST) -> str:
    """The text with its middle left out if it is longer; names often differ at their ends."""
    cleaned = clean(text)
    if len(cleaned) <= most:
        return cleaned
    tail = most // 3
    return f"{cleaned[: most - tail - 1]}…{cleaned[-tail:]}"


def beginning_of(text: object, most: int) -> str:
    """The beginning of a text, cut at a space where there is one near the end."""
    cleaned = " ".join(clean(str(text)[: 2 * most + 100]).split())
    if len(cleaned) <= most:
        return cleaned
    cut = cleaned[: most - 1]
    at = cut.rfind(" ")
    return f"{cut[:at] if at > most // 2 else cut}…"


def escape(text: object) -> str:
    return html_text(str(text))


def join_children(children: Iterable[object]) -> Html:
    """Children one after the other; text among them is escaped."""
    parts: list[str] = []
    for child in children:
        if child is None or child is False:
            continue
        if isinstance(child, Html):
            parts.append(child)
        elif isinstance(child, list | tuple):
            parts.append(join_children(child))
        else:
            parts.append(escape(child))
    return Html("".join(parts))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """An element. ``class_`` and ``for_`` lose their underscore, others inside a name become hyphens.

    An attribute that is None or False is left out, one that is True has no value.

    >>> tag("a", "x < y", href="#top", class_="to")
    '<a href="#top" class="to">x &lt; y</a>'
    """
    written = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        label = key.rstrip("_").replace("_", "-")
        written.append(f" {label}" if value is True else f' {label}="{escape(value)}"')
    opening = f"<{name}{''.join(written)}>"
    return Html(opening if name in VOID else f"{opening}{join_children(children)}</{name}>")


def name_element(name: object, most: int = LONGEST) -> Html:
    """A name from the data: kept apart from the direction of the text around it, the whole of it in the tip if cut."""
    whole, shown = clean(name), shorten_middle(name, most)
    return tag("bdi", shown, class_="name", title=None if whole == shown else whole[:LONGEST_TIP])


def list_of(items: Iterable[object], kind: str = "ul", **attributes: object) -> Html:
    return tag(kind, [tag("li", item) for item in items], **attributes)


def disclosure(summary: object, *children: object, **attributes: object) -> Html:
    """Something that opens when it is asked for; without JavaScript too."""
    return tag("details", tag("summary", summary), *children, **attributes)


def phrase(names: Iterable[object], most: int = 5) -> Html:
    """``A`` · ``A and B`` · ``A, B, C and 7 more``, each name as ``named`` shows it."""
    every = list(names)
    pieces: list[object] = [name_element(name) for name in (every if len(every) <= most else every[: most - 1])]
    if len(every) > most:
        pieces.append(f"{len(every) - most + 1} more")
    if len(pieces) < 2:
        return join_children(pieces)
    parts: list[object] = []
    for place, part in enumerate(pieces):
        parts += [part, "" if place == len(pieces) - 1 else " and " if place == len(pieces) - 2 else ", "]
    return join_children(parts)
