"""Running a program on a page: fed through its standard input, ended with its whole group when time is up."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from threading import Thread
from typing import IO

from ...core.errors import MissingExtraError
from ...core.machine import end_group
from .engine import PageFailure

SHOWN = 200
PATIENCE = 5.0
"""Seconds to stop feeding a program that has ended: one that it left behind may hold the pipe."""


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it has started, whether it listens or not."""
    with suppress(ProcessLookupError, PermissionError):
        end_group(process)
    process.wait()


def start(command: Sequence[str], environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own with pipes to its input, output and errors."""
    settings = None if environment is None else {**os.environ, **environment}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=settings,
        start_new_session=True,
    )


def run(
    command: Sequence[str],
    given: bytes | Iterable[bytes],
    timeout: float,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """What a program prints when it is given these bytes; a PageFailure if it fails, is killed, or takes too long."""
    name = os.path.basename(command[0])
    try:
        process = start(command, environment)
    except OSError as error:
        raise PageFailure(f"{name} could not be started: {error.strerror}") from None
    feeder = Thread(target=_feed, args=(process.stdin, [given] if isinstance(given, bytes) else given), daemon=True)
    process.stdin = None  # the feeder's: a page is handed over piece by piece while its text is read
    feeder.start()
    try:
        printed, complained = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        end(process)
        raise PageFailure(f"{name} took longer than {timeout:g} s") from None
    except BaseException:
        end(process)
        raise
    finally:
        feeder.join(PATIENCE)  # the program has ended, and who writes to it is told so
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    if process.returncode:
        raise PageFailure(ending_of(name, process.returncode, complained))
    return printed


def _feed(pipe: IO[bytes] | None, pieces: Iterable[bytes]) -> None:
    if pipe is None:
        return
    with suppress(OSError, MemoryError), pipe:  # a program may end before it has read everything
        for piece in pieces:
            pipe.write(piece)


def ending_of(name: str, code: int, complained: bytes) -> str:
    """How a program ended, in words."""
    if code < 0:
        try:
            what = signal.Signals(-code).name
        except ValueError:
            what = str(-code)
        return f"{name} was ended by signal {what}"
    complaint = " ".join(complained.decode("utf-8", "replace").split())
    return f"{name} ended with exit code {code}" + (f": {complaint[:SHOWN]}" if complaint else "")


def locate(program: str, package: str) -> str:
    """Where a program is; a MissingExtraError with the Debian package that has it if it is nowhere."""
    path = shutil.which(program)
    if path is None:
        raise MissingExtraError(f"the engine {program} is not installed: apt install {package}")
    return path


@lru_cache(maxsize=16)
def version_of(path: str, option: str, pattern: str, _changed: float) -> str:
    """What a program says of its version; asked again when its file has changed."""
    try:
        done = subprocess.run([path, option], capture_output=True, timeout=20, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingExtraError(f"{path} does not run: {error}") from None
    match = re.search(pattern, (done.stdout + done.stderr).decode("utf-8", "replace"))
    if match is None:
        raise MissingExtraError(f"{path} does not tell its version with {option}")
    return match[1]


def version(path: str, option: str, pattern: str) -> str:
    """The version of a program by a pattern that its answer matches."""
    return version_of(path, option, pattern, os.stat(path).st_mtime)


def text_of(printed: bytes, name: str) -> str:
    """What an engine has printed as text with line feeds; bytes that are not UTF-8 are a failure."""
    try:
        text = printed.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PageFailure(f"{name} printed bytes that are not UTF-8 (at byte {error.start})") from None
    return text.replace("\r\n", "\n").replace("\f", "").rstrip("\n")
