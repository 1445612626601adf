"""Parquet files that make the library panic or never end."""

from __future__ import annotations

import io
import threading
import time
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from adjudge.core.errors import ConflictError, DataError
from adjudge.formats import parquet_probe, parquet_tables
from adjudge.formats.parquet_structure import is_plausible
from adjudge.formats.parquet_tables import contained, first_line, read_parquet, refuse_deadly
from adjudge.formats.source import open_source


def test_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)
    assert read_parquet(open_source(path))["a"].to_list() == [1, 2]


def test_a_panic_is_one_line() -> None:
    def panic() -> None:
        raise pl.exceptions.PanicException("index out of bounds\nnote: run with RUST_BACKTRACE=1")

    with pytest.raises(DataError, match=r"^x: not readable as Parquet: index out of bounds$"):
        contained(panic, "x", 10)


def test_our_own_errors_pass() -> None:
    def refuse() -> None:
        raise ConflictError("twice")

    with pytest.raises(ConflictError, match="twice"):
        contained(refuse, "x", 10)


@pytest.mark.parametrize("works", [True, False])
def test_what_does_not_end_is_left(monkeypatch: pytest.MonkeyPatch, works: bool) -> None:
    monkeypatch.setattr(parquet_tables, "PATIENCE", 0.2)
    monkeypatch.setattr(parquet_tables, "STILL", 0.2)
    stop = threading.Event()

    def hang() -> None:
        while not stop.is_set():
            if not works:
                stop.wait(5)

    began = time.monotonic()
    try:
        with pytest.raises(DataError, match="damaged so that reading it does not end"):
            contained(hang, "x", 10)
    finally:
        stop.set()
    assert time.monotonic() - began < 60


def test_an_error_without_a_word_has_a_name() -> None:
    assert first_line(ValueError()) == "ValueError"
    assert first_line(ValueError("a\nb")) == "a"


def test_a_file_that_ends_its_reader_does_not_end_us(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    deadly = parquet_probe.WORKER.replace(
        "    try:\n        pl.", "    if data.startswith(b'DEAD'): import os; os.abort()\n    try:\n        pl."
    )
    assert deadly != parquet_probe.WORKER
    monkeypatch.setattr(parquet_probe, "WORKER", deadly)
    probe = parquet_probe._Probe()
    try:
        good = tmp_path / "x.parquet"
        pl.DataFrame({"a": [1]}).write_parquet(good)
        assert probe.survives(good.read_bytes(), 5)
        assert probe.survives(b"PAR1nonsensePAR1", 5)
        assert not probe.survives(b"DEAD", 5)
        assert probe.survives(good.read_bytes(), 5)  # another one is there
        monkeypatch.setattr(parquet_probe, "_PROBE", probe)
        with pytest.raises(DataError, match="x: not readable as Parquet: damaged so that it ends or stops the program"):
            refuse_deadly(b"DEAD", "x")
    finally:
        probe._end()


FRAMES = [
    pl.DataFrame({"a": ["x", None, "z"], "b": [1.5, 2.0, None]}),
    pl.DataFrame({"topic": [str(i // 100) for i in range(1000)], "score": [i / 7 for i in range(1000)]}),
    pl.DataFrame({"a": [], "b": []}, schema={"a": pl.String, "b": pl.Int64}),
]


@pytest.mark.parametrize("frame", FRAMES, ids=["nulls", "long", "empty"])
@pytest.mark.parametrize(
    "options", [{}, {"compression": "uncompressed"}, {"compression": "snappy", "row_group_size": 90}]
)
def test_good_files_are_read_without_another_process(frame: pl.DataFrame, options: dict[str, object]) -> None:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, **options)  # type: ignore[arg-type]
    assert is_plausible(buffer.getvalue())


def test_files_that_ask_for_more_than_they_have_are_not_trusted() -> None:
    buffer = io.BytesIO()
    FRAMES[1].write_parquet(buffer, compression="uncompressed")
    good = buffer.getvalue()
    assert not is_plausible(good[:-1])
    assert not is_plausible(b"PAR1" + bytes(20) + b"PAR1")
    assert not is_plausible(good[:-8] + (len(good)).to_bytes(4, "little") + b"PAR1"), "a footer before the beginning"
    deadly = Path(__file__).parents[1] / "fuzzing" / "corpus" / "terms-parquet" / "3-1241"
    assert not is_plausible(deadly.read_bytes())
    page = good.index(b"\x15", 4)  # the header of the first page begins with its type
    for at in range(page, page + 12):
        changed = good[:at] + b"\xff\xff\xff\xff\x7f" + good[at + 5 :]
        if is_plausible(changed):
            with suppress(DataError):
                contained(lambda data=changed: pl.read_parquet(io.BytesIO(data)), "x", len(changed))  # type: ignore[misc]


def test_nested_columns_are_tried_elsewhere_first() -> None:
    buffer = io.BytesIO()
    pl.DataFrame({"a": [[1, 2], [3]]}).write_parquet(buffer)
    assert not is_plausible(buffer.getvalue())
