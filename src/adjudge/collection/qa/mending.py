"""Sentences that people mend, where rules cut one in two or saw one in two; documents that people add by hand.

A sentence is known by its number in the dump and the place in it where it begins, 0 for its first character; a formula,
code or a link is one character of a place. A break says whether a sentence begins at a place: where none says
otherwise, one begins at place 0 and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from .threads import NEITHER, PRELUDE, QUERY, TEXT, Candidate, Citation, Part, Sentence

Start = tuple[int, int]
"""The number of a sentence in the dump, and the place in it where a sentence begins."""
Value = TypeVar("Value")

HOLE = "\ufffc"
CUT = re.compile(r"(?<=[\s?!.;:\u2026)\]\u3002\uff01\uff1f\uff1b\uff0c])(?=\S)|(?<=\ufffc)(?=\S)")
BY_HAND = "added"
"""The kind of a citation that no pattern saw."""


@dataclass(frozen=True)
class SentenceBreak:
    """Whether a sentence begins at a place of a sentence of the dump."""

    sentence: int
    place: int = 0
    begins: bool = True


def flat_text(sentence: Sentence) -> str:
    """The characters that places count."""
    return "".join(part.text if part.kind == TEXT else HOLE for part in sentence.parts)


def cut_places(sentence: Sentence) -> tuple[int, ...]:
    """Where a sentence of the dump may be cut: before a word that follows a blank, a stop or a formula."""
    flat = flat_text(sentence)
    first = len(flat) - len(flat.lstrip())
    return tuple(match.start() for match in CUT.finditer(flat) if match.start() > first)


def mended_sentences(sentences: Sequence[Sentence], breaks: Iterable[SentenceBreak]) -> tuple[Sentence, ...]:
    """The sentences after cutting and joining; what rules propose for a piece is what they proposed for the whole."""
    begins = {(each.sentence, each.place): each.begins for each in breaks}
    if not begins:
        return tuple(sentences)
    mended: list[Sentence] = []
    for sentence in sentences:
        places = sorted(place for (number, place), yes in begins.items() if number == sentence.number and place and yes)
        for piece in _pieces(sentence, places):
            if mended and not begins.get((piece.number, piece.place), True):
                mended[-1] = _join(mended[-1], piece)
            else:
                mended.append(piece)
    return tuple(mended)


def _pieces(sentence: Sentence, places: Sequence[int]) -> list[Sentence]:
    if not places:
        return [sentence]
    edges = [0, *places, len(flat_text(sentence))]
    pieces = []
    for begin, end in pairwise(edges):
        parts, at = [], 0
        for part in sentence.parts:
            length = len(part.text) if part.kind == TEXT else 1
            low, high = max(begin, at), min(end, at + length)
            if low < high:
                parts.append(replace(part, text=part.text[low - at : high - at]) if part.kind == TEXT else part)
            at += length
        pieces.append(replace(sentence, parts=tuple(parts), place=begin))
    return pieces


def _join(first: Sentence, second: Sentence) -> Sentence:
    kind = next(kind for kind in (QUERY, PRELUDE, NEITHER) if kind in {first.kind, second.kind})
    asked = [each.micro_topic for each in (first, second) if each.kind == QUERY]
    parts = (*first.parts, Part(TEXT, " "), *second.parts)
    return replace(first, parts=parts, kind=kind, micro_topic=min(asked, default=0))


def mended_candidate(candidate: Candidate, breaks: Sequence[SentenceBreak], added: Sequence[str]) -> Candidate:
    """A candidate as somebody sees it who mended its sentences and added documents."""
    if not breaks and not added:
        return candidate
    known = {citation.document for citation in candidate.citations}
    by_hand = tuple(Citation(BY_HAND, document, "", document) for document in added if document not in known)
    sentences = mended_sentences(candidate.sentences, breaks)
    return replace(candidate, sentences=sentences, citations=(*candidate.citations, *by_hand))


def spread(
    values: Mapping[Start, Value], starts: Iterable[Start], breaks: Iterable[SentenceBreak] = ()
) -> dict[Start, Value]:
    """The value at each of more starts: that of the sentence in which it lies, if that one has a value.

    People who cut and join differently are compared piece by piece.

    >>> joined = [SentenceBreak(2, begins=False)]
    >>> spread({(1, 0): "prelude", (3, 0): "query"}, [(1, 0), (1, 9), (2, 0), (3, 0), (4, 0)], joined)
    {(1, 0): 'prelude', (1, 9): 'prelude', (2, 0): 'prelude', (3, 0): 'query'}
    """
    wanted = set(starts)
    joined = {(each.sentence, each.place) for each in breaks if not each.begins}
    covered: dict[Start, Value] = {}
    current: Value | None = None
    for start in sorted({*wanted, *values, *((number, 0) for number, _ in wanted)}):
        if start in values:
            current = values[start]
        elif not start[1] and start not in joined:
            current = None
        if current is not None and start in wanted:
            covered[start] = current
    return covered
