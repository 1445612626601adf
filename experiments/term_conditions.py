"""Under which conditions does boosting technical terms help? One condition of the paper after the other.

    python experiments/term_conditions.py work/ --fr94 fr94/
    python experiments/term_conditions.py work/ arqmath --format md

Stathopoulos & Teufel (2015) gain 21.6 % of MAP by re-attribution and a boost of 2. Their questions are long (prelude
and micro-topic), their documents are whole papers, their list has three million classes, and Lucene's coordination and
length norm are at work. Here the same texts are asked with short and with long questions, and documents are joined to
longer ones; every setting of terms and every weighting is compared with plain texts under the same conditions:

arqmath: pages of Math.SE, the title alone or title and question; pages as they are, or 5 and 25 joined.
planetmath: articles, some of the terms that they define, drawn at random (--topics); the term alone, or 60 words
  around a place where another article uses it, which is then no answer; articles joined within their subject.
fr94: the documents judged for Robust 2004 and others drawn at random; the title alone, or all fields.

Terms are those of the documents; "list of both" takes those of ARQMath and PlanetMath together. Figures are means of
average precision, differences in percent of the plain figure, with 95 % intervals (bootstrap over topics, paired).
"""

from __future__ import annotations

import argparse
import bisect
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
from effectiveness import DATA, unpacked
from mathematics import Collection, arqmath, planetmath

import adjudge
from adjudge.cli._terminal import Terminal
from adjudge.core.document import Chosen, Document, Documents, InMemory
from adjudge.formats.qrels import read_qrels
from adjudge.formats.topics import read_topics
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.report.text_table import FORMS, TextTable
from adjudge.terms.attribution import Attribution, DeltaDocuments, Emission
from adjudge.terms.extraction import TermSettings, extract
from adjudge.terms.terms import Terms
from adjudge.weighting.lucene_classic import LuceneClassic
from adjudge.weighting.scheme import Floats, Statistics, Weighting, weightings

ANALYZER = "standard(dashes=true)|lower"
JOINED = (1, 5, 25)
LEAST = (5, 20)
"""Thresholds of C-value."""
AROUND = 30
WORD = re.compile(r"\w")
SAMPLES = 10_000
SEED = 0


@dataclass(frozen=True)
class WithoutCoordination(LuceneClassic):
    """Lucene's vector space in which a document is not punished for the words of a question that it lacks."""

    name: ClassVar[str] = "lucene_without_coordination"
    coordinated: ClassVar[bool] = False


@dataclass(frozen=True)
class WithoutNorm(LuceneClassic):
    """Lucene's vector space in which long documents are not punished."""

    name: ClassVar[str] = "lucene_without_norm"

    def norms(self, statistics: Statistics) -> Floats:
        return np.ones_like(super().norms(statistics))


WEIGHTINGS: dict[str, Callable[[], Weighting]] = {
    "Lucene": LuceneClassic,
    "no coord": WithoutCoordination,
    "no norm": WithoutNorm,
    "BM25": lambda: weightings.parse("bm25"),
}


class Questions(NamedTuple):
    """Short and long questions for the same topics, and a document for each that is no answer to the long one."""

    source: Collection
    asked: Mapping[str, Mapping[str, str]]
    left_out: Mapping[str, str]


def of_arqmath(options: argparse.Namespace) -> Questions:
    source = arqmath(options.data, options.work)
    return Questions(source, {"title": _first(source.queries), "title, question": source.queries}, {})


def _first(queries: Mapping[str, str]) -> dict[str, str]:
    """The title is the first paragraph."""
    return {topic: text.strip().split("\n")[0] for topic, text in queries.items()}


def of_planetmath(options: argparse.Namespace) -> Questions:
    """Terms that are used by an article which does not define them, drawn by the seed."""
    source = planetmath(options.data, options.work)
    documents = list(source.documents)
    texts = [" ".join(document.text.lower().split()) for document in documents]
    begins = np.concatenate([[0], np.cumsum([len(text) + 1 for text in texts])]).tolist()
    whole = "\n".join([*texts, ""])
    topics = np.random.default_rng(SEED).permutation(list(source.queries)).tolist()
    short, long, users = dict[str, str](), dict[str, str](), dict[str, str]()
    for topic in topics:
        term = source.queries[topic].lower()
        for start in places(whole, term):
            user = bisect.bisect_right(begins, start) - 1
            if documents[user].id in source.relevant[topic]:
                continue
            before = whole[begins[user] : start].split()[-AROUND:]
            after = whole[start + len(term) : begins[user + 1] - 1].split()[:AROUND]
            short[topic], users[topic] = source.queries[topic], documents[user].id
            long[topic] = " ".join([*before, term, *after])
            break
        if len(short) == options.topics:
            break
    relevant = {topic: source.relevant[topic] for topic in short}
    return Questions(Collection(InMemory(documents), short, relevant), {"term": short, "passage": long}, users)


