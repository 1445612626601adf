"""What a plain ``pip install`` promises: without the optional packages commands work, or say what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HIDDEN = (
    "rapidfuzz",
    "PIL",
    "topia",
    "typst",
    "tesserocr",
    "pandas",
    "pyarrow",
    "pyspark",
    "starlette",
    "uvicorn",
    "nh3",
)
"""Packages of extras, which are made to be absent."""

BARE = f"""
import importlib.metadata, sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HIDDEN}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

def distribution(name, real=importlib.metadata.distribution):
    if name.lower().partition(".")[0] in {HIDDEN}:
        raise importlib.metadata.PackageNotFoundError(name)
    return real(name)

sys.meta_path.insert(0, Absent())
importlib.metadata.distribution = distribution
"""


def bare(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    code = f"{BARE}\nfrom adjudge.cli import main\nsys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, cwd=cwd, timeout=120
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "solar power"}\n{"id": "b", "text": "wind power"}\n')
    (tmp_path / "noisy.jsonl").write_text('{"id": "a", "text": "so1ar power"}\n{"id": "b", "text": "wlnd power"}\n')
    (tmp_path / "topics.tsv").write_text("1\tpower\n")
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["noise", "docs.jsonl", "-o", "out"], "page images need Pillow: pip install 'adjudge[noise]'"),
        (
            ["noise", "calibrate", "docs.jsonl", "--target", "0.1"],
            "page images need Pillow: pip install 'adjudge[noise]'",
        ),
        (["noise", "errors", "docs.jsonl", "noisy.jsonl"], "needs rapidfuzz: pip install 'adjudge[noise]'"),
        (["terms", "docs.jsonl"], "pip install topia.termextract"),
    ],
)
def test_a_command_says_what_to_install(folder: Path, words: list[str], why: str) -> None:
    done = bare(*words, cwd=folder)
    if "the engine ocrad is not installed" in done.stderr or "font" in done.stderr:
        pytest.skip("no OCR program and no fonts here, which is said first")
    assert done.returncode == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out").exists()


PLAN = """
topics = "topics.tsv"
judgments = "qrels.txt"
systems = {}
[versions]
true = "docs.jsonl"
scan = "noisy.jsonl"
"""


@pytest.mark.slow
def test_a_system_that_a_plan_names_is_refused_before_anything_runs(folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN.format('["bm25", "anu"]'))
    done = bare("run", "plan.toml", "-o", "out", "--workers", "0", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("anu: aligning texts needs rapidfuzz: pip install")
    assert not list((folder / "out").rglob("*.run*"))


@pytest.mark.slow
def test_all_systems_are_those_that_can_work(folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN.format('["all"]'))
    done = bare("run", "plan.toml", "-o", "out", "--workers", "0", cwd=folder)
    assert done.returncode in {0, 3}, "gmu drops what every document has, and may answer no topic of so small a corpus"
    assert "anu5con" in done.stdout
    assert "skipped: aligning texts needs rapidfuzz: pip install 'adjudge[noise]'" in done.stdout
    assert "bm25" in done.stdout
    assert "failed" not in done.stderr
