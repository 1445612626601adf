"""Do boosted technical terms help? Plain and boosted models on your documents, with the topics that gain and lose.

    adjudge technical-terms articles/ topics.xml qrels.txt -o results
    adjudge technical-terms docs.jsonl topics.tsv qrels.txt -o results --boost 3 --keep-words --weighting bm25
    adjudge technical-terms docs.jsonl topics.jsonl qrels.txt -o results --terms terms.parquet --field sentences

Terms are found in the documents by C-value, or come from a file that adjudge terms made. Lucene's vector space and BM25
search the texts as they are, and generated anew with each term as one token that is there --boost times; questions are
treated as documents are. RESULTS gets runs, scores and the page report.html, as from adjudge run, and
technical-terms.txt and .json: MAP, GMAP, Wilcoxon's test, and why topics gain or lose: which terms their questions
have, and how many relevant and other documents have them.

A topic that has sentences is asked with all of them, prelude and micro-topic in order; others with their title. Given
again, the command does only what is not done. adjudge terms shows the terms themselves.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..core.errors import SpecError
from ..experiment.plan import FIELDS
from ..experiment.term_boosting import SENTENCES, WEIGHTINGS, conduct_term_boosting
from ..report.boosting_table import as_text, boosting_files
from ..report.result_files import result_files
from ..report.text_table import FORMS
from ..systems.technical_terms import TechnicalTerms
from ..terms.attribution import EMISSIONS
from ..terms.matching import POLICIES
from ..words.summaries import page_written
from ._options import Parser, between, coloured, digits_option, emit, finite
from ._terminal import experiment_listener
from .run import workers_option


def parser() -> Parser:
    command = Parser(
        prog="adjudge technical-terms", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("documents", metavar="docs", help="a file, folder, pattern or tar")
    command.add_argument("topics")
    command.add_argument("judgments", metavar="qrels")
    command.add_argument("-o", "--output", metavar="RESULTS", required=True, help="the folder for results")
    boosting = command.add_argument_group("how terms are found and boosted, as in adjudge terms")
    boosting.add_argument("--terms", default="", metavar="FILE", help="terms that were found before")
    boosting.add_argument("--boost", type=finite, default=2.0, metavar="X", help="how often a term is written (2)")
    boosting.add_argument("--emission", choices=EMISSIONS, default="text", help="how texts are generated (text)")
    boosting.add_argument("--policy", choices=POLICIES, default="longest", help="which terms are taken (longest)")
    boosting.add_argument("--keep-words", action="store_true", help="the words of a term stay beside it")
    boosting.add_argument("--tagger", default="lexicon", metavar="SPEC", help="what tells parts of speech (lexicon)")
    boosting.add_argument("--filter", default="open", metavar="SPEC", help="which words may be a term (open)")
    boosting.add_argument(
        "--min-frequency", type=between(0, 10**9), default=0, metavar="N", help="of a term (0: 2, 3 for large corpora)"
    )
    boosting.add_argument("--min-c", type=finite, default=0.0, metavar="X", help="the least C-value of a term (0)")
    boosting.add_argument("--most", type=between(0, 10**9), default=0, metavar="N", help="only the N best terms (all)")
    searching = command.add_argument_group("searching")
    searching.add_argument(
        "-w", "--weighting", action="append", metavar="SPEC", help=f"may be repeated ({', '.join(WEIGHTINGS)})"
    )
    searching.add_argument(
        "--field",
        choices=(*FIELDS, SENTENCES),
        help="of a topic that is asked (sentences if there are any, else title)",
    )
    searching.add_argument("-k", "--depth", type=between(1, 10**6), default=1000, metavar="N", help="of lists (1000)")
    searching.add_argument("-l", "--level", type=between(0, 1000), default=1, metavar="GRADE", help="is relevant (1)")
    workers_option(command)
    command.add_argument(
        "--show", type=between(0, 10**6), default=5, metavar="N", help="topics that gain, and lose (5)"
    )
    digits_option(command)
    command.add_argument("-f", "--format", choices=FORMS, default="table", help="of what is printed (table)")
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if "-" in (options.documents, options.topics, options.judgments):
        raise SpecError("a plan is read again and again: files are needed, not standard input")
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
