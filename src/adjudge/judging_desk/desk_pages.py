"""The pages of the judging desk, written by templates that escape everything."""

from __future__ import annotations

import math
import re
import secrets
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from html import unescape
from typing import Any

from markupsafe import Markup, escape

from ..collection.workbench.events import ADJUDICATOR, ASSESSOR
from ..collection.workbench.web.mathematics import let_through
from ..comparison.judge_agreement import JudgeComparison
from ..core.topic import Topic
from ..core.visible import visible_lines
from ..formats.documents.formula_places import PlacedFormula
from ..formats.tag_soup import escape_text
from ..page_view.page_sheets import LETTER, Box, PageSheet, boxes_of, sheet_of
from ..report.snippets import WIDTH, cut_window, one_line, places_in, term_places
from ..storage.digest import sha256
from ..text.analyzer import Analyzer
from ..web.looks import environment
from .desk_documents import LONGEST_TEXT, DeskDocuments
from .desk_figures import agreement_of, assessor_figures, assessor_pace
from .judgment_book import JudgmentBook, PairKey
from .judgment_files import grade_files, summarise
from .pool_search import MOST_FOUND, PoolSearch
from .turns import Turns

MOST_LISTED = 200
LONGEST_FIND = 200
MARK = Markup("<mark>{}</mark>")
FORMULA, WIDE = Markup('<span class="formula{}" data-symbols="{}">{}</span>'), 60
"""Characters of a formula that may be wider than its column, and can be moved sideways then."""
NAMED = re.compile(r"&[A-Za-z]\w*;")
"""Names of characters that HTML knows and XML does not."""
QUERY_WORDS = "standard|lower|stop|porter"
"""How words of topics are compared with words of documents: this marks them, and changes no judgment."""


@dataclass(frozen=True)
class ShownDocument:
    """A document as it is read at the desk."""

    title: Markup
    text: Markup
    cut: int
    """Characters that are not shown."""
    digest: str
    """Of the text, kept with the judgment."""


@dataclass(frozen=True)
class MarkedPlace:
    """A word of the topic on a scanned page."""

    number: int
    text: str
    boxes: tuple[Box, ...]
    reading: str = ""


@dataclass(frozen=True)
class ShownPage:
    """A scanned page of a document, with the words of the topic marked."""

    sheet: PageSheet
    labels: tuple[str, ...]
    """Of all pages."""
    marks: tuple[MarkedPlace, ...]


