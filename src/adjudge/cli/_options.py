"""Options that several commands share: how runs are evaluated, where output goes, components by name."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ..core.errors import DataError, SpecError
from ..core.judging import KEEPS, Judging
from ..core.measure import measures
from ..core.registry import Registry
from ..core.spec import items_of
from ..report.text_table import FORMS
from . import _output

if TYPE_CHECKING:
    from ..core.collapse import Collapse

coloured, note = _output.coloured, _output.note
"""Options and output belong together for most commands."""

FOREIGN = (
    ".xlsx",
    ".xls",
    ".ods",
    ".docx",
    ".odt",
    ".pdf",
    ".png",
    ".svg",
    ".jpg",
    ".arrow",
    ".feather",
    ".pkl",
    ".npy",
)
"""Extensions that promise something else than any of our forms."""
ENDINGS = {".csv": "csv", ".json": "json", ".md": "md", ".tex": "latex", ".parquet": "parquet", ".html": "html"}


NO_VERDICT = 3
"""Exit code where there is no verdict, or none on some of the systems."""


class ComponentNames:
    """The names in some registries, joined when a help text is printed: plug-ins are looked for only then."""

    def __init__(self, *registries: Registry[Any]) -> None:
        self.registries = registries

    def __str__(self) -> str:
        return ", ".join(name for registry in self.registries for name in registry.names)


class OneValue(argparse._StoreAction):
    """An option with one value: another one is refused, because to keep the last would drop the first unseen."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if option_string is not None:
            before = parser.given.setdefault(self.dest, values)
            if before != values:
                name = max(self.option_strings, key=len)
                raise SpecError(f"{parser.prog}: {name} takes one value, and was given two: {before} and {values}")
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """The options of a command; a mistake on the command line is one line, as all others are."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.given: dict[str, Any] = {}
        """What options of one value were given so far."""
        for name in (None, "store"):
            self.register("action", name, OneValue)

    def component(
        self, *flags: str, of: Sequence[Registry[Any]], to: argparse._ArgumentGroup | None = None, **more: Any
    ) -> argparse.Action:
        """Add an option that takes a component; ``%(known)s`` in its help stands for all names.

        Completion in a shell offers the names too.
        """
        action = (to or self).add_argument(*flags, **more)
        action.known = ComponentNames(*of)  # type: ignore[attr-defined]
        return action

    def old_spelling(self, action: argparse.Action, *flags: str) -> None:
        """Accept other spellings of an option, which no help text shows."""
        self._option_string_actions.update(dict.fromkeys(flags, action))

    def output(self, forms: Sequence[str] = FORMS, usual: str = "table") -> None:
        """Add the options that say in which format output is written, and where."""
        self.add_argument(
            "-f", "--format", choices=forms, help=f"output format (default: from the extension of FILE, else {usual})"
        )
        self.add_argument("-o", "--output", metavar="FILE", help="write to FILE (replaced atomically)")

    def parse_known_args(self, *arguments: Any, **more: Any) -> Any:
        """Wherever a command takes runs, NAME=FILE gives a run its name."""
        self.given.clear()
        options, rest = super().parse_known_args(*arguments, **more)
        for field in ("runs", "files"):
            given = getattr(options, field, None)
            if isinstance(given, list) and all(isinstance(file, str) for file in given):
                from ._runs import run_argument

                setattr(options, field, [run_argument(file) for file in given])
        return options, rest

    def parse_mixed(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Options may stand between files. argparse's own way to allow that lays out a help text first, which costs
        more than all the rest of parsing, so it is used only where it is needed."""
        options, rest = self.parse_known_args(arguments)
        return self.parse_intermixed_args(arguments) if rest else options

    def error(self, message: str) -> NoReturn:
        raise SpecError(f"{self.prog}: {message} (see {self.prog} --help)")


def version_option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--as",
        dest="trec_version",
        type=int,
        choices=(9, 10),
        default=10,
        help="order documents by score as trec_eval 10 (doubles) or trec_eval 9 (32-bit floats) does (default: 10)",
    )


def judging_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how runs are evaluated")
    grade_option(group)
    group.add_argument(
        "-M", "--depth", type=int, metavar="N", help="evaluate the first N documents per topic (default: all)"
    )
    group.add_argument("-J", "--judged-only", action="store_true", help="ignore documents that nobody judged")
    group.add_argument(
        "-c", "--complete", action="store_true", help="score 0 on judged topics that a run leaves out (default: skip)"
    )
    group.add_argument(
        "-N", "--collection-size", type=int, default=0, metavar="N", help="number of documents in the collection"
    )
    version_option(group)
    collapse_options(group)


