"""A channel that goes through errors in both directions, for words of which nothing but the spelling is known.

From a text alone it is not always to be told which way an error goes. Where s is read as f, j and s, the channel that
is learned may well have f, s and j for what becomes of j. What is sure is that the three stand for each other. So a
letter of a question may have been any letter that is read as it, and stands for whatever that one is read as:
P(b for a) = Σ P(h | a) · P(b | h) over the letters h of the learned channel. Where directions are right, h is a itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ....noise.channel.model import Channel, Rule
from .observed_strings import CAPITALS, FINALS, PLAIN

BOTH = 0.7
"""The share of what goes through other letters; the rest is the channel as it was learned."""
RAREST, MOST, WHOLE = 1e-4, 0.97, 0.98


def both_ways(channel: Channel) -> Channel:
    """The same channel with errors between single letters in both directions."""
    found = {(rule.source, rule.target): rule for rule in channel.rules}
    stands: dict[str, float] = {}
    errors: dict[str, float] = defaultdict(float)
    for (source, target), rule in found.items():
        if source and rule.probability > 0:
            stands.setdefault(source, rule.seen / rule.probability)
            errors[source] += rule.probability if source.translate(PLAIN) != target else 0.0
    for edge in ("", CAPITALS, FINALS):
        inside = (lambda c: c not in CAPITALS + FINALS) if not edge else edge.__contains__
        joint: dict[str, dict[str, float]] = defaultdict(dict)
        for letter, times in stands.items():
            if len(letter) == 1 and inside(letter):
                joint[letter][letter.translate(PLAIN)] = times * max(1 - errors[letter], 1 - WHOLE)
        for (source, target), rule in found.items():
            if source in joint and len(target) == 1 and source.translate(PLAIN) != target:
                joint[source][target] = rule.seen
        written = {c.translate(PLAIN): c for c in edge}
        for (read, target), chance in _through(joint).items():
            source = written.get(read, "") if edge else read
            if not source or target == read:
                continue
            former = found.get((source, target), Rule(source, target, 0.0, 0.0))
            mixed = (1 - BOTH) * former.probability + BOTH * chance
            if mixed >= RAREST:
                seen = max(former.seen, mixed * stands.get(source, 0.0))
                found[source, target] = Rule(source, target, min(mixed, MOST), seen)
    total: dict[str, float] = defaultdict(float)
    for rule in found.values():
        total[rule.source] += rule.probability
    rules = (r._replace(probability=r.probability / max(1.0, total[r.source] / WHOLE)) for r in found.values())
    return Channel(tuple(rules), channel.alphabet, channel.substitution, channel.deletion, channel.insertion)


def _through(joint: Mapping[str, Mapping[str, float]]) -> dict[tuple[str, str], float]:
    """P(b for a) by what each letter was read as, and how often."""
    read: dict[str, float] = defaultdict(float)
    for row in joint.values():
        for target, times in row.items():
            read[target] += times
    chances: dict[tuple[str, str], float] = defaultdict(float)
    for row in joint.values():
        whole = sum(row.values())
        for a, times in row.items():
            for b, others in row.items():
                chances[a, b] += times / max(read[a], 1e-9) * others / max(whole, 1e-9)
    return chances