class DeskPages:
    """Makes HTML. ``facts`` is what every page knows about who looks at it."""

    def __init__(
        self,
        name: str,
        book: JudgmentBook,
        turns: Turns,
        topics: Sequence[Topic],
        documents: DeskDocuments | None = None,
    ) -> None:
        self.name, self.book, self.turns, self.documents = name, book, turns, documents
        given = {topic.id: topic for topic in topics}
        self.topics: Mapping[str, Topic] = {id_: given.get(id_, Topic(id_)) for id_ in book.pool.topics}
        self._agreement: tuple[int, tuple[JudgeComparison, ...]] = (-1, ())

    @cached_property
    def _templates(self) -> Any:
        templates = environment("adjudge.judging_desk")
        templates.filters["figure"] = figure
        templates.globals["project"] = visible_lines(self.name)
        return templates

    def prepare(self) -> None:
        """Compile all templates and lay out the pool for searching, so that nobody waits for it."""
        for name in self._templates.list_templates(["html"]):
            self._templates.get_template(name)
        _ = self._search

    @cached_property
    def _search(self) -> PoolSearch:
        return PoolSearch(self.book.pool, self.documents)

    @cached_property
    def _analyzer(self) -> Analyzer:
        return Analyzer.parse(QUERY_WORDS)

    def _render(self, template: str, facts: dict[str, Any], **given: Any) -> str:
        own: dict[str, Any] = {"key": secrets.token_hex(16), "here": template, "rules": self.book.rules}
        own["total"] = int(self.book.queue.shares.sum())
        own["open"] = facts["adjudicator"] or not self.book.rules.several  # who judges blindly sees no counts of grades
        text: str = self._templates.get_template(f"{template}.html").render(**own, **facts, **given)
        return text

    def overview(self, facts: dict[str, Any]) -> str:
        who, book = facts["who"], self.book
        own = set(book.rules.own_topics(who, book.pool.topics))
        rows = [
            (self.topics[topic], book.queue.progress(topic), book.count(who, topic), topic in own)
            for topic in book.pool.topics
        ]
        people = [assessor_pace(book, name) for name in book.assessors] if facts["adjudicator"] else []
        mine = assessor_pace(book, who)
        return self._render(
            "overview", facts, rows=rows, people=people, mine=mine, differ=len(book.differ), bad=len(book.bad)
        )

    def shown(self, pair: PairKey) -> ShownDocument | None:
        """A document of the pool with the words of its topic marked; None if it is not at hand."""
        known = None if self.documents is None else self.documents(pair[1])
        if known is None:
            return None
        title, text = known
        formulas = tuple(self.documents.formulas(pair[1])) if self.documents is not None else ()
        return _shown(self._analyzer, self.topics[pair[0]].query, title, text, formulas)

    def page(self, pair: PairKey, asked: int | None) -> ShownPage | None:
        """A page of a scanned document: the one that is asked for, or the first with a word of the topic."""
        known = None if self.documents is None else self.documents(pair[1])
        if self.documents is None or known is None or not (pages := self.documents.pages(pair[1])):
            return None
        text, analyzer = known[1], self._analyzer
        terms = frozenset(analyzer.terms(self.topics[pair[0]].query))
        found: list[tuple[int, MarkedPlace]] = []
        for start, end, _ in term_places(text, analyzer, terms) if terms else ():
            on, boxes = boxes_of(pages, start, end)
            if boxes:
                found.append((on, MarkedPlace(len(found) + 1, text[start:end], boxes)))
        first = found[0][0] if found else 0
        at = first if asked is None else min(max(asked, 0), len(pages) - 1)
        labels = tuple(page.label or str(place) for place, page in enumerate(pages, 1))
        sheet = sheet_of(text, pages[at], at, self.documents.with_images)
        return ShownPage(sheet, labels, tuple(mark for on, mark in found if on == at))

    def pair(self, facts: dict[str, Any], pair: PairKey, role: str, page: int | None = None) -> str:
        who, book = facts["who"], self.book
        judged = book.judgment(pair, role, who)
        others = book.people(pair) if role == ADJUDICATOR else {}
        return self._render(
            "pair",
            facts,
            topic=self.topics[pair[0]],
            document=pair[1],
            shown=self.shown(pair),
            scan=self.page(pair, page),
            letter=LETTER,
            role=role,
            judged=judged,
            others=others,
            progress=book.queue.progress(pair[0]),
            own=book.count(who, pair[0]),
            last=book.last(who, role),
            seen=book.standing(pair) if role == ADJUDICATOR else "",
            left=len(book.differ),
        )

    def topic(self, facts: dict[str, Any], topic: str, find: str) -> str:
        """What somebody has judged of a topic, to be looked at again; found by words of ids, notes and texts."""
        wanted = find.casefold()[:LONGEST_FIND]
        judged = self.book.judgments(facts["who"], topic)
        if wanted:
            judged = [each for each in judged if wanted in self._searched(each.document, each.note)]
        return self._render(
            "topic",
            facts,
            topic=self.topics[topic],
            find=find,
            rows=judged[::-1][:MOST_LISTED],
            count=len(judged),
            progress=self.book.queue.progress(topic),
        )

    def find(self, facts: dict[str, Any], words: str, topic: str, skip: int = 0) -> str:
        """Pairs of the pool whose document has some words, but for the first so many; what others said is not shown."""
        who, book = facts["who"], self.book
        own = tuple(book.pool.topics) if facts["adjudicator"] else book.rules.own_topics(who, book.pool.topics)
        within = tuple(each for each in own if not topic or each == topic)
        found = self._search.find(words[:LONGEST_FIND], within, partial(book.rules.may_judge, who), skip)
        rows = [
            (self.topics[pair[0]], pair[1], title, excerpt, book.judgment(pair, ASSESSOR, who))
            for pair, (title, excerpt) in zip(found.pairs, self._excerpts(found.pairs, words), strict=True)
        ]
        given = {"words": words, "topic": topic, "skip": skip, "more": found.more, "step": MOST_FOUND}
        return self._render("find", facts, rows=rows, choice=[self.topics[each] for each in own], **given)

    def _excerpts(self, pairs: Sequence[PairKey], words: str) -> list[tuple[str, Markup]]:
        """The titles of documents, and the parts of them that have the words."""
        source = self.documents or (lambda _: None)
        known = {document: source(document) or ("", "") for document in dict.fromkeys(pair[1] for pair in pairs)}
        lines = [one_line(text) for _, text in known.values()]
        places = places_in(lines, self._analyzer, frozenset(self._analyzer.terms(words)))
        windows = (cut_window(line, own, WIDTH) for line, own in zip(lines, places, strict=True))
        made = {
            document: (title, marked_spans(window.text, window.spans))
            for (document, (title, _)), window in zip(known.items(), windows, strict=True)
        }
        return [made[document] for _, document in pairs]

    def _searched(self, document: str, note: str) -> str:
        known = None if self.documents is None else self.documents(document)
        return " ".join((document, note, *(known or ()))).casefold()

    def agreement(self, facts: dict[str, Any], blind: bool) -> str:
        book = self.book
        if blind:
            return self._render("agreement", facts, blind=True, results=(), people=[], rows=[], differ=0)
        with book.lock:
            if self._agreement[0] != book.read:
                self._agreement = (book.read, agreement_of(book))
            results = self._agreement[1]
        shown = list(book.differ)[:MOST_LISTED]
        rows = [(pair, book.people(pair)) for pair in shown]
        people = [assessor_figures(book, name) for name in book.assessors]
        return self._render(
            "agreement", facts, blind=False, results=results, people=people, rows=rows, differ=len(book.differ)
        )

    def export(self, facts: dict[str, Any]) -> str:
        ready = any(outcome.grade is not None for _, outcome in self.book.outcomes())
        summary = summarise(self.book) if ready else None
        return self._render("export", facts, summary=summary, files=grade_files(self.book) if ready else {})

    def help(self, facts: dict[str, Any]) -> str:
        return self._render("help", facts)

    def sign_in(self, facts: dict[str, Any], problem: str, onward: str = "") -> str:
        people = () if facts["tokens"] else self.book.assessors
        return self._render("sign_in", facts, problem=problem, onward=onward, people=people)

    def problem(self, facts: dict[str, Any], status: int, why: str) -> str:
        return self._render("problem", facts, status=status, why=why)

    def colours(self) -> str:
        """The colours of the grades as a style sheet: the colours were checked when they were read."""
        return "".join(
            f".grade-{each.grade}{{--hue:{each.colour}}}\n" for each in self.book.rules.grades if each.colour
        )

    def may_look(self, facts: dict[str, Any]) -> bool:
        """Whether somebody may see what others say: adjudicators, and who has nothing left to judge."""
        return facts["adjudicator"] or self.turns.next(facts["who"]) is None


