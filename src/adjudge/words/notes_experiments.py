"""Notes on the plan of an experiment, on what was run, and on what could be concluded."""

from __future__ import annotations

from ..core.english import plural, quantity, some
from ..core.note import Note
from .speech import sentence


@sentence
def nothing_found(note: Note) -> str:
    return f"{note.subject} on {note['version']}: no document was retrieved for any question"


@sentence
def cell_failed(note: Note) -> str:
    return f"{note.subject} failed on {note['version']} and is not shown: {note['why']}"


@sentence
def own_topics_unanswered(note: Note) -> str:
    return f"{some(note['topics'])}: no document in the answer"


@sentence
def stderr(note: Note) -> str:
    """Say what a program wrote to standard error."""
    text: str = note["text"]
    return text


@sentence
def printed(note: Note) -> str:
    """A line that a program printed while it worked."""
    text: str = note["text"]
    return text


@sentence
def systems_without_aid(note: Note) -> str:
    return f"{', '.join(note['systems'])}: skipped: needs clean reference text that is not searched ({note['aid']})"


@sentence
def systems_without_option(note: Note) -> str:
    return (
        f"{', '.join(note['systems'])}: skipped: they need clean reference text that is not searched: {note['option']}"
    )


@sentence
def systems_not_installed(note: Note) -> str:
    return f"{', '.join(note['systems'])}: skipped: {note['why']}"


@sentence
def files_beside_runs(note: Note) -> str:
    more = f" and {note['others']} more" if note["others"] else ""
    return f"{note.subject}: {', '.join(note['files'])}{more}: not runs, skipped"


@sentence
def questions_without_target(note: Note) -> str:
    return f"{some(note['topics'])}: no document is relevant, skipped"


@sentence
def questions_unjudged(note: Note) -> str:
    return f"{some(note['topics'])}: not judged, skipped"


@sentence
def questions_of_absent_target(note: Note) -> str:
    return f"{some(note['topics'])}: its target {note.subject} is not in all versions, skipped"


@sentence
def questions_without_field(note: Note) -> str:
    return f"{some(note['topics'])}: no {note['field']}, counted as not found"


@sentence
def judged_without_question(note: Note) -> str:
    return f"{some(note['topics'])}: judged, but not among the topics, skipped"


@sentence
def documents_not_shared(note: Note) -> str:
    many = f"{note['missing']:,} of {note['documents']:,} documents"
    return f"{note.subject}: {many} are not in all versions and were skipped, first {note['first']}"


@sentence
def sample_small(note: Note) -> str:
    documents = f"{quantity(note['documents'], 'document')} {plural(note['documents'], 'is', 'are')} not a target"
    wanted = f"instead of {note['aligned_wanted']} and {note['training_wanted']}"
    return f"{documents}: {note['aligned']} of them show errors, {note['training']} serve regression, {wanted}"


@sentence
def error_rates_unknown(note: Note) -> str:
    return f"error rates of {', '.join(note['versions'])}: not counted: pip install 'adjudge[noise]'"


@sentence
def baselines_absent(note: Note) -> str:
    left = "compared with the others" if note["others"] else "all pairs are compared"
    return f"{note.subject}: no baseline {', '.join(note['baselines'])}; {left}"


@sentence
def comparison_impossible(note: Note) -> str:
    """The subject is a version."""
    why: str = note["why"]
    return why


@sentence
def extracts_absent(note: Note) -> str:
    return f"no extracts from the documents of {note.subject}: {note['why']}"
