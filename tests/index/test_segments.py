"""Terms are numbered as they come and put in the order of their bytes, by the loop and without it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.index import segments
from adjudge.index.segments import Numbers

TERMS = st.text(st.sampled_from("ab\x00z0éß日😀\ud800"), min_size=1, max_size=12)


@pytest.mark.parametrize("kernel", [True, False])
@given(batches=st.lists(st.lists(TERMS, max_size=30), max_size=5), data=st.data())
def test_numbers_and_order(kernel: bool, batches: list[list[str]], data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if not kernel:
            patch.setattr(segments, "compiled", None)
        numbers, known = Numbers(), dict[str, int]()
        for terms in batches:
            wanted = [known.setdefault(term, len(known)) for term in terms]
            assert numbers.of(terms).tolist() == wanted
            assert len(numbers) == len(known)
        marks = np.array(data.draw(st.lists(st.booleans(), min_size=len(known), max_size=len(known))), np.bool_)
        found = numbers.in_order(marks)
    chosen = sorted(term for term, number in known.items() if marks[number])
    assert found.numbers.tolist() == [known[term] for term in chosen]
    ends = found.offsets.tolist()
    raw = found.raw.tobytes()
    assert [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(ends)] == chosen
    assert len(found) == len(chosen)


def test_terms_with_the_same_beginning() -> None:
    terms = [f"{'governmental'[: k % 13]}{k}" for k in range(3000)]
    numbers = Numbers()
    numbers.of(terms)
    found = numbers.in_order(np.ones(len(numbers), np.bool_))
    assert [terms[k] for k in found.numbers] == sorted(terms)


@pytest.mark.parametrize("odd", ["", "x" * (segments.LONGEST + 1)])
def test_a_term_that_the_loop_does_not_hold(odd: str) -> None:
    numbers = Numbers()
    assert numbers.of(["b", "a"]).tolist() == [0, 1]
    assert numbers.of(["c", odd, "a"]).tolist() == [2, 3, 1]
    assert numbers.of(["b", "d"]).tolist() == [0, 4]
    terms = ["b", "a", "c", odd, "d"]
    assert [terms[k] for k in numbers.in_order(np.ones(5, np.bool_)).numbers] == sorted(terms)
