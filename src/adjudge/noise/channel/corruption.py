"""What a word may look like after the channel: combinations of characteristic errors, and the most probable strings."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...core.errors import SpecError

if TYPE_CHECKING:
    from .model import Channel, Rule

SURE = 1 - 1e-9
"""Stands for a probability of 1 where odds are needed."""


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
    choices = _choices(word, rules, by)
    found: dict[str, float] = {}
    for subset in _best_subsets([rule.probability for rule, _ in choices]):
        variant = _rewritten(word, [choices[k] for k in sorted(subset)])
        if variant is not None and variant not in found:
            chances = [rule.probability if k in subset else 1 - rule.probability for k, (rule, _) in enumerate(choices)]
            found[variant] = math.prod(chances)
            if len(found) == limit:
                break
    return sorted(found.items(), key=lambda row: -row[1])


def _choices(word: str, rules: Sequence[Rule], by: str) -> list[tuple[Rule, list[int]]]:
    """What can be present or absent: a rule with its places in the word, the longest sources first."""
    ordered = sorted(rules, key=lambda rule: (-len(rule.source), -rule.probability, rule.source, rule.target))
    choices: list[tuple[Rule, list[int]]] = []
    for rule in ordered:
        places = [k for k in range(len(word)) if rule.source and word.startswith(rule.source, k)]
        if by == "site":
            choices += [(rule, [place]) for place in places]
        elif places:
            choices.append((rule, places))
    return choices


def _rewritten(word: str, chosen: list[tuple[Rule, list[int]]]) -> str | None:
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
    odds = []
    for probability in probabilities:
        p = min(probability, SURE)
        odds.append(math.log(p) - math.log1p(-p))
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
    """The k strings with the most probable way from the word, best first, exactly.

    The search goes on from the partial string whose probability, times the best that the rest of the word can still
    reach, is the highest; the first way that reaches a string is its best one.
    """
    if k < 1:
        raise SpecError(f"at least one string, not {k}")
    steps = _steps(channel, word)
    ahead = [0.0] * (len(word) + 1)
    for i in range(len(word) - 1, -1, -1):
        ahead[i] = max(chance + ahead[i + size] for size, _, chance in steps[i] if size)
    heap = [(-ahead[0], 0, "")]
    done: set[tuple[int, str]] = set()
    found: list[tuple[str, float]] = []
    while heap and len(found) < k:
        value, i, written = heapq.heappop(heap)
        if (i, written) in done:
            continue
        done.add((i, written))
        if i > len(word):
            found.append((written, math.exp(-value)))
            continue
        if i == len(word):
            heapq.heappush(heap, (value, i + 1, written))
        sofar = -value - ahead[i]
        for size, target, chance in steps[i]:
            there = (i + size, written + target)
            if there not in done:
                heapq.heappush(heap, (-(sofar + chance + ahead[i + size]), *there))
    return found


def _steps(channel: Channel, word: str) -> list[list[tuple[int, str, float]]]:
    """For each place of the word: how many characters are taken, what is written, the logarithm of the chance."""
    by_source = channel.by_source
    outside = channel.substitution + channel.deletion + channel.insertion
    inserted = by_source.get("", ())
    inserting = sum(rule.probability for rule in inserted)
    steps: list[list[tuple[int, str, float]]] = []
    for i in range(len(word) + 1):
        rules = [rule for size in (1, 2, 3) if i + size <= len(word) for rule in by_source.get(word[i : i + size], ())]
        here = [(len(rule.source), rule.target, math.log(rule.probability)) for rule in (*rules, *inserted)]
        if i < len(word):
            left = 1 - outside - inserting - sum(rule.probability for rule in rules)
            here.append((1, word[i], math.log(max(left, FLOOR))))
        steps.append(here)
    return steps


FLOOR = 0.02
