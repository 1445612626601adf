"""The Confusion Track made anew: all systems on the true and the degraded versions of a corpus, one table.

    adjudge confusion fr94/ ocr5/documents.jsonl.zst ocr20/documents.jsonl.zst questions.tsv qrels.txt -o results
    adjudge confusion true.jsonl noisy.jsonl questions.tsv qrels.txt -o results --systems gmu961 --systems bm25

The documents come first, the true version before the degraded ones, then the questions and the judgments, with one
relevant document for each question. Documents that a version lacks are left out of all, and told; so are questions
whose target is not there. RESULTS gets the runs with their records, the table of mean reciprocal ranks, what was found,
operating characteristics, dominance and significance for each version, and the page report.html. Given again, the
command does only what is not done: a kill costs the system under way. Without --outside, CLARIT's lexicon has no text
to come from, and its systems are left out and told.

Exit code 0: all systems answered; 2: bad input, or a system failed, and the others' runs are kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..core.errors import DataError, SpecError
from ..experiment.analysis import Settings, has_known_items
from ..experiment.concluding import findings_of
from ..experiment.folder import locked
from ..experiment.names import slug
from ..experiment.plan import Plan
from ..experiment.running import run_in
from ..formats.qrels import read_qrels
from ..report.confusion import Outcome, as_text, write_all
from ..report.results import concluded
from ..report.table import FORMS
from ..systems.system import TRACK
from ._options import Parser, between, coloured, note, seed_option
from ._watching import watching


def parser() -> Parser:
    made = Parser(prog="adjudge confusion", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("paths", nargs="+", metavar="path", help="versions of the documents, then topics, then judgments")
    made.add_argument("-o", "--output", metavar="RESULTS", required=True, help="the folder for results")
    made.add_argument(
        "-s",
        "--systems",
        action="append",
        metavar="SPEC",
        help=f"may be repeated; a run of the track or any system (the track's: {', '.join(TRACK)})",
    )
    made.add_argument("--name", dest="names", action="append", metavar="NAME", help="of each version, in their order")
    made.add_argument("--outside", default="", metavar="DOCS", help="clean text that is not searched, for lexica")
    made.add_argument(
        "--aligned", type=between(0, 10**6), default=40, metavar="N", help="documents to learn errors from (40)"
    )
    made.add_argument(
        "--training", type=between(0, 10**6), default=100, metavar="N", help="documents for regression (100)"
    )
    made.add_argument("-k", "--depth", type=between(1, 10**6), default=1000, metavar="N", help="of the lists (1000)")
    made.add_argument(
        "--workers", type=between(1, 64), default=1, metavar="N", help="systems at a time, if memory allows (1)"
    )
    made.add_argument("--samples", type=between(39, 10**5), default=1000, metavar="N", help="of the bootstrap (1000)")
    seed_option(made)
    made.add_argument("-f", "--format", choices=FORMS, default="table", help="of what is printed (table)")
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    plan, left_out = plan_of(options)
    if not has_known_items(read_qrels(plan.judgments)):
        why = "a known item is one relevant document for each question; adjudge run takes any judgments"
        raise DataError(f"{plan.judgments}: {why}")
    note(left_out)
    folder = Path(options.output)
    with watching() as watch, locked(folder):
        results = run_in(plan, folder, workers=options.workers, watch=watch)
        made = concluded(replace(results, notes=(*left_out, *results.notes)), watch)
        found = made.findings or findings_of(made.results, watch)
        outcomes = {
            name: Outcome(one.study, one.comparison, results.records[name])
            for name, one in found.versions.items()
            if one.study is not None
        }
        notes = list(found.notes)
        write_all(outcomes, notes, folder, {name: slug(name) for name in plan.versions})
    print(as_text(outcomes, notes, options.format, colour=coloured(None)), end="")
    return 0


def plan_of(options: argparse.Namespace) -> tuple[Plan, list[str]]:
    """The plan that the arguments mean, and what is left out of it."""
    *versions, topics, judgments = options.paths if len(options.paths) > 2 else [*options.paths, "", ""]
    if len(options.paths) < 3:
        raise SpecError("at least one version of the documents, topics and judgments are needed")
    usual = ["true", "5 %", "20 %"] if len(versions) == 3 else ["true", *(f"version {i + 1}" for i in range(1, 99))]
    names = options.names or usual[: len(versions)]
    if len(names) != len(versions) or len(set(names)) != len(names):
        raise SpecError(f"{len(versions)} versions need as many different names, not {', '.join(names)}")
    wanted, left_out = options.systems or list(TRACK), []
    if not options.outside and not options.systems:
        lexical = [name for name in wanted if TRACK[name].startswith("clarit")]
        wanted = [name for name in wanted if name not in lexical]
        left_out.append(f"{', '.join(lexical)}: left out, they need clean text that is not searched: --outside DOCS")
    plan = Plan(
        topics,
        judgments,
        dict(zip(names, versions, strict=True)),
        tuple(wanted),
        outside=options.outside,
        aligned=options.aligned,
        training=options.training,
        depth=options.depth,
        seed=options.seed,
        title="Confusion",
        analysis=Settings(tests=("randomisation",), samples=options.samples),
    )
    return plan, left_out
