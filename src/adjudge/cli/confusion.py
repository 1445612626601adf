"""The Confusion Track made anew: all systems on the true and the degraded versions of a corpus, one table.

    adjudge confusion fr94/ ocr5/documents.jsonl.zst ocr20/documents.jsonl.zst questions.tsv qrels.txt -o results
    adjudge confusion true.jsonl noisy.jsonl questions.tsv qrels.txt -o results --systems gmu961 --systems bm25

The documents come first, the true version before the degraded ones, then the questions and the judgments, with one
relevant document for each question. Documents that a version lacks are left out of all, and told; so are questions
whose target is not there. RESULTS gets the runs with their records, the table of mean reciprocal ranks, what was found,
operating characteristics, dominance and significance for each version. Given again, the command does only what is not
done: a kill costs the system under way. Without --outside, CLARIT's lexicon has no text to come from, and its systems
are left out and told.

Exit code 0: all systems answered; 2: bad input, or a system failed, and the others' runs are kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..comparison.compare import compare
from ..comparison.known_item.bootstrap import bootstrap
from ..comparison.known_item.ranks import known_item
from ..comparison.known_item.study import Study
from ..core.errors import SpecError
from ..core.qrels import Qrels
from ..experiment.names import slug
from ..experiment.plan import Plan
from ..experiment.running import Results, run
from ..formats.qrels import read_qrels
from ..judging import measure
from ..report.confusion import Outcome, as_text, write_all
from ..report.table import FORMS
from ..systems import TRACK
from ._options import Parser, between, coloured, note, seed_option


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
    made.add_argument("--workers", type=between(1, 64), default=1, metavar="N", help="versions at a time (1)")
    made.add_argument("--samples", type=between(39, 10**6), default=1000, metavar="N", help="of the bootstrap (1000)")
    seed_option(made)
    made.add_argument("-f", "--format", choices=FORMS, default="table", help="of what is printed (table)")
    return made


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    plan, left_out = plan_of(options)
    note(left_out)
    folder = Path(options.output)
    with Saying() as saying:
        results = run(plan, folder, workers=options.workers, say=saying, step=saying.step)
    made = outcomes(results, read_qrels(plan.path(plan.judgments)), plan, options.samples)
    notes = [*left_out, *results.notes]
    write_all(made, notes, folder, {name: slug(name) for name in plan.versions})
    print(as_text(made, notes, options.format, colour=coloured(None)), end="")
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
    )
    return plan, left_out


def outcomes(results: Results, judgments: Qrels, plan: Plan, samples: int) -> dict[str, Outcome]:
    """Ranks, curves, intervals and tests for each version."""
    kept = frozenset(results.topics)
    targets: dict[str, dict[str, int]] = {}
    for topic, document, grade in judgments.rows():
        if topic in kept:
            targets.setdefault(topic, {})[document] = grade
    made = {}
    for version, paths in results.runs.items():
        runs = {name: results.run(version, name) for name in paths}
        item = known_item(targets, runs, depth=plan.depth, length=plan.depth)
        drawn = bootstrap(item, np.random.default_rng(plan.seed), samples=samples)
        study = Study(item, bootstrap=drawn, seed=plan.seed)
        pairs = None
        if len(runs) > 1:
            scores = measure(targets, runs, ["rr"], complete=True)
            rng = np.random.default_rng(plan.seed)
            pairs = compare(scores, "rr", tests=("randomisation",), rng=rng)
        made[version] = Outcome(study, pairs, results.records[version])
    return made


class Saying:
    """What is under way, on one line of a terminal; lines of a log elsewhere."""

    def __init__(self) -> None:
        import sys

        self.stream = sys.stderr
        self.live = self.stream.isatty()

    def __enter__(self) -> Saying:
        return self

    def __call__(self, said: str) -> None:
        if self.live:
            self.stream.write(f"\r\x1b[K{said[:110]}")
        else:
            self.stream.write(f"{said}\n")
        self.stream.flush()

    def step(self, said: str) -> None:
        """How far something is: of no use in a log."""
        if self.live:
            self(said)

    def __exit__(self, *_: object) -> None:
        if self.live:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
