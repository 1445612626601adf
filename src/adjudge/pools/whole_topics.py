"""Topics that are judged whole, drawn at random: by them estimates from a sample of all topics are corrected."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.english import quantity
from ..core.errors import SpecError
from ..core.strings import encode
from ..storage.digest import digest_number

CHANCES = 8
FEWEST = 2
"""One topic does not say how much topics differ."""


def whole_topics(topics: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """So many of the topics, in their order.

    Each topic has a number by the seed and its id alone, and the smallest count. So a pool that is made again has the
    same topics, runs that join change nothing as long as they bring no topic, and of more topics these are a part.

    >>> whole_topics(["1", "2", "3", "4"], 2, seed=0)
    ('2', '4')
    >>> whole_topics(["4", "3", "1"], 2, seed=0)
    ('4', '1')
    """
    chances = {topic: digest_number(f"whole {seed} ".encode() + encode(topic), CHANCES) for topic in topics}
    drawn = frozenset(sorted(topics, key=lambda topic: (chances[topic], topic))[:count])
    return tuple(topic for topic in topics if topic in drawn)


def check_whole_topics(count: int, topics: int) -> None:
    """Refuse a number of whole topics that makes no estimate."""
    if count < FEWEST:
        raise SpecError(f"{quantity(count, 'topic')} judged whole would not do: at least {FEWEST} are needed")
    if count > topics:
        raise SpecError(f"{quantity(count, 'topic')} cannot be judged whole: there are {topics:,}")
