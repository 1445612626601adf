"""No figure depends on a sentence: with every sentence replaced by its name, the same numbers come out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.cli import main
from adjudge.core.note import Note
from adjudge.experiment.analysis import findings_of
from adjudge.experiment.completed_runs import CompletedRuns
from adjudge.experiment.plan import Noise, Plan
from adjudge.experiment.running import conduct
from adjudge.formats.runs import run_bytes
from adjudge.index.building import build
from adjudge.index.searching import Searcher
from adjudge.report.page import page
from adjudge.report.result_files import result_files
from mute_words import mute, without_prose
from recorder import Recorder

TEXT = "register notice federal agency rule comment hearing docket permit water solar power coupon bond"
WORDS = TEXT.split()
SYSTEMS = ("bm25", "gmu(drop=0)", "rutgers", "fusion(of=[bm25, lucene])", "gmu(drop=100000)")
"""The last one finds nothing, and says so of every question."""


def write_corpus(folder: Path) -> None:
    rng = np.random.default_rng(3)
    texts = {f"d{i:02}": " ".join(rng.choice(WORDS, 25)) + f" unique{i:02}" for i in range(40)}
    (folder / "docs.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items()))
    questions = [f"q{i}\tunique{i:02} {' '.join(rng.choice(WORDS, 3))}" for i in range(8)] + ["q8\tzzz", "q9\tsolar"]
    (folder / "topics.tsv").write_text("\n".join(questions) + "\n")
    (folder / "qrels.txt").write_text("".join(f"q{i} 0 d{i:02} 1\n" for i in range(9)))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("plan")
    write_corpus(folder)
    versions: dict[str, str | Noise] = {"true": "docs.jsonl", "5 %": Noise(channel="ocrad-5")}
    return Plan("topics.tsv", "qrels.txt", versions, SYSTEMS, title="Words", folder=folder)


@pytest.fixture(scope="module")
def spoken_and_mute(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same plan carried out twice, the second time without a sentence."""
    folders = tmp_path_factory.mktemp("spoken"), tmp_path_factory.mktemp("mute")
    conduct(plan, folders[0], result_files)
    with mute() as spoken:
        conduct(plan, folders[1], result_files)
    assert {"notes_experiments.nothing_found", "outcomes.conclusion"} <= set(spoken)
    return folders


@pytest.mark.slow
def test_a_plan_gives_the_same_figures(spoken_and_mute: tuple[Path, Path]) -> None:
    spoken, silent = spoken_and_mute
    scores = [pl.read_parquet(folder / "scores.parquet") for folder in spoken_and_mute]
    assert scores[0].equals(scores[1])
    verdicts = [json.loads((folder / "verdicts.json").read_text()) for folder in spoken_and_mute]
    assert without_prose(verdicts[0]) == without_prose(verdicts[1])
    assert verdicts[0]["conclusions"] != verdicts[1]["conclusions"]
    assert len(verdicts[0]["conclusions"]) == len(verdicts[1]["conclusions"])
    assert len(verdicts[0]["notes"]) == len(verdicts[1]["notes"]), "notes are dropped by their kind"
    assert (spoken / "results.csv").read_bytes() == (silent / "results.csv").read_bytes()


@pytest.mark.slow
def test_runs_and_records_hold_no_sentence(spoken_and_mute: tuple[Path, Path]) -> None:
    first, second = (CompletedRuns.load(folder) for folder in spoken_and_mute)
    assert first.notes == second.notes
    for version, runs in first.runs.items():
        for name, path in runs.items():
            assert path.read_bytes() == second.runs[version][name].read_bytes()
            records = first.records[version][name], second.records[version][name]
            assert records[0].notes == records[1].notes
            assert records[0].retrieved == records[1].retrieved


@pytest.mark.slow
def test_the_page_builds_with_the_same_charts(spoken_and_mute: tuple[Path, Path]) -> None:
    findings = findings_of(CompletedRuns.load(spoken_and_mute[0]))
    spoken = page(findings)
    with mute() as names:
        silent = page(findings)
    assert names
    assert any(f"{name}" in silent for name in names)
    drawings = [re.findall(r"<(?:rect|circle|path|line|polyline)\b[^>]*>", text) for text in (spoken, silent)]
    assert len(drawings[0]) > 20
    assert drawings[0] == drawings[1]


