"""Say what an output leaves out, and where all of it is."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.english import quantity
from .speech import sentence


@sentence
def more_pairs(hidden: int, pairs: int) -> str:
    """Count the pairs that are not shown."""
    return f"{quantity(hidden, 'more pair')}: --pairs {pairs} or --format json"


@sentence
def more_differences(hidden: int, pairs: int) -> str:
    """Count the pairs of a comparison that are not shown."""
    return f"{quantity(hidden, 'more pair')}: --pairs {pairs}, --format csv or json"


@sentence
def more_changes(hidden: int, changes: int) -> str:
    """Count the changes of places that are not shown."""
    return f"{quantity(hidden, 'more change of places', 'more changes of places')}: --pairs {changes} or --format json"


@sentence
def more_correlations(hidden: int, correlations: int) -> str:
    """Count the correlations that are not shown."""
    return f"{quantity(hidden, 'more correlation')}: --rows {correlations} or --format json"


@sentence
def more_choices(hidden: int, choices: int) -> str:
    """Count the choices that are not shown."""
    return f"{quantity(hidden, 'more choice')}: --rows {choices} or --format json"


@sentence
def more_rows(hidden: int) -> str:
    """Count the rows that a notebook does not show."""
    return quantity(hidden, "more row")


@sentence
def pairs_of_tables(hidden: int) -> str:
    """Count the pairs that the page does not list."""
    return f"{quantity(hidden, 'more pair')}: adjudge report --tables writes all."


@sentence
def further_pairs(shown: int, pairs: int) -> str:
    """Count the pairs that can be opened, and say where the rest is."""
    return quantity(shown, "more pair") + (f" of {pairs:,}; verdicts.json has all" if pairs > shown else "")


@sentence
def more_settings(hidden: int) -> str:
    """Count the settings that the page does not list."""
    return f"and {hidden:,} more, in provenance.json"


@sentence
def more_notes(hidden: int) -> str:
    """Count the notes that the page does not list."""
    return f"and {quantity(hidden, 'more note')}, in verdicts.json"


@sentence
def left_out_of_page(parts: Iterable[str]) -> str:
    """Name what would have made the page too large."""
    return f"Left out to keep this page under 5 MB: {', '.join(dict.fromkeys(parts))}."


@sentence
def values_of_systems(included: int) -> str:
    """Say which systems cannot be chosen in the charts of two systems."""
    return f"values of all but the best {quantity(included, 'system')} in the charts of two systems"


@sentence
def values_of_measures(left_out: int) -> str:
    """Say how many measures cannot be chosen in the charts of two systems."""
    return f"values of {quantity(left_out, 'measure')} in the charts of two systems"


@sentence
def lists_of_topics() -> str:
    """Say that some topics have no ranked lists."""
    return "ranked lists of some topics"


@sentence
def ends_of_questions(characters: int) -> str:
    """Say that questions are cut, or not shown at all."""
    return f"questions after {characters} characters" if characters else "questions in the charts of two systems"


@sentence
def charts_of_versions(charts: str, versions: int) -> str:
    """Say which versions have no charts."""
    return f"{charts} of versions after the first {versions}"


@sentence
def chart_too_large() -> str:
    """Stand in the place of a chart that is too large."""
    return "This chart would be too large for the page; adjudge report --figures draws it."


@sentence
def topics_far_apart(shown: int, topics: int) -> str:
    """Say which topics a long table has."""
    return f"The {shown} topics of {topics:,} on which they differ most."


@sentence
def other_documents(hidden: int) -> str:
    """Count the other documents ranked first."""
    return f"and {quantity(hidden, 'other document')}"


@sentence
def more_relevant(hidden: int) -> str:
    """Count the relevant documents that are not shown."""
    return f"and {hidden:,} more"
