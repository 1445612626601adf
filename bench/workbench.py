"""How long does the workbench think about a page, when it has fifty thousand threads with decisions?

    python bench/workbench.py
    python bench/workbench.py --threads 5000 --decided 4000

Threads of six sentences and two cited documents are made, and the decisions of two people on four in five of them, as
the page makes them: twelve events a person and thread, of which one in twenty differs from that of the other. Then the
workbench is started and asked for every page, first and again after a decision. Seconds of processor time, the largest
of several; what the start takes is told apart, for nobody waits for a page then.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from adjudge.collection.qa.project import Project, open_project, write_candidates
from adjudge.collection.qa.threads import Candidate, Citation, Part, Post, Sentence, Thread
from adjudge.collection.workbench.events import Item, ItemChange, fingerprint, to_json
from adjudge.collection.workbench.serving import workbench
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import INSERT
from adjudge.web.place import Place

WORDS = ["manifold", "bundle", "curve", "operator", "state", "qubit", "gate", "channel", "lattice", "theorem", "metric"]


def candidate(number: int) -> Candidate:
    rng = random.Random(number)
    texts = [" ".join(rng.choices(WORDS, k=15)) for _ in range(6)]
    sentences = tuple(
        Sentence(n, (Part("text", f"Let {text} be "), Part("formula", f"x_{n}"), Part("text", ".")), "prelude")
        if n < 5
        else Sentence(n, (Part("text", f"What is {text}?"),), "query", n - 4)
        for n, text in enumerate(texts, 1)
    )
    html = "".join(f"<p>Let {text} be $x_{n}$.</p>" for n, text in enumerate(texts, 1))
    question = Post(str(number), html, "2020-01-01T00:00:00", rng.randint(0, 40), "1")
    answer = Post(f"{number}9", f"<p>See arXiv:0704.{number % 9999:04d}.</p>{html}", "2020-01-02T00:00:00", 3, "2")
    documents = [f"0704.{number % 9999:04d}", f"0705.{number % 9999:04d}"]
    thread = Thread(
        str(number), f"About {texts[0][:40]}", question, (answer,), f"{number}9", (), (rng.choice(WORDS), "reference")
    )
    return Candidate(thread, tuple(Citation("arxiv", d, "text", d, "See this") for d in documents), sentences)


def acts(one: Candidate, rng: random.Random) -> Iterator[list[ItemChange]]:
    """What a person does with a thread, event by event."""
    yield [ItemChange(Item("clear"), "yes")]
    yield [ItemChange(Item("answered"), "yes")]
    labels = [f"query {s.micro_topic}" if s.micro_topic else "prelude" for s in one.sentences]
    yield [ItemChange(Item("label", n), value) for n, value in enumerate(labels, 1)]
    for k in (1, 2):
        for citation in one.citations:
            total = "partial" if rng.random() < 0.05 else "total"
            yield [ItemChange(Item("totality", 0, k, citation.document), total)]
            yield [ItemChange(Item("directness", 0, k, citation.document), "direct")]
    yield [ItemChange(Item("finished"), "yes")]


def make(folder: Path, threads: int, decided: int) -> Project:
    some = [candidate(number) for number in range(1, threads + 1)]
    write_candidates(some, folder / "candidates.jsonl")
    project = open_project(folder)
    with open_store(str(project.store_path)) as store, store._writing() as connection:
        for number, one in enumerate(some[:decided]):
            text = fingerprint(one)
            for who in ("Ada", "Bob"):
                at = f"2026-01-{number % 28 + 1:02d}T10:00:"
                rows = [
                    (f"{at}{step:02d}.000000+00:00", f"{who} {number} {step}", who, "assessor", one.id, text,
                     to_json(changes), None)
                    for step, changes in enumerate(acts(one, random.Random(f"{who} {number}")))
                ]  # fmt: skip
                for row in rows:
                    connection.execute(INSERT, row)
    return project


def gathered() -> None:
    """Wait until all is done that is done beside the first requests, so that it is in no figure of a page."""
    for thread in threading.enumerate():
        if thread.name == "gather":
            thread.join()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def main() -> None:
    from starlette.testclient import TestClient

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=50_000)
    parser.add_argument("--decided", type=int, default=40_000)
    parser.add_argument("--folder", type=Path, help="keep the project here, and take it again if it is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        if not (folder / "candidates.jsonl").exists():
            folder.mkdir(exist_ok=True)
            make(folder, options.threads, options.decided)
        project = open_project(folder)
        print(f"{timed(lambda: project.candidates)[0]:7.3f}  candidates read", flush=True)
        with open_store(str(project.store_path)) as store:
            seconds, made = timed(lambda: workbench(project, store, Place(), adjudicators=["Eva"]))
            print(f"{seconds:7.3f}  started", flush=True)
            print(f"{timed(gathered)[0]:7.3f}  gathered beside the first requests", flush=True)
            gc.freeze()  # as serving does
            measure(TestClient(made, base_url="http://127.0.0.1:8300"), options.decided)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.0f}  MB, the most that it held")


def measure(client: Any, decided: int) -> None:
    def csrf(page: str) -> str:
        return str(re.findall(r'name="csrf" value="([^"]*)"', page)[0])

    pages = {
        "threads": "/?show=all", "to do": "/?show=todo", "find a word": "/?show=all&find=qubit",
        "find a document": "/?show=all&find=0704.0123", "by score": "/?show=all&sort=score", "thread": "/thread?id=77",
        "document": "/document?thread=77&id=0704.0077", "history": "/history?id=77", "agreement": "/agreement",
        "export": "/export", "next": "/next",
    }  # fmt: skip
    fresh = str(decided + 5)
    for name in ("Ada", "Cid", "Eva"):
        client.cookies.clear()
        client.post("/sign-in", data={"csrf": csrf(client.get("/sign-in").text), "name": name})
        for title, address in pages.items():
            first, answer = timed(partial(client.get, address))
            assert answer.status_code == 200, (address, answer.status_code, answer.text[:300])
            page = client.get(f"/thread?id={fresh}").text
            form = {"csrf": csrf(page), "thread": fresh, "kind": "clear", "value": "yes" if "x" in title else "no"}
            wrote, _ = timed(partial(client.post, "/decide", data=form))
            changed = max(timed(partial(client.get, address))[0] for _ in range(2))
            print(f"{first:7.3f} first  {changed:7.3f} after a decision ({wrote:.3f})  {name}: {title}", flush=True)


if __name__ == "__main__":
    main()
