"""A Python that has loaded the large libraries already and makes a copy of itself for each command.

Loading numpy, scipy and polars takes a command longer than most of its work. A test that runs hundreds of commands as
a reader types them starts one such Python; each command is a process of its own with its own folder, environment,
standard streams and exit code, forked from it. What a process has at its start only (flags of the interpreter, what a
library reads from the environment while it is imported) is that of the first: a test of those starts Python itself.

As a program (``python -I -S warm_python.py SOCKET MODULE ARGUMENT…``) this is the command that asks for one.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # typing is slow to load
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from subprocess import CompletedProcess

HEAVY = (
    *("numpy", "scipy.stats", "scipy.special", "scipy.sparse", "polars", "pyarrow", "pandas"),
    *("rich.console", "regex", "pytest", "coverage", "markdown_it"),
)
"""Libraries; no package of ours, so that a command may have another copy of it, and no plug-in of pytest."""


def ask(place: str, words: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> int:
    """Run a module with arguments in a copy, and give its exit code; minus the signal if one ended it."""
    request = json.dumps([words, folder, environment]).encode("utf-8", "surrogateescape")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        socket.send_fds(connection, [len(request).to_bytes(8, "big")], streams)
        connection.sendall(request)
        answer = connection.recv(8)
    if len(answer) < 8:
        raise RuntimeError(f"no answer from the warm Python for {words}")
    return int.from_bytes(answer, "big", signed=True)


class Warm:
    """One that is running, and where it listens."""

    def __init__(self, place: Path) -> None:
        self.place = place

    @property
    def program(self) -> str:
        """What stands before the name of a module on a line for a shell."""
        return f'"{sys.executable}" -I -S "{__file__}" "{self.place}"'

    def run(self, words: Sequence[str], folder: Path, environment: dict[str, str]) -> CompletedProcess[str]:
        """A module, or a file of Python, with arguments; nothing is on its standard input."""
        import subprocess
        import tempfile

        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
            streams = [nothing.fileno(), out.fileno(), err.fileno()]
            code = ask(str(self.place), list(words), str(folder), environment, streams)
            for stream in (out, err):
                stream.seek(0)
            printed = [stream.read().decode("utf-8", "replace") for stream in (out, err)]
        return subprocess.CompletedProcess(list(words), code, *printed)


@contextmanager
def warm_python(modules: Sequence[str] = HEAVY) -> Iterator[Warm]:
    """One that has loaded these modules, ended afterwards."""
    import subprocess
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        made = Warm(Path(folder, "socket"))  # a short path: one of a test may be too long for a socket
        line = [sys.executable, __file__, "--serve", str(made.place), *modules]
        environment = os.environ | {"PYTHONUTF8": "1"}
        with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            try:
                yield made
            finally:
                process.stdin.close()


def serve(place: str, modules: list[str]) -> None:
    """Load modules, and answer until whoever started this is gone: its end of standard input closes."""
    import gc
    import importlib
    import select

    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError:  # an extra that is not installed
            continue
    gc.freeze()  # copies do not go over what they share
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen(64)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listening, sys.stdin.fileno()], [], [])
            with suppress(ChildProcessError):  # those that have answered are waited for, so that their time is counted
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if listening not in ready:
                return
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                os._exit(_answer(connection))
            connection.close()


def _answer(connection: socket.socket) -> int:
    size, streams, _, _ = socket.recv_fds(connection, 8, 3)
    request = b""
    while len(request) < int.from_bytes(size, "big"):
        request += connection.recv(1 << 16)
    words, folder, environment = json.loads(request.decode("utf-8", "surrogateescape"))
    child = os.fork()
    if child == 0:
        connection.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for stream in streams:
            os.close(stream)
        _become(words, folder, environment)
    for stream in streams:  # who reads them waits for their end
        os.close(stream)
    for number in range(3):
        os.close(number)
    _end_with_the_asker(connection, child)
    _, status = os.waitpid(child, 0)
    connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, "big", signed=True))
    return 0


def _end_with_the_asker(connection: socket.socket, child: int) -> None:
    """If whoever asked is killed, so is what it asked for."""
    import signal
    import threading

    def watch() -> None:
        if not connection.recv(1):
            os.kill(child, signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _become(words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be ``python -m MODULE ARGUMENT…``, or ``python FILE ARGUMENT…``."""
    import runpy

    code = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        own = os.path.dirname(os.path.abspath(__file__))
        given = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
        sys.path[:] = given + [path for path in sys.path if path not in ("", own)]
        program, *sys.argv[1:] = words
        sys.argv[0] = program
        if program.endswith(".py"):
            sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
            runpy.run_path(program, run_name="__main__")
        else:
            sys.path.insert(0, folder)
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = _code(end)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        _leave(code)


def _code(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1


def _leave(code: int) -> None:
    """As Python ends: threads are waited for, what was to be done at exit is done, what was printed is written."""
    import atexit
    import threading

    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = 120
    finally:
        os._exit(code & 255)


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2], sys.argv[3:])
    else:
        number = ask(sys.argv[1], sys.argv[2:], os.getcwd(), dict(os.environ), [0, 1, 2])
        sys.exit(number if number >= 0 else 128 - number)
