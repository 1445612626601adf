"""Passes over a dump: which accepted answers cite something, and then all posts and comments of their threads.

Posts.xml is gone through twice. The first pass knows from the questions which answers are accepted, and looks for
citations in those; where an answer stands before its question (threads that were merged) one more pass looks at it. The
second pass collects the threads. What is held in memory is a bit for each id.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.progress import Listener, Step
from .citations import KINDS, Reference, citations_of
from .dump import Rows
from .patterns import Pattern
from .row import attributes, head, number_reader
from .spill import ANSWER, COMMENT, QUESTION, Ids, Losses, Spill
from .threads import Citation

LONGEST_POST = 1_000_000
"""Characters of HTML in one post; sites allow thirty thousand."""

NAMES = (b"arxiv", b"front.math", b"lanl.gov", b"ar5iv", b"scirate")
DIGITS = (re.compile(rb"10\.\d{4}"), re.compile(rb"/\d{7}"))

DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?)?")
DAMAGE, ROW, DUPLICATE, MISSING, MISMATCH, NO_CITATION, LONG = (
    "damaged file", "odd row", "duplicate id", "accepted answer missing", "accepted answer elsewhere",
    "not a citation", "post too long"
)  # fmt: skip

ID, ACCEPTED, PARENT = number_reader("Id"), number_reader("AcceptedAnswerId"), number_reader("ParentId")
POST, LINK_TYPE, RELATED, VOTE = (
    number_reader("PostId"),
    number_reader("LinkTypeId"),
    number_reader("RelatedPostId"),
    number_reader("VoteTypeId"),
)
DUPLICATE_OF, ACCEPTING, BOUNTY = 3, 1, 9
EVERY = 2000


@dataclass(frozen=True)
class SoughtCitations:
    """What counts as a citation."""

    kinds: tuple[str, ...] = KINDS
    patterns: tuple[Pattern, ...] = ()


def may_cite(row: bytes) -> bool:
    """Whether an arXiv id or a DOI can be in a row at all: most answers need no further look."""
    lower = row.lower()
    return any(name in lower for name in NAMES) or any(digits.search(row) for digits in DIGITS)


class Passes:
    """The state of one run over a dump."""

    def __init__(
        self, files: dict[str, Path], sought: SoughtCitations, spill: Spill, losses: Losses, progress: Listener
    ) -> None:
        self.files, self.sought, self.spill, self.losses, self.progress = files, sought, spill, losses, progress
        self.counts: Counter[str] = Counter()
        self._twice: set[int] = set()
        self._accepted, self._looked_at, self._citing, self._wanted = Ids(), Ids(), Ids(), Ids()

    def run(self) -> None:
        late = Ids()
        self._pass("scan_posts", "posts", lambda rows, step: self._scan(rows, step, late), first=True)
        if late.size:
            self._pass("scan_late_answers", "posts", lambda rows, step: self._scan_late(rows, step, late))
        self._pass("collect_threads", "posts", self._collect)
        for task, kind, read in (
            ("read_comments", "comments", self._comments),
            ("read_links", "postlinks", self._links),
            ("read_votes", "votes", self._votes),
        ):
            if kind in self.files:
                self._pass(task, kind, read, first=True)

    def _pass(self, task: str, kind: str, read: Callable[[Rows, Step], None], *, first: bool = False) -> None:
        rows = self._rows(kind, first=first)
        with self.progress.work(task, total=rows.size, unit="bytes") as step:
            read(rows, step)

    def _rows(self, kind: str, *, first: bool) -> Rows:
        def report(place: str, why: str) -> None:
            if first:  # a second pass meets the same damage again
                self.losses.add(DAMAGE, why, place=place)

        return Rows(self.files[kind], kind, report)

    def _scan(self, rows: Rows, step: Step, late: Ids) -> None:
        """Find accepted answers that cite; the ids of those that stand before their question are late."""
        seen, counts = Ids(), self.counts
        for number, row in enumerate(rows):
            if not number % EVERY:
                step.reach(rows.meter.read)
            id_, kind = head(row)
            counts["rows of posts"] += 1
            if id_ < 1 or kind < 1:
                self.losses.add(ROW, f"no number as {'Id' if id_ < 1 else 'PostTypeId'}, left out", place=rows.place)
            elif not seen.add(id_):
                self._twice.add(id_)
                self.losses.add(DUPLICATE, f"post {id_} occurs again, the first is kept", place=rows.place)
            elif kind == QUESTION:
                counts["questions"] += 1
                accepted = ACCEPTED(row)
                if accepted > 0:
                    counts["questions with an accepted answer"] += 1
                    (late if accepted in seen else self._accepted).add(accepted)
                elif accepted < 0:
                    self.losses.add(ROW, "AcceptedAnswerId is not a number", thread=id_, place=rows.place)
            elif kind == ANSWER:
                counts["answers"] += 1
                if id_ in self._accepted:
                    self._look(row, id_, rows)
            else:
                counts["other posts"] += 1

    def _scan_late(self, rows: Rows, step: Step, late: Ids) -> None:
        done = set[int]()
        for number, row in enumerate(rows):
            if not number % EVERY:
                step.reach(rows.meter.read)
            id_, kind = head(row)
            if id_ > 0 and kind == ANSWER and id_ in late and self._first(id_, done) and id_ not in self._looked_at:
                self._look(row, id_, rows)

    def _first(self, id_: int, done: set[int]) -> bool:
        """Whether this is the first post with this id in this pass."""
        if id_ not in self._twice:
            return True
        new = id_ not in done
        done.add(id_)
        return new

    def _look(self, row: bytes, id_: int, rows: Rows) -> None:
        """Look for citations in an accepted answer."""
        self._looked_at.add(id_)
        parent = PARENT(row)
        if parent < 1:
            self.losses.add(ROW, f"answer {id_} has no number as ParentId, left out", place=rows.place)
            return
        cited: Sequence[Citation] = ()
        wrong: Sequence[Reference] = ()
        if self.sought.patterns or may_cite(row):
            body = attributes(row, lambda _: None).get("Body", "")  # what is odd is reported when it is stored
            if len(body) > LONGEST_POST:
                self.losses.add(
                    LONG, f"answer {id_} has {len(body)} characters, not looked at", thread=parent, place=rows.place
                )
                return
            cited, wrong = citations_of(body, self.sought.kinds, self.sought.patterns, str(id_))
        for reference in wrong:
            self.losses.add(
                NO_CITATION, f"{reference.kind} {reference.document}: {reference.why}", thread=parent, place=rows.place
            )
        if not cited:
            self.counts["accepted answers that cite nothing"] += 1
        elif self.spill.cite(parent, id_, [asdict(reference) for reference in cited]):
            self._citing.add(parent)
        else:
            self.losses.add(MISMATCH, f"answer {id_}: another answer of this thread is accepted too", thread=parent)

    def _collect(self, rows: Rows, step: Step) -> None:
        """Keep the posts of threads that have a citing answer, and tell which accepted answers there are not."""
        done = set[int]()
        for number, row in enumerate(rows):
            if not number % EVERY:
                step.reach(rows.meter.read)
            id_, kind = head(row)
            if id_ < 1 or kind not in {QUESTION, ANSWER} or not self._first(id_, done):
                continue
            thread = id_ if kind == QUESTION else PARENT(row)
            if kind == QUESTION:
                accepted = ACCEPTED(row)
                if accepted > 0 and accepted not in self._looked_at:
                    self.losses.add(MISSING, f"there is no answer {accepted}", thread=id_, place=rows.place)
            if (
                thread > 0
                and thread in self._citing
                and self.spill.add(kind, id_, thread, self._values(row, rows, thread))
            ):
                self._wanted.add(id_)

    def _values(self, row: bytes, rows: Rows, thread: int) -> dict[str, str]:
        return attributes(row, lambda why: self.losses.add(ROW, why, thread=thread, place=rows.place))

    def _comments(self, rows: Rows, step: Step) -> None:
        for number, row in enumerate(rows):
            if not number % EVERY:
                step.reach(rows.meter.read)
            self.counts["comments"] += 1
            id_, post = ID(row), POST(row)
            if id_ < 1 or post < 1:
                self.losses.add(ROW, f"no number as {'Id' if id_ < 1 else 'PostId'}, left out", place=rows.place)
            elif post in self._wanted:
                thread = self.spill.thread_of(post)
                if not self.spill.add(COMMENT, id_, thread, self._values(row, rows, thread)):
                    self.losses.add(DUPLICATE, f"comment {id_} occurs again", thread=thread, place=rows.place)

    def _links(self, rows: Rows, step: Step) -> None:
        for number, row in enumerate(rows):
            if not number % EVERY:
                step.reach(rows.meter.read)
            post, related = POST(row), RELATED(row)
            if post < 1 or related < 1:
                self.losses.add(ROW, "no number as PostId or RelatedPostId, left out", place=rows.place)
            elif post in self._citing and LINK_TYPE(row) == DUPLICATE_OF:
                self.spill.fact(post, "duplicate", str(related))

    def _votes(self, rows: Rows, step: Step) -> None:
        for number, row in enumerate(rows):
            if not number % EVERY:
                step.reach(rows.meter.read)
            post, kind = POST(row), VOTE(row)
            if post < 1 or kind < 1:
                self.losses.add(ROW, "no number as PostId or VoteTypeId, left out", place=rows.place)
            elif kind in {ACCEPTING, BOUNTY} and post in self._wanted:
                thread = self.spill.thread_of(post)
                values = self._values(row, rows, thread)
                name = "CreationDate" if kind == ACCEPTING else "BountyAmount"
                if name in values:
                    self.spill.fact(thread, f"{name} {post}", values[name])
