"""Text from data, made visible: one table of characters that hide, steer or cannot be written, one way to show them.

Names, ids, questions and documents come from files that anybody may have written. Wherever people read them, on the
page, in the workbench, in notebooks, figures, terminal tables and messages, these characters are spelled as Python
spells them (``\\x1b``, ``\\u202e``). What scripts read (CSV, JSON, Parquet, runs) has them as they are.
"""

from __future__ import annotations

from functools import cache, lru_cache

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    import re

CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
"""They steer terminals, and HTML forbids them; tab and the ends of lines are white space."""
BREAKS = "\t\n\f\r\u2028\u2029"
"""White space that is a blank where a text has one line."""
TURNS = "\u202a-\u202e\u2066-\u2069"
"""They turn round the direction of all that follows, our own words too."""
MARKS = "\u061c\u200e\u200f"
"""Marks of direction. They reach no further than their neighbours, and texts in Hebrew or Arabic need them."""
JOINERS = "\u200b-\u200d"
"""Characters without width. Persian, the languages of India, Khmer, Thai and emoji need them between their signs."""
UNSEEN = "\u180e\u2060\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
"""Byte-order marks, tags and other signs to programs. Invisible operators (U+2061 to U+2064) are mathematics: left."""
HALVES = "\ud800-\udfff"
"""Lone surrogates, which UTF-8 has not; also bytes that were no UTF-8."""
NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
RIGHT_TO_LEFT = (
    "\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
)
JOINING = (
    "\u0590-\u061b\u061d-\u180d\u180f-\u1fff\u2600-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\uffef\U00010000-\U0001ffff"
)
"""Signs after which a joiner may stand. After others, as Latin letters, it can only hide."""

_BLANKS = dict.fromkeys(map(ord, BREAKS), " ")
_LINES = {0x2028: "\n", 0x2029: "\n"}


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """All characters of the table, those to spell in most texts and in texts from right to left, and such letters."""
    import re  # when the first such text is met: most commands meet none

    always, stray = f"{CONTROLS}{TURNS}{UNSEEN}{HALVES}{NONCHARACTERS}", f"(?<![{JOINING}])[{JOINERS}]"
    patterns = (
        f"[{always}{MARKS}{JOINERS}]",
        f"[{always}{MARKS}]|{stray}",
        f"[{always}]|{stray}",
        f"[{RIGHT_TO_LEFT}]",
    )
    table, most, leftward, letters = map(re.compile, patterns)
    return table, most, leftward, letters


def visible(text: str) -> str:
    """The same text in one line, with what cannot be seen spelled as in Python.

    >>> print(visible("a\\x00b\\n\\u202ec"))
    a\\x00b \\u202ec
    """
    if text.isprintable():
        return text
    return _spell(text.translate(_BLANKS))


def visible_lines(text: str) -> str:
    """The same with its tabs and its ends of lines.

    >>> print(visible_lines("a\\x00b\\nc"))
    a\\x00b
    c
    """
    return text if text.isprintable() else _spell(text.translate(_LINES))


def _spell(text: str) -> str:
    table, most, leftward, letters = _patterns()
    if not table.search(text):
        return text
    return (leftward if letters.search(text) else most).sub(lambda match: repr(match[0])[1:-1], text)


@lru_cache(maxsize=4096)
def visible_line(text: str) -> str:
    """The text made visible, any white space in it a single blank.

    >>> visible_line("a\\t b\\x00")
    'a b\\\\x00'
    """
    return visible(" ".join(text.split()))


def spell_out(text: str) -> str:
    """Text shown as evidence, in errors and tables of characters: all that is not printable stays distinguishable.

    >>> print(spell_out("301\\t\\xa0x\\u200d"))
    301\\t\\xa0x\\u200d
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def html_text(text: str) -> str:
    """Text for HTML and XML, between tags or in attributes: visible and escaped.

    >>> html_text('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    from html import escape

    return escape(visible(text), quote=True)
