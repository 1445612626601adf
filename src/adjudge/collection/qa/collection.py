"""The finished collection: topics of typed sentences, micro-topics, judgments; its counts, topics and qrels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.errors import ConflictError, DataError
from ...core.note import Note
from ...core.qrels import Qrels
from ...core.topic import Topic
from ...core.topic import micro_topic as micro_topic_of
from .threads import PRELUDE, QUERY, Part, part_text


@dataclass(frozen=True)
class TypedSentence:
    """A sentence of a topic: prelude, query of one or more micro-topics, or neither."""

    number: int
    parts: tuple[Part, ...]
    kind: str
    micro_topics: tuple[int, ...] = ()
    paragraph: int = 1

    @property
    def text(self) -> str:
        return " ".join("".join(part_text(part) for part in self.parts).split())

    @property
    def words(self) -> str:
        """Without the dollars of formulas: what a search engine is given."""
        return " ".join("".join(part.text for part in self.parts).split())


@dataclass(frozen=True)
class JudgedDocument:
    """A document judged for a micro-topic, relevant from grade 1 on; totality and directness are empty if not known."""

    micro_topic: int
    document: str
    grade: int = 1
    totality: str = ""
    directness: str = ""
    confirmed: bool | None = None
    """Whether the asker confirms the answer in a comment, as people decided; None if nobody has."""


@dataclass(frozen=True)
class CollectionTopic:
    """A thread that became a topic."""

    id: str
    source: str
    """The id of the question on the site."""
    title: str
    sentences: tuple[TypedSentence, ...]
    judgments: tuple[JudgedDocument, ...]
    people: int = 0
    """How many people have finished it; 0 if that is not known."""

    @property
    def relevant(self) -> tuple[JudgedDocument, ...]:
        """The judgments of relevant documents."""
        return tuple(judgment for judgment in self.judgments if judgment.grade > 0)

    @property
    def prelude(self) -> tuple[TypedSentence, ...]:
        return tuple(sentence for sentence in self.sentences if sentence.kind == PRELUDE)

    @cached_property
    def micro_topics(self) -> tuple[int, ...]:
        """Those that are judged: one without a relevant document cannot be evaluated."""
        return tuple(sorted({judgment.micro_topic for judgment in self.relevant}))

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """All that have a query sentence."""
        return tuple(sorted({m for s in self.sentences if s.kind == QUERY for m in s.micro_topics}))

    def own(self, micro_topic: int) -> tuple[TypedSentence, ...]:
        return tuple(s for s in self.sentences if s.kind == QUERY and micro_topic in s.micro_topics)

    def trec_query(self, micro_topic: int) -> Topic:
        """A topic for readers of TREC's form, formulas between dollars: what is asked, all of it, what goes before."""
        asked = " ".join(sentence.text for sentence in self.own(micro_topic))
        prelude = " ".join(sentence.text for sentence in self.prelude)
        return Topic(f"{self.id}.{micro_topic}", asked, f"{prelude} {asked}".strip(), prelude)

    def query(self, micro_topic: int) -> Topic:
        """A topic to search for: all sentences of the prelude, then those of the micro-topic (section 4.2)."""
        asked = [sentence.words for sentence in self.own(micro_topic)]
        prelude = [sentence.words for sentence in self.prelude]
        return micro_topic_of(f"{self.id}.{micro_topic}", prelude, asked, self.title)


@dataclass(frozen=True)
class Counts:
    """What Table 2 and section 2 of the paper count."""

    topics: int
    micro_topics: int
    judgments: int
    documents: int
    sentences: int
    prelude: int
    query: int
    neither: int
    topics_by_micro_topics: dict[int, int]
    topics_by_documents: dict[int, int]
    micro_topics_by_documents: dict[int, int]
    asked: int
    """Micro-topics with a query sentence, judged or not."""


@dataclass(frozen=True)
class TopicCollection:
    """Topics whose ids differ, every (micro-topic, document) judged once."""

    name: str
    topics: tuple[CollectionTopic, ...]
    notes: tuple[Note, ...] = ()

    def validate(self) -> TopicCollection:
        seen: set[str] = set()
        for topic in self.topics:
            if topic.id in seen:
                raise ConflictError(f"topic {topic.id} occurs twice")
            seen.add(topic.id)
            pairs = [(judgment.micro_topic, judgment.document) for judgment in topic.judgments]
            for pair, number in Counter(pairs).items():
                if number > 1:
                    raise ConflictError(f"topic {topic.id}: {pair[1]} is judged twice for micro-topic {pair[0]}")
            for micro_topic in topic.micro_topics:
                if not topic.own(micro_topic):
                    raise DataError(f"topic {topic.id}: micro-topic {micro_topic} is judged and has no sentence")
        return self

    def queries(self) -> list[Topic]:
        """A topic for every judged micro-topic, T.m."""
        return [topic.query(micro_topic) for topic in self.topics for micro_topic in topic.micro_topics]

    def qrels(self) -> Qrels:
        """The judgments of every micro-topic with a relevant document, T.m, in their order; 0 is not relevant."""
        rows = [
            (f"{topic.id}.{judged.micro_topic}", judged.document, judged.grade)
            for topic in self.topics
            for judged in sorted(topic.judgments, key=lambda judged: judged.micro_topic)
            if judged.micro_topic in topic.micro_topics
        ]
        names, documents, grades = zip(*rows, strict=True) if rows else ((), (), ())
        return Qrels.of_columns(names, documents, np.array(grades, np.int32), self.name)

    def tuples(self) -> list[tuple[str, int, int, str]]:
        """(topic, sentence, micro-topic, document), the paper's form of a judgment."""
        return [
            (topic.id, sentence.number, judgment.micro_topic, judgment.document)
            for topic in self.topics
            for judgment in topic.relevant
            for sentence in topic.own(judgment.micro_topic)
        ]

    def counts(self) -> Counts:
        kinds = Counter(sentence.kind for topic in self.topics for sentence in topic.sentences)
        relevant = [len({j.document for j in topic.relevant}) for topic in self.topics]
        of_micro = [
            sum(j.micro_topic == micro for j in topic.relevant) for topic in self.topics for micro in topic.micro_topics
        ]
        return Counts(
            topics=len(self.topics),
            micro_topics=len(of_micro),
            judgments=sum(len(topic.relevant) for topic in self.topics),
            documents=len({j.document for topic in self.topics for j in topic.relevant}),
            sentences=kinds.total(),
            prelude=kinds[PRELUDE],
            query=kinds[QUERY],
            neither=kinds.total() - kinds[PRELUDE] - kinds[QUERY],
            topics_by_micro_topics=_distribution([len(topic.micro_topics) for topic in self.topics]),
            topics_by_documents=_distribution(relevant),
            micro_topics_by_documents=_distribution(of_micro),
            asked=sum(len(topic.asked) for topic in self.topics),
        )


def _distribution(numbers: Sequence[int]) -> dict[int, int]:
    return dict(sorted(Counter(numbers).items()))
