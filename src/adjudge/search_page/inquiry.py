"""What a visitor asks for, as an address says it: words, values of fields, ranges, order, and a part of the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote_plus, urlencode

from ..web.refusals import RefusalError, number

LONGEST_QUESTION = 1000
"""Characters; a paragraph is a question too."""
MOST_FILTERS = 50
RELEVANCE = "relevance"
CHOICE, FROM, TO = "f.", "from.", "to."

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Inquiry:
    """A question with all that narrows its answer. The same value always has the same address."""

    words: str = ""
    choices: Pairs = ()
    """Fields and values: a document has one of those of each field."""
    lows: Pairs = ()
    """Fields and the least number that is taken."""
    highs: Pairs = ()
    order: str = RELEVANCE
    """relevance, id, or a field with + (rising) or - (falling) before it."""
    part: int = 1

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> Inquiry:
        """What the parameters of an address ask for; names that mean nothing here are passed over."""
        words, order, part = "", RELEVANCE, 1
        filters: dict[str, list[tuple[str, str]]] = {CHOICE: [], FROM: [], TO: []}
        for name, value in pairs:
            if name == "q":
                words = " ".join(value.split())
            elif name == "sort":
                order = value or RELEVANCE
            elif name == "part":
                part = max(1, number(value or "1"))
            else:
                for kind, listed in filters.items():
                    if name.startswith(kind) and value.strip():
                        listed.append((name.removeprefix(kind), value if kind == CHOICE else value.strip()))
        if len(words) > LONGEST_QUESTION:
            raise RefusalError(400, f"A question has at most {LONGEST_QUESTION:,} characters.")
        if sum(map(len, filters.values())) > MOST_FILTERS:
            raise RefusalError(400, f"At most {MOST_FILTERS} filters can be set at a time.")
        choices, lows, highs = (tuple(sorted(set(listed))) for listed in filters.values())
        return cls(words, choices, lows, highs, order, part)

    @property
    def narrowed(self) -> bool:
        """Whether a filter is set."""
        return bool(self.choices or self.lows or self.highs)

    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of its address."""
        pairs = [("q", self.words)] if self.words else []
        for kind, listed in ((CHOICE, self.choices), (FROM, self.lows), (TO, self.highs)):
            pairs += [(kind + name, value) for name, value in listed]
        pairs += [("sort", self.order)] if self.order != RELEVANCE else []
        return pairs + ([("part", str(self.part))] if self.part > 1 else [])

    def address(self, path: str = "/search", more: Sequence[tuple[str, str]] = ()) -> str:
        """Where its answer is, so that it can be kept and sent to others."""
        query = urlencode([*more, *self.pairs()], errors="surrogateescape")
        return f"{path}?{query}" if query else path

    def adding(self, name: str) -> str:
        """The beginning of the address at which a value of a field is chosen too; the value follows."""
        address = self.at(1).address()
        return f"{address}{'&' if '?' in address else '?'}{quote_plus(CHOICE + name, errors='surrogateescape')}="

    def toggled(self, name: str, value: str) -> Inquiry:
        """The same with a value of a field chosen, or no longer chosen."""
        pair = (name, value)
        rest = tuple(each for each in self.choices if each != pair)
        chosen = rest if len(rest) < len(self.choices) else tuple(sorted((*rest, pair)))
        return replace(self, choices=chosen, part=1)

    def without(self, name: str) -> Inquiry:
        """The same without the filters of a field."""
        kept = (tuple(each for each in pairs if each[0] != name) for pairs in (self.choices, self.lows, self.highs))
        choices, lows, highs = kept
        return replace(self, choices=choices, lows=lows, highs=highs, part=1)

    def ordered(self, order: str) -> Inquiry:
        return replace(self, order=order, part=1)

    def at(self, part: int) -> Inquiry:
        return replace(self, part=part)
