"""What is wrong with a run, one line each."""

from __future__ import annotations

from dataclasses import replace

from ..core.english import quantity
from ..formats.run_check import RunCheck, RunIssue
from .speech import sentence

SHOWN = 10
"""Issues of one kind that are listed; of more their number is told."""
LONGEST = 100
"""Characters of an id or of a field that are shown."""


@sentence
def run_issue(issue: RunIssue, most: int, least: int) -> str:
    """One thing that is wrong with a run, or worth knowing."""
    issue = replace(issue, topic=_short(issue.topic), document=_short(issue.document), text=_short(issue.text))
    text = {
        "columns": f"6 columns expected, {issue.count} found: {issue.text!r}",
        "number": f"the score {issue.text!r} is not a finite number",
        "rank": f"the rank {issue.text!r} is not a whole number from 0 on",
        "second_column": f"the second column is {issue.text!r}, not Q0",
        "tag": f"the tag {issue.text!r} has other signs than letters, digits and _ . + -, or more than 24",
        "tags": f"the tag is {issue.text!r}, and another one before",
        "apart": f"topic {issue.topic} goes on here, after lines of another topic",
        "unknown_topic": f"topic {issue.topic} is not one of the topics",
        "unknown_document": f"document {issue.document} is not in the collection",
        "duplicate": f"document {issue.document} of topic {issue.topic} is on line {issue.count} already",
        "rank_twice": f"rank {issue.text} of topic {issue.topic} is on line {issue.count} already",
        "order": f"rank {issue.text} of topic {issue.topic} has a higher score than the rank before it",
        "ties": f"topic {issue.topic} has {quantity(issue.count, 'tied score')}, ordered by document id",
        "too_many": f"topic {issue.topic} has {issue.count:,} documents, {most:,} are allowed",
        "too_few": f"topic {issue.topic} has {quantity(issue.count, 'document')}, {least:,} are asked for",
        "missing_topic": f"topic {issue.topic} has no document",
        "empty": "the file has no line",
        "unreadable": f"cannot be read: {issue.text}",
    }[issue.kind]
    return ("error: " if issue.grave else "warning: ") + text


def _short(text: str) -> str:
    """A field as a line can hold it: of one that is too long its beginning."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


@sentence
def check_lines(result: RunCheck, most: int, least: int) -> list[str]:
    """All that was found, with file and line; the same kind no more often than can be read, and then its number."""
    lines: list[str] = []
    times: dict[str, int] = {}
    for issue in result.issues:
        times[issue.kind] = times.get(issue.kind, 0) + 1
        if times[issue.kind] <= SHOWN:
            place = f"{result.source}:{issue.line}" if issue.line else result.source
            lines.append(f"{place}: {run_issue(issue, most, least)}")
    for kind, count in times.items():
        if count > SHOWN:
            lines.append(f"{result.source}: {count - SHOWN:,} more like that ({kind.replace('_', ' ')})")
    return lines


@sentence
def check_summary(result: RunCheck) -> str:
    """Whether the run can be accepted."""
    grave = sum(issue.grave for issue in result.issues)
    other = len(result.issues) - grave
    size = f"{quantity(result.lines, 'line')}, {quantity(result.topics, 'topic')}, tag {_short(result.tag) or 'none'}"
    verdict = "accepted" if result.fine else "refused"
    return f"{result.source}: {verdict}: {size}; {quantity(grave, 'error')}, {quantity(other, 'warning')}"
