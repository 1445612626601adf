"""Writing the collection from what was decided."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from ..qa.export import export
from ..qa.project import Project
from .state import Decisions

_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Written:
    """What was written, and where inside the project."""

    folder: str
    topics: int
    micro_topics: int
    judgments: int
    files: tuple[str, ...]
    notes: tuple[str, ...]


def write_export(project: Project, decisions: Decisions, *, all_grades: bool = False) -> Written:
    """Write the accepted threads as adjudge collect export does, into the folder of the project and nowhere else."""
    people = ", ".join(sorted({one.assessor for one in decisions.final}))
    about = {"assessors": people, "made": f"by adjudge from {len(project.candidates)} candidates"}
    with _ONE_AT_A_TIME:
        collection, files = export(project, decisions.final, about, all_grades=all_grades)
    counts = collection.counts()
    name = project.export_path.name
    return Written(name, counts.topics, counts.micro_topics, counts.judgments, tuple(files), collection.notes)
