"""The process in which a system of one's own works.

    python -m adjudge.systems.parts.own_child REQUEST.json

It ends when its standard input does, and with it what it started. What is printed goes to standard error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def main(arguments: Sequence[str]) -> int:
    from ...core.child_process import end_with_parent

    end_with_parent()
    request = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    os.dup2(2, 1)
    why = run_command(request) if "command" in request else run_code(request)
    if why:
        Path(request["outcome"]).write_text(json.dumps(why), encoding="utf-8")
    sys.stdout.flush()
    return 2 if why else 0


def run_command(request: dict[str, Any]) -> str:
    """Run a program; why it failed, empty if it did not."""
    try:
        target = request["run"] if request["printed"] else os.devnull
        with open(request["stdin"], "rb") as topics, open(target, "wb") as file:
            out = file if request["printed"] else 1
            ended = subprocess.run(request["command"], stdin=topics, stdout=out, cwd=request["home"], check=False)
    except OSError as error:
        return f"{request['command'][0]} could not start: {error.strerror}"
    if not ended.returncode:
        return ""
    if ended.returncode < 0:
        import signal

        known = {member.value: member.name for member in signal.Signals}
        return f"{Path(request['command'][0]).name} was ended by {known.get(-ended.returncode, -ended.returncode)}"
    return f"{Path(request['command'][0]).name} ended with exit code {ended.returncode}"


def run_code(request: dict[str, Any]) -> str:
    """Import code and let it answer; why it failed, empty if it did not."""
    from ...formats.runs import run_bytes
    from .own_calls import Asked, one_line, run_of_code
    from .own_code import Target
    from .own_program import documents_of

    try:
        code = Target.parse(request["code"]).load(Path(request["home"]))
        asked = Asked(
            topics=request["topics"],
            documents=documents_of(request["documents"]),
            folder=Path(request["folder"]),
            k=request["k"],
            settings=request["settings"],
            each=request["each"],
        )
        run = run_of_code(code, asked)
        data = run_bytes(run, "trec")
    except (Exception, SystemExit) as error:
        import traceback

        traceback.print_exc()
        return one_line(error, __file__)
    Path(request["run"]).write_bytes(data)
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
