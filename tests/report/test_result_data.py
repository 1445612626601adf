"""Results as columns and as plain data: every class that has data has a table, and others have none."""

from __future__ import annotations

import pytest

from adjudge.report.result_data import DATA, data_of
from adjudge.report.result_tables import COLUMNS, columns_of


def test_a_class_that_has_data_has_a_table() -> None:
    assert DATA.keys() <= COLUMNS.keys()


def test_what_is_no_result_has_no_table() -> None:
    with pytest.raises(TypeError, match="there is no table of int"):
        columns_of(3)
    with pytest.raises(TypeError, match="there is no table of int"):
        data_of(3)
