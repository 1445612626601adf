"""Writing a collection: topics and judgments for TREC, the paper's tuples, sentences with labels, counts, a datasheet.

topics.jsonl        T.m with its sentences, prelude first: what adjudge searches for
topics.trec         <top> with <num> T.m, <title> (query sentences), <desc> (prelude and query), <narr> (prelude)
qrels.txt           T.m 0 document grade; 2 for total and direct, 1 for partial or indirect, 0 for unrelated
tuples.csv          topic, sentence, micro-topic, document
collection.jsonl    a topic a line: typed sentences with their parts, judgments with totality and directness
topics/T.xhtml      a topic with its formulas in MathML, sentences marked as those of CUMTC are
topics/T.m.xhtml    the query of a micro-topic, prelude first, in the same form
counts.json         Table 2 and section 2 of the paper
formulas.csv        formulas that stayed TeX, and why
datasheet.md        what a user of the collection has to know
"""

from __future__ import annotations

import csv
import io
import json
import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from ...core.english import quantity
from ...core.errors import ConflictError, DataError
from ...core.note import Note
from ...core.result import Result
from ...formats.qrels import write_qrels
from ...formats.topics import write_topics
from ...formats.writing import csv_cell, unwritable, write
from ...storage.access import links_below, refuse_links
from .agreement import agreement_of, in_words
from .assessment import Assessment, Label, check_assessment, labels_of, one_a_thread
from .collection import CollectionTopic, Counts, JudgedDocument, TopicCollection, TypedSentence
from .datasheet import datasheet
from .formulas import Formula, Key, read_formulas
from .mathml import Unsafe, clean_mathml
from .mending import Start, mended_sentences
from .project import Project
from .threads import CODE, FORMULA, LINK, PRELUDE, QUERY, Candidate, Part

TYPES = {PRELUDE: "p", QUERY: "q"}


def assemble(
    candidates: Mapping[str, Candidate], assessments: Sequence[Assessment], name: str, *, all_grades: bool = False
) -> TopicCollection:
    """The collection that assessments make of candidates: threads that meet both criteria and have a judgment.

    Documents that are total and direct have grade 2, unrelated ones 0; those between are left out and noted, unless
    ``all_grades`` is wanted: then they have grade 1. A micro-topic without a relevant one is asked and not judged.
    """
    topics: list[CollectionTopic] = []
    notes: list[Note] = []
    for assessment in one_a_thread(assessments).values():
        candidate = candidates.get(assessment.thread)
        if candidate is None:
            raise DataError(f"thread {assessment.thread} was assessed and is not a candidate")
        if not assessment.accepted:
            continue
        topic = _topic(candidate, check_assessment(assessment, candidate), notes, all_grades=all_grades)
        if topic is not None:
            topics.append(topic)
    topics.sort(key=lambda topic: (len(topic.id), topic.id))
    return TopicCollection(name, tuple(topics), tuple(notes)).validate()


def _topic(
    candidate: Candidate, assessment: Assessment, notes: list[Note], *, all_grades: bool
) -> CollectionTopic | None:
    labels: dict[Start, list[Label]] = {}
    for label in labels_of(candidate, assessment):
        labels.setdefault(label.start, []).append(label)
    mended = mended_sentences(candidate.sentences, assessment.breaks)
    sentences = tuple(
        TypedSentence(
            place if assessment.breaks else sentence.number,
            sentence.parts,
            labels[sentence.number, sentence.place][0].kind,
            tuple(sorted(label.micro_topic for label in labels[sentence.number, sentence.place] if label.micro_topic)),
            sentence.paragraph,
        )
        for place, sentence in enumerate(mended, 1)
    )
    asked = {micro for sentence in sentences for micro in sentence.micro_topics}
    judgments: list[JudgedDocument] = []
    for judgment in assessment.judgments:
        if judgment.micro_topic not in asked:
            raise DataError(f"thread {candidate.id}: micro-topic {judgment.micro_topic} is judged and has no sentence")
        if judgment.grade != 1 or all_grades:
            judgments.append(
                JudgedDocument(
                    judgment.micro_topic,
                    judgment.document,
                    judgment.grade,
                    judgment.totality,
                    judgment.directness,
                    assessment.confirmed,
                )
            )
        else:
            facts = {name: getattr(judgment, name) for name in ("document", "totality", "directness", "micro_topic")}
            notes.append(Note.of("answer_not_taken", candidate.id, **facts))
    if not any(judged.grade for judged in judgments):
        notes.append(Note.of("thread_without_answer", candidate.id))
        return None
    return CollectionTopic(candidate.id, candidate.id, candidate.thread.title, sentences, tuple(judgments))


