"""All charts of the page as figures of their own, for papers."""

from __future__ import annotations

from collections.abc import Iterator

from ...comparison.known_item.characteristic import AXES
from ...experiment.findings import Findings
from ..figures import Figure
from .agreement import agreement_drawn
from .distribution import distribution_drawn
from .known_item import characteristic_drawn, value_drawn
from .noise import noise_drawn
from .recall_precision import recall_precision_drawn
from .scales import moves_drawn
from .significance import significance_drawn
from .subject import Subject, View
from .systems import systems_drawn
from .topics import pair_drawn

PAIR = ("topic-differences", "topic-scatter")


def figures(findings: Findings) -> dict[str, Figure]:
    """By name, fit for file names, in the order of the page.

    What exists for each version ends in its number, ``distribution-2``, if there are several: names of versions may
    hold anything.
    """
    subject = Subject(findings)
    made: dict[str, Figure | None] = {"systems": systems_drawn(subject)}
    made |= zip(PAIR, pair_drawn(subject), strict=False)
    for number, view in enumerate(subject.views, 1):
        for name, drawn in _of_version(subject, view):
            made[f"{name}-{number}" if subject.several else name] = drawn
    made["noise"] = noise_drawn(subject)
    return {name: drawn for name, drawn in made.items() if drawn is not None}


def _of_version(subject: Subject, view: View) -> Iterator[tuple[str, Figure | None]]:
    yield "distribution", distribution_drawn(subject, view)
    if view.finding.sensitivity is not None:
        yield "rank-moves", moves_drawn(view, view.finding.sensitivity)
    if view.finding.study is not None:
        for axis in AXES:
            yield f"characteristic-{axis}", characteristic_drawn(view, view.finding.study, axis)
        yield "value", value_drawn(view.finding.study)
    yield "agreement", agreement_drawn(view)
    yield "recall-precision", recall_precision_drawn(view)
    yield "significance", significance_drawn(view)
