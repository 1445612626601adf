"""What the page of a thread shows, put together before the template writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ....core.visible import visible_lines
from ...qa.assessment import DIRECT, INDIRECT, PARTIAL, TOTAL, UNRELATED
from ...qa.mending import HOLE, Start, cut_places, flat_text
from ...qa.threads import NEITHER, PRELUDE, QUERY, Candidate, Citation, Comment, Sentence
from ..assessor_matching import align, labels_by_piece
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
    NOTE,
    OF_DOCUMENTS,
    TOTALITY_OF,
    UNSURE,
    YES,
    Item,
    label_of,
    label_value,
)
from ..sheet import Sheet, label_item, missing, to_go
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
    also: tuple[ChoiceButton, ...] = ()
    """For a query: further micro-topics that the sentence asks for, or not."""

    @property
    def differ(self) -> bool:
        return len({value for _, value in self.answers}) > 1


@dataclass(frozen=True)
class SentenceView:
    number: int
    place: int
    text: Markup
    question: QuestionView
    begins: bool
    """Whether a paragraph begins here."""
    quoted: bool
    first: bool
    """Whether no sentence stands before it, to which it could be joined."""
    words: tuple[tuple[int, int, str], ...]
    """(sentence, place, word) of the places at which it may be cut."""
    joined: bool
    """Whether it was joined of several."""

    @property
    def shown(self) -> tuple[str, tuple[int, ...]]:
        """The kind and micro-topics that are shown: what was decided, or else what is proposed."""
        value = self.question.value or self.question.proposed
        return label_of(value) if value else ("", ())


@dataclass(frozen=True)
class JudgmentView:
    """A citation seen from a micro-topic."""

    id: str
    citation: Citation
    totality: QuestionView
    directness: QuestionView
    needs_directness: bool
    title: str
    added: bool
    """Whether somebody added it by hand."""

    @property
    def open(self) -> bool:
        return self.totality.value is None or (self.needs_directness and self.directness.value is None)


@dataclass(frozen=True)
class TopicView:
    micro_topic: int
    text: str
    judgments: tuple[JudgmentView, ...]

    @property
    def open(self) -> int:
        """How many documents are not judged yet."""
        return sum(each.open for each in self.judgments)


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
    to_go: int
    """How many decisions are left, later ones included."""
    notes: tuple[tuple[str, str], ...]
    """(who, what) of the notes and doubts of those who have finished, for an adjudicator."""
    added: tuple[str, ...]
    addable: tuple[tuple[str, str], ...]
    """(who, document) that others added and this sheet has not."""
    proposals: int
    warnings: tuple[str, ...]
    status: str


@dataclass(frozen=True)
class ReadingAids:
    """What is known of formulas and documents beside the thread itself."""

    formulas: Mapping[tuple[str, bool], str]
    title: Callable[[str], str] = lambda _: ""


def thread_view(desk: Desk, thread: str, reading: ReadingAids, *, free: bool = True) -> ThreadView:
    """A thread as one person sees it; what others decided is there for an adjudicator who is ``free`` to see it."""
    sheet = desk.sheet(thread)
    dump = desk.candidate(thread)
    candidate = sheet.mended(dump)
    settling = desk.role == ADJUDICATOR
    proposed = {
        change.item: change.value
        for change in (desk.proposals(thread) if free or not settling else ())
        if change.value is not None
    }
    others = desk.board.finished(thread) if settling and free else {}
    facts = _Facts(dump, candidate, sheet, proposed, _answers_by_item(dump, candidate, others), reading)
    post, source = candidate.thread, candidate.thread.accepted_answer
    cited = tuple(dict.fromkeys(text for c in candidate.citations for text in (c.written, c.document)))[:40]
    evidence = post.evidence()
    inside = {remark.comment.id for remark in evidence}
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
        tuple(
            _comment(remark, bool(post.asker) and remark.owner == post.asker)
            for remark in post.comments
            if remark.id not in inside
        ),
        tuple((a.id, a.score, sanitising.post(a.html)) for a in post.answers if a.id != post.accepted),
        tuple((facts.id(item), why) for item, why in missing(sheet, dump)),
        to_go(sheet, dump),
        tuple(_notes(others)),
        sheet.added,
        tuple((name, each) for name, other in others.items() for each in other.added if each not in sheet.added),
        len(proposed),
        tuple(_warnings(candidate, sheet)),
        sheet.status(dump),
    )


def _notes(sheets: Mapping[str, Sheet]) -> Iterator[tuple[str, str]]:
    for name, sheet in sheets.items():
        if sheet.value(UNSURE):
            yield name, "is not sure of it"
        if note := sheet.value(NOTE):
            yield name, visible_lines(note)


def _answers_by_item(
    dump: Candidate, candidate: Candidate, sheets: Mapping[str, Sheet]
) -> Mapping[Item, tuple[tuple[str, str], ...]]:
    """The decisions of assessors who finished, with micro-topics matched; labels for the sentences as they are cut."""
    accepting = {name: sheet for name, sheet in sheets.items() if not sheet.rejected}
    aligned = align(accepting)
    by_item: dict[Item, list[tuple[str, str]]] = {}
    for name, sheet in sheets.items():
        for item, value in aligned.get(name, sheet.values).items():
            if item.kind != LABEL:
                by_item.setdefault(item, []).append((name, value))
    firsts = [(sentence.number, sentence.place) for sentence in candidate.sentences]
    for name, labels in labels_by_piece(dump, accepting).items():
        for sentence, begin, end in zip(candidate.sentences, firsts, [*firsts[1:], (10**9, 0)], strict=True):
            said = dict.fromkeys(value for start, value in sorted(labels.items()) if begin <= start < end)
            if said:
                by_item.setdefault(label_item(sentence), []).append((name, " | ".join(said)))
    return {item: tuple(values) for item, values in by_item.items()}


@dataclass(frozen=True)
class _Facts:
    dump: Candidate
    candidate: Candidate
    sheet: Sheet
    proposed: Mapping[Item, str]
    answers: Mapping[Item, tuple[tuple[str, str], ...]]
    reading: ReadingAids

    def id(self, item: Item) -> str:
        if item.kind == LABEL:
            return f"s{item.sentence}" + (f"-{item.place}" if item.place else "")
        if item.kind in OF_DOCUMENTS:
            documents = [citation.document for citation in self.candidate.citations]
            return f"j{item.micro_topic}-{documents.index(item.document)}"
        return item.kind

    def question(
        self, item: Item, choices: Sequence[tuple[str, str, str]], also: Sequence[tuple[str, str, str, bool]] = ()
    ) -> QuestionView:
        value = self.sheet.values.get(item)
        offered = tuple(ChoiceButton(name, words, key, name == value) for name, words, key in choices)
        more = tuple(ChoiceButton(*each) for each in also)
        proposed, answers = self.proposed.get(item), self.answers.get(item, ())
        return QuestionView(item, self.id(item), offered, value, proposed, answers, more)

    def criterion(self, kind: str) -> QuestionView:
        return self.question(Item(kind), ((YES, "Yes", "y"), (NO, "No", "n")))

    def sentences(self) -> list[SentenceView]:
        used = {k for value in self._labels() for k in label_of(value)[1]}
        most = min(MOST_MICRO_TOPICS, max((*used, 1)) + 1)
        views: list[SentenceView] = []
        paragraph = 0
        by_number = {sentence.number: sentence for sentence in self.dump.sentences}
        order = [sentence.number for sentence in self.dump.sentences]
        at = {number: place for place, number in enumerate(order)} | {0: len(order)}
        ends = [(s.number, s.place) for s in self.candidate.sentences[1:]] + [(0, 0)]
        for sentence, end in zip(self.candidate.sentences, ends, strict=True):
            choices = [(PRELUDE, "Prelude", "b"), (NEITHER, "Neither", "x")]
            choices += [(label_value(QUERY, k), f"Query {k}", str(k)) for k in range(1, most + 1)]
            item = label_item(sentence)
            asked = self.question(item, choices, _also(self.sheet.values.get(item), most))
            covered = order[at[sentence.number] : at[end[0]] + (end[1] > 0)]
            views.append(
                SentenceView(
                    sentence.number,
                    sentence.place,
                    sanitising.sentence(sentence.parts, self.reading.formulas),
                    asked,
                    sentence.paragraph != paragraph,
                    sentence.quoted,
                    not views,
                    tuple(_words(sentence, [by_number[n] for n in covered], end)),
                    len(covered) > 1,
                )
            )
            paragraph = sentence.paragraph
        return views

    def _labels(self) -> list[str]:
        decided = [value for item, value in self.sheet.values.items() if item.kind == LABEL]
        return decided + [value for item, value in self.proposed.items() if item.kind == LABEL]

    def topics(self) -> list[TopicView]:
        labels = self.sheet.labels
        views = []
        for k in self.sheet.micro_topics:
            own = [s.text for s in self.candidate.sentences if k in labels.get((s.number, s.place), ("", ()))[1]]
            judged = tuple(self.judgment(k, n, citation) for n, citation in enumerate(self.candidate.citations))
            views.append(TopicView(k, visible_lines(" ".join(own)), judged))
        return views

    def judgment(self, k: int, n: int, citation: Citation) -> JudgmentView:
        totality = self.question(
            Item(TOTALITY_OF, 0, k, citation.document),
            ((TOTAL, "Total", "t"), (PARTIAL, "Partial", "p"), (UNRELATED, "Unrelated", "o")),
        )
        directness = self.question(
            Item(DIRECTNESS_OF, 0, k, citation.document), ((DIRECT, "Direct", "d"), (INDIRECT, "Indirect", "i"))
        )
        needs = totality.value in {TOTAL, PARTIAL}
        title = visible_lines(self.reading.title(citation.document))
        return JudgmentView(
            f"j{k}-{n}", citation, totality, directness, needs, title, citation.document in self.sheet.added
        )


def _also(value: str | None, most: int) -> list[tuple[str, str, str, bool]]:
    """Buttons that give a sentence to one more micro-topic, or take it away from one of several."""
    _, own = label_of(value) if value else ("", ())
    buttons = []
    for k in range(1, most + 1):
        changed = {*own} ^ {k}
        if changed:
            buttons.append((label_value(QUERY, *changed), str(k), f"shift+{k}", k in own))
    return buttons


def _words(sentence: Sentence, covered: Sequence[Sentence], end: Start) -> Iterator[tuple[int, int, str]]:
    """The places at which a sentence may be cut, each with the words that would begin the next one."""
    for part in covered:
        flat = flat_text(part)
        last = end[1] if end[0] == part.number and end[1] else len(flat)
        low = sentence.place if part is covered[0] else -1
        places = [place for place in ((0,) if low < 0 else ()) + cut_places(part) if low < place < last]
        for place, after in zip(places, [*places[1:], last], strict=True):
            yield part.number, place, visible_lines(flat[place:after].replace(HOLE, "\u25a1").strip())


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
