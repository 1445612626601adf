"""Where a server listens, under which names it may be asked, and how it answers until it is interrupted."""

from __future__ import annotations

import gc
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import DataError, SpecError


@dataclass(frozen=True)
class Place:
    """Where a server listens."""

    host: str = "127.0.0.1"
    port: int = 8300
    allowed: tuple[str, ...] = ()
    """Further names by which it may be asked."""
    certificate: Path | None = None
    key: Path | None = None
    https: bool = False
    """Whether a proxy before it speaks https."""

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def secure(self) -> bool:
        return self.https or self.certificate is not None

    @property
    def address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.certificate else ''}://{host}:{self.port}/"


def own_names(host: str) -> set[str]:
    """The names by which a machine is asked that listens on an address."""
    return {host, socket.gethostname(), socket.getfqdn(), "localhost"}


def listen(place: Place) -> socket.socket:
    """The socket, bound before its address is printed; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    # With the protocol named, asyncio sends answers at once; otherwise their second half waits 40 ms for the first.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((place.host, place.port))
        listener.listen(128)  # at once: until then another server could take the same port
    except (OSError, UnicodeError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or str(error)
        raise DataError(f"cannot listen on {place.host} port {place.port}: {why}") from None
    return listener


def serve(application: Any, bound: socket.socket, place: Place) -> None:
    """Answer requests until interrupted."""
    import uvicorn

    from .patience import Patience

    gc.freeze()  # what was read before the first request stays: collections of garbage need not look at it

    settings = uvicorn.Config(
        application,
        http=Patience,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        limit_concurrency=200,
        timeout_keep_alive=20,
        h11_max_incomplete_event_size=32 * 1024,
        ssl_certfile=place.certificate,
        ssl_keyfile=place.key,
    )
    try:
        uvicorn.Server(settings).run(sockets=[bound])
    except OSError as error:
        raise DataError(f"{place.certificate or place.host}: {error.strerror or error}") from None


def hosts_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names for --allow-host, refused if they could not be in a Host header."""
    from .guard import host_name

    for name in names:
        if host_name(name) != name.lower().rstrip(".") or ":" in name:
            raise SpecError(f"--allow-host takes a name without port, not {name!r}")
    return tuple(names)
