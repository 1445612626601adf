"""How long does the judging desk think about a page, with two million pairs in the pool and many judgments?

    python bench/desk_pairs.py
    python bench/desk_pairs.py --topics 25 --judged 5000

Runs of 1,000 documents a topic are pooled, and two people have judged pairs of all topics. Then the desk is started as
the command starts it, and asked as a browser asks it: next pair, the pair, a judgment, topics, one topic, and a search
over the pool: by a word that many documents have, one that few have, and parts of ids, in an index of texts of 60
words. Shown are milliseconds of processor time and by the clock, median and largest; the first time of a topic is told
apart.
"""

from __future__ import annotations

import argparse
import gc
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import adjudge
from adjudge.collection.workbench.events import to_json
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import INSERT
from adjudge.core.run import Run
from adjudge.core.strings import Strings
from adjudge.judging_desk.desk_rules import DeskRules
from adjudge.judging_desk.desk_serving import judging_desk
from adjudge.judging_desk.judgment_events import judgment_changes
from adjudge.pools.pool_files import open_pool
from adjudge.verbs.desk_verbs import pooled_documents
from adjudge.web.place import Place

DEPTH = 1000
CORPUS = 200_000
WORDS = 60
"""Words of a document."""
SEARCHES = {
    "a word of a fifth of the documents": "frequent",
    "a word of 20 documents": "rare",
    "both": "frequent rare",
    "a word of none": "absent",
    "a part of all ids": "doc-",
    "a part of few ids": "c-0042",
    "a part of no id": "doc-1x",
}


def make(folder: Path, runs: int, topics: int, judged: int) -> Path:
    """A project whose runs have few documents in common, and judgments in its store."""
    rng = np.random.default_rng(0)
    names = tuple(f"{t + 1:03d}" for t in range(topics))
    offsets = np.arange(topics + 1, dtype=np.int64) * DEPTH
    made = []
    for r in range(runs):
        ids = np.concatenate([rng.choice(CORPUS, DEPTH, replace=False) for _ in range(topics)])
        scores = np.tile(np.arange(DEPTH, 0, -1.0), topics)
        documents = Strings.of([f"doc-{number:06d}" for number in ids.tolist()])
        made.append((f"run{r}", Run(names, offsets, documents, scores, f"run{r}")))
    pool = adjudge.pool(dict(made), folder / "project", pooling=f"depth@{DEPTH}", priority="max_mean")
    rows = rng.choice(len(pool), judged, replace=False)
    with open_store(str(folder / "project" / "store.sqlite")) as store, store._writing() as connection:
        for number, row in enumerate(rows.tolist()):
            pair = pool.pair(row)
            changes = to_json(judgment_changes(pair.document, int(rng.random() < 0.1), seconds=9.0))
            who = ("Ada", "Bob")[number % 2]
            at = "2026-01-01T10:00:00.000000+00:00"
            connection.execute(INSERT, (at, f"act {number}", who, "assessor", pair.topic, "", changes, None))
    print(pool)
    return folder / "project"


def texts(folder: Path) -> Path:
    """An index of all documents, made-up words in the usual frequencies."""
    rng = np.random.default_rng(2)

    def documents() -> Iterator[adjudge.Document]:
        for number in range(CORPUS):
            words = [f"w{word}" for word in rng.zipf(1.3, WORDS).clip(max=50_000).tolist()]
            words += ["frequent"] * (number % 5 == 0) + ["rare"] * (number % 10_000 == 0)
            yield adjudge.Document(f"doc-{number:06d}", " ".join(words))

    adjudge.index(documents(), folder / "docs.index")
    return folder / "docs.index"


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    clock, begin = time.perf_counter(), time.process_time()
    result = work()
    return 1000 * (time.process_time() - begin), 1000 * (time.perf_counter() - clock), result


def main() -> None:
    from starlette.testclient import TestClient

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("runs", 9), ("topics", 230), ("judged", 100_000), ("rounds", 40)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        project = make(Path(scratch), options.runs, options.topics, options.judged)
        with open_store(str(project / "store.sqlite")) as store:
            rules = DeskRules(overlap=0.0)
            source = pooled_documents(texts(Path(scratch)), open_pool(project))
            spent, clock, desk = timed(
                lambda: judging_desk(project, store, Place(), "Ada", ["Ada"], source, rules=rules)
            )
            print(f"started: {spent / 1000:.1f} s of processor time, {clock / 1000:.1f} s by the clock", flush=True)
            gc.freeze()  # as serving does
            ask(TestClient(desk, base_url="http://127.0.0.1:8300"), options.topics, options.rounds)
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def ask(client: Any, topics: int, rounds: int) -> None:
    found: dict[str, list[tuple[float, float]]] = {}

    def measured(name: str, work: Callable[[], Any]) -> Any:
        spent, clock, answer = timed(work)
        found.setdefault(name, []).append((spent, clock))
        assert answer.status_code in {200, 303}, (name, answer.status_code, answer.text[:300])
        return answer

    client.get("/")
    rng = np.random.default_rng(1)
    for number in range(rounds):
        topic = f"{rng.integers(topics) + 1:03d}"
        for time_ in ("a topic for the first time", "again"):
            where = f"/next?topic={topic}"
            onward = measured(f"next pair, {time_}", partial(client.get, where, follow_redirects=False))
            page = measured(f"pair, {time_}", partial(client.get, onward.headers["location"]))
            names = ("csrf", "key", "role", "topic", "document")
            form = {name: re.findall(rf'name="{name}" value="([^"]*)"', page.text)[0] for name in names}
            form["grade"] = str(number % 2)
            measured("judgment", partial(client.post, "/judge", data=form, follow_redirects=False))
        if number % 8 == 0:
            measured("topics", partial(client.get, "/"))
            measured("one topic", partial(client.get, f"/topic?id={topic}"))
            for name, words in SEARCHES.items():
                for where, within in (("all topics", ""), ("a topic", topic)):
                    asked = {"words": words, "topic": within}
                    measured(f"search {where}, {name}", partial(client.get, "/find", params=asked))
    for name, times in found.items():
        spent, clock = np.array(times).T
        medians = f"median {np.median(spent):.1f} ms of processor time ({np.median(clock):.1f} by the clock)"
        print(f"{name}: {medians}, most {spent.max():.1f} ({clock.max():.1f})")


if __name__ == "__main__":
    main()
