"""What an output leaves out, and where all of it is, in words."""

from __future__ import annotations

from ..core.english import quantity
from .speech import sentence


@sentence
def more_pairs(hidden: int, pairs: int) -> str:
    """Pairs that a page does not show."""
    return f"{quantity(hidden, 'more pair')}: --pairs {pairs} or --format json"


@sentence
def more_differences(hidden: int, pairs: int) -> str:
    """Pairs of a comparison that a page does not show."""
    return f"{quantity(hidden, 'more pair')}: --pairs {pairs}, --format csv or json"


@sentence
def more_changes(hidden: int, changes: int) -> str:
    """Changes of places on other scales that a page does not show."""
    return f"{quantity(hidden, 'more change of places', 'more changes of places')}: --pairs {changes} or --format json"


@sentence
def more_correlations(hidden: int, correlations: int) -> str:
    """Correlations of predictors that a page does not show."""
    return f"{quantity(hidden, 'more correlation')}: --rows {correlations} or --format json"


@sentence
def more_choices(hidden: int, choices: int) -> str:
    """Choices by a predictor that a page does not show."""
    return f"{quantity(hidden, 'more choice')}: --rows {choices} or --format json"


@sentence
def more_rows(hidden: int) -> str:
    """Rows of a table that a notebook does not show."""
    return quantity(hidden, "more row")
