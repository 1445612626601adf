"""HTTP that does not wait for ever: who opens a connection has to ask for something soon.

uvicorn ends connections that are idle after an answer, but waits without end for the first request and for the rest of
one that has begun: two hundred silent connections would shut everybody out.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST_HEAD = 15.0
"""Seconds in which the head of a request must have arrived, from its first byte or the opening of the connection."""


class Patience(H11Protocol):
    """uvicorn's protocol with a limit of time for heads; the guard has one for bodies."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:  # a head that has not ended
            self._wait()
        else:
            self._enough()

    def connection_lost(self, exc: Exception | None) -> None:
        self._enough()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(SLOWEST_HEAD, self.transport.abort)

    def _enough(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
