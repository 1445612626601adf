"""Processes that read files of documents, analyze and invert them: Python itself uses one core at a time.

A thread stands before each process and hands it one part of the collection after the other. The results are taken in
the order of the parts, so that they are those of one process. A worker ends when its pipes close, so none outlives a
build that was killed.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ..core.document import DocumentsPart, batches
from ..core.errors import AdjudgeError, DataError
from ..core.machine import end_group
from ..core.spec import class_name
from ..core.worker_pipe import answers, end_worker, receive, send, start_worker
from .analyzed_batches import AnalyzedBatch, BatchAnalyzer

if TYPE_CHECKING:
    from ..text.analyzer import Analyzer

WAITING = 3
"""Batches of a part that wait until those before them are taken; then their worker waits too."""
BEFORE = 2
"""Parts for each worker that may be begun before the part that is taken now."""
PATIENCE = 0.2
"""Seconds after which a thread that waits for room looks whether the job is over."""

ALONE = {"OPENBLAS_NUM_THREADS": "1"}
"""No threads for linear algebra, of which there is none here: they take time from the worker beside."""


class AnalysisJob(NamedTuple):
    """What each worker must know."""

    analyzer: str
    kinds: tuple[tuple[str, str], ...]
    """Module and name of every class that takes part, which must be the same in the workers."""
    characters: int
    positions: bool
    texts: bool

    @classmethod
    def of(
        cls, parts: Sequence[DocumentsPart], analyzer: Analyzer, characters: int, positions: bool, texts: bool
    ) -> AnalysisJob | None:
        """The job; None if a class that takes part was made in this process alone, as in a notebook."""
        kinds = {*parts[0].kinds, *map(class_name, (analyzer.tokenizer, *analyzer.filters))}
        if any(module == "__main__" or "<locals>" in name for module, name in kinds):
            return None
        return cls(str(analyzer), tuple(sorted(kinds)), characters, positions, texts)


class PartDone(NamedTuple):
    """The end of a part: what the collection must know of it, and its bytes."""

    report: Any
    size: int


@dataclass(frozen=True)
class Failed:
    """An error in a worker; that of the first part in order is raised."""

    error: BaseException


Message = AnalyzedBatch | PartDone | Failed


class AnalysisCrew:
    """``with crew: for batch in crew.analyze(parts): …``; then ``reports`` has what was met in each part."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        self.processes = list(processes)
        self.reports: list[Any] = []
        self._over = False
        self._taken = 0
        self._moved = threading.Condition()
        self._threads: list[threading.Thread] = []

    @classmethod
    def start(cls, job: AnalysisJob, workers: int) -> Self | None:
        """A crew; None if a worker does not have the classes that the job needs."""
        crew = cls([start_worker(__name__, "work", **ALONE) for _ in range(workers)])
        try:
            for process in crew.processes:
                send(process.stdin, job)
            ready = [receive(process.stdout) for process in crew.processes]
        except (EOFError, OSError):
            ready = [False]
        except BaseException:
            crew.close()
            raise
        if not all(ready):
            crew.close()
            return None
        return crew

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers and wait for the threads that stand before them."""
        self._over = True
        for process in self.processes:
            with suppress(OSError):
                end_group(process)
        for thread in self._threads:
            thread.join()
        for process in self.processes:
            end_worker(process)

    def analyze(self, parts: Sequence[DocumentsPart]) -> Iterator[AnalyzedBatch]:
        """What comes of each part, in order."""
        rooms = [queue.Queue[Message](WAITING) for _ in parts]
        following = iter(range(len(parts)))

        def take() -> int | None:
            """The next part, once it is not too far ahead."""
            with self._moved:
                part = next(following, None)
                while part is not None and part > self._taken + BEFORE * len(self.processes) and not self._over:
                    self._moved.wait(PATIENCE)
            return part

        def stand(worker: int) -> None:
            process = self.processes[worker]
            while not self._over and (part := take()) is not None:
                self._hand(process, worker, parts[part], rooms[part])

        self._threads = [threading.Thread(target=stand, args=(w,), daemon=True) for w in range(len(self.processes))]
        for thread in self._threads:
            thread.start()
        read = 0
        for number, room in enumerate(rooms):
            with self._moved:
                self._taken = number
                self._moved.notify_all()
            while not isinstance(message := room.get(), PartDone):
                if isinstance(message, Failed):
                    raise message.error
                yield message._replace(read=read)
            self.reports.append(message.report)
            read += message.size
            rooms[number] = queue.Queue(1)  # what it held is let go

    def _hand(
        self, process: subprocess.Popen[bytes], worker: int, part: DocumentsPart, room: queue.Queue[Message]
    ) -> None:
        """Have a worker do a part, and hand on what it says."""
        message: Message
        try:
            send(process.stdin, part)
            while True:
                message = receive(process.stdout)
                if isinstance(message, AnalyzedBatch):
                    message = message._replace(vocabulary=(worker, message.vocabulary[1]))
                self._put(room, message)
                if not isinstance(message, AnalyzedBatch):
                    break
        except (EOFError, OSError):
            code = process.wait()
            why = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            self._put(room, Failed(DataError(f"a process that analyzed documents ended {why}")))
        except BaseException as error:
            self._put(room, Failed(error))

    def _put(self, room: queue.Queue[Message], message: Message) -> None:
        while not self._over:
            with suppress(queue.Full):
                room.put(message, timeout=PATIENCE)
                return


def work() -> None:
    """The life of a worker process."""
    out = answers()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        job: AnalysisJob = receive(sys.stdin.buffer)
        try:
            from ..text.analyzer import Analyzer

            analyzer = Analyzer.parse(job.analyzer)
        except AdjudgeError:
            send(out, False)
            return
        own = set(map(class_name, (analyzer.tokenizer, *analyzer.filters)))
        send(out, own <= set(job.kinds))
        analyze = BatchAnalyzer(analyzer, positions=job.positions)
        while True:
            part: DocumentsPart = receive(sys.stdin.buffer)
            try:
                if not set(part.kinds) <= set(job.kinds):
                    raise DataError(f"a worker process reads with {part.kinds}, not {job.kinds}")
                for some in batches(part, job.characters):
                    send(out, analyze(some, job.texts))
                send(out, PartDone(part.report, part.size))
            except AdjudgeError as error:
                send(out, Failed(error))
            except (MemoryError, RecursionError) as error:
                send(out, Failed(type(error)(*error.args)))
