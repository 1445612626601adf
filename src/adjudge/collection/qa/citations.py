"""Citations in a post: arXiv ids, DOIs, and what patterns of the user find, in texts and in the addresses of links.

An arXiv id of the new style is four digits, a period and more digits: so are prices and versions. It counts only where
arXiv is named beside it, and only if its month is one. The old style names its archive; subject classes and versions
are folded, so math.AG/0406343v3 is math/0406343. A DOI ends before the punctuation of the sentence around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ...core.errors import SpecError
from .patterns import Pattern
from .post_markup import Block, blocks
from .threads import LINK, Citation, part_text

ARXIV, DOI = "arxiv", "doi"
KINDS = (ARXIV, DOI)
TEXT, HREF = "text", "href"

ARCHIVES = tuple(
    """
    acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga
    funct-an gr-qc hep-ex hep-lat hep-ph hep-th math-ph math mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph
    q-alg q-bio quant-ph solv-int supr-con
    """.split()  # noqa: SIM905
)
NEW = r"(?P<new>\d{4}\.\d{4,5})(?P<version>v\d{1,3})?(?![\d])"
OLD = (
    rf"(?P<archive>{'|'.join(sorted(ARCHIVES, key=len, reverse=True))})"
    r"(?P<class>\.[A-Za-z-]{2,8})?/(?P<old>\d{7})(?:v\d{1,3})?(?!\d)"
)
BESIDE = (
    r"(?:arxiv(?:\.org|\.com)?|front\.math(?:\.ucdavis\.edu)?|xxx\.lanl\.gov|xxx\.arxiv\.org|ar5iv(?:\.org|\.labs\.arxiv\.org)?|"
    r"alphaxiv(?:\.org)?|scirate\.com/arxiv)"
    r"(?:[\s:/.,\[\]()#\"'-]|preprints?|e-?prints?|papers?|articles?|numbers?|no\b|id\b|identifier|abs|pdf|format|html|ps|"
    r"(?![a-z.-]{2,15}/\d{7})math(?:\.[A-Z]{2}(?![a-z]))?|ref)*+"  # possessive: words overlap, and there may be many
)
MIRRORS = ("arxiv", "front.math", "xxx.lanl", "ar5iv", "alphaxiv", "scirate")
SEVEN = re.compile(r"/\d{7}")
SERVER = r"(?:(?:www|export|lanl|[a-z]{2})\.)?"
IN_TEXT = re.compile(rf"(?<![\w.]){SERVER}{BESIDE}(?:{NEW}|{OLD})", re.IGNORECASE)
MORE = re.compile(rf"\s*+(?:,|;|and|&|or)\s*+(?:and\s++)?(?:arxiv\s*+:?\s*+)?{NEW}", re.IGNORECASE)
OLD_ALONE = re.compile(rf"(?<![\w./-]){OLD}", re.IGNORECASE)
HOST = re.compile(
    r"(?:^|\.)(?:arxiv\.org|front\.math\.ucdavis\.edu|xxx\.lanl\.gov|ar5iv\.org|alphaxiv\.org|arxiv-vanity\.com|scirate\.com|arxiv\.cn)$",
    re.IGNORECASE,
)
IN_PATH = re.compile(rf"(?:^|[/=:])(?:arxiv[:.])?(?:{NEW}|{OLD})", re.IGNORECASE)
NAMES_DOI = re.compile(r"(?<![\w.])(10\.\d{4,9}/[^\s\"<>{}|\\^`\x00-\x1f\x7f-\x9f\u2014\u201c\u201d]+)")
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no id of a thread or document holds; old dumps have the quotes of Windows as such characters."""
ADDRESS = re.compile(r"https?://\S*\Z", re.IGNORECASE)
CLOSERS = {")": "(", "]": "[", "}": "{"}
PAGES = re.compile(
    r"(?:/(?:abstract|full|fulltext|fulltext\.html|pdf|epdf|pdfdirect|summary|meta|html|references)|\.pdf|\.full)$",
    re.IGNORECASE,
)
DOI_ARXIV = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
AROUND = 90
LONGEST_BEFORE = 200
LONGEST_HREF = 4000


