"""Classes of words that no lexicon knows, from how they are written: digits, hyphens, prefixes, suffixes, capitals."""

from __future__ import annotations

import re
from collections.abc import Callable

from .classes import BITS, Class, profile

NOUN, ADJECTIVE, ADVERB, NUMBER = Class.NOUN, Class.ADJECTIVE, Class.ADVERB, Class.NUMBER
BOTH, EITHER = profile(ADJECTIVE, NOUN), profile(NOUN, ADJECTIVE)
NUMERAL, SIGN = profile(NUMBER), profile(Class.OTHER)

DASHES = re.compile("[-\u2010-\u2015\u2212]")
NUMERIC = re.compile(r"[+\-−]?\d[\d.,:/%\-–−]*(?:[eE][+\-]?\d+)?")
ORDINAL = re.compile(r"(?i)(?:\d+|[a-z])[-–]?(?:st|nd|rd|th)")
ROMAN = re.compile(r"(?=[IVXLCM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")

POSSESSIVES = ("'s", "’s", "'S", "’S", "s'", "s’")

LONGEST = 60
"""Longer words are no words."""

PREFIXES = set(
    """
    anti auto bi bio co counter cross cyber de di electro endo equi extra geo hetero homo hydro hyper infra inter
    intra iso macro mega meta micro mid mini mono multi nano neo neuro non omni over para photo poly post pre pro
    proto pseudo psycho quasi re semi sub super supra sur thermo trans tri ultra un under uni
    """.split()  # noqa: SIM905
)
"""What may stand before a word without changing its class."""
LONGEST_PREFIX = max(map(len, PREFIXES))

SUFFIXES = (
    ("like", ADJECTIVE), ("wise", ADVERB), ("ward", ADJECTIVE), ("wards", ADVERB),
    ("omial", EITHER), ("morphism", NOUN), ("tion", NOUN), ("sion", NOUN), ("ment", NOUN), ("ness", NOUN),
    ("ity", NOUN), ("ety", NOUN), ("ism", NOUN), ("ist", NOUN), ("ance", NOUN), ("ence", NOUN), ("ancy", NOUN),
    ("ency", NOUN), ("ship", NOUN), ("hood", NOUN), ("dom", NOUN), ("age", NOUN), ("ure", NOUN), ("logy", NOUN),
    ("graphy", NOUN), ("metry", NOUN), ("nomy", NOUN), ("pathy", NOUN), ("oid", NOUN), ("ics", NOUN), ("itis", NOUN),
    ("osis", NOUN), ("ium", NOUN), ("ase", NOUN), ("gen", NOUN), ("gram", NOUN), ("cide", NOUN), ("ine", EITHER),
    ("able", ADJECTIVE), ("ible", ADJECTIVE), ("uble", ADJECTIVE), ("ous", ADJECTIVE), ("ive", BOTH),
    ("ical", ADJECTIVE), ("ular", ADJECTIVE), ("inear", ADJECTIVE), ("inar", ADJECTIVE), ("less", ADJECTIVE),
    ("ful", ADJECTIVE), ("ish", ADJECTIVE),
    ("esque", ADJECTIVE), ("some", ADJECTIVE), ("ile", ADJECTIVE), ("ary", BOTH), ("ory", BOTH), ("al", BOTH),
    ("ic", BOTH), ("ian", BOTH), ("ean", BOTH), ("ant", BOTH), ("ent", BOTH), ("ese", BOTH),
    ("ize", Class.BASE), ("ise", Class.BASE), ("yze", Class.BASE), ("ify", Class.BASE), ("ate", Class.BASE),
)  # fmt: skip
"""The longest suffix that fits decides; the numbers are classes or profiles."""

# Verbs that no lexicon knows are as often nouns: the aggregate, the rise.
BY_SUFFIX = {
    suffix: bits if bits > Class.START else profile(bits, *[NOUN] * (bits == Class.BASE)) for suffix, bits in SUFFIXES
}
SIZES = sorted({len(suffix) for suffix, _ in SUFFIXES}, reverse=True)


def _by_suffix(word: str) -> int | None:
    return next((bits for size in SIZES if (bits := BY_SUFFIX.get(word[-size:])) and len(word) > size + 1), None)


