"""Do judgments survive a desk that is killed again and again?

    python bench/desk_crowd.py
    python bench/desk_crowd.py --people 8 --decisions 200 --kills 30 --store postgresql://me@127.0.0.1/empty

Assessors judge over HTTP, each in a thread with a browser of few abilities, while the server (adjudge pool serve) is
ended with SIGKILL at random moments and started anew. Who gets no answer sends the same form again. At the end every
judgment that was acknowledged is in the store, once; no other is there, for each was sent until it was acknowledged.
"""

from __future__ import annotations

import argparse
import html
import http.client
import json
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import adjudge
from adjudge.judging_desk.desk_serving import open_book

FORM = ("csrf", "key", "role", "topic", "document")
PATIENCE = 120.0
"""Seconds in which a request must have been answered, kills included."""


def make_project(folder: Path, pairs: int, topics: int = 8) -> Path:
    """A project with at least so many pairs, two runs, and short documents."""
    depth = -(-pairs // topics)
    ids = [f"doc-{number}" for number in range(depth)]
    with (folder / "docs.jsonl").open("w") as file:
        file.writelines(json.dumps({"id": id_, "title": id_, "text": f"{id_}: heat pumps\n"}) + "\n" for id_ in ids)
    names = [str(number) for number in range(1, topics + 1)]
    with (folder / "topics.jsonl").open("w") as file:
        file.writelines(json.dumps({"id": name, "title": f"heat {name}"}) + "\n" for name in names)
    runs = {
        run: {name: {id_: float(step * place) for place, id_ in enumerate(ids)} for name in names}
        for run, step in (("up", 1), ("down", -1))
    }
    adjudge.pool(
        runs, folder / "project", topics=folder / "topics.jsonl", documents=folder / "docs.jsonl",
        pooling=f"depth@{depth}", priority="max_mean",
    )  # fmt: skip
    return folder / "project"


class Desk:
    """The server: started, killed, started again at the same port."""

    def __init__(self, project: Path, store: str | None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.command = [
            sys.executable, "-m", "adjudge", "pool", "serve", str(project), "--port", str(self.port),
            "--overlap", "0.3", *([] if store is None else ["--store", store]),
        ]  # fmt: skip
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert self.process.stderr is not None
        said = self.process.stderr.readline().decode()
        if " at http://" not in said:
            raise RuntimeError(f"the desk does not start: {said}{self.process.stderr.read().decode()}")

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            assert self.process.stderr is not None
            self.process.stderr.close()
            self.process = None


@dataclass
class Assessor:
    """Somebody who judges until enough is acknowledged, whatever happens to the server."""

    name: str
    port: int
    acknowledged: list[tuple[str, str, str]] = field(default_factory=list)
    """Topic, document and grade."""
    retries: int = 0
    cookie: str = ""

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Status, place to go on and page; OSError or HTTPException if nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            headers = {"cookie": self.cookie} if self.cookie else {}
            if form is not None:
                headers["content-type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, urlencode(form) if form is not None else None, headers)
            answer = connection.getresponse()
            page = answer.read().decode()
            if given := answer.getheader("set-cookie"):
                self.cookie = given.partition(";")[0]
            return answer.status, answer.getheader("location") or "", page
        finally:
            connection.close()

    def persist(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        """Ask until somebody answers."""
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError, http.client.HTTPException):
                return self.ask(method, path, form)
            self.retries += 1
            if time.monotonic() > end:
                raise RuntimeError(f"{self.name}: no answer at {path}")
            time.sleep(0.05)

    def sign_in(self) -> None:
        """A server that was started anew knows nobody."""
        form = {"csrf": field_of(self.persist("GET", "/sign-in")[2], "csrf"), "name": self.name}
        self.persist("POST", "/sign-in", form)

    def page(self, path: str) -> tuple[str, str]:
        """A page for which one has to be signed in, and where it is."""
        while True:
            status, place, page = self.persist("GET", path)
            if status == 303 and place.startswith("/sign-in"):
                self.sign_in()
            elif status == 303:
                path = place
            elif status == 200:
                return path, page
            else:
                raise RuntimeError(f"{self.name}: {status} at {path}")

    def judge(self, grade: str) -> bool:
        """Judge the next pair; False if there is none."""
        where, page = self.page("/next")
        if not where.startswith("/judge"):
            return False
        form = {name: field_of(page, name) for name in FORM} | {"grade": grade}
        while True:
            status, place, _ = self.persist("POST", "/judge", form)
            if status == 303 and not place.startswith("/sign-in"):
                self.acknowledged.append((form["topic"], form["document"], grade))
                return True
            if status == 429:
                time.sleep(0.2)
                continue
            if status not in {303, 401, 403}:
                raise RuntimeError(f"{self.name}: {status} for a judgment")
            self.sign_in()  # the same form again, with the same key, for the new server
            again = self.page(where)[1]
            form["csrf"] = field_of(again, "csrf")

    def work(self, decisions: int) -> None:
        rng = random.Random(self.name)
        for _ in range(decisions):
            if not self.judge(rng.choice("0123")):
                raise RuntimeError(f"{self.name}: nothing left to judge")


def field_of(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    if found is None:
        raise RuntimeError(f"no {name} on the page: {page[:300]}")
    return html.unescape(found[1])


@dataclass(frozen=True)
class CrowdOutcome:
    """What came of it."""

    acknowledged: int
    events: int
    lost: int
    """Acknowledged, and not in the store."""
    doubled: int
    """More often in the store than it was acknowledged."""
    kills: int
    retries: int
    seconds: float


def crowd(folder: Path, people: int, decisions: int, kills: int, store: str | None = None) -> CrowdOutcome:
    """Let assessors judge while the desk is killed, and compare what they know with what the store has."""
    project = make_project(folder, people * decisions)
    desk, rng = Desk(project, store), random.Random(kills)
    assessors = [Assessor(f"Assessor {number}", desk.port) for number in range(people)]
    failed: list[BaseException] = []

    def work(who: Assessor) -> None:
        try:
            who.work(decisions)
        except BaseException as error:
            failed.append(error)

    begin = time.perf_counter()
    desk.start()
    threads = [threading.Thread(target=work, args=(who,), daemon=True) for who in assessors]
    for thread in threads:
        thread.start()
    done = 0
    try:
        for wanted in sorted(rng.sample(range(people * decisions), kills)):
            while sum(len(who.acknowledged) for who in assessors) < wanted and not failed:
                time.sleep(0.002)
            time.sleep(rng.random() * 0.05)
            desk.kill()
            done += 1
            desk.start()
        for thread in threads:
            thread.join()
    finally:
        desk.kill()
    if failed:
        raise failed[0]
    seconds = time.perf_counter() - begin
    with open_book(project, store) as book:
        events = book.store.events()
        kept = Counter((each.who, each.topic, each.document, str(each.grade)) for each in book.judgments())
    said = Counter((who.name, *each) for who in assessors for each in who.acknowledged)
    return CrowdOutcome(
        sum(said.values()), len(events), (said - kept).total(), (kept - said).total(), done,
        sum(who.retries for who in assessors), seconds,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("people", 8), ("decisions", 200), ("kills", 30)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--store", help="an empty database (default: SQLite in the project)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        print(crowd(Path(scratch), options.people, options.decisions, options.kills, options.store))


if __name__ == "__main__":
    main()
