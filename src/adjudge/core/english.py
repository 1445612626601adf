"""Numbers and names inside an English sentence: plurals, thousands, lists, p-values. The one place for each.

Messages of errors are made in every room, so this is in the lowest one; other sentences belong to ``words``.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
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


def p_value(p: float) -> str:
    """A p-value as a statement.

    >>> p_value(0.0312), p_value(0.00001), p_value(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'no p')
    """
    if math.isnan(p):
        return "no p"
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def rounded(value: float, digits: int) -> str:
    """A number with so many decimals: nothing for NaN, and no minus before a zero.

    >>> rounded(0.12345, 3), rounded(-0.0001, 2), rounded(float("nan"), 2)
    ('0.123', '0.00', '')
    """
    if math.isnan(value):
        return ""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def figure(value: float, digits: int = 4) -> str:
    """A figure as a page shows it: a dash where there is none, fewer decimals for large ones, a true minus.

    >>> figure(0.5), figure(-12.3456), figure(float("nan"))
    ('0.5000', '−12.35', '–')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) >= 1e6:
        return f"{value:.4g}".replace("-", "−")
    decimals = digits if abs(value) < 10 else max(0, digits - len(str(int(abs(value)))))
    return rounded(value, decimals).replace("-", "−")


def plain(value: float) -> str:
    """A figure in a sentence: three digits, none for whole numbers.

    >>> plain(12.0), plain(0.25)
    ('12', '0.250')
    """
    return f"{value:,.0f}".replace("-", "−") if value == round(value, 9) and value % 1 == 0 else figure(value, 3)


def signed(value: float, digits: int = 4) -> str:
    """A figure with its sign.

    >>> signed(0.5), signed(-0.5), signed(0)
    ('+0.5000', '−0.5000', '0.0000')
    """
    text = figure(value, digits)
    return text if text[0] in "−–" or not value > 0 else f"+{text}"


def percent(share: float) -> str:
    """A share in percent, with a decimal if it is small.

    >>> percent(0.5), percent(0.031), percent(0.0)
    ('50%', '3.1%', '0%')
    """
    return "–" if math.isnan(share) else f"{share:.0%}" if share in {0.0, 1.0} or share >= 0.1 else f"{share:.1%}"


def interval(ends: Sequence[float]) -> str:
    """From where to where; nothing if an end is missing.

    >>> interval((0.25, 0.5))
    '0.250 to 0.500'
    """
    low, high = float(ends[0]), float(ends[1])
    return "" if math.isnan(low) or math.isnan(high) else f"{figure(low, 3)} to {figure(high, 3)}"
