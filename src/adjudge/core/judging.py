"""How runs are judged: one value, made once and handed on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from .errors import SpecError

if TYPE_CHECKING:
    from .collapse import Collapse

KEEPS = ("first", "max", "sum")
"""FirstP, MaxP and SumP of Dai and Callan (SIGIR 2019)."""


@dataclass(frozen=True)
class Judging:
    """What decides which documents of a run count, and which of them are relevant."""

    level: int = 1
    """The lowest grade that is relevant (trec_eval -l)."""
    depth: int | None = None
    """How many documents of a topic count; None for all (-M)."""
    judged_only: bool = False
    """Whether unjudged documents are dropped, and those below them move up (-J)."""
    complete: bool = False
    """Whether judged topics count for which a run has nothing (-c)."""
    trec_version: int = 10
    """Which trec_eval orders documents: 10 compares doubles, 9 floats of 32 bits."""
    collection_size: int = 0
    """How many documents the collection has, for measures that ask for it (-N)."""
    collapse: Collapse | None = None
    """How lines for chunks become documents before anything else; None if a run has documents."""

    def __post_init__(self) -> None:
        if self.trec_version not in {9, 10}:
            raise SpecError(f"trec_version must be 9 or 10, not {self.trec_version}")
        for name in ("level", "depth", "collection_size"):
            value = getattr(self, name)
            if not hasattr(value, "__index__") and not (name == "depth" and value is None):
                raise SpecError(f"{name} must be a whole number, not {value!r}")
        if self.collapse is not None:
            from .collapse import Collapse  # here, because most runs have no chunks

            if not isinstance(self.collapse, Collapse):
                raise SpecError(
                    f"collapse must be a Collapse, as adjudge.read_collapse makes it, not {self.collapse!r}"
                )
        if self.depth is not None and not 1 <= self.depth < 2**62:
            raise SpecError(f"depth must be at least 1 and have at most 18 digits, not {self.depth}")

    def unless(self, judging: Judging | None) -> Judging:
        """What a function means that takes a whole value or its fields, which are these: one of them, and not both."""
        if judging is None:
            return self
        if changed := self.changes():
            raise SpecError(f"judging is given, and {', '.join(changed)} beside it: give one of them")
        return judging

    def changes(self) -> list[str]:
        """The fields that are not at their defaults."""
        return [field.name for field in fields(self) if getattr(self, field.name) != field.default]


USUAL = Judging()
"""How runs are judged unless somebody says otherwise."""
