"""How far Spark is, by the tasks of the stages that are under way."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ..core.progress import SILENT, Listener, Step

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EVERY = 0.5


@contextmanager
def watch_stages(session: SparkSession, kind: str, progress: Listener) -> Iterator[None]:
    """A task that Spark does, and in it one for the stages of each moment."""
    with progress.work(kind) as step:
        if progress is SILENT:
            yield
            return
        ended = threading.Event()
        watcher = threading.Thread(target=_watch, args=(session, step.inside, ended), daemon=True, name="adjudge-spark")
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()


def _watch(session: SparkSession, progress: Listener, ended: threading.Event) -> None:
    """Ask Spark now and then; when other stages are under way, that is another task."""
    tracker = session.sparkContext.statusTracker()
    with ExitStack() as stack:
        current, step = None, None
        while not ended.wait(EVERY):
            try:
                stages = [tracker.getStageInfo(number) for number in sorted(tracker.getActiveStageIds())]
            except Exception:
                return
            active = [stage for stage in stages if stage]
            if not active:
                continue
            numbers = [stage.stageId for stage in active]
            if step is None or numbers != current:
                stack.close()
                total = sum(stage.numTasks for stage in active)
                current, step = numbers, stack.enter_context(progress.work("stages", total=total, unit="tasks"))
            _reach(step, sum(stage.numCompletedTasks for stage in active))


def _reach(step: Step, done: int) -> None:
    """A stage that is tried again has fewer tasks done than before, and a task may be done twice."""
    step.reach(min(max(done, step.done), step.task.total))
