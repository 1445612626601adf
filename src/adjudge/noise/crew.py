"""Worker processes that degrade documents: one that dies or hangs costs its document a second try, and not the job.

Each worker is a process of its own that runs :func:`work`; it gets the degrader and then one bundle of documents after
the other through a pipe, and gives the results back through another, document by document: so it is known at which one
it died or hangs. Small documents share a bundle, because a way through a pipe costs as much as to degrade one. A thread
of this process stands before each worker. A worker ends as soon as its pipe is closed, so none outlives a job that was
killed.
"""

from __future__ import annotations

import math
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
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

BUNDLE = 4_000
"""Characters of documents that a worker gets together; two pages, so that none waits long for the last one."""

ALONE = 100
"""Characters that a document counts beside its own, so that there are not too many empty ones."""

Task = tuple[int, Document]


class _GoneError(Exception):
    """A worker that died or was killed because it hung; the message says how."""


class _Watch:
    """Calls a function when something takes too long. One thread does so for all that a worker is asked, and sleeps."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._changed = threading.Condition()
        self._until = self._sleeps = math.inf
        self._over = False
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def begin(self, seconds: float) -> None:
        with self._changed:
            self._until = time.monotonic() + seconds
            if self._until < self._sleeps:
                self._changed.notify()

    def finish(self) -> None:
        with self._changed:
            self._until = math.inf

    def end(self) -> None:
        with self._changed:
            self._over = True
            self._changed.notify()

    def _look(self) -> None:
        with self._changed:
            while not self._over and (left := self._until - time.monotonic()) > 0:
                self._sleeps = self._until
                self._changed.wait(None if math.isinf(left) else min(left, threading.TIMEOUT_MAX))
                self._sleeps = -math.inf
            if self._over:
                return
        self._call()


class _Worker:
    """One process; it is killed with all that it started."""

    def __init__(self, degrader: bytes) -> None:
        self.process = start_worker(__name__, "work")
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("a worker without pipes")
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.hung = False
        self.watch = _Watch(self._give_up)
        try:
            send(self.stdin, degrader)
            ready = receive(self.stdout)
        except (EOFError, OSError):
            raise DataError(f"a worker process could not start: {self.death()}") from None
        if ready is not None:
            self.kill()
            raise DataError(f"a worker process could not take the degrader over: {ready}")

    def begin(self, documents: Sequence[Document]) -> None:
        """Hand over a bundle; whether the worker still lives is seen when an answer is asked for."""
        with suppress(EOFError, OSError):
            send(self.stdin, documents)

    def answer(self, patience: float) -> tuple[Any, float]:
        """What became of the next document of the bundle."""
        self.watch.begin(patience)
        try:
            answer: tuple[Any, float] = receive(self.stdout)
        except (EOFError, OSError):
            why = self.death()
            raise _GoneError(f"no answer after {patience:g} s" if self.hung else why) from None
        finally:
            self.watch.finish()
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
        self.watch.end()
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
        self._bundles: queue.SimpleQueue[list[Task] | None] = queue.SimpleQueue()
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
        self._give([(number, document)])

    def _give(self, bundle: list[Task]) -> None:
        self.under_way += len(bundle)
        self._bundles.put(bundle)

    def take(self) -> Finished:
        """The next that is finished; an error of the degrader that concerns all documents is raised."""
        done = self._done.get()
        if isinstance(done, BaseException):
            raise done
        self.under_way -= 1
        return done

    def all(self, tasks: Iterator[Task], ahead: int) -> Iterator[Finished]:
        """Results of all tasks, as they finish; so many bundles are handed out at a time."""
        handed_out: deque[int] = deque()
        for bundle in _bundles(tasks):
            self._give(bundle)
            handed_out.append(len(bundle))
            while len(handed_out) >= ahead:
                for _ in range(handed_out.popleft()):
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
            self._bundles.put(None)
        for thread in self._threads:
            thread.join()

    def _stand(self) -> None:
        """A thread's life: take a bundle, have it done, report."""
        worker: _Worker | None = None
        try:
            while not self._over and (bundle := self._bundles.get()) is not None:
                worker = self._do(worker, bundle)
        except BaseException as error:
            self._done.put(error)
        finally:
            if worker is not None:
                self._forget(worker)

    def _do(self, worker: _Worker | None, bundle: list[Task]) -> _Worker | None:
        """Have a bundle done; a document that fails in it is tried again by itself."""
        failed: list[tuple[Task, str]] = []
        worker = self._attempt(worker, bundle, failed)
        for task, why in failed:
            reasons = [why]
            for _ in range(TRIES - 1):
                again: list[tuple[Task, str]] = []
                worker = self._attempt(worker, [task], again)
                if not again:
                    break
                reasons.append(again[0][1])
            if len(reasons) == TRIES:
                number, document = task
                lost = Degraded(document.id, "", 0, (f"document: {reasons[-1]}, {TRIES} times",))
                self._done.put(Finished(number, lost, 0.0))
        return worker

    def _attempt(self, worker: _Worker | None, bundle: list[Task], failed: list[tuple[Task, str]]) -> _Worker | None:
        """Have a bundle done once, and say what failed; when a worker goes, another takes what lies behind."""
        while bundle:
            worker = worker or self._hire()
            if worker is None:
                return None
            worker.begin([document for _, document in bundle])
            rest = list(bundle)
            while rest:
                number, document = rest.pop(0)
                try:
                    answer, seconds = worker.answer(self.degrader.patience(document))
                except _GoneError as gone:
                    self._forget(worker)
                    if self._over:
                        return None
                    worker = None
                    failed.append(((number, document), str(gone)))
                    break
                if isinstance(answer, AdjudgeError):
                    raise answer
                if isinstance(answer, Degraded):
                    self._done.put(Finished(number, answer, seconds))
                else:
                    failed.append(((number, document), answer))
            bundle = rest
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


def _bundles(tasks: Iterator[Task]) -> Iterator[list[Task]]:
    """Tasks that are small together; a large one is a bundle of its own."""
    bundle: list[Task] = []
    size = 0
    for task in tasks:
        if bundle and size + len(task[1].text) > BUNDLE:
            yield bundle
            bundle, size = [], 0
        bundle.append(task)
        size += len(task[1].text) + ALONE
    if bundle:
        yield bundle


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
    tasks: queue.SimpleQueue[list[Document]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    try:
        while True:
            for document in tasks.get():
                began = time.monotonic()
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


def _listen(tasks: queue.SimpleQueue[list[Document]]) -> None:
    """Wait for documents even while one is under way, so that the end of the job is heard at once."""
    try:
        while True:
            tasks.put(receive(sys.stdin.buffer))
    except (EOFError, OSError):
        end_own_group()
