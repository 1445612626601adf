"""Plans that say what people mean: documents, labels, grids, weightings, fused runs, subsets, collections of others."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from adjudge.cli import main
from adjudge.core.errors import AdjudgeError
from adjudge.experiment.completed_runs import CompletedRuns
from adjudge.experiment.named_systems import named_specs
from adjudge.experiment.plan import Plan
from adjudge.experiment.running import run
from adjudge.systems.parts.fusing import fuse

TEXTS = {
    "d1": "solar power plants of florida",
    "d2": "wind power in the plains",
    "d3": "coupons and bonds of the treasury",
    "d4": "parrots in cages",
}
HEAD = 'topics = "topics.tsv"\njudgments = "qrels.txt"\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in TEXTS.items()))
    (tmp_path / "topics.tsv").write_text("q1\tsolar power\nq2\tparrots\nq3\ttreasury bonds\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d4 1\nq3 0 d3 1\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.run").write_text("q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\nq2 Q0 d4 1 1 a\n")
    (tmp_path / "runs" / "b.run").write_text("q1 Q0 d1 1 9 b\nq3 Q0 d3 1 9 b\n")
    return tmp_path


def read(place: Path, text: str) -> Plan:
    (place / "plan.toml").write_text(HEAD + text)
    return Plan.read(place / "plan.toml")


def specs(plan: Plan) -> dict[str, str]:
    return {name: str(system) for name, system in plan.systems_by_name.items()}


def test_documents_are_the_clean_version(place: Path) -> None:
    plan = read(place, 'documents = "docs.jsonl"\nsystems = ["bm25"]')
    assert plan.versions == {"clean": "docs.jsonl"}
    assert plan.reference == "clean"
    noisy = read(place, 'documents = "docs.jsonl"\nsystems = ["bm25"]\n[versions]\nnoisy = { random = 0.1 }')
    assert list(noisy.versions) == ["clean", "noisy"]
    with pytest.raises(AdjudgeError, match="give the true text once"):
        read(place, 'documents = "docs.jsonl"\ntrue = "b"\n[versions]\nb = "docs.jsonl"')


def test_labels_name_systems(place: Path) -> None:
    plan = read(place, 'documents = "docs.jsonl"\n[systems]\n"BM25 as tuned" = "bm25(k1=1.2)"\nplain = "bm25"')
    results = run(plan, place / "out")
    assert list(results.runs["clean"]) == ["BM25 as tuned", "plain"]
    assert results.records["clean"]["BM25 as tuned"].system == "bm25(k1=1.2)"


def test_every_weighting_is_a_system(place: Path) -> None:
    from adjudge.weighting.scheme import weightings

    names = [*weightings.own_names, "dirichlet(mu=100, analyzer=words|lower)"]
    plan = read(place, f'documents = "docs.jsonl"\nsystems = {json.dumps(names)}')
    results = run(plan, place / "out")
    assert all(results.run("clean", name).to_dict()["q2"].keys() == {"d4"} for name in names)
    assert (
        specs(plan)["dirichlet(mu=100, analyzer=words|lower)"] == "weighted(by=dirichlet(mu=100), analyzer=words|lower)"
    )
    assert specs(plan)["bm25"] == "bm25"


def test_a_list_where_one_value_is_wanted_is_a_grid() -> None:
    assert list(named_specs(["bm25(k1=[0.6, 0.9])", "lucene"])) == ["bm25(k1=0.6)", "bm25(k1=0.9)", "lucene"]
    assert named_specs({"grid": {"system": "bm25", "k1": [0.6, 0.9], "b": 0.5}}) == {
        "grid(k1=0.6)": "bm25(k1=0.6, b=0.5)",
        "grid(k1=0.9)": "bm25(k1=0.9, b=0.5)",
    }
    both = named_specs({"g": "bm25(k1=[0.6, 0.9], b=[0.4, 0.7, 1])"})
    assert len(both) == 6
    assert both["g(k1=0.9, b=0.7)"] == "bm25(k1=0.9, b=0.7)"
    assert named_specs(["fusion(of=[bm25, lucene])"]) == {"fusion(of=[bm25, lucene])": "fusion(of=[bm25, lucene])"}
    own = named_specs({"mine": {"python": "rankers:search", "k1": [1, 2], "names": [["a", "b"]]}})
    assert list(own) == ["mine(k1=1, names=[a, b])", "mine(k1=2, names=[a, b])"]
    assert named_specs({"d": "dirichlet(mu=[10, 20])"})["d(mu=20)"] == "dirichlet(mu=20)"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["bm25", "bm25"], "the system bm25 is named twice"),
        (["bm25(k1=[0.6, 0.6])"], "k1 has a value twice"),
        ({"g": {"system": "bm25", "k1": []}}, "system g: k1 has no value"),
        ({"g": {"system": "bm25", "k1": list(range(50)), "b": [i / 50 for i in range(50)]}}, "a grid of 2,500 systems"),
        ({" ": "bm25"}, "a system needs a label"),
        ([{"python": "a:b"}], "systems of your own need a label"),
        ({"m": 3}, "system m: must be a spec, or a table with one of python, command, system, not 3"),
    ],
)
def test_grids_and_labels_that_cannot_be_meant(given: Any, why: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        named_specs(given)
    assert why in str(caught.value)


def test_runs_of_ones_own_are_fused_with_systems(place: Path) -> None:
    plan = read(
        place,
        'documents = "docs.jsonl"\nruns = "runs/"\n[systems]\ntuned = "bm25(k1=1.2)"\nboth = "fusion(of=[tuned, a])"',
    )
    results = run(plan, place / "out")
    record = results.records["clean"]["both"]
    assert record.system == "fusion(of=[bm25(k1=1.2), run_file(of=runs/a.run)])"
    expected = fuse([results.run("clean", "tuned"), results.run("clean", "a")])
    assert results.run("clean", "both").to_dict() == expected.to_dict()
    before = record.key
    (place / "runs" / "a.run").write_text("q1 Q0 d1 1 2 a\n")
    assert run(plan, place / "out").records["clean"]["both"].key != before


def test_runs_are_fused_without_documents(place: Path) -> None:
    plan = read(place, 'runs = "runs/"\n[systems]\nboth = "fusion(of=[a, b])"')
    results = run(plan, place / "out")
    assert list(results.runs["runs"]) == ["a", "b", "both"]
    expected = fuse([results.run("runs", "a"), results.run("runs", "b")])
    assert results.run("runs", "both").to_dict() == expected.to_dict()
    assert results.records["runs"]["both"].system == "fusion(of=[run_file(of=runs/a.run), run_file(of=runs/b.run)])"
    stamp = (place / "out" / "runs" / "runs" / "both.json").stat().st_mtime_ns
    run(plan, place / "out")
    assert (place / "out" / "runs" / "runs" / "both.json").stat().st_mtime_ns == stamp
    assert CompletedRuns.load(place / "out").run("runs", "both").to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    ("systems", "why"),
    [
        ('both = "fusion(of=[a, bm26])"', "no system 'bm26', and no run of that name on runs, did you mean bm25"),
        ('both = "fusion(of=[a, both])"', "system both is fused of itself"),
        ('both = "fusion(of=[a, bm25])"', "systems need at least one version of the documents"),
    ],
)
def test_fusions_that_cannot_be(place: Path, systems: str, why: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        run(read(place, f'runs = "runs/"\n[systems]\n{systems}'), place / "out")
    assert why in str(caught.value)


def test_a_subset_of_the_topics(place: Path) -> None:
    plan = read(place, 'documents = "docs.jsonl"\nsystems = ["bm25"]\ntopic_ids = ["q1", "q3"]')
    results = run(plan, place / "out")
    assert results.topics == ("q1", "q3")
    assert results.judgments().topics == ("q1", "q3")
    assert not results.notes
    (place / "ids.txt").write_text("q2\n")
    assert run(read(place, 'runs = "runs/"\ntopic_ids = "ids.txt"'), place / "other").topics == ("q2",)
    with pytest.raises(AdjudgeError, match="topic_ids: no topic q9"):
        run(read(place, 'runs = "runs/"\ntopic_ids = ["q1", "q9"]'), place / "third")


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    lines = [{"_id": i, "title": t.split()[0], "text": t, "metadata": {}} for i, t in TEXTS.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "solar power"}\n{"_id": "q2", "text": "parrots"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td4\t1\n")
    return tmp_path


def test_a_beir_folder_is_a_collection(beir: Path) -> None:
    (beir / "plan.toml").write_text('collection = "beir:tiny"\nsystems = ["bm25"]\n')
    results = run(Plan.read(beir / "plan.toml"), beir / "out")
    assert (results.topics, results.documents) == (("q1",), 4)
    assert next(iter(results.run("clean", "bm25").to_dict()["q1"])) == "d1"
    (beir / "plan.toml").write_text('collection = "beir:tiny"\nsplit = "dev"\nsystems = ["bm25"]\n')
    assert run(Plan.read(beir / "plan.toml"), beir / "dev").topics == ("q2",)
    (beir / "plan.toml").write_text('collection = "beir:tiny"\nsplit = "train"\nsystems = ["bm25"]\n')
    with pytest.raises(AdjudgeError, match=r"train.tsv: no such file: there is dev, test"):
        run(Plan.read(beir / "plan.toml"), beir / "train")
    (beir / "plan.toml").write_text('collection = "beir:huge"\nsystems = ["bm25"]\n')
    with pytest.raises(AdjudgeError, match="huge: no such folder"):
        run(Plan.read(beir / "plan.toml"), beir / "huge-out")


class Doc(NamedTuple):
    doc_id: str
    title: str
    text: str


class Query(NamedTuple):
    query_id: str
    text: str


class Judgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int


class Dataset:
    """As ir_datasets gives one."""

    def has_docs(self) -> bool:
        return True

    has_queries = has_qrels = has_docs

    def docs_iter(self) -> list[Doc]:
        return [Doc(i, "", text) for i, text in TEXTS.items()]

    def queries_iter(self) -> list[Query]:
        return [Query("q1", "solar\npower"), Query("q2", "parrots")]

    def qrels_iter(self) -> list[Judgment]:
        return [Judgment("q1", "d1", 1), Judgment("q2", "d4", 2)]


def test_an_id_of_ir_datasets_is_a_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []

    def load(name: str) -> Dataset:
        loaded.append(name)
        if name != "tiny":
            raise KeyError(name)
        return Dataset()

    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=load, registry=["tiny"]))
    (tmp_path / "plan.toml").write_text('collection = "ir_datasets:tiny"\nsystems = ["bm25"]\n')
    plan = Plan.read(tmp_path / "plan.toml")
    results = run(plan, tmp_path / "out")
    assert (results.topics, results.documents) == (("q1", "q2"), 4)
    run(plan, tmp_path / "out")
    assert loaded == ["tiny"]
    (tmp_path / "plan.toml").write_text('collection = "ir_datasets:tinny"\nsystems = ["bm25"]\n')
    with pytest.raises(AdjudgeError, match="ir_datasets has no 'tinny', did you mean tiny"):
        run(Plan.read(tmp_path / "plan.toml"), tmp_path / "other")


def test_the_library_itself_is_asked(tmp_path: Path) -> None:
    ir_datasets = pytest.importorskip("ir_datasets")
    (tmp_path / "docs.tsv").write_text("".join(f"{i}\t{t}\n" for i, t in TEXTS.items()))
    (tmp_path / "queries.tsv").write_text("q1\tsolar power\n")
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    files = {"docs_tsv": "docs.tsv", "queries_tsv": "queries.tsv", "qrels_trec": "qrels"}
    dataset = ir_datasets.create_dataset(**{kind: str(tmp_path / file) for kind, file in files.items()})
    ir_datasets.registry.register("adjudge-test", dataset)
    (tmp_path / "plan.toml").write_text('collection = "ir_datasets:adjudge-test"\nsystems = ["bm25"]\n')
    results = run(Plan.read(tmp_path / "plan.toml"), tmp_path / "out")
    assert results.run("clean", "bm25").to_dict()["q1"].keys() == {"d1", "d2"}


def test_results_go_to_a_folder_named_after_the_plan(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read(place, 'runs = "runs/"')
    monkeypatch.chdir(place)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert main(["run", "plan.toml", "--open"]) == 0
    assert (place / "results" / "plan" / "report.html").exists()
    assert opened == [(place / "results" / "plan" / "report.html").resolve().as_uri()]
    assert "results/plan/report.html" in capsys.readouterr().out


def test_the_command_names_what_failed(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "bad.py").write_text("def search(query):\n    raise ValueError('no model')\n")
    read(place, 'documents = "docs.jsonl"\n[systems]\nmine = { python = "bad:search" }\nbm25 = "bm25"')
    monkeypatch.chdir(place)
    assert main(["run", "plan.toml", "-o", "out"]) == 2
    out, err = capsys.readouterr()
    assert "adjudge: mine on clean: raised ValueError: no model (bad.py:2)" in err.splitlines()
    assert out.startswith("system")
    assert (place / "out" / "report.html").exists()
