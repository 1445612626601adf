"""The command line: one file for each command, with a ``main(arguments) -> exit code``.

The first line of a command's docstring is its description in ``adjudge --help``. Commands of other packages are
declared as entry points of ``adjudge.commands`` (docs/plug-ins.md).
"""

from __future__ import annotations

import gc
import os
import sys

from .. import __version__

TYPE_CHECKING = False  # as typing has it, without the milliseconds that typing takes
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any, TextIO

BAD_INPUT = 2
INTERRUPTED = 130
QUOTES = '"""'

THEIRS = {"trec_eval"}
"""Commands that go by another program's name; all others are spelt with hyphens."""

GROUPS: dict[str, tuple[str, ...]] = {
    "Evaluate": ("measure", "nuggets", "average", "sensitivity", "known-item", "trec_eval"),
    "Compare": (
        *("compare", "guard", "factors", "correlate", "complementarity", "predict", "topics-needed", "judges"),
        *("swap-rate", "discriminative-power", "pseudo-judgments"),
    ),
    "Search": (
        *("index", "index add", "index remove", "index merge", "index verify"),
        *("search", "serve", "retrieve", "explain", "fuse", "collapse"),
        *("terms", "terms apply"),
    ),
    "Experiments": ("run", "tune", "report", "demo", "confusion", "technical-terms"),
    "Scanned text": (
        *("noise", "noise calibrate", "noise errors", "noise estimate", "noise learn"),
        *("noise simulate", "noise corrupt", "noise correct"),
    ),
    "Test collections": (
        *("pool", "pool again", "pool next", "pool serve", "pool judgments", "pool judge", "pool export", "pool gaps"),
        "estimate",
        *("check", "convert", "qrels", "qrels merge", "qrels diff", "qrels sample", "qrels map"),
        *("collect", "collect candidates", "collect sentences", "collect formulas"),
        *("collect serve", "collect agreement", "collect check", "collect events", "collect export"),
        "collect import-cumtc",
    ),
    "Look up": ("components", "completion", "man"),
}
"""The order in which ``adjudge --help`` shows the commands; a command that is not here is shown at the end."""

KINDS = (
    *("measures", "averages", "transformations", "zero-treatments", "coefficients", "tests", "corrections"),
    *("equivalence-methods", "layouts"),
    *("tokenizers", "filters", "taggers", "linguistic-filters", "weightings", "predictors", "engines", "systems"),
    *("poolings", "priorities"),
)
"""The kinds of components, each a command that lists them; named here so that no room is imported to find out."""

ALIASES = {
    "evaluate": "measure",
    "eval": "measure",
    "score": "measure",
    "trec-eval": "trec_eval",
    "significance": "compare",
    "anova": "factors",
    "correlation": "correlate",
    "fusion": "fuse",
    "query": "search",
    "rank": "retrieve",
    "experiment": "run",
    "ocr": "noise",
    "metrics": "measures",
    "tokenisers": "tokenizers",
    "models": "weightings",
    "list": "components",
}
"""Other names that people type."""

PLAIN = ("measure", "trec_eval")
"""Commands that need not be loaded to evaluate plain files (_plain.py)."""


def commands() -> dict[str, str]:
    """{name: module}: ``known-item`` is in known_item.py, and ``noise calibrate`` in noise__calibrate.py."""
    files = sorted(f.removesuffix(".py") for f in os.listdir(__path__[0]) if f.endswith(".py") and f[0] != "_")
    own = {name if name in THEIRS else name.replace("__", " ").replace("_", "-"): name for name in files}
    return own | dict.fromkeys(KINDS, "components")


def match_command(words: Sequence[str], known: Sequence[str]) -> int:
    """How many leading words name a command, as many as can; 0 if none does."""
    most = max(name.count(" ") + 1 for name in known)
    return next((n for n in range(min(most, len(words)), 0, -1) if " ".join(words[:n]) in known), 0)


