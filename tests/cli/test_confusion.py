"""adjudge confusion: the whole table from documents, questions and judgments."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from adjudge.cli import main
from adjudge.report.track_figures import NAMES

TEXTS = {
    "d1": "solar power plants of florida\nand their owners, who have to pay for the roads that lead to them",
    "d2": "wind power in the plains",
    "d3": "coupons and bonds of the treasury",
    "d4": "parrots in cages need care",
    "d5": "fees of the florida treasury",
}
SYSTEMS = ["--systems", "bm25", "--systems", "gmu(drop=0)", "--systems", "rutcf"]


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    for name, texts in (("true", TEXTS), ("noisy", {i: t.replace("r", "x") for i, t in TEXTS.items()})):
        lines = [json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items()]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
    (tmp_path / "questions.tsv").write_text(
        "q1\tsolar energy in florida\nq2\tcare for parrots\nq3\twind of the plains\n"
    )
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d4 1\nq3 0 d2 1\n")
    return [str(tmp_path / name) for name in ("true.jsonl", "noisy.jsonl", "questions.tsv", "qrels.txt")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results that several tests look at in several forms."""
    return tmp_path_factory.mktemp("shared")


def test_the_table_and_all_files(paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results"
    assert main(["confusion", *paths, "-o", str(out), *SYSTEMS, "--name", "true", "--name", "noisy"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("MRR")
    assert "3 questions." in said
    told = json.loads((out / "confusion.json").read_text())
    halved = pytest.approx(2.5 / 3)  # d1 takes two lines, which halves its score, so that d5 comes before it
    assert told["versions"]["true"]["mrr"] == {"bm25": 1.0, "gmu(drop=0)": 1.0, "rutcf": halved}
    assert told["versions"]["noisy"]["told"]["bm25"][0].startswith("topic q1: no term of the query is indexed")
    assert told["versions"]["noisy"]["ranks"]["bm25"][0] == 0, "solar and florida are misread, energy is not there"
    rows = list(csv.reader(io.StringIO((out / "confusion.csv").read_text())))
    assert rows[0] == ["MRR", "true", "noisy"]
    assert [float(cell) for cell in rows[1][1:]] == [told["versions"][v]["mrr"]["bm25"] for v in ("true", "noisy")]
    for name in ("known-item.txt", "known-item.json", "curves.csv", "significance.txt", "significance.json"):
        assert (out / "versions" / "noisy" / name).stat().st_size > 0
    figures = [(out / "versions" / "noisy" / f"{name}.svg").read_text() for name in NAMES]
    assert all('data-system="rutcf"' in figure for figure in figures)


@pytest.mark.slow
def test_given_again_it_prints_the_same_and_runs_nothing(
    paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["confusion", *paths, "-o", str(tmp_path / "results"), *SYSTEMS]
    assert main(command) == 0
    first = capsys.readouterr()
    assert main(command) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert "bm25 on true" in first.err
    assert "bm25 on true" not in again.err


@pytest.mark.slow
def test_without_outside_text_clarit_is_left_out_and_told(
    paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["confusion", *paths, "-o", str(tmp_path / "results"), "--aligned", "1", "--training", "2"])
    said = capsys.readouterr()
    assert "CLCON, CLCONF: skipped: they need clean reference text that is not searched" in said.err
    assert code == 0
    assert "gmu961 on true: no document was retrieved for any question" in said.out, (
        "five documents have fewer grams than are dropped"
    )


@pytest.mark.parametrize("form", ["table", "csv", "json", "md", "latex"])
@pytest.mark.parametrize("versions", [1, 2])
@pytest.mark.parametrize("systems", [("bm25",), ("gmu", "bm25"), ("gmu",)])
def test_forms_with_few_versions_and_systems(
    paths: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
    versions: int,
    systems: tuple[str, ...],
    shared: Path,
) -> None:
    given = [*paths[:versions], *paths[2:], "--samples", "39", "-f", form]
    for system in systems:
        given += ["-s", system]
    assert main(["confusion", *given, "-o", str(shared / f"{versions}-{'-'.join(systems)}")]) == 0
    said = capsys.readouterr().out
    if form == "json":
        told = json.loads(said)
        assert [list(v["mrr"]) for v in told["versions"].values()] == [list(systems)] * versions
        assert all(v["mrr"].get("gmu", 0.0) == 0.0 for v in told["versions"].values())
    elif form == "csv":
        assert [len(row) for row in csv.reader(io.StringIO(said))] == [versions + 1] * (len(systems) + 1)
    elif form == "latex":
        assert said.count(r"\begin{tabular}") == said.count(r"\end{tabular}") == 3
    if "gmu" in systems and form != "csv":
        assert "gmu on true: no document was retrieved for any question" in said


def test_an_empty_question_counts_as_not_found(paths: list[str], tmp_path: Path) -> None:
    questions = Path(paths[2])
    questions.write_text(questions.read_text().replace("wind of the plains", ""))
    out = tmp_path / "results"
    assert main(["confusion", *paths, "-o", str(out), "-s", "bm25"]) == 0
    told = json.loads((out / "confusion.json").read_text())
    assert told["versions"]["true"]["questions"] == ["q1", "q2", "q3"]
    assert told["versions"]["true"]["mrr"]["bm25"] == pytest.approx(2 / 3)
    assert "topic q3: no title, counted as not found" in told["notes"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda p: p[:2], "at least one version of the documents"),
        (lambda p: [*p, "--name", "one"], "need as many different names"),
        (lambda p: [*p, "-s", "gmu963"], "no system 'gmu963'"),
        (lambda p: [p[0], p[1] + "x", *p[2:]], "no such file"),
        (lambda p: [*p, "--depth", "0"], "--hits"),
        (lambda p: [*p, "--samples", "38"], "samples"),
        (lambda p: [*p, "--name", "", "--name", "noisy"], "a version needs a name"),
    ],
)
def test_bad_input(
    paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], change: object, why: str
) -> None:
    changed = change(paths)  # type: ignore[operator]
    try:
        code = main(["confusion", *changed, "-o", str(tmp_path / "results")])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code == 2
    assert why in capsys.readouterr().err
