"""``adjudge collect serve``: people, places, and a server that is really started."""

from __future__ import annotations

import json
import re
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli import main
from adjudge.collection.qa.project import Project
from adjudge.collection.workbench.board import Board
from adjudge.collection.workbench.desk import Desk
from adjudge.collection.workbench.events import CLEAR, YES, Act, Item, ItemChange, fingerprint
from adjudge.collection.workbench.serving import workbench
from adjudge.collection.workbench.state import project_decisions
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.core.errors import DataError, SpecError
from adjudge.web.place import Place
from workbench_people import HEP, JUDGED, LABELS, MATH, accept, reject
from workbench_project import make, plain, quintic

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make(tmp_path / "project")


def run(*words: object) -> int:
    """The command in a thread of its own: a browser of other tests leaves an event loop running in the first one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(main, ["collect", "serve", *map(str, words)]).result()


@contextmanager
def started(*words: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "adjudge", "collect", "serve", *map(str, words), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"threads at (https?://\S+/)", line)
        assert found is not None, line
        yield process, found[1]
    finally:
        process.kill()
        process.communicate()


def asked(address: str, host: str | None = None, context: ssl.SSLContext | None = None) -> Any:
    request = urllib.request.Request(address, headers={"Host": host} if host else {})  # noqa: S310
    return urllib.request.urlopen(request, context=context)  # noqa: S310


def test_people_are_added_listed_and_removed(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project.folder, "--add-assessor", "Ada", "--adjudicator") == 0
    token = capsys.readouterr().out.strip()
    assert re.fullmatch(r"adj_[\w-]{43}", token)
    assert run("--add-assessor", "Bob O'Neil", project.folder) == 0
    capsys.readouterr()
    assert token.encode() not in b"".join(path.read_bytes() for path in project.folder.iterdir())
    with open_store(str(project.store_path)) as store:
        known = store.who_has(token)
        assert known is not None
        assert (known.name, known.role) == ("Ada", "adjudicator")
    assert run(project.folder, "--remove-assessor", "Ada") == 0
    assert run(project.folder, "--list-assessors") == 0
    assert capsys.readouterr().out == "Ada\tno access\nBob O'Neil\tassessor\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--adjudicator"], "--adjudicator goes with --add-assessor"),
        (["--certificate", "x"], "--certificate and --key go together"),
        (["--add-assessor", ""], "a name is needed"),
        (["--add-assessor", "x" * 65], "at most 64 characters"),
        (["--remove-assessor", "Eve"], "no assessor 'Eve'"),
        (["--host", "0.0.0.0"], "first add them with --add-assessor"),  # noqa: S104
        (["--port", "70000"], "from 0 to 65535"),
        (["--people", "0"], "from 1 to 100"),
        (["--store", "mysql://x"], "not mysql://"),
        (["--store", "/nowhere/at/all.sqlite"], "no such folder"),
        (["--allow-host", "a b"], "--allow-host takes a name"),
        (["--allow-host", "a.example:80"], "--allow-host takes a name"),
        (["--name", "x" * 65], "at most 64 characters"),
        (["--host", "198.51.100.7", "--name", "Ada"], "--name is for loopback"),
        (["--certificate", "/nowhere/cert.pem", "--key", "/nowhere/key.pem", "--port", "0"], "cert.pem"),
    ],
)
def test_mistakes_are_one_line(
    project: Project, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    assert run(project.folder, *words) == 2
    said = capsys.readouterr().err.splitlines()
    assert why in said[-1]


def test_projects_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 2
    assert "no candidates.jsonl here" in capsys.readouterr().err
    (tmp_path / "candidates.jsonl").write_text("")
    assert run(tmp_path) == 2
    assert "no candidates" in capsys.readouterr().err
    good = asdict(plain(1))
    for bad, why in (
        ({"citations": []}, "cites nothing"),
        ({"citations": [*good["citations"], *good["citations"]]}, "cites a document twice"),
        ({"citations": [{**good["citations"][0], "document": "a\x00"}]}, "cannot be the id"),
        ({"thread": {**good["thread"], "id": "\ud800"}}, "is not valid Unicode"),
        ({"thread": {**good["thread"], "id": ""}}, "a thread without an id"),
        ({"sentences": [{**good["sentences"][0], "number": 0}]}, "number below 1"),
    ):
        (tmp_path / "candidates.jsonl").write_text(json.dumps(good | bad))
        assert run(tmp_path) == 2
        assert why in capsys.readouterr().err


def test_a_port_that_is_taken(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    with started(project.folder) as (_, address):
        port = address.rstrip("/").rpartition(":")[2]
        assert run(project.folder, "--port", port) == 2
        assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in capsys.readouterr().err


@pytest.mark.slow
def test_a_server_answers_and_stops(project: Project) -> None:
    with started(project.folder, "--name", "Ada") as (process, address):
        with asked(address) as answer:
            page = answer.read().decode()
            assert "Begin" in page
            assert "server" not in {name.lower() for name in answer.headers}
        with pytest.raises(urllib.error.HTTPError, match="421") as refused:
            asked(address, "evil.example")
        refused.value.close()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        assert (out, err) == ("", "")
        assert process.returncode in {0, 130}


@pytest.mark.slow
def test_https_with_a_certificate(project: Project, tmp_path: Path) -> None:
    import shutil

    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with started(project.folder, "--name", "Ada", "--certificate", certificate, "--key", key) as (_, address):
        assert address.startswith("https://")
        trusted = ssl.create_default_context(cafile=str(certificate))
        with asked(address, context=trusted) as answer:
            assert "; Secure" in answer.headers["set-cookie"]
            assert "strict-transport-security" in {name.lower() for name in answer.headers}


@pytest.mark.slow
def test_a_server_killed_in_the_middle_keeps_what_it_had(project: Project) -> None:
    page = ""
    with started(project.folder, "--name", "Ada") as (process, address):
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(f"{address}thread?id=14655") as answer:
            page = answer.read().decode()
        found = re.search(r'name="csrf" value="(\w+)"', page)
        assert found is not None
        form = f"csrf={found[1]}&thread=14655&kind=clear&value=yes".encode()
        with opener.open(f"{address}decide", form) as answer:
            assert answer.status == 200
        process.kill()
        process.communicate()
    with started(project.folder, "--name", "Ada") as (_, address), asked(address) as answer:
        assert "1 begun" in answer.read().decode()


def test_tokens_wherever_others_can_come(project: Project) -> None:
    with open_store(str(project.store_path)) as store:
        for place in (Place("0.0.0.0"), Place("127.0.0.1", allowed=("bench.example.org",)), Place("::")):  # noqa: S104
            with pytest.raises(SpecError, match="--add-assessor"):
                workbench(project, store, place)
        store.add_assessor("Ada", "assessor")
        for place in (Place("0.0.0.0"), Place("127.0.0.1", allowed=("bench.example.org",)), Place("::")):  # noqa: S104
            assert workbench(project, store, place).hosts.loopback is False
        assert workbench(project, store, Place()).hosts.loopback is True
        assert Place("localhost").loopback
        assert Place("::1").loopback
        assert not Place("bench.example.org").loopback


def test_what_is_not_installed_is_named(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("adjudge.collection.workbench.serving.find_spec", lambda name: None if name == "nh3" else name)
    assert run(project.folder, "--port", "0") == 2
    assert "the workbench needs nh3: pip install 'adjudge[collect]'" in capsys.readouterr().err


def test_the_decisions_of_a_project(project: Project) -> None:
    with pytest.raises(DataError, match="no decisions yet"):
        project_decisions(project)
    with open_store(str(project.store_path)) as store:
        act = Act("k", "ann", "assessor", "14655", fingerprint(quintic()), (ItemChange(Item(CLEAR), YES),))
        store.append(act)
        store.append(act._replace(key="l", thread="gone"))
    made = project_decisions(project)
    assert (len(made.pending), made.final, made.unknown) == (6, (), ("gone",))
    assert project_decisions(project, f"sqlite:///{project.store_path}") == made


def test_what_was_decided_is_what_is_exported(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    with open_store(str(project.store_path)) as store:
        board = Board(store, project.candidates)
        accept(Desk(board, "Ada", "assessor"), "14655")
        accept(Desk(board, "Bob", "assessor"), "14655", {**LABELS, 4: "query 2", 5: "query 1"},
               {({1: 2, 2: 1}[k], document): value for (k, document), value in JUDGED.items()})  # fmt: skip
        reject(Desk(board, "Ada", "assessor"), "101")
        reject(Desk(board, "Ada", "assessor"), "102")
        accept(Desk(board, "Bob", "assessor"), "102", {1: "prelude", 2: "query 1"},
               {(1, "1001.0001"): ("total", "direct")})  # fmt: skip
    assert main(["collect", "export", str(project.folder), "--all-grades"]) == 0
    said = capsys.readouterr().err
    assert "thread 102 is skipped: Bob and Ada differ" in said or "thread 102 is skipped: Ada and Bob differ" in said
    assert "3 threads are not decided yet" in said
    assert (project.export_path / "qrels.txt").read_text() == (
        f"14655.1 0 {HEP} 2\n14655.1 0 {MATH} 0\n14655.2 0 {HEP} 0\n14655.2 0 {MATH} 1\n"
    )
    assert "Ada, Bob" in (project.export_path / "datasheet.md").read_text()
    capsys.readouterr()
    assert main(["collect", "agreement", str(project.folder), "-f", "csv"]) == 0
