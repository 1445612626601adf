"""What stands before every request: Host header, origin, size of bodies; and the headers of every answer."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

LARGEST_BODY = 128 * 1024
"""A note of ten thousand characters of four bytes each, three signs for a byte in a form, fits."""
SLOWEST_BODY = 15.0
"""Seconds in which a body must have arrived."""
LONGEST_QUERY = 4096

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer browsers send the origin of our own forms as null
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@dataclass(frozen=True)
class Hosts:
    """The names under which a server may be asked: a page elsewhere can point its own name at this machine."""

    names: frozenset[str]
    loopback: bool

    def allow(self, header: str) -> bool:
        name = host_name(header)
        if name is None:
            return False
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return self.loopback and name == "localhost"
        # A number cannot be pointed elsewhere, but on loopback nobody else has business here.
        return address.is_loopback or not self.loopback


def host_name(header: str) -> str | None:
    """The host of a Host header without its port, in lower case; None if it is none."""
    text = header.strip().lower()
    if text.startswith("["):
        name, closed, port = text[1:].partition("]")
        rest = port.removeprefix(":") if closed else "?"
    else:
        name, _, rest = text.partition(":")
    fine = name and (not rest or rest.isdecimal()) and all(c.isalnum() or c in "-._:" for c in name)
    return name.rstrip(".") if fine else None


class Guard:
    """Refuses what has no business here before the application sees it; bodies arrive whole or not at all."""

    def __init__(self, application: Application, hosts: Hosts, secure: bool = False) -> None:
        self.application, self.hosts = application, hosts
        self.headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        if secure:
            self.headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.application(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web sockets here
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        answer = self._answering(send)
        refused = self._refusal(scope, headers)
        if refused is not None:
            # what is left of the request is not waited for: nobody counts the seconds of a body that nobody reads
            await _refuse(answer, *refused, close=_has_body(headers))
            return
        if scope["method"] not in {"GET", "HEAD"}:
            try:
                body = await asyncio.wait_for(_body(receive, headers), SLOWEST_BODY)
            except TimeoutError:
                await _refuse(answer, 408, "The request took too long.")
                return
            if body is None:
                await _refuse(answer, 413, f"More than {LARGEST_BODY:,} bytes.")
                return
            scope["adjudge.body"] = body
        await self.application(scope, receive, answer)

    def _refusal(self, scope: Message, headers: dict[str, list[str]]) -> tuple[int, str] | None:
        hosts = headers.get("host", [])
        if len(hosts) != 1 or not self.hosts.allow(hosts[0]):
            return 421, "This server does not go by that name: start it with --allow-host NAME."
        if len(scope.get("query_string", b"")) > LONGEST_QUERY:
            return 414, "The address is too long."
        if not scope.get("query_string", b"").isascii():
            return 400, "The address cannot be read: other signs than those of ASCII are written with %."
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return 405, "Only GET and POST are known here."
        if scope["method"] == "POST" and not _same_origin(headers, hosts[0]):
            return 403, "A page elsewhere asked for this."
        if scope["method"] != "POST" and _has_body(headers):
            return 400, "A page is asked for without a body."
        return None

    def _answering(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message.get("headers", [])}
                added = [*self.headers, (b"cache-control", b"no-store")]
                message["headers"] = [
                    *message.get("headers", []),
                    *(header for header in added if header[0] not in given),
                ]
            await send(message)

        return answer


def _same_origin(headers: dict[str, list[str]], host: str) -> bool:
    """Whether the browser says that our own page asked; programs that say nothing still need the form's token."""
    if origins := headers.get("origin"):
        return len(origins) == 1 and origins[0].lower() in {f"http://{host.lower()}", f"https://{host.lower()}"}
    return headers.get("sec-fetch-site", ["same-origin"])[0] in {"same-origin", "none"}


def _has_body(headers: dict[str, list[str]]) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", ["0"]) != ["0"]


async def _body(receive: Receive, headers: dict[str, list[str]]) -> bytes | None:
    length = headers.get("content-length", ["0"])[0]
    if not length.isdecimal() or len(length) > 20 or int(length) > LARGEST_BODY:
        return None
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None  # half a body is no decision
        part = message.get("body", b"")
        size += len(part)
        if size > LARGEST_BODY:
            return None
        parts.append(part)
        more = message.get("more_body", False)
    return b"".join(parts)


async def _refuse(send: Send, status: int, why: str, *, close: bool = False) -> None:
    body = why.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    if close or status in {408, 413}:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
