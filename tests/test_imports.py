"""Start-up: what is loaded, counted in modules and not in seconds, which depend on the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numpy", "polars", "scipy", "numba", "pandas", "zstd"}


def loaded(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_import_adjudge_is_light() -> None:
    bare, ours = loaded("pass"), loaded("import adjudge")
    assert not HEAVY & ours
    assert len([m for m in ours - bare if m.startswith("adjudge")]) == 1
    assert len(ours - bare) < 15


def test_scoring_a_run_loads_numpy_and_no_frame_library() -> None:
    ours = loaded("import adjudge; adjudge.measure({'q': {'a': 1}}, {'q': {'a': 1.0}}, ['map', 'ndcg_cut_10']).mean()")
    assert HEAVY & ours == {"numpy"}
    modules = {m.removeprefix("adjudge.measures.") for m in ours if m.startswith("adjudge.measures.")}
    assert modules == {"ap", "ndcg", "_gains"}, "only what was asked for is imported"


def test_a_small_run_on_the_command_line_loads_no_numpy(tmp_path: Path) -> None:
    """It alone takes longer to load than such a run to evaluate, and so do other modules together."""
    bare = loaded("pass")
    pytest.importorskip("adjudge._native", reason="no C compiler when the package was installed")
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 mine\n1 Q0 b 2 1.0 mine\n")
    for words in (["measure"], ["trec_eval"], ["trec_eval", "-q", "-c"]):
        given = [*words, str(tmp_path / "qrels"), str(tmp_path / "run")]
        ours = loaded(f"import sys; sys.argv[1:] = {given}; from adjudge.cli import main; assert main() == 0")
        assert not (HEAVY | {"argparse", "dataclasses", "inspect", "re", "typing"}) & (ours - bare)
        assert len([module for module in ours if module.startswith("adjudge")]) < 30


def test_every_public_name_is_there() -> None:
    import adjudge

    for name in adjudge.__all__:
        assert getattr(adjudge, name) is not None
    assert set(dir(adjudge)) == set(adjudge.__all__)
    assert not hasattr(adjudge, "nothing")
