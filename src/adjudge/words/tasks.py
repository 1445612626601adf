"""Name long work while it runs, and say how far it is: words for the tasks of ``core/progress.py``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.progress import Task
from .speech import sentence

TITLES = {
    "align": "aligning",
    "analysis": "analysis",
    "apply_terms": "applying terms",
    "bands": "drawing bands of curves",
    "c_values": "C-values",
    "calibrate": "calibrating",
    "cell": "{subject}",
    "collect_threads": "posts, collecting threads",
    "compare": "{subject}: comparing",
    "compare_texts": "comparing",
    "contexts": "contexts",
    "convert_formulas": "formulas",
    "correct": "correcting",
    "count": "counting",
    "count_pairs": "lexicon, pairs of words",
    "count_terms": "counting",
    "count_words": "lexicon, words",
    "degrade": "degrading",
    "draw_judgments": "drawing judgments",
    "draw_topics": "drawing topics",
    "estimate": "estimating",
    "experiment": "cells",
    "extract_terms": "terms",
    "find_signs": "looking for characters that stand for letters",
    "index": "indexing",
    "index_terms": "index of terms",
    "judge": "judging",
    "keep": "{subject}",
    "leave_out": "leaving out",
    "learn_errors": "learning the errors of the text",
    "list_files": "listing",
    "look_at_files": "looking at files",
    "look_through": "looking through",
    "look_up_documents": "looking up documents",
    "measure": "{subject}: measuring",
    "ask_judge": "{subject}: asking",
    "permute": "permuting {subject}",
    "pool": "pooling",
    "read_comments": "comments",
    "read_judgments": "reading judgments",
    "read_links": "links",
    "read_pages": "reading pages",
    "read_terms": "reading terms",
    "read_votes": "votes",
    "resample": "resampling {subject}",
    "rescale": "{subject}: trying other scales",
    "sample": "sampling",
    "sample_topics": "{subject}: drawing samples of topics",
    "scan": "degrading",
    "scan_late_answers": "posts, answers before their questions",
    "scan_posts": "posts, looking for citations",
    "search": "searching",
    "send": "sending",
    "stages": "",
    "tune": "tuning",
    "start_spark": "starting Spark",
    "stop_words": "stop words",
    "tag": "tagging",
    "test_pairs": "testing",
    "version": "version {subject}",
    "write": "writing",
    "write_documents": "writing documents",
    "write_terms": "writing terms",
}
"""By kind of task. A kind that a system from elsewhere has made up is called by its own name."""
MB = 1_000_000


@sentence
def title(task: Task) -> str:
    """Say what a task is called."""
    if task.kind == "index" and task.within is not None and task.subject:  # one of several
        return f"indexing by {task.subject}"
    return TITLES.get(task.kind, task.kind.replace("_", " ")).replace("{subject}", task.subject).strip()


@sentence
def titles(task: Task) -> str:
    """Say what a task is called, after the tasks of which it is a part."""
    return ": ".join(filter(None, map(title, task.path)))


@sentence
def extent(task: Task, done: int, facts: Mapping[str, Any], seconds: float) -> str:
    """Say how far a task is after so many seconds: ``3/10``, ``1,200 of 5,000 documents, 3.1 pages/s``."""
    documents = facts.get("documents")
    if documents is not None:
        words = f"{documents:,} of {facts['of']:,} documents" if facts.get("of") else f"{documents:,} documents"
    elif task.unit == "bytes":
        words = f"{done / task.total:.0%}" if task.total else f"{done / MB:,.0f} MB"
    elif task.unit == "tasks":
        words = f"{done:,} of {task.total:,} tasks"
    else:
        words = f"{done:,}/{task.total:,}" if task.total else f"{done:,} {task.unit}".strip()
    if task.kind == "index" and task.within is None and documents is not None:
        megabytes = f"{done / MB:,.0f} of {task.total / MB:,.0f} MB" if task.total else f"{done / MB:,.0f} MB"
        words += f", {documents / max(seconds, 1e-9):,.0f}/s, {megabytes}"
    if task.kind in {"scan", "read_pages"} and "pages" in facts:
        words += f", {facts['pages'] / max(seconds, 1e-9):.1f} pages/s"
    return f"{words}, {facts['failed']:,} pages failed" if facts.get("failed") else words


@sentence
def detail(task: Task, facts: Mapping[str, Any]) -> str:
    """Say what was just done: the name of a run, the error rate at a factor."""
    if "factor" in facts:
        return f"{task.subject}: {facts['rate']:.2%} wrong at factor {facts['factor']:g}"
    return f"{facts['topics']:,} topics" if "topics" in facts else str(facts.get("name", ""))


@sentence
def line(task: Task, done: int, facts: Mapping[str, Any], seconds: float) -> str:
    """All of it in one line, with the time that is left."""
    words = f"{titles(task)} {extent(task, done, facts, seconds)}"
    if task.total:
        words += f", {seconds / max(done, 1) * max(task.total - done, 0):.0f} s left"
    return f"{words}  {detail(task, facts)}".rstrip()


@sentence
def done_before(cells: int, all_cells: int) -> str:
    """Count the cells of a plan that were done before."""
    return f"{cells} of {all_cells} cells were done before"


@sentence
def failed(task: Task) -> str:
    """Say that a cell failed; the reason is reported at the end."""
    return f"{title(task)}: failed"


@sentence
def interrupted(facts: Mapping[str, Any]) -> str:
    """Say after Ctrl-C what was kept, from the last report of the job."""
    if "kept" not in facts:
        return "interrupted before anything was done"
    return (
        f"interrupted: {facts['kept']:,} of {facts['of']:,} documents are finished and kept; the same command goes on"
    )


@sentence
def about(seconds: float) -> str:
    """The time that a plan will still take: ``about 12:30 left``."""
    return f"about {clock(seconds)} left"


@sentence
def clock(seconds: float) -> str:
    """0:07, 12:30, 1:02:03."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
