"""Say what a command has done and what it leaves out, in one line each."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.english import plural, quantity
from .speech import sentence
from .tasks import MB

TOPICS, SYSTEMS = 5, 3
"""Names in a line."""


@sentence
def index_size(documents: int, terms: int, postings: int, size: int) -> str:
    """Say how much is indexed, and how many bytes that takes."""
    counts = ((documents, "document"), (terms, "term"), (postings, "posting"))
    return ", ".join([*(quantity(number, what) for number, what in counts), f"{size / MB:,.1f} MB"])


@sentence
def system_size(system: str, size: int) -> str:
    """Say what a system made of the documents, and how many bytes that takes."""
    return f"{system}, {size / MB:,.1f} MB"


@sentence
def index_built(folder: str, extent: str, seconds: float) -> str:
    """An index or the folder of a system, how large it is, and what time it took."""
    return f"{folder}: {extent}, {seconds:.1f} s"


@sentence
def documents_added(folder: str, documents: int, extent: str, seconds: float) -> str:
    """An index, how many documents were added to it, how large it is now, and what time it took."""
    return f"{folder}: {quantity(documents, 'document')} added: {extent}, {seconds:.1f} s"


@sentence
def documents_removed(folder: str, documents: int, extent: str, seconds: float) -> str:
    """An index, how many documents were removed from it, how large it is now, and what time it took."""
    return f"{folder}: {quantity(documents, 'document')} removed: {extent}, {seconds:.1f} s"


@sentence
def pages_failed(failed: int, files: int) -> str:
    """Say how many files of scanned pages could not be read."""
    return f"{quantity(failed, 'failure')} in {quantity(files, 'file')}; the rest is indexed"


@sentence
def index_whole(folder: str, extent: str) -> str:
    """Say that all files are there as they were written."""
    return f"{folder}: all files are intact: {extent}"


@sentence
def no_snippets(index: str) -> str:
    """Say why a search shows documents without a text."""
    return f"{index}: built without texts, so there are no snippets"


@sentence
def terms_extracted(path: str | None, terms: int, least: int, documents: int, words: int, seconds: float) -> str:
    """Say how many terms were found in what, and in what time."""
    place = "" if path is None else f"{path}: "
    source = f"{quantity(documents, 'document')}, {quantity(words, 'word')}"
    return f"{place}{quantity(terms, 'term')} with a frequency of {least} or more in {source}, {seconds:.1f} s"


@sentence
def terms_applied(occurrences: int, documents: int) -> str:
    """Say how often terms occur in the documents that were written."""
    return f"{quantity(occurrences, 'term')} in {quantity(documents, 'document')}"


@sentence
def terms_absent_from_topics(terms: int) -> str:
    """Say that no query has a term."""
    return f"none of the {quantity(terms, 'term')} occurs in the topics"


@sentence
def topics_without_words(topics: Sequence[str]) -> str:
    """Topics whose queries became empty."""
    more = ", …" if len(topics) > TOPICS else ""
    return f"no word is left in {plural(len(topics), 'topic')} {', '.join(topics[:TOPICS])}{more}"


@sentence
def rows_written(path: str, rows: int) -> str:
    """Say how long a table is."""
    return f"{path}: {quantity(rows, 'row')}"


@sentence
def files_written(folder: str, files: int) -> str:
    """Say how many files there are now."""
    return f"{folder}: {quantity(files, 'file')}"


@sentence
def systems_measured(path: str, systems: int) -> str:
    """Say how many systems a table of scores has."""
    return f"{path}: {quantity(systems, 'system')}"


@sentence
def different_topics(systems: Sequence[str], measure: str) -> str:
    """Say that figures of systems are not over the same topics."""
    few = ", ".join(systems[:SYSTEMS]) + (", …" if len(systems) > SYSTEMS else "")
    return f"{few}: no {measure} on some topics that other systems have, so the averages are over different topics"


@sentence
def page_written(page: str, *, before: bool) -> str:
    """Say where the page of an experiment is, and whether anything had to be done for it."""
    return f"{'Nothing to do: the results are up to date. ' if before else ''}The page: {page}"


@sentence
def candidates_dropped(path: str) -> str:
    """Say where the threads are that are not candidates."""
    return f"{path}: threads that are not candidates, and why"


@sentence
def thread_left_out(thread: str, why: str) -> str:
    """A thread on which people do not agree."""
    return f"thread {thread} is skipped: {why}"


@sentence
def threads_undecided(threads: int) -> str:
    """Candidates that nobody has looked at yet."""
    return f"{quantity(threads, 'thread')} {plural(threads, 'is', 'are')} not decided yet"


@sentence
def events_checked(events: int, threads: int) -> str:
    """Say how much a store holds that can be read."""
    return f"{quantity(events, 'event')} on {quantity(threads, 'thread')} can be read"


@sentence
def event_set_aside(number: int, why: str) -> str:
    """An event of a store that cannot be read."""
    return f"event {number} is set aside: {why}"


@sentence
def events_set_aside(events: int) -> str:
    """Events of a store that cannot be read, and what shows them."""
    return (
        f"{quantity(events, 'event')} cannot be read and {plural(events, 'is', 'are')} set aside: adjudge collect check"
    )


@sentence
def event_repaired(number: int) -> str:
    """An event of which what can be read was appended."""
    return f"event {number} is set aside, and what can be read of it was appended"


@sentence
def events_stale(events: int) -> str:
    """Decisions about another wording of a thread."""
    were = plural(events, "is about another wording of its thread", "are about other wordings of their threads")
    return f"{quantity(events, 'event')} {were} and {plural(events, 'does', 'do')} not count"


@sentence
def threads_unknown(threads: int) -> str:
    """Decisions about threads that are not candidates."""
    were = plural(threads, "was decided and is not a candidate", "were decided and are not candidates")
    return f"{quantity(threads, 'thread')} {were} any more"


@sentence
def more_in_datasheet(notes: int) -> str:
    """Notes that are not shown."""
    return f"{notes:,} more, all in datasheet.md"


@sentence
def formulas_converted(path: str, converted: int, formulas: int, converter: str) -> str:
    """Say how many formulas are MathML now."""
    return f"{path}: {converted:,} of {quantity(formulas, 'formula')} are MathML, by {converter}"


@sentence
def tokens_in_the_open() -> str:
    """Say that the workbench is reached over plain http."""
    return "tokens are sent unencrypted: use https with --certificate, or --https behind a proxy"


@sentence
def workbench_open(threads: int, address: str) -> str:
    """Say where the workbench is, and how it is stopped."""
    return f"{quantity(threads, 'thread')} at {address} (Ctrl+C to stop)"
