"""Notes on scores: on measures, on judgments, and on how each run was judged."""

from __future__ import annotations

from ..core.note import Note
from .plain_names import GEOMETRIC_MEAN

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..core.judged import JudgedRun
    from ..core.scores import Column
    from .plain_files import PlainRun
    from .plain_names import PlainColumn


def all_notes(
    repeated: int,
    wanted: Iterable[Column | PlainColumn],
    without_relevant: Iterable[Sequence[str]],
    notes: Iterable[Sequence[Note]],
) -> Iterable[Note]:
    """Collect the notes on measures, judgments and runs, the last two given run by run."""
    for column in wanted:
        if column.average == GEOMETRIC_MEAN:
            yield Note.of("geometric_mean", column.name, average=column.average)
    if repeated:
        yield Note.of("judgments_repeated", count=repeated)
    without = dict.fromkeys(topic for topics in without_relevant for topic in topics)
    if without:
        yield Note.of("topics_without_relevant", topics=list(without))
    for own in notes:
        yield from own


def judging_notes(run: JudgedRun | PlainRun) -> Iterable[Note]:
    yield from run.notes
    if run.without_judgments:
        yield Note.of("topics_unjudged", run.name, topics=run.without_judgments)
    if run.missing:
        yield Note.of("topics_missing", run.name, topics=run.missing, counted=run.missing[0] in run.topics)
