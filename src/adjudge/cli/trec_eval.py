"""The trec_eval command: its options, its output byte for byte.

    adjudge trec_eval [-q] [-c] [-n] [-l LEVEL] [-M DEPTH] [-J] [-N SIZE] [-m measure[.parameters]]... QRELS RUN

    adjudge trec_eval -q -c -M1000 qrels.txt run.txt
    adjudge trec_eval -m all_trec qrels.txt run.txt
    adjudge trec_eval -m P.5,10 -m ndcg_cut.10 qrels.txt -

 -q             a line for every topic and measure, then the summary
 -n             no summary
 -c             average over all judged topics; those without results count as empty lists
 -l LEVEL       lowest grade that is relevant (1)
 -M DEPTH       only so many documents of a topic count
 -J             only judged documents count
 -N SIZE        documents in the collection, for utility
 -m MEASURE     a measure with its parameters after a point, or one of the sets official (the default), all_trec, set,
                prefs, all_prefs, qrels_jg; may be repeated
 -R FORMAT      qrels, prefs, qrels_prefs or qrels_jg
 -T FORMAT      trec_results, the only one
 -Z FILE        print deviations from means in FILE (lines: topic measure mean deviation) in standard deviations
 -D LEVEL.TOPIC evaluate this topic only; debugging output is not made
 -v             version
 --as 9         as trec_eval 9 did: 32-bit scores, its rounding, its measures

Long names of the options are trec_eval's. Scores that are no numbers, which trec_eval takes for 0, are refused; a
judged topic that is missing from the run is left out of the summary without -c, where trec_eval 10.0 stops. Exit code 2
for anything that is wrong.
"""

from __future__ import annotations

import getopt
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .. import __version__
from ..core.errors import DataError, SpecError
from ._options import emit
from ._trec_measures import requested
from ._trec_topics import Evaluation, evaluated
from ._trec_zscores import read_zscores, standardised

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
FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")


@dataclass(frozen=True)
class Options:
    """What the command line asks for."""

    qrels: str = ""
    run: str = ""
    per_topic: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    level: int = 1
    depth: int | None = None
    collection_size: int = 0
    version: int = 10
    measures: tuple[str, ...] = ()
    judged_by: str = "qrels"
    zscores: str | None = None
    topic: str | None = None


def main(arguments: Sequence[str]) -> int:
    try:
        given, files = getopt.gnu_getopt(list(arguments), SHORT, list(LONG))
    except getopt.GetoptError as error:
        raise SpecError(f"trec_eval: {error.msg} (adjudge trec_eval --help tells more)") from None
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
        raise SpecError("trec_eval: give a file of judgments and a run (adjudge trec_eval --help tells more)")
    emit(output(replace(options_of(letters), qrels=files[0], run=files[1])))
    return 0


def options_of(letters: list[tuple[str, str]]) -> Options:
    options, measures = Options(), []
    for letter, text in letters:
        if letter == "m":
            measures.append(text)
        elif letter == "q":
            options = replace(options, per_topic=True)
        elif letter == "n":
            options = replace(options, summary=False)
        elif letter == "c":
            options = replace(options, complete=True)
        elif letter == "J":
            options = replace(options, judged_only=True)
        elif letter == "l":
            options = replace(options, level=whole(letter, text))
        elif letter == "M":
            options = replace(options, depth=whole(letter, text))
        elif letter == "N":
            options = replace(options, collection_size=whole(letter, text))
        elif letter == "R":
            options = replace(options, judged_by=one_of(letter, text, FORMATS))
        elif letter == "T":
            one_of(letter, text, ("trec_results",))
        elif letter == "Z":
            options = replace(options, zscores=text)
        elif letter == "D":
            options = replace(options, topic=text.partition(".")[2] or None)
        elif letter == "as":
            options = replace(options, version=int(one_of(letter, text, ("9", "10"))))
    return replace(options, measures=tuple(measures) or ("official",))


def whole(letter: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text):
        raise SpecError(f"trec_eval: -{letter} takes a whole number, not {text!r}")
    return int(text)


def one_of(letter: str, text: str, known: Sequence[str]) -> str:
    if text not in known:
        raise SpecError(f"trec_eval: -{letter} takes {' or '.join(known)}, not {text!r}")
    return text


def output(options: Options) -> str:
    """All the lines that trec_eval would print."""
    lines = requested(options.measures, options.version)
    result = evaluated(
        options.qrels,
        options.run,
        lines,
        judged_by=options.judged_by,
        level=options.level,
        depth=options.depth,
        judged_only=options.judged_only,
        complete=options.complete,
        collection_size=options.collection_size,
        trec_version=options.version,
        only=options.topic,
    )
    if not result.topics:
        raise DataError(f"{options.run}: no topic in common with {options.qrels}")
    if options.zscores is not None:
        result = standardised(result, read_zscores(options.zscores))
    return printed(result, options)


def printed(result: Evaluation, options: Options) -> str:
    mark = "" if options.zscores is None else "Z"
    out: list[str] = []
    if options.per_topic:
        shown = [(i, line) for i, line in enumerate(result.lines) if line.per_topic]
        rows = result.values.tolist()
        for t, topic in enumerate(result.topics):
            if topic in result.unprinted:
                continue
            for i, line in shown:
                if line.text:
                    out.append(f"{line.label:<22}\t{topic}\t'{result.texts[i][t]}'\n")
                elif line.whole and not mark:
                    out.append("%-22s\t%s\t%d\n" % (line.label, topic, rows[t][i]))  # noqa: UP031
                else:
                    out.append("%s%-22s\t%s\t%6.4f\n" % (mark, line.label, topic, rows[t][i]))  # noqa: UP031
    if options.summary:
        for i, line in enumerate(result.lines):
            if line.name == "runid":
                out.append(f"{'runid':<22}\tall\t{result.run}\n")
            elif not line.text:
                value = result.figure(i)
                count = line.whole and not mark
                out.append("%s%-22s\tall\t%s\n" % (mark, line.label, "%d" % value if count else "%6.4f" % value))  # noqa: UP031
    return "".join(out)
