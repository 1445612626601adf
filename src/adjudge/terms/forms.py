"""Form classes: the strings that are forms of one term, as Table 3 of Stathopoulos & Teufel shows them.

The key of a form is its words in lower case, dashes folded into one, the last word in the singular. Forms with the same
key are one class, and the key is its name. If dashes and blanks are merged, the key has blanks in place of dashes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..text.filters.lower import LowerFilter
from ..text.tokenizers.standard import StandardTokenizer
from .singular import singular

DASHES = dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
JOIN = "_"
"""What joins the words of a term to one token, which tokenizers leave whole."""
QUOTES = {0x2018: "'", 0x2019: "'", 0x201B: "'", 0x2032: "'", 0xFF07: "'"}
SIGNS = {
    **dict.fromkeys([0x201C, 0x201D, 0x201E, 0x00AB, 0x00BB, 0x2033], '"'),
    **dict.fromkeys([0x2014, 0x2015], "|"),
    **dict.fromkeys([0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000], " "),
    **dict.fromkeys([0x2010, 0x2011], "-"),
}
PLAIN = QUOTES | SIGNS
"""Typographic signs and the plain ones that part or join words in the same way."""
BAR = "|"
FEW = 16
"""Different signs that are quicker replaced one by one."""
OTHER = re.compile(r"[^\x00-\x7F]")
EN_DASH = re.compile(r"[\u2012\u2013](?:(?<=[^\W_].)(?=[^\W\d_])|(?<=[^\W\d_].)(?=[^\W_]))")
"""A dash between two words is a hyphen as in Calabi–Yau; one between two numbers is not."""


def plain(text: str) -> str:
    """A text with plain signs in place of typographic ones, so that most texts are ASCII, which is quicker to cut.

    Every character keeps its place, and words are parted where they were: signs that only part words become a bar.
    """
    if text.isascii():
        return text
    if "\u2013" in text or "\u2012" in text:
        text = EN_DASH.sub("-", text)
    signs = {character: sign for character in set(OTHER.findall(text)) if (sign := _sign(character)) != character}
    if len(signs) > FEW:
        return text.translate({ord(character): sign for character, sign in signs.items()})
    for character, sign in signs.items():
        text = text.replace(character, sign)
    return text


@lru_cache(maxsize=1 << 14)
def _sign(character: str) -> str:
    sign = PLAIN.get(ord(character))
    if sign is None:
        rule = StandardTokenizer(dashes=True).rule()
        parts = all(rule.tokens(f"{x}{character}{x}") == [x, x] for x in "a1") and not rule.tokens(character)
        sign = BAR if parts and not character.isspace() else character
    return sign


def in_lower_case(words: Sequence[str]) -> list[str]:
    """Words in lower case with one kind of dash."""
    return [word if word.isascii() else word.translate(DASHES) for word in LowerFilter()(words)]


def key_of(form: str) -> tuple[str, ...]:
    """The words that tell a form's class as long as dashes and blanks are distinguished.

    >>> key_of("Calabi\\u2013YAU Manifolds")
    ('calabi-yau', 'manifold')
    """
    words = in_lower_case(form.split())
    return (*words[:-1], singular(words[-1])) if words else ()


def class_of(form: str, *, merge_dashes: bool = False) -> str:
    """The name of a form's class.

    >>> class_of("RIEMANNIAN MANIFOLDS"), class_of("Calabi-Yau manifolds", merge_dashes=True)
    ('riemannian manifold', 'calabi yau manifold')
    """
    name = " ".join(key_of(form))
    return " ".join(parts_of(name)) if merge_dashes else name


def parts_of(word: str) -> list[str]:
    """A word at its dashes: ``calabi-yau`` gives two."""
    return [part for part in re.split(r"[- ]", word) if part]


def token_of(name: str) -> str:
    """The one token that stands for a class in a text: ``riemannian_manifold``."""
    return name.replace(" ", JOIN)
