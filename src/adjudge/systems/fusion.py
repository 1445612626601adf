"""Fusion of systems: what several of them retrieve, as one ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ..core.note import Note
from ..core.progress import InTheNameOf
from ..core.run import Run
from ..core.spec import is_count, is_number, require
from .parts.fusing import CONSTANT, METHODS, fuse_any
from .parts.version import Aids, Version
from .system import System, Topics, find_system


@dataclass(frozen=True)
class Fusion(System):
    """The runs of several systems on the same version fused into one, by reciprocal ranks or by scores.

    Formula: rrf: Σ 1 / (``constant`` + rank) over the members that return the document; combsum: Σ (score − lowest) /
    (highest − lowest), over the scores that a member gives for the question, 1 where all are the same; combmnz: combsum
    times the number of members that return the document.

    Parameters: ``of``, two systems or more, by the names of the track's runs or as specs;
    ``method`` rrf, combsum or combmnz (rrf); ``constant`` 0 or more (60, the paper's), for rrf only; ``depth`` (1000),
    how many documents of each member are fused.

    No value: a question for which no member finds a document. One for which some do is fused from these.

    Paper: Cormack, Clarke, Büttcher, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods
    (SIGIR 2009); Fox, Shaw, Combination of multiple searches (TREC-2, 1994) for the other two, with the scores of Lee,
    Analyses of multiple evidence combination (SIGIR 1997). Kantor, Voorhees, The TREC-5 Confusion Track (Information
    Retrieval 2, 2000), sections 4 and 5, ask for it.

    Example: fusion(of=[gmu961, ETHFR94N]): a document first in one list and third in the other has 1/61 + 1/63 =
    0.032266, one that is second in both 2/62 = 0.032258.
    """

    name: ClassVar[str] = "fusion"
    entries: ClassVar[Mapping[str, str]] = {"fusion": "fusion(of=[gmu961, CLCON, bm25])"}

    of: tuple[str, ...]
    method: str = "rrf"
    constant: float = CONSTANT
    depth: int = 1000

    def __post_init__(self) -> None:
        names = isinstance(self.of, tuple) and all(isinstance(member, str) for member in self.of)
        require(self, "of", names, "be a list of systems as in of=[gmu961, ETHFR94N]")
        require(self, "of", len(self.of) > 1, "name two systems or more")
        require(self, "of", len(set(self.of)) == len(self.of), "name each system once")
        require(self, "method", self.method in METHODS, f"be one of {', '.join(METHODS)}")
        require(self, "constant", is_number(self.constant) and self.constant >= 0, "be 0 or more")
        require(self, "depth", is_count(self.depth), "be a whole number, 1 or more")
        self.members  # noqa: B018  so that a wrong name is an error at once

    @cached_property
    def members(self) -> dict[str, System]:
        """The systems that are fused, by the names they were given."""
        return {name: find_system(name) for name in self.of}

    @property
    def uses(self) -> tuple[str, ...]:  # type: ignore[override]
        """All that a member takes."""
        return tuple(dict.fromkeys(aid for member in self.members.values() for aid in member.uses))

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(file for member in self.members.values() for file in member.files))

    def code(self, home: Path) -> Mapping[str, str]:
        codes = {name: member.code(home) for name, member in self.members.items()}
        return {f"{name}: {what}": digest for name, code in codes.items() for what, digest in code.items()}

    def check(self, home: Path) -> None:
        for member in self.members.values():
            member.check(home)

    def missing(self) -> str:
        return next((why for member in self.members.values() if (why := member.missing())), "")

    def prepare(self, version: Version, aids: Aids) -> None:
        for member in self.members.values():
            member.prepare(version, aids.only(member.uses))

    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        runs = []
        for name, member in self.members.items():
            own = replace(version, progress=InTheNameOf(version.progress, name))
            runs.append(member.answer(own, topics, aids.only(member.uses), k=self.depth))
        for topic in sorted(topics.keys() - {topic for run in runs for topic in run.topics}):
            version.progress.note(Note.of("no_member_finds", topic))
        return fuse_any(runs, self.method, constant=self.constant, k=k, name=str(self))