def write_collection(
    collection: TopicCollection, folder: Path, formulas: Mapping[Key, Formula], about: Mapping[str, str]
) -> list[str]:
    """Write all files; the names of those that were written."""
    if not collection.topics:
        raise DataError(f"{folder}: no topic to export: no thread was accepted with a document that answers it")
    _refuse_unwritable(collection)
    stayed = _unconverted_formulas(collection, formulas)
    queries, qrels = collection.queries(), collection.qrels()
    in_trec_form = [topic.trec_query(m) for topic in collection.topics for m in topic.micro_topics]
    files = {
        "tuples.csv": _csv(("topic", "sentence", "micro_topic", "document"), collection.tuples()),
        "collection.jsonl": "".join(_record(topic, formulas) for topic in collection.topics),
        "counts.json": json.dumps(asdict(collection.counts()), indent=1) + "\n",
        "formulas.csv": _csv(("tex", "problem"), stayed),
        "datasheet.md": datasheet(collection, stayed, about),
    }
    pages = {f"topics/{safe_name(topic.id)}.xhtml": topic_xhtml(topic, formulas) for topic in collection.topics}
    pages |= {
        f"topics/{safe_name(topic.id)}.{m}.xhtml": topic_xhtml(_only(topic, m), formulas)
        for topic in collection.topics
        for m in topic.micro_topics
    }
    if len(pages) != len(collection.topics) + len(queries):
        raise ConflictError(f"{folder}: two topics would have the same page: change their ids")
    files |= pages
    try:
        (folder / "topics").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: cannot be made: {error.strerror}") from None
    for name in _pages_before(folder) - set(files):
        (folder / name).unlink(missing_ok=True)
    write_topics(in_trec_form, folder / "topics.trec", forms=("title", "description", "narrative"))
    write_topics(queries, folder / "topics.jsonl", forms=("title", "description", "sentences"))
    write_qrels(qrels, folder / "qrels.txt")
    for name, text in files.items():
        write(folder / name, text.encode("utf-8", "replace"))
    return ["topics.trec", "topics.jsonl", "qrels.txt", *files]


def _refuse_unwritable(collection: TopicCollection) -> None:
    """An error if an id cannot stand in qrels, before anything is written; the way out is another id."""
    try:
        unwritable([f"{topic.id}.1" for topic in collection.topics], "topic", first=True)
        unwritable([judgment.document for topic in collection.topics for judgment in topic.judgments], "document")
    except DataError as error:
        raise DataError(f"{str(error).partition(': ')[0]}: give it another id in candidates.jsonl") from None


def _only(topic: CollectionTopic, micro_topic: int) -> CollectionTopic:
    """A topic with the sentences of one query alone: those of the prelude first, as it is searched for."""
    return replace(topic, sentences=(*topic.prelude, *topic.own(micro_topic)))


def _pages_before(folder: Path) -> set[str]:
    """The pages of topics that an earlier export has written: one that is no topic any more must not stay."""
    path = folder / "collection.jsonl"
    try:
        topics = [json.loads(line) for line in path.read_bytes().splitlines()]
        pages = {f"topics/{safe_name(topic['id'])}.xhtml" for topic in topics}
        judged = {(topic["id"], int(each["micro_topic"])) for topic in topics for each in topic["judgments"]}
        return pages | {f"topics/{safe_name(id_)}.{m}.xhtml" for id_, m in judged}
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        OverflowError,
        RecursionError,
    ):  # there is none, or it is not ours
        return set()


@dataclass(frozen=True)
class Origin:
    """What only the makers of a collection know, for its datasheet; what is empty is left out."""

    name: str = ""
    """Of the collection; without one it is called as the folder of its project."""
    source: str = ""
    licence: str = ""
    corpus: str = ""


@dataclass(frozen=True)
class Export(Result):
    """What was written, and where."""

    collection: TopicCollection
    folder: Path
    files: tuple[str, ...]

    @cached_property
    def counts(self) -> Counts:
        return self.collection.counts()

    def counted(self) -> list[tuple[str, int]]:
        """What and how many: topics, micro-topics, judgments, documents and sentences."""
        names = ("topics", "micro_topics", "asked", "judgments", "documents", "prelude", "query", "neither")
        return [(name, getattr(self.counts, name)) for name in names]

    @property
    def notes(self) -> tuple[Note, ...]:
        return self.collection.notes


_ONE_AT_A_TIME = threading.Lock()