def _by_inflection(word: str, known: Callable[[str], int | None]) -> int | None:
    """A known word with an ending: plural, third person, participle, adverb."""

    def can(stem: str, wanted: int) -> bool:
        bits = known(stem)
        return bits is not None and bool(bits >> BITS & 1 << wanted)

    def verb(stem: str) -> bool:
        return (
            can(stem, Class.BASE)
            or can(stem + "e", Class.BASE)
            or (stem[-1:] == stem[-2:-1] and can(stem[:-1], Class.BASE))
        )

    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        stems = [word[:-1]] + [word[:-2]] * word.endswith("es") + [word[:-3] + "y"] * word.endswith("ies")
        noun = any(can(stem, NOUN) for stem in stems)
        third = any(can(stem, Class.BASE) for stem in stems)
        if third and not noun:
            return profile(Class.PRESENT)
        # Plurals of words that nobody knows are nouns, as the words are.
        return profile(Class.PLURAL, Class.PRESENT) if third else profile(Class.PLURAL)
    if word.endswith("ly") and len(word) > 4:
        return profile(ADVERB)
    if word.endswith("ing") and len(word) > 5:
        return profile(Class.ING, NOUN) if verb(word[:-3]) else profile(Class.ING, NOUN, ADJECTIVE)
    if word.endswith("ed") and len(word) > 4:
        return profile(Class.PAST) if verb(word[:-2]) or word.endswith("ied") else profile(Class.PAST, ADJECTIVE)
    return None


def _compound(word: str, known: Callable[[str], int | None], depth: int) -> int | None:
    """Words with a hyphen: the last part decides."""
    parts = [part for part in DASHES.split(word) if part]
    if len(parts) < 2:
        return guess(parts[0], known, depth + 1) if parts and parts[0] != word else None
    last = parts[-1]
    bits = known(last) or known(last.lower()) or guess(last, known, depth + 1)
    best = bits & 31
    if best in {Class.PAST, ADJECTIVE, Class.ING}:
        return BOTH if bits >> BITS & 1 << NOUN else profile(ADJECTIVE)
    if best == NUMBER and NUMERIC.fullmatch(parts[0]):
        return profile(NUMBER)
    # low-rank, p-group: a noun, and before another one as good as an adjective. blow-up, x-1: nouns too.
    return EITHER


def _by_signs(word: str, known: Callable[[str], int | None], depth: int) -> int | None:
    """Words that are not letters alone: numbers, compounds, possessives, formulas; None if the letters decide."""
    if NUMERIC.fullmatch(word):
        return NUMERAL
    if not any(map(str.isalnum, word)):
        return SIGN
    if ORDINAL.fullmatch(word):
        return profile(ADJECTIVE)
    if DASHES.search(word):
        bits = _compound(word, known, depth)
        if bits is not None:
            return bits
    if word.endswith(POSSESSIVES):
        return profile(NOUN)
    return SIGN if sum(map(str.isalpha, word)) < 2 else None


def guess(word: str, known: Callable[[str], int | None], depth: int = 0) -> int:
    """The profile of a word that is not known; ``known`` gives profiles of those that are."""
    if len(word) < 2 or len(word) > LONGEST or depth > 3:
        return NUMERAL if word.isdigit() and len(word) == 1 else SIGN
    if not word.isalpha():
        bits = _by_signs(word, known, depth)
        if bits is not None:
            return bits
    elif ROMAN.fullmatch(word):
        return NUMERAL
    small = word.lower()
    bits = _by_inflection(small, known)
    if bits is None:
        for size in range(LONGEST_PREFIX, 1, -1):
            if len(small) > size + 3 and small[:size] in PREFIXES:
                bits = known(small[size:])
                if bits is not None and (bits & 31 <= ADVERB or bits & 31 == Class.PLURAL):
                    return bits
        bits = _by_suffix(small)
    if word[0].isupper():
        # Names: Riemannian is an adjective and a name, Banach and Keating are names.
        if small.endswith(("ian", "ean", "ese")):
            return BOTH
        return EITHER if bits in {BOTH, profile(ADJECTIVE)} else profile(NOUN)
    return profile(NOUN) if bits is None else bits
