"""The converters themselves, each in a process with limits: what a formula does there cannot reach further."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ...core.errors import DataError
from ...core.machine import end_group

Batch = Sequence[tuple[int, str]]
"""Numbers and formulas."""

MEMORY, WRITTEN = 3 << 30, 1 << 30
PREAMBLE = r"\usepackage{amsmath,amssymb,amsfonts,mathrsfs,mathtools,braket,stmaryrd,cancel,dsfont}"
PRELOAD = """package LaTeXML::Package::Pool;
use strict; use warnings; use LaTeXML::Package;
AssignValue('MAX_ERRORS' => 1000000, 'global');
1;
"""
"""LaTeXML gives up after a hundred errors, and a macro that nobody defined is one each time."""

WORKER = """
import json, sys
from latex2mathml.converter import convert
sys.setrecursionlimit(5000)
for line in sys.stdin:
    number, tex = json.loads(line)
    try:
        answer = convert(tex)
    except Exception as error:
        answer = f"not converted: {type(error).__name__} {error}"[:200]
    print(json.dumps([number, answer]), flush=True)
"""


def _limits(seconds: float) -> Callable[[], None]:
    """What sets limits in the child, which also hold if nobody watches; an error where there are none to be set."""
    try:
        import resource
    except ImportError:
        raise DataError("formulas are converted under limits of time and memory, which this system has not") from None

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))

    return limit


def _run(command: Sequence[str], folder: str, seconds: float, given: bytes = b"") -> bytes:
    """What a program writes until it ends or its time is over; it and all that it started end then."""
    bare = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "TMPDIR": folder, "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=bare,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_limits(seconds),  # noqa: PLW1509  no threads are started here
    ) as process:
        try:
            return process.communicate(given, timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            end_group(process)
            return process.communicate()[0]
        except BaseException:
            end_group(process)
            raise


def by_latexml(batch: Batch, seconds: float) -> dict[int, str]:
    """{number: MathML} of one call of LaTeXML; formulas that it did not come to are missing."""
    mark = f"Q{secrets.token_hex(8)}Q"
    body = "\n\n".join(f"{mark}{number}Q ${tex}$ {mark}" for number, tex in batch)
    text = f"\\documentclass{{article}}\n{PREAMBLE}\n\\begin{{document}}\n{body}\n\n\\end{{document}}\n"
    with tempfile.TemporaryDirectory(prefix="adjudge-formulas-") as folder:
        Path(folder, "formulas.tex").write_text(text, encoding="utf-8", errors="replace")
        Path(folder, "adjudge.sty.ltxml").write_text(PRELOAD, encoding="utf-8")
        output = Path(folder, "formulas.xhtml")
        command = ["latexmlc", "--quiet", "--quiet", "--format=xhtml", "--pmml", "--cmml", "--nodefaultresources"]
        command += ["--nocomments", "--preload=adjudge.sty", f"--timeout={int(seconds)}"]
        _run([*command, f"--dest={output.name}", "formulas.tex"], folder, seconds)
        page = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
    answers: dict[int, str] = {}
    pieces = re.split(rf"{mark}(?:(\d+)Q)?", page)
    for number, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if number is None:
            continue
        begins, ends = piece.count("<math"), piece.count("</math>")
        words = re.search(r'<span class="[^"]*ltx_markedasmath[^"]*">([^<>]*)</span>', piece)
        if words is not None and not begins:  # nothing but words
            answers[int(number)] = f"<math><mtext>{words[1]}</mtext></math>"
        elif begins == ends == 1 and piece.index("<math") < piece.index("</math>") and words is None:
            answers[int(number)] = piece[piece.index("<math") : piece.index("</math>") + len("</math>")]
        elif len(batch) == 1:  # among others it may have suffered from a neighbour, and is tried again
            answers[int(number)] = "no formula came of it" if not begins else "several formulas came of it"
    return answers


def by_latex2mathml(batch: Batch, seconds: float) -> dict[int, str]:
    """{number: MathML, or why there is none}; formulas that it did not come to are missing."""
    given = "".join(json.dumps([number, tex]) + "\n" for number, tex in batch).encode()
    with tempfile.TemporaryDirectory(prefix="adjudge-formulas-") as folder:
        written = _run([sys.executable, "-I", "-c", WORKER], folder, seconds, given)
    answers: dict[int, str] = {}
    for line in written.splitlines():
        try:
            number, answer = json.loads(line)
        except ValueError:  # the last line, cut off
            continue
        answers[number] = answer
    return answers
