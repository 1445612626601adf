"""Verbs on technical terms: find them, boost them in texts, and test whether that helps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.arguments import listed
from ..core.document import Documents
from ..core.likes import DocumentsLike, PathLike
from ..core.progress import SILENT, Listener
from ..experiment.term_boosting import WEIGHTINGS, TermBoosting, conduct_term_boosting
from ..formats.documents import read_documents
from ..report.boosting_table import boosting_files
from ..report.result_files import result_files
from ..systems.technical_terms import TechnicalTerms
from ..terms.attribution import DeltaDocuments, Emission, attribution_of
from ..terms.candidates import STOP_LIST
from ..terms.extraction import TermSettings, extract
from ..terms.ncvalue import TOP
from ..terms.term_files import read_terms
from ..terms.terms import Terms


def extract_terms(
    documents: DocumentsLike,
    *,
    tagger: str = "lexicon",
    filter: str = "open",  # noqa: A002  the literature's word
    shortest: int = 2,
    longest: int = 6,
    min_frequency: int | None = None,
    min_c: float = 0.0,
    nc: bool = False,
    nc_top: int = TOP,
    frequent: int = 0,
    stop_list: Sequence[str] = STOP_LIST,
    merge_dashes: bool = False,
    folder: PathLike | None = None,
    layout: str | None = None,
    progress: Listener = SILENT,
) -> Terms:
    """Find the technical terms of documents: multi-word terms by C-value, with their forms, the best first.

    Args:
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        tagger: what assigns parts of speech.
        filter: which sequences of words may be a term: noun, adjective_noun or open.
        shortest: the fewest words of a term.
        longest: the most words of a term.
        min_frequency: how often a term occurs at least; 2, and 3 for more than 100 million characters.
        min_c: the least C-value.
        nc: compute NC-values too, from the words beside terms, and rank by them.
        nc_top: how many of the best terms these words come from.
        frequent: leave out so many of the most frequent words.
        stop_list: words that no term has.
        merge_dashes: take words joined by dashes as written apart.
        folder: where work is kept that can be resumed; a temporary folder if none is given.
        layout: what the files hold, if it is not to be seen from their content.
        progress: hears how far it is.

    >>> extract_terms("articles/", min_frequency=5)[0].name  # doctest: +SKIP
    """
    settings = TermSettings(
        tagger=tagger,
        filter=filter,
        shortest=shortest,
        longest=longest,
        min_frequency=min_frequency,
        min_c=min_c,
        nc=nc,
        nc_top=nc_top,
        frequent=frequent,
        stop_list=tuple(stop_list),
        merge_dashes=merge_dashes,
    )
    place = None if folder is None else Path(folder)
    return extract(read_documents(documents, layout), settings, folder=place, progress=progress).terms


def apply_terms(
    documents: DocumentsLike,
    terms: Terms | PathLike,
    *,
    boost: float = 2.0,
    emission: str = "text",
    policy: str = "longest",
    surface: bool = False,
    keep_words: bool = False,
    most: int | None = None,
    layout: str | None = None,
) -> Documents:
    """Boost technical terms in documents: each term becomes one token, and texts are generated anew.

    Args:
        documents: a file, folder or pattern, a list of Document, {id: text}, or a frame with an id and a text.
        terms: what :func:`extract_terms` returns, or a file of terms.
        boost: how often a term is written.
        emission: how texts are generated: text, plus_one or double_all.
        policy: which terms are taken: longest or all.
        surface: terms as they are written, not their class in lower case.
        keep_words: the words of a term stay beside it.
        most: use so many of the best terms only.
        layout: what the files hold, if it is not to be seen from their content.

    >>> delta = apply_terms("articles/", "terms.parquet", boost=3)  # doctest: +SKIP
    """
    known = terms if isinstance(terms, Terms) else read_terms(terms)
    attribution = attribution_of("terms", most, Emission(emission, boost, policy, surface, keep_words), known)
    return DeltaDocuments(read_documents(documents, layout), attribution)


def technical_terms(
    documents: PathLike,
    topics: PathLike,
    qrels: PathLike,
    output: PathLike,
    *,
    weightings: str | Sequence[str] = WEIGHTINGS,
    field: str | None = None,
    depth: int = 1000,
    level: int = 1,
    workers: int = 0,
    progress: Listener = SILENT,
    **boosting: Any,
) -> TermBoosting:
    """Test whether boosted technical terms help: plain and boosted models, with the topics that gain and lose.

    Args:
        documents: the path of the documents; a plan is read again and again.
        topics: the path of the topics.
        qrels: the path of the judgments.
        output: the folder for runs, scores, tables and the page.
        weightings: retrieval models that are tried plain and boosted.
        field: the part of a topic that is the query; its sentences if it has any, else its title.
        depth: how many documents for a topic.
        level: the lowest grade that counts as relevant.
        workers: systems at a time, each in a process of its own; 0 works in this process.
        progress: hears how far it is.
        boosting: parameters of the system technical_terms: terms, boost, emission, policy, tagger, filter and so on.

    >>> technical_terms("articles/", "topics.xml", "qrels.txt", "results", boost=3.0)  # doctest: +SKIP
    """
    _, result = conduct_term_boosting(
        str(documents),
        str(topics),
        str(qrels),
        str(output),
        result_files,
        boosting_files(5, 4),
        system=TechnicalTerms(**boosting),
        schemes=listed(weightings, "weightings"),
        field=field,
        depth=depth,
        level=level,
        workers=workers,
        progress=progress,
    )
    return result
