"""How well do the weightings find what people judged relevant, with plain words and with stems?

    python experiments/effectiveness.py                       # all collections
    python experiments/effectiveness.py cran cacm --measures ap
    python experiments/effectiveness.py --data FOLDER --format md

A row for each measure, collection and analyzer, a column for each weighting, the best of a row marked.
The archives are looked for in ../shared/data and unpacked to a temporary folder that is kept. Judged topics with a
relevant document count, also if nothing was found for them; any grade above 0 is relevant. robust04 is TREC's topics
301-450 and 601-700 with the judgments that fall on the Federal Register (fr94), asked with the title, and with title
and description; known is the 36 known-item questions on it.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import adjudge
from adjudge.cli._terminal import Terminal
from adjudge.core.document import Documents
from adjudge.core.errors import AdjudgeError
from adjudge.formats.classic_collections import read_smart_qrels, read_smart_topics
from adjudge.formats.documents import read_documents
from adjudge.formats.qrels import read_qrels
from adjudge.formats.topics import read_topics
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.report.text_table import FORMS, TextTable, rounded

CLASSIC = {
    "cran": ("cran.all.1400", "cran.qry", "cranqrel"),
    "cisi": ("CISI.ALL", "CISI.QRY", "CISI.REL"),
    "med": ("MED.ALL", "MED.QRY", "MED.REL"),
    "npl": ("doc-text", "query-text", "rlv-ass"),
    "cacm": ("cacm.all", "query.text", "qrels.text"),
}
FR94 = ("robust04-title", "robust04-title+description", "known")
ANALYZERS = ("standard|lower", "words|lower|stop(smart)|porter")
WEIGHTINGS = ("bm25", "bm25(k1=1.2, b=0.75)", "lucene_classic", "cosine", "pivoted", "dirichlet", "jelinek_mercer")
LABELS = 3
MEASURES = ("ap", "ndcg@10", "rr")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


class Questions(NamedTuple):
    """The topics of a collection as they are asked, with what was judged."""

    name: str
    queries: Mapping[str, str]
    judgments: Mapping[str, Mapping[str, int]]


def unpacked(data: Path, archive: str, folder: str, work: Path) -> Path:
    """The folder of an archive, unpacked unless it is there."""
    if not (work / folder).exists():
        path = data / f"{archive}.tar.xz"
        if not path.exists():
            raise SystemExit(f"{path} is not there: say where the archives are with --data")
        with tarfile.open(path) as tar, tempfile.TemporaryDirectory(dir=work) as part:
            tar.extractall(part, filter="data")
            (Path(part) / folder).rename(work / folder)
    return work / folder


def classic(names: list[str], data: Path, work: Path) -> tuple[Documents, list[Questions]]:
    (name,) = names
    folder = unpacked(data, "classic-collections", "glasgow", work) / name
    documents, queries, judged = (folder / file for file in CLASSIC[name])
    asked = {topic.id: topic.title for topic in read_smart_topics(queries)}
    whole = judged.read_bytes() + (b"\n/\n" if name == "npl" else b"")  # the last list of NPL lacks its end
    return read_documents(documents), [Questions(name, asked, read_smart_qrels(BytesIO(whole)).to_dict())]


def fr94(names: list[str], data: Path, work: Path) -> tuple[Documents, list[Questions]]:
    folder = unpacked(data, "robust04-on-fr94", "robust04", work)
    topics = read_topics(folder / "topics.robust04.txt")
    judged = read_qrels(folder / "qrels.robust04.fr94.txt").to_dict()
    known = data / "fr94-known-items"
    asked = [
        Questions(FR94[0], {t.id: t.title for t in topics}, judged),
        Questions(FR94[1], {t.id: f"{t.title} {t.description}" for t in topics}, judged),
        Questions(
            FR94[2],
            {t.id: t.title for t in read_topics(known / "questions.tsv")},
            read_qrels(known / "qrels.txt").to_dict(),
        ),
    ]
    documents = read_documents(unpacked(data, "fr94", "fr94", work))
    return documents, [questions for questions in asked if questions.name in names]


def figures(searcher: Searcher, questions: Questions, measures: list[str]) -> tuple[int, dict[str, float]]:
    """How many topics count, and the mean of each measure over them."""
    relevant = {t: grades for t, grades in questions.judgments.items() if any(g > 0 for g in grades.values())}
    run = searcher.run({t: questions.queries[t] for t in relevant}, k=1000, name="run")
    scores = adjudge.measure(relevant, {"run": run}, measures, complete=True)
    return len(relevant), scores.mean()["run"]


def table(options: argparse.Namespace) -> TextTable:
    names = options.collections or [*CLASSIC, *FR94]
    shared = [name for name in names if name in FR94]
    sources = [[name] for name in names if name in CLASSIC] + ([shared] if shared else [])
    found: dict[tuple[str, str], list[tuple[int, dict[str, float]]]] = {}
    steps = len(names) * len(ANALYZERS) * len(WEIGHTINGS)
    with Terminal().work("search", total=steps, unit="runs") as step:
        for source in sources:
            documents, asked = (fr94 if source is shared else classic)(source, options.data, options.work)
            for analyzer in ANALYZERS:
                with tempfile.TemporaryDirectory(dir=options.work) as folder:
                    index = build(documents, Path(folder) / "index", analyzer=analyzer)
                    for weighting in WEIGHTINGS:
                        searcher = Searcher(index, weighting)
                        for questions in asked:
                            cell = figures(searcher, questions, options.measures)
                            found.setdefault((questions.name, analyzer), []).append(cell)
                            step.advance(name=questions.name)
    exact: list[list[object]] = []
    rows: list[list[str]] = []
    best: set[tuple[int, int]] = set()
    for measure in options.measures:
        for name in names:
            for analyzer in ANALYZERS:
                made = found[name, analyzer]
                values = [each[measure] for _, each in made]
                best.add((len(rows), LABELS + 1 + values.index(max(values))))
                rows.append([measure, name, analyzer, str(made[0][0]), *(rounded(value, 4) for value in values)])
                exact.append([measure, name, analyzer, made[0][0], *values])
    return TextTable(["measure", "collection", "analyzer", "topics", *WEIGHTINGS], rows, LABELS, frozenset(best), exact)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", choices=[*CLASSIC, *FR94, []])
    parser.add_argument("--data", type=Path, default=DATA, help="where the archives are")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-effectiveness")
    parser.add_argument("--measures", type=lambda text: text.split(","), default=list(MEASURES))
    parser.add_argument("--format", choices=FORMS, default="table")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    try:
        print(table(given).form(given.format), end="")
    except AdjudgeError as error:
        raise SystemExit(str(error)) from None