class Reference(NamedTuple):
    """A citation before it is mapped to the corpus, or what looked like one: then ``why`` tells what is wrong."""

    kind: str
    document: str
    written: str
    begin: int
    end: int
    why: str = ""


def arxiv_id(new: str | None, archive: str | None, old: str | None) -> tuple[str, str]:
    """The id with its version folded, and what is wrong with it, if anything."""
    if new is not None:
        year_month, number = new[:4], new[5:]
        if not 1 <= int(new[2:4]) <= 12:
            return new, "no month"
        if year_month < "0704":
            return new, "ids of this style begin in April 2007"
        if (len(number) == 5) != (year_month >= "1501"):
            return new, "five digits after the period from 2015 on, four before"
        return new, "" if int(number) else "number 0"
    id_ = f"{(archive or '').lower()}/{old}"
    digits = old or ""
    if not 1 <= int(digits[2:4]) <= 12:
        return id_, "no month"
    year = int(digits[:2])
    if not (year >= 91 or year < 7 or (year == 7 and int(digits[2:4]) <= 3)):
        return id_, "ids of this style end in March 2007"
    return id_, "" if int(digits[4:]) else "number 0"


def _arxiv(match: re.Match[str]) -> Reference:
    groups = match.groupdict()
    document, why = arxiv_id(groups.get("new"), groups.get("archive"), groups.get("old"))
    first = match.start("new") if groups.get("new") else match.start("archive")
    return Reference(ARXIV, document, match[0][first - match.start() :], first, match.end(), why)


def arxiv_in_text(text: str) -> Iterator[Reference]:
    """arXiv ids in running text.

    >>> [found.document for found in arxiv_in_text("arXiv: math/0406343 and math.AG/0406343v3, for 1234.5678 dollars")]
    ['math/0406343', 'math/0406343']
    """
    taken: set[int] = set()
    lower = text.lower()
    place = 0 if any(name in lower for name in MIRRORS) else len(text)  # most texts name none of them
    pattern = IN_TEXT.search
    while (match := pattern(text, place)) is not None or pattern == MORE.match:
        if match is None:  # the list has ended
            pattern = IN_TEXT.search
            continue
        reference = _arxiv(match)
        yield reference
        taken.add(reference.begin)
        place, pattern = match.end(), MORE.match
    if SEVEN.search(text) is None:
        return
    for match in OLD_ALONE.finditer(text):
        if match.start() not in taken:
            yield _arxiv(match)


def arxiv_in_href(href: str) -> Iterator[Reference]:
    """The arXiv id of an address of arXiv or one of its mirrors."""
    address = unquote(href[:LONGEST_HREF])
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host = parts.hostname or ""
    except ValueError:  # [ without ] in an address
        return
    if HOST.search(host) is None:
        return
    rest = f"{parts.path}?{parts.query}"
    match = IN_PATH.search(rest)
    if match is not None:
        yield _arxiv(match)._replace(written=href[:200])


def trim(doi: str) -> str:
    """A DOI without the punctuation after it; brackets that it opens itself stay.

    >>> trim("10.1145/3121050.3121106.")
    '10.1145/3121050.3121106'
    >>> trim("10.1016/0022-4049(87)90010-4).")
    '10.1016/0022-4049(87)90010-4'
    """
    unopened = {closer: doi.count(closer) - doi.count(opener) for closer, opener in CLOSERS.items()}
    end = len(doi)
    while end:
        last = doi[end - 1]
        if unopened.get(last, 0) > 0:
            unopened[last] -= 1
        elif last not in ".,;:!?'\"*_/&\u2019\u2026\u00bb":
            break
        end -= 1
    return doi[:end]


