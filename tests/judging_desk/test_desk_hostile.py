"""The judging desk among strangers: pools that were tampered with, ids, stores and documents that cannot be read."""

from __future__ import annotations

import html
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.collection.workbench.store.open_store import open_store
from adjudge.collection.workbench.store.store import StoreError
from adjudge.core.errors import ConflictError, DataError
from adjudge.judging_desk.desk_documents import DeskDocuments
from adjudge.judging_desk.desk_rules import DeskRules
from adjudge.judging_desk.desk_serving import judging_desk
from adjudge.judging_desk.judgment_files import file_names
from adjudge.pools.pool_files import MANIFEST, POOL, open_pool
from adjudge.storage.manifest import checksums
from adjudge.web.place import Place
from fuzzing.web_requests import asked
from judging_project import make_pool_project

pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("httpx2", reason="httpx2 is not installed: pip install httpx2")

from starlette.testclient import TestClient

ADDRESS = "http://127.0.0.1:8300"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_pool_project(tmp_path)


def tampered(project: Path, change: Callable[[dict[str, Any]], None]) -> None:
    body = POOL.read(project / MANIFEST)
    change(body)
    POOL.write(project / MANIFEST, body)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda body: body.update(folder="../elsewhere"), "no folder of a pool"),
        (lambda body: body.update(folder="/etc"), "no folder of a pool"),
        (lambda body: body.pop("definition"), "it lacks 'definition'"),
        (lambda body: body.update(files=[]), "does not list its files"),
        (lambda body: body.update(topics=["1", "1", "2"]), "there twice"),
        (lambda body: body.update(runs=[5]), "no list of names"),
        (lambda body: body["definition"].update(seed=-1), "its seed is negative"),
        (lambda body: body["definition"].update(budget=[]), "damaged"),
    ],
)
def test_a_manifest_that_cannot_be(project: Path, change: Any, why: str) -> None:
    tampered(project, change)
    with pytest.raises(DataError, match=why):
        open_pool(project)


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("offsets", lambda a: a[::-1], "do not follow each other"),
        ("list_pairs", lambda a: a + 100, "pairs of another topic"),
        ("list_pairs", lambda a: a.astype(np.int64), "damaged array"),
        ("list_offsets", lambda a: a[:-1], "lists of"),
        ("probabilities", lambda a: a * np.nan, "a probability that is none"),
        ("numbers", lambda a: a * 0, "a rank below 1"),
        ("documents-starts", lambda a: a + 10**6, "outside of their column"),
        ("documents-lengths", lambda a: -a, "outside of their column"),
        ("drawn", lambda a: np.array([{"x": 1}], object), "damaged array"),
    ],
)
def test_a_column_that_cannot_be(project: Path, name: str, change: Any, why: str) -> None:
    part = next(project.glob("pool-*"))
    path = part / f"{name}.npy"
    np.save(path, change(np.load(path)), allow_pickle=True)
    tampered(project, lambda body: body.update(files=checksums(part)))
    with pytest.raises(DataError, match=why):
        open_pool(project)


def test_a_link_out_of_the_folder_is_not_followed(project: Path, tmp_path: Path) -> None:
    part = next(project.glob("pool-*"))
    (tmp_path / "elsewhere.npy").write_bytes((part / "strata.npy").read_bytes())
    (part / "strata.npy").unlink()
    (part / "strata.npy").symlink_to(tmp_path / "elsewhere.npy")
    with pytest.raises(DataError, match=r"strata[.]npy lies elsewhere"):
        open_pool(project)


@pytest.mark.parametrize("name", ["guidelines.md", "desk.toml", "store.sqlite", "topics.jsonl", "judges"])
def test_nothing_beside_the_pool_is_a_link_out_of_the_folder(project: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "victim").write_text("mine")
    (project / name).unlink(missing_ok=True)
    (project / name).symlink_to(tmp_path / "victim")
    with pytest.raises(ConflictError, match=f"{name}: a link that leads out of the folder: remove it"):
        open_pool(project)


