"""Ids of documents in columns: as a set and sorting would have them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import ConflictError
from adjudge.core.strings import encode
from adjudge.index import document_ids
from adjudge.index.document_ids import DocumentIds

NAMES = st.text(st.sampled_from("ab1\x00é\u3042"), max_size=3) | st.integers(0, 40).map(lambda n: f"d{n:03}" * 20)


@given(
    st.lists(st.lists(NAMES, min_size=1, max_size=5), min_size=1, max_size=6),
    st.sampled_from([1, 64]),
    st.sampled_from([2, 1 << 20]),
    st.booleans(),
)
def test_what_is_kept_is_what_came(batches: list[list[str]], widest: int, some: int, collide: bool) -> None:
    seen, ids = list[str](), DocumentIds()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_ids, "WIDEST", widest)
        patch.setattr(document_ids, "SOME", some)
        if collide:
            patch.setattr(document_ids, "hash", len, raising=False)
        for batch in batches:
            twice = next((name for i, name in enumerate(batch) if name in seen or name in batch[:i]), None)
            if twice is None:
                ids.add(batch)
                seen += batch
                continue
            with pytest.raises(ConflictError) as refused:
                ids.add(batch)
            shown = twice.replace("\x00", r"\x00")
            assert str(refused.value) == f"document {shown} occurs twice"
        assert len(ids) == len(seen)
        if seen:
            data, offsets, order = ids.columns()
            raw = [encode(name) for name in seen]
            assert [data[offsets[i] : offsets[i + 1]].tobytes() for i in range(len(seen))] == raw
            assert order.tolist() == sorted(range(len(raw)), key=raw.__getitem__)
