"""The answer to what a visitor asks: how many documents, which values of fields they have, and the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.note import Note
from ..index.accumulation import best
from ..index.searching import Hits, MatchSet
from ..page_view.recent_values import Recent
from ..report.search_results import Hit, found_by
from ..web.refusals import RefusalError
from .catalogue import Catalogue
from .inquiry import RELEVANCE, Inquiry

Integers = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
A_PART = 10
"""Documents that are listed together."""
DEEPEST = 10_000
"""So many documents of a list can be looked at; nobody reads on, and a machine should ask for less at a time."""
FEW, MANY = 8, 24
"""Values of a field that are offered at once, and when more are asked for."""
BY_ID = "id"
KEPT = 4_000_000
"""Documents in all answers that are kept for the next request."""


class FieldValue(NamedTuple):
    """A value that can be chosen, and how many documents would be left."""

    value: str
    documents: int
    chosen: bool


@dataclass(frozen=True)
class FieldChoice:
    """A field by which documents can be chosen."""

    name: str
    values: tuple[FieldValue, ...]
    """Chosen ones first, then the most frequent."""
    others: int
    """How many more values there are."""
    numbers: bool
    low: str = ""
    high: str = ""

    @property
    def active(self) -> bool:
        return bool(self.low or self.high or any(value.chosen for value in self.values))


@dataclass(eq=False)
class Outcome:
    """Every document that an answer has."""

    catalogue: Catalogue
    asked: Inquiry
    documents: Integers
    scores: Floats
    choices: tuple[FieldChoice, ...]
    note: Note | None
    _order: dict[int, Integers] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def _keys(self) -> Floats:
        """What documents are ordered by, highest first."""
        order, catalogue = self.asked.order, self.catalogue
        if order == RELEVANCE:
            return self.scores
        if order == BY_ID:
            return -catalogue.index.id_ranks[self.documents].astype(np.float64)
        codes = catalogue.columns[order[1:]].codes[self.documents]
        keys = np.append(catalogue.places(order[1:]), np.nan)[codes]  # NONE is the last
        keys = keys if order[0] == "-" else -keys
        return np.where(np.isnan(keys), -np.inf, keys)

    def first(self, count: int) -> Integers:
        """The places of the first so many documents in their order."""
        count = min(count, len(self))
        for known, order in list(self._order.items()):
            if known >= count:
                return order[:count]
        size = min(len(self), max(64, 1 << (count - 1).bit_length())) if count else 0
        if self.asked.words or self.asked.order != RELEVANCE:
            order = best(self._keys, self.documents, self.catalogue.index.id_ranks, size)
        else:  # nothing was asked: as they came
            order = np.arange(size)
        self._order[size] = order
        return order[:count]

    def hits(self, first: int, count: int) -> tuple[Hit, ...]:
        """The documents from a place on, with snippets."""
        places = self.first(first + count)[first:]
        shown = Hits(self.documents[places].astype(np.int64), self.scores[places], self.catalogue.index)
        words = self.asked.words
        marking = self.catalogue.marking(words)
        answer = found_by(self.catalogue.answerer, self.catalogue.system, words, shown, marking=marking)
        return tuple(hit._replace(rank=hit.rank + first) for hit in answer.hits)

    def around(self, document: int) -> tuple[int, int | None, int | None]:
        """The rank of a document, the one before it and the one after; 0 if it is not among the first."""
        ranking = self.documents[self.first(min(len(self), 1000))]
        at = np.flatnonzero(ranking == document)
        if not len(at):
            return 0, None, None
        rank = int(at[0])
        before = int(ranking[rank - 1]) if rank else None
        return rank + 1, before, int(ranking[rank + 1]) if rank + 1 < len(ranking) else None


class Answers:
    """Answers questions, and remembers what it answered last."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._outcomes: Recent[Outcome] = Recent(KEPT, lambda outcome: len(outcome) + 1000.0)
        self._matches: Recent[MatchSet] = Recent(KEPT, lambda matches: len(matches.documents) + 1000.0)

    def outcome(self, asked: Inquiry) -> Outcome:
        """All that a question finds."""
        whole = asked.at(1)
        return self._outcomes.get(whole, lambda: self._find(whole))

    def _find(self, asked: Inquiry) -> Outcome:
        catalogue = self.catalogue
        self._check(asked)
        matches = self._matches.get(asked.words, lambda: self._every(asked.words))
        documents, scores = matches.documents, matches.scores
        tests = {name: self._test(asked, name, documents) for name in self._filtered(asked)}
        choices = tuple(self._choice(asked, name, documents, tests) for name in catalogue.offered)
        if tests:
            left = np.logical_and.reduce(list(tests.values()))
            documents, scores = documents[left], scores[left]
        return Outcome(catalogue, asked, documents, scores, choices, matches.note)

    def _every(self, words: str) -> MatchSet:
        if words:
            return self.catalogue.answerer.matches(words)
        return MatchSet(np.arange(len(self.catalogue)), np.zeros(len(self.catalogue)))

    def _check(self, asked: Inquiry) -> None:
        catalogue = self.catalogue
        for name, _ in asked.choices:
            if name not in catalogue.columns:
                raise RefusalError(400, f"Documents have no field {name!r:.100}.")
        for name, value in (*asked.lows, *asked.highs):
            if name not in catalogue.numeric:
                raise RefusalError(400, f"Documents have no field {name!r:.100} with numbers.")
            _number(value)
        if asked.order not in {RELEVANCE, BY_ID} and not (
            asked.order[:1] in {"+", "-"} and asked.order[1:] in catalogue.sortable
        ):
            raise RefusalError(400, f"Documents cannot be sorted by {asked.order!r:.100}.")

    def _filtered(self, asked: Inquiry) -> list[str]:
        return sorted({name for name, _ in (*asked.choices, *asked.lows, *asked.highs)})

    def _test(self, asked: Inquiry, name: str, documents: Integers) -> npt.NDArray[np.bool_]:
        """Which of the documents pass the filters of a field."""
        column = self.catalogue.columns[name]
        chosen = [
            column.numbers[value] for field_, value in asked.choices if field_ == name and value in column.numbers
        ]
        if any(field_ == name for field_, _ in asked.choices):
            wanted = np.zeros(len(column.values), bool)
            wanted[chosen] = True
        else:
            wanted = np.ones(len(column.values), bool)
        for field_, value in asked.lows:
            if field_ == name:
                wanted &= self.catalogue.numeric[name] >= _number(value)
        for field_, value in asked.highs:
            if field_ == name:
                wanted &= self.catalogue.numeric[name] <= _number(value)
        if column.single:
            return np.append(wanted, False)[column.codes[documents]]  # NONE is the last
        return column.having(np.flatnonzero(wanted).tolist(), len(self.catalogue))[documents]

    def _choice(
        self, asked: Inquiry, name: str, documents: Integers, tests: dict[str, npt.NDArray[np.bool_]]
    ) -> FieldChoice:
        """The values of a field among the documents that pass the filters of all other fields."""
        column, others = self.catalogue.columns[name], [test for other, test in tests.items() if other != name]
        left = documents[np.logical_and.reduce(others)] if others else documents
        whole = len(left) == len(self.catalogue)
        counts = column.counts(None if whole else left, len(self.catalogue))
        chosen = {value for field_, value in asked.choices if field_ == name}
        numbers = name in self.catalogue.numeric
        there = np.flatnonzero(counts)
        top = there[np.lexsort((there, -counts[there]))[: MANY + len(chosen)]].tolist()
        mine = [FieldValue(value, int(counts[column.numbers[value]]) if value in column.numbers else 0, True)
                for value in sorted(chosen)]  # fmt: skip
        listed = zip((column.values[n] for n in top), counts[top].tolist(), strict=True)
        rest = [FieldValue(value, many, False) for value, many in listed if value not in chosen][:MANY]
        low, high = (dict(pairs).get(name, "") for pairs in (asked.lows, asked.highs))
        hidden = max(0, len(there) - len(rest) - sum(value.documents > 0 for value in mine))
        return FieldChoice(name, (*mine, *rest), hidden, numbers, low, high)

    def part(self, asked: Inquiry, size: int = A_PART) -> tuple[Outcome, tuple[Hit, ...]]:
        """The outcome and the documents of the part that is asked for."""
        outcome = self.outcome(asked)
        first = (asked.part - 1) * size
        if first + size > DEEPEST and asked.part > 1:
            raise RefusalError(400, f"Only the first {DEEPEST:,} documents are listed: ask for something narrower.")
        return outcome, outcome.hits(first, size)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise RefusalError(400, f"{text!r:.50} is no number.")
    return value


def best_values(choice: FieldChoice, most: int = FEW) -> Sequence[FieldValue]:
    """The values that are shown at once."""
    return choice.values[: max(most, sum(value.chosen for value in choice.values))]
