"""A workbench that is killed while people decide: what was acknowledged is in the store, and the store can be read."""

from __future__ import annotations

import html
import http.client
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from chaos.trial import Outcome, end, environment
from workbench_project import make, plain, quintic

THREADS = ("14655", "101", "102")


class Visitor:
    """Somebody who writes notes, with a browser of few abilities."""

    def __init__(self, address: str) -> None:
        self.host = address.split("/")[2]
        self.headers: dict[str, str] = {}

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            headers = dict(self.headers)
            if form is not None:
                headers["content-type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, urlencode(form) if form is not None else None, headers)
            answer = connection.getresponse()
            if cookie := answer.getheader("set-cookie"):
                self.headers["cookie"] = cookie.partition(";")[0]
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def write(self, thread: str, note: str) -> bool:
        """Whether a note was acknowledged."""
        _, page = self.ask("GET", f"/thread?id={thread}")
        token = re.search(r'name="csrf" value="([^"]*)"', page)
        if token is None:
            return False
        form = {"csrf": html.unescape(token[1]), "thread": thread, "kind": "note", "value": note}
        status, _ = self.ask("POST", "/decide", form)
        return status in {200, 303}


def serve(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    command = [sys.executable, "-m", "adjudge", "collect", "serve", "project", "--name", "Ada", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    line = process.stderr.readline().decode()
    address = re.search(r"threads at (http://\S+/)", line)
    if address is None:
        end(process)
        raise AssertionError(f"the workbench does not start: {line}")
    return process, address[1]


def serving_trial(rng: random.Random) -> Outcome:
    """Kill a workbench one to three times while notes are written; all that were acknowledged are there."""
    from adjudge.collection.qa.project import open_project
    from adjudge.collection.workbench.store.open_store import open_store
    from adjudge.collection.workbench.store_check import check_store

    folder = Path(tempfile.mkdtemp(prefix="adjudge-chaos-"))
    acknowledged: list[str] = []
    how, wrong = [], list[str]()
    try:
        make(folder / "project", quintic(), plain(101), plain(102))
        for time_ in range(rng.choice((1, 2, 3))):
            process, address = serve(folder)
            people = [Visitor(address) for _ in range(2)]
            wanted = rng.randint(1, 8)
            how.append(f"after {wanted} notes")
            ended = threading.Event()

            def work(who: int, people: list[Visitor] = people, ended: threading.Event = ended, go: int = time_) -> None:
                number = 0
                while not ended.is_set():
                    text = f"note {go} {who} {number}"
                    number += 1
                    with suppress(OSError, http.client.HTTPException):
                        if people[who].write(THREADS[number % 3], text):
                            acknowledged.append(text)

            workers = [threading.Thread(target=work, args=(who,), daemon=True) for who in range(2)]
            for worker in workers:
                worker.start()
            before = len(acknowledged)
            while len(acknowledged) < before + wanted and process.poll() is None:
                ended.wait(0.005)
            ended.wait(rng.random() * 0.05)
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            ended.set()
            end(process)
            for worker in workers:
                worker.join(60)
        project = open_project(folder / "project")
        with open_store(str(project.store_path)) as store:
            check = check_store(project, store)
            kept = {change.value for event in store.events() for change in event.act.changes}
        wrong += [f"lost: {note}" for note in acknowledged if note not in kept]
        wrong += [] if check.whole else [f"events that cannot be read: {check.bad}"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Outcome("; ".join(how), True, tuple(wrong), kills=len(how))
