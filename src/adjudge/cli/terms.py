"""Find the technical terms of documents: multi-word terms by C-value, with their forms.

    adjudge terms articles/ -o terms.parquet
    adjudge terms fr94/ -o terms.csv --filter adjective_noun --min-frequency 5 --min-c 10 --top 50
    adjudge terms pages.jsonl -o terms.jsonl --nc --tagger gruut --index occurrences.parquet
    adjudge terms hdfs://host/pages -o terms.parquet --engine spark --master spark://host:7077

The best terms are shown, and all are written to FILE as Parquet, CSV or lines of JSON: class, frequency, C-value,
NC-value, forms. A class is a term in lower case, its last word in the singular; its forms are those of the documents. A
sequence of words is a candidate if its parts of speech pass the filter: noun is N⁺N, adjective_noun is (A|N)⁺N or, with
reading=ordered, A*N⁺; open lets one "of" stand between (set of vectors). No candidate reaches over punctuation. --index
writes where each term occurs: class, form, document, frequency, positions.

Tagging a large corpus takes longest. What is tagged is kept in FILE.work until the terms are written, so a command that
was interrupted goes on when it is run again. adjudge terms apply boosts the terms in documents and queries.

With --engine spark the terms are the same. They go into the same file; if its name has a scheme as hdfs:// has, Spark
writes a Parquet table there. The index is a folder with such a table, whose numbers are int, as Spark has no unsigned
ones. For --nc and --index all terms must fit into the memory of every worker.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..cluster.folders import has_scheme
from ..core.errors import DataError, SpecError
from ..formats.documents import read_documents
from ..report.term_table import terms_text
from ..report.text_table import FORMS
from ..storage.access import is_within
from ..terms.candidates import MOST_WORDS, STOP_LIST
from ..terms.extraction import TermSettings, extract
from ..terms.linguistic_filter import linguistic_filters
from ..terms.ncvalue import TOP
from ..terms.tagged_corpus import CorpusCounts
from ..terms.term_files import kind_of, write_terms
from ..text.tagging.tagger import taggers
from ..words.summaries import rows_written, terms_extracted
from ._engine import engine_of, engine_options, on_cluster
from ._noise import layout_option
from ._options import Parser, between, coloured, digits_option, emit, finite, note, refuse_inputs
from ._terminal import Terminal

if TYPE_CHECKING:
    from ..cluster.session import SparkEngine


def parser() -> Parser:
    command = Parser(prog="adjudge terms", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument(
        "documents", nargs="+", metavar="docs", help="file, folder, pattern or tar of documents (- for standard input)"
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="write all terms to FILE: .parquet, .csv or .jsonl (replaced atomically)"
    )
    command.add_argument("--index", metavar="FILE", help="write the occurrences of all terms to FILE: .parquet")
    command.component(
        "--tagger",
        of=[taggers],
        default="lexicon",
        metavar="SPEC",
        help="part-of-speech tagger: %(known)s (default: lexicon)",
    )
    command.component(
        "--filter",
        of=[linguistic_filters],
        default="open",
        metavar="SPEC",
        help="linguistic filter that a term must pass: %(known)s (default: open)",
    )
    command.add_argument(
        "--shortest",
        type=between(1, MOST_WORDS),
        default=2,
        metavar="N",
        help="least number of words of a term (default: 2)",
    )
    command.add_argument(
        "--longest",
        type=between(1, MOST_WORDS),
        default=6,
        metavar="N",
        help="largest number of words of a term (default: 6)",
    )
    command.add_argument(
        "--min-frequency",
        type=between(1, 10**9),
        metavar="N",
        help="least frequency of a term (default: 2, or 3 for more than 100 million characters)",
    )
    command.add_argument("--min-c", type=finite, default=0.0, metavar="X", help="least C-value of a term (default: 0)")
    command.add_argument(
        "--nc", action="store_true", help="compute NC-values too, from the words beside terms, and rank by them"
    )
    command.add_argument(
        "--nc-top",
        type=between(1, 10**9),
        default=TOP,
        metavar="N",
        help=f"number of best terms whose neighbours are used for NC-values (default: {TOP})",
    )
    command.add_argument(
        "--frequent",
        type=between(0, 10**6),
        default=0,
        metavar="N",
        help="treat the N most frequent nouns and adjectives as stop words, which are in no term (default: 0)",
    )
    command.add_argument(
        "--stop-list",
        metavar="FILE",
        help=f"file of words that are in no term, one per line (default: {', '.join(STOP_LIST)})",
    )
    command.add_argument(
        "--merge-dashes", action="store_true", help="treat Calabi-Yau and Calabi Yau as forms of one class"
    )
    command.add_argument(
        "--top", type=between(0, 10**6), default=25, metavar="N", help="number of terms to show (default: 25)"
    )
    layout_option(command)
    engine_options(command)
    digits_option(command)
    command.add_argument(
        "-f", "--format", choices=FORMS, default="table", help="format of the printed table (default: table)"
    )
    return command


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_mixed(arguments)
    if options.documents.count("-") > 1:
        raise SpecError("standard input can be read only once")
    settings = settings_of(options)
    if options.output is not None:
        kind_of(options.output)
    if options.index is not None and not options.index.endswith(".parquet"):
        raise SpecError(f"{options.index}: an index of terms is written as .parquet")
    engine = engine_of(options)
    if engine is not None and has_scheme(options.output or "") and kind_of(options.output) != ".parquet":
        raise SpecError(f"{options.output}: Spark writes .parquet there: give a plain path")
    inputs = [*options.documents, *filter(None, (options.stop_list,))]
    for path in filter(None, (options.output, options.index)):
        if engine is None or (path is options.output and not has_scheme(path)):
            refuse_output(path, inputs)
        else:
            refuse_table(path, inputs)
    if options.output and options.index and os.path.realpath(options.output) == os.path.realpath(options.index):
        raise SpecError(f"{options.output}: terms and their index cannot go into one file")
    if engine is not None:
        return on_spark(engine, options, settings)
    began = time.monotonic()
    documents = read_documents(options.documents, options.layout)
    work = None if options.output is None else Path(f"{options.output}.work")
    terms = extract(documents, settings, folder=work, progress=Terminal())
    note(documents.notes)
    if options.output is not None:
        write_terms(terms.terms, options.output)
    if options.index is not None:
        from ..terms.term_index import write_term_index

        rows = write_term_index(documents, terms.terms, options.index, progress=Terminal())
        note([rows_written(options.index, rows)])
    if options.top:
        emit(terms_text(terms.terms, options.top, options.format, options.digits, colour=coloured(None)))
    note([summary(options.output, len(terms.terms), terms.least, terms.counts, time.monotonic() - began)])
    return 0


def on_spark(engine: SparkEngine, options: argparse.Namespace, settings: TermSettings) -> int:
    """The same by Spark: terms come here as far as they are shown, or go into a file of this machine."""
    from ..cluster.delta_tables import write_term_index_on
    from ..cluster.document_tables import read_table
    from ..cluster.folders import Folder
    from ..cluster.term_extraction import extract_on

    began = time.monotonic()
    table = options.output if options.output is not None and has_scheme(options.output) else None
    with on_cluster(engine) as cluster:
        for path in filter(None, (table, options.index)):
            Folder(cluster, path).refuse_used()
        read = read_table(cluster, options.documents, options.layout)
        extracted = extract_on(cluster, read, settings)
        note(read.notes)
        all_here = options.index is not None or (options.output is not None and table is None)
        terms = extracted.terms(None if all_here else options.top)
        if table is not None:
            extracted.write(table)
        elif options.output is not None:
            write_terms(terms, options.output)
        if options.index is not None:
            rows = write_term_index_on(cluster, read, terms, options.index)
            note([rows_written(options.index, rows)])
    if options.top:
        emit(terms_text(terms, options.top, options.format, options.digits, colour=coloured(None)))
    note([summary(options.output, extracted.number, extracted.least, extracted.counts, time.monotonic() - began)])
    return 0


def summary(path: str | None, terms: int, least: int, counts: CorpusCounts, seconds: float) -> str:
    """What was found in what, and in what time."""
    return terms_extracted(path, terms, least, counts.documents, counts.tokens, seconds)


def settings_of(options: argparse.Namespace) -> TermSettings:
    """How terms are to be found."""
    stop = STOP_LIST if options.stop_list is None else stop_list_of(options.stop_list)
    return TermSettings(
        tagger=options.tagger,
        filter=options.filter,
        shortest=options.shortest,
        longest=options.longest,
        min_frequency=options.min_frequency,
        min_c=options.min_c,
        nc=options.nc,
        nc_top=options.nc_top,
        frequent=options.frequent,
        stop_list=stop,
        merge_dashes=options.merge_dashes,
    )


def stop_list_of(path: str) -> tuple[str, ...]:
    """The words of a file, one a line; an empty file is an empty list."""
    try:
        return tuple(dict.fromkeys(Path(path).read_text(encoding="utf-8-sig").split()))
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None


def refuse_output(path: str, sources: Sequence[str]) -> None:
    """An error if a file that is to be written is an input, or would be one of the documents next time."""
    refuse_inputs(path, sources)
    if os.path.isdir(path):
        raise DataError(f"{path}: a folder, not a file")
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise DataError(f"{path}: cannot be written: no such folder")
    refuse_within(path, sources)


def refuse_within(path: str, sources: Sequence[str]) -> None:
    """An error if what is to be written would be one of the documents next time."""
    for source in sources:
        if os.path.isdir(source) and is_within(path, source):
            raise DataError(f"{path}: output must not be inside the input folder {source}")


def refuse_table(path: str, sources: Sequence[str]) -> None:
    """An error if Spark is not to write there; whether something is there already is for Spark to say."""
    if has_scheme(path):
        return
    if os.path.isdir(path):
        refuse_within(path, sources)
    else:
        refuse_output(path, sources)