def misspelt(words: Sequence[str], known: Sequence[str]) -> str:
    """What to say if no command is named, or if a file that is not there is nearly the second word of a command."""
    from ..core.errors import did_you_mean

    number = match_command(words, known)
    if not number:
        near = did_you_mean(words[0], [*known, *ALIASES])
        return f"no command {words[0]!r}{near or ': adjudge --help lists the commands'}"
    before = " ".join(words[:number])
    longer = [name.removeprefix(f"{before} ") for name in known if name.startswith(f"{before} ")]
    if not longer or len(words) == number or words[number].startswith("-") or os.path.exists(words[number]):
        return ""
    near = did_you_mean(words[number], longer)
    return near and f"no file and no command {before} {words[number]}{near}"


def summary(module: str) -> str:
    """The first line of a command's docstring, read from its file: importing it would take longer."""
    with open(os.path.join(__path__[0], f"{module}.py"), encoding="utf-8") as file:
        return file.readline().strip().removeprefix(QUOTES)


def grouped() -> dict[str, list[str]]:
    """Our commands by group, without those that list one kind of component."""
    known = [name for name in commands() if name not in KINDS]
    groups = {title: [name for name in names if name in known] for title, names in GROUPS.items()}
    rest = [name for name in known if not any(name in names for names in groups.values())]
    return groups | ({"More": rest} if rest else {})


def overview() -> str:
    """What ``adjudge --help`` prints."""
    from textwrap import fill

    lines = ["usage: adjudge COMMAND …", "", "A laboratory for information-retrieval experiments."]
    known, groups = commands(), grouped()
    width = max(len(name) for names in groups.values() for name in names)
    for title, names in groups.items():
        lines += ["", f"{title}:", *(f"  {name:<{width}}  {summary(known[name])}" for name in names)]
        if title == "Look up":
            every = f"{', '.join(KINDS)}: each lists the components of its kind, or explains one."
            lines.append(fill(every, 110, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))
    if plugged := plug_in_summaries():
        wide = max(map(len, plugged))
        lines += ["", "From plug-ins:", *(f"  {name:<{max(width, wide)}}  {says}" for name, says in plugged.items())]
    other = ", ".join(f"{alias} for {name}" for alias, name in ALIASES.items())
    lines += ["", fill(f"Other names are understood too: {other}.", 110, break_on_hyphens=False)]
    lines += ["", "adjudge COMMAND --help explains a command, with examples.", "adjudge --version prints the version."]
    return "\n".join(lines)


def plug_in_commands() -> dict[str, Callable[[], Any]]:
    """{name: what loads it} of the commands of other packages; one that has the name of ours is ignored."""
    from ..core.plug_ins import COMMANDS, plug_ins, warn

    taken = {*commands(), *ALIASES, "help"}
    plugged = plug_ins(COMMANDS)
    for name, plug_in in plugged.items():
        if name in taken:
            warn(f"{plug_in} is ignored: adjudge has a command of that name")
    return {name: plug_in.load for name, plug_in in plugged.items() if name not in taken}


def plug_in_summaries() -> dict[str, str]:
    """{name: first line} of the commands of other packages; those that cannot be loaded are ignored."""
    from ..core.errors import SpecError
    from ..core.plug_ins import warn

    lines = {}
    for name, load in plug_in_commands().items():
        try:
            lines[name] = (load().__doc__ or "").strip().partition("\n")[0]
        except SpecError as error:
            warn(f"{error}; it is ignored")
    return lines


def command_module(name: str) -> ModuleType:
    from importlib import import_module

    return import_module(f"{__name__}.{name}")


def find_command(words: Sequence[str]) -> tuple[Callable[[Sequence[str]], int], int]:
    """The command that words begin with, and how many of them name it."""
    from ..core.errors import SpecError

    known = commands()
    if words[0] in ALIASES and match_command(words, list(known)) == 0:
        words = [ALIASES[words[0]], *words[1:]]
    number = match_command(words, list(known))
    if number == 0 and words[0] in (plugged := plug_in_commands()):
        command = plugged[words[0]]()
        function = command if callable(command) else getattr(command, "main", None)
        if function is None:
            raise SpecError(f"the plug-in command {words[0]} has no function main(arguments)")
        return function, 1
    if wrong := misspelt(words, list(known)):
        raise SpecError(wrong)
    name = " ".join(words[:number])
    module = command_module(known[name])
    if name in KINDS:
        return lambda rest: int(module.main(rest, name)), number
    return module.main, number


