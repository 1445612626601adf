"""Verbs on what was judged of a pool: judgments with their strata and probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.english import plural, quantity
from ..core.errors import DataError, SpecError
from ..core.likes import PathLike, QrelsLike
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.qrels import Qrels
from ..core.sampled import SampledQrels
from ..formats.qrels import read_qrels, write_qrels
from ..formats.sampled_qrels import write_sampled_qrels
from ..judging_desk.desk_serving import desk_judgments
from ..pools.pooled_pairs import Pool
from ..pools.priorities.random_order import RandomOrder
from .pool_verbs import RANDOM, PoolLike, opened_pool

FORMS = ("qrels", "sample_eval", "statap")
IN_ORDER = 0.8
"""The share of judged pairs that must be among the first ones of a random order: people work side by side, and skip."""


def pool_export(
    project: PoolLike,
    judgments: QrelsLike | None = None,
    output: PathLike | None = None,
    *,
    form: str = "sample_eval",
    as_sample: bool = False,
    store: str | None = None,
    progress: Listener = SILENT,
) -> SampledQrels:
    """Put the judgments of a pool together with its strata and probabilities, and write them.

    Args:
        project: a pool, or the folder of a project.
        judgments: what was judged; what was judged at the desk of the project if None.
        output: the file; nothing is written without it.
        form: sample_eval (topic, 0, document, stratum, grade), statap (topic, document, grade, stratum, probability),
            or qrels, in which a document of the pool that was not judged has the grade -1.
        as_sample: whether what is judged is a random sample of each stratum, though not all that was drawn is judged
            and the order of the pool is not random_order, or judgments from elsewhere do not follow it. Without it such
            judgments are refused as a sample: the likeliest documents were judged first, and estimates would be far too
            high.
        store: where the judgments of the desk are; the project's own store if none is named.
        progress: hears of judgments that are not of the sample, of pairs without a grade, and of grades below -1,
            which become 0.

    >>> import adjudge
    >>> both = adjudge.pool({"a": {"1": {"x": 2.0, "y": 1.0}}}, pooling="uniform@2(share=1)")
    >>> adjudge.pool_export(both, {"1": {"x": 1, "y": 0}}).probabilities.tolist()
    [1.0, 1.0]
    """
    if form not in FORMS:
        raise SpecError(f"form may be {', '.join(FORMS)}, not {form!r}")
    made = opened_pool(project)
    at_desk = judgments is None
    if judgments is None and not isinstance(project, Pool):
        judgments = desk_judgments(Path(project), store)
    if judgments is None:
        raise DataError("nothing was judged yet: adjudge pool serve has people judge, or give judgments")
    given = read_qrels(judgments).to_dict()
    frame = np.flatnonzero(made.probabilities > 0)
    drawn = made.drawn.tolist()
    topic = np.repeat(np.arange(len(made.topics)), np.diff(made.offsets))[frame]
    grades = np.full(len(made), -1, np.int32)
    taken = low = aside = 0
    for row, (name, document, _) in enumerate(made.rows()):
        grade = given.get(name, {}).get(document) if drawn[row] else None
        if grade is not None:
            taken, low, aside = taken + 1, low + (grade < -1), aside + (grade == -1)
            grades[row] = 0 if grade < -1 else grade  # judged and worse than not relevant is not unjudged
    if not (grades >= 0).any():
        raise DataError("no pair of the pool has a grade")
    order, whole = made.definition.priority, int(made.drawn.sum())
    judged = taken if at_desk else taken - aside  # at the desk −1 is "cannot tell", in a file it is "not judged"
    if judged < whole and order != RANDOM and not as_sample:
        lack = f"{whole - judged:,} of {quantity(whole, 'pair')} {plural(whole - judged, 'is', 'are')}"
        left = f"{lack} not judged yet, and {order} has others judged first"
        if form != "qrels":
            raise DataError(
                f"{left}: what is judged is no random sample, and estimates from it would be wrong; judge the rest,"
                " or take the form qrels for plain judgments (as_sample, --as-sample, if it is one after all)"
            )
        progress.note(Note.of("judged_not_at_random", "judgments", left=whole - judged, whole=whole, priority=order))
    if judged < whole and order == RANDOM and not (at_desk or as_sample) and form != "qrels":
        _refuse_other_order(made, grades >= 0)
    if aside and at_desk:
        progress.note(Note.of("pairs_without_grade", "judgments", count=aside))
    if outside := sum(map(len, given.values())) - taken:
        progress.note(Note.of("judgments_outside_sample", "judgments", count=outside))
    if low:
        progress.note(Note.of("grades_raised", "judgments", count=low))
    counts = np.bincount(topic, minlength=len(made.topics))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    documents = made.documents.take(frame)
    sample = SampledQrels.of_rows(made.topics, offsets, documents, grades[frame], made.strata[frame])
    if output is not None and form == "qrels":
        write_qrels(Qrels(sample.topics, sample.offsets, sample.documents, sample.grades), output)
    elif output is not None:
        write_sampled_qrels(sample, output, form)
    return sample


def _refuse_other_order(made: Pool, judged: np.ndarray) -> None:
    """An error if what is judged is not what the random order of the pool had judged first.

    Judgments that were made for another pool are of documents near the top, and estimates would be far too high.
    """
    first = total = 0
    for topic in made.topics:
        part = made.topic_pool(topic)
        order = part.first + RandomOrder().begin(part).order
        own = judged[order[made.drawn[order]]]
        if not own.all():
            first, total = first + int(own[: int(own.sum())].sum()), total + int(own.sum())
    if first < IN_ORDER * total:
        raise DataError(
            f"{first:,} of {quantity(total, 'judged pair')} of unfinished topics are among those that {RANDOM} has"
            " judged first: what is judged is no random sample, and estimates from it would be wrong; judge the rest,"
            " or take the form qrels for plain judgments (as_sample, --as-sample, if it is one after all)"
        )