def export_project(
    project: Project,
    final: Sequence[Assessment],
    everyone: Sequence[Assessment] = (),
    origin: Origin | None = None,
    *,
    folder: Path | None = None,
    all_grades: bool = False,
    people: int = 1,
) -> Export:
    """Write what the final assessments, one a thread, make of a project, into its own folder or another one.

    ``everyone`` has the assessments of all people: how far they agree is for the datasheet. Threads that fewer than
    ``people`` of them have finished are left out and noted.
    """
    finished = Counter(assessment.thread for assessment in everyone)
    few = [each.thread for each in final if everyone and each.accepted and finished[each.thread] < people]
    final = [assessment for assessment in final if assessment.thread not in set(few)]
    notes = [Note.of("thread_of_few", thread, people=finished[thread], wanted=people) for thread in few]
    origin = origin or Origin()
    name = origin.name or project.folder.resolve().name
    about = {
        "source": origin.source,
        "licence": origin.licence,
        "corpus": origin.corpus,
        "assessors": ", ".join(sorted({assessment.assessor for assessment in final})),
        "agreement": in_words(agreement_of(everyone)),
        "made": f"by adjudge from {quantity(len(project.candidates), 'candidate')}",
    }
    target = folder or project.export_path
    if folder is None:  # whoever names another folder knows it
        refuse_links(target, links_below(target))
    with _ONE_AT_A_TIME:
        collection = assemble(project.candidates, final, name, all_grades=all_grades)
        topics = tuple(replace(topic, people=finished[topic.id]) for topic in collection.topics)
        collection = replace(collection, topics=topics, notes=(*notes, *collection.notes))
        files = write_collection(collection, target, read_formulas(project.formulas_path), about)
    return Export(collection, target, tuple(files))


def safe_name(id_: str) -> str:
    """A topic id as the name of a file: whatever it holds, the file stays in its folder."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in id_)[:100] or "_"


def _csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def _unconverted_formulas(collection: TopicCollection, formulas: Mapping[Key, Formula]) -> list[tuple[str, str]]:
    """(TeX, why) of the formulas that are not MathML."""
    reasons: dict[Key, str] = {}
    for topic in collection.topics:
        for sentence in topic.sentences:
            for part in sentence.parts:
                key = (part.text, part.display)
                if part.kind == FORMULA and key not in reasons and not mathml_of(part, formulas):
                    formula = formulas.get(key)
                    reasons[key] = "not converted yet: adjudge collect formulas" if formula is None else formula.problem
    return [(tex, why) for (tex, _), why in reasons.items()]


def mathml_of(part: Part, formulas: Mapping[Key, Formula]) -> str:
    """The MathML of a formula, its own or what it was converted to; nothing if it stayed TeX."""
    if part.mathml:
        try:
            return clean_mathml(part.mathml, part.text, part.display)
        except Unsafe:
            return ""
    formula = formulas.get((part.text, part.display))
    return "" if formula is None else formula.mathml


def _record(topic: CollectionTopic, formulas: Mapping[Key, Formula]) -> str:
    record = {
        "id": topic.id,
        "source": topic.source,
        "title": topic.title,
        "people": topic.people,
        "sentences": [
            {
                "number": sentence.number,
                "type": sentence.kind,
                "micro_topics": list(sentence.micro_topics),
                "paragraph": sentence.paragraph,
                "text": sentence.text,
                "parts": [_part_record(part, formulas) for part in sentence.parts],
            }
            for sentence in topic.sentences
        ],
        "judgments": [asdict(judged) for judged in topic.judgments],
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def _part_record(part: Part, formulas: Mapping[Key, Formula]) -> dict[str, object]:
    record: dict[str, object] = {"kind": part.kind, "text": part.text}
    if part.kind == LINK:
        record["href"] = part.href
    if part.kind == FORMULA:
        record |= {"display": part.display, "mathml": mathml_of(part, formulas)}
    return record


def topic_xhtml(topic: CollectionTopic, formulas: Mapping[Key, Formula]) -> str:
    """A topic as a page, its sentences marked as in CUMTC: <s id type qid>."""
    title = _plain(topic.title or topic.id)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head><body>',
    ]
    paragraph = 0
    for sentence in topic.sentences:
        if sentence.paragraph != paragraph:
            lines.append("<p>" if not paragraph else "</p>\n<p>")
            paragraph = sentence.paragraph
        marks = f' id="{sentence.number}"'
        if sentence.kind in TYPES:
            marks += f' type="{TYPES[sentence.kind]}"'
        if sentence.micro_topics:
            marks += f" qid={quoteattr(' '.join(map(str, sentence.micro_topics)))}"
        lines.append(f"<s{marks}>{''.join(_part_xhtml(part, formulas) for part in sentence.parts)}</s>")
    lines.append("</p>\n</body></html>\n" if paragraph else "</body></html>\n")
    return "\n".join(lines)


NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _plain(text: str) -> str:
    """Text for XML, which does not have all characters."""
    return escape(NO_XML.sub("\ufffd", text))


def _part_xhtml(part: Part, formulas: Mapping[Key, Formula]) -> str:
    if part.kind == FORMULA:
        mathml = mathml_of(part, formulas)
        dollars = "$$" if part.display else "$"
        return mathml or f'<span class="tex">{_plain(dollars + part.text + dollars)}</span>'
    if part.kind == CODE:
        return f"<code>{_plain(part.text)}</code>"
    if part.kind == LINK and part.href.lower().startswith(("http://", "https://")):
        return f"<a href={quoteattr(NO_XML.sub('', part.href))}>{_plain(part.text)}</a>"
    return _plain(part.text)
