"""Two rankings of a topic, in words."""

from __future__ import annotations

from ..core.english import listing, quantity, rounded
from ..experiment.ranked_lists import ListedDocument
from ..experiment.topic_rankings import TopicRankings
from .speech import sentence


@sentence
def movement(row: ListedDocument) -> str:
    """How a document stands to its place in the other list, in a cell."""
    if row.beside is None:
        return "new"
    if not row.moved:
        return "="
    return f"▲{row.moved} ({row.beside})" if row.moved > 0 else f"▼{-row.moved} ({row.beside})"


@sentence
def topic_rankings_conclusion(result: TopicRankings) -> str:
    """What the lists have in common, which system is better on the topic, and what nobody judged."""
    a, b = result.systems
    shared = quantity(result.shared, "document") if result.shared else "no document"
    parts = [f"On topic {result.topic} {a} and {b} have {shared} in common among their first {result.depth}."]
    for name, (x, y) in result.values.items():
        parts.append(f"{name}: {rounded(x, 4)} and {rounded(y, 4)}.")
    good = [sum(row.grade is not None and row.grade >= result.level for row in rows) for rows in result.lists]
    of = quantity(result.relevant, "relevant document")
    parts.append(f"Of {of} {a} has {good[0]} among them, {b} {good[1]}.")
    if any(result.unjudged):
        counts = [f"{count} of {name}" for count, name in zip(result.unjudged, result.systems, strict=True) if count]
        parts.append(f"Nobody judged {listing(counts)}.")
    return " ".join(parts)


@sentence
def missed_line(result: TopicRankings) -> str:
    """Relevant documents that neither list shows; empty if there are none."""
    if not result.missed:
        return ""
    shown = []
    for each in result.missed:
        ranks = [f"rank {rank}" if rank else "not retrieved" for rank in each.ranks]
        shown.append(f"{each.document} (grade {each.grade}; {ranks[0]} and {ranks[1]})")
    number = len(result.missed) + result.missed_more
    more = f" and {result.missed_more:,} more" if result.missed_more else ""
    return f"Relevant and in neither list: {quantity(number, 'document')}: {', '.join(shown)}{more}."
