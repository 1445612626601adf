"""What a dump gives: threads, the documents that their accepted answers cite, the sentences of their questions.

Texts of a dump are hostile until somebody has escaped them: ``html`` is what a stranger wrote, scripts included. The
parts of a sentence are plain text and can be shown after escaping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

PRELUDE, QUERY, NEITHER = "prelude", "query", "neither"
KINDS = (PRELUDE, QUERY, NEITHER)
"""What a sentence can be: it sets the scene, it asks, or it does neither (greetings, thanks)."""

TEXT, FORMULA, CODE, LINK = "text", "formula", "code", "link"
PARTS = (TEXT, FORMULA, CODE, LINK)


@dataclass(frozen=True)
class Post:
    """A question or an answer."""

    id: str
    html: str
    date: str = ""
    score: int = 0
    owner: str = ""
    """The id of who wrote it; nothing if that user was deleted."""
    owner_name: str = ""
    """The name that a dump keeps of a deleted user."""
    edited: str = ""


@dataclass(frozen=True)
class Comment:
    """A remark on a post, in light Markdown."""

    id: str
    post: str
    text: str
    date: str = ""
    score: int = 0
    owner: str = ""
    owner_name: str = ""


@dataclass(frozen=True)
class Evidence:
    """A comment on an answer that was made after it; one by the asker may confirm or deny that the answer helps."""

    comment: Comment
    by_asker: bool


@dataclass(frozen=True)
class Thread:
    """A question with its answers and comments; ``accepted`` is the id of one of the answers, or nothing."""

    id: str
    title: str
    question: Post
    answers: tuple[Post, ...] = ()
    accepted: str = ""
    comments: tuple[Comment, ...] = ()
    tags: tuple[str, ...] = ()
    closed: str = ""
    """When the site closed the question, if it did."""
    duplicates: tuple[str, ...] = ()
    """Questions of which the site calls this one a duplicate."""
    accepted_date: str = ""
    """Votes.xml: the day on which the asker accepted the answer."""
    bounty: int = 0
    """Votes.xml: the bounty that was given to the accepted answer."""

    @property
    def asker(self) -> str:
        return self.question.owner

    @property
    def accepted_answer(self) -> Post | None:
        return next((answer for answer in self.answers if answer.id == self.accepted), None)

    @property
    def self_answered(self) -> bool:
        """Whether the asker wrote the accepted answer: then nobody else found the cited documents."""
        answer = self.accepted_answer
        return answer is not None and bool(self.asker) and answer.owner == self.asker

    def comments_on(self, post: str) -> tuple[Comment, ...]:
        return tuple(comment for comment in self.comments if comment.post == post)

    def evidence(self) -> tuple[Evidence, ...]:
        """Comments on the accepted answer that are younger than it, in order of time."""
        answer = self.accepted_answer
        if answer is None:
            return ()
        after = [comment for comment in self.comments_on(answer.id) if comment.date > answer.date]
        after.sort(key=lambda comment: (comment.date, len(comment.id), comment.id))
        return tuple(Evidence(comment, bool(self.asker) and comment.owner == self.asker) for comment in after)


@dataclass(frozen=True)
class Citation:
    """A document that the accepted answer cites."""

    kind: str
    """arxiv, doi, or the name of a pattern of the user."""
    document: str
    """The id of the document in the corpus, versions folded."""
    where: str
    """text, or href: where it was seen first."""
    written: str
    """As it stands in the answer."""
    context: str = ""
    """The words around it, plain."""
    post: str = ""
    """The answer that cites it."""
    quoted: bool = False
    """Whether it was seen inside a block quotation only: somebody else's words."""

    @property
    def address(self) -> str:
        """Where the document can be read on the web; nothing if that is not known."""
        if self.kind == "arxiv":
            return f"https://arxiv.org/abs/{quote(self.document, safe='/.')}"
        if self.kind == "doi":
            return f"https://doi.org/{quote(self.document, safe='/.()')}"
        fine = self.where == "href" and self.written.lower().startswith(("http://", "https://"))
        return quote(self.written, safe=":/?&=#%+~@,;.()") if fine else ""


@dataclass(frozen=True)
class Part:
    """A piece of a sentence: text, formula (TeX without its dollars), code or link, all as plain text."""

    kind: str
    text: str
    href: str = ""
    """Where a link leads. Hostile: javascript: is among what dumps have."""
    display: bool = False
    """Whether a formula stands on a line of its own."""
    mathml: str = ""
    """A formula as MathML, if the source has it so. Hostile like the rest of it."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a question, and what rules propose that it is."""

    number: int
    """From 1."""
    parts: tuple[Part, ...]
    kind: str = PRELUDE
    micro_topic: int = 0
    """From 1 for a query sentence, otherwise 0."""
    paragraph: int = 1
    """Sentences of one paragraph or item of a list have the same number."""
    quoted: bool = False
    """Whether it stands in a block quotation: perhaps somebody else's words."""
    place: int = 0
    """Where it begins in the sentence of the dump that has this number; 0 unless people cut that one."""

    @property
    def text(self) -> str:
        """In plain characters, formulas between dollars."""
        return " ".join("".join(part_text(part) for part in self.parts).split())


def part_text(part: Part) -> str:
    if part.kind == FORMULA:
        dollars = "$$" if part.display else "$"
        return f"{dollars}{part.text}{dollars}"
    return part.text


@dataclass(frozen=True)
class Candidate:
    """A thread that may become a topic: its accepted answer cites the collection."""

    thread: Thread
    citations: tuple[Citation, ...]
    """At least one; every document once."""
    sentences: tuple[Sentence, ...] = ()
    dropped: tuple[Citation, ...] = ()
    """Cited, but not in the corpus."""

    @property
    def id(self) -> str:
        return self.thread.id


def micro_topics(sentences: Sequence[Sentence]) -> tuple[int, ...]:
    """The numbers of the micro-topics that have a sentence."""
    return tuple(sorted({sentence.micro_topic for sentence in sentences if sentence.kind == QUERY}))
