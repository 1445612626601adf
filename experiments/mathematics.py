"""Mathematical test collections made of the archives in ../shared/data: ARQMath's pages and PlanetMath's articles.

ARQMath: a page is a question of Math.SE with one of its answers, and the answer is what was judged for Task 1 of 2020,
2021 and 2022. Only pages that the archive has are searched, so a topic counts if at least one of them is relevant to it
(grade 2 or 3, as the track has it); a page that nobody judged for a topic is not relevant. A topic is asked with its
title and its question. A formula is no more than a semicolon on either side, over which no term reaches: pages have it
as MathML and topics as TeX.

PlanetMath: an article is a document, without its title. What its metadata say that it defines, and its synonyms, are
known items: each is asked as it is written there, and what declares it is relevant. These lines are no part of the
text. Single words and lines with formulas are not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import NamedTuple

from effectiveness import CLASSIC, DATA, classic, unpacked

from adjudge.core.document import Document, Documents, InMemory
from adjudge.formats.documents.document_reading import read_documents
from adjudge.formats.documents.html_text import text_of
from adjudge.formats.topics import read_topics

__all__ = ["CLASSIC", "DATA", "MATHEMATICS", "Collection", "articles", "collection", "declared"]

RELEVANT = 2
PAGES = "arqmath_mathdowsers/data/ARQMath/html_minimal_2021/selected"
TASKS = {
    "topics.arqmath-2020-task1-origin.xml": "qrels.arqmath-2020-task1.txt",
    "topics.arqmath-2021-task1-origin.xml": "qrels.arqmath-2021-task1-official.txt",
    "topics.arqmath-2022-task1-or-task3-origin.xml": "qrels.arqmath-2022-task1-official.txt",
}
TOKEN = re.compile(r"\bformula[0-9]{15}\b")
FORMULA = re.compile(r'<span class="math-container".*?</span>', re.DOTALL)
DECLARED = re.compile(r"^\\pm(?:defines|synonym)\{([^{}]*)\}", re.MULTILINE)
MATHEMATICS = ("arqmath", "planetmath")


class Collection(NamedTuple):
    """What is searched, what is asked, and what was judged relevant, for topics with a relevant document."""

    documents: Documents
    queries: Mapping[str, str]
    relevant: Mapping[str, Mapping[str, int]]


def collection(name: str, data: Path, work: Path) -> Collection:
    """A collection by its name, its archive unpacked if need be."""
    if name in CLASSIC:
        documents, (asked,) = classic([name], data, work)
        relevant = {t: made for t, grades in asked.judgments.items() if (made := above(grades, 1))}
        return Collection(InMemory(documents), {t: asked.queries[t] for t in relevant}, relevant)
    return {"arqmath": arqmath, "planetmath": planetmath}[name](data, work)


def above(grades: Mapping[str, int], least: int) -> dict[str, int]:
    return {document: 1 for document, grade in grades.items() if grade >= least}


def arqmath(data: Path, work: Path) -> Collection:
    unpacked(data, "arqmath", "arqmath_mathdowsers", work)
    source = unpacked(data, "arqmath", "arqmath_pya0", work) / "topics-and-qrels"
    pages = [Document(d.id, TOKEN.sub(";", d.text)) for d in read_documents(work / PAGES, "xhtml(formulas=token)")]
    page_of = {page.id.partition("_")[2]: page.id for page in pages}
    queries, relevant = dict[str, str](), dict[str, dict[str, int]]()
    for topics, qrels in TASKS.items():
        for line in (source / qrels).read_text(encoding="utf-8").splitlines():
            topic, _, answer, grade = line.split()
            if answer in page_of and int(grade) >= RELEVANT:
                relevant.setdefault(topic, {})[page_of[answer]] = 1
        for asked in read_topics(source / topics):
            page = f"<p>{asked.title}</p><p>{asked.description}</p>"
            queries[asked.id] = text_of(FORMULA.sub(" ; ", page), "drop")[1]
    return Collection(InMemory(pages), {topic: queries[topic] for topic in relevant}, relevant)


def sources(data: Path, work: Path) -> Iterator[tuple[Document, list[str]]]:
    """The articles of PlanetMath without their titles, each with what it says that it defines or is also called."""
    folder = unpacked(data, "planetmath", "planetmath", work)
    for document in read_documents(folder, "latex(formulas=token)"):
        text = TOKEN.sub(";", document.text.removeprefix(document.title))
        source = (folder / f"{document.id}.tex").read_text(encoding="utf-8", errors="replace")
        lines = [" ".join(unescape(line).split()) for line in DECLARED.findall(source)]
        yield Document(document.id, text, document.title), [line for line in lines if usual(line)]


def usual(line: str) -> bool:
    """Whether a line has words and no formula."""
    return bool(line) and not set(line) & set("$\\")


def articles(data: Path, work: Path) -> Documents:
    return InMemory(document for document, _ in sources(data, work))


def declared(data: Path, work: Path, *, titles: bool = False) -> list[str]:
    """All that articles define, and their synonyms; their titles too if these are asked for."""
    found = list[str]()
    for document, lines in sources(data, work):
        found += [*lines, document.title] if titles and usual(document.title) else lines
    return found


def planetmath(data: Path, work: Path) -> Collection:
    documents, relevant = list[Document](), dict[str, dict[str, int]]()
    for document, lines in sources(data, work):
        documents.append(document)
        for line in lines:
            if len(line.split()) > 1:
                relevant.setdefault(line.lower(), {})[document.id] = 1
    numbered = {f"q{number}": text for number, text in enumerate(relevant, 1)}
    return Collection(InMemory(documents), numbered, dict(zip(numbered, relevant.values(), strict=True)))
