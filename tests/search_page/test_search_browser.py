"""The search page in a real browser: the keyboard, the box on the word, narrow and dark, nothing asked of others."""

from __future__ import annotations

import contextlib
import io
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[serve]'")
pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[serve]'")

from adjudge.cli import main  # noqa: E402
from adjudge.core.document import Document  # noqa: E402
from adjudge.noise.scanner import Scanner  # noqa: E402
from adjudge.search_page.catalogue import Catalogue  # noqa: E402
from adjudge.search_page.search_serving import search_page  # noqa: E402
from adjudge.web import patience  # noqa: E402
from adjudge.web.place import Place, listen  # noqa: E402
from browser import CONTRAST, Seen  # noqa: E402
from scanned_archive import archive_index  # noqa: E402


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, Any]]:
    place = Place(port=0)
    with listen(place) as bound:
        made = search_page(Catalogue(folder), place)
        settings = uvicorn.Config(made, http=patience.Patience, log_level="error", lifespan="off", ws="none")
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}", bound.getsockname()
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(archive_index(tmp_path_factory.mktemp("archive")).folder) as (place, _):
        yield place


@contextmanager
def opened(browser: Any, address: str, path: str, width: int = 1400, **options: Any) -> Iterator[Any]:
    """A tab; at the end nothing may have gone wrong and nothing been asked of anybody else."""
    context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **options)
    seen, tab = Seen(), context.new_page()
    seen.watch(tab)
    tab.goto(address + path)
    yield tab
    assert seen.errors == []
    assert [url for url in seen.requests if not url.startswith(f"{address}/")] == []
    context.close()


def test_from_a_question_to_the_word_on_the_scan_with_the_keyboard(browser: Any, address: str) -> None:
    with opened(browser, address, "/") as tab:
        tab.keyboard.press("/")
        tab.keyboard.type("canal lock")
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".hit")
        tab.wait_for_load_state()  # before it, nobody listens to keys
        tab.keyboard.press("j")
        assert tab.evaluate("document.activeElement.className") == "to-document"
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#sheet")
        tab.wait_for_load_state()
        assert tab.inner_text("#hit-count") == "2 places found, 2 on this page"
        tab.keyboard.press("j")
        tab.keyboard.press("j")
        assert tab.inner_text("#say") == "Hit 2 of 2: lock"
        assert tab.evaluate("document.activeElement.id") == "hit-2"
        tab.wait_for_function("fetch(document.querySelector('image').href.baseVal).then(a => a.ok)")
        for box in tab.query_selector_all(".spot"):
            _lies_on_ink(tab, box)
        tab.keyboard.press("+")
        assert tab.inner_text("#zoom-level") == "125%"
        assert tab.get_attribute("#sheet", "width") == "125%"
        tab.keyboard.press("0")
        tab.click("#why summary")
        assert "of the score" in tab.inner_text("#why")
        tab.keyboard.press("u")
        tab.wait_for_selector(".hit")
        assert "q=canal+lock" in tab.url


def _lies_on_ink(tab: Any, box: Any) -> None:
    """The middle of a box is on a word of the image, and just outside of it is paper."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install 'adjudge[noise]'")
    box.scroll_into_view_if_needed()
    place = box.bounding_box()
    tab.evaluate("document.querySelectorAll('.spot').forEach(one => one.setAttribute('visibility', 'hidden'))")
    grey = np.array(image.open(io.BytesIO(tab.screenshot())).convert("L"))
    tab.evaluate("document.querySelectorAll('.spot').forEach(one => one.removeAttribute('visibility'))")
    left, top, right, bottom = (
        round(v) for v in (place["x"], place["y"], place["x"] + place["width"], place["y"] + place["height"])
    )
    assert grey[top + 4 : bottom - 4, left + 4 : right - 4].max() < 60
    assert grey[top - 6 : top - 3, left:right].min() > 200


@pytest.mark.ocr
def test_from_a_photograph_on_its_side_to_the_word(browser: Any, tmp_path: Path) -> None:
    """Two commands from a page image, which lies on its side as cameras store it, to the box on the word."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install 'adjudge[noise]'")
    if shutil.which("tesseract") is None:
        pytest.skip("tesseract is not installed")
    text = "The harbour master kept his letters in a box.\nThe pier was rebuilt with granite from the quarry."
    ((_, drawn),) = Scanner().pages(Document("d", text))
    upright = image.fromarray((~drawn).astype("uint8") * 255)
    turned = image.Exif()
    turned[0x0112] = 6  # to be shown turned to the right
    (tmp_path / "scans").mkdir()
    upright.rotate(90, expand=True).save(tmp_path / "scans" / "p1.jpg", exif=turned, quality=90)
    index = tmp_path / "a.index"
    assert main(["index", str(tmp_path / "scans"), "-o", str(index), "--ocr", "tesseract"]) == 0
    grey = np.array(upright)
    with served(index) as (address, _), opened(browser, address, "/document?id=p1&q=granite+letters") as tab:
        tab.wait_for_function("fetch(document.querySelector('image').href.baseVal).then(a => a.ok)")
        assert tab.get_attribute("#sheet", "viewBox") == f"0 0 {upright.width} {upright.height}"
        spots = tab.query_selector_all(".spot")
        assert len(spots) == 2
        for spot in spots:
            left, top, width, height = (int(spot.get_attribute(name)) for name in ("x", "y", "width", "height"))
            word = grey[top : top + height, left : left + width] < 128
            assert word[:, :4].any()
            assert word[:, -4:].any()
            assert not (grey[top : top + height, left - 8 : left - 3] < 128).any()
            spot.scroll_into_view_if_needed()
            box = spot.bounding_box()
            spot.evaluate("one => one.setAttribute('visibility', 'hidden')")
            seen = np.array(image.open(io.BytesIO(tab.screenshot(clip=box))).convert("L"))
            shown = np.array(upright.crop((left, top, left + width, top + height)).resize(seen.shape[::-1]))
            assert np.corrcoef(seen.ravel(), shown.ravel())[0, 1] > 0.6  # the same letters


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_narrow_and_dark(browser: Any, address: str, width: int, scheme: str) -> None:
    for path in ("/", "/search?q=toll", "/document?id=box1/p1&q=toll", "/help"):
        with opened(browser, address, path, width, color_scheme=scheme) as tab:
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            seen, low = tab.evaluate(CONTRAST)
            assert (seen > 5, low) == (True, [])
            assert tab.title() != "attacked"
            nameless = "[...document.querySelectorAll('a,button,input:not([type=hidden]),select')]"
            unnamed = f"{nameless}.filter(e => !(e.textContent.trim() || e.labels?.length || e.ariaLabel)).length"
            assert tab.evaluate(unnamed) == 0


def test_hostile_text_stays_text(browser: Any, address: str) -> None:
    with opened(browser, address, "/search?f.year=1900") as tab:
        assert tab.inner_text(".hit h2").startswith("<script>")
        tab.click(".hit h2 a")
        tab.wait_for_selector(".page-text")
        assert "<img src=x" in tab.inner_text(".plain-text")
        assert tab.title() != "attacked"


def test_a_silent_connection_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SLOWEST_HEAD", 0.3)
    with served(archive_index(tmp_path).folder) as (_, place), socket.create_connection(place, timeout=30) as silent:
        silent.sendall(b"GET / HTTP/1.1\r\nHost: 127.0")
        with contextlib.suppress(ConnectionResetError):
            assert silent.recv(100) == b""
