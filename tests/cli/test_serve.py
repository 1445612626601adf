"""``adjudge serve``: bad input, and a server that is really started."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.core.document import Document, InMemory
from adjudge.index.building import build
from scanned_archive import archive_index

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[serve]'")
pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[serve]'")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_index(tmp_path_factory.mktemp("archive")).folder


def refusal(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["serve", *map(str, words)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_bad_input(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no such index" in refusal(capsys, tmp_path / "none")
    assert "no index here" in refusal(capsys, tmp_path)
    bare = build(InMemory([Document("a", "x")]), tmp_path / "bare").folder
    assert "built without texts" in refusal(capsys, bare)
    assert "no such folder" in refusal(capsys, folder, "--images", tmp_path / "none")
    assert "--token-file" in refusal(capsys, folder, "--host", "0.0.0.0")  # noqa: S104
    assert "go together" in refusal(capsys, folder, "--key", "key.pem")
    assert "--allow-host takes a name" in refusal(capsys, folder, "--allow-host", "a:80")
    (tmp_path / "token.txt").write_text("short")
    assert "at least 16 characters" in refusal(capsys, folder, "--token-file", tmp_path / "token.txt")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"cannot listen on 127.0.0.1 port {port}" in refusal(capsys, folder, "--port", port)
    monkeypatch.setattr("adjudge.search_page.search_serving.find_spec", lambda name: None if name == "jinja2" else name)
    assert refusal(capsys, folder) == "the search page needs jinja2: pip install 'adjudge[serve]'"


def test_a_server_that_is_started(folder: Path) -> None:
    command = [sys.executable, "-m", "adjudge", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        match = re.search(r"4 documents at (http://127\.0\.0\.1:(\d+)/) ", line)
        assert match is not None, line
        with urllib.request.urlopen(f"{match[1]}search.json?q=canal", timeout=30) as answer:  # noqa: S310
            assert json.load(answer)["hits"][0]["id"] == "box1/p1"
        elsewhere = http.client.HTTPConnection("127.0.0.1", int(match[2]), timeout=30)
        elsewhere.request("GET", "/", headers={"Host": "evil.example"})
        assert elsewhere.getresponse().status == 421
        elsewhere.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in {0, 130}
    finally:
        process.kill()
        process.communicate()


def test_answers_are_sent_at_once() -> None:
    from adjudge.web.place import Place, listen

    with listen(Place(port=0)) as bound:
        assert bound.proto == socket.IPPROTO_TCP  # asyncio looks at it before it turns Nagle's algorithm off


def _children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes as Linux lists them")
def test_several_processes_answer_and_one_that_dies_is_not_missed(folder: Path) -> None:
    command = [sys.executable, "-m", "adjudge", "serve", str(folder), "--port", "0", "--processes", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            match = re.search(r"http://127\.0\.0\.1:\d+/", server.stderr.readline())
            assert match is not None
            address = match[0]

            def ask(path: str) -> tuple[int, dict[str, str], bytes]:
                with urllib.request.urlopen(address + path, timeout=60) as answer:  # noqa: S310
                    return answer.status, dict(answer.headers), answer.read()

            first, second = _children(server.pid)
            status, headers, body = ask("search.json?q=toll")
            assert (status, json.loads(body)["total"]) == (200, 3)
            assert headers["content-security-policy"].startswith("default-src 'none'")
            assert ask("image?id=box1/p1&page=1")[2].startswith(b"\x89PNG")
            with pytest.raises(urllib.error.HTTPError, match="404"):
                ask("document?id=none")
            os.kill(first, signal.SIGKILL)
            assert [ask("search.json?q=toll")[2] for _ in range(3)] == [body] * 3
            os.kill(second, signal.SIGKILL)
            assert [ask("search.json?q=toll")[2] for _ in range(3)] == [body] * 3
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes as Linux lists them")
def test_no_process_stays_behind(folder: Path) -> None:
    command = [sys.executable, "-m", "adjudge", "serve", str(folder), "--port", "0", "--processes", "3"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        server.stderr.readline()
        copies = _children(server.pid)
        server.kill()
        server.wait(60)
    for copy in copies:
        for _ in range(600):
            if not Path(f"/proc/{copy}").exists() or " Z " in Path(f"/proc/{copy}/stat").read_text():
                break
            time.sleep(0.1)
        else:
            raise AssertionError(f"process {copy} goes on without the server")