def test_ids_that_no_browser_can_send_are_refused_before_serving(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(b"1 Q0 d\xff 1 2 t\n1 Q0 d2 2 1 t\n")
    adjudge.pool([tmp_path / "a.run"], tmp_path / "project")
    with (
        open_store(str(tmp_path / "project" / "store.sqlite")) as store,
        pytest.raises(DataError, match="is not UTF-8, and no browser can send it back"),
    ):
        judging_desk(tmp_path / "project", store, Place(), "Ada")


def csrf(page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def test_a_copy_of_a_cookie_is_of_no_use_after_signing_out(project: Path) -> None:
    with open_store(str(project / "store.sqlite")) as store:
        client = TestClient(judging_desk(project, store, Place()), base_url=ADDRESS, follow_redirects=False)
        client.post("/sign-in", data={"csrf": csrf(client.get("/sign-in").text), "name": "Ada"})
        copy = dict(client.cookies)
        page = client.get("/")
        assert page.status_code == 200
        assert client.post("/sign-out", data={"csrf": csrf(page.text)}).status_code == 303
        client.cookies.clear()
        again = client.get("/", headers={"cookie": "; ".join(f"{name}={value}" for name, value in copy.items())})
        assert again.headers["location"].startswith("/sign-in")


def test_the_operator_sees_what_is_wrong_with_the_store(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with open_store(str(project / "store.sqlite")) as store:
        client = TestClient(judging_desk(project, store, Place(), "Ada"), base_url=ADDRESS)

        def fails(*_: Any, **__: Any) -> Any:
            raise StoreError("/secret/store.sqlite: disk I/O error")

        monkeypatch.setattr(store, "read", fails)
        with caplog.at_level(logging.ERROR, "adjudge.workbench"):
            page = client.get("/")
        assert page.status_code == 503
        assert "secret" not in page.text
        assert "/secret/store.sqlite: disk I/O error" in caplog.text


def test_documents_that_cannot_be_read_are_told_without_paths(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fails(document: str) -> Any:
        raise DataError("/secret/index/texts: damaged")

    with open_store(str(project / "store.sqlite")) as store:
        made = judging_desk(
            project, store, Place(), "Ada", documents=DeskDocuments(fails, lambda _: True), rules=DeskRules()
        )
        client = TestClient(made, base_url=ADDRESS)
        with caplog.at_level(logging.ERROR, "adjudge.workbench"):
            page = client.get("/judge?topic=1&document=d1")
        assert page.status_code == 503
        assert "secret" not in page.text
        assert "/secret/index/texts: damaged" in caplog.text


@pytest.mark.parametrize(
    "address",
    [
        "/judge?topic=1&topic=2&document=a",
        "/judge?topic=1&document=a&document=b",
        "/adjudicate?topic=1&document=a&document=b",
        "/image?topic=1&document=a&page=1&page=2",
        "/next?topic=1&topic=2",
        "/next?role=assessor&role=adjudicator",
        "/topic?id=1&id=2",
        "/topic?id=1&find=a&find=b",
        "/download?what=qrels&what=events",
        "/download?what=qrels&who=Ada&who=Bob",
        "/sign-in?next=/a&next=/b",
    ],
)
def test_no_address_keeps_one_of_two_values_unseen(project: Path, address: str) -> None:
    with open_store(str(project / "store.sqlite")) as store:
        client = TestClient(judging_desk(project, store, Place(), "Ada"), base_url=ADDRESS, follow_redirects=False)
        answer = client.get(address)
    assert answer.status_code == 400
    assert "twice: give it once" in answer.text


def test_addresses_that_are_no_ascii_are_refused(project: Path) -> None:
    with open_store(str(project / "store.sqlite")) as store:
        made = judging_desk(project, store, Place(), "Ada")
        status, _ = asked(made, {"method": "GET", "path": "/judge", "query": "topic=\xff"})
        assert status == 400


def test_names_of_files_are_found_at_once_for_people_of_one_name() -> None:
    people = [f"{sign}" for sign in "!?*"] + ["Ada", "ada"]
    assert sorted(file_names(people).values()) == ["Ada", "ada-2", "assessor", "assessor-2", "assessor-3"]


def test_judges_are_lines_of_json(project: Path) -> None:
    from adjudge.pools.judge_files import read_judgments

    path = project / "answers.jsonl"
    path.write_text(json.dumps({"topic": "1", "document": "d1", "grade": 10**20}) + "\n")
    with pytest.raises(DataError, match="beyond what judgments can hold"):
        read_judgments(path)
