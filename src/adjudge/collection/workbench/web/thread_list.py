"""The list of threads: found by words, cut down by filters, sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
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
    """The words of all threads, ready to be looked through."""

    def __init__(self, candidates: Mapping[str, Candidate]) -> None:
        self.candidates = candidates

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        return [(thread, _words(candidate).casefold()) for thread, candidate in self.candidates.items()]

    def prepare(self) -> None:
        """Put the texts together before anybody asks."""
        _ = self._texts

    def threads(self, find: str) -> set[str]:
        """The threads that hold all words; words between quotation marks stand side by side."""
        pieces = find.casefold().split('"')
        wanted = [piece.strip() for piece in pieces[1::2]] + [word for piece in pieces[::2] for word in piece.split()]
        texts = self._texts
        for word in filter(None, wanted):
            texts = [(thread, text) for thread, text in texts if word in text]
        return {thread for thread, _ in texts}


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
    everything = [(_kind(row), row) for row in rows]
    tally = Counter(kind for kind, _ in everything)
    kinds = {name: {kind for kind in tally if _belongs(name, *kind)} for name in SHOWN}
    counts = {name: sum(tally[kind] for kind in kinds[name]) for name in SHOWN}
    chosen = wish.show if wish.show in SHOWN else "todo" if counts["todo"] else "all"
    listed = [row for kind, row in everything if kind in kinds[chosen]]
    if wish.find:
        threads = finder.threads(wish.find)
        listed = [row for row in listed if row.candidate.id in threads]
    if wish.filters:
        listed = [row for row in listed if _passes(row, wish, board)]
    if wish.sort in SORTED:
        listed.sort(key=SORTED[wish.sort])
    return Listing(chosen, counts, listed, tally)


def _kind(row: ThreadRow) -> tuple[bool, str, str, bool, bool]:
    return row.wanted, row.mine, row.state, row.skipped, row.unsure


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
