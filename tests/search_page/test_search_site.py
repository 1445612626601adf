"""The search page without a script: pages, JSON, filters, order, explanations, IIIF, and what is refused."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[serve]'")
from starlette.testclient import TestClient

from adjudge.core.document import Document, InMemory
from adjudge.core.errors import DataError, SpecError
from adjudge.core.scanned_page import ImagePlace, ScannedPage
from adjudge.index.building import build
from adjudge.page_view.recent_values import Recent
from adjudge.page_view.scan_images import ScanImages
from adjudge.search_page import search_site
from adjudge.search_page.catalogue import Catalogue
from adjudge.search_page.search_serving import check_token, search_page, token_in
from adjudge.web.guard import HEADERS
from adjudge.web.place import Place
from adjudge.web.refusals import RefusalError
from scanned_archive import HEIGHT, SCRIPT, WIDTH, archive_index

TOKEN = "0123456789abcdef"  # noqa: S105
PAGES = ("/", "/search", "/search?q=toll", "/search?q=nowhere", "/search?q=toll&f.year=1891&sort=-year", "/help",
         "/document?id=box1/p1&q=toll", "/document?id=box1%2Fp1", "/explain?id=box1/p1&q=toll")  # fmt: skip
Site = Callable[..., TestClient]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_index(tmp_path_factory.mktemp("archive")).folder


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    opened: list[TestClient] = []

    def build_site(place: Place | None = None, index: Path = folder, **settings: Any) -> TestClient:
        made = search_page(Catalogue(index), place or Place(), **settings)
        client = TestClient(made, base_url="http://127.0.0.1:8310", follow_redirects=False)
        opened.append(client)
        return client

    yield build_site
    for client in opened:
        client.close()


def ids(answer: Any) -> list[str]:
    return [hit["id"] for hit in answer.json()["hits"]]


def test_every_page_is_safe(site: Site) -> None:
    client = site()
    for path in PAGES:
        answer = client.get(path)
        assert answer.status_code == 200, path
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert " style=" not in answer.text
        assert re.findall("<script[^>]*>", answer.text) == [
            '<script src="/static/search.js" defer>',
            '<script src="/static/sheet.js" defer>',
        ]
        assert "<script>document" not in answer.text
        assert "<img" not in answer.text
        assert "\u202e" not in answer.text
        assert not re.search(r"<[^>]*\son\w+=", answer.text)


def test_a_list_of_results(site: Site) -> None:
    client = site()
    answer = client.get("/search.json", params={"q": "toll"}).json()
    assert answer["total"] == 3
    assert {hit["id"] for hit in answer["hits"]} == {"box1/p1", "box2/p1", f"x/{SCRIPT}"}
    hit = answer["hits"][0]
    assert hit["snippet"][slice(*hit["marked"]["snippet"][0])] == "toll"
    years = {value["value"]: value["count"] for value in answer["fields"]["year"]["values"]}
    assert years == {"1891": 2, "1900": 1}
    page = client.get("/search?q=toll").text
    assert "3 documents for <q>toll</q>" in page
    assert "<mark>toll</mark>" in page
    same = client.get("/search?q=toll", headers={"accept": "application/json"})
    assert same.json() == answer


def test_filters_narrow_and_their_counts_say_what_would_be_left(site: Site) -> None:
    client = site()
    chosen = client.get("/search.json", params={"q": "toll", "f.year": "1891", "f.folder": "box1"})
    assert ids(chosen) == ["box1/p1"]
    fields = chosen.json()["fields"]
    assert {v["value"]: (v["count"], v["chosen"]) for v in fields["folder"]["values"]} == {
        "box1": (1, True),
        "box2": (1, False),
    }
    assert {v["value"]: v["count"] for v in fields["year"]["values"]} == {"1891": 1}
    both = client.get("/search.json?q=toll&f.folder=box1&f.folder=box2&sort=id")
    assert ids(both) == ["box1/p1", "box2/p1"]
    early = client.get("/search.json?q=&from.year=1892&to.year=1899")
    assert ids(early) == ["box1/p2"]
    assert client.get("/search.json?f.year=2020").json()["total"] == 0
    assert "Take all filters back" in client.get("/search?q=toll&f.year=2020").text


def test_order_and_parts(site: Site, tmp_path: Path) -> None:
    documents = [Document(f"d{n:02}", "word " * (1 + n % 3), fields=(("n", str(n)),) if n else ()) for n in range(25)]
    folder = build(InMemory(documents), tmp_path / "i", texts=True).folder
    client = site(index=folder)
    assert ids(client.get("/search.json?q=word&sort=-n")) == [f"d{n:02}" for n in range(24, 14, -1)]
    assert ids(client.get("/search.json?q=word&sort=%2Bn&part=3")) == [*(f"d{n:02}" for n in range(21, 25)), "d00"]
    assert ids(client.get("/search.json?sort=id&part=2")) == [f"d{n:02}" for n in range(10, 20)]
    assert ids(client.get("/search.json?part=9")) == []
    best = client.get("/search.json?q=word").json()["hits"]
    assert [hit["rank"] for hit in best] == list(range(1, 11))
    assert [hit["score"] for hit in best] == sorted((hit["score"] for hit in best), reverse=True)
    plain = Catalogue(folder).answerer.search("word", 10)
    assert [hit["id"] for hit in best] == list(plain.ids)
    assert 'rel="next"' in client.get("/search?q=word").text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/search.json?f.author=x", 400),
        ("/search.json?from.title=1", 400),
        ("/search.json?from.year=x", 400),
        ("/search.json?to.year=nan", 400),
        ("/search.json?sort=author", 400),
        ("/search.json?sort=-author", 400),
        ("/search.json?part=x", 400),
        ("/search.json?part=5000", 400),
        ("/search.json?q=" + "x" * 1001, 400),
        ("/search.json?" + "&".join(f"f.year={n}" for n in range(60)), 400),
        ("/search.json?q=toll&q=road", 400),
        ("/search.json?q=toll&sort=id&sort=id", 400),
        ("/search.json?from.year=1900&from.year=1901", 400),
        ("/document.json?id=box1/p1&id=box1/p2", 400),
        ("/document.json?id=box1/p1&page=1&page=2", 400),
        ("/explain.json?id=box1/p1&id=box1/p2&q=toll", 400),
        ("/image?id=box1/p1&id=box1/p2", 400),
        ("/sign-in?next=/a&next=/b", 400),
        ("/document.json?id=none", 404),
        ("/document.json?id=%ED%A0%80", 404),
        ("/document.json?id=box1/p1&page=x", 400),
        ("/document.json", 404),
        ("/explain.json?id=box1/p1", 400),
        ("/image?id=box1/p1&page=2", 404),
        ("/image?id=none", 404),
        ("/iiif/none/manifest.json", 404),
        ("/nothing.json", 404),
        ("/search?" + "q=" + "x" * 5000, 414),
    ],
)
def test_what_is_refused(site: Site, path: str, status: int) -> None:
    answer = site().get(path)
    assert answer.status_code == status
    if answer.headers["content-type"] == "application/json":
        assert answer.json()["error"].endswith(".")


def test_a_document_with_its_page(site: Site) -> None:
    client = site()
    answer = client.get("/document.json", params={"id": "box1/p1", "q": "canal lock"}).json()
    assert [(spot["text"], spot["page"], spot["boxes"]) for spot in answer["found"]] == [
        ("canal", 1, [[96, 60, 60, 30]]),
        ("lock", 1, [[380, 140, 48, 30]]),
    ]
    assert answer["page"] == {"number": 1, "label": "1", "width": WIDTH, "height": HEIGHT,
                              "image": "/image?id=box1%2Fp1&page=1", "doubted": 1}  # fmt: skip
    assert ["year", "1891"] in answer["fields"]
    page = client.get("/document", params={"id": "box1/p1", "q": "canal lock"}).text
    assert f'viewBox="0 0 {WIDTH} {HEIGHT}"' in page
    assert 'class="spot" data-hit="1" x="96" y="60" width="60" height="30"' in page
    assert '<mark id="hit-2"' in page
    assert "makes" in page
    image = client.get("/image?id=box1/p1&page=1")
    assert image.headers["content-type"] == "image/png"
    assert image.content.startswith(b"\x89PNG")


def test_results_lead_from_document_to_document(site: Site) -> None:
    client = site()
    first, second, third = ids(client.get("/search.json?q=toll"))
    page = client.get("/document", params={"id": second, "q": "toll"}).text
    before, after = re.findall(r'rel="(?:prev|next)" href="([^"]*)"', page)
    assert (first in before.replace("%2F", "/"), "q=toll" in after, "rank 2" in page) == (True, True, True)
    assert third in after.replace("%2F", "/") or "%3C" in after


def test_why_a_document_was_found(site: Site) -> None:
    client = site()
    answer = client.get("/explain.json?id=box1/p1&q=toll+canal").json()
    assert len(answer["reasons"]) == 2
    assert re.fullmatch(r"“\w+” makes \d+% of the score: it stands here once, and in \d of 4 documents\.",
                        answer["reasons"][0].replace("1 time", "once"))  # fmt: skip
    assert answer["explanation"]["value"] == pytest.approx(
        next(hit["score"] for hit in client.get("/search.json?q=toll+canal").json()["hits"] if hit["id"] == "box1/p1")
    )
    assert "The figures" in client.get("/explain?id=box1/p1&q=toll").text


def test_iiif(site: Site) -> None:
    client = site()
    manifest = client.get("/iiif/box1%2Fp1/manifest.json").json()
    canvas = manifest["items"][0]
    assert (manifest["type"], canvas["type"], canvas["width"]) == ("Manifest", "Canvas", WIDTH)
    assert client.get(canvas["items"][0]["items"][0]["body"]["id"]).status_code == 200
    service = manifest["service"][0]
    assert service["type"] == "SearchService2"
    answer = client.get(f"{service['id']}?q=canal&motivation=painting").json()
    assert answer["@context"] == "http://iiif.io/api/search/2/context.json"
    assert [item["target"] for item in answer["items"]] == [f"{canvas['id']}#xywh=96,60,60,30"]
    quoted = answer["annotations"][0]["items"][0]["target"]
    assert quoted["source"] == answer["items"][0]["id"]
    assert quoted["selector"][0]["prefix"] + quoted["selector"][0]["exact"] == "The canal"
    assert answer["ignored"] == ["motivation"]
    assert "access-control-allow-origin" not in client.get("/iiif/box1/p1/manifest.json").headers
    public = site(public=True)
    assert public.get("/iiif/box1/p1/manifest.json").headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in public.get("/search.json?q=toll").headers


def test_iiif_answers_have_the_shape_that_the_specification_asks_for(site: Site) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed: pip install check-jsonschema")
    from iiif_shapes import MANIFEST_3, SEARCH_2

    def wrong(answer: Any, shape: dict[str, Any]) -> list[str]:
        return [error.message for error in jsonschema.Draft202012Validator(shape).iter_errors(answer)]

    client = site()
    manifest = client.get("/iiif/box1%2Fp1/manifest.json")
    assert manifest.headers["content-type"].startswith("application/ld+json")
    assert wrong(manifest.json(), MANIFEST_3) == []
    for query in ("?q=canal", "?q=canal+lock&user=a&date=b", "?q=nowhere", "?q=", ""):
        answer = client.get(f"/iiif/box1%2Fp1/search{query}").json()
        assert wrong(answer, SEARCH_2) == [], query
        ids = {item["id"] for item in answer["items"]}
        matches = [match for page in answer["annotations"] for match in page["items"]]
        assert {match["target"]["source"] for match in matches} == ids
        assert len({match["id"] for match in matches} | ids) == 2 * len(ids)
    broken = {**answer, "items": [{"id": "x", "type": "Annotation"}]}
    assert wrong(broken, SEARCH_2)


def test_viewers_that_know_content_search_1_find_the_same(site: Site) -> None:
    client = site()
    services = client.get("/iiif/box1%2Fp1/manifest.json").json()["service"]
    assert services[1]["profile"] == "http://iiif.io/api/search/1/search"
    old = client.get(f"{services[1]['@id']}?q=canal+lock").json()
    new = client.get(f"{services[0]['id']}?q=canal+lock").json()
    assert [each["on"] for each in old["resources"]] == [each["target"] for each in new["items"]]
    assert [each["resource"]["chars"] for each in old["resources"]] == ["canal", "lock"]
    assert [(each["annotations"], each["match"]) for each in old["hits"]] == [
        ([each["@id"]], each["resource"]["chars"]) for each in old["resources"]
    ]
    assert old["within"]["total"] == 2


def test_opensearch(site: Site) -> None:
    client = site()
    root = ET.fromstring(client.get("/opensearch.xml").content)  # noqa: S314  our own
    urls = [element.get("template", "") for element in root if element.tag.endswith("Url")]
    assert urls[0] == "http://127.0.0.1:8310/search?q={searchTerms}"
    assert client.get(urls[0].replace("{searchTerms}", "toll")).status_code == 200
    assert 'rel="search"' in client.get("/").text


# Who may ask


def test_only_those_names_are_answered(site: Site) -> None:
    client = site()
    for name in ("evil.example", "127.0.0.1.evil.example", "", "[::1"):
        assert client.get("/", headers={"host": name}).status_code == 421
    assert client.get("/", headers={"host": "localhost:8310"}).status_code == 200
    assert client.post("/search", data={"q": "x"}).status_code in {403, 405}
    assert client.put("/search").status_code == 405


def test_elsewhere_a_token_is_needed(site: Site) -> None:
    elsewhere = Place(allowed=("archive.example.org",))
    with pytest.raises(SpecError, match="--token-file"):
        site(elsewhere)
    with pytest.raises(SpecError, match="--token-file"):
        site(Place("0.0.0.0"))  # noqa: S104
    with pytest.raises(SpecError, match="exclude"):
        site(token=TOKEN, public=True)
    client = site(elsewhere, token=TOKEN)
    for path in (*PAGES, "/image?id=box1/p1", "/opensearch.xml"):
        answer = client.get(path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in?next=%2F")
    for path in ("/search.json?q=toll", "/iiif/box1/p1/manifest.json"):
        assert client.get(path).status_code == 401
    assert client.get("/search.json?q=toll", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert client.get("/search.json?q=toll", headers={"authorization": f"Bearer {TOKEN}x"}).status_code == 401
    page = client.get("/sign-in?next=%2Fsearch%3Fq%3Dtoll").text
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
    assert client.post("/sign-in", data={**form, "token": "wrong"}).status_code == 403
    assert client.post("/sign-in", data={"csrf": "x", "token": TOKEN}).status_code == 403
    answer = client.post("/sign-in", data={**form, "token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/search?q=toll")
    assert client.get("/search?q=toll").status_code == 200
    for _ in range(12):
        last = client.post("/sign-in", data={**form, "token": "wrong"})
    assert last.status_code in {403, 429}


@pytest.mark.parametrize("onward", ["//evil.example/", "/\\evil.example", "https://evil.example", "/a b"])
def test_signing_in_leads_nowhere_else(site: Site, onward: str) -> None:
    client = site(token=TOKEN)
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', client.get("/sign-in").text))
    answer = client.post("/sign-in", data={**form, "token": TOKEN, "next": onward})
    assert answer.headers["location"] == "/"


def test_tokens_in_files(tmp_path: Path) -> None:
    token, fresh = token_in(tmp_path / "token.txt")
    assert (fresh, token_in(tmp_path / "token.txt")) == (True, (token, False))
    assert (tmp_path / "token.txt").stat().st_mode & 0o077 == 0
    for wrong in ("", "short", "with a blank in it", "\x00" * 20):
        with pytest.raises(DataError, match="at least 16"):
            check_token(wrong, "token")


# Images and boxes


def test_images_outside_of_the_folder_are_none(tmp_path: Path, folder: Path) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    (tmp_path / "secret.png").write_bytes((folder.parent / "scans/box1/p1.png").read_bytes())
    (scans / "link.png").symlink_to(tmp_path / "secret.png")
    (scans / "inner.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    images = ScanImages(str(scans))
    assert images.path_of(ImagePlace("inner.png")).name == "inner.png"
    for place in ("../secret.png", "a/../../secret.png", "/etc/passwd", str(tmp_path / "secret.png"), "link.png", "",
                  "..\\secret.png", "inner.png\0", "none.png", ".", "inner.png!/../secret.png"):  # fmt: skip
        with pytest.raises(RefusalError) as refused:
            images.image(_page(place))
        assert refused.value.status == 404
        assert str(tmp_path) not in refused.value.why


def _page(image: str, boxes: Any = (), width: int = 0, height: int = 0) -> ScannedPage:
    count = len(boxes)
    starts = np.arange(count, dtype=np.int32) * 5
    rows = np.array(boxes, np.int32).reshape(-1, 4)
    return ScannedPage("1", image, width, height, starts, starts + 4, rows, np.full(count, 255, np.uint8))


def test_what_is_no_image_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "page.png").write_bytes(b"<svg onload=alert(1)>")
    (tmp_path / "page.html").write_text("<script>")
    for name in ("page.png", "page.html"):
        with pytest.raises(RefusalError):
            ScanImages(str(tmp_path)).image(_page(name))


def test_images_of_other_kinds_are_converted(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install 'adjudge[noise]'")
    import zipfile

    pages = [image.new("1", (40, 30), n) for n in (0, 1)]
    pages[0].save(tmp_path / "two.tif", save_all=True, append_images=pages[1:])
    image.new("RGB", (40, 30), "red").save(tmp_path / "red.png")
    with zipfile.ZipFile(tmp_path / "box.zip", "w") as archive:
        archive.write(tmp_path / "red.png", "in/red.png")
        archive.write(tmp_path / "two.tif", "two.tif")
    images = ScanImages(str(tmp_path))
    assert images.image(_page("two.tif#page=2")).kind == "image/png"
    assert images.image(_page("box.zip!/in/red.png")).content == (tmp_path / "red.png").read_bytes()
    assert images.image(_page("box.zip!/two.tif#page=1")).kind == "image/png"
    for missing in ("two.tif#page=3", "box.zip!/none.png", "box.zip"):
        with pytest.raises(RefusalError):
            images.image(_page(missing))


def test_boxes_out_of_the_page_stay_on_it(site: Site, tmp_path: Path) -> None:
    boxes = [(0, 0, 50, 20), (580, 10, 9000, 30), (700, 10, 800, 30), (5, 5, 5, 5)]
    text = "lock lock lock lock"
    page = _page("../../etc/passwd", boxes, WIDTH, HEIGHT)
    folder = build(InMemory([Document("a", text, "", (page,)), Document("b", "lock", "", (_page(""),))]),
                   tmp_path / "i", texts=True).folder  # fmt: skip
    client = site(index=folder)
    answer = client.get("/document.json?id=a&q=lock").json()
    assert [spot["boxes"] for spot in answer["found"]] == [[[0, 0, 50, 20]], [[580, 10, 20, 20]], [], []]
    assert answer["page"]["image"] is None
    drawn = client.get("/document?id=a&q=lock").text
    assert drawn.count('class="drawn"') == 2
    assert "There is no image" in drawn
    assert client.get("/image?id=a").status_code == 404
    assert client.get("/document?id=b&q=lock").status_code == 200


def test_a_document_of_several_pages(site: Site, tmp_path: Path) -> None:
    from scanned_archive import page_of

    first, one, _ = page_of(("nothing here",), "", "i")
    second, two, _ = page_of(("the lock and", "the lock"), "", "ii", len(first))
    document = Document("book", first + second, "", (one, two))
    client = site(index=build(InMemory([document]), tmp_path / "i", texts=True).folder)
    answer = client.get("/document.json?id=book&q=lock").json()
    assert [page["found"] for page in answer["pages"]] == [0, 2]
    assert answer["page"]["number"] == 2
    page = client.get("/document?id=book&q=lock&page=1").text
    assert "2 places found, 0 on this page" in page
    assert "page=2&amp;q=lock#hit-1" in page
    assert "nothing here" in page
    assert "the lock" not in page
    assert client.get("/document?id=book&page=99").status_code == 200


# Collections


def test_years_come_from_dates(tmp_path: Path) -> None:
    documents = [Document(str(n), "x", fields=(("date", f"19{n}0-05-0{n}"),)) for n in range(1, 4)]
    catalogue = Catalogue(build(InMemory([*documents, Document("u", "x")]), tmp_path / "i", texts=True).folder)
    assert list(catalogue.columns["year"].values) == ["1910", "1920", "1930"]
    assert catalogue.columns["year"].codes.tolist() == [0, 1, 2, -1]
    assert catalogue.offered == ("year", "date")
    assert "year" in catalogue.numeric


def test_an_index_without_texts_is_refused(tmp_path: Path) -> None:
    folder = build(InMemory([Document("a", "x")]), tmp_path / "i").folder
    with pytest.raises(DataError, match="built without texts"):
        Catalogue(folder)


def test_recent_values_are_kept_while_there_is_room() -> None:
    made: list[int] = []
    recent: Recent[int] = Recent(10, float)

    def get(n: int) -> int:
        return recent.get(n, lambda: made.append(n) or n)  # type: ignore[func-returns-value]

    assert [get(4), get(5), get(4), get(6), get(5)] == [4, 5, 4, 6, 5]
    assert made == [4, 5, 6, 5]


def test_a_damaged_index_is_one_line_without_paths(site: Site, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise DataError(f"{folder}/texts: damaged")

    monkeypatch.setattr(search_site, "leaf_of", broken)
    answer = site().get("/document.json?id=box1/p1")
    assert (answer.status_code, json.loads(answer.text)) == (500, {"error": "The index cannot be read."})


def test_signing_out_ends_the_session(site: Site) -> None:
    client = site(token=TOKEN)
    token = re.search(r'name="csrf" value="([^"]*)"', client.get("/sign-in").text)
    assert token
    assert client.post("/sign-in", data={"csrf": token[1], "token": TOKEN}).status_code == 303
    copy = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    page = client.get("/").text
    out = re.search(r'action="/sign-out"><input type="hidden" name="csrf" value="([^"]*)"', page)
    assert out, "a page of somebody who has signed in has the way out"
    assert client.post("/sign-out", data={"csrf": "x"}).status_code == 403
    assert client.get("/").status_code == 200
    assert client.post("/sign-out", data={"csrf": out[1]}).status_code == 303
    client.cookies.clear()
    assert client.get("/", headers={"cookie": copy}).status_code == 303, "a copy of the cookie is of no use"


def test_processes_that_answer_do_not_know_who_has_signed_out() -> None:
    from adjudge.web.sessions import Signer
    from adjudge.web.worker_processes import cookies_of

    signer = Signer()
    session = signer.new("visitor")
    request = {"headers": [(b"cookie", f"a=b; search-1={signer.write(session)}".encode())]}
    assert not signer.has_ended(cookies_of(request))
    signer.end(session)
    assert signer.has_ended(cookies_of(request)), "so the process that listens answers these itself"
    assert not signer.has_ended(f"search-1={signer.write(signer.new('visitor'))}")
