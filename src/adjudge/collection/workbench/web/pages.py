"""The pages of the workbench, written by templates that escape everything."""

from __future__ import annotations

import io
import secrets
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ....core.errors import AdjudgeError, DataError, FileAccessError
from ....core.visible import visible_lines
from ....web.looks import environment
from ....web.refusals import RefusalError
from ...qa.agreement import spoken
from ...qa.project import Project
from ...qa.threads import Candidate, Citation
from ..board import DIFFERING, DONE, Board
from ..desk import Desk
from ..events import (
    ADDED,
    ADJUDICATOR,
    ANSWERED,
    ASSESSOR,
    BEGINS,
    CLEAR,
    CONFIRMED,
    SKIPPED,
    UNSURE,
    Event,
    Item,
    event_line,
)
from ..figures import AgreementTally
from ..queue import AGREED, SETTLED, QueueCache, progress
from ..sheet import ACCEPTED, REJECTED, active
from ..state import decisions_on, unresolved_of
from .mathematics import with_formulas
from .thread_list import Finder, Wish, listing
from .views import ReadingAids, thread_view
from .visitors import LOG, DocumentSource

if TYPE_CHECKING:
    from ...qa.export import Export, Origin

A_PAGE = 50
MOST_DISAGREEMENTS = 50
LONGEST_TEXT = 500_000
"""Characters of a document or of guidelines that are shown."""
LONGEST_TITLE = 300


class JustFinished(NamedTuple):
    """A thread that somebody has just finished."""

    candidate: Candidate
    newest: int
    """The last event of the sheet: an undo takes back what is seen here, and nothing that came after it."""


