"""Say how documents were degraded, and how many errors they have."""

from __future__ import annotations

import math

from ..core.english import plural, quantity
from .speech import sentence


@sentence
def unreachable(engine: str, target: float, why: str) -> str:
    """Say that an engine cannot be brought to an error rate."""
    return f"{engine}: {target:g} cannot be reached: {why}."


@sentence
def spread_over_pages(confidence: float) -> str:
    """Say what the ends of the interval of a calibration are."""
    return f"low and high: {confidence:.0%} of bootstrap samples of the pages lie between them."


@sentence
def extent(documents: int, characters: int, words: int, confidence: float) -> str:
    """Say how much text the error rates are of, and what the ends of their intervals are."""
    counts = [quantity(documents, "document"), quantity(characters, "character"), quantity(words, "word")]
    return f"{', '.join(counts)}; low and high: {confidence:.0%} of bootstrap samples of the documents."


@sentence
def job_summary(
    output: str,
    documents: int,
    pages: int | None,
    pages_per_second: float,
    failed_pages: int,
    kept: int,
    seconds: float,
) -> str:
    """Sum up a job in one line; ``pages`` is None where documents have none."""
    parts = [quantity(documents, "document")]
    if pages is not None:
        parts.append(quantity(pages, "page"))
        if kept < documents and not math.isnan(pages_per_second):
            parts.append(f"{pages_per_second:,.1f} pages/s")
    if failed_pages:
        parts.append(f"{quantity(failed_pages, 'page')} not read")
    parts.append("finished before" if kept == documents and not seconds else f"{seconds:,.1f} s")
    return f"{output}: {', '.join(parts)}"


@sentence
def finished_before(documents: int) -> str:
    """Count the documents that an earlier job had done."""
    return f"{quantity(documents, 'document')} had been finished before and {plural(documents, 'was', 'were')} kept"


@sentence
def unfinished_record(size: int) -> str:
    """Say what was left of a document when an earlier job was stopped."""
    return f"{quantity(size, 'byte')} of an unfinished record were dropped"


@sentence
def pages_not_read(pages: int, documents: int, place: str) -> str:
    """Count the pages that an engine could not read, and say where the reasons are."""
    return f"{quantity(pages, 'page')} of {quantity(documents, 'document')} could not be read: see {place}"


@sentence
def pages_not_read_of_table(documents: int, table: str) -> str:
    """Say the same where Spark has written a table."""
    what = f"pages of {quantity(documents, 'document')} could not be read"
    return f"{what}: see the column failures of {table}"


@sentence
def repeated_remark(remark: str, times: int) -> str:
    """Repeat the message of an engine, with how often it came."""
    return f"{remark}: {times:,}×"


@sentence
def more_remarks(count: int, place: str) -> str:
    """Count the remarks that are not shown."""
    return f"and {count} more of this kind: see {place}"


@sentence
def without_degraded_text(documents: int) -> str:
    """Count the clean documents without a degraded counterpart."""
    have, are = plural(documents, "has", "have"), plural(documents, "is", "are")
    return f"{quantity(documents, 'clean document')} {have} no degraded counterpart and {are} skipped"


@sentence
def stretches_not_learned(stretches: int) -> str:
    """Count the errors from which no rule was learned."""
    return f"{stretches} stretches of errors were too long to learn rules from (perhaps pages that could not be read)"


@sentence
def rules_learned(output: str, rules: int, documents: int) -> str:
    """Say what a channel was learned from."""
    return f"{output}: {quantity(rules, 'rule')} from {quantity(documents, 'document')}"
