"""The table of sequences, compiled and not, against a dict."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.terms import tally as module
from adjudge.terms.tally import Tally, lengths_of, longest_matches, stretches

pytestmark = pytest.mark.skipif(module.compiled is None, reason="the extension was not built")


@pytest.fixture(params=["compiled", "python"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "python":
        monkeypatch.setattr(module, "compiled", None)
    return str(request.param)


def in_python(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "compiled", None)


stretch = st.tuples(st.integers(-2, 14), st.integers(0, 5), st.integers(1, 9))


def columns(some: list[tuple[int, int, int]]) -> tuple[Any, Any, Any]:
    return (
        np.array([s for s, _, _ in some], np.int64),
        np.array([n for _, n, _ in some], np.uint8),
        np.array([w for _, _, w in some], np.int64),
    )


@given(
    st.lists(st.integers(-1, 4), max_size=12),
    st.lists(stretch, max_size=40),
    st.lists(stretch, max_size=20),
    st.one_of(st.none(), st.lists(st.integers(-1, 4), max_size=5)),
)
def test_both_are_a_counter(
    ids: list[int], added: list[tuple[int, int, int]], asked: list[tuple[int, int, int]], last: list[int] | None
) -> None:
    array, map_ = np.array(ids, np.int32), None if last is None else np.array(last, np.int32)

    def key(start: int, length: int) -> tuple[int, ...] | None:
        if not (1 <= length <= 4 and start >= 0 and start + length <= len(ids)):
            return None
        words = ids[start : start + length]
        if min(words) >= 0 and last is not None:
            words[-1] = last[words[-1]] if words[-1] < len(last) else -1
        return tuple(words) if min(words) >= 0 else None

    counts: Counter[tuple[int, ...]] = Counter()
    for start, length, weight in added:
        if (words := key(start, length)) is not None:
            counts[words] += weight
    numbers = {words: i for i, words in enumerate(counts)}
    results = []
    for python in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            if python:
                in_python(patch)
            made = Tally(4)
            starts, lengths, weights = columns(added)
            first = made.add(array, starts, lengths, weights=weights, last=map_)
            found = made.find(array, *columns(asked)[:2], last=map_)
            rows, total = made.content()
            results.append((first.tolist(), found.tolist(), rows.tolist(), total.tolist(), len(made)))
    assert results[0] == results[1]
    first, found, rows, total, size = results[0]
    assert size == len(counts)
    assert [tuple(w for w in row if w >= 0) for row in rows] == list(counts)
    assert total == list(counts.values())
    assert found == [numbers.get(key(s, n) or (), -1) for s, n, _ in asked]
    assert first == [-1 if key(s, n) is None else numbers[key(s, n) or ()] for s, n, _ in added]


def test_a_table_grows(kind: str) -> None:
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 50, 30_000).astype(np.int32)
    starts, lengths = np.arange(29_990), rng.integers(1, 7, 29_990)
    made = Tally(6)
    made.add(ids, starts, lengths)
    wanted = Counter(tuple(ids[s : s + n].tolist()) for s, n in zip(starts.tolist(), lengths.tolist(), strict=True))
    rows, counts = made.content()
    assert {tuple(w for w in row if w >= 0): n for row, n in zip(rows.tolist(), counts.tolist(), strict=True)} == wanted
    assert (made.find(*stretches(rows)) == np.arange(len(rows))).all()


def test_rows_know_their_lengths(kind: str) -> None:
    assert lengths_of(np.array([[1, 2, -1], [3, -1, -1]])).tolist() == [2, 1]
    assert len(Tally(3)) == 0
    assert Tally(3).content()[0].shape == (0, 3)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=20))
def test_choosing_goes_from_left_to_right(some: list[tuple[int, int]]) -> None:
    matches = sorted(set(some), key=lambda match: (match[0], -match[1]))
    wanted, free = [], -1
    for start, length in matches:
        wanted.append(start >= free)
        if start >= free:
            free = start + length
    arrays = np.array([s for s, _ in matches], np.int64), np.array([n for _, n in matches], np.uint8)
    assert longest_matches(*arrays).tolist() == wanted
    with pytest.MonkeyPatch.context() as patch:
        in_python(patch)
        assert longest_matches(*arrays).tolist() == wanted


def test_columns_that_do_not_fit_are_refused() -> None:
    table = module.compiled.new(3)
    some = np.zeros(4, np.int64), np.zeros(3, np.uint8)
    with pytest.raises(ValueError, match="starts: 4 items, not 3"):
        module.compiled.add(table, np.zeros(3, np.int32), *some, None, None, np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="starts: 4 items, not 3"):
        module.compiled.choose(*some, np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="1 to 64"):
        module.compiled.new(65)
    with pytest.raises(ValueError, match="rows: 3 items, not 0"):
        module.compiled.fill(table, np.zeros((1, 3), np.int32), np.zeros(1, np.int64))
