"""A real PostgreSQL server in a temporary folder, on loopback, as a user who is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("no PostgreSQL server on this machine: apt-get install postgresql")
    return found[-1].parent


def _user() -> str | None:
    """initdb refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    found = next((name for name in ("postgres", "nobody") if name in names), None)
    if found is None:
        pytest.skip("PostgreSQL does not run as root, and there is no other user")
    return found


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server that lives as long as the context."""
    bin_folder, user = programs(), _user()
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install psycopg[binary]")
    folder = Path(tempfile.mkdtemp(prefix="adjudge-pg-"))
    if user is not None:
        shutil.chown(folder, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [bin_folder / program, *arguments], user=user, cwd=folder, check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        )  # fmt: skip

    data = str(folder / "data")
    run("initdb", "-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--no-sync")
    settings = f"-c listen_addresses=127.0.0.1 -p {port} -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", settings, "start")
    try:
        yield f"postgresql://bench@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
