"""Search results as a list for people and in forms for scripts, and explanations of scores as a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..core.english import rounded
from ..core.note import Note
from ..core.result import Result
from ..core.visible import visible
from .snippets import WIDTH, Marked, Terms, cut_window, mark_places, one_line, places_in
from .text_table import BOLD, FAINT, PLAIN, TextTable, json_text

if TYPE_CHECKING:
    from ..core.document import Document
    from ..index.explanation import Explanation
    from ..index.index import Index
    from ..index.searching import Hits, Searcher
    from ..systems.parts.answerer import Answerer, Taken

PAGE = 100
"""Characters of a line where no terminal says how wide it is."""
INDENT = 6
MARGIN = 28
"""Characters of two lines that are left for dots, brackets, and words that do not fit at the end of the first."""
LONGEST = 60
"""Ids up to this length have their scores below each other; one as long as a page would push away all others."""
OPEN, CLOSE = "\U0010ff02", "\U0010ff03"
"""Stand for marks until the form is known: characters for private use, which no text has but by intent."""
BRACKETS = ("[", "]")
MARKS = {"md": ("**", "**"), "latex": (r"\textbf{", "}")}
MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<"})
TAKEN = ("string", "word", "read_as", "probability", "occurrences")
TOGETHER = 64
"""Documents whose snippets are made in one go."""
LIKELY = 0.2
"""Strings that are a word of the question less probably are marked only in documents that have no others."""
SIGNS = {"sum": "+ ", "product": "× ", "": ""}


class Hit(NamedTuple):
    """One document that was found; title and snippet are empty where no texts are stored."""

    rank: int
    document: str
    score: float
    title: Marked = Marked("")
    snippet: Marked = Marked("")
    taken: tuple[Taken, ...] = ()
    """The strings that are marked, where a system says what it takes them for."""


@dataclass(frozen=True)
class SearchAnswer(Result, Sequence[Hit]):
    """The answer to one query: hits with rank, document, score and, where texts are stored, title and snippet."""

    query: str
    terms: tuple[str, ...]
    weighting: str
    hits: tuple[Hit, ...]
    texts: bool
    note: Note | None = None
    system: str = ""
    """The system that answered, where that is more than a weighting."""

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        return self.hits[key]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def answer_of(searcher: Searcher, query: str, hits: Hits, page: int = PAGE) -> SearchAnswer:
    """Hits with titles and snippets, if the index has texts; a snippet fills two lines of a page so wide, or less."""
    width = _width(page)
    index, parsed = searcher.index, searcher.parse(query)
    terms = tuple(term for term in parsed.terms if searcher.number(term) >= 0)
    rows = [Hit(rank, name, score) for rank, (name, score) in enumerate(hits, 1)]
    if index.manifest.texts:
        rows = list(_with_snippets(rows, hits.documents.tolist(), index, terms, width))
    return SearchAnswer(query, parsed.terms, str(searcher.weighting), tuple(rows), index.manifest.texts, hits.note)


class Marking(NamedTuple):
    """What is marked for a question: strings of the documents, each with the number of the word it is taken for."""

    words: tuple[str, ...]
    taken: dict[str, Taken]
    every: dict[str, int]
    likely: dict[str, int]
    """Those that stand for a word with some probability."""

    @classmethod
    def of(cls, answerer: Answerer, question: str) -> Marking:
        """What a system takes for words of a question."""
        words = tuple(answerer.words(question))
        places = {word: place for place, word in enumerate(words)}
        taken = {
            reading.string: reading
            for reading in sorted(answerer.observed_strings(question), key=lambda reading: reading.probability)
        }
        every = {string: places.get(reading.word, len(places)) for string, reading in taken.items()}
        likely = {string: place for string, place in every.items() if taken[string].probability >= LIKELY}
        return cls(words, taken, every, likely)


def found_by(
    answerer: Answerer, system: str, question: str, hits: Hits, page: int = PAGE, marking: Marking | None = None
) -> SearchAnswer:
    """The same for a system that says which strings it took for which words."""
    index, (words, taken, every, likely) = hits.index, marking or Marking.of(answerer, question)
    plain = [Hit(rank, name, score) for rank, (name, score) in enumerate(hits, 1)]
    if not index.manifest.texts:
        return SearchAnswer(question, words, "", tuple(plain), False, hits.note, system)
    numbers, width = hits.documents.tolist(), _width(page)
    rows = list(_with_snippets(plain, numbers, index, likely, width))
    own = [_likeliest(some) for some in answerer.observed_near(question, numbers)]
    near = [{string: words.index(each.word) for string, each in some.items() if each.word in words} for some in own]
    for place, some in enumerate(own):
        surely = {string: number for string, number in near[place].items() if some[string].probability >= LIKELY}
        if surely:
            (rows[place],) = _with_snippets([plain[place]], [numbers[place]], index, likely | surely, width)
    bare = [place for place, hit in enumerate(rows) if not (hit.title.spans or hit.snippet.spans)]
    plainly, others = [place for place in bare if not near[place]], [place for place in bare if near[place]]
    again = _with_snippets([plain[p] for p in plainly], [numbers[p] for p in plainly], index, every, width)
    for place, hit in zip(plainly, again, strict=True):
        rows[place] = hit
    for place in others:
        (rows[place],) = _with_snippets([plain[place]], [numbers[place]], index, every | near[place], width)
    spots = [
        list(dict.fromkeys(text.text[a:b] for text in (hit.title, hit.snippet) for a, b in text.spans)) for hit in rows
    ]
    every_spot = list(dict.fromkeys(chain.from_iterable(spots)))
    tokens = index.analyzer(every_spot)
    strings = {spot: " ".join(tokens.of(place)) for place, spot in enumerate(every_spot)}
    for place, hit in enumerate(rows):
        there = dict.fromkeys(strings[spot] for spot in spots[place])
        known = taken | own[place]
        rows[place] = hit._replace(taken=tuple(known[string] for string in there if string in known))
    return SearchAnswer(question, words, "", tuple(rows), True, hits.note, system)


def _likeliest(some: Sequence[Taken]) -> dict[str, Taken]:
    """What each string is taken for most probably."""
    return {each.string: each for each in sorted(some, key=lambda each: each.probability)}


def _with_snippets(
    hits: Sequence[Hit], numbers: Sequence[int], index: Index, terms: Terms, width: int
) -> Iterator[Hit]:
    """Hits with titles and snippets; some texts at a time go through the analyzer together."""
    for first in range(0, len(hits), TOGETHER):
        some = hits[first : first + TOGETHER]
        texts = [index.text(number) for number in numbers[first : first + TOGETHER]]
        titles, bodies = [one_line(title) for title, _ in texts], [_body(*text).strip() for text in texts]
        places = places_in([*titles, *bodies], index.analyzer, terms)
        columns = zip(some, titles, bodies, places[: len(some)], places[len(some) :], strict=True)
        for hit, title, body, in_title, in_body in columns:
            yield hit._replace(title=mark_places(title, in_title), snippet=cut_window(body, in_body, width))


def _width(page: int) -> int:
    return max(MARGIN, min(WIDTH, 2 * (page - INDENT) - MARGIN))


def readings(hit: Hit) -> str:
    """List what marked strings were read as, where that differs: ``regis[er = register 0.98``."""
    other_strings = (reading for reading in hit.taken if reading.string != reading.read_as)
    return ", ".join(f"{reading.string} = {reading.read_as} {reading.probability:.2f}" for reading in other_strings)


def body_of(document: Document) -> str:
    """The text without the title that it begins with, which is shown anyway."""
    return _body(document.title, document.text)


def _body(title: str, text: str) -> str:
    line = one_line(text)  # lines may be broken elsewhere in the title
    rest = line.removeprefix(one_line(title))
    return rest if rest[:1] in {"", " "} else line


def as_text(answer: SearchAnswer, form: str, digits: int, *, colour: bool = False, width: int = PAGE) -> str:
    """Format it in one of the FORMS."""
    if form == "json":
        return as_json(answer)
    if form == "table" and answer.texts and answer.hits:
        return "\n".join(_page(answer.hits, digits, width, colour=colour)) + "\n"
    table = _table(answer, form, digits)
    text = table.form(form, colour=colour)
    before, after = MARKS.get(form, BRACKETS)
    return text if form == "csv" else text.replace(OPEN, before).replace(CLOSE, after)


def as_json(answer: SearchAnswer) -> str:
    """Query, terms and hits; ``marked`` are the places of the words of the query in title and snippet."""
    hits = []
    for hit in answer.hits:
        row: dict[str, object] = {"rank": hit.rank, "document": hit.document, "score": hit.score}
        if answer.texts:
            row |= {"title": hit.title.text, "snippet": hit.snippet.text}
            row["marked"] = {"title": hit.title.spans, "snippet": hit.snippet.spans}
        if answer.texts and answer.system:
            row["observed"] = [{field: getattr(reading, field) for field in TAKEN} for reading in hit.taken]
        hits.append(row)
    by = {"system": answer.system} if answer.system else {"weighting": answer.weighting}
    data = {"query": answer.query, "terms": answer.terms, **by}
    return json_text({**data, "note": str(answer.note) if answer.note else None, "hits": hits})


def _table(answer: SearchAnswer, form: str, digits: int) -> TextTable:
    """One row a document; words of the query between OPEN and CLOSE, in brackets where all is given as it is."""
    escaped = MARKDOWN if form == "md" else {}
    header, labels = ["rank", "document", "score"], 2
    rows = [
        [str(h.rank), visible(one_line(h.document)).translate(escaped), rounded(h.score, digits)] for h in answer.hits
    ]
    exact: list[list[object]] = [[h.rank, h.document, h.score] for h in answer.hits]
    if answer.texts:
        header, labels = [*header, "title", "snippet"], 5
        for hit, row, whole in zip(answer.hits, rows, exact, strict=True):
            row.extend(text.visible().render(OPEN, CLOSE).translate(escaped) for text in (hit.title, hit.snippet))
            whole.extend(text.render(*BRACKETS) for text in (hit.title, hit.snippet))
    if answer.texts and answer.system:
        header, labels = [*header, "read as"], 6
        for hit, row, whole in zip(answer.hits, rows, exact, strict=True):
            row.append(visible(one_line(readings(hit))).translate(escaped))
            whole.append(readings(hit))
    return TextTable(header, rows, labels, exact=exact)


def _page(hits: Sequence[Hit], digits: int, width: int, *, colour: bool) -> Iterator[str]:
    """A line with rank, id, score and title for each document, its snippet below."""
    names = [visible(one_line(hit.document)) for hit in hits]
    scores = [rounded(hit.score, digits) for hit in hits]
    wide, high = min(LONGEST, max(map(len, [*names, "document"]))), max(map(len, [*scores, "score"]))
    rank = max(4, len(str(len(hits))))
    titled = "  title" if any(hit.title.text for hit in hits) else ""
    head = f"{'rank':>{rank}}  {'document':<{wide}}  {'score':>{high}}{titled}"
    yield f"{FAINT}{head}{PLAIN}" if colour else head
    before, after = (BOLD, PLAIN) if colour else BRACKETS
    for hit, name, score in zip(hits, names, scores, strict=True):
        line = f"{hit.rank:>{rank}}  {name:<{wide}}  {score:>{high}}"
        room = width - len(line) - 2
        title = _shorten(hit.title.visible(), max(room, 20)).render(before, after)
        yield f"{line}  {title}" if title else line
        for part in _lines(hit.snippet.visible().render(OPEN, CLOSE), width):
            yield part.replace(OPEN, before).replace(CLOSE, after)
        for part in _lines(visible(one_line(readings(hit))), width):
            yield f"{FAINT}{part}{PLAIN}" if colour else part


def _lines(text: str, width: int) -> list[str]:
    """At most two lines: a text full of marks takes more room than its letters."""
    import textwrap

    margin = " " * INDENT
    lines = textwrap.wrap(
        text, max(width, 30), initial_indent=margin, subsequent_indent=margin, max_lines=2, placeholder=" …"
    )
    if lines and "".join(lines).count(OPEN) > "".join(lines).count(CLOSE):
        lines[-1] = f"{lines[-1].removesuffix(' …')}{CLOSE} …"  # a mark over several words was cut in two
    return lines


def _shorten(title: Marked, room: int) -> Marked:
    """The beginning of a title, brackets counted as if they were shown."""
    room -= 2 * len(title.spans)
    if len(title.text) <= room:
        return title
    cut = max(title.text.rfind(" ", 0, max(room, 8)), 1) if " " in title.text[: max(room, 8)] else max(room, 8)
    return Marked(title.text[:cut] + " …", tuple((a, min(b, cut)) for a, b in title.spans if a < cut))


def explanation_text(explanation: Explanation, digits: int) -> str:
    """A line for each figure, the numbers below each other, what they are made of indented below them."""
    lines = list(_tree(explanation, 0, ""))
    figures = [_figure(value, digits) for value, _ in lines]
    width = max(map(len, figures))
    return "".join(f"{figure:>{width}}  {what}\n" for figure, (_, what) in zip(figures, lines, strict=True))


def explanation_json(explanation: Explanation) -> str:
    """The same tree as nested objects: description, value, how the parts combine, parts."""
    return json_text(explanation.to_dict())


def _tree(explanation: Explanation, depth: int, sign: str) -> Iterator[tuple[float, str]]:
    yield explanation.value, f"{'  ' * depth}{sign}{visible(one_line(explanation.description))}"
    for part in explanation.parts:
        yield from _tree(part, depth + 1, SIGNS.get(explanation.combine, ""))


def _figure(value: float, digits: int) -> str:
    """Rounded, but never to 0 if it is not: a query norm may be tiny."""
    return f"{value:.{max(digits - 1, 0)}e}" if value and float(f"{value:.{digits}f}") == 0 else rounded(value, digits)
