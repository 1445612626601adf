"""The datasheet of a collection, in Markdown: where it comes from, what it holds, what it is good for and what not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...core.english import quantity
from ...core.visible import visible_line
from .collection import Counts, TopicCollection


def datasheet(collection: TopicCollection, stayed: Sequence[tuple[str, str]], about: Mapping[str, str]) -> str:
    """``about`` has what only the maker knows: source, licence, corpus, assessors, agreement."""
    counts = collection.counts()
    lines = [f"# {_line(collection.name)}", "", "## Where it comes from", ""]
    lines += [f"- {name}: {_line(about.get(name, '') or 'not given')}" for name in ABOUT]
    lines += [
        "",
        "Topics are questions of a Q&A site whose accepted answer cites documents of the corpus. The asker, who",
        "accepted the answer, is the judge of relevance; assessors checked that the question is clear and not too",
        "broad, and that the cited documents answer it with little deduction.",
        "",
        "## What it holds",
        "",
        f"{quantity(counts.topics, 'topic')}, {quantity(counts.micro_topics, 'judged micro-topic')} ({counts.asked} "
        f"asked), {quantity(counts.judgments, 'judgment')} on {quantity(counts.documents, 'document')}; "
        f"{quantity(counts.sentences, 'sentence')}: {counts.prelude} "
        f"prelude, {counts.query} query, {counts.neither} neither.",
        "",
        *_tables(counts),
        *_people(collection),
        f"Formulas that stayed TeX: {len(stayed)} (formulas.csv says why).",
        "",
        "## How to use it",
        "",
        "The query of micro-topic T.m is all prelude sentences of T and the query sentences of m; topics.jsonl has",
        "them in order.",
        "Grade 2 is a document that is total and direct; where grade 1 occurs, it is partial or indirect; 0 is one",
        "that was cited and judged unrelated to the micro-topic.",
        "In collection.jsonl, confirmed is what people decided on comments of the asker: true, false, or null where",
        "nobody has.",
        "",
        "## What it is not good for",
        "",
        "- Documents that nobody cited are not judged, and many of them will be relevant: prefer measures that allow",
        "  for unjudged documents, and do not take a missing document for a bad one.",
        "- There are few relevant documents a topic, often one: compare systems over many topics.",
        "- Answers cite what their writers knew: popular documents are cited more often.",
        "",
    ]
    if collection.notes:
        lines += ["## What was met on the way", "", *(f"- {_line(str(note))}" for note in collection.notes), ""]
    return "\n".join(lines)


ABOUT = ("source", "licence", "corpus", "assessors", "agreement", "made")


def _line(text: str) -> str:
    """One line of Markdown that means nothing but itself."""
    return visible_line(text).replace("<", "&lt;").replace("[", "\\[")[:500]


def _people(collection: TopicCollection) -> list[str]:
    """How many people have finished the topics, if that is known."""
    table = Counter(topic.people for topic in collection.topics if topic.people)
    if not table:
        return []
    lines = ["| topics finished by so many people | number | share |", "|---:|---:|---:|"]
    lines += [f"| {key} | {number} | {number / len(collection.topics):.2%} |" for key, number in sorted(table.items())]
    return [*lines, ""]


def _tables(counts: Counts) -> list[str]:
    lines: list[str] = []
    for title, table, whole in (
        ("topics by number of micro-topics", counts.topics_by_micro_topics, counts.topics),
        ("topics by number of relevant documents", counts.topics_by_documents, counts.topics),
        ("micro-topics by number of relevant documents", counts.micro_topics_by_documents, counts.micro_topics),
    ):
        lines += [f"| {title} | number | share |", "|---:|---:|---:|"]
        lines += [f"| {key} | {number} | {number / whole:.2%} |" for key, number in table.items()]
        lines.append("")
    return lines
