"""What a word may look like after the channel: combinations of characteristic errors, and the most probable strings."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ...core.errors import SpecError

if TYPE_CHECKING:
    from .model import Channel, Rule

SURE = 1 - 1e-9
"""Stands for a probability of 1 where odds are needed."""

FLOOR = 0.02
"""The least chance of a character to come through."""


def corruptions(word: str, rules: Sequence[Rule], limit: int = 256, *, by: str = "type") -> list[tuple[str, float]]:
    """The word with every combination of errors present or absent, the most probable combination first.

    ``by="type"``: a rule is applied at all its places or at none; ``by="site"``: at each place on its own. Rewriting
    is simultaneous on the word as it was, from left to right, the longest source first; a combination in which a rule
    finds no free place is left out, and so is one that gives a string for the second time.
    """
    if by not in {"type", "site"}:
        raise SpecError(f"corruptions are by type or by site, not by {by!r}")
    if limit < 1:
        raise SpecError(f"at least one corruption, not {limit}")
    if by == "site":
        return _by_site(word, rules, limit)
    choices = _choices(word, rules)
    variants: dict[str, float] = {}
    for subset in _best_subsets([rule.probability for rule, _ in choices]):
        variant = _rewrite(word, [choices[k] for k in sorted(subset)])
        if variant is not None and variant not in variants:
            chances = [rule.probability if k in subset else 1 - rule.probability for k, (rule, _) in enumerate(choices)]
            variants[variant] = math.prod(chances)
            if len(variants) == limit:
                break
    return sorted(variants.items(), key=lambda row: -row[1])


def _by_site(word: str, rules: Sequence[Rule], limit: int) -> list[tuple[str, float]]:
    """Each place on its own, from left to right: combinations that overlap are never met, and they can be many."""
    steps: Steps = [[(1, character, 0.0)] for character in word] + [[]]
    without = 0.0
    for rule in rules:
        odds, none = _log_odds(rule.probability)
        for place in _places(word, rule):
            steps[place].append((len(rule.source), rule.target, odds))
            without += none
    return [(variant, math.exp(without + value)) for variant, value in islice(_best_first(steps), limit)]


def _places(word: str, rule: Rule) -> list[int]:
    return [k for k in range(len(word)) if rule.source and word.startswith(rule.source, k)]


def _log_odds(probability: float) -> tuple[float, float]:
    """The logarithms of the odds of an event, and of the chance that it does not happen."""
    p = min(probability, SURE)
    return math.log(p) - math.log1p(-p), math.log1p(-p)


def _choices(word: str, rules: Sequence[Rule]) -> list[tuple[Rule, list[int]]]:
    """What can be present or absent: a rule with its places in the word, the longest sources first."""
    ordered = sorted(rules, key=lambda rule: (-len(rule.source), -rule.probability, rule.source, rule.target))
    return [(rule, places) for rule in ordered if (places := _places(word, rule))]


def _rewrite(word: str, chosen: list[tuple[Rule, list[int]]]) -> str | None:
    """The word with the chosen errors; None when one of them finds no free place."""
    owner: dict[int, Rule] = {}
    taken: set[int] = set()
    for rule, places in chosen:
        free = False
        for place in places:
            span = range(place, place + len(rule.source))
            if taken.isdisjoint(span):
                owner[place] = rule
                taken.update(span)
                free = True
        if not free:
            return None
    written, at = [], 0
    while at < len(word):
        if at in owner:
            written.append(owner[at].target)
            at += len(owner[at].source)
        else:
            written.append(word[at])
            at += 1
    return "".join(written)


def _best_subsets(probabilities: Sequence[float]) -> Iterator[frozenset[int]]:
    """All subsets of independent events, the most probable first, found one at a time with a heap.

    The first holds all events that are more probable than not. The others differ from it in some events, and the cost
    of each difference is the event's log odds; differences are added in the order of their costs.
    """
    odds = [_log_odds(probability)[0] for probability in probabilities]
    first = frozenset(k for k, odd in enumerate(odds) if odd > 0)
    order = sorted(range(len(odds)), key=lambda k: abs(odds[k]))
    costs = [abs(odds[k]) for k in order]
    yield first
    if not costs:
        return
    heap: list[tuple[float, tuple[int, ...]]] = [(costs[0], (0,))]
    while heap:
        cost, changed = heapq.heappop(heap)
        yield first.symmetric_difference(order[k] for k in changed)
        following = changed[-1] + 1
        if following < len(costs):
            heapq.heappush(heap, (cost + costs[following], (*changed, following)))
            heapq.heappush(heap, (cost - costs[following - 1] + costs[following], (*changed[:-1], following)))


def most_probable(channel: Channel, word: str, k: int = 10) -> list[tuple[str, float]]:
    """The k strings with the most probable way from the word, best first, exactly."""
    if k < 1:
        raise SpecError(f"at least one string, not {k}")
    return [(written, math.exp(value)) for written, value in islice(_best_first(_steps(channel, word)), k)]


Steps = list[list[tuple[int, str, float]]]
"""For each place of a word and the one behind it: how many characters are taken, what is written, what that adds."""


def _best_first(steps: Steps) -> Iterator[tuple[str, float]]:
    """All strings that lead over a word, each with its highest sum, the highest first.

    The search goes on from the partial string whose sum and the best that the rest of the word can still add are the
    highest together; the first way that reaches a string is its best one.
    """
    length = len(steps) - 1
    ahead = [0.0] * len(steps)
    for i in range(length - 1, -1, -1):
        ahead[i] = max(gain + ahead[i + size] for size, _, gain in steps[i] if size)
    heap = [(-ahead[0], 0, "")]
    done: set[tuple[int, str]] = set()
    while heap:
        value, i, written = heapq.heappop(heap)
        if (i, written) in done:
            continue
        done.add((i, written))
        if i > length:
            yield written, -value
            continue
        if i == length:
            heapq.heappush(heap, (value, i + 1, written))
        sofar = -value - ahead[i]
        for size, target, gain in steps[i]:
            there = (i + size, written + target)
            if there not in done:
                heapq.heappush(heap, (-(sofar + gain + ahead[i + size]), *there))


def _steps(channel: Channel, word: str) -> Steps:
    """What the channel can do at each place of a word, with the logarithms of the chances."""
    by_source = channel.by_source
    outside = channel.substitution + channel.deletion + channel.insertion
    inserted = by_source.get("", ())
    inserting = sum(rule.probability for rule in inserted)
    steps: Steps = []
    for i in range(len(word) + 1):
        rules = [rule for size in (1, 2, 3) if i + size <= len(word) for rule in by_source.get(word[i : i + size], ())]
        here = [(len(rule.source), rule.target, math.log(rule.probability)) for rule in (*rules, *inserted)]
        if i < len(word):
            left = 1 - outside - inserting - sum(rule.probability for rule in rules)
            here.append((1, word[i], math.log(max(left, FLOOR))))
        steps.append(here)
    return steps
