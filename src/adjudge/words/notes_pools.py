"""Notes on pools, samples and judges."""

from __future__ import annotations

from ..core.english import listing, plural, quantity, some
from ..core.note import Note
from .speech import sentence


@sentence
def topics_not_pooled(note: Note) -> str:
    are = plural(len(note["topics"]), "is", "are")
    return f"{note.subject}: {some(note['topics'])} {are} not among the topics, and not pooled"


@sentence
def topics_without_pool(note: Note) -> str:
    return f"no run has a document for {some(note['topics'])}: nothing is judged there"


@sentence
def documents_not_pooled(note: Note) -> str:
    if note["count"] == 1:
        return f"1 pooled document is not in the collection and is left out: {note['first']}"
    return f"{note['count']:,} pooled documents are not in the collection and are left out, {note['first']} the first"


@sentence
def judgments_outside_pool(note: Note) -> str:
    of = plural(note["count"], "is of a document", "are of documents")
    return f"{note.subject}: {quantity(note['count'], 'judgment')} {of} outside the pool"


@sentence
def nothing_to_judge(note: Note) -> str:
    where = f"topic {note['topic']}: " if note["topic"] else ""
    return f"{where}nothing is left to judge within the budget of the pool"


@sentence
def grades_outside_scale(note: Note) -> str:
    has = plural(note["count"], "has a grade", "have grades")
    more = [f"{note['more']:,} more"] if note["more"] else []
    other = listing([*map(str, note["grades"]), *more])
    scale = listing([str(grade) for grade in note["scale"]])
    answers = quantity(note["count"], "answer")
    return f"{note.subject}: {answers} {has} that the scale of the project does not have: {other}, where it has {scale}"


@sentence
def judgments_outside_sample(note: Note) -> str:
    if note["count"] == 1:
        return f"{note.subject}: 1 is of a document that was not drawn for judging, and is left out"
    return f"{note.subject}: {note['count']:,} are of documents that were not drawn for judging, and are left out"


@sentence
def judged_not_at_random(note: Note) -> str:
    are = f"{quantity(note['whole'], 'pair')} {plural(note['left'], 'is', 'are')}"
    left = f"{note['left']:,} of {are} not judged, and {note['priority']} has others judged first"
    return f"{note.subject}: {left}: infap and other estimates would take what is judged for a random sample"


@sentence
def whole_topics_left(note: Note) -> str:
    """Topics are judged whole, and what they have beside the sample was not written."""
    are = f"{quantity(note['count'], 'topic')} {plural(note['count'], 'is', 'are')} judged whole"
    return f"{are}: --whole FILE (whole=) writes them, which makes estimates of ap, ndcg and recall unbiased"


@sentence
def pairs_without_grade(note: Note) -> str:
    has, counts = quantity(note["count"], "pair"), "counts" if note["count"] == 1 else "count"
    return f"{note.subject}: {has} without a grade (cannot tell, or people differ) {counts} as not judged"


@sentence
def budget_not_random(note: Note) -> str:
    return (
        f"the budget of {note['budget']:,} ends the judging of a sample in the order {note['priority']}:"
        " what is judged then is no random sample; random_order keeps it one"
    )


@sentence
def ids_not_trec(note: Note) -> str:
    return (
        f"{note['id_kind']} {note['first']!r} cannot stand in a line of TREC:"
        " judgments will be exported as JSON, and no five columns can be written"
    )


@sentence
def grades_raised(note: Note) -> str:
    return f"{note.subject}: {quantity(note['count'], 'grade')} below -1 became 0, since -1 means not judged here"


@sentence
def pairs_answered_before(note: Note) -> str:
    were, are = plural(note["count"], "was", "were"), plural(note["count"], "is", "are")
    return f"{note.subject}: {quantity(note['count'], 'pair')} {were} answered before and {are} not asked again"


@sentence
def judge_files_changed(note: Note) -> str:
    files = listing(note["files"])
    return f"{note.subject}: {files} changed since the first answers: both digests are kept with the answers"


@sentence
def torn_answer(note: Note) -> str:
    return f"{note.subject}: the last line is not whole, and that pair is asked again"


@sentence
def thin_sample(note: Note) -> str:
    """A sample that is too small for quotients."""
    return (
        f"the sample has {quantity(note['count'], 'relevant document')} from strata that were not judged whole:"
        f" with fewer than {note['least']} the intervals of ap, ndcg and recall hold less often than they say"
    )


@sentence
def intervals_by_model(note: Note) -> str:
    """How often intervals that come from a model held."""
    held = f"held the truth in {note['least']} to {note['most']} of 100 samples where it is known"
    return (
        f"{note.subject}: intervals of {note['promised']}% from this model {held}, least often on {note['where']}:"
        " what there is to be found in a topic comes from a model of all topics"
    )


@sentence
def estimate_beyond(note: Note) -> str:
    """An estimate that the measure cannot be."""
    what = f"{note.subject}: the estimate of {note['measure']}, {note['value']:.3f}, lies beyond {note['limit']:g}"
    if note["contradicted"]:
        return f"{what}, and so does its whole interval: what was judged is hardly a random sample of each stratum"
    return f"{what}, where the measure and so the interval end: few drawn documents count for many"


@sentence
def corrected_beyond(note: Note) -> str:
    """An estimate, corrected by topics that were judged whole, that the measure cannot be."""
    what = f"{note.subject}: the estimate of {note['measure']}, {note['value']:.3f}, lies beyond {note['limit']:g}"
    return f"{what}, where the measure and so the interval end: few topics that were judged whole count for all"


@sentence
def few_topics_corrected(note: Note) -> str:
    """Few topics judged whole on which the figures from the sample are wrong, so that hardly anything is known."""
    topics = quantity(note["count"], "topic")
    return (
        f"{note.subject}: by {note['measure']} the figures from the sample are wrong on {topics} that"
        f" {plural(note['count'], 'was', 'were')} judged whole: the interval holds less often than it says"
    )


@sentence
def few_whole_topics(note: Note) -> str:
    """So few topics were judged whole that hardly anything is known of how much topics differ."""
    return (
        f"{quantity(note['count'], 'topic')} judged whole: with fewer than {note['least']} intervals are long,"
        " and may hold less often than they say"
    )


@sentence
def machine_silent(note: Note) -> str:
    """A machine that judged a part of the pool."""
    part = f"{note['count']:,} of {quantity(note['whole'], 'pooled document')}"
    return (
        f"{note.subject}: {part} {plural(note['count'], 'has', 'have')} no grade by it and"
        f" {plural(note['count'], 'counts', 'count')} as not relevant;"
        " a judge asked with --whole (adjudge pool judge) grades all of them"
    )


@sentence
def few_topics_differ(note: Note) -> str:
    """People and machine differ on so few topics that a sample may miss them."""
    topics = quantity(note["count"], "topic")
    return (
        f"{note.subject}: people and machine differ by {note['measure']} on {topics} that people judged:"
        " the interval holds less often than it says"
    )
