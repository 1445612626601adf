"""What the other words of a question say of a doubtful one.

A string that may be a word of the question, in a stretch of text that has the other words, is more probably this word
than it would be anywhere: what is asked for mostly stands there as a whole. So the odds that a word is in a stretch are
multiplied by 1 + company · m, where m is the mean probability of the other words in it. How much that is follows from
the text: where nothing is wrong there is no doubt for it to settle.
"""

from __future__ import annotations

from collections.abc import Sequence

COMPANY = 20.0
"""By so many times the share of wrong words the odds of a word grow in a stretch that has all the others."""


def company_of(wrong: float) -> float:
    """How far the company of other words counts in a text of which this share of words is wrong."""
    return COMPANY * wrong


def in_company(present: Sequence[float], company: float) -> list[float]:
    """The probabilities of words in a stretch, given those that each has by its own strings."""
    if len(present) < 2:
        return list(present)
    raised = []
    for p in present:
        more = company * (sum(present) - p) / (len(present) - 1)
        raised.append((1 + more) * p / (1 + more * p))
    return raised
