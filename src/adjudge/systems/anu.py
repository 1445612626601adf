"""Australian National University, PADRE: questions corrupted like the text, and scores by spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.note import Note
from ..core.run import Run
from ..core.spec import is_count, is_number, require
from ..index.accumulation import best
from ..index.index import Index
from ..index.searching import Hits, run_of
from ..noise.alignment import missing_library
from .parts.concepts import Concept, automatic, corrupt, learn_channel, read_concepts
from .parts.spans import find
from .parts.version import Aids, Version
from .system import System, Topics

ANALYZER = "words|lower"
AUTOMATIC = "automatic"


@dataclass(frozen=True)
class ANU(System):
    """How close together the concepts of a question stand, in spellings that scanning makes of them: anu5con.

    Formula: a span of degree n is a shortest stretch of words with n of the K concepts of the question;
    score = Σ_n (n / K)^``power`` · Σ over spans of degree n of length^−``decay``. No statistics of the collection are
    used. Every word of the question that is no stop word is a concept, for which every word stands that begins with
    its Porter stem or has the same; or the concepts are written by hand. From the aligned sample characteristic errors
    are learned, and for every concept also stand its forms with all combinations of these errors.

    Parameters: ``concepts`` (automatic), else a file of concepts, a line each: topic, then forms with | between them,
    each a word, words side by side, or a beginning with *; ``decay`` of 0 or more (0.5); ``power`` (4), so that one
    full span beats many partial ones of its length; ``longest`` (none), words of a span at most; ``limit`` (256),
    variants of a form, the most probable first, 1 for no corruption; ``by`` (type: an error happens at all its places
    in a word or at none; site: at each on its own); ``weighted`` (false), whether a span counts for the mean
    probability of the forms in it and not for 1; ``shortest`` (3), the characters below which a beginning is taken for
    the whole word.

    No value: a question without concepts, or with none that occurs, finds nothing. Without an aligned sample, or
    without errors in it, nothing is corrupted.

    Paper: Kantor, Voorhees, The TREC-5 Confusion Track (Information Retrieval 2, 2000), section 3, where concepts
    were written by hand. Hawking, Thistlewaite, Proximity operators: so near and yet so far (TREC-4, 1995) is
    said to count characters, here words are counted, which errors inside of words leave as they are. What degrees are
    worth is open.

    Example: in a x b x x a b c, the concepts a, b, c have one full span, a b c at the end, with 1/√3 = 0.577, and four
    of degree 2.
    """

    name: ClassVar[str] = "anu"
    uses: ClassVar[tuple[str, ...]] = ("aligned",)

    concepts: str = AUTOMATIC
    decay: float = 0.5
    power: float = 4.0
    longest: int | None = None
    limit: int = 256
    by: str = "type"
    weighted: bool = False
    shortest: int = 3

    def __post_init__(self) -> None:
        require(self, "concepts", isinstance(self.concepts, str), "be automatic or a file")
        for field in ("decay", "power"):
            require(self, field, is_number(getattr(self, field)) and getattr(self, field) >= 0, "be 0 or more")
        require(
            self, "longest", self.longest is None or is_count(self.longest), "be a whole number, 1 or more, or none"
        )
        for field in ("limit", "shortest"):
            require(self, field, is_count(getattr(self, field)), "be a whole number, 1 or more")
        require(self, "by", self.by in {"type", "site"}, "be type or site")
        require(self, "weighted", isinstance(self.weighted, bool), "be true or false")

    @property
    def files(self) -> tuple[str, ...]:
        return () if self.concepts == AUTOMATIC else (self.concepts,)

    def missing(self) -> str:
        return missing_library()

    def prepare(self, version: Version, aids: Aids) -> None:
        if self.concepts != AUTOMATIC:
            read_concepts(version.file(self.concepts))
        version.index(ANALYZER, positions=True)

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        index = version.index(ANALYZER, positions=True)
        channel = learn_channel(aids.aligned) if self.limit > 1 else None
        answers = {}
        for topic, plain in self._concepts(version, topics).items():
            concepts = [corrupt(concept, channel, self.limit, self.by) for concept in plain] if channel else plain
            hits = self._hits(index, concepts, k)
            if len(hits):
                answers[topic] = hits
            else:
                version.progress.note(Note.of("no_concept" if concepts else "no_content_word", topic))
        return run_of(answers, index, str(self))

    def _concepts(self, version: Version, topics: Topics) -> dict[str, list[Concept]]:
        written = {} if self.concepts == AUTOMATIC else read_concepts(version.file(self.concepts))
        if written:
            for topic in written.keys() - topics.keys():
                version.progress.note(Note.of("concepts_without_topic", self.concepts, topic=topic))
            for topic in topics.keys() - written.keys():
                version.progress.note(Note.of("concepts_automatic", topic, file=self.concepts))
        return {topic: written.get(topic) or automatic(question) for topic, question in topics.items()}

    def _hits(self, index: Index, concepts: list[Concept], k: int) -> Hits:
        matches = find(index, concepts, shortest=self.shortest, weighted=self.weighted)
        shares = (np.arange(1, len(concepts) + 1) / max(len(concepts), 1)) ** self.power
        scores = matches.scores(shares, decay=self.decay, longest=self.longest)
        places = np.flatnonzero(scores > 0)
        top = (
            best(scores[places], matches.documents[places], index.id_ranks, min(k, len(places)))
            if len(places)
            else places
        )
        return Hits(matches.documents[places][top], scores[places][top], index)
