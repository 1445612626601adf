"""What a cell says, and what the listener of the experiment hears of it."""

from __future__ import annotations

import io
import json

import pytest

from adjudge.core.note import Note
from adjudge.core.progress import Listener
from adjudge.experiment.messages import SIGN, Messages, Relay
from recorder import Recorder


def work(progress: Listener) -> None:
    with progress.work("learn_errors") as whole:
        with whole.inside.work("index", "words\n\ud800", 10, "bytes") as step:
            for done in range(11):
                step.reach(done, documents=done)
            step.note(Note.of("printed", text="two\nlines"))
        whole.inside.note(Note.of("printed", "a", text="another"))


def heard_from(text: str) -> Recorder:
    """What a listener hears of the parts of a cell."""
    heard = Recorder()
    with heard.work("cell", "bm25 on true") as cell:
        relay = Relay(cell.inside)
        for line in text.removesuffix("\n").split("\n"):  # splitlines would cut at the sign too
            relay.hear(line)
        relay.close()
    return heard


def test_the_same_is_heard_as_if_no_process_were_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.experiment.messages.EVERY", -1.0)
    out = io.StringIO()
    work(Messages(out))
    heard, direct = heard_from(out.getvalue()), Recorder()
    with direct.work("cell", "bm25 on true") as cell:
        work(cell.inside)
    shapes = [
        [(task.subject, task.total, task.unit, [part.kind for part in task.path]) for task in each.begun]
        for each in (heard, direct)
    ]
    assert shapes[0] == shapes[1]
    assert list(heard.reached.values()) == list(direct.reached.values())
    notes = [[(note, task and task.kind) for note, task in each.notes] for each in (heard, direct)]
    assert notes[0] == notes[1]
    assert not any(heard.ended.values())


def test_how_far_a_task_is_comes_twice_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("adjudge.experiment.messages.time.monotonic", lambda: now)
    out = io.StringIO()
    with Messages(out).work("index", total=1000) as step:
        for done in range(1, 1001):
            now = done / 100  # ten seconds
            step.reach(done)
    lines = [json.loads(line.removeprefix(SIGN)) for line in out.getvalue().removesuffix("\n").split("\n")]
    assert lines[0][0] == "begin"
    assert lines[-1][0] == "end"
    assert 18 <= len(lines) - 2 <= 20


@pytest.mark.parametrize(
    "line",
    [
        "plain words",
        "",
        '["begin", 0, null, "index", "", 0, ""]',
        f"{SIGN}no JSON",
        f"{SIGN}{'[' * 100_000}",
        f'{SIGN}["begin", 0]',
        f'{SIGN}["reach", 7, 1, {{}}]',
        f'{SIGN}["end", 7, false]',
        f'{SIGN}["note", null, ["kind"]]',
        f'{SIGN}["note", null, [1, 2, 3]]',
        f"{SIGN}{{}}",
    ],
)
def test_what_is_no_message_is_a_note(line: str) -> None:
    heard = heard_from(line + "\n")
    ((note, task),) = heard.notes
    assert (note.kind, note["text"]) == ("printed", line.removeprefix(SIGN))
    assert task is heard.only("cell")


def test_what_a_cell_left_open_when_it_died_has_failed() -> None:
    out = io.StringIO()
    messages = Messages(out)
    with messages.work("learn_errors") as whole, whole.inside.work("index"):
        said = out.getvalue()
    heard = heard_from(said)
    assert [heard.ended[task] for task in heard.begun] == [False, True, True]
