"""The list of threads: found by words, cut down by filters, sorted."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from ...qa.threads import Candidate
from ..board import DONE, Board
from ..events import ASSESSOR
from ..queue import DIFFER, ThreadRow
from ..sheet import BEGUN

SHOWN = ("todo", "begun", "later", "finished", "unsure", "differ", "all")
SORTED: dict[str, Callable[[ThreadRow], Any]] = {
    "title": lambda row: row.candidate.thread.title.casefold(),
    "newest": lambda row: _backwards(row.candidate.thread.question.date),
    "score": lambda row: -row.candidate.thread.question.score,
    "documents": lambda row: -len(row.candidate.citations),
    "sentences": lambda row: -len(row.candidate.sentences),
    "finished": lambda row: -row.finished,
}


def _backwards(date: str) -> tuple[int, ...]:
    return tuple(-ord(character) for character in date)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to see of the list."""

    show: str = ""
    find: str = ""
    tag: str = ""
    person: str = ""
    score: int | None = None
    sort: str = ""
    page: int = 1

    @property
    def filters(self) -> bool:
        return bool(self.tag or self.person or self.score is not None)

    def address(self, page: int) -> dict[str, str]:
        """The fields of its address, on another page of the list."""
        said = {"show": self.show, "find": self.find, "tag": self.tag, "person": self.person, "sort": self.sort}
        fields = {name: value for name, value in said.items() if value}
        if self.score is not None:
            fields["score"] = str(self.score)
        return fields | {"page": str(page)}


class Finder:
    """Which words stand in which threads. All different words are one text, so any piece of a word is soon found."""

    def __init__(self, candidates: Mapping[str, Candidate]) -> None:
        self.candidates = candidates

    @cached_property
    def _index(self) -> tuple[str, list[int], list[array[int]]]:
        threads_of: dict[str, array[int]] = {}
        for number, candidate in enumerate(self.candidates.values()):
            for word in set(_words(candidate).casefold().split()):
                threads_of.setdefault(word, array("l")).append(number)
        begins = list(accumulate((len(word) + 1 for word in threads_of), initial=0))
        return "\n".join(threads_of), begins, list(threads_of.values())

    def prepare(self) -> None:
        """Gather the words before anybody asks."""
        _ = self._index

    def threads(self, find: str) -> set[str]:
        """The threads that hold all words; words between quotation marks stand side by side."""
        pieces = find.casefold().split('"')
        phrases = [" ".join(piece.split()) for piece in pieces[1::2]]
        words = [word for piece in pieces for word in piece.split()]
        places: set[int] | None = None
        for word in words:
            having = self._having(word)
            places = having if places is None else places & having
        order = list(self.candidates)
        threads = set(order) if places is None else {order[place] for place in places}
        for phrase in phrases:
            threads = {
                thread for thread in threads if phrase in " ".join(_words(self.candidates[thread]).casefold().split())
            }
        return threads

    def _having(self, piece: str) -> set[int]:
        """The places of the threads with a word in which a piece of a word stands."""
        text, begins, threads_of = self._index
        having: set[int] = set()
        at = text.find(piece)
        while at >= 0:
            word = bisect_right(begins, at) - 1
            having.update(threads_of[word])
            at = text.find(piece, begins[word + 1])
        return having


def _words(candidate: Candidate) -> str:
    thread = candidate.thread
    answer = thread.accepted_answer
    pieces = [thread.id, thread.title, *thread.tags, *(citation.document for citation in candidate.citations)]
    pieces += [sentence.text for sentence in candidate.sentences]
    return " ".join([*pieces, "" if answer is None else answer.html]).replace("\n", " ")


@dataclass(frozen=True)
class Listing:
    """What a wish comes to."""

    show: str
    counts: dict[str, int]
    rows: list[ThreadRow]
    tally: Counter[tuple[Any, ...]]


def listing(rows: Iterable[ThreadRow], wish: Wish, board: Board, finder: Finder) -> Listing:
    """The threads that somebody wants to see, in the order asked for; without one in that of the file."""
    everything = list(rows)
    tally = Counter(row.kind for row in everything)
    kinds = {name: {kind for kind in tally if _belongs(name, *kind)} for name in SHOWN}
    counts = {name: sum(tally[kind] for kind in kinds[name]) for name in SHOWN}
    chosen = wish.show if wish.show in SHOWN else "todo" if counts["todo"] else "all"
    listed = everything if chosen == "all" else [row for row in everything if row.kind in kinds[chosen]]
    if wish.find:
        threads = finder.threads(wish.find)
        if len(threads) < len(finder.candidates):
            listed = [row for row in listed if row.candidate.id in threads]
    if wish.filters:
        listed = [row for row in listed if _passes(row, wish, board)]
    if wish.sort in SORTED:
        listed = sorted(listed, key=SORTED[wish.sort])
    return Listing(chosen, counts, listed, tally)


def _belongs(name: str, wanted: bool, mine: str, state: str, skipped: bool, unsure: bool) -> bool:
    return {
        "todo": wanted,
        "begun": mine == BEGUN,
        "later": skipped,
        "finished": mine in DONE,
        "unsure": unsure,
        "differ": state == DIFFER,
        "all": True,
    }[name]


def _passes(row: ThreadRow, wish: Wish, board: Board) -> bool:
    thread = row.candidate.thread
    if wish.tag and wish.tag not in thread.tags:
        return False
    if wish.score is not None and thread.question.score < wish.score:
        return False
    return not wish.person or board.status(thread.id, ASSESSOR, wish.person) in DONE
