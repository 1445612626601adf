"""Postings in few bytes: what is unpacked is what was packed, the kernel and Python agree, other bytes are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.index import packed_postings
from adjudge.index.packed_postings import pack, unpack

LISTS = st.lists(
    st.dictionaries(
        st.one_of(st.integers(0, 300), st.integers(0, 2**31 - 2)),
        st.one_of(st.integers(1, 3), st.integers(1, 2**31 - 1)),
        min_size=1,
        max_size=300,
    ),
    max_size=6,
)
compiled = pytest.mark.skipif(packed_postings.compiled is None, reason="there is only one way")


def columns(lists: list[dict[int, int]]) -> tuple[Any, Any, Any]:
    rows = [row for each in lists for row in sorted(each.items())]
    documents, tf = (np.array([row[i] for row in rows], np.int32) for i in range(2))
    return documents, tf, np.cumsum([0, *map(len, lists)])


@given(LISTS)
@example([dict.fromkeys(range(128), 1), dict.fromkeys(range(129), 1), {2**31 - 2: 2**31 - 1}])
def test_what_is_unpacked_is_what_was_packed(lists: list[dict[int, int]]) -> None:
    documents, tf, offsets = columns(lists)
    data, ends = pack(documents, tf, offsets)
    if packed_postings.compiled is not None:
        slow = packed_postings._pack(documents, tf, offsets)
        assert (slow[0].tolist(), slow[1].tolist()) == (data.tolist(), ends.tolist())
    found = unpack(data, ends[:-1], ends[1:], np.diff(offsets), 2**31 - 1)
    assert [column.tolist() for column in found] == [documents.tolist(), tf.tolist(), offsets.tolist()]
    chosen = np.arange(len(lists))[::-2]  # some terms, in another order
    got = unpack(data, ends[chosen], ends[chosen + 1], np.diff(offsets)[chosen], 2**31 - 1)
    assert columns([])[0].tolist() + [d for t in chosen.tolist() for d in sorted(lists[t])] == got[0].tolist()


def outcome(work: Any, *arguments: Any) -> Any:
    out = np.zeros(int(arguments[3][-1]), np.int32), np.zeros(int(arguments[3][-1]), np.int32)
    try:
        work(*arguments, *out)
    except ValueError as error:
        return str(error)
    return [column.tolist() for column in out]


@compiled
@given(st.binary(max_size=60), st.lists(st.integers(0, 140), min_size=1, max_size=3), st.integers(0, 300))
def test_any_bytes_are_postings_or_refused_by_both(raw: bytes, counts: list[int], size: int) -> None:
    data, each = np.frombuffer(raw, np.uint8), len(raw) // len(counts)
    begins = np.arange(len(counts)) * each
    given_ = data, begins, begins + each, np.cumsum([0, *counts]), size
    quick = outcome(packed_postings.compiled.unpack, *given_)
    assert quick == outcome(packed_postings._unpack, *given_)
    if not isinstance(quick, str):
        assert all(0 <= document < size for document in quick[0])
        assert all(times >= 1 for times in quick[1])


@compiled
def test_what_cannot_be_packed_is_refused() -> None:
    for documents, tf in (([2, 1], [1, 1]), ([1, 1], [1, 1]), ([-1, 1], [1, 1]), ([0, 1], [0, 1])):
        with pytest.raises(ValueError, match="do not ascend, or a frequency below 1"):
            pack(np.array(documents), np.array(tf), np.array([0, 2]))
