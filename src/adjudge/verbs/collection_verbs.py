"""Verbs on test collections made of questions and answers: candidates, sentences, formulas, agreement, export."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..collection.qa.agreement import Agreement, agreement_of
from ..collection.qa.assessment import Assessment
from ..collection.qa.collection import TopicCollection
from ..collection.qa.export import Export, Origin, export_project, write_collection
from ..collection.qa.formulas import Formula, convert, converter_of, formulas_of, write_formulas
from ..collection.qa.project import Project, open_project, read_assessments
from ..collection.qa.thread_candidates import CandidateReport, CandidateSettings, find_candidates
from ..core.arguments import listed
from ..core.errors import DataError, SpecError, did_you_mean
from ..core.likes import PathLike
from ..core.note import Note
from ..core.progress import SILENT, Listener
from ..core.result import Result
from ..formats.writing import write

if TYPE_CHECKING:
    from ..collection.workbench.store_check import StoreCheck
    from ..index.index import Index

CUMTC = {
    "source": "mathoverflow.net, by Stathopoulos and Teufel (ACL 2015), version 1.0",
    "licence": "CC BY-SA 3.0",
    "corpus": "MREC 2011.4.439: articles of arXiv, named by their arXiv ids",
    "assessors": "one of the authors",
}
"""The datasheet of the Cambridge collection."""


def collect_candidates(
    dump: PathLike,
    project: PathLike,
    *,
    cite: str | Sequence[str] | None = None,
    patterns: PathLike | None = None,
    corpus: PathLike | None = None,
    dollars: bool = True,
    quoted: bool = True,
    self_answers: bool = True,
    replace: bool = False,
    progress: Listener = SILENT,
) -> CandidateReport:
    """Find the threads of a question-and-answer dump whose accepted answer cites the corpus: candidates for topics.

    Args:
        dump: the folder of a dump, or its Posts.xml.
        project: the folder of the project.
        cite: kinds of citations, ``arxiv`` and ``doi``; both if None, none if empty.
        patterns: a TOML file with patterns of citations.
        corpus: a file with the ids of the corpus, one per line; any document counts without it.
        dollars: whether $…$ is a formula on this site.
        quoted: whether citations in quotations count.
        self_answers: whether threads count that the asker answered.
        replace: even if there are decisions on the candidates of the project.
        progress: hears how far it is.

    >>> collect_candidates("mathoverflow/", "project", corpus="ids.txt").counts  # doctest: +SKIP
    """
    from ..collection.qa.citations import KINDS
    from ..collection.qa.cited_corpus import read_corpus
    from ..collection.qa.passes import SoughtCitations
    from ..collection.qa.patterns import read_patterns

    asked = list(KINDS) if cite is None else listed(cite, "cite")
    for name in asked:
        if name not in KINDS:
            raise SpecError(f"cite may be {', '.join(KINDS)}, not {name!r}{did_you_mean(name, list(KINDS))}")
    known = () if patterns is None else read_patterns(os.fspath(patterns))
    if not asked and not known:
        raise SpecError("nothing to look for: cite nothing needs patterns")
    kinds = tuple(kind for kind in KINDS if kind in asked)
    settings = CandidateSettings(
        SoughtCitations(kinds, known), dollars=dollars, quoted=quoted, self_answers=self_answers
    )
    ids = None if corpus is None else read_corpus(os.fspath(corpus))
    return find_candidates(dump, Project(Path(project)), settings, ids, progress=progress, replace_decided=replace)


class QuestionSentence(NamedTuple):
    """A sentence of a candidate question, and what rules propose."""

    thread: str
    number: int
    paragraph: int
    kind: str
    micro_topic: int | None
    text: str


class QuestionSentences(tuple[QuestionSentence, ...], Result):
    """The sentences of candidate questions."""

    __slots__ = ()


def collect_sentences(project: PathLike, threads: str | Sequence[str] = ()) -> QuestionSentences:
    """List the sentences of candidate questions and what rules propose: prelude, query of a micro-topic, or neither.

    Args:
        project: the folder of the project.
        threads: only these threads; all of them if none are named.

    >>> collect_sentences("project", "14655")[0].kind  # doctest: +SKIP
    """
    candidates = open_project(os.fspath(project)).candidates
    wanted = listed(threads, "threads")
    for id_ in wanted:
        if id_ not in candidates:
            raise DataError(f"{os.fspath(project)}: no thread {id_!r} here{did_you_mean(id_, list(candidates))}")
    return QuestionSentences(
        QuestionSentence(
            candidate.id,
            sentence.number,
            sentence.paragraph,
            sentence.kind,
            sentence.micro_topic or None,
            sentence.text,
        )
        for id_ in wanted or candidates
        for candidate in [candidates[id_]]
        for sentence in candidate.sentences
    )


@dataclass(frozen=True)
class Conversion(Result, Sequence[Formula]):
    """Formulas that were converted; those with a problem stay TeX."""

    formulas: tuple[Formula, ...]
    converter: str
    path: Path

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        return self.formulas[key]

    def __iter__(self) -> Iterator[Formula]:
        return iter(self.formulas)

    def __len__(self) -> int:
        return len(self.formulas)

    @property
    def problems(self) -> tuple[Formula, ...]:
        """Those that could not be converted."""
        return tuple(formula for formula in self.formulas if formula.problem)


def collect_formulas(project: PathLike, by: str = "auto", *, progress: Listener = SILENT) -> Conversion:
    """Convert the formulas of candidate questions from TeX to MathML, all in one call.

    Args:
        project: the folder of the project.
        by: latexml, latex2mathml, or auto for what is installed.
        progress: hears how far it is.

    >>> collect_formulas("project").problems  # doctest: +SKIP
    """
    opened = open_project(os.fspath(project))
    name = converter_of(by)
    formulas = convert(formulas_of(opened.candidates.values()), name, progress=progress)
    write_formulas(formulas.values(), opened.formulas_path)
    return Conversion(tuple(formulas.values()), name, opened.formulas_path)


class Agreements(tuple[Agreement, ...], Result):
    """How far assessors agree, for each kind of decision."""

    __slots__ = ()


def collect_agreement(
    project: PathLike, *, store: str | None = None, assessments: PathLike | None = None
) -> Agreements:
    """Measure how far assessors agree: Cohen's kappa and Krippendorff's alpha for each kind of decision.

    Args:
        project: the folder of the project.
        store: where decisions are; the project's own store if none is named.
        assessments: decisions as lines of JSON, instead of a store.

    >>> collect_agreement("project")[0].kappa  # doctest: +SKIP
    """
    if assessments is not None:
        decided: Sequence[Assessment] = read_assessments(Path(assessments))
        open_project(os.fspath(project))
    else:
        from ..collection.workbench.state import project_decisions

        decided = list(project_decisions(open_project(os.fspath(project)), store).assessments)
    result = Agreements(agreement_of(decided))
    if not any(agreement.items for agreement in result):
        raise DataError(f"{os.fspath(project)}: nothing was decided by two people yet")
    return result


def collect_export(
    project: PathLike,
    output: PathLike | None = None,
    *,
    store: str | None = None,
    assessments: PathLike | None = None,
    all_grades: bool = False,
    name: str = "",
    source: str = "",
    licence: str = "",
    corpus: str = "",
) -> Export:
    """Write the finished collection: topics, judgments, typed sentences, counts and a datasheet.

    Args:
        project: the folder of the project.
        output: where the collection goes; ``collection`` in the project if none is given.
        store: where decisions are; the project's own store if none is named.
        assessments: decisions as lines of JSON, instead of a store.
        all_grades: partial and indirect documents too, with grade 1.
        name: of the collection, for the datasheet.
        source: the site, for the datasheet.
        licence: of its texts, for the datasheet.
        corpus: what the documents are, for the datasheet.

    >>> collect_export("project", name="MO 2024").files  # doctest: +SKIP
    """
    opened = open_project(os.fspath(project))
    everyone: Sequence[Assessment] = ()
    if assessments is not None:
        final: Sequence[Assessment] = read_assessments(Path(assessments))
    else:
        from ..collection.workbench.state import project_decisions

        decisions = project_decisions(opened, store)
        final, everyone = decisions.final, decisions.assessments
    return export_project(
        opened,
        final,
        everyone,
        Origin(name, source, licence, corpus),
        folder=None if output is None else Path(output),
        all_grades=all_grades,
    )


class CountedFigure(NamedTuple):
    """A figure of the paper beside what the files hold."""

    what: str
    paper: int
    files: int


class CollectionImport(tuple[CountedFigure, ...], Result):
    """A collection that was read, as the figures of its paper beside its own; ``collection`` has the topics."""

    collection: TopicCollection
    notes: tuple[Note, ...]


def collect_import_cumtc(folder: PathLike, output: PathLike | None = None) -> CollectionImport:
    """Read the Cambridge mathematical test collection, compare it with its paper, and write topics and judgments.

    Args:
        folder: with topics/ and judgements.csv, as its authors distribute it.
        output: where the collection goes; nothing is written without it.

    >>> collect_import_cumtc("cumtc/", "collection").collection.name  # doctest: +SKIP
    """
    from ..collection.qa.cumtc import compare_with_paper, read_cumtc

    collection = read_cumtc(os.fspath(folder))
    result = CollectionImport(CountedFigure(*row) for row in compare_with_paper(collection.counts()))
    result.collection, result.notes = collection, collection.notes
    if output is not None:
        write_collection(collection, Path(output), {}, CUMTC)
    return result


def collect_check(project: PathLike, *, store: str | None = None, repair: bool = False) -> StoreCheck:
    """Check that every decision in the store of a project can be read, and save what can be saved of the others.

    Args:
        project: the folder of the project.
        store: where decisions are; the project's own store if none is named.
        repair: append what can be read of events that are set aside.

    >>> collect_check("project").whole  # doctest: +SKIP
    """
    from ..collection.workbench.store.open_store import open_store, store_of
    from ..collection.workbench.store_check import check_store

    opened = open_project(os.fspath(project))
    with open_store(store_of(opened.folder, store), create=False) as decisions:
        return check_store(opened, decisions, repair=repair)


def collect_events(project: PathLike, output: PathLike | None = None, *, store: str | None = None) -> list[str]:
    """List all that was ever decided on the candidates of a project, an event a line of JSON, undone ones too.

    Args:
        project: the folder of the project.
        output: a file that they are written into as well.
        store: where decisions are; the project's own store if none is named.

    >>> collect_events("project", "events.jsonl")[0]  # doctest: +SKIP
    """
    from ..collection.workbench.events import event_line
    from ..collection.workbench.store.open_store import open_store, store_of

    opened = open_project(os.fspath(project))
    with open_store(store_of(opened.folder, store), create=False) as decisions:
        lines = [event_line(event) for event in decisions.events()]
    if output is not None:
        write(Path(output), "".join(lines).encode("utf-8", "replace"))
    return [line.rstrip("\n") for line in lines]


def document_source(source: PathLike, project: Project) -> Callable[[str], tuple[str, str] | None]:
    """Title and text of a document by its id, from an index with texts, or from files of documents.

    Of files those documents are kept that the candidates of the project cite.
    """
    from ..collection.qa.cited_corpus import fold_id
    from ..formats.documents.document_reading import read_documents

    if (find := indexed_documents(source)) is not None:
        return find
    cited = {citation.document for each in project.candidates.values() for citation in each.citations}
    folded = {fold_id(id_)[0] for id_ in cited}
    texts = {}
    for document in read_documents(source):
        key = fold_id(document.id)[0]
        if document.id in cited or key in folded:
            texts[document.id] = texts[key] = (document.title, document.text)
    return lambda id_: texts.get(id_) or texts.get(fold_id(id_)[0])


def index_with_texts(source: PathLike) -> Index | None:
    """The index at a place, which must have texts; None if the source is no index."""
    from ..index.index import Index
    from ..index.index_files import MANIFEST

    if not os.path.exists(os.path.join(source, MANIFEST)):
        return None
    index = Index.open(source)
    if not index.manifest.texts:
        raise SpecError(f"{source}: built without texts: adjudge index --texts keeps them")
    return index


def indexed_documents(source: PathLike) -> Callable[[str], tuple[str, str] | None] | None:
    """Title and text of a document of an index by its id; None if the source is no index."""
    index = index_with_texts(source)
    return None if index is None else texts_of(index)


def texts_of(index: Index) -> Callable[[str], tuple[str, str] | None]:
    """Title and text of a document of an index by its id."""

    def find(id_: str) -> tuple[str, str] | None:
        try:
            document = index.document(index.document_number(id_))
        except DataError:
            return None
        return document.title, document.text

    return find


def collect_serve(
    project: PathLike,
    *,
    store: str | None = None,
    people: int = 2,
    host: str = "127.0.0.1",
    port: int = 8300,
    name: str = "",
    adjudicators: Sequence[str] = (),
    documents: PathLike | None = None,
) -> None:
    """Serve the workbench in which people assess candidate threads in a browser, until it is interrupted.

    Args:
        project: the folder of the project.
        store: where decisions go; the project's own store if none is named.
        people: assessors required for each thread.
        host: the address to listen on; others than this machine need tokens, see the command.
        port: the port to listen on; 0 takes a free one.
        name: who works here; the browser asks without it.
        adjudicators: who may settle disagreements and export.
        documents: an index with texts, or files of documents, which can be read where they are judged.

    >>> collect_serve("project", name="Ada")  # doctest: +SKIP
    """
    from ..collection.workbench.serving import workbench
    from ..collection.workbench.store.open_store import open_store, remember_store, store_of
    from ..web.place import Place, listen, serve

    opened = open_project(os.fspath(project))
    with open_store(store_of(opened.folder, store)) as decisions:
        place = Place(host, port, (), None, None, False)
        texts = None if documents is None else document_source(documents, opened)
        application = workbench(opened, decisions, place, name, people, adjudicators, texts)
        remember_store(opened.folder, store)
        with listen(place) as bound:
            serve(application, bound, place)
