"""What a plan says about tuning: which system, which parameters, and which measures it is trained on and judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..comparison.cross_tuning import check_folds
from ..core.errors import SpecError, did_you_mean
from ..core.spec import is_count
from .parameter_search import SEARCHES, Axis, describe

TUNED = "tuned on"
"""Between the name of a system and that of a measure: the system as it is tuned on the measure."""


@dataclass(frozen=True)
class TuneSettings:
    """The table ``[tune]`` of a plan."""

    system: Any
    """A spec, a label of the plan, a table as in ``[systems]``, or code that lives in this process."""
    parameters: Mapping[str, Axis]
    train: tuple[str, ...] = ()
    """The measures that settings are chosen by: the main one of the plan if none is named."""
    default: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the default, if they are not those that the system has by itself."""
    search: str = "grid"
    trials: int = 50
    """How many settings a random or a sequential search tries."""
    folds: int = 5
    splits: int = 20
    """Other ways to deal the topics into folds, which show how much depends on that."""

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise SpecError(f"search must be one of {', '.join(SEARCHES)}, not {self.search!r}")
        if not self.parameters:
            raise SpecError("no parameter to tune: name some in [tune.parameters]")
        if not is_count(self.trials):
            raise SpecError(f"trials must be a whole number of at least 1, not {self.trials!r}")
        if not isinstance(self.splits, int) or isinstance(self.splits, bool) or not 0 <= self.splits <= 10_000:
            raise SpecError(f"splits must be a whole number of at least 0, not {self.splits!r}")
        check_folds(self.folds, 2 * self.folds if isinstance(self.folds, int) else 0)
        if self.search == "grid":
            for name, axis in self.parameters.items():
                try:
                    axis.grid()
                except SpecError as error:
                    raise SpecError(f"parameter {name}: {error}") from None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> TuneSettings:
        """From the table of a plan."""
        known = [f.name for f in fields(cls)]
        for key in data:
            if key not in known:
                raise SpecError(f"tune: no setting {key!r}{did_you_mean(key, known)}")
        for key in ("system", "parameters"):
            if key not in data:
                raise SpecError(f"tune: {key} is missing")
        given = dict(data)
        if not isinstance(given["parameters"], Mapping):
            raise SpecError(f"tune: parameters must be a table, not {given['parameters']!r}")
        axes = {}
        for name, axis in given["parameters"].items():
            try:
                axes[name] = Axis.of(axis)
            except (SpecError, TypeError) as error:
                raise SpecError(f"tune: parameter {name}: {error}") from None
        train = given.get("train", ())
        if not isinstance(train, str | list | tuple):
            raise SpecError(f"tune: train must be a list of measures, not {train!r}")
        given |= {"parameters": axes, "train": (train,) if isinstance(train, str) else tuple(map(str, train))}
        try:
            return cls(**given)
        except SpecError as error:
            raise SpecError(f"tune: {error}") from None

    def to_json(self) -> dict[str, Any]:
        """As a plan has it."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in {"parameters", "system"}}
        system = self.system if isinstance(self.system, str | Mapping) else str(self.system)
        return {"system": system, "parameters": dict(describe(self.parameters)), **plain, "train": list(self.train)}
