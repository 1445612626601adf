"""What the workbench has come to: for every thread one assessment to export, or why there is none yet.

decisions = project_decisions(open_project("PROJECT"))
decisions.final        one Assessment a thread, accepted and rejected ones
decisions.assessments  every finished assessment of every person, for agreement
decisions.unresolved   threads on which people differ and nobody has adjudicated
decisions.pending      threads that nobody has finished
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...core.english import quantity
from ..qa.assessment import Assessment
from ..qa.project import Project
from ..qa.threads import Candidate
from .assessor_matching import Disagreement
from .board import DIFFERING, DONE, PENDING, Board
from .events import ADJUDICATOR
from .sheet import assessment
from .store.store import Store


@dataclass(frozen=True)
class Unresolved:
    """A thread on which finished assessments differ."""

    thread: str
    assessors: tuple[str, ...]
    disagreements: tuple[Disagreement, ...]

    @property
    def why(self) -> str:
        kinds = ", ".join(dict.fromkeys(disagreement.item.kind for disagreement in self.disagreements))
        return f"{' and '.join(self.assessors)} differ on {quantity(len(self.disagreements), 'decision')} ({kinds})"


@dataclass(frozen=True)
class Decisions:
    """All that can be exported, and all that cannot."""

    final: tuple[Assessment, ...]
    assessments: tuple[Assessment, ...]
    unresolved: tuple[Unresolved, ...]
    pending: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    """Threads with decisions that are no longer among the candidates."""
    bad: int = 0
    """Events that cannot be read and are set aside."""


def decisions(store: Store, candidates: Mapping[str, Candidate]) -> Decisions:
    """What the events of a store say about candidates: an adjudication counts first, then what all who finished say."""
    return decisions_on(Board(store, candidates))


def decisions_on(board: Board) -> Decisions:
    board.refresh()
    final: list[Assessment] = []
    assessments: list[Assessment] = []
    unresolved: list[Unresolved] = []
    pending: list[str] = []
    for candidate in board.candidates.values():
        outcome = board.outcome(candidate.id)
        finished = board.finished(candidate.id)
        theirs = [assessment(sheet, candidate, name) for name, sheet in finished.items()]
        assessments += theirs
        if outcome == PENDING:
            pending.append(candidate.id)
        elif outcome == DIFFERING:
            unresolved.append(unresolved_of(board, candidate.id))
        elif board.status(candidate.id, ADJUDICATOR, "") in DONE:
            settled = board.adjudication(candidate.id)
            final.append(assessment(settled, candidate, ", ".join(settled.who)))
        else:
            names = ", ".join(each.assessor for each in theirs)
            notes = "\n".join(dict.fromkeys(each.note for each in theirs if each.note))
            said = next((each.confirmed for each in theirs if each.confirmed is not None), None)
            unsure = any(each.unsure for each in theirs)
            final.append(replace(theirs[0], assessor=names, note=notes, confirmed=said, unsure=unsure))
    return Decisions(tuple(final), tuple(assessments), tuple(unresolved), tuple(pending), board.unknown, len(board.bad))


def unresolved_of(board: Board, thread: str) -> Unresolved:
    """What those who have finished a thread differ on."""
    return Unresolved(thread, tuple(board.finished(thread)), board.disagreements(thread))


def project_decisions(project: Project, store: str | None = None) -> Decisions:
    """The decisions of a project from its own store, or from the one at a URL."""
    from .store.open_store import open_store, store_of

    with open_store(store_of(project.folder, store), create=False) as opened:
        return decisions(opened, project.candidates)