def collapse_options(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    """Options of commands that evaluate runs, which may be of chunks."""
    group.add_argument("--collapse", choices=KEEPS, help=COLLAPSE)
    chunk_options(group)


COLLAPSE = """rank documents by their chunks, which a run may have several of: the score of a document is that of its \
first chunk, the largest, or the sum (default: max, if --chunk-separator, --chunk-pattern or --chunk-table is given)"""


def chunk_options(group: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """How the document of a chunk is known."""
    group.add_argument(
        "--chunk-separator", metavar="TEXT", help="separator before the chunk in an id: # if a chunk of d7 is d7#3"
    )
    group.add_argument(
        "--chunk-pattern", metavar="REGEX", help="pattern of a chunk's id, its first group the document: (.*)_[0-9]+"
    )
    group.add_argument("--chunk-table", metavar="FILE", help="table of chunks: lines of chunk and document")


def collapse_option(options: argparse.Namespace) -> Collapse | None:
    """How chunks become documents by what :func:`judging_options` added."""
    given = (options.collapse, options.chunk_separator, options.chunk_pattern, options.chunk_table)
    if all(value is None for value in given):
        return None
    from ..formats.chunks import collapse_of

    return collapse_of(*given)


def grade_option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-l", "--level", type=int, default=1, metavar="GRADE", help="lowest relevant grade of a judgment (default: 1)"
    )


def judging_of(options: argparse.Namespace, *fields: str) -> Judging:
    """How runs are judged by what :func:`judging_options` added, or by those of a command that has some of them."""
    given = {name: getattr(options, name) for name in fields or Judging.__match_args__}
    return Judging(**given | ({"collapse": collapse_option(options)} if "collapse" in given else {}))


def refuse_judging(options: argparse.Namespace, why: str) -> None:
    """An error if an option says how runs are judged where there are none."""
    for field in judging_of(options).changes():
        raise SpecError(f"--{'as' if field == 'trec_version' else field.replace('_', '-')} applies to runs, and {why}")


def split_names(words: Sequence[str]) -> list[str]:
    """``ap,rbp(p=0.8)`` is two names: commas between them, not those inside parentheses."""
    return [name for word in words for name in items_of(word)]


def names_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--names",
        metavar="PROGRAM",
        help="read names of measures as ir_measures, ranx, trec_eval, pytrec_eval, ndeval or cwl_eval means them",
    )


def measure_names(words: Sequence[str], names: str | None = None) -> list[str]:
    """Measures from -m options: ``ap,ndcg@10`` is two, ``official`` is what trec_eval prints by default.

    ``names`` is the program whose names they are; trec_eval's may have commas, as in ``P.5,10``.
    """
    if names is not None:
        from ..evaluation.score_columns import columns

        listed = [word.strip() for word in words] if names.endswith("trec_eval") else split_names(words)
        columns(listed, names)
        return listed
    expanded: list[str] = []
    for name in split_names(words):
        if name == "official":
            from ..evaluation.trec_lines import requested_lines

            expanded.extend(line.label for line in requested_lines(["official"], 10) if line.measure is not None)
        else:
            expanded.append(name)
    if not expanded:
        raise SpecError("no measure was named")
    for name in expanded:
        measures.column(name)
    return expanded


def emit(data: str | bytes, path: str | None = None, inputs: Sequence[str] = ()) -> None:
    """Write output to a file, whole or not at all, or to standard output, as UTF-8 whatever the terminal says."""
    if path is None:
        _output.show(data)
        return
    refuse_inputs(path, inputs)
    from ..formats.writing import write

    write(path, data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)


def refuse_inputs(path: str, inputs: Sequence[str]) -> None:
    """An error if a file that is to be written is one of those that are read."""
    for name in inputs:
        both = name != "-" and os.path.exists(path) and os.path.exists(name)
        if both and os.path.samefile(path, name) and os.path.isfile(path):
            raise DataError(f"{path}: is an input, and would be overwritten")


def format_of(given: str | None, path: str | None, otherwise: str, forms: Sequence[str] = FORMS) -> str:
    """The format that was asked for, or the one of the extension of the output file, if it is among the forms."""
    ending = os.path.splitext(path or "")[1].lower()
    if given is None and ending in FOREIGN:
        raise SpecError(f"{path}: {ending} is not available: --format may be {', '.join(forms)}")
    form = given or ENDINGS.get(ending, otherwise)
    if form not in forms:
        raise SpecError(f"{path}: {form} is not available here: --format may be {', '.join(forms)}")
    return form


def between(low: int, high: int) -> Callable[[str], int]:
    """An option that takes a whole number in a range."""

    def number(text: str) -> int:
        if not text.lstrip("+-").isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r}")
        return int(text)

    return number


def digits_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--digits", type=between(0, 17), default=4, metavar="N", help="decimals in tables, 0 to 17 (default: 4)"
    )


LARGEST = 1e15


def finite(text: str) -> float:
    """An option that takes a number of ordinary size."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) <= LARGEST:
        raise argparse.ArgumentTypeError(f"must be a number, up to {LARGEST:g}, not {text!r}")
    return number


def seed_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=between(0, 2**63 - 1), default=0, metavar="N", help="seed of the random generator (default: 0)"
    )


def level_option(parser: Parser) -> None:
    action = parser.add_argument(
        "--confidence",
        dest="confidence",
        type=share,
        default=0.95,
        metavar="LEVEL",
        help="confidence level of intervals, between 0 and 1 (default: 0.95)",
    )
    parser.old_spelling(action, "--interval")


def coverage_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--least-coverage",
        type=part_of_one,
        default=0.0,
        metavar="SHARE",
        help="share of judged topics that a run must answer to be compared (default: 0, at least one topic)",
    )


def part_of_one(text: str) -> float:
    """An option that takes a number from 0 to 1."""
    number = finite(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"must be a share from 0 to 1, not {text!r}")
    return number


def share(text: str) -> float:
    """An option that takes a number between 0 and 1."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"must lie between 0 and 1, not {text!r}")
    return number
