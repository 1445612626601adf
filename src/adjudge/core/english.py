"""Numbers and names inside an English sentence: plurals, thousands, lists, p-values. The one place for each.

Messages of errors are made in every room, so this is in the lowest one; other sentences belong to ``words``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

NAMED = 5
"""Topics that a sentence names; of more it says how many there are."""


def plural(count: int, single: str, several: str = "") -> str:
    """The form of a word that goes with a count: with an s unless another plural is given.

    >>> plural(1, "topic"), plural(0, "topic"), plural(2, "is", "are")
    ('topic', 'topics', 'are')
    """
    return single if count == 1 else several or f"{single}s"


def quantity(count: int, single: str, several: str = "") -> str:
    """A count and what is counted.

    >>> quantity(1, "topic"), quantity(1200, "topic"), quantity(2, "query", "queries")
    ('1 topic', '1,200 topics', '2 queries')
    """
    return f"{count:,} {plural(count, single, several)}"


def listing(names: Sequence[str], most: int = 0) -> str:
    """Names with commas and a last *and*; beyond ``most``, if it is above 0, how many more there are.

    >>> listing(["A"]), listing(["A", "B"]), listing(["A", "B", "C"]), listing(["A", "B", "C", "D"], 2)
    ('A', 'A and B', 'A, B and C', 'A, B and 2 more')
    """
    more = len(names) - most if 0 < most < len(names) else 0
    parts = [*names[:most], f"{more:,} more"] if more else list(names)
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def some(topics: Sequence[str]) -> str:
    """Some topics, the first of them by name.

    >>> some(["7"]), some(["7", "8", "9"]), some(list("123456"))
    ('topic 7', '3 topics (7, 8, 9)', '6 topics (1, 2, 3, 4, 5, …)')
    """
    if len(topics) == 1:
        return f"topic {topics[0]}"
    return f"{len(topics)} topics ({', '.join(topics[:NAMED])}{', …' if len(topics) > NAMED else ''})"


def number(value: float) -> str:
    """A number as people read it.

    >>> number(400), number(100 / 3), number(1200000)
    ('400', '33.3333', '1,200,000')
    """
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.1f}"


def p_text(p: float) -> str:
    """A p-value with as many digits as it deserves; nothing where there is none.

    >>> p_text(0.03125), p_text(0.0000123), p_text(float("nan"))
    ('0.0312', '1.2e-05', '')
    """
    return "" if math.isnan(p) else f"{p:.4f}" if p >= 0.0001 or p == 0 else f"{p:.1e}"
