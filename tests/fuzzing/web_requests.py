"""Requests with other values, bytes and headers, and an application that answers them without a server."""

from __future__ import annotations

import asyncio
import io
import json
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fuzzing.mutations import TEXT, mutate, mutate_value

try:
    from jinja2 import BytecodeCache
    from jinja2.bccache import Bucket

    class CompiledTemplates(BytecodeCache):
        """Templates of one application for the next: to compile them takes ten times as long as a request."""

        def __init__(self) -> None:
            self.known: dict[str, bytes] = {}

        def load_bytecode(self, bucket: Bucket) -> None:
            if bucket.key in self.known:
                bucket.bytecode_from_string(self.known[bucket.key])

        def dump_bytecode(self, bucket: Bucket) -> None:
            self.known[bucket.key] = bucket.bytecode_to_string()

    COMPILED: Any = CompiledTemplates()
except ImportError:  # then nothing is served
    COMPILED = None

HEADERS = (
    "cookie",
    "origin",
    "content-type",
    "content-length",
    "sec-fetch-site",
    "host",
    "accept",
    "authorization",
    "x",
)
Maker = Callable[[random.Random, Path], Path]


def request_maker(requests: Sequence[dict[str, Any]]) -> Maker:
    """Makes a request with other values, other bytes in address or form, other headers."""

    def make(rng: random.Random, folder: Path) -> Path:
        request = json.loads(json.dumps(rng.choice(requests)))
        for _ in range(rng.choice((1, 1, 2))):
            what = rng.random()
            if what < 0.5 and "form" in request:
                form = mutate_value(rng, request["form"])
                request["form"] = form if isinstance(form, dict) else request["form"]
            elif what < 0.6 and "form" in request:
                request["body"] = mutate(
                    rng, [urlencode(request["form"], errors="surrogatepass").encode()], TEXT
                ).decode("latin-1")
            elif what < 0.8:
                request["query"] = mutate(rng, [str(request.get("query", "")).encode()], TEXT).decode("latin-1")
            elif what < 0.9:
                value = mutate(rng, [b"http://127.0.0.1"], TEXT).decode("latin-1")
                request.setdefault("headers", []).append([rng.choice(HEADERS), value])
            else:
                request["path"] = mutate(rng, [request["path"].encode()], TEXT).decode("latin-1")
        path = folder / "request.json"
        path.write_text(json.dumps(request))
        return path

    return make


async def ask(application: Any, request: dict[str, Any], token: str = "") -> tuple[int, bytes]:
    """Status and body of what the application answers."""
    form = {k: v if isinstance(v, str) else json.dumps(v) for k, v in request.get("form", {}).items()}
    body = request.get("body", "").encode("latin-1") or urlencode({"csrf": token} | form, errors="replace").encode()
    headers = [("host", "127.0.0.1:8300"), ("content-type", "application/x-www-form-urlencoded")]
    if request["method"] == "POST":
        headers.append(("content-length", str(len(body))))
    given = [(name, value) for name, value in request.get("headers", [])]
    headers = [pair for pair in headers if pair[0] not in {name for name, _ in given}] + given
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request["method"],
        "path": request["path"],
        "raw_path": quote(request["path"], encoding="latin-1").encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": str(request.get("query", "")).encode("latin-1"),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8300),
    }
    messages = iter([{"type": "http.request", "body": body if request["method"] == "POST" else b""}])
    answer: dict[str, Any] = {"status": 0, "body": io.BytesIO()}

    async def receive() -> dict[str, Any]:
        return next(messages, {"type": "http.disconnect"})

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer["status"] = message["status"]
        else:
            answer["body"].write(message.get("body", b""))

    await application(scope, receive, send)
    return answer["status"], answer["body"].getvalue()


def asked(application: Any, request: dict[str, Any], token: str = "") -> tuple[int, bytes]:
    """The answer to a request, in another thread if a browser that other tests use has its loop in this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(ask(application, request, token))
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, ask(application, request, token)).result()