def places(whole: str, term: str) -> Iterator[int]:
    """Where a term stands in a text with no letter beside it. A pattern that says so takes a hundred times as long."""
    start = whole.find(term)
    while start >= 0:
        if not WORD.match(whole[max(start - 1, 0) : start]) and not WORD.match(whole[start + len(term)]):
            yield start
        start = whole.find(term, start + 1)


def of_fr94(options: argparse.Namespace) -> Questions:
    folder = unpacked(options.data, "robust04-on-fr94", "robust04", options.work)
    topics = {topic.id: topic for topic in read_topics(folder / "topics.robust04.txt")}
    judged = read_qrels(folder / "qrels.robust04.fr94.txt").to_dict()
    relevant = {t: {d: 1 for d, grade in rows.items() if grade > 0} for t, rows in judged.items() if t in topics}
    relevant = {topic: rows for topic, rows in relevant.items() if rows}
    corpus = adjudge.read_documents(options.fr94)
    wanted = {document for topic in relevant for document in judged[topic]}
    others = sorted({document.id for document in corpus} - wanted)
    drawn = np.random.default_rng(SEED).permutation(others)[: max(0, options.size - len(wanted))]
    wanted.update(drawn.tolist())
    documents = InMemory(Chosen(corpus, wanted.__contains__))
    short = {topic: topics[topic].title for topic in relevant}
    long = {t: " ".join([topics[t].title, topics[t].description, topics[t].narrative]) for t in relevant}
    return Questions(Collection(documents, short, relevant), {"title": short, "all fields": long}, {})


SOURCES = {"arqmath": of_arqmath, "planetmath": of_planetmath, "fr94": of_fr94}


def join(questions: Questions, number: int) -> Questions:
    """Neighbours in the order of their ids as one document, which is relevant if one of them is."""
    if number == 1:
        return questions
    source = questions.source
    ordered = sorted(source.documents, key=lambda document: document.id)
    groups = [ordered[first : first + number] for first in range(0, len(ordered), number)]
    documents = InMemory(Document(g[0].id, "\n\n".join(document.text for document in g)) for g in groups)
    home = {document.id: g[0].id for g in groups for document in g}
    relevant = {t: {home[d]: 1 for d in rows if d in home} for t, rows in source.relevant.items()}
    users = {topic: home[user] for topic, user in questions.left_out.items()}
    return Questions(Collection(documents, source.queries, relevant), questions.asked, users)


def settings(documents: Documents, both: Terms | None) -> dict[str, Callable[[], Attribution]]:
    """Ways to treat terms, each made when it is wanted."""
    terms = extract(documents, TermSettings()).terms
    made: dict[str, Callable[[], Attribution]] = {
        "boost 2 (the paper)": lambda: Attribution(terms),
        "boost 1": lambda: Attribution(terms, Emission(boost=1.0)),
        "boost 2, nested": lambda: Attribution(terms, Emission(policy="all")),
        "boost 2, words kept": lambda: Attribution(terms, Emission(keep_words=True)),
        "boost 1, words kept": lambda: Attribution(terms, Emission(boost=1.0, keep_words=True)),
        "boost 2, single words too": lambda: Attribution(extract(documents, TermSettings(shortest=1)).terms),
    }
    for least in LEAST:
        made[f"boost 2, C-value {least} and more"] = partial(_of_value, documents, least)
    for most in (1_000, 100):
        if len(terms) > most:
            made[f"boost 2, best {most:,}"] = partial(Attribution, terms[:most])
    if both is not None:
        made["boost 2, list of both"] = lambda: Attribution(both)
    return made


def _of_value(documents: Documents, least: float) -> Attribution:
    terms = extract(documents, TermSettings(min_c=least)).terms
    print(f"{len(terms):,} terms have a C-value of {least:g} and more", file=sys.stderr)
    return Attribution(terms)


