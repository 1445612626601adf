"""Do technical terms that count more than other words make searching better?

    python experiments/technical_terms.py                           # ARQMath, PlanetMath, Cranfield, CISI, MED
    python experiments/technical_terms.py cran med --format md
    python experiments/technical_terms.py --grid                    # every setting on every collection too

Section 4 of Stathopoulos & Teufel (2015) made anew: Lucene's vector space and BM25 on plain texts, and on texts in
which the terms that C-value finds in the documents stand as one token, so many times as the boost says. mathematics.py
says how ARQMath and PlanetMath became collections. All four have the paper's analyzer, which keeps stop words and
dashes and does not stem ("words"); then all four have stems and no stop words ("stems").

The first table has the paper's own setting (boost 2) on all topics: nothing was tuned. In the second the emission
was chosen by MAP on a half of the topics, drawn by the seed, and all figures are those of the other half: "terms only"
as in the paper, where a term's words lose their frequencies to it, and "words kept", where they do not. p: Wilcoxon's
test on average precision, corrected by Holm over the collections.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from mathematics import CLASSIC, DATA, MATHEMATICS, Collection, collection

import adjudge
from adjudge.cli._terminal import Terminal
from adjudge.comparison.paired import corrections, paired_tests
from adjudge.core.document import Documents, InMemory
from adjudge.core.errors import AdjudgeError
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.report.text_table import FORMS, TextTable, rounded
from adjudge.terms.attribution import Attribution, DeltaDocuments, Emission
from adjudge.terms.extraction import TermSettings, extract

Floats = npt.NDArray[np.float64]
BOOSTS = (1.0, 1.5, 2.0, 3.0, 4.0)
ANALYZERS = ("standard(dashes=true)|lower", "standard(dashes=true)|lower|stop(smart)|porter")
WEIGHTINGS = ("lucene_classic", "bm25")
PLAIN, PAPER = "plain", "text, boost 2"
ONLY = {f"text, boost {boost:g}": Emission(boost=boost) for boost in BOOSTS} | {
    "plus_one": Emission("plus_one"),
    "double_all": Emission("double_all"),
    "text, boost 1, nested too": Emission(boost=1.0, policy="all"),
    "text, boost 2, nested too": Emission(boost=2.0, policy="all"),
}
KEPT = {f"{name}, words kept": Emission(e.emission, e.boost, e.policy, keep_words=True) for name, e in ONLY.items()}
WAYS = {"terms only": tuple(ONLY), "words kept": tuple(KEPT)}
Found = dict[str, Floats]
"""Average precision of all topics, by setting."""


def searched(
    documents: Documents, queries: Mapping[str, str], source: Collection, analyzer: str, work: Path
) -> dict[str, Floats]:
    """Average precision of every topic, by weighting."""
    made = {}
    with tempfile.TemporaryDirectory(dir=work) as folder:
        index = build(documents, Path(folder) / "index", analyzer=analyzer)
        for weighting in WEIGHTINGS:
            run = Searcher(index, weighting).run(queries, k=1000, name="run")
            scores = adjudge.measure(source.relevant, {"run": run}, ["ap"], complete=True)
            by_topic = scores.per_topic("run")
            made[weighting] = np.array([by_topic[topic]["ap"] for topic in source.relevant])
    return made


def figures(name: str, options: argparse.Namespace) -> tuple[dict[tuple[str, str], Found], dict[str, Any]]:
    """Average precisions by analyzer and weighting, and what is told of the collection."""
    source = collection(name, options.data, options.work)
    terms = extract(source.documents, TermSettings(tagger=options.tagger, filter=options.filter)).terms
    found: dict[tuple[str, str], Found] = {(a, w): {} for a in ANALYZERS for w in WEIGHTINGS}
    plain = Attribution(terms)
    asked = [sum(plain.terms_in(text).values()) for text in source.queries.values()]
    told = {"topics": len(source.relevant), "terms": len(terms), "documents": sum(1 for _ in source.documents)}
    told |= {"with terms": sum(number > 0 for number in asked), "terms a topic": float(np.mean(asked))}
    settings: dict[str, Emission | None] = {PLAIN: None, **ONLY, **KEPT}
    with Terminal().work("search", name, len(settings) * len(ANALYZERS), "settings") as step:
        for setting, emission in settings.items():
            documents, queries = source.documents, source.queries
            if emission is not None:
                attribution = Attribution(terms, emission)
                documents = InMemory(DeltaDocuments(documents, attribution))
                queries = attribution.queries(queries)
            for analyzer in ANALYZERS:
                for weighting, values in searched(documents, queries, source, analyzer, options.work).items():
                    found[analyzer, weighting][setting] = values
                step.advance(name=name)
    return found, told


def halves(topics: int, seed: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Topics for tuning, and those that are reported."""
    order = np.random.default_rng(seed).permutation(topics)
    return order[: topics // 2], order[topics // 2 :]


def row(plain: Floats, boosted: Floats) -> list[float]:
    """Means, their difference, the share of it, topics gained and lost, p."""
    both = np.array([plain, boosted])
    p = float(paired_tests.parse("wilcoxon")(both, np.array([[1, 0]]))[0])
    gained, lost = int((boosted > plain).sum()), int((boosted < plain).sum())
    base = float(plain.mean())
    return [
        base,
        float(boosted.mean()),
        float(boosted.mean()) - base,
        float(boosted.mean()) / base - 1,
        gained,
        lost,
        p,
    ]


HEADER = ["MAP plain", "boosted", "difference", "relative", "gained", "lost", "p", "p Holm"]


def table(labels: Sequence[str], rows: list[tuple[list[str], list[float]]], family: int) -> TextTable:
    """Rows of figures, p corrected within families: ``rows`` has one family after the other."""
    holm = corrections.parse("holm")
    corrected: list[float] = []
    for first in range(0, len(rows), family):
        corrected += holm(np.array([figures[-1] for _, figures in rows[first : first + family]])).tolist()
    exact: list[list[object]] = [[*own, *values, p] for (own, values), p in zip(rows, corrected, strict=True)]
    shown = [
        [
            *own,
            *(rounded(x, 4) for x in values[:3]),
            f"{values[3]:+.1%}",
            *(f"{x:.0f}" for x in values[4:6]),
            *(f"{p:.4f}" if p >= 0.0001 else f"{p:.0e}" for p in (values[6], after)),
        ]
        for (own, values), after in zip(rows, corrected, strict=True)
    ]
    return TextTable([*labels, *HEADER], shown, len(labels), exact=exact)


def tables(found: Mapping[str, dict[tuple[str, str], Found]], seed: int) -> list[tuple[str, TextTable]]:
    made, kinds = [], [(a, w) for a in ANALYZERS for w in WEIGHTINGS]
    stems = {ANALYZERS[0]: "words", ANALYZERS[1]: "stems"}
    paper = [
        ([stems[a], w, name], row(kind[a, w][PLAIN], kind[a, w][PAPER]))
        for a, w in kinds
        for name, kind in found.items()
    ]
    made.append(
        ("The paper's setting (boost 2), all topics", table(["text", "weighting", "collection"], paper, len(found)))
    )
    tuned = []
    for way, settings in WAYS.items():
        for a, w in kinds:
            for name, kind in found.items():
                own = kind[a, w]
                tune, test = halves(len(own[PLAIN]), seed)
                best = max(settings, key=lambda s: float(own[s][tune].mean()))
                label = best.removesuffix(", words kept").removeprefix("text, ")
                tuned.append(([way, stems[a], w, name, label], row(own[PLAIN][test], own[best][test])))
    labels = ["way", "text", "weighting", "collection", "chosen"]
    made.append(("Chosen on a half of the topics, the other half reported", table(labels, tuned, len(found))))
    return made


def grid(found: Mapping[str, dict[tuple[str, str], Found]]) -> TextTable:
    """MAP of every setting on all topics, for the record; nothing may be concluded from its best row."""
    settings = [PLAIN, *ONLY, *KEPT]
    columns = [(name, a, w) for name in found for a in ANALYZERS for w in WEIGHTINGS]
    header = ["setting", *(f"{n} {'words' if a == ANALYZERS[0] else 'stems'} {w}" for n, a, w in columns)]
    values = [[float(found[n][a, w][s].mean()) for s in settings] for n, a, w in columns]
    return TextTable.of_numbers(header, settings, values, digits=4, better="high")


def main(options: argparse.Namespace) -> None:
    names = options.collections or [*MATHEMATICS, "cran", "cisi", "med"]
    with ProcessPoolExecutor(options.workers) as pool:
        under_way = {name: pool.submit(figures, name, options) for name in names}
        made = {name: future.result() for name, future in under_way.items()}
    found, told = ({name: made[name][part] for name in names} for part in (0, 1))
    sizes = [
        [name, *(str(x) if isinstance(x, int) else f"{x:.2f}" for x in own.values())] for name, own in told.items()
    ]
    print(TextTable(["collection", *next(iter(told.values()))], sizes).form(options.format))
    for title, table_of in tables(found, options.seed):
        print(f"{title}\n\n{table_of.form(options.format)}")
    if options.grid:
        print(grid(found).form(options.format))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", choices=[*MATHEMATICS, *CLASSIC, []])
    parser.add_argument("--data", type=Path, default=DATA, help="where the archives are")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "adjudge-technical-terms")
    parser.add_argument("--tagger", default="lexicon")
    parser.add_argument("--filter", default="open")
    parser.add_argument("--workers", type=int, default=2, help="collections at a time")
    parser.add_argument("--seed", type=int, default=0, help="of the halves")
    parser.add_argument("--grid", action="store_true", help="every setting, too")
    parser.add_argument("--format", choices=FORMS, default="table")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    try:
        main(given)
    except AdjudgeError as error:
        raise SystemExit(str(error)) from None
