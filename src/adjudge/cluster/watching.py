"""How far Spark is, by the tasks of the stages that are under way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Say = Callable[[str, int, int], None]
"""Hears what is being done, and how many tasks of how many are done."""
EVERY = 0.5


@contextmanager
def watched(session: SparkSession, what: str, say: Say | None) -> Iterator[None]:
    """Tell how far Spark is while something is under way."""
    if say is None:
        yield
        return
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(session, what, say, ended), daemon=True, name="adjudge-spark")
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _watch(session: SparkSession, what: str, say: Say, ended: threading.Event) -> None:
    tracker = session.sparkContext.statusTracker()
    while not ended.wait(EVERY):
        try:
            stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        except Exception:
            return
        whole = sum(stage.numTasks for stage in stages if stage)
        if whole:
            say(what, sum(stage.numCompletedTasks for stage in stages if stage), whole)