def precisions(
    documents: Documents, asked: Mapping[str, Mapping[str, str]], questions: Questions, options: argparse.Namespace
) -> dict[tuple[str, str], Floats]:
    """Average precision of every topic by kind of question and weighting."""
    found = {}
    relevant, left_out = questions.source.relevant, questions.left_out
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        index = build(documents, Path(folder) / "index", analyzer=ANALYZER)
        for weighting in options.weightings:
            searcher = Searcher(index, WEIGHTINGS[weighting]())
            for kind, queries in asked.items():
                run = {}
                for topic, hits in zip(queries, searcher.search(list(queries.values()), 1000), strict=True):
                    user = left_out.get(topic)
                    kept = {d: score for d, score in hits if d != user or d in relevant[topic]}
                    run |= {topic: kept} if kept else {}
                scores = adjudge.measure(relevant, {"run": run}, ["ap"], complete=True)
                place = {topic: i for i, topic in enumerate(scores.topics)}
                found[kind, weighting] = scores.values[0, [place[topic] for topic in relevant], 0]
    return found


def interval(plain: Floats, boosted: Floats) -> tuple[float, float, float]:
    """The relative difference of the means and its 95 % interval over topics."""
    drawn = np.random.default_rng(SEED).integers(0, len(plain), (SAMPLES, len(plain)))
    ratios = boosted[drawn].mean(axis=1) / plain[drawn].mean(axis=1) - 1
    low, high = np.quantile(ratios, [0.025, 0.975]).tolist()
    return float(boosted.mean() / plain.mean() - 1), low, high


def words(texts: Mapping[str, str]) -> float:
    return float(np.mean([len(text.split()) for text in texts.values()]))


def conditions(name: str, both: Terms | None, options: argparse.Namespace) -> list[list[str]]:
    """A row for each condition: lengths, the plain figure, and what every weighting makes of the terms."""
    questions = SOURCES[name](options)
    ways = settings(questions.source.documents, both if name != "fr94" else None)
    ways = {way: made for way, made in ways.items() if not options.ways or way in options.ways}
    rows = []
    joined_by = JOINED if name != "fr94" else (1,)
    with Terminal().work("search", name, len(joined_by) * (len(ways) + 1), "settings") as step:
        for number in joined_by:
            joined = join(questions, number)
            documents = joined.source.documents
            length = words({document.id: document.text for document in documents})
            plain = precisions(documents, questions.asked, joined, options)
            step.advance(name=name)
            for way, make in ways.items():
                attribution = make()
                texts = InMemory(DeltaDocuments(documents, attribution))
                asked = {kind: attribution.queries(queries) for kind, queries in questions.asked.items()}
                boosted = precisions(texts, asked, joined, options)
                for kind, queries in questions.asked.items():
                    cells = []
                    for weighting in options.weightings:
                        own = plain[kind, weighting]
                        ratio, low, high = interval(own, boosted[kind, weighting])
                        cells.append(f"{own.mean():.3f} {ratio:+.1%} ({low:+.1%} to {high:+.1%})")
                    rows.append([name, kind, f"{words(queries):.0f}", f"{length:.0f}", way, *cells])
                    print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
                step.advance(name=name)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("collections", nargs="*", choices=[*SOURCES, []])
    parser.add_argument("--data", type=Path, default=DATA, help="where the archives are")
    parser.add_argument("--fr94", help="the documents of the Federal Register")
    parser.add_argument("--size", type=int, default=8_000, help="documents of the Federal Register (8000)")
    parser.add_argument("--topics", type=int, default=1_000, help="terms of PlanetMath that are asked (1000)")
    parser.add_argument("--weighting", dest="weightings", action="append", choices=WEIGHTINGS, help="default: all")
    parser.add_argument("--terms", dest="ways", action="append", help="a setting of terms, may be repeated (all)")
    parser.add_argument("--format", choices=FORMS, default="table")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.weightings = options.weightings or list(WEIGHTINGS)
    names = options.collections or [name for name in SOURCES if name != "fr94" or options.fr94]
    if "fr94" in names and not options.fr94:
        parser.error("fr94 needs --fr94 FOLDER")
    both = None
    if set(names) - {"fr94"}:
        pages, articles = arqmath(options.data, options.work), planetmath(options.data, options.work)
        both = extract(InMemory([*pages.documents, *articles.documents]), TermSettings()).terms
    header = ["collection", "question", "words", "words of a document", "terms", *options.weightings]
    rows = [row for name in names for row in conditions(name, both, options)]
    print(TextTable(header, rows, 5).form(options.format), end="")


if __name__ == "__main__":
    main()
