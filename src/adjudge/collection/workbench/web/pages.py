"""The pages of the workbench, written by templates that escape everything."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....core.visible import visible_lines
from ...qa.project import Project
from ...qa.threads import Citation
from ..assessor_matching import disagreements
from ..board import Board
from ..desk import Desk
from ..events import ADJUDICATOR, ASSESSOR, Event, Item
from ..queue import DIFFER, ThreadRow, neighbours, next_wanted, progress, rows
from ..sheet import ACCEPTED, BEGUN, NEW, REJECTED, active
from ..state import decisions_on
from .mathematics import with_formulas
from .views import thread_view

if TYPE_CHECKING:
    from ...qa.export import Export, Origin

A_PAGE = 50
MOST_DISAGREEMENTS = 200
LONGEST_TEXT = 500_000
"""Characters of a document or of guidelines that are shown."""
SHOWN = ("todo", "begun", "finished", "differ", "all")


class Pages:
    """Makes HTML. ``facts`` is what every page knows about who looks at it."""

    def __init__(self, project: Project, board: Board, wanted: int) -> None:
        self.project, self.board, self.wanted = project, board, wanted

    @cached_property
    def _templates(self) -> Any:
        from jinja2 import Environment, PackageLoader, StrictUndefined

        environment = Environment(
            loader=PackageLoader("adjudge.collection.workbench.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters["visible"] = lambda text: visible_lines(str(text))
        environment.filters["formulas"] = with_formulas
        environment.filters["words"] = words
        environment.filters["figure"] = figure
        environment.globals["project"] = visible_lines(self.project.folder.resolve().name)
        return environment

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
        everything = list(rows(self.board, facts["who"], ASSESSOR, self.wanted))
        chosen = show if show in SHOWN else "todo" if any(row.wanted for row in everything) else "all"
        counts = {name: sum(_belongs(row, name) for row in everything) for name in SHOWN}
        listed = [row for row in everything if _belongs(row, chosen) and _matches(row, find)]
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
            next=next_wanted(self.board, facts["who"], ASSESSOR, self.wanted),
            unknown=self.board.unknown,
            set_aside=len(self.board.bad),
            settled=sum(row.state in {"agreed", "settled"} for row in everything),
        )

    def thread(self, facts: dict[str, Any], desk: Desk, thread: str) -> str:
        previous, following = neighbours(self.board, thread)
        order = list(self.board.candidates)
        mine = [self.board.sheet(t, desk.role, desk.who).done(c) for t, c in self.board.candidates.items()]
        return self._render(
            "thread",
            facts,
            view=thread_view(desk, thread, self.formulas, free=self._free(facts, thread)),
            role=desk.role,
            at=order.index(thread) + 1,
            previous=previous,
            following=following,
            done=sum(mine),
            settled=self.board.adjudication(thread).done(desk.candidate(thread)),
            finished=list(self.board.finished(thread)),
            guidelines=self.guidelines,
        )

    def agreement(self, facts: dict[str, Any]) -> str:
        from ..figures import figures

        open_threads = [
            (candidate, list(self.board.finished(thread)), listed)
            for thread, candidate in self.board.candidates.items()
            if (listed := disagreements(candidate, self.board.finished(thread)))
            and not self.board.adjudication(thread).done(candidate)
        ]
        visible_ones = [thread_row for thread_row in open_threads if self._free(facts, thread_row[0].id)]
        return self._render(
            "agreement",
            facts,
            figures=figures(self.board),
            disagreements=visible_ones[:MOST_DISAGREEMENTS],
            hidden=len(open_threads) - len(visible_ones),
            more=max(0, len(visible_ones) - MOST_DISAGREEMENTS),
            next=next_wanted(self.board, facts["who"], ADJUDICATOR, self.wanted) if facts["adjudicator"] else None,
        )

    def export(self, facts: dict[str, Any], written: Export | None) -> str:
        return self._render("export", facts, decisions=decisions_on(self.board), written=written)

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


def _belongs(row: ThreadRow, name: str) -> bool:
    return {
        "todo": row.wanted,
        "begun": row.mine == BEGUN,
        "finished": row.mine in {ACCEPTED, REJECTED},
        "differ": row.state == DIFFER,
        "all": row.mine in {NEW, BEGUN, ACCEPTED, REJECTED},
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
