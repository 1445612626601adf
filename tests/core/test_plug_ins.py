"""Components and commands of other packages: installed, found, used; broken ones are named and harm nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import plug_in_wheels
from adjudge.core import plug_ins
from adjudge.core.errors import SpecError
from adjudge.core.measure import Measure, MeasureRegistry
from adjudge.core.plug_ins import PlugInWarning
from adjudge.core.registry import Registry
from adjudge.weighting.scheme import Weighting


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package in it, as an installation leaves it."""
    folder = tmp_path_factory.mktemp("example")
    plug_in_wheels.unpack(plug_in_wheels.build_wheel("example", folder), folder / "site")
    return folder / "site"


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faulty")
    plug_in_wheels.unpack(plug_in_wheels.build_wheel("faulty", folder), folder / "site")
    return folder / "site"


def python(*arguments: str, site: Path | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ) | ({"PYTHONPATH": str(site)} if site else {})
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=cwd
    )


def adjudge(*words: str, site: Path | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return python("-m", "adjudge", *words, site=site, cwd=cwd)


USES = """
import adjudge, numpy as np
from adjudge.comparison.compare import compare
from adjudge.comparison.paired import corrections, paired_tests
from adjudge.components import registries
from adjudge.core.average import averages
from adjudge.core.document import Document, InMemory
from adjudge.core.measure import measures
from adjudge.correlation import footrule
from adjudge.noise.engines.engine import engines
from adjudge.systems.parts.version import Version
from adjudge.systems.system import find_system, line_up
from adjudge.weighting.scheme import weightings
from pathlib import Path

plugged = {registry.plural: list(registry.plug_ins) for registry in registries() if registry.plug_ins}
assert plugged == {
    "measures": ["fallout"], "averages": ["midrange"], "coefficients": ["footrule"], "tests": ["z"],
    "corrections": ["sidak"], "weightings": ["coordination"], "tokenizers": ["blanks"], "filters": ["backwards"],
    "layouts": ["stanzas"], "systems": ["boolean"], "engines": ["ink"],
}, plugged
qrels = {"q": {"a": 0, "b": 1, "c": 0, "d": 0, "e": 0}, "r": {"a": 0, "b": 0}}
runs = {"x": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}, "r": {"b": 1.0}}}
scores = adjudge.measure(qrels, runs, ["fallout", "fallout@2", "False_Alarms"])
assert scores["x", "q", :].tolist() == [0.5, 0.25, 0.5]
assert scores.average("midrange")["x"]["fallout"] == 0.5
assert footrule([3, 2, 1], [3, 1, 2]) == 0.5
values = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
assert abs(paired_tests.parse("z")(values, np.array([[0, 1]]))[0] - 0.000532) < 1e-6
assert np.allclose(corrections.parse("sidak")(np.array([0.05, 1.0])), [0.0975, 1.0])
assert adjudge.Analyzer.parse("blanks|backwards").terms("x-y, now") == [",y-x", "won"]
Path("two.stanzas").write_text("%% stanzas\\nsun solar power\\n\\nair wind power power\\n")
Path("unnamed").write_bytes(Path("two.stanzas").read_bytes())
documents = adjudge.read_documents("two.stanzas")
assert [(d.id, d.text) for d in documents] == [("sun", "solar power"), ("air", "wind power power")]
assert [d.id for d in adjudge.read_documents("unnamed")] == ["sun", "air"]
index = adjudge.build_index(documents, "two.index")
hits = adjudge.Searcher(index, "coordination").search(["wind power"])[0]
assert hits.scores.tolist() == [2.0, 1.0]
assert "boolean" in line_up()
run = find_system("boolean").run(Version("true", documents, Path("work")), {"q": "wind power", "r": "power"})
assert [row[:2] for row in run.rows()] == [("q", "air"), ("r", "air"), ("r", "sun")]
assert engines.parse("ink").read(np.eye(4, dtype=bool), dpi=300, timeout=1) == "0.250 of the page is ink\\n"
"""


@pytest.mark.slow
def test_a_component_of_every_kind_is_found_and_used(example: Path, tmp_path: Path) -> None:
    done = python("-c", USES, site=example, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_plug_ins_are_listed_and_explained(example: Path) -> None:
    listing = adjudge("measures", site=example)
    assert "\nfallout[@k] " in listing.stdout
    assert adjudge("measures", "fallout", site=example).stdout.endswith("From the package example-plug-ins 1.0\n")
    assert "boolean" in adjudge("components", site=example).stdout


def test_a_command_of_another_package(example: Path) -> None:
    assert adjudge("greet", "Cyril", site=example).stdout == "Hello Cyril\n"
    assert "From plug-ins:\n  greet                 Greet somebody by name.\n" in adjudge("--help", site=example).stdout


BROKEN = {
    "ap": "is ignored: adjudge has a measure of that name",
    "mrr": "is ignored: adjudge has a measure of that name",
    "absent": "cannot be loaded: ModuleNotFoundError: No module named 'faulty_plug_ins.nowhere'; it is ignored",
    "raising": "cannot be loaded: RuntimeError: no licence; it is ignored",
    "misnamed": "calls itself 'other': the entry point and the component must agree; it is ignored",
    "unfinished": "is not complete: it does not define __call__; it is ignored",
    "greedy": "claims the name 'nDCG', which is adjudge's ndcg; it is ignored",
}


@pytest.mark.slow
def test_broken_plug_ins_are_named_and_the_rest_works(faulty: Path) -> None:
    listing, plain = adjudge("measures", site=faulty), adjudge("measures")
    assert (listing.returncode, listing.stdout) == (0, plain.stdout)
    lines = listing.stderr.splitlines()
    assert len(lines) == 8
    for name, why in BROKEN.items():
        assert f"note: plug-in {name} of faulty-plug-ins 0.3 (adjudge.measures) {why}" in lines
    assert any("number" in line and "must be a frozen dataclass" in line for line in lines)


@pytest.mark.slow
def test_a_broken_plug_in_that_is_asked_for_says_why(faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 x\n")
    done = adjudge("measure", "qrels", "run", "-m", "raising", site=faulty, cwd=tmp_path)
    assert done.returncode == 2
    last = "plug-in raising of faulty-plug-ins 0.3 (adjudge.measures) cannot be loaded: RuntimeError: no licence"
    assert done.stderr.splitlines()[-1] == last
    ours = adjudge("measure", "qrels", "run", "-m", "ap,mrr", site=faulty, cwd=tmp_path)
    assert (ours.returncode, ours.stderr) == (0, ""), "nobody looks for plug-ins where our own names are asked for"
    broken = adjudge("broken", site=faulty)
    assert (broken.returncode, broken.stderr.count("no licence")) == (2, 1)
    assert adjudge("mute", site=faulty).stderr.endswith("the plug-in command mute has no function main(arguments)\n")


def test_plug_ins_are_looked_for_only_if_they_are_needed() -> None:
    code = (
        "import adjudge; from adjudge.core.plug_ins import _all\n"
        "adjudge.measure({'q': {'a': 1}}, {'q': {'a': 1.0}}, ['map', 'P_10', 'nDCG@10', 'gm_map'])\n"
        "from adjudge.core.average import averages; averages.parse('log'); averages.parse('gm')\n"
        "adjudge.Analyzer.parse('words|lower|stop(smart)')\n"
        "from adjudge.systems.system import find_system; find_system('gmu961'); find_system('bm25(k1=2)')\n"
        "print(_all.cache_info().misses)"
    )
    assert python("-c", code).stdout == "0\n"


def test_two_packages_with_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    entry = EntryPoint("twice", "nowhere:Twice", "adjudge.measures")
    both = tuple(plug_ins.PlugIn("adjudge.measures", "twice", f"{name} 1.0", entry) for name in ("one", "two"))
    monkeypatch.setattr(plug_ins, "_all", lambda: both)
    with pytest.warns(PlugInWarning, match=r"twice \(adjudge.measures\) is ignored: one 1.0 and two 1.0 both have it"):
        assert plug_ins.plug_ins.__wrapped__("adjudge.measures") == {}


def test_metadata_that_cannot_be_read_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged:
        def read_text(self, name: str) -> str:
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    monkeypatch.setattr("importlib.metadata.distributions", lambda: [Damaged()])
    with pytest.warns(PlugInWarning, match="metadata cannot be read"):
        assert plug_ins._all.__wrapped__() == ()


@pytest.mark.parametrize("registry", [MeasureRegistry("measure", "adjudge.measures", Measure)])
def test_a_name_that_nobody_has(registry: MeasureRegistry) -> None:
    with pytest.raises(SpecError, match="no measure 'ndgc', did you mean ndcg"):
        registry.parse("ndgc")


def test_other_names_and_capitals() -> None:
    schemes: Registry[Weighting] = Registry("weighting", "adjudge.weighting", Weighting)
    for name, canonical in {
        "BM25": "bm25",
        "Okapi": "bm25",
        "LM-Dirichlet": "dirichlet",
        "jm": "jelinek_mercer",
    }.items():
        assert schemes.parse(name).name == canonical
    with pytest.raises(SpecError, match="no weighting 'bm52'"):
        schemes.parse("bm52")


@pytest.mark.slow
def test_a_package_that_pip_installed_takes_part_in_a_plan(tmp_path: Path) -> None:
    site = tmp_path / "site"
    plug_in_wheels.install(plug_in_wheels.build_wheel("example", tmp_path), site)
    (tmp_path / "docs.jsonl").write_text('{"id": "sun", "text": "solar power"}\n{"id": "air", "text": "wind power"}\n')
    (tmp_path / "topics.tsv").write_text("1\tsolar\n2\twind power\n")
    (tmp_path / "qrels.txt").write_text("1 0 sun 1\n2 0 air 1\n2 0 sun 0\n")
    (tmp_path / "plan.toml").write_text(
        'topics = "topics.tsv"\njudgments = "qrels.txt"\nsystems = ["boolean", "bm25"]\n'
        'measures = ["ap", "fallout"]\ntests = ["z"]\ncorrection = "sidak"\n[versions]\nclean = "docs.jsonl"\n'
    )
    done = adjudge("run", "plan.toml", "-o", "results", site=site, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "boolean" in done.stdout
    assert "fallout" in done.stdout
    record = tmp_path / "results" / "runs" / "clean" / "boolean.json"
    before = record.read_text()
    again = adjudge("run", "plan.toml", "-o", "results", site=site, cwd=tmp_path)
    assert again.returncode == 0
    assert record.read_text() == before
    module = site / "example_plug_ins" / "searching.py"
    module.write_text(module.read_text().replace("words <= terms", "words & terms"))
    changed = adjudge("run", "plan.toml", "-o", "results", site=site, cwd=tmp_path)
    assert changed.returncode == 0
    assert record.read_text() != before, "another version of a system makes its runs anew"
