"""JSON for scripts is what Python's own encoder writes, with null where there is no number."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from enum import IntEnum
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.report import text_table
from adjudge.report.text_table import json_text

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
KEYS = st.text(max_size=4) | st.integers(0, 9)
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)


def finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: finite(value) for key, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list | tuple) else data


@settings(max_examples=150, deadline=None)
@given(DATA)
@example({"a": '\x00\x1f\b\f\n\r\t"\\/\x7f\u2028é', "b": [-0.0, 1e22, 10**30, (), {}, []]})
@example([[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{"deep": [1]}]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]])
def test_it_is_what_python_writes(data: Any) -> None:
    wanted = json.dumps(finite(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    assert json_text(data) == wanted
    with patch.object(text_table, "native", lambda name: None):
        assert json_text(data) == wanted


class Name(str):
    __slots__ = ()


class Grade(IntEnum):
    HIGH = 3


class Place(NamedTuple):
    row: int
    name: str


def test_kinds_of_strings_numbers_and_tuples() -> None:
    data = {Name("a"): np.float64(0.1), "b": Place(1, Name("é")), "c": OrderedDict(x=1), "d": Grade.HIGH}
    assert json_text(data) == json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def test_data_within_itself_is_refused() -> None:
    data: list[Any] = []
    data.append(data)
    with pytest.raises(RecursionError):
        json_text(data)


def test_names_that_are_no_utf_8_are_escaped() -> None:
    assert json_text({"a\udce9": (1, "é")}) == json.dumps({"a\udce9": [1, "é"]}, indent=1) + "\n"


def test_what_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        json_text({"a": {1, 2}})
