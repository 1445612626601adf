"""How far people agree beyond chance: Cohen's kappa for two of them, Krippendorff's alpha for any number.

Values are names without order (nominal): total and partial, prelude and query. ``None`` is what was not decided.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...core.english import quantity
from ...core.errors import DataError
from .assessment import Assessment
from .mending import Start, spread

Values = Sequence[Hashable | None]
Value = TypeVar("Value", bound=Hashable)


def kappa(first: Values, second: Values) -> float:
    """Cohen's kappa: (p_o − p_e) / (1 − p_e) over the items that both have decided.

    p_o is the share of items on which they agree, p_e = Σ_v p_1(v)·p_2(v) what two people with these habits would reach
    by chance. NaN if there is no item, or if both always say the same one thing: then chance explains all.

    Two raters, yes/yes 20, yes/no 5, no/yes 10, no/no 15: p_o = 0.7, p_e = 0.5·0.6 + 0.5·0.4 = 0.5.

    >>> a = ["yes"] * 25 + ["no"] * 25
    >>> b = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    >>> round(kappa(a, b), 12)
    0.4
    """
    if len(first) != len(second):
        raise DataError(f"{len(first)} values of one and {len(second)} of the other")
    pairs = ((a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None)
    return kappa_of(Counter(pairs))


def kappa_of(pairs: Mapping[tuple[Value, Value], int]) -> float:
    """Cohen's kappa of how often the first said this and the second that."""
    number = sum(pairs.values())
    if not number:
        return math.nan
    ones: Counter[Hashable] = Counter()
    others: Counter[Hashable] = Counter()
    for (a, b), count in pairs.items():
        ones[a] += count
        others[b] += count
    agreed = sum(count for (a, b), count in pairs.items() if a == b)
    by_chance = sum(count * others[value] for value, count in ones.items())
    return math.nan if by_chance == number * number else (agreed * number - by_chance) / (number * number - by_chance)


def alpha(units: Sequence[Values]) -> float:
    """Krippendorff's alpha, nominal: 1 − D_o / D_e over units with two or more values.

    A unit holds the decisions of all assessors on one item. With m_u values in unit u, a pair of different values
    counts 1/(m_u − 1); n is the number of all values in such units, n_v how often value v is among them:
    alpha = 1 − (n − 1) · Σ_u Σ_{v≠w} n_uv·n_uw / (m_u − 1) / Σ_{v≠w} n_v·n_w. NaN if no unit has two values, or if all
    values are equal.

    The four units a a, a b, b b, b b: n = 8, n_a = 3, n_b = 5, 2 different ordered pairs, 2·3·5 = 30 by chance:
    1 − 7·2/30.

    >>> round(alpha([["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]), 6)
    0.533333
    """
    counts = [Counter(value for value in unit if value is not None) for unit in units]
    counts = [count for count in counts if count.total() > 1]
    whole: Counter[Hashable] = Counter()
    observed = 0.0
    for count in counts:
        number = count.total()
        observed += (number * number - sum(n * n for n in count.values())) / (number - 1)
        whole.update(count)
    total = whole.total()
    expected = total * total - sum(n * n for n in whole.values())
    return math.nan if not expected else 1 - (total - 1) * observed / expected


@dataclass(frozen=True)
class DividedItem:
    """An item that was not decided alike by all."""

    item: str
    values: tuple[tuple[str, str], ...]
    """(who, what)."""


@dataclass(frozen=True)
class Agreement:
    """How far several people agree on one kind of decision."""

    kind: str
    items: int
    """Decided by two or more."""
    share: float
    """Of these, decided alike by all; NaN if there are none."""
    alpha: float
    kappa: float
    """Of the two people, NaN if there are not just two."""
    disagreements: tuple[DividedItem, ...]


def agreement(kind: str, decided: Mapping[str, Mapping[str, str | None]]) -> Agreement:
    """What {item: {who: what}} comes to."""
    people = sorted({who for values in decided.values() for who in values})
    twice = {item: v for item, v in decided.items() if sum(what is not None for what in v.values()) > 1}
    differing = []
    for item, values in twice.items():
        answers = tuple((who, what) for who, what in sorted(values.items()) if what is not None)
        if len({what for _, what in answers}) > 1:
            differing.append(DividedItem(item, answers))
    pair = math.nan
    if len(people) == 2:
        pair = kappa([v.get(people[0]) for v in decided.values()], [v.get(people[1]) for v in decided.values()])
    share = 1 - len(differing) / len(twice) if twice else math.nan
    return Agreement(kind, len(twice), share, alpha([list(v.values()) for v in twice.values()]), pair, tuple(differing))


