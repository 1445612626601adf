"""What people decide about a candidate: the two criteria, what its sentences are, which documents answer what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import ConflictError, DataError
from .mending import SentenceBreak, Start, cut_places, mended_candidate, mended_sentences
from .threads import KINDS, QUERY, Candidate

TOTAL, PARTIAL, UNRELATED = "total", "partial", "unrelated"
DIRECT, INDIRECT = "direct", "indirect"
TOTALITY, DIRECTNESS = (TOTAL, PARTIAL, UNRELATED), (DIRECT, INDIRECT)


@dataclass(frozen=True)
class Label:
    """What a sentence is: prelude, query of a micro-topic, or neither."""

    sentence: int
    kind: str
    micro_topic: int = 0
    """From 1 for a query sentence, otherwise 0. A sentence that asks for several micro-topics has a label for each."""
    place: int = 0
    """Where it begins, if the sentence was cut."""

    @property
    def start(self) -> Start:
        return self.sentence, self.place


@dataclass(frozen=True)
class Judgment:
    """How well a document answers a micro-topic."""

    micro_topic: int
    document: str
    totality: str
    """total: it holds all that the answer needs; partial: a special case only; unrelated: nothing."""
    directness: str
    """direct: the answer is read off with little effort; indirect: it takes deduction; empty if it is unrelated."""

    @property
    def grade(self) -> int:
        """2 for total and direct, 0 for unrelated, otherwise 1."""
        if self.totality == UNRELATED:
            return 0
        return 2 if (self.totality, self.directness) == (TOTAL, DIRECT) else 1


@dataclass(frozen=True)
class Assessment:
    """All decisions of one person, or of the adjudicator, about one thread. None is what was not decided."""

    thread: str
    assessor: str
    clear: bool | None = None
    """The question is clear and not too broad."""
    answered: bool | None = None
    """The cited documents answer all of its parts with little deduction."""
    labels: tuple[Label, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    note: str = ""
    confirmed: bool | None = None
    """Whether the asker says in a comment that the answer is right; None if nobody has decided on it."""
    breaks: tuple[SentenceBreak, ...] = ()
    """Where sentences were cut or joined."""
    added: tuple[str, ...] = ()
    """Documents that no pattern saw in the answer."""
    unsure: bool = False
    """Whether who decided says that somebody else should look at it."""

    @property
    def decided(self) -> bool:
        return self.clear is False or (self.clear is not None and self.answered is not None)

    @property
    def accepted(self) -> bool:
        """Whether both criteria hold, so the thread becomes a topic."""
        return bool(self.clear and self.answered)


def check_assessment(assessment: Assessment, candidate: Candidate) -> Assessment:
    """The same assessment, or an error if it speaks of a sentence, micro-topic or document that is not there."""
    place = f"thread {candidate.id}, {assessment.assessor}"
    if assessment.thread != candidate.id:
        raise DataError(f"{place}: an assessment of thread {assessment.thread}")
    for each in assessment.breaks:
        check_break(each, candidate, place)
    mended = mended_candidate(candidate, assessment.breaks, assessment.added)
    starts = {(sentence.number, sentence.place) for sentence in mended.sentences}
    seen: set[tuple[Start, int]] = set()
    for label in assessment.labels:
        if label.start not in starts:
            at = f" that begins at {label.place}" if label.place else ""
            raise DataError(f"{place}: no sentence {label.sentence}{at}")
        if label.kind not in KINDS or (label.micro_topic > 0) != (label.kind == QUERY):
            raise DataError(f"{place}: sentence {label.sentence} cannot be {label.kind!r} of {label.micro_topic}")
        if (label.start, label.micro_topic) in seen or (label.start, 0) in seen:
            raise ConflictError(f"{place}: sentence {label.sentence} is labelled twice")
        seen |= {(label.start, label.micro_topic)}
    if any((start, 0) in seen for start, micro_topic in seen if micro_topic):
        raise ConflictError(f"{place}: a sentence is labelled twice")
    documents = {citation.document for citation in mended.citations}
    pairs: set[tuple[int, str]] = set()
    for judgment in assessment.judgments:
        if judgment.document not in documents:
            raise DataError(f"{place}: document {judgment.document!r} is not cited")
        if judgment.micro_topic < 1:
            raise DataError(f"{place}: no micro-topic {judgment.micro_topic}")
        directness = ("",) if judgment.totality == UNRELATED else DIRECTNESS
        if judgment.totality not in TOTALITY or judgment.directness not in directness:
            raise DataError(
                f"{place}: {judgment.totality!r}, {judgment.directness!r} are not a totality and a directness"
            )
        if (judgment.micro_topic, judgment.document) in pairs:
            raise ConflictError(f"{place}: document {judgment.document!r} is judged twice for {judgment.micro_topic}")
        pairs.add((judgment.micro_topic, judgment.document))
    return assessment


def check_break(each: SentenceBreak, candidate: Candidate, place: str) -> None:
    """An error if no sentence could be cut or joined there."""
    sentence = next((s for s in candidate.sentences if s.number == each.sentence), None)
    if sentence is None:
        raise DataError(f"{place}: no sentence {each.sentence}")
    if each.place and each.place not in cut_places(sentence):
        raise DataError(f"{place}: sentence {each.sentence} cannot be cut at {each.place}")
    if not each.place and not each.begins and sentence is candidate.sentences[0]:
        raise DataError(f"{place}: no sentence stands before sentence {each.sentence}")


def labels_of(candidate: Candidate, assessment: Assessment | None) -> tuple[Label, ...]:
    """Labels for every sentence: the human's where there are any, otherwise the proposed one."""
    decided: dict[Start, list[Label]] = {}
    for label in assessment.labels if assessment else ():
        decided.setdefault(label.start, []).append(label)
    mended = mended_sentences(candidate.sentences, assessment.breaks if assessment else ())
    proposed = {(s.number, s.place): [Label(s.number, s.kind, s.micro_topic, s.place)] for s in mended}
    return tuple(label for start, labels in proposed.items() for label in decided.get(start, labels))


def proposal(candidate: Candidate, assessor: str = "rules") -> Assessment:
    """What the rules propose: labels only, for no rule can judge a document."""
    return Assessment(candidate.id, assessor, labels=labels_of(candidate, None))


def one_a_thread(assessments: Sequence[Assessment]) -> dict[str, Assessment]:
    """{thread: assessment}; two of one thread have to be resolved first."""
    by_thread: dict[str, Assessment] = {}
    for assessment in assessments:
        if assessment.thread in by_thread:
            names = f"{by_thread[assessment.thread].assessor} and {assessment.assessor}"
            raise ConflictError(f"thread {assessment.thread} has two assessments, by {names}: resolve them first")
        by_thread[assessment.thread] = assessment
    return by_thread
