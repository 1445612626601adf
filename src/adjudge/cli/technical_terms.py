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
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..core.errors import DataError, SpecError
from ..core.note import Note
from ..core.topic import Topic
from ..experiment.analysis import Settings
from ..experiment.concluding import findings_of
from ..experiment.conductor import Execution, conduct
from ..experiment.plan import FIELDS, Plan
from ..experiment.results import Results
from ..experiment.running import CellError
from ..formats.documents import read_documents
from ..formats.topics import read_topics, write_topics
from ..formats.writing import write
from ..report import technical_terms as report
from ..report.result_files import result_files
from ..report.table import FORMS
from ..systems.bm25 import BM25System
from ..systems.lucene import Lucene
from ..systems.parts.version import Version
from ..systems.system import systems
from ..systems.technical_terms import TechnicalTerms
from ..terms.attribution import EMISSIONS
from ..terms.matching import POLICIES
from ..weighting.scheme import weightings
from ._options import Parser, between, coloured, digits_option, emit, finite
from ._terminal import experiment_listener
from .run import workers_option
from .terms__apply import attribution_of

VERSION = "documents"
SENTENCES = "sentences"
WEIGHTINGS = ("lucene_classic", "bm25")
ANALYZERS = {
    "lucene_classic": "standard(dashes=true)|lower",
    "bm25": "standard(dashes=true)|lower|stop(smart)|porter",
}
"""Of the plain and the boosted system alike. The paper's keeps stop words and does not stem; that of BM25 is its usual
one, but for words that are not cut at underscores and dashes."""
MEASURES = ("ap", "ndcg@10", "p@10", "rr", "rprec", "recall@1000")


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
    pairs = [models(spec, options) for spec in options.weighting or WEIGHTINGS]
    if len({pair.weighting for pair in pairs}) < len(pairs):
        raise SpecError("a weighting is asked for twice")
    if options.terms:
        attribution_of(options.terms, options.most)
    folder = Path(options.output)
    plan = plan_of(options, pairs, folder)
    with experiment_listener() as progress:
        try:
            made = conduct(plan, folder, result_files, workers=options.workers, progress=progress)
        except CellError as error:
            raise once(error, pairs, options.documents) from None
        found = made.findings or findings_of(made.results, progress)
    system, version = boosted_of(pairs[0]), version_of(made.results)
    terms = len(system.found_terms(version))
    if not terms:
        raise DataError(f"{options.documents}: {reason(made.results, pairs)}: nothing to boost")
    gains, relevant = report.gains(found.versions[VERSION], pairs), relevant_of(made.results)
    why = report.uses(system, version, made.results.questions, relevant)
    targets = {topic: len(documents) for topic, documents in relevant.items()}
    notes = notes_of(made.results, pairs)

    def text(form: str, *, colour: bool = False) -> str:
        shown = {"most": options.show, "digits": options.digits}
        return report.as_text(gains, why, targets, terms, notes, form, **shown, colour=colour)

    write(folder / "technical-terms.txt", text("table").encode("utf-8", "replace"))
    write(folder / "technical-terms.json", text("json").encode("utf-8", "replace"))
    emit(text(options.format, colour=coloured(None)))
    if options.format in {"table", "md"}:
        emit(ending(made))
    return 0


def ending(made: Execution) -> str:
    before = "This was all done before. " if made.findings is None else ""
    return f"\n{before}The page: {made.page}\n"


def models(spec: str, options: argparse.Namespace) -> report.Models:
    """The plain and the boosted system of a weighting, as the plan names them."""
    weighting = weightings.parse(spec)
    if weighting.name not in WEIGHTINGS:
        raise SpecError(f"no system weights plain words by {weighting.name}: take {' or '.join(WEIGHTINGS)}")
    analyzer = ANALYZERS[weighting.name]
    boosted = TechnicalTerms(
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
        weighting=str(weighting),
        analyzer=analyzer,
    )
    made = systems.parse(str(weighting)) if weighting.name == BM25System.name else None
    plain = str(replace(made, analyzer=analyzer) if isinstance(made, BM25System) else Lucene(analyzer=analyzer))
    return report.Models(str(weighting), plain, str(boosted))


def boosted_of(pair: report.Models) -> TechnicalTerms:
    made = systems.parse(pair.boosted)
    if not isinstance(made, TechnicalTerms):
        raise SpecError(f"{pair.boosted} is no system with technical terms")
    return made


def plan_of(options: argparse.Namespace, pairs: Sequence[report.Models], folder: Path) -> Plan:
    """The plan that the arguments mean; questions made of sentences are written into the folder."""
    plan = Plan(
        topics=options.topics,
        judgments=options.judgments,
        versions={VERSION: options.documents},
        systems=tuple(name for pair in pairs for name in (pair.plain, pair.boosted)),
        depth=options.depth,
        title="Technical terms",
        field=options.field if options.field in FIELDS else "title",
        analysis=Settings(
            measures=MEASURES,
            main=report.MEASURE,
            baselines=tuple(pair.plain for pair in pairs),
            tests=(report.TEST,),
            correction=report.CORRECTION,
            level=options.level,
        ),
    )
    topics = read_topics(options.topics)
    have = any(sentence.strip() for topic in topics for sentence in topic.sentences)
    if options.field == SENTENCES and not have:
        raise DataError(f"{options.topics}: no topic has sentences")
    if not have or options.field in FIELDS:
        return plan
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be written: {error.strerror}") from None
    write_topics([Topic(topic.id, topic.query) for topic in topics], folder / "questions.jsonl")
    return replace(plan, topics=str(folder / "questions.jsonl"))


def once(error: CellError, pairs: Sequence[report.Models], documents: str) -> Exception:
    """The error of several systems that failed for one reason, such as a tagger that is not installed."""
    names = [f"{name} on {VERSION}: " for pair in pairs for name in (pair.plain, pair.boosted)]
    parts = re.split("|".join(map(re.escape, names)), str(error))
    reasons = {part.removesuffix("; ") for part in parts if part}
    return DataError(f"{documents}: {reasons.pop()}") if len(reasons) == 1 else error


def reason(results: Results, pairs: Sequence[report.Models]) -> str:
    """Why there is no term, as the system that looked for them has told."""
    notes = [note for pair in pairs for note in results.records[VERSION][pair.boosted].notes]
    return next((note["why"] for note in notes if note.kind == "no_term"), "no multi-word term")


def version_of(results: Results) -> Version:
    """The documents with what the systems made of them."""
    work = results.folder / "work" / results.inputs[f"documents of {VERSION}"]
    return Version(VERSION, read_documents(results.places[VERSION]), work)


def relevant_of(results: Results) -> Mapping[str, list[str]]:
    made: dict[str, list[str]] = {}
    for topic, document, grade in results.judgments().rows():
        if grade >= results.analysis.level:
            made.setdefault(topic, []).append(document)
    return made


def notes_of(results: Results, pairs: Sequence[report.Models]) -> list[Note]:
    """What a user should know: of the collection, and of terms that do not occur; each thing once."""
    records = results.records[VERSION]
    absent = [note for pair in pairs for note in records[pair.boosted].notes if note.kind == "terms_absent"]
    return list(dict.fromkeys((*results.notes, *absent)))
