"""The sample: documents that systems may see in their true and in their degraded form, because the groups did."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.note import Note
from ..formats.documents import read_documents
from ..formats.writing import write
from ..storage.digest import digest_texts
from .cell import pairs
from .plan import Plan
from .survey import Survey, chosen


@dataclass(frozen=True)
class Sample:
    """Which documents, the same for all versions; the first ``aligned`` are for errors, the others for regression."""

    ids: tuple[str, ...] = ()
    aligned: int = 0
    note: Note | None = None


def sample(plan: Plan, shared: Collection[str], targets: Collection[str]) -> Sample:
    """Documents drawn by the seed, none of them a target; fewer than wanted are shared out in proportion, and told."""
    wanted = plan.aligned + plan.training
    if not wanted or not {use for system in plan.parsed.values() for use in system.uses} & {"aligned", "training"}:
        return Sample()
    ids = tuple(chosen(frozenset(shared) - frozenset(targets), plan.seed, wanted))
    if len(ids) == wanted:
        return Sample(ids, plan.aligned)
    aligned = len(ids) * plan.aligned // wanted
    note = Note.of(
        "sample_small",
        documents=len(ids),
        aligned=aligned,
        training=len(ids) - aligned,
        aligned_wanted=plan.aligned,
        training_wanted=plan.training,
    )
    return Sample(ids, aligned, note)


def written(
    chosen: Sample, first: str, version: str, places: Mapping[str, Path], surveys: Mapping[str, Survey], work: Path
) -> str:
    """The file with the sample's documents as the true and as a degraded version have them; "" if there are none."""
    if not chosen.ids:
        return ""
    sides, wanted = (first, version), frozenset(chosen.ids)
    prints = [surveys[name].fingerprint(wanted) for name in sides]
    path = work / f"sample-{digest_texts(*chosen.ids, *prints, str(chosen.aligned))}.jsonl"
    if not _holds(path, chosen.ids, [surveys[name] for name in sides]):
        forms = []
        for name in sides:
            texts = {d.id: d.text for d in read_documents(places[name]) if d.id in wanted}
            forms.append([texts[i] for i in chosen.ids])
        lines = [json.dumps(pair) for pair in zip(*forms, strict=True)]
        write(path, "\n".join(lines).encode())
    return str(path)


def _holds(path: Path, ids: Sequence[str], sides: Sequence[Survey]) -> bool:
    """Whether a file has these documents as the versions have them; a damaged one has not."""
    try:
        pairs_there = pairs(str(path))
    except (OSError, ValueError, TypeError):
        return False
    if len(pairs_there) != len(ids) or not all(isinstance(text, str) for pair in pairs_there for text in pair):
        return False
    for place, side in enumerate(sides):
        digests = dict(zip(side.ids, side.digests, strict=True))
        if any(digests[i] != digest_texts(i, pair[place]) for i, pair in zip(ids, pairs_there, strict=True)):
            return False
    return True
