"""JSON for scripts is what Python's own encoder writes, with null where there is no number."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
def test_it_is_what_python_writes(data: Any) -> None:
    assert json_text(data) == json.dumps(finite(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def test_names_that_are_no_utf_8_are_escaped() -> None:
    assert json_text({"a\udce9": (1, "é")}) == json.dumps({"a\udce9": [1, "é"]}, indent=1) + "\n"


def test_what_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        json_text({"a": {1, 2}})