EXPERIMENTS = ("run", "tune", "demo", "confusion", "technical-terms")


def after_interrupt(name: str) -> str:
    """What a user should know after Ctrl-C: what is kept, and how to go on."""
    if name in EXPERIMENTS:
        return "interrupted: finished runs are kept; run the same command again to go on"
    if name.startswith("index"):
        return "interrupted: nothing was changed; an index that was there before is still complete"
    if name == "terms":
        return "interrupted: with --output, what was tagged is kept; run the same command again to go on"
    return "" if name.startswith(("noise", "collect serve", "serve")) else "interrupted"  # these say it themselves


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning about a plug-in as a note; others as Python shows them."""
    if category.__name__ == "PlugInWarning":
        print(f"note: {message}", file=sys.stderr)
    else:
        import warnings

        said = warnings.formatwarning(message, category, filename, lineno, line)
        print(said, end="", file=sys.stderr if file is None else file)


def prepare() -> None:
    """Before a command is loaded: warnings become notes, memory is watched, numpy is put off.

    What multiplies large matrices does so on all cores already, a block of samples on each: threads of OpenBLAS within
    these would only wait for each other.
    """
    import os
    import warnings

    from ..core.deferred import defer
    from ..core.machine import OWN_VARIABLES
    from ..core.scarce_memory import watch_memory

    if "OPENBLAS_NUM_THREADS" not in os.environ:
        os.environ["OPENBLAS_NUM_THREADS"] = OWN_VARIABLES["OPENBLAS_NUM_THREADS"] = "1"
    warnings.showwarning = show_warning
    watch_memory()
    defer("numpy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on standard error and exit code 2."""
    if arguments is None:
        gc.disable()  # imports leave nothing to collect, and looking for it costs a tenth of the start-up
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words, own_process=arguments is None)
    except BaseException as error:
        code = code_after(error, words)
        if code is None:
            raise
        return code


def _run(words: list[str], *, own_process: bool) -> int:
    code: int | None
    if not words or words[0] in {"-h", "--help", "help"}:
        print(overview())
        return 0 if words else BAD_INPUT
    if words[0] in {"-V", "--version"}:
        print(f"adjudge {__version__}")
        return 0
    if (meant := ALIASES.get(words[0], words[0])) in PLAIN:
        from ._plain import evaluate

        if (code := evaluate([meant, *words[1:]])) is not None:
            return _flushed(code)
    if own_process:
        prepare()
    command, number = find_command(words)
    if own_process:  # a command may work for hours, or serve for days
        gc.freeze()
        gc.enable()
    return _flushed(command(words[number:]))


def _flushed(code: int) -> int:
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def code_after(error: BaseException, words: list[str]) -> int | None:
    """The exit code after an error that is no bug, which is told in a line; None after any other."""
    from ..core.errors import AdjudgeError
    from ..core.scarce_memory import is_scarce

    if isinstance(error, AdjudgeError):
        print(error, file=sys.stderr)
        return BAD_INPUT
    if isinstance(error, BrokenPipeError):  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, OSError):  # standard output has no name: a full disk behind it, say
        what = "output cannot be written" if error.filename is None else os.fsdecode(error.filename)
        print(f"{what}: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BAD_INPUT
    if isinstance(error, MemoryError | ImportError | NameError | AttributeError | SystemError | RuntimeError):
        # a library that cannot be loaded for want of memory says so, or was loaded in part; a thread needs memory too
        told = any(said in str(error) for said in ("failed to map segment", "can't start new thread"))
        if not isinstance(error, MemoryError) and not told and not is_scarce():
            return None
        print("not enough memory for this", file=sys.stderr)
        return BAD_INPUT
    if isinstance(error, KeyboardInterrupt):
        known = list(commands())
        meant = [ALIASES.get(words[0], words[0]), *words[1:]] if words else []
        if text := after_interrupt(" ".join(meant[: match_command(meant, known)])):
            print(f"note: {text}", file=sys.stderr)
        return INTERRUPTED
    if type(error).__name__ == "PanicException":  # of polars, where the system refuses threads or memory
        print(f"a library failed: {(str(error).splitlines() or [''])[0]}", file=sys.stderr)
        return BAD_INPUT
    return None
