"""ir_metadata headers of runs: read into the run, written on request, and never a reason to refuse a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.cli import main
from adjudge.core.energy import EnergyMeter, packages
from adjudge.formats.ir_metadata import describe_run, header_bytes, resources_of
from adjudge.formats.small_yaml import SmallYamlError, dump, parse

HEADER = """\
# ir_metadata.start
# schema-version: 0.1
# tag: bm25+rerank
# platform:
#   hardware:
#     cpu: {model: "Xeon: Gold", number of cores: 16}
#     ram: 32 GB
#   software:
#     libraries:
#       python:
#       - numpy==1.15.4
#       - 'it''s'
#
# method:
#   automatic: true  # no hands
#   retrieval:
#   - name: bm25
#     b: 0.4
#   - name: rerank
#     reranks: bm25
#     params: [1, -2.5e3, none, null]
# actor:
#   fields: |
#     two
#       lines
#   note: >-
#     folded
#     text
# data: ~
# ir_metadata.end
"""
MEANT: dict[str, Any] = {
    "schema-version": 0.1,
    "tag": "bm25+rerank",
    "platform": {
        "hardware": {"cpu": {"model": "Xeon: Gold", "number of cores": 16}, "ram": "32 GB"},
        "software": {"libraries": {"python": ["numpy==1.15.4", "it's"]}},
    },
    "method": {
        "automatic": True,
        "retrieval": [
            {"name": "bm25", "b": 0.4},
            {"name": "rerank", "reranks": "bm25", "params": [1, -2500.0, "none", None]},
        ],
    },
    "actor": {"fields": "two\n  lines\n", "note": "folded text"},
    "data": None,
}
IGNORED = "the ir_metadata header is ignored"
LINES = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"


def test_a_header_is_read_into_the_run(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    for text in (HEADER + LINES, (HEADER + LINES).replace("\n", "\r\n"), HEADER.replace("# ", "#  ") + LINES):
        path.write_bytes(text.encode())
        run = adjudge.read_run(path)
        assert run.metadata == MEANT
        assert (len(run), run.notes) == (2, ())
    path.write_text("# a comment\n" + LINES)
    assert adjudge.read_run(path).metadata == {}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("# ir_metadata.start\n# a: 1\n", f"a.run:1: {IGNORED}: there is no ir_metadata.end"),
        (
            "# ir_metadata.start\n# a: 1\n# a: 2\n# ir_metadata.end\n",
            f"a.run:3: {IGNORED}: the key",
        ),
        (
            "# ir_metadata.start\n# a:\n# \tb: 2\n# ir_metadata.end\n",
            f"a.run:3: {IGNORED}: a tab",
        ),
        ("# ir_metadata.start\n# - a\n# ir_metadata.end\n", f"a.run:2: {IGNORED}: it is not a"),
        ("# ir_metadata.start\n# a: &x 1\n# ir_metadata.end\n", f"a.run:2: {IGNORED}: & is not"),
    ],
)
def test_a_header_that_is_wrong_is_noted(tmp_path: Path, lines: str, why: str) -> None:
    (tmp_path / "a.run").write_text(lines + LINES)
    scores = adjudge.measure({"1": {"a": 1}}, tmp_path / "a.run", "ap")
    assert scores.summary() == {"t": {"ap": 1.0}}
    assert str(scores.notes[0]).startswith(f"{tmp_path}/{why}")


finite = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(10**12), 10**12), finite, st.text(max_size=8))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(scalars, max_size=3), st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=6), values, min_size=1, max_size=4))
def test_what_is_written_is_read_back_here_and_by_others(data: dict[str, Any]) -> None:
    text = dump(data)
    try:
        back = parse(text)
    except SmallYamlError as error:
        raise AssertionError(text) from error
    assert json.dumps(back) == json.dumps(data)


def test_pyyaml_reads_the_same() -> None:
    yaml = pytest.importorskip("yaml")
    text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in HEADER.splitlines()[1:-1])
    theirs = yaml.safe_load(text)
    theirs["method"]["retrieval"][1]["params"][1] = -2500.0  # YAML 1.1 takes it for a text
    assert theirs == MEANT == parse(text)
    described = describe_run("bm25", system="bm25(k1=0.9)", depth=10, data={"test collection": {"name": "5 %"}})
    assert yaml.safe_load(dump(described)) == described == parse(dump(described))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\n  b: 2", 2), ("a:\n    b: 1\n  c: 2", 3), ("a: [1, 2", 1), ("a: {b 1}", 1), ("a: 'x", 1),
        ('a: "\\q"', 1),
        ("a: 1\nb", 2), ("---\na: 1", 1), ("a: 'x' y", 1), ("a: " + "[" * 60, 1), ("a: !t 1", 1),
    ],
)  # fmt: skip
def test_what_is_not_read(text: str, line: int) -> None:
    with pytest.raises(SmallYamlError) as caught:
        parse(text)
    assert caught.value.line == line


def test_small_values() -> None:
    assert parse("") is None
    assert parse("just text") == "just text"
    assert parse("- - 1\n  - 2\n-\n  a: 1") == [[1, 2], {"a": 1}]
    assert parse("a:\nb: x # y\nc: 'q # r'") == {"a": None, "b": "x", "c": "q # r"}
    assert parse("url: https://a.b/c:d") == {"url": "https://a.b/c:d"}


def test_a_header_is_written_on_request(tmp_path: Path) -> None:
    run = adjudge.retrieve(adjudge.index({"d1": "solar power", "d2": "wind"}), {"1": "solar"}, metadata=True)
    assert run.metadata["method"]["retrieval"] == [{"name": "bm25", "method": "bm25", "documents per topic": 1000}]
    assert set(run.metadata["resources"]) >= {"runtime", "ram"}
    adjudge.write_run(run, tmp_path / "plain.run")
    assert not (tmp_path / "plain.run").read_text().startswith("#")
    adjudge.write_run(run, tmp_path / "told.run.gz", metadata=True)
    back = adjudge.read_run(tmp_path / "told.run.gz")
    assert back == run
    assert back.metadata == json.loads(json.dumps(run.metadata))


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs.jsonl").write_text('{"id": "d1", "text": "solar power"}\n{"id": "d2", "text": "wind"}\n')
    Path("topics.tsv").write_text("1\tsolar\n")
    assert main(["index", "docs.jsonl", "-o", "idx"]) == 0
    assert main(["retrieve", "idx", "topics.tsv", "-o", "a.run"]) == 0
    assert main(["retrieve", "idx", "topics.tsv", "-o", "b.run", "--metadata"]) == 0
    assert Path("b.run").read_text().endswith("# ir_metadata.end\n" + Path("a.run").read_text())
    data = adjudge.read_run("b.run").metadata["data"]
    assert data == {"test collection": {"topics": "topics.tsv", "number of topics": 1}}
    assert main(["retrieve", "idx", "topics.tsv", "-o", "b.json", "--metadata"]) == 2
    assert "--metadata is a header before TREC lines" in capsys.readouterr().err


def test_an_experiment_keeps_what_runs_say_of_themselves(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "other.run").write_text(HEADER + LINES)
    found = adjudge.experiment(
        "bm25", {"a": "solar", "b": "wind"}, {"1": "solar"}, {"1": {"a": 1}},
        runs={"other": tmp_path / "runs" / "other.run"}, samples=39, tests="t",
    )  # fmt: skip
    assert found.findings is not None
    assert found.findings.provenance.metadata == {"other on clean": json.loads(json.dumps(MEANT))}
    own = found.results.run("clean", "bm25")
    assert own.metadata["method"]["retrieval"][0]["method"] == "bm25"
    assert "Xeon: Gold" in found.to_html()
    assert found.results.records["clean"]["bm25"].energy is None or found.results.records["clean"]["bm25"].energy >= 0


def rapl(root: Path, **zones: tuple[str, int]) -> None:
    """A tree as Linux has it: zones by name, with what they are called and their counters."""
    for zone, (name, energy) in zones.items():
        folder = root / zone.replace("_", ":")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "name").write_text(f"{name}\n")
        (folder / "energy_uj").write_text(f"{energy}\n")
        (folder / "max_energy_range_uj").write_text("1000000\n")


def test_energy(tmp_path: Path) -> None:
    rapl(
        tmp_path,
        **{"intel-rapl_0": ("package-0", 100), "intel-rapl_0_0": ("core", 5), "intel-rapl_1": ("package-1", 7)},
    )
    rapl(tmp_path, **{"intel-rapl_2": ("psys", 1), "other": ("package-9", 1)})
    assert [zone.name for zone in packages(tmp_path)] == ["intel-rapl:0", "intel-rapl:1"]
    with EnergyMeter(tmp_path) as meter:
        rapl(tmp_path, **{"intel-rapl_0": ("package-0", 2_000_100), "intel-rapl_1": ("package-1", 500_007)})
    assert meter.joules == 2.5
    assert resources_of(meter)["cpu"] == {"energy": "2.5 J"}
    with EnergyMeter(tmp_path) as meter:  # a counter starts anew behind its largest value
        rapl(tmp_path, **{"intel-rapl_1": ("package-1", 6)})
    assert meter.joules == pytest.approx(0.5)
    with EnergyMeter(tmp_path) as meter:  # and one that goes away tells nothing
        (tmp_path / "intel-rapl:1" / "energy_uj").unlink()
    assert meter.joules is None
    assert EnergyMeter(tmp_path / "nothing").joules is None


def test_header_bytes_are_comments() -> None:
    assert header_bytes({"a": "x\ny"}) == b'# ir_metadata.start\n# a: "x\\ny"\n# ir_metadata.end\n'
