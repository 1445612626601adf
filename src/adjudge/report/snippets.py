"""Snippets: the part of a document that shows best why it was found, with the words of the query marked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.visible import BREAKS, CONTROLS, HALVES, TURNS, visible

if TYPE_CHECKING:
    from ..text.analyzer import Analyzer

WIDTH = 160
"""Characters of a snippet: about two lines of a page."""
UNSHOWN = re.compile(f"[{CONTROLS}{BREAKS}{TURNS}]")
"""What would steer a terminal instead of being seen on it."""
HALF = re.compile(f"[{HALVES}]")

Span = tuple[int, int]
Place = tuple[int, int, int]
"""Where a word of the query begins and ends in a text, and its number."""
Terms = Collection[str] | Mapping[str, int]
"""Terms of the query, or for each string that stands for a word of it the number of that word; strings with blanks in
them are terms side by side."""


class Marked(NamedTuple):
    """A text and where in it, in characters, the words of the query stand."""

    text: str
    spans: tuple[Span, ...] = ()

    def render(self, before: str, after: str) -> str:
        """The text with something before and after each word of the query."""
        parts, done = [], 0
        for start, end in self.spans:
            parts += [self.text[done:start], before, self.text[start:end], after]
            done = end
        return "".join([*parts, self.text[done:]])

    def visible(self) -> Marked:
        """The same for people to read: characters that hide are spelled out, and the marks stay where they were."""
        text, spans, done = "", [], 0
        for start, end in self.spans:
            text += visible(self.text[done:start])
            spans.append((len(text), len(text) + len(visible(self.text[start:end]))))
            text += visible(self.text[start:end])
            done = end
        return Marked(text + visible(self.text[done:]), tuple(spans))


def one_line(text: str) -> str:
    """A text in one line: any white space is one blank, control characters too."""
    line = " ".join(text.split())
    if line.isprintable():  # nothing but white space was unprintable, if anything: most texts, ten times as fast
        return line
    return " ".join(HALF.sub("\ufffd", UNSHOWN.sub(" ", text)).split())


def mark_terms(text: str, analyzer: Analyzer, terms: Terms) -> Marked:
    """The whole text in one line, marked."""
    line = one_line(text)
    return mark_places(line, term_places(line, analyzer, terms))


def mark_places(line: str, places: Sequence[Place]) -> Marked:
    """A line with these places marked."""
    return Marked(line, tuple(_merge_spans(line, [(start, end) for start, end, _ in places])))


def snippet(text: str, analyzer: Analyzer, terms: Terms, width: int = WIDTH) -> Marked:
    """The window of a text with most different terms, then with most terms, then the first; its beginning if none."""
    line = one_line(text)
    return cut_window(line, term_places(line, analyzer, terms), width)


def cut_window(line: str, places: Sequence[Place], width: int) -> Marked:
    """The same for a line in which the terms were looked for."""
    first, last = best_window(places, width)
    within = places[first:last]
    start, end = _widen(line, within[0][0] if within else 0, max((p[1] for p in within), default=0), width)
    before, after = "… " if start else "", " …" if end < len(line) else ""
    spans = [(max(a, start), min(b, end)) for a, b, _ in places if a < end and b > start]
    shift = len(before) - start
    return Marked(
        before + line[start:end] + after,
        tuple((a + shift, b + shift) for a, b in _merge_spans(line, spans)),
    )


def best_window(places: Sequence[Place], width: int) -> tuple[int, int]:
    """First and last but one of the places (start, end, term), sorted by start, that make the best window; one pass."""
    inside: dict[int, int] = {}
    best, chosen, first = (0, 0), (0, 0), 0
    for last, (_, end, term) in enumerate(places):
        inside[term] = inside.get(term, 0) + 1
        while first < last and end - places[first][0] > width:
            gone = places[first][2]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        value = (len(inside), last + 1 - first)
        if value > best:
            best, chosen = value, (first, last + 1)
    return chosen


def term_places(line: str, analyzer: Analyzer, terms: Terms) -> list[Place]:
    """All words of a text that become a term of the query."""
    return places_in([line], analyzer, terms)[0]


def places_in(lines: Sequence[str], analyzer: Analyzer, terms: Terms) -> list[list[Place]]:
    """The same for several texts, which go through the analyzer together: a word that all have is stemmed once."""
    numbers = terms if isinstance(terms, Mapping) else {term: number for number, term in enumerate(terms)}
    if not numbers or not any(lines):
        return [[] for _ in lines]
    tokens = analyzer(lines, spans=True)
    if tokens.spans is None or not len(tokens.ids):
        return [[] for _ in lines]
    of_type = np.array([numbers.get(name, -1) for name in tokens.types], np.int64)
    several = {tuple(term.split(" ")): number for term, number in numbers.items() if " " in term}
    matches = of_type[tokens.ids]
    rows = np.flatnonzero(matches >= 0)
    owners = (tokens.offsets.searchsorted(rows, "right") - 1).tolist()
    places: list[list[Place]] = [[] for _ in lines]
    for owner, (start, end), term in zip(owners, tokens.spans[rows].tolist(), matches[rows].tolist(), strict=True):
        places[owner].append((start, end, term))
    if several:
        for own, (first, last) in zip(places, pairwise(tokens.offsets.tolist()), strict=True):
            own.extend(_side_by_side(several, tokens.types, tokens.ids[first:last], tokens.spans[first:last]))
    for own in places:
        own.sort()
    return places


def _side_by_side(
    several: Mapping[tuple[str, ...], int], types: Sequence[str], ids: npt.NDArray[Any], spans: npt.NDArray[Any]
) -> Iterator[tuple[int, int, int]]:
    """The same for terms that follow each other."""
    known = {name: number for number, name in enumerate(types)}
    for names, number in several.items():
        wanted = [known.get(name, -1) for name in names]
        if min(wanted) < 0 or len(ids) < len(wanted):
            continue
        there = np.logical_and.reduce([ids[k : len(ids) - len(wanted) + k + 1] == t for k, t in enumerate(wanted)])
        for first in np.flatnonzero(there).tolist():
            yield int(spans[first, 0]), int(spans[first + len(wanted) - 1, 1]), number


def _merge_spans(line: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Spans that overlap become one (n-grams do), and none begins or ends with a blank."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    for start, end in merged:
        word = line[start:end]
        if word.strip():
            yield start + len(word) - len(word.lstrip()), end - len(word) + len(word.rstrip())


def _widen(line: str, start: int, end: int, width: int) -> Span:
    """Widen a window on both sides to the width, then back to whole words where there are blanks to cut at."""
    end = min(end, start + width)
    left = max(0, min(start - (width - (end - start)) // 2, len(line) - width))
    right = min(len(line), left + width)
    if left and line[left - 1] != " ":
        blank = line.find(" ", left, start)
        left = blank + 1 if blank >= 0 else left
    if right < len(line) and line[right] != " ":
        blank = line.rfind(" ", end, right)
        right = blank if blank > left else right
    return (left + (line[left : left + 1] == " "), right - (line[right - 1 : right] == " ")) if left < right else (0, 0)