@pytest.mark.slow
def test_technical_terms_give_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "d1": "A Riemannian manifold has a metric. Every Riemannian manifold is a smooth manifold.",
        "d2": "A Lie group is a smooth manifold. The Lie group acts on a vector space.",
        "d3": "The vector space has a basis. A basis of the vector space is a set of vectors.",
    }
    lines = "".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in texts.items())
    (tmp_path / "docs.jsonl").write_text(lines)
    (tmp_path / "topics.tsv").write_text("q1\tRiemannian manifolds\nq2\tLie group\nq3\tbasis\nq4\tnothing\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\nq3 0 d3 1\nq4 0 d3 1\n")
    command = ["technical-terms", *(str(tmp_path / name) for name in ("docs.jsonl", "topics.tsv", "qrels.txt"))]
    assert main([*command, "-o", str(tmp_path / "spoken")]) == 0
    with mute() as names:
        assert main([*command, "-o", str(tmp_path / "mute")]) == 0
    assert "boosted_terms.gain_by_terms" in names
    capsys.readouterr()
    told = [json.loads((tmp_path / folder / "technical-terms.json").read_text()) for folder in ("spoken", "mute")]
    assert without_prose(told[0]) == without_prose(told[1])
    assert told[1]["conclusions"][0] == "boosted_terms.terms_of_questions"


def test_terms_that_are_not_there_are_the_same_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs.jsonl").write_text('{"id": "d1", "text": "manifold"}\n{"id": "d2", "text": "group"}\n')
    (tmp_path / "topics.tsv").write_text("q1\tmanifold\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    paths = [str(tmp_path / name) for name in ("docs.jsonl", "topics.tsv", "qrels.txt")]
    with mute():
        assert main(["technical-terms", *paths, "-o", str(tmp_path / "results")]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"{paths[0]}: no multi-word term"), last
    assert last.endswith(": nothing to boost")


def test_measures_and_searches_hold_facts(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    index = build(adjudge.read_documents(tmp_path / "docs.jsonl"), tmp_path / "index", analyzer="words|lower")
    topics = {"q0": "solar unique00", "q8": "zzz"}

    def figures() -> tuple[bytes, object, list[str], list[str]]:
        heard = Recorder()
        run = Searcher(index).run(topics, progress=heard)
        scores = adjudge.measure(tmp_path / "qrels.txt", run, ["ap", "rr", "gm_map"])
        return (
            run_bytes(run, "trec"),
            scores.mean(),
            [note.kind for note in scores.notes],
            [note.kind for note, _ in heard.notes],
        )

    expected = figures()
    with mute():
        assert figures() == expected
    assert expected[2:] == (["geometric_mean", "topics_missing"], ["query_not_indexed"])


@pytest.fixture(scope="module")
def judged_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments, three runs, topics and an index of their documents."""
    folder = tmp_path_factory.mktemp("judged")
    write_corpus(folder)
    index = build(adjudge.read_documents(folder / "docs.jsonl"), folder / "index", analyzer="words|lower")
    topics = dict(line.split("\t") for line in (folder / "topics.tsv").read_text().splitlines()[:8])
    queries = {"whole": topics, "first": {topic: text.split()[0] for topic, text in topics.items()}}
    queries["rest"] = {topic: " ".join(text.split()[1:]) for topic, text in topics.items()}
    for name, texts in queries.items():
        (folder / f"{name}.run").write_bytes(run_bytes(Searcher(index).run(texts, name=name), "trec"))
    return folder


RUNS = ("qrels.txt", "whole.run", "first.run", "rest.run")
TEXTS = {
    "known-item": (*RUNS, "--value", "50", "--samples", "50", "--pairs", "1"),
    "complementarity": RUNS,
    "predict": ("index", "topics.tsv", *RUNS, "--rows", "2", "--permutations", "50", "--samples", "50"),
    "sensitivity": (*RUNS, "-m", "rr", "--pairs", "1"),
    "compare": (*RUNS, "-m", "rr", "--pairs", "1"),
    "swap-rate": (*RUNS, "-m", "rr", "--trials", "20"),
    "discriminative-power": (*RUNS, "-m", "rr", "--samples", "50"),
    "pseudo-judgments": (*RUNS[1:], "--qrels", "qrels.txt", "--trials", "5"),
    "correlate": (*RUNS, "-m", "rr", "-m", "ap", "--samples", "50", "--permutations", "50"),
}
"""Commands that print tables and sentences."""


@pytest.mark.parametrize("command", TEXTS)
def test_a_page_of_text_has_the_same_tables(
    judged_files: Path, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(judged_files)
    assert main([command, *TEXTS[command]]) == 0
    spoken = capsys.readouterr().out.splitlines()
    with mute() as names:
        assert main([command, *TEXTS[command]]) == 0
    silent = capsys.readouterr().out.splitlines()
    assert names
    tables = [line for line in silent if line not in names]
    assert len(tables) > 2
    assert len(spoken) == len(silent)
    assert tables == [line for line, other in zip(spoken, silent, strict=True) if other not in names]
    assert not [line for line in tables if line.endswith(".")], "a sentence that is not made in the room of words"


def test_names_do_not_stay() -> None:
    with mute():
        assert str(Note.of("query_empty")) == "notes_searching.query_empty"
    assert str(Note.of("query_empty")) == "no term is left in the query"
