"""What the lexicon says of a word: the class it mostly belongs to, and the others that it can belong to."""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache

from .tagger import Tag


class Class(IntEnum):
    """Word classes as the rules of context tell them apart; up to ADVERB they can also be second choices."""

    NOUN = 0
    ADJECTIVE = 1
    BASE = 2
    """The base of a verb: VB, VBP."""
    PRESENT = 3
    """Its third person: VBZ."""
    PAST = 4
    """Its past tense or past participle: VBD, VBN."""
    ING = 5
    """Its present participle or gerund: VBG."""
    PREPOSITION = 6
    ADVERB = 7
    DETERMINER = 8
    NUMBER = 9
    MODAL = 10
    BE = 11
    HAVE = 12
    TO = 13
    THAT = 14
    PRONOUN = 15
    """What can be a subject: we, it, which."""
    CONJUNCTION = 16
    POSSESSIVE = 17
    """A possessive ending that is a token of its own."""
    OTHER = 18
    BREAK = 19
    """No word: punctuation."""
    START = 20
    """No word: the beginning or end of a sentence."""
    PLURAL = 21
    """A noun in the plural."""


BITS = 5
"""The lowest bits of a profile are the class that the word mostly has, the next eight those that it can have."""

TAGS = tuple(Tag[name] for name in "N A V V V V P R D M V V V X P X X X X X X N".split())  # noqa: SIM905
"""The tag of each class."""

PENN = {
    **dict.fromkeys(("NN", "NNP"), Class.NOUN),
    **dict.fromkeys(("NNS", "NNPS"), Class.PLURAL),
    **dict.fromkeys(("JJ", "JJR", "JJS"), Class.ADJECTIVE),
    **dict.fromkeys(("VB", "VBP"), Class.BASE),
    "VBZ": Class.PRESENT,
    **dict.fromkeys(("VBD", "VBN"), Class.PAST),
    "VBG": Class.ING,
    **dict.fromkeys(("RB", "RBR", "RBS", "RP", "WRB"), Class.ADVERB),
    "IN": Class.PREPOSITION,
    **dict.fromkeys(("DT", "PDT", "PRP$", "WP$"), Class.DETERMINER),
    "CD": Class.NUMBER,
    "MD": Class.MODAL,
    "TO": Class.TO,
    **dict.fromkeys(("PRP", "WP", "WDT", "EX"), Class.PRONOUN),
    "CC": Class.CONJUNCTION,
    "POS": Class.POSSESSIVE,
}
"""The Penn Treebank's tags; whatever is not here is OTHER."""


@cache
def profile(best: int, *others: int) -> int:
    """A word's classes in one number."""
    bits = 0
    for other in (best, *others):
        noun = other == Class.PLURAL
        bits |= 1 << (Class.NOUN if noun else other) if noun or other <= Class.ADVERB else 0
    return best | bits << BITS


@lru_cache(maxsize=4096)
def penn(tags: str) -> int:
    """The profile of a word with these tags of the Penn Treebank, the most frequent one first: ``NN VB|VBP``."""
    classes = [PENN.get(tag, Class.OTHER) for tag in tags.replace("|", " ").split()]
    return profile(classes[0], *classes[1:])
