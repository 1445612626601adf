"""How many judgments does each order of judging take?

    python experiments/pools.py runs covid QRELS RUN ... -o results.json
    python experiments/pools.py systems fr94 DOCUMENTS TOPICS QRELS -o results.json
    python experiments/pools.py systems cran DOCUMENTS TOPICS QRELS --exhaustive -o results.json
    python experiments/pools.py show results.json ... --chart docs/images/pools-effort.svg

``runs`` takes runs that somebody made, ``systems`` makes 18 of our own: six weightings on three analyzers. The pool
is what the runs have down to rank 1,000 and what was judged; with ``--exhaustive``, where every document was looked
at and only the relevant ones are listed, it is what they have down to rank 100. Every priority then has the pool
judged in its order, topic by topic. Counted are the judgments, as a share of the pool, until 90 % of the relevant
documents of the pool are found, and until the ranking of the runs by average precision has tau_ap_b of 0.95 and more
with the ranking by all judgments, from there on at every larger share that was tried.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import adjudge
from adjudge.correlation import tau_ap_b
from adjudge.pools.judging_queue import replay
from adjudge.pools.pool_making import make_pool
from adjudge.pools.pooled_pairs import Pool
from adjudge.report.figures.judging_effort import effort_figure
from adjudge.report.text_table import TextTable

PRIORITIES = (
    "random_order",
    "rank_order",
    "fused_order",
    "move_to_front",
    "move_to_front(form=original)",
    "hedge",
    "max_mean",
    "max_mean(rate=0)",
    "max_mean(credit=all)",
    "thompson",
)
WEIGHTINGS = ("bm25", "cosine", "dirichlet", "jelinek_mercer", "lucene_classic", "pivoted")
ANALYZERS = ("words|lower", "words|lower|stop(smart)|porter", "ngrams(n=4)")
SHARES = np.arange(0.02, 1.001, 0.02)
DEPTH = 1000


def restrict(runs: dict[str, adjudge.Run], qrels: adjudge.Qrels) -> dict[str, dict[str, dict[str, float]]]:
    """The judged documents of each run."""
    judged = {topic: {d for d, grade in own.items() if grade >= 0} for topic, own in qrels.to_dict().items()}
    kept: dict[str, dict[str, dict[str, float]]] = {}
    for name, run in runs.items():
        own = {t: {d: s for d, s in docs.items() if d in judged.get(t, ())} for t, docs in run.to_dict().items()}
        kept[name] = {topic: docs for topic, docs in own.items() if docs}
    return kept


def simulate(
    name: str, runs: dict[str, adjudge.Run], qrels: adjudge.Qrels, exhaustive: bool, chosen: Sequence[str]
) -> dict[str, Any]:
    """What every priority takes on one collection."""
    if exhaustive:
        pool = make_pool(list(runs.items()), "depth@100", topics=qrels.topics)
    else:
        pool = make_pool(list(restrict(runs, qrels).items()), f"depth@{DEPTH}")
    relevant = {t: {d for d, grade in own.items() if grade > 0} for t, own in qrels.to_dict().items()}
    full = judged_part(pool, {topic: part_rows(pool, topic) for topic in pool.topics}, qrels, 1.0)
    truth = scores(full, runs)
    results: dict[str, Any] = {"name": name, "runs": len(runs), "topics": len(pool.topics), "pairs": len(pool)}
    results["relevant"] = sum(document in relevant[topic] for topic, document, _ in pool.rows())
    results["priorities"] = {}
    for priority in chosen:
        orders = replay(pool, qrels, priority)
        results["priorities"][priority] = effort(pool, orders, relevant, qrels, runs, truth)
        print(name, priority, {k: v for k, v in results["priorities"][priority].items() if k != "found"}, flush=True)
    return results


def part_rows(pool: Pool, topic: str) -> Any:
    part = pool.topic_pool(topic)
    return np.arange(part.first, part.first + len(part))


def effort(pool: Pool, orders: Any, relevant: Any, qrels: adjudge.Qrels, runs: Any, truth: Any) -> dict[str, Any]:
    curve, total, found_at = np.zeros(len(SHARES)), 0, 0
    for topic, rows in orders.items():
        hits = np.cumsum([pool.documents[int(row)] in relevant[topic] for row in rows])
        if not len(hits) or not hits[-1]:
            continue
        total += int(hits[-1])
        curve += hits[np.maximum(1, np.ceil(SHARES * len(hits)).astype(int)) - 1]
        found_at += int(np.searchsorted(hits, 0.9 * hits[-1])) + 1
    agreements = []
    for share in SHARES:
        part = judged_part(pool, orders, qrels, float(share))
        agreements.append(float(tau_ap_b(truth, scores(part, runs))))
    good = [a >= 0.95 for a in agreements]
    stable = next((float(s) for i, s in enumerate(SHARES) if all(good[i:])), 1.0)
    return {
        "judgments_90": found_at,
        "share_90": found_at / len(pool),
        "share_tau": stable,
        "judgments_tau": round(stable * len(pool)),
        "found": (curve / total).tolist(),
    }


def judged_part(pool: Pool, orders: Any, qrels: adjudge.Qrels, share: float) -> dict[str, dict[str, int]]:
    """The judgments of the first share of each topic."""
    grades = qrels.to_dict()
    part = {}
    for topic, rows in orders.items():
        first = rows[: max(1, int(np.ceil(share * len(rows))))]
        part[topic] = {
            document: max(0, grades[topic].get(document, 0)) for document in (pool.documents[int(row)] for row in first)
        }
    return part


def scores(part: dict[str, dict[str, int]], runs: Any) -> list[float]:
    measured = adjudge.measure(part, runs, "ap", complete=True)
    return [float(measured.values[s, :, 0].mean()) for s in range(len(measured.systems))]


def own_runs(documents: str, topics: str) -> dict[str, adjudge.Run]:
    """Eighteen runs of our own systems."""
    runs = {}
    for a, analyzer in enumerate(ANALYZERS):
        tokens = f"standard|lower|{analyzer}" if analyzer.startswith("ngrams") else analyzer
        index = adjudge.index(documents, analyzer=tokens, texts=False)
        for weighting in WEIGHTINGS:
            name = f"{weighting}-{a}"
            run = adjudge.retrieve(index, topics, weighting=weighting, k=DEPTH)
            runs[name] = adjudge.read_run(run, name=name)
    return runs


def show(files: Sequence[Path], chart: Path | None) -> None:
    """Tables of all collections, and a chart of the first."""
    results = [json.loads(path.read_text()) for path in files]
    rows = []
    for priority in (p for p in PRIORITIES if all(p in result["priorities"] for result in results)):
        cells = [priority]
        for result in results:
            own = result["priorities"][priority]
            cells += [f"{own['share_90']:.0%}", f"{own['share_tau']:.0%}"]
        rows.append(cells)
    header = ["priority", *(f"{r['name']} {what}" for r in results for what in ("90 %", "tau_ap_b"))]
    print(TextTable(header, rows).markdown())
    sizes = [[r["name"], *(f"{r[k]:,}" for k in ("runs", "topics", "pairs", "relevant"))] for r in results]
    print(TextTable(["collection", "runs", "topics", "pairs", "relevant"], sizes).markdown())
    if chart is not None:
        simulated = list(results[0]["priorities"])
        found = [results[0]["priorities"][priority]["found"] for priority in simulated]
        title = f"Relevant documents found, {results[0]['name']}"
        shown = [p for p in simulated if "(" not in p]
        effort_figure(simulated, SHARES, found, selected=shown[:8], title=title).save(chart)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("runs", "systems", "show"))
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--chart", type=Path)
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--priorities", nargs="+", default=PRIORITIES, help="only these")
    options = parser.parse_args()
    if options.what == "show":
        show([Path(name) for name in options.inputs], options.chart)
        return
    name, *rest = options.inputs
    if options.what == "runs":
        qrels = adjudge.read_qrels(rest[0])
        runs = {Path(file).name: adjudge.read_run(file, name=Path(file).name) for file in rest[1:]}
    else:
        documents, topics, judgments = rest
        qrels, runs = adjudge.read_qrels(judgments), own_runs(documents, topics)
    result = simulate(name, runs, qrels, options.exhaustive, options.priorities)
    text = json.dumps(result, indent=1)
    print(text) if options.output is None else options.output.write_text(text)


if __name__ == "__main__":
    main()
