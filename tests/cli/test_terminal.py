"""Progress as people see it, on a terminal and in a log."""

from __future__ import annotations

import io

import pytest

from adjudge.cli._terminal import Live, Log, Terminal, experiment_listener
from adjudge.core.note import Note
from adjudge.core.progress import Listener
from adjudge.words.tasks import clock


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A time that is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("adjudge.cli._terminal.time.monotonic", lambda: self.now)


def lines(stream: io.StringIO) -> list[str]:
    return stream.getvalue().split("\r\x1b[K")


def test_a_line_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    time, stream = Clock(monkeypatch), Screen()
    with Terminal(stream).work("index", "words", 100_000_000, "bytes") as step:
        for now, done, documents in ((0.5, 1, 1), (2, 0, 0), (2.05, 1, 1), (4, 20_000_000, 5), (8, 100_000_000, 9)):
            time.now = now
            step.reach(done, documents=documents)
    assert lines(stream) == [
        "",
        "indexing 0 documents, 0/s, 0 of 100 MB, 200000000 s left",
        "indexing 5 documents, 1/s, 20 of 100 MB, 16 s left",
        "indexing 9 documents, 1/s, 100 of 100 MB, 0 s left",
        "",
    ]


def test_nothing_is_shown_of_work_that_is_soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    time, stream = Clock(monkeypatch), Screen()
    with Terminal(stream).work("judge", total=4, unit="runs") as step:
        time.now = 0.6
        step.advance(name="bm25")
    assert stream.getvalue() == ""


def test_what_was_just_done_stands_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    time, stream = Clock(monkeypatch), Screen()
    with Terminal(stream).work("judge", total=4, unit="runs") as step:
        time.now = 1
        step.advance(name="bm25")
    assert lines(stream)[1] == "judging 1/4, 3 s left  bm25"


def test_elsewhere_nothing_is_shown_but_notes() -> None:
    stream = io.StringIO()
    with Terminal(stream).work("judge", total=4, unit="runs") as step:
        step.advance(name="bm25")
        step.note(Note.of("printed", text="a run is empty"))
    assert stream.getvalue() == "note: a run is empty\n"


def test_a_note_takes_the_place_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    time, stream = Clock(monkeypatch), Screen()
    with Terminal(stream).work("judge", total=4, unit="runs") as step:
        time.now = 1
        step.advance()
        step.note(Note.of("printed", text="a run is empty"))
    assert stream.getvalue() == "\r\x1b[Kjudging 1/4, 3 s left\r\x1b[Knote: a run is empty\n"


def test_parts_are_shown_with_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience is for the whole: its parts may be short."""
    time, stream = Clock(monkeypatch), Screen()
    with Terminal(stream).work("judge") as whole:
        time.now = 1
        with whole.inside.work("stages", total=10, unit="tasks") as stages:
            time.now = 1.5
            stages.reach(5)
    with Terminal(stream).work("keep", "anu") as whole, whole.inside.work("index", "words|lower") as step:
        time.now = 3
        step.reach(7, documents=1200)
    assert lines(stream)[1:4:2] == [
        "judging 5 of 10 tasks, 0 s left",
        "anu: indexing by words|lower 1,200 documents",
    ]


def test_a_line_is_no_wider_than_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    time, stream = Clock(monkeypatch), Screen()
    with Terminal(stream).work("judge", total=2) as step:
        time.now = 1
        step.advance(name="x" * 1000)
    assert len(lines(stream)[1]) == 100


def carry_on(progress: Listener) -> None:
    """What an experiment says of which one cell of four was done before."""
    with progress.work("version", "true") as version, version.inside.work("look_through") as step:
        step.reach(3, documents=1)
    with progress.work("version", "20 %") as version, version.inside.work("degrade") as step:
        step.reach(3, documents=1, of=4)
    with progress.work("experiment", total=4, unit="cells") as cells:
        cells.reach(1, before=1)
        with cells.inside.work("cell", "bm25 on true") as cell, cell.inside.work("index", "words") as step:
            step.reach(1000, documents=1000)
            step.note(Note.of("printed", text="topic 3 [red] finds nothing"))
            if isinstance(progress, Live):
                progress.display.refresh()
        cells.advance()
        with pytest.raises(ValueError, match="wrong"), cells.inside.work("cell", "gmu on true"):
            raise ValueError("wrong")
        cells.advance()
    with progress.work("analysis") as analysis, analysis.inside.work("measure", "true"):
        pass


def test_a_display_shows_what_runs_and_what_is_left() -> None:
    out = Screen()
    progress = experiment_listener(out)
    assert isinstance(progress, Live)
    with progress:
        carry_on(progress)
        progress.display.refresh()
    seen = out.getvalue()
    assert "bm25 on true" in seen
    assert "indexing by words 1,000 documents" in seen
    assert "bm25 on true: topic 3 [red] finds nothing" in seen, "a note is no mark-up"
    assert "gmu on true: failed" in seen
    assert "1/4" in seen
    assert "3/4" in seen
    assert "left" in seen


def test_a_log_has_a_line_for_each_cell() -> None:
    out = io.StringIO()
    progress = experiment_listener(out)
    assert isinstance(progress, Log)
    with progress:
        carry_on(progress)
    assert out.getvalue().splitlines() == [
        "version 20 %",
        "1 of 4 cells were done before",
        "bm25 on true",
        "bm25 on true: topic 3 [red] finds nothing",
        "gmu on true",
        "gmu on true: failed",
    ]


def test_a_long_look_at_a_version_is_worth_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    time, out = Clock(monkeypatch), io.StringIO()
    with Log(out).work("version", "true") as version, version.inside.work("look_through") as step:
        step.reach(1)
        time.now = 1
        step.reach(2)
        step.reach(3)
    assert out.getvalue() == "version true\n"


def test_clock() -> None:
    assert [clock(s) for s in (0, 7.9, 65, 3723)] == ["0:00", "0:07", "1:05", "1:02:03"]
