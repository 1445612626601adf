"""What a system is: topics and documents go in, a run comes out.

It sees one version of a corpus, and beside it only the aids that it names.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ..core.errors import SpecError
from ..core.registry import Registry
from ..core.run import Run
from ..core.spec import Component, Spec, parse_spec
from ..weighting.scheme import weightings
from .parts.version import Aids, Version

if TYPE_CHECKING:
    from .parts.answerer import Answerer

Topics = Mapping[str, str]
"""Questions by topic id."""


class System(Component, ABC):
    """A retrieval system; its parameters are those of the paper, with the paper's values as defaults."""

    uses: ClassVar[tuple[str, ...]] = ()
    """The names of the aids that it takes."""
    entries: ClassVar[Mapping[str, str] | None] = {}
    """How it takes part where all systems do, spec by name; empty if as the track's runs, or just as it is; None if it
    takes no part, because it is nothing without its parameters or needs a program that few have."""

    def prepare(self, version: Version, aids: Aids) -> None:
        """Make what searching needs and keep it in the version's folder; done again, it does nothing."""

    @abstractmethod
    def answer(self, version: Version, topics: Topics, aids: Aids, *, k: int = 1000) -> Run:
        """The best k documents for each topic; the run is empty if no topic finds a document.

        Topics that find nothing are left out, which the listener of the version hears as notes.
        """

    def answerer(self, version: Version) -> Answerer:
        """What answers questions on a version one by one and explains the answers, if the system can do that."""
        raise SpecError(f"{self} answers no questions one by one")

    def missing(self) -> str:
        """What is not installed here and the system cannot do without, in a line; empty if it can work."""
        return ""

    @property
    def files(self) -> tuple[str, ...]:
        """Files that its parameters name: what is in them determines what it finds."""
        return ()

    def code(self, home: Path) -> Mapping[str, str]:
        """Digests of what else determines what it finds, by name: the code of somebody, the run of somebody."""
        del home
        return {}

    def check(self, home: Path) -> None:
        """An error if something that its parameters name is not there; asked before anything is done."""

    def run(self, version: Version, topics: Topics, aids: Aids | None = None, *, k: int = 1000) -> Run:
        """Prepare and answer, with the aids that the system uses and no others."""
        allowed = (aids or Aids()).only(self.uses)
        self.prepare(version, allowed)
        return self.answer(version, topics, allowed, k=k)


systems: Registry[System] = Registry("system", "adjudge.systems", System)

TRACK = {
    "rutcf": "rutgers",
    "anu5con": "anu",
    "gmu961": "gmu",
    "gmu962": "gmu(feedback=true)",
    "CLCON": "clarit",
    "CLCONF": "clarit(feedback=true)",
    "ETHFR94N": "eth",
    "ETHFR94P": "eth(slots=true)",
}
"""The eight systems of the Confusion Track by the names of their runs."""


def line_up() -> dict[str, str]:
    """Every system there is, spec by name: the track's runs first, then the others; a new file joins by being there."""
    entries = dict(TRACK)
    entered = {systems.parse(spec).name for spec in TRACK.values()}
    for system in systems.all():
        if system.entries is None:
            continue
        entries |= system.entries or ({} if system.name in entered else {system.name: system.name})
    return entries


def find_system(name: str) -> System:
    """A system by its spec, or by the name under which it is entered; a weighting is a system on stemmed words.

    >>> str(find_system("gmu962")), str(find_system("dirichlet(mu=500)"))
    ('gmu(feedback=true)', 'weighted(by=dirichlet(mu=500))')
    """
    spec = TRACK.get(name, name)
    known = systems.name_of(spec) if re.fullmatch(r"[\w.+-]+", spec) else None
    if known is not None:
        spec = (systems.get(known).entries or {}).get(known, known)
    return parse_spec(spec, systems.kind, _make)


def _make(spec: Spec) -> System:
    if systems.name_of(spec.name) is not None or weightings.name_of(spec.name) is None:
        return systems.make(spec)
    given = dict(spec.given)
    analyzer = given.pop("analyzer", None)
    more = {} if analyzer is None else {"analyzer": analyzer}
    return systems.make(Spec("weighted", None, {"by": str(spec._replace(given=given)), **more}))
