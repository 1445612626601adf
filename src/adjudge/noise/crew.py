"""Worker processes that degrade documents: one that dies or hangs costs its document a second try, and not the job.

Each worker is a process of its own that runs :func:`work`; it gets the degrader and then one document after the other
through a pipe, and gives the results back through another. A thread of this process stands
before each worker. A worker ends as soon as its pipe is closed, so none outlives a job that was killed.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any

from ..core.document import Document
from ..core.errors import AdjudgeError, DataError, SpecError
from ..core.machine import end_group, end_own_group
from ..core.worker_pipe import answers, end_worker, receive, send, start_worker
from .degrader import Degraded, Degrader
from .journal import Finished

TRIES = 2
DYING = 1.0
"""Seconds that a worker which closed its pipe has to end by itself and say how."""

Task = tuple[int, Document]


class _GoneError(Exception):
    """A worker that died or was killed because it hung; the message says how."""


class _Worker:
    """One process; it is killed with all that it started."""

    def __init__(self, degrader: bytes) -> None:
        self.process = start_worker(__name__, "work")
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("a worker without pipes")
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.hung = False
        try:
            send(self.stdin, degrader)
            ready = receive(self.stdout)
        except (EOFError, OSError):
            raise DataError(f"a worker process could not start: {self.death()}") from None
        if ready is not None:
            self.kill()
            raise DataError(f"a worker process could not take the degrader over: {ready}")

    def degrade(self, document: Document, patience: float) -> tuple[Any, float]:
        timer = threading.Timer(min(patience, threading.TIMEOUT_MAX), self._give_up)
        timer.daemon = True
        timer.start()
        try:
            send(self.stdin, document)
            answer: tuple[Any, float] = receive(self.stdout)
        except (EOFError, OSError):
            why = self.death()
            raise _GoneError(f"no answer after {patience:g} s" if self.hung else why) from None
        finally:
            timer.cancel()
        return answer

    def _give_up(self) -> None:
        self.hung = True
        self.end()

    def end(self) -> None:
        """End the process and those it started; any thread may do that."""
        with suppress(OSError):
            end_group(self.process)

    def death(self) -> str:
        """How the process ended, of which nothing more is heard."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(DYING)
        self.kill()
        code = self.process.wait()
        if code >= 0:
            return f"the worker process ended with exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"the worker process was ended by {name}"

    def kill(self) -> None:
        """End it and let go of its pipes; only the thread that stands before it may do that."""
        end_worker(self.process)


class Crew:
    """``with Crew(degrader, 2) as crew: crew.give(number, document); … crew.take()``"""

    def __init__(self, degrader: Degrader, workers: int) -> None:
        self.degrader, self.workers = degrader, workers
        try:
            self._packed = pickle.dumps(degrader)
        except Exception as error:  # pickle has several for that
            raise SpecError(f"a degrader that worker processes cannot have: {error}") from None
        self.under_way = 0
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Finished | BaseException] = queue.SimpleQueue()
        self._over = False
        self._running: set[_Worker] = set()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._stand, daemon=True) for _ in range(workers)]

    def __enter__(self) -> Crew:
        for thread in self._threads:
            thread.start()
        return self

    def give(self, number: int, document: Document) -> None:
        self.under_way += 1
        self._tasks.put((number, document))

    def take(self) -> Finished:
        """The next that is finished; an error of the degrader that concerns all documents is raised."""
        done = self._done.get()
        if isinstance(done, BaseException):
            raise done
        self.under_way -= 1
        return done

    def all(self, tasks: Iterator[Task], ahead: int) -> Iterator[Finished]:
        """Results of all tasks, as they finish; so many tasks are handed out at a time."""
        for number, document in tasks:
            self.give(number, document)
            if self.under_way >= ahead:
                yield self.take()
        while self.under_way:
            yield self.take()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._over = True
            running = list(self._running)
        for worker in running:
            worker.end()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _stand(self) -> None:
        """A thread's life: take a task, have it done, report."""
        worker: _Worker | None = None
        try:
            while not self._over and (task := self._tasks.get()) is not None:
                worker = self._do(worker, *task)
        except BaseException as error:
            self._done.put(error)
        finally:
            if worker is not None:
                self._forget(worker)

    def _do(self, worker: _Worker | None, number: int, document: Document) -> _Worker | None:
        why = ""
        for _ in range(TRIES):
            worker = worker or self._hire()
            if worker is None:
                return None
            try:
                answer, seconds = worker.degrade(document, self.degrader.patience(document))
            except _GoneError as gone:
                self._forget(worker)
                worker, why = None, str(gone)
                if self._over:
                    return None
                continue
            if isinstance(answer, AdjudgeError):
                raise answer
            if isinstance(answer, Degraded):
                self._done.put(Finished(number, answer, seconds))
                return worker
            why = answer
        lost = Degraded(document.id, "", 0, (f"document: {why}, {TRIES} times",))
        self._done.put(Finished(number, lost, 0.0))
        return worker

    def _hire(self) -> _Worker | None:
        with self._lock:  # so that none is started behind the back of the one who ends them all
            if self._over:
                return None
            worker = _Worker(self._packed)
            self._running.add(worker)
            return worker

    def _forget(self, worker: _Worker) -> None:
        worker.kill()
        with self._lock:
            self._running.discard(worker)


def work() -> None:
    """The life of a worker process."""
    out = answers()
    try:
        degrader: Degrader = pickle.loads(receive(sys.stdin.buffer))  # noqa: S301  from our own process
    except EOFError:
        return
    except Exception as error:
        send(out, f"{type(error).__name__}: {error}")
        return
    send(out, None)
    tasks: queue.SimpleQueue[Document] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    try:
        while True:
            document, began = tasks.get(), time.monotonic()
            send(out, (_answer(degrader, document), time.monotonic() - began))
    finally:
        os._exit(1)  # an ordinary exit would wait for the thread that listens


def _answer(degrader: Degrader, document: Document) -> Degraded | AdjudgeError | str:
    """What became of a document, or why nothing did."""
    try:
        done = degrader.degrade(document)
        done.text.encode()  # half a surrogate pair could not be written
        if done.id != document.id:
            return f"the degrader gave {done.id!r} for {document.id!r}"
        return Degraded(done.id, done.text, int(done.pages), tuple(map(str, done.failures)), dict(done.notes))
    except AdjudgeError as error:
        return type(error)(str(error))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _listen(tasks: queue.SimpleQueue[Document]) -> None:
    """Wait for documents even while one is under way, so that the end of the job is heard at once."""
    try:
        while True:
            tasks.put(receive(sys.stdin.buffer))
    except (EOFError, OSError):
        end_own_group()
