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
from ..pools.pool_grades import PoolGrades, unjudged_of_whole, whole_topic_grades, within_budget
from ..pools.pooled_pairs import Pool
from ..pools.priorities.random_order import RandomOrder
from .file_verbs import refuse_one_file
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
    whole: PathLike | None = None,
    store: str | None = None,
    progress: Listener = SILENT,
) -> SampledQrels:
    """Put the judgments of a pool together with its strata and probabilities, and write them.

    Of topics that are judged whole, the sample has what it would have of any other topic.

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
        whole: the file for the judgments of the topics that are judged whole, as :func:`estimate` takes them. All their
            pairs must have a grade, and the sample must be judged as far as it is to be.
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
    if whole is not None and not made.whole_topics:
        raise SpecError("no topic of the pool is judged whole: make it with whole_topics (--whole-topics)")
    refuse_one_file(output, whole)
    at_desk = judgments is None
    if judgments is None and not isinstance(project, Pool):
        judgments = desk_judgments(Path(project), store)
    if judgments is None:
        raise DataError("nothing was judged yet: adjudge pool serve has people judge, or give judgments")
    given = read_qrels(judgments).to_dict()
    said = PoolGrades.of(made, given)
    grades = np.where(made.drawn, said.grades, -1)
    if not (grades >= 0).any():
        raise DataError("no pair of the pool has a grade")
    order, drawn = made.definition.priority, int(made.drawn.sum())
    known = said.known if at_desk else said.grades >= 0  # at the desk −1 is "cannot tell", in a file "not judged"
    judged = int((made.drawn & known).sum())
    if judged < drawn and order != RANDOM and not as_sample:
        lack = f"{drawn - judged:,} of {quantity(drawn, 'pair')} {plural(drawn - judged, 'is', 'are')}"
        left = f"{lack} not judged yet, and {order} has others judged first"
        if form != "qrels":
            raise DataError(
                f"{left}: what is judged is no random sample, and estimates from it would be wrong; judge the rest,"
                " or take the form qrels for plain judgments (as_sample, --as-sample, if it is one after all)"
            )
        progress.note(Note.of("judged_not_at_random", "judgments", left=drawn - judged, whole=drawn, priority=order))
    if judged < drawn and order == RANDOM and not (at_desk or as_sample) and form != "qrels":
        _refuse_other_order(made, grades >= 0)
    entire = None if whole is None else whole_topic_grades(made, said, known, as_sample=as_sample)
    if made.whole_topics and order == RANDOM:
        grades = within_budget(made, grades)
    if (aside := int((said.known & (said.grades < 0)).sum())) and at_desk:
        progress.note(Note.of("pairs_without_grade", "judgments", count=aside))
    if outside := sum(map(len, given.values())) - int(said.known.sum()):
        progress.note(Note.of("judgments_outside_sample", "judgments", count=outside))
    if said.raised:
        progress.note(Note.of("grades_raised", "judgments", count=said.raised))
    if made.whole_topics and whole is None and output is not None and not unjudged_of_whole(made, said):
        progress.note(Note.of("whole_topics_left", count=len(made.whole_topics)))
    frame = np.flatnonzero(made.probabilities > 0)
    documents, offsets = made.documents.take(frame), np.searchsorted(frame, made.offsets).astype(np.int64)
    pooled = np.append(np.diff(offsets) > 0, True)
    sample = SampledQrels.of_rows(
        made.pooled_topics, offsets[pooled], documents, grades[frame].astype(np.int32), made.strata[frame]
    )
    if entire is not None and whole is not None:
        write_qrels(entire, whole)
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