def _dois(text: str, address: bool) -> Iterator[Reference]:
    if "10." not in text:
        return
    for match in NAMES_DOI.finditer(text):
        written = match[1]
        inside = address or ADDRESS.search(text[max(0, match.start() - LONGEST_BEFORE) : match.start()]) is not None
        doi = re.split(r"[?#]", written)[0] if inside else written
        doi = PAGES.sub("", trim(doi)) if inside else trim(doi)
        if (own := DOI_ARXIV.fullmatch(doi)) is not None:
            inner = re.fullmatch(rf"{NEW}|{OLD}", own[1], re.IGNORECASE)
            if inner is not None:
                yield _arxiv(inner)._replace(written=written, begin=match.start(), end=match.end())
                continue
        if "/" in doi and not doi.endswith("/"):
            yield Reference(DOI, doi.lower(), written, match.start(), match.start() + len(doi))


def references_in(text: str, where: str, kinds: Sequence[str], patterns: Sequence[Pattern]) -> Iterator[Reference]:
    """All citations in a text or an address."""
    address = where == HREF
    if ARXIV in kinds:
        yield from arxiv_in_href(text) if address else arxiv_in_text(text)
    if DOI in kinds or ARXIV in kinds:
        for reference in _dois(unquote(text[:LONGEST_HREF]) if address else text, address):
            if reference.kind in kinds:
                yield reference
    for pattern in patterns:
        if where in pattern.places:
            for document, begin, end in pattern.find(text):
                yield Reference(pattern.name, document, text[begin:end][:200], begin, end)


def _places(block: Block) -> Iterator[tuple[str, str, str]]:
    """(where, text, words around) of a block: its text, and the address of each link in it."""
    text = "".join(part_text(part) for part in block.parts)
    yield TEXT, text, text
    before = 0
    for part in block.parts:
        if part.kind == LINK and part.href:
            yield HREF, part.href, words_around(text, before, before + len(part.text))
        before += len(part_text(part))


def _why_no_id(document: str) -> str:
    """Why a document cannot be called so; nothing if it can."""
    if len(document.split()) != 1:
        return "an id with blanks in it"
    return "an id with control characters in it" if UNSEEN.search(document) else ""


def citations_of(
    html: str, kinds: Sequence[str] = KINDS, patterns: Sequence[Pattern] = (), post: str = ""
) -> tuple[tuple[Citation, ...], tuple[Reference, ...]]:
    """What a post cites, every document once, in order; and what looked like a citation and is none."""
    try:
        return _citations(html, kinds, patterns, post)
    except SpecError as error:
        raise SpecError(f"post {post}: {error}" if post else str(error)) from None


def words_around(text: str, begin: int, end: int) -> str:
    """What stands before and after a place, in whole words.

    >>> words_around("a" * 200 + " of qubits, see HERE", 216, 220)
    ' of qubits, see HERE'
    """
    low, high = max(0, begin - AROUND), min(len(text), end + AROUND)
    while 0 < low < begin and not text[low].isspace():
        low += 1
    while end < high < len(text) and not text[high - 1].isspace():
        high -= 1
    return text[low:high]


def _citations(
    html: str, kinds: Sequence[str], patterns: Sequence[Pattern], post: str
) -> tuple[tuple[Citation, ...], tuple[Reference, ...]]:
    cited: dict[tuple[str, str], Citation] = {}
    wrong: dict[str, Reference] = {}
    for block in blocks(html):
        for where, text, around in _places(block):
            for reference in references_in(text, where, kinds, patterns):
                why = reference.why or _why_no_id(reference.document)
                if why:
                    wrong.setdefault(reference.document, reference._replace(why=why))
                    continue
                key = (reference.kind, reference.document)
                before = cited.get(key)
                if before is not None and (not before.quoted or block.quoted):
                    continue
                context = around if where == HREF else words_around(text, reference.begin, reference.end)
                plain = " ".join(context.split())
                cited[key] = Citation(
                    reference.kind, reference.document, where, reference.written, plain, post, block.quoted
                )
    return tuple(cited.values()), tuple(wrong.values())
