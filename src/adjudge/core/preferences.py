"""Preference judgments: this document rather than that one.

Each judgment group is the opinion of one assessor on one topic. Within a sub-group every document has a level, and a
higher level is preferred to a lower. A group of several sub-groups prefers what any of them prefers and what follows
from that (A before B here, B before C there: A before C); it must not contradict itself. Groups may contradict each
other: assessors do.

Order and ties of a run judged by preferences are decided here and nowhere else. Documents are ranked by score, highest
first; among equal scores the id that is EARLIER in byte order comes first. This is trec_eval's way with preferences,
the opposite of its way with qrels. Only judged documents count; those that were not retrieved stand behind the
retrieved ones, in byte order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .errors import ConflictError, DataError, SpecError
from .groups import Group, Matrix
from .judged import Floats, Ints, JudgedRun
from .judging import USUAL, Judging
from .measure import Measure
from .run import Run
from .strings import Strings, encode

if TYPE_CHECKING:
    import numpy.typing as npt

SCOPES = {"ret": 1, "imp": 2, "all": 3}
"""Which pairs count: both retrieved, one or both, all. So many of the columns both, one, none."""

BLOCK = 512
"""Rows of a pair matrix looked at in one go."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """Rows (topic, judgment group, sub-group, document, level); topic ``t`` has rows offsets[t] to offsets[t + 1].

    A row that is there twice counts once.
    """

    topics: tuple[str, ...]
    offsets: Ints
    groups: tuple[str, ...]
    subgroups: tuple[str, ...]
    documents: Strings
    levels: Floats

    @classmethod
    def of_columns(
        cls,
        topics: Sequence[str],
        groups: Sequence[str],
        subgroups: Sequence[str],
        documents: Sequence[str],
        levels: Sequence[float] | Floats,
    ) -> Preferences:
        """From five columns of equal length, one row each."""
        numbers = np.asarray(levels, float)
        if not np.isfinite(numbers).all():
            raise DataError("a level of a preference is not a finite number")
        seen: dict[str, int] = {}
        codes = np.fromiter((seen.setdefault(topic, len(seen)) for topic in topics), np.int64, len(topics))
        order = np.argsort(codes, kind="stable")
        offsets = np.zeros(len(seen) + 1, np.int64)
        np.cumsum(np.bincount(codes, minlength=len(seen)), out=offsets[1:])
        return cls(
            topics=tuple(seen),
            offsets=offsets,
            groups=tuple(groups[row] for row in order),
            subgroups=tuple(subgroups[row] for row in order),
            documents=Strings.of(documents).take(order),
            levels=numbers[order],
        )

    def __len__(self) -> int:
        return len(self.documents)

    def rows(self) -> Iterator[tuple[str, str, str, str, float]]:
        """(topic, group, sub-group, document, level), topic by topic."""
        topics = np.repeat(np.array(self.topics, object), np.diff(self.offsets)).tolist()
        yield from zip(topics, self.groups, self.subgroups, self.documents, self.levels.tolist(), strict=True)

    def validate(self, source: str = "preferences") -> Preferences:
        """The preferences themselves, or an error that names a group that contradicts itself."""
        try:
            _ = self.judgments  # made once, and it is there that contradictions show
        except ConflictError as error:
            raise ConflictError(f"{source}: {error}") from None
        return self

    @cached_property
    def judgments(self) -> Mapping[str, tuple[list[bytes], tuple[Group, ...]]]:
        """Of each topic: the judged documents and the groups, both in byte order."""
        return {topic: self._judgments(t) for t, topic in enumerate(self.topics)}

    def _judgments(self, t: int) -> tuple[list[bytes], tuple[Group, ...]]:
        begin, end = int(self.offsets[t]), int(self.offsets[t + 1])
        raw = [encode(document) for document in self.documents[begin:end]]
        documents = sorted(set(raw))
        place = {document: i for i, document in enumerate(documents)}
        codes = np.fromiter((place[document] for document in raw), np.int64, len(raw))
        members: dict[str, dict[str, list[int]]] = {}
        for row in range(end - begin):
            own = members.setdefault(self.groups[begin + row], {})
            own.setdefault(self.subgroups[begin + row], []).append(row)
        groups = []
        for name in sorted(members, key=encode):
            parts = {sub: (codes[rows], self.levels[begin:end][rows]) for sub, rows in members[name].items()}
            try:
                groups.append(Group.of_subgroups(name, parts, documents))
            except ConflictError as error:
                raise ConflictError(f"topic {self.topics[t]}, group {name}: {error}") from None
        return documents, tuple(groups)


@dataclass(frozen=True, eq=False, repr=False)
class JudgedPreferences:
    """The one thing that preference measures see: counts for all groups of all topics, one flat array each.

    Topics are in byte order of their ids. ``topic[g]`` is the number of the topic of group ``g``. Arrays with three
    columns count pairs of documents of which both, one, none were retrieved.
    """

    name: str
    topics: tuple[str, ...]
    topic: Ints
    fulfilled: Ints
    """groups × 3: preferences that the ranking agrees with; none of those where no document was retrieved."""
    possible: Ints
    """groups × 3: all preferences."""
    single: Matrix
    """Groups with one sub-group."""
    num_rel: Ints
    num_rel_ret: Ints
    num_nonrel: Ints
    num_nonrel_ret: Ints
    trimmed: Ints
    """groups × 4, where nonrelevant documents outnumber the R relevant ones: preferences fulfilled and possible when
    only the first R nonrelevant ones are kept, among the retrieved documents and among all; else 0."""
    pair_share: Floats
    """topics × 3: summed over pairs of documents, the share of the groups with a preference that the ranking agrees
    with."""
    pairs: Ints
    """topics × 3: pairs of documents that any group has a preference on."""
    without_judgments: tuple[str, ...] = ()
    """Topics of the run that nobody judged; they are left out."""
    missing: tuple[str, ...] = ()
    """Judged topics that the run has no document for; they are here only if the run was judged ``complete``."""

    @cached_property
    def num_groups(self) -> Ints:
        return np.bincount(self.topic, minlength=len(self.topics))

    def sum(self, values: npt.NDArray[np.number]) -> Floats:
        """Sums over the groups of each topic."""
        return np.bincount(self.topic, weights=values, minlength=len(self.topics)).astype(float, copy=False)


class PreferenceMeasure(Measure):
    """Called with a run judged by preferences it gives one number a topic."""

    judged_by: ClassVar[str] = "prefs"
    group: ClassVar[str] = "preference"

    def __call__(self, judged: JudgedRun | JudgedPreferences) -> Floats:
        if not isinstance(judged, JudgedPreferences):
            raise SpecError(f"{self} is measured on preferences (trec_eval -R prefs), not on qrels")
        return self.values(judged)

    @abstractmethod
    def values(self, judged: JudgedPreferences) -> Floats:
        """A value for each topic of a run judged by preferences."""


def judge_preferences(run: Run, preferences: Preferences, judging: Judging = USUAL) -> JudgedPreferences:
    """Join a run with preferences. ``depth`` drops what is ranked below it; ``complete`` adds judged topics that the
    run left out, with nothing retrieved; the rest is for judgments that are grades."""
    missing = tuple(sorted((t for t in preferences.topics if t not in run.position), key=encode))
    wanted = [t for t in run.topics if t in preferences.judgments] + (list(missing) if judging.complete else [])
    topics = tuple(sorted(wanted, key=encode))
    counts: list[tuple[int, ...]] = []
    shares, pairs = np.zeros((len(topics), 3)), np.zeros((len(topics), 3), np.int64)
    for t, topic in enumerate(topics):
        documents, groups = preferences.judgments[topic]
        retrieved = _retrieved(run, topic, {document: i for i, document in enumerate(documents)}, judging.depth)
        order = np.concatenate([retrieved, np.setdiff1d(np.arange(len(documents)), retrieved)])
        rank = np.argsort(order)
        votes = np.zeros((len(documents),) * 2 if len(groups) > 1 else (0, 0), np.min_scalar_type(len(groups)))
        for group in groups:
            own = np.sort(rank[group.documents])
            by_rank = np.argsort(rank[group.documents])
            preferred = group.reorder(by_rank)
            ret = int(np.searchsorted(own, len(retrieved)))
            relevant = group.levels[by_rank] > 0
            counts.append((t, group.single, *_counts(preferred, relevant, ret, group.single)))
            if len(groups) > 1:
                votes[np.ix_(own, own)] += preferred
            else:  # a pair has one preference at most
                pairs[t], shares[t] = counts[-1][5:8], counts[-1][2:5]
        if len(groups) > 1:
            pairs[t], shares[t] = _pairs(votes, len(retrieved))
    table = np.array(counts, np.int64).reshape(-1, 16)
    return JudgedPreferences(
        name=run.name,
        topics=topics,
        topic=table[:, 0],
        single=table[:, 1] == 1,
        fulfilled=table[:, 2:5],
        possible=table[:, 5:8],
        num_rel=table[:, 8],
        num_rel_ret=table[:, 9],
        num_nonrel=table[:, 10],
        num_nonrel_ret=table[:, 11],
        trimmed=table[:, 12:],
        pair_share=shares,
        pairs=pairs,
        without_judgments=tuple(t for t in run.topics if t not in preferences.judgments),
        missing=missing,
    )


def _retrieved(run: Run, topic: str, place: Mapping[bytes, int], depth: int | None) -> Ints:
    """The judged documents among those that the run retrieved, in the order of the ranking."""
    if topic not in run.position:
        return np.zeros(0, np.int64)
    begin, end = run.offsets[run.position[topic] : run.position[topic] + 2].tolist()
    rows = zip((-run.scores[begin:end]).tolist(), map(encode, run.documents[begin:end]), strict=True)
    ranking = sorted(row for row in rows if depth is not None or row[1] in place)[:depth]
    return np.array([place[document] for _, document in ranking if document in place], np.int64)


def _counts(preferred: Matrix, relevant: Matrix, ret: int, single: bool) -> tuple[int, ...]:
    """What JudgedPreferences holds of one group, its documents in rank order, the first ``ret`` of them retrieved."""
    rel, rel_ret = int(relevant.sum()), int(relevant[:ret].sum())
    nonrel, nonrel_ret = len(relevant) - rel, ret - rel_ret
    trimmed = [0, 0, 0, 0]
    if nonrel_ret > rel_ret:
        # with several sub-groups trec_eval keeps as many as there are relevant documents, not relevant retrieved ones
        room = rel_ret if single else rel
        counted = np.flatnonzero(relevant[:ret] | (np.cumsum(~relevant[:ret]) <= room))
        fulfilled, possible = _areas(preferred[np.ix_(counted, counted)], len(counted))
        trimmed[:2] = fulfilled[0], possible[0]
    if nonrel > rel:
        counted = np.flatnonzero(relevant | (np.cumsum(~relevant) <= rel))
        fulfilled, possible = _areas(preferred[np.ix_(counted, counted)], int(np.searchsorted(counted, ret)))
        trimmed[2:] = sum(fulfilled), sum(possible)
    fulfilled, possible = _areas(preferred, ret)
    return (*fulfilled, *possible, rel, rel_ret, nonrel, nonrel_ret, *trimmed)


def _areas(preferred: Matrix, ret: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Preferences fulfilled and possible on pairs of which both, one, none were retrieved."""
    both, first, second = preferred[:ret, :ret], preferred[:ret, ret:], preferred[ret:, :ret]
    agreed, implied = int(np.count_nonzero(np.triu(both))), int(np.count_nonzero(first))
    possible = (
        int(np.count_nonzero(both)),
        implied + int(np.count_nonzero(second)),
        int(np.count_nonzero(preferred[ret:, ret:])),
    )
    return (agreed, implied, 0), possible


def _pairs(votes: npt.NDArray[np.unsignedinteger], ret: int) -> tuple[Ints, Floats]:
    """Over pairs of which both, one, none were retrieved: how many have a vote, and the sum of the shares of votes
    that agree with the ranking."""
    count, share = np.zeros(3, np.int64), np.zeros(3)
    for top in range(0, len(votes), BLOCK):
        agree, differ = votes[top : top + BLOCK, top:], votes[top:, top : top + BLOCK].T
        i, j = np.nonzero(np.triu(agree + differ, 1))
        area = (i + top >= ret).astype(np.int64) + (j + top >= ret)
        count += np.bincount(area, minlength=3)
        share += np.bincount(area, weights=agree[i, j] / (agree + differ)[i, j], minlength=3)
    share[2] = 0
    return count, share
