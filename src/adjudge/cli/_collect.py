"""What the commands that make collections have in common: the table of their counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.english import plural
from ..report.text_table import TextTable

if TYPE_CHECKING:
    from ..collection.qa.collection import Counts


def counts_table(counts: Counts) -> TextTable:
    """Table 2 and section 2 of the paper, for any collection."""
    rows: list[tuple[str, int, float | None]] = [
        ("topics", counts.topics, None),
        ("micro-topics judged", counts.micro_topics, None),
        ("micro-topics asked", counts.asked, None),
        ("judgments", counts.judgments, None),
        ("documents", counts.documents, None),
        ("sentences: prelude", counts.prelude, counts.prelude / max(counts.sentences, 1)),
        ("sentences: query", counts.query, counts.query / max(counts.sentences, 1)),
        ("sentences: neither", counts.neither, counts.neither / max(counts.sentences, 1)),
    ]
    for of, table, what, whole in (
        ("topics", counts.topics_by_micro_topics, "micro-topic", counts.topics),
        ("topics", counts.topics_by_documents, "relevant document", counts.topics),
        ("micro-topics", counts.micro_topics_by_documents, "relevant document", counts.micro_topics),
    ):
        # a script may look for the name of a row, and that of 0 has always been a singular
        rows += [(f"{of} with {n} {plural(max(n, 1), what)}", number, number / whole) for n, number in table.items()]
    shown = [(name, str(number), "" if share is None else f"{share:.2%}") for name, number, share in rows]
    return TextTable(("what", "number", "share"), shown, exact=rows)
