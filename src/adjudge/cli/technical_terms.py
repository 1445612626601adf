"""Test whether boosted technical terms help: plain and boosted models on your documents, with the topics that change.

    adjudge technical-terms articles/ topics.xml qrels.txt -o results
    adjudge technical-terms docs.jsonl topics.tsv qrels.txt -o results --boost 3 --keep-words --weighting bm25
    adjudge technical-terms docs.jsonl topics.jsonl qrels.txt -o results --terms terms.parquet --field sentences

Terms are found in the documents by C-value, or come from a file that adjudge terms wrote. Lucene's vector space and
BM25 search the texts as they are, and rewritten texts with each term as one token that occurs --boost times; questions
are treated as documents are. RESULTS gets runs, scores and the page report.html, as from adjudge run, and
technical-terms.txt and .json: MAP, GMAP, Wilcoxon's test, and why topics gain or lose: which terms their questions
have, and how many relevant and other documents have them.

A topic that has sentences is asked with all of them, prelude and micro-topic in order; others with their title. Run the
command again and only the missing work is done. adjudge terms shows the terms themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..experiment.completed_runs import claim_folder
from ..experiment.plan import FIELDS
from ..experiment.term_boosting import SENTENCES, WEIGHTINGS, conduct_term_boosting
from ..report.boosting_table import as_text, boosting_files
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..systems.technical_terms import TechnicalTerms
from ..terms.attribution import EMISSIONS
from ..terms.linguistic_filter import linguistic_filters
from ..terms.matching import POLICIES
from ..text.tagging.tagger import taggers
from ..weighting.scheme import weightings
from ..words.summaries import page_written
from ._options import Parser, between, coloured, digits_option, emit, finite
from ._terminal import experiment_listener
from .run import workers_option


def parser() -> Parser:
    command = Parser(
        prog="adjudge technical-terms", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("documents", metavar="docs", help="file, folder, pattern or tar of documents")
    command.add_argument("topics", help="file of topics")
    command.add_argument("judgments", metavar="qrels", help="relevance judgments")
    command.add_argument("-o", "--output", metavar="RESULTS", required=True, help="folder for the results")
    boosting = command.add_argument_group("how terms are found and boosted, as in adjudge terms")
    boosting.add_argument(
        "--terms", default="", metavar="FILE", help="file of terms that adjudge terms wrote (default: find terms)"
    )
    boosting.add_argument(
        "--boost", type=finite, default=2.0, metavar="X", help="how often a term is written per occurrence (default: 2)"
    )
    boosting.add_argument(
        "--emission", choices=EMISSIONS, default="text", help="how texts are generated (default: text)"
    )
    boosting.add_argument(
        "--policy", choices=POLICIES, default="longest", help="which of overlapping terms are used (default: longest)"
    )
    boosting.add_argument("--keep-words", action="store_true", help="keep the words of a term beside it")
    command.component(
        "--tagger",
        to=boosting,
        of=[taggers],
        default="lexicon",
        metavar="SPEC",
        help="part-of-speech tagger: %(known)s (default: lexicon)",
    )
    command.component(
        "--filter",
        to=boosting,
        of=[linguistic_filters],
        default="open",
        metavar="SPEC",
        help="linguistic filter that a term must pass: %(known)s (default: open)",
    )
    boosting.add_argument(
        "--min-frequency",
        type=between(0, 10**9),
        default=0,
        metavar="N",
        help="least frequency of a term (default: 2, or 3 for large corpora)",
    )
    boosting.add_argument("--min-c", type=finite, default=0.0, metavar="X", help="least C-value of a term (default: 0)")
    boosting.add_argument(
        "--most", type=between(0, 10**9), default=0, metavar="N", help="use the N best terms only (default: all)"
    )
    searching = command.add_argument_group("searching")
    command.component(
        "-w",
        "--weighting",
        to=searching,
        of=[weightings],
        action="append",
        metavar="SPEC",
        help=f"retrieval model, may be repeated (default: {', '.join(WEIGHTINGS)})",
    )
    searching.add_argument(
        "--field",
        choices=(*FIELDS, SENTENCES),
        help="part of a topic that is the query (default: sentences if there are any, else title)",
    )
    action = searching.add_argument(
        "-k",
        "--hits",
        dest="depth",
        type=between(1, 10**6),
        default=1000,
        metavar="N",
        help="number of documents to retrieve per topic (default: 1000)",
    )
    command.old_spelling(action, "--depth")
    searching.add_argument(
        "-l",
        "--level",
        type=between(0, 1000),
        default=1,
        metavar="GRADE",
        help="lowest relevant grade of a judgment (default: 1)",
    )
    workers_option(command)
    command.add_argument(
        "--show",
        type=between(0, 10**6),
        default=5,
        metavar="N",
        help="number of topics to show that gain, and that lose (default: 5)",
    )
    digits_option(command)
    command.add_argument(
        "-f", "--format", choices=FORMS, default="table", help="format of the printed tables (default: table)"
    )
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if "-" in (options.documents, options.topics, options.judgments):
        raise SpecError("the files are read several times: standard input cannot be used")
    if options.force:
        claim_folder(options.output)
    with experiment_listener() as progress:
        execution, boosting = conduct_term_boosting(
            options.documents,
            options.topics,
            options.judgments,
            options.output,
            result_files,
            boosting_files(options.show, options.digits),
            system=system_of(options),
            schemes=options.weighting or WEIGHTINGS,
            field=options.field,
            depth=options.depth,
            level=options.level,
            workers=options.workers,
            progress=progress,
        )
    shown = {"most": options.show, "digits": options.digits}
    emit(as_text(boosting, options.format, **shown, colour=coloured(None)))
    if options.format in {"table", "md"}:
        emit(f"\n{page_written(str(execution.page), before=execution.findings is None)}\n")
    return 0


def system_of(options: argparse.Namespace) -> TechnicalTerms:
    """How terms are found and boosted."""
    return TechnicalTerms(
        terms=options.terms,
        tagger=options.tagger,
        filter=options.filter,
        min_frequency=options.min_frequency,
        min_c=options.min_c,
        most=options.most,
        boost=options.boost,
        emission=options.emission,
        policy=options.policy,
        keep_words=options.keep_words,
    )
