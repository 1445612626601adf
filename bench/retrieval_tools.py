"""What bench/retrieval.py runs, each function in a process of its own: it prints as JSON what the function returns.

python bench/retrieval_tools.py TOOL DOCUMENTS INDEX QUERIES.json
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

WORDS = "words|lower|stop(smart)|porter"
GRAMS = "words|lower|stop(smart)|ngrams(4, pad=_)"
DEPTH = 1000
ASKED = 1000

Phases = dict[str, Any]


class Job(NamedTuple):
    """What a tool gets: the folder of documents, the folder for its index, and the queries."""

    documents: Path
    folder: Path
    queries: list[str]


def stop_words() -> list[str]:
    from adjudge.text.stopwords import words_of

    return sorted(words_of("smart"))


def read(job: Job) -> Phases:
    from adjudge.formats.documents import read_documents

    return {"documents": sum(1 for _ in read_documents(job.documents))}


def queries(job: Job) -> Phases:
    """Pieces of sentences from a thousand documents, chosen with a seed; made in a process as the tools are."""
    from adjudge.formats.documents import read_documents

    rng = np.random.default_rng(1994)
    long: list[list[str]] = []
    for document in read_documents(job.documents):
        found = re.findall(r"[A-Za-z]{2,}(?: [a-zA-Z]{2,}){2,}", document.text)
        long += [[str(piece) for piece in rng.choice(found, min(3, len(found)))]] if found else []
    made = []
    for i in rng.choice(len(long), ASKED, replace=len(long) < ASKED):
        words = str(rng.choice(long[i])).split()
        length = int(rng.integers(3, 13))
        first = int(rng.integers(0, max(1, len(words) - length + 1)))
        made.append(" ".join(words[first : first + length]).lower())
    return {"queries": made}


def _adjudge_index(job: Job, analyzer: str) -> Phases:
    from adjudge.formats.documents import read_documents
    from adjudge.index.building import build

    build(read_documents(job.documents), job.folder, analyzer=analyzer)
    return {}


def adjudge_index(job: Job) -> Phases:
    return _adjudge_index(job, WORDS)


def adjudge_grams(job: Job) -> Phases:
    return _adjudge_index(job, GRAMS)


def adjudge_search(job: Job) -> Phases:
    from adjudge.index.index import Index
    from adjudge.index.searching import Searcher

    searcher = Searcher(Index.open(job.folder), "bm25(k1=1.2, b=0.75)")
    return twice(lambda: [list(hits.ids[:10]) for hits in searcher.search(job.queries, k=DEPTH)])


def bm25s_index(job: Job) -> Phases:
    import bm25s
    import Stemmer

    from adjudge.formats.documents import read_documents

    ids, texts = [], []
    for document in read_documents(job.documents):
        ids.append(document.id)
        texts.append(document.text)
    stemmer = Stemmer.Stemmer("porter")
    tokens = bm25s.tokenize(texts, stopwords=stop_words(), stemmer=stemmer, show_progress=False)
    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    retriever.index(tokens, show_progress=False)
    retriever.save(job.folder, show_progress=False)
    (job.folder / "ids.txt").write_text("\n".join(ids))
    return {}


def _bm25s_search(job: Job, threads: int) -> Phases:
    import bm25s
    import Stemmer

    retriever = bm25s.BM25.load(job.folder, show_progress=False)
    retriever.backend = "numba"
    retriever.activate_numba_scorer()
    ids, stop, stemmer = (
        np.array((job.folder / "ids.txt").read_text().split("\n")),
        stop_words(),
        Stemmer.Stemmer("porter"),
    )

    def ask() -> list[list[str]]:
        tokens = bm25s.tokenize(job.queries, stopwords=stop, stemmer=stemmer, return_ids=False, show_progress=False)
        k = min(DEPTH, len(ids))
        found = retriever.retrieve(tokens, k=k, n_threads=threads, show_progress=False)
        return [list(row) for row in ids[found.documents[:, :10]].tolist()]

    return twice(ask)


def bm25s_search(job: Job) -> Phases:
    return _bm25s_search(job, 0)


def bm25s_threads(job: Job) -> Phases:
    return _bm25s_search(job, -1)


def _tantivy(index: Path) -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("text", tokenizer_name="smart", index_option="freq")
    index.mkdir(exist_ok=True)
    opened = tantivy.Index(builder.build(), path=str(index))
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
    analyzer = analyzer.filter(tantivy.Filter.custom_stopword(stop_words())).filter(tantivy.Filter.stemmer("english"))
    opened.register_tokenizer("smart", analyzer.build())
    return opened


def tantivy_index(job: Job) -> Phases:
    import tantivy

    from adjudge.formats.documents import read_documents

    writer = _tantivy(job.folder).writer(heap_size=512_000_000)
    for document in read_documents(job.documents):
        writer.add_document(tantivy.Document(id=document.id, text=document.text))
    writer.commit()
    writer.wait_merging_threads()
    return {}


def tantivy_search(job: Job) -> Phases:
    opened = _tantivy(job.folder)
    searcher = opened.searcher()

    def ask() -> list[list[str]]:
        answers = []
        for query in job.queries:
            parsed, _ = opened.parse_query_lenient(query, ["text"])  # a query of stop words alone is an error otherwise
            hits = searcher.search(parsed, DEPTH, count=False).hits
            answers.append([searcher.doc(address)["id"][0] for _, address in hits[:10]])
        return answers

    return twice(ask)


def twice(ask: Callable[[], list[list[str]]]) -> Phases:
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        answers = ask()
        times.append(time.perf_counter() - begin)
    return {"first": times[0], "again": times[1], "answers": answers}


if __name__ == "__main__":
    tool, *folders, questions = sys.argv[1:]
    job = Job(Path(folders[0]), Path(folders[1]), json.loads(Path(questions).read_text()))
    print(json.dumps(globals()[tool](job)))
