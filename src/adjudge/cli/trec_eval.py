"""Evaluate a run as trec_eval does: its options, and its output byte for byte.

    adjudge trec_eval [-q] [-c] [-n] [-l LEVEL] [-M DEPTH] [-J] [-N SIZE] [-m measure[.parameters]]... QRELS RUN

    adjudge trec_eval -q -c -M1000 qrels.txt run.txt
    adjudge trec_eval -m all_trec qrels.txt run.txt
    adjudge trec_eval -m P.5,10 -m ndcg_cut.10 qrels.txt -

 -q             print a line for every topic and measure, then the summary
 -n             print no summary
 -c             average over all judged topics; those that the run leaves out score 0
 -l LEVEL       lowest relevant grade of a judgment (default: 1)
 -M DEPTH       evaluate the first DEPTH documents per topic
 -J             ignore documents that nobody judged
 -N SIZE        number of documents in the collection, for utility
 -m MEASURE     measure with its parameters after a point, or one of the sets official (the default), all_trec, set,
                prefs, all_prefs, qrels_jg; may be repeated
 -R FORMAT      format of the judgments: qrels, prefs, qrels_prefs or qrels_jg
 -T FORMAT      format of the run: trec_results, the only one
 -Z FILE        print deviations from means in FILE (lines: topic measure mean deviation) in standard deviations
 -D LEVEL.TOPIC evaluate this topic only; debugging output is not made
 -v             print the version
 --as 9         evaluate as trec_eval 9 did: 32-bit scores, its rounding, its measures

Long names of the options are trec_eval's. Scores that are not numbers, which trec_eval reads as 0, are refused; a
judged topic that is missing from the run is left out of the summary without -c, where trec_eval 10.0 stops. Exit code 2
for anything that is wrong.
"""

from __future__ import annotations

import argparse
import getopt
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import __version__
from ..core.errors import SpecError
from ..core.judging import Judging
from ..evaluation.trec_evaluation import evaluate
from ..report.trec_output import trec_text
from ._options import Parser, emit

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure=": "m",
    "complete_rel_info_wanted": "c",
    "level_for_rel=": "l",
    "nosummary": "n",
    "Debug_level=": "D",
    "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R",
    "Results_format=": "T",
    "Output_old_results_format=": "o",
    "Zscore=": "Z",
    "as=": "as",
}
NUMBERS = {"l": "level", "M": "depth", "N": "collection_size"}
FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")


def parser() -> Parser:
    """The options as other commands have them, for completion and the man page; main reads them as trec_eval does."""
    command = Parser(
        prog="adjudge trec_eval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    described = dict(re.findall(r"^ (-\w|--as)[ \w.]*?  +(\S.*(?:\n {16}.*)*)", __doc__ or "", re.MULTILINE))
    for name, letter in LONG.items():
        flag = f"--{letter}" if letter == "as" else f"-{letter}"
        if letter == "h" or (flag not in described and letter != "o"):
            continue
        text = " ".join(described.get(flag, "accepted and ignored").split())
        takes: dict[str, Any] = {"metavar": "VALUE"} if name.endswith("=") else {"action": "store_true"}
        command.add_argument(*dict.fromkeys((flag, f"--{name.rstrip('=')}")), dest=letter, help=text, **takes)
    command.add_argument("qrels", help="relevance judgments")
    command.add_argument("run", help="run to evaluate (- for standard input)")
    return command


def main(arguments: Sequence[str]) -> int:
    try:
        given, files = getopt.gnu_getopt(list(arguments), SHORT, list(LONG))
    except getopt.GetoptError as error:
        raise SpecError(f"trec_eval: {error.msg} (see adjudge trec_eval --help)") from None
    letters = [
        (LONG.get(name[2:]) or LONG[name[2:] + "="] if name[:2] == "--" else name[1:], text) for name, text in given
    ]
    if any(letter == "h" for letter, _ in letters):
        emit(f"{__doc__}\n")
        return 0
    if any(letter == "v" for letter, _ in letters):
        print(f"trec_eval version 10.0 (adjudge {__version__})", file=sys.stderr)
        return 0
    if len(files) != 2:
        raise SpecError("trec_eval: give a file of judgments and a run (see adjudge trec_eval --help)")
    options = options_of(letters)
    evaluation = evaluate(files[0], files[1], options.measures, options.judging, **options.more)
    emit(trec_text(evaluation, per_topic=options.per_topic, summary=options.summary))
    return 0


class Options(NamedTuple):
    """What the command line asks for."""

    measures: list[str]
    judging: Judging
    more: dict[str, Any]
    """What the judgments are, the only topic that counts, the file of z-scores."""
    per_topic: bool
    summary: bool


def options_of(letters: list[tuple[str, str]]) -> Options:
    """What letters with their texts mean; of those given twice the last counts."""
    given = {letter for letter, _ in letters}
    judging: dict[str, Any] = {"complete": "c" in given, "judged_only": "J" in given}
    more: dict[str, Any] = {}
    for letter, text in letters:
        if letter in NUMBERS:
            judging[NUMBERS[letter]] = whole(letter, text)
        elif letter == "R":
            more["judged_by"] = one_of(letter, text, FORMATS)
        elif letter == "T":
            one_of(letter, text, ("trec_results",))
        elif letter == "Z":
            more["zscores"] = text
        elif letter == "D":
            more["topic"] = text.partition(".")[2] or None
        elif letter == "as":
            judging["trec_version"] = int(one_of(letter, text, ("9", "10")))
    measures = [text for letter, text in letters if letter == "m"]
    return Options(measures or ["official"], Judging(**judging), more, "q" in given, "n" not in given)


def whole(letter: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text):
        raise SpecError(f"trec_eval: -{letter} takes a whole number, not {text!r}")
    return int(text)


def one_of(letter: str, text: str, known: Sequence[str]) -> str:
    if text not in known:
        raise SpecError(f"trec_eval: -{letter} takes {' or '.join(known)}, not {text!r}")
    return text
