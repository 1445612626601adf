"""Modules that only Unix has are used where they are there, and nothing needs them to start.

They are taken away from a whole tree of processes, which is as near to Windows as a Unix machine comes.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge

UNIX = ("fcntl", "grp", "pwd", "resource", "termios")
SOURCES = Path(adjudge.__file__).parent
BLOCKED = f"import sys\nfor name in {UNIX!r}:\n    sys.modules[name] = None\n"
EVERY = """
import importlib, pkgutil, sys, traceback
import adjudge
assert sys.modules["fcntl"] is None
failed = []
for module in pkgutil.walk_packages(adjudge.__path__, "adjudge."):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        where = traceback.extract_tb(error.__traceback__)[-1].filename
        failed.append(f"{module.name}: {error} in {where}")
print(*failed, sep="\\n")
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of processes in which these modules are missing, and in those that they start."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BLOCKED)
    return os.environ | {"PYTHONPATH": str(tmp_path / "site")}


def test_every_module_can_be_imported(elsewhere: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY], env=elsewhere, capture_output=True, text=True, check=True, cwd=SOURCES.parent
    )
    ours = [line for line in done.stdout.splitlines() if str(SOURCES) in line.rpartition(" in ")[2]]
    assert not ours, "libraries may need what they like, but nothing of this package"
    assert len(done.stdout.splitlines()) < 10


def test_a_small_experiment(elsewhere: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "docs.tsv").write_text("d1\tsolar power\nd2\twind power\nd3\tsolar wind\n")
    (tmp_path / "topics.tsv").write_text("q1\tsolar power\nq2\twind\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    plan = 'topics = "topics.tsv"\njudgments = "qrels.txt"\nsystems = ["bm25", "lucene"]\n'
    (tmp_path / "plan.toml").write_text(f'{plan}[versions]\ntrue = "docs.tsv"\n')
    command = [sys.executable, "-m", "adjudge"]
    done = subprocess.run(
        [*command, "run", "plan.toml", "-o", "out", "--workers", "2"],
        env=elsewhere,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.html").exists()
    searched = subprocess.run(
        [*command, "index", "docs.tsv", "-o", "idx"], env=elsewhere, cwd=tmp_path, capture_output=True, check=False
    )
    assert searched.returncode == 0, searched.stderr


def test_no_module_imports_them_when_it_is_imported() -> None:
    for path in SOURCES.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not set(named) & set(UNIX), f"{path} imports {named}"
