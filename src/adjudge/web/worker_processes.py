"""An application in several processes: one speaks HTTP, and each of the others answers one request at a time.

The interpreter runs on one core, so a server that computes its answers in threads uses one core however many there
are. Copies of the process share all that was read before they were made. The process that listens hands each request to
a copy that is free, so no reader waits behind a long answer while another core is idle.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable, Collection, Iterator
from typing import Any

from .guard import Application, Message, Receive, Send

LOG = logging.getLogger("adjudge.serve")
LENGTH = struct.Struct("<Q")
ALONE = "adjudge.alone"
"""The scope of a request has it where no other request is answered at the same time, so that no thread is needed."""
SENT = ("type", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path", "headers",
        "client", "server")  # fmt: skip
"""What the copies are told of a request."""


def possible() -> bool:
    """Whether this system makes copies of processes."""
    return hasattr(os, "fork")


def cookies_of(request: Message) -> str:
    """The cookies that a browser sent along."""
    return "; ".join(value.decode("latin-1") for name, value in request["headers"] if name.lower() == b"cookie")


class WorkerProcesses:
    """Hands GET requests to copies of this process; the rest, and what no copy can answer, it answers itself."""

    def __init__(
        self,
        application: Application,
        own_paths: Collection[str] = (),
        own: Callable[[Message], bool] = lambda _: False,
    ) -> None:
        self.application, self.own_paths, self.own = application, tuple(own_paths), own
        self._workers: dict[int, socket.socket] = {}
        """The copies by process id."""
        self._free: asyncio.Queue[int] | None = None

    @contextlib.contextmanager
    def running(self, processes: int) -> Iterator[WorkerProcesses]:
        """Make the copies, and end them afterwards. No other thread may run now: a copy would miss what it holds."""
        gc.freeze()  # what is there stays: a collection of garbage would write to it, and it would be shared no more
        try:
            for _ in range(processes):
                self._start()
            yield self
        finally:
            for process, talk in self._workers.items():
                talk.close()  # the copy reads the end and leaves
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(process, 0)
            self._workers.clear()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        process = os.fork()
        if process == 0:
            try:
                for other in (ours, *self._workers.values()):
                    other.close()
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches all: the process that listens decides
                _answer_requests(self.application, theirs)
            finally:
                os._exit(0)
        theirs.close()
        ours.setblocking(False)
        self._workers[process] = ours

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        mine = scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith(self.own_paths)
        mine = mine or self.own(scope)
        answer = None if mine else await self._ask({name: scope[name] for name in SENT if name in scope})
        if answer is None:
            await self.application(scope, receive, send)
            return
        for message in answer:
            await send(message)

    async def _ask(self, request: Message) -> list[Message] | None:
        """What a copy answers; None if there is none."""
        if self._free is None:
            self._free = asyncio.Queue()
            for process in self._workers:
                self._free.put_nowait(process)
        while self._workers:
            process = await self._free.get()
            if process < 0:
                self._free.put_nowait(process)  # the last one has gone: everybody who waits is told
                return None
            try:
                answer = await self._exchange(self._workers[process], request)
            except OSError:
                self._gone(process)
                continue
            except asyncio.CancelledError:
                self._gone(process)  # its answer would be taken for that of the next question
                raise
            self._free.put_nowait(process)
            return answer
        return None

    def _gone(self, process: int) -> None:
        LOG.error("process %d, which answered questions, has ended; %d left", process, len(self._workers) - 1)
        self._workers.pop(process).close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, os.WNOHANG)
        if not self._workers and self._free is not None:
            self._free.put_nowait(-1)

    async def _exchange(self, talk: socket.socket, request: Message) -> list[Message]:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(talk, _packed(request))
        size = LENGTH.unpack(await _read(loop, talk, LENGTH.size))[0]
        answer: list[Message] = pickle.loads(await _read(loop, talk, size))  # noqa: S301  from a copy of this process
        return answer


async def _read(loop: asyncio.AbstractEventLoop, talk: socket.socket, size: int) -> bytearray:
    whole = bytearray(size)
    view, done = memoryview(whole), 0
    while done < size:
        count = await loop.sock_recv_into(talk, view[done:])
        if not count:
            raise ConnectionResetError
        done += count
    return whole


def _packed(value: Any) -> bytes:
    raw = pickle.dumps(value, protocol=5)
    return LENGTH.pack(len(raw)) + raw


def _answer_requests(application: Application, talk: socket.socket) -> None:
    """What a copy does until the process that listens has gone."""
    with asyncio.Runner() as runner, talk, talk.makefile("rb") as requests:
        while head := requests.read(LENGTH.size):
            request = pickle.loads(requests.read(LENGTH.unpack(head)[0]))  # noqa: S301  from the process it was copied from
            talk.sendall(_packed(runner.run(_answer(application, request))))


async def _answer(application: Application, request: Message) -> list[Message]:
    answer: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        answer.append(message)

    try:
        await application({**request, ALONE: True}, receive, send)
    except Exception:
        LOG.exception("a request could not be answered")
        if not answer:
            body = b"Something went wrong here."
            answer.append({"type": "http.response.start", "status": 500, "headers": [(b"content-type", b"text/plain")]})
            answer.append({"type": "http.response.body", "body": body})
    return answer