def match_groups(first: Mapping[int, set[Start]], second: Mapping[int, set[Start]]) -> dict[int, int]:
    """{micro-topic of the second: micro-topic of the first} by the sentences of each, most shared ones first.

    Two people may number the same micro-topics differently. One that shares no sentence gets a number of its own.
    """
    shared = sorted((-len(s & t), k, m) for k, s in first.items() for m, t in second.items() if s & t)
    pairs: dict[int, int] = {}
    for _, k, m in shared:
        if m not in pairs and k not in pairs.values():
            pairs[m] = k
    fresh = max((*first, 0)) + 1
    for m in second:
        if m not in pairs:
            pairs[m] = fresh
            fresh += 1
    return pairs


def groups_of(labels: Mapping[Start, tuple[str, tuple[int, ...]]]) -> dict[int, set[Start]]:
    """{micro-topic: where its sentences begin}."""
    groups: dict[int, set[Start]] = {}
    for start, (_, micro_topics) in labels.items():
        for k in micro_topics:
            groups.setdefault(k, set()).add(start)
    return groups


def agreement_of(assessments: Sequence[Assessment]) -> list[Agreement]:
    """Agreement of all people on each kind of decision; micro-topics are matched within each thread.

    Sentences that people cut differently are compared piece by piece. Whether the asker confirms the answer is among
    them where anybody has decided on it.
    """
    kinds = ("clear", "answered", "confirmed", "sentence", "micro-topic", "totality", "directness")
    decided: dict[str, dict[str, dict[str, str | None]]] = {kind: {} for kind in kinds}
    by_thread: dict[str, list[Assessment]] = {}
    for assessment in assessments:
        by_thread.setdefault(assessment.thread, []).append(assessment)

    def say(kind: str, item: str, who: str, what: str | None) -> None:
        decided[kind].setdefault(item, {})[who] = what

    for thread, some in by_thread.items():
        starts = {label.start for assessment in some for label in assessment.labels}
        reference: dict[int, set[Start]] = {}
        for assessment in some:
            who, labels = assessment.assessor, spread(_labels(assessment), starts, assessment.breaks)
            groups = groups_of(labels)
            number = match_groups(reference or groups, groups)
            reference = reference or groups
            for kind, value in (("clear", assessment.clear), ("answered", assessment.answered)):
                say(kind, thread, who, None if value is None else "yes" if value else "no")
            if assessment.accepted and assessment.confirmed is not None:
                say("confirmed", thread, who, "yes" if assessment.confirmed else "no")
            for start, (kind, micro_topics) in labels.items():
                item = f"{thread} sentence {spoken(start)}"
                say("sentence", item, who, kind)
                if micro_topics:
                    say("micro-topic", item, who, " ".join(map(str, sorted(number[k] for k in micro_topics))))
            for judged in assessment.judgments:
                item = f"{thread}.{number.get(judged.micro_topic, judged.micro_topic)} {judged.document}"
                say("totality", item, who, judged.totality)
                say("directness", item, who, judged.directness or None)
    return [agreement(kind, decided[kind]) for kind in kinds if decided[kind] or kind != "confirmed"]


def _labels(assessment: Assessment) -> dict[Start, tuple[str, tuple[int, ...]]]:
    """{where a sentence begins: (kind, micro-topics)}."""
    labels: dict[Start, tuple[str, tuple[int, ...]]] = {}
    for label in assessment.labels:
        _, before = labels.get(label.start, ("", ()))
        labels[label.start] = (label.kind, (*before, label.micro_topic) if label.micro_topic else ())
    return labels


def spoken(start: Start) -> str:
    """A sentence as people call it: its number, and where it was cut.

    >>> spoken((4, 0)), spoken((4, 27))
    ('4', '4 from character 28')
    """
    return f"{start[0]} from character {start[1] + 1}" if start[1] else str(start[0])


def in_words(agreements: Sequence[Agreement]) -> str:
    """For a datasheet: clear: alpha 0.81 on 20 items; …; nothing if nothing was decided twice."""
    sentences = []
    for each in agreements:
        if each.items:
            value = "not defined" if math.isnan(each.alpha) else f"{each.alpha:.2f}"
            sentences.append(f"{each.kind}: {each.share:.0%} alike, alpha {value} ({quantity(each.items, 'item')})")
    return "; ".join(sentences)
