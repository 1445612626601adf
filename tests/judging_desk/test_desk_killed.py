"""A desk that is killed while people judge keeps what was acknowledged, once. The full size: bench/desk_crowd.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'adjudge[collect]'")
pytest.importorskip("starlette", reason="starlette is not installed: pip install 'adjudge[collect]'")

BENCH = Path(__file__).parents[2] / "bench" / "desk_crowd.py"


def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("desk_crowd", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["desk_crowd"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.database)])
def store(request: pytest.FixtureRequest) -> str | None:
    """Where judgments go: the project's own file, or an empty database."""
    if request.param == "sqlite":
        return None
    import psycopg

    server: str = request.getfixturevalue("postgresql")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE crowd")
    return server.replace("/postgres", "/crowd")


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path, store: str | None) -> None:
    outcome = bench().crowd(tmp_path, people=3, decisions=15, kills=2, store=store)
    assert (outcome.acknowledged, outcome.events) == (45, 45)
    assert (outcome.lost, outcome.doubled, outcome.kills) == (0, 0, 2)
