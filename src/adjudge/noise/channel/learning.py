"""Learning a channel from pairs of true and observed text.

The texts are aligned by the fewest edits; the stretches where they differ give a first set of rules. Levenshtein does
not know that ``rn`` looks like ``m``, so the counts are refined by expectation maximisation: every way to get from the
true to the observed side of a stretch is weighed by its probability under the rules so far, and the rules are
counted again. What is then expected less than twice goes to the masses outside the rules, as the estimate of Good and
Turing has it: what was seen once measures what was never seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from ...core.errors import DataError, SpecError
from ..alignment import Alignment, Region, align, rules_of
from .model import LONGEST, Channel, Rule, tellable
from .rule_arrays import LETTERS, ChannelTables, loops, pack

Floats = npt.NDArray[np.float64]

CONTEXT = 2
"""Characters that agree on both sides of an error, for rules that reach into them."""

WINDOW = 40
"""Longer stretches are taken apart; a stretch of garbage beyond this teaches nothing."""

LEAST = 1.5
"""Rules expected less often are dropped."""

UNKNOWN = "unknown"
"""Stands for all characters outside the alphabet in counts; longer than any side of a rule."""

SELDOM = 1e-5
"""The masses outside the rules are never smaller: another text has errors that this one has not."""

MOST_LIKELY = 0.9
"""No rule has a higher probability: a text in which every Q was misread does not prove that every Q will be."""


@dataclass
class ErrorEvidence:
    """What the aligned pairs show, gathered pair by pair."""

    aligned: list[Alignment] = field(default_factory=list)
    windows: Counter[tuple[str, str]] = field(default_factory=Counter)
    regions: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    skipped: int = 0

    def add(self, alignment: Alignment) -> None:
        """One more pair."""
        self.aligned.append(alignment)
        self.regions.update(alignment.errors())
        self.errors.update(rules_of(alignment, longest=LONGEST))
        for window in _windows(alignment):
            if window is None:
                self.skipped += 1
            else:
                self.windows[window] += 1

    @property
    def characters(self) -> int:
        """Length of the true texts."""
        return sum(len(alignment.true) for alignment in self.aligned)

    @property
    def edits(self) -> int:
        """Edits of all pairs."""
        return sum(alignment.edits for alignment in self.aligned)


def _windows(alignment: Alignment) -> Iterator[tuple[str, str] | None]:
    """Errors with their surroundings; those that nearly touch belong together; None for one that is too long."""
    group: list[Region] = []
    for region in alignment.regions:
        if group and region.start - group[-1].end > CONTEXT:
            yield from _window(alignment, group)
            group = []
        group.append(region)
    if group:
        yield from _window(alignment, group)


def _window(alignment: Alignment, group: list[Region]) -> Iterator[tuple[str, str] | None]:
    start, end, begin, stop = group[0].start, group[-1].end, group[0].begin, group[-1].stop
    if max(end - start, stop - begin) > WINDOW:
        if len(group) == 1:
            yield None
        else:
            middle = len(group) // 2
            yield from _window(alignment, group[:middle])
            yield from _window(alignment, group[middle:])
        return
    left = min(CONTEXT, start, begin)
    if alignment.true[start - left : start] != alignment.observed[begin - left : begin]:
        left = 0  # a group that was taken apart: its neighbour is an error
    right = CONTEXT
    if alignment.true[end : end + right] != alignment.observed[stop : stop + right]:
        right = 0
    yield alignment.true[start - left : end + right], alignment.observed[begin - left : stop + right]


def learn(
    pairs: Iterable[tuple[str, str]],
    *,
    em_rounds: int = 3,
    most: int = 4000,
    bursts: bool = True,
    seed: int = 0,
    about: dict[str, object] | None = None,
) -> Channel:
    """A channel from pairs of true and observed text.

    ``most``: at most so many rules, the most frequent. ``bursts=False`` leaves out the fit of bursts and of the curve
    by simulation, for channels that only score. The simulation uses ``seed``. How many stretches of errors were too
    long to learn rules from (a page that was not read, say) is in ``about`` as ``skipped``.
    """
    if em_rounds < 0 or most < 1:
        raise SpecError("learning needs 0 or more rounds and room for at least one rule")
    evidence = ErrorEvidence()
    for true, observed in pairs:
        evidence.add(align(true, observed))
    if not evidence.characters:
        raise DataError("nothing to learn from: the true texts are empty")
    if not evidence.edits:
        raise DataError("nothing to learn from: true and observed texts are the same")
    if not evidence.windows:
        raise DataError("nothing to learn from: true and observed texts have nothing in common")
    alphabet = _alphabet(evidence)
    occurrences = StringCounts.of([alignment.true for alignment in evidence.aligned], alphabet)
    channel = _estimate(_first_counts(evidence, alphabet), occurrences, alphabet, most)
    for _ in range(em_rounds):
        channel = _estimate(_expected(channel, evidence), occurrences, alphabet, most)
    described: dict[str, object] = {"characters": evidence.characters, "cer": evidence.edits / evidence.characters}
    if evidence.skipped:
        described["skipped"] = evidence.skipped
    channel = replace(channel, errors=_errors(evidence, occurrences, alphabet), about={**(about or {}), **described})
    if bursts:
        from .bursting import with_bursts

        channel = with_bursts(channel, evidence.aligned, seed)
    return channel


def _alphabet(evidence: ErrorEvidence) -> str:
    counts: Counter[str] = Counter()
    for alignment in evidence.aligned:
        counts.update(alignment.true)
        counts.update(alignment.observed)
    known = sorted(filter(tellable, counts), key=lambda c: (-counts[c], c))
    return "".join(sorted(known[:LETTERS]))


@dataclass(frozen=True)
class StringCounts:
    """How often strings of up to three characters of an alphabet stand in the true texts."""

    ids: npt.NDArray[np.uint8]
    characters: int
    keys: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, texts: list[str], alphabet: str) -> StringCounts:
        """Counts all of them, overlapping ones too."""
        ids = ChannelTables.of((), alphabet, 0.0, 0.0, 0.0).buffers[0]
        seen: list[npt.NDArray[np.int64]] = []
        numbers: list[npt.NDArray[np.int64]] = []
        for text in texts:
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
            known = np.where(codes < 65536, ids[np.minimum(codes, 65535)], 0).astype(np.int64)
            packs = [known[known > 0]]
            for size in (2, 3):
                rows = np.lib.stride_tricks.sliding_window_view(known, size) if len(known) >= size else known[:0, None]
                rows = rows[(rows > 0).all(1)]
                packs.append((rows << (8 * np.arange(rows.shape[1]))).sum(1))
            keys, counts = np.unique(np.concatenate(packs), return_counts=True)
            seen.append(keys)
            numbers.append(counts)
        keys, place = np.unique(np.concatenate(seen), return_inverse=True)
        totals = np.bincount(place, np.concatenate(numbers)).astype(np.int64)
        return cls(ids, sum(map(len, texts)) + len(texts), keys, totals)

    def count(self, text: str) -> int:
        """How often a string stands in the texts; for the empty one, the number of places to insert at."""
        if not text:
            return self.characters
        key = pack(self.ids, text)
        place = int(np.searchsorted(self.keys, key))
        return int(self.counts[place]) if place < len(self.keys) and self.keys[place] == key else 0


Counts = dict[tuple[str, str], float]


def _first_counts(evidence: ErrorEvidence, alphabet: str) -> Counts:
    """Short stretches are rules as they stand; of longer ones the characters opposite each other."""
    known = set(alphabet)
    counts: Counts = {}

    def add(source: str, target: str, number: float) -> None:
        if source != target and known.issuperset(source + target):
            counts[source, target] = counts.get((source, target), 0.0) + number

    for (source, target), number in evidence.regions.items():
        if max(len(source), len(target)) <= LONGEST:
            add(source, target, number)
        if max(len(source), len(target)) > 1 and max(len(source), len(target)) <= WINDOW:
            weight = number * (0.1 if max(len(source), len(target)) <= LONGEST else 1.0)
            shared = min(len(source), len(target))
            for a, b in zip(source, target, strict=False):
                add(a, b, weight)
            for a in source[shared:]:
                add(a, "", weight)
            for b in target[shared:]:
                add("", b, weight)
    return counts


def _estimate(counts: Counts, occurrences: StringCounts, alphabet: str, most: int) -> Channel:
    """Probabilities from counts: n(source → target) / (n(source) + 1), rare ones outside the rules."""
    often = (row for row in counts.items() if row[1] >= LEAST and UNKNOWN not in row[0])
    frequent = sorted(often, key=lambda row: (-row[1], row[0]))[:most]
    rules = tuple(
        Rule(source, target, min(number / (occurrences.count(source) + 1), MOST_LIKELY), number)
        for (source, target), number in frequent
    )
    inside = {row[0] for row in frequent}
    outside = [0.0, 0.0, 0.0]
    for (source, target), number in counts.items():
        if (source, target) not in inside:
            kind = 2 if not source else 1 if not target else 0
            outside[kind] += number
    substitution, deletion, insertion = (min(max(number / occurrences.characters, SELDOM), 0.2) for number in outside)
    return Channel(rules, alphabet, substitution, deletion, insertion)


def _expected(channel: Channel, evidence: ErrorEvidence) -> Counts:
    """How often each rule was used, by expectation over all ways through the windows."""
    tables = channel.tables
    singles, edges, rules = np.zeros((256, 256)), np.zeros((2, 256)), np.zeros(len(tables.numbered))
    trues = [true for true, _ in evidence.windows]
    observeds = [observed for _, observed in evidence.windows]
    weights = np.array(list(evidence.windows.values()), float)
    loops.expect(tables.buffers, trues, observeds, weights, singles, edges, rules)
    letters = [UNKNOWN, *channel.alphabet]
    counts: Counts = {}
    for a, b in np.argwhere(singles > 0).tolist():
        counts[letters[a], letters[b]] = float(singles[a, b])
    for a in np.flatnonzero(edges[0]).tolist():
        counts[letters[a], ""] = float(edges[0, a])
    for b in np.flatnonzero(edges[1]).tolist():
        counts["", letters[b]] = float(edges[1, b])
    for (source, target), number in zip(tables.numbered, rules.tolist(), strict=True):
        if number > 0:
            counts[source, target] = number
    return counts


def _errors(evidence: ErrorEvidence, occurrences: StringCounts, alphabet: str, most: int = 1000) -> tuple[Rule, ...]:
    """The confusions as section 2.2 counts them: n(source → target) / n(source)."""
    known = set(alphabet)
    rows = sorted(evidence.errors.items(), key=lambda row: (-row[1], row[0]))
    return tuple(
        Rule(source, target, min(number / max(occurrences.count(source), 1), 1.0), number)
        for (source, target), number in rows
        if known.issuperset(source + target)
    )[:most]
