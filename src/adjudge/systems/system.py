"""What a system is: topics and documents go in, a run comes out.

It sees one version of a corpus, and beside it only the aids that it names.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..core.errors import SpecError
from ..core.registry import Registry
from ..core.run import Run
from ..core.spec import Component
from .parts.version import Aids, Version

if TYPE_CHECKING:
    from .parts.answerer import Answerer

Topics = Mapping[str, str]
"""Questions by topic id."""


class System(Component, ABC):
    """A retrieval system; its parameters are those of the paper, with the paper's values as defaults."""

    uses: ClassVar[tuple[str, ...]] = ()
    """The names of the aids that it takes."""
    entries: ClassVar[Mapping[str, str]] = {}
    """How it takes part where all systems do, spec by name; empty if as the track's runs, or just as it is."""

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
        entries |= system.entries or ({} if system.name in entered else {system.name: system.name})
    return entries


def find_system(name: str) -> System:
    """A system by its spec, or by the name under which it is entered."""
    spec = TRACK.get(name, name)
    if re.fullmatch(r"[\w.+-]+", spec):
        spec = systems.name_of(spec) or spec
        spec = systems.get(spec).entries.get(spec, spec)
    return systems.parse(spec)