@lru_cache(maxsize=64)
def _shown(
    analyzer: Analyzer, query: str, title: str, text: str, formulas: tuple[PlacedFormula, ...] = ()
) -> ShownDocument:
    body = text[_end_of_title(title, text) :].lstrip()
    kept, before = body[:LONGEST_TEXT], len(text) - len(body)
    digest = sha256(text.encode("utf-8", "surrogatepass")).hex()[:16]
    terms = frozenset(analyzer.terms(query))
    spans = [(start, end) for start, end, _ in term_places(kept, analyzer, terms)] if terms else []
    placed = [(each.start - before, each.end - before, each.element) for each in formulas]
    shown = with_drawn_formulas(kept, spans, [each for each in placed if each[0] >= 0 and each[1] <= len(kept)])
    return ShownDocument(marked(title, analyzer, terms), shown, len(body) - len(kept), digest)


def _end_of_title(title: str, text: str) -> int:
    """Where a text goes on that begins with its title, broken into lines in another way perhaps; 0 if it does not."""
    words = title.split()
    begins = re.match(r"\s*" + r"\s+".join(map(re.escape, words)) + r"(?!\w)", text) if words else None
    return begins.end() if begins else 0


def marked(text: str, analyzer: Analyzer, terms: frozenset[str]) -> Markup:
    """A text with the words of the topic marked, everything else escaped."""
    return marked_spans(text, [(start, end) for start, end, _ in term_places(text, analyzer, terms)] if terms else ())


def with_drawn_formulas(
    text: str, spans: Sequence[tuple[int, int]], formulas: Sequence[tuple[int, int, str]]
) -> Markup:
    """A text with some parts of it marked and its formulas drawn; one that cannot be shown keeps its symbols."""
    parts, done, marks = [], 0, deque(spans)

    def until(end: int) -> Markup:
        own = []
        while marks and marks[0][1] <= end:
            start, last = marks.popleft()
            if start >= done:
                own.append((start - done, last - done))
        return marked_spans(text[done:end], own)

    for start, end, element in formulas:
        shown = _drawn(element)
        if shown is not None:
            symbols = visible_lines(text[start:end])
            parts += [until(start), FORMULA.format(" long" if end - start > WIDE else "", symbols, shown)]
            done = end
    return Markup("").join([*parts, until(len(text))])


@lru_cache(maxsize=1 << 14)
def _drawn(element: str) -> Markup | None:
    """A formula as a browser may show it; the same ones come again and again in a collection."""
    return let_through(NAMED.sub(lambda match: escape_text(unescape(match[0])), element))


def marked_spans(text: str, spans: Sequence[tuple[int, int]]) -> Markup:
    """A text with some parts of it marked, everything else escaped."""
    parts, done = [], 0
    for start, end in spans:
        if start >= done:
            parts += [escape(visible_lines(text[done:start])), MARK.format(visible_lines(text[start:end]))]
            done = end
    return Markup("").join([*parts, escape(visible_lines(text[done:]))])


def figure(value: float, digits: int = 3) -> str:
    """A number on a page; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


ROLES_AT = {"/judge": ASSESSOR, "/adjudicate": ADJUDICATOR}
"""Who acts at which address."""
