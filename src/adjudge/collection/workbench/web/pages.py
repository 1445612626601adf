"""The pages of the workbench, written by templates that escape everything."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....core.visible import visible_lines
from ....web.looks import environment
from ...qa.project import Project
from ...qa.threads import Citation
from ..board import DONE, Board
from ..desk import Desk
from ..events import ADJUDICATOR, ASSESSOR, Event, Item
from ..queue import AGREED, DIFFER, SETTLED, QueueCache, ThreadRow, neighbours, progress
from ..sheet import ACCEPTED, BEGUN, NEW, REJECTED, active
from ..state import Decisions, decisions_on
from .mathematics import with_formulas
from .views import thread_view

if TYPE_CHECKING:
    from ...qa.export import Export, Origin
    from ..figures import Figures

A_PAGE = 50
MOST_DISAGREEMENTS = 200
LONGEST_TEXT = 500_000
"""Characters of a document or of guidelines that are shown."""
SHOWN = ("todo", "begun", "finished", "differ", "all")


class Pages:
    """Makes HTML. ``facts`` is what every page knows about who looks at it."""

    def __init__(self, project: Project, board: Board, wanted: int) -> None:
        self.project, self.board, self.wanted = project, board, wanted
        self.queue = QueueCache(board, wanted)
        self._agreement: tuple[int, Figures] | None = None
        self._exportable: tuple[int, Decisions] | None = None

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

    def overview(self, facts: dict[str, Any], show: str, find: str, page: int) -> str:
        everything = self.queue.rows(facts["who"], ASSESSOR).values()
        tally = Counter((row.wanted, row.mine, row.state) for row in everything)
        kinds = {name: {kind for kind in tally if _belongs(*kind, name)} for name in SHOWN}
        counts = {name: sum(tally[kind] for kind in kinds[name]) for name in SHOWN}
        chosen = show if show in SHOWN else "todo" if counts["todo"] else "all"
        listed = [row for row in everything if (row.wanted, row.mine, row.state) in kinds[chosen]]
        if find:
            listed = [row for row in listed if _matches(row, find)]
        pages = max(1, -(-len(listed) // A_PAGE))
        at = min(max(page, 1), pages)
        return self._render(
            "overview",
            facts,
            rows=listed[(at - 1) * A_PAGE : at * A_PAGE],
            found=len(listed),
            page=at,
            pages=pages,
            show=chosen,
            find=find,
            counts=counts,
            people=progress(self.board),
            next=self.queue.next_wanted(facts["who"], ASSESSOR),
            unknown=self.board.unknown,
            set_aside=len(self.board.bad),
            settled=sum(number for (_, _, state), number in tally.items() if state in {AGREED, SETTLED}),
        )

    def thread(self, facts: dict[str, Any], desk: Desk, thread: str) -> str:
        previous, following = neighbours(self.board, thread)
        order = list(self.board.candidates)
        if desk.role == ASSESSOR:
            counts = self.board.tally(desk.who)
            done = counts[ACCEPTED] + counts[REJECTED]
        else:
            done = sum(self.board.status(t, ADJUDICATOR, "") in DONE for t in order if not self.board.untouched(t))
        return self._render(
            "thread",
            facts,
            view=thread_view(desk, thread, self.formulas, free=self._free(facts, thread)),
            role=desk.role,
            at=order.index(thread) + 1,
            previous=previous,
            following=following,
            done=done,
            settled=self.board.adjudication(thread).done(desk.candidate(thread)),
            finished=list(self.board.finished(thread)),
            guidelines=self.guidelines,
        )

    def agreement(self, facts: dict[str, Any]) -> str:
        open_threads = [
            (candidate, list(self.board.finished(thread)), listed)
            for thread, candidate in self.board.candidates.items()
            if not self.board.untouched(thread)
            and (listed := self.board.disagreements(thread))
            and self.board.status(thread, ADJUDICATOR, "") not in DONE
        ]
        visible_ones = [thread_row for thread_row in open_threads if self._free(facts, thread_row[0].id)]
        return self._render(
            "agreement",
            facts,
            figures=self._figures(),
            disagreements=visible_ones[:MOST_DISAGREEMENTS],
            hidden=len(open_threads) - len(visible_ones),
            more=max(0, len(visible_ones) - MOST_DISAGREEMENTS),
            next=self.queue.next_wanted(facts["who"], ADJUDICATOR) if facts["adjudicator"] else None,
        )

    def _figures(self) -> Figures:
        """Agreement, made anew when something has changed."""
        from ..figures import figures

        length = len(self.board.changed)
        if self._agreement is None or self._agreement[0] != length:
            self._agreement = (length, figures(self.board))
        return self._agreement[1]

    def export(self, facts: dict[str, Any], written: Export | None) -> str:
        return self._render("export", facts, decisions=self._decisions(), written=written)

    def _decisions(self) -> Decisions:
        """What can be exported, made anew when something has changed."""
        self.board.refresh()
        length = len(self.board.changed)
        if self._exportable is None or self._exportable[0] != length:
            self._exportable = (length, decisions_on(self.board))
        return self._exportable[1]

    def write_export(self, origin: Origin, *, all_grades: bool) -> Export:
        """Write what is decided into the folder of the project and nowhere else."""
        from ...qa.export import export_project

        decisions = decisions_on(self.board)
        return export_project(self.project, decisions.final, decisions.assessments, origin, all_grades=all_grades)

    def history(self, facts: dict[str, Any], thread: str) -> str:
        """What happened to a thread; what others decided is shown to those who cannot be led by it any more."""
        candidate = self.board.candidates[thread]
        everything = self.board.history(thread)
        free = self._free(facts, thread)
        seen = [event for event in everything if free or event.act.who == facts["who"]]
        standing = {event.id for event in _standing(everything)}
        return self._render(
            "history",
            facts,
            candidate=candidate,
            events=seen[::-1],
            standing=standing,
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
        return self._render("sign_in", facts, problem=problem, onward=onward)

    def problem(self, facts: dict[str, Any], status: int, why: str) -> str:
        return self._render("problem", facts, status=status, why=why)

    def help(self, facts: dict[str, Any]) -> str:
        return self._render("help", facts)


def _belongs(wanted: bool, mine: str, state: str, name: str) -> bool:
    return {
        "todo": wanted,
        "begun": mine == BEGUN,
        "finished": mine in DONE,
        "differ": state == DIFFER,
        "all": mine in {NEW, BEGUN, *DONE},
    }[name]


def _matches(row: ThreadRow, find: str) -> bool:
    thread = row.candidate.thread
    return find.casefold() in f"{thread.id} {thread.title} {' '.join(thread.tags)}".casefold()


def _standing(events: Iterable[Event]) -> list[Event]:
    owners: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        owners.setdefault((event.act.role, event.act.who if event.act.role == ASSESSOR else ""), []).append(event)
    return [event for some in owners.values() for event in active(some)]


def words(item: Item) -> str:
    """An item in plain words."""
    if item.sentence:
        return f"sentence {item.sentence}"
    if item.micro_topic:
        return f"{item.kind} of {visible_lines(item.document)} for micro-topic {item.micro_topic}"
    return {"clear": "clear and not broad", "answered": "answered by the documents"}.get(item.kind, item.kind)


def figure(value: float) -> str:
    """A coefficient with three digits; a dash where there is none."""
    return "–" if value != value else f"{value:.3f}".replace("-", "−")  # noqa: PLR0124
