"""The command line: one file a command, each with a ``main(arguments) -> exit code``.

The first line of a command's docstring is its description in ``adjudge --help``.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from .. import __version__
from ..core.errors import AdjudgeError, did_you_mean

BAD_INPUT = 2
QUOTES = '"""'


THEIRS = {"trec_eval"}
"""Commands that go by another program's name; all others are spelt with hyphens."""


def commands() -> dict[str, str]:
    """{name: module}: ``known-item`` is in known_item.py."""
    files = sorted(f.removesuffix(".py") for f in os.listdir(__path__[0]) if f.endswith(".py") and f[0] != "_")
    return {name if name in THEIRS else name.replace("_", "-"): name for name in files}


def overview() -> str:
    lines = ["usage: adjudge COMMAND …", "", "A laboratory for information-retrieval experiments.", ""]
    known = commands()
    for name, module in known.items():
        with open(os.path.join(__path__[0], f"{module}.py"), encoding="utf-8") as file:  # importing would take longer
            says = file.readline().strip().removeprefix(QUOTES)
            lines.append(f"  {name:<{max(map(len, known))}}  {says}")
    lines += ["", "adjudge COMMAND --help tells more, with an example.", "adjudge --version"]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on standard error and exit code 2."""
    if arguments is None:
        gc.disable()  # a command is short and makes no cycles; collecting costs a tenth of its start-up
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if not words or words[0] in {"-h", "--help", "help"}:
            print(overview())
            return 0 if words else BAD_INPUT
        if words[0] in {"-V", "--version"}:
            print(f"adjudge {__version__}")
            return 0
        known = commands()
        if words[0] not in known:
            print(f"no command {words[0]!r}{did_you_mean(words[0], list(known))}", file=sys.stderr)
            return BAD_INPUT
        code: int = import_module(f"{__name__}.{known[words[0]]}").main(words[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except AdjudgeError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a full disk behind standard output, say
        print(f"output cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130
