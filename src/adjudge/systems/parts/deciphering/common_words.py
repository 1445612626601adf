"""Common words of a question: too common to say which documents are wanted, but not where in them.

Words of a list of stop words are not looked for in documents. Where the other words of the question stand, however, a
common word that stands there too is a sign that the question is about this place: whoever asks for a phrase asks for
all of it. So the best documents are looked at again for these words as well. What one counts there follows from how
often it would be in any stretch of so many strings; and since people put common words around what they ask for as
they like, it counts half of what another word does.

What stands for a common word is learned as for others, but only strings that are surely it count, and only words that
occur seldom enough in all the text to be looked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ....text.stopwords import words_of
from .closeness import HALF, AskedWord
from .word_forms import Asking, Forms

SURE = 0.3
"""The least probability of a string that stands for a common word."""
PART = 0.5
"""What a common word counts of what another does."""
OCCURRENCES = 50_000
"""How often the common words of a question occur in all the text, of which those that occur most are left out."""


def is_file(name: str) -> bool:
    """Whether a file is meant, and no list by name."""
    return "/" in name or "." in name


def stop_list(name: str | None, place: Callable[[str], Path]) -> frozenset[str]:
    """The words of a list by its name, or of the file at its place; none without either."""
    if name is None:
        return frozenset()
    words = words_of(place(name) if is_file(name) else name)
    return words | {word.replace("'", "’") for word in words}


def plainly(asking: Asking) -> Asking:
    """How strings are found for a common word: it is not joined with others, and has no stem."""
    return replace(asking, stems=False, joined=False, grams=False)


def sure_strings(forms: Forms) -> Forms:
    """The strings that stand for a common word."""
    return forms.select(forms.weights >= SURE)


def seldom_enough(occurrences: Mapping[str, float]) -> list[str]:
    """The words that are looked for, those that occur least first."""
    chosen, total = [], 0.0
    for often, word in sorted((often, word) for word, often in occurrences.items() if often > 0):
        total += often
        if total > OCCURRENCES:
            break
        chosen.append(word)
    return chosen


def near_odds(share: float) -> float:
    """The odds that a stretch has a word for a reason, where it is so large a share of the text."""
    by_chance = -math.expm1(-2 * HALF * share)
    return 1 / by_chance - 1


def common_word(forms: Forms, times: int, share: float, rarity: float) -> AskedWord:
    """A common word as it counts near the others."""
    return AskedWord(forms, PART * times, near_odds(share) / rarity)


def split(words: Sequence[str], common: frozenset[str]) -> tuple[list[str], list[str]]:
    """The words that a question is about, and its common words; where there are no others, it is about these."""
    others = [word for word in words if word not in common]
    return (others, [word for word in words if word in common]) if others else (list(words), [])
