"""Jobs that are disturbed: what they start from, the command, and the place that the command fills.

A new job is one entry of JOBS: its inputs are made once, copied for every trial, and the command is given in a folder
of its own. What two whole runs have in common must be there after any disturbance and a second go.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import adjudge
from adjudge.cli import main
from collection.dump_of import answer, dump, file_of, question
from corpus import documents, questions, written

EXAMPLE = Path(adjudge.__file__).parent / "example"


class Job(NamedTuple):
    """A command that writes something."""

    name: str
    prepare: Callable[[Path], None]
    """Puts the inputs into an empty folder."""
    command: tuple[str, ...]
    """Words after ``adjudge``; paths are relative to the folder."""
    before: tuple[str, ...] = ()
    """Another command, given once before: the job replaces what it made."""
    alive: tuple[str, ...] = ()
    """A command that must succeed at any moment once ``before`` has been: what was there can always be used."""
    weight: int = 4
    """How often it is drawn, compared with others; 0 if only when it is asked for by name."""
    extra: str = ""
    """A module without which the job cannot be done."""


def _corpus(folder: Path, number: int = 400) -> None:
    written(documents(number), folder / "docs")
    lines = [json.dumps({"id": topic, "title": text}) for topic, text in questions(8).items()]
    (folder / "topics.jsonl").write_text("".join(f"{line}\n" for line in lines))


def _larger_corpus(folder: Path) -> None:
    _corpus(folder, 6000)


def _corpus_in_turn(folder: Path) -> None:
    """Documents, and a few more that come later."""
    _corpus(folder)
    written({f"later-{name}": text for name, text in documents(60, seed=3).items()}, folder / "later")


def _index_in_parts(folder: Path) -> None:
    """An index to which documents were added, and from which some were removed."""
    _corpus_in_turn(folder)
    gone = next(iter(documents(400)))
    for words in (INDEX, ADD, ("index", "remove", "ix", gone, f"later-{next(iter(documents(60, seed=3)))}")):
        with chdir(folder), redirect_stdout(StringIO()):
            assert main(words) == 0


def _clean_and_noisy(folder: Path) -> None:
    """Common words, and the same with the errors of a scanner."""
    import random

    from adjudge.text.stopwords import words_of

    rng, words = random.Random(5), sorted(words_of("smart"))
    for name, rate in (("clean", 0.0), ("noisy", 0.15)):
        draw = random.Random(7)
        lines = []
        for number in range(60):
            chosen = [draw.choice(words) for _ in range(120)]
            noisy = [w.replace("e", "c").replace("l", "1") if rng.random() < rate else w for w in chosen]
            lines.append(json.dumps({"id": f"d{number}", "text": " ".join(noisy)}))
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))


def _plan(text: str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        for path in EXAMPLE.iterdir():
            shutil.copy(path, folder)
        (folder / "runs").mkdir()
        for name in ("lexical.run", "dense.run"):
            shutil.copy(EXAMPLE / name, folder / "runs")
        (folder / "plan.toml").write_text(text)

    return prepare


def _dump(folder: Path) -> None:
    posts = [question(n, f"<p>What is $x_{n}$? Is it known?</p>", accepted=n + 1) for n in range(1, 60, 2)]
    posts += [answer(n + 1, n) for n in range(1, 60, 2)]
    dump(folder / "dump", file_of("posts", *posts))


RUNS = 'judgments = "qrels.txt"\nruns = "runs"\nmeasures = ["ap", "ndcg@10"]\nsamples = 100\ntests = ["t"]\n'
SYSTEMS = """topics = "questions.tsv"
judgments = "targets.txt"
systems = ["bm25", "dirichlet"]
measures = ["ap"]
samples = 100
tests = ["t"]

[versions]
clean = "documents.jsonl"
noisy = { random = 0.1, seed = 2 }
"""
TUNE = """topics = "questions.tsv"
judgments = "targets.txt"
measures = ["ap"]
samples = 100

[versions]
clean = "documents.jsonl"

[tune]
system = "bm25"
folds = 2

[tune.parameters]
k1 = [0.5, 1.2]
"""

INDEX = ("index", "docs", "-o", "ix", "--positions")
ADD = ("index", "add", "ix", "later", "--new")
FIND = ("search", "ix", "common")
JOBS = (
    Job("index", _corpus, INDEX),
    Job("index again", _corpus, INDEX, before=INDEX, alive=FIND),
    Job("add to an index", _corpus_in_turn, ADD, before=INDEX, alive=FIND),
    Job("merge an index", _index_in_parts, ("index", "merge", "ix"), alive=FIND),
    Job("index in parts", _larger_corpus, ("index", "docs", "-o", "ix", "--memory", "1")),
    Job("keep a system", _clean_and_noisy, ("index", "noisy.jsonl", "--system", "decipher", "-o", "kept")),
    Job("retrieve", _corpus, ("retrieve", "ix", "topics.jsonl", "-o", "x.run"), before=INDEX, weight=2),
    Job("noise", _corpus, ("noise", "simulate", "docs", "--channel", "ocrad-5", "-o", "noisy")),
    Job(
        "correct",
        _clean_and_noisy,
        ("noise", "correct", "noisy.jsonl", "--lexicon", "clean.jsonl", "-o", "corrected"),
    ),
    Job("learn", _clean_and_noisy, ("noise", "learn", "clean.jsonl", "noisy.jsonl", "-o", "channel.json")),
    Job("terms", _clean_and_noisy, ("terms", "clean.jsonl", "-o", "terms.parquet")),
    Job("plan of runs", _plan(RUNS), ("run", "plan.toml", "-o", "results")),
    Job("plan", _plan(SYSTEMS), ("run", "plan.toml", "-o", "results")),
    Job("tune", _plan(TUNE), ("tune", "plan.toml", "-o", "results"), weight=1),
    Job("report", _plan(RUNS), ("report", "results"), before=("run", "plan.toml", "-o", "results"), weight=2),
    Job("scores", _plan(RUNS), ("measure", "qrels.txt", "lexical.run", "dense.run", "-o", "s.parquet"), weight=1),
    Job("candidates", _dump, ("collect", "candidates", "dump", "-o", "project")),
    Job("workbench", _dump, ("collect", "serve"), extra="uvicorn"),
    Job(
        "terms on Spark",
        _clean_and_noisy,
        ("terms", "clean.jsonl", "-o", "terms.parquet", "--engine", "spark", "--master", "local[1]"),
        weight=0,
        extra="pyspark",
    ),
)
SERVING = "workbench"
"""The job that does not end by itself: it is only killed (serving.py)."""
BY_NAME = {job.name: job for job in JOBS}
