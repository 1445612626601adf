"""All judgments of a pool, kept up to date by reading only the events that are new, and what they come to.

An adjudication counts first, then what all say who judged the pair. People who differ leave a pair differing until
somebody settles it; nothing is resolved silently.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..collection.workbench.events import ADJUDICATOR, ASSESSOR, Act, Event
from ..collection.workbench.store.store import BadEvent, Store
from ..core.english import listing, plural, quantity
from ..core.errors import ConflictError, DataError
from ..core.qrels import Qrels
from ..pools.judging_queue import SET_ASIDE, JudgingQueue
from ..pools.pooled_pairs import Pool
from .desk_rules import DeskRules
from .judgment_events import PairJudgment, judgment_changes, judgment_of, unreadable

PairKey = tuple[str, str]
"""A topic and a document."""
Owner = tuple[str, str]
"""A role and a person; adjudicators are one owner without a name."""

RECENT = 50
"""Acts of a person among which a form that is sent twice is looked for."""
AGREED, SETTLED, DIFFERING, ASIDE = "agreed", "settled", "differing", "set aside"


class PairOutcome(NamedTuple):
    """What a pair has come to."""

    state: str
    grade: int | None
    """None if people differ or cannot tell."""


class JudgmentBook:
    """What everybody has judged. Threads may share it: ``refresh`` is the only thing that changes it."""

    def __init__(self, store: Store, pool: Pool, rules: DeskRules | None = None, level: int = 1) -> None:
        self.store, self.pool = store, pool
        self.rules = DeskRules() if rules is None else rules
        self.queue = JudgingQueue(pool, level=level)
        self.bad: list[BadEvent] = []
        """Events that are no judgments; they are set aside."""
        self.outside: Counter[PairKey] = Counter()
        """Judgments of pairs that are not in the pool."""
        self.read = 0
        self.waiting: dict[str, dict[str, None]] = {topic: {} for topic in pool.topics}
        """{topic: documents that were judged, but not by as many people as they should be}."""
        self.differ: dict[PairKey, None] = {}
        """Pairs on which people differ, and that nobody has settled."""
        self._events: dict[int, PairJudgment] = {}
        self._keys: dict[tuple[str, str], deque[tuple[str, PairKey]]] = {}
        """The keys of the last acts of a role and person, with their pairs: who sends a form again does so soon."""
        self._undone: dict[int, int] = {}
        """{event: the one that undoes it}."""
        self._filed: dict[PairKey, dict[Owner, list[int]]] = {}
        self._judged: dict[PairKey, dict[Owner, PairJudgment]] = {}
        self._outcomes: dict[PairKey, PairOutcome] = {}
        self._of: dict[tuple[str, str], list[int]] = {}
        """{(role, person): events that are judgments}."""
        self._of_topic: dict[tuple[str, str], list[int]] = {}
        """{(assessor, topic): events that are judgments}."""
        self._counts: dict[str, Counter[str]] = {}
        """{person: judgments by topic}."""
        self._unsure: Counter[str] = Counter()
        """{person: judgments that are cannot tell}."""
        self._heard: dict[PairKey, int] = {}
        self.lock = threading.RLock()
        """Who asks the queue holds it: an answer may make the order of a topic."""

    def refresh(self) -> None:
        """Take in what was committed since; other processes may have written it."""
        with self.lock:
            events, bad = self.store.read(after=self.read)
            self.bad += bad
            self.read = max((self.read, *(event.id for event in bad), *(event.id for event in events)))
            touched: dict[PairKey, None] = {}
            for event in events:
                if pair := self._take_in(event):
                    touched[pair] = None
            for pair in touched:
                self._fold(pair)

    def _take_in(self, event: Event) -> PairKey | None:
        """File an event; the pair that it is about."""
        act = event.act
        if act.undoes is not None:
            target = self._events.get(act.undoes)
            if target is None or act.changes:
                self._set_aside(event, f"it undoes event {act.undoes}, which is no judgment")
                return None
            self._undone[act.undoes] = event.id
            return self._keep_key(act, (target.topic, target.document))
        if why := unreadable(act.changes):
            self._set_aside(event, why)
            return None
        judged = judgment_of(event)
        pair = (judged.topic, judged.document)
        self._events[event.id] = judged
        owner = (judged.role, judged.who if judged.role == ASSESSOR else "")
        self._filed.setdefault(pair, {}).setdefault(owner, []).append(event.id)
        self._of.setdefault((judged.role, judged.who), []).append(event.id)
        if judged.role == ASSESSOR:
            self._of_topic.setdefault((judged.who, judged.topic), []).append(event.id)
        return self._keep_key(act, pair)

    def _keep_key(self, act: Act, pair: PairKey) -> PairKey:
        self._keys.setdefault((act.role, act.who), deque(maxlen=RECENT)).append((act.key, pair))
        return pair

    def _sent_before(self, role: str, who: str, key: str) -> PairKey | None:
        """The pair of an act that has this key already."""
        return next((pair for kept, pair in self._keys.get((role, who), ()) if key and kept == key), None)

    def _set_aside(self, event: Event, why: str) -> None:
        act = event.act
        self.bad.append(BadEvent(event.id, (event.at, act.key, act.who, act.role, act.thread, act.text, ""), why))

    def _fold(self, pair: PairKey) -> None:
        judged: dict[Owner, PairJudgment] = {}
        for owner, numbers in self._filed[pair].items():
            standing = [number for number in numbers if number not in self._undone]
            if standing:
                judged[owner] = self._events[standing[-1]]
        for (role, who), before in self._judged.get(pair, {}).items():
            if role == ASSESSOR:
                self._counts[who][pair[0]] -= 1
                self._unsure[who] -= before.grade is None
        for (role, who), now in judged.items():
            if role == ASSESSOR:
                self._counts.setdefault(who, Counter())[pair[0]] += 1
                self._unsure[who] += now.grade is None
        self._judged[pair] = judged
        if self.pool.row_of(*pair) is None:
            self.outside[pair] = len(judged)
        else:
            self._tell_queue(pair)

    def _tell_queue(self, pair: PairKey) -> None:
        """What changes in the order of judging by what a pair has come to."""
        topic, document = pair
        outcome = self._come_to(pair)
        judged = self.people(pair)
        self.differ.pop(pair, None)
        self.waiting[topic].pop(document, None)
        if outcome is None:
            self._outcomes.pop(pair, None)
            self._heard.pop(pair, None)
            self.queue.take_back(topic, document)
            return
        self._outcomes[pair] = outcome
        if outcome.state == DIFFERING:
            self.differ[pair] = None
        if outcome.state != SETTLED and len(judged) < self.rules.wanted(topic, document, self.pool.definition.seed):
            self.waiting[topic][document] = None
        grade = outcome.grade
        if outcome.state == DIFFERING:  # the first who could tell, until it is settled
            grade = next((each.grade for each in judged.values() if each.grade is not None), None)
        heard = SET_ASIDE if grade is None else grade
        if self._heard.get(pair) != heard:
            self._heard[pair] = heard
            self.queue.judge(topic, document, heard)

    def _come_to(self, pair: PairKey) -> PairOutcome | None:
        judged = self._judged.get(pair, {})
        if settled := judged.get((ADJUDICATOR, "")):
            return PairOutcome(SETTLED, settled.grade)
        grades = {judgment.grade for judgment in judged.values()}
        if not grades:
            return None
        if len(grades) > 1:
            return PairOutcome(DIFFERING, None)
        grade = grades.pop()
        return PairOutcome(ASIDE if grade is None else AGREED, grade)

    # What there is

    @property
    def assessors(self) -> tuple[str, ...]:
        """Everybody who has judged anything."""
        return tuple(sorted(who for who, counts in list(self._counts.items()) if any(counts.values())))

    @property
    def everybody(self) -> tuple[str, ...]:
        """The assessors, and who took everything back."""
        return tuple(sorted(self._counts))

    def person(self, name: str) -> str:
        """The name under which somebody's judgments are kept."""
        return name

    def count(self, who: str, topic: str | None = None) -> int:
        """How many pairs somebody has judged, of a topic or in all."""
        counts = self._counts.get(who, Counter())
        return sum(counts.values()) if topic is None else counts[topic]

    def people(self, pair: PairKey) -> dict[str, PairJudgment]:
        """{assessor: judgment} of a pair, the first first."""
        own = self._judged.get(pair, {})
        return {who: judgment for (role, who), judgment in own.items() if role == ASSESSOR}

    def judgment(self, pair: PairKey, role: str, who: str) -> PairJudgment | None:
        """What somebody says of a pair."""
        return self._judged.get(pair, {}).get((role, who if role == ASSESSOR else ""))

    def outcome(self, pair: PairKey) -> PairOutcome | None:
        """What a pair has come to; None if nobody has judged it."""
        return self._outcomes.get(pair)

    def outcomes(self) -> Iterator[tuple[PairKey, PairOutcome]]:
        """All pairs of the pool that somebody has judged."""
        yield from list(self._outcomes.items())

    def unsure(self, who: str) -> int:
        """Of how many pairs somebody cannot tell."""
        return self._unsure[who]

    def judgments(self, who: str | None = None, topic: str | None = None) -> list[PairJudgment]:
        """All that stands, adjudications too, or what one assessor says, of a topic; in the order of judging."""
        with self.lock:
            if who is not None:
                numbers = self._of.get((ASSESSOR, who), []) if topic is None else self._of_topic.get((who, topic), [])
                return [each for each in map(self._events.__getitem__, numbers) if self._stands(each)]
            every = [judgment for owners in self._judged.values() for judgment in owners.values()]
        return sorted(every, key=lambda judgment: judgment.event)

    def latest(self, who: str, count: int) -> list[PairJudgment]:
        """The last judgments of an assessor that stand, the newest first."""
        found: list[PairJudgment] = []
        with self.lock:
            for number in reversed(self._of.get((ASSESSOR, who), [])):
                if len(found) == count:
                    break
                if self._stands(self._events[number]):
                    found.append(self._events[number])
        return found

    def _stands(self, judged: PairJudgment) -> bool:
        return self._judged[judged.topic, judged.document].get((judged.role, judged.who)) is judged

    def qrels(self, who: str | None = None) -> Qrels:
        """What is agreed or settled, or the grades of one assessor; pairs of the pool that have a grade."""
        if who is None:
            rows = [(*pair, outcome.grade) for pair, outcome in self.outcomes() if outcome.grade is not None]
        else:
            rows = [
                (each.topic, each.document, each.grade)
                for each in self.judgments(who)
                if each.grade is not None and self.pool.row_of(each.topic, each.document) is not None
            ]
        if not rows and self._outcomes:
            raise DataError(f"{who} has given no grade" if who else self._why_no_grade())
        return qrels_of(rows, who or "judgments")

    def _why_no_grade(self) -> str:
        count, differ = len(self._outcomes), len(self.differ)
        reasons = [
            *([f"people differ on {differ:,}"] if differ else []),
            *([f"{count - differ:,} cannot be told"] if count > differ else []),
        ]
        judged = f"{quantity(count, 'pair')} that {plural(count, 'was', 'were')} judged"
        return f"no pair has a grade yet, of {judged}: {listing(reasons)}"

    # Acting

    def judge(
        self,
        who: str,
        pair: PairKey,
        grade: int | None,
        *,
        role: str = ASSESSOR,
        note: str = "",
        evidence: str = "",
        seconds: float | None = None,
        text: str = "",
        key: str = "",
        seen: str | None = None,
    ) -> Event | None:
        """Keep a judgment; None if it was kept already under the same key.

        ``seen`` is what :meth:`standing` said of the pair when it was shown: a ConflictError tells that it changed.
        """
        if self.pool.row_of(*pair) is None:
            raise DataError(f"document {pair[1]!r} of topic {pair[0]!r} is not in the pool")
        if grade is not None and grade not in {each.grade for each in self.rules.grades}:
            raise DataError(f"{grade} is no grade of this project")
        changes = judgment_changes(pair[1], grade, note, evidence, seconds)
        self.refresh()
        if self._sent_before(role, who, key) is not None:
            return None
        if seen is not None and seen != self.standing(pair):
            raise ConflictError(f"document {pair[1]} was judged anew meanwhile")
        newest = self.read if role == ADJUDICATOR else None  # adjudicators share what they settle
        event = self.store.append(Act(key or secrets.token_hex(16), who, role, pair[0], text, changes), newest)
        self.refresh()
        return event

    def standing(self, pair: PairKey) -> str:
        """The numbers of the judgments of a pair that stand: they are others when anybody has judged it anew."""
        return ".".join(str(number) for number in sorted(each.event for each in self._judged.get(pair, {}).values()))

    def last(self, who: str, role: str) -> PairJudgment | None:
        """The last judgment of somebody that stands: what an undo takes back."""
        for number in reversed(self._of.get((role, who), [])):
            if number not in self._undone:
                return self._events[number]
        return None

    def undo(self, who: str, role: str = ASSESSOR, key: str = "", seen: int | None = None) -> PairKey:
        """Take back the last judgment of somebody, a ConflictError if it is not the one ``seen``; its pair.

        An undo that is sent again under its key is done once.
        """
        self.refresh()
        if (undone := self._sent_before(role, who, key)) is not None:
            return undone
        last = self.last(who, role)
        if last is None:
            raise DataError("there is nothing to undo")
        if seen is not None and last.event != seen:
            raise ConflictError("your last judgment is another one than this page says")
        act = Act(key or secrets.token_hex(16), who, role, last.topic, last.text, (), last.event)
        self.store.append(act)
        self.refresh()
        return last.topic, last.document


def qrels_of(rows: Iterable[tuple[str, str, int]], name: str) -> Qrels:
    """Judgments from rows."""
    listed = list(rows)
    if not listed:
        raise DataError("nobody has judged anything yet")
    topics, documents, grades = zip(*listed, strict=True)
    return Qrels.of_columns(list(topics), list(documents), np.array(grades), name)
