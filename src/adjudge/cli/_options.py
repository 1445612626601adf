"""What several commands have in common: options that say how a run is judged, one-line errors, where output goes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ..core.errors import SpecError
from ..core.measure import measures

OFFICIAL = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(f"iprec_at_recall_{recall / 10:.2f}" for recall in range(11)),
    *(f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
)


class Parser(argparse.ArgumentParser):
    """Mistakes on the command line are one line, as all others are."""

    def error(self, message: str) -> NoReturn:
        raise SpecError(f"{self.prog}: {message} ({self.prog} --help tells more)")


def judging_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how runs are judged")
    group.add_argument("-l", "--level", type=int, default=1, metavar="GRADE", help="lowest grade that is relevant (1)")
    group.add_argument("-M", "--depth", type=int, metavar="N", help="only the first N documents of a topic count")
    group.add_argument("-J", "--judged-only", action="store_true", help="drop unjudged documents before measuring")
    group.add_argument("-c", "--complete", action="store_true", help="count judged topics for which a run has nothing")
    group.add_argument("-N", "--collection-size", type=int, default=0, metavar="N", help="documents in the collection")
    group.add_argument(
        "--as",
        dest="trec_version",
        type=int,
        choices=(9, 10),
        default=10,
        help="order documents as trec_eval 10 (doubles, the default) or 9 (32-bit floats) does",
    )


def judging_arguments(options: argparse.Namespace) -> dict[str, Any]:
    names = ("level", "depth", "judged_only", "complete", "collection_size", "trec_version")
    return {name: getattr(options, name) for name in names}


def listed(words: Sequence[str]) -> list[str]:
    """Measures from -m options: ``ap,ndcg@10`` is two, ``official`` is trec_eval's thirty, ``all`` is every one."""
    found: list[str] = []
    for word in words:
        depth, start = 0, 0
        for i, character in enumerate(word + ","):
            depth += (character in "([") - (character in ")]")
            if character == "," and depth == 0:
                found.append(word[start:i].strip())
                start = i + 1
    expanded: list[str] = []
    for name in filter(None, found):
        expanded.extend(OFFICIAL if name == "official" else [name])
    if not expanded:
        raise SpecError("no measure asked for")
    for name in expanded:
        measures.column(name)
    return expanded


def emit(data: str | bytes, path: str | None) -> None:
    """To a file, whole or not at all, or to standard output."""
    if path is None:
        sys.stdout.write(data if isinstance(data, str) else data.decode("utf-8", "surrogateescape"))
    else:
        from ..formats.writing import write

        write(path, data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)


def note(lines: Sequence[str]) -> None:
    for line in lines:
        print(f"note: {line}", file=sys.stderr)
