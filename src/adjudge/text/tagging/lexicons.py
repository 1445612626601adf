"""Lexicons that other packages bring along, read from where they are installed."""

from __future__ import annotations

import os
from functools import lru_cache

from ...core.errors import DataError, MissingExtraError
from .classes import BITS, Class, penn
from .closed import OWN

PACKAGES = {
    "topia": ("topia.termextract", "topia/termextract/data/english-lexicon.txt"),
    "textblob": ("textblob", "textblob/en/en-lexicon.txt"),
}
"""Where each lexicon is: the package, and the file in it."""


def locate_lexicon(source: str) -> tuple[str, str]:
    """The file of a lexicon and the version of its package; a MissingExtraError if it is not installed."""
    from importlib import metadata

    package, file = PACKAGES[source]
    try:
        dist = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        raise MissingExtraError(
            f"the lexicon tagger reads its lexicon from {package}: pip install {package}, "
            f"or ask for lexicon(own), which needs nothing and knows less"
        ) from None
    path = str(dist.locate_file(file))
    if not os.path.isfile(path):
        raise MissingExtraError(f"{package} {dist.version} has no {file}: pip install --force-reinstall {package}")
    return path, dist.version


def name_profile(profile: int) -> int:
    """What is left of the profile of a name: what a lexicon says of it besides (Japanese, a verb) are slips."""
    if profile & 31 not in {Class.NOUN, Class.ADJECTIVE, Class.PLURAL}:
        return profile
    return profile & (31 | (1 << Class.NOUN | 1 << Class.ADJECTIVE) << BITS)


@lru_cache(maxsize=4)
def entries(source: str) -> dict[str, int]:
    """The profile of every word of a lexicon, our own words among them, which go before."""
    known: dict[str, int] = {}
    if source != "own":
        path, _ = locate_lexicon(source)
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                word, _, tags = line.strip().partition(" ")
                if tags and word != ";;;":
                    known[word] = name_profile(penn(tags)) if word[0].isupper() else penn(tags)
        if not known:
            raise DataError(f"{path}: no lexicon: not one line is a word and its tags")
    known.update(OWN)
    for word in OWN:
        # Whether a capital means a name is for the place of a word to say, not for a lexicon that has IT as PRP.
        for capital in {word.upper(), word.capitalize()} - OWN.keys() if len(word) > 1 else ():
            known.pop(capital, None)
    return known
