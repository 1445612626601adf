"""The values of one measure as systems × topics, fit to be compared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.coverage import Coverage
from ..core.english import plural, quantity
from ..core.errors import DataError, SpecError
from ..core.judged import Floats
from ..core.note import Note
from ..core.scores import Scores

LARGEST = 1e100


def complete_matrix(scores: Scores, measure: str, *, least: int = 1, most: int | None = None) -> Floats:
    """systems × topics of one measure; a missing value would make the figures of two systems incomparable.

    At least two systems (and not more than ``most``) and ``least`` topics.
    """
    values: Floats = scores[:, :, measure]
    column = next(column for column in scores.columns if column.name == measure)
    if column.average not in {"mean", "sum"}:
        raise DataError(
            f"{measure} is averaged by {column.average}, and means are compared here: take {column.measure} itself, "
            "and where a scale can be chosen a transformation such as log"
        )
    if len(scores.systems) < 2:
        raise DataError(
            f"{len(scores.systems)} system, {', '.join(scores.systems)}: a comparison needs at least two systems"
        )
    if most is not None and len(scores.systems) > most:
        raise DataError(f"all pairs of at most {most:,} systems are looked at, not of {len(scores.systems):,}")
    if len(scores.topics) < least:
        raise DataError(
            f"at least {quantity(least, 'topic')} {plural(least, 'is', 'are')} needed, not {len(scores.topics)}"
        )
    holes = np.argwhere(np.isnan(values))
    if len(holes):
        s, t = holes[0].tolist()
        what = f"{scores.systems[s]} has no {measure} on topic {scores.topics[t]}"
        raise DataError(f"{what}: systems can be compared on the same topics only")
    wild = np.argwhere(~(np.abs(values) <= LARGEST))
    if len(wild):
        s, t = wild[0].tolist()
        where = f"{measure} of {scores.systems[s]} on topic {scores.topics[t]} is {values[s, t]:g}"
        raise DataError(f"{where}: values up to {LARGEST:g} can be compared")
    largest = float(np.abs(values).max(initial=0.0))
    if 0 < largest < 1 / LARGEST:
        raise DataError(f"no value of {measure} reaches {1 / LARGEST:g}: differences that small cannot be compared")
    return values


def better(scores: Scores, measure: str) -> int:
    """+1 if higher values of the measure are better, −1 if lower ones are."""
    direction = next(column.better for column in scores.columns if column.name == measure)
    if not direction:
        raise DataError(f"{measure} is neither good when high nor when low, so no system is ahead by it")
    return 1 if direction == "high" else -1


def coverage_by_system(scores: Scores) -> dict[str, Coverage]:
    """Coverage of each system's run by the judgments; empty for scores that come from no runs."""
    return dict(zip(scores.systems, scores.coverage, strict=True)) if scores.coverage else {}


def uncovered_systems(coverage: Mapping[str, Coverage], least: float = 0.0) -> dict[str, Coverage]:
    """The systems on which no verdict is given: their runs answer no judged topic, or less than a share of them.

    Such a run may never have been made, or may name its topics in another way; that its figures are 0 says nothing of
    the system. Systems without coverage, whose scores come from no run, are compared.
    """
    if not 0 <= least <= 1:
        raise SpecError(f"the least share of judged topics to answer lies between 0 and 1, not {least}")
    return {name: each for name, each in coverage.items() if not each.answered or each.share < least}


def covered_systems(scores: Scores, least: float = 0.0) -> tuple[Scores, dict[str, Coverage]]:
    """The scores of the systems that verdicts are about, and the coverage of those that are left out."""
    left_out = uncovered_systems(coverage_by_system(scores), least)
    if not left_out:
        return scores, {}
    rest = [system for system in scores.systems if system not in left_out]
    if len(rest) < 2:
        name, coverage = next(iter(left_out.items()))
        more = f" and {quantity(len(left_out) - 1, 'other system')}" if len(left_out) > 1 else ""
        answered = f"{coverage.answered:,} of {quantity(coverage.topics, 'judged topic')} answered"
        raise DataError(f"no verdict on {name}{more} ({answered}), so there are no two systems to compare")
    return scores.of_systems(rest), left_out


def left_out_notes(left_out: Mapping[str, Coverage], least: float = 0.0) -> list[Note]:
    """A note on every system that is left out."""
    return [
        Note.of("system_left_out", name, answered=each.answered, topics=each.topics, least=float(least))
        for name, each in left_out.items()
    ]


def mean_of_known(values: Floats) -> Floats:
    """The mean over the last axis of what has a value; NaN where nothing has."""
    known = ~np.isnan(values)
    count = np.asarray(known.sum(axis=-1))
    with np.errstate(over="ignore", invalid="ignore"):  # infinity where values are: it is shown as such
        total = np.where(known, values, 0.0).sum(axis=-1)
    mean: Floats = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return mean
