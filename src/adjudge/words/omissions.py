"""What an output leaves out, and where all of it is, in words."""

from __future__ import annotations

from collections.abc import Iterable

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


@sentence
def pairs_of_tables(hidden: int) -> str:
    """Pairs that the page does not list."""
    return f"{quantity(hidden, 'more pair')}: adjudge report --tables writes all."


@sentence
def further_pairs(shown: int, pairs: int) -> str:
    """Pairs that change places and can be opened, of so many that are not shown at once."""
    return quantity(shown, "more pair") + (f" of {pairs:,}; verdicts.json has all" if pairs > shown else "")


@sentence
def more_settings(hidden: int) -> str:
    """Settings that the page does not list."""
    return f"and {hidden:,} more, in provenance.json"


@sentence
def more_notes(hidden: int) -> str:
    """Notes that the page does not list."""
    return f"and {quantity(hidden, 'more note')}, in verdicts.json"


@sentence
def left_out_of_page(parts: Iterable[str]) -> str:
    """What would have made the page too large."""
    return f"Left out to keep this page under 5 MB: {', '.join(dict.fromkeys(parts))}."


@sentence
def values_of_systems(included: int) -> str:
    """Systems that the charts of two systems do not offer."""
    return f"values of all but the best {quantity(included, 'system')} for the charts of two systems"


@sentence
def values_of_measures(left_out: int) -> str:
    """Measures that the charts of two systems do not offer."""
    return f"values of {quantity(left_out, 'measure')} for the charts of two systems"


@sentence
def ends_of_questions(characters: int) -> str:
    """That questions are cut, or not shown at all where no character of them is left."""
    return f"questions after {characters} characters" if characters else "questions in the charts of two systems"


@sentence
def charts_of_versions(charts: str, versions: int) -> str:
    """Versions whose charts are not drawn."""
    return f"{charts} of versions after the first {versions}"


@sentence
def chart_too_large() -> str:
    """In the place of a chart."""
    return "This chart would be too large for the page; adjudge report --figures draws it."


@sentence
def topics_far_apart(shown: int, topics: int) -> str:
    """Which topics a long table has."""
    return f"The {shown} topics of {topics:,} on which they differ most."


@sentence
def other_documents(hidden: int) -> str:
    """Documents that other systems put first."""
    return f"and {quantity(hidden, 'other document')}"


@sentence
def more_relevant(hidden: int) -> str:
    """Relevant documents that are not shown."""
    return f"and {hidden:,} more"
