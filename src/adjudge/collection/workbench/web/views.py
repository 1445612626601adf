"""What the page of a thread shows, put together before the template writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ....core.visible import visible_lines
from ...qa.assessment import DIRECT, INDIRECT, PARTIAL, TOTAL, UNRELATED
from ...qa.threads import NEITHER, PRELUDE, QUERY, Candidate, Citation, Comment
from ..assessor_matching import align
from ..desk import Desk
from ..events import (
    ADJUDICATOR,
    ANSWERED,
    CLEAR,
    CONFIRMED,
    DIRECTNESS_OF,
    LABEL,
    MOST_MICRO_TOPICS,
    NO,
    TOTALITY_OF,
    YES,
    Item,
    label_of,
    label_value,
)
from ..sheet import Sheet, missing
from . import sanitising
from .mathematics import with_formulas


@dataclass(frozen=True)
class ChoiceButton:
    """A button."""

    value: str
    words: str
    key: str
    pressed: bool


@dataclass(frozen=True)
class QuestionView:
    """One item with its buttons, what is proposed, and what others decided."""

    item: Item
    id: str
    choices: tuple[ChoiceButton, ...]
    value: str | None
    proposed: str | None = None
    answers: tuple[tuple[str, str], ...] = ()

    @property
    def differ(self) -> bool:
        return len({value for _, value in self.answers}) > 1


@dataclass(frozen=True)
class SentenceView:
    number: int
    text: Markup
    question: QuestionView
    begins: bool
    """Whether a paragraph begins here."""

    @property
    def shown(self) -> tuple[str, int]:
        """The kind and micro-topic that are shown: what was decided, or else what is proposed."""
        value = self.question.value or self.question.proposed
        return label_of(value) if value else ("", 0)


@dataclass(frozen=True)
class JudgmentView:
    """A citation seen from a micro-topic."""

    id: str
    citation: Citation
    totality: QuestionView
    directness: QuestionView
    needs_directness: bool


@dataclass(frozen=True)
class TopicView:
    micro_topic: int
    text: str
    judgments: tuple[JudgmentView, ...]


@dataclass(frozen=True)
class CommentView:
    text: Markup
    who: str
    date: str
    score: int
    by_asker: bool


@dataclass(frozen=True)
class ThreadView:
    candidate: Candidate
    sheet: Sheet
    title: Markup
    criteria: tuple[QuestionView, ...]
    confirmation: QuestionView | None
    """Whether the asker confirms the answer, if there is a comment of the asker after it."""
    sentences: tuple[SentenceView, ...]
    topics: tuple[TopicView, ...]
    question: Markup
    answer: Markup
    evidence: tuple[CommentView, ...]
    other_comments: tuple[CommentView, ...]
    other_answers: tuple[tuple[str, int, Markup], ...]
    missing: tuple[tuple[str, str], ...]
    """(id of the item, what is to be decided)."""
    proposals: int
    warnings: tuple[str, ...]
    status: str


def thread_view(desk: Desk, thread: str, formulas: Mapping[tuple[str, bool], str], *, free: bool = True) -> ThreadView:
    """A thread as one person sees it; what others decided is there for an adjudicator who is ``free`` to see it."""
    candidate, sheet = desk.candidate(thread), desk.sheet(thread)
    settling = desk.role == ADJUDICATOR
    proposed = {
        change.item: change.value
        for change in (desk.proposals(thread) if free or not settling else ())
        if change.value is not None
    }
    answers = _answers_by_item(desk, thread) if settling and free else {}
    facts = _Facts(candidate, sheet, proposed, answers, formulas)
    post, source = candidate.thread, candidate.thread.accepted_answer
    cited = tuple(dict.fromkeys(text for c in candidate.citations for text in (c.written, c.document)))[:40]
    evidence = post.evidence()
    inside = {remark.comment.id for remark in evidence}
    others = [c for c in post.comments if c.id not in inside]
    return ThreadView(
        candidate,
        sheet,
        with_formulas(post.title),
        (facts.criterion(CLEAR), facts.criterion(ANSWERED)),
        facts.criterion(CONFIRMED) if any(remark.by_asker for remark in evidence) else None,
        tuple(facts.sentences()),
        tuple(facts.topics()),
        sanitising.post(post.question.html),
        sanitising.post(source.html, cited) if source is not None else Markup(""),
        tuple(_comment(remark.comment, remark.by_asker) for remark in evidence),
        tuple(_comment(remark, bool(post.asker) and remark.owner == post.asker) for remark in others),
        tuple((a.id, a.score, sanitising.post(a.html)) for a in post.answers if a.id != post.accepted),
        tuple((facts.id(item), why) for item, why in missing(sheet, candidate)),
        len(proposed),
        tuple(_warnings(candidate, sheet)),
        sheet.status(candidate),
    )


def _answers_by_item(desk: Desk, thread: str) -> Mapping[Item, tuple[tuple[str, str], ...]]:
    """The decisions of assessors who finished, with micro-topics matched."""
    sheets = desk.board.finished(thread)
    accepted = align({name: sheet for name, sheet in sheets.items() if not sheet.rejected})
    by_item: dict[Item, list[tuple[str, str]]] = {}
    for name, sheet in sheets.items():
        for item, value in accepted.get(name, sheet.values).items():
            by_item.setdefault(item, []).append((name, value))
    return {item: tuple(values) for item, values in by_item.items()}


@dataclass(frozen=True)
class _Facts:
    candidate: Candidate
    sheet: Sheet
    proposed: Mapping[Item, str]
    answers: Mapping[Item, tuple[tuple[str, str], ...]]
    formulas: Mapping[tuple[str, bool], str]

    def id(self, item: Item) -> str:
        if item.kind == LABEL:
            return f"s{item.sentence}"
        if item.kind in {TOTALITY_OF, DIRECTNESS_OF}:
            documents = [citation.document for citation in self.candidate.citations]
            return f"j{item.micro_topic}-{documents.index(item.document)}"
        return item.kind

    def question(self, item: Item, choices: Sequence[tuple[str, str, str]]) -> QuestionView:
        value = self.sheet.values.get(item)
        offered = tuple(ChoiceButton(name, words, key, name == value) for name, words, key in choices)
        return QuestionView(item, self.id(item), offered, value, self.proposed.get(item), self.answers.get(item, ()))

    def criterion(self, kind: str) -> QuestionView:
        return self.question(Item(kind), ((YES, "Yes", "y"), (NO, "No", "n")))

    def sentences(self) -> list[SentenceView]:
        used = [label_of(value)[1] for value in self._labels()]
        most = min(MOST_MICRO_TOPICS, max((*used, 1)) + 1)
        views, paragraph = [], 0
        for sentence in self.candidate.sentences:
            choices = [(PRELUDE, "Prelude", "p"), (NEITHER, "Neither", "x")]
            choices += [(label_value(QUERY, k), f"Query {k}", str(k)) for k in range(1, most + 1)]
            asked = self.question(Item(LABEL, sentence.number), choices)
            text = sanitising.sentence(sentence.parts, self.formulas)
            views.append(SentenceView(sentence.number, text, asked, sentence.paragraph != paragraph))
            paragraph = sentence.paragraph
        return views

    def _labels(self) -> list[str]:
        decided = [value for item, value in self.sheet.values.items() if item.kind == LABEL]
        return decided + [value for item, value in self.proposed.items() if item.kind == LABEL]

    def topics(self) -> list[TopicView]:
        text = {sentence.number: sentence.text for sentence in self.candidate.sentences}
        labels = self.sheet.labels
        views = []
        for k in self.sheet.micro_topics:
            words = " ".join(text[n] for n, (kind, m) in labels.items() if kind == QUERY and m == k)
            judged = tuple(self.judgment(k, n, citation) for n, citation in enumerate(self.candidate.citations))
            views.append(TopicView(k, visible_lines(words), judged))
        return views

    def judgment(self, k: int, n: int, citation: Citation) -> JudgmentView:
        totality = self.question(
            Item(TOTALITY_OF, 0, k, citation.document),
            ((TOTAL, "Total", "t"), (PARTIAL, "Partial", "p"), (UNRELATED, "Unrelated", "o")),
        )
        directness = self.question(
            Item(DIRECTNESS_OF, 0, k, citation.document), ((DIRECT, "Direct", "d"), (INDIRECT, "Indirect", "i"))
        )
        return JudgmentView(f"j{k}-{n}", citation, totality, directness, totality.value in {TOTAL, PARTIAL})


def _comment(comment: Comment, by_asker: bool) -> CommentView:
    name = comment.owner_name or (f"user {comment.owner}" if comment.owner else "a deleted user")
    text = sanitising.comment(comment.text[:5000])
    return CommentView(text, visible_lines(name), comment.date[:10], comment.score, by_asker)


def _warnings(candidate: Candidate, sheet: Sheet) -> list[str]:
    warnings, thread = [], candidate.thread
    if sheet.stale:
        warnings.append(f"The text of this thread has changed since: {sheet.stale} earlier decisions are set aside.")
    if thread.closed:
        warnings.append(f"The site closed this question on {visible_lines(thread.closed[:10])}.")
    if thread.duplicates:
        warnings.append(f"The site calls it a duplicate of {visible_lines(', '.join(thread.duplicates))}.")
    if thread.self_answered:
        warnings.append("The asker wrote the accepted answer.")
    if thread.accepted_answer is None:
        warnings.append("The accepted answer is not in the dump.")
    if quoted := [c.document for c in candidate.citations if c.quoted]:
        warnings.append(f"Cited only inside a quotation: {visible_lines(', '.join(quoted))}.")
    return warnings
