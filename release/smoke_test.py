"""Tries an installed adjudge out: score, compare, index, search, run a plan, make its page; a line each, or an error.

    python -I release/smoke_test.py [--compiled | --slow]

It needs nothing but Python and the package, and asks for it where no sources are: a folder of its own. ``--compiled``
wants the compiled loops to be there, ``--slow`` that they are not.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import pkgutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

SCORES = ("fused", "0.7029")
"""The mean average precision of a run among the examples."""

PLAN = """
topics = "questions.tsv"
judgments = "targets.txt"
systems = ["bm25", "lucene"]
measures = ["rr", "success@5"]
[versions]
true = "documents.jsonl"
scanned = {channel = "ocrad-5"}
"""


def ask(folder: Path, *words: str) -> str:
    """What a command prints; an error if it fails or warns."""
    command = [sys.executable, "-I", "-m", "adjudge", *words]
    began = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode or "Traceback" in done.stderr:
        sys.exit(f"adjudge {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{time.monotonic() - began:6.1f} s  adjudge {' '.join(words)}", flush=True)
    return done.stdout


def require(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(what)


def import_everything() -> None:
    """Every module that needs no extra can be imported; what an extra lacks is not ours."""
    import adjudge

    for module in pkgutil.walk_packages(adjudge.__path__, "adjudge."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            require(not str(error.name).startswith("adjudge"), f"{module.name}: {error}")


def is_compiled() -> bool:
    return importlib.util.find_spec("adjudge._native") is not None


def use(folder: Path) -> None:
    """The main jobs, in a folder."""
    ask(folder, "demo", "--example", ".")
    table = ask(folder, "measure", "qrels.txt", "fused.run", "lexical.run", "-m", "ap", "-m", "ndcg@10")
    require(all(word in table for word in SCORES), f"adjudge measure printed:\n{table}")
    require("map" in ask(folder, "trec_eval", "qrels.txt", "fused.run"), "adjudge trec_eval printed no map")
    require(
        "fused" in ask(folder, "compare", "qrels.txt", "fused.run", "lexical.run"), "adjudge compare named no system"
    )
    ask(folder, "index", "documents.jsonl", "-o", "documents.index")
    require(bool(ask(folder, "search", "documents.index", "solar power").strip()), "adjudge search found nothing")
    ask(folder, "run", "plan.toml", "-o", "compared")
    (folder / "retrieval.toml").write_text(PLAN, "utf-8")
    ask(folder, "run", "retrieval.toml", "-o", "retrieved", "--workers", "1")
    for results in ("compared", "retrieved"):
        page = folder / results / "report.html"
        before = page.read_text("utf-8")
        require(before.rstrip().endswith("</html>") and "<svg" in before, f"{page.name} of {results} is not whole")
        page.unlink()
        ask(folder, "report", results)
        require(page.exists(), f"adjudge report made no page of {results}")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--compiled", action="store_true", help="the compiled loops must be there")
    options.add_argument("--slow", action="store_true", help="the compiled loops must not be there")
    wanted = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import adjudge

        home, installed = Path(adjudge.__file__).resolve(), Path(sysconfig.get_path("purelib")).resolve()
        platform = Path(sysconfig.get_path("platlib")).resolve()
        require(installed in home.parents or platform in home.parents, f"{home} is not where packages are installed")
        require(
            version("adjudge") == adjudge.__version__, f"{version('adjudge')} was installed as {adjudge.__version__}"
        )
        require(not wanted.compiled or is_compiled(), "the compiled loops are missing")
        require(not wanted.slow or not is_compiled(), "compiled loops are there, and none were expected")
        import_everything()
        use(Path(folder))
        os.chdir(home.parent)  # a folder in use cannot be removed everywhere
    loops = "compiled loops" if is_compiled() else "loops in Python"
    print(f"adjudge {version('adjudge')} with {loops} works on Python {sys.version.split()[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