class Pages:
    """Makes HTML. ``facts`` is what every page knows about who looks at it."""

    def __init__(self, project: Project, board: Board, wanted: int, documents: DocumentSource | None = None) -> None:
        self.project, self.board, self.wanted, self.documents = project, board, wanted, documents
        self.queue = QueueCache(board, wanted)
        self.agreed = AgreementTally(board)
        self.finder = Finder(board.candidates)

    @cached_property
    def _templates(self) -> Any:
        templates = environment("adjudge.collection.workbench.web")
        templates.filters["formulas"] = with_formulas
        templates.filters["words"] = words
        templates.filters["figure"] = figure
        templates.globals["project"] = visible_lines(self.project.folder.resolve().name)
        return templates

    @cached_property
    def formulas(self) -> dict[tuple[str, bool], str]:
        """{(TeX, display): MathML} that adjudge collect formulas has made; what it has not is converted here."""
        from ...qa.formulas import read_formulas

        formulas = read_formulas(self.project.formulas_path)
        return {key: formula.mathml for key, formula in formulas.items() if formula.mathml}

    def _render(self, template: str, facts: dict[str, Any], **given: Any) -> str:
        own = {
            "key": secrets.token_hex(16),
            "here": template,
            "wanted": self.wanted,
            "total": len(self.board.candidates),
        }
        text: str = self._templates.get_template(f"{template}.html").render(**own, **facts, **given)
        return text

    def prepare(self) -> None:
        """Do before the first request what every page needs: read all events, and see who is needed where."""
        self.board.refresh()
        self.queue.prepare()

    def gather(self) -> None:
        """Do beside the first requests what some pages need: rows of people, words, agreement; or who asks waits."""
        self.queue.gather()
        self.finder.prepare()
        self.agreed.figures()

    def overview(self, facts: dict[str, Any], wish: Wish, finished: str = "") -> str:
        listed = listing(self.queue.rows(facts["who"], ASSESSOR).values(), wish, self.board, self.finder)
        pages = max(1, -(-len(listed.rows) // A_PAGE))
        at = min(max(wish.page, 1), pages)
        return self._render(
            "overview",
            facts,
            rows=listed.rows[(at - 1) * A_PAGE : at * A_PAGE],
            found=len(listed.rows),
            page=at,
            pages=pages,
            show=listed.show,
            wish=replace(wish, show=listed.show),
            counts=listed.counts,
            people=progress(self.board),
            next=self.queue.next_wanted(facts["who"], ASSESSOR),
            unknown=self.board.unknown,
            set_aside=len(self.board.bad),
            settled=sum(number for kind, number in listed.tally.items() if kind[2] in {AGREED, SETTLED}),
            finished=self._finish_of(facts, finished, ASSESSOR),
        )

    def _finish_of(self, facts: dict[str, Any], thread: str, role: str) -> JustFinished | None:
        """The thread that somebody has just finished, so that it can be taken back at once."""
        candidate = self.board.candidates.get(thread)
        if candidate is None or self.board.status(thread, role, facts["who"]) not in DONE:
            return None
        return JustFinished(candidate, self.board.sheet(thread, role, facts["who"]).newest)

    def thread(self, facts: dict[str, Any], desk: Desk, thread: str, finished: str = "") -> str:
        previous, following = self.queue.neighbours(thread)
        counts = self.board.tally(desk.who) if desk.role == ASSESSOR else self.board.settled
        return self._render(
            "thread",
            facts,
            view=thread_view(desk, thread, self.reading, free=self._free(facts, thread)),
            role=desk.role,
            at=self.queue.place(thread) + 1,
            previous=previous,
            following=following,
            done=counts[ACCEPTED] + counts[REJECTED],
            settled=self.board.adjudication(thread).done(desk.candidate(thread)),
            finished_by=list(self.board.finished(thread)),
            finished=self._finish_of(facts, finished, desk.role),
            guidelines=self.guidelines,
        )

    @cached_property
    def reading(self) -> ReadingAids:
        source = self.documents

        @lru_cache(maxsize=1 << 14)
        def title(document: str) -> str:
            known = None if source is None else source(document)
            return "" if known is None else known[0][:LONGEST_TITLE]

        return ReadingAids(self.formulas, title)

    def agreement(self, facts: dict[str, Any]) -> str:
        differing = [thread for thread in self.board.candidates if thread in self.board.differ]
        visible_ones = [thread for thread in differing if self._free(facts, thread)]
        shown = visible_ones[:MOST_DISAGREEMENTS]
        return self._render(
            "agreement",
            facts,
            figures=self.agreed.figures(),
            disagreements=[(self.board.candidates[thread], self.board.disagreements(thread)) for thread in shown],
            hidden=len(differing) - len(visible_ones),
            more=len(visible_ones) - len(shown),
            next=self.queue.next_wanted(facts["who"], ADJUDICATOR) if facts["adjudicator"] else None,
        )

    def export(self, facts: dict[str, Any], written: Export | None) -> str:
        self.board.refresh()
        unsettled = (thread for thread in self.board.candidates if self.board.outcome(thread) == DIFFERING)
        differing = list(islice((thread for thread in unsettled if self._free(facts, thread)), MOST_DISAGREEMENTS))
        return self._render(
            "export",
            facts,
            outcomes=self.board.outcomes,
            unresolved=[unresolved_of(self.board, thread) for thread in differing],
            written=written,
            exported=(self.project.export_path / "collection.jsonl").is_file(),
        )

    def write_export(self, origin: Origin, *, all_grades: bool, people: int) -> Export:
        """Write what is decided into the folder of the project and nowhere else."""
        from ...qa.export import export_project

        decisions = decisions_on(self.board)
        try:
            return export_project(
                self.project, decisions.final, decisions.assessments, origin, all_grades=all_grades, people=people
            )
        except FileAccessError as error:
            LOG.error("%s", error)
            raise RefusalError(503, "The export cannot be written. The operator sees why.") from None
        except AdjudgeError as error:  # where the folder lies is nobody's business
            raise DataError(str(error).replace(f"{self.project.folder}/", "")) from None

    def exported(self) -> bytes:
        """The files of the last export, packed."""
        folder = self.project.export_path
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    archive.write(path, f"collection/{path.relative_to(folder).as_posix()}")
        if not archive.namelist():
            raise DataError("nothing was exported yet")
        return packed.getvalue()

    def events(self, facts: dict[str, Any]) -> Iterator[str]:
        """All events as lines of JSON, but for those of others on threads that who asks has still to decide on."""
        for event in self.board.everything():
            own = self.board.person(event.act.who) == facts["who"]
            if own or not event.act.thread or self._free(facts, event.act.thread):
                yield event_line(event)

    def history(self, facts: dict[str, Any], thread: str) -> str:
        """What happened to a thread; what others decided is shown to those who cannot be led by it any more."""
        candidate = self.board.candidates[thread]
        everything = self.board.history(thread)
        free = self._free(facts, thread)
        seen = [event for event in everything if free or self.board.person(event.act.who) == facts["who"]]
        standing = {event.id for event in _standing(self.board, everything)}
        by_number = {event.id: event for event in everything}
        return self._render(
            "history",
            facts,
            candidate=candidate,
            events=seen[::-1],
            standing=standing,
            by_number=by_number,
            text=self.board.texts[thread],
            hidden=len(everything) - len(seen),
        )

    def _free(self, facts: dict[str, Any], thread: str) -> bool:
        """Whether somebody may see what others decided: after finishing, or as adjudicator when all wanted have."""
        finished = self.board.finished(thread)
        return facts["who"] in finished or (facts["adjudicator"] and len(finished) >= self.wanted)

    def document(self, facts: dict[str, Any], citation: Citation, found: tuple[str, str] | None) -> str:
        title, text = found or ("", None)
        return self._render(
            "document",
            facts,
            document=citation.document,
            address=citation.address,
            title=title,
            text=None if text is None else text[:LONGEST_TEXT],
            cut=0 if text is None else max(0, len(text) - LONGEST_TEXT),
        )

    @cached_property
    def guidelines(self) -> str:
        """The rules of the organisers; nothing if there are none."""
        try:
            return self.project.guidelines_path.read_text(encoding="utf-8", errors="replace")[:LONGEST_TEXT].strip()
        except OSError:
            return ""

    def sign_in(self, facts: dict[str, Any], problem: str, onward: str = "") -> str:
        people = () if facts["tokens"] else self.board.assessors
        return self._render("sign_in", facts, problem=problem, onward=onward, people=people)

    def problem(self, facts: dict[str, Any], status: int, why: str) -> str:
        return self._render("problem", facts, status=status, why=why)

    def help(self, facts: dict[str, Any]) -> str:
        return self._render("help", facts)


def _standing(board: Board, events: Iterable[Event]) -> list[Event]:
    owners: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        who = board.person(event.act.who) if event.act.role == ASSESSOR else ""
        owners.setdefault((event.act.role, who), []).append(event)
    return [event for some in owners.values() for event in active(some)]


def words(item: Item) -> str:
    """An item in plain words."""
    if item.sentence:
        sentence = f"sentence {spoken((item.sentence, item.place))}"
        return f"{sentence} begins of its own" if item.kind == BEGINS else sentence
    if item.micro_topic:
        return f"{item.kind} of {visible_lines(item.document)} for micro-topic {item.micro_topic}"
    if item.kind == ADDED:
        return f"document {visible_lines(item.document)} added"
    return WORDS.get(item.kind, item.kind)


WORDS = {
    CLEAR: "clear and not broad",
    ANSWERED: "answered by the documents",
    CONFIRMED: "confirmed by the asker",
    SKIPPED: "left for later",
    UNSURE: "not sure",
}


def figure(value: float) -> str:
    """A coefficient with three digits; a dash where there is none."""
    return "–" if value != value else f"{value:.3f}".replace("-", "−")  # noqa: PLR0124
