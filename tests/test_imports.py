"""Start-up: what is loaded, counted in modules and not in seconds, which depend on the machine."""

from __future__ import annotations

import subprocess
import sys

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


def test_every_public_name_is_there() -> None:
    import adjudge

    for name in adjudge.__all__:
        assert getattr(adjudge, name) is not None
    assert set(dir(adjudge)) == set(adjudge.__all__)
    assert not hasattr(adjudge, "nothing")
