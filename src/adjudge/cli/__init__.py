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
    """{name: module}: ``known-item`` is in known_item.py, and ``noise calibrate`` in noise__calibrate.py."""
    files = sorted(f.removesuffix(".py") for f in os.listdir(__path__[0]) if f.endswith(".py") and f[0] != "_")
    return {name if name in THEIRS else name.replace("__", " ").replace("_", "-"): name for name in files}


def match_command(words: Sequence[str], known: Sequence[str]) -> int:
    """How many leading words name a command, as many as can; 0 if none does."""
    most = max(name.count(" ") + 1 for name in known)
    return next((n for n in range(min(most, len(words)), 0, -1) if " ".join(words[:n]) in known), 0)


def misspelt(words: Sequence[str], known: Sequence[str]) -> str:
    """What to say if no command is named, or if a file that is not there is nearly the second word of a command."""
    number = match_command(words, known)
    if not number:
        return f"no command {words[0]!r}{did_you_mean(words[0], list(known))}"
    before = " ".join(words[:number])
    longer = [name.removeprefix(f"{before} ") for name in known if name.startswith(f"{before} ")]
    if not longer or len(words) == number or words[number].startswith("-") or os.path.exists(words[number]):
        return ""
    near = did_you_mean(words[number], longer)
    return near and f"no file and no command {before} {words[number]}{near}"


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
        gc.disable()  # imports leave nothing to collect, and looking for it costs a tenth of the start-up
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if not words or words[0] in {"-h", "--help", "help"}:
            print(overview())
            return 0 if words else BAD_INPUT
        if words[0] in {"-V", "--version"}:
            print(f"adjudge {__version__}")
            return 0
        known = commands()
        if wrong := misspelt(words, list(known)):
            print(wrong, file=sys.stderr)
            return BAD_INPUT
        number = match_command(words, list(known))
        command = import_module(f"{__name__}.{known[' '.join(words[:number])]}")
        if arguments is None:  # a command may work for hours, or serve for days
            gc.freeze()
            gc.enable()
        code: int = command.main(words[number:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except AdjudgeError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # standard output has no name: a full disk behind it, say
        what = "output cannot be written" if error.filename is None else os.fsdecode(error.filename)
        print(f"{what}: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130
