"""A topic: an information need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import DataError, SpecError


@dataclass(frozen=True)
class Topic:
    """What the searcher wants, in as many forms as the collection gives; a form that it does not give is empty."""

    id: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    sentences: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """What is asked: the sentences in order, prelude and micro-topic together, or the title if there are none.

        A topic that stands for a micro-topic has the sentences of the prelude and its own, and none of its sisters'.
        """
        return " ".join(sentence.strip() for sentence in self.sentences if sentence.strip()) or self.title


def micro_topic(id_: str, prelude: Sequence[str], own: Sequence[str], description: str = "") -> Topic:
    """A topic for one micro-topic: the sentences of the prelude, then its own (Stathopoulos & Teufel, section 4.2)."""
    if not any(sentence.strip() for sentence in own):
        raise DataError(f"micro-topic {id_}: no sentence of its own")
    asked = " ".join(sentence.strip() for sentence in own if sentence.strip())
    return Topic(id_, asked, description=description, sentences=(*prelude, *own))


FIELDS = ("title", "description", "narrative")
"""The parts of a topic that can be the query."""


def queries_of(topics: Sequence[Topic], fields: Sequence[str] = ("title",), source: str = "topics") -> dict[str, str]:
    """{topic: text that is searched for}: the fields one after the other; at least one topic must have one."""
    for field in fields:
        if field not in FIELDS:
            raise SpecError(f"a field of a topic is {', '.join(FIELDS)}, not {field!r}")
    queries = {topic.id: " ".join(filter(None, (getattr(topic, field) for field in fields))) for topic in topics}
    if not any(queries.values()):
        others = [field for field in FIELDS if any(getattr(topic, field) for topic in topics)]
        more = f": give --field {' or '.join(others)}" if others else ""
        raise DataError(f"{source}: no topic has a {' or '.join(fields)}{more}")
    return queries
